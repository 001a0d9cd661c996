"""`init` finds, writes, says what holds and what is left; it can be repeated, and trusts nothing it did not make."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from jackline.cli.clients import sign
from jackline.cli.parts import starter_files
from jackline.clients.grades import GUARANTEES, grades
from jackline.compiler import schemas
from jackline.install import CLIENTS
from once import sitecustomize
from scene import git, listing

from .conftest import Desk


def fresh(desk: Desk) -> Desk:
    """As on a machine that never saw Jackline."""
    import shutil

    shutil.rmtree(desk.store)
    shutil.rmtree(desk.root / ".ai")
    return desk


def test_it_installs_for_the_clients_in_use(desk: Desk) -> None:
    fresh(desk)
    (desk.home / ".claude").mkdir()
    (desk.root / ".codex").mkdir()
    told = desk.jackline("init", "--json", env={"PATH": "/nonexistent"}).data
    assert [one["client"] for one in told["clients"]] == ["claude-code", "codex"]
    assert [(one["client"], one["path"], one["change"]) for one in told["done"]] == [
        ("claude-code", f"{desk.home}/.claude/settings.json", "created"),
        ("codex", f"{desk.home}/.codex/hooks.json", "created"),
    ]
    assert told["faults"] == []
    assert told["grades"] == {"claude-code": grades("claude-code"), "codex": grades("codex")}
    assert any("/hooks" in one for one in told["todo"])
    assert told["project"]["made"] == list(starter_files.contents())
    assert (desk.store / "door.py").exists()
    answer = desk.say(desk.payload("SessionStart", source="startup"))
    assert answer.out == b"{}\n"


def test_a_person_reads_what_was_done_what_holds_and_what_is_left(desk: Desk) -> None:
    fresh(desk)
    said = desk.jackline("init", "--client", "codex", "--client", "claude-code").out
    assert "~/.codex/hooks.json" in said
    assert "created" in said
    for name in GUARANTEES:
        assert name in said
    assert "no: it becomes a denial" in said
    assert "1.  start `codex`, type /hooks and trust the 12 Jackline hooks" in said


def test_again_changes_nothing(desk: Desk) -> None:
    fresh(desk)
    desk.jackline("init", "--client", "claude-code", "--client", "vscode")
    before = listing(desk.folder)
    told = desk.jackline("init", "--client", "claude-code", "--client", "vscode", "--json").data
    assert {one["change"] for one in told["done"]} == {"unchanged"}
    assert told["project"]["made"] == []
    after = listing(desk.folder)
    compiled = [path for path in after if "/wirings/" in path]
    assert {path: one for path, one in after.items() if path not in compiled} == {
        path: one for path, one in before.items() if path not in compiled
    }


def test_a_dry_run_writes_nothing(desk: Desk) -> None:
    fresh(desk)
    before = listing(desk.folder)
    told = desk.jackline("init", "--client", "codex", "--dry-run", "--json").data
    assert told["files"] == [{"client": "codex", "path": f"{desk.home}/.codex/hooks.json", "would": "adds"}]
    assert told["project"] == list(starter_files.contents())
    assert "dispatch.manifest.json" in desk.jackline("init", "--client", "codex", "--dry-run").out
    assert listing(desk.folder) == before


NAMED = "name one: jackline init --client claude-code"
NOBODY = {"PATH": "/nonexistent", "COLUMNS": "300"}


def test_without_a_client_the_project_is_written_all_the_same(desk: Desk) -> None:
    fresh(desk)
    assert NAMED in desk.jackline("init", "--dry-run", env=NOBODY).out
    assert not (desk.root / ".ai").exists()
    said = desk.jackline("init", env=NOBODY).out
    assert NAMED in said and "only .ai/hooks/ was written" in said
    assert "Nothing is left" not in said
    assert (desk.root / ".ai/hooks/dispatch.manifest.json").exists()
    assert not desk.store.exists()
    told = desk.jackline("init", "--json", env=NOBODY).data
    assert (told["clients"], told["done"], told["faults"]) == ([], [], [])
    assert NAMED in told["todo"][0]


def test_no_client_and_no_project_is_said(desk: Desk, tmp_path: Path) -> None:
    assert NAMED in desk.jackline("init", "--no-project", code=1, env=NOBODY).err
    plain = tmp_path / "plain"
    plain.mkdir()
    assert NAMED in desk.jackline("init", code=1, env=NOBODY, cwd=plain).err


def test_what_is_left_is_said_first_and_a_client_that_failed_is_left(desk: Desk) -> None:
    fresh(desk)
    (desk.home / ".codex").mkdir()
    (desk.home / ".codex/hooks.json").write_text('{"hooks": {"Stop": 3}}')
    both = ("init", "--client", "claude-code", "--client", "codex")
    said = desk.jackline(*both, code=1, env={"COLUMNS": "200"}).out
    assert "Nothing is left" not in said
    assert said.index("Left for you") < said.index("Written") < said.index("What you can rely on")
    assert "1.  ✗ codex: " in said and "expected a list, got the int 3" in said
    told = desk.jackline(*both, "--json", code=1).data
    assert list(told["grades"]) == ["claude-code"]  # of what is not installed nothing can be relied on
    assert "expected a list" in told["todo"][0]
    alone = desk.jackline("init", "--client", "claude-code", env={"COLUMNS": "200"}).out
    assert alone.index("Nothing is left for you to do") < alone.index("Written")


def _effort(*argv: str, desk: Desk) -> float:
    """Processor time of a command and its children, in the time that a million turns of a loop take right now."""
    env = {key: value for key, value in desk.env.items() if key != sitecustomize.MADE}

    def seconds(*words: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, env=env, cwd=desk.root, check=False, capture_output=True, start_new_session=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    loop = "s = 0\nfor i in range(5_000_000): s += i"
    turns = [sys.executable, "-I", "-S", "-c", loop]
    before = seconds(*turns)
    took = seconds(*desk.command(*argv))
    return took / ((before + seconds(*turns)) / 2 / 5)


SECOND = 20
"""Such loops in a second of an idle machine of the kind that this is written on."""


def test_init_and_doctor_take_three_seconds_at_most(desk: Desk) -> None:
    fresh(desk)
    clients = ("--client", "claude-code", "--client", "codex", "--client", "vscode", "--client", "copilot-cli")
    assert _effort("init", *clients, desk=desk) < 3 * SECOND
    assert _effort("init", *clients, desk=desk) < 3 * SECOND
    assert _effort("doctor", desk=desk) < 3 * SECOND


def test_a_terminal_sees_what_is_being_done_and_nothing_of_it_stays(desk: Desk) -> None:
    fresh(desk)
    said = desk.typed("init", "--client", "codex").out
    assert "\r\x1b[Kmaking the entry point and its modules …" in said
    assert "…\r\x1b[KJackline" in said
    assert "running what codex starts at PreToolUse …" in desk.typed("doctor").out
    assert desk.jackline("init", "--client", "codex").err == ""


def test_what_it_writes_is_valid_and_names_its_schema(desk: Desk) -> None:
    fresh(desk)
    desk.jackline("init", "--client", "codex")
    hooks = desk.root / ".ai/hooks"
    for name in ("dispatch.manifest", "config"):
        written = json.loads((hooks / f"{name}.json").read_text())
        assert schemas.validate(name, written) == []
        named = hooks / written["$schema"]
        assert json.loads(named.read_text()) == schemas.load(name)
    assert desk.jackline("compile", "--check", "--json").data["digest"] == ""
    git(desk.root, "add", "-A")
    (hooks / "hooks.local.json").write_text("{}")
    assert git(desk.root, "status", "--porcelain", ".ai/hooks/hooks.local.json") == ""


def test_files_that_are_there_are_kept(desk: Desk) -> None:
    (desk.root / ".ai/hooks").mkdir()
    (desk.root / ".ai/hooks/config.json").write_text('{"session": {}}')
    told = desk.jackline("init", "--client", "codex", "--json").data
    assert told["project"]["kept"] == ["config.json"]
    assert (desk.root / ".ai/hooks/config.json").read_text() == '{"session": {}}'


@pytest.mark.parametrize("where", [".ai", ".ai/hooks", ".ai/hooks/schema"])
def test_a_link_on_the_way_is_refused(desk: Desk, tmp_path: Path, where: str) -> None:
    fresh(desk)
    target = tmp_path / "elsewhere"
    target.mkdir()
    (desk.root / where).parent.mkdir(parents=True, exist_ok=True)
    (desk.root / where).symlink_to(target)
    assert "reached through no link" in desk.jackline("init", "--client", "codex", code=1).err
    assert list(target.iterdir()) == []


def test_outside_a_repository_the_folder_is_left_alone(desk: Desk, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert desk.jackline("init", "--client", "codex", "--json", cwd=plain).data["project"] is None
    assert list(plain.iterdir()) == []


def test_a_home_under_git_is_no_project(desk: Desk) -> None:
    git(desk.home, "init", "-q")
    assert desk.jackline("init", "--client", "codex", "--json", cwd=desk.home).data["project"] is None


def test_no_project_when_told(desk: Desk) -> None:
    fresh(desk)
    desk.jackline("init", "--client", "codex", "--no-project")
    assert not (desk.root / ".ai").exists()


def test_hooks_of_a_strange_repository_stay_untrusted(desk: Desk) -> None:
    """It trusts only what it made in that run."""
    desk.feature("theirs", 'return {"decision": "deny", "reason": "theirs"}')
    told = desk.jackline("init", "--client", "codex", "--json").data
    assert any("jackline trust --diff" in one for one in told["todo"])
    assert desk.jackline("trust", "--json", code=1).data["trusted"] is False
    desk.pre("echo hi")
    assert desk.decided() == ["allow"]


def test_changing_an_entry_needs_a_persons_word(desk: Desk) -> None:
    desk.jackline("init", "--client", "codex")
    path = desk.home / ".codex/hooks.json"
    before = path.read_text()
    assert "add --yes" in desk.jackline("init", "--client", "codex", "--fail", "open", code=2).err
    assert path.read_text() == before
    desk.jackline("init", "--client", "codex", "--fail", "open", "--yes")
    assert (before.count("esac"), path.read_text().count("esac")) == (1, 0)
    assert "unchanged" in desk.jackline("init", "--client", "codex").out, "what was chosen stays without a word"


def test_missing_entries_are_added_without_a_word(desk: Desk) -> None:
    desk.jackline("init", "--client", "claude-code")
    path = desk.home / ".claude/settings.json"
    settings = json.loads(path.read_text())
    del settings["hooks"]["PreToolUse"]
    path.write_text(json.dumps(settings))
    desk.jackline("init", "--client", "claude-code")
    assert "PreToolUse" in json.loads(path.read_text())["hooks"]


def test_another_interpreter_behind_the_entries_needs_a_persons_word(desk: Desk, tmp_path: Path) -> None:
    desk.jackline("init", "--client", "codex")
    link = desk.store / "bin/python"
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    link.unlink()
    link.symlink_to(other)
    desk.jackline("init", "--client", "codex", code=2)
    desk.jackline("init", "--client", "codex", "--yes")
    assert os.path.realpath(link) != str(other)


def test_one_broken_file_keeps_no_other_client_from_its_hooks(desk: Desk) -> None:
    """It is said with its line, and left as it is."""
    (desk.home / ".claude").mkdir()
    (desk.home / ".claude/settings.json").write_text("{ not json")
    done = desk.jackline("init", "--client", "claude-code", "--client", "codex", code=1, env={"COLUMNS": "200"})
    assert "1.  ✗ claude-code: ~/.claude/settings.json:1:3 · expected a string in double quotes" in done.out
    assert (desk.home / ".codex/hooks.json").exists()
    assert (desk.home / ".claude/settings.json").read_text() == "{ not json"


def test_where_a_persons_configuration_is_is_noted_once(desk: Desk, tmp_path: Path) -> None:
    fresh(desk)
    desk.jackline("init", "--client", "codex", env={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert os.readlink(desk.store / "config") == f"{tmp_path}/config/jackline"
    desk.jackline("init", "--client", "codex", env={"XDG_CONFIG_HOME": "/elsewhere"})
    assert os.readlink(desk.store / "config") == f"{tmp_path}/config/jackline"


@pytest.mark.parametrize("client", CLIENTS)
def test_every_grade_has_a_sign(client: str) -> None:
    for name, said in grades(client).items():
        mark, _ = sign(said)
        assert (mark == "○") is said.startswith("no"), name


def held(desk: Desk, *names: str) -> Desk:
    """A fresh project that holds these files."""
    fresh(desk)
    for name in names:
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).touch()
    return desk


PACKS = {
    "infra/main.tf": {"cloud": "infra/main.tf"},
    "Dockerfile": {"kubernetes": "Dockerfile"},
    "compose.yaml": {"kubernetes": "compose.yaml"},
    "deploy/chart/Chart.yaml": {"kubernetes": "deploy/chart/Chart.yaml"},
    "db/migrations/1.sql": {"databases": "db/migrations/"},
    ".goreleaser.yaml": {"packages": ".goreleaser.yaml"},
    ".github/workflows/x.yml": {"ci": ".github/workflows/"},
    "node_modules/x/Dockerfile": {},
    "docs/terraform.md": {},
    "a/b/c/d/main.tf": {},
}


@pytest.mark.parametrize(("name", "packs"), PACKS.items(), ids=PACKS)
def test_packs_are_offered_by_what_the_project_holds(desk: Desk, name: str, packs: dict[str, str]) -> None:
    assert held(desk, name).jackline("init", "--client", "claude-code", "--json").data["packs"] == packs


def test_an_offer_is_a_line_to_type_and_changes_nothing(desk: Desk) -> None:
    held(desk, "infra/main.tf", "Dockerfile")
    said = desk.jackline("init", "--client", "claude-code", env={"COLUMNS": "200"}).out
    assert "the project holds infra/main.tf, Dockerfile" in said
    assert "jackline init --pack cloud --pack kubernetes" in said
    assert (desk.root / ".ai/hooks/config.json").read_bytes() == starter_files.contents()["config.json"]
    chosen = desk.jackline("init", "--client", "claude-code", "--pack", "cloud", "--pack", "kubernetes", "--yes").out
    assert "--pack" not in chosen


def test_a_pack_that_is_named_is_in_force_and_every_other_byte_stays(desk: Desk) -> None:
    held(desk, "main.tf").jackline("init", "--client", "claude-code", "--pack", "cloud")
    config = desk.root / ".ai/hooks/config.json"
    assert json.loads(config.read_text())["command-guard"] == {"packs": ["cloud"]}
    config.write_text('{"version":1,\n "command-guard": {"preset": "strict",   "packs": ["ci"]}}\n')
    again = ("init", "--client", "claude-code", "--pack", "cloud", "--pack", "ci")
    assert "changes .ai/hooks/config.json" in desk.jackline(*again, code=2).err
    desk.jackline(*again, "--yes")
    assert config.read_text().startswith('{"version":1,\n "command-guard": {"preset": "strict",   "packs": ')
    assert json.loads(config.read_text())["command-guard"]["packs"] == ["ci", "cloud"]
    before = config.read_bytes()
    desk.jackline(*again)
    assert config.read_bytes() == before
    asked = desk.jackline("guard", "check", "terraform apply -auto-approve", code=1).out
    assert json.loads(asked)["rule"] == "cloud.infrastructure"


def test_a_configuration_behind_a_link_is_left_alone(desk: Desk) -> None:
    held(desk, "main.tf").jackline("init", "--client", "claude-code")
    config = desk.root / ".ai/hooks/config.json"
    config.rename(desk.folder / "theirs.json")
    config.symlink_to(desk.folder / "theirs.json")
    before = (desk.folder / "theirs.json").read_bytes()
    assert "a link" in desk.jackline("init", "--client", "claude-code", "--pack", "cloud", "--yes", code=1).err
    assert (desk.folder / "theirs.json").read_bytes() == before


def test_packs_belong_to_a_project(desk: Desk) -> None:
    assert (
        "run it in the project"
        in desk.jackline("init", "--client", "codex", "--no-project", "--pack", "ci", code=2).err
    )
