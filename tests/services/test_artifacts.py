"""The bus: what is announced is there once, the newest is found without reading it, and nothing forged leads out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jackline import host
from jackline.services import artifacts
from jackline.services.artifacts import Artifact, Branch, Pointer
from jackline.store import bus, session_index
from jackline.store.reducer import fold, fold_patches
from jackline.store.session_index import SessionEntry
from scene import Scene

from .together import together

ANNOUNCES = """
from jackline.model import Action
from jackline.services import artifacts
entry = artifacts.described(event.command.split()[-1], "work/w001/x.json", b"x", summary="an x", depends=["a.json"])
return Action(register_artifacts=(entry,))
"""


def session_of(scene: Scene) -> SessionEntry:
    """The one session there is, begun by a real event."""
    scene.begin()
    [found] = session_index.sessions(scene.store, scene.root)
    return found


def announce(scene: Scene, session: SessionEntry, *entries: dict[str, Any]) -> list[Artifact]:
    return artifacts.announce(str(scene.store), session, "tester", entries, now=host.now(), entropy=host.entropy())


def entry(name: str, kind: str = "thing", **more: Any) -> dict[str, Any]:
    return artifacts.described(kind, f"work/w001/{name}", name.encode(), **more)


# --- announcing ----------------------------------------------------------------------------------------------------


def test_what_a_feature_announces_is_found_by_the_pointer(scene: Scene) -> None:
    """A foreign feature uses the library as ours do; the pointer is in the state with the event that announced it."""
    scene.feature("maker", ANNOUNCES)
    scene.trust()
    for kind in ("first", "second", "first"):
        scene.pre(f"echo {kind}")
    found, cursor = artifacts.follow(str(scene.place))
    assert [(one.kind, one.producer, one.summary, one.depends) for one in found] == [
        ("first", "maker", "an x", ("a.json",)),
        ("second", "maker", "an x", ("a.json",)),
        ("first", "maker", "an x", ("a.json",)),
    ]
    state = scene.state()
    assert artifacts.newest(state, "first", "w001") == Pointer(found[2].id, "work/w001/x.json", found[2].hash)
    assert artifacts.newest(state, "second", "w001") == Pointer(found[1].id, "work/w001/x.json", found[1].hash)
    assert artifacts.newest(state, "third", "w001") is None
    assert artifacts.newest(state, "first", "w002") is None, "of another task"
    assert artifacts.follow(str(scene.place), cursor) == ([], cursor)


def test_what_a_command_announces_stands_there_as_an_events(scene: Scene) -> None:
    session = session_of(scene)
    [one] = announce(scene, session, entry("a.json", tags=["x"]))
    [read], _ = artifacts.follow(session.folder)
    assert (
        read == one == one._replace(kind="thing", ref="work/w001/a.json", work="w001", producer="tester", tags=("x",))
    )
    assert artifacts.newest(scene.state(), "thing", "w001") == Pointer(one.id, one.ref, one.hash)
    assert [row["data"]["id"] for row in scene.rows("ARTIFACT_REGISTERED")] == [one.id]


@pytest.mark.parametrize("ref", ["/etc/passwd", "../x", "a/../../x", "", "a\0b"])
def test_nothing_out_of_the_session_is_announced(scene: Scene, ref: str) -> None:
    session = session_of(scene)
    with pytest.raises(ValueError, match="relative to the session folder"):
        announce(scene, session, {"kind": "x", "ref": ref})
    assert artifacts.follow(session.folder) == ([], 0)


def test_thirty_two_writers_lose_and_double_nothing(scene: Scene) -> None:
    session = session_of(scene)

    def work(number: int) -> None:
        for turn in range(5):
            announce(scene, session, entry(f"{number}-{turn}", "thing" if turn % 2 else "other"))

    assert together(32, work) == [0] * 32
    found, _ = artifacts.follow(session.folder)
    assert sorted(one.ref for one in found) == sorted(f"work/w001/{n}-{t}" for n in range(32) for t in range(5))
    assert len({one.id for one in found}) == 160
    log = (scene.place / "events.jsonl").read_bytes()
    state = fold(json.loads(line) for line in log.splitlines())
    for kind in ("thing", "other"):
        pointer = artifacts.newest(state, kind, "w001")
        assert pointer is not None and pointer.id == max(one.id for one in found if one.kind == kind)


def test_of_two_pointers_the_newer_id_wins_in_any_order() -> None:
    def patch(id_: str, ref: str) -> dict[str, Any]:
        return {"core": {"latest": {"x.y": {"id": id_ * 32, "ref": ref, "hash": "", "work": "w001"}}}}

    orders = [[patch("1", "long/name"), patch("2", "b")], [patch("2", "b"), patch("1", "long/name")]]
    found = [artifacts.newest(fold_patches(order), "x.y", "w001") for order in orders]
    assert found == [Pointer("2" * 32, "b")] * 2


# --- reading -------------------------------------------------------------------------------------------------------


def test_a_cursor_reads_only_what_is_new_and_a_new_bus_from_its_beginning(scene: Scene) -> None:
    session = session_of(scene)
    announce(scene, session, entry("a"), entry("b", "other"))
    found, cursor = artifacts.follow(session.folder, 0, ("thing",))
    assert [one.ref for one in found] == ["work/w001/a"]
    announce(scene, session, entry("c"))
    found, cursor = artifacts.follow(session.folder, cursor)
    assert [one.ref for one in found] == ["work/w001/c"]
    bus = scene.place / "registry.jsonl"
    bus.write_bytes(bus.read_bytes().splitlines(keepends=True)[-1])
    assert [one.ref for one in artifacts.follow(session.folder, cursor)[0]] == ["work/w001/c"]


@pytest.mark.parametrize(
    "line",
    [
        '{"id":"1","kind":"x","workId":"w001","ref":"../../out"}',
        '{"id":"1","kind":"x","workId":"w001","ref":"/etc/passwd"}',
        '{"id":1,"kind":"x","workId":"w001","ref":"a"}',
        '["id"]',
        "{torn",
        "[" * 5000,
    ],
)
def test_a_forged_line_of_the_bus_is_no_artifact(tmp_path: Path, line: str) -> None:
    good = '{"id":"2","kind":"x","workId":"w001","ref":"a"}'
    (tmp_path / "registry.jsonl").write_text(f"{line}\n{good}\n")
    assert [one.ref for one in artifacts.follow(str(tmp_path))[0]] == ["a"]


def test_the_hash_of_a_place_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "x")
    (tmp_path / "folder").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe")
    assert artifacts.hash_of(str(tmp_path), "x") == artifacts.content_hash(b"x")
    assert [artifacts.hash_of(str(tmp_path), name) for name in ("link", "folder/x", "pipe", "../x", "no")] == [""] * 5


@pytest.mark.parametrize("state", [{"core": {"latest": 5}}, {"core": {"latest": ["k"]}}, {"core": "x"}, {}])
def test_a_damaged_state_hinders_no_pointer(state: dict[str, Any]) -> None:
    record = {"kind": "k", "id": "1", "ref": "r", "workId": "w001"}
    assert bus.pointers([record], state)["core"]["latest"]["k"]["id"] == "1"


@pytest.mark.parametrize("ref", ["\ud800", "a/\ud800/b", "b/\udfff"])
def test_a_place_that_no_file_can_have_is_empty(tmp_path: Path, ref: str) -> None:
    """Half a character comes by the log of a session, where an agent may write."""
    (tmp_path / "b").mkdir()
    assert (artifacts.hash_of(str(tmp_path), ref), artifacts.load(str(tmp_path), ref)) == ("", None)


def made(name: str, *depends: str) -> Artifact:
    return Artifact(name * 32, "k", f"{name}.json", "w001", depends=depends)


def test_a_tree_stands_on_what_nobody_depends_on() -> None:
    """By id or by place; what came already is not opened again; what is not on the bus is named."""
    a, b, c, d = made("a"), made("b", "a.json", "gone"), made("c", "b" * 32, "a" * 32), made("d", "b.json")
    assert artifacts.tree([a, b, c, d]) == [
        Branch(0, c, c.id),
        Branch(1, b, b.id),
        Branch(2, a, "a.json"),
        Branch(2, None, "gone"),
        Branch(1, a, a.id),
        Branch(0, d, d.id),
        Branch(1, b, "b.json", shown=True),
    ]
    assert artifacts.tree([a, b], b) == [Branch(0, b, b.id), Branch(1, a, "a.json"), Branch(1, None, "gone")]


def test_a_cycle_ends() -> None:
    a, b = made("a", "b.json"), made("b", "a.json")
    assert [(line.depth, line.artifact, line.shown) for line in artifacts.tree([a, b])] == [
        (0, b, False),
        (1, a, False),
        (2, b, True),
    ]


def test_an_artifact_is_meant_by_id_place_or_kind() -> None:
    one, two = made("a"), made("b")._replace(kind="other")
    known = [one, two]
    assert [artifacts.find(known, word) for word in ("a" * 32, "a" * 6, "a.json", "k", "other", "aaa", "no")] == [
        *(one, one, one, one, two),
        *(None, None),
    ]
