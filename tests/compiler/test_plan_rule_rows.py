"""What `.ai/hooks/plan-rules.yaml` may say, and what of a row counts that nobody trusts (design section 5a)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jackline.compiler import row_files, schemas
from jackline.compiler.row_files import PLAN_RULES
from jackline.services.plans import demands
from jackline.services.plans.demands import Demand
from jackline.store.ids import slot

from .project import Project

ON = {"modules": {"plan-graph": {"enabled": True}}}
TESTS = "- {id: tests, paths: ['src/**'], require: validator, reason: it breaks silently}\n"
CLIENTS = "- {id: clients, from: one, to: two, reason: decided}\n"


def good(text: str) -> dict[str, Any]:
    found = row_files.rows(text.encode(), PLAN_RULES).good
    return {name: row_files.read(data, PLAN_RULES) for name, data in found.items()}


def force(project: Project) -> tuple[Demand, ...]:
    project.publish()
    return demands.read(str(project.store), str(project.root))


def states(project: Project) -> dict[str, str]:
    return {one.key[1].rpartition("#")[2]: one.state for one in project.survey().standings if one.key[0] == "rule"}


@pytest.fixture
def rules(project: Project) -> Project:
    project.manifest(ON)
    project.trust()
    return project


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("require: evidence", {"require": "evidence"}),
        ("require: escalate\n  paths: db/**", {"require": "escalate", "paths": ["db/**"]}),
        ("require: escalate\n  tools: [kind:edit, Bash]", {"require": "escalate", "tools": ["kind:edit", "Bash"]}),
        ("require: validator\n  reason: >\n    one\n    two", {"require": "validator", "reason": "one two\n"}),
        ("from: 1.0\n  to: 2.0", {"from": "1.0", "to": "2.0"}),
    ],
)
def test_each_key(said: str, value: dict[str, Any]) -> None:
    assert good(f"rules:\n- id: x\n  {said}\n") == {"x": {"id": "x"} | value}


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("reason: why", "require"),
        ("require: tests", "require"),
        ("from: one", "to"),
        ("to: two", "from"),
        ("require: evidence\n  paths: []", "paths"),
        ("require: evidence\n  path: src", "path"),
        ("require: evidence\n  reason: ''", "reason"),
        (f"require: evidence\n  reason: {'x' * 501}", "reason"),
    ],
)
def test_a_wrong_row_holds_up_no_other(said: str, what: str) -> None:
    found = row_files.rows(f"rules:\n- id: bad\n  {said}\n{TESTS}".encode(), PLAN_RULES)
    assert set(found.good) == {"tests"} and set(found.bad) == {"bad"}
    assert what in [fault.path for fault in found.faults]
    assert {fault.where for fault in found.faults} == {".ai/hooks/plan-rules.yaml:2"}


def test_the_schema_of_the_file_and_of_its_rows_agree() -> None:
    example = schemas.load("plan-rules")["examples"][0]
    assert schemas.validate("plan-rules", example) == []
    assert [schemas.validate("plan-rules#row", row) for row in example["rules"]] == [[], [], []]


def test_what_a_person_trusts_counts_whole(rules: Project) -> None:
    rules.write("plan-rules.yaml", TESTS + CLIENTS)
    rules.trust()
    assert force(rules) == (
        Demand("clients", reason="decided", before="one", after="two"),
        Demand("tests", "validator", ("src/**",), reason="it breaks silently"),
    )


def test_of_what_nobody_trusts_the_demand_counts_alone(rules: Project) -> None:
    """A stranger's repository may ask for more. What it says to agents, and what it approves, waits for a person."""
    rules.write("plan-rules.yaml", TESTS + CLIENTS)
    assert force(rules) == (Demand("tests", "validator", ("src/**",), approved=False),)
    assert states(rules) == {"tests": "new", "clients": "new"}
    written = next((rules.store / "wirings").glob("*.rules")).read_text()
    assert "silently" not in written and "decided" not in written


def test_a_change_may_add_and_takes_nothing(rules: Project) -> None:
    rules.write("plan-rules.yaml", TESTS + CLIENTS)
    rules.trust()
    rules.write("plan-rules.yaml", TESTS.replace("src/**", "src/a/**").replace("validator", "escalate"))
    assert force(rules) == (
        Demand("clients", reason="decided", before="one", after="two"),
        Demand("tests", "validator", ("src/**",), reason="it breaks silently"),
        Demand("tests", "escalate", ("src/a/**",), approved=False),
    )
    assert states(rules) == {"tests": "changed", "clients": "gone"}


@pytest.mark.parametrize("then", ["", "rules: [", TESTS.replace("src/**", "docs/**")], ids=["gone", "broken", "less"])
def test_what_a_stranger_demanded_stays_until_a_person_looks(rules: Project, then: str) -> None:
    rules.write("plan-rules.yaml", TESTS)
    assert [one.paths for one in force(rules)] == [("src/**",)]
    rules.write("plan-rules.yaml", then)
    for _ in ("now", "and at the next compile"):
        assert ("src/**",) in [one.paths for one in force(rules)]
    (told,) = rules.publish().told
    assert told.endswith("jackline trust '.ai/hooks/plan-rules.yaml#tests'")
    rules.trust()
    assert [one.paths for one in force(rules)] == ([("docs/**",)] if "docs" in then else [])
    assert rules.publish().told == ()


def test_one_row_is_trusted_and_the_others_wait(rules: Project) -> None:
    rules.write("plan-rules.yaml", TESTS)
    rules.trust()
    rules.write("plan-rules.yaml", f"# more\n{CLIENTS}{TESTS}")
    assert states(rules) == {"tests": "trusted", "clients": "new"}
    assert [one.id for one in force(rules)] == ["tests"]


def test_where_plans_are_not_judged_no_rule_is_in_force(project: Project) -> None:
    project.write("plan-rules.yaml", TESTS)
    assert force(project) == ()
    assert not Path(f"{project.store}/wirings/{slot(str(project.root))}.rules").exists()
