"""Keep agents off Jackline itself and off what could switch it off (design section 5, "refuse")."""

from __future__ import annotations

from jackline.sdk import deny, hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.features.self_protect.shell import Ground, Hit
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.shell.model import Effects

PASSIVE = ("question", "todo", "plan", "fetch", "subagent")
"""Kinds of tools that touch no file."""

UNSURE = ("mcp", "other", "browser")
"""Kinds of tools that may do anything with what they name."""

READING = ("read", "search", "list")
LOOKS = ("read", "get", "list", "search", "find", "view", "show", "stat", "info", "tree", "cat", "fetch", "query")
"""How names of tools on MCP servers begin that only read."""

MAKING = ("create", "make", "mkdir", "new", "add", "ensure")
"""How names of tools begin that leave a folder alone which stands."""

ORDER = ("pass", "ask", "deny")
TOLD = {
    "write": "{what} may not be changed by an agent",
    "sweep": "{what} would be deleted with all that lies in it, {place} too",
    "read": "{what} may not be read by an agent",
    "walk": "reading everything below {named} leads through {store}, which an agent may not read",
    "client": "`{named}` would start a client in which Jackline's hooks do not run",
    "run": "{what} may not be run by an agent",
    "signal": "`{named}` may not be ended, stopped, slowed or entered by an agent",
}
"""What is wrong, by how a place is reached."""
SAFER = {
    "write": "ask the person to make this change",
    "read": "ask the person what you need to know of it",
    "sweep": "delete only what you mean, by name, below the project",
    "walk": "name the folders that you mean, such as the project's own",
    "client": "start it as the person has configured it, or ask the person to run it",
    "run": "nothing to do: the client opens the door by itself",
    "signal": "name the process that you started: its number, its port, or more of its command line",
    "unknown": "write plainly what the command shall do, or ask the person to run it",
}


def _ground(event: Event, ctx: Context) -> Ground:
    from jackline.features.self_protect.shell import Ground

    known = ctx.protected
    more = (*[str(one) for one in ctx.config.get("places") or ()], *ctx.protected.get("roots", ()))
    home, store, package = [str(known.get(key, "")) for key in ("home", "store", "package")]
    said, above = event.transcript.rpartition("/")[0], known.get("ancestors", tuple)
    return Ground(event.root, home, store, package, more, said, ctx.start_ms, event.command, event.client, above)


def _event(kind: str, hit: Hit) -> dict[str, Any]:
    return {"kind": kind, "data": {"what": hit.what, "rule": hit.rule, "how": hit.kind}}


def _refused(hit: Hit, root: str = "", store: str = "") -> Action:
    if hit.kind == "verb":
        verb = "" if hit.what in ("?", "hook") or hit.what.isupper() else f" (`jackline {hit.what}`)"
        reason = {
            "hook": "the door is opened by clients, not by an agent's shell",
            "?": "only the running shell would know which verb of jackline this is",
        }.get(hit.what, f"{hit.what} is for a person")
        safer = f"ask the person to do it in a terminal of their own{verb}"
        action = deny(reason, rule=f"self-protect: {hit.rule}", safer=safer, code="POLICY_DENIED", risk="DESTRUCTIVE")
    else:
        from jackline.paths import within

        reason = TOLD[hit.kind].format(
            what=within(root, hit.what), named=hit.what, place=within(root, hit.place), store=store
        )
        action = deny(
            reason,
            rule=f"self-protect: {hit.rule}",
            safer=SAFER[hit.kind],
            code="SCOPE_VIOLATION",
            risk="DESTRUCTIVE",
        )
    return action._replace(emit_events=(_event("SELF_PROTECT_DENY", hit),))


def _unknown(command: str, found: Effects, ground: Ground, ctx: Context) -> Action | None:
    """Programs whose effects are unknown: those that name a protected thing, or with preset `paranoid` all."""
    from jackline.features.self_protect.mentions import in_texts, is_unknown, mention
    from jackline.features.self_protect.shell import Hit

    named = mention(command, found, ground) or in_texts(found, ground)
    answer = str(ctx.config.get("mention", "ask")) if named else "pass"
    general = str(ctx.config.get("unknown", "pass"))
    if ctx.protected.get("paranoid") and general == "pass":
        general = "ask"
    if is_unknown(found):
        answer = max(answer, general, key=lambda one: ORDER.index(one) if one in ORDER else 0)
    if answer not in ("ask", "deny"):
        return None
    what = "what this command does is not known" + (f", and it names {named}" if named else "")
    why = f" ({found.why})" if found.why else ""
    hit = Hit(named or "unknown effects", "programs whose effects are unknown", "unknown")
    from jackline.sdk import ask

    say = ask if answer == "ask" else deny
    return say(what + why, rule=f"self-protect: {hit.rule}", safer=SAFER["unknown"], risk="UNKNOWN")._replace(
        emit_events=(_event("SELF_PROTECT_ASK" if answer == "ask" else "SELF_PROTECT_DENY", hit),)
    )


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
    for root in ctx.protected.get("roots", ()):
        if root.partition("/")[0] in event.command or root.partition("/")[0] in event.cwd:
            return True
    return False


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
    from jackline.features.self_protect.shell import judge
    from jackline.shell.effects import read

    ground = _ground(event, ctx)
    found = read(event, since)
    for part in (found, *[one.own for one in found.texts if one.own]):
        hit = judge(part, ground)
        if hit is not None:
            return _refused(hit, event.root, store)
    return _written(event, ctx, event.paths) or _branches(event, ctx, found) or _unknown(command, found, ground, ctx)


def _branches(event: Event, ctx: Context, found: Effects) -> Action | None:
    """A git call that takes away what a person trusted, or brings an older version."""
    listed = str(ctx.protected.get("trusted", ""))
    if not listed or all(one.program != "git" for one in found.commands):
        return None
    from jackline.features.self_protect.branches import taken
    from jackline.sdk import ask

    does = taken(found, event.root, listed)
    if not does:
        return None
    return ask(
        f"this would {does}, which a person trusted", rule="self-protect: trusted hooks",
        safer="ask the person to run it in a terminal of their own", risk="DESTRUCTIVE",
    )  # fmt: skip


def _heard(event: Event, path: str, home: str) -> Action | None:
    """Reading a transcript, or searching a folder of them: what was said to the person alone stands there."""
    from jackline.features.self_protect.places import TRANSCRIPT, is_transcript, transcripts
    from jackline.features.self_protect.shell import Hit

    own = event.transcript.rpartition("/")[0]
    found = is_transcript(path, own)
    if not found and event.kind == "search" and path != event.root:
        from jackline.system import is_dir

        found = is_dir(path) and any(is_dir(one) for one in transcripts(path, home, own))
    return _refused(Hit(path, TRANSCRIPT, "read")) if found else None


def _looked(event: Event, known: Mapping[str, Any]) -> Action | None:
    """Reading the store or a transcript, or searching a folder that holds it."""
    store = str(known.get("store", ""))
    if not store:
        return None
    for path in event.paths:
        if not path.startswith("/"):
            path = f"{event.root}/{path}" if path != "." else event.root
        if "/." in path or path[-6:] == ".jsonl":
            said = _heard(event, path, str(known.get("home", "")))
            if said is not None:
                return said
        inside = path == store or path.startswith(store + "/")
        above = event.kind == "search" and path != event.root and store.startswith(path.rstrip("/") + "/")
        if not inside and not above:
            continue
        inner = path[len(store) + 1 :].split("/", 3)
        if inner[0] == "repos" and len(inner) == 4 and inner[2] == "tmp":
            continue
        from jackline.features.self_protect.places import STORE
        from jackline.features.self_protect.shell import Hit

        return _refused(Hit(path, STORE, "walk" if above else "read"), store=store)
    return None


def _plain(path: str, ctx: Context) -> bool:
    """Whether a resolved path is certainly not protected: inside the root, without a dot folder, not in our package."""
    if path[:1] == "/" or path[:1] == "." or "/." in path or ctx.config.get("places") or ctx.protected.get("roots"):
        return False
    root = ctx.root
    return not any(str(ctx.protected.get(key, "")).startswith(root + "/") for key in ("store", "package"))


def _whole(event: Event, ctx: Context, folder: str) -> str:
    """The rule that protects a folder of settings as a whole: from tools that may move or remove it."""
    from jackline.features.self_protect.shell import standing_below

    if folder.endswith("/.git"):
        return "git hooks"
    making = event.tool.rpartition("/")[2].rpartition("__")[2].lower().startswith(MAKING)
    return "" if event.kind not in UNSURE or making else standing_below(_ground(event, ctx), folder)[1]


def _written(event: Event, ctx: Context, paths: tuple[str, ...]) -> Action | None:
    for path in paths:
        if _plain(path, ctx):
            continue
        from jackline.features.self_protect.content import harmless
        from jackline.features.self_protect.places import BY_CONTENT, is_setting_folder
        from jackline.features.self_protect.shell import Hit, rule_of

        full = path if path.startswith("/") else f"{event.root}/{path}" if path != "." else event.root
        rule = rule_of(_ground(event, ctx), full)
        if not rule and is_setting_folder(full):
            rule = _whole(event, ctx, full)
        if rule and not (rule in BY_CONTENT and harmless(rule, event, _standing(full))):
            return _refused(Hit(path, rule, "write"))
    return None


def _standing(path: str) -> str:
    """What a small file holds now, "" when there is none."""
    from jackline.system import read

    try:
        return read(path, limit=1 << 20).decode("utf-8", "replace")
    except OSError:
        return ""


def _only_looks(tool: str) -> bool:
    name = tool.rpartition("/")[2].rpartition("__")[2].lower()
    return name.startswith(LOOKS)


@hook(
    name="self-protect",
    supports=["PreToolUse"],
    priority=1,
    hot_path_safe=True,
    critical=True,
    needs=["tampering"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    kind = event.kind
    if kind == "shell" or (event.command and kind in UNSURE):
        return _shell(event, ctx)
    if kind in PASSIVE or not event.targets:
        return None
    if kind in READING:
        return _looked(event, ctx.protected)
    if kind in UNSURE and _only_looks(event.tool):
        return _looked(event, ctx.protected)
    return _written(event, ctx, event.paths)
