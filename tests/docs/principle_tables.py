"""The tables and matrices of `tests/principles` as `docs/routes.md` shows them: by classes, with today's answers."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from docs.markdown import code, table
from jackline.policy.person import decide
from principles import tables, test_bindings, test_certainty, test_chain, test_person
from principles.case import Case
from principles.classes import Class, digest, grouped
from principles.world import World

LONG = 72
"""Characters of an example that still fits a line of a table."""
NAMED = 3
"""Carriers that are named; the others are counted."""
ANSWERS = {"deny": "refused", "ask": "asked", "code": "asked for the code", "refuse": "refused", "pass": "passes"}


@cache
def _answers(name: str) -> Mapping[str, str]:
    """What the guards say today to the attacks of a table, by their digests."""
    before = os.environ.get("HOME", "")
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder).resolve())
        os.environ["HOME"] = str(world.home)
        try:
            return {digest(one): world.decide(one) for one in tables.table(name).ATTACKS}
        finally:
            os.environ["HOME"] = before


def _spelled(one: Case) -> str:
    call = one.call if isinstance(one.call, str) else f"{one.tool} {json.dumps(one.call, ensure_ascii=False)}"
    return call.strip().replace("\n", " ⏎ ")


def _quoted(text: str) -> str:
    text = re.sub(r"[^ -~⏎]", lambda found: f"\\x{ord(found[0]):02x}", text.strip().replace("\n", " ⏎ "))
    text = text if len(text) <= LONG else text[: LONG - 1] + "…"
    return f"`` {text} ``" if "`" in text else code(text)


def _files(one: Case) -> list[tuple[str, str]]:
    """Those that the call names."""
    return [(name, text) for name, text in one.files if name in _spelled(one)]


def _best(rows: Iterable[Case]) -> Case:
    """A call of middling length that says all there is to say."""

    def unfit(one: Case) -> tuple[bool, int, str]:
        size = len(_spelled(one))
        return size > LONG or len(one.files) != len(_files(one)) or len(one.env) > 1, -min(size, LONG // 2), digest(one)

    return min(rows, key=unfit)


def _held(text: str) -> str:
    """What a file holds, as far as a person can read it."""
    return _quoted(text) if text.replace("\n", "").replace("\t", "").isprintable() else "bytes that are no text"


def _shown(one: Case) -> str:
    """A call, what its file holds, and what the client's settings say."""
    wrote = [f", where {code(name)} holds {_held(text)}" for name, text in _files(one)[:1]]
    says = [f", with {code(f'{name}={value}')} in the client's settings" for name, value in one.env[:1]]
    return "".join([_quoted(_spelled(one)), *wrote, *says])


def _examples(classes: list[Class]) -> list[str]:
    """One of each class, no call twice."""
    found: dict[str, str] = {}
    for one in classes:
        rows = [row for row in one.rows if _spelled(row) not in found]
        best = _best(rows or one.rows)
        found[_spelled(best)] = _shown(best)
    return [*found.values()]


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _counted(said: Iterable[str]) -> str:
    held = Counter(ANSWERS[one] for one in said)
    return ", ".join(f"{name} {held[name]}" for name in dict.fromkeys(ANSWERS.values()) if held[name])


def _class(one: Class, said: Mapping[str, str]) -> tuple[str, str, int, str, str]:
    name = f"{one.merged} others" if one.merged else one.name
    return (
        name,
        _listed(one.carriers),
        len(one.rows),
        _counted(said[digest(row)] for row in one.rows),
        _shown(_best(one.rows)),
    )


def principle(name: str) -> str:
    found = tables.table(name)
    said = _answers(name)
    rows = [_class(one, said) for one in grouped(found.ATTACKS)]
    beside = "; ".join(_examples(grouped(found.INNOCENT)[:NAMED]))
    triples = len({one.triple for one in found.ATTACKS})
    return "\n\n".join(
        [
            f"**{found.TITLE}**",
            table(("channel", "carried by", "attacks", "answer", "for example"), rows),
            f"{len(found.ATTACKS)} attacks, {triples} of them distinct in carrier, program and channel, stand in "
            f"{_source(name)}; `{found.FUNCTION}` decides.\n"
            f"Beside them {len(found.INNOCENT)} calls of the same shape pass, such as {beside}.",
        ]
    )


def _source(name: str) -> str:
    return f"[`{name}.py`](../tests/principles/{name}.py)"


class Matrix(NamedTuple):
    """`dimensions`: what each is called, and its values. `answers`: what the cells came to."""

    title: str
    dimensions: Mapping[str, Iterable[str]]
    answers: Callable[[], str]


def _person() -> str:
    said = [decide(test_person.facts(*cell)).answer for cell in test_person.CELLS]
    return f"{len(said)} cells: {_counted(said)}."


def _certainty() -> str:
    made = []
    for (before, word, _), around, form in product(
        test_certainty.WORD.values(), test_certainty.AROUND.values(), test_certainty.PROGRAM.values()
    ):
        made.append(test_certainty.decision(before + around.format(form.format(word))))
    return f"{len(made)} cells: {_counted('pass' if one in ('', 'allow') else one for one in made)}."


def _chain() -> str:
    acts, when, unseen = len(test_chain.ACTS), len(test_chain.WHEN), sorted({act for act, _ in test_chain.UNSEEN})
    seen = acts * when - len(test_chain.UNSEEN)
    return (
        f"{acts * when} cells: {seen} are seen, and it is said where.\n"
        f"Not seen since the last anchor, or where there is none yet: {'; '.join(unseen)}."
    )


def _bindings() -> str:
    changed = len(test_bindings.ROWS)
    commands = sum(len(commands) for commands, _ in test_bindings.NAMED.values())
    return (
        f"{commands} commands, {changed} with a change meanwhile: each is asked about anew.\n"
        f"A change elsewhere ends no yes: {', '.join(test_bindings.ELSEWHERE)}."
    )


MATRICES = {
    "person": Matrix(
        "While a session lives, a human-only command needs a human.",
        {
            "above the command": test_person.ANCESTORS,
            "its terminal": test_person.TERMINALS,
            "who leads that terminal": test_person.LEADERS,
            "its age beside the session's": test_person.AGES,
            "sessions that live": test_person.LIVING,
            "an agent's mark": ["none", *filter(None, test_person.MARKED)],
        },
        _person,
    ),
    "bindings": Matrix(
        "A yes binds what it shows.",
        {
            "what a command names": test_bindings.NAMED,
            "what changes meanwhile": dict.fromkeys(
                what for _, changes in test_bindings.NAMED.values() for what in changes
            ),
        },
        _bindings,
    ),
    "chain": Matrix(
        "The log says when it was touched.",
        {"what is done to a log": test_chain.ACTS, "when": test_chain.WHEN},
        _chain,
    ),
    "certainty": Matrix(
        "What is refused outright is a literal text with a literal target.",
        {
            "how the target is spelled": test_certainty.WORD,
            "program": test_certainty.PROGRAM,
            "around it": test_certainty.AROUND,
        },
        _certainty,
    ),
}


def matrix(name: str) -> str:
    found = MATRICES[name]
    rows = [(what, len([*values]), "; ".join(values)) for what, values in found.dimensions.items()]
    return "\n\n".join(
        [
            f"**{found.title}**",
            table(("dimension", "values", "they are"), rows),
            f"{found.answers()}\nThe matrix stands in {_source(f'test_{name}')}.",
        ]
    )


def principles() -> str:
    return "\n\n".join(f"## {name.capitalize().replace('_', ' ')}\n\n{principle(name)}" for name in tables.NAMES)


def matrices() -> str:
    return "\n\n".join(f"## {name.capitalize()}\n\n{matrix(name)}" for name in MATRICES)
