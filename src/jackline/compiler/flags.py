"""Capabilities by their flags (`FEATURE_PLAN`): in files of `.ai/config`, in `.env`, and in the environment.

The files are layers like a manifest, each below the one of its name in `.ai/hooks`. The environment's flags, and those
of `.env`, only tighten what all layers come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jackline import system
from jackline.compiler.fault import Fault, nearest, shown
from jackline.compiler.layers import Layer, Resolved
from jackline.compiler.registry import KNOWN, is_on
from jackline.compiler.sources import Sources, digest, parsed
from jackline.services.capabilities import CAPABILITIES, STATES, WITH_ANY, State, state_in, state_of, values

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = ".ai/config"
PLACES = {f"{FOLDER}/hooks.runtime.json": "project", f"{FOLDER}/hooks.local.json": "local"}
"""The files of flags, and the layer that each belongs to."""
ROLES = {f"{FOLDER}/hooks.runtime.json": "flags", f"{FOLDER}/hooks.local.json": "local flags"}
ENV_FILE = ".env"
LIMIT = 1 << 16
"""Bytes of a `.env` that are read."""
LATER = ("FEATURE_MEMORY", "FEATURE_GRAPH", "FEATURE_HARNESS", "FEATURE_ROUTES", "FEATURE_COMPONENTS",
         "FEATURE_MIGRATION")  # fmt: skip
"""Flags of capabilities that this version does not have."""
BY_FLAG = {one.flag: name for name, one in CAPABILITIES.items()}
PREFIX = "FEATURE_"
OWN = r"FEATURE_[A-Z][A-Z0-9_]*"
WRITTEN = r"(?m)^[ \t]*(?:export[ \t]+)?(FEATURE_[A-Z0-9_]+)[ \t]*=[ \t]*(.*?)[ \t]*$"
VALUE = r"""^(?:"([^"]*)"|'([^']*)'|([^\s#]*))"""
"""A flag of a feature; a line of `.env` with one; its value. Read where there are any: hardly a project has them."""


def flag_of(slug: str) -> str:
    """The flag of a feature that is none of ours: `no-migrate` → `FEATURE_NO_MIGRATE`."""
    return PREFIX + slug.upper().replace("-", "_")


def _near(key: str, flags: Iterable[str]) -> str:
    """The flag that a slip may have meant, "" for none; what all begin with says nothing."""
    found = nearest(key.removeprefix(PREFIX), [one.removeprefix(PREFIX) for one in flags])
    return PREFIX + found if found else ""


def _own(key: str) -> str:
    """The feature that a flag means which is none of ours, "" where it may be a slip in the name of one of those."""
    if key in (*BY_FLAG, *LATER) or not re.fullmatch(OWN, key) or _near(key, [*BY_FLAG, *LATER]):
        return ""
    return key.removeprefix(PREFIX).lower().replace("_", "-")


def _features(states: Mapping[str, State]) -> dict[str, State]:
    """The features of capabilities, each with its state; with any that is on, what all of them need."""
    found = {slug: state for name, state in states.items() for slug in CAPABILITIES[name].features}
    on = [state for state in states.values() if state != "off"]
    for slug in WITH_ANY if on else ():
        found[slug] = max(on, key=STATES.index)
    return found


def keys(states: Mapping[str, State]) -> dict[str, Any]:
    """What a manifest would say for these capabilities, as flat keys."""
    made: dict[str, Any] = {}
    for slug, state in _features(states).items():
        said = values(state)
        if is_on(slug):  # it runs anyway
            said.pop("enabled")
        made |= {f"modules.{slug}.{key}": value for key, value in said.items()}
    return made


# --- files of flags ------------------------------------------------------------------------------------------------


def _state(key: str, value: Any, where: str, faults: list[Fault]) -> State | None:
    state = state_of(value)
    if state is None:
        faults.append(Fault(key, "true, false, lenient or strict", shown(value), "", "true", where))
    return state


def _is_ours(key: str, where: str, strange: list[str]) -> bool:
    """Whether a flag is one of a capability of this version; what it is else, is told."""
    if key in BY_FLAG:
        return True
    if key in LATER:
        strange.append(f"{where} · {key}: not yet in this version")
    else:
        near = _near(key, BY_FLAG)
        strange.append(f"{where} · {key}: there is no flag of this name" + (f", did you mean {near}?" if near else ""))
    return False


def read(data: bytes, where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    """A file of flags as flat keys of a manifest: flags of capabilities, and of features that are none of ours."""
    value, wrong = parsed(data, where)
    faults += wrong
    states: dict[str, State] = {}
    others: dict[str, Any] = {}
    for key, said in value.items():
        if key in ("$schema", "version"):
            continue
        slug = _own(key)
        state = _state(key, said, where, faults) if slug or _is_ours(key, where, strange) else None
        if state is not None and slug:
            others |= {f"modules.{slug}.{name}": one for name, one in values(state).items()}
        elif state is not None:
            states[BY_FLAG[key]] = state
    return keys(states) | others


# --- the environment -----------------------------------------------------------------------------------------------


class Said(NamedTuple):
    """What a flag of the environment asks for, and where it stands."""

    flag: str
    state: State
    file: str


def _bare(text: str) -> str:
    found = re.match(VALUE, text)
    return next((one for one in found.groups() if one is not None), "") if found else ""


def _env_file(sources: Sources, flags: Iterable[str]) -> dict[str, str]:
    """The flags of `.env`, which is an input only where it has any: it is often edited, for other reasons."""
    path = f"{sources.root}/{ENV_FILE}"
    try:
        data = system.read(path, limit=LIMIT, follow=False)
        found = {name: _bare(value) for name, value in re.findall(WRITTEN, data.decode("utf-8-sig"))}
    except (OSError, ValueError):
        return {}
    found = {name: value for name, value in found.items() if name in flags}
    if found:
        sources.inputs[path] = digest(data)
    return found


def said(sources: Sources, env: Mapping[str, str], strange: list[str], features: Iterable[str] = ()) -> list[Said]:
    """The flags of `.env` and of the environment that mean something, those of `features` beside ours too."""
    known = [*BY_FLAG, *[flag_of(slug) for slug in sorted({*features} - KNOWN.keys())]]
    found = []
    for file, flags in ((ENV_FILE, _env_file(sources, known)), ("environment", env)):
        for flag in [one for one in known if one in flags and (one in BY_FLAG or _own(one))]:
            state = state_of(flags[flag])
            if state is None:
                strange.append(f"{file} · {flag}: expected true, false, lenient or strict")
            else:
                found.append(Said(flag, state, file))
    return found


def _meant(flag: str, state: State) -> tuple[tuple[str, ...], dict[str, State]]:
    """The features whose state a flag tells, and all that it sets."""
    name = BY_FLAG.get(flag)
    if name is None:
        slug = flag.removeprefix(PREFIX).lower().replace("_", "-")
        return (slug,), {slug: state}
    return tuple([slug for slug in CAPABILITIES[name].features if not is_on(slug)]), _features({name: state})


def _stands(resolved: Resolved, slug: str) -> State:
    """A feature's state; of one that is no part of this version, off."""
    mode = resolved.values.get(f"modules.{slug}.mode", resolved.values.get("mode"))
    return state_in(resolved.values.get(f"modules.{slug}.enabled"), mode)


def tightening(resolved: Resolved, asked: list[Said], strange: list[str]) -> list[Layer]:
    """The layers that these flags come to over what stands: what would loosen it is told, and does not count."""
    layers = []
    for one in sorted(asked, key=lambda one: STATES.index(one.state)):
        features, wanted = _meant(one.flag, one.state)
        now = max([_stands(resolved, slug) for slug in features], key=STATES.index)
        if STATES.index(one.state) < STATES.index(now):
            strange.append(f"{one.file} · {one.flag}: {one.state} does not count: it may only tighten")
        more = {slug: state for slug, state in wanted.items()
                if STATES.index(state) > STATES.index(_stands(resolved, slug))}  # fmt: skip
        made = {f"modules.{slug}.{key}": value for slug, state in more.items() for key, value in values(state).items()}
        if made:
            layers.append(Layer("environment", made, dict.fromkeys(made, one.file)))
    return layers
