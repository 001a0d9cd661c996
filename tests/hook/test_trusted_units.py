"""What a person trusted stays in force at the entry point, for every client, at every moment; the person is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from jackline.compiler import followed_ref
from jackline.store.ids import slot
from scene import Said, Scene

PLACE = ".ai/hooks/scripts/gate.sh"
FRONT = "#!/bin/sh\n#---\n# type: event\n# event: PreToolUse\n# block: true\n#---\n"
GATE = FRONT + 'grep -q forbidden && { echo "not here" >&2; exit 2; }\nexit 0\n'
STRICTER = GATE.replace("not here", "not here at all")
OPEN = FRONT + "exit 0\n"


def git(root: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "e@example.invalid"}
    subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)


def put(scene: Scene, text: str, place: str = PLACE) -> None:
    path = scene.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def commit(scene: Scene) -> None:
    git(scene.root, "add", "-A", "-f", ".ai/hooks")
    git(scene.root, "commit", "-q", "--allow-empty", "-m", "x")


@pytest.fixture
def team(scene: Scene) -> Scene:
    """`without` has no gate, `old` the first one, `main` the second; both were trusted, the second last."""
    git(scene.root, "checkout", "-q", "-B", "main")
    git(scene.root, "commit", "-q", "--allow-empty", "-m", "nothing")
    git(scene.root, "branch", "without")
    put(scene, GATE)
    commit(scene)
    git(scene.root, "branch", "old")
    scene.trust()
    put(scene, STRICTER)
    commit(scene)
    scene.trust()
    return scene


# --- every client --------------------------------------------------------------------------------------------------


class Client(NamedTuple):
    """A client, its entry's dialect, its events at a session's start and before a call; which of both tell of units,
    as a note to the person, or else as context.
    """

    name: str
    dialect: str
    start: str
    call: str
    told: tuple[str, ...]


CLIENTS = (
    Client("claude-code", "claude-code", "SessionStart.json", "PreToolUse-Bash.json", ("start", "call")),
    Client("codex", "codex", "SessionStart.json", "PreToolUse-Bash.json", ("start", "call")),
    Client("vscode", "github", "SessionStart.json", "PreToolUse.run_in_terminal.json", ("start", "call")),
    Client("copilot-cli", "github", "camel/sessionStart.json", "camel/preToolUse.bash.json", ("start", "call")),
    Client("gemini-cli", "gemini", "SessionStart.json", "BeforeTool.run_shell_command.json", ("start",)),
    Client("qwen-code", "qwen", "SessionStart.json", "PreToolUse.run_shell_command.json", ("start",)),
    Client("cline", "cline", "TaskStart.json", "PreToolUse.run_commands.json", ("call",)),
    Client("factory-droid", "droid", "SessionStart.json", "PreToolUse.Execute.json", ("start",)),
)


def send(scene: Scene, client: Client, file: str, command: str = "") -> Said:
    made = json.dumps(scene.recorded(f"{client.name}/{file}"))
    payload = json.loads(made.replace("npm test", "echo hi").replace("echo hi", command or "echo hi"))
    event = Path(file).name.split(".")[0].split("-")[0].replace("BeforeTool", "PreToolUse")
    return scene.say(payload, event=event, dialect=client.dialect)


def changed(scene: Scene) -> None:
    put(scene, OPEN)


def broken(scene: Scene) -> None:
    put(scene, GATE.replace("PreToolUse", "Nonsense"))


def gone(scene: Scene) -> None:
    (scene.root / PLACE).unlink()


def pulled(scene: Scene) -> None:
    put(scene, OPEN)
    commit(scene)


def kept_with_a_new_one(scene: Scene) -> None:
    put(scene, GATE.replace("not here", "never"), ".ai/hooks/scripts/aaa.sh")


STATES: dict[Callable[[Scene], None], tuple[str, str]] = {
    changed: ("changed", "changed since you trusted it: the version you trusted runs"),
    broken: ("broken", "can no longer be read as you trusted it: the version you trusted runs"),
    gone: ("gone", "is gone, though you trusted it: the version you trusted runs"),
    pulled: ("changed", "changed since you trusted it: the version you trusted runs"),
    kept_with_a_new_one: ("new", "is new and not trusted: it does not run"),
}


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_the_gate_stays_and_the_person_hears_of_it(team: Scene, client: Client, state: Callable[[Scene], None]) -> None:
    word, said = STATES[state]
    send(team, client, client.start)
    before = send(team, client, client.call, "echo forbidden")
    assert b"not here at all" in before.out
    state(team)
    after = send(team, client, client.call, "echo forbidden")
    assert b"not here at all" in after.out and b"never" not in after.out
    assert (said.encode() in after.out) is ("call" in client.told), "at once, where the client can show it"
    again = send(team, client, client.start)
    assert (said.encode() in again.out) is ("start" in client.told), "and whenever a session starts"
    assert b"jackline trust " in after.out + again.out
    rows = [row for folder in team.sessions() for row in team.rows("UNIT_STATE", folder=folder)]
    assert [(row["data"]["kind"], row["data"]["state"]) for row in rows] == [("script", word)], "once in the log"


COUNT = "{} more are not as you trusted them · jackline trust --diff"


def added(scene: Scene, *names: str) -> None:
    for name in names:
        put(scene, GATE.replace("not here", "never"), f".ai/hooks/scripts/{name}.sh")


def test_each_unit_is_told_once_and_all_at_a_start(team: Scene) -> None:
    """What became of one brings up no other once more; where there are many, there is a count."""

    def told(said: Said) -> list[str]:
        lines = said.body.get("systemMessage", "").splitlines()
        return [line.partition(" (script) ")[0].rpartition("/")[2] or line for line in lines]

    team.begin()
    added(team, "one")
    assert told(team.pre("ls")) == ["one.sh"]
    put(team, OPEN)
    assert told(team.pre("ls")) == ["gate.sh"]
    assert told(team.pre("ls")) == []
    assert told(team.begin()) == ["gate.sh", "one.sh"]
    added(team, *"abcdef")
    assert told(team.pre("ls")) == ["a.sh", "b.sh", "c.sh", "d.sh", "e.sh", COUNT.format(3)]
    rows = [row["data"]["place"].rpartition("/")[2] for row in team.rows("UNIT_STATE")]
    assert rows == ["one.sh", "gate.sh", *[f"{name}.sh" for name in "abcdef"]]


def test_the_model_passes_on_how_many_there_are(team: Scene) -> None:
    """Where the client shows its person nothing."""
    added(team, "one")
    said = send(team, CLIENTS[4], "SessionStart.json").out.decode()
    assert "1 hook of this project is not as the person trusted it: .ai/hooks/scripts/one.sh (script) is new" in said
    added(team, *"abcdef")
    said = send(team, CLIENTS[4], "SessionStart.json").out.decode()
    assert "7 hooks of this project are not as the person trusted them: .ai/hooks/scripts/a.sh (script) is new" in said


# --- every moment --------------------------------------------------------------------------------------------------


def holds(scene: Scene) -> str:
    """What the gate says to a forbidden call; the call is over afterwards, whatever became of it."""
    payload = scene.tool("echo forbidden")
    said = scene.say(payload)
    scene.say({**payload, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "interrupted": False}})
    return said.reason.split("\n")[0].split(" — ")[0] if said.decision == "deny" else ""


def before_the_session(scene: Scene, branch: str) -> None:
    git(scene.root, "checkout", "-q", branch)


def between_calls(scene: Scene, branch: str) -> None:
    assert "not here at all" in holds(scene)
    git(scene.root, "checkout", "-q", branch)


def while_a_call_is_open(scene: Scene, branch: str) -> None:
    assert "not here at all" in holds(scene)
    payload = scene.tool("make all")
    assert scene.say(payload).decision == ""
    git(scene.root, "checkout", "-q", branch)
    scene.say({**payload, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "interrupted": False}})


def by_a_call_that_failed(scene: Scene, branch: str) -> None:
    assert "not here at all" in holds(scene)
    payload = scene.tool("make all")
    assert scene.say(payload).decision == ""
    git(scene.root, "checkout", "-q", branch)
    scene.say({**payload, "hook_event_name": "PostToolUseFailure", "error": "Exit code 1"})


def by_an_agent_in_another_worktree(scene: Scene, branch: str) -> None:
    """`git -C ../project checkout` of a session that began elsewhere in the same repository."""
    assert "not here at all" in holds(scene)
    other = scene.root.parent / "other"
    git(scene.root, "worktree", "add", "-q", "-b", "side", str(other))
    there = {"session_id": "elsewhere", "cwd": str(other)}
    scene.say({**scene.payload("SessionStart", source="startup"), **there}, cwd=other)
    assert scene.say({**scene.tool("make all"), **there, "tool_use_id": "use-there"}, cwd=other).decision == ""
    git(scene.root, "checkout", "-q", branch)


def in_the_background(scene: Scene, branch: str) -> None:
    """A command that goes on after its end, and moves HEAD then."""
    assert "not here at all" in holds(scene)
    payload = scene.tool(f"sh -c 'sleep 9; git commit -qm x' & # {branch}")
    scene.say(payload)
    scene.say({**payload, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "interrupted": False}})
    git(scene.root, "checkout", "-q", branch)


def after_a_call_that_only_looked(scene: Scene, branch: str) -> None:
    """Words of git's, and of a background job, that only stand within others: `am` in `name`, `at` in `cat`."""
    payload = scene.tool("git log --name-only > names; cat names")
    scene.say(payload)
    scene.say({**payload, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "interrupted": False}})
    git(scene.root, "checkout", "-q", branch)


def after_the_turn(scene: Scene, branch: str) -> None:
    """A call whose end the client never told of is over when the turn is."""
    assert "not here at all" in holds(scene)
    scene.say(scene.tool("make all"))
    scene.say(scene.payload("Stop"))
    git(scene.root, "checkout", "-q", branch)


MOMENTS: dict[Callable[[Scene, str], None], tuple[str, str]] = {
    # who moved HEAD, and when: what a gate says that the branch has no more, and one that it has in an older form
    before_the_session: ("", "not here"),
    between_calls: ("", "not here"),
    after_a_call_that_only_looked: ("", "not here"),
    after_the_turn: ("", "not here"),
    while_a_call_is_open: ("not here at all", "not here at all"),
    by_a_call_that_failed: ("not here at all", "not here at all"),
    in_the_background: ("not here at all", "not here at all"),
    by_an_agent_in_another_worktree: ("not here at all", "not here at all"),
}


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
@pytest.mark.parametrize("branch", ["without", "old"])
def test_who_moved_head_decides(team: Scene, moment: Callable[[Scene, str], None], branch: str) -> None:
    """The person's own switch lets HEAD take a hook away, or bring an older one; an agent's does not."""
    if moment is not before_the_session:
        team.begin()
    moment(team, branch)
    expected = MOMENTS[moment][branch == "old"]
    assert holds(team) == expected
    assert holds(team) == expected, "and it stays so"
    git(team.root, "checkout", "-q", "main")
    assert holds(team) == "not here at all", "back where it was"


@pytest.mark.parametrize(("state", "held_s"), [(changed, 0.3), (gone, 60)], ids=["soon done", "stuck"])
def test_while_another_process_compiles(team: Scene, state: Callable[[Scene], None], held_s: float) -> None:
    """The files of the last good hook table are others now: no event is judged by nothing meanwhile."""
    team.begin()
    assert holds(team) == "not here at all"
    (lock,) = (team.store / "wirings").glob(f"{slot(str(team.root))}.lock")
    command = f"import fcntl, time; f = open({str(lock)!r}, 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); print(1); "
    command += f"import sys; sys.stdout.flush(); time.sleep({held_s})"
    compiler = subprocess.Popen([sys.executable, "-c", command], stdout=subprocess.PIPE)
    assert compiler.stdout is not None and compiler.stdout.readline() == b"1\n"
    state(team)
    assert holds(team) == "not here at all"
    compiler.kill()
    compiler.communicate()
    assert holds(team) == "not here at all"


@pytest.mark.parametrize("moment", ["between calls", "while a call is open"])
def test_who_moves_a_followed_ref_decides(team: Scene, moment: str) -> None:
    """An agent that moves the ref that its person follows trusts nothing by it."""
    git(team.root, "checkout", "-q", "-b", "side")
    put(team, STRICTER.replace("at all", "ever"))
    commit(team)
    followed_ref.follow(str(team.store), str(team.root), "refs/heads/main", "person")
    team.begin()
    assert holds(team) == "not here at all"
    payload = team.tool("make all")
    if moment == "while a call is open":
        team.say(payload)
    git(team.root, "update-ref", "refs/heads/main", "side")
    if moment == "while a call is open":
        team.say({**payload, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "interrupted": False}})
    expected = "not here ever" if moment == "between calls" else "not here at all"
    assert holds(team) == expected
    assert holds(team) == expected, "and it stays so"


def test_what_cannot_run_holds_its_calls_and_the_turn_once(team: Scene) -> None:
    team.begin()
    for path in (team.store / "trusted").rglob("*"):
        if path.is_file():
            path.unlink()
    put(team, OPEN)
    said = team.pre("echo hi")
    assert said.decision == "ask" and f"{PLACE} cannot run as you trusted it" in said.reason
    assert "jackline trust --diff" in said.reason
    first, second = (team.say(team.payload("Stop")) for _ in range(2))
    assert first.body["decision"] == "block" and PLACE in first.body["reason"]
    assert "decision" not in second.body
    team.trust()
    assert team.pre("echo hi").decision == ""
