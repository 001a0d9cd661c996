"""A hostile environment: always one valid answer, never a traceback, nothing outside the named places.

Full disks, read-only trees, missing and broken files of every kind, links, foreign owners, path-like ids, a repository
full of Python's own module names, and client settings that set our variables.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scene import Said, Scene, audit, git, listing


@pytest.fixture
def outside(scene: Scene) -> Iterator[Path]:
    """A folder beside the project that nobody may touch; compared to the byte afterwards."""
    folder = scene.folder / "outside"
    (folder / "deep").mkdir(parents=True)
    (folder / "file").write_text("mine\n")
    (folder / "state.json").write_text('{"v":1,"core":{"phase":"COMPLETE"}}')
    before = listing(folder)
    yield folder
    assert listing(folder) == before


def life(scene: Scene, **fields: Any) -> list[Said]:
    """A little of everything: events that read, write, claim, patch and compile."""
    return [
        scene.begin(**fields),
        scene.prompt("do the thing with password=hunter22", **fields),
        scene.pre("echo hi", **fields),
        scene.say(scene.tool("echo hi", event="PostToolUse", **fields)),
        scene.say(scene.payload("SubagentStart", agent_id="agent-1", agent_type="explore", **fields)),
        scene.say(scene.tool("ls", agent_id="agent-1", **fields)),
        scene.say(scene.payload("PreCompact", trigger="auto", **fields)),
        scene.say(scene.payload("Stop", stop_hook_active=False, **fields)),
        scene.say(scene.payload("SessionEnd", reason="clear", **fields)),
    ]


def harmless(said: list[Said]) -> None:
    """Every answer is valid, and nothing harmless was refused."""
    for one in said:
        assert one.decision in ("", "allow"), one
        assert one.body.get("decision") is None, one


def test_a_little_of_everything_is_harmless(scene: Scene) -> None:
    said = life(scene)
    harmless(said)
    assert len(said) == 9
    assert scene.rows("ERROR_MODULE") == []


# --- disks -----------------------------------------------------------------------------------------------------------


def limited(size: int) -> Callable[[], None]:
    """No file may grow beyond `size` bytes: for a writer the same as a full disk, and needs no mount."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def bare() -> None:
    """Take from a root process what lets it ignore permissions, so that read-only is read-only here too."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for capability in (1, 2, 3):  # DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER
        prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def test_a_full_disk_from_the_first_event_on(scene: Scene) -> None:
    said = []
    for payload in (scene.payload("SessionStart", source="startup"), scene.tool(), scene.payload("Stop")):
        said.append(scene.say(payload, preexec_fn=limited(0)))
    harmless(said)
    assert [one.exit for one in said] == [0, 0, 0]


@pytest.mark.parametrize("room", [0, 10, 300])
def test_a_disk_that_fills_up_loses_nothing_that_was_written(scene: Scene, room: int) -> None:
    """The answer is given; what was there stays readable; when there is room again, all goes on."""
    harmless(life(scene))
    before = scene.log()
    state = scene.state()
    size = (scene.place / "events.jsonl").stat().st_size
    for payload in (scene.tool(), scene.payload("UserPromptSubmit", prompt="x"), scene.tool(event="PostToolUse")):
        harmless([scene.say(payload, preexec_fn=limited(size + room))])
    records = audit(scene.place, torn=1)
    assert records[: len(before)] == before
    assert scene.state()["core"]["sessionId"] == state["core"]["sessionId"]
    harmless([scene.prompt(), scene.pre()])
    after = audit(scene.place, torn=1)
    assert after[-1]["event"] == "PreToolUse"
    mend(scene)


def mend(scene: Scene) -> None:
    """Take the torn line out, as `audit` at the end of every test wants none."""
    log = scene.place / "events.jsonl"
    whole = [line for line in log.read_bytes().splitlines(keepends=True) if line.endswith(b"}\n") and line[:1] == b"{"]
    log.write_bytes(b"".join(line for line in whole if readable(line)))
    (scene.place / "state.json").unlink(missing_ok=True)


def readable(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_a_denial_stands_on_a_full_disk(scene: Scene) -> None:
    scene.feature("guard", "return deny('not this one')", critical=True)
    scene.trust()
    scene.begin()
    assert scene.say(scene.tool(), preexec_fn=limited(0)).decision == "deny"


def read_only(*folders: Path) -> Callable[[], None]:
    """Make everything below some folders read-only; returns what gives it back."""
    touched = []
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                touched.append((path, path.stat().st_mode))
    for path, mode in reversed(touched):
        path.chmod(mode & 0o555)

    def back() -> None:
        for path, mode in touched:
            path.chmod(mode)

    return back


@pytest.mark.parametrize("warm", [False, True], ids=["first-event", "later"])
@pytest.mark.parametrize("what", ["tree", "store", "both"])
def test_a_read_only_place(scene: Scene, what: str, warm: bool) -> None:
    """A tree that cannot be written: the store is used. A store too: the answer is given all the same."""
    if warm:
        harmless(life(scene))
    own = scene.folder / "own"
    shutil.copytree(scene.store, own)
    shutil.rmtree(scene.store)
    own.rename(scene.store)
    places = {"tree": (scene.root,), "store": (scene.store,), "both": (scene.root, scene.store)}[what]
    back = read_only(*places)
    before = listing(scene.folder) if what == "both" else {}
    try:
        for payload in (scene.payload("SessionStart", source="startup"), scene.tool(), scene.payload("Stop")):
            harmless([scene.say(payload, preexec_fn=bare)])
        if what == "both":
            assert listing(scene.folder) == before
        if what == "tree" and not warm:
            assert scene.place.is_relative_to(scene.store)
    finally:
        back()
    harmless([scene.pre()])


def test_files_that_may_not_be_read(scene: Scene) -> None:
    harmless(life(scene))
    for path in [*scene.place.rglob("*"), *(scene.store / "sessions").glob("*"), *(scene.store / "wirings").glob("*")]:
        if path.is_file():
            mode = path.stat().st_mode
            path.chmod(0)
            try:
                harmless([scene.say(scene.tool(), preexec_fn=bare), scene.say(scene.payload("Stop"), preexec_fn=bare)])
            finally:
                path.chmod(mode)
    assert scene.pre().exit == 0, "once they may be read again, all goes on"


# --- files that are missing, broken, or something else ---------------------------------------------------------------


def gone(path: Path, outside: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def emptied(path: Path, outside: Path) -> None:
    if path.is_dir():
        gone(path, outside)
        path.mkdir()
    else:
        gone(path, outside)
        path.write_bytes(b"")


def garbage(path: Path, outside: Path) -> None:
    gone(path, outside)
    path.write_bytes(b"\xff\x00{]garbage" * 50)


def cut(path: Path, outside: Path) -> None:
    if path.is_file():
        half = path.read_bytes()[: path.stat().st_size // 2]
        gone(path, outside)
        path.write_bytes(half)


def a_folder(path: Path, outside: Path) -> None:
    gone(path, outside)
    (path / "inside").mkdir(parents=True)


def a_pipe(path: Path, outside: Path) -> None:
    gone(path, outside)
    os.mkfifo(path)


def a_socket(path: Path, outside: Path) -> None:
    gone(path, outside)
    made = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(path.parent)  # the address is short
    try:
        made.bind(path.name)
    finally:
        os.chdir(here)
        made.close()


def dangling(path: Path, outside: Path) -> None:
    gone(path, outside)
    path.symlink_to(outside / "not-there")


def link_to_file(path: Path, outside: Path) -> None:
    gone(path, outside)
    path.symlink_to(outside / "file")


def link_to_folder(path: Path, outside: Path) -> None:
    gone(path, outside)
    path.symlink_to(outside / "deep")


def loop(path: Path, outside: Path) -> None:
    gone(path, outside)
    path.symlink_to(path.name)


HARMS = (gone, emptied, garbage, cut, a_folder, a_pipe, a_socket, dangling, link_to_file, link_to_folder, loop)
OFTEN = (gone, garbage, a_folder, link_to_folder)
"""The others take their time with the slow tests."""


EACH = pytest.mark.parametrize(
    "harm",
    [pytest.param(harm, id=harm.__name__, marks=[] if harm in OFTEN else [pytest.mark.slow]) for harm in HARMS],
)


@EACH
def test_any_file_of_a_session_in_any_condition(
    scene: Scene, outside: Path, harm: Callable[[Path, Path], None]
) -> None:
    """State, log, bus, prompts, locks, claims, agents, debug logs: one at a time, then the agent works on."""
    harmless(life(scene))
    place = scene.place
    kept = scene.folder / "kept"
    shutil.copytree(place, kept)
    names = sorted(str(path.relative_to(place)) for path in place.rglob("*"))
    assert {"state.json", "events.jsonl", "prompts.jsonl", "locks", "locks/state", "turns", "agents", "key"} <= set(
        names
    )
    for name in names:
        harm(place / name, outside)
        harmless(
            [scene.prompt("go on"), scene.pre(), scene.say(scene.payload("Stop", agent_id="", stop_hook_active=True))]
        )
        harmless([scene.say(scene.tool("ls", agent_id="agent-2"))])
        shutil.rmtree(place)
        shutil.copytree(kept, place)


@EACH
def test_any_file_of_the_store_in_any_condition(scene: Scene, harm: Callable[[Path, Path], None]) -> None:
    """Bundle, session records, hook tables, key, host, trust, locks, marks: one at a time.

    The store is the user's own: unlike in the tree, a link in it is followed.
    """
    elsewhere = scene.folder / "elsewhere"
    (elsewhere / "deep").mkdir(parents=True)
    (elsewhere / "file").write_text("mine")
    scene.feature("odd", "return note('seen', 'yes')")
    scene.trust()
    harmless(life(scene))
    (scene.store / "tampered").write_text("x")
    (scene.store / "pause.json").write_text("{}")
    kept = scene.folder / "kept"
    shutil.copytree(scene.store, kept)
    names = sorted(str(path.relative_to(scene.store)) for path in scene.store.rglob("*"))
    assert {"key", "host", "trust.json", "sessions", "wirings"} <= {name.split("/")[0] for name in names}
    for name in names:
        if name == "door.py":  # what the entry says without it: tests/install/test_dead_door.py
            continue
        harm(scene.store / name, elsewhere)
        for said in (scene.begin(), scene.prompt()):
            assert said.body is not None, name
        said = scene.pre()
        assert said.decision in ("", "deny"), (name, said)
        if said.decision == "deny":
            assert "TAMPERED" in said.reason, (name, said)
        shutil.rmtree(scene.store)
        shutil.copytree(kept, scene.store, symlinks=True)
    for folder in scene.sessions():
        if folder != scene.sessions()[0]:
            shutil.rmtree(folder)


def test_trust_that_cannot_be_read_is_none(scene: Scene) -> None:
    scene.feature("odd", "return note('seen', 'yes')")
    scene.trust()
    scene.begin()
    assert "seen: yes" in json.dumps(scene.pre().body)
    for broken in (b"", b"[]", b"\xff", b'{"v":1,"repos":[]}', b'{"v":1,"repos":{"x":7}}', b"[" * 5000):
        (scene.store / "trust.json").write_bytes(broken)
        assert "seen: yes" not in json.dumps(scene.pre().body), broken


# --- places that lead elsewhere --------------------------------------------------------------------------------------


@pytest.mark.parametrize("link", [".ai/tmp", ".ai"])
def test_a_link_in_the_way_sends_us_to_the_store(scene: Scene, outside: Path, link: str) -> None:
    target = scene.root / link
    shutil.rmtree(target, ignore_errors=True)
    target.symlink_to(outside)
    harmless(life(scene))
    assert scene.place.is_relative_to(scene.store)
    assert scene.rows("HOOK_EVENT")[0]["data"]["storeOnly"]


def test_a_link_to_a_file_and_a_loop_in_the_way(scene: Scene, outside: Path) -> None:
    for target in (outside / "file", Path("tmp"), outside / "missing"):
        (scene.root / ".ai" / "tmp").unlink(missing_ok=True)
        (scene.root / ".ai" / "tmp").symlink_to(target)
        harmless(life(scene, session_id=f"s-{target.name}"))
    assert all(folder.is_relative_to(scene.store) for folder in scene.sessions())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("what", [".ai", ".ai/tmp"])
def test_a_foreign_owner_sends_us_to_the_store(scene: Scene, what: str) -> None:
    folder = scene.root / what
    folder.mkdir(exist_ok=True)
    os.chown(folder, 12345, 12345)
    harmless(life(scene))
    assert scene.place.is_relative_to(scene.store)


def test_without_a_place_of_ours_nothing_is_written_into_the_tree(scene: Scene) -> None:
    """A repository without `.ai/` runs in store-only mode (design section 4)."""
    (scene.root / ".ai").rmdir()
    before = listing(scene.root)
    harmless(life(scene))
    assert listing(scene.root) == before
    assert scene.place.is_relative_to(scene.store)


IDS = (
    *("../../x", "..", ".", "a/b", "/etc/passwd", "~", "-rf", "a\0b", "\0", "x" * 10_000, "ü/../ä", "\ud800", "\u202e"),
    *("a\nb", "CON", "key", "state.json", "%2e%2e%2f", "$(touch owned)", "`touch owned`", " ", "=agent"),
)


def test_path_like_ids_stay_inside(scene: Scene) -> None:
    """Session, agent, call and transcript ids name no file outside the session's own folder and the store's."""
    named = [scene.root / ".ai", scene.store]
    before = listing(scene.folder, without=named)
    for number, strange in enumerate(IDS):
        harmless([scene.begin(session_id=strange), scene.pre(session_id="", transcript_path=strange)])
        fields = {"session_id": f"s{number}", "agent_id": strange, "agent_type": strange}
        harmless([scene.say(scene.payload("SubagentStart", **fields)), scene.pre(tool_use_id=strange, **fields)])
    assert listing(scene.folder, without=named) == before
    assert all(len(folder.name) == 8 for folder in scene.sessions())
    assert sorted(path.name for path in (scene.root / ".ai" / "tmp").iterdir() if len(path.name) != 8) == [
        ".gitignore",
        ".ignore",
        "dispatch.log",
    ]
    names = {path.name for path in scene.store.iterdir() if not path.name.startswith(REST)}
    assert names <= STORE, "a strange name in the store"


REST = f"cold-{sys.hexversion:x}-"
"""What the name of a bundle's second file begins with; a digest follows."""
STORE = {
    "door.py",
    "loaded",
    "slow.py",
    "commit.py",
    "package",
    "key",
    "host",
    "sessions",
    "wirings",
    "repos",
    "cleared",
} | {
    *(f"{part}-{sys.hexversion:x}.bin" for part in ("hot", "commit")),
    f"sources-{sys.hexversion:x}",
}
"""What a store holds when nobody did anything with it but use it."""


def test_only_the_named_places_are_written(scene: Scene) -> None:
    """Everything below the machine but the session's folder and the store is as it was (contract invariant 10)."""
    named = [scene.root / ".ai" / "tmp", scene.store]
    before = listing(scene.folder, without=named)
    harmless(life(scene))
    assert listing(scene.folder, without=named) == before


def test_modes_are_private(scene: Scene) -> None:
    """Folders 0700 and files 0600, whatever the client's umask."""
    for umask in (0o000, 0o077, 0o777):
        harmless([scene.say(scene.payload("SessionStart", session_id=f"u{umask}", source="startup"), umask=umask)])
        if umask != 0o777:
            harmless([scene.say(scene.tool(session_id=f"u{umask}"), umask=umask)])
    for path in [*scene.place_of("u0").rglob("*"), scene.place_of("u0"), *(scene.store / "sessions").glob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


# --- a hostile repository and hostile settings ------------------------------------------------------------------------

MODULES = (
    *("json", "re", "os", "sys", "posix", "time", "marshal", "types", "typing", "site", "sitecustomize", "io", "abc"),
    *("usercustomize", "encodings", "codecs", "jackline", "zipimport", "signal", "_json", "_blake2", "hashlib", "math"),
    *("ast", "subprocess", "pwd", "pathlib", "functools", "dataclasses", "copy", "bisect", "fnmatch", "shlex", "glob"),
)


def test_no_module_of_the_repository_is_imported(scene: Scene) -> None:
    """Not by the plain road, nor by the slow ones: compile, JSON's own errors, masking, the full grammar."""
    owned = scene.folder / "owned"
    trap = f"open({str(owned)!r}, 'a').write(__name__ + '\\n')\n"
    for name in MODULES:
        (scene.root / f"{name}.py").write_text(trap)
        folder = scene.root / "lib" / name
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(trap)
    (scene.root / "evil.pth").write_text(f"import os; open({str(owned)!r}, 'a').write('pth')\n")
    site = scene.home / ".local" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (site / "evil.pth").write_text(f"import os; open({str(owned)!r}, 'a').write('pth')\n")
    (site / "sitecustomize.py").write_text(trap)
    env = {
        "PYTHONPATH": f"{scene.root}:{scene.root / 'lib'}",
        "PYTHONSTARTUP": str(scene.root / "os.py"),
        "PYTHONHOME": str(scene.root),
        "PYTHONUSERBASE": str(scene.home / ".local"),
        "PYTHONINSPECT": "1",
        "PYTHONBREAKPOINT": "os.system",
        "PYTHONWARNINGS": "error",
        "PYTHONPYCACHEPREFIX": str(scene.root),
        "PYTHONPLATLIBDIR": str(scene.root),
        "PYTHONEXECUTABLE": str(scene.root / "os.py"),
        "PYTHONVERBOSE": "1",
        "PYTHONDEBUG": "1",
        "PYTHONMALLOC": "debug",
    }
    harmless(life(scene))
    for payload in (
        scene.payload("SessionStart", source="resume"),
        scene.tool("echo ${A:-$(ls)} | tee x"),
        scene.tool(),
    ):
        harmless([scene.say(payload, env=env)])
    harmless([scene.send(b'{"broken', "PreToolUse", env=env), scene.send(b'{"x":NaN}', "Stop", env=env)])
    assert not owned.exists(), owned.read_text()


def test_nothing_that_the_repositorys_git_names_is_run(scene: Scene) -> None:
    owned = scene.folder / "owned"
    trap = scene.root / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho run >> {owned}\n")
    trap.chmod(0o755)
    config = scene.root / ".git" / "config"
    config.write_text(
        config.read_text()
        + f"[core]\n fsmonitor = {trap}\n hooksPath = {scene.root}\n sshCommand = {trap}\n pager = {trap}\n"
        + f'[diff]\n external = {trap}\n[filter "x"]\n clean = {trap}\n smudge = {trap}\n process = {trap}\n'
        + f"[alias]\n status = !{trap}\n[include]\n path = {scene.root}/more\n[credential]\n helper = !{trap}\n"
    )
    (scene.root / "more").write_text(f"[core]\n gitProxy = {trap}\n")
    (scene.root / ".gitattributes").write_text("* filter=x diff=x\n")
    for hook in ("post-index-change", "reference-transaction", "pre-commit"):
        (scene.root / hook).symlink_to(trap)
    scene.feature("odd", "return note('seen', 'yes')")
    scene.trust()
    harmless(life(scene))
    assert not owned.exists(), owned.read_text()


def test_a_strange_git_folder_is_no_fault(scene: Scene, outside: Path) -> None:
    git_folder = scene.root / ".git"
    kinds: list[Callable[[], object]] = [
        lambda: git_folder.write_text("gitdir: /nowhere\n"),
        lambda: git_folder.write_bytes(b"\xff\x00"),
        lambda: git_folder.write_text("gitdir: ../outside\n"),
        lambda: git_folder.symlink_to(outside),
        lambda: os.mkfifo(git_folder),
        lambda: git_folder.mkdir(),
    ]
    for number, make in enumerate(kinds):
        shutil.rmtree(git_folder) if git_folder.is_dir() and not git_folder.is_symlink() else git_folder.unlink()
        make()
        said = life(scene, session_id=f"git-{number}")
        harmless(said)
        assert {one.exit for one in said} == {0}


@pytest.mark.parametrize("cwd", ["gone", "not-absolute", "file", "nul", "long", "loop"])
def test_a_strange_working_folder(scene: Scene, cwd: str) -> None:
    (scene.root / "loop").symlink_to("loop")
    places = {
        "gone": f"{scene.folder}/was/here",
        "not-absolute": "src/../..",
        "file": f"{scene.store}/door.py",
        "nul": f"{scene.root}\0/x",
        "long": "/" + "x/" * 5000,
        "loop": f"{scene.root}/loop",
    }
    said = life(scene, cwd=places[cwd])
    harmless(said)
    assert {one.exit for one in said} == {0}


def test_a_working_folder_that_is_gone_under_the_door(scene: Scene) -> None:
    gone_folder = scene.folder / "gone"
    gone_folder.mkdir()
    raw = json.dumps(scene.tool(cwd="")).encode()
    with scene.start("PreToolUse", cwd=gone_folder, preexec_fn=lambda: os.rmdir(gone_folder)) as door:
        out, err = door.communicate(raw, 20)
    assert (door.returncode, out, err) == (0, b"{}\n", b"") or json.loads(out).keys() <= {"systemMessage"}


def test_our_variables_in_client_settings_move_nothing(scene: Scene, outside: Path) -> None:
    """A repository's client settings may set any variable for its hooks: the store stays where the entry says."""
    env = {
        "JACKLINE_STORE": str(outside),
        "JACKLINE_SKIP": "*",
        "JACKLINE_HOME": str(outside),
        "XDG_STATE_HOME": str(outside),
        "XDG_CONFIG_HOME": str(outside),
        "HOME": str(outside),
        "TMPDIR": str(outside),
        "GIT_DIR": str(outside),
        "GIT_CONFIG_GLOBAL": str(outside / "file"),
        "GIT_EXTERNAL_DIFF": "/bin/false",
        "PATH": str(outside),
        "LC_ALL": "xx_XX.ASCII",
        "LANG": "C",
        "COLUMNS": "1",
        "CLAUDE_PROJECT_DIR": "/nonexistent",
    }
    (outside.parent / "x").mkdir()
    scene.feature("guard", "return deny('not this one')", critical=True)
    scene.trust()
    scene.begin()
    said = scene.say(scene.tool(), env=env)
    assert said.decision == "deny"
    assert scene.decided() == ["deny"]
    named = [scene.root / ".ai", scene.store, scene.folder / "x"]
    before = listing(scene.folder, without=named)
    for payload in (scene.payload("SessionStart", source="startup"), scene.payload("UserPromptSubmit", prompt="x")):
        scene.say(payload, env=env)
    assert listing(scene.folder, without=named) == before


def test_a_repository_cannot_loosen_its_guards_by_itself(scene: Scene) -> None:
    """Configuration that nobody trusts may only tighten (design section 5)."""
    scene.feature("guard", "return deny('not this one')", critical=True)
    scene.trust()
    scene.begin()
    manifest = {"mode": "observe", "modules": {"guard": {"enabled": False}, "session": {"enabled": False}}}
    (scene.hooks / "dispatch.manifest.json").write_text(json.dumps(manifest))
    (scene.hooks / "hooks.local.json").write_text(json.dumps(manifest))
    said = scene.pre("rm -rf .ai/tmp")
    assert said.decision == "deny"
    git(scene.root, "init", "-q", ".")
    assert scene.pre("rm -rf .ai/tmp").decision == "deny"
