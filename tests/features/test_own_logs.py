"""No search gives the model lines of our own logs, wherever it starts and however it is narrowed: with the programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scene import Scene

MARK = "needle-in-the-logs"
HERE = "needle-of-the-project"
# `make test` brings no ripgrep along, so a case that runs it is one only where a machine has it:
# what is refused before any program runs, and all that grep, find and git search, is tried everywhere.
RG = os.environ.get("JACKLINE_RG") or shutil.which("rg") or ""


@pytest.fixture
def project(scene: Scene) -> Scene:
    """A project with a file that is looked for, and a session whose log holds the same word."""
    (scene.root / "src").mkdir()
    (scene.root / "src/a.py").write_text(f"# {HERE}\n")
    (scene.root / "server.log").write_text(f"{HERE}\n")
    (scene.root / ".ai/hooks").mkdir()
    (scene.root / ".ai/hooks/note.md").write_text(f"{HERE}\n")
    scene.begin()
    scene.pre(f"echo {MARK}")
    logs = scene.root / ".ai/tmp"
    assert any(MARK in path.read_text() for path in logs.rglob("*.jsonl"))
    (logs / "dispatch.log").write_text(f"{MARK}\n")
    for place in ("f/logs/debug.log", "f/output/made.txt", "work/w001/plan/notes.md"):
        path = scene.place / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{HERE}\n" if "output" in place or "plan" in place else f"{MARK}\n")
    return scene


def outcome(project: Scene, command: str, cwd: Path | None = None) -> tuple[str, str]:
    """What became of a command at the door, and what it printed when it was run ("" where it was refused)."""
    said = project.pre(command, cwd=str(cwd or project.root))
    if said.decision in ("deny", "ask"):
        return said.decision, said.reason
    inner = said.body.get("hookSpecificOutput", {})
    changed = inner.get("updatedInput", {}).get("command", command)
    path = f"{Path(RG).parent}:/usr/bin:/bin" if RG else "/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-c", changed], cwd=cwd or project.root, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, env={"PATH": path, "HOME": str(project.home)},
    )  # fmt: skip
    assert "find:" not in done.stderr and "sage:" not in done.stderr, (changed, done.stderr)
    return changed, done.stdout


GREP = (
    "grep -r needle .", "grep -rn needle", "grep -R needle ./", "grep -rI --include='*' needle .",
    "egrep -r needle .", "grep -rh needle . --exclude-dir=.git", "grep --recursive needle .",
    "grep -d recurse needle .", "grep -rl needle .", "grep -rn needle . | head -n 20", "grep -rn -m 5 needle .",
    "cd src && grep -rn needle ..", "grep -r needle \"$PWD\"", "timeout 5 grep -rn needle .",
    "timeout -s KILL 5 grep -rn needle .", "echo . | xargs -I {} grep -rn needle {} .",
    "env A=1 nice -n 5 grep -rn needle .", "unbuffer grep -rn needle .", "if true; then grep -rn needle .; fi",
    "bash -c 'grep -rn needle .'", "for one in . ; do grep -rn needle $one; done",
    "A=$(grep -rn needle .); echo $A", "echo x | xargs grep -rn needle .",
    "grep -rn needle . > out.txt; cat out.txt", "grep -rn needle src .", "grep -rn -- needle .",
    "grep -rn needle src/..", "rgrep needle .", "grep -r needle .*", "xargs grep -r needle <<< .",
    "grep -r needle $'.'", 'grep -rn needle "${PWD}"', "grep -rn needle ../project", "grep -r needle .a*",
)  # fmt: skip
FIND = (
    "find . -type f -exec grep -n needle {} +", "find . -name '*.jsonl' -exec cat {} ';'",
    "find . -type f | xargs grep -n needle", "find . -name '*.py' -o -name '*.jsonl' -exec cat {} +",
    "find . -path ./src -prune -o -type f -print0 | xargs -0 grep needle", "find . -maxdepth 6 -type f -exec cat {} +",
    "find -type f -exec cat {} +", "find . .ai -type f -exec cat {} +", "find -L . -type f -exec cat {} +",
    "find ./ -name '*' , -type f -exec cat {} +", "find", "find . -maxdepth 3", "find . -depth -type f -exec cat {} +",
    "find . -name '*.nothing' -delete", "find src -name '*.pyc' -delete", 'find "$(pwd)" -type f -exec cat {} +',
    "find .// -type f -exec cat {} +", "find ../project -type f -exec cat {} +", "find src/.. -type f -exec cat {} +",
    "find .a* -type f -exec cat {} +", "find .ai -mindepth 2 -type f -exec cat {} +",
    "find . -mindepth 3 -type f -exec cat {} +", "find . -mindepth 2 -type f -exec cat {} +",
)  # fmt: skip
GIT = (
    "git grep needle", "git grep --untracked needle", "git grep --no-index needle", "git grep --no-index -n needle .",
    "git grep --untracked --no-exclude-standard needle", "git -C src grep --no-index needle ..",
    "git grep --no-index -e needle -- ':!src'", "git -c color.ui=never grep --no-index needle",
    "git grep --no-index needle -- src ':!src/b'",
)  # fmt: skip
INSIDE = (
    "grep -r needle .ai/tmp", "grep needle .ai/tmp/*/events.jsonl", "grep needle .ai/tmp/dispatch.log",
    "grep -rn needle .ai/tmp/", "find .ai/tmp -type f -exec cat {} +", "cd .ai/tmp && grep -rn needle .",
    "grep needle .*/*/*/*", "grep needle .a?/t*/*/*.jsonl", "grep -r needle src .ai/tmp",
    "grep -h needle .ai/../.ai/tmp/*/*", "git grep --no-index needle .ai/tmp", "cd .ai && grep -r needle tmp",
    "grep -r needle .ai/t*", "find .ai/* -type f -exec cat {} +",
    "cat a | grep -rn needle .ai/tmp", "grep -rn needle \"$PWD/.ai/tmp\"", "sudo grep -r needle .ai/tmp",
)  # fmt: skip
BELOW = (
    "grep -rn needle .ai",
    "grep -rn needle .ai/",
    "cd .ai && grep -rn needle .",
    "find .ai -type f -exec cat {} +",
)
RIPGREP = (
    "rg needle", "rg -uuu needle", "rg --no-ignore --hidden needle .", "rg -. -g '*' needle",
    "rg --hidden -g '**' needle", "rg --hidden -g '*.log' needle", "rg -g '*.jsonl' --hidden needle ./",
    "rg -uu needle | head -n 5", "rg -u -. needle .ai", "rg -uuu -- needle", "rg -uuu needle .ai/hooks .",
    "rg --no-ignore-vcs --hidden needle", "rg -uuu -l needle", "rg --files --hidden --no-ignore",
    "cd src && rg -uuu needle ..",
)  # fmt: skip
INSIDE_RG = ("rg needle .ai/tmp", "rg -g '*.jsonl' needle .ai/tmp/*", "rg needle .ai/tmp/*/events.jsonl")


@pytest.mark.parametrize("command", [*GREP, *FIND, *GIT, *BELOW, *(RIPGREP if RG else ())])
def test_a_search_of_the_project_gives_none_of_them(project: Scene, command: str) -> None:
    changed, said = outcome(project, command)
    assert MARK not in said, changed
    assert "events.jsonl" not in said, changed


@pytest.mark.parametrize("command", [*GREP[:3], FIND[0], FIND[4], FIND[7], GIT[2], *BELOW])
def test_and_still_finds_what_is_the_project_s(project: Scene, command: str) -> None:
    changed, said = outcome(project, command)
    assert HERE in said, (changed, said)


@pytest.mark.parametrize("command", [*INSIDE, *INSIDE_RG])
def test_a_search_that_is_sent_there_is_refused(project: Scene, command: str) -> None:
    decided, said = outcome(project, command)
    assert decided in ("deny", "ask"), (decided, said)


@pytest.mark.parametrize(
    "command", ["grep -rn needle .", "grep needle *", "find . -type f -exec cat {} +", "rg needle"]
)
@pytest.mark.parametrize("below", ["", "*"])
def test_one_that_starts_there_is_refused(project: Scene, command: str, below: str) -> None:
    folder = project.place if below else project.root / ".ai/tmp"
    decided, _ = outcome(project, command, folder)
    if command == "grep needle *":
        assert decided == "deny"
    assert decided == "deny"


@pytest.mark.parametrize("command", ["grep -rn needle .ai/tmp/*/work", "grep needle .ai/tmp/{}/f/output/made.txt"])
def test_what_agents_leave_there_is_theirs(project: Scene, command: str) -> None:
    _, said = outcome(project, command.replace("*", project.place.name).format(project.place.name))
    assert HERE in said


@pytest.mark.parametrize("command", ["grep -rn needle $'.'", "find . -type f # all", "grep -r needle . <<< x"])
def test_where_a_rewrite_may_not_be_made_the_search_waits(project: Scene, command: str) -> None:
    """What the rules of rewriting do not let through is proposed, and passes once it is said so."""
    said = project.pre(command)
    assert said.decision == "deny"
    proposed = said.reason.partition("\nrun ")[2].partition("\n")[0]
    assert project.pre(proposed).decision == "", proposed


def test_a_search_that_only_is_warned_of_is_kept_out_too(project: Scene) -> None:
    folder = project.home / ".config/jackline"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"graph-pretooluse": {"action": "warn"}}))
    changed, said = outcome(project, "grep -rn needle .")
    assert (changed, MARK in said, HERE in said) == ("grep --exclude-dir=.ai -rn needle .", False, True)
    assert outcome(project, "grep -r needle .ai/tmp")[0] == "deny"


@pytest.mark.parametrize("command", ["find . -name '*.py' -exec black {} +", "find . -name '*.py' | xargs black"])
def test_what_keeps_a_search_out_is_no_reason_to_ask(project: Scene, command: str) -> None:
    said = project.pre(command)
    assert (said.decision, said.reason) == ("", "")
    assert ".ai/tmp" in said.body["hookSpecificOutput"]["updatedInput"]["command"]


def test_a_guard_that_says_the_same_of_the_narrowed_search_is_heard_once(project: Scene) -> None:
    project.pre("find . -name a.json -exec rm {} +")
    row = project.rows("TOOL_DECISION")[-1]
    assert row["by"] == ["command-guard"]
    assert row["reason"].count("delete.project") == 1


PLAIN = (
    "grep needle src/a.py",
    "grep -rn needle src",
    "rg needle src",
    "find src -name '*.py'",
    "grep 'a.*b' src/a.py",
)


@pytest.mark.parametrize("command", PLAIN)
def test_a_search_elsewhere_is_left_as_it_is(project: Scene, command: str) -> None:
    assert project.pre(command).body == {}


NATIVE = {
    "path": ({"path": ".ai/tmp"}, True),
    "a session": ({"path": ".ai/tmp/12345678"}, True),
    "a log": ({"path": ".ai/tmp/dispatch.log"}, True),
    "glob into it": ({"glob": ".ai/tmp/**/*.jsonl"}, True),
    "glob of everything": ({"glob": "**", "head_limit": 5}, True),
    "glob of every name": ({"glob": "*", "head_limit": 5}, True),
    "glob of logs": ({"glob": "*.log", "head_limit": 5}, True),
    "two globs": ({"glob": "*.py,*.log", "head_limit": 5}, True),
    "path and glob": ({"path": ".ai", "glob": "**/*.jsonl"}, False),
    "its own kind of file": ({"glob": "*.py", "head_limit": 5}, False),
    "a folder": ({"path": "src"}, False),
    "a folder with everything": ({"path": "src", "glob": "**/*"}, False),
    "everything": ({"head_limit": 5}, False),
    "all but": ({"glob": "!*.log", "head_limit": 5}, False),
}


@pytest.mark.parametrize(("given", "refused"), NATIVE.values(), ids=NATIVE)
def test_a_clients_own_search_is_kept_out(project: Scene, given: dict[str, object], refused: bool) -> None:
    said = project.say(
        project.tool(tool_name="Grep", tool_input={"pattern": "needle", "output_mode": "content"} | given)
    )
    assert (said.decision == "deny") is refused, said.body
    if refused:
        assert "own logs" in said.reason


if RG:

    @pytest.mark.parametrize(("given", "refused"), NATIVE.values(), ids=NATIVE)
    def test_what_passes_finds_none_of_them(project: Scene, given: dict[str, object], refused: bool) -> None:
        """As Claude Code runs it: hidden files too, globs as they are given."""
        globs = [word for one in str(given.get("glob", "")).replace(",", " ").split() for word in ("--glob", one)]
        where = [str(given["path"])] if "path" in given else []
        done = subprocess.run(
            [RG, "--hidden", *globs, "needle", *where], cwd=project.root, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert refused or MARK not in done.stdout

    def test_where_there_is_no_git_ignore_files_keep_ripgrep_out(project: Scene) -> None:
        shutil.rmtree(project.root / ".git")
        done = subprocess.run(
            [RG, "--hidden", "needle", "."], cwd=project.root, capture_output=True, text=True, check=False
        )
        assert HERE in done.stdout and MARK not in done.stdout
