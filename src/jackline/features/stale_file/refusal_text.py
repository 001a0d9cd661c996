"""The words of a refusal: which file, who changed it and when, and what changed."""

from __future__ import annotations

from jackline.features.stale_file.file_version import CHANGING, GONE, LOST
from jackline.paths import within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.stale_file.memory import Known
    from jackline.features.stale_file.writers import Claim, Who, Wrote
    from jackline.sdk import Context

RULE = "stale-file: nobody overwrites what he has not seen"
NOBODY = "outside of any session"


def clock(millis: int) -> str:
    """A time of day, in UTC."""
    seconds = millis // 1000 % 86_400
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d} UTC"


def agent(name: str) -> str:
    return "the main agent" if name == "u00" else f"agent {name}"


def who(one: Who, mine: Who) -> str:
    """An agent as another one is told of it."""
    if one.sid == mine.sid:
        return f"{agent(one.agent)} of this session"
    client = one.client or "an unknown client"
    return f"session {one.sid} ({client}, {agent(one.agent)})"


def shown(ctx: Context, path: str) -> str:
    """A path as the agent knows it, relative to the root when inside."""
    return within(ctx.root, path).replace("\n", "?")


def changed(name: str, known: Known, sha: str, wrote: Wrote | None, mine: Who) -> str:
    """What is wrong: the file, since when, and who did it."""
    since = f"since you {'read' if known.how == 'read' else 'wrote'} it at {clock(known.at)}"
    if known.sha == LOST:
        return f"what you knew of {name} can no longer be read, so nobody can tell whether it changed"
    if known.sha == CHANGING:
        return f"{name} changed while you read it at {clock(known.at)}"
    verb = "was deleted" if sha == GONE else "was made" if known.sha == GONE else "changed"
    if wrote is not None and wrote.sha == sha:
        return f"{name} {verb} {since}: by {who(wrote.who, mine)} at {clock(wrote.at)}"
    return f"{name} {verb} {since}: {NOBODY}"


def claimed(name: str, claim: Claim, mine: Who) -> str:
    return f"{name} is being written right now by {who(claim.who, mine)}, since {clock(claim.at)}"


def more(count: int) -> str:
    return f" (and {count} more file{'s' * (count != 1)})" if count else ""
