"""The progressive features together, through the entry: what passes in each phase, and how refusals lead on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.intents.unowned_paths import USUAL
from jackline.session_paths import task_ref
from jackline.store import tasks
from scene import Said, Scene
from services.together import together

FEATURES = Path(__file__).parent.parent.parent / "src/jackline/features"
STRICT = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}
LENIENT = {name: {"enabled": True, "mode": "warn"} for name in STRICT}


def edit(scene: Scene, path: str, lines: int = 1, tool: str = "Edit") -> Said:
    given = {"file_path": f"{scene.root}/{path}", "old_string": "a", "new_string": "\n".join("b" * lines)}
    return scene.say(scene.tool(tool_name=tool, tool_input=given))


def write(scene: Scene, path: str, text: str = "x\n") -> Said:
    return scene.say(scene.tool(tool_name="Write", tool_input={"file_path": f"{scene.root}/{path}", "content": text}))


def task(scene: Scene, work: str = "w001") -> dict[str, Any]:
    return tasks.read(str(scene.store), scene.place.name, work)


def phase(scene: Scene) -> str:
    return str(scene.state()["core"]["phase"])


def done(scene: Scene, command: str) -> Said:
    """A command ran: its end is told."""
    return scene.say(scene.tool(command, event="PostToolUse", tool_response={"stdout": ""}))


def submit(scene: Scene, *nodes: dict[str, Any]) -> Said:
    """Write the plan at its place, as an agent does with its own tool."""
    path = scene.place / "work/w001/plan/planGraph.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"nodes": [{"description": "a step", **node} for node in nodes]}))
    given = {"file_path": str(path), "content": path.read_text()}
    return scene.say(scene.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))


PLAN = (
    {"id": "parse", "scope": "src/parse/**"},
    {"id": "store", "scope": "src/store/**", "dependsOn": ["parse"]},
    {"id": "check", "kind": "validate", "dependsOn": ["store"]},
)


@pytest.fixture
def strict(scene: Scene) -> Scene:
    for name in ("src/parse/a.py", "src/parse/b.py", "src/store/c.py", "README.md"):
        path = scene.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a\n")
    scene.manifest({"version": 1, "modules": STRICT})
    scene.begin()
    scene.prompt("rotate the tokens")
    return scene


def test_the_store_knows_the_task(strict: Scene) -> None:
    assert task(strict)["phase"] == "PLANNING"
    assert task(strict)["goal"] == "rotate the tokens"


def test_no_part_of_a_secret_stands_in_the_goal(scene: Scene) -> None:
    """A token that the goal's end would cut in two is known for one before."""
    scene.manifest({"version": 1, "modules": STRICT})
    scene.begin()
    scene.prompt("x " * 92 + "ghp_0123456789abcdefghijABCDEFGHIJ012345 rotate")
    assert "ghp_0123" not in task(scene)["goal"]


CHECK = {"id": "check", "kind": "validate", "dependsOn": ["docs"]}


WIDE = (
    {"scope": "src/**"},
    {"tools": ["Write", "Bash"]},
    {"scope": "**", "tools": ["*"]},
    {"lease": {"paths": ["**"]}},
)


@pytest.mark.parametrize("more", [{}, *WIDE], ids=str)
@pytest.mark.parametrize("kind", ["look", "validate", "escalate"])
def test_who_looks_validates_or_asks_lends_no_change(strict: Scene, kind: str, more: dict[str, Any]) -> None:
    asks = {"request": {"type": "decision", "question": "which?"}} if kind == "escalate" else {}
    other = {"id": "other", "kind": kind, "dependsOn": ["docs"], **asks, **more}
    told = submit(strict, {"id": "docs", "scope": "README.md"}, CHECK, other)
    assert task(strict)["phase"] == "EXECUTING", told
    write(strict, "README.md", "new\n")
    done(strict, "jackline plan node done docs")
    done(strict, "jackline plan node start other")
    assert task(strict)["nodes"]["other"]["status"] == "started"
    for said in (edit(strict, "src/parse/a.py", 60), strict.pre("touch new.py"), strict.pre("make deploy")):
        assert said.decision == "deny"
        assert '"code":"LEASE_REQUIRED"' in said.reason
        assert "other (" not in said.reason


READS = ["ls -la", "cat src/parse/a.py", "git log -3 && git diff", "rg a src | head", "jackline plan show", "pytest -q"]
WRITES = ["touch new.py", "cat > src/parse/a.py <<'E'\nx\nE", "sed -i s/a/b/ src/parse/a.py", "rm src/parse/a.py",
          "python3 -c 'open(\"x\",\"w\")'", "git checkout -- .", "mv README.md R.md", "make deploy"]  # fmt: skip


@pytest.mark.parametrize("command", READS)
def test_reading_passes_before_a_plan(strict: Scene, command: str) -> None:
    assert strict.pre(command).decision == ""


@pytest.mark.parametrize("command", WRITES)
def test_what_changes_the_project_waits_for_a_plan(strict: Scene, command: str) -> None:
    said = strict.pre(command)
    assert said.decision == "deny"
    assert '"code":"PLAN_REQUIRED"' in said.reason
    assert "now: jackline plan quick" in said.reason


def test_a_small_change_passes_and_a_second_file_does_not(strict: Scene) -> None:
    assert edit(strict, "src/parse/a.py", 3).decision == ""
    assert edit(strict, "src/parse/a.py", 3).decision == ""
    said = edit(strict, "src/parse/b.py")
    assert said.decision == "deny"
    assert "src/parse/**" in said.reason
    strict.prompt("and the other one")
    assert edit(strict, "src/parse/b.py").decision == ""


@pytest.mark.parametrize(
    ("path", "lines"),
    [("src/parse/a.py", 21), ("src/parse/new.py", 1), ("db/migrations/1.py", 1), (".github/workflows/ci.yml", 1),
     ("poetry.lock", 1)],
    ids=["long", "new", "migration", "workflow", "lock"],
)  # fmt: skip
def test_what_is_no_small_change(strict: Scene, path: str, lines: int) -> None:
    if path != "src/parse/new.py":
        (strict.root / path).parent.mkdir(parents=True, exist_ok=True)
        (strict.root / path).write_text("a\n")
    assert edit(strict, path, lines).decision == "deny"


def tool(scene: Scene, name: str, **given: Any) -> Said:
    return scene.say(scene.tool(tool_name=name, tool_input=given))


LINES = "".join(f"line {at} is a line\n" for at in range(60))
SIZES = [
    ("Write", {"content": ""}, "deny"),
    ("Write", {"content": "line 1 is a line\n"}, "deny"),
    ("Write", {"content": LINES.replace("line 7 ", "line seven ").replace("line 50 ", "line fifty ")}, ""),
    ("Write", {"content": LINES + "and one more\n"}, ""),
    ("Write", {"content": "one before\n" + LINES}, ""),
    ("Edit", {"old_string": "a line", "new_string": "no line", "replace_all": True}, "deny"),
    ("Edit", {"old_string": "line 5", "new_string": "row 5", "replace_all": True}, ""),
    ("MultiEdit", {"edits": [{"old_string": "line", "new_string": "row", "replace_all": True}]}, "deny"),
    ("MultiEdit", {"edits": [{"old_string": "line 1 is", "new_string": "a\nb"},
                             {"old_string": "line 58 is", "new_string": "c"}]}, ""),
    ("MultiEdit", {"edits": 5}, "deny"),
    ("Edit", {"code_edit": "# … existing code …"}, "deny"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "decision"), SIZES)
def test_the_size_of_a_change_is_what_it_does_to_the_file(
    strict: Scene, name: str, given: dict[str, Any], decision: str
) -> None:
    """Emptying a file, or a word that stands in every line of it, is no line."""
    path = strict.root / "src/parse/a.py"
    path.write_text(LINES)
    said = tool(strict, name, file_path=str(path), **given)
    assert (said.decision, "PLAN_REQUIRED" in said.reason) == (decision, decision == "deny")


def test_a_cell_of_a_notebook_is_as_large_as_its_text(strict: Scene) -> None:
    path = strict.root / "n.ipynb"
    cell: dict[str, Any] = {
        "cell_type": "code",
        "id": "c1",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": ["a\n"],
    }
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    given = {"notebook_path": str(path), "cell_id": "c1"}
    assert tool(strict, "NotebookEdit", new_source="b\n", **given).decision == ""
    assert tool(strict, "NotebookEdit", new_source="b\n" * 300, **given).decision == "deny"


def test_of_small_changes_at_once_no_more_pass_than_are_free(strict: Scene) -> None:
    for name in "abcdef":
        (strict.root / f"src/parse/{name}.py").write_text("a\n")

    def change(number: int) -> int:
        return 1 if edit(strict, f"src/parse/{'abcdef'[number]}.py").decision == "" else 0

    assert sum(together(6, change)) == 1


@pytest.mark.parametrize(
    "command", ["git add -A > src/parse/a.py", "git commit -m x > src/parse/a.py", "git add . 2>>src/parse/b.py"]
)
def test_a_commit_writes_no_file_of_the_project(strict: Scene, command: str) -> None:
    assert strict.pre(command).decision == "deny"
    assert strict.pre("git add -A && git commit -m 'a > b' 2>/dev/null").decision == ""


def test_places_that_no_plan_speaks_of(strict: Scene) -> None:
    (strict.root / ".gitignore").write_text("scratch/\n")
    assert write(strict, "scratch/new.txt").decision == ""
    plan = f".ai/tmp/{strict.place.name}/{task_ref('w001', 'plan', 'planGraph.json')}"
    assert write(strict, plan, "{}").decision == ""
    assert strict.pre("echo x > /tmp/scratch-of-a-plan").decision == ""


def test_a_plan_opens_what_its_ready_nodes_say(strict: Scene) -> None:
    said = submit(strict, *PLAN)
    assert "plan: accepted, 3 nodes." in said.body["hookSpecificOutput"]["additionalContext"]
    assert phase(strict) == "EXECUTING"
    assert write(strict, "src/parse/new.py").decision == ""
    assert list(task(strict)["leases"]) == ["parse"]
    assert strict.pre("sed -i s/a/b/ src/parse/a.py src/parse/b.py").decision == ""
    said = write(strict, "src/store/new.py")
    assert said.decision == "deny" and '"code":"LEASE_REQUIRED"' in said.reason
    assert strict.pre("git push").decision == "deny"
    assert strict.pre("git add -A && git commit -m x").decision == ""


def test_nodes_are_worked_off_to_the_end(strict: Scene) -> None:
    submit(strict, *PLAN)
    for name, path in (("parse", "src/parse/a.py"), ("store", "src/store/c.py")):
        assert write(strict, path, "new\n").decision == ""
        done(strict, f"jackline plan node done {name}")
        assert task(strict)["nodes"][name]["status"] == "done"
    assert phase(strict) == "EXECUTING"
    done(strict, "jackline plan node done check")
    assert phase(strict) == "COMPLETE"
    assert strict.pre("touch src/parse/later.py").decision == "deny"
    steps = [(row["data"]["to"], row["data"]["trigger"]) for row in strict.rows("PHASE_TRANSITION")]
    assert steps == [("PLANNING", "prompt"), ("EXECUTING", "plan_accepted"), ("COMPLETE", "all_done")]
    strict.prompt("something else")
    assert (phase(strict), strict.state()["core"]["workId"]) == ("PLANNING", "w002")


def test_done_needs_a_change(strict: Scene) -> None:
    submit(strict, *PLAN)
    done(strict, "jackline plan node start parse")
    assert task(strict)["nodes"]["parse"]["status"] == "started"
    old = 1_000_000_000
    import os

    for path in (strict.root / "src/parse").iterdir():
        os.utime(path, (old, old))
    done(strict, "jackline plan node done parse")
    assert task(strict)["nodes"]["parse"]["status"] == "started"


def test_what_is_forged_moves_nothing(strict: Scene) -> None:
    """Statuses in the plan, and a state that somebody wrote."""
    submit(strict, *[{**node, "status": "done"} for node in PLAN])
    assert phase(strict) == "EXECUTING"
    place = strict.place / "work/w001/plan/planGraph.json"
    place.write_text(json.dumps({"nodes": [{"id": "all", "description": "x"}]}))
    assert write(strict, "src/store/new.py").decision == "deny", "a file that changes is no submission"


@pytest.mark.parametrize(
    ("nodes", "rule"),
    [
        ([{"id": "a", "dependsOn": ["b"]}, {"id": "b", "dependsOn": ["a"]}], "structure"),
        ([{"id": "a", "scope": "src/**"}], "nothing checks this change"),
        ([{"id": "a", "validators": ["t"], "evidence": ["no/such/file"]}], "evidence"),
        ([{"id": "a", "kind": "validate"}], "it covers no change"),
        ([{"id": "a", "validators": ["t"], "scope": "../other/**"}], "leads out of the project"),
        ([{"id": "a", "kind": "escalate"}], "escalation"),
    ],
    ids=["circle", "unchecked", "evidence", "idle check", "outside", "untyped"],
)
def test_a_plan_that_is_not_accepted(strict: Scene, nodes: list[dict[str, Any]], rule: str) -> None:
    said = submit(strict, *nodes)
    assert "plan: not accepted:" in said.body["hookSpecificOutput"]["additionalContext"]
    assert rule in said.body["hookSpecificOutput"]["additionalContext"]
    assert phase(strict) == "PLANNING"
    assert task(strict)["denied"]["findings"]


def test_the_third_equal_refusal_blocks_and_a_prompt_goes_on(strict: Scene) -> None:
    for _ in range(3):
        assert strict.pre("touch new.py").decision == "deny"
    assert phase(strict) == "BLOCKED"
    assert strict.pre("cat README.md").decision == ""
    assert strict.pre("jackline plan show").decision == ""
    strict.prompt("go on")
    assert phase(strict) == "PLANNING"


def test_the_person_is_told_with_the_refusal_that_blocks_and_with_no_other(strict: Scene) -> None:
    told = [strict.pre("touch new.py").body.get("systemMessage", "") for _ in range(5)]
    assert [bool(one) for one in told] == [False, False, True, False, False]
    assert told[2].startswith("w001 is BLOCKED: the same was refused three times in this turn (there is no plan yet")
    strict.prompt("go on")
    assert [bool(strict.pre("touch new.py").body.get("systemMessage")) for _ in range(3)] == [False, False, True]


def test_a_plan_leads_out_of_blocked(strict: Scene) -> None:
    for _ in range(3):
        strict.pre("touch new.py")
    submit(strict, *PLAN)
    assert phase(strict) == "EXECUTING"


def test_lenient_tells_and_never_blocks(scene: Scene) -> None:
    scene.manifest({"version": 1, "modules": LENIENT})
    scene.begin()
    scene.prompt()
    said = scene.pre("touch new.py")
    assert said.decision == ""
    assert "tool-gate would deny" in said.body["systemMessage"]
    assert (
        submit(scene, {"id": "a"}).body["hookSpecificOutput"]["additionalContext"].startswith("plan: accepted, 1 node.")
    )
    assert phase(scene) == "EXECUTING"


def test_what_is_free_is_free_for_both(scene: Scene) -> None:
    """The gate and intent-scope agree about scratch, and about what tools make again."""
    theirs = json.loads((FEATURES / "intent_scope/defaults.json").read_text())
    for key, value in USUAL.items():
        assert theirs[key] == (list(value) if isinstance(value, tuple) else value), key


def test_what_lies_outside_of_the_project_is_opened_as_the_refusal_says(strict: Scene) -> None:
    place = str(strict.folder / "other/x.py")
    for _ in range(2):
        said = strict.pre(f"touch {place}")
        assert said.decision == "deny"
        assert f"it changes {place}, outside of the project: a step without a scope opens that" in said.reason
        assert "now: jackline plan submit FILE" in said.reason and "plan quick" not in said.reason
        submit(strict, {"id": "inside", "scope": "src/**", "validators": ["t"]})
    submit(strict, {"id": "beside", "validators": ["t"]})
    assert strict.pre(f"touch {place}").decision == ""
