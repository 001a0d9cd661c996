"""Every route of the table, put to real doors as two clients would; what no door stops is taken, and then seen to."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from cli.conftest import Desk
from principles.case import Case
from principles.tables import NAMES, table
from scene import audit

from .machine import CLIENTS, SCOPED, Met, intents, machine, payload, taken, tried
from .table import Route, routes

ROUTES = routes()
RESTORED = [one for one in ROUTES if one.held == "- restored"]
REFUSES = [one for one in ROUTES if one.held == "- refuses"]
FEW = 12
"""Sessions of a machine that are looked through; what all have in common is held elsewhere."""
PAGE = Path(__file__).resolve().parents[2] / "docs/routes.md"


def _ready(folder: Path, made: Path) -> Iterator[Desk]:
    desk = machine(folder, made)
    yield desk
    for session in desk.sessions()[:FEW]:
        audit(session)
    assert desk.crashes() == []


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, made_bundle: Path) -> Iterator[Desk]:
    yield from _ready(tmp_path_factory.mktemp("routes"), made_bundle)


@pytest.fixture(scope="module")
def scoped(tmp_path_factory: pytest.TempPathFactory, made_bundle: Path) -> Iterator[Desk]:
    for desk in _ready(tmp_path_factory.mktemp("scoped"), made_bundle):
        intents(desk)
        yield desk


@pytest.fixture
def own(tmp_path: Path, made_bundle: Path) -> Iterator[Desk]:
    """A machine of its own, for what changes it."""
    yield from _ready(tmp_path, made_bundle)


@pytest.mark.parametrize("route", [one for one in ROUTES if one.target != SCOPED], ids=lambda one: one.name)
def test_a_route_at_the_door(shared: Desk, route: Route) -> None:
    met = at_the_door(shared, route)
    assert {client: answer(found) for client, found in met.items()} == due(route, met), met


@pytest.mark.parametrize("route", [one for one in ROUTES if one.target == SCOPED], ids=lambda one: one.name)
def test_a_route_at_the_door_with_scopes(scoped: Desk, route: Route) -> None:
    met = at_the_door(scoped, route)
    assert {client: answer(found) for client, found in met.items()} == due(route, met), met


def at_the_door(desk: Desk, route: Route) -> dict[str, Met]:
    """What each client that can go the route is told: at least one can."""
    met = {client: found for client in CLIENTS if (found := tried(desk, route, client)) is not None}
    assert met, "no client can go it"
    return met


def answer(found: Met) -> tuple[str, bool, list[str]]:
    """The decision, whether the call waits for a person, and the guards that spoke."""
    return found.says, "HITL_PENDING" in found.text, found.guards if found.says != "-" else []


def due(route: Route, clients: Iterable[str]) -> dict[str, tuple[str, bool, list[str]]]:
    """One answer on every client; where nobody can be asked, the call is refused and waits."""
    says, _, guards = route.held.partition(" ")
    named = guards.split("+") if says != "-" else []
    waits = {client: says == "ask" and client == "codex" for client in clients}
    return {client: ("deny" if wait else says, wait, named) for client, wait in waits.items()}


def test_an_intent_is_selected_and_its_scope_is_open(scoped: Desk) -> None:
    """So that the refusals of the table are those of its scope."""
    for client in CLIENTS:
        route = Route(9000, SCOPED, "in scope", "-", "cp src/x src/auth/y")
        met = tried(scoped, route, client)
        assert met is not None and met.says == "-", met


# --- what no door stops --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", RESTORED, ids=lambda one: one.name)
def test_what_happened_all_the_same_is_noticed_and_put_back(own: Desk, route: Route) -> None:
    settings = own.root / ".claude/settings.json"
    installed = entries(settings)
    assert installed
    taken(own, route.call)
    assert not settings.exists() or entries(settings) != installed, "the route leads nowhere"
    own.pre("echo next")
    assert entries(settings) == installed


def entries(path: Path) -> list[str]:
    """Our entries in a client's file."""
    return sorted(re.findall(r'"command": ?"[^\n]*door\.py[^\n]*', path.read_text()))


@pytest.mark.parametrize("route", REFUSES, ids=lambda one: one.name)
def test_the_verb_refuses_by_itself(own: Desk, route: Route) -> None:
    done = taken(own, route.call)
    assert "is a human-only command" in done.stdout + done.stderr, done
    assert done.returncode != 0


@pytest.mark.parametrize("scope", ["user", "local"])
def test_where_it_was_not_the_projects_own_file_tools_that_change_things_stop(own: Desk, scope: str) -> None:
    if scope == "local":
        own.jackline("init", "--client", "claude-code", "--scope", "local", "--yes")
    path = own.home / ".claude/settings.json" if scope == "user" else own.root / ".claude/settings.local.json"
    installed = entries(path)
    (own.root / "src/tidy.py").write_text(f"open({str(path)!r}, 'w').write('{{}}')\n")
    taken(own, "python3 src/tidy.py")
    assert entries(path) == []
    own.pre("echo next")
    assert entries(path) == installed
    said = own.say(payload(own, "claude-code", "Write", {"file_path": f"{own.root}/src/y", "content": ""}, "after"))
    assert said.decision == "deny"
    assert "TAMPERED" in said.reason


def test_a_patch_and_an_archive_are_what_they_are_said_to_be(own: Desk) -> None:
    """The routes that name files only inside of a file lead there indeed."""
    for command in ("git apply src/evil.diff", "git checkout -q -- .claude && patch -sp1 < src/evil.diff"):
        subprocess.run(["bash", "-c", command], cwd=own.root, check=True, env=own.env)
        assert (own.root / ".claude/settings.json").read_text().strip() == "{}"


# --- the table -----------------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return text.replace("\\n", "\n").replace("~/", "<H>/").strip()


def _calls(case: Case) -> Iterator[tuple[str, str]]:
    """A row of a principle as a route would have it: a command, or a tool and its path."""
    if isinstance(case.call, str):
        yield "", _plain(case.call)
    else:
        yield from ((case.tool, one) for one in case.call.values() if isinstance(one, str))


def test_no_route_repeats_a_row_of_a_principle() -> None:
    """Those are tried in `tests/principles`, and a sample of them at an entry, too."""
    known = {call for name in NAMES for case in table(name).ATTACKS for call in _calls(case)}
    repeated = []
    for one in ROUTES:
        path = one.call.partition(" ")[2]
        called = (one.tool, path if path[:1] in "/<" else f"<R>/{path}") if one.tool else ("", _plain(one.call))
        repeated += [one.name] if called in known else []
    assert repeated == [], "take them out of table.txt"


def test_the_table_is_whole() -> None:
    """No route twice; every answer one that is tried; what remains is named on the page, under a heading of its own."""
    assert len({(one.target, one.name) for one in ROUTES}) == len(ROUTES)
    assert len({(one.target, one.call) for one in ROUTES}) == len(ROUTES)
    page = PAGE.read_text()
    for one in ROUTES:
        if one.held.startswith("- remains: "):
            assert f"\n- **{one.held.removeprefix('- remains: ').capitalize()}**" in page, one
        else:
            assert re.fullmatch(r"(deny|ask) [\w+-]+|- (restored|refuses)", one.held), one
