"""A client that loads programs: our bridge is one file, told by its mark; what is wrong with it or the door refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jackline.clients.specs import SPECS
from jackline.install import clients, doctor, entry, files, installer, installs, plugin, restore
from jackline.install.site import Site

from .test_target import init, tree, uninstall

LOADING = [one.name for one in SPECS.values() if one.installed and one.installed.plugin]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not on the PATH: it stands for the client")
HERE = Path(__file__).parent

DOOR = """#!/bin/sh
printf '%s\\n' "$4 $5 $6" >> {seen}
cat >> {seen}
case $5 in
{answers}
*) echo '{{}}';;
esac
"""


def file_of(site: Site, client: str, scope: str = "user") -> Path:
    (target,) = installer.plan([client], scope, site)[0]
    return target.path


def answering(store: Path, answers: dict[str, str]) -> Path:
    """A door that says these shell words at events; where it notes what it was given."""
    python, seen = store / "bin/python", store / "seen"
    python.unlink(missing_ok=True)
    lines = "\n".join(f"{event}) {words};;" for event, words in answers.items())
    python.write_text(DOOR.format(seen=seen, answers=lines))
    python.chmod(0o755)
    return seen


def say(answer: dict[str, Any]) -> str:
    return f"printf '%s\\n' '{json.dumps(answer)}'"


def play(site: Site, client: str, steps: list[Any], **more: Any) -> dict[str, Any]:
    """What comes of hooks that a client calls in its process."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, HERE / "bridge.mjs", file_of(site, client), SPECS[client].installed.plugin],  # type: ignore[union-attr]
        input=json.dumps({"steps": steps, **more}),
        env=dict(site.env),
        cwd=site.root,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    came: dict[str, Any] = json.loads(done.stdout)
    return came


# --- the file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("client", LOADING)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_file_is_written_once_and_taken_out_with_all_that_was_made(
    site: Site, store: Path, client: str, scope: str
) -> None:
    before = tree(site.root), tree(site.home)
    assert [one.change for one in init(site, store, client, scope=scope).done] == ["created"]
    data = file_of(site, client, scope).read_bytes()
    assert plugin.is_ours(data)
    assert (str(store).encode() in data) is (scope == "user")
    assert [one.change for one in init(site, store, client, scope=scope).done] == ["unchanged"]
    assert file_of(site, client, scope).read_bytes() == data
    uninstall(site, store)
    assert installs.load(store) == []
    left = {name for name in tree(site.home) if not name.startswith(".local")}
    assert (tree(site.root), left) == (before[0], {name for name in before[1] if not name.startswith(".local")})


@pytest.mark.parametrize("client", LOADING)
def test_what_others_have_there_stays(site: Site, store: Path, client: str) -> None:
    path = file_of(site, client)
    beside = path.parent.parent / ".npmrc"
    path.parent.mkdir(parents=True)
    beside.write_text("theirs\n")
    (path.parent / "other.js").write_text("theirs\n")
    init(site, store, client, scope="user")
    assert beside.read_text() == "theirs\n"
    uninstall(site, store)
    assert (beside.read_text(), (path.parent / "other.js").read_text()) == ("theirs\n", "theirs\n")
    path.write_text("theirs\n")
    report = installer.enter((client,), "user", site, store)
    assert ["is not ours" in one.what for one in report.faults] == [True]
    assert path.read_text() == "theirs\n"


def test_what_goes_with_a_plugin_stays_as_long_as_another_needs_it(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="user")
    init(site, store, "opencode", scope="project")
    beside = file_of(site, "opencode").parent.parent / ".npmrc"
    installer.uninstall(site, store, ("opencode",), "user")
    assert beside.is_file()
    uninstall(site, store)
    assert not beside.exists()


@pytest.mark.parametrize("client", LOADING)
def test_a_changed_or_missing_file_is_noticed_and_put_back(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    path = file_of(site, client)
    data = path.read_bytes()
    for spoil, what in ((lambda: path.write_bytes(data + b"// more\n"), "changed"), (path.unlink, "gone")):
        spoil()
        found = restore.check(store)
        assert [(one.client, one.event, one.what) for one in found] == [(client, "", what)]
        restore.restore(store, found)
        assert (path.read_bytes(), restore.check(store)) == (data, [])


@pytest.mark.parametrize("client", LOADING)
def test_doctor_judges_by_events_and_not_by_the_file(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    found = doctor.diagnose(site.root, store, site.home, site.env, only=[client])
    by_code = {one.code: one for one in found}
    assert by_code["entries"].grade == by_code["answer"].grade == by_code["clocks"].grade == "ok"
    assert (by_code["last-event"].grade, "no event was ever seen" in by_code["last-event"].what) == ("warn", True)


def test_doctor_tells_a_folder_that_makes_the_start_wait(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="user")
    (site.root / ".opencode").mkdir()
    found = doctor.diagnose(site.root, store, site.home, site.env, only=["opencode"])
    slow = [one.what.split(" ")[0] for one in found if one.code == "slow-start"]
    assert slow == [str(site.root / ".opencode")]


def test_a_file_of_an_earlier_version_is_told_and_renewed(
    site: Site, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(plugin, "HEAD", plugin.MARK + "0\n")
        init(site, store, "opencode", scope="user")
    found = doctor.diagnose(site.root, store, site.home, site.env, only=["opencode"])
    assert [one.grade for one in found if one.code == "entries"] == ["warn"]
    assert [one.change for one in init(site, store, "opencode", scope="user").done] == ["changed"]
    uninstall(site, store)
    assert not file_of(site, "opencode").exists()


BRIDGES = {1: "3b297a657355075d1329cc4c8ee42b8a"}
"""The bridges of each version, by a digest of all of them: people have these files."""


def test_another_bridge_is_another_version() -> None:
    told = b"".join(path.read_bytes() for path in sorted(plugin.FOLDER.iterdir()))
    assert BRIDGES[plugin.VERSION] == files.digest(told)


def test_a_folder_of_many_programs_shows_no_client(site: Site) -> None:
    config = site.home / "config"
    config.mkdir()
    assert clients.find(site._replace(env={**site.env, "XDG_CONFIG_HOME": str(config)})) == []


# --- what it does in a client -----------------------------------------------------------------------------------------

CALLS: dict[str, tuple[str, Any]] = {
    "opencode": (
        "tool.execute.before",
        ({"tool": "bash", "sessionID": "s", "callID": "c"}, {"args": {"command": "ls", "description": "d"}}),
    ),
    "kilo": (
        "tool.execute.before",
        ({"tool": "bash", "sessionID": "s", "callID": "c"}, {"args": {"command": "ls", "description": "d"}}),
    ),
    "pi": ("tool_call", ({"toolName": "bash", "toolCallId": "c", "input": {"command": "ls", "description": "d"}},)),
}


def called(site: Site, client: str) -> dict[str, Any]:
    """One call of a tool, as the client tells it."""
    name, given = CALLS[client]
    came: dict[str, Any] = play(site, client, [[name, *given]])["came"][0]
    return came


def refusal(came: dict[str, Any]) -> str:
    """Why a call was refused, "" when it was not."""
    said = came.get("said") or {}
    return str(came.get("threw") or (said.get("reason") if said.get("block") else "") or "")


DEAD = {
    "says nothing": "true",
    "ends by a signal": "kill -9 $$",
    "ends with a fault": "exit 3",
    "says half an object": "printf '{\"a'",
    "says a list": "echo []",
    "says something else": "echo hello",
}


@needs_node
@pytest.mark.parametrize("client", LOADING)
@pytest.mark.parametrize("door", DEAD)
def test_a_dead_door_refuses_a_call_and_nothing_else(site: Site, store: Path, client: str, door: str) -> None:
    init(site, store, client, scope="user")
    answering(store, dict.fromkeys(["PreToolUse", "PostToolUse", "Stop"], DEAD[door]))
    assert refusal(called(site, client)) == entry.REASON
    init(site, store, client, scope="user", fail="open")
    assert refusal(called(site, client)) == ""


@needs_node
@pytest.mark.parametrize("client", LOADING)
def test_an_absent_installation_is_silent(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    (store / "bin/python").unlink()
    assert refusal(called(site, client)) == ""
    shutil.rmtree(store)
    assert refusal(called(site, client)) == ""


@needs_node
@pytest.mark.parametrize("client", LOADING)
def test_a_fault_of_the_bridge_itself_refuses(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    answering(store, {})
    path = file_of(site, client)
    path.write_text(path.read_text().replace("JSON.stringify({ hook_event_name", "JSON.nothing({ hook_event_name"))
    assert refusal(called(site, client)) == entry.REASON


@needs_node
@pytest.mark.parametrize("client", LOADING)
def test_the_real_door_lets_a_harmless_call_pass_and_refuses_another(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    assert refusal(called(site, client)) == ""
    name, given = CALLS[client]
    text = json.dumps(given).replace('"ls"', json.dumps(f"rm {file_of(site, client)}"))
    came = play(site, client, [[name, *json.loads(text)]])["came"][0]
    assert "may not be changed by an agent" in refusal(came)


@needs_node
@pytest.mark.parametrize("client", LOADING)
def test_a_denial_is_its_reason_and_whatever_else_is_decided_refuses_too(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    inner = {"permissionDecision": "deny", "permissionDecisionReason": "R", "additionalContext": "C"}
    answering(store, {"PreToolUse": say({"hookSpecificOutput": inner})})
    assert refusal(called(site, client)) == "R\nC"
    answering(store, {"PreToolUse": say({"hookSpecificOutput": {"permissionDecision": "ask"}})})
    assert refusal(called(site, client)) == entry.REASON


@needs_node
@pytest.mark.parametrize("client", LOADING)
def test_a_rewrite_is_put_into_the_object_that_the_client_holds(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    answering(store, {"PreToolUse": say({"hookSpecificOutput": {"updatedInput": {"command": "new"}}})})
    came = called(site, client)
    given = came["event"]["input"] if "event" in came else came["output"]["args"]
    assert given == {"command": "new"}


def payloads(seen: Path) -> list[tuple[str, dict[str, Any]]]:
    lines = seen.read_text()
    found = []
    decoder = json.JSONDecoder()
    while lines:
        words, _, rest = lines.partition("\n")
        payload, end = decoder.raw_decode(rest)
        found.append((words.strip(), payload))
        lines = rest[end:]
    return found


MESSAGE = {"id": "m", "agent": "build", "model": {"providerID": "p", "modelID": "q"}}


def prompt(text: str) -> list[Any]:
    return ["chat.message", {"sessionID": "s"}, {"message": MESSAGE, "parts": [{"type": "text", "text": text}]}]


@needs_node
def test_a_session_of_opencode_as_events(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="user")
    seen = answering(
        store,
        {
            "SessionStart": say({"hookSpecificOutput": {"additionalContext": "C1"}}),
            "UserPromptSubmit": say({"hookSpecificOutput": {"additionalContext": "C2"}}),
            "PreToolUse": say({"hookSpecificOutput": {"additionalContext": "C3"}}),
            "PostToolUse": say({"hookSpecificOutput": {"additionalContext": "C4"}, "decision": "block", "reason": "B"}),
        },
    )
    call: dict[str, Any] = {"tool": "bash", "sessionID": "k", "callID": "c"}
    call["args"] = {"command": "ls", "workdir": "inner"}
    created = {"type": "session.created", "properties": {"info": {"id": "k", "parentID": "s", "agent": "general"}}}
    told = play(
        site,
        "opencode",
        [
            prompt("do it"),
            ["event", {"event": created}],
            ["tool.execute.before", call, {"args": call["args"]}],
            ["tool.execute.after", call, {"title": "t", "output": "out", "metadata": {"exit": 0}}],
            ["dispose"],
        ],
        sessions={"s": {"id": "s"}},
    )
    parts = told["came"][0]["output"]["parts"]
    assert [(one["text"], one.get("synthetic")) for one in parts] == [("do it", None), ("C1\n\nC2", True)]
    assert told["came"][3]["output"]["output"] == "out\n\nC3\n\nB\n\nC4"
    root: dict[str, Any] = {"session_id": "s", "cwd": str(site.root)}
    agent = {"agent_id": "k", "agent_type": "general"}
    inner = {**root, "cwd": str(site.root / "inner"), **agent, "tool_name": "bash", "tool_use_id": "c"}
    inner["tool_input"] = call["args"]
    response = {"tool_response": {"title": "t", "output": "out"}}
    assert payloads(seen) == [
        (f"opencode {name}", {"hook_event_name": name, **payload})
        for name, payload in [
            ("SessionStart", {**root, "source": "resume"}),
            ("UserPromptSubmit", {**root, "prompt": "do it"}),
            ("PreToolUse", inner),
            ("PostToolUse", {**inner, **response}),
            ("SessionEnd", {**root, "reason": "other"}),
        ]
    ]


@needs_node
def test_a_blocked_prompt_of_opencode_is_no_prompt_and_its_person_is_told(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="user")
    answering(store, {"UserPromptSubmit": say({"decision": "block", "reason": "no"})})
    told = play(site, "opencode", [prompt("do it")])
    assert told["came"] == [{"threw": "no"}]
    assert told["asked"] == [["toast", {"body": {"message": "no", "variant": "error"}}]]


IDLE = ["event", {"event": {"type": "session.idle", "properties": {"sessionID": "s"}}}]
GOES_ON = ["prompt", {"path": {"id": "s"}, "body": {"agent": "build", "model": MESSAGE["model"], "parts": [
    {"type": "text", "text": "more"}]}}]  # fmt: skip


@needs_node
@pytest.mark.parametrize("client", ["opencode", "kilo"])
def test_an_idle_agent_is_kept_going_and_its_own_prompt_is_nobodys(site: Site, store: Path, client: str) -> None:
    init(site, store, client, scope="user")
    seen = answering(store, {"Stop": say({"decision": "block", "reason": "more"})})
    told = play(site, client, [prompt("do it"), IDLE, prompt("more"), IDLE])
    assert told["asked"] == [GOES_ON, GOES_ON]
    stops = [payload["stop_hook_active"] for words, payload in payloads(seen) if words == f"{client} Stop"]
    assert stops == [False, True]
    assert [words for words, _ in payloads(seen)].count(f"{client} UserPromptSubmit") == 1


@needs_node
def test_a_turn_that_its_person_ended_is_not_asked_about(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="user")
    answering(store, {"Stop": say({"decision": "block", "reason": "more"})})
    error = ["event", {"event": {"type": "session.error", "properties": {"sessionID": "s"}}}]
    assert play(site, "opencode", [prompt("do it"), error, IDLE])["asked"] == []


@needs_node
@pytest.mark.parametrize(("parts", "asked"), [([], [GOES_ON]), ([{"type": "tool"}], [])])
def test_where_opencode_leaves_its_last_text_ends_a_turn(
    site: Site, store: Path, parts: list[Any], asked: list[Any]
) -> None:
    init(site, store, "opencode", scope="user")
    answering(store, {"Stop": say({"decision": "block", "reason": "more"})})
    text = ["experimental.text.complete", {"sessionID": "s", "messageID": "m", "partID": "p"}, {"text": "done"}]
    message = {"info": {}, "parts": [{"type": "text"}, *parts]}
    told = play(site, "opencode", [prompt("do it"), text, IDLE], messages={"m": message}, argv=["run"])
    assert told["asked"] == asked
    assert play(site, "opencode", [prompt("do it"), text], messages={"m": message})["asked"] == []


@needs_node
def test_a_failed_call_of_opencode_is_told_once(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="user")
    seen = answering(store, {})
    state = {"status": "error", "error": "gone", "input": {"filePath": "a"}}
    part = {"type": "tool", "tool": "read", "callID": "c", "sessionID": "s", "state": state}
    failed = ["event", {"event": {"type": "message.part.updated", "properties": {"part": part}}}]
    code = {"title": "t", "output": "out", "metadata": {"exit": 3}}
    after = ["tool.execute.after", {"tool": "bash", "sessionID": "s", "callID": "d", "args": {"command": "x"}}, code]
    play(site, "opencode", [failed, failed, after])
    assert [(words, payload["error"]) for words, payload in payloads(seen)] == [
        ("opencode PostToolUseFailure", "gone"),
        ("opencode PostToolUseFailure", "out"),
    ]


@needs_node
def test_a_session_of_pi_as_events(site: Site, store: Path) -> None:
    init(site, store, "pi", scope="user")
    seen = answering(
        store,
        {
            "SessionStart": say({"hookSpecificOutput": {"additionalContext": "C1"}}),
            "UserPromptSubmit": say({"hookSpecificOutput": {"additionalContext": "C2"}}),
            "PreToolUse": say({"hookSpecificOutput": {"additionalContext": "C3"}}),
            "PostToolUseFailure": say({"hookSpecificOutput": {"additionalContext": "C4"}}),
            "Stop": say({"decision": "block", "reason": "more"}),
        },
    )
    call = {"toolName": "bash", "toolCallId": "c", "input": {"command": "ls"}}
    content = [{"type": "text", "text": "out"}]
    done = {"message": {"stopReason": "stop"}, "toolResults": []}
    told = play(
        site,
        "pi",
        [
            ["session_start", {"reason": "startup"}],
            ["input", {"text": "do it", "source": "interactive"}],
            ["before_agent_start", {}],
            ["tool_call", call],
            ["tool_result", {**call, "content": content, "isError": True}],
            ["turn_end", {"message": {"stopReason": "toolUse"}, "toolResults": [{}]}],
            ["turn_end", done],
            ["input", {"text": "more", "source": "extension"}],
            ["session_shutdown", {"reason": "quit"}],
        ],
    )
    assert told["came"][2]["said"] == {"message": {"customType": "jackline", "content": "C1\n\nC2", "display": False}}
    assert told["came"][4]["said"] == {"content": [*content, {"type": "text", "text": "C3\n\nC4"}]}
    assert told["asked"] == [["prompt", {"text": "more", "deliverAs": "followUp"}]]
    assert [words for words, _ in payloads(seen)] == [
        f"pi {name}"
        for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
    ]
    assert payloads(seen)[2][1] == {
        "hook_event_name": "PreToolUse",
        "session_id": "s-1",
        "cwd": str(site.root),
        "transcript_path": "/s/1.jsonl",
        "tool_name": "bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "c",
    }


@needs_node
def test_a_blocked_prompt_of_pi_is_dropped_and_shown(site: Site, store: Path) -> None:
    init(site, store, "pi", scope="user")
    answering(store, {"UserPromptSubmit": say({"decision": "block", "reason": "no"})})
    told = play(site, "pi", [["input", {"text": "do it", "source": "interactive"}]])
    assert (told["came"][0]["said"], told["asked"]) == ({"action": "handled"}, [["toast", "no"]])


def test_a_project_s_file_finds_each_persons_store(site: Site, store: Path) -> None:
    init(site, store, "opencode", scope="project")
    line = next(one for one in file_of(site, "opencode", "project").read_text().splitlines() if "ENTRY =" in one)
    told = json.loads(line.partition(" = ")[2])
    assert (told["store"], told["place"], told["limits"]["Stop"]) == ("", "project", 905)
    assert os.fspath(site.home) not in line
