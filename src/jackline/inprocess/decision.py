"""Make an Action of whatever a pre hook returned: nothing, a bool, a mapping, a host's own dataclass, an sdk answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackline.model import Action
from jackline.policy.merge import DENIED, UNSAID
from jackline.runners.actions import BadAction, coerce

FIELDS = ("reason", "code", "rule", "safer", "risk", "updated_input", "updatedInput")


def _made(allow: object, fields: Mapping[str, Any], code: str) -> Action:
    if not isinstance(allow, bool):
        raise BadAction(f"allow: expected true or false, got {type(allow).__name__}")
    told = {key: value for key, value in fields.items() if value is not None}
    action = coerce({("updatedInput" if key == "updated_input" else key): value for key, value in told.items()})
    if allow:
        return Action(updated_input=action.updated_input, reason=action.reason)
    return action._replace(
        decision="deny", reason=action.reason or UNSAID, code=action.code or code, updated_input=None
    )


def parse_decision(returned: object, code: str = DENIED) -> Action:
    """What a pre hook said; `code` is that of a refusal that names none. Raises BadAction for what says nothing."""
    if returned is None:
        return Action()
    if isinstance(returned, bool):
        return _made(returned, {}, code)
    if isinstance(returned, Action):
        return coerce(returned)
    if isinstance(returned, Mapping):
        if "allow" not in returned:
            return coerce(dict(returned))
        strange = [key for key in returned if key not in (*FIELDS, "allow")]
        if strange:
            raise BadAction(f"{strange[0]}: no such field of a decision")
        return _made(returned["allow"], {key: value for key, value in returned.items() if key != "allow"}, code)
    if hasattr(returned, "allow"):
        return _made(returned.allow, {key: getattr(returned, key, None) for key in FIELDS}, code)
    raise BadAction(f"expected a decision, got {type(returned).__name__}")
