"""The texts of a project's system nodes in AGENTS.md and CLAUDE.md: written, renewed, taken out again."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from jackline.compiler.collect import survey, trust_all
from jackline.compiler.write import refresh
from jackline.install import doctor, guidance, installer, installs
from jackline.install.guidance import BOOK, Done
from jackline.install.site import Site
from jackline.install.textblock import BOM, END, START


class Project:
    """A project with nodes."""

    def __init__(self, site: Site, store: Path) -> None:
        self.root = site.root
        self.store = store
        self.agents = self.root / "AGENTS.md"
        self.claude = self.root / "CLAUDE.md"

    def node(self, name: str, text: str, status: str = "active") -> None:
        path = self.root / ".config" / name / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\nsurface: system\nstatus: {status}\n---\n{text}\n")

    def keep(self, *, trusted: bool = True) -> Done:
        if trusted:
            at = str(self.root)
            trust_all(str(self.store), at, survey(at, str(self.store)), "person")
        made = refresh(str(self.root), str(self.store))
        assert made.faults == ()
        return guidance.keep(made.table, self.store)

    def drop_nodes(self) -> None:
        shutil.rmtree(self.root / ".config")


@pytest.fixture
def project(site: Site, store: Path) -> Project:
    return Project(site, store)


def test_what_we_wrote_ourselves_is_no_drift(project: Project, site: Site) -> None:
    installer.enter(("claude-code",), "user", site, project.store)
    project.node("alpha", "First.")
    project.keep()
    later = time.time() + 100
    for path in (project.agents, project.claude, project.store / BOOK):
        os.utime(path, (later, later))

    def drifted() -> str:
        return next(one.what for one in doctor.drift(site, project.store, installs.load(project.store)))

    assert "AGENTS.md" not in drifted() and "CLAUDE.md" not in drifted()
    os.utime(project.agents, (later + 1, later + 1))
    assert "AGENTS.md" in drifted() and "CLAUDE.md" not in drifted()


def test_texts_in_order_of_name_in_both_files(project: Project) -> None:
    project.node("beta", "Second.")
    project.node("alpha", "First.\n\n- a rule with $& and \\1")
    project.node("pending", "Not yet.", "pending")
    done = project.keep()
    assert done == Done((str(project.agents), str(project.claude)))
    wanted = f"{START}\nFirst.\n\n- a rule with $& and \\1\n\nSecond.\n{END}\n"
    assert project.agents.read_text() == project.claude.read_text() == wanted
    assert project.keep() == Done()


@pytest.mark.parametrize("was", [b"# Ours\n", b"# Ours", b"# Ours\r\ntext\r\n", BOM.encode() + b"# \xff\n", b""])
def test_what_was_there_comes_back_to_the_byte(project: Project, was: bytes) -> None:
    project.agents.write_bytes(was)
    project.agents.chmod(0o640)
    project.node("alpha", "First.")
    project.keep()
    assert START.encode() in project.agents.read_bytes()
    project.node("alpha", "Changed.")
    assert len(project.keep().changed) == 2
    project.drop_nodes()
    assert len(project.keep().changed) == 2
    assert (project.agents.read_bytes(), project.agents.stat().st_mode & 0o777) == (was, 0o640)
    assert not project.claude.exists()
    assert not (project.store / BOOK).exists()


def test_removed_by_uninstall(project: Project) -> None:
    project.claude.write_text("# Ours\n")
    project.node("alpha", "First.")
    project.keep()
    with project.claude.open("a") as file:
        file.write("\nmore of ours\n")
    assert len(guidance.remove(project.store).changed) == 2
    assert project.claude.read_text() == "# Ours\n\nmore of ours\n"
    assert not project.agents.exists()


def test_a_file_of_ours_with_something_else_in_it_stays(project: Project) -> None:
    project.node("alpha", "First.")
    project.keep()
    project.agents.write_text("# Mine\n\n" + project.agents.read_text())
    guidance.remove(project.store)
    assert project.agents.read_text() == "# Mine\n\n"
    assert not project.claude.exists()


def test_untrusted_texts_are_not_written_and_take_nothing_out(project: Project) -> None:
    project.node("alpha", "First.")
    assert project.keep(trusted=False) == Done()
    assert not project.agents.exists()
    project.keep()
    project.node("alpha", "Obey me.")
    assert project.keep(trusted=False) == Done()
    assert "First." in project.agents.read_text()


def test_trust_does_not_depend_on_the_files(project: Project) -> None:
    project.node("alpha", "First.")
    project.keep()
    table = refresh(str(project.root), str(project.store)).table
    assert table.trusted
    assert table.guidance() == (("alpha", "First."),) or [name for name, _ in table.guidance()] == ["alpha"]


@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md"])
def test_one_file_that_is_a_link_to_the_other_is_written_once(project: Project, name: str) -> None:
    link = project.root / name
    other = project.claude if link == project.agents else project.agents
    other.write_text("# Ours\n")
    link.symlink_to(other.name)
    project.node("alpha", "First.")
    assert project.keep() == Done((str(other),))
    assert link.is_symlink()
    assert other.read_text() == f"# Ours\n\n{START}\nFirst.\n{END}\n"
    project.drop_nodes()
    project.keep()
    assert other.read_text() == "# Ours\n"
    assert os.readlink(link) == other.name


def test_one_file_of_two_names(project: Project) -> None:
    project.agents.write_text("# Ours\n")
    os.link(project.agents, project.claude)
    project.node("alpha", "First.")
    project.keep()
    assert project.claude.read_text() == f"# Ours\n\n{START}\nFirst.\n{END}\n"
    assert project.agents.stat().st_ino == project.claude.stat().st_ino
    project.drop_nodes()
    project.keep()
    assert project.claude.read_text() == "# Ours\n"


def test_a_link_out_of_the_project_is_not_followed(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "all-agents.md"
    outside.write_text("# All\n")
    project.agents.symlink_to(outside)
    project.node("alpha", "First.")
    done = project.keep()
    assert done.changed == (str(project.claude),)
    assert "which is not followed" in done.faults[0]
    assert outside.read_text() == "# All\n"


def test_a_file_in_another_encoding_is_left_alone(project: Project) -> None:
    was = "# Ours\n".encode("utf-16")
    project.agents.write_bytes(was)
    project.node("alpha", "First.")
    done = project.keep()
    assert (done.changed, len(done.faults)) == ((str(project.claude),), 1)
    assert project.agents.read_bytes() == was


def test_doubled_by_a_merge(project: Project) -> None:
    project.node("alpha", "First.")
    project.keep()
    project.agents.write_text("# Ours\n\n" + project.agents.read_text() + "\n" + project.agents.read_text() + "end\n")
    assert project.keep() == Done((str(project.agents),))
    assert project.agents.read_text() == f"# Ours\n\n{START}\nFirst.\n{END}\nend\n"


def test_a_damaged_block_is_made_again_without_its_remains(project: Project) -> None:
    project.agents.write_text("# Ours\n")
    project.node("alpha", "First.\nSecond.")
    project.keep()
    project.agents.write_text(project.agents.read_text().replace(END + "\n", "ours again\n"))
    project.keep()
    assert project.agents.read_text() == f"# Ours\n\n{START}\nFirst.\nSecond.\n{END}\nours again\n"
