"""Capabilities in a file of configuration: whatever is asked for and taken back, it ends as it began."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.install import manifests, switches
from jackline.install.manifests import Asked, Target, capability
from jackline.services.capabilities import CAPABILITIES, WITH_ANY

HERE = {slug for one in CAPABILITIES.values() for slug in one.features} | {*WITH_ANY}
TEXTS = [
    None,
    b"{}",
    b'{\n  "version": 1\n}\n',
    b'\xef\xbb\xbf{\r\n\t"version": 1, // why\r\n\t"modules": {"plan-graph": {"enabled": false}, },\r\n}\r\n',
    b'{"modules": {"work-init": {"priority": 7}, "tool-gate": {"mode": "observe"}}}',
]


def ask(folder: Path, name: str, state: str | None) -> None:
    """`enable` (with a state) or `disable` one capability in the project's manifest."""
    target = Target("project", folder / "project/.ai/hooks/dispatch.manifest.json", str(folder / "project"))

    def edit(asked: Asked) -> Asked:
        if state is None:
            kept = {key: one for key, one in asked.items() if key != name}
            return {key: {**one, "with": [two for two in one["with"] if two != name]} for key, one in kept.items()}
        return asked | {name: {"state": state, "with": [*capability(name).offers]}}

    manifests.change(folder / "store", target, [name], HERE, edit)


def begun(folder: Path, text: bytes | None) -> Path:
    place = folder / "project/.ai/hooks/dispatch.manifest.json"
    (folder / "project").mkdir(parents=True)
    if text is not None:
        place.parent.mkdir(parents=True)
        place.write_bytes(text)
    return place


def asked(folder: Path, place: Path) -> Asked:
    known = switches.load(folder / "store").get(str(place))
    return dict(known.asked) if known else {}


STEPS: Any = st.lists(
    st.tuples(st.sampled_from([*CAPABILITIES]), st.sampled_from(["lenient", "strict", None])), min_size=1, max_size=8
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), STEPS)
def test_the_last_one_that_is_taken_back_leaves_what_was_there(text: bytes | None, steps: Any) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        place = begun(folder, text)
        for name, state in steps:
            ask(folder, name, state)
            wanted = manifests.keys(asked(folder, place), HERE)
            data = place.read_bytes() if place.exists() else b""
            assert not wanted or switches.merge(data, wanted, "m.json") == data
        for name in CAPABILITIES:
            ask(folder, name, None)
        assert (place.read_bytes() if place.exists() else None) == text
        assert place.parent.exists() is (text is not None)
        assert not (folder / "store" / switches.BOOK).exists()


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_was_cut_off_before_the_file_was_written_is_mended_by_the_next(tmp_path: Path, text: bytes | None) -> None:
    """The book knows of a change before the file has it."""
    place = begun(tmp_path, text)
    ask(tmp_path, "plan", "strict")
    if text is None:
        place.unlink()
    else:
        place.write_bytes(text)
    ask(tmp_path, "pack", "lenient")
    said = manifests.standing(place.read_bytes(), place, ["plan", "pack"])["modules"]
    assert {one["enabled"] for slug, one in said.items() if slug != "planGraph-exec"} == {True}
    for name in CAPABILITIES:
        ask(tmp_path, name, None)
    assert (place.read_bytes() if place.exists() else None) == text


def test_the_strictest_that_brings_one_along_counts_but_its_own_word_counts_more(tmp_path: Path) -> None:
    both: Asked = {"plan": {"state": "strict", "with": ["gate", "pack"]}, "gate": {"state": "lenient", "with": []}}
    assert manifests.states(both) == {"gate": "lenient", "pack": "strict", "plan": "strict"}
    said = manifests.keys(both, {"tool-gate", "work-init"})["modules"]
    assert said == {
        "tool-gate": {"enabled": True, "mode": "warn"},
        "work-init": {"enabled": True, "mode": "enforce"},
    }


def test_a_book_of_a_newer_version_is_not_written_over(tmp_path: Path) -> None:
    begun(tmp_path, b"{}")
    (tmp_path / "store").mkdir()
    newer = json.dumps({"v": switches.FORMAT + 1, "files": {}}).encode()
    (tmp_path / "store" / switches.BOOK).write_bytes(newer)
    with pytest.raises(Exception, match="newer Jackline"):
        ask(tmp_path, "plan", "lenient")
    assert (tmp_path / "store" / switches.BOOK).read_bytes() == newer
