"""Installing into files that people have: what we add goes again, what others wrote stays."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jackline
from jackline.install import entry, files, installer, installs
from jackline.install.fault import InstallError
from jackline.install.installer import Report
from jackline.install.site import Site
from jackline.install.target import write
from once import sitecustomize

from .test_jsontext import SHAPES

FOREIGN = {"hooks": [{"type": "command", "command": "echo foreign"}]}
SETTINGS = {
    **SHAPES,
    "empty object": "{}",
    "spaced object": "{ }\n",
    "empty file": "",
    "blank lines only": "\n\n",
    "only a comment": "{\n  // nothing yet\n}\n",
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "empty list": '{"hooks": {"PreToolUse": []}}',
    "foreign hooks": json.dumps(
        {"hooks": {"PreToolUse": [FOREIGN], "Stop": [FOREIGN, FOREIGN]}, "model": "opus"}, indent=2
    ),
    "foreign hooks, tabs": json.dumps({"env": {"A": "1"}, "hooks": {"PreToolUse": [FOREIGN]}}, indent="\t") + "\n",
    "foreign with matcher": '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}]}}',
    "bom": '\ufeff{\n  "model": "opus"\n}\n',
    "unicode": '{\n  "name": "Jürgen \\u00e9 🧭"\n}\n',
}
CLIENT_FILES = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}


def init(site: Site, store: Path, *clients: str, scope: str = "project", **options: Any) -> Report:
    report = installer.enter(clients or ("claude-code",), scope, site, store, **options)
    assert not report.faults, report.faults
    return report


def uninstall(site: Site, store: Path) -> Report:
    report = installer.uninstall(site, store)
    assert not report.faults, report.faults
    return report


def tree(folder: Path) -> dict[str, bytes | str]:
    """Everything in a folder, git's own apart."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        if ".git" not in path.parts:
            name = str(path.relative_to(folder))
            found[name] = str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else "dir"
    return found


def commands(path: Path, event: str) -> list[str]:
    found = json.loads(path.read_text())["hooks"][event]
    return [hook.get("command", hook.get("bash")) for group in found for hook in group.get("hooks", [group])]


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_uninstall_gives_back_the_file_to_the_byte(site: Site, store: Path, client: str, text: str) -> None:
    path = site.root / CLIENT_FILES[client]
    path.parent.mkdir()
    path.write_bytes(text.encode())
    before = tree(site.root)
    report = init(site, store, client)
    assert [done.change for done in report.done] == ["changed"]
    installed = files.read(path)
    assert installed is not None and installed != text.encode()
    assert [done.change for done in init(site, store, client).done] == ["unchanged"]
    assert files.read(path) == installed
    uninstall(site, store)
    assert tree(site.root) == before
    assert installs.load(store) == []


def test_uninstall_removes_files_and_folders_that_were_made(site: Site, store: Path) -> None:
    before = tree(site.root), tree(site.home / ".config")
    report = init(site, store, "claude-code", "codex", "vscode", "copilot-cli")
    assert [done.change for done in report.done] == ["created"] * 3
    init(site, store, "claude-code", scope="local")
    assert sorted(tree(site.root)) == [
        ".claude",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex",
        ".codex/hooks.json",
        ".github",
        ".github/hooks",
        ".github/hooks/jackline.json",
    ]
    uninstall(site, store)
    assert (tree(site.root), tree(site.home / ".config")) == before


def test_a_folder_that_others_use_stays(site: Site, store: Path) -> None:
    init(site, store, "copilot-cli")
    (site.root / ".github/workflow.yml").write_text("x")
    uninstall(site, store)
    assert tree(site.root) == {".github": "dir", ".github/workflow.yml": b"x"}


def test_ours_is_the_last_entry_of_every_event(site: Site, store: Path) -> None:
    """Appended last: what Codex trusts by position keeps its position."""
    path = site.root / ".codex/hooks.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"hooks": {"PreToolUse": [FOREIGN, FOREIGN]}}))
    init(site, store, "codex")
    assert commands(path, "PreToolUse")[:2] == ["echo foreign"] * 2
    assert entry.read(commands(path, "PreToolUse")[2]) == entry.Entry("", "codex", "PreToolUse", "project")


def test_entries_carry_no_key_that_other_clients_choke_on(site: Site, store: Path) -> None:
    """Never `args`, `matcher` or `http`, and one spelling of every event (measured contracts, 7.1)."""
    init(site, store, "claude-code", "codex", "vscode")
    for name, allowed in (
        (".claude/settings.json", {"type", "command", "timeout"}),
        (".codex/hooks.json", {"type", "command", "timeout"}),
        (".github/hooks/jackline.json", {"type", "bash", "timeoutSec"}),
    ):
        given = json.loads((site.root / name).read_text())
        assert set(given) <= {"hooks", "version"}
        for event, groups in given["hooks"].items():
            assert event[0].isupper()
            for group in groups:
                hooks = group["hooks"] if name != ".github/hooks/jackline.json" else [group]
                assert (len(hooks), set(hooks[0]), hooks[0]["type"]) == (1, allowed, "command")
                assert name == ".github/hooks/jackline.json" or set(group) == {"hooks"}


def test_what_others_changed_meanwhile_survives_uninstall(site: Site, store: Path) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{\n  // mine\n  "model": "opus"\n}\n')
    init(site, store)
    text = path.read_text().replace('"model": "opus"', '"model": "sonnet", "x": 1')
    assert text != path.read_text()
    path.write_text(text)
    assert [done.change for done in init(site, store).done] == ["unchanged"]
    uninstall(site, store)
    assert path.read_text() == '{\n  // mine\n  "model": "sonnet", "x": 1\n}\n'


def test_a_client_that_rewrote_the_whole_file_keeps_its_own(site: Site, store: Path) -> None:
    """Claude Code writes its settings anew when a person answers "always allow"."""
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{ "hooks": {"Stop": [' + json.dumps(FOREIGN) + "]}}")
    init(site, store)
    given = json.loads(path.read_text())
    given["permissions"] = {"allow": ["Bash(ls)"]}
    given["hooks"]["Stop"].append(FOREIGN)
    path.write_text(json.dumps(given, indent=2))
    uninstall(site, store)
    rest = {"hooks": {"Stop": [FOREIGN, FOREIGN]}, "permissions": {"allow": ["Bash(ls)"]}}
    assert path.read_text() == json.dumps(rest, indent=2)


def test_a_file_that_was_made_for_us_and_used_by_others_stays_with_theirs(site: Site, store: Path) -> None:
    init(site, store)
    path = site.root / ".claude/settings.json"
    given = json.loads(path.read_text())
    path.write_text(json.dumps({"model": "opus", **given}, indent=2) + "\n")
    uninstall(site, store)
    assert path.read_text() == '{\n  "model": "opus"\n}\n'


def test_a_file_that_was_made_for_us_and_only_reformatted_goes(site: Site, store: Path) -> None:
    init(site, store, "claude-code", "copilot-cli")
    for name in (".claude/settings.json", ".github/hooks/jackline.json"):
        path = site.root / name
        path.write_text(json.dumps(json.loads(path.read_text())))
    uninstall(site, store)
    assert tree(site.root) == {}


def test_an_entry_moved_into_anothers_group_is_taken_from_there(site: Site, store: Path) -> None:
    init(site, store)
    path = site.root / ".claude/settings.json"
    given = json.loads(path.read_text())
    given["hooks"]["Stop"][0]["hooks"].insert(0, FOREIGN["hooks"][0])
    path.write_text(json.dumps(given, indent=2))
    uninstall(site, store)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [FOREIGN]}}


def test_lost_records_do_not_keep_us_from_knowing_our_entries(site: Site, store: Path) -> None:
    """A committed file, or a store that was thrown away: entries are known by what they are."""
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{\n  "hooks": {\n    "Stop": [' + json.dumps(FOREIGN) + "]\n  }\n}\n")
    original = path.read_text()
    init(site, store, "claude-code", "copilot-cli")
    (store / "installs.json").unlink()
    report = init(site, store, "claude-code", "copilot-cli")
    assert [done.change for done in report.done] == ["unchanged", "unchanged"]
    uninstall(site, store)
    assert path.read_text() == original
    assert not (site.root / ".github").exists() or not (site.root / ".github/hooks/jackline.json").exists()


def test_stale_entries_are_mended_where_they_stand(site: Site, store: Path) -> None:
    """Another store's line, a double, an event we do not register any more; the foreign one keeps its place."""
    path = site.root / ".codex/hooks.json"
    path.parent.mkdir()
    old = entry.write(entry.Entry("/old/jackline", "codex", "PreToolUse"))
    gone = entry.write(entry.Entry("/old/jackline", "codex", "PreModelRequest"))
    group = {"hooks": [{"type": "command", "command": old, "timeout": 7}]}
    hooks = {
        "PreToolUse": [FOREIGN, group, FOREIGN, group],
        "PreModelRequest": [{"hooks": [{"type": "command", "command": gone}]}],
    }
    path.write_text(json.dumps({"hooks": hooks}, indent=2))
    init(site, store, "codex")
    ours = entry.write(entry.Entry("", "codex", "PreToolUse", "project"))
    assert commands(path, "PreToolUse") == ["echo foreign", ours, "echo foreign"]
    assert "PreModelRequest" not in json.loads(path.read_text())["hooks"]
    uninstall(site, store)
    assert json.loads(path.read_text()) == {"hooks": {"PreToolUse": [FOREIGN, FOREIGN]}}


def test_a_change_of_mode_changes_the_entries_and_is_undone_as_well(site: Site, store: Path) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{ "model": "opus" }')
    init(site, store)
    (closed,) = commands(path, "PreToolUse")
    assert [done.change for done in init(site, store, fail="open").done] == ["changed"]
    (line,) = commands(path, "PreToolUse")
    assert (entry.DENIALS["claude-code"] in closed, entry.DENIALS["claude-code"] in line) == (True, False)
    assert [done.change for done in init(site, store, fail="").done] == ["unchanged"], "what was chosen stays"
    uninstall(site, store)
    assert path.read_text() == '{ "model": "opus" }'


BROKEN = {
    "cut off": '{"hooks": {',
    "hooks is a list": '{"hooks": [1]}',
    "hooks is a number": '{"hooks": 3}',
    "event is an object": '{"hooks": {"PreToolUse": {"a": 1}}}',
    "a list": "[]",
    "a string": '"x"',
    "yaml": "hooks:\n  - a\n",
    "utf-16": '{"a": 1}'.encode("utf-16").decode("latin-1"),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_and_left_alone_and_the_others_are_done(site: Site, store: Path, text: str) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    report = installer.enter(("claude-code", "codex"), "project", site, store)
    assert path.read_bytes() == text.encode("latin-1")
    assert [fault.where.partition(":")[0] for fault in report.faults] == [str(path)]
    assert all((fault.what and fault.cure) for fault in report.faults)
    assert [(done.client, done.change) for done in report.done] == [("codex", "created")]
    assert [one.client for one in installs.load(store)] == ["codex"]


def test_a_read_only_file_is_refused_and_left_alone(site: Site, store: Path) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    path.chmod(0o444)
    report = installer.enter(("claude-code",), "project", site, store)
    assert [(fault.what, "chmod u+w" in fault.cure) for fault in report.faults] == [("read-only", True)]
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("{}", 0o444)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_mode(site: Site, store: Path, mode: int) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    path.chmod(mode)
    init(site, store)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    uninstall(site, store)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_stays_a_link(site: Site, store: Path) -> None:
    """Dotfiles managers link settings into a repository of their own: we write through."""
    real = site.home / "dotfiles/claude.json"
    real.parent.mkdir()
    real.write_text('{"model": "opus"}')
    path = site.home / ".claude/settings.json"
    path.parent.mkdir()
    path.symlink_to("../dotfiles/claude.json")
    init(site, store, scope="user")
    assert path.is_symlink() and not real.is_symlink()
    assert len(commands(real, "PreToolUse")) == 1
    uninstall(site, store)
    assert (path.is_symlink(), real.read_text()) == (True, '{"model": "opus"}')


def test_a_dangling_link_is_refused(site: Site, store: Path) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.symlink_to("/nonexistent/settings.json")
    report = installer.enter(("claude-code",), "project", site, store)
    assert [fault.what for fault in report.faults] == ["a link to /nonexistent/settings.json, which is not there"]


def test_a_file_of_ours_that_became_a_link_is_not_deleted(site: Site, store: Path) -> None:
    init(site, store, scope="user")
    path, real = site.home / ".claude/settings.json", site.home / "kept.json"
    path.rename(real)
    path.symlink_to(real)
    uninstall(site, store)
    assert (path.is_symlink(), real.read_text()) == (True, "{}\n")


def test_a_file_with_two_names_keeps_both(site: Site, store: Path) -> None:
    path, other = site.root / ".claude/settings.json", site.root / "other.json"
    path.parent.mkdir()
    other.write_text("{}")
    os.link(other, path)
    init(site, store)
    assert other.read_text() == path.read_text() != "{}"
    uninstall(site, store)
    assert (other.read_text(), path.read_text(), path.stat().st_nlink) == ("{}", "{}", 2)


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_what_is_no_file_is_refused(site: Site, store: Path, kind: str) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    report = installer.enter(("claude-code",), "project", site, store)
    assert [fault.where for fault in report.faults] == [str(path)]


def test_a_deleted_file_is_nothing_to_uninstall(site: Site, store: Path) -> None:
    init(site, store)
    (site.root / ".claude/settings.json").unlink()
    assert [done.change for done in uninstall(site, store).done] == ["absent"]
    assert installs.load(store) == []


def test_the_store_keeps_no_copy_of_a_persons_settings(site: Site, store: Path) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"env": {"API_KEY": "sekret-value"}}')
    init(site, store)
    assert "sekret-value" not in (store / "installs.json").read_text()
    assert stat.S_IMODE((store / "installs.json").stat().st_mode) == 0o600


def test_two_inits_at_once_leave_one_entry_each(site: Site, store: Path, made_bundle: Path) -> None:
    code = (
        "import sys, json\nfrom pathlib import Path\nfrom jackline.install import installer\n"
        "from jackline.install.site import Site\n"
        "env = json.loads(sys.argv[2])\n"
        "report = installer.init((sys.argv[4],), 'project', Site(Path(sys.argv[1]), env), Path(sys.argv[3]))\n"
        "sys.exit(len(report.faults))\n"
    )
    words = [sys.executable, "-c", code, str(site.root), json.dumps(dict(site.env)), str(store)]
    paths = (Path(jackline.__file__).parent.parent, Path(sitecustomize.__file__).parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), sitecustomize.MADE: str(made_bundle)}
    clients = ("claude-code", "codex", "vscode", "claude-code")
    children = [subprocess.Popen([*words, client], env=env) for client in clients]
    assert [child.wait(60) for child in children] == [0, 0, 0, 0]
    assert [one.client for one in installs.load(store)] == ["claude-code", "codex", "vscode"]
    assert len(commands(site.root / ".claude/settings.json", "PreToolUse")) == 1
    uninstall(site, store)
    assert tree(site.root) == {}


def test_a_broken_record_is_refused_with_its_cure(site: Site, store: Path) -> None:
    (store / "installs.json").write_text("{")
    with pytest.raises(InstallError, match=r"installs\.json · broken · mv "):
        installer.uninstall(site, store)
    (store / "installs.json").write_text('{"v": 99, "installs": []}')
    with pytest.raises(InstallError, match="newer Jackline"):
        installer.uninstall(site, store)


hooks_value = st.dictionaries(
    st.sampled_from(["PreToolUse", "Stop", "Foreign"]),
    st.lists(st.sampled_from([FOREIGN, {"matcher": "Bash", **FOREIGN}, {"hooks": []}]), max_size=3),
)
files_value = st.fixed_dictionaries(
    {}, optional={"model": st.text(max_size=6), "hooks": hooks_value, "env": st.just({})}
)
styles = st.sampled_from([None, 1, 2, 4, "\t"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(files_value, styles, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n", "\n\n"]), st.booleans())
def test_whatever_the_file_installing_is_additive_and_comes_undone(
    site: Site, store: Path, value: dict[str, Any], style: Any, newline: str, end: str, foreign_edit: bool
) -> None:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir(exist_ok=True)
    text = (json.dumps(value, indent=style) + end).replace("\n", newline)
    path.write_bytes(text.encode())
    target = installer.plan(("claude-code",), "project", site)[0][0]
    with installs.locked(store):
        write(target, installer.wanted(target, store), store)
    given_hooks = json.loads(path.read_text())["hooks"]
    for event, groups in value.get("hooks", {}).items():
        assert given_hooks[event][: len(groups)] == groups
    if foreign_edit:
        path.write_bytes(path.read_bytes() + b" ")
    installer.uninstall(site, store)
    if foreign_edit:
        assert json.loads(path.read_text()) == value
    else:
        assert path.read_bytes() == text.encode()
