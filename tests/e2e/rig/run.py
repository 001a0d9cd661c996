"""What came of one run of a client: its output, and every request that reached the model."""

from __future__ import annotations

from typing import Any, NamedTuple

from .model import Request


class Run(NamedTuple):
    exit_code: int
    seconds: float
    messages: list[dict[str, Any]]
    stderr: str
    requests: list[Request]

    def thread(self, name: str = "main") -> list[Request]:
        return [request for request in self.requests if request.thread == name]

    def model_saw(self, text: str, thread: str = "") -> bool:
        """Whether anybody told the model `text`: system, user, hook or a tool's result. Its own words do not count."""
        asked = self.thread(thread) if thread else self.requests
        return any(text in part for request in asked for part in request.told)

    def times_told(self, text: str, thread: str = "main") -> int:
        """How often `text` stands in the conversation as the model saw it last."""
        return sum(part.count(text) for part in self.thread(thread)[-1].told)

    def result(self, call: str) -> str:
        """What the model read as the result of its tool call `call`."""
        read = self.results()
        assert call in read, f"the model never read a result of {call}; it read {read}"
        return read[call]

    def results(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for request in self.requests:
            found |= request.results
        return found

    @property
    def hook_events(self) -> list[dict[str, Any]]:
        """How the client reports its hooks: `hook_response` (Claude Code), `hook/completed` (Codex app-server)."""
        return [
            message
            for message in self.messages
            if message.get("subtype") == "hook_response" or message.get("method") == "hook/completed"
        ]
