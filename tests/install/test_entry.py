"""The entry line: written as the design says, known again, and harmless when its target is gone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline import processes
from jackline.clients.hints import DEFAULT
from jackline.clients.router import codec
from jackline.install import entry
from jackline.install.entry import Entry
from jackline.install.fault import InstallError
from jackline.install.site import Site
from jackline.model import Event, Verdict

SAID = (
    "Jackline is installed but gave no answer, so this call is refused. A person can repair it: run `jackline init`. "
    "Or a person can switch it off, which needs no package: remove the file bin/python of its store "
    "(~/.local/state/jackline/bin/python unless the store was put elsewhere)."
)
NESTED = (
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
    f'"permissionDecisionReason":"{SAID}"}}'
)
BOTH = f'{NESTED},"permissionDecision":"deny","permissionDecisionReason":"{SAID}"}}'
GONE = (
    "Jackline does not run in this session: the Python it starts with is gone. "
    "No hook of Jackline judges anything until a person runs `jackline init`."
)
NOTE = f'{{"systemMessage":"{GONE}"}}'
NOTE_OF_BOTH = (
    f'{{"additionalContext":"{GONE}","hookSpecificOutput":{{"hookEventName":"SessionStart",'
    f'"additionalContext":"{GONE}"}},"systemMessage":"{GONE}"}}'
)
PRINT = "case $a in '{'*'}') printf '%s\\n' \"$a\";; *) printf '%s\\n' "
LINES = {
    "claude-code, before a tool": (
        Entry("/s/jackline", "claude-code", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] || exit 0; "
        "a=$(/s/jackline/bin/python -I -S /s/jackline/door.py claude-code PreToolUse 2>/dev/null); "
        f"{PRINT}'{NESTED}}}';; esac",
    ),
    "codex, before a tool": (
        Entry("/s/jackline", "codex", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] || exit 0; "
        "a=$(/s/jackline/bin/python -I -S /s/jackline/door.py codex PreToolUse 2>/dev/null); "
        f"{PRINT}'{NESTED}}}';; esac",
    ),
    "github, before a tool": (
        Entry("/s/jackline", "github", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] || exit 0; "
        "a=$(/s/jackline/bin/python -I -S /s/jackline/door.py github PreToolUse 2>/dev/null); "
        f"{PRINT}'{BOTH}';; esac",
    ),
    "claude-code, a session starts": (
        Entry("/s/jackline", "claude-code", "SessionStart", "managed"),
        f"[ -x /s/jackline/bin/python ] || {{ [ -f /s/jackline/door.py ] && printf '%s\\n' '{NOTE}'; exit 0; }}; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py claude-code SessionStart managed",
    ),
    "codex, a session starts": (
        Entry("/s/jackline", "codex", "SessionStart"),
        f"[ -x /s/jackline/bin/python ] || {{ [ -f /s/jackline/door.py ] && printf '%s\\n' '{NOTE}'; exit 0; }}; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py codex SessionStart",
    ),
    "github, a session starts": (
        Entry("/s/jackline", "github", "SessionStart"),
        "[ -x /s/jackline/bin/python ] || { [ -f /s/jackline/door.py ] && "
        f"printf '%s\\n' '{NOTE_OF_BOTH}'; exit 0; }}; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py github SessionStart",
    ),
    "any other event": (
        Entry("/s/jackline", "claude-code", "Stop", "local"),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py claude-code Stop local",
    ),
    "fail open": (
        Entry("/s/jackline", "codex", "PreToolUse", fail="open"),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py codex PreToolUse",
    ),
    "blanks and quotes": (
        Entry("/home/o'brien/my state/jackline", "github", "Stop"),
        "[ -x '/home/o'\"'\"'brien/my state/jackline/bin/python' ] && "
        "[ -f '/home/o'\"'\"'brien/my state/jackline/door.py' ] || exit 0; "
        "exec '/home/o'\"'\"'brien/my state/jackline/bin/python' -I -S "
        "'/home/o'\"'\"'brien/my state/jackline/door.py' github Stop",
    ),
    "portable, before a tool": (
        Entry("", "codex", "PreToolUse", "project"),
        'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"; [ -x "$J/bin/python" ] || exit 0; '
        'a=$("$J/bin/python" -I -S "$J/door.py" codex PreToolUse project 2>/dev/null); '
        f"{PRINT}'{NESTED}}}';; esac",
    ),
    "portable, a session starts": (
        Entry("", "codex", "SessionStart", "project"),
        'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"; '
        f"""[ -x "$J/bin/python" ] || {{ [ -f "$J/door.py" ] && printf '%s\\n' '{NOTE}'; exit 0; }}; """
        'exec "$J/bin/python" -I -S "$J/door.py" codex SessionStart project',
    ),
    "portable": (
        Entry("", "codex", "Stop", "project"),
        'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"; [ -x "$J/bin/python" ] && [ -f "$J/door.py" ] || exit 0; '
        'exec "$J/bin/python" -I -S "$J/door.py" codex Stop project',
    ),
    "gemini, before a tool: it puts variables into its settings": (
        Entry("/s/jackline", "gemini", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] || exit 0; "
        'set -- "$(/s/jackline/bin/python -I -S /s/jackline/door.py gemini PreToolUse 2>/dev/null)"; '
        """case "$*" in '{'*'}') printf '%s\\n' "$*";; *) printf '%s\\n' """
        f"""'{{"decision":"deny","reason":"{SAID}"}}';; esac""",
    ),
    "qwen, portable, before a tool": (
        Entry("", "qwen", "PreToolUse", "project"),
        'set -- "${XDG_STATE_HOME:-$HOME/.local/state}/jackline"; [ -x "$*/bin/python" ] || exit 0; '
        'set -- "$("$*/bin/python" -I -S "$*/door.py" qwen PreToolUse project 2>/dev/null)"; '
        """case "$*" in '{'*'}') printf '%s\\n' "$*";; *) printf '%s\\n' """
        f"""'{NESTED}}}';; esac""",
    ),
    "cline, before a tool": (
        Entry("/s/jackline", "cline", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] || exit 0; "
        "a=$(/s/jackline/bin/python -I -S /s/jackline/door.py cline PreToolUse 2>/dev/null); "
        f"""{PRINT}'{{"cancel":true,"errorMessage":"{SAID}"}}';; esac""",
    ),
    "hermes, before a tool": (
        Entry("/s/jackline", "hermes", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] || exit 0; "
        "a=$(/s/jackline/bin/python -I -S /s/jackline/door.py hermes PreToolUse 2>/dev/null); "
        f"""{PRINT}'{{"decision":"block","reason":"{SAID}"}}';; esac""",
    ),
    "kimi, a prompt: what is printed is text for its model": (
        Entry("/s/jackline", "kimi", "UserPromptSubmit"),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "a=$(/s/jackline/bin/python -I -S /s/jackline/door.py kimi UserPromptSubmit 2>/dev/null); "
        "case $a in '{}'|'') ;; *) printf '%s\\n' \"$a\";; esac",
    ),
}
"""Frozen: a byte that changes here is a hash that Codex does not trust any more. A new form gets a number."""

OLDER = {
    "a session starts": (
        Entry("/s/jackline", "codex", "SessionStart", fail="open", form=1),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py codex SessionStart",
    ),
    "place and fail": (
        Entry("/s/jackline", "claude-code", "Stop", "local", "closed", form=1),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py claude-code Stop local --fail closed",
    ),
    "portable, fail": (
        Entry("", "codex", "PreToolUse", "project", "closed", form=1),
        'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"; [ -x "$J/bin/python" ] && [ -f "$J/door.py" ] || exit 0; '
        'exec "$J/bin/python" -I -S "$J/door.py" codex PreToolUse project --fail closed',
    ),
}
"""Lines of earlier versions, as they stand in people's files."""


@pytest.mark.parametrize(("given_entry", "line"), OLDER.values(), ids=OLDER)
def test_an_older_line_is_known_and_told_from_todays(given_entry: Entry, line: str) -> None:
    assert entry.write(given_entry) == line
    assert entry.read(line) == given_entry
    assert entry.near(line)
    assert entry.is_older(line)
    assert not entry.is_older(entry.write(given_entry._replace(form=entry.FORM)))


@pytest.mark.parametrize("dialect", entry.DENIALS)
def test_the_words_of_a_line_are_the_clients_own_form(dialect: str) -> None:
    """As the codec would render them, so that a client reads both alike; and nothing that ends a quoted word."""
    client = DEFAULT[dialect]
    assert "'" not in entry.DENIALS[dialect] + entry.NOTICES[dialect]
    before = Event(name="PreToolUse", client=client, dialect=dialect)
    denied = codec(dialect).render(before, Verdict("deny", entry.REASON))
    assert json.loads(denied.out) == json.loads(entry.DENIALS[dialect])
    told = entry.NOTICES[dialect]
    context = (("", entry.GONE),) if "systemMessage" not in told or dialect == "github" else ()
    notes = (entry.GONE,) if "systemMessage" in told else ()  # who shows a person nothing has it told to the model
    start = Event(name="SessionStart", client=client, dialect=dialect)
    noted = codec(dialect).render(start, Verdict(notes=notes, context=context))
    assert json.loads(noted.out) == json.loads(told)


@pytest.mark.parametrize(("given_entry", "line"), LINES.values(), ids=LINES)
def test_the_line_is_written_so_and_read_again(given_entry: Entry, line: str) -> None:
    assert entry.write(given_entry) == line
    assert entry.read(line) == given_entry
    assert entry.near(line)


entries = st.builds(
    Entry,
    st.just("") | st.text("/ab c'\"$`\\;&é!*~#\t(", max_size=20).map(lambda text: "/s" + text),
    st.sampled_from([*entry.DENIALS]),
    st.sampled_from(["PreToolUse", "SessionStart", "Stop", "ErrorOccurred", "UserPromptSubmit", "Stop.600"]),
    st.sampled_from(entry.PLACES),
    st.sampled_from(["open", "closed"]),
    st.sampled_from([1, entry.FORM]),
)


@given(entries)
def test_any_entry_is_known_again(one: Entry) -> None:
    """By its line: two that are written alike are one, the one that is written today."""
    found = entry.read(entry.write(one))
    assert found is not None
    assert entry.write(found) == entry.write(one)
    assert found[:4] == one[:4]
    assert found == one or found.form == entry.FORM
    if one.form == entry.FORM and one.event == "PreToolUse":
        assert found == one


FOREIGN = {
    "somebody's": "python3 hooks/check.py",
    "like ours": "[ -x /bin/python ] && [ -f /opt/gate/door.py ] || exit 0; exec /bin/python /opt/gate/door.py x Stop",
    "empty": "",
    "open quote": "echo 'x -I -S y codex Stop",
    "another dialect": "[ -x /s/python ] && [ -f /s/door.py ] || exit 0; exec /s/python -I -S /s/door.py x Stop",
    "only flags": " -I -S ",
}


@pytest.mark.parametrize("line", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_line_is_not_ours(line: str) -> None:
    assert entry.read(line) is None
    assert not entry.near(line, Path("/home/a/.local/state/jackline"))


DAMAGED = {
    "switched off": "true; # {}",
    "swallowed": "{} >/dev/null",
    "without the test": "exec /s/jackline/bin/python -I -S /s/jackline/door.py codex Stop",
    "another event": "{} Stop",
    "behind false": "false && ({})",
}


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_of_ours_is_ours_and_not_whole(change: str) -> None:
    line = change.format(entry.write(Entry("/s/jackline", "codex", "PreToolUse")))
    assert entry.read(line) is None
    assert entry.near(line)


@pytest.mark.parametrize("path", ["relative/store", "/a\nb", "/a\0b", "/a\udcff"])
def test_a_store_that_no_file_can_name_is_refused(path: str) -> None:
    with pytest.raises(InstallError, match="JACKLINE_STORE"):
        entry.check_store(Path(path))


SHELLS = {
    "sh": ("/bin/sh", "-c"),
    "dash": ("/usr/bin/dash", "-c"),
    "bash": ("/bin/bash", "--norc", "-c"),
    "bash -eu": ("/bin/bash", "-euo", "pipefail", "-c"),
}


SILENT = (0, "", "")
REFUSED = (0, entry.DENIALS["claude-code"] + "\n", "")


def run(shell: tuple[str, ...], line: str, env: dict[str, str], cwd: Path) -> tuple[int, str, str]:
    payload = json.dumps(
        {"jackline_probe": True, "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}}
    )
    done = subprocess.run([*shell, line], input=payload, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def answers(said: tuple[int, str, str]) -> bool:
    """One JSON object at exit 0, nothing else: what it says is the engine's."""
    return said[0] == 0 and isinstance(json.loads(said[1]), dict) and not said[2]


@pytest.fixture(params=["plain", "with blank", "o'br\"ien $(x) `y`", "dollar$HOME", "süß;&|"])
def home_folder(request: pytest.FixtureRequest, tmp_path: Path, made_store: Path) -> Path:
    folder: Path = tmp_path / request.param
    shutil.copytree(made_store, folder / ".local/state/jackline", symlinks=True)
    return folder


@pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS)
@pytest.mark.parametrize("portable", [False, True], ids=["absolute", "portable"])
def test_the_line_answers_and_is_silent_without_its_interpreter(
    home_folder: Path, shell: tuple[str, ...], portable: bool, tmp_path: Path
) -> None:
    """Interpreter gone, link dangling, store gone: exit 0, nobody locked out; a session that starts says so while the
    door is there. Without the door alone a tool call is refused, and nothing else is."""
    store = home_folder / ".local/state/jackline"
    place = "" if portable else str(store)
    env = {"HOME": str(home_folder), "PATH": "/usr/bin:/bin"}

    def say(event: str) -> tuple[int, str, str]:
        return run(shell, entry.write(Entry(place, "claude-code", event)), env, tmp_path)

    assert answers(say("PreToolUse")) and answers(say("SessionStart")) and answers(say("Stop"))
    (store / "door.py").rename(store / "door.py.away")
    if "-euo" not in shell:
        assert say("PreToolUse") == REFUSED
    assert say("Stop") == SILENT
    (store / "door.py.away").rename(store / "door.py")
    (store / "bin/python").unlink()
    told = (0, entry.NOTICES["claude-code"] + "\n", "")
    assert (say("PreToolUse"), say("SessionStart"), say("Stop")) == (SILENT, told, SILENT)
    (store / "bin/python").symlink_to("/nonexistent/python")
    assert (say("PreToolUse"), say("SessionStart"), say("Stop")) == (SILENT, told, SILENT)
    shutil.rmtree(store)
    assert (say("PreToolUse"), say("SessionStart"), say("Stop")) == (SILENT, SILENT, SILENT)


def test_a_portable_line_follows_the_state_folder(site: Site, store: Path, tmp_path: Path) -> None:
    line = entry.write(Entry("", "claude-code", "PreToolUse", "project"))
    store.parent.rename(tmp_path / "my state")
    assert run(SHELLS["sh"], line, dict(site.env), tmp_path) == SILENT
    moved = {**site.env, "XDG_STATE_HOME": str(tmp_path / "my state")}
    assert answers(run(SHELLS["sh"], line, moved, tmp_path))


def test_the_door_is_the_clients_child(site: Site, store: Path, tmp_path: Path) -> None:
    """`exec`: no shell stays between the client and the door, so that signals and pids mean the door."""
    (store / "door.py").write_text("import posix\nposix.write(1, b'%d' % posix.getpid())\n")
    for shell in SHELLS.values():
        for place in ("", str(store)):
            for event in ("Stop", "SessionStart"):
                line = entry.write(Entry(place, "codex", event))
                child = subprocess.Popen([*shell, line], env=dict(site.env), stdout=subprocess.PIPE)
                assert child.communicate()[0] == b"%d" % child.pid, (shell, event)


@pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS)
def test_before_a_tool_nothing_but_its_shell_stands_between_the_client_and_the_door(
    site: Site, store: Path, shell: tuple[str, ...]
) -> None:
    """dash forks once for the answer, bash twice: whoever looks for the client passes all of them."""
    lead = f"import sys\nsys.path[:0] = {[str(Path(processes.__file__).parents[1])]!r}\n"
    ask = "from jackline import host, processes\nchain = host.ancestors()\nfound = processes.opener(chain)\n"
    (store / "door.py").write_text(f"{lead}{ask}print('{{', found.pid, chain[chain.index(found) - 1].pid, '}}')\n")
    line = entry.write(Entry(str(store), "codex", "PreToolUse"))
    child = subprocess.Popen([*shell, line], env=dict(site.env), stdout=subprocess.PIPE)
    assert child.communicate()[0].split()[1:3] == [b"%d" % os.getpid(), b"%d" % child.pid]


def test_a_shell_that_ends_at_the_first_failure_does_so_before_its_line_can_answer(
    site: Site, store: Path, tmp_path: Path
) -> None:
    """What is left open: no measured client starts its hooks in such a shell."""
    (store / "door.py").write_text("raise SystemExit(1)\n")
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse"))
    assert run(SHELLS["bash -eu"], line, dict(site.env), tmp_path) == (1, "", "")
