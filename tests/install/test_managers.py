"""Hook managers beside ours, as they are installed from their registries: theirs first, ours first, theirs again.

`make e2e` installs them: pre-commit and prek from the development group, the others as `tests/e2e/clients.toml` says.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.rig.clients import program
from install.test_precommit import Repository
from jackline.install import githook, precommit
from jackline.install.site import Site

pytestmark = pytest.mark.e2e
FOLDERS = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
WITH = ["pre-commit", "prek", "lefthook", "husky"]


class Managed(Repository):
    """A project with a manager's own hook, which notes `theirs`."""

    def __init__(self, site: Site, store: Path, manager: str) -> None:
        super().__init__(site, store)
        npm = manager in ("lefthook", "husky")
        found = str(program(manager)) if npm else shutil.which(manager, path=FOLDERS)
        assert found, f"{manager} is not installed: make setup clients"
        self.program = found
        self.manager = manager
        self.env |= {"PATH": f"{Path(found).parent}:{FOLDERS}", "XDG_CACHE_HOME": str(store.parent / "cache")}
        line = self.note("theirs")
        if manager in ("pre-commit", "prek"):
            hook = (
                f"{{id: t, name: t, entry: sh -c '{line}', language: system, always_run: true, pass_filenames: false}}"
            )
            self.write(".pre-commit-config.yaml", f"repos:\n- repo: local\n  hooks:\n  - {hook}\n")
        elif manager == "lefthook":
            self.write("lefthook.yml", f"pre-commit:\n  commands:\n    t:\n      run: {line}\n")
        else:
            self.write(".husky/pre-commit", line + "\n")
        self.script("lint.sh", self.note("ours"))
        self.trust()

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        self.git("add", name)

    def run(self, *words: str) -> None:
        done = subprocess.run(
            [self.program, *words], cwd=self.root, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done

    def theirs(self) -> None:
        self.run(*([] if self.manager == "husky" else ["install"]))

    def order(self) -> list[str]:
        """Commit, and who ran in which order."""
        said = self.commit()
        assert said.returncode == 0, said
        return self.ran()

    def files(self) -> dict[str, str]:
        folder = self.root / self.git("rev-parse", "--git-path", "hooks").stdout.strip()
        found = [path for path in folder.glob("pre-commit*") if path.suffix != ".sample"]
        return {path.name: githook.owner(path.read_bytes()) for path in found}


@pytest.fixture(params=WITH)
def managed(request: pytest.FixtureRequest, site: Site, store: Path) -> Managed:
    return Managed(site, store, request.param)


def test_theirs_first_then_ours_then_theirs_again(managed: Managed) -> None:
    managed.theirs()
    assert managed.order() == ["theirs"]
    assert managed.keep().change == "installed"
    assert managed.order() == ["theirs", "ours"]
    managed.theirs()
    assert "theirs" in managed.order()
    managed.keep()
    assert sorted(managed.order()) == ["ours", "theirs"]
    assert [one.grade for one in managed.findings()] == ["ok"]
    managed.theirs()
    managed.keep()
    assert sorted(managed.order()) == ["ours", "theirs"]
    shutil.move(managed.store, managed.store.with_name("away"))
    assert sorted(managed.order()) == ["ours", "theirs"]
    shutil.move(managed.store.with_name("away"), managed.store)
    precommit.remove(managed.store)
    assert managed.files() == {"pre-commit": managed.manager}
    assert managed.order() == ["theirs"]


def test_ours_first_then_theirs_which_goes_again(managed: Managed) -> None:
    managed.keep()
    managed.theirs()
    assert "theirs" in managed.order()
    managed.keep()
    assert sorted(managed.order()) == ["ours", "theirs"]
    if managed.manager == "husky":
        return  # it has no way back
    managed.run("uninstall")
    managed.keep()
    assert managed.order() == ["ours"]
    precommit.remove(managed.store)
    assert managed.files() == {}


@pytest.mark.parametrize("managed", ["pre-commit", "prek"], indirect=True)
def test_theirs_goes_after_it_was_put_in_front_of_ours(managed: Managed) -> None:
    """What we preserved of theirs must not run on when they are gone."""
    managed.theirs()
    managed.keep()
    managed.theirs()
    managed.keep()
    managed.run("uninstall")
    assert managed.order() == ["ours"]
