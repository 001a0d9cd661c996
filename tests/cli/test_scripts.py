"""`scripts`, `scripts new` and `check`: what a person starts by hand, and what CI does."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler import schemas
from jackline.scripts import pending
from jackline.store.ids import slot
from scene import git

from .conftest import Desk


def script(desk: Desk, name: str, body: str, *fields: str) -> Path:
    path = desk.root / ".ai/hooks/scripts" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    front = "".join(f"# {line}\n" for line in fields)
    path.write_text(f"#!/bin/sh\n#---\n{front}#---\n{body}\n")
    path.chmod(0o755)
    return path


def file(desk: Desk, name: str, body: str, pattern: str = "*.txt", *more: str) -> Path:
    return script(desk, name, body, "type: file", f'pattern: "{pattern}"', *more)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """The desk with a repository that has a commit."""
    if not (desk.root / ".git").exists():
        git(desk.root, "init", "-q")
    git(desk.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first")
    return desk


def commit(desk: Desk) -> str:
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "more", "--no-verify")
    return git(desk.root, "rev-parse", "HEAD").strip()


def status_of(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (desk.store / "repos" / slot(str(desk.root)) / "scripts/status.json").read_text()
    )
    assert schemas.validate("scripts.status", found) == []
    return found


def lines(said: str) -> list[str]:
    """Lines without how long it took."""
    return [" ".join(line.split()[:-2]) if line[:1] in "✓✗" else line for line in said.splitlines()]


# --- run -----------------------------------------------------------------------------------------------------------


def test_file_scripts_run_over_what_changed_and_all_of_them(desk: Desk) -> None:
    file(desk, "a.sh", 'echo "$JACKLINE_CHANGED_FILES" >> given; echo bad; exit 3', "*.txt", "name: First")
    file(desk, "b.sh", 'tr "\\0" "," < "$JACKLINE_CHANGED_FILES_LIST" >> given; echo not shown', "**/*.txt")
    file(desk, "c.sh", "exit 1", "*.go")
    desk.trust()
    (desk.root / "one.txt").write_text("1")
    (desk.root / "two words.txt").write_text("2")
    done = desk.jackline("check", "--note", "--type", "file", code=1)
    assert lines(done.out)[:-1] == ["✗ First exit 3 2 files", "  bad", "✓ b.sh 2 files", "– c.sh  no file for it"]
    assert done.out.splitlines()[-1].startswith("1 passed · 1 failed · 1 skipped  in ")
    assert (desk.root / "given").read_text() == "one.txt\none.txt,two words.txt,"
    hooks = status_of(desk)["hooks"]
    assert {key: (one["lastResult"], one["lastExitCode"], one["runCount"]) for key, one in hooks.items()} == {
        "a": ("failure", 3, 1), "b": ("success", 0, 1),
    }  # fmt: skip
    assert Path(hooks["a"]["outputPath"]).read_text() == "bad\n"


def test_one_script_by_name_shows_what_it_prints(desk: Desk) -> None:
    file(desk, "a.sh", 'echo "on $JACKLINE_CHANGED_FILES for $JACKLINE_SCRIPT"', "*.txt", "name: First")
    desk.trust()
    (desk.root / "x.txt").write_text("")
    for name in ("a", "First", "a.sh"):
        if name != "a.sh":
            assert lines(desk.jackline("check", "--script", name).out) == ["✓ First 1 file", "  on x.txt for a"]
    assert desk.jackline("check", "--script", "a", "--files", "x.txt", "--json").data["results"][0]["files"] == [
        "x.txt"
    ]
    assert "did you mean a?" in desk.jackline("check", "--script", "aa", code=2).err


def test_untrusted_scripts_do_not_run_and_say_what_to_do(desk: Desk) -> None:
    file(desk, "a.sh", "touch ran")
    (desk.root / "x.txt").write_text("")
    done = desk.jackline("check", "--note", "--type", "file", code=1)
    assert (
        done.out == "✗ a · not trusted, so not run · read and trust: jackline trust --diff; in CI: --as-checked-out\n"
    )
    assert "not trusted" in desk.jackline("check", "--script", "a", code=1).err
    assert not (desk.root / "ran").exists()


def test_skipped_by_the_environment(desk: Desk) -> None:
    file(desk, "a.sh", "touch ran-a")
    file(desk, "b.sh", "touch ran-b")
    desk.trust()
    (desk.root / "x.txt").write_text("")
    desk.jackline("check", "--type", "file", env={"JACKLINE_SKIP": "a"})
    assert [(desk.root / name).exists() for name in ("ran-a", "ran-b")] == [False, True]
    told = desk.jackline("check", "--type", "file", "--json", env={"JACKLINE_SKIP": "all"}).data
    assert [one["why"] for one in told["results"]] == ["JACKLINE_SKIP"] * 2


def test_an_event_s_scripts_with_a_payload(desk: Desk) -> None:
    body = 'cat > stdin; echo "$JACKLINE_EVENT" >&2; exit 2'
    script(desk, "guard.sh", body, "event: PreToolUse", "block: true", "tools: [Bash]")
    script(desk, "other.sh", "exit 1", "event: PreToolUse", "tools: [Write]")
    desk.trust()
    call = desk.root / "call.json"
    call.write_text(json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}))
    done = desk.jackline("check", "--event", "PreToolUse", "--payload", "call.json")
    assert done.out.splitlines()[0].startswith("✓ guard.sh  deny  PreToolUse  ")
    assert "– other.sh  tool not in its list" in done.out.splitlines()
    assert (desk.root / "stdin").read_text() == call.read_text()
    told = desk.jackline("check", "--event", "PreToolUse", "--payload", "-", "--json", stdin=b"{}", code=1).data
    assert [(one["script"], one["result"]) for one in told["results"]] == [("guard", "success"), ("other", "failure")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--script", "x", "--type", "file"), "--script, --event and --type exclude each other"),
        (("--payload", "x"), "--payload needs --event"),
        (("--event", "PreTolUse"), "did you mean PreToolUse?"),
        (("--files",), "--files needs names of files"),
        (("--script", "a", "--files", "/etc/passwd"), "/etc/passwd is not in"),
        (("--event", "Stop", "x.txt"), "an event is about no files"),
        (("--type", "session", "--all-files"), "only file and pre-commit scripts are given files"),
    ],
)
def test_wrong_use(desk: Desk, words: tuple[str, ...], said: str) -> None:
    file(desk, "a.sh", "true")
    desk.trust()
    assert said in desk.jackline("check", *words, code=2).err


def test_a_session_s_status_is_written_when_it_is_named(desk: Desk) -> None:
    script(desk, "s.sh", "echo $JACKLINE_SESSION_ID", "type: session", "on: [compact]")
    desk.trust()
    desk.begin()
    sid = desk.place.name
    desk.jackline("check", "--note", "--type", "session")
    assert not (desk.place / "scripts/status.json").exists(), "a run by hand is no run of the session"
    desk.jackline("check", "--note", "--type", "session", "--session", sid)
    assert json.loads((desk.place / "scripts/status.json").read_text())["hooks"]["s"]["runCount"] == 1
    assert (desk.place / "scripts/output/s.log").read_text() == f"{sid}\n"


def test_a_script_that_takes_too_long_is_ended(desk: Desk) -> None:
    file(desk, "a.sh", "sleep 60 & wait", "*.txt", "timeout: 0.3")
    desk.trust()
    (desk.root / "x.txt").write_text("")
    assert "✗ a.sh  its 0 s were over" in desk.jackline("check", "--note", "--type", "file", code=1).out


def screen(desk: Desk, *words: str, columns: int = 80, stop: Path | None = None) -> str:
    """What a terminal is sent while a command runs; Ctrl-C when the file `stop` is there and written."""
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it, and so would we
        os.chdir(desk.root)
        env = {**desk.env, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "24"}
        os.execve(sys.executable, desk.command(*words), env)
    said = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        said += part
        if stop is not None and stop.exists() and stop.read_text().endswith("\n"):
            os.write(terminal, b"\x03")
            stop = None
        if not part:
            break
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode()


def test_a_terminal_shows_what_runs_and_for_how_long(desk: Desk) -> None:
    file(desk, "a.sh", "sleep 1.3", "*.txt", f"name: A{'a' * 100}")
    desk.trust()
    (desk.root / "x.txt").write_text("")
    said = screen(desk, "check", "--type", "file")
    frames = [part for part in said.split("\r\x1b[2K") if "\x1b[?25l" in part or "  0 s" in part or "  1 s" in part]
    assert any("0 s" in frame for frame in frames) and any("1 s" in frame for frame in frames)
    last = said.rpartition("\r\x1b[2K")[2]
    assert last.startswith("\x1b[?25h"), "the line is gone and the cursor is back"
    assert "✓" in last
    plain = desk.jackline("check", "--type", "file").out
    assert "\x1b" not in plain and "\r" not in plain


def test_ctrl_c_ends_the_script_and_leaves_no_line(desk: Desk) -> None:
    file(desk, "a.sh", "echo $$ > pid; sleep 60")
    desk.trust()
    (desk.root / "x.txt").write_text("")
    said = screen(desk, "check", "--type", "file", stop=desk.root / "pid")
    assert said.rstrip().endswith("\x1b[?25h")
    pid = int((desk.root / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split(")")[1][:3]:
            return
        time.sleep(0.05)
    raise AssertionError("the script still runs")


# --- the table -----------------------------------------------------------------------------------------------------


def test_the_table_tells_the_last_run_of_each(desk: Desk) -> None:
    assert desk.jackline("scripts").out == "No scripts here · jackline scripts new writes one\n"
    file(desk, "a.sh", "exit 4")
    script(desk, "guard.sh", "true", "event: PreToolUse")
    file(desk, "off.sh", "true", "*.txt", "status: pending")
    assert "not trusted" in desk.jackline("scripts").out
    desk.trust()
    (desk.root / "x.txt").write_text("")
    desk.jackline("check", "--note", "--type", "file", code=1)
    desk.jackline("check", "--note", "--type", "file", code=1)
    said = desk.jackline("scripts", env={"COLUMNS": "140"}).out.splitlines()
    rows = [line.split() for line in said[2:4]]
    assert rows[0][:3] == ["guard", "event", "PreToolUse"] and "never" in rows[0]
    assert rows[1][:6] == ["a", "file", "*.txt", "✗", "exit", "4"]
    assert said[3].rstrip().endswith("2 in a row, 2")
    assert any("a  output in " in line for line in said)
    assert any(line.startswith("– ") and "off.sh  status: pending" in line for line in said)
    told = desk.jackline("scripts", "--json").data
    (mine,) = [one for one in told["scripts"] if one["key"] == "a"]
    assert (mine["status"]["failCount"], mine["pending"], mine["runs"]) == (2, False, True)
    assert [(one["path"], one["runs"]) for one in told["idle"]] == [(".ai/hooks/scripts/off.sh", False)]


@pytest.mark.parametrize("width", ["80", "140"])
def test_names_and_keys_are_shown(desk: Desk, width: str) -> None:
    file(desk, "lint.sh", "true", "*.py", "name: Check the style")
    desk.trust()
    said = desk.jackline("scripts", env={"COLUMNS": width}).out.splitlines()
    at = next(at for at, line in enumerate(said) if line.startswith("lint "))
    assert said[at + 1].startswith("Check the style")


@pytest.mark.parametrize("width", [80, 140])
def test_no_line_of_the_table_is_wider_than_the_terminal(desk: Desk, width: int) -> None:
    file(desk, "a-script-with-a-rather-long-name-for-its-file.sh", "exit 4")
    desk.trust()
    (desk.root / "x.txt").write_text("")
    desk.jackline("check", "--note", "--type", "file", code=1)
    said = desk.jackline("scripts", env={"COLUMNS": str(width)}).out.splitlines()
    assert max(map(len, [line for line in said if "output in" not in line])) <= width


def test_a_script_of_a_session_that_waits_is_shown(desk: Desk) -> None:
    file(desk, "a.sh", "exit 1")
    desk.trust()
    desk.begin()
    pending.add(str(desk.place), ["a"])
    assert "waits" in desk.jackline("scripts").out
    assert desk.jackline("scripts", "--json").data["scripts"][0]["pending"] is True


# --- new -----------------------------------------------------------------------------------------------------------

CONFLICT = "a\n<<<<<<< HEAD\nb\n"


@pytest.mark.parametrize("type_", ["event", "session", "file", "pre-commit"])
@pytest.mark.parametrize("language", ["sh", "python", "node"])
def test_a_new_script_works(desk: Desk, type_: str, language: str) -> None:
    if language == "node" and shutil.which("node", path=desk.env["PATH"]) is None:
        pytest.skip("no node here")
    words = ("--name", 'A "new" one', "--type", type_, "--language", language, "--pattern", "*.txt", "--yes")
    told = desk.jackline("scripts", "new", *words, "--json").data
    path = desk.root / told["path"]
    assert path.parent == desk.root / ".ai/hooks/scripts" and path.stat().st_mode & 0o111
    desk.trust()
    (one,) = desk.jackline("scripts", "--json").data["scripts"]
    assert (one["key"], one["type"], one["name"]) == ("a-new-one", type_, 'A "new" one')
    (desk.root / "x.txt").write_text(CONFLICT)
    git(desk.root, "add", "-A")
    call = json.dumps({"tool_name": "Bash", "tool_input": {"command": "git push --force"}}).encode()
    run = ("--event", "PreToolUse", "--payload", "-") if type_ == "event" else ("--type", type_)
    bad = type_ in ("file", "pre-commit")
    (done,) = desk.jackline("check", *run, "--json", stdin=call, code=int(bad)).data["results"]
    assert done["result"] == ("failure" if bad else "success"), done
    if type_ == "event":
        assert (done["decision"], done["reason"]) == ("deny", "no forced push from here: ask first")
    (desk.root / "x.txt").write_text("fine\n")
    git(desk.root, "add", "-A")
    desk.jackline("check", *run, stdin=b'{"tool_name": "Bash", "tool_input": {"command": "ls"}}')


def test_nothing_is_overwritten_and_no_link_followed(desk: Desk, tmp_path: Path) -> None:
    words = ("scripts", "new", "--name", "one", "--yes")
    desk.jackline(*words)
    before = (desk.root / ".ai/hooks/scripts/one.sh").read_text()
    assert "it exists already" in desk.jackline(*words, "--type", "session", code=1).err
    assert (desk.root / ".ai/hooks/scripts/one.sh").read_text() == before
    shutil.rmtree(desk.root / ".ai/hooks/scripts")
    (tmp_path / "elsewhere").mkdir()
    (desk.root / ".ai/hooks/scripts").symlink_to(tmp_path / "elsewhere")
    assert "cannot be written" in desk.jackline(*words, code=1).err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_questions_are_asked_on_a_terminal_only(desk: Desk) -> None:
    said = desk.typed("scripts", "new", keys=b"event\nMy guard\nStop\npython\n")
    assert said.code == 0 and "wrote .ai/hooks/scripts/my-guard.py" in said.out
    text = (desk.root / ".ai/hooks/scripts/my-guard.py").read_text()
    assert text.startswith('#!/usr/bin/env python3\n#---\n# name: "My guard"\n# type: event\n# events: [Stop]\n')
    assert "--name is needed" in desk.jackline("scripts", "new", "--yes", code=2).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--type", "file", "--pattern", ""), "an empty pattern"),
        (("--type", "event", "--event", "PreTolUse"), "did you mean PreToolUse?"),
        (("--name", "a\nb"), "expected a few printable words"),
    ],
)
def test_wrong_answers(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.jackline("scripts", "new", "--name", "x", *words, "--yes", code=2).err


# --- check ---------------------------------------------------------------------------------------------------------


def test_a_pull_request_is_checked_as_it_is_checked_out(desk: Desk) -> None:
    file(desk, "a.sh", 'echo "$JACKLINE_CHANGED_FILES" > given-a; exit 1')
    file(desk, "b.sh", 'echo "$JACKLINE_CHANGED_FILES" > given-b', "*.md")
    script(desk, "c.sh", 'echo "$JACKLINE_CHANGED_FILES" > given-c; exit 1', "type: pre-commit")
    (desk.root / "gone.txt").write_text("")
    base = commit(desk)
    (desk.root / "x.txt").write_text("")
    (desk.root / "y.md").write_text("")
    (desk.root / "gone.txt").unlink()
    commit(desk)
    (desk.root / "dirty.txt").write_text("")
    span = ("--from-ref", base, "--to-ref", "HEAD")
    refused = desk.jackline("check", *span, code=1)
    assert "a, b, c · not trusted" in refused.out and not (desk.root / "given-a").exists()
    done = desk.jackline("check", *span, "--as-checked-out", "--json", code=1).data
    assert [(one["script"], one["result"], one["files"]) for one in done["results"]] == [
        ("a", "failure", ["x.txt"]),
        ("b", "success", ["y.md"]),
        ("c", "failure", ["x.txt", "y.md"]),
    ]
    assert (done["failed"], done["untrusted"], done["files"]) == (["a", "c"], [], 2)
    assert (desk.root / "given-c").read_text() == "x.txt y.md\n"
    assert desk.jackline("trust", "--json", code=1).data["trusted"] is False, "nobody trusts more than before"
    assert not (desk.store / "repos" / slot(str(desk.root)) / "scripts").exists(), "and nothing is noted"


def test_a_digest_lets_run_exactly_that(desk: Desk) -> None:
    path = file(desk, "a.sh", "touch ran")
    (desk.root / ".ai/hooks/dispatch.manifest.json").write_text('{"prompts": "off"}')  # it only tightens
    (desk.root / "x.txt").write_text("")
    digest = desk.jackline("trust", "--json", code=1).data["digest"]
    assert "nothing was run" in desk.jackline("check", "--trust", "0" * 32, code=1).err
    path.write_text(path.read_text() + "touch evil\n")
    assert "nothing was run" in desk.jackline("check", "--trust", digest, code=1).err
    assert not (desk.root / "ran").exists()
    digest = desk.jackline("trust", "--json", code=1).data["digest"]
    desk.jackline("check", "--trust", digest)
    assert (desk.root / "ran").exists()


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ((), ["dirty.txt", "staged.txt"]),
        (("--staged",), ["staged.txt"]),
        (("--all-files",), ["old.txt", "staged.txt"]),
        (("--files", "old.txt", "dirty.txt"), ["dirty.txt", "old.txt"]),
    ],
    ids=["what differs", "staged", "all", "named"],
)
def test_which_files(desk: Desk, words: tuple[str, ...], given: list[str]) -> None:
    file(desk, "a.sh", "true")
    desk.trust()
    (desk.root / "old.txt").write_text("")
    commit(desk)
    (desk.root / "staged.txt").write_text("")
    git(desk.root, "add", "staged.txt")
    (desk.root / "dirty.txt").write_text("")
    (one,) = desk.jackline("check", *words, "--type", "file", "--json").data["results"]
    assert one["files"] == given


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--all-files", "--staged"), "exclude each other"),
        (("--to-ref", "HEAD"), "--to-ref needs --from-ref"),
        (("--from-ref", "nope"), "'nope' is no commit here"),
        (("--from-ref=--output=x",), "is no commit here"),
        (("--type", "event"), "expected one of session, file, pre-commit"),
        (("--files",), "--files needs names of files"),
        (("--trust", "x", "--as-checked-out"), "exclude each other"),
    ],
)
def test_wrong_use_of_check(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.jackline("check", *words, code=2).err


def test_without_a_repository_files_are_named_or_all(desk: Desk) -> None:
    file(desk, "a.sh", "true")
    (desk.root / "x.txt").write_text("")
    shutil.rmtree(desk.root / ".git")
    desk.trust()
    assert "no git repository here" in desk.jackline("check", "--staged", code=2).err
    for words in (("--all-files",), ("--files", "x.txt"), ()):
        (one,) = desk.jackline("check", *words, "--json").data["results"]
        assert one["files"] == ["x.txt"]


def test_help_shows_examples(desk: Desk) -> None:
    for words in (("scripts",), ("scripts", "new"), ("check",)):
        assert "Example" in desk.jackline(*words, "--help").out


def test_the_commands_start_without_a_terminal_or_input(desk: Desk) -> None:
    done = subprocess.run(desk.command("scripts"), cwd=desk.root, env=desk.env, stdin=subprocess.DEVNULL, check=True)
    assert done.returncode == 0


def test_a_script_can_be_paused(desk: Desk) -> None:
    script(desk, "s.sh", "touch ran", "type: session")
    desk.trust()
    desk.jackline("pause", "s", "--yes")
    desk.begin()
    assert not (desk.root / "ran").exists()
    assert "did you mean s?" in desk.jackline("pause", "ss", "--yes", code=2).err
