"""One call of a tool as hooks see it: its id, what it is about, whom to ask; after it, what came of it."""

from __future__ import annotations

import inspect
import os
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from jackline.classification import normalized, risk
from jackline.edits import preview
from jackline.inprocess.vocabulary import plain
from jackline.inprocess.worker import Stuck
from jackline.model import Event
from jackline.mutation import classify
from jackline.policy.merge import DENIED
from jackline.policy.refusal import FILES, affected_files, short

if TYPE_CHECKING:
    from jackline.inprocess.types import AskApproval, Meta, Status, ToolError
    from jackline.inprocess.vocabulary import Vocabulary

Value = TypeVar("Value")
PENDING = "HITL_PENDING"
REJECTED = "HITL_REJECT"
PREVIEW = 20
"""Lines of the diff that a person is shown."""
RESPONSE = 1 << 16
"""Characters of a tool's result that features see."""
INTENT = ("active_intent", "active_intent_id", "activeIntent", "activeIntentId")
"""Where a session says what it works for."""


UNSURE: dict[str, Any] = {
    "intent_id": None,
    "normalized_tool_name": "",
    "risk": "DESTRUCTIVE",
    "mutation_class": "UNKNOWN",
    "affected_files": [],
    "diff_preview": [],
}


def shallow_copy(value: Any) -> Any:
    """A copy of what holds others; what is in it stays itself."""
    if isinstance(value, Mapping):
        return {key: shallow_copy(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shallow_copy(one) for one in value]
    return value


async def called(function: Callable[..., Any], *given: object) -> Any:
    """What a function returns, awaited where it is to be."""
    made = function(*given)
    return await made if inspect.isawaitable(made) else made


def of(session: object, *names: str) -> Any:
    """What a host's session says under the first of these names: a mapping's item, or an object's attribute."""
    for name in names:
        found = session.get(name) if isinstance(session, Mapping) else getattr(session, name, None)
        if found is not None:
            return found
    return None


def plain_result(result: object) -> Any:
    """A result as features see it: words of JSON, not too many."""
    try:
        made = plain(result)
    except (ValueError, TypeError, RecursionError):
        made = repr(result)
    return made[:RESPONSE] if isinstance(made, str) else made


class Invocation:
    """What every hook is given.

    `payload` is a copy of what would be executed as things stand: a hook that wants to change it returns
    `updated_input`. `approved`: a person has said yes to this call already. After the call `status`, `result`,
    `error` (what `execute` raised) and `refusal` (why it was blocked) say what came of it.
    """

    def __init__(
        self,
        tool_name: str,
        payload: Mapping[str, Any],
        session: object,
        ask: AskApproval | None,
        apart: Callable[[Callable[[], Any]], Awaitable[Any]],
        selected: Callable[[], str | None],
    ) -> None:
        self.invocation_id = str(uuid.uuid4())
        self.tool_name = tool_name
        self.session = session
        self.event = Event("PreToolUse")
        self.approved = False
        self.unnamed = DENIED  # the code of a refusal that names none, by the hook that is heard
        self.status: Status | None = None
        self.result: object = None
        self.error: BaseException | None = None
        self.refusal: ToolError | None = None
        self.fault = ""  # why nobody could tell what it is about
        self.moved = False  # rewritten since the guards have seen it
        self._payload: dict[str, Any] = {}
        try:
            self._payload = shallow_copy(payload)
        except RecursionError:
            self.fault = "the payload is nested too deep"
        self._ask = ask
        self._apart = apart
        self._selected = selected

    # --- what the engine makes of it ---

    def describe(self, vocabulary: Vocabulary, root: str, session: str) -> None:
        """Say what the call is about, in the words that features read."""
        event = self.event
        event.session = session
        event.root = root
        event.tool_use_id = self.invocation_id
        event.agent_id = str(of(self.session, "agent_id") or "")
        event.agent_type = str(of(self.session, "agent_type") or "")
        event.tool = self.tool_name
        try:
            cwd = of(self.session, "cwd")
            vocabulary.describe(event, self.tool_name, self._payload, os.path.realpath(cwd) if cwd else root)
        except (ValueError, TypeError, RecursionError) as fault:
            event.kind, self.fault = "other", f"what it is about cannot be told ({type(fault).__name__})"

    def stamp(self, stamps: Mapping[str, Any]) -> None:
        """Add what says to whom the call belongs: for the tool, and no part of what is judged."""
        self._payload = {**self._payload, **stamps}

    def rewrite(self, changes: Mapping[str, Any], vocabulary: Vocabulary) -> None:
        """Change keys of the payload; what hooks see from now on is the call as it would be executed."""
        self._payload = {**self._payload, **shallow_copy(changes)}
        self.event = vocabulary.rewritten(self.event, plain(self._payload))
        self.moved = True

    async def refuse(self, code: str, reason: str, preview: Sequence[str] = ()) -> None:
        """Say in full why the call is refused; where that cannot be found out in time, in short."""
        try:
            self.refusal = await self._apart(lambda: self.tool_error(code, reason, preview))
        except Stuck:
            self.refusal = self.tool_error(code, reason, preview, full=False)

    def fail(self, status: Status, fault: BaseException) -> None:
        """The call did not end as it was meant to; one that was blocked stays blocked."""
        if self.status is None:
            self.status, self.error = status, fault

    def ended(self) -> Event:
        """The event that tells features what came of the call."""
        ok = self.status == "executed"
        event = Event("PostToolUse" if ok else "PostToolUseFailure")
        kept = event.__dict__ | {"outcome": "ok" if ok else "error"}
        event.__dict__.update({**self.event.__dict__, **{key: kept[key] for key in ("name", "native", "outcome")}})
        event.response = plain_result(self.result) if ok else repr(self.error)[:RESPONSE]
        return event

    # --- what it is about ---

    @property
    def payload(self) -> dict[str, Any]:
        made: dict[str, Any] = shallow_copy(self._payload)
        return made

    @property
    def kind(self) -> str:
        """What the tool does, in Jackline's words: `shell`, `write`, `read` …"""
        return self.event.kind

    @property
    def normalized_tool_name(self) -> str:
        """The tool's name as the document has it, whatever the host calls it."""
        return normalized(self.tool_name, self.kind)

    @property
    def risk(self) -> str:
        """SAFE or DESTRUCTIVE."""
        return risk(self.event)

    @property
    def mutation_class(self) -> str:
        """AST_REFACTOR, INTENT_EVOLUTION or UNKNOWN."""
        return str(classify(self.event).kind)

    @property
    def affected_files(self) -> list[str]:
        """Files the call would change, relative to the root where inside, as far as known."""
        return list(affected_files(self.event)[:FILES]) if self.risk != "SAFE" else []

    @property
    def diff_preview(self) -> list[str]:
        """The first lines of what it would change."""
        return preview(self.event, PREVIEW)

    @property
    def intent_id(self) -> str | None:
        """The intent this session works for: as the host's session says, else as it was selected in the store."""
        return self.named_intent or self._selected() or None

    @property
    def named_intent(self) -> str:
        """The intent that the host's session names, "" when it names none."""
        found = of(self.session, *INTENT)
        named = found if isinstance(found, str) or found is None else of(found, "id")
        return named if isinstance(named, str) else ""

    async def question(self, reason: str = "", preview: Sequence[str] = ()) -> dict[str, Any]:
        """All that a person needs to decide: what, why, the intent, the files, the class of the change, the diff.

        Found out in the engine's thread: it may take parsers and files.
        """
        made: dict[str, Any] = await self._apart(lambda: self._question(reason, preview))
        return made

    def _question(self, reason: str, preview: Sequence[str]) -> dict[str, Any]:
        return {
            "tool": self.tool_name,
            "reason": reason or None,
            "invocation_id": self.invocation_id,
            "intent_id": self._known("intent_id"),
            "risk": self._known("risk"),
            "mutation_class": self._known("mutation_class"),
            "affected_files": self._known("affected_files"),
            "command": self.event.command or None,
            "diff_preview": list(preview[:PREVIEW]) or self._known("diff_preview"),
        }

    def _known(self, name: str, full: bool = True) -> Any:
        """One of the above, or the least that can be said: a refusal and a question need no list to be one."""
        if not full:
            return UNSURE[name]
        try:
            return getattr(self, name)
        except Exception:  # noqa: BLE001 - whatever reads the host's texts and session
            return UNSURE[name]

    # --- whom to ask ---

    @property
    def may_ask(self) -> bool:
        """Whether the host said whom to ask."""
        return self._ask is not None

    async def ask_approval(self, kind: str = "tool", message: str = "") -> bool:
        """Ask the person behind the host and wait; no, when the host said nobody to ask. Only True is a yes."""
        if self._ask is None:
            self.unnamed = PENDING
            return False
        self.approved = (await called(self._ask, kind, message)) is True
        self.unnamed = DENIED if self.approved else REJECTED
        return self.approved

    # --- what is refused ---

    def tool_error(self, code: str, reason: str, preview: Sequence[str] = (), *, full: bool = True) -> ToolError:
        """The standardized refusal. `preview`: lines that show what it is about, where there are any."""
        meta: Meta = {
            "invocation_id": self.invocation_id,
            "intent_id": self._known("intent_id", full),
            "tool_name": self.tool_name,
            "normalized_tool_name": self._known("normalized_tool_name", full),
            "risk": self._known("risk", full),
            "mutation_class": self._known("mutation_class", full),
            "affected_files": self._known("affected_files", full),
        }
        if preview:
            meta["diff_preview"] = list(preview[:PREVIEW])
        return {"type": "tool_error", "code": code, "message": short(reason), "meta": meta}
