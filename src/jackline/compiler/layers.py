"""Fold the layers of configuration: built-in < managed < user < project < local < environment.

Every key is `tighten` (its values have an order of strictness) or `free`. What managed sets can only be tightened
below it, and a layer that nobody trusts may only tighten: it never sets a free key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from jackline.jsonio import dumps

LAYERS = ("builtin", "managed", "user", "project", "local", "environment")
MANAGED = "/etc/jackline"

Order = tuple[Any, ...]
OFF_ON: Order = (False, True)
MODES: Order = ("observe", "warn", "enforce")

TIGHTEN: dict[str, Order | str] = {
    "mode": MODES,
    "enforcePhases": OFF_ON,
    "prompts": ("text", "hash", "off"),
    "preset": ("default", "paranoid"),
    "strict": OFF_ON,
    "phasePolicy.*.mode": ("allow", "warn", "deny"),
    "phasePolicy.*.allowTools": "subset",
    "modules.*.enabled": OFF_ON,
    "modules.*.hotPathSafe": OFF_ON,
    "modules.*.critical": OFF_ON,
    "modules.*.mode": MODES,
    "modules.*.mayApprove": (True, False),
}
"""Keys with an order, loosest value first. Knobs of features join by `x-tighten` in their schema."""

FREE = (
    "budgets.*",
    "rewriteOwner",
    "gc.maxAgeDays",
    "gc.maxSessions",
    "modules.*.priority",
    "modules.*.path",
    "modules.*.runner",
    "config.*",
    "scripts.roots",
    "scripts.nodes",
    "scripts.enabled",
    "scripts.disabled",
)
"""Keys without an order: a person's or trusted layers set them, untrusted ones cannot."""

PERSONS = ("managed", "user", "local")
"""Layers that a person writes for himself: only they can grant `mayApprove`."""


class Layer(NamedTuple):
    """What one layer sets: flat keys, each with the file it stands in. `trusted`: a person wrote or trusted it."""

    name: str
    values: Mapping[str, Any]
    files: Mapping[str, str]
    trusted: bool = True


class Refused(NamedTuple):
    """A value that does not count, and why. `trust`: it would count in a trusted layer."""

    key: str
    value: Any
    file: str
    why: str
    trust: bool = False

    def __str__(self) -> str:
        return f"{self.file} · {self.key}: {dumps(self.value)} does not count: {self.why}"


class Resolved(NamedTuple):
    """Every key's value, the layer it comes from, and what was refused."""

    values: dict[str, Any]
    layers: dict[str, str]
    refused: tuple[Refused, ...]
    tightened: Mapping[str, Mapping[str, Any]] = {}
    """By file of a layer that nobody trusts: the keys it tightened."""

    def under(self, prefix: str) -> dict[str, Any]:
        """The values below `prefix.`, by the rest of their key."""
        return {key[len(prefix) + 1 :]: value for key, value in self.values.items() if key.startswith(prefix + ".")}


def flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """An object as flat keys; lists are values, an empty object sets nothing."""
    for key, item in value.items():
        here = f"{prefix}.{key}" if prefix else key
        if isinstance(item, dict):
            yield from flat(item, here)
        else:
            yield here, item


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """The object that flat keys mean."""
    made: dict[str, Any] = {}
    for key, item in values.items():
        at = made
        *above, last = key.split(".")
        for part in above:
            inner = at.get(part)
            if not isinstance(inner, dict):
                inner = at[part] = {}
            at = inner
        at[last] = item
    return made


def rule_of(key: str, knobs: Mapping[str, Order | str]) -> Order | str:
    """How the values of a key are ordered, "" when they are not (free)."""
    if key.startswith("config."):
        return knobs.get(key) or knobs.get(f"{key.rpartition('.')[0]}.*", "")
    parts = key.split(".")
    pattern = ".".join([parts[0], "*", *parts[2:]]) if len(parts) > 2 else key
    return TIGHTEN.get(pattern, "")


def _rank(order: Order, value: Any) -> int:
    return next((at for at, one in enumerate(order) if one is value or one == value), -1)


def _words(value: Any) -> set[str] | None:
    """A list as a set; None for everything (`*`)."""
    return set(map(str, value)) if isinstance(value, list) else None


def tightens(rule: Order | str, old: Any, new: Any) -> bool:
    """Whether going from `old` to `new` loosens nothing. Without an order only the same value does not."""
    if isinstance(rule, tuple):
        return _rank(rule, new) >= _rank(rule, old) >= 0
    if rule in ("subset", "superset"):
        small, large = (_words(new), _words(old)) if rule == "subset" else (_words(old), _words(new))
        return large is None or (small is not None and small <= large)
    if rule == "add":
        return old is None or bool(old == new)
    if rule in ("less", "more") and all(isinstance(one, (int, float)) for one in (old, new)):
        return bool(new <= old) if rule == "less" else bool(new >= old)
    return bool(old == new)


def _standing(key: str, values: Mapping[str, Any]) -> Any:
    """What a key is now: a feature's mode is the mode of all until it has its own."""
    if key not in values and key.startswith("modules.") and key.endswith(".mode"):
        key = "mode"
    return values.get(key)


def _lock(key: str, locked: Mapping[str, Any]) -> bool:
    """Whether managed sets this key, the mode of all it would stand in for, or a part or the whole of it."""
    return (
        key in locked
        or (key.startswith("modules.") and key.endswith(".mode") and "mode" in locked)
        or any(one.startswith(key + ".") or key.startswith(one + ".") for one in locked)
    )


HOW = ("mode", "critical")
"""How a feature that is switched on judges. While it is off, none of it is in force."""


def _slugs_on(layer: Layer) -> list[str]:
    """The features that a layer switches on."""
    return [key.split(".")[1] for key, value in layer.values.items()
            if key.startswith("modules.") and key.endswith(".enabled") and value is True]  # fmt: skip


def _begun(layer: Layer, values: Mapping[str, Any]) -> set[str]:
    """How features judge that are off below this layer and on by it: whichever way, it tightens."""
    off = [slug for slug in _slugs_on(layer) if values.get(f"modules.{slug}.enabled") is False]
    return {f"modules.{slug}.{how}" for slug in off for how in HOW}


def _judge(
    layer: Layer, key: str, value: Any, old: Any, rule: Order | str, locked: Mapping[str, Any], begun: Collection[str]
) -> Refused | None:
    """Why a layer may not set a key to a value, None when it may."""
    file = layer.files.get(key, layer.name)
    if key.endswith(".mayApprove") and value is True and layer.name not in PERSONS:
        return Refused(key, value, file, "only a person's own configuration can grant it")
    if _lock(key, locked) and not tightens(rule, old, value):
        return Refused(key, value, file, f"{MANAGED} sets it to {dumps(old)}, it can only be tightened")
    if not layer.trusted and key not in begun and not tightens(rule, old, value):
        return Refused(key, value, file, "the file is not trusted, it may only tighten", trust=True)
    return None


def fold(base: Mapping[str, Any], layers: list[Layer], knobs: Mapping[str, Order | str] | None = None) -> Resolved:
    """Fold the layers over the built-in values, in their order.

    A key that stands nowhere yet has no value to tighten: an untrusted layer cannot set it. What one that switches a
    feature on says of its mode counts until a trusted layer switches it on itself.
    """
    values = dict(base)
    owners = dict.fromkeys(base, "builtin")
    refused: list[Refused] = []
    locked: dict[str, Any] = {}
    tightened: dict[str, dict[str, Any]] = {}
    lent: dict[str, dict[str, Any]] = {}  # what a key was, before a stranger switched its feature on
    for layer in sorted(layers, key=lambda one: LAYERS.index(one.name)):
        begun = _begun(layer, values)
        for slug in _slugs_on(layer) if layer.trusted else ():
            for key in [f"modules.{slug}.{how}" for how in HOW]:
                if key in lent:
                    values.pop(key)
                    owners.pop(key)
                    values |= lent[key]
                    owners |= dict.fromkeys(lent.pop(key), "builtin")
        for key, value in layer.values.items():
            old = _standing(key, values)
            wrong = _judge(layer, key, value, old, rule_of(key, knobs or {}), locked, begun)
            if wrong:
                refused.append(wrong)
            elif layer.trusted or old != value:  # what is so already is not pinned by a stranger
                if not layer.trusted:
                    if key in begun:
                        lent[key] = {key: values[key]} if key in values else {}
                    tightened.setdefault(layer.files[key], {})[key] = value
                values[key] = value
                owners[key] = layer.name
        if layer.name == "managed":
            locked.update(layer.values)
    return Resolved(values, owners, tuple(refused), tightened)
