"""A knob of a project that does not fit its feature is left out, and keeps nothing else from compiling."""

from __future__ import annotations

from collections.abc import Sequence

from jackline.compiler.collect import PROJECT, Survey
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Layer


def without_wrong_knobs(layer: Layer, found: Survey, faults: Sequence[Fault]) -> Layer:
    """A layer of the project without the knobs that do not fit their feature; where nobody trusts it, without all that
    did not count before.
    """
    if layer.name not in PROJECT or found.branch is None:
        return layer
    if layer.trusted:
        wrong = tuple([f"config.{one.path}" for one in faults])
        kept = {key: value for key, value in layer.values.items() if not _is_below(key, wrong)}
        return layer._replace(values=kept)
    before = found.branch.record.tightened
    kept = {
        key: value
        for key, value in layer.values.items()
        if not key.startswith("config.") or before.get(layer.files[key], {}).get(key) == value
    }
    return layer._replace(values=kept)


def _is_below(key: str, paths: Sequence[str]) -> bool:
    return any(key == path or key.startswith(f"{path}.") or path.startswith(f"{key}[") for path in paths)
