"""One hook table out of everything: rows in order, same content same bytes, the last good one when something breaks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jackline import hook_table as hot
from jackline.builtin import builtin_table
from jackline.compiler import trust, write
from jackline.compiler.registry import KNOWN, NOT_YET
from jackline.hook_table import HookTable, handler, load, path_of
from jackline.model import Event
from jackline.staleness import fresh

from .project import Project


def slugs(found: HookTable, event: str = "PreToolUse") -> list[str]:
    return [row.slug for row in found.rows(event)]


def body(data: bytes) -> bytes:
    found = hot.unpack(data)
    assert found is not None
    return found[1]


def test_an_empty_project_has_the_built_in_features(project: Project) -> None:
    made = project.compile()
    assert (made.faults, made.warnings, made.table.trusted, made.table.digest) == ((), (), True, "")
    on = [slug for slug, known in KNOWN.items() if known.on and known.here]
    assert [slug for slug in slugs(made.table) if slug in on] == slugs(made.table)
    assert made.table.phase_policy.keys() == {"UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE", "BLOCKED"}


def test_contract_14_rows_6_and_7_are_not_yet_here(project: Project) -> None:
    project.manifest(
        {"modules": {"memory-journal": {"enabled": True}, "memory-activation": {"priority": 41}}}, project.user
    )
    made = project.compile()
    skipped = dict(made.table.report()["skipped"])
    for slug in ("memory-journal", "memory-activation"):
        assert skipped[slug] == NOT_YET
    assert made.faults == () and made.warnings == ()


def test_order_is_priority_then_name(project: Project) -> None:
    for name, priority in (("b-two", 5), ("a-two", 5), ("late", 90), ("first", -1)):
        project.feature(name, priority=priority, folder=project.user)
    found = slugs(project.publish())
    assert [slug for slug in found if slug not in KNOWN] == ["first", "a-two", "b-two", "late"]
    assert found.index("a-two") > found.index("session") and found.index("a-two") < found.index("graph-pretooluse")


def test_contract_13_what_is_not_hot_is_only_off_on_pre_tool_use(project: Project) -> None:
    project.write(
        "features/slow/hook.py",
        '@hook(name="slow", supports=["PreToolUse", "Stop"], hot_path_safe=False)\ndef handle(event, ctx): ...\n',
        project.user,
    )
    table = project.publish()
    assert "slow" not in slugs(table)
    assert "slow" in slugs(table, "Stop")


def test_a_row_carries_what_was_declared_and_configured(project: Project) -> None:
    project.feature("guard", priority=7, more=', tools=["kind:shell", "read_file"], critical=True', folder=project.user)
    project.write("features/guard/defaults.json", {"depth": 3, "deep": {"a": 1, "b": 2}}, project.user)
    knob = {"type": "integer", "title": "Depth", "x-tighten": "less"}
    project.write("features/guard/knobs.schema.json", {"type": "object", "properties": {"depth": knob}}, project.user)
    project.manifest({"modules": {"guard": {"priority": 8, "mayApprove": True, "runner": "forked"}}}, project.user)
    project.write("config.json", {"guard": {"deep": {"b": 9}}}, project.user)
    project.write("config.json", {"guard": {"depth": 2}})  # untrusted, but it tightens
    row = project.publish().row("guard")
    assert row is not None
    assert row._replace(codes=(), module="") == hot.HookSpec(
        "guard",
        8,
        critical=True,
        runner="forked",
        tools=("Read", "read_file", "read_files", "view"),
        kinds=("shell",),
        may_approve=True,
        supports=("PreToolUse",),
        origin="user",
        config={"deep": {"a": 1, "b": 9}, "depth": 2},
    )
    assert row.wants("view", "read") and row.wants("anything", "shell") and not row.wants("Edit", "edit")


WARN, FORCE = ({"enabled": True, "mode": "warn"}, {"enabled": True, "mode": "enforce"})


@pytest.mark.parametrize(
    ("user", "project_", "critical"),
    [
        (FORCE, None, True),
        (WARN, None, False),
        ({"enabled": True}, None, True),  # the mode of all is `enforce`
        ({**FORCE, "critical": False}, None, False),
        ({**WARN, "critical": True}, None, True),
        ({**WARN, "critical": False}, FORCE, True),  # as an older version wrote it, and somebody tightened
        (FORCE, {"critical": False}, True),  # nobody trusts who says so, and it loosens
        (FORCE, {**WARN, "critical": False}, True),
    ],
)
@pytest.mark.parametrize("slug", ["tool-gate", "mine"])
def test_what_is_critical_when_strict_goes_by_its_mode(
    project: Project, slug: str, user: dict[str, Any], project_: dict[str, Any] | None, critical: bool
) -> None:
    """Any feature may say so of itself; what a layer says of it counts beside the mode that the same layer sets."""
    project.feature("mine", more=', critical="strict"', folder=project.user)
    project.manifest({"modules": {slug: user}}, project.user)
    if project_ is not None:
        project.manifest({"modules": {slug: project_}})
    row = project.publish().row(slug)
    assert row is not None and row.critical is critical


def test_the_code_that_runs_is_the_code_that_was_compiled(project: Project) -> None:
    path = project.feature("guard", "as compiled", folder=project.user)
    project.write("features/guard/words.py", "WORD = 'from a sibling'\n", project.user)
    path.write_text(path.read_text().replace("return deny(", "from .words import WORD\n    return deny(WORD + ', ' + "))
    row = project.publish().row("guard")
    path.write_text("raise SystemExit('edited after the compile')")
    assert row is not None
    assert handler(row)(Event("PreToolUse"), None).reason == "from a sibling, as compiled"


def test_two_hook_tables_in_one_process_keep_their_own_code(project: Project) -> None:
    project.feature("guard", "one", folder=project.user)
    first = project.publish().row("guard")
    project.feature("guard", "two", folder=project.user)
    second = project.publish().row("guard")
    assert first is not None and second is not None
    said = [handler(row)(Event("PreToolUse"), None).reason for row in (first, second, first)]
    assert said == ["one", "two", "one"]


COMPILE = """
import sys
from jackline.compiler.write import compile_table
root, store, user, site = sys.argv[1:]
made = compile_table(root, store, user=user, managed=user + "-none", sites=[site])
sys.stdout.buffer.write(made.data)
"""


def rich(project: Project) -> None:
    for number in range(6):
        project.feature(f"feature-{number}", f"reason {number}" * 20, more=f', tools=["kind:read", "Bash{number}"]')
        project.write(
            f"features/feature-{number}/defaults.json", {"a": [1, 2.5, None], "n": number, "t": "text with words"}
        )
        project.write(
            f"features/feature-{number}/more.py", f"X = {{1, 2, 'a b', {number}}}\nY = 'a b' in {{'x y', 'z'}}\n"
        )
    project.manifest({"enforcePhases": True, "budgets": {"Stop": 4000}, "modules": {"feature-1": {"mode": "warn"}}})
    project.trust()


def test_same_content_same_bytes(project: Project, tmp_path: Path) -> None:
    """Whatever the process, its hash seed, its folder, its environment, and whichever worktree the content lies in."""
    rich(project)
    bodies = [body(project.compile().data)]
    script = tmp_path / "compile.py"
    script.write_text(COMPILE)
    words = [str(project.root), str(project.store), str(project.user), str(project.site)]
    path = os.pathsep.join(one for one in sys.path if one)
    for seed, cwd, more in (
        ("0", "/", {}),
        ("1", str(tmp_path), {"LANG": "tr_TR.UTF-8", "HOME": "/x", "TZ": "Asia/Tokyo"}),
    ):
        env = {"PYTHONPATH": path, "PYTHONHASHSEED": seed, **more}
        made = subprocess.run([sys.executable, str(script), *words], cwd=cwd, env=env, capture_output=True, check=True)
        bodies.append(body(made.stdout))
    assert len(set(bodies)) == 1
    other = tmp_path / "other"
    other.mkdir()
    (project.root / ".ai").rename(other / ".ai")
    project.root = other
    project.hooks = other / ".ai" / "hooks"
    project.trust()
    assert body(project.compile().data) == bodies[0]


def test_other_content_other_bytes(project: Project) -> None:
    rich(project)
    before = body(project.compile().data)
    project.write("features/feature-0/more.py", "X = 2\n")
    project.trust()
    assert body(project.compile().data) != before


def test_what_does_not_compile_keeps_the_last_good_hook_table(project: Project) -> None:
    project.feature("guard", folder=project.user)
    good = project.publish()
    project.write("features/guard/hook.py", "def broken(:\n", project.user)
    kept = project.publish()
    assert slugs(kept) == slugs(good) and "guard" in slugs(kept)
    assert kept.faults == (
        f"{project.user}/features/guard/hook.py:1 · expected Python, got invalid syntax at column 12",
    )
    assert fresh(kept) in ("fresh", "restat"), "one failed compile is enough"
    project.feature("guard", "mended", folder=project.user)
    assert fresh(kept) == "stale"
    assert project.publish().faults == ()


def test_without_a_last_good_one_the_layers_below_the_fault_hold(project: Project) -> None:
    project.manifest({"modules": {"graph-pretooluse": {"mode": "observe"}}}, project.user)
    project.write("dispatch.manifest.json", "{ not json")
    table = project.publish()
    row = table.row("graph-pretooluse")
    assert row is not None and row.mode == "observe"
    assert table.faults == (
        ".ai/hooks/dispatch.manifest.json:1 · expected JSON, got expecting property name enclosed in double quotes "
        'at column 3 · write: a key in double quotes, and no comma before "}"',
    )
    project.write("dispatch.manifest.json", "[]", project.user)
    broken = project.compile()
    (project.store / "wirings").rename(project.store / "gone")
    table = project.publish()
    assert [row.mode for row in table.rows("PreToolUse") if row.slug == "graph-pretooluse"] == ["enforce"]
    assert len(table.faults) == len(broken.faults) == 2


def test_disabled_and_unknown_features_are_told(project: Project) -> None:
    project.manifest({"modules": {"planGraph-exec": {"enabled": False}, "sesion": {"mode": "warn"}}}, project.user)
    made = project.compile()
    assert dict(made.table.report()["skipped"])["planGraph-exec"] == "disabled (user)"
    where = project.user / "dispatch.manifest.json"
    assert made.warnings == (f"{where} · modules.sesion: there is no feature of this name",)


def test_tool_names_that_match_nothing_are_told(project: Project) -> None:
    policy = {"PLANNING": {"allowTools": ["Read", "Reed", "memo/remember", "kind:list"]}}
    project.manifest({"phasePolicy": policy}, project.user)
    project.feature("guard", more=', tools=["Bashh"]', folder=project.user)
    made = project.compile()
    where = project.user / "dispatch.manifest.json"
    assert made.warnings == (
        f'{where} · phasePolicy.PLANNING.allowTools: "Reed" matches no tool of a known client · write: "Read"',
        f'{project.user}/features/guard/hook.py:4 · tools: "Bashh" matches no tool of a known client · write: "Bash"',
    )
    phase = made.table.phase("PLANNING")
    assert phase is not None
    assert phase == hot.Phase("deny", ("Read", "Reed", "memo/remember", "read_file", "read_files", "view"), ("list",))
    assert phase.lists("view", "read") and phase.lists("anything", "list") and not phase.lists("Bash", "shell")


def test_a_feature_at_a_path(project: Project) -> None:
    project.feature("elsewhere", folder=project.user / "mine")
    project.manifest({"modules": {"elsewhere": {"path": "mine/features/elsewhere"}}}, project.user)
    assert "elsewhere" in slugs(project.publish())
    project.manifest({"modules": {"elsewhere": {"path": "nowhere/hook.py"}}}, project.user)
    assert [fault.path for fault in project.compile().faults] == ["modules.elsewhere.path"]


def test_the_nearest_layer_brings_the_feature(project: Project) -> None:
    project.feature("session", "the user's own", folder=project.user)
    row = project.publish().row("session")
    assert row is not None and (row.origin, row.critical) == ("user", False)
    project.manifest({"modules": {"session": {"enabled": True}}}, project.managed)
    row = project.publish().row("session")
    assert row is not None and (row.origin, row.critical) == ("builtin", True), "managed speaks of it: it stays"


def test_a_package_offers_a_feature(project: Project) -> None:
    info = project.site / "jackline_tea-1.2.dist-info"
    project.write(
        "entry_points.txt", "[console_scripts]\nx = y:z\n\n[jackline.features]\ntea = tea_hooks.tea:handle\n", info
    )
    text = '@hook(name="tea", supports=["Stop"])\ndef handle(event, ctx): ...\n'
    project.write("tea.py", "from jackline.sdk import hook\n" + text, project.site / "tea_hooks")
    made = project.compile()
    assert dict(made.table.report()["skipped"])["tea"] == (
        "not trusted: run `jackline trust --package jackline-tea==1.2`"
    )
    trust.trust_package(str(project.store), "jackline-tea==1.2", "person")
    row = project.publish().row("tea")
    assert row is not None
    assert (row.origin, row.module, row.codes) == ("package:jackline-tea==1.2", "tea_hooks.tea", ())
    assert row.roots == (str(project.site),)
    info.rename(info.with_name("jackline_tea-1.3.dist-info"))
    assert project.publish().row("tea") is None, "another version is another package"


def test_two_features_of_one_name_do_not_compile(project: Project) -> None:
    path = project.feature("a-b", folder=project.user)
    project.write("features/a_b/hook.py", path.read_text(), project.user)
    assert [str(fault) for fault in project.compile().faults] == [
        f"{project.user}/features/a_b/hook.py:4 · name: expected a name of its own, "
        f"got that of {project.user}/features/a-b · write: another name"
    ]


def test_imports_record_their_roots(project: Project) -> None:
    project.feature("guard", more=', imports=["teapot"]', folder=project.user)
    made = project.compile()
    assert [str(fault) for fault in made.faults] == [
        f"{project.user}/features/guard/hook.py:4 · imports: expected installed packages, got teapot · "
        "write: pip install teapot"
    ]
    (project.site / "teapot").mkdir(parents=True)
    row = project.publish().row("guard")
    assert row is not None and row.roots == (str(project.site),)


def test_client_configuration_is_watched(project: Project) -> None:
    entry: dict[str, Any] = {
        "path": "/h/.claude/settings.json",
        "root": "",
        "steps": [{"after": "aa"}, {"after": "bb"}],
    }
    elsewhere = entry | {"path": "/p/.claude/settings.json", "root": "/p"}
    project.write("installs.json", {"v": 1, "installs": [entry, elsewhere]}, project.store)
    table = project.publish()
    assert table.watch == (("/h/.claude/settings.json", "bb"),)
    project.write("installs.json", {"v": 1, "installs": []}, project.store)
    assert fresh(table) == "stale"


def test_workspace_names_files_and_says_what_it_cannot(project: Project) -> None:
    project.write(
        "workspace.json", {"version": 2, "hooks": {"manifestFile": "m.json"}, "session": {"stateFile": "s.json"}}
    )
    project.write("m.json", {"budgets": {"Stop": 1234}})
    project.trust()
    made = project.compile()
    assert made.table.budget("Stop") == 1234
    assert made.warnings == (".ai/hooks/workspace.json · session.stateFile: this version always uses state.json",)


def test_policies_of_later_features_are_checked_now(project: Project) -> None:
    project.write("rlm-policy.json", {"version": 1, "defaultMode": "block"})
    rule = {"id": "a", "trigger": {"event": "Stop"}, "followup": {"action": "warn"}}
    project.write("followup-rules.json", {"version": 1, "rules": [rule]})
    assert [str(fault) for fault in project.compile().faults] == [
        '.ai/hooks/rlm-policy.json:3 · defaultMode: expected one of "deny", "ask", "warn", "allow", got "block" · '
        'write: "defaultMode": "deny"',
        '.ai/hooks/followup-rules.json:7 · rules[0].trigger.event: expected one of "PreToolUse", "PostToolUse", '
        'got "Stop" · write: "event": "PreToolUse"',
    ]


def test_a_folder_without_a_project(project: Project, tmp_path: Path) -> None:
    made = write.refresh("", str(project.store), **project.options)
    assert made.slot == "builtin"
    found = load(path_of(str(project.store), "builtin"))
    assert found is not None and slugs(found) == slugs(made.table)
    assert builtin_table(str(project.store)).built == found.built


def test_built_in_rows_are_the_same_with_and_without_a_compile(project: Project, tmp_path: Path) -> None:
    """`builtin_table` makes up for a missing file with the same features and knobs."""
    plain = builtin_table(str(tmp_path / "nowhere"))
    made = project.compile().table
    for row in made.rows("PreToolUse"):
        found = plain.row(row.slug)
        assert found is not None
        assert found._replace(tools=(), kinds=()) == row._replace(tools=(), kinds=())
    assert plain.budgets == made.budgets and plain.rewrite_owner == made.rewrite_owner


@pytest.mark.parametrize("text", ["", "{", "null", '{"v": 9}', '{"v": 1, "repos": []}', "\xff"])
def test_a_broken_trust_book_trusts_nobody(project: Project, text: str) -> None:
    project.feature("guard")
    project.trust()
    assert project.compile().table.trusted
    (project.store / "trust.json").write_text(text)
    assert not project.compile().table.trusted


def test_a_knob_that_does_not_fit_keeps_nothing_else_from_counting(project: Project) -> None:
    """It is told with its file and line; what else a person trusted counts."""
    project.publish()
    project.feature("guard")
    project.write("dispatch.manifest.json", {"version": 1, "modules": {"guard": {"priority": 77}}})
    project.write("config.json", {"graph-pretooluse": {"limits": {"depth": "deep", "results": 9}}})
    project.trust()
    made = project.compile()
    assert [one.where for one in made.faults] == [".ai/hooks/config.json:4"]
    guard, search = made.table.row("guard"), made.table.row("graph-pretooluse")
    assert guard is not None and guard.priority == 77
    assert search is not None and search.config["limits"]["results"] == 9
    assert isinstance(search.config["limits"]["depth"], int)


def test_what_cannot_run_as_trusted_says_why_and_a_later_state_is_told_as_it_is(project: Project) -> None:
    place = ".ai/hooks/features/guard"
    project.feature("guard")
    good = (project.root / place / "hook.py").read_text()
    (project.root / place / "hook.py").write_text(good + "\n)\n")
    project.trust()
    made = project.compile()
    at = f"{place}/hook.py:{good.count(chr(10)) + 2}"
    assert [one.where for one in made.faults] == [at]
    (line,) = made.table.told
    assert f"(it does not compile: {at} · expected Python" in line
    assert line.endswith(f": its calls wait for you · mend it, then jackline trust {place}")
    assert at in made.table.holds[0]
    (project.root / place / "hook.py").write_text(good)
    made = project.compile()
    assert made.faults == (), "the file is right: what is wrong is the copy of what was trusted"
    assert made.table.told[0].endswith(f" · jackline trust {place}") and "mend" not in made.table.told[0]
