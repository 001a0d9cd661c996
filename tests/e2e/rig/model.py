"""The scripted model: an HTTP server on a given socket that answers turn by turn and keeps every request."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Protocol

from . import anthropic, chat, gemini, openai
from .script import Thread, Turn, say


class Speech(Protocol):
    """One wire protocol; `anthropic`, `openai`, `chat` and `gemini` are such modules."""

    def opening(self, body: dict[str, Any]) -> str: ...
    def has_tools(self, body: dict[str, Any]) -> bool: ...
    def told(self, body: dict[str, Any]) -> list[str]: ...
    def results(self, body: dict[str, Any]) -> dict[str, str]: ...
    def answer(self, number: int, body: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[dict[str, Any]]]: ...


SPEECHES: dict[str, Speech] = {
    anthropic.PATH: anthropic,
    openai.PATH: openai,
    chat.PATH: chat,
    gemini.STREAM: gemini,
    gemini.WHOLE: gemini,
}


def spoken(path: str) -> str:
    """The protocol of a path: one may name the model in it, and what is asked of it behind a colon."""
    return path if path in SPEECHES else path[path.rfind(":") :]


class Request(NamedTuple):
    """One request that reached the model, the thread it belongs to and what was answered."""

    number: int
    thread: str
    path: str
    body: dict[str, Any]
    answer: Turn

    @property
    def told(self) -> list[str]:
        return SPEECHES[self.path].told(self.body)

    @property
    def results(self) -> dict[str, str]:
        return SPEECHES[self.path].results(self.body)


class Model:
    """A script being played. Requests without tools (titles, summaries) get `aside` and use up no turn."""

    def __init__(self, turns: Sequence[Turn], threads: Sequence[Thread] = (), *, default: Turn | None = None) -> None:
        self.threads = (*threads, Thread("main", "", tuple(turns)))
        self.default = default or say("NOTHING-LEFT-TO-SAY")
        self.aside = say("ASIDE")
        self.requests: list[Request] = []
        self.fault: Exception | None = None
        self._spoken: dict[str, int] = {}
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self._serving: threading.Thread | None = None

    def answer(self, path: str, body: dict[str, Any]) -> Request:
        """Choose the answer to a request, and keep both."""
        speech = SPEECHES[path]
        opening = speech.opening(body)
        with self._lock:
            name, turn = "aside", self.aside
            if speech.has_tools(body):
                thread = next(thread for thread in self.threads if thread.match in opening)
                at = self._spoken.get(thread.name, 0)
                self._spoken[thread.name] = at + 1
                name, turn = thread.name, thread.turns[at] if at < len(thread.turns) else self.default
            request = Request(len(self.requests) + 1, name, path, body, turn)
            self.requests.append(request)
        return request

    def wait(self, turn: Turn) -> None:
        """Let pass what lies between a request and its answer; what fails there is the run's fault (`Process.end`)."""
        time.sleep(turn.delay)
        try:
            if turn.meanwhile:
                turn.meanwhile()
        except Exception as fault:
            self.fault = fault

    def serve(self, listener: socket.socket) -> None:
        """Answer whoever connects to `listener` (which this takes over), in threads of its own."""
        handler = type("Bound", (Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler, bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = listener
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._serving = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._serving.start()

    def close(self) -> None:
        if self._server and self._serving:
            self._server.shutdown()
            self._serving.join()
            self._server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: Any) -> None:
        """Keep quiet: the requests are kept instead."""

    def _chunks(self) -> bytes:
        whole = b""
        while size := int(self.rfile.readline().split(b";")[0].strip() or b"0", 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def _body(self) -> dict[str, Any]:
        if "chunked" in (self.headers.get("transfer-encoding") or "").lower():
            raw = self._chunks()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if (self.headers.get("content-encoding") or "").lower() == "gzip":
            raw = gzip.decompress(raw)
        body = json.loads(raw or b"{}")
        return body if isinstance(body, dict) else {}

    def _plain(self, document: Any) -> None:
        data = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: list[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in events:
            name = f"event: {event['type']}\n" if "type" in event else ""
            self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
        if events and "choices" in events[0]:
            self.wfile.write(b"data: [DONE]\n\n")
        self.wfile.flush()

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        models = {"object": "list", "data": [], "models": []}
        self._plain(models if self.path.split("?")[0].rstrip("/").endswith("/models") else {})

    def do_POST(self) -> None:
        path = self.path.split("?")[0]
        try:
            body = self._body()
            if path.endswith(("/count_tokens", ":countTokens")):
                self._plain({"input_tokens": 1000, "totalTokens": 1000})
            elif spoken(path) in SPEECHES:
                self._speak(spoken(path), body)
            else:
                self._plain({})
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client went away; the run's outcome tells why

    def _speak(self, path: str, body: dict[str, Any]) -> None:
        request = self.model.answer(path, body)
        self.model.wait(request.answer)
        message, events = SPEECHES[path].answer(request.number, body, request.answer)
        if body.get("stream") or path == gemini.STREAM:
            self._stream(events)
        else:
            self._plain(message)
