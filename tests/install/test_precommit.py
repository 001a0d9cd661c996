"""Git's pre-commit hook, written, run by git, and given back: real repositories, real worktrees, real commits."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.compiler.collect import survey, trust_all
from jackline.compiler.write import refresh
from jackline.install import git_hook_files, git_hook_folder, git_hook_records, githook, precommit
from jackline.install.finding import Finding
from jackline.install.site import Site

SHELLS = [shell for shell in ("/bin/dash", "/bin/bash", "/bin/sh") if Path(shell).exists()]


class Repository:
    """A project with pre-commit scripts on a person's machine."""

    def __init__(self, site: Site, store: Path) -> None:
        self.site = site
        self.store = store
        self.root = site.root
        self.env = {
            **site.env,
            **{f"GIT_{one}": "me" for one in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")},
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.out = self.root.parent / "ran"
        self.number = 0

    @property
    def hooks(self) -> Path:
        return self.root / ".git/hooks"

    @property
    def hook(self) -> Path:
        return self.hooks / "pre-commit"

    def git(self, *words: str, cwd: Path | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        command = ["git", *words]
        return subprocess.run(
            command, cwd=cwd or self.root, env=self.env, check=check, capture_output=True, text=True, timeout=60
        )

    def script(self, name: str, body: str, *, root: Path | None = None, kind: str = "pre-commit") -> Path:
        """A pre-commit script; it counts once `trust` was called."""
        path = (root or self.root) / ".ai/hooks/scripts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n#---\n# type: {kind}\n#---\n{body}\n")
        path.chmod(0o755)
        return path

    def note(self, word: str) -> str:
        """A line of shell that notes that it ran."""
        return f'echo "{word}" >>"{self.out}"'

    def ran(self) -> list[str]:
        found = self.out.read_text().splitlines() if self.out.exists() else []
        self.out.unlink(missing_ok=True)
        return found

    def trust(self, root: Path | None = None) -> None:
        at = str(root or self.root)
        trust_all(str(self.store), at, survey(at, str(self.store)), "person")

    def keep(self, root: Path | None = None) -> precommit.Done:
        """What `init` and the start of a session do."""
        made = refresh(str(root or self.root), str(self.store))
        assert made.faults == ()
        return precommit.keep(made.table, self.store, self.env)

    def install(self, root: Path | None = None) -> precommit.Done:
        self.trust(root)
        return self.keep(root)

    def commit(self, *words: str, root: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        at = root or self.root
        self.number += 1
        (at / "file.txt").write_text(str(self.number))
        self.git("add", "file.txt", cwd=at)
        return subprocess.run(
            ["git", "commit", "-q", "-m", "x", *words],
            cwd=at, env={**self.env, **env}, check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    def foreign(self, body: str, mode: int = 0o755, path: Path | None = None) -> bytes:
        data = f"#!/bin/sh\n{body}\n".encode()
        path = path or self.hook
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
        return data

    def findings(self) -> list[Finding]:
        made = refresh(str(self.root), str(self.store))
        return precommit.diagnose(made.table, self.root, self.store, self.env)

    def listing(self) -> dict[str, tuple[int, bytes]]:
        """Every file of the hooks folder with mode and content."""
        if not self.hooks.is_dir():
            return {}
        return {
            str(path.relative_to(self.hooks)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
            for path in sorted(self.hooks.rglob("*"))
        }


@pytest.fixture
def repository(site: Site, store: Path) -> Repository:
    return Repository(site, store)


@pytest.fixture(params=[True, False], ids=["with", "without"])
def jackline(request: pytest.FixtureRequest, store: Path) -> Callable[[], None]:
    """Called after the installation: leaves Jackline there, or takes interpreter and door away."""

    def settle() -> None:
        if not request.param:
            shutil.rmtree(store)

    return settle


# --- scripts in a commit -------------------------------------------------------------------------------------------


def test_a_failing_script_blocks_the_commit_and_its_output_is_seen(
    repository: Repository, jackline: Callable[[], None]
) -> None:
    repository.script("lint.sh", "echo found a fault >&2; exit 3")
    assert repository.install().change == "installed"
    jackline()
    said = repository.commit()
    assert said.returncode == 1
    assert "found a fault\n" in said.stderr
    assert "lint" in said.stderr
    assert "exit 3 · the commit is stopped" in said.stderr
    assert repository.git("log", "--oneline", check=False).returncode != 0


def test_scripts_run_in_order_in_the_root_until_one_fails(repository: Repository, jackline: Callable[[], None]) -> None:
    repository.script("20-b.sh", repository.note("b $PWD"))
    repository.script("10-a.sh", repository.note("a $PWD"))
    repository.script("30-c.sh", repository.note("c") + "; exit 1")
    repository.script("40-d.sh", repository.note("d"))
    repository.install()
    jackline()
    inner = repository.root / "inner"
    inner.mkdir()
    (inner / "x").write_text("x")
    repository.git("add", "inner/x")
    said = repository.git("commit", "-q", "-m", "x", cwd=inner, check=False)
    assert said.returncode == 1
    assert repository.ran() == [f"a {repository.root}", f"b {repository.root}", "c"]


def test_the_variables_of_a_script(repository: Repository, jackline: Callable[[], None]) -> None:
    names = [
        f"{who}_{what}" for who in ("JACKLINE", "DISCOBOT") for what in ("HOOK_TYPE", "WORKSPACE", "CHANGED_FILES")
    ]
    repository.script("show.sh", "\n".join([repository.note(f"{one}=${one}") for one in (*names, "JACKLINE_SCRIPT")]))
    repository.install()
    jackline()
    for name in ("a b", "gone", "ü"):
        (repository.root / name).write_text(name)
    repository.git("add", "-A", ".")
    assert repository.commit().returncode == 0
    repository.ran()
    (repository.root / "gone").unlink()
    (repository.root / "ü").write_text("more")
    (repository.root / "a b").write_text("more")
    repository.git("add", "-A", ".")
    assert repository.commit().returncode == 0
    files = "file.txt ü"
    root = repository.root
    assert repository.ran() == [
        *("JACKLINE_HOOK_TYPE=pre-commit", f"JACKLINE_WORKSPACE={root}", f"JACKLINE_CHANGED_FILES={files}"),
        *("DISCOBOT_HOOK_TYPE=pre-commit", f"DISCOBOT_WORKSPACE={root}", f"DISCOBOT_CHANGED_FILES={files}"),
        "JACKLINE_SCRIPT=show",
    ]


def test_the_list_of_files_holds_names_with_blanks(repository: Repository) -> None:
    repository.script("list.sh", f'tr "\\0" "\\n" <"$JACKLINE_CHANGED_FILES_LIST" >>"{repository.out}"')
    repository.install()
    (repository.root / "a b").write_text("x")
    repository.git("add", "a b")
    assert repository.commit().returncode == 0
    assert repository.ran() == ["a b", "file.txt"]
    assert os.listdir(repository.store / "commits") == []


def test_a_partial_commit_is_asked_of_its_own_index(repository: Repository) -> None:
    """`git commit FILE` has an index of its own, which git names in the hook's environment."""
    repository.script("show.sh", repository.note("$JACKLINE_CHANGED_FILES $GIT_INDEX_FILE"))
    repository.install()
    assert repository.commit().returncode == 0
    repository.ran()
    for name in ("one", "two"):
        (repository.root / name).write_text(name)
        repository.git("add", name)
    assert repository.git("commit", "-q", "-m", "x", "one").returncode == 0
    (line,) = repository.ran()
    files, _, index = line.partition(" ")
    assert files == "one"
    assert "next-index" in index


@pytest.mark.parametrize("skip", ["lint", "all", "other,lint", "other, lint"])
def test_skipped_by_a_person(repository: Repository, jackline: Callable[[], None], skip: str) -> None:
    repository.script("lint.sh", "exit 1")
    repository.install()
    jackline()
    assert repository.commit(JACKLINE_SKIP="int").returncode == 1
    assert repository.commit(JACKLINE_SKIP=skip).returncode == 0


def test_no_verify_stays_gits(repository: Repository) -> None:
    repository.script("lint.sh", "exit 1")
    repository.install()
    assert repository.commit("--no-verify").returncode == 0


def test_a_deadline_ends_the_script_and_what_it_started(repository: Repository) -> None:
    repository.script("slow.sh", "sleep 60 & sleep 60")
    path = repository.root / ".ai/hooks/scripts/slow.sh"
    path.write_text(path.read_text().replace("# type:", "# timeout: 1\n# type:"))
    repository.install()
    said = repository.commit()
    assert said.returncode == 1
    assert "not done after 1 s" in said.stderr


# --- trust ---------------------------------------------------------------------------------------------------------


def test_untrusted_scripts_install_nothing(repository: Repository) -> None:
    before = repository.listing()
    repository.script("lint.sh", "exit 1")
    assert repository.keep() == precommit.Done()
    assert repository.listing() == before


@pytest.mark.parametrize("mark", ["", "CLAUDECODE"])
def test_a_changed_script_runs_as_it_was_trusted(
    repository: Repository, jackline: Callable[[], None], mark: str, request: pytest.FixtureRequest
) -> None:
    """Without Jackline it does not run: a person is warned and passes; an agent's commit is stopped, or it could change
    a script to get by.
    """
    repository.script("lint.sh", repository.note("old"))
    repository.install()
    jackline()
    repository.script("lint.sh", repository.note("new"))
    if mark:
        repository.env[mark] = "1"
    said = repository.commit()
    if request.node.callspec.params["jackline"]:
        assert (said.returncode, repository.ran()) == (0, ["old"])
        return
    assert said.returncode == (1 if mark else 0)
    assert repository.ran() == []
    assert "lint · not trusted" in said.stderr


def test_what_waits_for_trust_keeps_the_hook(repository: Repository) -> None:
    repository.script("lint.sh", "exit 1")
    repository.install()
    was = repository.hook.read_bytes()
    repository.script("lint.sh", "exit 0 # changed")
    assert repository.keep().change == ""
    assert repository.hook.read_bytes() == was
    assert repository.install().change == "renewed"


def test_without_a_digest_program_the_hook_refuses(repository: Repository, tmp_path: Path) -> None:
    repository.script("lint.sh", "exit 0")
    repository.install()
    shutil.rmtree(repository.store)
    few = tmp_path / "few"
    few.mkdir()
    for name in ("git", "tr", "grep", "sh"):
        (few / name).symlink_to(shutil.which(name) or "")
    said = subprocess.run(
        [str(repository.hook)], cwd=repository.root, env={"PATH": str(few)}, capture_output=True, text=True, check=False
    )
    assert said.returncode == 1
    assert "--no-verify" in said.stderr


@pytest.mark.parametrize("program", ["sha256sum", "shasum", "openssl"])
@pytest.mark.parametrize("shell", SHELLS)
def test_each_digest_program_in_each_shell(repository: Repository, tmp_path: Path, program: str, shell: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    repository.script("lint.sh", repository.note("ran it's $JACKLINE_SCRIPT"))
    repository.install()
    shutil.rmtree(repository.store)
    few = tmp_path / "few"
    few.mkdir()
    for name in ("git", "tr", "grep", "sh", "env", "perl", program):
        found = shutil.which(name)
        if found:
            (few / name).symlink_to(found)
    run = subprocess.run(
        [shell, str(repository.hook)], cwd=repository.root, env={"PATH": str(few)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    assert repository.ran() == ["ran it's lint"]


# --- hooks of others -----------------------------------------------------------------------------------------------


def test_uninstall_gives_back_every_byte(repository: Repository) -> None:
    repository.script("lint.sh", "exit 0")
    for body, mode in ((None, 0), ("exit 0", 0o755), ("echo hi", 0o644)):
        if body is not None:
            repository.foreign(body, mode)
        before = repository.listing()
        assert repository.install().change == "installed"
        assert repository.listing() != before
        assert repository.keep().change == ""
        assert [one.change for one in precommit.remove(repository.store)] == ["given back"]
        assert repository.listing() == before
        assert not (repository.store / git_hook_records.NAME).exists()


def test_a_folder_of_hooks_that_was_not_there_goes_again(repository: Repository) -> None:
    shutil.rmtree(repository.hooks)
    repository.script("lint.sh", repository.note("ran"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["ran"]
    precommit.remove(repository.store)
    assert not repository.hooks.exists()


def test_without_scripts_the_hook_goes(repository: Repository) -> None:
    was = repository.foreign("exit 0")
    repository.script("lint.sh", "exit 0")
    repository.install()
    shutil.rmtree(repository.root / ".ai/hooks/scripts")
    assert repository.keep().change == "", "whoever deletes a script does not take its hook away"
    repository.trust()
    assert repository.keep().change == "given back"
    assert repository.hook.read_bytes() == was
    assert repository.keep() == precommit.Done()


def test_a_foreign_hook_runs_first_with_its_arguments_and_stdin(
    repository: Repository, jackline: Callable[[], None]
) -> None:
    repository.foreign(f'echo "theirs $# $1 $(cat)" >>"{repository.out}"; exit ${{CODE:-0}}')
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    jackline()
    words = [str(repository.hook), "an argument"]
    for code, ran in ((0, ["theirs 1 an argument said", "ours"]), (7, ["theirs 1 an argument said"])):
        env = {**repository.env, "CODE": str(code)}
        said = subprocess.run(words, cwd=repository.root, env=env, input=b"said", check=False)
        assert said.returncode == code
        assert repository.ran() == ran


def test_a_foreign_hook_of_another_language(repository: Repository) -> None:
    repository.hook.parent.mkdir(exist_ok=True)
    repository.hook.write_text(f"#!/usr/bin/env python3\nopen({str(repository.out)!r}, 'a').write('python\\n')\n")
    repository.hook.chmod(0o755)
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["python", "ours"]


def test_a_hook_that_git_ignores_stays_ignored(repository: Repository) -> None:
    was = repository.foreign("exit 1", 0o644)
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["ours"]
    precommit.remove(repository.store)
    assert (repository.hook.read_bytes(), repository.hook.stat().st_mode & 0o777) == (was, 0o644)


def test_a_hook_that_is_a_link_stays_one(repository: Repository) -> None:
    target = repository.root / "tool"
    target.write_text(f"#!/bin/sh\n{repository.note('theirs')}\n")
    target.chmod(0o755)
    repository.hook.parent.mkdir(exist_ok=True)
    repository.hook.symlink_to("../../tool")
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["theirs", "ours"]
    precommit.remove(repository.store)
    assert os.readlink(repository.hook) == "../../tool"
    assert "jackline" not in target.read_text()


def test_a_second_foreign_hook_overwrites_nothing(repository: Repository) -> None:
    """Somebody puts another hook over ours: it runs from then on, and the first one is kept."""
    first = repository.foreign(repository.note("first"))
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    second = repository.foreign(repository.note("second"))
    assert repository.findings()[0].grade == "bad"
    repository.keep()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["second", "ours"]
    assert (repository.hooks / "pre-commit.original").read_bytes() == first
    assert [one.grade for one in repository.findings()] == ["warn"]
    precommit.remove(repository.store)
    assert repository.hook.read_bytes() == second
    assert (repository.hooks / "pre-commit.original").read_bytes() == first


def test_an_original_that_was_there_before_us_stays(repository: Repository) -> None:
    other = repository.foreign("exit 9", path=repository.hooks / "pre-commit.original")
    repository.foreign(repository.note("theirs"))
    before = repository.listing()
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["theirs", "ours"]
    assert (repository.hooks / "pre-commit.original").read_bytes() == other
    precommit.remove(repository.store)
    assert repository.listing() == before


def test_a_preserved_hook_that_somebody_removed_is_forgotten(repository: Repository) -> None:
    repository.foreign(repository.note("theirs"))
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    (repository.hooks / "pre-commit.original").unlink()
    assert repository.commit().returncode == 0
    repository.keep()
    assert b"original" not in repository.hook.read_bytes()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["ours", "ours"]
    precommit.remove(repository.store)
    assert not repository.hook.exists()


DISCOBOT = """# Auto-generated by discobot hooks system
# discobot:managed
set -e
if [ -f .git/hooks/pre-commit.original ]; then
  .git/hooks/pre-commit.original
fi
"""


@pytest.mark.parametrize("preserved", [True, False])
def test_a_hook_of_discobot_is_taken_over(repository: Repository, preserved: bool) -> None:
    repository.foreign(DISCOBOT + repository.note("discobot"))
    if preserved:
        repository.foreign(repository.note("theirs"), path=repository.hooks / "pre-commit.original")
    before = repository.listing()
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == [*(["theirs"] if preserved else []), "ours"]
    precommit.remove(repository.store)
    assert repository.listing() == before


def test_discobot_put_in_front_of_ours(repository: Repository) -> None:
    """It moves our hook to the name of what we preserved, and runs it first: no circle, and taken over again."""
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    os.replace(repository.hook, repository.hooks / "pre-commit.original")
    repository.foreign(DISCOBOT + repository.note("discobot"))
    assert repository.commit().returncode == 0
    assert repository.ran() == ["ours", "discobot"]
    repository.keep()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["ours"]


def test_a_hook_that_calls_the_hook_again(repository: Repository) -> None:
    repository.foreign(repository.note("theirs") + "\n.git/hooks/pre-commit")
    repository.script("lint.sh", repository.note("ours"))
    repository.install()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["theirs", "ours"]


# --- where hooks are -----------------------------------------------------------------------------------------------


def test_linked_worktrees_share_the_hook_and_run_their_own_scripts(
    repository: Repository, jackline: Callable[[], None], tmp_path: Path
) -> None:
    repository.script("lint.sh", repository.note("main"))
    repository.install()
    repository.git("add", "-f", ".ai/hooks/scripts")
    assert repository.commit("--no-verify").returncode == 0
    other = tmp_path / "other"
    repository.git("worktree", "add", "-q", str(other))
    repository.script("lint.sh", repository.note("other"), root=other)
    repository.script("more.sh", repository.note("more"), root=other)
    repository.trust(other)
    assert repository.keep(other).path == str(repository.hook)
    jackline()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["main"]
    assert repository.commit(root=other).returncode == 0
    assert repository.ran() == ["other", "more"]


def test_one_worktree_less_keeps_the_hook_for_the_others(repository: Repository, tmp_path: Path) -> None:
    repository.script("lint.sh", "exit 0")
    repository.install()
    assert repository.commit().returncode == 0
    other = tmp_path / "other"
    repository.git("worktree", "add", "-q", str(other))
    repository.script("more.sh", "exit 0", root=other)
    repository.git("add", "-f", ".ai/hooks", cwd=other)
    repository.install(other)
    assert repository.commit("--no-verify", root=other).returncode == 0
    repository.keep(other)
    assert b"more" in repository.hook.read_bytes()
    repository.git("rm", "-rqf", ".ai/hooks", cwd=other)
    assert repository.commit("--no-verify", root=other).returncode == 0
    repository.keep(other)
    assert githook.owner(repository.hook.read_bytes()) == "jackline"
    assert b"more" not in repository.hook.read_bytes()


@pytest.mark.parametrize("absolute", [True, False])
def test_a_folder_of_hooks_that_git_ignores(repository: Repository, absolute: bool) -> None:
    folder = repository.root / ".own/hooks"
    repository.foreign(repository.note("theirs"), path=folder / "pre-commit")
    (folder / ".gitignore").write_text("*\n")
    repository.git("config", "core.hooksPath", str(folder) if absolute else ".own/hooks")
    repository.script("lint.sh", repository.note("ours"))
    assert repository.install() == precommit.Done(str(folder / "pre-commit"), "installed")
    assert repository.commit().returncode == 0
    assert repository.ran() == ["theirs", "ours"]
    precommit.remove(repository.store)
    assert sorted(os.listdir(folder)) == [".gitignore", "pre-commit"]


def test_hooks_that_the_project_commits_are_not_touched(repository: Repository) -> None:
    was = repository.foreign(repository.note("theirs"), path=repository.root / ".husky/pre-commit")
    repository.git("add", ".husky")
    repository.git("config", "core.hooksPath", ".husky")
    repository.script("lint.sh", repository.note("ours"))
    done = repository.install()
    assert done.path == str(repository.hooks / "jackline/pre-commit")
    assert git_hook_folder.CALL in done.todo[0]
    assert (repository.root / ".husky/pre-commit").read_bytes() == was
    assert [(one.grade, git_hook_folder.CALL in one.cure) for one in repository.findings()] == [("bad", True)]
    with (repository.root / ".husky/pre-commit").open("a") as file:
        file.write(git_hook_folder.CALL + "\n")
    assert repository.keep().todo == ()
    assert [one.grade for one in repository.findings()] == ["ok"]
    assert repository.commit().returncode == 0
    assert repository.ran() == ["theirs", "ours"]
    precommit.remove(repository.store)
    assert not (repository.hooks / "jackline").exists()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["theirs"]


@pytest.mark.parametrize("where", ["global", "worktree"])
def test_hooks_path_of_other_files(repository: Repository, tmp_path: Path, where: str) -> None:
    folder = tmp_path / "all hooks"
    repository.foreign("exit 0", path=folder / "pre-commit")
    if where == "worktree":
        repository.git("config", "extensions.worktreeConfig", "true")
    repository.git("config", f"--{where}", "core.hooksPath", str(folder))
    repository.script("lint.sh", "exit 0")
    done = repository.install()
    assert done.path == str(repository.hooks / "jackline/pre-commit")
    assert "shared by all your repositories" in done.todo[0]
    assert os.listdir(folder) == ["pre-commit"]


def test_hooks_path_that_moves_takes_the_hook_along(repository: Repository) -> None:
    repository.script("lint.sh", repository.note("ours"))
    was = repository.foreign("exit 0")
    repository.install()
    repository.git("config", "core.hooksPath", ".git/elsewhere")
    assert [one.grade for one in repository.findings()] == ["bad"]
    repository.keep()
    assert repository.hook.read_bytes() == was
    assert repository.commit().returncode == 0
    assert repository.ran() == ["ours"]


def test_no_repository(repository: Repository) -> None:
    shutil.rmtree(repository.root / ".git")
    repository.script("lint.sh", "exit 0")
    assert repository.install() == precommit.Done()


# --- what a doctor finds -------------------------------------------------------------------------------------------


def _gone(repository: Repository) -> None:
    repository.hook.unlink()


def _replaced(repository: Repository) -> None:
    repository.foreign("exit 0")


def _changed(repository: Repository) -> None:
    repository.hook.write_bytes(repository.hook.read_bytes().replace(b"exec ", b"true "))


def _not_executable(repository: Repository) -> None:
    repository.hook.chmod(0o644)


@pytest.mark.parametrize("harm", [_gone, _replaced, _changed, _not_executable])
def test_harm_is_found_and_mended(repository: Repository, harm: Callable[[Repository], None]) -> None:
    repository.script("lint.sh", "exit 1")
    repository.install()
    assert [one.grade for one in repository.findings()] == ["ok"]
    harm(repository)
    assert [(one.code, one.grade) for one in repository.findings()] == [("git-hook", "bad")]
    repository.keep()
    assert [one.grade for one in repository.findings()] == ["ok"]
    assert repository.commit().returncode == 1


def test_nothing_to_find_without_scripts(repository: Repository) -> None:
    assert repository.findings() == []


def test_odd_names_stand_in_the_hook_safely(repository: Repository) -> None:
    repository.script("it's $(touch oops) `x`.sh", repository.note("ran"))
    repository.install()
    shutil.rmtree(repository.store)
    said = repository.commit()
    assert (said.returncode, repository.ran()) == (0, ["ran"]), said.stderr
    assert not (repository.root / "oops").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_text_of_the_hook_is_plain_shell(repository: Repository, shell: str) -> None:
    repository.foreign("exit 0")
    repository.script("lint.sh", "exit 0")
    repository.install()
    assert subprocess.run([shell, "-n", str(repository.hook)], check=False).returncode == 0
    assert git_hook_files.ours(repository.hook) is not None


# --- sub-folders with scripts of their own ---------------------------------------------------------------------------

SEEN = 'echo "$PWD|$JACKLINE_WORKSPACE|$JACKLINE_SCRIPT|$JACKLINE_CHANGED_FILES" >>'


def staged(repository: Repository, *names: str) -> None:
    for name in names:
        path = repository.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{repository.number} {name}")
        repository.git("add", name)


def test_a_sub_folders_scripts_look_at_commits_of_what_lies_below_it(
    repository: Repository, jackline: Callable[[], None]
) -> None:
    """Also where the root has none of its own, and also at a commit that only takes files away."""
    web = repository.root / "apps/web"
    repository.script("own.sh", f'{SEEN} "{repository.out}"', root=web)
    repository.install(web)
    jackline()
    seen = f"{web}|{web}|apps/web/own|"
    assert repository.commit().returncode == 0
    assert repository.ran() == []
    staged(repository, "a.txt", "apps/web/x.txt", "apps/web/src/y.txt", "apps/webb/z.txt")
    assert repository.commit().returncode == 0
    assert repository.ran() == [f"{seen}src/y.txt x.txt"]
    repository.git("rm", "-q", "apps/web/x.txt")
    assert repository.commit().returncode == 0
    assert repository.ran() == [seen]


def test_a_sub_folders_script_stops_the_commit(repository: Repository, jackline: Callable[[], None]) -> None:
    web = repository.root / "apps/web"
    repository.script("root.sh", repository.note("root"))
    repository.script("own.sh", "echo not this >&2\nexit 3", root=web)
    for root in (repository.root, web):
        repository.install(root)
    jackline()
    assert repository.commit().returncode == 0
    assert repository.ran() == ["root"]
    staged(repository, "apps/web/x.txt")
    done = repository.commit()
    assert (done.returncode, repository.ran()) == (1, ["root"])
    assert "not this" in done.stderr and "(apps/web/.ai/hooks/scripts/own.sh) · exit 3" in done.stderr
    assert repository.commit(JACKLINE_SKIP="apps/web/own").returncode == 0


def test_a_sub_folders_hooks_that_nobody_trusts_are_told_and_stop_an_agent(repository: Repository) -> None:
    web = repository.root / "apps/web"
    repository.script("root.sh", repository.note("root"))
    repository.install()
    repository.script("own.sh", repository.note("web"), root=web)
    staged(repository, "apps/web/x.txt")
    done = repository.commit(CLAUDECODE="1")
    assert done.returncode == 1 and "jackline -C apps/web --here trust --diff" in done.stderr
    done = repository.commit()
    assert done.returncode == 0 and "own · not trusted, and not run" in done.stderr
    assert repository.ran() == ["root"]


def test_uninstalling_a_project_takes_its_sub_folders_out_too(repository: Repository) -> None:
    before = repository.listing()
    web = repository.root / "apps/web"
    repository.script("own.sh", "exit 1", root=web)
    repository.install(web)
    assert [one.grade for one in repository.findings()] == ["ok"]
    precommit.remove(repository.store, repository.root)
    assert repository.listing() == before
