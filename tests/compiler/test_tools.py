"""A tool is named by its native name, by another client's name for it, or by kind."""

from __future__ import annotations

import pytest

from jackline.clients.facts import SAME
from jackline.compiler.tools import Tools, complaint, resolve, vocabulary
from jackline.model import KINDS

GREP = ("Grep", "grep", "grep_files", "grep_search", "rg", "search_codebase", "search_files")
CASES = [
    (["read_file"], Tools(("Read", "read_file", "read_files", "view"), ())),
    (["Grep", "grep_search"], Tools(GREP, ())),
    (["kind:shell", "kind:read"], Tools((), ("read", "shell"))),
    (["kind:shall"], Tools((), (), ("kind:shall",))),
    (["mcp__memo__remember_it"], Tools(("mcp__memo__remember_it", "memo/remember_it"), ())),
    (["memo/remember"], Tools(("memo/remember",), ())),
    (["apply_patch"], Tools(("apply_patch",), ())),
    (["Nope"], Tools(("Nope",), (), ("Nope",))),
    ([], Tools((), ())),
]


@pytest.mark.parametrize(("wanted", "found"), CASES)
def test_resolve(wanted: list[str], found: Tools) -> None:
    assert resolve(wanted) == found


def test_names_of_one_tool_are_of_one_kind() -> None:
    """Else a policy for one client would mean another thing on the next."""
    for row in SAME.values():
        kinds = {vocabulary()[name] for name in row if name in vocabulary()}
        assert len(kinds) == 1, (row, kinds)
        assert kinds <= set(KINDS)
    names = [name for row in SAME.values() for name in row]
    assert len(names) == len(set(names))


def test_complaints_name_what_was_meant() -> None:
    assert complaint("Raed") == '"Raed" matches no tool of a known client · write: "Read"'
    assert complaint("kind:shel").endswith('write: "kind:shell"')
    assert "kind:read" in complaint("zzzzzzzz")
