"""Properties of the built-in features over random commands and inputs: they never raise, and rewrites only add."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackline.features.graph_pretooluse.hook import handle as bound
from jackline.features.plan_graph_exec.hook import handle as plan
from jackline.features.self_protect.hook import handle as protect
from jackline.model import Action, Event
from jackline.policy.rewrite import lawful
from jackline.runners.actions import coerce

from .feature import call, context_of

FEATURES = {"self-protect": protect, "graph-pretooluse": bound, "planGraph-exec": plan}
PLAN = """{"nodes": [
  {"id": "a", "description": "x", "tool": "kind:edit", "scope": "src/**", "status": "forbidden"},
  {"id": "b", "description": "x", "tool": "kind:search", "scope": ["src/a/**", "{docs,x}/*.md"]}]}"""

SIMPLE = st.sampled_from(
    [
        "rg x",
        "grep -rn 'a b' .",
        "grep -r x src",
        "find . -name '*.py'",
        "find src -type f",
        "git grep x",
        "tree",
        "ls -la",
        "echo 'rg x'",
        "FOO=1 ag x",
        "cat README",
        "sort",
        "head -5",
        "wc -l",
        "sudo rg x",
        "du -a",
        "(rg x)",
        "bash -c 'rg x'",
        "echo $(rg x)",
        "xargs grep -r x .",
    ]
)
JOIN = st.sampled_from([" | ", " && ", "; ", " || ", "\n", " & "])
PIECES = (
    "grep -r rg find . '*.py' head -n 5 && $( xargs sudo <<EOF EOF cat ls -R git config core.hooksPath jackline trust "
    "python -m -Im -- >> ** $X -maxdepth 0 tree tail +3 sed ln -s .ai/hooks rm -rf ../.. ack -1 é | ; { } < > * [ ' = "
    '` & / - ~ " \\'
)
WORDS = st.sampled_from([*PIECES.split(), "\n"])
RAW = st.lists(WORDS, max_size=10).map(" ".join) | st.text(max_size=30) | st.lists(WORDS, max_size=8).map("".join)
VALUES = st.sampled_from(
    ["", "*", "**/*", "src", ".", "/", "~", "../x", "é\0", "\ud800", None, 0, True, [], ["src", 1], {}, {"path": "x"}]
) | st.sampled_from(["a/{b,c}/**", -1, 10**30, "src/a/**/*.ts", ".git/config", "[core]\nhooksPath = x"])
ARGUMENTS = (
    "path paths pattern query glob includePattern head_limit maxResults file_path limit view_range dir_path recursive "
    "content new_string"
)
KEYS = st.sampled_from(ARGUMENTS.split())
TOOLS = st.sampled_from(
    [
        "Grep",
        "Glob",
        "grep_search",
        "file_search",
        "Read",
        "view",
        "Edit",
        "Write",
        "list_files",
        "semantic_search",
        "x",
    ]
)
KINDS = st.sampled_from(["search", "read", "edit", "write", "list", "mcp", "other", "notebook", "shell"])
PATIENT = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("project").resolve()
    for folder in ("src/a", ".ai/hooks", ".git/hooks", ".ai/tmp/0badcafe/planGraph-exec/output"):
        (made / folder).mkdir(parents=True)
    (made / ".ai/tmp/0badcafe/planGraph-exec/output/planGraph.json").write_text(PLAN)
    return made


def _run(root: Path, slug: str, event: Event) -> Any:
    known = {"store": f"{root}/jackline-store", "package": "/opt/jackline", "home": str(root.parent)}
    return FEATURES[slug](event, context_of(slug, root, protected=known))


@pytest.mark.parametrize("slug", FEATURES)
@PATIENT
@given(command=RAW)
def test_no_command_makes_a_feature_fail(root: Path, slug: str, command: str) -> None:
    found = _run(root, slug, call("Bash", "shell", {"command": command}, root, command=command))
    assert isinstance(coerce(found), Action)


@pytest.mark.parametrize("slug", FEATURES)
@PATIENT
@given(tool=TOOLS, kind=KINDS, values=st.dictionaries(KEYS, VALUES, max_size=4))
def test_no_input_makes_a_feature_fail(root: Path, slug: str, tool: str, kind: str, values: dict[str, Any]) -> None:
    targets = tuple(value for value in values.values() if isinstance(value, str) and value)
    assert isinstance(coerce(_run(root, slug, call(tool, kind, values, root, targets=targets))), Action)


@PATIENT
@given(first=SIMPLE, rest=st.lists(st.tuples(JOIN, SIMPLE), max_size=3))
def test_a_rewrite_only_adds_flags_and_passes_the_second_time(
    root: Path, first: str, rest: list[tuple[str, str]]
) -> None:
    command = first + "".join(join + one for join, one in rest)
    action = _run(root, "graph-pretooluse", call("Bash", "shell", {"command": command}, root, command=command))
    if action is None or action.decision == "deny":
        return
    text = action.updated_input["command"]
    assert lawful("shell", "command", {"command": command}, {"command": text}) == ""
    rest_of = iter(text)
    assert all(char in rest_of for char in command)  # the old text is left when the added words are taken out
    again = _run(root, "graph-pretooluse", call("Bash", "shell", {"command": text}, root, command=text))
    assert again is None


@PATIENT
@given(first=SIMPLE, rest=st.lists(st.tuples(JOIN, SIMPLE), max_size=3))
def test_an_unbounded_search_is_found_in_any_company(root: Path, first: str, rest: list[tuple[str, str]]) -> None:
    """Whatever stands before it, and behind it unless piped on, `rg x` is bounded or refused."""
    command = first + "".join(join + one for join, one in rest) + "; rg needle"
    action = _run(root, "graph-pretooluse", call("Bash", "shell", {"command": command}, root, command=command))
    assert action is not None
    assert action.decision == "deny" or "--max-count=50 needle" in action.updated_input["command"]
