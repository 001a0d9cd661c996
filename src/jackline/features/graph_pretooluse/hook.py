"""Bound searches (design section 8): an unbounded one gets a cap, or is refused with the bounded call proposed."""

from __future__ import annotations

from jackline.sdk import deny, hook, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.features.graph_pretooluse.search_roots import Ceilings, Limits, Place
    from jackline.model import Action, Event
    from jackline.sdk import Context

RULE = "search-bounds: a search names a real folder below the project root, or caps depth, count or size"
NOTE = "bounded-search"


def _numbers(config: Mapping[str, Any]) -> tuple[Limits, Ceilings]:
    from jackline.features.graph_pretooluse.search_roots import Ceilings, Limits

    limits, ceilings = config.get("limits") or {}, config.get("ceilings") or {}
    return (
        Limits(**{key: limits[key] for key in Limits._fields if isinstance(limits.get(key), int)}),
        Ceilings(**{key: ceilings[key] for key in Ceilings._fields if isinstance(ceilings.get(key), int)}),
    )


def _place(event: Event, config: Mapping[str, Any]) -> Place:
    from jackline.features.graph_pretooluse.search_roots import Place

    roots = tuple(root for root in config.get("roots") or () if isinstance(root, str))
    return Place(event.cwd or event.root, event.root or event.cwd, roots, event.home)


def _allowed(event: Event, config: Mapping[str, Any]) -> bool:
    """Whether a person allowed this command or tool by a glob (one segment: `*` spans everything)."""
    patterns = config.get("allow") or ()
    if not patterns:
        return False
    from jackline.globs import expand, segment

    subject = event.command or event.tool
    return any(segment(one, subject) for pattern in patterns for one in expand(str(pattern)))


def _event(kind: str, what: str, added: str = "") -> dict[str, Any]:
    return {"kind": kind, "data": {"what": what, "added": added} if added else {"what": what}}


def _answer(
    config: Mapping[str, Any],
    what: str,
    changes: Mapping[str, Any],
    added: str,
    proposal: Mapping[str, Any],
    safer: str,
) -> Action:
    """Rewrite where a cap can be added and the knob lets us, else refuse with a proposal, or only warn."""
    action = config.get("action", "rewrite")
    if action == "warn":
        return warn(f"unbounded search: {what}")._replace(emit_events=(_event("SEARCH_WARN", what),))
    if changes and action != "deny":
        from jackline.sdk import rewrite

        return rewrite(changes, reason=what, rule=RULE)._replace(
            additional_context=((NOTE, f"{what}; `{added}` was added, so results may be incomplete: name a folder"),),
            emit_events=(_event("SEARCH_WARN", what, added),),
        )
    return deny(
        what, rule=RULE, safer=safer, code="SCOPE_VIOLATION", risk="SAFE", proposal=changes or proposal or None
    )._replace(emit_events=(_event("SEARCH_DENY", what),))


def _most(config: Mapping[str, Any]) -> int:
    """Bytes above which a file is not printed whole."""
    most = (config.get("limits") or {}).get("bytes")
    return most if isinstance(most, int) else 262_144


def _small(event: Event, config: Mapping[str, Any]) -> bool:
    """Whether all files of a read are certainly small: the plain case, without resolving anything."""
    from jackline.system import size_of

    most = _most(config)
    for target in event.targets:
        path = target if target.startswith("/") else f"{event.cwd or event.root}/{target}"
        if target.startswith("~") or size_of(path) > most:
            return False
    return True


def _kept_out(what: str, rule: str, safer: str) -> Action:
    """Refuse what would read our own logs, whatever is said of searches without a bound."""
    refused = deny(what, rule=rule, safer=safer, code="SCOPE_VIOLATION", risk="SAFE")
    return refused._replace(emit_events=(_event("SEARCH_DENY", what),))


def _near_logs(command: str, cwd: str) -> bool:
    """Whether a command may name our logs, or starts at them: then even a plain search is looked at."""
    if "/.ai" in cwd or ".ai" in command:
        return True
    return (" ." in command or "/." in command) and any(sign in command for sign in "*?[{")


def _shell(event: Event, config: Mapping[str, Any]) -> Action | None:
    from jackline.features.graph_pretooluse.commands import judge

    limits, ceilings = _numbers(config)
    found = judge(event, _place(event, config), limits, ceilings)
    if found is None:
        return None
    if found.rule:
        return _kept_out(found.what[0], found.rule, found.safer)
    key = next((key for key, value in event.input.items() if value == event.command), "")
    what = "; ".join(dict.fromkeys(found.what))
    if key and found.kept_out and config.get("action") == "warn":
        from jackline.sdk import rewrite

        return rewrite({key: found.kept_out}, reason=what, rule=RULE)
    changes = {key: found.text} if key and found.text else {}
    proposal = {key: found.proposal} if key and found.proposal else {}
    safer = found.text or found.safer
    return _answer(config, what, changes, " ".join(found.added), proposal, f"run {safer}, or name a folder")


def _native(event: Event, config: Mapping[str, Any]) -> Action | None:
    from jackline.features.graph_pretooluse.native import among_logs, read, search

    limits, ceilings = _numbers(config)
    place = _place(event, config)
    if event.kind == "read":
        paths = event.paths
        if len(paths) != 1:
            return None
        path = paths[0] if paths[0].startswith("/") else f"{event.root}/{paths[0]}"
        found = read(event.tool, event.client, event.input, path, limits)
    else:
        among = among_logs(event.tool, event.input, place)
        if among:
            from jackline.features.graph_pretooluse.logs import RULE as LOGS
            from jackline.features.graph_pretooluse.logs import SAFER

            return _kept_out(among, LOGS, SAFER)
        found = search(event.tool, event.input, place, limits, ceilings, event.client)
    if found is None:
        return None
    added = ", ".join(f"{key}: {value}" for key, value in found.changes.items())
    safer = f"with {added}, or name a folder" if added else "name a folder below the project root"
    capped = found.changes if found.capped else {}
    return _answer(config, found.what, capped, added, found.changes, safer)


@hook(
    name="graph-pretooluse",
    shown="search-bounds",
    supports=["PreToolUse"],
    priority=10,
    hot_path_safe=True,
    critical=True,
    tools=["kind:shell", "kind:search", "kind:list", "kind:read"],
    default_on=True,
    records=["SEARCH_WARN", "SEARCH_DENY"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    kind = event.kind
    if kind == "shell":
        from jackline.features.graph_pretooluse.names import worth_a_look

        if not worth_a_look(event.command):
            return None
        from jackline.features.graph_pretooluse.prefilter import is_plain

        cwd = event.cwd or event.root
        if is_plain(event.command, cwd, _most(ctx.config)) and not _near_logs(event.command, cwd):
            return None
        if _allowed(event, ctx.config):
            return None
        return _shell(event, ctx.config)
    if kind == "read" and _small(event, ctx.config):
        return None
    if kind in ("search", "list", "read") and not _allowed(event, ctx.config):
        return _native(event, ctx.config)
    return None
