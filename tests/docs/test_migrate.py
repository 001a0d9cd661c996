"""`docs/migrate/`: the old configuration is placed, what the page says is done, and it works as shown."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from docs.blocks import shows
from docs.regions import REPO
from docs.workshop import Page, Workshop, held
from jackline.compiler.scriptfields import UNUSED

PAGES = ("from-discobot", "from-spexcode", "from-claude-settings-hooks", "from-pre-commit")
WAY = "```text\njackline init\njackline trust --diff\n```"


@pytest.fixture
def shop(tmp_path: Path, made_bundle: Path) -> Workshop:
    made = Workshop(tmp_path, made_bundle)
    (made.home / ".claude").mkdir(exist_ok=True)
    return made


def page(name: str) -> Page:
    return Page(f"migrate/{name}.md")


def install(shop: Workshop) -> None:
    """`jackline init`, then a person's yes."""
    shop.jackline("init", "--client", "claude-code", "--yes")
    shop.agree()


def refused(found: Page, note: str, said: dict[str, Any]) -> None:
    """That a denial is the one the page shows."""
    shown = json.loads(found.one("json", note))["hookSpecificOutput"]
    given = said["hookSpecificOutput"]
    assert given["permissionDecisionReason"].startswith(shown.pop("permissionDecisionReason").rstrip("…"))
    assert {key: given[key] for key in shown} == shown


def wrote(shop: Workshop, name: str, event: str = "PreToolUse") -> dict[str, Any]:
    given = {"file_path": str(shop.root / name), "content": "x"}
    return shop.tool(event=event, tool_name="Write", tool_input=given)


def test_the_pages_are_these_and_the_index_has_them() -> None:
    found = {path.stem for path in (REPO / "docs/migrate").glob("*.md")}
    assert found == set(PAGES)
    for where in ("docs/README.md", "docs/scripts.md"):
        for name in PAGES:
            assert f"](migrate/{name}.md)" in (REPO / where).read_text()


@pytest.mark.parametrize("name", PAGES)
def test_each_page_has_its_parts(name: str) -> None:
    text = page(name).text
    assert WAY in text
    for title in ("An example", "Old and new", "What is different, and why", "The way back"):
        assert f"\n## {title}\n" in text
    assert text.count("|\n| --- | --- |\n") == 1


# --- Discobot ------------------------------------------------------------------------------------------------------


def test_discobot(shop: Workshop) -> None:
    """Scripts unchanged, its git hook understood, and everything given back."""
    found = page("from-discobot")
    shop.place_all(found.files())
    hook = shop.root / ".git/hooks/pre-commit"
    before = {path.name: path.read_bytes() for path in hook.parent.glob("pre-commit*") if path.suffix != ".sample"}
    install(shop)
    shop.begin()
    assert (shop.root / ".where").read_text() == f"{shop.root}\n"
    shop.prompt()
    shop.write("a.py", "\tx = 1\n")
    held(found.one("output", "no-tabs"), shop.stop()["reason"])
    shop.write("a.py", "x = 1\n")
    assert shop.stop() == {}
    (shop.root / "big").write_bytes(b"x" * 600_000)
    shop.git("add", "big")
    held(found.one("output", "sizes"), shop.shell("git commit -q -m x", code=1))
    shop.git("rm", "-q", "--cached", "big")
    (shop.root / "big").unlink()
    assert shop.shell("git commit -q --allow-empty -m x") == "the older hook\n"
    shop.jackline("uninstall", "--yes")
    left = {path.name: path.read_bytes() for path in hook.parent.glob("pre-commit*") if path.suffix != ".sample"}
    assert left == before
    for one in found.files(".discobot"):
        assert (shop.root / one.note).read_text() == one.text


def test_the_discobot_page_names_fields_that_do_nothing() -> None:
    text = page("from-discobot").text
    assert {name for name in UNUSED if f"`{name}`" in text} >= {"blocking", "phase", "subagent"}


# --- SpexCode ------------------------------------------------------------------------------------------------------


def test_spexcode(shop: Workshop) -> None:
    """A handler did what it did before, through exit code 2; the other runs all the same; the text is in its block."""
    found = page("from-spexcode")
    shop.place_all(found.files())
    raw = json.dumps(wrote(shop, "a.py")).encode()
    old = subprocess.run([shop.root / ".config/spec-first/spec-first.sh"], input=raw, cwd=shop.root,
                         capture_output=True, check=False)  # fmt: skip
    assert (old.returncode, old.stderr) == (2, b"write spec.md first\n")
    install(shop)
    table = shop.jackline("hooks", "PreToolUse", env={"COLUMNS": "120"}).out
    lines = [line for line in found.one("output", "hooks").split("\n") if line.strip("…")]
    assert len(lines) == 2
    for line, seen in zip(lines, [one for one in table.splitlines() if ".config/" in one], strict=True):
        assert shows(f"…{line.partition('.')[2]}", seen), (line, seen)
    refused(found, "spec-first", shop.say(wrote(shop, "a.py")).body)
    assert (shop.root / ".active").exists()
    shop.write("spec.md", "")
    assert shop.say(wrote(shop, "a.py")).decision == ""
    for name in ("AGENTS.md", "CLAUDE.md"):
        text = (shop.root / name).read_text()
        assert "The specification is the truth; the code follows it." in text and "<!-- jackline:start -->" in text
    shop.jackline("uninstall", "--yes")
    assert not (shop.root / "AGENTS.md").exists()


# --- Claude Code ---------------------------------------------------------------------------------------------------


def by_claude(shop: Workshop, payload: dict[str, Any]) -> list[subprocess.CompletedProcess[bytes]]:
    """What Claude Code does with the hooks of the project's settings: the shell, the event on standard input."""
    settings = json.loads((shop.root / ".claude/settings.json").read_text())
    ran = []
    for group in settings["hooks"].get(payload["hook_event_name"], []):
        if payload["tool_name"] in group.get("matcher", payload["tool_name"]).split("|"):
            for one in group["hooks"]:
                env = {**shop.env, "CLAUDE_PROJECT_DIR": str(shop.root)}
                ran.append(
                    subprocess.run(
                        ["/bin/sh", "-c", one["command"]], input=json.dumps(payload).encode(), env=env, cwd=shop.root,
                        capture_output=True, check=False,
                    )
                )  # fmt: skip
    return ran


def test_claude_settings_hooks(shop: Workshop) -> None:
    """The same programs, first as settings hooks, then as scripts; entries of others are left alone."""
    found = page("from-claude-settings-hooks")
    shop.place_all(found.files(".claude"))
    push, write = shop.tool("git push --force"), wrote(shop, "src/generated/a.py", "PostToolUse")
    (old,) = by_claude(shop, push)
    assert (old.returncode, old.stderr) == (2, b"no forced push from an agent\n")
    before = [json.loads(one.stdout) for one in by_claude(shop, write) if one.stdout]
    assert (shop.root / ".calls").read_text() == "x\n"

    theirs = (shop.root / ".claude/settings.json").read_bytes()
    shop.jackline("init", "--client", "claude-code", "--yes")
    assert (shop.root / ".claude/settings.json").read_bytes() == theirs
    shop.jackline("uninstall", "--yes")

    (shop.root / ".claude/settings.json").unlink()
    shop.place_all(found.files(".ai"))
    shop.env["CLAUDE_PROJECT_DIR"] = str(shop.root)
    install(shop)
    refused(found, "no-force", shop.say(push).body)
    after = shop.say(write).body
    said = before[0]["hookSpecificOutput"]["additionalContext"]
    assert said in after["hookSpecificOutput"]["additionalContext"]
    until = time.monotonic() + 10
    while (shop.root / ".calls").read_text() != "x\nx\n":  # it runs behind the answer
        assert time.monotonic() < until
        time.sleep(0.02)
    read = shop.tool(event="PostToolUse", tool_name="Read", tool_input={"file_path": "src/generated/a.py"})
    assert said not in json.dumps(shop.say(read).body)


def test_programs_of_the_settings_and_scripts_differ_by_their_front_matter_alone() -> None:
    found = page("from-claude-settings-hooks")
    old = {one.note.rpartition("/")[2]: one.text for one in found.files(".claude/hooks")}
    for one in found.files(".ai"):
        first, _, rest = one.text.partition("\n#---\n")
        assert f"{first}\n{rest.partition('#---' + chr(10))[2]}" == old.pop(one.note.rpartition("/")[2])
    assert old == {}


# --- pre-commit ----------------------------------------------------------------------------------------------------


def test_pre_commit_hooks_as_scripts(shop: Workshop) -> None:
    """The program was called with names; now it is asked before a commit, at a turn's end, and in CI."""
    found = page("from-pre-commit")
    shop.place_all([one for one in found.files() if not one.note.endswith("/pre-commit.sh")])
    shop.write("a.py", "print(1)\n")
    shop.write("examples/b.py", "print(2)\n")
    old = subprocess.run(["tools/no-print", "a.py"], cwd=shop.root, capture_output=True, text=True, check=False)
    assert (old.returncode, old.stdout) == (1, "a.py:1:print(1)\n")
    shop.git("update-ref", "refs/remotes/origin/main", "HEAD")
    install(shop)
    shop.git("add", "a.py", "examples")
    held(found.one("output", "commit"), shop.shell("git commit -q -m x", code=1))
    shop.begin()
    shop.prompt()
    reason = shop.stop()["reason"]
    assert "Files: a.py\n" in reason and "a.py:1:print(1)" in reason
    shop.shell("JACKLINE_SKIP=no-print git commit -q -m x")
    (command,) = found.commands()
    if theirs := shutil.which("pre-commit"):  # the same answer of theirs to the same question
        line = found.text[found.text.index("pre-commit run --from-ref origin/main") :].partition("`")[0]
        said = shop.shell(line.replace("pre-commit", theirs, 1), code=1)
        assert "a.py:1:print(1)" in said and "examples" not in said
    held(found.one("output", "check"), shop.shell(command.text, code=1))
    shop.write("a.py", "x = 1\n")
    shop.git("add", "a.py")
    shop.shell("git commit -q -m y")
    shop.jackline("check", "--files", "a.py", "examples/b.py")
    shop.jackline("uninstall", "--yes")
    assert not (shop.root / ".git/hooks/pre-commit").exists()


def test_pre_commit_beside(shop: Workshop) -> None:
    """Their hook first, then ours; the file script calls it at a turn's end."""
    found = page("from-pre-commit")
    program = shutil.which("pre-commit")
    if program is None:  # what of it counts here: a program that takes names behind --files
        shop.write(
            "bin/pre-commit", '#!/bin/sh\n[ "$1 $2" = "run --files" ] && shift 2 && tools/no-print "$@"\n', runs=True
        )
        shop.env["PATH"] = f"{shop.root}/bin:{shop.env['PATH']}"
    else:
        shop.env["PATH"] += f":{Path(program).parent}"
    shop.place_all([one for one in found.files() if one.note.endswith(("/pre-commit.sh", ".yaml", "no-print"))])
    shop.git("add", ".")
    shop.git("commit", "-q", "-m", "second")
    install(shop)
    shop.begin()
    shop.prompt()
    shop.write("a.py", "print(1)\n")
    reason = shop.stop()["reason"]
    assert '"pre-commit"' in reason and "print(1)" in reason
    shop.write("a.py", "x = 1\n")
    assert shop.stop() == {}
