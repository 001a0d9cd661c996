"""Verbs that loosen something are a person's: an agent's shell is refused, whichever of them it tries."""

from __future__ import annotations

import pytest

from jackline.cli.parts.printer import clean
from jackline.cli.parts.verb import human_only
from jackline.clients.facts import SHELL_MARKS
from jackline.clients.marks import mark_of
from scene import listing

from .conftest import Desk

CALLS = {
    "approve": ("approve", "BCD-FGH", "--yes"),
    "reject": ("reject", "BCD-FGH", "--yes"),
    "trust": ("trust", "--yes", "0" * 32),
    "uninstall": ("uninstall", "--yes"),
    "pause": ("pause", "--yes"),
    "eject": ("eject", "session", "--yes"),
    "enable": ("enable", "stale-file", "--yes"),
    "disable": ("disable", "stale-file", "--yes"),
    "gc": ("gc", "--yes"),
    "sessions state --rebuild": ("sessions", "state", "--rebuild", "--yes"),
    "sessions work --new": ("sessions", "work", "--new", "--yes"),
    "sessions forget": ("sessions", "forget", "11", "--yes"),
    "guard allow": ("guard", "allow", "git.reset", "--command", "*", "--reason", "x", "--yes"),
    "intents expand": ("intents", "expand", "INT-001", "src/**", "--yes"),
    "intents new": ("intents", "new", "INT-001", "--scope", "src/**", "--yes"),
    "intents status (opening an intent)": ("intents", "status", "INT-001", "IN_PROGRESS", "--yes"),
    "doctor --repair": ("doctor", "--repair", "--yes"),
    "init (changing an existing entry)": ("init", "--client", "codex", "--fail", "open", "--yes"),
}
"""How an agent would try each of them, with every yes that a person could give."""

WITHHELD = "approvals --yes"
"""What shows a person more than others (test_approvals.py): it is open, and tells an agent no code."""
INSTALLED = ("uninstall", "doctor --repair", "init (changing an existing entry)")
"""Verbs that find nothing to do where nothing is installed."""


def test_every_verb_of_a_person_is_tried() -> None:
    assert {*CALLS, WITHHELD} == {*human_only()}


@pytest.mark.parametrize("verb", CALLS, ids=list(CALLS))
def test_an_agents_shell_is_refused(desk: Desk, verb: str) -> None:
    if verb in INSTALLED:
        desk.jackline("init", "--client", "codex", "--no-project")
    desk.feature("theirs", "return None")
    ended = desk.payload("SessionStart", source="startup", session_id="22222222-0000-0000-0000-000000000000")
    desk.say(ended)
    words = [desk.sessions()[0].name if word == "11" else word for word in CALLS[verb]]
    if verb == "trust":
        words[2] = desk.jackline("trust", "--json", code=1).data["digest"]
    before = listing(desk.folder, [desk.root / ".ai" / "tmp", desk.store / "sessions", desk.store / "wirings"])
    done = desk.below_client(*words)
    assert done.code == 2, done
    assert "is a human-only command · below claude-code (pid " in done.err
    assert "in a terminal that no agent started" in done.err
    assert listing(desk.folder, [desk.root / ".ai" / "tmp", desk.store / "sessions", desk.store / "wirings"]) == before


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("log",),
        ("sessions",),
        ("hooks", "--table"),
        ("trust", "--diff"),
        ("gc", "--dry-run"),
        ("pause", "--list"),
        ("pause", "--end"),
        ("sessions", "state"),
        ("sessions", "work"),
        ("init", "--client", "codex", "--no-project"),
        ("compile",),
    ],
    ids=" ".join,
)
def test_what_shows_or_tightens_is_open_to_all(desk: Desk, words: tuple[str, ...]) -> None:
    if words[0] in ("status", "init"):
        desk.jackline("init", "--client", "codex", "--no-project")
    assert desk.below_client(*words).code == 0


def test_a_mark_counts_while_a_session_lives(desk: Desk) -> None:
    """An agent may leave its client's process tree; what its shell passes on tells it still."""
    client = desk.living()
    assert "$CODEX_CI marks a model's shell" in desk.jackline("pause", "--yes", env={"CODEX_CI": "1"}, code=2).err
    client.communicate(b"\n")
    desk.jackline("pause", "--yes", env={"CODEX_CI": "1"})


def test_without_a_terminal_nobody_passes_while_a_session_lives(desk: Desk) -> None:
    """Provisioning is done before a client starts; a program in the background may be anybody's."""
    client = desk.living()
    said = desk.jackline("pause", "--yes", code=2).err
    assert "no terminal, and session " in said
    assert "or type `jackline pause --yes` as a prompt in that session" in said
    client.communicate(b"\n")
    desk.jackline("pause", "--yes")


def test_a_session_that_another_process_took_up_counts_for_both(desk: Desk) -> None:
    """A resumed conversation keeps its id: its first process is not the one that lives."""
    first = desk.living()
    resumed = desk.payload("SessionStart", source="resume")
    assert "is a human-only command · below claude-code" in desk.below_client("pause", "--yes", payload=resumed).err
    assert "marks a model's shell" in desk.jackline("pause", "--yes", env={"CODEX_CI": "1"}, code=2).err
    first.communicate(b"\n")
    desk.jackline("pause", "--yes", env={"CODEX_CI": "1"})


@pytest.mark.parametrize("mark", SHELL_MARKS)
def test_every_measured_mark_tells(mark: str) -> None:
    assert mark_of({mark: "1"}) == mark


def test_without_a_terminal_a_yes_is_needed(desk: Desk) -> None:
    said = desk.jackline("pause", code=2)
    assert "no terminal to ask on · add --yes" in said.err
    assert not (desk.store / "pause.json").exists()


@pytest.mark.parametrize(
    ("keys", "code", "left"), [(b"y\n", 0, 0), (b"yes\n", 0, 0), (b"n\n", 1, 1), (b"\n", 1, 1), (b"yep\n", 1, 1)]
)
def test_on_a_terminal_the_person_is_asked(desk: Desk, keys: bytes, code: int, left: int) -> None:
    desk.one_session()
    sid = desk.sessions()[0].name
    said = desk.typed("sessions", "forget", sid, keys=keys)
    assert f"Remove session {sid}" in said.out
    assert "[y/N]" in said.out
    assert said.code == code, said
    assert len(desk.sessions()) == left


def test_the_question_cannot_deceive(desk: Desk) -> None:
    assert clean("a\x1b[2K\rb") == "a\\x1b[2K\\rb"
