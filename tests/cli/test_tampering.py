"""Entries taken out of a client's file by hand: every screen says so at once, every door that remains stops changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.cli.parts.tampering import OWN, SILENT
from jackline.cli.parts.verb import verbs
from jackline.install import restore
from jackline.store import authority, tamper_mark

from .conftest import Desk

WAYS = "`jackline doctor --repair` puts them back, `jackline uninstall --client claude-code` leaves them out"


@pytest.fixture
def settings(desk: Desk) -> Path:
    """Two clients, of which the first one's file is then edited by hand."""
    desk.jackline("init", "--client", "claude-code", "--client", "codex", "--no-project")
    codex(desk, "SessionStart", source="startup")
    return desk.home / ".claude/settings.json"


def codex(desk: Desk, event: str, **fields: object) -> dict[str, object]:
    return desk.say(desk.payload(event, **fields), dialect="codex").body


def change(desk: Desk, command: str = "touch x") -> str:
    """What Codex's door says of a call that changes something."""
    said = codex(desk, "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id="t1")
    inner = said.get("hookSpecificOutput", {})
    assert isinstance(inner, dict)
    return str(inner.get("permissionDecisionReason", ""))


def forget(path: Path) -> None:
    path.write_text('{"model": "opus"}')


def lose(path: Path) -> None:
    path.unlink()


def spoil(path: Path) -> None:
    path.write_text("{")


def thin(path: Path) -> None:
    given = json.loads(path.read_text())
    del given["hooks"]["PreToolUse"]
    path.write_text(json.dumps(given))


SCREENS = (
    ("status",),
    ("doctor",),
    ("log",),
    ("hooks", "Stop"),
    ("scripts",),
    ("hooks", "--table"),
    ("sessions",),
    ("trust",),
)
EDITS = {"all entries": forget, "the file": lose, "one entry": thin, "it is no JSON any more": spoil}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_every_screen_says_so_at_once_with_the_two_ways_on(
    desk: Desk, settings: Path, edit: Callable[[Path], None]
) -> None:
    edit(settings)
    for words in SCREENS:
        done = desk.jackline(*words, code=1 if words[0] in ("status", "doctor") else 0, env={"COLUMNS": "400"})
        said = done.out + done.err
        assert "TAMPERED" in said, words
        assert WAYS in said, words
        assert "~/.claude/settings.json" in said, words
    assert json.loads(desk.jackline("hooks", "--json").out)  # on stderr: data stays data


def test_commands_that_are_no_screens_are_silent(desk: Desk, settings: Path) -> None:
    forget(settings)
    assert desk.jackline("completion", "bash").err == ""
    assert set(OWN) | set(SILENT) <= set(verbs())


def test_where_nothing_was_touched_nothing_is_said(desk: Desk, settings: Path) -> None:
    settings.write_text(settings.read_text().replace("{", '{"model": "opus",', 1))
    for words in SCREENS:
        assert "TAMPERED" not in "".join(desk.jackline(*words, code=1 if words[0] == "doctor" else 0)[1:])
    assert change(desk) == ""
    assert tamper_mark.read(str(desk.store)) == ""


@pytest.mark.parametrize("edit", [forget, lose, thin])
@pytest.mark.parametrize("looked", [False, True])
def test_doors_that_remain_put_them_back_and_stop_changes(
    desk: Desk, settings: Path, edit: Callable[[Path], None], looked: bool
) -> None:
    edit(settings)
    if looked:
        desk.jackline("compile")  # a hook table stamped after the edit hides nothing
    said = change(desk)
    assert '"code":"TAMPERED"' in said
    assert WAYS in said
    assert looked or restore.check(desk.store) == []
    told = codex(desk, "UserPromptSubmit", prompt="go on")
    assert WAYS in str(told["systemMessage"])
    kinds = [one["kind"] for one in authority.read(str(desk.store))]
    assert kinds.count("TAMPERED") == 1


def test_one_way_on_puts_them_back(desk: Desk, settings: Path) -> None:
    whole = settings.read_bytes()
    settings.write_text("{}")
    desk.jackline("log")
    desk.jackline("doctor", "--repair", "--yes", code=1)
    assert json.loads(settings.read_bytes()) == json.loads(whole)
    assert change(desk) == ""
    assert desk.jackline("log").err == ""
    assert [one["kind"] for one in authority.read(str(desk.store))] == ["TAMPERED", "REPAIR"]


def into_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def into_a_broken_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


@pytest.mark.parametrize("edit", [spoil, into_a_folder, into_a_broken_link])
def test_a_file_that_cannot_be_read_is_never_told_as_put_back(
    desk: Desk, settings: Path, edit: Callable[[Path], None]
) -> None:
    edit(settings)
    said = change(desk)
    assert "could not be put back" in said and "and put back" not in said
    done = desk.jackline("doctor", "--repair", "--yes", code=1, env={"COLUMNS": "400"})
    assert f"{settings} was not put back: " in done.out
    row = authority.read(str(desk.store), "REPAIR")[0]
    assert row["data"]["left"] and not any("settings.json" in one for one in row["data"]["done"])
    assert "could not be put back" in change(desk), "what waits for a choice goes on waiting"


def test_of_two_files_the_one_that_stays_broken_is_named(desk: Desk, settings: Path) -> None:
    desk.jackline("init", "--client", "copilot-cli", "--no-project")
    lose(desk.home / ".copilot/hooks/jackline.json")
    spoil(settings)
    assert f"and put back but for {settings}" in change(desk).replace("~", str(desk.home))


@pytest.mark.parametrize("back", [False, True])
def test_the_other_way_on_leaves_them_out(desk: Desk, settings: Path, back: bool) -> None:
    forget(settings)
    desk.jackline("status", code=1)
    if back:
        assert "TAMPERED" in change(desk)
    desk.jackline("uninstall", "--client", "claude-code", "--yes")
    assert json.loads(settings.read_text()) == {"model": "opus"}
    assert change(desk) == ""
    assert desk.jackline("log").err == ""
    assert "TAMPERED" not in desk.jackline("status").out
    assert [one["kind"] for one in authority.read(str(desk.store))] == ["TAMPERED", "UNINSTALL"]


def test_a_file_of_two_clients_is_left_by_naming_both(desk: Desk) -> None:
    desk.jackline("init", "--client", "vscode", "--client", "copilot-cli", "--client", "codex", "--no-project")
    (desk.home / ".copilot/hooks/jackline.json").unlink()
    way = "jackline uninstall --client vscode --client copilot-cli"
    assert f"`{way}` leaves them out" in desk.jackline("log").err
    desk.jackline(*way.split()[1:], "--yes")
    assert desk.jackline("log").err == ""


def test_one_of_two_files_is_settled_the_other_is_not(desk: Desk, settings: Path) -> None:
    forget(settings)
    (desk.home / ".codex/hooks.json").unlink()
    said = desk.jackline("log").err
    assert WAYS in said and "`jackline uninstall --client codex` leaves them out" in said
    desk.jackline("uninstall", "--client", "claude-code", "--yes")
    said = desk.jackline("log").err
    assert "--client codex" in said and "claude-code" not in said


def test_a_mark_of_an_earlier_version_is_read(desk: Desk, settings: Path) -> None:
    (desk.store / "tampered").write_text("hook entries were changed in x, and put back")
    assert "`jackline doctor --repair` puts them back" in desk.jackline("log").err
    assert "TAMPERED" in change(desk)
    desk.jackline("uninstall", "--client", "claude-code", "--client", "codex", "--yes")
    assert tamper_mark.read(str(desk.store)) == ""
