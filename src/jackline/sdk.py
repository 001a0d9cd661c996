"""What a feature may say: the decorator, the answers, and the context it is given.

A feature is a folder with a `hook.py` that has one function decorated with `hook`:

    from jackline.sdk import hook, deny

    @hook(name="no-friday", supports=["PreToolUse"], priority=50, tools=["kind:shell"])
    def handle(event, ctx):
        if "migrate" in event.command:
            return deny("no migrations from an agent", safer="ask a person to run it")

The decorator's arguments are literals: `compile` reads them without running the file.
Returning None means no objection.
"""

from __future__ import annotations

from jackline.model import Action as Action
from jackline.model import Context as Context
from jackline.model import Event as Event
from jackline.model import Ids as Ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal

    Handler = Callable[[Event, Context], Action | None]


def hook(
    *,
    name: str,
    supports: Iterable[str],
    priority: int = 50,
    hot_path_safe: bool = True,
    critical: bool | Literal["strict"] = False,
    tools: Iterable[str] = (),
    imports: Iterable[str] = (),
    runner: str = "inline",
    state: Iterable[str] = (),
    stamps: bool = False,
    rewrite_owner: bool = False,
    needs: Iterable[str] = (),
    triggers: Iterable[str] = (),
    produces: Iterable[str] = (),
    services: Iterable[str] = (),
    records: Iterable[str] = (),
    default_on: bool = False,
    enabled_with: str = "",
    reads: Iterable[str] = (),
    guidance: Iterable[str] = (),
    shown: str = "",
) -> Callable[[Handler], Handler]:
    """Declare a feature's handler.

    `supports`: canonical events. `priority`: lower runs first. `hot_path_safe`: False skips it on PreToolUse.
    `critical`: its faults and its deadline refuse; "strict": where it refuses, and not where it only tells. `tools`:
    native names or `kind:read`; empty means all. `imports`: third-party packages it needs (their roots are recorded at
    compile time). `runner`: inline | forked. `state`: parts of the session's state it writes, when that is not the one
    of its own name. `stamps`: it says who the session is. `rewrite_owner`: of two rewrites of one key its own wins.
    `needs`: what of ours it works with: `intents`, `tampering`, or a kind of artifact that another feature produces.
    `triggers`: what it may say of the task's phase, in rows of the kind `PHASE_TRIGGER`. `produces`: kinds of the
    artifacts it announces. `services`: the libraries of `jackline.services` it uses. `records`: kinds of rows it writes
    into the log. Stamps, the ownership of rewrites, and the parts of the state that a built-in feature writes, are for
    the built-in feature and for a copy of it under its name.

    Of a built-in feature alone count: `default_on`, it runs when nobody says otherwise; `enabled_with`, the word of
    `jackline enable` that switches it on (`any`: each of them); `reads`, the files of a project that it judges by;
    `guidance`, lines that agents are told while it is on; `shown`, what people read for a name that the contract gives.
    """

    def declare(handler: Handler) -> Handler:
        return handler

    return declare


def allow() -> Action:
    """No objection. Leaves the client's own permission rules in force."""
    return Action()


def deny(
    reason: str,
    *,
    rule: str = "",
    safer: str = "",
    code: str = "",
    risk: str = "",
    proposal: Mapping[str, Any] | None = None,
    preview: Iterable[str] = (),
) -> Action:
    """Refuse the tool call. `proposal`: changed keys of a call that would pass; `preview`: lines of what it is about.

    Both are shown with the refusal, of the preview 20 lines at most.
    """
    return Action("deny", reason, proposal, code=code, rule=rule, safer=safer, risk=risk, preview=tuple(preview))


def ask(
    reason: str, *, rule: str = "", safer: str = "", code: str = "", risk: str = "", preview: Iterable[str] = ()
) -> Action:
    """Want a person's word for the tool call. `preview`: lines of what it is about, shown with the question."""
    return Action("ask", reason, code=code, rule=rule, safer=safer, risk=risk, preview=tuple(preview))


def approve(reason: str = "") -> Action:
    """Answer the client's question with yes. Counts only where a person's configuration grants `mayApprove`."""
    return Action(decision="approve", reason=reason)


def block(reason: str, *, code: str = "") -> Action:
    """Keep the agent going (Stop, SubagentStop), drop a prompt, object to a result; the model reads `reason`."""
    return Action(decision="block", reason=reason, code=code)


def rewrite(changes: Mapping[str, Any], *, reason: str = "", rule: str = "") -> Action:
    """Change keys of the tool input. May only add flags or narrow arguments of the same simple command."""
    return Action(updated_input=changes, reason=reason, rule=rule)


def note(key: str, value: str) -> Action:
    """Give the model one piece of context."""
    return Action(additional_context=((key, value),))


def warn(message: str) -> Action:
    """Tell the person, not the model."""
    return Action(warnings=(message,))


def patch(state: Mapping[str, Any]) -> Action:
    """Change the feature's own part of the session state (merge patch, idempotent: no counters, no arrays)."""
    return Action(state_patch=state)
