"""Session scripts: once, in order, whatever fails; told when the door has to go, or when somebody was killed."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackline import processes, system
from jackline.model import HookRun
from jackline.scripts import session, status
from jackline.scripts.run_as import Impossible, user_for
from nobody import as_nobody
from scripts.site import Site, until


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    crashes = made.store / "crash"
    assert not crashes.exists() or list(crashes.iterdir()) == []


def said(ran: HookRun | None) -> str:
    """The one line for the person, which the model gets too."""
    assert ran is not None
    (line,) = ran.action.warnings
    assert ran.action.additional_context == ((session.SLUG, line),)
    return line


def begin(site: Site, source: str = "startup", **options: float) -> HookRun | None:
    return session.start(site.run("SessionStart", source=source, **options))


def test_scripts_run_in_order_once_and_silently(site: Site) -> None:
    site.script("01-b", "echo one >> order")
    site.script("02-a", "echo two >> order")
    assert begin(site) is None
    assert site.text("order") == "one\ntwo\n"
    assert begin(site) is None, "a second start of the same session"
    assert session.left(site.run("UserPromptSubmit", prompt="hello")) is None
    assert site.text("order") == "one\ntwo\n"
    assert [(row["script"], row["result"]) for row in site.rows("SCRIPT_RUN")] == [
        ("01-b", "success"), ("02-a", "success"),
    ]  # fmt: skip
    assert site.rows("SCRIPTS_DONE") == [{"occasion": "startup", "total": 2, "failed": []}]
    assert not (site.place / "scripts/session/.open").exists(), "no later event has to ask"


def test_a_failure_is_told_and_the_next_script_runs(site: Site) -> None:
    site.script("a", "echo broken >&2; exit 3", name="Install")
    site.script("b", "touch ran")
    place = f".ai/tmp/{site.run('SessionStart').session.sid}"
    assert said(begin(site)) == (
        f'Session scripts: 1 of 2 failed: "Install" (exit 3; output in {place}/scripts/output/a.log)'
    )
    assert (site.root / "ran").exists()
    assert Path(status.log_path(str(site.place), "a")).read_text() == "broken\n"
    hooks = status.read(str(site.place)).hooks
    assert {key: one["lastResult"] for key, one in hooks.items()} == {"a": "failure", "b": "success"}
    assert site.rows("SCRIPTS_DONE") == [{"occasion": "startup", "total": 2, "failed": ["a"]}]
    assert session.left(site.run("UserPromptSubmit", prompt="hello")) is None, "told once"


def test_environment_and_folder(site: Site) -> None:
    site.script("env", "{ pwd; env | grep -E 'DISCOBOT|JACKLINE' | sort; } > env; test -t 0 || cat >> env")
    begin(site)
    sid = site.run("SessionStart").session.sid
    assert site.text("env").splitlines() == [
        str(site.root),
        "DISCOBOT_HOOK_TYPE=session",
        f"DISCOBOT_SESSION_ID={sid}",
        f"DISCOBOT_WORKSPACE={site.root}",
        "JACKLINE_CLIENT=claude-code",
        "JACKLINE_EVENT=SessionStart",
        "JACKLINE_HOOK_TYPE=session",
        "JACKLINE_SCRIPT=env",
        f"JACKLINE_SESSION_ID={sid}",
        "JACKLINE_TURN=0",
        f"JACKLINE_WORKSPACE={site.root}",
    ]


@pytest.mark.parametrize(
    ("sources", "events", "runs"),
    [
        (("startup",), ["startup", "resume", "clear", "compact", "startup"], 1),
        (("startup", "resume"), ["startup", "resume", "resume"], 3),
        (("compact",), ["startup", "compact", "clear", "compact"], 2),
        (("startup",), ["resume", "resume", "startup"], 1),
        (("startup",), ["clear"], 0),
        (("startup",), [""], 1),
    ],
    ids=["once", "on resume", "on compact only", "first seen at a resume", "not after a clear", "no source told"],
)
def test_on_widens_what_else_is_once(site: Site, sources: tuple[str, ...], events: list[str], runs: int) -> None:
    site.script("a", "echo ran >> count", sources=sources)
    for source in events:
        begin(site, source)
    assert site.text("count").count("ran") == runs


def test_no_script_no_trace(site: Site) -> None:
    assert begin(site) is None
    assert not (site.place / "scripts/session/startup").exists()
    site.script("late", "touch ran")
    assert begin(site, "resume") is None, "scripts that came into being (or into trust) later run at the next start"
    assert (site.root / "ran").exists()


def test_a_script_that_takes_too_long_is_stopped_and_the_next_one_runs(site: Site) -> None:
    site.script("hangs", "sleep 60 & wait", timeout=0.2)
    site.script("next", "touch ran")
    assert "its time was over" in said(begin(site))
    assert (site.root / "ran").exists()


def test_what_is_left_is_told_at_a_later_event(site: Site) -> None:
    site.script("slow", "while ! test -e go; do sleep 0.02; done; exit 4")
    site.script("last", "touch ran")
    line = said(begin(site, deadline_s=2.0))
    assert line == 'Session scripts: 2 not done yet: "slow", "last"; the result is told at a later event'
    assert session.left(site.run("UserPromptSubmit", prompt="a")) is None, "nothing new to tell"
    (site.root / "go").touch()
    until(lambda: site.rows("SCRIPTS_DONE"))
    assert said(session.left(site.run("UserPromptSubmit", prompt="b"))).startswith(
        'Session scripts: 1 of 2 failed: "slow" (exit 4; output in '
    )
    assert session.left(site.run("UserPromptSubmit", prompt="c")) is None


def test_that_all_is_done_is_told_where_it_was_waited_for(site: Site) -> None:
    site.script("slow", "while ! test -e go; do sleep 0.02; done")
    begin(site, deadline_s=1.6)
    assert (site.place / "scripts/session/.open").exists(), "a later event asks"
    (site.root / "go").touch()
    until(lambda: site.rows("SCRIPTS_DONE"))
    assert said(session.left(site.run("UserPromptSubmit", prompt="b"))) == "Session scripts: all 1 are done"
    assert not (site.place / "scripts/session/.open").exists()


def test_other_bytes_than_those_compiled_do_not_run(site: Site) -> None:
    script = site.script("a", "touch ran")
    Path(script.path).write_text("#!/bin/sh\ntouch evil\n")
    assert "changed since it was compiled" in said(begin(site))
    assert not (site.root / "ran").exists() and not (site.root / "evil").exists()


def test_a_pause_holds(site: Site) -> None:
    site.script("a", "touch ran-a")
    site.script("b", "touch ran-b")
    run = site.run("SessionStart", source="startup")
    run.paused = frozenset(("a",))
    session.start(run)
    assert [name for name in ("ran-a", "ran-b") if (site.root / name).exists()] == ["ran-b"]


DOOR = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from scripts.site import Site
from jackline.scripts import session
site = Site.__new__(Site)
base = Path(sys.argv[1])
site.root, site.store, site.scripts = base / "project", base / ".local/state/jackline", {}
for line in sys.argv[3:]:
    key, _, body = line.partition("=")
    site.script(key, body)
session.YOUNG_NS = 1_000_000_000
session.start(site.run("SessionStart", source="startup"))
"""


def door(site: Site, *scripts: str) -> subprocess.Popen[bytes]:
    """A process that starts session scripts and waits, as the door does."""
    tests = str(Path(__file__).parents[1])
    child = subprocess.Popen([sys.executable, "-c", DOOR, str(site.root.parent), tests, *scripts])
    for one in scripts:
        key, _, body = one.partition("=")
        site.script(key, body)
    return child


def test_a_killed_door_leaves_the_scripts_running(site: Site) -> None:
    child = door(site, "slow=echo $$ > pid; while ! test -e go; do sleep 0.02; done; touch ran", "next=touch next")
    until(lambda: site.text("pid"))
    child.kill()
    child.wait()
    (site.root / "go").touch()
    until(lambda: (site.root / "next").exists() and site.rows("SCRIPTS_DONE"))
    assert (site.root / "ran").exists()
    assert begin(site) is not None, "the next event tells the end that nobody heard"
    assert session.left(site.run("UserPromptSubmit", prompt="a")) is None


def supervisor_of(pid: int) -> int:
    raw = Path(f"/proc/{pid}/stat").read_text()
    return int(raw[raw.rfind(")") + 2 :].split()[1])


def test_a_killed_supervisor_is_reported_and_nothing_is_repeated(site: Site) -> None:
    child = door(site, "first=true", "slow=echo $$ > pid; sleep 60", "next=touch next")
    until(lambda: site.text("pid").strip())
    script = int(site.text("pid"))
    until(lambda: list(site.place.glob("scripts/running/*")))
    os.kill(supervisor_of(script), signal.SIGKILL)
    until(lambda: not processes.running(supervisor_of(script)) or supervisor_of(script) <= 1)
    assert child.wait(20) == 0, "the door notices and answers"
    until(lambda: not processes.running(script))
    hooks = status.read(str(site.place)).hooks
    assert {key: (one["lastResult"], one["lastExitCode"]) for key, one in hooks.items()} == {
        "first": ("success", 0),
        "slow": ("failure", -9),
        "next": ("failure", 126),
    }
    assert site.rows("SCRIPTS_DONE") == [{"occasion": "startup", "total": 3, "failed": ["slow", "next"]}]
    assert begin(site) is None
    assert not (site.root / "next").exists()


def test_door_and_supervisor_killed_are_told_by_the_next_event(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    child = door(site, "slow=echo $$ > pid; sleep 60")
    until(lambda: site.text("pid").strip())
    script = int(site.text("pid"))
    until(lambda: list(site.place.glob("scripts/running/*")))
    child.kill()
    child.wait()
    os.kill(supervisor_of(script), signal.SIGKILL)
    until(lambda: system.lock(str(site.place / "scripts/session/startup.lock"), 0) >= 0)
    assert session.left(site.run("UserPromptSubmit", prompt="a")) is None, "a batch this young may be starting still"
    monkeypatch.setattr(session, "YOUNG_NS", 0)
    line = said(session.left(site.run("UserPromptSubmit", prompt="b")))
    assert line.startswith('Session scripts: 1 of 1 failed: "slow" (cut off: its supervisor was killed; output in ')
    until(lambda: not processes.running(script))


def test_claimed_and_killed_before_a_supervisor_was_there(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.script("a", "touch ran")
    run = site.run("SessionStart", source="startup")
    at = system.descend(str(site.place), session.FOLDER, create=True)
    assert session._claim(run, at)[0] == "startup"
    system.close(at)
    monkeypatch.setattr(session, "YOUNG_NS", 0)
    assert "not run: its supervisor was killed" in said(begin(site))
    assert not (site.root / "ran").exists()


# --- run_as --------------------------------------------------------------------------------------------------------

ROOT = os.geteuid() == 0


def test_run_as_root_needs_root(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    script = site.script("a", "id -u > uid", run_as="root")
    assert (user_for(script, str(site.root)) is None) if ROOT else True
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    with pytest.raises(Impossible, match=r"^run_as: root, and the client was started by \w+ · start it as root, or"):
        user_for(script, str(site.root))


@pytest.mark.skipif(not ROOT, reason="only root can become somebody else")
def test_as_root_a_script_runs_as_the_owner_of_the_project(site: Site) -> None:
    nobody = pwd.getpwnam("nobody")
    for folder in (site.root, *site.root.parents):
        if os.stat(folder).st_mode & 0o005 != 0o005:
            os.chmod(folder, os.stat(folder).st_mode | 0o005)
    os.chown(site.root, nobody.pw_uid, nobody.pw_gid)
    site.script("user", 'echo "$(id -u) $(id -g) $(id -G) $HOME $USER $LOGNAME" > user')
    site.script("root", 'echo "$(id -u)" > root', run_as="root")
    assert begin(site) is None
    uid, gid = nobody.pw_uid, nobody.pw_gid
    assert site.text("user") == f"{uid} {gid} {gid} {nobody.pw_dir} nobody nobody\n"
    assert site.text("root") == "0\n"


@pytest.mark.skipif(not ROOT, reason="only root can become somebody else")
def test_an_owner_without_an_account_is_refused(site: Site) -> None:
    os.chown(site.root, 54321, 54321)
    site.script("a", "touch ran")
    assert "uid 54321) has no account here · make one, or write run_as: root" in said(begin(site))
    assert not (site.root / "ran").exists()


def test_who_is_not_root_runs_scripts_as_himself(site: Site) -> None:
    script = site.script("a", "true")
    assert as_nobody(lambda: user_for(script, str(site.root)) is None, site.root)
