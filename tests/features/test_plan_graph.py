"""plan-scope: what a valid plan is, where it lies, what it forbids, and how it narrows a search."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.features.plan_graph_exec.hook import handle
from jackline.globs import covers, match
from jackline.model import Action, Event
from jackline.services.plans import scopes as scope
from jackline.services.plans.document import parse
from jackline.services.plans.tools import means

from .feature import FEATURES, call, context_of

SCHEMA = json.loads((FEATURES.parent / "schema/plan-graph.schema.json").read_text())
OUTPUT = ".ai/tmp/0badcafe/planGraph-exec/output"


def node(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "description": "do it", **fields}


def write(root: Path, nodes: object, place: str = f"{OUTPUT}/planGraph.json") -> Path:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(nodes if isinstance(nodes, dict) else {"nodes": nodes}))
    return path


def run(root: Path, event: Event, state: dict[str, Any] | None = None, **knobs: Any) -> Action | None:
    return handle(event, context_of("planGraph-exec", root, state=state, **knobs))


def known(root: Path, **more: Any) -> dict[str, Any]:
    """The state after the plan was accepted: what `run` returned as its patch, and more."""
    action = run(root, call("LS", "list", {"path": "nowhere"}, root, targets=("nowhere",)))
    assert action is not None and action.state_patch is not None
    return {"plan": {**action.state_patch["plan"], **more}}


def edit(root: Path, path: str) -> Event:
    return call("Edit", "edit", {"file_path": path}, root, targets=(path,))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("src/app/deep", "src/auth", "tests", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src/auth/key.py").write_text("x\n")
    return tmp_path


PLANS = [
    ([node("a")], True),
    ([node("a", tool="Edit", scope="src")], True),
    ([node("a", tools=["Edit", "kind:read"], scope=["src/**", "docs"])], True),
    ([node("a", status="Forbidden", reason="frozen")], True),
    ([node("a", tools=[], scope=[])], True),
    ([node("a", extra={"any": 1})], True),
    ([], False),
    ([node("")], False),
    ([{"id": "a"}], False),
    ([{"description": "x"}], False),
    ([node("a", description="")], False),
    ([node("a" * 201)], False),
    (["a"], False),
    ([node("a", claims={"fixes": "pytest", "migration": {"from": "1", "to": "2", "rule": "r"}})], True),
    ([node("a", claims={"fixes": ["pytest", "ruff"]})], True),
    ([node("a", claims={"fixes": 5})], False),
    ([node("a", claims={"fixes": [[]]})], False),
    ([node("a", claims={"migration": {"from": [], "to": "2"}})], False),
    ([node("a", claims={"migration": "1"})], False),
    ([node("a", claims={"migration": {"from": "1"}})], False),
    ([node("a", tool=3)], False),
    ([node("a", tool="")], False),
    ([node("a", tools="Edit")], False),
    ([node("a", tools=[1])], False),
    ([node("a", scope="")], False),
    ([node("a", scope=[""])], False),
    ([node("a", scope={"x": 1})], False),
    ([node("a", status=1)], False),
    ([node("a", status=None)], False),
    ([node("a", reason=[])], False),
    ([node("a", dependencies="b")], False),
    ({}, False),
    ({"nodes": {}}, False),
    ({"nodes": [node("a")], "$schema": 1}, False),
]


class TestValid:
    """What counts as a plan: the schema, then unique ids, known dependencies, no circle."""

    @pytest.mark.parametrize(("nodes", "valid"), PLANS, ids=[json.dumps(plan)[:80] for plan, _ in PLANS])
    def test_as_its_schema_says(self, nodes: object, valid: bool) -> None:
        plan = nodes if isinstance(nodes, dict) else {"nodes": nodes}
        assert jsonschema.Draft202012Validator(SCHEMA).is_valid(plan) is valid
        assert (parse(json.dumps(plan).encode()).fault == "") is valid

    @pytest.mark.parametrize("text", ['"\\ud800"', '"a\\uDFFFb"', '{"x": ["\\ud83d"]}'])
    def test_half_a_character_makes_no_plan(self, text: str) -> None:
        """Neither a picture nor the page beside the plan could be written with it."""
        at = '{"nodes": [{"id": "a", "description": "d"}], "goal": %s}' if text[0] == '"' else text[:-1] + "%s"
        data = at % (text if text[0] == '"' else ', "nodes": [{"id": "a", "description": "d"}]}')
        assert parse(data.encode()).fault == "half a character (\\ud800 to \\udfff) stands in it"

    def test_a_whole_character_in_two_halves_is_one(self) -> None:
        data = '{"nodes": [{"id": "a", "description": "\\ud83d\\ude00 \\\\ud800"}]}'
        assert parse(data.encode()).nodes[0].description == "\U0001f600 \\ud800"

    @pytest.mark.parametrize(
        ("nodes", "fault"),
        [
            ([node("a"), node("a")], "nodes[1].id: 'a' stands twice"),
            ([node("a", dependencies=["b"])], "a.dependencies: no node has the id 'b'"),
            ([node("a", dependencies=["a"])], "a.dependencies: they lead back to it or into a circle"),
            (
                [node("a", dependencies=["b"]), node("b", dependencies=["a"])],
                "a.dependencies: they lead back to it or into a circle",
            ),
        ],
    )
    def test_beyond_its_schema(self, nodes: list[Any], fault: str) -> None:
        assert parse(json.dumps({"nodes": nodes}).encode()).fault == fault

    @pytest.mark.parametrize(
        "data",
        [b"", b"{", b"\xff\xfe", b"null", b"[" * 5000, b'{"nodes":[' + b" " * (1 << 20) + b"]}", b'{"nodes":[NaN]}'],
        ids=["empty", "torn", "not utf-8", "null", "deep", "long", "NaN"],
    )
    def test_broken_bytes_are_a_fault_and_no_exception(self, data: bytes) -> None:
        plan = parse(data)
        assert plan.fault and not plan.nodes

    def test_a_long_chain_and_a_diamond_are_no_circle(self) -> None:
        chain = [node("0")] + [node(str(at), dependencies=[str(at - 1), str(at - 1)]) for at in range(1, 1500)]
        assert parse(json.dumps({"nodes": chain}).encode()).fault == ""

    def test_examples_of_the_schema_are_valid(self) -> None:
        for example in SCHEMA["examples"]:
            assert parse(json.dumps(example).encode()).fault == ""


class TestPlace:
    """Where the plan is looked for, best first."""

    def test_fallback_is_the_features_output(self, root: Path) -> None:
        write(root, [node("a")])
        action = run(root, edit(root, "x"))
        assert action is not None and action.state_patch is not None
        plan = action.state_patch["plan"]
        assert plan["currentPath"] == "planGraph-exec/output/planGraph.json"
        assert plan["status"] == "accepted"
        assert len(plan["hash"]) == 16

    def test_the_state_names_it(self, root: Path) -> None:
        write(root, [node("a", status="forbidden")])
        write(root, [node("b", status="forbidden")], ".ai/tmp/0badcafe/other/p.json")
        action = run(root, edit(root, "x"), {"plan": {"currentPath": "other/p.json"}})
        assert action is not None and action.rule == "plan-scope: node b"

    def test_the_state_leads_nowhere_else(self, root: Path) -> None:
        write(root, [node("b", status="forbidden")], "p.json")
        action = run(root, edit(root, "x"), {"plan": {"currentPath": "../../../p.json"}})
        assert action is not None and action.emit_events[0]["kind"] == "PLAN_GRAPH_MISSING"

    def test_configuration_names_it(self, root: Path) -> None:
        write(root, [node("a", status="forbidden")])
        write(root, [node("c", status="forbidden")], "plans/main.json")
        action = run(root, edit(root, "x"), planGraphFile="plans/main.json")
        assert action is not None and action.rule == "plan-scope: node c"

    def test_the_newest_of_the_planning_agents(self, root: Path) -> None:
        base = ".ai/tmp/0badcafe/plan-subagent-contract/output/sa/Plan"
        old = write(root, [node("old", status="forbidden")], f"{base}/a02/planGraph.json")
        write(root, [node("new", status="forbidden")], f"{base}/a01/planGraph.json")
        os.utime(old, (1, 1))
        action = run(root, edit(root, "x"))
        assert action is not None and action.rule == "plan-scope: node new"

    def test_a_link_in_its_place_is_not_followed(self, root: Path) -> None:
        write(root, [node("a", status="forbidden")], "elsewhere.json")
        path = root / OUTPUT
        path.mkdir(parents=True)
        (path / "planGraph.json").symlink_to(root / "elsewhere.json")
        action = run(root, edit(root, "x"))
        assert action is not None and action.decision == ""


class TestNews:
    """What is said once, and what the state holds."""

    def test_missing_once_per_work(self, root: Path) -> None:
        action = run(root, edit(root, "x"), missing="warn")
        assert action is not None
        assert action.state_patch == {"plan": {"status": "none", "complete": False, "warnedMissing": "w001"}}
        assert [row["kind"] for row in action.emit_events] == ["PLAN_GRAPH_MISSING"]
        assert action.warnings
        assert run(root, edit(root, "x"), {"plan": dict(action.state_patch["plan"])}) is None
        event = edit(root, "x")
        again = handle(
            event, context_of("planGraph-exec", root, state=dict(action.state_patch), work="w002", missing="warn")
        )
        assert again is not None and again.warnings

    def test_missing_silent(self, root: Path) -> None:
        action = run(root, edit(root, "x"))
        assert action is not None and not action.warnings and action.emit_events

    def test_an_accepted_plan_is_told_once(self, root: Path) -> None:
        write(root, [node("a")])
        state = known(root)
        assert run(root, edit(root, "x"), state) is None

    def test_a_changed_plan_is_told_again(self, root: Path) -> None:
        write(root, [node("a")])
        state = known(root)
        path = write(root, [node("a", status="done")])
        os.utime(path, (9, 9))
        action = run(root, edit(root, "x"), state)
        assert action is not None and action.state_patch is not None
        assert action.state_patch["plan"]["complete"] is False, "an agent's own word finishes nothing"
        assert action.emit_events[0]["kind"] == "PLAN_GRAPH_USED"

    def test_an_invalid_plan_is_rejected_with_a_reason_and_holds_nothing(self, root: Path) -> None:
        write(root, [node("a", status="forbidden"), node("a")])
        action = run(root, edit(root, "x"))
        assert action is not None and action.state_patch is not None
        assert action.decision == ""
        assert action.state_patch["plan"]["status"] == "rejected"
        assert "'a' stands twice" in action.warnings[0]
        assert run(root, edit(root, "x"), {"plan": dict(action.state_patch["plan"])}) is None

    def test_a_plan_that_vanishes_is_missing_again(self, root: Path) -> None:
        path = write(root, [node("a")])
        state = known(root, warnedMissing="w001")
        path.unlink()
        action = run(root, edit(root, "x"), state)
        assert action is not None and action.state_patch == {
            "plan": {"status": "none", "complete": False, "warnedMissing": "w001"}
        }
        assert not action.warnings

    def test_the_patch_holds_no_list_and_no_counter(self, root: Path) -> None:
        write(root, [node("a")])
        assert {type(value) for value in known(root)["plan"].values()} <= {str, int, bool}


FORBIDDEN = [
    # node, tool, kind, input, targets, refused
    ({"tool": "Edit", "scope": "src/auth/**"}, "Edit", "edit", {}, ("src/auth/key.py",), True),
    ({"tool": "Edit", "scope": "src/auth"}, "Edit", "edit", {}, ("src/auth/key.py",), True),
    ({"tool": "Edit", "scope": "src/auth"}, "Edit", "edit", {}, ("src/authority/key.py",), False),
    ({"tool": "Edit", "scope": "auth"}, "Edit", "edit", {}, ("src/auth/key.py",), False),
    ({"tool": "Edit", "scope": "src/auth/**"}, "Edit", "edit", {}, ("src/app/../auth/key.py",), True),
    ({"tool": "Edit", "scope": "src/auth/**"}, "Edit", "edit", {}, ("src/app/link/key.py",), True),
    ({"tool": "Edit", "scope": ["docs", "src/auth"]}, "Edit", "edit", {}, ("src/auth/key.py",), True),
    ({"tool": "Edit", "scope": "src/auth"}, "Edit", "edit", {}, ("docs/a", "src/auth/key.py"), True),
    ({"tool": "Edit", "scope": "./src/auth/"}, "Edit", "edit", {}, ("src/auth/key.py",), True),
    ({"tool": "Edit", "scope": "ROOT/src/auth"}, "Edit", "edit", {}, ("src/auth/key.py",), True),
    ({"tool": "Edit"}, "Edit", "edit", {}, ("anything",), True),
    ({}, "Read", "read", {}, ("anything",), True),
    ({"scope": "src/auth"}, "Read", "read", {}, ("src/auth/key.py",), True),
    ({"tool": "replace_string_in_file", "scope": "src"}, "Edit", "edit", {}, ("src/x",), True),
    ({"tool": "kind:edit", "scope": "src"}, "apply_patch", "edit", {}, ("src/x",), True),
    ({"tool": "kind:write", "scope": "src"}, "Edit", "edit", {}, ("src/x",), True),
    ({"tool": "Read", "scope": "src"}, "Edit", "edit", {}, ("src/x",), False),
    ({"tool": "kind:read", "scope": "src/auth"}, "read_file", "read", {}, ("src/auth/key.py",), True),
    ({"tools": ["Write", "Bash"]}, "Bash", "shell", {"command": "ls"}, (), True),
    ({"tools": ["Write", "Bash"]}, "run_in_terminal", "shell", {"command": "ls"}, (), True),
    ({"tool": "Grep"}, "Glob", "search", {"pattern": "*.py"}, (), False),
    ({"tool": "Grep"}, "grep_search", "search", {"query": "x"}, (), True),
    ({"tool": "kind:search", "scope": "src/auth"}, "Grep", "search", {"pattern": "x"}, (), True),
    ({"tool": "kind:search", "scope": "src/auth"}, "Grep", "search", {"pattern": "x", "path": "src"}, ("src",), True),
    ({"tool": "kind:search", "scope": "src/auth"}, "Grep", "search", {"pattern": "x", "path": "/"}, ("/",), True),
    (
        {"tool": "kind:search", "scope": "src/auth"},
        "Grep",
        "search",
        {"pattern": "x", "path": "docs"},
        ("docs",),
        False,
    ),
    ({"tool": "kind:search", "scope": "**/auth/*.py"}, "Grep", "search", {"path": "src/auth"}, ("src/auth",), True),
    ({"tool": "kind:search", "scope": "tests"}, "grep_search", "search", {"includePattern": "src/**"}, (), False),
    ({"tool": "kind:mcp"}, "files/move", "mcp", {}, ("docs/a",), True),
    ({"tool": "Edit", "scope": "src/auth"}, "files/move", "mcp", {}, ("src/auth/key.py",), True),
    ({"tool": "*", "scope": "src/auth"}, "Edit", "edit", {}, ("src/auth/key.py",), True),
    ({"tool": "kind:edit", "scope": "/etc/**"}, "Edit", "edit", {}, ("/etc/passwd",), True),
    ({"tool": "kind:edit", "scope": "**/*.py"}, "Edit", "edit", {}, ("/etc/x.py",), False),
]


@pytest.mark.parametrize("status", ["forbidden", "denied", "Denied"])
@pytest.mark.parametrize(
    ("fields", "tool", "kind", "given", "targets", "refused"),
    FORBIDDEN,
    ids=[f"{json.dumps(r[0])} {r[1]} {json.dumps(r[3])} {','.join(r[4])}" for r in FORBIDDEN],
)
def test_forbidden_nodes(
    root: Path,
    fields: dict[str, Any],
    tool: str,
    kind: str,
    given: dict[str, Any],
    targets: tuple[str, ...],
    refused: bool,
    status: str,
) -> None:
    (root / "src/app/link").symlink_to("../auth")
    text = json.dumps({"nodes": [node("n1", **fields, status=status, reason="frozen"), node("n2")]})
    write(root, json.loads(text.replace("ROOT", str(root))))
    action = run(root, call(tool, kind, given, root, targets=targets))
    assert action is not None
    assert (action.decision == "deny") is refused
    if refused:
        assert action.code == "SCOPE_VIOLATION"
        assert "frozen (do it)" in action.reason
        assert action.rule.startswith("plan-scope: node n1")
        assert [row["kind"] for row in action.emit_events] == ["PLAN_GRAPH_USED", "PLAN_GRAPH_DENY"]
        assert action.state_patch is not None and action.state_patch["plan"]["status"] == "accepted"


SHELL = [
    ("Edit", "echo x > src/auth/key.py", True),
    ("Edit", "sed -i s/a/b/ src/auth/key.py", True),
    ("Edit", "rm -rf src", True),
    ("Edit", "mv docs src/auth/docs", True),
    ("Edit", "cp docs/a src/auth/", True),
    ("Edit", "cd src/auth && touch new.py", True),
    ("Edit", "bash -c 'tee src/auth/key.py'", True),
    ("Edit", "cat src/auth/key.py", False),
    ("Edit", "echo 'src/auth/key.py' > docs/a", False),
    ("Read", "cat src/auth/key.py", True),
    ("Read", "cat docs/a", False),
    ("kind:shell", "cat src/auth/key.py", True),
    ("kind:shell", "echo src/auth/key.py", False),
]


@pytest.mark.parametrize(("tool", "command", "refused"), SHELL, ids=[f"{tool}: {text}" for tool, text, _ in SHELL])
def test_forbidden_nodes_hold_for_what_a_command_does(root: Path, tool: str, command: str, refused: bool) -> None:
    write(root, [node("n1", tool=tool, scope="src/auth/**", status="forbidden")])
    action = run(root, call("Bash", "shell", {"command": command}, root, command=command))
    assert action is not None
    assert (action.decision == "deny") is refused


def test_a_denied_node_without_a_reason_says_what_it_is_about(root: Path) -> None:
    write(root, [node("n1", scope="src/auth", status="denied") | {"description": "Leave the keys\n alone" + "." * 400}])
    action = run(root, edit(root, "src/auth/key.py"))
    assert action is not None
    assert action.reason.startswith("src/auth/key.py is denied by the plan: Leave the keys alone...")
    assert len(action.reason) < 260 and "\n" not in action.reason


@pytest.mark.parametrize("scope", ["src\\auth", ".\\src\\auth\\**", "src\\auth\\*.py"])
def test_a_scope_may_have_the_separators_of_windows(root: Path, scope: str) -> None:
    write(root, [node("n1", tool="Edit", scope=scope, status="forbidden"), node("n2")])
    action = run(root, edit(root, "src/auth/key.py"))
    assert action is not None and action.decision == "deny"


CLAMPS = [
    # scope of the node, tool, input, changes (None: unchanged)
    ("src/app/**", "Grep", {"pattern": "x"}, {"path": "ROOT/src/app"}),
    ("src/app", "Grep", {"pattern": "x", "path": "."}, {"path": "ROOT/src/app"}),
    ("src/app", "Grep", {"pattern": "x", "path": "ROOT"}, {"path": "ROOT/src/app"}),
    ("src/app", "Grep", {"pattern": "x", "path": "/"}, {"path": "ROOT/src/app"}),
    ("src/app/**", "Grep", {"pattern": "x", "path": "src/app/deep"}, None),
    ("src/app/**", "Grep", {"pattern": "x", "path": "src/app"}, None),
    (["src/app", "src/auth"], "Grep", {"pattern": "x"}, {"path": "ROOT/src"}),
    (["src/app", "docs"], "Grep", {"pattern": "x"}, None),
    ("**/*.py", "Grep", {"pattern": "x"}, None),
    ("src/app/**", "rg", {"pattern": "x", "paths": ["src", "docs"]}, {"paths": ["ROOT/src/app"]}),
    ("src/app/**", "grep_search", {"query": "x"}, {"includePattern": "src/app/**"}),
    ("src/app", "grep_search", {"query": "x"}, {"includePattern": "src/app/**"}),
    ("src/app/**", "grep_search", {"query": "x", "includePattern": "**/*.ts"}, {"includePattern": "src/app/**/*.ts"}),
    ("src/app/**", "grep_search", {"query": "x", "includePattern": "*.ts"}, {"includePattern": "src/app/**/*.ts"}),
    ("src/app/**", "grep_search", {"query": "x", "includePattern": "**"}, {"includePattern": "src/app/**"}),
    ("src/app/**", "grep_search", {"query": "x", "includePattern": "src/**"}, {"includePattern": "src/app/**"}),
    ("src/app/**", "grep_search", {"query": "x", "includePattern": "src/app/deep/**"}, None),
    ("src/app/*.ts", "grep_search", {"query": "x"}, {"includePattern": "src/app/*.ts"}),
    (["src/app", "docs"], "grep_search", {"query": "x"}, {"includePattern": "{src/app/**,docs/**}"}),
    ("src/app/**", "file_search", {"query": "**/*.ts"}, {"query": "src/app/**/*.ts"}),
    ("src/app/**", "Glob", {"pattern": "**/*.ts"}, {"pattern": "src/app/**/*.ts"}),
    ("src/app/**", "Glob", {"pattern": "*.ts", "path": "src"}, {"path": "ROOT", "pattern": "src/app/**/*.ts"}),
    ("src/app/**", "Glob", {"pattern": "**/*.ts", "path": "ROOT/src/app"}, None),
    ("src/app/**", "semantic_search", {"query": "x"}, None),
    (None, "Grep", {"pattern": "x"}, None),
]


@pytest.mark.parametrize(
    ("scopes", "tool", "given", "changes"), CLAMPS, ids=[f"{r[0]} {r[1]} {json.dumps(r[2])}" for r in CLAMPS]
)
def test_a_search_is_narrowed_to_its_node(
    root: Path, scopes: object, tool: str, given: dict[str, Any], changes: dict[str, Any] | None
) -> None:
    (root / "src/app/deep").mkdir(exist_ok=True)
    fields = {} if scopes is None else {"scope": scopes}
    write(root, [node("n1", tool="kind:search", **fields)])
    state = known(root)

    def placed(value: dict[str, Any]) -> dict[str, Any]:
        return dict(json.loads(json.dumps(value).replace("ROOT", str(root))))

    def event(value: dict[str, Any]) -> Event:
        paths = value.get("paths") or value.get("path") or []
        return call(tool, "search", value, root, targets=tuple([paths] if isinstance(paths, str) else paths))

    action = run(root, event(placed(given)), state)
    if changes is None:
        assert action is None
        return
    assert action is not None
    assert (action.decision, action.updated_input) == ("", placed(changes))
    assert run(root, event({**placed(given), **placed(changes)}), state) is None


@pytest.mark.parametrize(
    ("tool", "given", "changes"),
    [
        ("Grep", {"pattern": "x"}, {"path": "ROOT/src/app"}),
        ("Grep", {"pattern": "x", "path": "src"}, {"path": "ROOT/src/app"}),
        ("grep_search", {"query": "x"}, {"includePattern": "src/app/**"}),
        ("Glob", {"pattern": "**/*.ts"}, {"pattern": "src/app/**/*.ts"}),
        ("Grep", {"pattern": "x", "path": "src/auth"}, None),
    ],
)
def test_a_search_that_is_narrowed_past_a_forbidden_node_runs(
    root: Path, tool: str, given: dict[str, Any], changes: dict[str, Any] | None
) -> None:
    nodes = [node("n1", tool="kind:search", scope="src/app"), node("n2", scope="src/auth", status="forbidden")]
    write(root, nodes)
    event = call(tool, "search", given, root, targets=tuple([given["path"]] if "path" in given else []))
    action = run(root, event)
    assert action is not None
    if changes is None:
        assert action.decision == "deny" and action.reason.startswith("src/auth is forbidden by the plan")
        return
    assert (action.decision, action.updated_input) == ("", json.loads(json.dumps(changes).replace("ROOT", str(root))))
    write(root, [*nodes, node("n3", scope="src/app/keys", status="forbidden")])
    action = run(root, event)
    assert action is not None and action.decision == "deny", "nor past the one and into the other"
    assert "contains src/auth, which is forbidden by the plan: do it" in action.reason


def test_clamp_can_be_switched_off(root: Path) -> None:
    write(root, [node("n1", tool="kind:search", scope="src/app")])
    assert run(root, call("Grep", "search", {"pattern": "x"}, root), known(root), clamp=False) is None


def test_scopes_of_all_nodes_that_open_the_tool_count(root: Path) -> None:
    write(root, [node("n1", tool="Grep", scope="src/app"), node("n2", tool="Grep")])
    assert run(root, call("Grep", "search", {"pattern": "x"}, root), known(root)) is None


SCOPED = [node("n1", tool="Edit", scope=["src/app/**", "docs"]), node("n2", status="forbidden", scope="src/auth")]


class TestOutside:
    """A change outside the scope of every node."""

    def test_warns_once_per_work(self, root: Path) -> None:
        write(root, SCOPED)
        state = known(root)
        action = run(root, edit(root, "tests/x.py"), state)
        assert action is not None
        assert action.decision == ""
        assert "tests/x.py" in action.warnings[0]
        assert [row["kind"] for row in action.emit_events] == ["PLAN_GRAPH_WARN"]
        assert action.state_patch == {"plan": {"warnedOutside": "w001"}}
        assert run(root, edit(root, "tests/y.py"), known(root, warnedOutside="w001")) is None
        assert run(root, edit(root, "tests/y.py"), known(root, warnedOutside="w000")) is not None

    def test_deny(self, root: Path) -> None:
        write(root, SCOPED)
        action = run(root, edit(root, "tests/x.py"), known(root), outsideScope="deny")
        assert action is not None and (action.decision, action.code) == ("deny", "SCOPE_VIOLATION")

    @pytest.mark.parametrize("path", ["src/app/x", "docs", "docs/a/b", ".ai/tmp/0badcafe/planGraph-exec/output/p"])
    def test_inside(self, root: Path, path: str) -> None:
        write(root, SCOPED)
        assert run(root, edit(root, path), known(root), outsideScope="deny") is None

    @pytest.mark.parametrize("path", ["src/app/../../tests/x", "src/apple/x", "/etc/passwd", "src/app/out/x"])
    def test_no_way_round(self, root: Path, path: str) -> None:
        (root / "src/app/out").symlink_to("../../tests")
        write(root, SCOPED)
        assert run(root, edit(root, path), known(root), outsideScope="deny") is not None

    def test_silent(self, root: Path) -> None:
        write(root, SCOPED)
        assert run(root, edit(root, "tests/x.py"), known(root), outsideScope="silent") is None

    def test_reading_is_free(self, root: Path) -> None:
        write(root, SCOPED)
        event = call("Read", "read", {"file_path": "tests/x"}, root, targets=("tests/x",))
        assert run(root, event, known(root), outsideScope="deny") is None

    @pytest.mark.parametrize(
        ("scopes", "tool", "given", "changes"),
        [
            ("src/app", "Grep", {"pattern": "x", "path": "docs"}, {"path": "ROOT/src/app"}),
            ("src/app/**/*.py", "Grep", {"pattern": "x", "path": "docs"}, {"path": "ROOT/src/app"}),
            (["src/app", "src/auth"], "Grep", {"pattern": "x", "path": "docs"}, {"path": "ROOT/src"}),
            (["src/app", "tests"], "Grep", {"pattern": "x", "path": "docs"}, {"path": "ROOT/src/app"}),
            ("src/app", "Grep", {"pattern": "x", "path": "/etc"}, {"path": "ROOT/src/app"}),
            (
                ["src/app", "tests"],
                "rg",
                {"pattern": "x", "paths": ["docs"]},
                {"paths": ["ROOT/src/app", "ROOT/tests"]},
            ),
            ("src/app", "grep_search", {"query": "x", "includePattern": "docs/**"}, {"includePattern": "src/app/**"}),
            ("src/app", "file_search", {"query": "docs/*.md"}, {"query": "src/app/**/*.md"}),
            ("src\\app\\**", "file_search", {"query": "docs\\*.md"}, {"query": "src/app/**/*.md"}),
            ("src/app", "Glob", {"pattern": "*", "path": "docs"}, {"pattern": "src/app/**", "path": "ROOT"}),
        ],
        ids=str,
    )
    def test_a_search_outside_its_nodes_is_refused_with_the_one_that_is_inside(
        self, root: Path, scopes: object, tool: str, given: dict[str, Any], changes: dict[str, Any]
    ) -> None:
        """Contract 9.2: the root of a search may be changed; what would lead elsewhere is proposed, not done unseen."""
        write(root, [node("n1", tool="kind:search", scope=scopes)])
        state = known(root)
        wanted = {key: json.loads(json.dumps(one).replace("ROOT", str(root))) for key, one in changes.items()}

        def event(value: dict[str, Any]) -> Event:
            paths = value.get("paths") or value.get("path") or []
            return call(tool, "search", value, root, targets=tuple([paths] if isinstance(paths, str) else paths))

        action = run(root, event(given), state)
        assert action is not None
        assert (action.decision, action.code, action.updated_input) == ("deny", "SCOPE_VIOLATION", wanted)
        passes = run(root, event({**given, **wanted}), state)
        assert passes is None or not passes.decision

    def test_a_search_outside_its_nodes_is_free_where_nothing_is_clamped(self, root: Path) -> None:
        write(root, [node("n1", tool="Grep", scope="src/app")])
        event = call("Grep", "search", {"pattern": "x", "path": "docs"}, root, targets=("docs",))
        assert run(root, event, known(root), clamp=False) is None

    @pytest.mark.parametrize(
        ("command", "outside"),
        [
            ("echo x > tests/a", True),
            ("echo x > src/app/a", False),
            ("echo x > /tmp/scratch", False),
            ("rm -rf tests", True),
            ("make test", False),
            ("cat tests/a", False),
        ],
    )
    def test_commands(self, root: Path, command: str, outside: bool) -> None:
        write(root, SCOPED)
        event = call("Bash", "shell", {"command": command}, root, command=command)
        assert (run(root, event, known(root), outsideScope="deny") is not None) is outside


@pytest.mark.parametrize(
    ("names", "tool", "kind", "holds"),
    [
        ((), "X", "other", True),
        (("x",), "X", "other", True),
        (("kind:other",), "X", "other", True),
        (("other",), "X", "other", True),
        (("Y",), "X", "other", False),
        (("Edit",), "create_file", "write", True),
        (("grep_search",), "Grep", "search", True),
        (("file_search",), "Grep", "search", False),
        (("search",), "Grep", "search", True),
    ],
)
def test_tool_names(names: tuple[str, ...], tool: str, kind: str, holds: bool) -> None:
    assert means(names, tool, kind) is holds


SEGMENTS = st.sampled_from(["a", "b", "*.t", "a.t", "**", "*", "{a,b}"])
GLOBS = st.lists(SEGMENTS, max_size=4).map("/".join)
SCOPES = st.lists(st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join), min_size=1, max_size=3)
PATHS = st.lists(st.sampled_from(["a", "b", "a.t", "b.t", "c"]), min_size=1, max_size=5).map("/".join)


def _asked(pattern: str) -> str:
    """What a client looks for: nothing is everything, a name alone is looked for at every depth."""
    if pattern in scope.WHOLE:
        return "**"
    return pattern if "/" in pattern else "**/" + pattern


@settings(max_examples=1500, deadline=None)
@given(pattern=GLOBS, scopes=SCOPES, path=PATHS)
def test_a_narrowed_glob_is_never_wider(pattern: str, scopes: list[str], path: str) -> None:
    narrow = scope.narrowed_glob(pattern, scopes)
    if narrow and narrow != pattern and match(narrow, path):
        assert covers(_asked(pattern), path) or match(_asked(pattern), path)
        assert any(covers(one, path) for one in scopes)


@settings(max_examples=600, deadline=None)
@given(
    folder=st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(lambda parts: "/".join(parts) or "."),
    scopes=SCOPES,
)
def test_a_narrowed_folder_is_never_wider(folder: str, scopes: list[str]) -> None:
    narrow = scope.narrowed_folder(folder, scopes)
    assert narrow == "" or folder == "." or covers(folder, narrow)


def test_defaults_fit_the_schema() -> None:
    folder = FEATURES / "plan_graph_exec"
    schema = json.loads((folder / "knobs.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads((folder / "defaults.json").read_text()), schema)
