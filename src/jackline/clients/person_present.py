"""Whether a person sits at a client and could answer its question: from marks of the client and its command line.

Measured on Claude Code 2.1.330: `-p` gives hooks `CLAUDE_CODE_SESSION_ATTENDED=0` and the entry point `sdk-cli`, also
where both were inherited otherwise; a host that can ask starts it with `--permission-prompt-tool`, and then a hook's
`ask` is asked there. Without it `ask` is a refusal nobody is asked about.
"""

from __future__ import annotations

from jackline.clients.facts import ALONE, ASKED_ELSEWHERE, ATTENDED, ENTRY_POINTS
from jackline.clients.router import process_client
from jackline.processes import opener

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.processes import Process
    from jackline.runtime.request import Request


def client_process(chain: Sequence[Process], client: str) -> Process | None:
    """The client's process among our ancestors: the nearest of its name, else who opened the entry point."""
    for one in chain:
        if process_client(one) == client:
            return one
    return opener(chain)


def _has(words: Sequence[str], options: Sequence[str]) -> bool:
    return any(word in options or word.startswith(tuple([f"{one}=" for one in options])) for word in words)


def can_be_asked(request: Request, client: str) -> bool:
    """Whether a person can be asked by this client, as far as anybody tells; yes where nothing says otherwise."""
    said = request.env.get(ATTENDED.get(client, ""), "")
    if said == "1":
        return True
    process = client_process(request.ancestors(), client)
    words = process.words[1:] if process is not None else ()
    if client in ASKED_ELSEWHERE and _has(words, (ASKED_ELSEWHERE[client],)):
        return True
    variable, start = ENTRY_POINTS.get(client, ("", ""))
    if said == "0" or (variable and request.env.get(variable, "").startswith(start)):
        return False
    return not _has(words, ALONE.get(client, ()))
