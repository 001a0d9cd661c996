"""Folders with hooks of their own below the root: their features and scripts are added for calls that lead into them.

Kinds of folders × ways to lead into one.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.runtime import nested_repo
from scene import Said, Scene, git

NAMED = ("-c", "user.name=a", "-c", "user.email=a@b")
SCRIPT = """#!/bin/sh
#---
# type: event
# events: [PreToolUse]
# block: true
#---
echo "script of $(basename "$PWD")" >&2
exit 2
"""


def a_sub_folder(scene: Scene) -> Path:
    return scene.root / "apps/web"


def a_repository(scene: Scene) -> Path:
    top = scene.root / "vendor/lent"
    top.mkdir(parents=True)
    git(top, "init", "-q")
    return top


def a_submodule(scene: Scene) -> Path:
    lent = scene.folder / "lent"
    lent.mkdir()
    git(lent, "init", "-q")
    git(lent, *NAMED, "commit", "-qm", "one", "--allow-empty")
    git(scene.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lent), "parts/lent")
    return scene.root / "parts/lent"


def a_worktree(scene: Scene) -> Path:
    git(scene.root, *NAMED, "commit", "-qm", "one", "--allow-empty")
    git(scene.root, "worktree", "add", "-q", str(scene.root / ".trees/x"))
    return scene.root / ".trees/x"


def a_folder_below_another_repository(scene: Scene) -> Path:
    beside = scene.folder / "beside"
    (beside / "apps/web").mkdir(parents=True)
    git(beside, "init", "-q")
    return beside / "apps/web"


KINDS = (a_sub_folder, a_repository, a_submodule, a_worktree, a_folder_below_another_repository)


def by_cwd(scene: Scene, folder: Path) -> Said:
    return scene.pre("echo hi", cwd=str(folder))


def by_deeper_cwd(scene: Scene, folder: Path) -> Said:
    (folder / "src/deep").mkdir(parents=True, exist_ok=True)
    return scene.pre("echo hi", cwd=str(folder / "src/deep"))


def by_path(scene: Scene, folder: Path) -> Said:
    call = {
        "tool_name": "Read",
        "tool_input": {"file_path": f"{folder}/src/a.py"},
        "tool_use_id": f"t{time.monotonic_ns()}",
    }
    return scene.say(scene.payload("PreToolUse", **call))


def by_link(scene: Scene, folder: Path) -> Said:
    short = scene.root / "short"
    if not short.exists():
        short.symlink_to(folder)
    call = {
        "tool_name": "Read",
        "tool_input": {"file_path": f"{scene.root}/short/a.py"},
        "tool_use_id": f"t{time.monotonic_ns()}",
    }
    return scene.say(scene.payload("PreToolUse", **call))


def by_command(scene: Scene, folder: Path) -> Said:
    return scene.pre(f"touch {folder}/src/a.py")


def by_cd(scene: Scene, folder: Path) -> Said:
    return scene.pre(f"cd {folder} && make all")


WAYS = (by_cwd, by_deeper_cwd, by_path, by_link, by_command, by_cd)


@pytest.fixture(params=KINDS, ids=lambda one: one.__name__)
def folder(scene: Scene, request: pytest.FixtureRequest) -> Path:
    made: Path = request.param(scene)
    (made / ".ai/hooks/scripts").mkdir(parents=True)
    return made


@pytest.mark.parametrize("way", WAYS, ids=lambda one: one.__name__)
def test_its_hooks_are_added_for_calls_that_lead_there(
    scene: Scene, folder: Path, way: Callable[[Scene, Path], Said]
) -> None:
    scene.feature("house-rule", "return note('here', 'feature of the root')")
    scene.trust()
    scene.feature("house-rule", "return note('here', 'feature of the folder')", root=folder)
    (folder / ".ai/hooks/scripts/own.sh").write_text(SCRIPT)
    (folder / ".ai/hooks/scripts/own.sh").chmod(0o755)
    scene.begin()
    said = way(scene, folder)
    assert (said.decision, said.reason) == ("", ""), "nobody trusts them yet"
    scene.trust(folder)
    said = way(scene, folder)
    assert (said.decision, f"script of {folder.name}" in said.reason) == ("deny", True)
    row = scene.rows("TOOL_DECISION")[-1]
    assert [one["feature"] for one in row["data"]["actions"]].count("house-rule") == 2
    assert scene.pre("touch src/a.py").decision == ""
    assert len(scene.sessions()) == 1, "the session stays where it began"


@pytest.mark.parametrize(
    "command", ["touch {}/a.py", "cat {}/a.py", "ls {}", "npm --prefix={} test", "cat './{}/a.py'"]
)
def test_a_relative_path_of_a_command_leads_there(scene: Scene, command: str) -> None:
    web = scene.root / "apps/web"
    scene.feature("web-rule", "return deny('rule of web')", root=web)
    scene.trust(web)
    scene.begin()
    assert scene.pre(command.format("apps/web")).reason.startswith("rule of web")
    assert scene.pre(command.format("apps/we")).decision == ""
    assert scene.pre(command.format("web"), cwd=str(scene.root / "apps")).reason.startswith("rule of web")


def test_it_loosens_nothing(scene: Scene, folder: Path) -> None:
    """What its configuration switches off or approves holds nowhere."""
    (folder / ".ai/hooks/dispatch.manifest.json").write_text(
        '{"version": 1, "mode": "observe", "modules": {"command-guard": {"enabled": false},'
        ' "self-protect": {"enabled": false}, "yes-man": {"mayApprove": true}}}'
    )
    scene.feature("yes-man", "return approve('why not')", root=folder)
    scene.trust(folder)
    scene.begin()
    for cwd in (scene.root, folder):
        assert scene.pre("rm -rf ~", cwd=str(cwd)).decision == "deny", cwd
        assert scene.pre(f"cat {scene.store}/key", cwd=str(cwd)).decision == "deny", cwd
    assert scene.pre("make all", cwd=str(folder)).decision == "", "only a person's configuration approves"


def test_a_sub_folder_adds_only_what_it_brings(scene: Scene) -> None:
    """A feature that is off at the root stays off: the folder belongs to the same repository."""
    web = scene.root / "apps/web"
    (scene.root / ".ai/hooks").mkdir(parents=True, exist_ok=True)
    (scene.root / ".ai/hooks/dispatch.manifest.json").write_text(
        '{"version": 1, "modules": {"command-guard": {"enabled": false}}}'
    )
    scene.feature("web-rule", "return note('here', 'web')", root=web)
    for root in (scene.root, web):
        scene.trust(root)
    scene.begin()
    said = scene.pre("git clean -fd", cwd=str(web))
    actions = scene.rows("TOOL_DECISION")[-1]["data"]["actions"]
    assert "web-rule" in [one["feature"] for one in actions]
    assert "command-guard" not in [one["feature"] for one in actions]
    assert said.decision == ""


# --- how their units stand is told, and holds ------------------------------------------------------------------------


def notes(said: Said) -> str:
    return str(said.body.get("systemMessage", ""))


def states(scene: Scene) -> list[tuple[str, str]]:
    return [(row["data"]["place"], row["data"]["state"]) for row in scene.rows("UNIT_STATE")]


def test_what_nobody_trusts_is_told_at_the_first_event_that_leads_there(scene: Scene) -> None:
    web = scene.root / "apps/web"
    scene.feature("web-rule", "return deny('rule of web')", root=web)
    assert "apps/web" not in notes(scene.begin())
    told = notes(scene.pre("touch apps/web/a.py"))
    said = "apps/web: .ai/hooks/features/web-rule (feature) is new and not trusted: it does not run"
    assert f"{said} · jackline -C apps/web --here trust .ai/hooks/features/web-rule" in told
    assert notes(scene.pre("touch apps/web/b.py")) == "", "once"
    assert states(scene) == [("apps/web/.ai/hooks/features/web-rule", "new")]


def test_what_changed_is_told_at_every_start(scene: Scene) -> None:
    """Wherever the session starts: what a person trusted is known, and the version they trusted runs on."""
    web = scene.root / "apps/web"
    scene.feature("web-rule", "return deny('rule of web')", root=web)
    scene.trust(web)
    assert notes(scene.begin()) == ""
    scene.feature("web-rule", "return None", root=web)
    for _ in range(2):
        assert "apps/web: .ai/hooks/features/web-rule (feature) changed since you trusted it" in notes(scene.begin())
    assert states(scene) == [("apps/web/.ai/hooks/features/web-rule", "changed")]
    assert scene.pre("touch apps/web/a.py").reason.startswith("rule of web")


LEAVING = (
    "cd apps && touch web/a.py",
    "cd apps && cat web/a.py",
    "touch apps/*/a.py",
    "cat a*/w*/a.py",
    "touch apps/{web,x}/a.py",
    "pushd apps; touch web/a.py",
    "find apps -name '*.py' -exec touch {} +",
    "rm -r apps",
    "D=apps/web; touch $D/a.py",
)


@pytest.mark.parametrize("gone", [False, True], ids=["there", "its hooks are gone"])
@pytest.mark.parametrize("command", LEAVING)
def test_what_is_trusted_is_asked_however_the_call_leads_there(scene: Scene, command: str, gone: bool) -> None:
    web = scene.root / "apps/web"
    scene.feature("web-rule", "return deny('rule of web')", critical=True, root=web)  # asked after an ask, too
    scene.trust(web)
    scene.begin()
    if gone:
        shutil.rmtree(web / ".ai")
    assert "rule of web" in scene.pre(command).reason
    assert scene.pre("touch lib/a.py").decision == ""


def test_a_unit_that_cannot_run_holds_the_calls_that_lead_there(scene: Scene) -> None:
    web = scene.root / "apps/web"
    scene.feature("web-rule", "return deny('rule of web')", root=web)
    scene.trust(web)
    scene.begin()
    for path in (scene.store / "trusted").glob("*"):
        if path.is_file():
            path.unlink()
    scene.feature("web-rule", "return None", root=web)
    said = scene.pre("touch apps/web/a.py")
    assert said.decision == "ask"
    assert "apps/web: .ai/hooks/features/web-rule cannot run as you trusted it" in said.reason
    assert "jackline -C apps/web --here trust --diff" in said.reason
    assert scene.pre("touch lib/a.py").decision == ""


def test_no_call_leads_past_a_rule(scene: Scene) -> None:
    """The last of many folders is asked as the first; a call that leads into more than are asked waits for a person."""
    for at in range(8):
        folder = scene.root / f"p{at}"
        scene.feature(f"rule-{at}", f"return deny('rule {at}')" if at == 7 else "return None", root=folder)
        scene.trust(folder)
    scene.begin()
    assert scene.pre("touch " + " ".join([f"p{at}/a" for at in range(8)])).reason.startswith("rule 7")
    for at in range(nested_repo.MOST + 1):
        (scene.root / f"q{at}/.ai/hooks").mkdir(parents=True)
    said = scene.pre("touch " + " ".join([f"q{at}/a" for at in range(nested_repo.MOST + 1)]))
    assert (said.decision, "1 more folders with hooks of their own" in said.reason) == ("ask", True)


# --- session and file scripts of a sub-folder ------------------------------------------------------------------------


def script(folder: Path, name: str, declared: str, body: str) -> None:
    place = folder / ".ai/hooks/scripts" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    front = "".join([f"# {line}\n" for line in declared.split("\n")])
    place.write_text(f"#!/bin/sh\n#---\n{front}#---\n{body}\n")
    place.chmod(0o755)


def stop(scene: Scene) -> Said:
    return scene.say(scene.payload("Stop", stop_hook_active=False))


MARKERS = """echo "$PWD $JACKLINE_WORKSPACE $JACKLINE_SCRIPT"
tr '\\0' ' ' < "$JACKLINE_CHANGED_FILES_LIST"
! grep -n FIXED $JACKLINE_CHANGED_FILES /dev/null"""


def test_its_file_scripts_look_at_what_changed_below_it(scene: Scene) -> None:
    """By whatever it changed: no event said anything of it. Its names and its working folder are the sub-folder's."""
    web = scene.root / "apps/web"
    script(web, "words.sh", 'type: file\npattern: "src/*.md"', MARKERS)
    scene.trust(web)
    scene.begin()
    for name in ("src/root.md", "apps/web/src/a b.md", "apps/web/src/x.md", "apps/web/x.md", "apps/webb/src/x.md"):
        (scene.root / name).parent.mkdir(parents=True, exist_ok=True)
        (scene.root / name).write_text("FIXED\n")
    said = stop(scene)
    assert said.body["decision"] == "block"
    assert "Files: apps/web/src/a b.md, apps/web/src/x.md\n" in said.reason
    assert f"{web} {web} apps/web/words\nsrc/a b.md src/x.md src/x.md:1:FIXED\n" in said.reason
    assert [row["data"]["script"] for row in scene.rows("SCRIPT_RUN")] == ["apps/web/words"]
    (web / "src/x.md").write_text("done\n")
    assert stop(scene).decision == "" and "decision" not in stop(scene).body
    (scene.root / "src/root.md").write_text("FIXED FIXED\n")
    assert "decision" not in stop(scene).body, "nothing changed below it"
    assert len(scene.rows("SCRIPT_RUN")) == 2


def test_the_roots_and_its_file_scripts_run_side_by_side(scene: Scene) -> None:
    """Of one name, each over its own files; of a nested repository none runs, its files are no files of this one."""
    web, lent = scene.root / "apps/web", a_repository(scene)
    for folder in (scene.root, web, lent):
        script(folder, "words.sh", "type: file\npattern: '*.md'", "exit 0")
        scene.trust(folder)
    scene.begin()
    for name in ("a.md", "apps/web/a.md", "vendor/lent/a.md"):
        (scene.root / name).write_text("x\n")
    assert "decision" not in stop(scene).body
    ran = {row["data"]["script"]: row["data"]["files"] for row in scene.rows("SCRIPT_RUN")}
    assert ran == {"words": 2, "apps/web/words": 1}


@pytest.mark.parametrize("state", ["never trusted", "changed", "gone"])
def test_trust_by_unit_holds_for_its_file_scripts(scene: Scene, state: str) -> None:
    web = scene.root / "apps/web"
    script(web, "words.sh", "type: file\npattern: '*.md'", "echo as trusted; exit 1")
    if state != "never trusted":
        scene.trust(web)
    scene.begin()
    if state == "changed":
        script(web, "words.sh", "type: file\npattern: '*.md'", "exit 0")
    if state == "gone":
        shutil.rmtree(web / ".ai")
    (web / "a.md").write_text("x\n")
    said = stop(scene)
    assert ("as trusted" in said.reason) is (state != "never trusted")
    if state != "never trusted":
        assert "apps/web: .ai/hooks/scripts/words.sh (script)" in notes(said)


def test_its_session_scripts_run_where_the_session_starts_in_it(scene: Scene) -> None:
    web = scene.root / "apps/web"
    (web / "src").mkdir(parents=True)
    script(web, "env.sh", "type: session", 'echo "$PWD $JACKLINE_WORKSPACE" >> ran')
    scene.trust(web)
    scene.begin()
    assert not (web / "ran").exists(), "this session starts elsewhere"
    scene.session = "22222222-2222-3333-4444-555555555555"
    for _ in range(2):
        scene.begin(cwd=str(web / "src"))
    assert (web / "ran").read_text() == f"{web} {web}\n"
