"""Keep agents off Jackline itself and off what could switch it off (design section 5, "refuse")."""

from __future__ import annotations

from jackline.model import LOOKING
from jackline.sdk import deny, hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.features.self_protect.places import Ground
    from jackline.features.self_protect.shell import Hit
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.shell.model import Effects

PASSIVE = ("question", "todo", "plan", "subagent")
"""Kinds of tools that touch no file."""

UNSURE = ("mcp", "other", "browser")
"""Kinds of tools that may do anything with what they name."""

_MOVES = "checkout switch reset restore stash bisect read-tree merge pull rebase cherry-pick revert am"
MOVES = frozenset(_MOVES.split())
"""Subcommands of git that bring another content to the work tree."""

ORDER = ("pass", "ask", "deny")
TOLD = {
    "write": "{what} may not be changed by an agent",
    "sweep": "{what} would be deleted with all that lies in it, {place} too",
    "read": "{what} may not be read by an agent",
    "walk": "reading everything below {named} leads through {store}, which an agent may not read",
    "client": "`{named}` would start a client in which Jackline's hooks do not run",
    "run": "{what} may not be run by an agent",
    "copy": "{what} may not be copied by an agent: under another name its verbs are a person's as well",
    "signal": "`{named}` may not be ended, stopped, slowed or entered by an agent",
}
"""What is wrong, by how a place is reached."""
SAFER = {
    "write": "ask the person to make this change",
    "read": "ask the person what you need to know of it",
    "sweep": "delete only what you mean, by name, below the project",
    "walk": "name the folders that you mean, such as the project's own",
    "client": "start it as the person has configured it, or ask the person to run it",
    "copy": "run it where it lies: what only looks is open to agents",
    "run": "nothing to do: the client starts the entry point by itself",
    "signal": "name the process that you started: its number, its port, or more of its command line",
    "open": "write the path out, or give it an end that no settings have, such as .txt",
    "typed": "run the command itself, without the other terminal",
    "person": "ask the person to run it in a terminal of their own",
    "tool": "read it by the client's own tools, and ask the person to change it",
    "unknown": "write plainly what the command shall do, or ask the person to run it",
}


def _ground(event: Event, ctx: Context) -> Ground:
    from jackline.features.self_protect.places import Ground, rows

    known = ctx.protected
    more = (*[str(one) for one in ctx.config.get("places") or ()], *ctx.protected.get("roots", ()))
    home, store, package = [str(known.get(key, "")) for key in ("home", "store", "package")]
    said, above = event.transcript.rpartition("/")[0], known.get("ancestors", tuple)
    return Ground(event.root, home, store, package, more, said, ctx.start_ms, event.command, event.client, above,
                  rows(store, event))  # fmt: skip


def _noted(action: Action, hit: Hit) -> Action:
    kind = "SELF_PROTECT_DENY" if action.decision == "deny" else "SELF_PROTECT_ASK"
    return action._replace(emit_events=({"kind": kind, "data": {"what": hit.what, "rule": hit.rule, "how": hit.kind}},))


def _refused(hit: Hit, ground: Ground) -> Action:
    if hit.kind == "verb":
        verb = "" if hit.what in ("?", "hook") or hit.what.isupper() else f" (`jackline {hit.what}`)"
        reason = {
            "hook": "the entry point is started by clients, not by an agent's shell",
            "?": "only the running shell would know which verb of jackline this is",
        }.get(hit.what, f"{hit.what} is for a person")
        safer = f"ask the person to do it in a terminal of their own{verb}"
        code = "POLICY_DENIED"
    else:
        from jackline.paths import within

        what, place = within(ground.root, hit.what), within(ground.root, hit.place)
        reason = TOLD[hit.kind].format(what=what, named=hit.what, place=place, store=ground.store)
        safer, code = SAFER[hit.kind], "SCOPE_VIOLATION"
    return _noted(deny(reason, rule=f"self-protect: {hit.rule}", safer=safer, code=code, risk="DESTRUCTIVE"), hit)


def _asked(what: str, why: str, rule: str, safer: str, risk: str = "UNKNOWN", answer: str = "ask") -> Action:
    from jackline.features.self_protect.shell import Hit
    from jackline.sdk import ask

    say = deny if answer == "deny" else ask
    return _noted(say(why, rule=f"self-protect: {rule}", safer=SAFER[safer], risk=risk), Hit(what, rule, "unknown"))


def _unknown(word: Hit | None, text: str, found: Effects, ground: Ground, ctx: Context) -> Action | None:
    """Programs whose effects are unknown: those that name a protected thing (`word`), or with `paranoid` all."""
    from jackline.features.self_protect.unknown import is_unknown, mention, unread
    from jackline.paths import within

    place = word.what if word else mention(text, found, ground)
    missed = unread(found)
    answers = ["ask" if missed else "pass"]
    if place:
        answers.append(str(ctx.config.get("mention", "ask")))
    if is_unknown(found):
        answers += [str(ctx.config.get("unknown", "pass")), "ask" if ctx.protected.get("paranoid") else "pass"]
    answer = max([one for one in answers if one in ORDER], key=ORDER.index)
    if answer == "pass":
        return None
    what = "what this command does is not known" + (f", and it names {place}" if place else "")
    if word is not None:
        what = f"it names {within(ground.root, place)}, and nothing says that it only reads there"
    why = what + (f" ({missed or found.why})" if missed or found.why else "")
    return _asked(place or "unknown effects", why, "programs whose effects are unknown", "unknown", answer=answer)


def _near(command: str, store: str) -> bool:
    """Whether a plain command might read the store: from a folder above it, or by a path without our name in it."""
    if "jackline" not in store:
        return bool(store)
    if " /" not in command and ".." not in command:
        return False
    return any(
        (word[:1] == "/" and store.startswith(word.rstrip("/") + "/")) or (".." in word and not word.strip("./"))
        for word in command.split()
    )


def _speaks_of(event: Event, ctx: Context) -> bool:
    """Whether a command may lead into another root of scripts than ours: it names it, or runs in it."""
    names = [root.partition("/")[0] for root in ctx.protected.get("roots", ())]
    return any(name in event.command or name in event.cwd for name in names)


def _shell(event: Event, ctx: Context) -> Action | None:
    from jackline.shell.screen import began, clears

    command, since = event.command, began(ctx.state)
    store = str(ctx.protected.get("store", ""))
    if (
        clears(event, since)
        and not ctx.config.get("places")
        and not _near(command, store)
        and not _speaks_of(event, ctx)
    ):
        return None
    return _judged(event, ctx)


def _judged(event: Event, ctx: Context) -> Action | None:
    """What a command, or another tool, meets by the same rules. Of some files only some keys are protected."""
    from jackline.calls import acts
    from jackline.features.self_protect.shell import judge, parts
    from jackline.features.self_protect.unknown import named
    from jackline.shell.screen import began

    ground, found = _ground(event, ctx), acts(event, began(ctx.state))
    if event.kind in ("edit", "write", "notebook"):
        from jackline.features.self_protect.arrivals import harmless

        found = found._replace(effects=tuple([one for one in found.effects if not harmless(one.path, event, ground)]))
    for part in parts(found):
        hit = judge(part, ground)
        if hit is not None:
            return _refused(hit, ground)
    text = event.command or "\n".join(" ".join(one.words) for one in found.commands)
    word = named(text, found, ground) if text else None
    if word is not None and word.kind == "write":
        return _refused(word, ground)
    asked = next((_asked(*one) for one in _given(event, ctx, found, ground, text) if one[0]), None)
    asked = asked or (_unknown(word, text, found, ground, ctx) if text else None)
    return asked or next((_asked(*one) for one in _left(event, found, ground) if one[0]), None)


def _given(event: Event, ctx: Context, found: Effects, ground: Ground, text: str) -> Iterator[tuple[str, ...]]:
    """What a tool is given of which nobody knows whether it only reads; what git takes away; keys for a terminal.

    As all questions: about what ("" for none), why, by which rule, what is safer, the risk.
    """
    from jackline.features.self_protect.detours import types_elsewhere
    from jackline.features.self_protect.places import BY_CONTENT, rule_of
    from jackline.paths import within

    given = [one.path for one in found.effects if one.kind == "unknown" and one.program == event.tool and one.path]
    path, rule = next(((path, rule) for path in given if (rule := rule_of(ground, path))), ("", ""))
    why = f"whether {event.tool} only reads is not known, and it is given {within(event.root, path)}"
    yield path, why, rule, "tool"
    if any(one.program == "git" and not MOVES.isdisjoint(one.words) for one in found.commands):
        from jackline.features.self_protect.branches import settings_changed, taken

        listed = str(ctx.protected.get("trusted", ""))
        does = taken(found, event.root, listed) if listed else ""
        yield does, f"this would {does}, which a person trusted", "trusted hooks", "person", "DESTRUCTIVE"
        place = settings_changed(found, event.root, lambda path: rule_of(ground, path) not in ("", *BY_CONTENT))
        why = f"git would bring another content to {place}"
        yield place, why, "settings that git brings", "person", "DESTRUCTIVE"
    by = types_elsewhere(text, found)
    yield by, f"{by} may type into a terminal of the person's", "the person's terminals", "typed"


def _left(event: Event, found: Effects, ground: Ground) -> Iterator[tuple[str, ...]]:
    """What moves the settings of later sessions, takes away what they and we stand on, or changes nobody knows what."""
    from jackline.features.self_protect.detours import moves_later, removed
    from jackline.features.self_protect.shell import parts
    from jackline.features.self_protect.unknown import unknown
    from jackline.paths import within

    name = moves_later(found, "" if event.kind == "shell" else str(event.input).replace("\\n", "\n"))
    why = f"later sessions would look for their settings where {name} says"
    yield name, why, "variables that a person sets", "person"
    package = removed(found.commands, ground)
    yield package, f"{package} may be what Jackline or a client stands on", "Jackline's installation", "person"
    what, program = next((told for told in [unknown(one, ground) for one in parts(found)] if told[0]), ("", ""))
    why = f"only the running shell will know what {program or 'it'} changes: it may be {within(ground.root, what)}"
    yield what, why, "paths that only the running shell knows", "open"


def _plain(event: Event, ctx: Context) -> bool:
    """Whether another tool than the shell certainly meets nothing protected."""
    kind, known = event.kind, ctx.protected
    if ctx.config.get("places") or known.get("roots"):
        return kind not in UNSURE and not event.paths
    if kind in UNSURE:
        from jackline.leaves import leaves

        return not leaves(event) and not _holds_ours(ctx)
    paths = event._paths or event.paths
    if event.dear or "file:" in event.query:
        return False
    if paths and (kind not in LOOKING or kind == "search") and _holds_ours(ctx):
        return False
    ours = [str(known.get("store", "")), str(known.get("package", ""))]
    far = [path for path in paths if path[:1] == "/"]
    if kind not in LOOKING:
        return not far  # what is loaded lies anywhere
    return not any(path.startswith(one) or one.startswith(path) for one in ours if one for path in far)


def _holds_ours(ctx: Context) -> bool:
    """Whether a place of ours lies below the root."""
    return any(str(ctx.protected.get(key, "")).startswith(ctx.root + "/") for key in ("store", "package"))


@hook(
    name="self-protect",
    supports=["PreToolUse"],
    priority=1,
    hot_path_safe=True,
    critical=True,
    needs=["tampering"],
    default_on=True,
    records=["SELF_PROTECT_ASK", "SELF_PROTECT_DENY"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.kind == "shell":
        return _shell(event, ctx)
    if event.kind in PASSIVE or _plain(event, ctx):
        return None
    return _judged(event, ctx)
