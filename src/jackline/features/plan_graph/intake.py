"""The ways in of a plan, recognised when the tool is done (design "Plan"); and what the agent reads of it then.

One function judges them all (`services.plans.acceptance`). What a command did already is done: an equal plan changes
nothing, a node that is over stays so.
"""

from __future__ import annotations

from jackline.changes import Terms, our_words
from jackline.jsonio import loads
from jackline.paths import resolve
from jackline.sdk import allow
from jackline.services import work
from jackline.services.plans import acceptance, consent, reminders, steps, submission
from jackline.services.plans.acceptance import LENIENT, STRICT, Where
from jackline.services.plans.document import LIMIT
from jackline.services.plans.nodes import Refused
from jackline.services.plans.plan_file import FOLDER, NAME
from jackline.session_paths import task_place
from jackline.system import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jackline.model import Action, Event
    from jackline.sdk import Context

FENCE = "```"
VALUES = ("--session", "--reason", "--files", "--check")


def where_of(ctx: Context) -> Where:
    store = str(ctx.protected.get("store", ""))
    return Where(store, ctx.root, ctx.ids.session_id, ctx.ids.work_id, ctx.session_root)


def place_of(ctx: Context) -> str:
    """Where the plan of the task may be written by any tool."""
    return task_place(ctx.session_root, ctx.ids.work_id, FOLDER, NAME)


# --- ways in ---------------------------------------------------------------------------------------------------


def _written(event: Event, ctx: Context) -> bytes:
    """The plan at its place, where this call may have written it."""
    named = is_at_place(event, ctx) or (event.kind == "shell" and NAME in event.command)
    return _content(place_of(ctx)) if named else b""


def is_at_place(event: Event, ctx: Context) -> bool:
    """Whether a file tool's call is about the file at the plan's place."""
    place = place_of(ctx)
    return place in event.paths or place[len(ctx.root) + 1 :] in event.paths


def _content(path: str) -> bytes:
    try:
        return read(path, limit=LIMIT + 1, follow=False)
    except OSError:
        return b""


def _blocks(text: str) -> Iterator[str]:
    """The texts in a page that may be a plan graph: all of it, or what stands between fences of a language or none."""
    parts = text.split(FENCE)
    for block in parts[1::2] if len(parts) > 1 else parts:
        first, _, rest = block.partition("\n")
        inner = rest if first.strip().isalnum() else block
        if inner.strip()[:1] == "{" and '"nodes"' in inner:
            yield inner


def _is_graph(block: str) -> bool:
    """Whether this is a plan, or would be one with its JSON mended; what else has nodes is the agent's own."""
    try:
        found = loads(block)
    except (ValueError, RecursionError):
        return True
    return isinstance(found, dict) and isinstance(found.get("nodes"), list)


def spoken(event: Event) -> bytes:
    """The plan graph that stands as a block of JSON in the client's own plan tool."""
    if event.kind != "plan":
        return b""
    texts = [one for one in event.input.values() if isinstance(one, str) and '"nodes"' in one]
    block = next((one for text in texts for one in _blocks(text) if _is_graph(one)), "")
    return block.encode("utf-8", "surrogatepass")


def commands(event: Event, ctx: Context) -> Iterator[tuple[Sequence[str], str]]:
    """What stands behind `jackline plan` in a shell's command, and the folder that it runs in."""
    if event.kind != "shell" or "plan" not in event.command:
        return
    terms = Terms((), str(ctx.protected.get("package", "")), str(ctx.protected.get("home", "")))
    for command in event.effects.commands:
        words = our_words(command.words, terms, command.cwd)
        if words and words[0] == "plan" and not any("\0" in word for word in words):
            yield words[1:], command.cwd


def submitted(words: Sequence[str], cwd: str, event: Event) -> bytes:
    """The plan that a command submits: a file's, by its path from the command's folder, or made from one line."""
    verb = words[0] if words else ""
    plain, options = _split(words[1:])
    if verb == "submit" and plain and plain[0] != "-":
        known = cwd or plain[0][:1] in "/~"
        return _content(resolve(cwd, plain[0], event.home)) if known else b""
    if verb == "quick" and plain and options.get("--files"):
        from jackline.services.plans.one_line_plan import quick

        return quick(plain[0], options["--files"], options.get("--check", []))
    return b""


def _split(words: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Plain words, and options with their values."""
    plain: list[str] = []
    options: dict[str, list[str]] = {}
    at = 0
    while at < len(words):
        if words[at] == "--":
            return [*plain, *words[at + 1 :]], options
        name, mark, value = words[at].partition("=")
        if name in VALUES:
            options.setdefault(name, []).append(value if mark else "".join(words[at + 1 : at + 2]))
            at += 1 if mark else 2
            continue
        if not name.startswith("--"):
            plain.append(words[at])
        at += 1
    return plain, options


def _step(words: Sequence[str], event: Event, ctx: Context) -> str:
    """Do a step of a node that a command names, where the command could not; what is to be said of it."""
    plain, options = _split(words)
    if len(plain) < 3 or plain[0] != "node":
        return ""
    where, how, name = where_of(ctx), plain[1], plain[2]
    try:
        if how == "start":
            steps.start(where, name, ctx.start_ms)
        elif how == "done":
            return "\n".join(steps.finish(where, name, ctx.start_ms))
        elif how == "skip":
            steps.skip(where, name, "".join(options.get("--reason", [])), ctx.start_ms)
    except steps.NotYet as refused:
        _validate(where, name, event, ctx)
        return str(refused)
    except Refused:
        pass  # the command itself says why
    return ""


def _validate(where: Where, name: str, event: Event, ctx: Context) -> None:
    """Run what a node's validators are to say, once the client has its answer."""
    from jackline.services.validators import node
    from jackline.services.validators.runs import Tree

    tree = Tree(where.store, where.root, event.env, where.folder, where.sid, event.client)
    one = next((one for one in acceptance.accepted(where).nodes if one.id == name), None)
    if one is not None:
        ctx.after(lambda: node.start(where, one, tree))


# --- what comes of it ------------------------------------------------------------------------------------------


def _mode(ctx: Context) -> str:
    return STRICT if ctx.mode == "enforce" else LENIENT


def _submit(data: bytes, event: Event, ctx: Context, *, repeats: bool = True) -> Action | None:
    """Submit a plan. `repeats`: an equal one is answered; a command has answered it already."""
    where = where_of(ctx)
    agreed = consent.was_put(acceptance.task_of(where), acceptance.fingerprint(data), consent.call_of(event))
    made = acceptance.submit(where, data, "agent", ctx.start_ms, _mode(ctx), agreed=agreed)
    if not made.changed:
        return _with(_rendered(ctx), reminders.repeated(where, ctx.start_ms) if repeats else "")
    return submission.action(where, data, made)


def _leads_on(ctx: Context) -> bool:
    """Whether a command submitted a plan that has to lead out of where the task stands."""
    task = work.task(ctx)
    return acceptance.is_new(task) and task.get("phase") in ("UNINITIALIZED", "BLOCKED")


def _rendered(ctx: Context) -> Action | None:
    """The plan's part of the state as the store has it, where the two differ, and where its plan leads."""
    now = acceptance.state_of(where_of(ctx))
    known = ctx.state.get("plan") or {}
    rows = submission.triggers(where_of(ctx)) if _leads_on(ctx) else []
    if not rows and (now.get("status") == "none" or all(known.get(key) == value for key, value in now.items())):
        return None
    return allow()._replace(state_patch={"plan": now}, emit_events=tuple(rows))


def _stale(ctx: Context) -> Action | None:
    """The plan's part of the state, and that its file changed behind our back: once for each content."""
    where, made = where_of(ctx), _rendered(ctx)
    found = submission.changed(where)
    if not found or found == (ctx.state.get("plan") or {}).get("stale"):
        return made
    patch = dict((made.state_patch if made else None) or {})
    told = {"plan": {**patch.get("plan", {}), "stale": found}}
    return _with((made or allow())._replace(state_patch={**patch, **told}), submission.stale(where))


def _with(made: Action | None, said: str) -> Action | None:
    """The answer with something for the agent to read."""
    if not said:
        return made
    known = made or allow()
    return known._replace(additional_context=(*known.additional_context, ("plan", said)))


def taken(event: Event, ctx: Context) -> Action | None:
    """What a call brought for the plan."""
    if event.name != "PostToolUse":
        said = "" if event.agent_id else reminders.unfinished(where_of(ctx))
        return _with(_stale(ctx), said)
    for data in (_written(event, ctx), spoken(event)):
        if data:
            return _submit(data, event, ctx, repeats=event.kind != "shell")
    told = []
    for words, cwd in commands(event, ctx):
        data = submitted(words, cwd, event)
        if data:
            return _submit(data, event, ctx, repeats=False)
        told.append(_step(words, event, ctx))
    return _with(_rendered(ctx), "\n".join([one for one in told if one]))
