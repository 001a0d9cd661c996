"""Two versions of Jackline on one store: the older one refuses to write, says so, and goes on reading and judging.

The older one is this one: the store is marked as `init` of a version marks it whose number is higher.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackline.cli.parts.app import reads
from jackline.cli.parts.verb import verbs
from jackline.install import installer
from jackline.store import format
from jackline.store.ids import SESSIONS
from kept import Kept
from scene import audit

from .conftest import Desk, desk_of
from .test_person import CALLS

FORMAT = format.FORMAT + 1
OPEN = {
    "init, anew": ("init", "--client", "claude-code", "--no-project"),
    "compile": ("compile",),
    "end a pause": ("pause", "--end"),
    "select": ("intents", "select", "INT-001", "--session", "11"),
    "clear": ("intents", "clear", "--session", "11"),
    "request": ("intents", "request", "INT-001", "src/**"),
    "run a script": ("check", "--note"),
    "plan": ("plan", "quick", "x", "--files", "src/**", "--session", "11"),
    "node": ("plan", "node", "start", "change", "--session", "11"),
    "pack": ("pack", "make", "rotate the tokens", "--session", "11"),
    "offer": ("mailbox", "offer", "x", "--agent", "a01", "--session", "11"),
    "lock": ("lock", "run", "k", "--session", "11", "--", "true"),
    "run a validator": ("validators", "run"),
}
"""What writes and is open to all."""

SHOWN = (
    *(("status",), ("doctor",), ("log",), ("sessions",), ("hooks",), ("trust", "--json"), ("gc", "--dry-run")),
    *(("approvals",), ("try", "claude-code", "Stop"), ("guard", "check", "ls"), ("report",)),
    *(
        ("profile",),
        ("sessions", "state"),
        ("sessions", "work"),
        ("hooks", "--table"),
        ("scripts",),
        ("check", "--all-files"),
    ),
    *(("pause", "--list"), ("schema", "state"), ("completion", "bash"), ("version",), ("intents", "list")),
    *(("plan", "show"), ("mailbox", "list"), ("lock", "list"), ("artifacts",), ("features",), ("validators",)),
    ("clients",),
    ("feature", "new", "release-notes"),
)
"""What only shows, or writes into the project alone."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, made_bundle: Path) -> Kept[Desk]:
    desk = desk_of(tmp_path_factory.mktemp("newer"), made_bundle)
    desk.jackline("init", "--client", "codex", "--yes")
    desk.feature("theirs", "return None")
    desk.begin()
    mark(desk.store)
    return Kept(desk)


@pytest.fixture
def newer(kept: Kept[Desk]) -> Iterator[Desk]:
    desk = kept.ready()
    yield desk
    for folder in desk.sessions():
        audit(folder)
    assert desk.crashes() == []


def mark(store: Path) -> None:
    """What `init` of a newer version does to a store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(format, "FORMAT", FORMAT)
        format.mark(str(store))


def store(desk: Desk) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(desk.store.rglob("*")) if path.is_file()}


def test_init_writes_the_number_and_keeps_it(desk: Desk) -> None:
    assert format.number(str(desk.store)) == 0, "a store of the first versions tells none, and is everybody's"
    desk.jackline("init", "--client", "codex", "--yes")
    assert (desk.store / format.NAME).read_bytes() == b"%d\n" % format.FORMAT
    desk.jackline("init", "--client", "codex", "--yes")


@pytest.mark.parametrize("text", ["", "x", "-1", "²", "1 2"])
def test_a_number_that_cannot_be_read_is_none(desk: Desk, text: str) -> None:
    """Whoever damages the file locks nobody out; nor does a link or a folder in its place."""
    (desk.store / format.NAME).write_text(text)
    assert format.number(str(desk.store)) == 0
    (desk.store / format.NAME).unlink()
    (desk.store / format.NAME).mkdir()
    assert format.newer(str(desk.store)) == ""


@pytest.mark.parametrize("verb", [*CALLS, *OPEN])
def test_what_writes_refuses_and_says_so(newer: Desk, verb: str) -> None:
    words = [newer.sessions()[0].name if word == "11" else word for word in {**CALLS, **OPEN}[verb]]
    if verb == "trust":
        words[2] = newer.jackline("trust", "--json", code=1).data["digest"]
    before, settings = store(newer), (newer.home / ".codex/hooks.json").read_bytes()
    said = newer.jackline(*words, code=1).err
    assert f"written by a newer Jackline (format {FORMAT}, this one knows {format.FORMAT})" in said
    assert "nothing was changed · update this Jackline" in said
    assert store(newer) == before
    assert (newer.home / ".codex/hooks.json").read_bytes() == settings


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_what_shows_goes_on(newer: Desk, words: tuple[str, ...]) -> None:
    before = store(newer)
    done = newer.jackline(*words, stdin=b"{}", code=None)
    assert done.code in (0, 1), done
    assert done.out or "there is no such file" in done.err
    assert ("newer Jackline" in done.out) == (words == ("doctor",))
    assert ("newer Jackline" in done.err) == (words[0] in reads())
    assert store(newer) == before


def test_every_command_is_tried() -> None:
    """`hook` is the door: it has tests of its own."""
    tried = {words[0] for words in (*CALLS.values(), *OPEN.values(), *SHOWN)}
    assert tried | {"hook", "why"} == set(verbs()), "`why` needs the id of a call, and reads as `log` does"


def test_the_sessions_are_where_this_version_has_them() -> None:
    assert format.sessions_of(format.FORMAT) == SESSIONS
    assert len({format.sessions_of(number) for number in range(1, 6)}) == 5


def test_a_newer_version_goes_on_with_the_sessions(newer: Desk) -> None:
    """Whichever door began one meanwhile; and to mark a store twice changes nothing more."""
    theirs = newer.store / format.sessions_of(FORMAT)
    assert len(list(theirs.iterdir())) == 1 and not list((newer.store / SESSIONS).iterdir())
    (newer.store / SESSIONS / "late").write_bytes(b"x")
    mark(newer.store)
    mark(newer.store)
    assert sorted(one.name for one in theirs.iterdir())[-1] == "late"


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SessionEnd"])
def test_a_door_that_knows_the_session_writes_nothing(newer: Desk, event: str) -> None:
    """The session began before the newer version came: in the tree neither a row nor a claim is made any more."""
    (place,) = newer.sessions()
    tree = {str(path): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}
    before = store(newer)
    said = {"PreToolUse": newer.tool("rm -rf ~"), "PostToolUse": newer.tool("ls", "PostToolUse")}
    payload = said.get(event) or newer.payload(event, prompt="do it", stop_hook_active=False, reason="other")
    told = newer.say(payload)
    assert (told.decision == "deny") == (event == "PreToolUse")
    assert store(newer) == before
    assert {str(path): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()} == tree


def test_a_door_judges_a_new_session_and_writes_nothing(newer: Desk) -> None:
    """What it cannot note it says to the person; a refusal stays one."""
    before, sessions = store(newer), newer.sessions()
    other = {"session_id": "33333333-0000-0000-0000-000000000000"}
    said = newer.say(newer.payload("SessionStart", source="startup", **other))
    assert "written by a newer Jackline" in said.body["systemMessage"]
    assert newer.say(newer.tool("rm -rf ~", **other)).decision == "deny"
    assert newer.say(newer.tool("ls", **other)).out == b"{}\n"
    assert (store(newer), newer.sessions()) == (before, sessions)


def test_a_door_that_would_compile_publishes_nothing(newer: Desk) -> None:
    newer.feature("more", 'return deny("no")')
    for path in (newer.store / "wirings").glob("*.bin"):
        path.unlink()
    before = store(newer)
    assert newer.say(newer.tool("rm -rf ~")).decision == "deny"
    assert store(newer) == before


def test_the_command_hook_hands_over_to_the_stores_own_door(newer: Desk) -> None:
    """That one is of the version that wrote the number."""
    (newer.store / "door.py").unlink()  # scratch machines share its content
    (newer.store / "door.py").write_text("import sys\nprint('{\"own\":', '\"%s\"}' % ' '.join(sys.argv[1:]))\n")
    said = newer.jackline("hook", "claude-code", "Stop", stdin=json.dumps(newer.payload("Stop")).encode())
    assert json.loads(said.out) == {"own": "claude-code Stop"}


def test_no_entry_is_written_for_it(newer: Desk, tmp_path: Path) -> None:
    """From within, too: the check stands before the first byte."""
    from jackline.install.site import Site

    before = store(newer)
    with pytest.raises(format.Newer):
        installer.init(("claude-code",), "user", Site(newer.root, newer.env), newer.store)
    assert store(newer) == before
    assert not (newer.home / ".claude").exists()
