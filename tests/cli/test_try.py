"""A dry run says what would happen, and provably leaves nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.cli.parts import payloads
from jackline.clients.specs import SPECS
from jackline.compiler import schemas
from scene import listing

from .conftest import Desk

SEARCH = {"tool_name": "Bash", "tool_input": {"command": "grep -r password ."}}


def everything(desk: Desk) -> dict[str, tuple[int, int, bytes]]:
    return listing(desk.folder)


def payload(desk: Desk, **more: Any) -> bytes:
    return json.dumps(desk.payload("PreToolUse", **SEARCH, **more)).encode()


def test_the_outcome_has_exactly_this_shape(desk: Desk) -> None:
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    assert list(told) == [
        *["client", "dialect", "event", "verdict", "actions", "skipped", "hooks", "faults", "answer", "doubts"]
    ]
    assert list(told["verdict"]) == ["decision", "reason", "updatedInput", "inputMetadata", "additionalContext", "by"]
    assert [list(one) for one in told["actions"]] == [["feature", "action", "ms"]] * len(told["actions"])
    assert all(list(one) == ["feature", "why"] for one in told["skipped"])
    assert list(told["answer"]) == ["exit", "stdout", "stderr"]
    assert (told["client"], told["dialect"], told["event"]) == ("claude-code", "claude-code", "PreToolUse")
    assert told["actions"][0]["feature"] == "session"
    for one in told["actions"]:
        assert schemas.validate("hook-action", one["action"]) == []
    assert told["verdict"]["updatedInput"] == {"command": "grep -m 50 -r password ."}
    answer = json.loads(told["answer"]["stdout"])["hookSpecificOutput"]
    assert answer["updatedInput"] == told["verdict"]["updatedInput"]
    assert (told["answer"]["exit"], told["answer"]["stderr"]) == (0, "")


@pytest.mark.parametrize("begun", [False, True], ids=["new session", "known session"])
def test_nothing_is_written(desk: Desk, begun: bool) -> None:
    if begun:
        desk.one_session()
    before = everything(desk)
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStart"):
        told = json.dumps(desk.payload(event, **SEARCH, prompt="x", source="startup")).encode()
        desk.jackline("try", "claude-code", event, stdin=told)
        desk.jackline("try", "claude-code", event, "--json", stdin=told)
    assert everything(desk) == before


def test_it_answers_as_the_door_would(desk: Desk) -> None:
    """Once a session began: before that no logs stand in the project, and a search needs none left out."""
    desk.begin()
    tried = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    assert json.loads(tried["answer"]["stdout"]) == desk.say(desk.payload("PreToolUse", **SEARCH)).body


WRITING = """
import os
said = []
for name in ("a file", "{log}"):
    try:
        with open(name, "a") as file:
            file.write("x")
        said.append(name)
    except OSError as fault:
        said.append(fault.strerror)
return {"reason": "; ".join(said)}
"""


def test_a_feature_that_writes_by_itself_cannot(desk: Desk) -> None:
    desk.one_session()
    desk.feature("scribe", WRITING.replace("{log}", str(desk.place / "events.jsonl")))
    desk.trust()
    desk.jackline("compile")
    before = everything(desk)
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    [said] = [one["action"]["reason"] for one in told["actions"] if one["feature"] == "scribe"]
    assert said == "File too large; File too large"
    after = everything(desk)
    assert {path: one for path, one in after.items() if path != f"{desk.root}/a file"} == before


STUCK = """
import time
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""


def test_a_feature_that_never_ends_is_said(desk: Desk) -> None:
    """The door would leave without it; a dry run tells what the client would have read."""
    desk.feature("stuck", STUCK, priority=-5)
    desk.trust()
    desk.feature("behind", "return None")
    desk.trust()
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk), code=1).data
    states = {one["hook"]: (one["state"], one["said"]) for one in told["hooks"] if "said" in one}
    assert states["stuck"] == ("timed out", "did not end and was left behind")
    assert states["behind"] == ("skipped", "stuck before it did not end")
    assert json.loads(told["answer"]["stdout"])["systemMessage"] == "stuck did not end and was left behind"
    line = json.dumps({"client": "claude-code", "event": "PreToolUse", "payload": SEARCH}).encode()
    assert "did not end" in desk.jackline("try", "--jsonl", stdin=line, code=1).out


def test_what_a_feature_prints_is_no_part_of_it(desk: Desk) -> None:
    desk.feature("loud", 'print("{}"); import os; os.write(1, b"loud"); os.write(2, b"loud")')
    desk.trust()
    done = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk))
    assert "loud" in [one["feature"] for one in done.data["actions"]]
    assert done.err == ""


def test_a_stale_hook_table_is_compiled_in_memory_alone(desk: Desk) -> None:
    desk.jackline("compile")
    desk.feature("strict", 'return {"decision": "deny", "reason": "never"}')
    desk.trust()
    before = everything(desk)
    told = desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=payload(desk)).data
    assert told["verdict"]["decision"] == "deny"
    assert everything(desk) == before


@pytest.mark.parametrize(
    ("client", "event", "given", "found"),
    [
        ("vscode", "PreToolUse", {"tool_name": "run_in_terminal", "tool_input": {"command": "ls"}}, "vscode"),
        ("copilot-cli", "preToolUse", {"toolName": "bash", "toolArgs": '{"command":"ls"}'}, "copilot-cli"),
        ("codex", "PreToolUse", {"tool_name": "exec_command", "tool_input": {"cmd": "ls"}}, "codex"),
        ("claude-code", "PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}}, "claude-code"),
    ],
)
def test_the_named_client_is_the_one_that_is_answered(
    desk: Desk, client: str, event: str, given: dict[str, Any], found: str
) -> None:
    """Whoever runs it, and from whichever client's shell."""
    env = {"CLAUDECODE": "1", "CLAUDE_PID": "1", "GEMINI_CLI": "1", "COPILOT_PROJECT_DIR": "/"}
    told = desk.jackline("try", client, event, "--json", stdin=json.dumps(given).encode(), env=env).data
    assert (told["client"], told["event"]) == (found, "PreToolUse")


RECORDED = Path(__file__).parent.parent / "recorded"


@pytest.mark.parametrize(
    ("client", "event", "file"),
    [
        ("gemini-cli", "BeforeTool", "BeforeTool.run_shell_command"),
        ("cline", "PreToolUse", "PreToolUse.run_commands"),
        ("hermes-agent", "pre_tool_call", "pre_tool_call.terminal"),
        ("hermes-agent", "UserPromptSubmit", "pre_llm_call"),
        ("kimi-code", "UserPromptSubmit", "UserPromptSubmit"),
    ],
)
def test_a_payload_may_name_things_as_its_client_does(desk: Desk, client: str, event: str, file: str) -> None:
    raw = (RECORDED / client / f"{file}.json").read_bytes()
    told = desk.jackline("try", client, event, "--json", stdin=raw).data
    assert (told["client"], told["verdict"]["decision"], told["doubts"]) == (client, "allow", [])


def test_lines_are_answered_one_by_one_in_their_order(desk: Desk) -> None:
    calls: list[Any] = [
        {"client": "claude-code", "event": "PreToolUse", "payload": desk.payload("PreToolUse", **SEARCH)},
        {"client": "codex", "event": "Stop", "payload": "not json at all"},
        {"client": "codex", "event": "Stpo"},
        {"client": "nobody", "event": "Stop"},
        ["no", "object"],
        {"client": "vscode", "event": "SessionStart", "payload": {}},
    ]
    before = everything(desk)
    lines = "\n".join(json.dumps(one) for one in calls) + "\n{\n\n"
    done = desk.jackline("try", "--jsonl", stdin=lines.encode(), code=2)
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [one.get("client", "") for one in told] == ["claude-code", "", "", "", "", "vscode", ""]
    assert [one["error"].partition(" · ")[0] for one in told if "error" in one] == [
        *["line 2", "line 3", "line 4", "line 5", "line 7"]
    ]
    assert everything(desk) == before


def test_every_line_is_answered_at_once(desk: Desk) -> None:
    """A program may wait for each answer before it asks again."""
    import subprocess

    child = subprocess.Popen(
        desk.command("try", "--jsonl"), env=desk.env, cwd=desk.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    for event in ("SessionStart", "Stop"):
        child.stdin.write(json.dumps({"client": "codex", "event": event}).encode() + b"\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["event"] == event
    child.stdin.close()
    child.stdout.close()
    assert child.wait() == 0


def test_a_payload_may_stand_in_a_file(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "payload.json").write_bytes(payload(desk))
    done = desk.jackline("try", "claude-code", "PreToolUse", str(tmp_path / "payload.json"))
    assert "rewrite" in done.out
    assert "grep -m 50 -r password ." in done.out


TOOL = '{"tool_name": "Bash", "tool_input": {"command": "ls"}}'


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (("emacs", "PreToolUse"), "{}", "no client 'emacs' · one of: claude-code, cline, codex, "),
        (("claude", "PreToolUse"), "{}", "no client 'claude'; did you mean claude-code? · one of: "),
        (("codex", "PreTooluse"), TOOL, "no event 'PreTooluse'; did you mean PreToolUse? · one of: SessionStart, "),
        (("vscode", "agentstop"), "{}", "no event 'agentstop'; did you mean agentStop? · one of: "),
        (("gemini", "Tool"), "{}", ", Interrupt, or in its own words: BeforeAgent, BeforeTool, AfterTool, "),
        (("codex", "Stop"), " \n", "the payload of Stop · expected one JSON object, got nothing · write: {}"),
        (
            ("codex", "PreToolUse"),
            "",
            f"the payload of PreToolUse · expected one JSON object, got nothing · write: {TOOL}",
        ),
        (("codex", "Stop"), "{,}", "the payload:1 · expected JSON, got expecting property name"),
        (("codex", "Stop"), "[1]", "the payload of Stop · expected one JSON object, got a list · write: {}"),
        (("codex", "Stop"), "null", "the payload of Stop · expected one JSON object, got null · write: {}"),
        (("codex", "PreToolUse"), "{}", "expected the tool's name as tool_name, got an empty object · write: "),
        (
            ("codex", "PreToolUse"),
            '{"toolname": "Bash", "tool_input": {}}',
            """got only "toolname", "tool_input"; 'toolname' should be 'tool_name' · write: """,
        ),
        (
            ("codex", "PostToolUse"),
            '{"tool_name": "Bash", "tool_inputs": {}}',
            "expected what the tool is given as tool_input",
        ),
        (("codex", "PreToolUse"), '{"tool_name": "Bash", "tool_input": 5}', "got tool_input is not an object"),
        (
            ("codex", "PreToolUse"),
            '{"tool_name": "Bash", "tool_input": {"comand": "rm -rf /"}}',
            """expected what Bash is about as command in its input, got only "comand"; 'comand' should be 'command' """
            """· write: {"tool_name": "Bash", "tool_input": {"command": "ls"}}""",
        ),
        (
            ("vscode", "PreToolUse"),
            '{"tool_name": "create_file", "tool_input": null}',
            """filePath in its input, got an empty object · write: {"tool_name": "create_file", """
            """"tool_input": {"filePath": "a.txt"}}""",
        ),
        (
            ("codex", "UserPromptSubmit"),
            '{"promt": "x"}',
            "'promt' should be 'prompt' · write: {\"prompt\": \"go on\"}",
        ),
    ],
)
def test_what_nobody_could_mean_is_wrong_use(desk: Desk, words: tuple[str, ...], stdin: str, said: str) -> None:
    """The door must answer whatever comes; who tries it is told what was expected, and the nearest name."""
    done = desk.jackline("try", *words, stdin=stdin.encode(), code=2)
    assert said in done.err
    assert done.out == ""


def test_a_client_that_has_no_entries_yet_is_told_of_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """`jackline clients` shows it: nobody should look for a misspelt name."""
    monkeypatch.setitem(SPECS, "heron", SPECS["codex"]._replace(name="heron", installed=None))
    with pytest.raises(payloads.Wrong, match="no event of heron can be judged yet: its spec has no `installed`"):
        payloads.client("heron")


def test_a_tool_that_no_client_has_is_doubted(desk: Desk) -> None:
    done = desk.jackline("try", "codex", "PreToolUse", stdin=b'{"tool_name": "Bsh", "tool_input": {}}')
    assert "! no client that we know has a tool 'Bsh'; did you mean Bash?" in done.out


# --- what became of every hook -------------------------------------------------------------------------------------


def furnish(desk: Desk) -> None:
    """A project with a hook for each state that there is."""
    desk.feature("breaks", "return {}['key']")
    desk.feature("sleeps", "import time\ntime.sleep(9)", priority=60)
    desk.feature("tells", 'return {"additionalContext": [{"key": "a", "value": "b"}]}', priority=51)
    desk.feature("resting", "return None", priority=52)
    desk.feature("guard", "raise ValueError", critical=True, priority=70)
    desk.feature("other", "return None", supports=["Stop"])
    scripts = desk.hooks / "scripts"
    scripts.mkdir()
    (scripts / "lint.sh").write_text("#!/bin/sh\n#---\n# events: PreToolUse\n#---\ntrue\n")
    (scripts / "broken.sh").write_text("#!/bin/sh\n#---\n# events: [PreToolUse\n#---\ntrue\n")
    (scripts / "away.sh").write_text("#!/bin/sh\n#---\n# events: Stop\n#---\ntrue\n")


def hooks_of(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    own = ("session", "self-protect", "graph-pretooluse", "command-guard", "planGraph-exec")
    return {one["hook"]: one for one in told["hooks"] if one["hook"] not in own}


def test_every_hook_says_what_became_of_it(desk: Desk) -> None:
    furnish(desk)
    desk.trust()
    desk.jackline("pause", "resting", "--yes")
    given = json.dumps(desk.tool("ls")).encode()
    told = hooks_of(desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=given, code=1).data)
    assert {name: one["state"] for name, one in told.items()} == {
        "breaks": "failed",
        "tells": "acted",
        "sleeps": "timed out",
        "guard": "failed",
        "resting": "paused",
        "script:lint": "skipped",
        ".ai/hooks/scripts/broken.sh": "broken",
    }
    assert (told["breaks"]["said"], told["breaks"]["at"]) == ("KeyError: 'key'", ".ai/hooks/features/breaks/hook.py:6")
    assert told["sleeps"]["said"].startswith("did not end within ")
    assert told["sleeps"]["at"] == ".ai/hooks/features/sleeps/hook.py:7"
    assert (told["guard"]["said"], told["guard"]["did"]) == ("ValueError", "deny")
    assert told["script:lint"]["said"] == "a dry run runs no script"
    assert told[".ai/hooks/scripts/broken.sh"]["said"].startswith("line 3 · expected YAML")
    shown = desk.jackline("try", "claude-code", "PreToolUse", stdin=given, code=1, env={"COLUMNS": "80"}).out
    assert "  breaks                       failed" in shown
    assert "      KeyError: 'key'\n      at .ai/hooks/features/breaks/hook.py:6\n" in shown
    assert "so it refuses: deny" in shown
    assert "verdict  deny by guard" in shown


def test_what_is_not_trusted_is_told_and_read_no_further(desk: Desk) -> None:
    furnish(desk)
    given = json.dumps(desk.tool("ls")).encode()
    told = hooks_of(desk.jackline("try", "claude-code", "PreToolUse", "--json", stdin=given, code=1).data)
    assert {name for name, one in told.items() if one["state"] == "not trusted"} == {
        *("breaks", "sleeps", "tells", "resting", "guard", "script:lint")
    }
    assert "jackline trust --diff" in desk.jackline("try", "claude-code", "PreToolUse", stdin=given, code=1).out


def test_a_checkout_is_judged_without_trusting_it(desk: Desk, tmp_path: Path) -> None:
    """What is being written is tried before anybody trusts it, and is trusted no more afterwards."""
    desk.feature("strict", 'return {"decision": "deny", "reason": "never"}')
    given = json.dumps(desk.tool("ls")).encode()
    before = everything(desk)
    temporary = {"TMPDIR": str(tmp_path)}
    for words in (("claude-code", "PreToolUse", "--json"), ("--jsonl",)):
        asked = given if "--json" in words else b'{"client": "codex", "event": "PreToolUse", "payload": %s}' % given
        told = desk.jackline("try", "--as-checked-out", *words, stdin=asked, env=temporary).data
        assert (told["verdict"]["decision"], told["verdict"]["by"]) == ("deny", ["strict"])
    assert everything(desk) == before
    assert [path for path in tmp_path.iterdir() if "jackline" in path.name] == []
    assert desk.pre().decision == ""


@pytest.mark.parametrize(
    "line",
    [
        "jackline try --as-checked-out claude-code Stop p.json",
        "cd / && python -m jackline -C {root} try codex Stop --as-checked-out",
    ],
)
def test_to_a_guard_that_is_running_the_checkouts_code(desk: Desk, line: str) -> None:
    desk.begin()
    desk.feature("bad", "import os, shutil\nshutil.rmtree(os.path.expanduser('~'))")
    asked = line.replace("{root}", str(desk.root))
    assert "hook.py holds it: " in desk.pre(asked).reason
    assert desk.pre(asked.replace(" --as-checked-out", "")).decision == ""


def test_client_and_event_are_needed_or_lines(desk: Desk) -> None:
    for words in ((), ("codex",), ("codex", "Stop", "--jsonl")):
        said = desk.jackline("try", *words, code=2)
        assert said.out == ""
        assert "Usage" in said.err or "try" in said.err


def test_a_trusted_copy_is_told(desk: Desk) -> None:
    """What runs is not what lies there: whoever tries it is told."""
    desk.feature("mine", "return deny('mine says no')")
    desk.trust()
    desk.feature("mine", "return None")
    done = desk.jackline("try", "claude-code", "PreToolUse", stdin=payload(desk))
    assert "trusted copy" in done.out
    assert "mine says no" in done.out
