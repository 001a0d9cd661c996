"""Wherever a person has hooks looked for, an agent does not write: every kind of root, there already or not yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from jackline.compiler.collect import survey, trust_all
from jackline.jsonio import dumps
from scene import Scene

SCRIPT = "#!/bin/sh\n#---\n# event: PreToolUse\n#---\nexit 0\n"
NODE = "---\nsurface: hook\nevents: [PreToolUse]\n---\n"
MANIFEST = ".ai/hooks/dispatch.manifest.json"


def manifest(**said: object) -> dict[str, str]:
    return {MANIFEST: dumps(said)}


class Root(NamedTuple):
    """Files that are there and trusted, of a sub-folder too, and a place that the agent writes to."""

    place: str
    files: Mapping[str, str] = {}
    sub: str = ""


SCRIPTS = manifest(scripts={"roots": ["tools/hooks"]})
NODES = manifest(scripts={"nodes": ["agents"]})
ROOTS = {
    "scripts": Root(".ai/hooks/scripts/new.sh", {".ai/hooks/scripts/say.sh": SCRIPT}),
    "scripts, not there": Root(".ai/hooks/scripts/new.sh"),
    ".discobot": Root(".discobot/hooks/new.sh", {".discobot/hooks/say.sh": SCRIPT}),
    ".discobot, not there": Root(".discobot/hooks/new.sh"),
    "configured scripts": Root("tools/hooks/new.sh", SCRIPTS | {"tools/hooks/say.sh": SCRIPT}),
    "configured scripts, not there": Root("tools/hooks/new.sh", SCRIPTS),
    "configured nodes": Root("agents/new/spec.md", NODES | {"agents/gate/spec.md": NODE, "agents/gate/a.sh": SCRIPT}),
    "configured nodes, not there": Root("agents/new/spec.md", NODES),
    "a node of .config": Root(".config/gate/b.sh", {".config/gate/spec.md": NODE, ".config/gate/a.sh": "#!/bin/sh\n"}),
    "a node of .plugins": Root(".plugins/gate/a.sh", {".plugins/gate/spec.md": NODE, ".plugins/gate/a.sh": SCRIPT}),
    "sub-folder": Root("sub/.ai/hooks/scripts/new.sh", {".ai/hooks/scripts/say.sh": SCRIPT}, "sub"),
    "sub-folder, not there": Root("sub/.ai/hooks/scripts/new.sh"),
    "sub-folder's .discobot": Root("sub/.discobot/hooks/new.sh", {".ai/hooks/scripts/say.sh": SCRIPT}, "sub"),
    "sub-folder's configured scripts": Root("sub/tools/hooks/new.sh", SCRIPTS, "sub"),
    "sub-folder's configured nodes": Root("sub/agents/new/spec.md", NODES, "sub"),
}


def lay_out(scene: Scene, root: Root) -> None:
    for name, content in root.files.items():
        path = scene.root / root.sub / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(0o755)


@pytest.mark.parametrize("name", ROOTS)
def test_no_root_is_written_by_an_agent(scene: Scene, name: str) -> None:
    root = ROOTS[name]
    lay_out(scene, root)
    at = str(scene.root / root.sub) if root.sub else str(scene.root)
    trust_all(str(scene.store), at, survey(at, str(scene.store)), "person")
    scene.begin()
    place = scene.root / root.place
    folder = root.place.rpartition("/")[0]
    write = scene.payload(
        "PreToolUse", tool_name="Write", tool_use_id="t1", tool_input={"file_path": str(place), "content": SCRIPT}
    )
    assert scene.say(write).decision == "deny"
    for command in (
        f"echo x > {root.place}",
        f"cp a.sh {place}",
        f"cd {folder} && touch new.sh",
        f"mkdir -p {folder} && mv a.sh {folder}/",
        f"rm -rf {root.place}",
        f"chmod -x {root.place}",
    ):
        assert scene.pre(command).decision == "deny", command


THERE = [name for name, root in ROOTS.items() if len(root.files) > (MANIFEST in root.files) and not root.sub]


@pytest.mark.parametrize("name", THERE)
def test_no_root_is_taken_away_with_its_folder(scene: Scene, name: str) -> None:
    root = ROOTS[name]
    lay_out(scene, root)
    scene.trust()
    scene.begin()
    top = root.place.partition("/")[0]
    for words in ("rm -rf {}", "mv {} elsewhere", "git rm -rq {}", "rm -rf {}*", "find {} -delete"):
        assert scene.pre(words.format(top)).decision == "deny", words


def test_no_link_is_made_where_a_root_is_to_be(scene: Scene) -> None:
    lay_out(scene, Root("", SCRIPTS))
    scene.trust()
    scene.begin()
    for command in ("ln -s /tmp tools", "ln -s /tmp .discobot", "mkdir a && mv a tools"):
        assert scene.pre(command).decision == "deny", command


FREE = {
    "beside configured scripts": Root("tools/new.sh", SCRIPTS),
    "beside nodes": Root(".config/other/x.toml", {".config/gate/spec.md": NODE, ".config/gate/a.sh": "#!/bin/sh\n"}),
}


@pytest.mark.parametrize("name", FREE)
def test_what_lies_beside_is_free(scene: Scene, name: str) -> None:
    root = FREE[name]
    lay_out(scene, root)
    scene.trust()
    scene.begin()
    assert scene.pre(f"echo x > {root.place}").decision == ""


def test_a_strangers_root_keeps_nobody_from_writing(scene: Scene) -> None:
    lay_out(scene, Root("", manifest(scripts={"roots": ["src"], "nodes": ["docs"]}) | {"src/say.sh": SCRIPT}))
    scene.begin()
    for place in ("src/new.py", "docs/new.md", "src/say.sh"):
        assert scene.pre(f"echo x > {place}").decision == "", place
