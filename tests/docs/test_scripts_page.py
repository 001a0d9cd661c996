"""`docs/scripts.md`: every example is placed, trusted and driven; tables and messages are the code's."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from docs.blocks import Block, blocks
from docs.regions import REPO
from docs.test_contract import quoted
from docs.test_pages import patterns as patterns_of
from docs.test_pages import strangers
from docs.workshop import Page, Workshop, held
from jackline.clients.signs import DEADLINE_MS
from jackline.compiler import scriptfields, scriptfind, scripts
from jackline.compiler.schemas import validate
from jackline.hook import OTHER_DEADLINE_MS
from jackline.model import EVENTS
from jackline.policy import continuation
from jackline.runners import process
from jackline.script import TIMEOUTS, TYPES, Script
from jackline.scripts import answers, changes, messages, patterns, status
from jackline.scripts.environment import MOST, environment
from jackline.staleness import LIMIT

PAGE = Page("scripts.md")
TEXT = PAGE.text
SCRIPTS = ".ai/hooks/scripts/"


@pytest.fixture
def shop(tmp_path: Path, made_bundle: Path) -> Workshop:
    return Workshop(tmp_path, made_bundle)


def section(title: str) -> str:
    """From a heading to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL),
                      re.DOTALL | re.MULTILINE)  # fmt: skip
    assert found is not None, title
    return found[1]


def rows(title: str, head: str) -> list[list[str]]:
    """The cells of the table in a section whose head begins so."""
    text = section(title)
    table = text[text.index(f"\n| {head} |") + 1 :].partition("\n\n")[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.strip().split("\n")[2:]]


def example(name: str) -> Block:
    (found,) = [one for one in PAGE.files(SCRIPTS) if one.note.endswith(f"/{name}")]
    return found


def bring(shop: Workshop, *names: str) -> None:
    shop.place_all([example(name) for name in names])
    shop.agree()


# --- the examples --------------------------------------------------------------------------------------------------

TRIED = {
    "no-conflicts.sh",
    "no-force.py",
    "branch.sh",
    "10-environment.sh",
    "no-debugger.sh",
    "any-name.sh",
}


def test_every_example_is_tried() -> None:
    assert {one.note.removeprefix(SCRIPTS) for one in PAGE.files(SCRIPTS)} == TRIED
    assert {one.note for one in PAGE.files(".config")} == {
        ".config/greeting/spec.md", ".config/greeting/greeting.sh", ".config/tests/spec.md",
    }  # fmt: skip


def test_a_file_script_as_the_page_tells_it(shop: Workshop) -> None:
    """The message to the letter, the repair, the end; and three attempts at most."""
    shop.place_all([example("no-conflicts.sh")])
    shop.begin()
    shop.prompt()
    shop.write("notes.md", "<<<<<<< ours\n")
    assert shop.stop() == {}, "nothing runs before it is trusted"
    shop.agree()
    shop.prompt(prompt_id="p-2")
    said = shop.stop()
    assert said["decision"] == "block"
    held(PAGE.one("output", "no-conflicts"), said["reason"])
    shop.write("notes.md", "mended\n")
    assert shop.stop() == {}
    shop.prompt(prompt_id="p-3")
    for attempt in (1, 2, 3):
        shop.write("notes.md", "<<<<<<< ours\n" * attempt)
        assert f"(Attempt {attempt}/3)" in shop.stop()["reason"]
    shop.write("notes.md", "<<<<<<< theirs\n")
    given_up = shop.stop()
    assert "decision" not in given_up
    assert "still fails" in given_up["systemMessage"] and "no-conflicts" in given_up["systemMessage"]
    known = json.loads((shop.place / "scripts/status.json").read_text())
    assert known["pendingHooks"] == ["no-conflicts"]


def test_an_event_script_refuses_as_the_page_tells_it(shop: Workshop) -> None:
    bring(shop, "no-force.py")
    shown = json.loads(PAGE.one("json", "no-force"))["hookSpecificOutput"]
    said = shop.pre("git push --force").body["hookSpecificOutput"]
    assert said["permissionDecisionReason"].startswith(shown.pop("permissionDecisionReason").rstrip("…"))
    assert {key: said[key] for key in shown} == shown
    assert shop.pre("git push").decision == ""
    (row,) = [one["data"] for one in shop.rows("SCRIPT_RUN") if "decision" in one["data"]]
    assert (row["script"], row["decision"]) == ("no-force", "deny")


@pytest.mark.parametrize(
    ("dialect", "recorded"),
    [("codex", "codex/PreToolUse-Bash.json"), ("github", "vscode/PreToolUse.run_in_terminal.json")],
)
def test_the_event_script_refuses_at_other_clients(shop: Workshop, dialect: str, recorded: str) -> None:
    bring(shop, "no-force.py")
    payload = shop.recorded(recorded)
    shop.write("a", "")
    assert "no forced push" not in shop.say(payload, event="PreToolUse", dialect=dialect).reason
    payload["tool_input"]["command"] = "git push --force"
    payload["tool_use_id"] = "another"
    assert "no forced push from an agent" in shop.say(payload, event="PreToolUse", dialect=dialect).reason


def test_a_shell_that_breaks_refuses_where_it_may(shop: Workshop) -> None:
    """What the page warns of: exit code 2 is a shell's own, too."""
    front = "#!/bin/sh\n#---\n# events: [PreToolUse]\n# block: {}\n#---\n: > /nowhere/at/all\n"
    shop.write(f"{SCRIPTS}breaks.sh", front.format("true"), runs=True)
    shop.agree()
    assert shop.pre("ls").decision == "deny"
    shop.write(f"{SCRIPTS}breaks.sh", front.format("false"), runs=True)
    shop.agree()
    said = shop.pre("ls")
    assert said.decision == "" and "would block, but does not declare" in said.body["systemMessage"]


def test_plain_text_is_context(shop: Workshop) -> None:
    bring(shop, "branch.sh")
    assert "The branch is main." in shop.prompt().body["hookSpecificOutput"]["additionalContext"]


def test_a_session_script_fails_as_the_page_tells_it(shop: Workshop) -> None:
    bring(shop, "10-environment.sh")
    said = shop.begin().body
    held(PAGE.one("output", "environment"), said["systemMessage"])
    assert "1 of 1 failed" in said["hookSpecificOutput"]["additionalContext"]
    shop.write(".env.example", "A=1\n")
    shop.session = "another"
    shop.begin()
    assert (shop.root / ".env").read_text() == "A=1\n"


def test_a_commit_is_stopped_as_the_page_tells_it(shop: Workshop) -> None:
    bring(shop, "no-debugger.sh")
    assert (shop.root / ".git/hooks/pre-commit").exists(), "trusting it writes the hook"
    shop.write("a.py", "breakpoint()\n")
    said = shop.shell("git add a.py && git commit -q -m x", code=1)
    held(PAGE.one("output", "no-debugger"), said)
    shop.shell("JACKLINE_SKIP=no-debugger git commit -q -m x")


def test_a_node_and_a_text_for_agents(shop: Workshop) -> None:
    shop.place_all(PAGE.files(".config"))
    shop.agree()
    assert "Answer in short sentences." in shop.begin().body["hookSpecificOutput"]["additionalContext"]
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert "Every change comes with a test." in (shop.root / name).read_text()


def test_the_list_holds_names_with_blanks(shop: Workshop) -> None:
    bring(shop, "any-name.sh")
    shop.begin()
    shop.prompt()
    shop.write("two words.txt", "SPDX\n")
    assert shop.stop() == {}
    shop.write("two words.txt", "none\n")
    assert "two words.txt" in shop.stop()["reason"].partition("Output:")[2]


def test_the_script_of_the_readme(shop: Workshop) -> None:
    (found,) = [one for one in blocks((REPO / "README.md").read_text(), "bash") if one.note]
    shop.write(found.note, found.text, runs=True)
    shop.agree()
    shop.prompt()
    word = "TO" + "DO"  # what the README's script refuses
    shop.write("a.py", f"# {word}\n")
    assert f"1:# {word}" in shop.stop()["reason"]
    shop.write("a.py", "# done\n")
    assert shop.stop() == {}


def test_the_manifest_of_the_page(shop: Workshop) -> None:
    text = PAGE.one("json", "manifest")
    assert validate("dispatch.manifest", json.loads(text)) == []
    shop.write(".ai/hooks/dispatch.manifest.json", text)
    shop.write("tools/hooks/other.sh", example("branch.sh").text, runs=True)
    bring(shop, "branch.sh", "no-debugger.sh")
    told = shop.jackline("hooks", "--json").data
    assert [row["name"] for row in told["moments"]["UserPromptSubmit"] if row["kind"] == "script"] == [
        "branch",
        "other",
    ]
    assert [(one["name"], one["why"]) for one in told["idle"]] == [("no-debugger", "disabled (project)")]


def test_every_file_that_scripts_leave_is_listed(shop: Workshop) -> None:
    """In the tree and in the store, against `docs/files.md`."""
    shop.place_all([*PAGE.files(SCRIPTS), *PAGE.files(".config")])
    shop.jackline("init", "--client", "claude-code", "--yes")
    shop.agree()
    shop.begin()
    shop.prompt()
    shop.write("a.md", "<<<<<<< x\n")
    shop.pre("git push --force")
    assert shop.stop()["decision"] == "block"
    shop.jackline("check", "--note", "--type", "file", code=1)
    place = {str(path.relative_to(shop.place)) for path in (shop.place / "scripts").rglob("*")}
    assert {"scripts/status.json", "scripts/seen.json", "scripts/output/no-conflicts.log"} <= place
    assert strangers(shop.root / ".ai/tmp", patterns_of("below `.ai/tmp/`")) == []
    assert strangers(shop.store, patterns_of("below the store")) == []


def test_ci_as_the_page_tells_it(shop: Workshop) -> None:
    """A checkout where nobody trusts anything, and a branch that brings something."""
    shop.git("update-ref", "refs/remotes/origin/main", "HEAD")
    shop.place_all([example(name) for name in ("no-conflicts.sh", "no-debugger.sh")])
    shop.write("notes.md", "<<<<<<< ours\n")
    shop.git("add", "notes.md")
    shop.git("commit", "-q", "-m", "more")
    (command,) = PAGE.commands()
    said = shop.shell(command.text, code=1)
    after = PAGE.blocks[PAGE.blocks.index(command) + 1]
    held(after.text, said)
    digest = shop.jackline("trust", "--json", code=1).data["digest"]
    by_digest = shop.shell(command.text.replace("--as-checked-out", f"--trust {digest}"), code=1)
    held(after.text, by_digest)


# --- tables --------------------------------------------------------------------------------------------------------


def test_every_field_of_the_code_is_in_the_tables_and_no_other() -> None:
    fields = {cell[0].strip("`"): cell for cell in rows("Front matter", "field")}
    known = {*scriptfields.EVERYWHERE, *scriptfields.OF_TYPE, "engine"}
    assert set(fields) == known
    aliases = {name: cell[1].strip("`") for cell in rows("Front matter", "also written") for name in quoted(cell[0])}
    assert aliases == scriptfields.ALIASES
    unused = section("Front matter").rpartition("Fields of newer scripts")[2]
    assert quoted(unused) == set(scriptfields.UNUSED)
    assert {*fields, *aliases, *scriptfields.UNUSED} == scriptfields.KNOWN
    for name, types in scriptfields.OF_TYPE.items():
        assert set(fields[name][1].split(", ")) == set(types), name
    for name, options in scriptfields.CHOICES.items():
        assert set(options) <= quoted(" ".join(fields[name])), name


def test_defaults_are_those_of_the_code() -> None:
    fields = {cell[0].strip("`"): cell[2] for cell in rows("Front matter", "field")}
    usual = Script("", "event", "", b"")
    for name in ("order", "block", "run", "mode", "when", "baseline", "run_as"):
        shown = str(getattr(usual, name)).lower() if isinstance(getattr(usual, name), bool) else getattr(usual, name)
        assert fields[name] == f"`{shown}`"
    assert fields["on"] == f"`{usual.sources[0]}`"
    assert fields["notify_llm"] == f"`{str(usual.notify).lower()}`"
    assert fields["timeout"] == ", ".join(
        [f"{TIMEOUTS[one]:g} {one}" if TIMEOUTS[one] else f"none {one}" for one in TYPES]
    )


def test_every_variable_is_there_and_no_other() -> None:
    made = environment({}, Script("k", "file", "", b""), root="/r", session="s", event="Stop", client="c", agent="u00",
                       turn=1, files=("a",), files_list="/l", attempt=1, verdict="allow")  # fmt: skip
    assert quoted(" ".join(cell[0] for cell in rows("What a script gets", "variable"))) == set(made)


@pytest.mark.parametrize("event", EVENTS)
def test_what_a_refusal_is_at_each_event(event: str) -> None:
    (row,) = [cell for cell in rows("What a script may answer", "event") if f"`{event}`" in cell[0]]
    word = answers.refusal(event)
    assert row[1].startswith("not possible") == (word == "")
    assert ("denial" in row[1]) == (word == "deny")


def test_every_key_of_an_answer_is_there() -> None:
    assert set(answers.HANDED_ON) <= quoted(section("What a script may answer"))


def test_rows_of_the_log(shop: Workshop) -> None:
    told = {cell[0].strip("`") for cell in rows("Status", "row of the log")}
    found = set()
    for path in (REPO / "src/jackline").rglob("*.py"):
        found |= set(re.findall(r'"(SCRIPTS?_[A-Z]+)"', path.read_text()))
    assert told == found
    bring(shop, "no-conflicts.sh", "10-environment.sh", "branch.sh")
    shop.begin()
    shop.prompt()
    shop.write("a.md", "<<<<<<< x\n")
    shop.stop()
    described = {cell[0].strip("`"): quoted(cell[2]) for cell in rows("Status", "row of the log")}
    for kind, keys in described.items():
        wrote = shop.rows(kind)
        assert wrote, kind
        assert {key for row in wrote for key in row["data"]} <= keys, kind


PATTERNS = rows("Patterns", "pattern")


@pytest.mark.parametrize("row", PATTERNS, ids=[row[0] for row in PATTERNS])
def test_patterns_hold_what_is_said(row: list[str]) -> None:
    pattern = row[0].strip("`").replace("\\|", "|")
    match = patterns.compile_match([pattern])
    for name in quoted(row[1]):
        assert match(name), name
    for name in quoted(row[2]):
        assert not match(name), name


def test_numbers_are_those_of_the_code() -> None:
    for words in (
        f"{process.KEEP >> 10} KB from the beginning and {process.KEEP >> 10} KB from the end",
        f"at most {2 * process.KEEP >> 10} KB",
        f"at most {process.LINGER_NS // 1_000_000} ms",
        f"within {process.ASK_NS // 1_000_000} ms",
        f"up to {messages.LINES} lines and {messages.BYTES >> 10} KB",
        f"**{continuation.PER_SOURCE} attempts**",
        f"more than {MOST // 1000} KB",
        f"At most {LIMIT >> 20} MB a file, {scriptfind.DEPTH} folders deep and {scriptfind.ENTRIES:,} entries",
        f"above {changes.LARGE >> 20} MB",
        f"at most {changes.MOST:,} files",
        f"at most {status.LOG_LIMIT >> 10} KB",
        f"| `Stop` | {TIMEOUTS['file']:g} s | {DEADLINE_MS['Stop'] // 1000} s |",
        f"| `SessionStart` | {TIMEOUTS['session']:g} s each | {DEADLINE_MS['SessionStart'] // 1000} s |",
        f"| any other | {TIMEOUTS['event']:g} s | {OTHER_DEADLINE_MS // 1000} s |",
    ):
        assert words in TEXT, words


def test_places_are_those_of_the_code() -> None:
    shown = quoted(section("Where they lie"))
    assert {f"{one}/" for one in (*scripts.ROOTS, *scripts.NODES)} <= shown
    assert set(scripts.USUAL) <= shown


def literals() -> list[str]:
    """Every text of the code, adjoining ones joined."""
    found = []
    for path in (REPO / "src/jackline").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return found


def test_every_message_that_is_explained_is_one_of_the_code() -> None:
    texts = literals()
    told = rows("What to do when …", "what is said")
    assert len(told) > 25
    for cell in told:
        for piece in cell[0].strip("`").split("…"):
            piece = piece.strip(" ():")
            assert not piece or any(piece in one for one in texts), cell[0]
