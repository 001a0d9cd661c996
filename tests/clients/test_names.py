"""Names of dialects and events, and what loading them costs."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import jackline
from jackline.clients.codecs import CODECS
from jackline.clients.facts import NATIVE
from jackline.clients.hints import DEFAULT
from jackline.clients.names import dialect_of, event_of, is_typed
from jackline.clients.router import codec, speaker
from jackline.clients.specs import DIALECTS, SPEAKS, SPECS
from jackline.model import EVENTS, Event

NAMES = {
    "claude-code": "claude-code",
    "codex": "codex",
    "github": "github",
    "vscode": "github",
    "copilot-cli": "github",
    "copilot": "github",
    "gemini-cli": "gemini",
    "hermes": "hermes",
    "Claude-Code": "",
    "": "",
}


@pytest.mark.parametrize(("name", "dialect"), NAMES.items())
def test_dialect_of(name: str, dialect: str) -> None:
    assert dialect_of(name) == dialect


EVENT_NAMES = [
    ("claude-code", "PreToolUse", "PreToolUse"),
    ("claude-code", "StopFailure", "Error"),
    ("claude-code", "preToolUse", ""),
    ("claude-code", "CwdChanged", ""),
    ("codex", "Interrupt", "Interrupt"),
    ("github", "preToolUse", "PreToolUse"),
    ("copilot", "agentStop", "Stop"),
    ("vscode", "userPromptSubmitted", "UserPromptSubmit"),
    ("copilot-cli", "errorOccurred", "Error"),
    ("github", "ErrorOccurred", "Error"),
    ("github", "userPromptTransformed", ""),
    ("acme", "Stop", "Stop"),
    ("acme", "agentStop", ""),
    ("github", "", ""),
]


@pytest.mark.parametrize(("dialect", "name", "event"), EVENT_NAMES)
def test_event_of(dialect: str, name: str, event: str) -> None:
    assert event_of(dialect, name) == event


def test_tables_agree() -> None:
    assert tuple(DEFAULT) == DIALECTS == tuple(NATIVE)
    assert set(SPEAKS.values()) == set(DIALECTS)
    assert {event for names in NATIVE.values() for event in names.values()} <= set(EVENTS)
    for name, dialect in SPEAKS.items():
        said, module, spec = speaker(name)
        assert said == dialect == dialect_of(name)
        assert codec(name).__name__ == module  # type: ignore[attr-defined]
        assert import_module(spec).SPEC is next(
            one for one in SPECS.values() if name in (one.name, *one.aliases) or DEFAULT.get(name) == one.name
        )


@pytest.mark.parametrize("name", ["", "acme", "claude", "code", "codex jackline", "codex\n", "=", "\n"])
def test_a_name_that_nobody_has_leads_nowhere(name: str) -> None:
    assert (speaker(name), dialect_of(name)) == ([], "")


@pytest.mark.parametrize(
    ("fields", "by_a_person"),
    [
        ({"prompt": "p"}, True),
        ({"prompt": "p", "source": "sdk"}, True),
        ({"prompt": "p", "source": "loop_wakeup"}, False),
        ({"prompt": ""}, False),
        ({"prompt": " \n"}, False),
        ({"prompt": "p", "agent_id": "a"}, False),
        ({"prompt": "\n<task-notification>\nx"}, False),
        ({"prompt": "what is a <task-notification>?"}, True),
    ],
)
def test_typed(fields: dict[str, str], by_a_person: bool) -> None:
    assert is_typed(Event("UserPromptSubmit", **fields)) is by_a_person
    assert not is_typed(Event("Stop", **fields))


SLOW = ("json", "re", "typing", "os", "pathlib", "dataclasses", "enum", "functools", "logging", "subprocess", "fnmatch")


@pytest.mark.parametrize("form", CODECS)
def test_loading_a_codec_loads_no_slow_module_and_no_other_codec(form: str) -> None:
    codecs = {one: f"jackline.clients.codecs.{one}" for one in CODECS}
    source = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        f"import {codecs[form]}, jackline.clients.capabilities; print(*sys.modules)"
    )
    root = str(Path(jackline.__file__).parent.parent)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", source, root], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & set(SLOW)
    assert not loaded & (set(codecs.values()) - {codecs[form]})
