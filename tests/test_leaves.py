"""What the texts in the input of an unknown tool may mean, and which paths are plainly the project's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline import leaves as module
from jackline import sensitive
from jackline.leaves import Leaf, leaves
from jackline.model import Event
from jackline.paths import plain
from jackline.shell.programs import HOMES, is_program
from jackline.shell.wrappers import WRAPPERS


def found(given: dict[str, Any], root: Path | str = "/srv/p", tool: str = "box/x") -> list[tuple[str, str]]:
    event = Event("PreToolUse", tool=tool, kind="mcp", input=given, root=str(root), cwd=str(root), home="/home/u")
    return [(one.kind, one.text) for one in leaves(event)]


@pytest.mark.parametrize(
    "given",
    [
        {"text": "x"},
        {"query": "how to make tea", "limit": 5, "on": True, "nothing": None, "tags": ["a", "b"]},
        {"path": "src/app.py", "paths": ["/srv/p/README.md", "./docs"]},
        {"url": "https://example.org/etc/passwd"},
        {"path": "src/run.sh", "content": "set -e\nrm -rf ~\n"},
    ],
)
def test_what_is_plain_is_left_out(given: dict[str, Any]) -> None:
    assert [one for one in found(given) if one[0] == "path"] == []
    assert [one for one in found(given) if "~" in one[1]] == []


@pytest.mark.parametrize(
    ("given", "leaf"),
    [
        ({"x": "~/.ssh/id_rsa"}, ("path", "/home/u/.ssh/id_rsa")),
        ({"x": "../q/.env"}, ("path", "/srv/q/.env")),
        ({"x": "file:///home/u/.s%73h/id_rsa"}, ("path", "/home/u/.ssh/id_rsa")),
        ({"x": "git:///home/u/.netrc"}, ("path", "/home/u/.netrc")),
        ({"x": "id_rsa"}, ("path", "/srv/p/id_rsa")),
        ({"~/.bashrc": "x"}, ("path", "/home/u/.bashrc")),
        ({"x": "*** Begin Patch\n*** Delete File: .git/hooks/x\n*** End Patch"}, ("path", "/srv/p/.git/hooks/x")),
        ({"x": json.dumps([{"y": json.dumps({"z": "/etc/cron.d/x"})}])}, ("path", "/etc/cron.d/x")),
        ({"command": "frobnicate 'x"}, ("command", "frobnicate 'x")),
        ({"preCommand": "reboot"}, ("command", "reboot")),
        ({"x": "X=1 rm a"}, ("text", "X=1 rm a")),
        ({"x": "/bin/rm a"}, ("text", "/bin/rm a")),
        ({"x": ["rm", "-rf", "a b"]}, ("text", "'rm' '-rf' 'a b'")),
        ({"commands": ["ls", "reboot"]}, ("command", "reboot")),
        ({"do": "rm", "with": ["-rf", "a"]}, ("text", "rm '-rf' 'a'")),
        ({"bin": "/bin/rm", "cmdArgs": "-rf a"}, ("text", "/bin/rm -rf a")),
    ],
)
def test_what_is_worth_a_look_is_found(given: dict[str, Any], leaf: tuple[str, str]) -> None:
    assert leaf in found(given)


def test_the_words_of_one_command_are_no_commands() -> None:
    assert found({"argv": ["cat", "src/app.py"]}) == [("text", "'cat' 'src/app.py'")]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "notes").symlink_to("/home/u/.bashrc")
    assert found({"x": "notes"}, tmp_path) == [("path", "/home/u/.bashrc")]
    assert found({"x": "nowhere"}, tmp_path) == []


def test_the_language_stands_in_the_key_beside_it_or_in_the_tools_name() -> None:
    def languages(given: dict[str, Any], tool: str) -> set[str]:
        event = Event("PreToolUse", tool=tool, kind="mcp", input=given, root="/srv/p")
        return {one.language for one in leaves(event)}

    assert languages({"code": "x = 1\ny = 2", "language": "python"}, "box/x") == {"python"}
    assert languages({"x": "y = 2"}, "box/execute_python") == {"python"}
    assert languages({"runScript": "Remove-Item x", "shell": "powershell"}, "box/x") == {"powershell"}
    assert languages({"code": "x = 1"}, "box/x") == {""}


def test_what_is_too_much_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody hides a command behind ten thousand others."""
    monkeypatch.setattr(module, "MOST", 10)
    assert ("more", "more than 10 texts") in found({"x": ["a"] * 11})
    deep: Any = "rm -rf ~"
    for _ in range(module.DEEPEST + 1):
        deep = [deep]
    assert found({"x": deep}) == [("more", f"more than {module.DEEPEST} levels")]


def test_leaves_are_read_once() -> None:
    event = Event("PreToolUse", tool="x", kind="other", input={"x": "/etc/shadow"}, root="/srv/p")
    first = leaves(event)
    assert first == (Leaf("path", "/etc/shadow"),)
    assert leaves(event) is first


def _names(names: str) -> list[str]:
    return [one.replace("*", "x") for one in names.split()]


@pytest.mark.parametrize("look", [True, False])
def test_no_place_that_is_dear_is_plain(look: bool) -> None:
    """The short look at a path is sound: what the owner of such places calls so goes further, wherever it lies."""
    home = "/home/u"
    for name in _names(sensitive.NAMES):
        for path in (name, f"src/{name}", f"{home}/{name}", f"{home}/p/{name}"):
            assert not plain(path, look=look), path
    places = [*sensitive.PLACES, *sensitive.MEANING]
    for place in places:
        for path in (f"{home}/{place}/x", f"/{place}/x", f"/Users/u/{place}"):
            changes = not look
            if sensitive.place_of(path, home, changes=changes):
                assert not plain(path, look=look), path


def test_every_program_and_wrapper_is_known_by_its_name_alone() -> None:
    assert [name for name in (*HOMES, *WRAPPERS, "python3.12", "mkfs.ext4") if not is_program(name.split()[0])] == []
    assert [name for name in ("", "the", "x y", "rm git", "Rm") if is_program(name)] == []


@pytest.mark.parametrize(
    ("value", "told"), [("TerminateInstances", True), ("Remove the unused import", False), ("Removed", False)]
)
def test_an_act_of_a_service_is_one_word(value: str, told: bool) -> None:
    """What people write begins with the same verbs."""
    assert (("verb", "delete") in found({"action": value})) is told
