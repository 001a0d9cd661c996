"""`jackline intents select`, `clear` and `request` in an agent's shell: done by the entry point as well.

A client's sandbox may forbid the command to write the store; the entry point, which sees every command, may. Both do
the same, and whoever comes second finds it done.
"""

from __future__ import annotations

from jackline.changes import Terms, our_words
from jackline.intents.intent_index import reading
from jackline.intents.scope import fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jackline.model import Event
    from jackline.sdk import Context

VALUES = ("--session", "--reason")
"""Options with a value."""


def _told(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """What stands behind the verb: words, and options with their values."""
    plain: list[str] = []
    options: dict[str, str] = {}
    at = 0
    while at < len(words):
        name, mark, value = words[at].partition("=")
        if name in VALUES:
            options[name] = value if mark else "".join(words[at + 1 : at + 2])
            at += 1 if mark else 2
            continue
        if not name.startswith("-"):
            plain.append(words[at])
        at += 1
    return plain, options


def verbs(event: Event, terms: Terms) -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """Each `jackline intents VERB` of a command that an agent may use, in order."""
    for command in event.effects.commands:
        words = our_words(command.words, terms, command.cwd)
        if words is None or len(words) < 2 or words[0] != "intents" or command.fed:
            continue
        if words[1] in ("select", "clear", "request") and not any("\0" in word for word in words):
            yield words[1], *_told(words[2:])


def said(event: Event, ctx: Context, terms: Terms) -> None:
    """Do what the command says, when the client has its answer."""
    found = [one for one in verbs(event, terms) if ctx.ids.session_id.startswith(one[2].get("--session", ""))]
    store, root, sid, now = str(ctx.protected.get("store", "")), event.root, ctx.ids.session_id, ctx.start_ms

    def fitting(name: str, globs: list[str]) -> bool:
        """As the command itself would have it."""
        return reading(store, root).find(name) is not None and not any(map(fault, globs))

    def do() -> None:
        from jackline.intents import choose
        from jackline.intents.scope_requests import Wish, wish

        for verb, words, options in found:
            try:
                if verb == "select" and len(words) == 1:
                    choose.select(store, root, sid, words[0], choose.AGENT, now)
                elif verb == "clear" and not words:
                    choose.clear(store, root, sid, choose.AGENT)
                elif verb == "request" and len(words) > 1 and fitting(words[0], words[1:]):
                    wish(store, root, Wish(words[0], tuple(words[1:]), options.get("--reason", ""), sid, now))
            except (choose.Unfit, OSError):  # the command itself says what is wrong
                continue

    if found:
        ctx.after(do)
