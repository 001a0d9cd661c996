"""`docs/trust.md`: what a person sees after a pull is what the commands and the client's event say."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from docs.workshop import Page, Workshop, held
from scene import Scene

PAGE = Page("trust.md")
SCRIPTS = ".ai/hooks/scripts"
SCRIPT = "#!/bin/sh\n#---\n# type: event\n# events: [PreToolUse]\n# block: true\n#---\n{}\n"


@pytest.fixture
def shop(tmp_path: Path, made_bundle: Path) -> Workshop:
    """Three trusted scripts, and a colleague's branch in a clone that changes one, adds one and deletes one."""
    made = Workshop(tmp_path, made_bundle)
    made.jackline("init", "--client", "claude-code", "--yes")
    for name in ("no-watch", "no-network", "tabs"):
        made.write(f"{SCRIPTS}/{name}.sh", SCRIPT.format("! grep -q 'npm test --watch' || exit 2"), runs=True)
    made.git("add", "-f", SCRIPTS)
    made.git("commit", "-q", "-m", "scripts")
    made.agree()
    mate = made.root.parent / "colleague"
    made.git("clone", "-q", str(made.root), str(mate))
    made.git("-C", str(mate), "checkout", "-q", "-b", "work")
    (mate / SCRIPTS / "no-watch.sh").write_text(SCRIPT.format("! grep -qE 'npm test (--watch|-w)' || exit 2"))
    (mate / SCRIPTS / "licences.sh").write_text(SCRIPT.format("exit 0"))
    (mate / SCRIPTS / "tabs.sh").unlink()
    made.git("-C", str(mate), "add", "-A")
    made.git("-C", str(mate), "commit", "-q", "-m", "work")
    made.git("remote", "add", "colleague", str(mate))
    made.git("fetch", "-q", "colleague")
    return made


def shown(note: str) -> str:
    (found,) = [one.text for one in PAGE.blocks if one.language == "output" and one.note == note]
    return found


def test_after_the_persons_pull(shop: Workshop) -> None:
    shop.begin()
    shop.prompt()
    shop.shell("git pull -q --no-rebase colleague work")
    held(shown("told"), shop.pre("ls").body["systemMessage"])
    held(shown("status"), shop.jackline("status", env={"COLUMNS": "140"}).out)
    assert shop.pre("npm test -w").decision == "", "the version that was trusted does not know that form"
    command = "jackline trust --diff no-watch.sh"
    held(shown(command), shop.typed(*command.split()[1:], keys=b"y\n").out)
    assert shop.pre("npm test -w").decision == "deny"
    assert shop.pre("ls").body == {}, "the new one is not told once more"


def test_an_agents_merge(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shop, "argv", partial(Scene.argv, shop))  # the client lives on between its events
    shop.begin()
    held(shown("asked"), shop.pre("git merge colleague/work").reason)
    payload = shop.tool("make all")
    assert shop.say(payload).decision == ""
    shop.git("merge", "-q", "colleague/work")
    after = {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "interrupted": False}}
    held(shown("told") + shown("gone"), shop.say({**payload, **after}).body["systemMessage"])
