"""The routes that no guard sees from a command's text: the command itself refuses below a client, by one table."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import pytest

from jackline.host import now
from jackline.store import approvals
from routes.table import routes
from scene import BASE
from screen import Screen

from .conftest import Desk

UNSEEN = [one.name for one in routes() if one.held == "- refuses"]

ROUTES = {
    "renamed by a link": "ln -s {jackline} jl && ./jl {words}",
    "renamed by a copy": "cp {jackline} jl; ./jl {words}",
    "recipe": "printf 'approve:\\n\\t@{jackline} {words}\\n' > Makefile; make -s approve",
    "a program": "printf '#!/bin/sh\\n{jackline} {words}\\n' > run; chmod +x run; env ./run",
    "script written before": "printf '{jackline} {words}\\n' > approve.sh; sh ./approve.sh",
}
MORE = {
    "decoded": "echo {encoded} | base64 -d | sh",
    "empty environment": "env -i PATH=/usr/bin:/bin HOME=$HOME {jackline} {words}",
    "a terminal of its own": "script -qec '{jackline} {words}' /dev/null",
    "another session of the system": "setsid -w {jackline} {words}",
    "a program that forks": "{python} fork.py {words}",
}


@pytest.fixture
def waits(desk: Desk) -> Desk:
    """A call waits, and a client lives that an agent works in."""
    desk.feature("asker", 'return ask("MAY-IT") if "touch" in event.command else None', critical=True)
    desk.trust()
    desk.say(desk.tool("touch made"), env={"CLAUDE_CODE_SESSION_ATTENDED": "0"})
    program = desk.folder / "jackline"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={desk.env["PYTHONPATH"]} exec {sys.executable} -m jackline.cli "$@"\n')
    program.chmod(0o755)
    fork = f"import subprocess, sys\nsys.exit(subprocess.run([{str(program)!r}, *sys.argv[1:]]).returncode)\n"
    (desk.root / "fork.py").write_text(fork)
    return desk


def below(desk: Desk, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command as an agent's shell does, below the client of a living session."""
    door = shlex.join(desk.argv("SessionStart")[4:])
    begin = "printf '%s' '{\"session_id\":\"" + desk.session + '","hook_event_name":"SessionStart"}\''
    script = f"{begin} | {door} >/dev/null; {command}; exit $?"
    return subprocess.run(
        [str(desk.claude), "-c", script], env=desk.env, cwd=desk.root, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, start_new_session=True, timeout=60, check=False,
    )  # fmt: skip


def test_each_route_that_no_guard_sees_is_tried() -> None:
    assert sorted(ROUTES) == sorted(UNSEEN)


@pytest.mark.parametrize("route", [*ROUTES, *MORE])
def test_the_command_refuses_by_itself(waits: Desk, route: str) -> None:
    (request,) = approvals.waiting(str(waits.store), now() // 1_000_000)
    words = f"approve {approvals.code(str(waits.store), request)} --yes"
    program = str(waits.folder / "jackline")
    encoded = subprocess.run(["base64", "-w0"], input=f"{program} {words}", capture_output=True, text=True).stdout
    command = (ROUTES | MORE)[route].replace("{encoded}", encoded).replace("{python}", sys.executable)
    done = below(waits, command.replace("{jackline}", program).replace("{words}", words))
    assert "is a human-only command · below claude-code" in done.stdout + done.stderr, done
    assert approvals.standing(str(waits.store), request, now() // 1_000_000) == "waiting"


@pytest.mark.parametrize(("program", "heard"), [("python", False), ("sh", True)])
def test_a_prompt_forged_by_a_program_is_not_heard(waits: Desk, program: str, heard: bool) -> None:
    """A hook is opened by the client or its shell; an agent's program stands between. Its code would be right."""
    call = json.dumps(waits.tool("touch made"))
    door = [BASE, "-I", "-S", str(waits.store / "door.py"), "claude-code"]
    (waits.root / "door.py").write_text("import subprocess, sys\nsys.exit(subprocess.run(sys.argv[1:]).returncode)\n")
    between = [sys.executable, "door.py"] if program == "python" else ["sh", "-c", '"$@"; exit $?', "sh"]
    script = (
        f"printf %s {shlex.quote(call)} | {shlex.join([*door, 'PreToolUse'])}; echo; read prompt; "
        f'printf %s "$prompt" | {shlex.join([*between, *door, "UserPromptSubmit"])}; exit 0'
    )
    env = {**waits.env, "CLAUDE_CODE_SESSION_ATTENDED": "0"}
    (old,) = approvals.waiting(str(waits.store), now() // 1_000_000)
    approvals.remove(str(waits.store), old.id)
    client = subprocess.Popen(
        [str(waits.claude), "-c", script], env=env, cwd=waits.root, start_new_session=True, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert client.stdout is not None
    assert "HITL_PENDING" in client.stdout.readline()
    (request,) = approvals.waiting(str(waits.store), now() // 1_000_000)
    prompt = f"jackline approve {approvals.code(str(waits.store), request)}"
    client.communicate(json.dumps(waits.payload("UserPromptSubmit", prompt=prompt)) + "\n", timeout=30)
    assert (approvals.standing(str(waits.store), request, now() // 1_000_000) == "approved") is heard


def test_the_person_is_heard_meanwhile(waits: Desk) -> None:
    """The same words in a terminal of the person's, a new one too: the call's code is what only they know."""
    (request,) = approvals.waiting(str(waits.store), now() // 1_000_000)
    client = waits.living()
    code = approvals.code(str(waits.store), request)
    tab = Screen(waits.env, waits.root)
    tab.done(str(waits.folder / "jackline"), "approve", code)
    tab.close()
    client.communicate(b"\n")
    assert approvals.standing(str(waits.store), request, now() // 1_000_000) == "approved"
    assert os.listdir(waits.store / "approvals")
