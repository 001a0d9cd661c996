"""Trust is of units, per repository; a hostile repository executes nothing and loosens nothing."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.compiler import agent_calls, followed_ref, trust
from jackline.compiler.collect import NOT_TRUSTED, user_folder
from jackline.hook_table import HookTable, handler
from jackline.staleness import fresh
from jackline.store import authority

from .project import Project


def git(root: Path, *words: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "e@example.invalid"}
    made = subprocess.run(["git", *words], cwd=root, env=env, capture_output=True, check=True, text=True)
    return made.stdout.strip()


def repository(root: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one", "--allow-empty")


# --- the digest ----------------------------------------------------------------------------------------------------

FILES = st.dictionaries(st.text(min_size=1, max_size=8), st.binary(max_size=20), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, database=None)
@given(FILES, st.randoms())
def test_order_does_not_matter(files: dict[str, bytes], random: Any) -> None:
    rows = list(files.items())
    random.shuffle(rows)
    assert trust.digest_of(dict(rows)) == trust.digest_of(files)


@settings(max_examples=60, deadline=None, database=None)
@given(FILES, FILES)
def test_names_and_contents_matter(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    assert (trust.digest_of(one) == trust.digest_of(other)) is (one == other)


def test_a_rename_is_another_content() -> None:
    assert trust.digest_of({"a": b"x", "b": b"y"}) != trust.digest_of({"b": b"x", "a": b"y"})


# --- what needs it -------------------------------------------------------------------------------------------------


def test_a_project_that_only_tightens_needs_no_trust(project: Project) -> None:
    project.manifest({"enforcePhases": True, "strict": True, "modules": {"session": {"enabled": True}}})
    found = project.survey()
    assert (found.needs, found.digest, found.trusted) == ({}, "", True)
    assert project.publish().enforce_phases


def test_features_and_loosening_configuration_need_trust(project: Project) -> None:
    project.feature("guard")
    project.write("features/guard/README.md", "not code")
    project.write("config.json", {"planGraph-exec": {"planGraphFile": "p.json"}})
    project.manifest({"enforcePhases": True})
    project.write("hooks.local.json", {"mode": "observe"})
    assert list(project.survey().needs) == [
        ".ai/hooks/config.json",
        ".ai/hooks/features/guard/hook.py",
        ".ai/hooks/hooks.local.json",
    ]


def refusal(table: HookTable) -> str:
    """What the project's guard says, "" where it does not run."""
    row = table.row("guard")
    assert row is None or row.origin == "project"
    return "" if row is None else str(handler(row)(None, None).reason)


def test_trusted_content_runs_and_any_other_does_not(project: Project) -> None:
    project.feature("guard", "first")
    untrusted = project.publish()
    assert (untrusted.trusted, untrusted.row("guard")) == (False, None)
    assert ("guard", NOT_TRUSTED) in untrusted.report()["skipped"]
    digest = project.trust()
    assert fresh(untrusted) == "stale", "a person's word reaches the door by itself"
    trusted = project.publish()
    assert (trusted.trusted, trusted.digest, refusal(trusted)) == (True, digest, "first")
    project.feature("guard", "changed by somebody")
    assert refusal(project.publish()) == "first", "what a person trusted stays in force"
    project.trust()
    assert refusal(project.publish()) == "changed by somebody"
    trust.distrust(str(project.store), str(project.root), "person")
    assert project.publish().row("guard") is None


def test_an_addition_needs_trust_too(project: Project) -> None:
    project.feature("guard")
    project.trust()
    table = project.publish()
    project.feature("second")
    assert fresh(table) == "stale"
    assert [row.slug for row in project.publish().rows("PreToolUse") if row.origin == "project"] == ["guard"]


# --- a hostile repository ------------------------------------------------------------------------------------------

LOOSE = {
    "mode": "observe",
    "prompts": "text",
    "enforcePhases": False,
    "budgets": {"PreToolUse": 1},
    "gc": {"maxAgeDays": 1, "maxSessions": 1},
    "rewriteOwner": "evil",
    "phasePolicy": {"BLOCKED": {"allowTools": "*", "mode": "allow"}},
    "modules": {
        "session": {"enabled": False, "priority": 999},
        "self-protect": {"enabled": False, "mode": "observe"},
        "graph-pretooluse": {"critical": False, "hotPathSafe": False, "path": "features/evil", "runner": "forked"},
        "planGraph-exec": {"mode": "warn", "mayApprove": True},
        "evil": {"enabled": True, "mayApprove": True},
    },
}


def hostile(project: Project, mark: Path) -> None:
    """Everything a repository could try, each of it leaving a mark if it were run."""
    evil = f"import os\nos.mkdir({str(mark)!r})\n"
    feature = evil + '@hook(name="evil", supports=["PreToolUse"])\ndef handle(event, ctx): ...\n'
    project.manifest(LOOSE)
    project.write("hooks.local.json", LOOSE)
    project.write("config.json", {"graph-pretooluse": {"action": "warn", "allow": ["*"], "limits": {"matches": 99999}}})
    for name in ("evil", "session", "graph_pretooluse"):
        project.write(f"features/{name}/hook.py", feature)
        project.write(f"features/{name}/__init__.py", evil)
    for name in ("json.py", "sitecustomize.py", "jackline.py", "ast.py", "evil.pth"):
        (project.root / name).write_text(evil)
        project.write(name, evil)
    git(project.root, "init", "-q")
    with (project.root / ".git" / "config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = mkdir {mark}\n\thooksPath = .ai/hooks\n[include]\n\tpath = ../evil\n")


def settings_of(project: Project) -> dict[str, Any]:
    table = project.publish()
    names = (
        "budgets",
        "enforce_phases",
        "gc",
        "paranoid",
        "phase_policy",
        "prompts",
        "rewrite_owner",
        "strict",
        "workspace",
    )
    return {name: getattr(table, name) for name in names} | {
        event: table.rows(event) for event in ("PreToolUse", "SessionStart", "Stop")
    }


def test_a_hostile_repository_loosens_nothing_and_runs_nothing(project: Project, tmp_path: Path) -> None:
    before = settings_of(project)
    mark = tmp_path / "ran"
    hostile(project, mark)
    assert settings_of(project) == before
    assert not mark.exists()
    made = project.compile()
    assert made.faults == () and not made.table.trusted
    assert len([one for one in made.warnings if "not trusted, it may only tighten" in one]) > 20


DOOR = """
import sys
sys.path.insert(0, sys.argv[1])
from jackline.compiler.write import refresh
table = refresh(sys.argv[3], sys.argv[2]).table
print(table.trusted, [row.slug for row in table.rows("PreToolUse") if row.origin != "builtin"])
"""


def test_a_hostile_repository_under_the_doors_own_start(project: Project, tmp_path: Path) -> None:
    """The interpreter as the door starts it, standing in the repository, with an environment the repository chose."""
    mark = tmp_path / "ran"
    hostile(project, mark)
    env = {"PYTHONPATH": str(project.root), "PYTHONSTARTUP": str(project.root / "json.py"), "HOME": str(project.root)}
    env |= {"XDG_CONFIG_HOME": str(project.root), "JACKLINE_STORE": str(project.root), "GIT_DIR": str(project.root)}
    home = project.root / ".config" / "jackline"
    home.mkdir(parents=True)
    (home / "dispatch.manifest.json").write_text(json.dumps(LOOSE))
    source = str(Path(trust.__file__).parents[2])
    made = subprocess.run(
        [sys.executable, "-I", "-S", "-c", DOOR, source, str(project.store), str(project.root)],
        cwd=project.root, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (made.stdout, made.stderr) == ("False []\n", "")
    assert not mark.exists()


def test_a_stranger_may_tighten(project: Project) -> None:
    project.feature("guard")
    policy = {"EXECUTING": {"allowTools": ["Read"], "mode": "deny"}}
    project.manifest({"mode": "enforce", "prompts": "off", "preset": "paranoid", "phasePolicy": policy})
    table = project.publish()
    assert (table.trusted, table.prompts, table.paranoid) == (False, "off", True)
    phase = table.phase("EXECUTING")
    assert phase is not None and (phase.mode, phase.tools) == ("deny", ("Read", "read_file", "read_files", "view"))


def test_a_link_out_of_the_project_is_refused(project: Project, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"token": "s3cret"}')
    project.hooks.mkdir(parents=True)
    (project.hooks / "config.json").symlink_to(secret)
    outside = tmp_path / "outside"
    project.feature("evil", folder=outside)
    (project.hooks / "features").symlink_to(outside / "features")
    made = project.compile()
    assert [str(fault) for fault in made.faults] == [
        ".ai/hooks/config.json · expected a file of this project, got a link that leads out of it · "
        "write: copy the file here",
        ".ai/hooks/features · expected a folder of this project, got a link that leads out of it · "
        "write: copy the folder here",
    ]
    assert "s3cret" not in str(made.faults)


def test_a_link_inside_the_project_is_followed(project: Project) -> None:
    project.write("shared.json", {"budgets": {"Stop": 77}}, project.root)
    project.hooks.mkdir(parents=True)
    (project.hooks / "dispatch.manifest.json").symlink_to(project.root / "shared.json")
    project.trust()
    table = project.publish()
    assert table.budget("Stop") == 77
    project.write("shared.json", {"budgets": {"Stop": 78}}, project.root)
    assert fresh(table) == "stale"


PLAIN = "expected a readable file, got not a regular file"


def test_files_that_are_no_files(project: Project) -> None:
    project.hooks.mkdir(parents=True)
    os.mkfifo(project.hooks / "dispatch.manifest.json")
    (project.hooks / "config.json").mkdir()
    (project.hooks / "workspace.json").write_bytes(b"{" + b" " * (1 << 20) + b"}")
    (project.hooks / "hooks.local.json").write_bytes(b"[" * 100_000)
    (project.hooks / "features").write_text("a file")
    said = [str(fault).split(" · ", 1) for fault in project.compile().faults]
    assert dict(said) == {
        ".ai/hooks/workspace.json": "expected at most 1024 KB, got more · write: a smaller file",
        ".ai/hooks/dispatch.manifest.json": f"{PLAIN} · write: a file",
        ".ai/hooks/config.json": f"{PLAIN} · write: a file",
        ".ai/hooks/hooks.local.json": "expected JSON, got nested deeper than 400 · write: one JSON object",
    }


def test_a_flood_of_features_does_not_keep_the_compiler_busy(project: Project) -> None:
    for number in range(501):
        (project.hooks / "features" / f"f{number}").mkdir(parents=True)
    made = project.compile()
    assert [str(fault) for fault in made.faults] == [
        ".ai/hooks/features · expected at most 500 entries, got 501 · write: move what is no hook elsewhere"
    ]


# --- the book ------------------------------------------------------------------------------------------------------


def test_trust_holds_in_all_worktrees_of_a_repository(project: Project, tmp_path: Path) -> None:
    project.feature("guard")
    repository(project.root)
    project.trust()
    other = tmp_path / "other"
    git(project.root, "worktree", "add", "-q", str(other), "-b", "side")
    assert trust.common_dir(str(other)) == str(project.root / ".git") == trust.common_dir(str(project.root))
    first, project.root = project.root, other
    project.hooks = other / ".ai" / "hooks"
    assert project.publish().row("guard") is not None
    clone = tmp_path / "clone"
    git(first, "clone", "-q", str(first), str(clone))
    project.root, project.hooks = clone, clone / ".ai" / "hooks"
    assert project.publish().row("guard") is None, "a clone is another repository"


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: /nowhere/at/all", "nonsense\n", "\0\xff", "gitdir: .."])
def test_a_broken_git_file_names_no_foreign_repository(tmp_path: Path, text: str) -> None:
    root = tmp_path / "a" / "b"
    root.mkdir(parents=True)
    (root / ".git").write_text(text)
    assert trust.common_dir(str(root)) in (str(root), str(tmp_path / "a"))


def test_pointing_at_a_trusted_repository_gains_nothing(project: Project, tmp_path: Path) -> None:
    """A repository that claims to be another one has what that one's trust covers: the same content."""
    project.feature("guard")
    repository(project.root)
    project.trust()
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / ".git").write_text(f"gitdir: {project.root}/.git\n")
    project.root, project.hooks = evil, evil / ".ai" / "hooks"
    project.feature("guard", "other words")
    assert refusal(project.publish()) == "no", "what a person read, and not a byte of it another"


def test_the_book_and_its_copies_are_private(project: Project) -> None:
    project.feature("guard")
    digest = project.trust()
    files = [project.store / "trust.json", project.store / "authority.jsonl", *(project.store / "trusted").iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    record = authority.read(str(project.store))[-1]
    units = {"feature .ai/hooks/features/guard": digest}
    assert (record["kind"], record["by"], record["data"]["units"]) == ("TRUST", "person", units)
    assert authority.verify(str(project.store)) == (1, "")


# --- following a ref -----------------------------------------------------------------------------------------------


def follow(project: Project, ref: str) -> None:
    followed_ref.follow(str(project.store), str(project.root), ref, "person")


def guards(project: Project) -> dict[str, str]:
    """What each feature of the project says."""
    return {row.slug: handler(row)(None, None).reason for row in project.publish().rows("PreToolUse")
            if row.origin == "project"}  # fmt: skip


@pytest.fixture
def followed(project: Project) -> Project:
    """A project whose two guards are trusted since they stand on `main`, which is followed."""
    project.feature("guard", "one")
    project.feature("other", "other")
    repository(project.root)
    follow(project, "refs/heads/main")
    assert guards(project) == {"guard": "one", "other": "other"}
    return project


def test_following_a_ref(followed: Project) -> None:
    """Unit by unit: what stands at the ref is trusted, and stays in force when another content comes by other roads."""
    followed.feature("guard", "two")
    followed.feature("extra", "extra")
    waiting = followed.publish()
    assert guards(followed) == {"guard": "one", "other": "other"}
    states = {one.key[1].rpartition("/")[2]: one.state for one in followed.survey().standings}
    assert states == {"extra": "new", "guard": "changed", "other": "trusted"}
    git(followed.root, "commit", "-q", "-am", "two")
    assert fresh(waiting) == "stale", "the ref moved"
    assert guards(followed) == {"guard": "two", "other": "other"}
    shutil.rmtree(followed.hooks / "features/guard")
    assert guards(followed) == {"guard": "two", "other": "other"}
    git(followed.root, "commit", "-q", "-am", "no guard")
    assert guards(followed) == {"other": "other"}


def test_what_only_a_ref_made_trusted_ends_with_it(followed: Project) -> None:
    found = next(one for one in followed.survey().standings if one.key[1].endswith("other"))
    assert found.unit is not None
    trust.trust(str(followed.store), str(followed.root), [found.unit], "person")
    follow(followed, "")
    assert guards(followed) == {"other": "other"}, "what a person trusted himself stays"


@pytest.mark.parametrize("ref", ["-x", "--upload-pack=x", "refs/heads/../../x", "main^", "", "nothing"])
def test_what_is_no_ref_trusts_nothing(project: Project, ref: str) -> None:
    project.feature("guard", "one")
    repository(project.root)
    follow(project, ref)
    assert guards(project) == {}


def test_a_ref_that_vanishes_leaves_what_stood_there(followed: Project) -> None:
    git(followed.root, "checkout", "-q", "-b", "side")
    git(followed.root, "branch", "-q", "-D", "main")
    assert guards(followed) == {"guard": "one", "other": "other"}
    (line,) = followed.publish().told
    assert line == "main, which you follow, is not there: what stood there last counts · jackline trust --follow main"
    followed.feature("guard", "two")
    assert guards(followed)["guard"] == "one"


MOVES: dict[str, Callable[[Path, str], object]] = {
    "update-ref": lambda root, evil: git(root, "update-ref", "refs/heads/main", evil),
    "fetch": lambda root, evil: git(root, "fetch", "-q", ".", f"+{evil}:refs/heads/main"),
    "branch -f": lambda root, evil: git(root, "branch", "-q", "-f", "main", evil),
    "symbolic-ref": lambda root, evil: git(root, "symbolic-ref", "refs/heads/main", "refs/heads/evil"),
    "packed": lambda root, evil: (git(root, "update-ref", "refs/heads/main", evil), git(root, "pack-refs", "--all")),
    "a file": lambda root, evil: (root / ".git/refs/heads/main").write_text(evil + "\n"),
}
"""How an agent may move a ref to a commit of its own."""


@pytest.mark.parametrize("how", MOVES)
def test_an_agent_that_moves_the_ref_trusts_nothing(
    followed: Project, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(followed.root, "checkout", "-q", "-b", "evil")
    followed.feature("guard", "evil")
    followed.feature("extra", "evil")
    git(followed.root, "add", "-A")
    git(followed.root, "commit", "-q", "-m", "evil")
    assert guards(followed) == {"guard": "one", "other": "other"}
    with monkeypatch.context() as patch:
        patch.setattr(agent_calls, "agent_is_at_work", lambda store, root: True)
        MOVES[how](followed.root, git(followed.root, "rev-parse", "HEAD"))
        assert guards(followed) == {"guard": "one", "other": "other"}
    assert guards(followed) == {"guard": "one", "other": "other"}, "nor when its call is over"
    assert any(line.startswith("main was moved while an agent was at work") for line in followed.publish().told)
    follow(followed, "refs/heads/main")
    assert guards(followed) == {"extra": "evil", "guard": "evil", "other": "other"}, "a person looked"
    assert followed.publish().told == ()


def test_another_ref_of_the_same_short_name_is_another(followed: Project) -> None:
    git(followed.root, "checkout", "-q", "-b", "evil")
    followed.feature("guard", "evil")
    git(followed.root, "commit", "-q", "-am", "evil")
    git(followed.root, "tag", "main")
    assert guards(followed)["guard"] == "one"


def test_a_book_of_an_earlier_version_goes_on_to_follow(project: Project) -> None:
    project.feature("guard", "one")
    repository(project.root)
    follow(project, "main")
    book = trust.Book(str(project.store))
    del book.data["repos"][trust.key_of(str(project.root))]["followed"]
    book.save()
    assert guards(project) == {"guard": "one"}


def test_the_users_folder_is_never_taken_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/evil")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/evil")
    home = tmp_path / "home"
    store = home / ".local/state/jackline"
    store.mkdir(parents=True)
    assert user_folder(str(store)) == str(home / ".config/jackline")
    (store / "config").symlink_to(tmp_path / "noted")
    assert user_folder(str(store)) == str(tmp_path / "noted")
    assert not user_folder(str(tmp_path / "store")).startswith("/evil")
