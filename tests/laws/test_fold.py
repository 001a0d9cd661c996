"""Laws of state: patches are idempotent, maxima commute, phases follow (workId, phaseSeq), and the file is the fold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline import system
from jackline.policy.phases import ORDINALS, of, step
from jackline.store import chain, journal, state
from jackline.store.reducer import INITIAL, POINTERS, apply, fold, fold_patches, patches, split
from jackline.store.state import rebuild
from scene import audit, settled

WORKS = st.sampled_from(("w001", "w002", "w999", "w1000"))
SCALARS = st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(("", "a", "b"))
DEEP = st.recursive(SCALARS, lambda inner: st.dictionaries(st.sampled_from("xyz"), inner, max_size=3), max_leaves=6)
PHASE = st.fixed_dictionaries(
    {
        "phase": st.sampled_from(sorted(ORDINALS)),
        "phaseSeq": st.integers(1, 4),
        "phaseWork": WORKS,
        "phasePrevious": st.sampled_from(sorted(ORDINALS)),
    }
)
CORE = st.fixed_dictionaries(
    {},
    optional={
        "sessionId": st.just("0a1b2c3d"),
        "createdTs": st.integers(1, 5),
        "lastTurnId": st.integers(0, 30),
        "lastActiveTs": st.integers(0, 30),
        "workId": WORKS,
        "lastEventOffset": st.integers(0, 9),
        "note": SCALARS,
    },
)
PATCHES = st.fixed_dictionaries(
    {},
    optional={
        "core": st.one_of(CORE, st.tuples(CORE, PHASE).map(lambda pair: {**pair[0], **pair[1]})),
        "plan": st.dictionaries(st.sampled_from(("one", "two", "deep")), DEEP, max_size=3),
        "rlm": st.dictionaries(st.sampled_from("ab"), DEEP, max_size=2),
        "cap": st.fixed_dictionaries({"neo4j": st.fixed_dictionaries({"lastCheckTs": st.integers(0, 9)})}),
    },
)
TEXTS = st.sampled_from(("STATE_PATCH", 'a "STATE_PATCH" said', "\\", "\n", '"kind":"STATE_PATCH"', "é\u2028", "x"))
KINDS = st.sampled_from(("STATE_PATCH", "NOTE", "STATE_PATCHES", "state_patch", "", 7, None, ["STATE_PATCH"]))
DATA = st.one_of(PATCHES.map(lambda patch: {"patch": patch}), TEXTS, st.none(), st.just({"patch": "STATE_PATCH"}))
RECORDS = st.one_of(
    st.fixed_dictionaries({"kind": KINDS, "data": DATA}, optional={"why": TEXTS, "STATE_PATCH": TEXTS}),
    st.fixed_dictionaries({"data": DATA, "deep": st.fixed_dictionaries({"kind": KINDS, "data": DATA})}),
    st.lists(KINDS, max_size=2),
    TEXTS,
)
LINES = st.one_of(
    st.tuples(RECORDS, st.sampled_from((",", ", ")), st.sampled_from((":", " : ")), st.booleans()).map(
        lambda it: json.dumps(it[0], separators=(it[1], it[2]), ensure_ascii=it[3]).encode()
    ),
    st.sampled_from(
        (b"", b" ", b"\r", b"STATE_PATCH", b'"STATE_PATCH"', b'{"kind":"STATE_PATCH"', b"\xff", b"[" * 999)
    ),
)
LOGS = st.lists(PATCHES, max_size=8)


def record(patch: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "STATE_PATCH", "data": {"patch": patch}}


def folded(patches: list[dict[str, Any]]) -> dict[str, Any]:
    return fold([record(patch) for patch in patches])


@given(log=LOGS, patch=PATCHES)
def test_a_patch_is_idempotent(log: list[dict[str, Any]], patch: dict[str, Any]) -> None:
    once = apply(folded(log), patch)
    assert apply(once, patch) == once


@given(log=LOGS, patch=PATCHES)
def test_apply_is_pure(log: list[dict[str, Any]], patch: dict[str, Any]) -> None:
    before = folded(log)
    kept, given_kept = json.dumps(before), json.dumps(patch)
    apply(before, patch)
    assert (json.dumps(before), json.dumps(patch)) == (kept, given_kept)
    assert INITIAL["core"] == {"phase": "UNINITIALIZED", "phaseSeq": 0, "lastTurnId": 0, "workId": "w001"}


@given(log=LOGS, at=st.integers(0, 8))
def test_reading_a_tail_again_changes_nothing(log: list[dict[str, Any]], at: int) -> None:
    """Whoever makes up for others may see the last patches a second time."""
    whole = folded(log)
    phases = [patch.get("core", {}) for patch in log]
    once = {key for patch in phases for key in patch} & {"createdTs"}
    if not once:
        assert folded([*log, *log[at:]]) == whole


MAXIMA = st.fixed_dictionaries(
    {},
    optional={"lastTurnId": st.integers(0, 30), "lastActiveTs": st.integers(0, 30), "workId": WORKS, "workSeq": WORKS},
)


@given(patches=st.lists(MAXIMA, max_size=6), data=st.data())
def test_maxima_commute(patches: list[dict[str, Any]], data: st.DataObject) -> None:
    """In whatever order parallel events get the lock (contract section 4.2)."""
    log = [{"core": patch} for patch in patches]
    result = folded(log)
    assert folded(data.draw(st.permutations(log))) == result
    for key in ("lastTurnId", "lastActiveTs"):
        given = [patch[key] for patch in patches if key in patch]
        assert result["core"].get(key, 0) == max(given, default=0)
    works = [patch["workId"] for patch in patches if "workId" in patch]
    assert result["core"]["workId"] == max([*works, "w001"], key=lambda work: int(work[1:]))


@given(times=st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_a_capability_is_as_new_as_its_newest_check(times: list[int]) -> None:
    cap = folded([{"cap": {"neo4j": {"lastCheckTs": ts, "enabled": False}}} for ts in times])["cap"]
    assert cap == {"neo4j": {"lastCheckTs": max(times), "enabled": False}}


@given(phases=st.lists(PHASE, max_size=6, unique_by=lambda one: (one["phaseWork"], one["phaseSeq"])), data=st.data())
def test_phases_go_by_work_and_number_alone(phases: list[dict[str, Any]], data: st.DataObject) -> None:
    """BLOCKED and COMPLETE can be left: no phase is greater than another, only later (departure: contract 4.2)."""
    log = [{"core": one} for one in phases]
    result = folded(data.draw(st.permutations(log)))["core"]
    assert result == {**INITIAL["core"], **(folded(log)["core"])}
    if phases:
        last = max(phases, key=lambda one: (int(one["phaseWork"][1:]), one["phaseSeq"]))
        assert (result["phase"], result["phaseSeq"], result["phaseWork"]) == (
            last["phase"],
            last["phaseSeq"],
            last["phaseWork"],
        )


@given(log=LOGS, to=st.sampled_from(sorted(ORDINALS)))
def test_a_step_always_enters_its_phase(log: list[dict[str, Any]], to: str) -> None:
    core = folded(log)["core"]
    patch = step(core, to)
    after = apply({"core": core}, {"core": patch})["core"]
    if int(core.get("phaseWork", "w000")[1:]) <= int(core["workId"][1:]):  # a work unit is never gone back to
        assert (after["phase"], after["phasePrevious"]) == (to, of(core))


@given(patches=st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_once_is_the_first(patches: list[int]) -> None:
    assert folded([{"core": {"createdTs": ts}} for ts in patches])["core"]["createdTs"] == patches[0]


@given(
    owned=st.lists(st.sampled_from(("core", "cap", "plan", "somebody")), unique=True, max_size=2).map(tuple),
    patch=st.dictionaries(
        st.sampled_from(("core", "plan", "rlm", "memory", "cap", "somebody", "v")),
        DEEP
        | st.lists(SCALARS, max_size=2)
        | st.dictionaries(st.sampled_from("xy"), st.lists(SCALARS), max_size=2)
        | st.dictionaries(st.sampled_from(("currentPath", "hash", "phase")), SCALARS | st.lists(SCALARS), max_size=3),
        max_size=4,
    ),
)
def test_a_hook_writes_its_own_parts_without_arrays(owned: tuple[str, ...], patch: dict[str, Any]) -> None:
    """Of the plan, everybody may write where it lies, and nothing else."""
    kept, dropped = split(owned, patch)
    assert set(kept) <= {*owned, *POINTERS}
    assert all(set(kept.get(name, {})) <= set(keys) for name, keys in POINTERS.items() if name not in owned)
    assert "[" not in json.dumps(kept)
    assert all(name.split(".")[0] in patch for name in dropped)
    for name, value in patch.items():
        if not isinstance(value, dict) or (name not in owned and name not in POINTERS):
            assert name in dropped
        elif name not in owned:
            foreign = {f"{name}.{key}" for key in value if key not in POINTERS[name]}
            assert foreign <= set(dropped)


@given(log=st.lists(st.none() | st.integers() | st.dictionaries(st.sampled_from(("kind", "data")), DEEP), max_size=4))
def test_strange_records_fold_to_the_beginning(log: list[Any]) -> None:
    assert fold([one for one in log if isinstance(one, dict)]) == fold(())


KEY = (7, "the rest of a key")
STEPS = st.lists(
    st.tuples(st.sampled_from(("commit", "commit", "late", "guest", "torn", "lost", "rebuild")), PATCHES), max_size=7
)
"""commit: as usual · late: no lock, or killed behind the log · guest: another one appends between log and snapshot ·
torn: killed inside its append · lost: the snapshot vanishes · rebuild: a person makes it again."""


@settings(max_examples=40)
@given(steps=STEPS)
def test_the_file_is_the_fold_after_any_interleaving(
    tmp_path_factory: Any, steps: list[tuple[str, dict[str, Any]]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("session")
    (folder / "key").touch()
    at = system.descend(str(folder), ())
    count = 0

    def row(kind: str = "NOTE", producer: str = "kernel", **fields: Any) -> dict[str, Any]:
        nonlocal count
        count += 1
        base = {"v": 1, "id": f"{count:032x}", "ts": 1, "repo": "0" * 16, "host": "0" * 16, "event": "Stop"}
        return {**base, "producer": producer, "kind": kind, **fields}

    def late(patch: dict[str, Any]) -> None:
        journal.append(at, journal.EVENTS, [row("STATE_PATCH", data={"patch": patch})], KEY)

    torn = 0
    append = journal.append
    for what, patch in [*steps, ("commit", {"core": {"lastTurnId": 99}})]:
        if what == "late":
            late(patch)
        elif what == "torn":
            end = torn_tail(folder)
            torn += end
        elif what == "lost":
            system.unlink("state.json", at=at)
        elif what == "rebuild":
            rebuild(str(folder))
        else:
            if what == "guest":

                def with_guest(
                    at: int, name: str, records: Any, key: Any = None, patch: dict[str, Any] = patch
                ) -> tuple[int, int]:
                    where = append(at, name, records, key)
                    append(at, name, [row("STATE_PATCH", data={"patch": patch})], KEY)
                    return where

                journal.append = with_guest
            try:
                assert state.commit(at, KEY, [row()], [], patch, row) == ""
            finally:
                journal.append = append
    system.close(at)
    records = audit(folder, torn=torn)
    records = [one for one in records if one["kind"] != chain.KIND]
    assert len(records) == count, "a record was lost or doubled"
    assert settled(json.loads((folder / "state.json").read_text())) == settled(fold(records))


def torn_tail(folder: Path) -> int:
    """Leave what a writer leaves that is killed inside its write; 1 when that is a new torn line."""
    with (folder / "events.jsonl").open("ab") as log:
        fresh = log.tell() == 0 or (folder / "events.jsonl").read_bytes().endswith(b"\n")
        log.write(b'{"v":1,"kind":"STATE_PATCH","data":{"patch":{"co')
    return int(fresh)


def test_audit_is_no_tautology(tmp_path: Path) -> None:
    """A snapshot that says something else than its log is found."""
    (tmp_path / "events.jsonl").write_bytes(b"")
    (tmp_path / "state.json").write_text('{"v":1,"core":{"phase":"PLANNING"}}')
    with pytest.raises(AssertionError):
        audit(tmp_path)


@given(
    st.lists(LINES, max_size=8), st.integers(0, 400), st.sampled_from((b"", b"\n", b'\n{"kind":"STATE_PATCH","data":'))
)
@settings(max_examples=300)
def test_patches_are_found_without_reading_the_rest(lines: list[bytes], cut: int, tail: bytes) -> None:
    """Whatever stands in a log, and wherever it is torn: its patches mean what its records do."""
    whole = b"\n".join(lines) + tail
    for log in (whole, whole[:cut], whole[cut:], whole[:cut] + whole[cut + 1 :]):
        assert fold_patches(patches(log)) == fold(journal.parse(log)[0])
