"""A human-only command needs a human while a client lives: every case of the decision, then real processes.

The matrix is made of ancestor x controlling terminal x its leader x its age x living sessions x marks, and of what the
decision comes to x code x `--yes` x question. The second half starts real clients, terminals and orphans.
"""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest

from cli.conftest import Desk, desk
from jackline import host, processes
from jackline.cli.parts import person
from jackline.cli.parts.setting import Setting
from jackline.policy.person import Facts, Finding, decide
from jackline.processes import Process
from jackline.store import approvals, authority, codes
from jackline.store.session_index import SessionEntry
from scene import BASE
from screen import TICK_S, WAIT_S, Screen, end_session

assert desk

# --- the decision ----------------------------------------------------------------------------------------------------

BEGAN = 1000
TTY = 34816
CLIENT = Process(50, BEGAN, "claude", "/usr/bin/claude", session=40, terminal=TTY)
EDITOR = Process(50, BEGAN, "code", "/usr/bin/code", session=50)
EMULATOR = Process(30, 10, "gnome-terminal-", "/usr/libexec/gnome-terminal-server", session=30)
INIT = Process(1, 0, "systemd", "/usr/lib/systemd/systemd", session=1)
ANCESTORS = ("person", "client", "client far above", "without a terminal", "its number again", "orphan", "editor")
TERMINALS = ("terminal", "none")
LEADERS = ("shell", "stranger", "reaper")
AGES = ("older", "same tick", "younger", "device younger")
LIVING = ("none", "one", "an older one too")
MARKED = ("", "CODEX_CI")


def facts(ancestor: str, terminal: str, leader: str, age: str, living: str, mark: str) -> Facts:
    """A table of processes for one cell of the matrix."""
    began = {"older": 500, "same tick": BEGAN, "younger": 2000, "device younger": 500}[age]
    number = TTY + 1 if terminal == "terminal" else 0
    first = {"shell": 60, "stranger": 99, "reaper": 1}[leader]
    shell = Process(60, began, "bash", "/bin/bash", leads=True, session=first, terminal=number)
    caller = Process(80, 3000, "jackline", "/usr/bin/python3", session=first, terminal=number)
    middle = Process(70, 2500, "make", "/usr/bin/make", session=first, terminal=number)
    reaper = INIT._replace(start=began if leader == "reaper" else 0)
    above: tuple[Process, ...] = {
        "person": (shell, EMULATOR, reaper),
        "client": (shell, CLIENT, EMULATOR, reaper),
        "client far above": (shell, middle, CLIENT, EMULATOR, reaper),
        "without a terminal": (shell, CLIENT._replace(session=50, terminal=0), reaper),
        "its number again": (shell, CLIENT._replace(start=BEGAN + 1), reaper),
        "orphan": (reaper,),
        "editor": (shell, EDITOR, reaper),
    }[ancestor]
    client = "vscode" if ancestor == "editor" else "claude-code"
    live = [SessionEntry("aaaaaaaa", client, "/r", "/f", pid=50, start=BEGAN)]
    if living == "an older one too":
        live.append(SessionEntry("bbbbbbbb", "codex", "/q", "/g", pid=51, start=BEGAN - 700))
    made = 2000 if age == "device younger" else 0
    return Facts((caller, *above), [] if living == "none" else live, mark, made)


def expected(ancestor: str, terminal: str, leader: str, age: str, living: str, mark: str) -> str:
    """What design 9 says of the cell, in its own order of words."""
    if living == "none":
        return "pass"  # provisioning
    below = ancestor in ("client", "client far above", "without a terminal")
    if below or mark or terminal == "none":
        return "refuse"
    if ancestor == "editor":
        return "code" if leader == "shell" else "refuse"
    descends = leader == "shell" and ancestor != "orphan"
    is_old = age == "older" and living == "one"
    return "pass" if descends and is_old else "code"


CELLS = list(itertools.product(ANCESTORS, TERMINALS, LEADERS, AGES, LIVING, MARKED))


def test_every_cell_of_the_matrix_is_decided_as_the_rule_says() -> None:
    assert len(CELLS) == 1008
    wrong = [(cell, decide(facts(*cell)).answer, expected(*cell)) for cell in CELLS]
    assert [one for one in wrong if one[1] != one[2]] == []
    assert {expected(*cell) for cell in CELLS} == {"pass", "code", "refuse"}


def test_who_is_not_let_through_is_told_of_a_session() -> None:
    found = [decide(facts(*cell)) for cell in CELLS]
    assert all(one.session is not None and one.why for one in found if one.answer != "pass")


def test_a_caller_that_nobody_sees_is_refused_while_a_session_lives() -> None:
    assert decide(Facts((), [SessionEntry("aaaaaaaa", "codex", "/r", "/f", pid=7, start=70)])).answer == "refuse"


# --- the decision, a code, a yes -------------------------------------------------------------------------------------


class Terminal:
    """A controlling terminal in a test: what is typed there, and what was asked."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.asked = lines, 0

    def answered(self, question: str) -> str:
        self.asked += 1
        return self.lines.pop(0) if self.lines else ""


SESSION = SessionEntry("aaaaaaaa", "claude-code", "/r", "/f", pid=50, start=BEGAN)
FINDINGS = {
    "pass": Finding("pass"),
    "code": Finding("code", "young", SESSION),
    "refuse": Finding("refuse", "below", SESSION, CLIENT),
}
CODES = ("none", "right", "wrong", "used", "late", "third try")
ROWS = list(itertools.product(FINDINGS, CODES, (False, True), (False, True), ("", "Sure?")))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(str(one) or "no" for one in row))
def test_a_yes_never_stands_for_a_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: tuple[str, str, bool, bool, str]
) -> None:
    """`--yes` answers a question; whether a human speaks it does not say."""
    answer, code, yes, terminal, ask = row
    store, now = str(tmp_path / "store"), host.now() // 1_000_000
    right = codes.show(store, "aaaaaaaa", os.urandom, now - (approvals.LIFE_MS if code == "late" else 0))
    lines = {"none": [], "wrong": ["BBB-BBB"] * 4, "third try": ["BBB-BBB", "nonsense", right]}.get(code, [right])
    if code == "used":
        assert codes.spend(store, right, now)
    screen = Terminal([*lines, *(["y"] if ask else [])] if answer == "code" else ["y"] if ask else [])
    monkeypatch.setattr(person, "finding", lambda setting: FINDINGS[answer])
    monkeypatch.setattr(person, "answered", screen.answered)
    monkeypatch.setattr(person, "say", lambda words: None)
    monkeypatch.setattr(person, "has_terminal", lambda: terminal)
    passes = answer == "pass" or (answer == "code" and code in ("right", "third try"))
    passes = passes and (yes or terminal)
    with click.Context(click.Command("x")):
        setting = Setting(tmp_path, Path(store), {})
        if passes:
            person.require(setting, "pause", yes=yes, ask=ask)
        else:
            with pytest.raises((person.Refused, person.Declined)):
                person.require(setting, "pause", yes=yes, ask=ask)


def test_without_the_decision_every_cell_of_the_matrix_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one function of the principle is `decide`: nothing else stops a verb, and with it all but these stop."""
    setting, passed = Setting(tmp_path, tmp_path / "store", {}), Counter[str]()
    monkeypatch.setattr(person, "answered", Terminal([]).answered)
    monkeypatch.setattr(person, "say", lambda words: None)
    for who, function in (("decide", decide), ("nobody", lambda given: Finding("pass"))):
        monkeypatch.setattr(person, "decide", function)
        for cell in CELLS:
            monkeypatch.setattr(person, "_facts", lambda setting, cell=cell: facts(*cell))
            with click.Context(click.Command("x")), suppress(person.Refused, person.Declined):
                person.require(setting, "pause", yes=True)
                passed[who] += 1
    assert passed == {"decide": sum(expected(*cell) == "pass" for cell in CELLS), "nobody": len(CELLS)}


def test_a_code_is_kept_as_a_hash_and_counts_once(tmp_path: Path) -> None:
    store, now = str(tmp_path), 10**12
    first, code = codes.show(store, "s", os.urandom, now), codes.show(store, "s", os.urandom, now)
    (kept,) = (tmp_path / codes.FOLDER).iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert approvals.plain(code) not in kept.read_text() and code not in kept.read_text()
    assert codes.spend(store, first, now) is None, "a new one ends the one before"
    found = codes.spend(store, code.lower().replace("-", " "), now + approvals.LIFE_MS - 1)
    assert found is not None and found.sid == "s"
    assert codes.spend(store, code, now) is None


def test_three_wrong_codes_end_a_code(tmp_path: Path) -> None:
    store, now = str(tmp_path), 10**12
    code = codes.show(store, "s", os.urandom, now)
    for wrong in ("BBB-BBB", "", "CCC-CCC"):
        assert codes.spend(store, wrong, now) is None
    assert codes.spend(store, code, now) is None


def test_a_prompts_word_counts_for_its_very_words(tmp_path: Path) -> None:
    store, now, line = str(tmp_path), 10**12, codes.line("/r", ["pause"])
    word = codes.vouch(store, "s", line, os.urandom, now)
    assert codes.honour(store, word, codes.line("/r", ["trust"]), now) is None
    assert codes.honour(store, word, codes.line("/q", ["pause"]), now) is None
    assert codes.honour(store, word, line, now + codes.BOUND_MS) is None
    assert codes.spend(store, word, now) is None, "it is no code"
    assert codes.honour(store, word, line, now) is not None
    assert codes.honour(store, word, line, now) is None


# --- real processes --------------------------------------------------------------------------------------------------


@pytest.fixture
def old_screen(desk: Desk) -> Iterator[Screen]:
    """A terminal that was open before any client."""
    made = Screen(desk.env, desk.root)
    yield made
    made.close()


class Client:
    """A client in a terminal: a process named `claude` that runs lines of shell for us, as an agent's are run."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.screen = desk, Screen(desk.env, desk.root)
        given, told = desk.folder / "given", desk.folder / "told"
        os.mkfifo(given)
        os.mkfifo(told)
        self.screen.type(f"{shlex.quote(str(desk.claude))} <{given} >{told} 2>&1")
        self.given, self.told = given.open("wb", buffering=0), told.open("rb")
        self.pid = int(self.shell("echo $$").strip())
        assert self.send("SessionStart", source="startup") == {}

    def shell(self, line: str) -> str:
        """What a line of shell says: a child of the client's, which is waited for."""
        self.given.write(f"({line}\n) </dev/null; echo; echo over\n".encode())
        said = b""
        while not said.endswith(b"\nover\n"):
            part = self.told.readline()
            assert part, said
            said += part
        return said[: -len(b"\nover\n")].decode()

    def send(self, event: str, **fields: Any) -> dict[str, Any]:
        path = self.desk.folder / "payload.json"
        path.write_text(json.dumps(self.desk.payload(event, **fields)))
        python, door = [str(self.desk.store / name) for name in ("bin/python", "door.py")]
        door = shlex.join([python, "-I", "-S", door, "claude-code", event])
        self.given.write(f"{door} <{shlex.quote(str(path))}\n".encode())
        found: dict[str, Any] = json.loads(self.told.readline())
        return found

    def prompt(self, words: str) -> dict[str, Any]:
        return self.send("UserPromptSubmit", prompt=words)

    def end(self) -> None:
        self.given.close()
        self.told.close()
        self.screen.close()


@pytest.fixture
def client(desk: Desk, old_screen: Screen) -> Iterator[Client]:
    if not (desk.store / "bin/python").exists():
        (desk.store / "bin").mkdir(exist_ok=True)
        (desk.store / "bin/python").symlink_to(BASE)
    made = Client(desk)
    yield made
    made.end()


PYTHON_PTY = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn({words!r})))"
DOUBLE_FORK = """import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv({words!r}[0], {words!r})
    os._exit(0)
"""
SAME_TERMINAL = """import os, sys
if os.fork() == 0:
    if os.fork() == 0:
        os.execv({words!r}[0], {words!r})
    os._exit(0)
"""


def _python(text: str, words: list[str]) -> str:
    return shlex.join([sys.executable, "-c", text.format(words=words)])


ROUTES = {
    "child": lambda words, name: shlex.join(words),
    "setsid": lambda words, name: f"setsid -w {shlex.join(words)}",
    "setsid fork": lambda words, name: f"setsid -f {shlex.join(words)}",
    "nohup": lambda words, name: f"nohup {shlex.join(words)} & wait",
    "double fork": lambda words, name: _python(DOUBLE_FORK, words),
    "double fork, same terminal": lambda words, name: _python(SAME_TERMINAL, words),
    "script": lambda words, name: f"script -qec {shlex.quote(shlex.join(words))} /dev/null",
    "script, orphaned": lambda words, name: f"setsid -f script -qec {shlex.quote(shlex.join(words))} /dev/null",
    "pty of python": lambda words, name: _python(PYTHON_PTY, words),
    "pty of python, orphaned": lambda words, name: f"setsid -f {_python(PYTHON_PTY, words)}",
    "tmux": lambda words, name: f"tmux -L {name} -f /dev/null new-session -d {shlex.quote(shlex.join(words))}",
}


@pytest.mark.parametrize("route", ROUTES, ids=list(ROUTES))
@pytest.mark.parametrize("env", ["as it is", "clean"])
def test_no_program_of_the_agents_passes_for_a_person(desk: Desk, client: Client, route: str, env: str) -> None:
    """Whatever way it leaves its client, with every yes that a person could give and no mark."""
    begun, done = desk.folder / "begun", desk.folder / "done"
    inner = [*(["env", "-i", *[f"{key}={value}" for key, value in desk.env.items()]] if env == "clean" else [])]
    inner += [*desk.command("pause", "--yes")]
    line = f"echo $$ >{shlex.quote(str(begun))}; {shlex.join(inner)}; echo $? >{shlex.quote(str(done))}"
    server = f"test-{os.getpid()}"
    client.shell(ROUTES[route](["/bin/sh", "-c", line], server) + " >/dev/null 2>&1")
    ending = time.monotonic() + (WAIT_S if not waits_for_code(route) else 2)
    while not done.exists() and time.monotonic() < ending:
        time.sleep(TICK_S)
    end_session(int(begun.read_text()))
    if route == "tmux":
        client.shell(f"tmux -L {server} kill-server")
    assert not (desk.store / "pause.json").exists()
    assert done.exists() or waits_for_code(route), "it was refused, or waits for a code"
    assert not done.exists() or done.read_text() != "0\n"


def waits_for_code(route: str) -> bool:
    """Whether a route has a terminal of its own, in which it is asked for the code that it does not have."""
    return route in ("double fork, same terminal", "script, orphaned", "pty of python, orphaned", "tmux")


def test_a_terminal_that_was_open_before_needs_no_code(old_screen: Screen, client: Client, desk: Desk) -> None:
    old_screen.run(*desk.command("pause"))
    code, said = old_screen.ended()
    assert (code, "paused" in said) == (0, True), said


def test_a_new_tab_needs_the_code_that_the_client_shows(desk: Desk, client: Client) -> None:
    tab = Screen(desk.env, desk.root)
    tab.run(*desk.command("pause", "--yes"))
    told = tab.until("code: ")
    assert "Type `jackline code` there as a prompt" in told
    assert "session " in told and f"pid {client.pid}" in told
    tab.type("BCD-FGH")
    assert "2 more tries" in tab.until("code: ")
    shown = client.prompt("jackline code")
    assert shown["decision"] == "block"
    code = re.findall(r"code ([A-Z]{3}-[A-Z]{3})", shown["reason"])[0]
    tab.type(code)
    assert tab.ended()[0] == 0
    assert (desk.store / "pause.json").exists()
    assert [one["kind"] for one in authority.read(str(desk.store))][:2] == ["CODE_SHOWN", "CODE_USED"]
    kept = b"".join(path.read_bytes() for path in [*desk.root.rglob("*"), *desk.store.rglob("*")] if path.is_file())
    assert code.encode() not in kept, "it stands in no file"
    tab.close()


def test_a_command_typed_as_a_prompt_is_run_by_the_door(desk: Desk, client: Client) -> None:
    said = client.prompt("jackline pause --minutes 7")
    assert said["decision"] == "block" and "paused for 7" in said["reason"], said
    assert json.loads((desk.store / "pause.json").read_text())["pauses"][0]["root"] == str(desk.root)
    (row,) = [one for one in desk.log() if one["kind"] == "PROMPT_COMMAND"]
    assert row["data"] == {"verb": "pause"}


def test_a_prompt_asks_for_what_a_terminal_would_ask(desk: Desk, client: Client) -> None:
    desk.feature("theirs", "return None")
    shown = client.prompt("jackline trust")["reason"]
    digest = re.findall(r"jackline trust --yes ([0-9a-f]+)", shown)[0]
    assert "theirs" in shown
    assert "trusted" in client.prompt(f"jackline trust --yes {digest}")["reason"]
    assert desk.jackline("trust", "--json").data["trusted"] is True
    assert "no such" in client.prompt("jackline pause --nosuch")["reason"].lower()


@pytest.mark.parametrize(
    "words", ["jackline is slow, find out why", "jackline status", "jackline code is read how?", "jackline hook x"]
)
def test_a_prompt_that_only_speaks_of_jackline_reaches_the_model(desk: Desk, client: Client, words: str) -> None:
    assert "decision" not in client.prompt(words)


@pytest.mark.parametrize("words", ["jackline trust --watch x", "jackline uninstall --yes"])
def test_what_cannot_run_in_a_prompt_says_where_it_does(desk: Desk, client: Client, words: str) -> None:
    said = client.prompt(words)
    assert said["decision"] == "block" and "is run in a terminal" in said["reason"]


def test_a_client_of_the_agents_is_no_person(desk: Desk, client: Client) -> None:
    """A second client that the agent starts sends a prompt: below the first one, or away from it."""
    payload = desk.folder / "forged.json"
    payload.write_text(json.dumps(desk.payload("UserPromptSubmit", prompt="jackline pause", session_id="f" * 8)))
    door = shlex.join([str(desk.store / "bin/python"), "-I", "-S", str(desk.store / "door.py"), "claude-code"])
    begin = shlex.quote(json.dumps(desk.payload("SessionStart", source="startup", session_id="f" * 8)))
    script = f"printf %s {begin} | {door} SessionStart; {door} UserPromptSubmit <{shlex.quote(str(payload))}; : end"
    for way in ("", "setsid -w ", "script -qec "):
        words = [str(desk.claude), "-c", script]
        inner = shlex.quote(shlex.join(words)) + " /dev/null" if way.startswith("script") else shlex.join(words)
        said = client.shell(way + inner)
        assert '"decision":"block"' in said.replace(" ", ""), said
        assert not (desk.store / "pause.json").exists(), way


def test_what_is_read_of_processes_is_what_the_system_says() -> None:
    chain = host.lineage()
    assert chain[0].pid == os.getpid()
    assert chain[0].session == os.getsid(0)
    assert processes.terminal_made(0) == 0


def test_a_terminals_age_is_that_of_its_device() -> None:
    """A process that is older than a session may open a terminal later: the device tells."""
    first, second = pty.openpty()
    try:
        device = os.fstat(second).st_rdev
        number = (device & 0xFF) | (device >> 8 << 8)
        made, now = processes.terminal_made(number), time.clock_gettime(time.CLOCK_BOOTTIME) * processes.TICKS
        assert now - 5 * processes.TICKS < made <= now
    finally:
        os.close(first)
        os.close(second)
