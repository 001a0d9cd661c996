"""`compile`, `table`, `schema`, `eject`, `version`, `completion`: what is configured, and what it comes to."""

from __future__ import annotations

import json
import subprocess

import pytest

from jackline.cli import eject
from jackline.compiler import schemas
from jackline.compiler.registry import KNOWN
from scene import listing

from .conftest import Desk

HERE = [slug for slug, known in KNOWN.items() if known.here]


def manifest(desk: Desk, text: str) -> None:
    folder = desk.root / ".ai/hooks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dispatch.manifest.json").write_text(text)


# --- compile -------------------------------------------------------------------------------------------------------


def test_a_right_configuration_is_written(desk: Desk) -> None:
    said = desk.jackline("compile").out
    assert said.startswith(
        "hook table written · 5 features: command-guard, search-bounds, plan-scope, self-protect, session"
    )
    assert desk.table().root == str(desk.root)


def test_a_fault_names_place_and_cure_and_the_last_good_hook_table_stays(desk: Desk) -> None:
    manifest(desk, '{\n  "enforcePhases": true\n}')
    desk.jackline("compile")
    manifest(desk, '{\n  "budgets": {"PreTooluse": 300},\n  "enforcePhases": false\n}')
    done = desk.jackline("compile", code=1)
    assert ".ai/hooks/dispatch.manifest.json:2" in done.out
    assert "PreToolUse" in done.out
    assert "What was good before stays in force." in done.out
    assert desk.table().enforce_phases is True
    told = desk.jackline("compile", "--json", code=1).data
    assert [one["nearest"] for one in told["faults"]] == ["PreToolUse"]


def test_a_check_writes_nothing(desk: Desk) -> None:
    before = listing(desk.folder)
    told = desk.jackline("compile", "--check", "--json").data
    assert (told["written"], told["faults"]) == (False, [])
    assert "the configuration is right" in desk.jackline("compile", "--check").out
    assert listing(desk.folder) == before


def test_what_does_not_count_is_warned_of(desk: Desk) -> None:
    manifest(desk, '{"modules": {"nosuch": {"enabled": true}}}')
    assert "there is no feature of this name" in desk.jackline("compile").out


# --- hook table ----------------------------------------------------------------------------------------------------


def test_the_hook_table_is_shown_in_order_and_as_data(desk: Desk) -> None:
    told = desk.jackline("hooks", "--table", "--json").data
    assert told["events"]["PreToolUse"] == [
        "session",
        "self-protect",
        "graph-pretooluse",
        "command-guard",
        "planGraph-exec",
    ]
    assert told["budgets"]["PreToolUse"] == 300
    assert told["features"]["session"]["critical"] is True
    assert dict(told["skipped"])["memory-journal"] == "not yet in this version"
    said = desk.jackline("hooks", "--table").out
    assert "session → self-protect → graph-pretooluse → command-guard → planGraph-exec" in said
    assert "memory-journal" in said


def test_showing_the_hook_table_writes_nothing(desk: Desk) -> None:
    before = listing(desk.folder)
    desk.jackline("hooks", "--table")
    assert listing(desk.folder) == before


def test_the_layer_of_each_setting_is_told(desk: Desk) -> None:
    desk.manifest({"prompts": "off"})
    assert desk.jackline("hooks", "--table", "--json").data["layers"] == {"prompts": "user"}


# --- schema --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["config", "dispatch.manifest"])
def test_a_schema_is_printed_whole(desk: Desk, name: str) -> None:
    assert desk.jackline("schema", name).data == schemas.load(name)


def test_the_names_are_listed(desk: Desk) -> None:
    assert desk.jackline("schema", "--json").data == list(schemas.NAMES)
    assert all(name in desk.jackline("schema").out for name in schemas.NAMES)
    desk.jackline("schema", "nosuch", code=2)


# --- eject ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", HERE)
def test_a_copy_is_whole_and_leans_on_itself(slug: str) -> None:
    files = eject.contents(slug)
    assert "hook.py" in files
    for name, data in files.items():
        assert f"jackline.features.{slug.lower().replace('-', '_')}" not in data.decode(), name


def test_an_ejected_feature_takes_its_place_once_trusted(desk: Desk) -> None:
    desk.jackline("eject", "graph-pretooluse", code=2)
    desk.jackline("eject", "graph-pretooluse", "--yes")
    search = {"tool_name": "Grep", "tool_input": {"pattern": "x"}}
    builtin = desk.say(desk.payload("PreToolUse", **search, tool_use_id="t1")).body["hookSpecificOutput"]
    assert desk.jackline("hooks", "--table", "--json").data["features"]["graph-pretooluse"]["origin"] == "builtin"
    desk.jackline("trust", "--yes", desk.jackline("trust", "--json", code=1).data["digest"])
    assert desk.jackline("hooks", "--table", "--json").data["features"]["graph-pretooluse"]["origin"] == "project"
    again = desk.say(desk.payload("PreToolUse", **search, tool_use_id="t2")).body
    assert again["hookSpecificOutput"] == builtin
    assert "is there already" in desk.jackline("eject", "graph-pretooluse", "--yes", code=2).err


def test_only_what_is_here_can_be_ejected(desk: Desk) -> None:
    assert "did you mean session?" in desk.jackline("eject", "sesion", "--yes", code=2).err
    desk.jackline("eject", "memory-journal", "--yes", code=2)
    desk.jackline("eject", "../x", "--yes", code=2)


# --- version, completion -------------------------------------------------------------------------------------------


def test_the_version_is_told(desk: Desk) -> None:
    from jackline import __version__

    assert desk.jackline("version", "--json").data["version"] == __version__
    assert desk.jackline("--version").out == f"jackline, version {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_names_its_variable(desk: Desk, shell: str) -> None:
    assert "_JACKLINE_COMPLETE" in desk.jackline("completion", shell).out


def test_completion_offers_commands_and_options(desk: Desk) -> None:
    def offered(*words: str) -> list[str]:
        env = {
            "_JACKLINE_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["jackline", *words]),
            "COMP_CWORD": str(len(words)),
        }
        return [line.partition(",")[2] for line in desk.jackline(env=env).out.splitlines()]

    assert offered("se") == ["sessions"]
    assert "--follow" in offered("log", "--f")
    assert offered("schema", "dis") == ["dispatch.manifest"]
    assert offered("enable", "p") == ["pack", "plan"]


def test_a_completion_script_is_shell(desk: Desk) -> None:
    script = desk.jackline("completion", "bash").out
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0


def test_hook_table_of_a_trusted_feature_tells_its_origin(desk: Desk) -> None:
    desk.feature("mine", "return None", priority=5)
    desk.trust()
    told = json.loads(desk.jackline("hooks", "--table", "--json").out)
    assert told["features"]["mine"]["origin"] == "project"
    assert told["events"]["PreToolUse"].index("mine") == 2


FIRST = ["scripts", "compile", "trust", "status", "init --client claude-code"]


@pytest.mark.parametrize("installed", [False, True], ids=["nothing yet", "a store without the note"])
@pytest.mark.parametrize("first", FIRST)
def test_the_persons_layer_is_found_whichever_command_is_the_first(desk: Desk, first: str, installed: bool) -> None:
    """Where both folders of the person are elsewhere, the store has to note where the configuration is."""
    state, config = desk.folder / "state", desk.folder / "config"
    script = config / "jackline/scripts/mine.sh"
    script.parent.mkdir(parents=True)
    script.write_text("#!/bin/sh\n#---\n# events: [PreToolUse]\n# block: true\n#---\necho no >&2\nexit 2\n")
    script.chmod(0o755)
    elsewhere = {"XDG_STATE_HOME": str(state), "XDG_CONFIG_HOME": str(config)}
    if installed:
        desk.jackline("init", "--client", "claude-code", env={"XDG_STATE_HOME": str(state)})
        (state / "jackline/config").unlink()
    ran = subprocess.run(
        desk.command(*first.split()),
        env=desk.env | elsewhere,
        cwd=desk.root,
        capture_output=True,
        start_new_session=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran
    assert "mine" in desk.jackline("hooks", "PreToolUse", env=elsewhere).out
    desk.jackline("init", "--client", "claude-code", env=elsewhere)
    desk.store = state / "jackline"
    assert desk.pre("ls").decision == "deny"
    assert not (desk.home / ".config").exists()


def test_an_agent_moves_no_persons_layer(desk: Desk) -> None:
    """Its commands may note where configuration is in no store: the environment is the agent's."""
    (desk.store / "config").unlink(missing_ok=True)
    desk.env["XDG_CONFIG_HOME"] = str(desk.folder / "evil")
    assert desk.below_client("status").code in (0, 1)
    assert not (desk.store / "config").is_symlink()
    desk.jackline("status", code=1)
    assert (desk.store / "config").is_symlink()


# --- compile --check -----------------------------------------------------------------------------------------------


def test_a_check_looks_at_what_nobody_trusts_yet(desk: Desk) -> None:
    """An author asks before anybody else says yes; a machine that trusts nothing asks in continuous integration."""
    desk.feature("odd", "return (")
    done = desk.jackline("compile", "--check", code=1)
    assert done.out == (
        "✗ .ai/hooks/features/odd/hook.py:6 · expected Python, got '(' was never closed at column 12\n"
        "! .ai/hooks/features/odd (feature) is new and not trusted: it does not run · "
        "jackline trust .ai/hooks/features/odd\n"
        "1 fault\n"
    )
    [fault] = desk.jackline("compile", "--check", "--json", code=1).data["faults"]
    assert (fault["where"], fault["expected"]) == (".ai/hooks/features/odd/hook.py:6", "Python")


def test_a_fault_is_told_once(desk: Desk) -> None:
    manifest(desk, '{"modules": {"sesion": {"priority": 3}}}')
    done = desk.jackline("compile", "--check", code=1)
    assert done.out.count("modules.sesion:") == 1
    assert 'expected a feature\'s name, got "sesion" · write: "session"' in done.out
