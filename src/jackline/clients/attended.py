"""Whether a person sits at a client and could answer its question: from marks of the client and its command line.

Measured on Claude Code 2.1.330: `-p` gives hooks `CLAUDE_CODE_SESSION_ATTENDED=0` and the entry point `sdk-cli`, also
where both were inherited otherwise; a host that can ask starts it with `--permission-prompt-tool`, and then a hook's
`ask` is asked there. Without it `ask` is a refusal nobody is asked about.
"""

from __future__ import annotations

from jackline.clients.router import process_client
from jackline.processes import opener

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.processes import Process
    from jackline.runtime.request import Request

ASKED_ELSEWHERE = "--permission-prompt-tool"
"""Claude Code's option that names who asks the person instead of it."""
ALONE = {
    "claude-code": ("-p", "--print"),
    "copilot-cli": ("-p", "--prompt"),
    "gemini-cli": ("-p", "--prompt"),
    "qwen-code": ("-p", "--prompt"),
    "codex": ("exec", "proto", "mcp-server"),
}
"""Words on a client's command line by which it answers once, without a person."""


def client_process(chain: Sequence[Process], client: str) -> Process | None:
    """The client's process among a door's ancestors: the nearest of its name, else who opened the door."""
    for one in chain:
        if process_client(one) == client:
            return one
    return opener(chain)


def _has(words: Sequence[str], options: Sequence[str]) -> bool:
    return any(word in options or word.startswith(tuple([f"{one}=" for one in options])) for word in words)


def attended(request: Request, client: str) -> bool:
    """Whether a person can be asked by this client, as far as anybody tells; yes where nothing says otherwise."""
    if client == "claude-code" and request.env.get("CLAUDE_CODE_SESSION_ATTENDED") == "1":
        return True
    process = client_process(request.ancestors(), client)
    words = process.words[1:] if process is not None else ()
    if client == "claude-code":
        if _has(words, (ASKED_ELSEWHERE,)):
            return True
        if request.env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0":
            return False
        if request.env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk"):
            return False
    return not _has(words, ALONE.get(client, ()))
