"""Whatever bytes a script holds: it declares itself, or is a fault, or is no script. Nothing raises, nothing breaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from jackline.compiler import frontmatter, scriptfields, scripts
from jackline.compiler.fault import Fault
from jackline.compiler.frontmatter import Front
from jackline.compiler.scriptfields import KNOWN, Said
from jackline.compiler.sources import Sources
from jackline.script import TYPES

KEYS = st.sampled_from(sorted(KNOWN)) | st.text(max_size=8)
WORDS = ("event", "file", "session", "Stop", "[Stop, preToolUse]", "*.go", "!x", "5m", "true", "{a: b}", "&a [*a]")
VALUES = st.sampled_from((*WORDS, "", "~", "-1", "|")) | st.text(max_size=20)
LINES = st.lists(st.tuples(KEYS, VALUES).map(": ".join) | st.text(max_size=12), max_size=8)
ENDS = st.sampled_from(("\n", "\r\n"))
SIGNS = st.sampled_from(("", "#", "# ", "//", "-- ", ";; ", "% "))


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Files that look like scripts, more or less."""
    sign, end = draw(SIGNS), draw(ENDS)
    lines = [f"{sign}---", *[sign + line for line in draw(LINES)], f"{sign}---" if draw(st.booleans()) else "x", "exit"]
    head = draw(st.sampled_from(("", "#!/bin/sh", "\ufeff#!/bin/sh", "#!", "<?php")))
    return end.join([head, *lines]).encode("utf-8", "surrogatepass")


ANY = files() | st.binary(max_size=200)


@given(ANY)
def test_any_bytes_are_declared_or_a_fault(data: bytes) -> None:
    found = frontmatter.read(data, "x.sh")
    if isinstance(found, Fault):
        assert found.where.startswith("x.sh") and found.write and str(found)
        return
    if found is None:
        return
    for node in (False, True):
        said = scriptfields.said(found, "x.sh", node=node)
        if isinstance(said, Said):
            assert said.type in TYPES or said.inert
            assert all(line.startswith("x.sh:") for line in said.warnings)
        else:
            assert said and all(fault.write and fault.where.startswith("x.sh:") for fault in said)


@given(ANY)
def test_the_lines_of_fields_are_those_of_the_file(data: bytes) -> None:
    found = frontmatter.read(data, "x.sh")
    if isinstance(found, Front):
        count = data.count(b"\n") + 1
        assert all(found.line <= field.line < found.end <= count + 1 for field in found.fields.values())


def _found(folder: Path) -> Iterator[tuple[str, bool]]:
    sources = Sources(str(folder))
    looked = scripts.look(sources, [], {}, "")
    made = scripts.stock(looked, [], looked.tree.found, [], looked.tree.texts, [])
    wired = scripts.wired(made)
    assert not sources.faults
    for one in made.scripts:
        yield one.found.path.rpartition("/")[2], True
    for row in wired.idle:
        yield row[0].rpartition("/")[2], False


@given(st.lists(ANY, min_size=1, max_size=4))
def test_a_script_beside_others_is_wired_whatever_they_are(contents: list[bytes]) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place).resolve()
        hooks = folder / ".ai/hooks/scripts"
        hooks.mkdir(parents=True)
        for at, data in enumerate(contents):
            (hooks / f"s{at}.sh").write_bytes(data)
        (hooks / "good.sh").write_bytes(b"#!/bin/sh\n#---\n# type: session\n#---\n")
        told = dict(_found(folder))
        assert told["good.sh"]
