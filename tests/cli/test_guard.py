"""`jackline guard`: what it says, as data and explained; allowances are a person's, with a reason and a last day."""

from __future__ import annotations

import json
import os
import pty
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

from .conftest import SRC, Desk

CLEAN = ("git.clean", "--command", "git clean -fd build*", "--reason", "made by the tests")


def judged(desk: Desk, *commands: str) -> list[dict[str, object]]:
    rows = "".join(json.dumps({"command": one}) + "\n" for one in commands)
    done = desk.jackline("guard", "check", "--jsonl", stdin=rows.encode())
    return [json.loads(line) for line in done.out.splitlines()]


def test_an_allowance_lets_one_command_pass_and_is_taken_back(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code", "--yes")
    before = [one["decision"] for one in judged(desk, "git clean -fd src", "git clean -fd", "git reset --hard")]
    assert before == ["ask", "ask", "ask"]
    words = ("guard", "allow", "git.clean", "--command", "git clean -fd src", "--reason", "generated")
    made = desk.jackline(*words, "--yes", "--json").data
    assert [(one["rule"], one["command"], one["reason"]) for one in made] == [
        ("git.clean", "git clean -fd src", "generated")
    ]
    assert made[0]["until"]
    desk.jackline("compile")
    after = [one["decision"] for one in judged(desk, "git clean -fd src", "git clean -fd", "git reset --hard")]
    assert after == ["allow", "ask", "ask"]
    assert json.loads((desk.store / "authority.jsonl").read_text().splitlines()[-1])["kind"] == "GUARD_ALLOW"
    assert desk.jackline("guard", "allow", "git.clean", "--remove", "--json").data == []
    desk.jackline("compile")
    assert judged(desk, "git clean -fd src")[0]["decision"] == "ask"


def test_what_else_stands_in_the_configuration_stays(desk: Desk) -> None:
    place = desk.home / ".config/jackline/config.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text('{\n  // mine\n  "graph-pretooluse": {"action": "warn"}\n}\n')
    desk.jackline("guard", "allow", *CLEAN, "--yes")
    assert "// mine" in place.read_text() and '"action": "warn"' in place.read_text()
    words = ("guard", "allow", "git.stash", "--command", "git stash drop", "--reason", "x")
    desk.jackline(*words, "--until", "2099-01-01", "--yes")
    said = desk.jackline("guard", "allow", "--list").out
    assert "git.clean" in said and "git.stash" in said and "2099-01-01" in said
    desk.jackline("guard", "allow", "git.clean", "--remove")
    desk.jackline("guard", "allow", "git.stash", "--remove")
    assert "// mine" in place.read_text()
    assert desk.jackline("guard", "allow", "--list").out == "Nothing is allowed.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("git.claen", "--command", "x", "--reason", "y", "--yes"), "did you mean git.clean?"),
        (("git.clean", "--reason", "y", "--yes"), "--command"),
        (("git.clean", "--command", "x", "--yes"), "--reason"),
        (("git.clean", "--command", "x", "--reason", "  ", "--yes"), "--reason"),
        (("git.clean", "--command", "x", "--reason", "y", "--until", "soon", "--yes"), "--until"),
        ((), "name a rule"),
        ((*CLEAN,), "--yes"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_written(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.jackline("guard", "allow", *words, code=2).err
    assert not (desk.home / ".config/jackline/config.json").exists()


def test_a_person_is_asked_in_a_terminal(desk: Desk) -> None:
    done = desk.typed("guard", "allow", *CLEAN, keys=b"n\n")
    assert done.code == 1 and "nothing was changed" in done.out
    assert desk.typed("guard", "allow", *CLEAN, keys=b"y\n").code == 0
    assert desk.jackline("guard", "allow", "--list", "--json").data[0]["rule"] == "git.clean"


def test_what_is_allowed_while_a_person_thinks_stays(desk: Desk) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(desk.root)
        os.execve(sys.executable, desk.command("guard", "allow", *CLEAN), {**desk.env, "TERM": "dumb"})
    asked = b""
    while b"until" not in asked:
        asked += os.read(terminal, 4096)
    desk.jackline("guard", "allow", "git.stash", "--command", "git stash drop", "--reason", "x", "--yes")
    os.write(terminal, b"y\n")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)
    allowed = desk.jackline("guard", "allow", "--list", "--json").data
    assert [one["rule"] for one in allowed] == ["git.stash", "git.clean"]


def test_explain_and_check_agree(desk: Desk) -> None:
    told = judged(desk, "rm -rf /", "ls -la", "git push --force origin main", "(((")
    assert [one["decision"] for one in told] == ["deny", "allow", "ask", told[3]["decision"]]
    assert told[0]["rule"] == "delete.everything" and told[0]["risk"] == "critical"
    assert {"decision", "risk", "rule", "effects", "reason"} <= told[0].keys()
    said = desk.jackline("guard", "explain", "git push --force origin main", code=1).out
    assert "push.force" in said and "ask" in said


def test_what_passes_because_its_pack_is_off_names_the_pack(desk: Desk) -> None:
    said = desk.jackline("guard", "explain", "kubectl delete pod x").out
    assert "kubernetes" in said and "jackline init --pack kubernetes" in said
    told = judged(desk, "kubectl delete pod x", "kubectl get pods", "kubectl delete ns x", "rm -rf / ; npm dist-tag x")
    assert [one.get("pack") for one in told] == ["kubernetes", None, None, None]
    chosen = desk.jackline("guard", "explain", "--pack", "kubernetes", "kubectl delete pod x", code=1).out
    assert "off: it would ask" not in chosen
    desk.jackline("guard", "allow", "kubernetes.delete", "--command", "kubectl *", "--reason", "x", "--yes")
    assert "off:" not in desk.jackline("guard", "explain", "--pack", "kubernetes", "kubectl delete pod x").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("git", "checkout", "--", "src"), "put all of it in quotes"),
        (("rm", "-rf", "x"), "put all of it in quotes"),
        (("-x", "ls"), "No such option '-x'"),
        (("",), "COMMAND is empty"),
        ((), "Missing argument 'COMMAND'"),
    ],
)
def test_a_command_without_quotes_is_not_explained(desk: Desk, words: tuple[str, ...], said: str) -> None:
    """The shell took `--` and everything after `&&` away: another command would be explained."""
    assert said in desk.jackline("guard", "explain", *words, code=2).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rm", "-rf", "x"), "put all of it in quotes: jackline guard check 'rm …'"),
        (("--jsnol", "ls"), "No such option '--jsnol'"),
        (("--jsonl", "ls"), "leave COMMAND out"),
        (("",), "COMMAND is empty"),
    ],
)
def test_a_command_without_quotes_is_not_judged(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.jackline("guard", "check", *words, code=2).err


def test_check_and_explain_read_as_the_shell_that_is_named(desk: Desk) -> None:
    words = ("--shell", "cmd", "echo 'a & rd /s /q C:\\Users'")
    assert json.loads(desk.jackline("guard", "check", *words, code=1).out)["decision"] != "allow"
    assert "delete" in desk.jackline("guard", "explain", *words, code=1).out
    assert json.loads(desk.jackline("guard", "check", words[2]).out)["decision"] == "allow"
    assert "'fish' is not one of" in desk.jackline("guard", "check", "--shell", "fish", "ls", code=2).err


def test_check_takes_a_command_or_an_object(desk: Desk) -> None:
    named = desk.jackline("guard", "check", "rm -rf ~", code=1).out
    given = desk.jackline("guard", "check", stdin=b'{"command": "rm -rf ~"}', code=1).out
    assert named == given and json.loads(named)["decision"] == "deny"


def test_explain_shows_no_marks_of_ours(desk: Desk) -> None:
    """Words that only the shell knows are shown as such, also where a program is named."""
    said = desk.jackline("guard", "explain", 'bash -c "$X"', code=1).out
    assert "\\x00" not in said and "code.unknown" in said


def test_what_is_no_json_is_told_with_its_place(desk: Desk) -> None:
    done = desk.jackline("guard", "check", "--jsonl", stdin=b'{"command": "ls"}\n{"command": ls}\n', code=2)
    assert json.loads(done.out.splitlines()[1])["error"] == "line 2 · no JSON: Expecting value, at character 13"


def test_each_command_of_the_family_has_an_example(desk: Desk) -> None:
    for words in (("guard",), ("guard", "check"), ("guard", "explain"), ("guard", "allow")):
        assert "jackline guard" in desk.jackline(*words, "--help").out


def test_a_guard_that_breaks_refuses(desk: Desk, tmp_path: Path) -> None:
    """Through the real door, of a package whose guard has a fault: what it would judge is refused, the rest passes."""
    copy, chosen = tmp_path / "src", tmp_path / "broken"
    shutil.copytree(SRC / "jackline", copy / "jackline", ignore=shutil.ignore_patterns("__pycache__"))
    for name, fault in FAULTS.items():
        with (copy / "jackline/features/command_guard" / f"{name}.py").open("a") as module:
            module.write(f"\n\nif open({str(chosen)!r}).read() == {name!r}:\n" + textwrap.indent(fault, "    "))
    desk.env["PYTHONPATH"] = str(copy)
    chosen.write_text("nothing")
    desk.jackline("init", "--client", "claude-code", "--yes")
    for name in FAULTS:
        chosen.write_text(name)
        assert desk.pre("ls -la").decision in ("", "allow")
        said = desk.pre("git reset --hard")
        assert said.decision == "deny", name
        assert "HOOK_INTERNAL_ERROR" in said.reason
        assert "command-guard" in said.reason
    chosen.write_text("nothing")
    assert "HOOK_INTERNAL_ERROR" not in desk.pre("git reset --hard").reason


FAULTS = {
    "judge": "def findings(*_, **__):\n    raise RuntimeError('broken')\n",
    "flows": "def credentials(*_):\n    raise KeyError('broken')\nFLOWS = (credentials,)\n",
    "places": "def lies(effect, ground):\n    return effect.nothing\nraise RecursionError('broken')\n",
}
"""What is added to a module of the guard, so that it breaks as it judges, or as it is loaded, where it is chosen."""
