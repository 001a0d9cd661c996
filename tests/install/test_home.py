"""The store: made once, made again without a change, renewed where it is not as it should be."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import jackline
from jackline.compiler import bundle
from jackline.compiler.write import compile_table, publish
from jackline.install import doctor, home, installer, installs
from jackline.install.fault import InstallError
from jackline.install.site import Site, default_store, standard_store

from .conftest import machine


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_store_is_made_for_its_owner_alone(made_store: Path) -> None:
    assert [mode(made_store), mode(made_store / "bin")] == [0o700, 0o700]
    assert [mode(made_store / name) for name in bundle.files()] == [0o600] * len(bundle.files())
    assert (made_store / "bin/python").is_symlink()


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    """Nor does another process, which makes the whole bundle itself."""
    store = tmp_path / "jackline"
    code = "import sys, pathlib; from jackline.install import home; print(home.make(pathlib.Path(sys.argv[1])).changed)"
    env = {**os.environ, "PYTHONPATH": str(Path(jackline.__file__).parent.parent)}

    def make() -> str:
        return subprocess.run([sys.executable, "-c", code, store], env=env, capture_output=True, text=True).stdout

    def stamps() -> dict[str, tuple[int, int]]:
        return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ino) for path in store.rglob("*")}

    assert str(store / bundle.name_of_bundle()) in home.make(store).changed
    before = stamps()
    assert before and make() == "()\n"
    assert stamps() == before


def test_what_is_wrong_is_renewed(site: Site, store: Path) -> None:
    (store / bundle.name_of_bundle()).write_bytes(b"old")
    store.chmod(0o755)
    (store / "bin/python").unlink()
    (store / "bin/python").symlink_to("/usr/bin/false")
    made = home.make(store)
    assert made.changed == (str(store), str(store / bundle.name_of_bundle()), str(store / "bin/python"))
    assert mode(store) == 0o700
    assert os.path.realpath(store / "bin/python") == os.path.realpath(made.interpreter)


def test_the_interpreter_is_a_program_and_not_that_of_a_virtual_environment() -> None:
    """`-I -S` needs no environment, and an environment goes more easily than what it was made from."""
    found = home.real_interpreter()
    assert found.is_file() and not found.is_symlink()
    assert found.read_bytes()[:2] != b"#!"
    said = subprocess.run([found, "-I", "-S", "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True)
    assert said.stdout.strip() == sys.base_prefix


REFUSED = {
    "no such program": ("/nonexistent/python", "does not start"),
    "no Python": ("/bin/true", "is no Python"),
}


@pytest.mark.parametrize(("path", "what"), REFUSED.values(), ids=REFUSED)
def test_a_program_that_is_no_python_is_refused(tmp_path: Path, path: str, what: str) -> None:
    with pytest.raises(InstallError, match=what):
        home.make(tmp_path / "jackline", interpreter=Path(path))
    assert not (tmp_path / "jackline").exists()


def test_an_older_python_is_refused(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\necho 3 10 cpython-310\n")
    old.chmod(0o755)
    with pytest.raises(InstallError, match=r"is Python 3\.10"):
        home.check_interpreter(old)


def test_a_shared_store_is_readable_by_all(tmp_path: Path) -> None:
    made = home.make(tmp_path / "jackline", shared=True)
    assert [mode(made.store), mode(made.store / "bin")] == [0o755, 0o755]
    assert [mode(made.store / name) for name in bundle.files()] == [0o644] * len(bundle.files())


def test_a_store_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InstallError, match="cannot be made"):
        home.make(tmp_path / "file/jackline")


def test_purge_removes_the_store_and_nothing_that_is_none(site: Site, store: Path) -> None:
    (store / "sessions").mkdir()
    assert home.purge(store)
    assert not store.exists()
    assert not home.purge(store)
    with pytest.raises(InstallError, match="does not look like"):
        home.purge(site.root)


STORES = {
    "standard": ({"HOME": "/h"}, "/h/.local/state/jackline", "/h/.local/state/jackline"),
    "moved state": ({"HOME": "/h", "XDG_STATE_HOME": "/s t"}, "/s t/jackline", "/s t/jackline"),
    "told": ({"HOME": "/h", "JACKLINE_STORE": "/x"}, "/x", "/h/.local/state/jackline"),
    "empty": (
        {"HOME": "/h", "XDG_STATE_HOME": "", "JACKLINE_STORE": ""},
        "/h/.local/state/jackline",
        "/h/.local/state/jackline",
    ),
}


@pytest.mark.parametrize(("env", "default", "standard"), STORES.values(), ids=STORES)
def test_where_the_store_is(env: dict[str, str], default: str, standard: str) -> None:
    assert (str(default_store(env)), str(standard_store(env))) == (default, standard)


def test_without_a_home_it_is_said_what_to_set() -> None:
    with pytest.raises(InstallError, match="HOME · not set"):
        default_store({})


def test_unknown_clients_and_scopes_are_refused_by_name(site: Site, store: Path) -> None:
    report = installer.init(("nonesuch", "codex", "vscode"), "local", site, store)
    assert [(fault.where, fault.what) for fault in report.faults] == [
        ("nonesuch", "no client that Jackline installs for"),
        ("codex", "scope local is not available for this client"),
        ("vscode", "scope local is not available for this client"),
    ]
    assert (report.home, report.done) == (None, ())


def test_the_managed_scope_writes_the_machines_file(site: Site, store: Path) -> None:
    report = installer.init(("claude-code",), "managed", site, store)
    assert [done.path for done in report.done] == [site.machine / "etc/claude-code/managed-settings.json"]
    assert " PreToolUse managed" in report.done[0].path.read_text()


def test_clients_that_share_a_file_are_installed_once_and_removed_together(site: Site, store: Path) -> None:
    installer.init(("vscode",), "user", site, store)
    installer.init(("copilot-cli",), "user", site, store)
    assert [one.client for one in installs.load(store)] == ["vscode copilot-cli"]
    refused = installer.uninstall(site, store, ("vscode",))
    assert [fault.what for fault in refused.faults] == ["copilot-cli reads the same file"]
    done = installer.uninstall(site, store, ("copilot-cli", "vscode")).done
    assert [one.change for one in done] == ["deleted"]


def test_uninstall_of_some_leaves_the_others(site: Site, store: Path) -> None:
    installer.init(("claude-code", "codex"), "user", site, store)
    installer.init(("codex",), "project", site, store)
    installer.uninstall(site, store, ("codex",), "user")
    assert [(one.client, one.scope) for one in installs.load(store)] == [("claude-code", "user"), ("codex", "project")]
    installer.uninstall(site, store, purge=True)
    assert not store.exists()
    assert not (site.home / ".claude").exists() and not (site.root / ".codex").exists()
    assert installer.uninstall(site, store) == installer.Report(None, (), ())


def test_a_project_is_told_when_its_entries_look_elsewhere(site: Site, tmp_path: Path) -> None:
    report = installer.init(("claude-code",), "project", site, tmp_path / "other")
    assert any("JACKLINE_STORE" in line for line in report.todo)


def test_homes_that_moved_are_followed(site: Site, store: Path, tmp_path: Path) -> None:
    env = {
        **site.env,
        "CLAUDE_CONFIG_DIR": str(tmp_path / "a"),
        "CODEX_HOME": str(tmp_path / "b"),
        "COPILOT_HOME": str(tmp_path / "c"),
    }
    report = installer.init(("claude-code", "codex", "copilot-cli"), "user", site._replace(env=env), store)
    assert [str(done.path.relative_to(tmp_path)) for done in report.done] == [
        "a/settings.json",
        "b/hooks.json",
        "c/hooks/jackline.json",
    ]


@pytest.mark.parametrize("name", ["with blank", "o'br\"ien $(x) `y`", "süß;&|*"])
def test_any_home_can_be_installed_in_and_left_again(tmp_path: Path, made_store: Path, name: str) -> None:
    site = machine(tmp_path / name, made_store)
    store = standard_store(site.env)
    before = sorted(str(path) for path in site.home.rglob("*"))
    everyone = ("claude-code", "codex", "vscode", "copilot-cli")
    for scope in ("user", "project"):
        report = installer.init(everyone, scope, site, store)
        assert not report.faults
    publish(compile_table(str(site.root), str(store)), str(store))  # else each probe compiles
    answers = [
        one for one in doctor.diagnose(site.root, store, site.home, site.env) if one.code in ("answer", "entries")
    ]
    assert [one.grade for one in answers] == ["ok"] * 12
    shutil.rmtree(store / "wirings")
    installer.uninstall(site, store)
    left = {str(store / name) for name in ("installs.json", "installs.lock")}
    assert sorted(set(map(str, site.home.rglob("*"))) - left) == before


def test_other_code_of_the_same_version_compiles_every_hook_table_anew(tmp_path: Path) -> None:
    store = tmp_path / "store"
    home.make(store)
    tables = [store / "wirings" / name for name in ("0123456789abcdef.bin", "builtin.bin")]
    for path in tables:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"of earlier code")
    assert not home.make(store).changed
    assert all(path.exists() for path in tables)
    bundle = next(store.glob("hot-*.bin"))
    bundle.write_bytes(bundle.read_bytes() + b"of another build")
    assert home.make(store).changed == (str(bundle),)
    assert not any(path.exists() for path in tables)
