"""Capabilities in a manifest: what was asked for by scope, the keys that come of it, and how they are taken back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jackline.compiler.registry import is_on
from jackline.install import files, jsontext, switches
from jackline.install.switches import File
from jackline.services.capabilities import CAPABILITIES, STATES, WITH_ANY, Capability, State, values

SCOPES = ("project", "user", "local")
KEYS = ("enabled", "mode", "critical")

Asked = dict[str, dict[str, Any]]
"""By what was asked for: the state it is to have, and what comes `with` it."""


class Target(NamedTuple):
    """The file of a scope; `root` is the project it belongs to, "" for a person's own."""

    scope: str
    path: Path
    root: str

    @property
    def mode(self) -> int:
        return 0o644 if self.scope == "project" else 0o600


def capability(name: str) -> Capability:
    """A capability; a feature that belongs to none is one by itself."""
    return CAPABILITIES.get(name) or Capability("", (name,))


def _stricter(one: State, other: State) -> State:
    return max(one, other, key=STATES.index)


def states(asked: Asked) -> dict[str, State]:
    """What each capability comes to: its own word, else the strictest of those that bring it."""
    found: dict[str, State] = {}
    for one in asked.values():
        for name in one["with"]:
            found[name] = _stricter(found.get(name, "off"), one["state"])
    return found | {name: one["state"] for name, one in asked.items()}


def _features(wanted: Mapping[str, State], here: Collection[str]) -> dict[str, State]:
    found = {slug: state for name, state in wanted.items() for slug in capability(name).features}
    ours = [state for name, state in wanted.items() if name in CAPABILITIES]
    for slug in WITH_ANY if ours else ():
        found[slug] = max(ours, key=STATES.index)
    return {slug: state for slug, state in found.items() if slug in here}


def _keys(slug: str, state: State) -> dict[str, Any]:
    made = values(state)
    if is_on(slug):
        made.pop("enabled")  # it runs anyway
    return made


def keys(asked: Asked, here: Collection[str]) -> dict[str, Any]:
    """What a manifest is to hold for what was asked; {} for nothing."""
    found = _features(states(asked), here)
    return {"modules": {slug: _keys(slug, state) for slug, state in found.items()}} if found else {}


def _strip(path: Path) -> switches.Strip:
    return lambda data, ours, base: switches.strip(data, ours, base, str(path))


def _modules(data: bytes | None, path: Path) -> Mapping[str, Any]:
    root = jsontext.decode(data or b"", str(path)).root
    told = root.value() if root is not None else {}
    found = told.get("modules") if isinstance(told, dict) else None
    return found if isinstance(found, dict) else {}


def standing(data: bytes | None, path: Path, names: Iterable[str]) -> dict[str, Any]:
    """The keys by which a manifest switches these capabilities on itself, whoever wrote them."""
    there = _modules(data, path)
    found: dict[str, Any] = {}
    for name in names:
        features = capability(name).features
        own = [there.get(slug) for slug in features if slug == name or not is_on(slug)]
        if any(isinstance(at, dict) and at.get("enabled") is True for at in own):
            found |= {slug: {key: there[slug][key] for key in KEYS if key in there[slug]}
                      for slug in features if isinstance(there.get(slug), dict)}  # fmt: skip
    return {"modules": found} if found else {}


def _others(data: bytes | None, path: Path) -> bool:
    """Whether a manifest switches on any capability."""
    return bool(standing(data, path, CAPABILITIES))


def _spare(data: bytes | None, path: Path) -> dict[str, Any]:
    """The keys of features that are on with any capability, where none is on any more."""
    there = _modules(data, path)
    if _others(data, path):
        return {}
    left = {slug: {key: there[slug][key] for key in KEYS if key in there[slug]}
            for slug in WITH_ANY if isinstance(there.get(slug), dict)}  # fmt: skip
    return {"modules": left} if left else {}


def _base(known: File | None, now: bytes | None, path: Path, names: Iterable[str]) -> bytes | None:
    """What a manifest holds beside what was asked for; these capabilities are in it no more, whoever wrote them."""
    base = switches.base_of(known, now, _strip(path))
    there = standing(base, path, names)
    if base is None or not there:
        return base
    base = switches.strip(base, there, None, str(path))
    spare = _spare(base, path)
    return switches.strip(base, spare, None, str(path)) if spare else base


def change(
    store: Path, target: Target, names: Collection[str], here: Collection[str], edit: Callable[[Asked], Asked]
) -> bool:
    """Change what was asked for in a scope, and its file accordingly; whether the file is another now.

    `names`: what is concerned. What else the file says keeps every byte; with nothing asked for it is as it was before.
    """
    path = switches.plain(target.path, target.root)
    with switches.writing(store) as book:
        known, now = book.get(str(path)), files.read(path)
        base = _base(known, now, path, names)
        asked = edit({name: dict(one) for name, one in (known.asked if known else {}).items()})
        wanted = keys(asked, here)
        data = switches.merge(base, wanted, str(path)) if wanted else base
        fresh = File(target.root, base, files.digest(data or b""), known.folders if known else (), asked, wanted)
        return switches.put(store, book, path, fresh, data, target.mode)
