"""graph-pretooluse: what counts as bounded, what is added, what is refused, for shell text and every client's tools."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jackline.features.graph_pretooluse.hook import handle
from jackline.features.graph_pretooluse.names import NAMES, worth_a_look
from jackline.features.graph_pretooluse.prefilter import is_plain
from jackline.model import Action

from .feature import call, context_of

KB = 1024


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("src/app", "docs", ".git", "node_modules/x"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "README.md").write_text("x\n")
    (tmp_path / "src/app/big.log").write_bytes(b"x" * 300 * KB)
    (tmp_path / "src/app/big.png").write_bytes(b"x" * 300 * KB)
    (tmp_path / "src/app/small.py").write_text("x = 1\n")
    (tmp_path / "out").symlink_to("/")
    (tmp_path / "self").symlink_to(".")
    return tmp_path


def shell(root: Path, command: str, cwd: str = "", **knobs: Any) -> Action | None:
    event = call("Bash", "shell", {"command": command}, root, cwd=cwd, command=command)
    return handle(event, context_of("graph-pretooluse", root, **knobs))


def tool(root: Path, client: str, name: str, kind: str, given: dict[str, Any], **knobs: Any) -> Action | None:
    targets = tuple(str(given[key]) for key in ("file_path", "filePath", "path") if key in given)
    event = call(name, kind, given, root, client=client, targets=targets)
    return handle(event, context_of("graph-pretooluse", root, **knobs))


BOUNDED = [
    "grep -rn x src/app",
    "grep -r x src docs",
    "grep -rn -m 20 x .",
    "grep -rnm5 x .",
    "grep -rn --max-count=20 x .",
    "grep -rq x .",
    "grep x README.md",
    "grep -n x src/app/small.py",
    "cat README.md | grep x",
    "rg x src",
    "rg --max-count 5 x",
    "rg -m5 x",
    "rg --max-depth 2 --files",
    "rg -g 'src/**' x",
    "rg x README.md",
    "ls -la | rg x",
    "rg -q x",
    "rg --version",
    "ag -m 3 x",
    "ag x src",
    "ack -1 x",
    "find src -name x",
    "find . -maxdepth 2",
    "find . -maxdepth 2 -name '*.py'",
    "find src docs -type f",
    "find . -name '*.pyc' -delete",
    "find . -name x -quit",
    "find . -maxdepth 0",
    "find . -name '*.pyc' -print -delete",
    "find . -name '*.pyc' | xargs rm -f",
    "find . -name '*.py' -exec chmod 644 {} +",
    "find . -type f | wc -l",
    "find . -type f | sort | head -20",
    "find . -type f > list.txt",
    "find . -type f | sed -n 1,20p",
    "find . -type f | grep -c x",
    "rg -l x | xargs sed -i s/a/b/",
    "rg x | head",
    "rg x | tail -n 5",
    "rg x | head -c 4k",
    "rg --files | head -n 100",
    "fd x src",
    "fd --max-results 5 x",
    "fd -d 2",
    "git grep x -- src",
    "git grep x src",
    "git grep -m 5 x",
    "git grep -q x",
    "git log -p",
    "git status",
    "tree -L 2",
    "tree src",
    "ls -R src",
    "ls -la",
    "du -sh .",
    "du -d 1",
    "du src",
    "cat README.md",
    "cat src/app/big.log | head -n 20",
    "cat src/app/big.log | grep error",
    "cat src/app/big.log > copy",
    "xxd -l 64 src/app/big.log",
    "echo 'grep -r x .'",
    'git commit -m "grep -r everything, rg all, find ."',
    "echo rg; echo find .",
    "python -m pytest tests -k find",
    "grep -r x s*",
    "pnpm run lint:find",
    "",
]


@pytest.mark.parametrize("command", BOUNDED)
def test_a_bounded_command_passes(root: Path, command: str) -> None:
    assert shell(root, command) is None


REWRITTEN = [
    ("grep -rn x .", "grep -m 50 -rn x ."),
    ("grep -R x", "grep -m 50 -R x"),
    ("grep --recursive x .", "grep -m 50 --recursive x ."),
    ("grep --recurs x .", "grep -m 50 --recurs x ."),
    ("grep -d recurse x .", "grep -m 50 -d recurse x ."),
    ("grep -rne x -e y", "grep -m 50 -rne x -e y"),
    ("egrep -r 'a|b' ./", "egrep -m 50 -r 'a|b' ./"),
    ("rgrep x", "rgrep -m 50 x"),
    ("/usr/bin/grep -rn x .", "/usr/bin/grep -m 50 -rn x ."),
    ("g'r'ep -r x .", "g'r'ep -m 50 -r x ."),
    (r"\grep -r x .", r"\grep -m 50 -r x ."),
    ("grep -rn x *", "grep -m 50 -rn x *"),
    ("grep -rn x src/..", "grep -m 50 -rn x src/.."),
    ("grep -rn x self", "grep -m 50 -rn x self"),
    ("grep -rn x missing", "grep -m 50 -rn x missing"),
    ("grep -rn x src .", "grep -m 50 -rn x src ."),
    ("grep -rn --include='*.py' x .", "grep -m 50 -rn --include='*.py' x ."),
    ("rg x", "rg --max-count=50 x"),
    ("rg x .", "rg --max-count=50 x ."),
    ("rg -tpy -A 3 'a b'", "rg --max-count=50 -tpy -A 3 'a b'"),
    ("rg -g '*.py' x", "rg --max-count=50 -g '*.py' x"),
    ("rg -g '!src/**' x", "rg --max-count=50 -g '!src/**' x"),
    ("rg x | sort", "rg --max-count=50 x | sort"),
    ("rg x | tail -n +2", "rg --max-count=50 x | tail -n +2"),
    ("rg x | head -n -5", "rg --max-count=50 x | head -n -5"),
    ("rg x | head -n 99999", "rg --max-count=50 x | head -n 99999"),
    ("rg x > /dev/stdout", "rg --max-count=50 x > /dev/stdout"),
    ("ag x", "ag -m 50 x"),
    ("ack x", "ack -m 50 x"),
    ("find . -name '*.py'", "find . -maxdepth 4 -name '*.py'"),
    ("find -name x", "find -maxdepth 4 -name x"),
    ("find", "find -maxdepth 4"),
    ("find . -type f 2>/dev/null", "find . -maxdepth 4 -type f 2>/dev/null"),
    ("find . src -type f", "find . src -maxdepth 4 -type f"),
    ("find -L . -type f", "find -L . -maxdepth 4 -type f"),
    ("find . -name '*.py' -exec grep x {} +", "find . -maxdepth 4 -name '*.py' -exec grep x {} +"),
    ("find . -name '*.py' | xargs grep x", "find . -maxdepth 4 -name '*.py' | xargs grep x"),
    ("fd x", "fd --max-results=200 x"),
    ("git grep x", "git grep -m 50 x"),
    ("git grep -n x .", "git grep -m 50 -n x ."),
    ("git --no-pager grep x", "git --no-pager grep -m 50 x"),
    ("tree", "tree -L 4"),
    ("tree -a .", "tree -L 4 -a ."),
    ("du -a", "du -d 4 -a"),
    ("ls; grep -rn x .", "ls; grep -m 50 -rn x ."),
    ("ls && rg x || rg y", "ls && rg --max-count=50 x || rg --max-count=50 y"),
    ("echo 'rg x' && rg 'rg x'", "echo 'rg x' && rg --max-count=50 'rg x'"),
    ("FOO=1 rg x", "FOO=1 rg --max-count=50 x"),
    ("rg x &", "rg --max-count=50 x &"),
]


@pytest.mark.parametrize(("command", "bounded"), REWRITTEN, ids=[row[0] for row in REWRITTEN])
def test_a_cap_is_put_in_at_its_exact_place(root: Path, command: str, bounded: str) -> None:
    action = shell(root, command)
    assert action is not None
    assert action.updated_input == {"command": bounded}
    assert action.decision == ""
    assert action.additional_context[0][0] == "bounded-search"


@pytest.mark.parametrize("bounded", [row[1] for row in REWRITTEN])
def test_a_rewritten_command_passes_the_second_time(root: Path, bounded: str) -> None:
    """The critical features judge a rewritten call once more (design section 2)."""
    assert shell(root, bounded) is None


@pytest.mark.parametrize(("command", "bounded"), REWRITTEN, ids=[row[0] for row in REWRITTEN])
def test_a_rewrite_is_lawful(command: str, bounded: str) -> None:
    """It only adds flags to the same simple commands: the kernel's own judge agrees."""
    from jackline.policy.rewrite_rules import narrows_command

    assert narrows_command(command, bounded)


REFUSED = [
    ("grep -rl x .", "grep -rl x . | head -n 200"),
    ("grep -rc x .", "grep -rc x . | head -n 200"),
    ("grep -rl -m 1 x .", "grep -rl -m 1 x . | head -n 200"),
    ("rg -l x", "rg -l x | head -n 200"),
    ("rg --files", "rg --files | head -n 200"),
    ("rg -m 99999 x", "rg -m 99999 x | head -n 200"),
    ("git grep -l x", "git grep -l x | head -n 200"),
    ("ls -R", "ls -R | head -n 200"),
    ("ls -laR .", "ls -laR . | head -n 200"),
    ("find . -maxdepth 99", "find . -maxdepth 99 | head -n 200"),
    ("cat src/app/big.log", "head -n 200 src/app/big.log"),
    ("less src/app/big.log", "head -n 200 src/app/big.log"),
    ("cat < src/app/big.log", "head -n 200 src/app/big.log"),
    ("cat README.md src/app/big.log", "head -n 200 src/app/big.log"),
    ("base64 src/app/big.png", None),
    # no cap of matches ends a walk outside the project in time
    ("grep -rn x out", "grep -m 50 -rn x ."),
    ("grep -rn x /etc", "grep -m 50 -rn x ."),
    ("find / -name passwd", "find . -maxdepth 4 -name passwd"),
    ("rg 'a b' ~", "rg --max-count=50 'a b' ."),
]


@pytest.mark.parametrize(("command", "proposal"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_no_flag_bounds_is_refused_with_the_bounded_call(root: Path, command: str, proposal: str | None) -> None:
    action = shell(root, command)
    if proposal is None:
        assert action is None  # a picture is no text; its size says nothing
        return
    assert action is not None
    assert (action.decision, action.code) == ("deny", "SCOPE_VIOLATION")
    assert action.updated_input == {"command": proposal}
    assert f"`{proposal}`" in action.safer
    assert action.emit_events[0]["kind"] == "SEARCH_DENY"


@pytest.mark.parametrize("proposal", [row[1] for row in REFUSED if row[1]])
def test_what_is_proposed_passes(root: Path, proposal: str) -> None:
    assert shell(root, proposal) is None


def test_a_folder_below_the_root_bounds_by_standing_in_it(root: Path) -> None:
    assert shell(root, "rg x", cwd=str(root / "src")) is None
    assert shell(root, "rg x ..", cwd=str(root / "src")) is not None


def test_the_file_is_measured_when_the_call_is_judged(root: Path) -> None:
    log = root / "src/app/big.log"
    assert shell(root, f"cat {log}") is not None
    log.write_bytes(b"x" * 256 * KB)
    assert shell(root, f"cat {log}") is None


GREP = {"pattern": "x"}
NATIVE = [
    ("claude-code", "Grep", "search", GREP, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "head_limit": 0}, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "head_limit": 50}, None),
    ("claude-code", "Grep", "search", {**GREP, "path": "src"}, None),
    ("claude-code", "Grep", "search", {**GREP, "path": "."}, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "path": "src/../"}, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "path": "/"}, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "glob": "*.py"}, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "glob": "**/*"}, {"head_limit": 200}),
    ("claude-code", "Grep", "search", {**GREP, "glob": "src/**/*.py"}, None),
    ("claude-code", "Glob", "search", {"pattern": "*.txt"}, None),
    ("claude-code", "Glob", "search", {"pattern": "**/*.py"}, None),
    ("claude-code", "Glob", "search", {"pattern": "**/*", "path": "src"}, None),
    ("claude-code", "Glob", "search", {"pattern": "src/**"}, None),
    ("claude-code", "LS", "list", {"path": "."}, None),
    ("claude-code", "Read", "read", {"file_path": "src/app/big.log"}, {"limit": 200}),
    ("claude-code", "Read", "read", {"file_path": "src/app/big.log", "limit": 90}, None),
    ("claude-code", "Read", "read", {"file_path": "src/app/big.png"}, None),
    ("claude-code", "Read", "read", {"file_path": "src/app/small.py"}, None),
    ("claude-code", "Read", "read", {"file_path": "missing"}, None),
    ("vscode", "grep_search", "search", {"query": "x", "isRegexp": False}, {"maxResults": 20}),
    ("vscode", "grep_search", "search", {"query": "x", "includePattern": "**/*"}, {"maxResults": 20}),
    ("vscode", "grep_search", "search", {"query": "x", "includePattern": "**/*.ts"}, {"maxResults": 20}),
    ("vscode", "grep_search", "search", {"query": "x", "includePattern": "src/app/**"}, None),
    ("vscode", "grep_search", "search", {"query": "x", "includePattern": "nowhere/**"}, {"maxResults": 20}),
    ("vscode", "grep_search", "search", {"query": "x", "maxResults": 40}, None),
    ("vscode", "file_search", "search", {"query": "**/*"}, {"maxResults": 20}),
    ("vscode", "file_search", "search", {"query": "**/*.py"}, None),
    ("vscode", "semantic_search", "search", {"query": "where is the parser"}, None),
    ("vscode", "list_dir", "list", {"path": "/"}, None),
    ("vscode", "read_file", "read", {"filePath": "src/app/big.log", "startLine": 1, "endLine": 90}, None),
    ("vscode", "read_file", "read", {"filePath": "src/app/big.log"}, {"limit": 200}),
    ("copilot-cli", "grep", "search", {"pattern": "x", "path": "."}, {"head_limit": 200}),
    ("copilot-cli", "Grep", "search", {"pattern": "x", "path": "."}, {"head_limit": 200}),
    ("copilot-cli", "grep", "search", {"pattern": "x", "path": "src"}, None),
    ("copilot-cli", "rg", "search", {"pattern": "x", "paths": ["src", "docs"]}, None),
    ("copilot-cli", "rg", "search", {"pattern": "x", "paths": ["src", "."]}, {"head_limit": 200}),
    ("copilot-cli", "glob", "search", {"pattern": "*.txt"}, None),
    ("copilot-cli", "view", "read", {"path": "src/app/big.log"}, {"view_range": [1, 200]}),
    ("copilot-cli", "Read", "read", {"path": "src/app/big.log"}, {"view_range": [1, 200]}),
    ("copilot-cli", "view", "read", {"path": "src/app/big.log", "view_range": [1, 9]}, None),
    ("codex", "grep_files", "search", {"pattern": "x"}, {"limit": 100}),
    ("gemini-cli", "grep_search", "search", {"pattern": "x"}, None),  # it ends by itself, and says so
    ("gemini-cli", "grep_search", "search", {"pattern": "x", "dir_path": "."}, None),
    ("gemini-cli", "search_file_content", "search", {"pattern": "x", "path": "src"}, None),
    ("kimi-code", "Grep", "search", {"pattern": "x"}, None),
    ("hermes-agent", "search_files", "search", {"pattern": "x", "path": "."}, None),
    ("cline", "search_codebase", "search", {"queries": ["x"]}, None),
    ("factory-droid", "Grep", "search", {"pattern": "x"}, {"head_limit": 200}),
    ("factory-droid", "Glob", "search", {"patterns": ["*.txt"], "folder": "."}, None),
    ("gemini-cli", "read_file", "read", {"file_path": "src/app/big.log"}, None),
    ("qwen-code", "grep_search", "search", {"pattern": "x", "path": "src"}, None),
    ("claude-code", "LSP", "search", {"operation": "x"}, None),
    ("claude-code", "ToolSearch", "read", {"query": "*"}, None),
]


@pytest.mark.parametrize(
    ("client", "name", "kind", "given", "cap"), NATIVE, ids=[f"{r[0]} {r[1]} {json.dumps(r[3])}" for r in NATIVE]
)
def test_native_tools(
    root: Path, client: str, name: str, kind: str, given: dict[str, Any], cap: dict[str, Any] | None
) -> None:
    action = tool(root, client, name, kind, given)
    if cap is None:
        assert action is None
    else:
        assert action is not None
        assert (action.decision, action.updated_input) == ("", cap)
        assert tool(root, client, name, kind, {**given, **cap}) is None


@pytest.mark.parametrize(
    ("client", "name", "given", "proposal"),
    [
        ("claude-code", "Glob", {"pattern": "**/*"}, {"pattern": "*/*"}),
        ("claude-code", "Glob", {"pattern": "*"}, {"pattern": "*/*"}),
        ("claude-code", "Glob", {"pattern": "**/*.*"}, {"pattern": "*/*"}),
        ("claude-code", "Glob", {"pattern": "**", "path": "."}, {"pattern": "*/*"}),
        ("copilot-cli", "glob", {"pattern": "**/*"}, {"pattern": "*/*"}),
        ("vscode", "semantic_search", {"query": "*"}, None),
        ("cline", "list_files", {"path": ".", "recursive": True}, None),
        ("cline", "search_files", {"path": ".", "regex": "x"}, None),
    ],
)
def test_native_tools_without_a_cap_are_refused(
    root: Path, client: str, name: str, given: dict[str, Any], proposal: dict[str, Any] | None
) -> None:
    action = tool(root, client, name, "search", given)
    assert action is not None
    assert (action.decision, action.updated_input) == ("deny", proposal)
    assert action.safer


class TestKnobs:
    def test_deny_refuses_and_proposes_the_cap(self, root: Path) -> None:
        action = shell(root, "rg x", action="deny")
        assert action is not None
        assert (action.decision, action.updated_input) == ("deny", {"command": "rg --max-count=50 x"})

    def test_warn_tells_the_person_and_changes_nothing(self, root: Path) -> None:
        action = shell(root, "rg x", action="warn")
        assert action is not None
        assert (action.decision, action.updated_input) == ("", None)
        assert action.warnings
        assert action.emit_events[0]["kind"] == "SEARCH_WARN"

    def test_roots(self, root: Path) -> None:
        assert shell(root, "rg x /usr/include", roots=["/usr/**"]) is None
        assert shell(root, "rg x", roots=["."]) is None
        assert shell(root, "rg x /etc", roots=["/usr/**"]) is not None

    def test_allow(self, root: Path) -> None:
        assert shell(root, "git grep -n TODO", allow=["git grep *"]) is None
        assert shell(root, "git status; rg x", allow=["git grep *"]) is not None
        assert tool(root, "claude-code", "Grep", "search", GREP, allow=["Grep"]) is None

    def test_limits(self, root: Path) -> None:
        action = shell(root, "rg x", limits={"matches": 7})
        assert action is not None
        assert action.updated_input == {"command": "rg --max-count=7 x"}

    def test_defaults_fit_the_schema(self) -> None:
        import jsonschema

        folder = Path(handle.__code__.co_filename).parent
        schema = json.loads((folder / "knobs.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(json.loads((folder / "defaults.json").read_text()), schema)


def test_the_names_of_the_first_look_hold_every_program_of_the_tables() -> None:
    from jackline.features.graph_pretooluse.commands import DUMPERS
    from jackline.features.graph_pretooluse.searches import FIND, PROGRAMS

    missing = [name for name in (*PROGRAMS, *FIND, *DUMPERS) if not any(short in name for short in NAMES)]
    assert not missing


@pytest.mark.parametrize("command", ["echo hi", "make test", "npm ci", "cd src"])
def test_a_plain_command_gets_no_second_look(command: str) -> None:
    assert not worth_a_look(command)


@pytest.mark.parametrize(
    "command",
    ["ls -la src", "cat README.md", "grep -n x README.md", "git log --format=%s", "npm test && ls", "ls; pwd | grep x"],
)
def test_a_plain_command_leaves_the_tables_shut(root: Path, command: str) -> None:
    assert is_plain(command, str(root), 256 * KB)


@pytest.mark.parametrize("command", [row[0] for row in REWRITTEN + REFUSED if row[1]])
def test_the_first_look_lets_no_search_through(root: Path, command: str) -> None:
    """Only the close look may say that a search is bounded."""
    assert worth_a_look(command)
    assert not is_plain(command, str(root), 256 * KB)


REAL = ["grep -rn x .", "find . -name '*.py'", "find . src -type f", "git grep x", "du -a", "grep -rn x *"]


@pytest.mark.parametrize("command", REAL)
def test_the_real_program_accepts_the_added_flag(root: Path, command: str) -> None:
    """Whatever the search found without the cap that lies within it, it still finds, and without complaint."""
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    subprocess.run(["git", "add", "src/app/small.py"], cwd=root, check=True)
    action = shell(root, command)
    assert action is not None and action.updated_input is not None
    (root / "out").unlink()
    (root / "self").unlink()
    before = subprocess.run(["bash", "-c", command], cwd=root, capture_output=True, text=True)
    after = subprocess.run(["bash", "-c", action.updated_input["command"]], cwd=root, capture_output=True, text=True)
    assert (after.returncode, after.stderr) == (before.returncode, before.stderr)
    assert set(after.stdout.splitlines()) <= set(before.stdout.splitlines())
    assert after.stdout
