"""Make an Action of whatever a hook returned, or say in a sentence why it is none."""

from __future__ import annotations

from jackline.model import Action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DECISIONS = frozenset(("", "allow", "approve", "ask", "deny", "block"))

FIELDS = {
    "decision": "decision",
    "reason": "reason",
    "denyReason": "reason",
    "updatedInput": "updated_input",
    "inputMetadata": "input_metadata",
    "additionalContext": "additional_context",
    "statePatch": "state_patch",
    "emitEvents": "emit_events",
    "registerArtifacts": "register_artifacts",
    "warnings": "warnings",
    "metrics": "metrics",
    "code": "code",
    "rule": "rule",
    "safer": "safer",
    "risk": "risk",
    "preview": "preview",
}
"""Names on disk and from scripts → names in Python (design section 2)."""


class BadAction(Exception):
    """A hook returned something that is no action; the message says where, what was expected, and what came."""


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _object(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and all(isinstance(key, str) for key in value))


def _objects(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(_object(item) and item is not None for item in value)


def _texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _pairs(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, (list, tuple)) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], str)
        for item in value
    )


SHAPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "decision": (lambda value: isinstance(value, str) and value in DECISIONS, "allow, ask, deny, approve or block"),
    "reason": (_text, "a text"),
    "updated_input": (_object, "an object"),
    "input_metadata": (_object, "an object"),
    "additional_context": (_pairs, "a list of {key, value}"),
    "state_patch": (_object, "an object"),
    "emit_events": (_objects, "a list of objects"),
    "register_artifacts": (_objects, "a list of objects"),
    "warnings": (_texts, "a list of texts"),
    "metrics": (_object, "an object"),
    "code": (_text, "a text"),
    "rule": (_text, "a text"),
    "safer": (_text, "a text"),
    "risk": (_text, "a text"),
    "preview": (_texts, "a list of texts"),
}


def check(action: Action) -> Action:
    """The action itself when every field has its shape. Raises BadAction."""
    if action == _EMPTY:
        return action
    for field, value in zip(Action._fields, action, strict=True):  # type: ignore[attr-defined,unused-ignore]
        fits, expected = SHAPES[field]
        if not fits(value):
            raise BadAction(f"{field}: expected {expected}, got {type(value).__name__}")
    if type(action.preview) is not tuple:
        action = action._replace(preview=tuple(action.preview))
    if action.decision in ("deny", "ask", "block") and not action.reason:
        return action._replace(reason=f"{action.decision} without a reason given")
    return action


_EMPTY = Action()


def coerce(value: Any) -> Action:
    """An Action from None, an Action, or an object in the names of the disk. Raises BadAction."""
    if value is None:
        return _EMPTY
    if isinstance(value, Action):
        return check(value)
    if not isinstance(value, dict):
        raise BadAction(f"expected an action, got {type(value).__name__}")
    fields: dict[str, Any] = {}
    for key, item in value.items():
        name = FIELDS.get(key)
        if name is None:
            raise BadAction(f"{key}: no such field of an action")
        if item is None:
            continue
        if name == "additional_context" and isinstance(item, (list, tuple)):
            item = [(one.get("key"), one.get("value")) if isinstance(one, dict) else one for one in item]
        fields[name] = tuple(item) if isinstance(item, list) else item
    return check(Action(**fields))
