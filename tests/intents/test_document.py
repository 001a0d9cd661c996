"""`active_intents.yaml` as projects write it: every shape is read, every fault is told by line and key."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.intents import CLOSED, OPEN
from jackline.intents.document import Document, Intent, document

WHOLE = b"""# What we work for.
active_intents:
  - id: "INT-001"          # the first one
    name: Sign-in
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
      - "!src/auth/legacy/**"
      - !src/auth/old/**
      - src/{login,logout}/v?.py
      - "**/*.md"
    constraints:
      - no new dependency
    acceptance_criteria: [all tests pass, "no warning"]
    github_issues: [12, "https://example.invalid/13"]
    progress:
      checklist:
        - {done: true, label: form}
        - done: false
          label: mail
      notes: half way
    version: 2
    parent_intent: INT-000
    depends_on: [INT-002]
    tags: [web]
    related_specs:
      - specs/auth.md
    created_at: 2031-01-02T03:04:05Z
    updated_at: "2031-01-03"
    risk_level: high
  - id: INT-002
    name: Billing
    status: ARCHIVED
    owned_scope: src/billing/**
"""


def test_all_that_may_stand_there_is_read() -> None:
    found = document(WHOLE)
    assert (found.faults, found.notes) == ((), ())
    first, second = found.intents
    assert first == Intent(
        id="INT-001",
        name="Sign-in",
        status="IN_PROGRESS",
        scope=("src/auth/**", "!src/auth/legacy/**", "!src/auth/old/**", "src/{login,logout}/v?.py", "**/*.md"),
        constraints=("no new dependency",),
        acceptance=("all tests pass", "no warning"),
        issues=("12", "https://example.invalid/13"),
        checklist=((True, "form"), (False, "mail")),
        notes=("half way",),
        version="2",
        parent="INT-000",
        depends=("INT-002",),
        tags=("web",),
        specs=("specs/auth.md",),
        created=first.created,
        updated="2031-01-03",
        line=3,
        more=("risk_level",),
    )
    assert first.created.startswith("2031-01-02")
    assert (second.scope, second.status) == (("src/billing/**",), "ARCHIVED")
    assert found.find("INT-002") == second and found.find("INT-003") is None


@pytest.mark.parametrize(
    "status", ["PENDING", "in progress", "In-Progress", "ACTIVE", "COMPLETED", "COMPLETE", "blocked"]
)
def test_every_status_of_the_document_and_of_forks(status: str) -> None:
    found = document(f"active_intents:\n- id: a\n  status: {status}\n".encode())
    assert found.faults == () and found.intents[0].sound


@pytest.mark.parametrize(
    "text", [b"", b"# nothing yet\n", b"active_intents:\n", b"active_intents: []\n", b"\xef\xbb\xbfactive_intents:\n"]
)
def test_a_file_without_intents_is_none_of_a_fault(text: bytes) -> None:
    assert document(text) == Document()


FAULTS = {
    "status": (
        b"active_intents:\n- id: a\n  status: IN_PROGRES\n",
        ":3 · active_intents[0].status: expected PENDING | IN_PROGRESS | ACTIVE | COMPLETED | COMPLETE | BLOCKED | "
        'ARCHIVED, got "IN_PROGRES" · write: status: IN_PROGRESS',
    ),
    "no id": (
        b"active_intents:\n- id: a\n- idd: b\n",
        ':3 · active_intents[1].id: expected a text such as INT-001, got "idd" · write: id: INT-001',
    ),
    "a mapping in a scope": (
        b"active_intents:\n- id: a\n  owned_scope:\n  - src/**\n  - {a,b}/c\n",
        ":5 ·",
    ),
    "a way out": (
        b"active_intents:\n- id: a\n  owned_scope:\n  - ../x/**\n",
        ':4 · active_intents[0].owned_scope: expected a glob without `..`, got "../x/**"',
    ),
    "an alias": (
        b"active_intents:\n- id: a\n  owned_scope:\n  - **/*.md\n",
        ":4 · expected YAML: a glob that begins with a sign stands in quotes, got found undefined alias '*/*.md' · "
        'write: - "**/*.md"',
    ),
    "a misspelt top": (
        b"active_intent:\n- id: a\n",
        ':1 · expected a mapping with `active_intents`, got "active_intent"',
    ),
    "a list on top": (b"- id: a\n", ":1 · expected a mapping with `active_intents`, got a list"),
    "no list": (b"# x\nactive_intents: {a: 1}\n", ":2 · active_intents: expected a list of intents, got a mapping"),
    "an intent that is a text": (b"active_intents:\n- INT-001\n", ":2 · active_intents[0]: expected a mapping with"),
    "a key twice": (b"active_intents:\n- id: a\n  id: b\n", ":3 · expected YAML, got found duplicate key"),
    "an id twice": (
        b"active_intents:\n- id: a\n- id: a\n",
        ":3 · active_intents[1].id: expected an id of its own (line 2",
    ),
    "no UTF-8": (b"active_intents:\n- id: \xff\n", ":2 · expected UTF-8"),
    "a checklist": (
        b"active_intents:\n- id: a\n  progress:\n    checklist: [{done: maybe, label: x}]\n",
        ":3 · active_intents[0].progress.checklist: expected a list of {done: true | false, label: text}",
    ),
    "a number for progress": (
        b"active_intents:\n- id: a\n  progress: 5\n",
        ":3 · active_intents[0].progress: expected a mapping",
    ),
    "too large": (b"#" * (1 << 17) + b"\n", ":1 · expected at most"),
    "two documents": (b"active_intents: []\n---\nx: 1\n", ":2 · expected YAML"),
    "no date": (b"active_intents:\n- id: a\n  created_at: 2031-13-45\n", ":1 · expected YAML"),
    "a control character": (b"active_intents: \x01\n", ":1 · expected YAML"),
    "depth": (b"active_intents: " + b"[" * 5000 + b"\n", ":1 · expected"),
}


@pytest.mark.parametrize(("text", "told"), FAULTS.values(), ids=FAULTS)
def test_a_fault_names_line_key_and_what_to_write(text: bytes, told: str) -> None:
    found = document(text)
    assert found.faults[0].told().startswith(".orchestration/active_intents.yaml" + told)
    assert not any(one.sound for one in found.intents if one.line == found.faults[0].line)


def test_one_broken_intent_leaves_the_others_sound() -> None:
    found = document(b"active_intents:\n- id: a\n  status: odd\n- id: b\n- id: c\n- id: c\n")
    assert [(one.id, one.sound) for one in found.intents] == [("a", False), ("b", True), ("c", False)]


def test_a_misspelt_key_is_noted_and_a_strange_one_kept() -> None:
    found = document(b"active_intents:\n- id: a\n  owned_scop: [x]\n  reviewers: [ada]\n")
    assert found.intents[0].more == ("owned_scop", "reviewers") and found.faults == ()
    assert [one.told("f") for one in found.notes] == [
        'f:3 · active_intents[0].owned_scop: expected a known key, got "owned_scop" · write: owned_scope:'
    ]


HOSTILE = {
    "flow lists": b"active_intents: " + b"[" * 100_000,
    "flow mappings": b"active_intents: " + b"{a: " * 30_000,
    "over lines": b"active_intents:\n" + b"[\n" * 50_000,
    "dashes": b"active_intents:\n" + b"- " * 60_000,
    "keys": b"active_intents:\n" + b"? " * 60_000,
    "indents": b"".join(b" " * number + b"a:\n" for number in range(500)),
    "a long list": b"active_intents: [" + b"x, " * 40_000 + b"]",
    "aliases": b"a: &a [x]\n" + b"".join(b"b%d: &b%d [*a,*a,*a,*a]\n" % (at, at) for at in range(2000)),
    "laughs": b"".join(b"a%d: &a%d [*a%d, *a%d]\n" % (at + 1, at + 1, at, at) for at in range(40)),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_takes_no_time(data: bytes) -> None:
    begun = time.process_time()
    document(data)
    assert time.process_time() - begun < 4


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_raise(data: bytes) -> None:
    for text in (data, b"active_intents:\n- id: a\n  owned_scope: " + data):
        found = document(text)
        assert all(one.status in OPEN + CLOSED for one in found.intents if one.sound)
