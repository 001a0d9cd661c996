"""A human-only command that a person typed as a prompt: `jackline trust`, `jackline pause`, `jackline code`.

The entry point runs the command line itself, in a process that has a word for exactly these words, and the answer goes
to the person alone. It counts from a client that a person sits at: one that by the rule for terminals would be let
through.
"""

from __future__ import annotations

from jackline import processes
from jackline.clients.facts import SHELL_MARKS
from jackline.clients.person_present import can_be_asked
from jackline.model import Verdict
from jackline.policy.person import Facts, Finding, decide
from jackline.site_paths import ROOTS, take
from jackline.store import authority, codes
from jackline.store.session_index import living

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jackline.processes import Process
    from jackline.runtime.outcome import Outcome

PERSON = "the person at the client"
CODE = "code"
OPEN = ("init", "approvals")
"""Verbs that are open to all, and do more for a person."""
ELSEWHERE = ("hook", "?", "uninstall")
"""Verbs that are not run from a prompt: the entry point cannot take itself away while it answers."""
ENDLESS = ("--watch",)
LIMIT_S = 10.0
"""How long a command has: the client waits for our answer."""
LONGEST = 4000
"""Characters of its output that are shown."""
START = "import sys; sys.path.extend({roots!r}); from jackline.cli import main; sys.argv = {words!r}; main()"
NOBODY = "nobody can be told here that this was typed by a person"


def _verb(words: Sequence[str]) -> str:
    """The human-only command in what stands behind `jackline`, "" when it is none."""
    if words[0] == CODE or words[0] in OPEN:
        return words[0]
    verb: str = take("jackline.features.self_protect.verbs").person_verb(words)
    return "" if verb == "?" else verb


def is_command(words: Sequence[str]) -> bool:
    """Whether a prompt gives a human-only command (`approve` and `reject` by a code have a way of their own)."""
    return words[:2] == [CODE] or (words[0] != CODE and _verb(words) not in ("", "hook"))


def _client(chain: Sequence[Process], process: tuple[int, int]) -> Sequence[Process]:
    at = next((at for at, one in enumerate(chain) if (one.pid, one.start) == process), len(chain))
    return chain[at:]


def _finding(outcome: Outcome, process: tuple[int, int]) -> Finding:
    """Whether a person speaks at this client, as the sessions of other clients see it.

    A program with windows of its own has no terminal: it is one itself.
    """
    chain = _client(outcome.request.ancestors(), process)
    if not chain:
        return Finding("refuse")
    live = [one for one in living(outcome.store.path) if (one.pid, one.start) != process]
    if not chain[0].terminal:
        chain = (chain[0]._replace(terminal=-1, session=chain[0].pid), *chain[1:])
    return decide(Facts(chain, live, made=processes.terminal_made(max(chain[0].terminal, 0))))


def _objection(outcome: Outcome, process: tuple[int, int]) -> str:
    """Why a prompt is not taken for a person's, "" when it is."""
    if not process[0] or not can_be_asked(outcome.request, outcome.event.client):
        return f"{NOBODY} · run it in a terminal"
    found = _finding(outcome, process)
    if found.answer == "pass":
        return ""
    if found.session is None:
        return f"{NOBODY} · run it in a terminal"
    older = found.session
    return f"session {older.sid} ({older.client} in {older.root}) was there before this terminal · type it there"


def _environment(outcome: Outcome, word: str) -> Mapping[str, str]:
    request = outcome.request
    env = {key: value for key, value in request.env.items() if key not in (*SHELL_MARKS, "AI_AGENT")}
    plain = {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    return {**env, **plain, "HOME": request.home, "JACKLINE_STORE": outcome.store.path, "JACKLINE_PROMPT": word}


def _ran(outcome: Outcome, words: Sequence[str]) -> str:
    """Run the command line in the project; what it said."""
    root, now = outcome.session.root, outcome.request.now // 1_000_000
    word = codes.vouch(outcome.store.path, outcome.session.sid, codes.line(root, words), outcome.draw, now)
    start = START.format(roots=list(ROOTS), words=["jackline", *words])
    subprocess = take("subprocess")
    try:
        done = subprocess.run(
            [f"{outcome.store.path}/bin/python", "-I", "-S", "-c", start],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=_environment(outcome, word),
            cwd=root,
            timeout=LIMIT_S,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "it took too long and was ended · run it in a terminal"
    said: str = done.stdout.decode("utf-8", "replace").strip()
    if len(said) > LONGEST:
        said = f"{said[:LONGEST]}\n… {len(said) - LONGEST} characters more · run it in a terminal to see them"
    return said or ("done" if not done.returncode else f"it ended with {done.returncode}")


def _code(outcome: Outcome) -> str:
    store, sid = outcome.store.path, outcome.session.sid
    code = codes.show(store, sid, outcome.draw, outcome.request.now // 1_000_000)
    authority.append(store, "CODE_SHOWN", PERSON, {"sid": sid}, now=outcome.request.now)
    return f"code {code} · for 10 min and one command: enter it in the terminal that asks for it"


def run(outcome: Outcome, process: tuple[int, int]) -> Verdict:
    """What the prompt comes to: it never reaches the model."""
    try:
        words = take("shlex").split(outcome.event.prompt)[1:]
    except ValueError as fault:
        return Verdict("block", f"Jackline: {fault}", by=("broker",))
    verb = _verb(words)
    why = _objection(outcome, process)
    if not why and (verb in ELSEWHERE or any(word in ENDLESS for word in words)):
        why = f"`jackline {verb}` is run in a terminal · where that asks for a code: type `jackline code` here"
    if why:
        return Verdict("block", f"Jackline: {why}", by=("broker",))
    said = _code(outcome) if verb == CODE else _ran(outcome, words)
    outcome.private = f"Jackline: {said}"
    outcome.add("PROMPT_COMMAND", "broker", reason=f"`jackline {verb}` by a prompt", data={"verb": verb})
    return Verdict("block", f"Jackline: `jackline {verb}` was typed", by=("broker",))
