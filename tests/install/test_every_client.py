"""Every client that `init` knows, in one way: entries are written, judged, and taken out to the byte."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from jackline.clients.specs import SPECS
from jackline.install import dialect, doctor, entry, installer, installs, restore, shapes
from jackline.install.client_files import path_of
from jackline.install.installs import Install
from jackline.install.site import Site

OWN = [one.name for one in SPECS.values() if one.installed and not one.installed.shares]
LATER = [one for one in OWN if SPECS[one].installed.isolated]  # type: ignore[union-attr]
FOREIGN = {
    "gemini-cli": '{\n  // mine\n  "hooks": {"BeforeTool": [{"matcher": "x", "hooks": [{"command": "true"}]}]}\n}\n',
    "qwen-code": '{"hooks": {"Stop": []}, "model": {"name": "q"}}',
    "factory-droid": '{\n\t"model": "m",\n\t"hooks": {}\n}\n',
    "kimi-code": 'model = "k" # mine\n\n[[hooks]]\nevent = "Stop"\ncommand = "true"\n\n[loop]\nsteps = 3',
    "hermes-agent": "# mine\nhooks:\n    pre_tool_call: # theirs\n    - command: 'true'\n      matcher: x\nlast: 1\n",
}
"""What a person may have in such a file."""


def known(store: Path) -> list[Install]:
    return installs.load(store)


def enter(site: Site, store: Path, client: str, **options: Any) -> None:
    report = installer.enter((client,), "user", site, store, **options)
    assert report.done and not report.faults, report.faults


def lines(install: Install, store: Path) -> dict[str, str]:
    """Event, in our words → the command that the client starts."""
    spoken = dialect.of(install.dialect)
    found = shapes.ours_in(install.shape, Path(install.path).read_bytes(), install.path, restore.ours(store))
    return {spoken.events[one.event].canonical: one.command for one in found}


def all_lines(store: Path) -> dict[str, str]:
    return {event: line for one in known(store) for event, line in lines(one, store).items()}


def run(site: Site, line: str, payload: dict[str, Any]) -> tuple[int, str]:
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=json.dumps(payload), cwd=site.root, env=site.env, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("client", OWN)
def test_a_second_time_changes_nothing_and_uninstall_leaves_nothing(site: Site, store: Path, client: str) -> None:
    before = sorted(site.home.rglob("*"))
    enter(site, store, client)
    written = {one.path: Path(one.path).read_bytes() for one in known(store)}
    assert written and all(restore.compare(one, store) == [] for one in known(store))
    enter(site, store, client)
    assert {path: Path(path).read_bytes() for path in written} == written
    assert not installer.uninstall(site, store).faults
    left = [path for path in sorted(site.home.rglob("*")) if store not in path.parents]
    assert left == [path for path in before if store not in path.parents]


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("client", FOREIGN)
def test_what_a_person_had_comes_back_to_the_byte(site: Site, store: Path, client: str, end: str) -> None:
    path = path_of(SPECS[client], "user", site)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (FOREIGN[client].rstrip("\n") + end).encode()
    path.write_bytes(text)
    enter(site, store, client)
    assert path.read_bytes() != text
    assert [*all_lines(store)] != []
    installer.uninstall(site, store)
    assert path.read_bytes() == text


@pytest.mark.parametrize("client", FOREIGN)
def test_an_edit_in_between_stays(site: Site, store: Path, client: str) -> None:
    path = path_of(SPECS[client], "user", site)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FOREIGN[client].rstrip("\n") + "\n")
    enter(site, store, client)
    note = "// later\n" if client in ("gemini-cli", "qwen-code", "factory-droid") else "# later\n"
    path.write_text(path.read_text() + note)
    installer.uninstall(site, store)
    assert path.read_text().endswith(note) and "door.py" not in path.read_text()
    assert "mine" in path.read_text() or client in ("qwen-code", "factory-droid")


@pytest.mark.parametrize("client", OWN)
def test_what_is_taken_out_is_put_back(site: Site, store: Path, client: str) -> None:
    enter(site, store, client)
    one = known(store)[-1]
    before = Path(one.path).read_bytes()
    Path(one.path).unlink()
    assert [found.what for found in restore.check(store)] == ["gone"]
    restore.restore(store)
    assert Path(one.path).read_bytes() == before


@pytest.mark.parametrize("client", LATER)
def test_doctor_finds_nothing_bad(site: Site, store: Path, client: str) -> None:
    enter(site, store, client)
    found = doctor.diagnose(site.root, store, site.home, site.env)
    assert [one for one in found if one.grade == "bad"] == []
    assert {"entries", "answer", "clocks"} <= {one.code for one in found}


SHELL = {
    "cline": lambda line: {"hookName": "tool_call", "taskId": "t", "tool_call": {"name": "run_commands",
                           "id": "c", "input": {"commands": ["echo hi", line]}}},
}  # fmt: skip


def calls(client: str, line: str, site: Site) -> dict[str, Any]:
    """A shell call in the words of a client."""
    if client in SHELL:
        return {**SHELL[client](line), "workspaceRoots": [str(site.root)]}
    tool = SPECS[client].habits.shell_tool
    _, command, *_ = SPECS[client].tools[tool]
    return {"session_id": "s", "cwd": str(site.root), "tool_name": tool, "tool_input": {command: line}}


@pytest.mark.parametrize("client", LATER)
def test_the_installed_line_refuses_and_lets_pass(site: Site, store: Path, client: str) -> None:
    enter(site, store, client)
    line = all_lines(store)["PreToolUse"]
    assert run(site, line, calls(client, "echo hi", site)) == (0, "{}\n")
    code, out = run(site, line, calls(client, "rm -rf ~", site))
    assert code == 0 and out != "{}\n"
    where = out.replace(" ", "")
    word, value = SPECS[client].wire.get("refusal", ("hookSpecificOutput.permissionDecision", "deny"))
    assert f"{json.dumps(word.rpartition('.')[2])}:{json.dumps(value)}" in where
    assert "would be deleted" in out


@pytest.mark.parametrize("client", LATER)
def test_settings_of_hooks_are_protected(site: Site, store: Path, client: str) -> None:
    enter(site, store, client)
    line = all_lines(store)["PreToolUse"]
    for one in known(store):
        _, out = run(site, line, calls(client, f"echo x > {one.path}", site))
        assert "hook settings of a client" in out, one.path


@pytest.mark.parametrize("client", LATER)
def test_a_dead_door_refuses_and_an_absent_one_is_silent(site: Site, store: Path, client: str) -> None:
    enter(site, store, client)
    line = all_lines(store)["PreToolUse"]
    (store / "door.py").write_text("")
    assert run(site, line, calls(client, "ls", site)) == (0, entry.DENIALS[SPECS[client].dialect] + "\n")
    (store / "bin/python").unlink()
    assert run(site, line, calls(client, "ls", site)) == (0, "")


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("client", [one for one in LATER if SPECS[one].installed.expands])  # type: ignore[union-attr]
def test_no_variable_of_an_environment_answers_for_the_door(site: Site, store: Path, client: str, scope: str) -> None:
    """The client would put it into the line before a shell reads it; a project's `.env` may set any."""
    installer.enter((client,), scope, site, store)
    for line in all_lines(store).values():
        named = re.findall(r"\$(?:(\w+)|{([^}]+)})", line)
        assert {one or other for one, other in named} <= {"XDG_STATE_HOME:-$HOME/.local/state"}
    assert run(site, all_lines(store)["PreToolUse"], calls(client, "echo hi", site)) == (0, "{}\n")


def test_limits_are_in_the_units_of_the_client(site: Site, store: Path) -> None:
    enter(site, store, "gemini-cli")
    enter(site, store, "qwen-code")
    gemini = json.loads((site.home / ".gemini/settings.json").read_text())["hooks"]
    assert gemini["BeforeTool"][0]["hooks"][0]["timeout"] == 15_000
    assert gemini["AfterAgent"][0]["hooks"][0]["timeout"] == 905_000
    qwen = json.loads((site.home / ".qwen/settings.json").read_text())["hooks"]
    assert qwen["Stop"][0]["hooks"][0]["timeout"] == 905


def test_where_a_client_allows_less_time_the_door_ends_earlier(site: Site, store: Path) -> None:
    enter(site, store, "kimi-code")
    enter(site, store, "hermes-agent")
    said = tomllib.loads((site.home / ".kimi-code/config.toml").read_text())["hooks"]
    stop = next(one for one in said if one["event"] == "Stop")
    assert stop["timeout"] == 600 and " kimi Stop.600" in stop["command"]
    assert {key for one in said for key in one} == {"event", "command", "timeout"}
    hermes = YAML(typ="safe").load(StringIO((site.home / ".hermes/config.yaml").read_text()))["hooks"]
    (verify,) = hermes["pre_verify"]
    assert verify["timeout"] == 300 and verify["command"].startswith("/bin/sh -c ") and "Stop.300" in verify["command"]


def test_who_takes_output_as_text_gets_none_with_a_prompt(site: Site, store: Path) -> None:
    enter(site, store, "kimi-code")
    said = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(site.root)}
    line = all_lines(store)["UserPromptSubmit"]
    assert run(site, line, {**said, "prompt": [{"type": "text", "text": "hello"}]}) == (0, "")


def test_a_hook_of_somebody_else_keeps_its_file(site: Site, store: Path) -> None:
    theirs = site.home / ".cline/hooks/PreToolUse"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("#!/bin/sh\n")
    report = installer.enter(("cline",), "user", site, store)
    assert [fault.where for fault in report.faults] == [str(theirs)]
    assert theirs.read_text() == "#!/bin/sh\n" and len(report.done) == 4
    written = site.home / ".cline/hooks/PostToolUse"
    assert written.stat().st_mode & 0o777 == 0o755 and written.read_text().startswith("#!/bin/sh\n")


def test_droid_reads_another_file_once_it_is_there(site: Site, store: Path) -> None:
    enter(site, store, "factory-droid")
    other = site.home / ".factory/hooks.json"
    other.write_text('{"Stop": []}\n')
    found = doctor.diagnose(site.root, store, site.home, site.env)
    assert [one.code for one in found if one.grade == "bad"] == ["hooks-off"]
    enter(site, store, "factory-droid")
    assert "PreToolUse" in json.loads(other.read_text())
    found = doctor.diagnose(site.root, store, site.home, site.env)
    assert [one.code for one in found if one.grade == "bad" and one.where == str(other)] == []
    installer.uninstall(site, store)
    assert other.read_text() == '{"Stop": []}\n'


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("kimi-code", 'hooks = [{event = "Stop", command = "x"}]\n'),
        ("hermes-agent", "hooks: {Stop: [{command: x}]}\n"),
        ("hermes-agent", "hooks: {}\n"),
        ("hermes-agent", "hooks:\n  pre_tool_call: [{command: x}]\n"),
    ],
)
def test_what_cannot_be_added_to_is_left_alone_and_told(site: Site, store: Path, client: str, text: str) -> None:
    path = path_of(SPECS[client], "user", site)
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_text(text)
    report = installer.enter((client,), "user", site, store)
    assert [fault.what for fault in report.faults] == ["our entries cannot be added to what stands there"]
    assert path.read_text() == text


def test_files_are_found_by_scope(site: Site) -> None:
    for client in LATER:
        found = dialect.of(SPECS[client].dialect).targets("project", site, (client,))
        inner = [str(one.path.relative_to(site.root)) for one in found]
        assert bool(inner) == ("project" in SPECS[client].installed.files)  # type: ignore[union-attr]
