"""A check looks at everything, trusted or not: what is broken, and what is written and means nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from jackline.compiler.checking import check
from jackline.compiler.collect import survey
from jackline.compiler.fault import Fault
from jackline.compiler.write import compile_table
from scene import Scene, listing

HOOK = """from jackline.sdk import *

@hook(name="odd", supports=["PreToolUse"]{more})
def handle(event, ctx):
    {body}
"""


class Case(NamedTuple):
    """Something to be found: what is written where, and the fault that it is, as (where, path, nearest)."""

    files: dict[str, Any]
    where: str
    path: str = ""
    nearest: str = ""
    executable: bool = True


def hook(more: str = "", body: str = "return None", **files: str) -> dict[str, Any]:
    found = {"features/odd/hook.py": HOOK.replace("{more}", more).replace("{body}", body)}
    return found | {f"features/odd/{name}.py": text for name, text in files.items()}


def script(front: str, body: str = "true", first: str = "#!/bin/sh", sign: str = "#") -> str:
    lines = "\n".join(f"{sign} {line}" for line in front.split("\n"))
    return f"{first}\n{sign}---\n{lines}\n{sign}---\n{body}\n"


EVENT = "events: PreToolUse"
MANIFEST, CONFIG = "dispatch.manifest.json", "config.json"
ODD = ".ai/hooks/features/odd/hook.py"
CHECK = ".ai/hooks/scripts/check.sh"
AT = ".ai/hooks/dispatch.manifest.json"

KNOBS = ".ai/hooks/features/odd/knobs.schema.json"
SHAPES = {
    "type": '{\n"type": 3}',
    "properties": '{\n"properties": 3}',
    "properties.a.pattern": '{"properties": {\n"a": {"pattern": "("}}}',
    "anyOf[0].$ref": '{\n"anyOf": [{"$ref": "#"}]}',
    "$ref": '{\n"$ref": "#/$defs/nothing"}',
    "minLength": '{\n"minLength": -1}',
}
"""Schemas that are none: a feature that brings one keeps no other from compiling."""

CASES = {
    "syntax": Case(hook(body="return ("), f"{ODD}:5"),
    "syntax of a helper": Case(hook(helper="x = 1\nif x\n"), ".ai/hooks/features/odd/helper.py:2"),
    "syntax of what is off": Case(
        {**hook(helper="(\n"), MANIFEST: {"modules": {"odd": {"enabled": False}}}}, ".ai/hooks/features/odd/helper.py:1"
    ),
    "event of a feature": Case(
        {"features/odd/hook.py": hook()["features/odd/hook.py"].replace("PreToolUse", "PreTolUse")},
        f"{ODD}:3", "supports", "PreToolUse",
    ),
    "keyword": Case(hook(", prioritty=3"), f"{ODD}:3", "prioritty", "priority"),
    "tool": Case(hook(', tools=["Bahs"]'), f"{ODD}:3", "tools", "Bash"),
    "kind": Case(hook(', tools=["kind:shel"]'), f"{ODD}:3", "tools", "kind:shell"),
    "need": Case(hook(', needs=["intent"]'), f"{ODD}:3", "needs", "intents"),
    "knob": Case({**hook(), "features/odd/knobs.schema.json": {
        "type": "object", "properties": {"most": {"type": "integer"}}, "additionalProperties": False,
    }, CONFIG: '{\n "odd": {\n  "mst": 3}}'}, ".ai/hooks/config.json:3", "odd.mst", "most"),
    "knob of this machine": Case({"hooks.local.json": '{"config": {\n"command-guard": {\n"preset": "x"}}}'},
                                 ".ai/hooks/hooks.local.json:3", "command-guard.preset"),
    "key twice": Case({MANIFEST: '{"modules": {"session": {"critical": true}},\n"modules": {}}'}, f"{AT}:2", "modules"),
    "path of a feature": Case({MANIFEST: '{"modules": {"mine": {\n"path": "features/mine"}}}'}, f"{AT}:2",
                              "modules.mine.path"),
    "no feature in its file": Case({"features/odd/hook.py": "x = 1\n"}, f"{ODD}:1"),
    "name of a feature": Case({"features/odd/hook.py": hook()["features/odd/hook.py"].replace('"odd"', '"od"')},
                              f"{ODD}:3", "name"),
    **{f"schema of knobs, {path}": Case({**hook(), "features/odd/knobs.schema.json": text}, f"{KNOBS}:2", path)
       for path, text in SHAPES.items()},
    "feature of a manifest": Case({**hook(), MANIFEST: '{\n "modules": {\n  "od": {"critical": true}\n }\n}'},
                                  f"{AT}:3", "modules.od", "odd"),
    "feature of knobs": Case({CONFIG: '{\n "sesion": {"x": 1}\n}'}, ".ai/hooks/config.json:2", "config.sesion",
                             "session"),
    "key": Case({MANIFEST: {"modulse": {}}}, f"{AT}:1", "modulse", "modules"),
    "not built yet": Case({MANIFEST: '{"modules": {\n"memory-journal": {"enabled": true}}}'},
                          f"{AT}:2", "modules.memory-journal.enabled"),
    "owner of rewrites": Case({MANIFEST: {"rewriteOwner": "nobody-here"}}, f"{AT}:1", "rewriteOwner"),
    "what only a person grants": Case({**hook(), MANIFEST: {"modules": {"odd": {"mayApprove": True}}}},
                                      f"{AT}:1", "modules.odd.mayApprove"),
    "workspace": Case({"workspace.json": {"session": {"stateFile": "s.json"}}}, ".ai/hooks/workspace.json:1",
                      "session.stateFile"),
    "script that is not there": Case({"scripts/check.sh": script(EVENT), MANIFEST: {"scripts": {"disabled": ["chek"]}}},
                                     f"{AT}:1", "scripts.disabled", "check"),
    "front matter": Case({"scripts/check.sh": script("events: [PreToolUse")}, f"{CHECK}:3"),
    "front matter that does not close": Case({"scripts/check.sh": "#!/bin/sh\n#---\n# type: file\n"}, f"{CHECK}:2"),
    "event of a script": Case({"scripts/check.sh": script("events: Stopp")}, f"{CHECK}:3", "events", "Stop"),
    "one event of two": Case({"scripts/check.sh": script("events: [Stop, PreTool]")}, f"{CHECK}:3", "events",
                             "PreToolUse"),
    "field": Case({"scripts/check.sh": script(f"{EVENT}\nblok: true")}, f"{CHECK}:4", "blok", "block"),
    "value": Case({"scripts/check.sh": script(f"{EVENT}\ntimeout: 5m")}, f"{CHECK}:4", "timeout"),
    "tool of a script": Case({"scripts/check.sh": script(f"{EVENT}\ntools: Bahs")}, f"{CHECK}:4", "tools", "Bash"),
    "type": Case({"scripts/check.sh": script("type: fiel\npattern: x")}, f"{CHECK}:3", "type", "file"),
    "no program": Case({"scripts/check.rb": script(EVENT, first="")}, ".ai/hooks/scripts/check.rb", executable=False),
    "syntax of sh": Case({"scripts/check.sh": script(EVENT, "if true; then")}, f"{CHECK}:6"),
    "syntax of bash": Case({"scripts/check.sh": script(EVENT, "true\nfi", "#!/usr/bin/env bash")}, f"{CHECK}:6"),
    "syntax of python": Case({"scripts/c.py": script(EVENT, "def x(:", "#!/usr/bin/python3")},
                             ".ai/hooks/scripts/c.py:5"),
    "node": Case({"../../.config/gate/gate.md": "---\nsurface: hook\nevents: [Stop\nblock: true\n---\n",
                  "../../.config/gate/gate.sh": "#!/bin/sh\nexit 2\n"}, ".config/gate/gate.md:4"),
    "surface of a node": Case({"../../.config/gate/gate.md": "---\nsurface: hok\nevents: Stop\n---\n",
                               "../../.config/gate/gate.sh": "#!/bin/sh\n"}, ".config/gate/gate.md:2", "surface",
                              "hook"),
    "a node's word for surface": Case({"../../.config/gate/gate.md": "---\nevents: Stop\nSurfce: hook\n---\n",
                                       "../../.config/gate/gate.sh": "#!/bin/sh\n"}, ".config/gate/gate.md:3", "Surfce",
                                      "surface"),
    "node without a program": Case({"../../.config/gate/gate.md": "---\nsurface: hook\nevents: Stop\n---\n"},
                                   ".config/gate/gate.md:1", "script"),
}  # fmt: skip


def write(scene: Scene, files: dict[str, Any], *, executable: bool = True) -> None:
    for name, text in files.items():
        path = (scene.hooks / name).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        if path.suffix != ".json" and executable:
            path.chmod(0o755)


def checked(scene: Scene) -> list[Fault]:
    return check(survey(str(scene.root), str(scene.store), as_checked_out=True))


@pytest.fixture
def places(scene: Scene) -> Callable[[], list[tuple[str, str, str]]]:
    return lambda: [(one.where, one.path, one.nearest) for one in checked(scene)]


@pytest.mark.parametrize("trusted", [False, True], ids=["not trusted", "trusted"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_it_is_found_with_file_and_line_and_what_was_expected(scene: Scene, case: Case, trusted: bool) -> None:
    """Trust decides what runs, not what is right."""
    write(scene, case.files, executable=case.executable)
    if trusted:
        scene.trust()
    found = [one for one in checked(scene) if one.where == case.where]
    assert found, checked(scene)
    assert all(one.expected and one.got for one in found)
    if case.path:
        assert [(one.path, one.nearest) for one in found] == [(case.path, case.nearest)]
    assert all(str(one).count("write: ") <= 1 for one in found)


def test_what_is_right_has_no_faults(scene: Scene) -> None:
    write(scene, hook(', tools=["kind:shell", "Bash", "server/tool"]', helper="x = 1\n"))
    write(scene, {"scripts/check.sh": script(f"{EVENT}\ntools: Bash|Edit"), "scripts/lib.sh": "x() { :; }\n"})
    write(scene, {"scripts/c.py": script("type: file\npattern: '*.py'", "x = 1", "#!/usr/bin/env python3")})
    write(scene, {"scripts/old.py": script("type: file\npattern: '*.py'", "print 1", "#!/usr/bin/python2")})
    write(scene, {"scripts/new.py": script("type: file\npattern: '*.py'", "x = ->", "#!/usr/bin/env python3.99")})
    write(scene, {"../../.config/note.md": "---\nsurface: book\n---\n", "../../.config/a.md": "---\nevents: 3\n---\n"})
    write(
        scene,
        {MANIFEST: {"modules": {"odd": {"priority": 3}, "stop-synth": {"enabled": False}}}, CONFIG: {"odd": {"x": 1}}},
    )
    assert checked(scene) == []


def test_a_check_runs_nothing_and_writes_nothing(scene: Scene) -> None:
    """Neither a feature's module, nor a script, nor what its first line names."""
    ran = scene.folder / "ran"
    evil = scene.root / "bash"
    evil.write_text(f"#!/bin/sh\ntouch {ran}\n")
    evil.chmod(0o755)
    write(scene, hook(helper=f"open({str(ran)!r}, 'w')\n"))
    write(scene, {"scripts/check.sh": script(EVENT, f"touch {ran}\n$(touch {ran})", f"#!{evil}")})
    write(scene, {"scripts/c.py": script(EVENT, f"open({str(ran)!r}, 'w')", "#!/usr/bin/env python3")})
    before = listing(scene.folder)
    assert checked(scene) == []
    assert listing(scene.folder) == before


def test_a_node_whose_front_matter_breaks_is_a_broken_one_and_not_gone(scene: Scene) -> None:
    """Whoever holds what was trusted in force finds it there, with its files."""
    files = CASES["node"].files
    write(scene, files)
    [broken] = [one for one in survey(str(scene.root), str(scene.store)).scripts.left if one.faults]
    assert (broken.file, broken.root and broken.root.nodes) == (".config/gate/gate.md", True)
    assert {name: data.decode() for name, data in broken.pieces.items()} == {
        ".config/gate/gate.md": files["../../.config/gate/gate.md"],
        ".config/gate/gate.sh": files["../../.config/gate/gate.sh"],
    }


def test_what_compiles_has_every_fault_of_the_compiler(scene: Scene) -> None:
    write(scene, hook(body="return (") | {MANIFEST: {"modulse": {}}})
    scene.trust()
    made = compile_table(str(scene.root), str(scene.store))
    assert set(made.faults) <= set(checked(scene))
    assert len(made.faults) == 2
