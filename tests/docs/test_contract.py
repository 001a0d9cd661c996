"""`docs/contract.md` is as the code is: what can be listed is listed, numbers are the code's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from docs.regions import CODE_WORDS, REPO, names
from jackline.clients.signs import DEADLINE_MS
from jackline.compiler import layers, schemas
from jackline.compiler.registry import KNOWN
from jackline.hook import OTHER_DEADLINE_MS
from jackline.model import CODES, EVENTS, KINDS, PHASES
from jackline.policy import continuation, events
from jackline.policy.events import CRITICAL_DEADLINE_MS
from jackline.runners.actions import FIELDS
from jackline.runners.python import AFTER_MS
from jackline.runtime.stages.dedupe import WINDOW_NS
from jackline.store import journal, reducer, state

TEXT = (REPO / "docs/contract.md").read_text()
SOURCES = REPO / "src/jackline"
KIND = re.compile(r"^[A-Z][A-Z0-9]+(_[A-Z0-9]+)+$")
NOT_KINDS = {*CODES} - {"BUDGET_EXCEEDED"} | {"TRUST_PACKAGE", "PHASE_TRIGGER"}
"""Words of the same shape that are something else: codes of refusals, records of the authority log, a row of no log."""


def quoted(text: str = TEXT) -> set[str]:
    """Everything that stands between backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


def _strings(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def kinds_in_code() -> set[str]:
    """The kinds of records the code can write: arguments of `record`, `add` and the like, values of a `kind`."""
    found: set[str] = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in ("record", "add", "_event", "_row", "_told", "announce"):
                    found.update(one for given in node.args[:2] for one in _strings(given))
            elif isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "kind":
                        found.update(_strings(value))
            elif isinstance(node, ast.Assign) and any(
                getattr(one, "id", "") in ("kind", "KINDS") for one in node.targets
            ):
                found.update(_strings(node.value))
    return {one for one in found if KIND.match(one)} - NOT_KINDS


@pytest.mark.parametrize("section", range(1, 18))
def test_each_section_of_the_contract_has_one_here(section: int) -> None:
    assert re.search(rf"^## {section}\. ", TEXT, re.MULTILINE)


def test_each_invariant_is_stated() -> None:
    numbers = re.findall(r"^(\d+)\. \*\*", TEXT, re.MULTILINE)
    assert numbers == [str(one) for one in range(1, 11)]


@pytest.mark.parametrize("word", [*EVENTS, *KINDS, *CODES, *PHASES, *schemas.NAMES, *layers.TIGHTEN, *layers.FREE])
def test_each_word_of_the_code_is_there(word: str) -> None:
    assert word in quoted()


@pytest.mark.parametrize("slug", KNOWN)
def test_each_feature_is_there(slug: str) -> None:
    assert re.search(rf"\| \[?{re.escape(slug)}[\]|( ]", TEXT)


@pytest.mark.parametrize("field", FIELDS)
def test_each_field_of_an_action_is_there(field: str) -> None:
    assert field in quoted()


def test_the_kinds_of_records_are_those_the_code_writes() -> None:
    table = TEXT.partition("Kinds of records:")[2].partition("All foreign text")[0]
    told = {one for one in quoted(table) if KIND.match(one)}
    assert told == kinds_in_code()


def test_each_field_of_every_record_is_there() -> None:
    listed = TEXT.partition("Every record has:")[2].partition("Kinds of records:")[0]
    known = set(schemas.load("event-record")["properties"]) - {"sessionId", "client", "error"}
    assert known <= quoted(listed)


def test_each_state_rule_is_there() -> None:
    for path, rule in reducer.RULES.items():
        if path != ("core", "workSeq"):  # kept for a number of its own
            assert f"| `{'.'.join(path)}` | {rule} |" in TEXT


def test_the_state_names_all_that_the_plans_feature_writes() -> None:
    page = (SOURCES / "features/plan_graph_exec/README.md").read_text()
    written = re.search(r"It writes `plan\.\{(.+?)\}`", page)
    assert written is not None
    assert set(written[1].split(", ")) == set(schemas.load("state")["properties"]["plan"]["properties"])


def test_numbers_are_those_of_the_code() -> None:
    said = {
        f"at most {state.WAIT_MS} ms": state.WAIT_MS,
        f"deadline of {CRITICAL_DEADLINE_MS} ms": CRITICAL_DEADLINE_MS,
        f"within another {AFTER_MS} ms": AFTER_MS,
        f"within {OTHER_DEADLINE_MS // 1000} s, or {DEADLINE_MS['SessionEnd'] / 1000:g} s": OTHER_DEADLINE_MS,
        f"refused {continuation.LIMIT} times": continuation.LIMIT,
        f"within {WINDOW_NS // 1_000_000_000} s": WINDOW_NS,
        f"above {journal.LARGE >> 10} KB": journal.LARGE,
    }
    for words in said:
        assert words in TEXT, words
    assert events.ROWS.keys() == set(EVENTS)


def test_codes_are_described() -> None:
    assert tuple(CODE_WORDS) == CODES


def test_no_table_that_is_made_was_left_out() -> None:
    wanted = {"events", "kinds", "rules", "state", "namespaces", "codes", "phases", "features", "config", "schemas"}
    assert set(names(TEXT)) == wanted


DEPARTURES = [
    line for line in TEXT.partition("\n## Departures\n")[2].splitlines() if re.match(r"\| (?!clause \||---)", line)
]


@pytest.fixture(scope="module")
def names_of_tests() -> list[str]:
    found: list[str] = []
    for path in (REPO / "tests").rglob("test_*.py"):
        found += re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    return found


@pytest.mark.parametrize("row", DEPARTURES, ids=lambda row: row.split(" | ")[0].removeprefix("| "))
def test_each_departure_has_a_case_that_shows_why(names_of_tests: list[str], row: str) -> None:
    case = row.split(" | ")[-1].removesuffix(" |").strip("`")
    assert row.count(" | ") == 3 and names_of_tests.count(case) == 1, f"no test, or more than one: {case}"


def test_no_departure_is_written_twice() -> None:
    clauses = [row.split(" | ")[0] for row in DEPARTURES]
    assert len(clauses) > 50 and len(set(clauses)) == len(clauses)
