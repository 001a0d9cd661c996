"""Nothing that happens to a repository without a person's word makes a verdict laxer (design section 5a).

The one exception: HEAD was moved, by the person, between a commit that has a unit and one that has it no more, or has
it in an older form that a person trusted once.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.project import Project
from compiler.unit_kinds import KINDS, commit, feature, git, manifest, put, run_script
from jackline.compiler import agent_calls
from jackline.hook_table import HookTable

SOME = tuple(kind for kind in KINDS if kind.name in ("feature", "script that sources", "node", "manifest"))
"""One of each: they stand in one repository, side by side."""
BY_NAME = {kind.name: kind for kind in SOME}
FILES = sorted({name for kind in SOME for name in kind.files("one")})
STRANGE = (
    ".ai/hooks/features/aaa/hook.py",
    ".ai/hooks/scripts/aaa.sh",
    ".ai/hooks/scripts/say.sh",
    ".ai/hooks/scripts/deep/lib.sh",
    ".ai/hooks/workspace.json",
    ".ai/hooks/hooks.local.json",
    ".ai/hooks/config.json",
    ".config/gate/zzz.sh",
    ".config/aaa/spec.md",
    ".config/gate/gate",
    ".config/gate/aaa.md",
    ".discobot/hooks/say.sh",
    ".ai/hooks/m.json",
    ".ai/hooks/lib.sh",
)
"""Places at which a stranger may put something."""
CONTENTS = (
    "",
    "{",
    "\0",
    "#!/bin/sh\necho three\n",
    "#!/bin/sh\n#---\n# event: PreToolUse\n#---\necho three\n",
    "---\nsurface: hook\nevents: [PreToolUse]\nstatus: pending\n---\n",
    '{"scripts": {"enabled": false}}',
    '{"scripts": {"roots": [], "nodes": []}, "modules": {"guard": {"enabled": false, "path": "features/aaa"}}}',
    '{"mode": "observe", "prompts": "text", "budgets": {"Stop": 1}}',
    '{"version": 1, "hooks": {"manifestFile": "config.json"}}',
    '{"version": 2, "hooks": {"manifestFile": "m.json"}}',
    '{"scripts": {"disabled": ["say.sh", "gate", "lib.sh"]}, "modules": {"guard": {"mode": "observe", "priority": 1}}}',
    '{"scripts": {"roots": [".ai/hooks/scripts/deep"], "nodes": [".plugins"]}, "budgets": {"Stop": 73}}',
    '{"modules": {"guard": {"path": "../../.config/gate"}, "other": {"path": "features/guard"}}}',
    'from jackline.sdk import deny, hook\n\n@hook(name="guard", supports=["PreToolUse"])\n'
    'def handle(event, ctx):\n    return deny("three")\n',
    "---\nsurface: hook\nevents: [PreToolUse]\nscript: gate\n---\n",
)

OUTSIDE = "../user"
"""A place that is not the project's."""

Step = tuple[str, ...]
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("write"), st.sampled_from((*FILES, *STRANGE)), st.sampled_from(CONTENTS)),
    st.tuples(st.just("two"), st.sampled_from(sorted(BY_NAME))),
    st.tuples(st.just("delete"), st.sampled_from((*FILES, ".ai/hooks/scripts", ".ai/hooks", ".config", ".ai"))),
    st.tuples(st.just("move"), st.sampled_from(FILES), st.sampled_from((*FILES, *STRANGE))),
    st.tuples(st.just("folder"), st.sampled_from(FILES)),
    st.tuples(st.just("mode"), st.sampled_from((*FILES, *STRANGE))),
    st.tuples(st.just("link"), st.sampled_from((*FILES, *STRANGE)), st.sampled_from((*FILES, *STRANGE, OUTSIDE))),
    st.tuples(st.just("event")),
    st.tuples(st.just("git"), st.sampled_from(("commit", "stash", "checkout -f empty", "checkout -f main",
                                               "checkout -f theirs", "merge -q theirs", "reset -q --hard HEAD~",
                                               "pull -q . theirs", "stash pop", "revert --no-edit HEAD",
                                               "checkout -q --detach HEAD", "clean -fdx"))),
)  # fmt: skip
MOVES_HEAD = ("commit", "checkout", "merge", "reset", "pull", "revert")


def _apply(root: Path, step: Step) -> None:
    """One thing that happens; what cannot happen now does not."""
    path = root / step[1] if len(step) > 1 else root
    if step[0] == "write":
        if any(one.is_file() or one.is_symlink() for one in path.parents):
            return
        if path.is_symlink():
            path.unlink()
        put(root, step[1], step[2])
    elif step[0] == "two":
        for name, content in BY_NAME[step[1]].files("two").items():
            _apply(root, ("write", name, content))
    elif step[0] == "delete":
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
    elif step[0] == "move" and path.is_file() and not (root / step[2]).is_dir():
        if not any(one.is_file() for one in (root / step[2]).parents):
            (root / step[2]).parent.mkdir(parents=True, exist_ok=True)
            path.rename(root / step[2])
    elif step[0] == "folder" and path.is_file():
        path.unlink()
        path.mkdir()
    elif step[0] == "mode" and path.is_file():
        path.chmod(path.stat().st_mode ^ 0o111)
    elif step[0] == "link" and not path.is_dir() and not any(one.is_file() for one in path.parents):
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(root / step[2])
    elif step[0] == "git":
        _git(root, step[1])


def _git(root: Path, words: str) -> None:
    try:
        if words == "commit":
            commit(root)
        else:
            git(root, *words.split())
    except subprocess.CalledProcessError:
        return


def _programs(table: HookTable, root: Path) -> list[tuple[str, str]]:
    """What each program says that runs, wherever it stands now."""
    found = [("node" if "/.config/" in one.path else "script", run_script(one, root))
             for one in table.scripts("PreToolUse")]  # fmt: skip
    row = table.row("guard")
    if row is not None:
        found.append(("guard", feature(table, root) if row.mode == "enforce" and row.hot else "observed"))
    return found


class InForce(NamedTuple):
    """What every unit says, which trusted ones do not run, which of those hold, and what the manifest says."""

    said: list[str]
    silent: set[str]
    held: str
    manifest: str


def in_force(project: Project) -> InForce:
    table = project.publish()
    said = _programs(table, project.root)
    names = {name for name, _ in said}
    silent = {place for name, place in PROGRAMS.items() if name not in names and place not in " ".join(table.holds)}
    return InForce(sorted(word for _, word in said), silent, " ".join(table.holds), manifest(table, project.root))


PROGRAMS = {
    "guard": ".ai/hooks/features/guard",
    "script": ".ai/hooks/scripts/say.sh",
    "node": ".config/gate/spec.md",
}
"""The programs that are trusted, each with its place."""
OWN = {
    ".ai/hooks/features/guard": (".ai/hooks/features/guard/hook.py",),
    ".ai/hooks/scripts/say.sh": (".ai/hooks/scripts/say.sh",),
    ".config/gate/spec.md": (".config/gate/spec.md", ".config/gate/gate.sh"),
}
"""The files by which a branch has them."""


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A repository whose units are trusted, made once: `theirs` changes one, adds one and deletes one."""
    with TemporaryDirectory() as place:
        project = Project(Path(place).resolve())
        git(project.root, "init", "-q", "-b", "main")
        put(project.root, "README", "x")
        commit(project.root)
        git(project.root, "branch", "empty")
        for kind in SOME:
            for name, content in kind.files("one").items():
                put(project.root, name, content)
        commit(project.root)
        git(project.root, "checkout", "-q", "-b", "theirs")
        for name, content in BY_NAME["feature"].files("two").items():
            put(project.root, name, content)
        shutil.rmtree(project.root / ".config/gate")
        put(project.root, ".ai/hooks/scripts/new.sh", CONTENTS[4])
        commit(project.root)
        git(project.root, "checkout", "-q", "main")
        project.trust()
        assert in_force(project) == (["one", "one", "one"], set(), "", "one")
        yield project.root.parent


def _copy(made: Path, place: Path) -> Project:
    """The same repository elsewhere, with trust of its own."""
    shutil.copytree(made / "project", place / "project", symlinks=True)
    project = Project.__new__(Project)
    project.root, project.store = place / "project", place / "store"
    project.user, project.managed, project.site = place / "user", place / "managed", place / "lib"
    project.hooks = project.root / ".ai" / "hooks"
    project.store.mkdir()
    project.trust()
    project.publish()
    return project


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, min_size=1, max_size=6))
def test_nothing_without_a_persons_word_makes_a_verdict_laxer(made: Path, steps: list[Step]) -> None:
    moves = any(step[0] == "git" and step[1].split()[0] in MOVES_HEAD for step in steps)
    with TemporaryDirectory() as place:
        project = _copy(made, Path(place).resolve())
        for step in steps:
            _apply(project.root, step)
            if step[0] == "event":
                project.publish()
        found = in_force(project)
        assert {*found.said} <= {"one"}, "nothing runs that nobody trusted, and nothing less strictly"
        assert found.manifest.split()[:1] == ["one"], "what a manifest loosened or set is as it was trusted"
        at_head = {*git(project.root, "ls-tree", "-r", "--name-only", "HEAD").split("\n")} if moves else {*FILES}
        gone = {place for place in found.silent if not any(name in at_head for name in OWN[place])}
        assert found.silent == gone, "all that a person trusted runs, or holds, but what the branch has no more"


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS.filter(lambda step: step[0] != "event"), min_size=1, max_size=5))
def test_what_an_agent_moves_takes_nothing_away(made: Path, steps: list[Step]) -> None:
    """The same with an agent's call open all the while, HEAD's moves included."""
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(agent_calls, "agent_is_at_work", lambda store, root: True)
        project = _copy(made, Path(place).resolve())
        for step in steps:
            _apply(project.root, step)
            project.publish()
        found = in_force(project)
        assert ({*found.said} <= {"one"}, found.silent, found.manifest.split()[:1]) == (True, set(), ["one"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(STRANGE), st.sampled_from(CONTENTS)), min_size=1, max_size=4))
def test_a_strangers_files_move_no_byte_of_anybodys_row(made: Path, files: list[tuple[str, str]]) -> None:
    """Names, keys, order and rows are the same bytes; only what tightens counts."""
    own = {name for kind in SOME for name in kind.files("one")}
    with TemporaryDirectory() as place:
        project = _copy(made, Path(place).resolve())
        before = project.publish()
        for name, content in files:
            beside = name.startswith(
                (".ai/hooks/scripts/", ".ai/hooks/lib.sh", ".config/gate/")
            )  # it may be what a trusted one works with
            if name not in own and not beside:
                put(project.root, name, content)
        after = project.publish()
        assert (after._scripts, after._guidance, after.orders) == (before._scripts, before._guidance, before.orders)
        assert after._features["guard"] == before._features["guard"]
        assert (after.budgets, after.workspace) == (before.budgets, before.workspace)
