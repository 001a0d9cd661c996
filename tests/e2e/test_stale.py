"""stale-file with the real clients: what somebody else changed is overwritten by no route until it is read again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .hands import CLAUDE, CODEX, Hand
from .rig.run import Run
from .rig.script import Thread, Tool, Turn, call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

ON = {"version": 1, "modules": {"stale-file": {"enabled": True}}}
BEFORE = "one\ntwo\nthree\n"
THEIRS = "one\ntwo, says the person\nthree\n"

Prompts = Sequence[str | Callable[[], str]]


@pytest.fixture
def here(site: Site) -> Site:
    folder = site.home / ".config/jackline"
    folder.mkdir(parents=True)
    (folder / "dispatch.manifest.json").write_text(json.dumps(ON))
    (site.project / "a.txt").write_text(BEFORE)
    (site.project / "b.txt").write_text("other\n")
    return site


def play(site: Site, hand: Hand, prompts: Prompts, *turns: Turn) -> Run:
    if hand.client == "claude-code":
        run = site.claude(*turns, prompts=prompts)
    else:
        run = site.codex_server(*turns, prompts=prompts, approval="never", sandbox="danger-full-access")
    assert run.exit_code == 0, run.stderr
    return run


def stale(run: Run, name: str) -> str:
    """What the model read of a refusal: the first line. It is ours, with the code, and with what changed."""
    read = run.result(name)
    assert '"code":"STALE_FILE"' in read, f"{name}: {read}"
    return read


def edit(hand: Hand, name: str, path: Path, old: str, new: str) -> Tool:
    if hand.client == "claude-code":
        return use("Edit", id=name, file_path=str(path), old_string=old, new_string=new)
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
    return use("apply_patch", id=name, raw=patch)


def look(hand: Hand, name: str, path: Path) -> Tool:
    if hand.client == "claude-code":
        return use("Read", id=name, file_path=str(path))
    return hand.shell(name, f"sed -n '1,200p' {path.name}")


ROUTES = {
    "sed": "sed -i s/two/2/ a.txt",
    "redirect": "echo mine > a.txt",
    "append": "echo mine >> a.txt",
    "tee": "echo mine | tee a.txt",
    "cp": "cp b.txt a.txt",
    "mv": "mv b.txt a.txt",
    "away": "mv a.txt z.txt",
    "rm": "rm a.txt",
    "nested": "bash -c 'cd src && cat ../b.txt > ../a.txt'",
    "patch": "apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.txt\n@@\n-three\n+3\n*** End Patch\nE",
}


def test_what_a_person_changed_is_not_overwritten_by_any_route(here: Site, hand: Hand) -> None:
    """Claude Code's own check covers its Write and Edit; ours speaks first there, and covers the other routes."""
    here.init(hand.client)
    path = here.project / "a.txt"

    def meanwhile() -> str:
        path.write_text(THEIRS)
        return "SECOND-PROMPT"

    run = play(
        here,
        hand,
        ("MAIN-PROMPT", meanwhile),
        call(look(hand, "look", path)),
        say("SEEN"),
        call(edit(hand, "edit", path, "three", "3")),
        *(call(hand.shell(name, command)) for name, command in ROUTES.items()),
        call(look(hand, "kept", path)),
        call(edit(hand, "again", path, "three", "3")),
        say("DONE"),
    )
    for name in ("edit", *ROUTES):
        read = stale(run, name)
        assert "a.txt changed since you read it at " in read and "outside of any session" in read
        assert "+two, says the person" in read and "-two" in read
        assert here.rows("TOOL_DECISION", toolUseId=name)[0]["by"] == ["stale-file"]
    assert "two, says the person" in run.result("kept")
    assert "STALE_FILE" not in run.result("again")
    assert path.read_text() == THEIRS.replace("three", "3")
    assert (here.project / "b.txt").read_text() == "other\n"


def test_own_changes_of_all_sorts_go_on(here: Site, hand: Hand) -> None:
    here.init(hand.client)
    path = here.project / "a.txt"
    heredoc = "apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.txt\n@@\n-2\n+zwei\n*** End Patch\nE"
    turns = [
        call(look(hand, "look", path)),
        call(edit(hand, "one", path, "two", "2")),
        call(hand.shell("patch", heredoc if hand.client == "codex" else "sed -i s/2/zwei/ a.txt")),
        call(edit(hand, "two", path, "zwei", "deux")),
        call(hand.shell("append", "echo four >> a.txt; false")),
        call(edit(hand, "three", path, "four", "4")),
    ]
    run = play(here, hand, ("MAIN-PROMPT",), *turns, say("DONE"))
    for name, read in run.results().items():
        assert "STALE_FILE" not in read, name
    if hand.client == "codex":
        assert path.read_text() == "one\ndeux\nthree\n4\n"
    else:  # Claude Code's own check wants a read after the shell's change: ours has no objection
        assert here.rows("TOOL_DECISION", decision="deny") == []


def test_two_clients_in_one_tree(here: Site) -> None:
    """Claude Code reads, Codex writes, Claude Code's write is refused and names the session of Codex."""
    here.init("claude-code")
    here.init("codex")
    path = here.project / "a.txt"
    other: list[Run] = []

    def meanwhile() -> str:
        other.append(
            here.codex(call(CODEX.shell("see", "cat a.txt")), call(edit(CODEX, "edit", path, "two", "2")), say("OK"))
        )
        return "SECOND-PROMPT"

    run = here.claude(
        call(look(CLAUDE, "look", path)),
        say("SEEN"),
        call(edit(CLAUDE, "edit", path, "three", "3")),
        call(CLAUDE.shell("shell", "printf mine > a.txt")),
        say("DONE"),
        prompts=("MAIN-PROMPT", meanwhile),
    )
    assert path.read_text() == "one\n2\nthree\n" and other[0].exit_code == 0
    (row,) = [one for one in here.rows("TOOL_OUTCOME", toolUseId="edit") if one["data"]["client"] == "codex"]
    (folder,) = [one for one in here.sessions() if row["id"] in (one / "events.jsonl").read_text()]
    for name in ("edit", "shell"):
        assert f": by session {folder.name} (codex, the main agent) at " in stale(run, name)


def test_a_sub_agent_is_somebody_else(here: Site) -> None:
    here.init("claude-code")
    path = here.project / "a.txt"
    part = Thread(
        "part", "CHANGE-IT", (call(look(CLAUDE, "s1", path)), call(edit(CLAUDE, "s2", path, "two", "2")), say("DID"))
    )
    run = here.claude(
        call(look(CLAUDE, "look", path)),
        *CLAUDE.delegate("CHANGE-IT"),
        call(CLAUDE.shell("shell", "sed -i s/three/3/ a.txt")),
        call(look(CLAUDE, "again", path)),
        call(CLAUDE.shell("then", "sed -i s/three/3/ a.txt")),
        say("DONE"),
        threads=(part,),
    )
    assert ": by agent a01 of this session at " in stale(run, "shell")
    assert "STALE_FILE" not in run.result("then")
    assert path.read_text() == "one\n2\n3\n"
