"""`doctor` judges by what happens: the installed command is run, events are looked for."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from jackline.compiler import bundle
from jackline.install import dialect, doctor, entry, installer, installs, restore
from jackline.install.entry import Entry
from jackline.install.finding import Finding, worst
from jackline.install.hookfile import Wanted
from jackline.install.site import Site
from jackline.install.target import Target

from .test_codex import config, trusting


def diagnose(site: Site, store: Path, only: set[str] | None = None) -> list[Finding]:
    return doctor.diagnose(site.root, store, site.home, site.env, only)


def bad(found: list[Finding]) -> dict[str, str]:
    return {one.code: one.what for one in found if one.grade == "bad"}


def graded(found: list[Finding], code: str) -> list[str]:
    return [one.grade for one in found if one.code == code]


@pytest.fixture
def claude(site: Site, store: Path) -> Site:
    report = installer.enter(("claude-code",), "project", site, store)
    assert not report.faults
    return site


def send(site: Site, event: str = "PreToolUse", **fields: object) -> None:
    """One real event through the installed line."""
    groups = json.loads((site.root / ".claude/settings.json").read_text())["hooks"][event]
    payload = {"hook_event_name": event, "session_id": "s1", "cwd": str(site.root), **fields}
    line = groups[-1]["hooks"][0]["command"]
    subprocess.run(
        ["/bin/sh", "-c", line], input=json.dumps(payload).encode(), env=dict(site.env), cwd=site.root, check=True
    )


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in folder.rglob("*")
        if ".git" not in path.parts
    }


def test_every_finding_of_a_whole_installation_is_good_and_it_leaves_no_trace(claude: Site, store: Path) -> None:
    before = everything(claude.root), everything(claude.home)
    found = diagnose(claude, store)
    assert bad(found) == {}
    for code in ("store", "interpreter", "entry-point", "entries", "answer", "clocks", "drift"):
        assert graded(found, code) == ["ok"], code
    assert worst(found) == "warn"
    assert all(one.cure for one in found if one.grade != "ok")
    after = everything(claude.root), everything(claude.home)
    assert [dict(set(new.items()) ^ set(old.items())) for new, old in zip(after, before, strict=True)] == [{}, {}]


def test_the_last_event_is_that_of_the_log(claude: Site, store: Path) -> None:
    assert graded(diagnose(claude, store), "last-event") == ["warn"]
    send(claude, "SessionStart", source="startup")
    said = [one for one in diagnose(claude, store) if one.code == "last-event"]
    assert [(one.grade, one.where) for one in said] == [("ok", "claude-code")]
    assert said[0].what.endswith("seconds ago")


def test_no_store_is_one_finding(site: Site, tmp_path: Path) -> None:
    found = doctor.diagnose(site.root, tmp_path / "none", site.home, site.env)
    assert [(one.code, one.grade) for one in found] == [("store", "bad")]


def test_nothing_installed_is_red(site: Site, store: Path) -> None:
    assert bad(diagnose(site, store)) == {"installs": "nothing is installed for this project or this person"}


def test_clients_can_be_chosen(claude: Site, store: Path) -> None:
    installer.enter(("codex",), "user", claude, store)
    assert "hook-trust" in bad(diagnose(claude, store))
    assert bad(diagnose(claude, store, {"claude-code"})) == {}


def test_an_open_store_is_red(claude: Site, store: Path) -> None:
    store.chmod(0o755)
    assert "open to others" in bad(diagnose(claude, store))["store"]


def test_an_interpreter_that_is_gone_is_red_and_so_is_its_silence(claude: Site, store: Path) -> None:
    (store / "bin/python").unlink()
    (store / "bin/python").symlink_to("/nonexistent/python")
    found = bad(diagnose(claude, store))
    assert "/nonexistent/python" in found["interpreter"]
    assert "said nothing" in found["answer"]


def test_an_interpreter_of_another_installation_is_told(claude: Site, store: Path, tmp_path: Path) -> None:
    other = tmp_path / "python"
    target = os.path.realpath(store / "bin/python")
    other.write_text(f'#!/bin/sh\nexec {target} "$@"\n')
    other.chmod(0o755)
    (store / "bin/python").unlink()
    (store / "bin/python").symlink_to(other)
    assert graded(diagnose(claude, store), "interpreter") == ["warn"]


def test_a_missing_door_is_red_and_a_stale_bundle_is_told(claude: Site, store: Path) -> None:
    (store / bundle.name_of_bundle()).write_bytes(b"old")
    assert graded(diagnose(claude, store), "entry-point") == ["warn"]
    (store / "door.py").unlink()
    found = diagnose(claude, store)
    assert "door.py is gone" in bad(found)["entry-point"]
    answers = " ".join(one.what for one in found if one.code == "answer")
    assert "refuses every tool call" in answers and "said nothing" in answers and "exit code 2" in answers


def test_a_door_that_fails_is_red(claude: Site, store: Path) -> None:
    (store / "door.py").write_text("raise SystemExit(3)\n")
    answers = [one.what for one in diagnose(claude, store) if one.code == "answer"]
    assert "refuses every tool call: the entry point gave no answer" in answers[1] and "(PreToolUse in" in answers[1]
    assert "ended with exit code 3" in answers[0]


def test_entries_of_an_earlier_version_are_told_with_what_to_type(site: Site, store: Path) -> None:
    """They work as they did, and `init` makes them today's; whoever chose what a dead door means keeps it."""
    for client in ("claude-code", "codex"):
        older(site, store, client)
        told = [one for one in diagnose(site, store, {client}) if one.code == "entries"]
        assert [one.grade for one in told] == ["warn"]
        assert "lets every tool call pass" in told[0].what
        assert f"run `jackline init --client {client}`" in told[0].cure
        assert ("/hooks" in told[0].cure) == (client == "codex")
        assert restore.check(store) == [], "as installed: nothing to put back"
        report = installer.enter((client,), "user", site, store)
        assert [one.change for one in report.done] == ["changed"]
        assert [one.grade for one in diagnose(site, store, {client}) if one.code == "entries"] == ["ok"]
        installer.enter((client,), "user", site, store, fail="open")
        assert [one.change for one in installer.enter((client,), "user", site, store).done] == ["unchanged"]


def test_an_upgrade_is_led_through_codexs_trust(site: Site, store: Path) -> None:
    """Older entries that Codex trusts; then today's, which it skips until the person trusts them; then all is well."""

    def skipped() -> list[tuple[str, str]]:
        found = diagnose(site, store, {"codex"})
        return [(one.what.partition(": ")[2], one.cure) for one in found if one.code == "hook-trust" and one.cure]

    older(site, store, "codex")
    hooks = site.home / ".codex/hooks.json"
    config(site, trusting(site, hooks))
    assert skipped() == []
    report = installer.enter(("codex",), "user", site, store)
    assert ["/hooks" in line for line in report.todo] == [True]
    said = "changed since they were trusted; Codex skips them silently"
    assert skipped() == [(said, "start `codex`, type /hooks and trust what changed")]
    broken = json.loads(hooks.read_text())
    broken["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 1
    whole = hooks.read_bytes()
    hooks.write_text(json.dumps(broken))
    assert skipped() == [
        (said, "run `jackline init --client codex`, then start `codex`, type /hooks and trust what changed")
    ]
    hooks.write_bytes(whole)
    config(site, trusting(site, hooks))
    assert skipped() == []


def test_events_from_before_the_entries_were_written_show_nothing(claude: Site, store: Path) -> None:
    send(claude, "SessionStart", source="startup")
    assert graded(diagnose(claude, store), "last-event") == ["ok"]
    known = installs.load(store)
    installs.save(store, [one._replace(written=int(time.time()) + 100) for one in known])
    (said,) = [one for one in diagnose(claude, store) if one.code == "last-event"]
    assert (said.grade, said.what.partition(":")[0]) == ("warn", "no event since the entries were written")


def older(site: Site, store: Path, client: str) -> None:
    """What the version before left: its lines, and its record, which calls everybody's choice "open"."""

    def wanted(where: Target, at: Path, fail: str = "open", deadlines: object = None) -> list[Wanted]:
        spoken = dialect.of(where.dialect)
        lines = {
            event: entry.write(Entry(str(at), where.dialect, event, where.scope, "open", form=1))
            for event in spoken.events
        }
        return [Wanted(event, spoken.hook(line, 15)) for event, line in lines.items()]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(installer, "wanted", wanted)
        installer.enter((client,), "user", site, store, fail="open")


def test_a_removed_entry_is_red_and_named(claude: Site, store: Path) -> None:
    path = claude.root / ".claude/settings.json"
    given = json.loads(path.read_text())
    del given["hooks"]["PreToolUse"]
    path.write_text(json.dumps(given))
    assert bad(diagnose(claude, store)) == {"entries": f"{path}: missing: PreToolUse"}


def test_an_entry_of_another_store_that_does_not_answer_is_red(claude: Site, store: Path) -> None:
    """What stands in the file is run, not what should stand there."""
    path = claude.root / ".claude/settings.json"
    given = json.loads(path.read_text())
    line = entry.write(entry.Entry("/nonexistent/jackline", "claude-code", "Stop", "project"))
    given["hooks"]["Stop"][0]["hooks"][0]["command"] = line
    path.write_text(json.dumps(given))
    assert set(bad(diagnose(claude, store))) == {"entries", "answer"}


def test_a_limit_below_the_doors_own_is_red(claude: Site, store: Path) -> None:
    path = claude.root / ".claude/settings.json"
    given = json.loads(path.read_text())
    given["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 1
    path.write_text(json.dumps(given))
    assert "PreToolUse: the client ends the hook after 1 s" in bad(diagnose(claude, store))["clocks"]


def test_a_broken_record_is_red(claude: Site, store: Path) -> None:
    (store / "installs.json").write_text("[]")
    assert "installs.json: broken" in bad(diagnose(claude, store))["installs"]


def touch(path: Path, ahead: float) -> None:
    path.write_text("x")
    when = time.time() + ahead
    os.utime(path, (when, when))


def test_files_that_change_unseen_are_drift(claude: Site, store: Path) -> None:
    touch(claude.root / "old.txt", -100)
    assert graded(diagnose(claude, store), "drift") == ["ok"]
    touch(claude.root / "new.txt", 100)
    found = [one for one in diagnose(claude, store) if one.code == "drift"]
    assert [(one.grade, one.what) for one in found] == [
        ("bad", "DRIFT: 1 file changed, and no event was seen since the installation (new.txt)")
    ]


def test_files_that_change_after_the_last_event_may_be_a_persons(claude: Site, store: Path) -> None:
    send(claude, "SessionStart", source="startup")
    assert graded(diagnose(claude, store), "drift") == ["ok"]
    touch(claude.root / "new.txt", 100)
    assert graded(diagnose(claude, store), "drift") == ["warn"]


def test_an_old_tree_of_a_person_without_project_entries_is_only_told(site: Site, store: Path) -> None:
    installer.enter(("claude-code",), "user", site, store)
    touch(site.root / "new.txt", 100)
    assert graded(diagnose(site, store), "drift") == ["warn"]
