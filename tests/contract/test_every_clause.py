"""No clause of the contract is without a test that is named after it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CONTRACT = HERE.parent.parent / "docs" / "contract.md"
SECTIONS = (
    *("1", "2", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "5.1", "5.2", "6", "7", "7.1", "8", "8.1", "8.2"),
    *("2.1", "2.2"),  # our own page's: what holds between versions
    *("9.1", "9.2", "9.3", "10", "11", "12.1", "12.2", "12.3", "12.4", "13", "14", "14.1", "15", "16", "17"),
)
"""The sections of the contract this project began with, whose numbers docs/contract.md keeps, and those it adds."""


def names() -> set[str]:
    """The tests of this folder."""
    found = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                found.add(node.name)
    return found


TESTS = names()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_has_a_test_of_its_name(section: str) -> None:
    begin = f"test_section_{section.replace('.', '_')}_"
    found = [name for name in TESTS if re.match(begin + r"[a-z]", name)]
    assert found, f"no test begins with {begin}"


@pytest.mark.parametrize("number", range(1, 11))
def test_every_invariant_has_a_test_of_its_name(number: int) -> None:
    assert [name for name in TESTS if name.startswith(f"test_invariant_{number}_")]


def test_the_page_and_the_tests_count_the_same_sections() -> None:
    """A section that our own page adds to the contract's wants its test too."""
    headings = re.findall(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", CONTRACT.read_text(), re.MULTILINE)
    whole = {section.partition(".")[0] for section in SECTIONS}
    assert set(headings) <= {*SECTIONS, *whole}
    assert whole <= set(headings)
