"""Laws of rewrites: what passes for narrower runs the same programs in a real shell; folding has one result."""

from __future__ import annotations

import itertools
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from jackline.policy.rewrite import fold
from jackline.policy.rewrite_rules import narrows_command

# --- what a real shell makes of it ---

RECORD = """
command_not_found_handle() { printf '%s\\0' "$@" >>"$LOG"; printf '\\n' >>"$LOG"; }
PATH=
cd "$SAND"
"""
"""With an empty PATH every program is not found: each is written down with its arguments, none runs."""

PROGRAMS = ("grep", "rg", "find", "rm", "sudo", "xargs", "git", "sh", "cat", "head")
WORDS = (
    "x",
    "src",
    ".",
    "*",
    "'a b'",
    '"a;b"',
    "-r",
    "-name",
    "src/**",
    "$UNSET",
    "a\\ b",
    "5",
    "--",
    "'$(rm x)'",
    "e=f",
)
OPERATORS = (
    "|",
    ";",
    "&&",
    "||",
    "&",
    "\n",
    ">out",
    "2>err",
    "2>&1",
    "<src/in",
    "> out",
    "(",
    ")",
    "$(rm y)",
    "`rm y`",
)
ADDED = ("-m 5", "-v", "--max-count=5", "-maxdepth 3", "-l", "--glob='*.py'", "--include=*.py", "-1")
EVIL = (
    *(
        "; rm z",
        "| sh",
        "$(rm z)",
        "`rm z`",
        ">z",
        "\nrm z",
        "&",
        "#",
        "'",
        '"',
        "\\",
        "-e'",
        "' '",
        "rm",
        "sudo",
        "z",
        "/",
    ),
    *(
        "-delete",
        "-exec",
        "--pre=z",
        "\u00a0",
        "\r",
        "--",
        "..",
        "~",
        "$z",
        "{",
        "}",
        "${z",
        "$'",
        "A=1",
        "!",
        "-",
        "7",
    ),
)


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    """A command as pieces: a program, its words, perhaps more behind an operator."""
    parts: list[str] = []
    for at in range(draw(st.integers(1, 3))):
        if at:
            parts.append(draw(st.sampled_from(OPERATORS)))
        parts.append(draw(st.sampled_from(PROGRAMS)))
        parts += draw(st.lists(st.sampled_from(WORDS), max_size=4))
    return parts


@st.composite
def rewritten(draw: st.DrawFn) -> tuple[str, str]:
    """A command and what somebody made of it, in good faith or not."""
    parts = draw(commands())
    new = list(parts)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(new)))
        how = draw(st.sampled_from(("add", "add", "add", "evil", "narrow", "drop", "glue")))
        if how == "add":
            new.insert(at, draw(st.sampled_from(ADDED)))
        elif how == "evil":
            new.insert(at, draw(st.sampled_from(EVIL) | st.text("'\"\\ ;-a$`#\t", max_size=4)))
        elif how == "narrow" and at < len(new):
            new[at] = draw(st.sampled_from(("src/app", new[at] + "/app", "'src/a b'", "src/$(rm z)", "/")))
        elif how == "drop" and at < len(new):
            del new[at]
        elif how == "glue" and at < len(new):
            new[at] += draw(st.sampled_from(EVIL) | st.text("'\"\\ ;-a$`#\t", max_size=3))
    return " ".join(parts), " ".join(new)


def run(command: str, folder: Path) -> tuple[list[tuple[str, ...]], set[str], int]:
    """Which programs a shell would run with which arguments, which files it makes, how it ends."""
    sand = folder / "sand"
    log = folder / "log"
    subprocess.run(["rm", "-rf", str(sand), str(log)], check=True)
    (sand / "src" / "app").mkdir(parents=True)
    (sand / "src" / "in").touch()
    (sand / "one").touch()
    env = {"SAND": str(sand), "LOG": str(log)}
    script = RECORD + "\n" + command
    done = subprocess.run(["/bin/bash", "--norc", "-c", script], env=env, capture_output=True, timeout=10)
    lines = log.read_bytes().split(b"\0\n")[:-1] if log.exists() else []
    made = {path.name for path in sand.iterdir()}
    return [tuple(line.decode("utf-8", "replace").split("\0")) for line in lines], made, done.returncode


def narrower(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether `new` is `old` with flags (and their numbers) added and paths narrowed, word by word."""
    at = 0
    for word in new:
        if at < len(old) and word == old[at]:
            at += 1
        elif word.startswith("-") or word.isdecimal():
            continue
        elif at < len(old) and (word.startswith(old[at].rstrip("/*") + "/") or not word.startswith(("/", "..", "~"))):
            at += 1
        else:
            return False
    return at == len(old)


def same_programs(old: list[tuple[str, ...]], new: list[tuple[str, ...]]) -> bool:
    """Whether the programs pair off (a pipe's sides start in any order) so that each new call narrows an old one."""
    if Counter(one[0] for one in old) != Counter(one[0] for one in new):
        return False
    return any(
        all(a[0] == b[0] and narrower(a[1:], b[1:]) for a, b in zip(old, order, strict=True))
        for order in itertools.permutations(new)
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=rewritten())
def test_what_passes_runs_the_same_programs_in_a_real_shell(pair: tuple[str, str], tmp_path: Path) -> None:
    old, new = pair
    if not narrows_command(old, new):
        event("refused")
        return
    event("accepted")
    before, after = run(old, tmp_path), run(new, tmp_path)
    assume(len(before[0]) <= 5)  # more would be too many orders to try
    assert same_programs(before[0], after[0]), (old, new, before, after)
    assert before[1] == after[1], (old, new)


@settings(max_examples=200, deadline=None)
@given(parts=commands(), at=st.integers(0, 8), flag=st.sampled_from(("-m 5", "--max-count=5")))
def test_a_flag_behind_a_search_always_passes(parts: list[str], at: int, flag: str) -> None:
    """The law above is not held by refusing everything."""
    words = [word for word in parts if word in WORDS and word != "--"]
    old = ["rg", *words]
    new = [*old[: 1 + min(at, len(words))], flag, *old[1 + min(at, len(words)) :]]
    assert narrows_command(" ".join(old), " ".join(new))


@given(old=st.text(max_size=30), new=st.text(max_size=30))
def test_any_text_is_judged_without_an_error(old: str, new: str) -> None:
    assert narrows_command(old, old)
    narrows_command(old, new)


# --- folding ---

KEYS = st.sampled_from(("path", "glob", "limit", "query"))
PARTS = st.lists(
    st.tuples(st.sampled_from(("a", "b", "owner", "c")), st.dictionaries(KEYS, st.integers(0, 2), max_size=3)),
    max_size=4,
    unique_by=lambda part: part[0],
)


@given(parts=PARTS, data=st.data())
def test_disjoint_keys_fold_in_any_order(parts: list[tuple[str, dict[str, Any]]], data: st.DataObject) -> None:
    seen: set[str] = set()
    disjoint = []
    for hook, part in parts:
        disjoint.append((hook, {key: value for key, value in part.items() if key not in seen}))
        seen |= part.keys()
    whole = fold(disjoint, "owner")
    assert whole == ({key: value for _, part in disjoint for key, value in part.items()}, [])
    assert fold(data.draw(st.permutations(disjoint)), "owner")[0] == whole[0]


@given(parts=PARTS, data=st.data())
def test_the_owner_wins_wherever_it_stands(parts: list[tuple[str, dict[str, Any]]], data: st.DataObject) -> None:
    owned = dict(parts).get("owner", {})
    changes, lost = fold(data.draw(st.permutations(parts)), "owner")
    assert {key: changes[key] for key in owned} == owned
    assert all(hook != "owner" for hook, _ in lost)


@given(parts=PARTS)
def test_without_an_owner_the_first_wins_and_the_others_are_told(parts: list[tuple[str, dict[str, Any]]]) -> None:
    changes, lost = fold(parts, "nobody")
    for hook, part in parts:
        for key, value in part.items():
            assert changes[key] == value or (hook, key) in lost
    firsts: dict[str, Any] = {}
    for _, part in parts:
        firsts = {**part, **firsts}
    assert changes == firsts
