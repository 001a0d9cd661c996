"""`reading`: where it is not free, an agent reads what its pack holds and what leases open, by whatever tool."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from jackline.store import tasks
from scene import Said, Scene

FILES = ("src/parse/a.py", "src/parse/b.py", "src/store/c.py", "docs/d.md", "README.md")
ON = ("work-init", "plan-graph", "tool-gate")
NODES: list[dict[str, Any]] = [
    {"id": "look", "description": "find callers", "tool": "kind:search", "scope": "docs/**"},
    {"id": "parse", "description": "parse", "tools": ["Edit", "Bash"], "scope": "src/parse/**", "validators": ["t"],
     "dependsOn": ["look"]},
]  # fmt: skip


def machine(scene: Scene, reading: str, small: Any = "off") -> Scene:
    for name in FILES:
        path = scene.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a\n")
    scene.manifest({"version": 1, "modules": {name: {"enabled": True} for name in ON}})
    knobs = {"tool-gate": {"reading": reading, "small": small}}
    (scene.home / ".config/jackline/config.json").write_text(json.dumps(knobs))
    scene.begin()
    scene.prompt("parse the rest")
    return scene


@pytest.fixture(params=["pack", "lease"])
def either(scene: Scene, request: pytest.FixtureRequest) -> Scene:
    return machine(scene, request.param)


@pytest.fixture
def lease(scene: Scene) -> Scene:
    return machine(scene, "lease")


def pack(scene: Scene, *paths: str, more: tuple[str, ...] = ()) -> None:
    """The task's pack, as the store knows it."""
    data = json.dumps({"items": [{"path": path} for path in paths]}).encode()
    place = scene.place / "work/w001/pack/contextPack.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    mark = hashlib.blake2b(data, digest_size=16).hexdigest()
    known = {"hash": mark, "status": "SUFFICIENT", "more": list(more)}
    tasks.change(str(scene.store), scene.place.name, "w001", lambda task: {**task, "context": known})


def plan(scene: Scene, *nodes: dict[str, Any]) -> None:
    path = scene.place / "work/w001/plan/planGraph.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"nodes": list(nodes)}))
    given = {"file_path": str(path), "content": path.read_text()}
    said = scene.say(scene.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))
    assert "plan: accepted" in said.body["hookSpecificOutput"]["additionalContext"]


def read(scene: Scene, path: str) -> Said:
    return scene.say(scene.tool(tool_name="Read", tool_input={"file_path": f"{scene.root}/{path}"}))


def search(scene: Scene, path: str = "") -> Said:
    given = {"pattern": "x"} | ({"path": f"{scene.root}/{path}"} if path else {})
    return scene.say(scene.tool(tool_name="Grep", tool_input=given))


def ways(scene: Scene, path: str) -> list[str]:
    """What several ways of reading one file meet."""
    shell = [f"cat {path}", f"sed -n 1,3p {path}", f"head -3 {path} | wc -l"]
    return [read(scene, path).decision, *[scene.pre(command).decision for command in shell]]


def test_files_of_the_pack_are_read_by_any_tool_and_others_are_not(either: Scene) -> None:
    pack(either, "src/parse/a.py")
    assert ways(either, "src/parse/a.py") == [""] * 4
    assert ways(either, "src/parse/b.py") == ["deny"] * 4
    said = read(either, "src/parse/b.py")
    assert said.reason.count("jackline") == 1 and "now: jackline pack add src/parse/b.py" in said.reason


def test_what_was_added_by_name_is_read(either: Scene) -> None:
    pack(either, "src/parse/a.py", more=("docs",))
    assert ways(either, "docs/d.md") == [""] * 4


def test_a_pack_that_somebody_wrote_opens_nothing(either: Scene) -> None:
    pack(either, "src/parse/a.py")
    (either.place / "work/w001/pack/contextPack.json").write_text(
        json.dumps({"items": [{"path": name} for name in FILES]})
    )
    assert ways(either, "src/parse/b.py") == ["deny"] * 4


FREE = ["git status", "git log -3", "pwd", "ls /usr", "cat /etc/hostname", "jackline plan show", "echo hi"]


@pytest.mark.parametrize("command", FREE)
def test_what_reads_nothing_of_the_project_passes(either: Scene, command: str) -> None:
    assert either.pre(command).decision == ""


def test_before_the_first_prompt_there_is_nothing_but_the_pack(scene: Scene) -> None:
    machine(scene, "pack")
    scene.session = "22222222-3333-4444-5555-666666666666"
    scene.begin()
    said = read(scene, "README.md")
    assert said.decision == "deny" and 'now: jackline pack make "WHAT"' in said.reason


def test_searches_and_tests_need_a_lease_where_reading_does(lease: Scene) -> None:
    pack(lease, "src/parse/a.py", more=("src",))
    for command in ("rg x src", "find . -name x", "pytest -q", "npm test", "curl https://example.org"):
        said = lease.pre(command)
        assert said.decision == "deny", command
        assert said.reason.count("jackline") == 1 and "now: jackline plan quick" in said.reason
    assert search(lease, "src").decision == "deny"
    assert lease.say(lease.tool(tool_name="WebFetch", tool_input={"url": "https://example.org"})).decision == "deny"


def test_within_the_pack_they_pass_where_reading_is_the_packs(scene: Scene) -> None:
    machine(scene, "pack")
    pack(scene, "src/parse/a.py", more=("src",))
    for command in ("rg x src", "pytest -q"):
        assert scene.pre(command).decision == "", command
    assert (search(scene, "src").decision, search(scene).decision) == ("", "deny")
    assert "now: jackline pack add .\n" in search(scene).reason


def test_leases_open_reading_by_effect_and_path(lease: Scene) -> None:
    plan(lease, *NODES)
    assert ways(lease, "src/parse/a.py")[:2] == ["deny"] * 2, "its node is not ready"
    lease.prompt("go on")
    assert (search(lease, "docs").decision, lease.pre("rg x docs").decision) == ("", "")
    nodes = tasks.read(str(lease.store), lease.place.name, "w001")["nodes"]
    assert list(nodes) == ["look"], "the first call that fits begins it"
    said = search(lease, "src")
    assert said.decision == "deny" and said.reason.count("jackline") == 1 and '"LEASE_REQUIRED"' in said.reason
    lease.say(lease.tool("jackline plan node done look", event="PostToolUse", tool_response={"stdout": ""}))
    assert ways(lease, "src/parse/a.py") == [""] * 4, "who may change it may read it"
    assert search(lease, "src/parse").decision == ""
    assert lease.pre("pytest -q").decision == ""
    assert ways(lease, "docs/d.md") == ["deny"] * 4, "its node is over"


def test_reading_begins_a_node_and_is_no_change(lease: Scene) -> None:
    plan(lease, {**NODES[1], "dependsOn": []}, NODES[0])
    assert read(lease, "src/parse/a.py").decision == ""
    task = tasks.read(str(lease.store), lease.place.name, "w001")
    assert (list(task["leases"]), task.get("touched")) == (["parse"], None)


def test_nothing_small_passes_to_the_letter(lease: Scene) -> None:
    edit = {"file_path": str(lease.root / "README.md"), "old_string": "a", "new_string": "b"}
    said = lease.say(lease.tool(tool_name="Edit", tool_input=edit))
    assert said.decision == "deny" and '"code":"PLAN_REQUIRED"' in said.reason


def test_reading_stays_free_by_itself(scene: Scene) -> None:
    machine(scene, "free")
    assert ways(scene, "README.md") == [""] * 4
    assert (search(scene).decision, scene.pre("pytest -q").decision) == ("", "")


def test_only_a_change_needs_no_scope_to_change_anything(scene: Scene) -> None:
    """A node that checks, and names no scope, opens no change."""
    machine(scene, "free")
    plan(scene, {"id": "change", "description": "x", "scope": "src/**"},
         {"id": "check", "description": "y", "kind": "validate", "dependsOn": ["change"]})  # fmt: skip
    scene.pre("touch src/new.py")
    (scene.root / "src/new.py").write_text("x\n")
    scene.say(scene.tool("jackline plan node done change", event="PostToolUse", tool_response={"stdout": ""}))
    assert scene.pre("touch docs/new.md").decision == "deny"
    assert scene.pre("pytest -q").decision == ""


def narrowed(scene: Scene, **given: Any) -> Any:
    """What becomes of a search: its changed input, None where it runs as it is, or the refusal."""
    said = scene.say(scene.tool(tool_name="Grep", tool_input={"pattern": "x", "head_limit": 5, **given}))
    return said.reason if said.decision == "deny" else (said.body.get("hookSpecificOutput") or {}).get("updatedInput")


SCHEMA = {"id": "schema", "description": "frozen", "scope": "docs/**", "status": "forbidden", "reason": "frozen"}


def test_searches_are_narrowed_to_started_nodes_and_what_is_forbidden_is_refused(scene: Scene) -> None:
    machine(scene, "free")
    plan(scene, {"id": "parse", "description": "x", "scope": "src/parse/**", "validators": ["t"]},
         {"id": "store", "description": "x", "scope": "src/store/**", "validators": ["t"]}, SCHEMA)  # fmt: skip
    assert narrowed(scene, path=f"{scene.root}/src") is None, "nothing has started"
    assert scene.pre("touch src/store/new.py").decision == ""
    assert narrowed(scene)["path"] == f"{scene.root}/src/store"
    assert narrowed(scene, path=f"{scene.root}/src")["path"] == f"{scene.root}/src/store"
    assert narrowed(scene, path=f"{scene.root}/src/parse") is None, "reading elsewhere is free, and led nowhere else"
    said = narrowed(scene, path=f"{scene.root}/docs")
    assert "docs is forbidden by the plan: frozen" in said
    assert said.count("jackline") == 1 and "jackline plan submit FILE" in said
    scene.say(scene.payload("PreCompact", trigger="auto"))
    tasks.change(str(scene.store), scene.place.name, "w001", lambda task: {**task, "leases": {}})
    assert narrowed(scene, path=f"{scene.root}/src") is None, "its lease is over"


# --- a search that looks further than its lease ----------------------------------------------------------------------


def answer(said: Said, key: str = "path") -> str:
    """What becomes of a call: what it is changed to, relative to nothing; "deny"; or "" where it runs as it is."""
    body = said.body.get("hookSpecificOutput") or {}
    return said.decision if said.decision == "deny" else str((body.get("updatedInput") or {}).get(key, ""))


def started(scene: Scene, *more: dict[str, Any]) -> Scene:
    """A task whose node for `src/parse` has begun."""
    plan(scene, {**NODES[1], "dependsOn": []}, *more)
    assert read(scene, "src/parse/a.py").decision == ""
    return scene


STORE = {"id": "store", "description": "x", "scope": "src/store/**", "dependsOn": ["parse"], "validators": ["t"]}
WIDE = {
    "grep -rn x src": "grep -rn x src/parse",
    "grep -rn x src/": "grep -rn x src/parse",
    "rg x ./src": "rg x ./src/parse",
    "find src": "find src/parse",
    "ls -R src": "ls -R src/parse",
    "grep -rn x src/parse": "",
}
REFUSED_WIDE = ["rg x", "grep -rn x docs", "rg -A 3 .", "grep -rn x src && ls docs", "git grep x",
                "grep -rn x src | cat docs/d.md", "find src docs", "grep -rn x $PWD"]  # fmt: skip
BOUNDED = {
    "grep -rn x .": "x src/parse",
    "rg . .": ". src/parse",
    "find . -name a.py": "find src/parse",
}
"""What another guard bounds, too."""


@pytest.mark.parametrize(("command", "narrow"), WIDE.items())
def test_a_command_that_looks_further_is_led_into_its_lease(either: Scene, command: str, narrow: str) -> None:
    started(either, STORE)
    said = either.pre(command)
    assert answer(said, "command") == narrow
    if narrow:
        assert said.body["hookSpecificOutput"]["additionalContext"].count(f"command: {narrow}") == 1
        assert either.rows("GATE_NARROWED")[-1]["data"]["changes"] == {"command": narrow}


@pytest.mark.parametrize("command", REFUSED_WIDE)
def test_one_that_cannot_be_led_there_is_refused(either: Scene, command: str) -> None:
    started(either, STORE)
    said = either.pre(command)
    assert said.decision == "deny" and "now: " in said.reason


def test_a_search_by_tool_is_led_into_its_lease(either: Scene) -> None:
    started(either, STORE)
    inside = f"{either.root}/src/parse"
    assert [answer(search(either, one)) for one in ("", "src", "src/parse")] == [inside, inside, ""]
    assert answer(search(either, "docs")) == "deny"
    glob = either.say(either.tool(tool_name="Glob", tool_input={"pattern": "**/*.py"}))
    assert answer(glob, "pattern") == "src/parse/**/*.py"


def test_of_two_leases_no_folder_above_both_is_searched(either: Scene) -> None:
    started(either, {**STORE, "dependsOn": []})
    assert either.pre("touch src/store/new.py").decision == ""
    assert answer(search(either)) == f"{either.root}/src/parse"
    assert answer(either.pre("grep -rn x src"), "command") == "grep -rn x src/parse"


def test_nothing_that_a_plan_forbids_is_searched_though_it_lies_within_a_lease(either: Scene) -> None:
    frozen = {"id": "no", "description": "x", "scope": "src/parse/**", "status": "forbidden", "reason": "frozen"}
    started(either, STORE, {**frozen, "tools": ["kind:search"]})
    said = search(either)
    assert said.decision == "deny" and "frozen" in said.reason


def test_an_edit_that_goes_further_is_refused(either: Scene) -> None:
    started(either, STORE)
    assert either.pre("sed -i s/a/b/ src/parse/a.py docs/d.md").decision == "deny"


@pytest.mark.parametrize(("command", "narrow"), BOUNDED.items())
def test_one_that_two_guards_would_change_is_refused_with_the_one_that_passes(
    either: Scene, command: str, narrow: str
) -> None:
    """Whose rewrite comes first takes the other's place: it must not carry the call past that one."""
    started(either, STORE)
    said = either.pre(command)
    assert said.decision == "deny" and "it looks further than its lease" in said.reason
    proposed = said.reason.partition("now: ")[2].partition("\n")[0]
    assert narrow in proposed
    assert either.pre(proposed).decision == ""


QWEN = Path(__file__).parent.parent / "recorded/qwen-code"


def qwen(scene: Scene, name: str, **fields: Any) -> Said:
    """An event of Qwen Code, which takes no changed call, through the entry whose dialect it speaks."""
    payload = json.loads((QWEN / f"{name}.json").read_text().replace("/workspace", str(scene.root)))
    return scene.say({**payload, "session_id": "q", "prompt_id": "p-1", **fields}, event=name.partition(".")[0])


def begun_in_qwen(scene: Scene, mode: str) -> None:
    """A session of it, with the plan and the node begun as in `started`."""
    machine(scene, mode)
    for name, fields in {"SessionStart": {}, "UserPromptSubmit": {"prompt": "parse the rest"}}.items():
        qwen(scene, name, **fields)
    place = scene.place_of("q", "qwen-code") / "work/w001/plan/planGraph.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"nodes": [{**NODES[1], "dependsOn": []}, STORE]}))
    given = {"file_path": str(place), "content": place.read_text()}
    assert "plan: accepted" in str(qwen(scene, "PostToolUse.write_file", tool_input=given).body)
    given = {"file_path": f"{scene.root}/src/parse/a.py"}
    assert qwen(scene, "PreToolUse.read_file", tool_input=given).decision == ""


@pytest.mark.parametrize("mode", ["pack", "lease"])
def test_a_client_that_changes_no_call_is_refused_with_the_call_that_passes(scene: Scene, mode: str) -> None:
    begun_in_qwen(scene, mode)
    for command, narrow in [(one, other) for one, other in WIDE.items() if other]:
        said = qwen(scene, "PreToolUse.run_shell_command", tool_input={"command": command})
        assert said.decision == "deny" and said.reason.endswith(f"\nRun this instead: {narrow}")
        assert qwen(scene, "PreToolUse.run_shell_command", tool_input={"command": narrow}).decision == ""
    said = qwen(scene, "PreToolUse.grep_search", tool_input={"pattern": "x", "path": "src", "limit": 20})
    assert said.decision == "deny"
    proposed = json.loads(said.reason.rpartition("Call grep_search with ")[2])
    assert qwen(scene, "PreToolUse.grep_search", tool_input={"pattern": "x", "limit": 20, **proposed}).decision == ""
    said = qwen(scene, "PreToolUse.run_shell_command", tool_input={"command": "grep -rn x docs"})
    way = {"pack": "now: jackline pack add docs", "lease": "; ready: parse (src/parse/**)"}[mode]
    assert said.decision == "deny" and way in said.reason


def test_lenient_changes_no_call(scene: Scene) -> None:
    machine(scene, "lease")
    scene.manifest({"version": 1, "modules": {name: {"enabled": True, "mode": "warn"} for name in ON}})
    started(scene, STORE)
    assert scene.pre("grep -rn x src").decision == "" and answer(scene.pre("grep -rn x src"), "command") == ""
    assert answer(search(scene, "src")) == f"{scene.root}/src/parse", "planGraph-exec narrows as ever"
