"""The pages as a whole: generated parts are fresh, links lead somewhere, one sentence per line, files are listed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from docs.blocks import blocks
from docs.regions import REGION, REPO, filled, names, pages, region
from jackline.cli.parts.verb import human_only, verbs
from jackline.clients.rows import CLIENTS
from jackline.compiler import flags
from jackline.compiler.schemas import validate
from jackline.install import CLIENTS as INSTALLED
from jackline.model import EVENTS
from scene import Scene

PAGES = pages()
NEWS = [REPO / "CHANGELOG.md", REPO / "changelog.d/README.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
AFTER_STOP = re.compile(r"(?<!e\.g|i\.e|etc)[.!?] [A-Z]")


def ids(path: Path) -> str:
    return str(path.relative_to(REPO))


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as a renderer makes them."""
    titles = re.findall(r"^#+ (.+)$", FENCED.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", PAGES, ids=ids)
def test_generated_parts_begin_and_end(path: Path) -> None:
    """What they say is as the code is: `scripts/check docs` holds it."""
    text = path.read_text()
    assert text.count("\n<!-- generated") == len(names(text))


def test_a_page_that_is_behind_is_filled() -> None:
    behind = "<!-- generated codes -->\nold\n<!-- /generated -->\n"
    assert filled(behind) == f"<!-- generated codes -->\n{region('codes')}\n<!-- /generated -->\n"


@pytest.mark.parametrize("path", [*PAGES, *NEWS], ids=ids)
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(FENCED.sub("", path.read_text())):
        if target.startswith(("http:", "https:")):
            continue
        name, _, anchor = target.partition("#")
        found = (path.parent / name).resolve() if name else path
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


@pytest.mark.parametrize("path", [*PAGES, *NEWS], ids=ids)
def test_prose_has_one_sentence_per_line(path: Path) -> None:
    text = REGION.sub("", FENCED.sub("", path.read_text()))
    for line in re.sub(r"`[^`]*`", "`", text).split("\n"):
        if not line.startswith(("|", "- ", "#")) and not re.match(r"\d+\. ", line):
            assert not AFTER_STOP.search(line.strip()), line


def test_every_picture_is_shown() -> None:
    text = (REPO / "docs/screens.md").read_text()
    for path in (REPO / "docs/pictures").iterdir():
        assert f"](pictures/{path.name})" in text


def test_the_index_names_every_page() -> None:
    index = (REPO / "docs/README.md").read_text()
    for path in [*(REPO / "docs").glob("*.md"), *(REPO / "docs/migrate").glob("*.md")]:
        assert path.name == "README.md" or f"]({path.relative_to(REPO / 'docs')})" in index
    assert "](clients/README.md)" in index


def test_the_economy_of_the_start_is_in_nobodys_way() -> None:
    """Whoever writes a feature, a client or a command is led to the page by none of theirs."""
    leading = {path.relative_to(REPO).as_posix() for path in PAGES if "start-up.md" in path.read_text()}
    assert leading == {"docs/README.md", "docs/performance.md"}


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_has_a_page_with_its_tables(client: str) -> None:
    text = (REPO / f"docs/clients/{client}.md").read_text()
    wanted = {"limits", "grades", "carries"} | ({"files", "entry", "clocks"} if client in INSTALLED else set())
    assert set(names(text)) == {f"{kind} {client}" for kind in wanted}
    assert f"]({client}.md)" in (REPO / "docs/clients/README.md").read_text()


def test_every_command_is_described() -> None:
    text = (REPO / "docs/command-line.md").read_text()
    for name in verbs():
        assert f"### jackline {name}\n" in text
    for verb in human_only():
        assert f"`jackline {verb}`" in text


CONFIGURED = [block for block in blocks((REPO / "docs/configuration.md").read_text(), "json") if block.note]


@pytest.mark.parametrize("block", CONFIGURED, ids=[block.note for block in CONFIGURED])
def test_configuration_examples_are_valid(block: Any) -> None:
    if block.note == "flags":
        faults: list[Any] = []
        assert flags.read(block.text.encode(), "", faults, faults)
        assert faults == []
        return
    assert validate("dispatch.manifest", json.loads(block.text)) == []


def test_news_have_their_form() -> None:
    """A file of news: number, a word where there are several, kind, one sentence."""
    for path in (REPO / "changelog.d").iterdir():
        if path.name != "README.md":
            assert re.fullmatch(r"\d+(-[a-z]+)*\.(added|changed|fixed|removed)\.md", path.name)
            assert path.read_text().strip().count("\n") == 0
    assert "\n## 0.1.0\n" in (REPO / "CHANGELOG.md").read_text()


# --- files ---------------------------------------------------------------------------------------------------------


def patterns(heading: str) -> list[re.Pattern[str]]:
    """The places a table of `docs/files.md` lists, as patterns: `<x>` is one name, `…` anything below."""
    page = (REPO / "docs/files.md").read_text()
    table = page[page.index(f"| {heading} |") :].partition("\n\n")[0]
    places = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    made = []
    for place in places:
        parts = re.split(r"(<\w+>|…)", place)
        made.append(
            re.compile("".join(".+" if one == "…" else "[^/]+" if one[:1] == "<" else re.escape(one) for one in parts))
        )
    return made


def strangers(base: Path, known: list[re.Pattern[str]]) -> list[str]:
    files = [str(path.relative_to(base)) for path in base.rglob("*") if not path.is_dir() or path.is_symlink()]
    return sorted(name for name in files if not any(one.fullmatch(name) for one in known))


BODY = """
ctx.log("info", "seen", {"tool": event.tool})
return note("long", "x " * 6000) if event.name == "SessionStart" else block("go on") if event.name == "Stop" else None
"""


def session(scene: Scene) -> None:
    """One session in which everything happens that leaves something."""
    scene.begin()
    scene.prompt()
    scene.pre("grep -rn x .")
    scene.pre("rm -rf .ai")
    scene.say(scene.payload("SubagentStart", agent_id="abc", agent_type="Explore"))
    scene.say(scene.tool("ls", agent_id="abc", agent_type="Explore"))
    scene.say(scene.tool("ls"), "project")
    scene.say(scene.payload("Stop", stop_hook_active=False))
    scene.say(scene.payload("SessionEnd", reason="other"))


def test_every_file_a_session_leaves_is_listed(scene: Scene) -> None:
    """Both places of a session: the tree, and the store where there is no `.ai/`."""
    scene.feature("busy", BODY, supports=EVENTS)
    scene.trust()
    session(scene)
    left = scene.root / ".ai/tmp"
    assert strangers(left, patterns("below `.ai/tmp/`")) == []
    assert {path.name for path in scene.place.iterdir()} >= {"context", "busy", "turns", "agents", "calls", "locks"}
    scene.root = scene.folder / "plain"
    scene.root.mkdir()
    scene.session = "another"
    session(scene)
    assert list(scene.root.iterdir()) == [], "store-only: nothing is written into the repository"
    assert strangers(scene.store, patterns("below the store")) == []
    (inside,) = scene.store.glob("repos/*/tmp")
    assert strangers(inside, patterns("below `.ai/tmp/`")) == []
