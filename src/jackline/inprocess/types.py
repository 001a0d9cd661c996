"""The words of the engine: what a host hands over, what a hook may return, what comes of a call. Data only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    Protocol,
    TypedDict,
    TypeVar,
    runtime_checkable,
)

if TYPE_CHECKING:
    from jackline.inprocess.invocation import Invocation

Result = TypeVar("Result")
Status = Literal["executed", "blocked", "failed", "cancelled", "asked"]
"""`asked`: the host left the question to somebody else, and the call will come again."""
Phase = Literal["begin", "features", "pre", "approval", "rewrite", "execute", "post", "end"]


class Tool(NamedTuple):
    """What one of the host's own tools is: its kind, and under which arguments its command, paths and so on stand."""

    kind: str
    command: str = ""
    paths: tuple[str, ...] = ()
    query: str = ""
    patch: str = ""
    cwd: str = ""


class Meta(TypedDict):
    """What a program needs to know of a refused call."""

    invocation_id: str
    intent_id: str | None
    tool_name: str
    normalized_tool_name: str
    risk: str
    mutation_class: str
    affected_files: list[str]
    diff_preview: NotRequired[list[str]]


class ToolError(TypedDict):
    """A refusal as the tool's result (the engine, "Native modal flow")."""

    type: Literal["tool_error"]
    code: str
    message: str
    meta: Meta


class Line(TypedDict, total=False):
    """One line of the engine's log. `invocation_id` and `phase` stand in every one."""

    invocation_id: str
    phase: Phase
    tool_name: str
    hook: str
    decision: str
    code: str
    reason: str
    status: str
    ms: float
    error: str
    payload: str


class Decision(TypedDict, total=False):
    """What a pre hook may return as a mapping; `allow` decides, the rest may be left out."""

    allow: bool
    reason: str
    code: str
    rule: str
    safer: str
    updated_input: Mapping[str, Any]


@runtime_checkable
class Decided(Protocol):
    """Any object that says whether a call may go on: a dataclass of the host, say. `reason`, `code` and the other
    fields of `Decision` are read where it has them."""

    @property
    def allow(self) -> bool: ...


PreHook = Callable[["Invocation"], Any]
"""Returns None for no objection, or what `Decision`, `Decided`, a plain bool or an answer of `jackline.sdk` says;
or an awaitable of it."""
PostHook = Callable[["Invocation"], Any]
"""Returns nothing, or an awaitable of nothing."""
AskApproval = Callable[[str, str], Awaitable[bool] | bool]
"""Asks a person: the sort of question (`tool`), and a JSON text that says what it is about."""
PushToolResult = Callable[[str], Awaitable[None] | None]
"""Hands a result to the model."""
HandleError = Callable[[str, Exception], Awaitable[None] | None]
"""Told what went wrong, and while doing what."""
Log = Callable[[Line], None]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """What came of one call.

    `result` is what `execute` returned, or for a blocked call the text of `error`. `payload` is what was executed, or
    would have been. `context` are (key, value) pairs that features have for the model, `notes` sentences for a person.
    """

    invocation_id: str
    tool_name: str
    status: Status
    result: Result | str | None
    payload: Mapping[str, Any]
    error: ToolError | None = None
    context: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def blocked(self) -> bool:
        return self.status == "blocked"
