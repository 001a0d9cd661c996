"""What holds of any text: nothing raises, layout and comments change nothing, a local may bear any name, another
word or number is another program.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackline.edits import preview, proposed
from jackline.edits.arguments import DIFFS, LINES, LISTS, NEW, OLD, PATH, WHOLE
from jackline.model import KINDS, Event
from jackline.mutation import classify
from jackline.mutation.changes import LONG, judge, of_texts
from jackline.mutation.grammars import GRAMMARS
from jackline.mutation.model import EVOLUTION, REFACTOR, UNKNOWN

from .test_classify import CASES

HOUSE = Path(__file__).parents[2]
ENDS = (
    "py",
    "js",
    "ts",
    "tsx",
    "go",
    "rs",
    "java",
    "cs",
    "c",
    "rb",
    "sh",
    "css",
    "html",
    "yml",
    "toml",
    "json",
    "md",
    "x",
)
WORDS = "if else for in def class return function const let fn pub use import from a b 1 true"
WORDY = st.sampled_from(WORDS.split())
CODE = st.lists(
    st.one_of(WORDY, st.sampled_from(list("(){}[]<>=+-*/%!&|^~?:;,.@#$\\\n\t '\"`")), st.text(max_size=4)), max_size=40
).map("".join)
TEXT = st.one_of(st.text(max_size=200), CODE)
SLOW = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(st.sampled_from(ENDS), TEXT, TEXT)
def test_any_two_texts_have_a_class(end: str, before: str, after: str) -> None:
    found = of_texts([(f"a.{end}", before, after)])
    assert found.kind in (REFACTOR, EVOLUTION, UNKNOWN)
    assert 0 <= found.confidence <= 1 and (found.kind == UNKNOWN) == (found.confidence == 0)


KEYS = st.sampled_from(
    sorted(
        {
            *PATH,
            *OLD,
            *NEW,
            *WHOLE,
            *LISTS,
            *DIFFS,
            *LINES,
            "command",
            "cell_id",
            "new_source",
            "edit_mode",
            "arguments",
        }
    )
)
VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), TEXT, st.sampled_from(["a.py", "/", "", "\0", "view"])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=8,
)
TOOLS = ("Write", "Edit", "NotebookEdit", "apply_patch", "replace_in_file", "x", "fs/edit", "Bash", "")


@SLOW
@given(st.sampled_from(TOOLS), st.sampled_from((*KINDS, "")), st.dictionaries(KEYS, VALUE, max_size=6), TEXT)
def test_any_call_is_told(tool: str, kind: str, inside: dict[str, Any], patch: str) -> None:
    patch = f"*** Begin Patch\n{patch}\n*** End Patch"
    event = Event(
        "PreToolUse", tool=tool, kind=kind, input=inside, patch=patch, command=patch, root="/dev/null", cwd=""
    )
    assert classify(event).kind in (REFACTOR, EVOLUTION, UNKNOWN)
    assert isinstance(proposed(event), tuple)
    assert len(preview(event, 5)) <= 5


OWN = sorted(path for path in (HOUSE / "src/jackline").rglob("*.py") if path.stat().st_size < 12_000)[::9]


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_local_changed_throughout_a_file_is_a_refactoring(path: Path) -> None:
    text = path.read_text()
    for name in re.findall(r"^    (\w+) = ", text, re.MULTILINE)[:3]:
        if (
            not re.search(
                rf"[\"'#].*\b{name}\b|\b{name}=|\.{name}\b|^class |(?:import|nonlocal) .*\b{name}\b", text, re.MULTILINE
            )
            and len(name) > 2
        ):
            assert judge("a.py", text, re.sub(rf"\b{name}\b", "fresh_name", text)).kind == REFACTOR, name


REMARK = st.lists(st.one_of(WORDY, st.sampled_from(["x", "==", "(", ")", "1", "'", '"', "rm -rf"])), min_size=1).map(
    " ".join
)
MARKS = {"py": "#", "yml": "#", "toml": "#", **dict.fromkeys(GRAMMARS, "//")}
REMARKED = [
    (case.path, case.before)
    for kind, case in CASES.values()
    if kind != UNKNOWN and case.path.rpartition(".")[2] in MARKS and "`" not in case.before and "'''" not in case.before
]


@SLOW
@given(st.sampled_from(REMARKED), REMARK)
def test_a_comment_is_never_an_evolution(case: tuple[str, str], remark: str) -> None:
    path, text = case
    assert judge(path, text, f"{text}\n{MARKS[path.rpartition('.')[2]]} {remark}\n").kind == REFACTOR


CALLS = [f"a.{end}" for end in ("py", *GRAMMARS)]


@SLOW
@given(st.sampled_from(CALLS), REMARK, REMARK)
def test_another_text_is_another_program(path: str, one: str, two: str) -> None:
    one, two = (re.sub(r"[\"'\\`#{}$%]", "", text) for text in (one, two))
    assert judge(path, f'f("{one}")\n', f'f("{two}")\n').kind == (REFACTOR if one == two else EVOLUTION)


@given(st.sampled_from(CALLS), st.integers(0, 10**9), st.integers(0, 10**9))
def test_another_number_is_another_program(path: str, one: int, two: int) -> None:
    assert judge(path, f"f({one})\n", f"f({two})\n").kind == (REFACTOR if one == two else EVOLUTION)


@pytest.mark.parametrize("path", CALLS)
def test_a_long_or_deep_text_is_told_in_time(path: str) -> None:
    long, deep = "f(1)\n" * (LONG // 5), "f(" * 5_000 + ")" * 5_000
    start = time.process_time()
    for text in (long, long * 2, deep):
        assert of_texts([(path, text, text + "\n\ng(2)")]).kind in (EVOLUTION, UNKNOWN)
    assert time.process_time() - start < 20
