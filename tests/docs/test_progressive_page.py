"""`docs/progressive.md`: its five minutes are typed and played, its tables are those of the code."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.client_tables import PARTS
from docs.regions import REPO
from docs.workshop import Workshop, held
from jackline.clients import rows
from jackline.clients.capabilities import row
from jackline.compiler.registry import KNOWN, folder_of
from jackline.policy import phases
from jackline.services.capabilities import CAPABILITIES, WITH_ANY
from scene import audit

PAGE = REPO / "docs/progressive.md"
TEXT = PAGE.read_text()
STEP = re.compile(r"<!-- step (\w+) ([^>]+) -->|```(\w+)([^\n`]*)\n(.*?)```", re.DOTALL)
MAKEFILE = "test:\n\tgrep -rq days src\n"


@pytest.fixture
def shop(tmp_path: Path, made_bundle: Path) -> Iterator[Workshop]:
    made = Workshop(tmp_path / "machine", made_bundle)
    yield made
    for folder in made.sessions():
        audit(folder)
    assert made.crashes() == []


class Walk:
    """A person, and an agent of Claude Code, in a project with one test."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self.count = 0
        self.said = ""
        shop.write("src/auth/token.ts", "export const days = 30\n")
        shop.write("Makefile", MAKEFILE)
        shop.git("add", "-A")
        shop.git("commit", "-q", "-m", "a project")

    @property
    def phase(self) -> str:
        return phases.of(self.shop.state(self.shop.place_of(self.shop.session))["core"])

    def prompt(self, words: str) -> None:
        """A session begins with it; the agent reads until it knows its pack."""
        self.count += 1
        self.shop.session = f"session-{self.count}"
        time.sleep(0.1)  # nobody types that soon after a command that wrote files
        self.shop.begin()
        self.shop.prompt(words, prompt_id=f"p-{self.count}")
        for _ in range(600):
            if self.phase == "PLANNING":
                return
            self.reads("Makefile")
            time.sleep(0.1)
        raise AssertionError("the pack was not made")

    def reads(self, path: str) -> None:
        """What an agent begins with; its pack is bound as soon as it is there."""
        self.count += 1
        given = {"file_path": str(self.shop.root / path)}
        use = f"toolu_{self.count}"
        for event in ("PreToolUse", "PostToolUse"):
            self.shop.say(self.shop.payload(event, tool_name="Read", tool_input=given, tool_use_id=use))

    def writes(self, words: str) -> None:
        """The agent writes a file of so many lines; what the person reads, or the agent of a refusal."""
        path, lines = words.split()
        self.count += 1
        text = "".join(f"line {at}\n" for at in range(int(lines)))
        call = {
            "tool_name": "Write",
            "tool_input": {"file_path": str(self.shop.root / path), "content": text},
            "tool_use_id": f"toolu_{self.count}",
        }
        said = self.shop.say(self.shop.payload("PreToolUse", **call))
        self.said = "\n".join(said.reason.split("\n")[:3]) or str(said.body.get("systemMessage", ""))
        if said.decision != "deny":
            self.shop.write(path, text)
            self.shop.say(self.shop.payload("PostToolUse", **call, tool_response={}))

    def stops(self, where: str) -> None:
        """The agent's turn ends; what still runs then has ended before the next prompt."""
        self.shop.stop()
        for _ in range(600):
            if self.phase == "COMPLETE":
                return
            time.sleep(0.1)
            self.shop.stop()
        raise AssertionError(f"the task is not complete {where}")

    def agent(self, command: str) -> None:
        """The agent's shell: judged, run, told."""
        self.count += 1
        use = f"toolu_{self.count}"
        assert self.shop.say(self.shop.tool(command, tool_use_id=use)).decision == ""
        self.said = self.shop.shell(command, env={"CLAUDECODE": "1"})
        done = {"stdout": self.said, "stderr": "", "interrupted": False}
        self.shop.say(self.shop.tool(command, event="PostToolUse", tool_use_id=use, tool_response=done))

    def person(self, command: str) -> None:
        """What a person types; without a terminal their yes is an option."""
        changes = command.startswith(("jackline enable", "jackline disable"))
        self.said = self.shop.shell(command + (" --yes" if changes else ""), code=None)


def configured(shop: Workshop) -> dict[str, bytes]:
    """Every file but the agent's own work, git's, and the sessions'."""
    found = [path for path in sorted(shop.root.rglob("*")) if path.is_file()]
    names = {str(path.relative_to(shop.root)): path.read_bytes() for path in found}
    return {name: data for name, data in names.items() if not name.startswith((".git/", ".ai/tmp/", "src/"))}


def test_five_minutes(shop: Workshop) -> None:
    """Every command of the tutorial, with what it prints; at its end every file is as it was, to the byte."""
    walk = Walk(shop)
    before = configured(shop)
    shown = 0
    for verb, rest, language, note, text in STEP.findall(TEXT.partition("## Five minutes")[2].partition("\n## ")[0]):
        if verb:
            {"prompt": walk.prompt, "writes": walk.writes, "stops": walk.stops}[verb](rest)
        elif language == "sh":
            (walk.agent if note.strip() == "agent" else walk.person)(text.strip())
        else:
            held(text, walk.said)
            shown += 1
    assert shown == 10
    assert configured(shop) == before
    assert len(shop.sessions()) == 2, "the logs of sessions stay"


def test_each_feature_has_its_page_and_stands_in_the_table() -> None:
    for slug in {*WITH_ANY, *[slug for one in CAPABILITIES.values() for slug in one.features]}:
        if KNOWN[slug].here:
            assert f"[{slug}](../src/jackline/features/{folder_of(slug)}/README.md)" in TEXT


def test_each_client_stands_in_the_table_with_each_part() -> None:
    """No client that has no PreCompact is said to carry the capsule; the one that has all carries all."""
    table = {line.split("|")[1].strip().split("]")[0][1:]: line for line in TEXT.split("\n") if "](clients/" in line}
    assert list(table) == list(rows.CLIENTS)
    columns = list(PARTS)
    for client, line in table.items():
        cells = [cell.strip() for cell in line.split("|")[2:-1]]
        assert len(cells) == len(columns)
        lacks = "PreCompact" not in rows.ROWS[client]
        assert ("has no PreCompact" in cells[columns.index("capsule")]) is lacks
        assert ("refuses no call" in cells[columns.index("gate")]) is not row(client, "PreToolUse").deny


@pytest.mark.parametrize("what", [".ai/config", "COMPLETE", "Small changes", "Reading", "BLOCKED"])
def test_each_departure_is_named(what: str) -> None:
    part = TEXT.partition("## Where it departs")[2]
    assert any(line.startswith("- **") and what in line.partition("**: ")[0] + line[:60] for line in part.split("\n"))
