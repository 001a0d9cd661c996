"""A search that an artifact of the task answers already: pointed at it once, and where it comes again, refused.

The newest artifact of each kind is a pointer in the state, so no event reads the bus. Only words are looked up: what a
pattern with signs of its own finds, nobody can say without searching.
"""

from __future__ import annotations

from jackline import system
from jackline.features.tool_gate.read_access import where_of
from jackline.sdk import deny, note
from jackline.services import artifacts, work
from jackline.services import context_pack as packs
from jackline.services.plans.commands import argument, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.store.tasks import Task

PACK = "context_pack"
ANSWERS = ("computed_", "graph_slice")
"""How kinds of artifacts begin that hold what a search of the project would find."""
PROGRAMS = ("rg", "grep", "egrep", "fgrep", "ag", "ack", "ugrep")
SIGNS = frozenset("[](){}*+?^$|\\")
SHORTEST = 4
"""Characters of a word that is looked up."""
LIMIT = 1 << 20
"""Bytes of an artifact that are looked through."""
KEPT, SHOWN = 200, 3
"""Searches of a task that are remembered, and files that are named."""


def _words(pattern: str) -> tuple[str, ...]:
    """The words that a pattern looks for, each as it stands in a file; none where it has signs of its own."""
    found = []
    for one in pattern.replace("\\|", "|").split("|"):
        text = one.replace("\\b", "").replace("\\.", ".").replace("\\(", "\0").replace("\\)", "\1")
        if len(text) < SHORTEST or not SIGNS.isdisjoint(text):
            return ()
        found.append(text.replace("\0", "(").replace("\1", ")"))
    return tuple(found)


def _asked(event: Event) -> tuple[str, str]:
    """The pattern of a search, and what tells this search from others; empty where it is none."""
    if event.kind == "search":
        given = {key: event.input.get(key) for key in ("path", "paths", "glob", "include", "includePattern", "type")}
        return str(event.input.get("pattern") or event.input.get("query") or ""), str(given)
    found = event.effects.commands
    if len(found) != 1 or (found[0].program not in PROGRAMS and found[0].words[:2] != ("git", "grep")):
        return "", ""
    words = found[0].words[2 if found[0].program == "git" else 1 :]
    plain = [one for one in words if one[:1] != "-"]
    return (plain[0] if plain else ""), f"{found[0].cwd} {sorted(plain[1:])}"


def _is_as_it_was(root: str, item: dict[str, object]) -> bool:
    """Whether a file of the pack is as the pack has it."""
    from jackline.services.retrieval.tree import content_id

    try:
        data = system.read(f"{root}/{item['path']}", limit=1 << 24, follow=False)
    except OSError:
        return False
    return bool(content_id(data, str(item["content"])) == item["content"])


def _of_pack(ctx: Context, wanted: tuple[str, ...]) -> str:
    """The command that shows what the pack says of these words, "" where it does not say all of them."""
    items = packs.document(where_of(ctx)).get("items", ())
    found = [one for one in items if any(text in str(one.get("text", "")) for text in wanted)][:SHOWN]
    whole = "\n".join([str(one.get("text", "")) for one in found])
    if not found or not all(text in whole for text in wanted) or not all(_is_as_it_was(ctx.root, one) for one in found):
        return ""
    return f"jackline pack show {argument(str(found[0]['path']))}"


def _of_artifact(ctx: Context, kind: str, wanted: tuple[str, ...]) -> str:
    """The same of another artifact, where it is as it was announced."""
    pointer = artifacts.newest(ctx.state, kind, ctx.ids.work_id)
    if pointer is None or artifacts.hash_of(ctx.session_root, pointer.ref) != pointer.hash:
        return ""
    try:
        text = system.read(f"{ctx.session_root}/{pointer.ref}", limit=LIMIT, follow=False).decode("utf-8", "replace")
    except OSError:
        return ""
    return f"jackline artifacts show {word(kind)}" if all(one in text for one in wanted) else ""


def _answer(ctx: Context, wanted: tuple[str, ...]) -> str:
    """The command that shows what these words would find; "" where no artifact holds it."""
    latest = ctx.state.get("core", {}).get("latest") or {}
    if PACK in latest and (found := _of_pack(ctx, wanted)):
        return found
    others = sorted([kind for kind in latest if kind.startswith(ANSWERS)])[:4]
    return next((found for kind in others if (found := _of_artifact(ctx, kind, wanted))), "")


def pointed(event: Event, ctx: Context) -> Action | None:
    """What is said to a search that an artifact answers: where, the first time; a refusal when it comes again."""
    pattern, rest = _asked(event)
    wanted = _words(pattern)
    command = _answer(ctx, wanted) if wanted else ""
    if not command:
        return None
    mark = artifacts.content_hash(f"{pattern}\n{rest}".encode("utf-8", "surrogatepass"))
    if mark in (work.task(ctx).get("searches") or ()):
        what = f"the same search again, and an artifact of this task answers it: {pattern[:80]}"
        row = {"kind": "GATE_DENY", "data": {"what": what, "code": "POLICY_DENIED"}}
        return deny(what, rule="tool-gate: search", safer=f"now: {command}", code="POLICY_DENIED")._replace(
            emit_events=(row,)
        )

    def known(task: Task) -> Task:
        return {**task, "searches": [*(task.get("searches") or ()), mark][-KEPT:]}

    if not ctx.dry:
        work.change(ctx, known)
    return note("search", f"`{command}` has what this search looks for")
