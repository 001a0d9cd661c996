"""The document's demo hooks: log what comes, no change without an intent, a person's word before harm."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jackline.store.secrets import mask

if TYPE_CHECKING:
    from jackline.inprocess.invocation import Invocation
    from jackline.inprocess.types import Decision, Log, PreHook

REJECTED = "Destructive operation rejected by user via HITL pre-hook."
UNASKED = "Destructive operation: this needs a person's yes, and there is nobody to ask."
HEAD = 2000
"""Characters of a payload that are logged."""


def log_hook(log: Log) -> PreHook:
    """`logHook`: writes the incoming payload, secrets masked and cut, with the invocation's id."""

    def hook(invocation: Invocation) -> None:
        text = mask(json.dumps(invocation.payload, default=str, sort_keys=True))
        log(
            {
                "invocation_id": invocation.invocation_id,
                "phase": "pre",
                "tool_name": invocation.tool_name,
                "hook": "logHook",
                "payload": text if len(text) <= HEAD else f"{text[:HEAD]}… ({len(text)} characters)",
            }
        )

    return hook


def block_if_no_intent(invocation: Invocation) -> Decision | None:
    """`blockIfNoIntent`: nothing changes while the session has no active intent."""
    if invocation.risk == "SAFE" or invocation.intent_id:
        return None
    return {
        "allow": False,
        "code": "NO_ACTIVE_INTENT",
        "reason": f"No active intent is selected: {invocation.tool_name} may not change anything yet.",
        "safer": "Select an intent of .orchestration/active_intents.yaml, then call the tool again.",
    }


async def hitl_pre_hook(invocation: Invocation) -> Decision | None:
    """`hitlPreHook`: a person's Approve or Reject for whatever can do harm, once for a call."""
    if invocation.risk == "SAFE" or invocation.approved:
        return None
    if not invocation.may_ask:
        return {"allow": False, "code": "HITL_PENDING", "reason": UNASKED}
    question = await invocation.question("Destructive operation: approve or reject.")
    if await invocation.ask_approval("tool", json.dumps(question)):
        return {"allow": True}
    return {"allow": False, "code": "HITL_REJECT", "reason": REJECTED}
