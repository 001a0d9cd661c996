"""What holds of any text: nothing raises, names and comments alone change nothing, words in texts are no structure."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackline.model import KINDS, Event
from jackline.mutation import classify, preview, proposed
from jackline.mutation.asked import DIFFS, LINES, LISTS, NEW, OLD, PATH, WHOLE
from jackline.mutation.changes import of_texts
from jackline.mutation.judge import judge
from jackline.mutation.languages import language_of
from jackline.mutation.lexer import NAME, WORDS, tokens
from jackline.mutation.model import EVOLUTION, REFACTOR, UNKNOWN

from .test_classify import OTHER, SAME

HOUSE = Path(__file__).parents[2]
ENDS = ("py", "js", "ts", "tsx", "go", "rs", "java", "c", "rb", "sh", "css", "html", "yml", "toml", "json", "md", "x")
WORDY = st.sampled_from(sorted({word for words in WORDS.values() for word in words}))
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
    assert 0 <= found.confidence <= 1
    assert (found.kind == UNKNOWN) == (before == after)


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


HUNK = st.lists(
    st.sampled_from(["@@", "+a", "-a", " a", "*** Update File: a", "*** Move to: b", "--- a", "+++ b", "\\", ""])
)


@given(HUNK, st.text(alphabet="a\n", max_size=12))
def test_any_patch_of_any_text_is_told(lines: list[str], text: str) -> None:
    from jackline.mutation.applied import applied
    from jackline.mutation.patches import blocks, enveloped, unified

    patch = "\n".join(lines)
    for one in (*enveloped(f"*** Begin Patch\n{patch}"), *unified(patch, "a")):
        assert isinstance(applied(text, one.swaps), str | None)
    assert isinstance(applied(text, blocks(patch)), str | None)


SNIPPETS = {
    f"{name} {at}": (case.path, text)
    for name, case in {**SAME, **OTHER}.items()
    for at, text in enumerate((case.before, case.after))
    if language_of(case.path).family not in ("data", "markup", "style", "prose", "shell")
}
OWN = sorted(path for path in (HOUSE / "src/jackline").rglob("*.py") if path.stat().st_size < 12_000)[::9]


def names_of(path: str, text: str) -> list[str]:
    """Names that stand outside of texts and comments alone; attributes of other modules keep theirs elsewhere."""
    return sorted(
        {token.text for token in tokens(text, language_of(path)) if token.kind == NAME and token.text[0] not in "@$:'"}
    )


def renamed(text: str, names: list[str]) -> str:
    new = {name: f"renamed_{at}" if name[0].islower() else f"Renamed{at}" for at, name in enumerate(names)}
    return re.sub(r"(?<![\w@$:'])[A-Za-z_]\w*", lambda hit: new.get(hit[0], hit[0]), text)


@pytest.mark.parametrize("case", SNIPPETS)
def test_all_names_changed_throughout_is_a_refactoring(case: str) -> None:
    path, text = SNIPPETS[case]
    names = [name for name in names_of(path, text) if not re.search(rf"[\"'`/].*\b{re.escape(name)}\b.*[\"'`]", text)]
    if len(names) > 1 and len(names) == len(names_of(path, text)):
        assert judge(path, text, renamed(text, names)).kind == REFACTOR, renamed(text, names)


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_local_changed_throughout_a_file_is_a_refactoring(path: Path) -> None:
    text = path.read_text()
    for name in re.findall(r"^    (\w+) = ", text, re.MULTILINE)[:3]:
        if not re.search(rf"[\"'#].*\b{name}\b|\b{name}=|\.{name}\b", text) and len(name) > 2:
            assert judge("a.py", text, re.sub(rf"\b{name}\b", "fresh_name", text)).kind == REFACTOR, name


REMARK = st.lists(st.one_of(WORDY, st.sampled_from(["x", "==", "(", ")", "1", "'", '"', "rm -rf"])), min_size=1).map(
    " ".join
)
HASHED, SLASHED = ("python", "ruby", "shell", "data"), ("script", "go", "rust", "java", "c")
MARKS = {**dict.fromkeys(HASHED, "#"), **dict.fromkeys(SLASHED, "//")}
REMARKED = [
    (case.path, case.before)
    for case in (*SAME.values(), *OTHER.values())
    if language_of(case.path).family in MARKS and not case.path.endswith("json")
]


@SLOW
@given(st.sampled_from(REMARKED), REMARK, st.integers(0, 20))
def test_a_comment_is_never_an_evolution(case: tuple[str, str], remark: str, at: int) -> None:
    path, text = case
    lines = text.split("\n")
    lines.insert(at % len(lines), f"{MARKS[language_of(path).family]} {remark}")
    if text.startswith("#!") and at % len(text.split("\n")) == 0:
        return
    assert judge(path, text, "\n".join(lines)).kind == REFACTOR


@SLOW
@given(st.sampled_from(["a.py", "a.js", "a.go", "a.rs", "A.java", "a.c", "a.rb"]), REMARK, REMARK)
def test_words_in_a_text_are_no_structure(path: str, one: str, two: str) -> None:
    one, two = (re.sub(r"[\"'\\`#{}$%]", "", text) for text in (one, two))
    found = judge(path, f'f("{one}")\n', f'f("{two}")\n')
    if one == two:
        assert found.kind == REFACTOR
    else:
        assert (found.kind, found.signals) == (EVOLUTION, ("other texts",))


@given(st.text(alphabet="ab \n", max_size=60))
def test_a_part_of_a_large_text_is_judged_like_the_whole(text: str) -> None:
    filler = "x = f(1)\n" * 60_000
    for old, new in (("y = 1\n", "y = 2\n"), ("y = 1\n", "# one\ny = 1\n")):
        assert judge("a.py", filler + old + filler, filler + new + filler).kind == judge("a.py", old, new).kind
