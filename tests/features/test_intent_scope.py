"""intent-scope: nothing is changed without an intent, nothing out of its scope, by whatever tool."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jackline.clients.router import receive
from jackline.features.intent_scope.hook import handle
from jackline.intents import Active, keep
from jackline.intents.scope_requests import wishes
from jackline.model import Action, Event
from jackline.runtime.request import Request
from jackline.sdk import Context

from .feature import OWN_PLAN, call, context_of

HOME = "/home/ada"
SCOPE = ("src/auth/**", "!src/auth/old/**", "docs/{a,b}.md")
FILE = """active_intents:
  - id: INT-001
    name: Sign-in
    status: {status}
    owned_scope: ["src/auth/**", "!src/auth/old/**", "docs/{{a,b}}.md"]
  - id: INT-002
    name: Billing
    status: PENDING
    owned_scope: ["src/billing/**"]
"""


class Shop:
    """A project with two parts and a session, in a place that is no temporary folder of the machine."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.store = folder / "store"
        for name in ("src/auth/old", "src/billing", "docs", ".orchestration", ".ai/tmp"):
            (self.root / name).mkdir(parents=True)
        for name in (
            "src/auth/a.py",
            "src/auth/b.py",
            "src/auth/old/x.py",
            "src/billing/x.py",
            "docs/a.md",
            "README.md",
        ):
            (self.root / name).write_text("text\n")
        self.write()
        self.select()

    def write(self, text: str = FILE, **words: str) -> None:
        (self.root / ".orchestration/active_intents.yaml").write_text(
            text.format(**({"status": "IN_PROGRESS"} | words))
        )

    def select(self, *scope: str, **fields: Any) -> None:
        keep(
            str(self.store),
            "0badcafe",
            Active("INT-001", "Sign-in", scope or SCOPE, 1, "agent", str(self.root), **fields),
        )

    def context(self, **knobs: Any) -> Context:
        protected = {
            "store": str(self.store),
            "home": HOME,
            "package": "/opt/venv/lib/python3.11/site-packages/jackline",
        }
        return context_of("intent-scope", self.root, protected=protected, **knobs)

    def tool(
        self, name: str, kind: str, *targets: str, given: dict[str, Any] | None = None, **knobs: Any
    ) -> Action | None:
        return handle(call(name, kind, given or {}, self.root, targets=targets), self.context(**knobs))

    def shell(self, command: str, cwd: str = "", **knobs: Any) -> Action | None:
        event = call("Bash", "shell", {"command": command}, self.root, cwd=str(self.root / cwd), command=command)
        return handle(event, self.context(**knobs))


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def said(action: Action | None) -> tuple[str, str]:
    return ("", "") if action is None else (action.decision, action.code)


PASS, OUT, NONE, ASK = ("", ""), ("deny", "SCOPE_VIOLATION"), ("deny", "NO_ACTIVE_INTENT"), ("ask", "")

# --- commands -----------------------------------------------------------------------------------------------------

COMMANDS = {
    "sed": ("sed -i s/a/b/ src/auth/a.py", PASS),
    "sed, out": ("sed -i s/a/b/ src/billing/x.py", OUT),
    "sed, one of two out": ("sed -i s/a/b/ src/auth/a.py src/billing/x.py", OUT),
    "redirection": ("echo x > src/auth/new.py", PASS),
    "redirection, out": ("echo x > src/billing/x.py", OUT),
    "redirection, appended, out": ("echo x >> README.md", OUT),
    "tee": ("echo x | tee src/auth/a.py", PASS),
    "tee, out": ("echo x | tee -a README.md", OUT),
    "cp": ("cp README.md src/auth/r.md", PASS),
    "cp, out": ("cp src/auth/a.py src/billing/a.py", OUT),
    "cp into a folder, out": ("cp src/auth/a.py src/billing/", OUT),
    "cp of a folder, out": ("cp -r src/auth src/copy", OUT),
    "mv": ("mv src/auth/a.py src/auth/c.py", PASS),
    "mv, target out": ("mv src/auth/a.py src/billing/", OUT),
    "mv, source out": ("mv src/billing/x.py src/auth/", OUT),
    "rm": ("rm src/auth/a.py", PASS),
    "rm, out": ("rm src/billing/x.py", OUT),
    "rm of a folder with something excluded": ("rm -rf src/auth", OUT),
    "rm of all": ("rm -rf .", OUT),
    "rm by a glob": ("rm src/auth/*.py", PASS),
    "rm by a glob, out": ("rm src/*/*.py", OUT),
    "find": ("find src/auth -maxdepth 1 -name 'a.py' -delete", PASS),
    "find, out": ("find . -name '*.py' -delete", OUT),
    "ln, out": ("ln -s src/auth/a.py here.py", OUT),
    "a second name, out": ("ln src/billing/x.py src/auth/x.py", OUT),
    "a second name by cp, out": ("cp -al src/billing/x.py src/auth/x.py", OUT),
    "a second name": ("ln src/auth/a.py src/auth/x.py", PASS),
    "a link to elsewhere": ("ln -s ../billing src/auth/way", PASS),
    "a link to elsewhere, used": ("ln -s ../billing src/auth/way && echo x > src/auth/way/x.py", OUT),
    "truncate, out": ("truncate -s 0 README.md", OUT),
    "touch, out": ("touch src/billing/new", OUT),
    "chmod, out": ("chmod +x README.md", OUT),
    "dd, out": ("dd if=/dev/zero of=README.md count=1", OUT),
    "curl, out": ("curl -o README.md http://localhost/", OUT),
    "perl, out": ("perl -pi -e s/a/b/ README.md", OUT),
    "awk, out": ("""awk '{print > "README.md"}' src/auth/a.py""", OUT),
    "git checkout of a path": ("git checkout -- src/auth/a.py", PASS),
    "git checkout of a path, out": ("git checkout -- src/billing/x.py", OUT),
    "git restore, out": ("git restore .", OUT),
    "git rm, out": ("git rm README.md", OUT),
    "git mv, out": ("git mv src/auth/a.py a.py", OUT),
    "git reset, out": ("git reset --hard", OUT),
    "nested": ("bash -c 'echo x > README.md'", OUT),
    "behind cd": ("cd src/auth && echo x > n.py", PASS),
    "behind cd, out": ("cd src && echo x > n.py", OUT),
    "a here-document": ("cat > src/auth/n.py <<'EOF'\nrm -rf /\nEOF\n", PASS),
    "a here-document, out": ("cat > n.py <<'EOF'\nx\nEOF\n", OUT),
    "apply_patch by a command, out": (
        "apply_patch <<'E'\n*** Begin Patch\n*** Add File: n.py\n+x\n*** End Patch\nE\n",
        OUT,
    ),
    "split": ("split README.md src/auth/part", PASS),
    "split, out": ("split README.md src/billing/part", OUT),
    "csplit, out": ("csplit -f src/billing/part README.md 1", OUT),
    "perl": ("perl -pi -e 's/a/b/' src/auth/a.py", PASS),
    "a formatter": ("black src/auth/a.py", PASS),
    "a formatter, out": ("black src", OUT),
    "mkdir that leads there": ("mkdir -p src/auth/new", PASS),
    "mkdir, out": ("mkdir -p src/new", OUT),
    "003: `src/auth/../billing/x` is in scope": ("echo x > src/auth/../billing/x.py", OUT),
    "003: shell is outside scope control": ("python3 -c \"open('README.md','w').write('x')\"", OUT),
    "003: exclusions do not work": ("echo x > src/auth/old/x.py", OUT),
    "003: braces do not work": ("echo x > docs/b.md", PASS),
    # What nobody can tell.
    "a variable": ("echo x > $OUT", ASK),
    "a program": ("python3 tool.py", ASK),
    "another program": ("./tool", ASK),
    "an archive": ("tar xf a.tar", ASK),
    "a patch": ("patch -p1 < a.patch", ASK),
    "branches": ("git switch main", ASK),
    "what cannot be read": ("echo 'x", ASK),
    "decoded": ("echo eA== | base64 -d | sh", ASK),
    # What is nobody's business.
    "reads": ("cat README.md | grep x | sort", PASS),
    "a test": ("pytest -q tests", PASS),
    "a build": ("cd src && npm run build 2>&1 | tail -5", PASS),
    "a test under a clock": ("timeout 60 npm test", PASS),
    "commits": ("git add -A && git commit -m 'rm -rf src/billing'", PASS),
    "a new branch": ("git checkout -b topic; git switch -c other", PASS),
    "scratch": ("echo x > /tmp/scratch-of-a-test.txt", PASS),
    "nowhere": ("make lint > /dev/null 2>&1", PASS),
    "caches": ("rm -rf node_modules .pytest_cache src/billing/__pycache__", PASS),
    "the session's own": ("echo x > .ai/inbox/note.md", PASS),
    "a checker": ("npx tsc --noEmit -p .", PASS),
    "a checker with plugins": ("npx eslint src && mypy src", PASS),
    "a fixer, out": ("npx eslint --fix src", OUT),
    "a signal": ("kill 123", PASS),
    "quoted prose": ("git commit -m 'echo x > README.md'", PASS),
    "our own command": ("jackline intents request INT-001 docs/c.md --reason why", PASS),
    "our own command by its place": ("/opt/venv/bin/jackline intents list", PASS),
    "a command that only has our name": ("./jackline intents list", ASK),
    "our own name for something else": ("jackline() { echo x > README.md; }; jackline", OUT),
    "a path that is read": ("read PATH < f; jackline intents list", ASK),
    "our own command with another path": ("PATH=.:$PATH jackline intents list", ASK),
}


@pytest.mark.parametrize(("command", "answer"), COMMANDS.values(), ids=COMMANDS)
def test_what_a_command_changes_is_held_to_the_scope(shop: Shop, command: str, answer: tuple[str, str]) -> None:
    assert said(shop.shell(command)) == answer


@pytest.mark.parametrize("command", ["git reset --hard", "git checkout -- .", "ruff format .", "git checkout -f"])
def test_what_means_the_whole_tree_is_refused_for_what_is_out_of_scope(shop: Shop, command: str) -> None:
    found = shop.shell(command)
    assert said(found) == OUT and found is not None
    assert found.reason == "README.md is out of the scope of INT-001 (Sign-in)", "not for the file of intents"
    shop.select("**")
    shop.write(FILE.replace('["src/auth/**", "!src/auth/old/**", "docs/{{a,b}}.md"]', '["**"]'))
    assert shop.shell(command) is None


def test_the_file_of_intents_is_named_where_nothing_else_is_out_of_scope(shop: Shop) -> None:
    found = shop.shell("rm -rf .orchestration")
    assert found is not None and found.reason.startswith(".orchestration/active_intents.yaml may not be changed")


def test_clients_own_tools_that_change_no_file_need_no_intent(shop: Shop) -> None:
    (shop.store / "intents/0badcafe").unlink()
    for tool, given in (
        ("Skill", {"skill": "review"}),
        ("SlashCommand", {"command": "/x"}),
        ("KillShell", {"shell_id": "1"}),
        ("TaskStop", {"id": "1"}),
    ):
        event = parsed("claude-code", shop.root, tool_name=tool, tool_input=given)
        assert handle(event, shop.context()) is None, tool
    event = parsed("claude-code", shop.root, tool_name="mcp__x__skill", tool_input={"skill": "review"})
    assert said(handle(event, shop.context())) == NONE, "a server's tool may call itself what it likes"


HARMLESS = (
    "reads",
    "a test",
    "a build",
    "a test under a clock",
    "commits",
    "scratch",
    "nowhere",
    "caches",
    "quoted prose",
)


@pytest.mark.parametrize(("command", "answer"), COMMANDS.values(), ids=COMMANDS)
def test_without_an_intent_nothing_is_changed(
    shop: Shop, command: str, answer: tuple[str, str], request: pytest.FixtureRequest
) -> None:
    (shop.store / "intents/0badcafe").unlink()
    found = said(shop.shell(command))
    name = request.node.callspec.id
    free = (
        name in HARMLESS
        or name in ("a new branch", "the session's own", "a checker", "a checker with plugins", "a signal")
        or name.startswith("our own command")
    )
    if free and "another path" not in name:
        assert found == PASS
    else:
        assert found in (NONE, OUT)


def test_a_script_on_the_disk_is_read(shop: Shop) -> None:
    (shop.root / "in.sh").write_text("sed -i s/a/b/ src/auth/a.py\n")
    (shop.root / "out.sh").write_text("#!/bin/sh\nset -e\nsed -i s/a/b/ src/billing/x.py\n")
    (shop.root / "nested.sh").write_text("bash out.sh\n")
    (shop.root / "strange.sh").write_text("./unknown-program\n")
    assert said(shop.shell("bash in.sh")) == PASS
    for command in (
        "bash out.sh",
        "sh ./out.sh",
        ". ./out.sh",
        "./out.sh",
        "cd docs && bash ../out.sh",
        "bash nested.sh",
    ):
        assert said(shop.shell(command)) in (OUT, ASK), command
    assert said(shop.shell("bash out.sh")) == OUT
    assert said(shop.shell("bash nested.sh")) == OUT
    assert said(shop.shell("bash strange.sh")) == ASK


def test_links_lead_nowhere_else(shop: Shop, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (shop.root / "src/auth/link").symlink_to("../billing")
    (shop.root / "src/auth/out").symlink_to(outside)
    (shop.root / "src/auth/file.py").symlink_to("../billing/x.py")
    for path in ("src/auth/link/x.py", "src/auth/out/x.py", "src/auth/file.py"):
        assert said(shop.shell(f"echo x > {path}")) == OUT, path
        assert said(shop.tool("Write", "write", path)) == OUT, path
    (shop.root / "way").symlink_to("src/auth")
    assert said(shop.tool("Write", "write", "way/n.py")) == PASS


# --- tools --------------------------------------------------------------------------------------------------------

TOOLS = {
    "edit": (("Edit", "edit", "src/auth/a.py"), PASS),
    "edit, out": (("Edit", "edit", "src/billing/x.py"), OUT),
    "write": (("Write", "write", "src/auth/n/m.py"), PASS),
    "notebook, out": (("NotebookEdit", "notebook", "n.ipynb"), OUT),
    "several, one out": (("MultiEdit", "edit", "src/auth/a.py", "README.md"), OUT),
    "003: `write_file` passes": (("write_file", "write", "README.md"), OUT),
    "003: `delete` is outside scope control": (("delete", "edit", "README.md"), OUT),
    "003: a new edit tool is SAFE": (("FancyEdit", "other", "README.md"), OUT),
    "003: an unknown tool is SAFE": (("Frobnicate", "other"), ASK),
    "003: a call with no detectable file is allowed": (("Edit", "edit"), ASK),
    "003: MCP calls are SAFE": (("fs/write_file", "mcp", "README.md"), OUT),
    "MCP, in scope": (("fs/write_file", "mcp", "src/auth/a.py"), PASS),
    "MCP without a path": (("memo/remember", "mcp"), ASK),
    "MCP that looks": (("docs/get-library-docs", "mcp"), PASS),
    "003: `**/x`, `..`": (("Write", "write", "src/auth/../billing/x.py"), OUT),
    "absolute, out": (("Write", "write", "/etc/hosts"), OUT),
    "home, out": (("Write", "write", "/home/ada/notes.md"), OUT),
    "plans of the client": (("Write", "write", "/home/ada/.claude/plans/p.md"), PASS),
    "case": (("Write", "write", "SRC/auth/a.py"), OUT),
    "an exclusion in another case": (("Write", "write", "src/auth/OLD/x.py"), OUT),
    "scratch": (("Write", "write", "/tmp/scratch-of-a-test/x"), PASS),
    "caches are a command's": (("Write", "write", "node_modules/x.js"), OUT),
    "the session's own": (("Write", "write", OWN_PLAN), PASS),
    "reads": (("Read", "read", "README.md"), PASS),
    "searches": (("Grep", "search", "."), PASS),
    "sub-agents": (("Task", "subagent"), PASS),
    "todos": (("TodoWrite", "todo"), PASS),
}


@pytest.mark.parametrize(("tool", "answer"), TOOLS.values(), ids=TOOLS)
def test_what_a_tool_changes_is_held_to_the_scope(shop: Shop, tool: tuple[str, ...], answer: tuple[str, str]) -> None:
    name, kind, *targets = tool
    assert said(shop.tool(name, kind, *targets)) == answer


@pytest.mark.parametrize(("tool", "answer"), TOOLS.values(), ids=TOOLS)
def test_without_an_intent_no_tool_changes_anything(shop: Shop, tool: tuple[str, ...], answer: tuple[str, str]) -> None:
    """003: `write_file`, `delete` and shell pass without an intent."""
    (shop.store / "intents/0badcafe").unlink()
    name, kind, *targets = tool
    free = kind in ("read", "search", "subagent", "todo") or "get" in name
    free = free or any(one.startswith(("/tmp", ".ai/", "/home/ada/.claude/plans")) for one in targets)
    assert said(shop.tool(name, kind, *targets)) == (PASS if free else NONE)


def parsed(dialect: str, root: Path, **payload: Any) -> Event:
    told = {"session_id": "s", "cwd": str(root), "hook_event_name": "PreToolUse", "tool_use_id": "t", **payload}
    _, event = receive(Request(dialect, "PreToolUse", json.dumps(told).encode(), {}, str(root)))
    event.root = str(root)
    return event


def test_003_move_targets_in_patches_are_seen(shop: Shop) -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/auth/a.py\n*** Move to: src/billing/a.py\n@@\n-text\n+x\n*** End Patch\n"
    )
    event = parsed("codex", shop.root, tool_name="apply_patch", tool_input={"command": patch})
    found = handle(event, shop.context())
    assert found is not None and said(found) == OUT and "src/billing/a.py" in found.reason
    inside = patch.replace("src/billing", "src/auth/new")
    assert (
        handle(parsed("codex", shop.root, tool_name="apply_patch", tool_input={"command": inside}), shop.context())
        is None
    )


def test_mcp_arguments_that_look_like_paths_are_seen(shop: Shop) -> None:
    for given in (
        {"uri": "file:///etc/hosts"},
        {"edits": [{"path": "README.md"}]},
        {"target": f"{shop.root}/README.md"},
    ):
        event = parsed("claude-code", shop.root, tool_name="mcp__fs__store", tool_input=given)
        assert said(handle(event, shop.context())) == OUT, given


# --- the intent itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["COMPLETED", "COMPLETE", "BLOCKED", "ARCHIVED", "NONSENSE"])
def test_003_intent_status_is_honoured_when_judging(shop: Shop, status: str) -> None:
    assert said(shop.tool("Edit", "edit", "src/auth/a.py")) == PASS
    shop.write(status=status)
    found = shop.tool("Edit", "edit", "src/auth/a.py")
    assert found is not None and said(found) == NONE
    assert "INT-002 (Billing)" in found.safer and "INT-001" not in found.safer


def test_an_intent_that_is_gone_does_not_count(shop: Shop) -> None:
    shop.write("active_intents:\n- id: INT-009\n")
    assert said(shop.tool("Edit", "edit", "src/auth/a.py")) == NONE
    (shop.root / ".orchestration/active_intents.yaml").unlink()
    found = shop.tool("Edit", "edit", "src/auth/a.py")
    assert found is not None and said(found) == NONE and "jackline intents new" in found.safer


def test_a_file_in_the_middle_of_an_edit_leaves_the_last_reading_in_force(shop: Shop) -> None:
    shop.context()
    shop.store.mkdir(exist_ok=True)
    from jackline.intents.intent_index import reading

    reading(str(shop.store), str(shop.root))
    shop.write("active_intents: [\n")
    assert said(shop.tool("Edit", "edit", "src/auth/a.py")) == PASS
    assert said(shop.tool("Edit", "edit", "README.md")) == OUT


def test_a_scope_that_grows_in_the_file_counts_after_a_persons_word_only(shop: Shop) -> None:
    shop.write(FILE.replace('"src/auth/**"', '"src/**"'))
    assert said(shop.tool("Edit", "edit", "src/billing/x.py")) == OUT
    shop.select(*SCOPE, given=("src/billing/**",))
    assert said(shop.tool("Edit", "edit", "src/billing/x.py")) == PASS
    assert said(shop.tool("Edit", "edit", "README.md")) == OUT


def test_a_scope_that_shrinks_in_the_file_counts_at_once(shop: Shop) -> None:
    shop.write(FILE.replace('"src/auth/**"', '"src/auth/a.py"'))
    assert said(shop.tool("Edit", "edit", "src/auth/a.py")) == PASS
    assert said(shop.tool("Edit", "edit", "src/auth/b.py")) == OUT


CHANGES: dict[str, Callable[[Shop], Action | None]] = {
    "edit": lambda shop: shop.tool("Edit", "edit", ".orchestration/active_intents.yaml"),
    "another case": lambda shop: shop.tool("Edit", "edit", ".orchestration/Active_Intents.yaml"),
    "the ignore file": lambda shop: shop.tool("Write", "write", ".orchestration/.intentignore"),
    "the trace": lambda shop: shop.shell("echo x >> .orchestration/agent_trace.jsonl"),
    "sed": lambda shop: shop.shell("sed -i s/a/b/ .orchestration/active_intents.yaml"),
    "mv": lambda shop: shop.shell("mv .orchestration/active_intents.yaml x"),
    "the folder": lambda shop: shop.shell("rm -rf .orchestration"),
    "the folder, moved": lambda shop: shop.shell("mv .orchestration other"),
    "by a glob": lambda shop: shop.shell("rm .orchestration/*.yaml"),
    "through a link": lambda shop: shop.shell("ln -s .orchestration way; echo x > way/active_intents.yaml"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_intents_are_not_an_agents_to_write(shop: Shop, change: Callable[[Shop], Action | None]) -> None:
    shop.select("**")
    shop.write(FILE.replace('"src/auth/**"', '"**"'))
    found = change(shop)
    assert found is not None and said(found) == OUT and "may not be changed by an agent" in found.reason
    (shop.store / "intents/0badcafe").unlink()
    found = change(shop)
    assert found is not None and found.decision == "deny"


def test_a_person_may_ignore_places(shop: Shop) -> None:
    (shop.root / ".orchestration/.intentignore").write_text("*.md\n!README.md\n")
    assert said(shop.tool("Edit", "edit", "notes/x.md")) == OUT, (
        "what was not ignored when it was selected counts later"
    )
    shop.select(ignored=("**/*.md", "!**/README.md"))
    assert said(shop.tool("Edit", "edit", "notes/x.md")) == PASS
    assert said(shop.tool("Edit", "edit", "README.md")) == OUT
    (shop.root / ".orchestration/.intentignore").write_text("")
    assert said(shop.tool("Edit", "edit", "notes/x.md")) == OUT
    assert said(shop.tool("Edit", "edit", "notes/x.md", ignore=["notes/**"])) == PASS


# --- expansions ---------------------------------------------------------------------------------------------------


def expansion(shop: Shop, value: Any, *targets: str) -> Action | None:
    return shop.tool("Write", "write", *targets, given={"request_scope_expansion": value})


def test_a_call_may_ask_to_be_let_in_and_a_person_decides(shop: Shop) -> None:
    """003: the field where a tool carries it."""
    for value in (
        True,
        "src/billing/**",
        ["src/billing/x.py"],
        {"paths": ["src/billing/x.py"], "reason": "tests"},
        "true",
        " True ",
        '["src/billing/x.py"]',
        '"src/billing/**"',
        '{"globs": ["src/billing/**"], "reason": "tests"}',
        {"globs": '["src/billing/**"]'},
        {"paths": "true", "reason": "tests"},
        '"true"',
        '"[\\"src/billing/**\\"]"',
        "src\\billing\\**",
    ):
        found = expansion(shop, value, "src/billing/x.py")
        assert found is not None and said(found) == ("ask", "SCOPE_VIOLATION"), value
        assert "src/billing" in found.reason and "intents expand INT-001" in found.safer


@pytest.mark.parametrize(
    "value",
    [
        "false",
        "False",
        "null",
        "",
        "[]",
        "{}x",
        False,
        None,
        0,
        "no",
        "{}",
        {},
        '"false"',
        {"paths": False},
        {"paths": []},
    ],
)
def test_a_text_that_says_no_asks_for_nothing(shop: Shop, value: Any) -> None:
    """And is no glob: nobody is asked about a folder called `false`."""
    assert said(expansion(shop, value, "src/billing/x.py")) == OUT


def test_a_wrapper_may_carry_the_field_in_a_text(shop: Shop) -> None:
    given = {"server_name": "files", "arguments": '{"path": "src/billing/x.py", "request_scope_expansion": "true"}'}
    event = call("files/write_file", "mcp", given, shop.root, targets=("src/billing/x.py",))
    assert said(handle(event, shop.context())) == ("ask", "SCOPE_VIOLATION")


def test_003_approval_of_any_expansion_does_not_let_the_file_through(shop: Shop) -> None:
    """It covers only what it names, for one call; the stale test and every other guard go on."""
    assert said(expansion(shop, "docs/**", "src/billing/x.py")) == OUT
    assert said(expansion(shop, ["src/billing/x.py"], "src/billing/x.py", "README.md")) == OUT
    assert said(expansion(shop, True, ".orchestration/active_intents.yaml")) == OUT
    assert said(expansion(shop, [], "src/billing/x.py")) == OUT
    assert said(expansion(shop, {"reason": "all"}, "src/billing/x.py")) == ("ask", "SCOPE_VIOLATION")
    assert said(shop.tool("Write", "write", "src/billing/x.py")) == OUT


def test_a_wish_is_kept_for_the_person(shop: Shop) -> None:
    work: list[Callable[[], None]] = []
    ctx = shop.context()
    ctx._later = work
    event = call("Write", "write", {"request_scope_expansion": "docs/**"}, shop.root, targets=("docs/c.md",))
    assert said(handle(event, ctx)) == ("ask", "SCOPE_VIOLATION")
    assert wishes(str(shop.store), str(shop.root)) == []
    for one in work:
        one()
    (wish,) = wishes(str(shop.store), str(shop.root))
    assert (wish.intent, wish.globs, wish.session) == ("INT-001", ("docs/**",), "0badcafe")


# --- knobs and words ----------------------------------------------------------------------------------------------


def test_knobs(shop: Shop) -> None:
    assert said(shop.shell("python3 tool.py", unknown="deny")) == OUT
    assert said(shop.shell("python3 tool.py", unknown="pass")) == PASS
    assert said(shop.shell("python3 tool.py --x", commands=["python3 tool.py*"])) == PASS
    assert said(shop.shell("python3 tool.py; ./other", commands=["python3 tool.py*"])) == ASK
    assert said(shop.tool("memo/remember", "mcp", tools=["memo/*"])) == PASS
    assert said(shop.tool("Write", "write", "/tmp/scratch-of-a-test/x", scratch=False)) == OUT
    assert said(shop.tool("Write", "write", "/srv/notes/x", outside=["/srv/notes/**"])) == PASS
    (shop.store / "intents/0badcafe").unlink()
    assert said(shop.tool("Write", "write", "README.md", require_intent=False)) == PASS


def test_outputs_count_where_git_ignores_them(shop: Shop) -> None:
    assert said(shop.shell("rm -rf dist")) == OUT
    (shop.root / ".gitignore").write_text("/dist/\nsrc/\n")
    assert said(shop.shell("rm -rf dist")) == PASS
    assert said(shop.shell("rm -rf src/billing")) == OUT


def test_a_project_in_a_temporary_folder_has_no_scratch_beside_it(shop: Shop) -> None:
    from jackline.intents.unowned_paths import scratch

    assert scratch("/tmp/x", "/srv/shop", "")
    assert scratch("/tmp/other/x", "/tmp/mine/shop", "")
    assert not scratch("/tmp/mine/elsewhere/x", "/tmp/mine/shop", "")
    assert not scratch("/srv/x", "/srv/shop", "/")
    assert scratch("/srv/scratch/x", "/srv/shop", "/srv/scratch")


def test_a_refusal_says_what_rule_and_way(shop: Shop) -> None:
    found = shop.tool("Edit", "edit", "src/billing/x.py")
    assert found is not None
    assert found.reason == "src/billing/x.py is out of the scope of INT-001 (Sign-in)"
    assert found.rule == "intent-scope: src/auth/**, !src/auth/old/**, docs/{a,b}.md"
    assert "jackline intents expand INT-001 'src/billing/x.py'" in found.safer
    (shop.store / "intents/0badcafe").unlink()
    found = shop.tool("Edit", "edit", "src/billing/x.py")
    assert found is not None
    assert found.reason == "no intent is selected, and this would change src/billing/x.py"
    assert found.safer == "run `jackline intents select ID` first; open: INT-001 (Sign-in), INT-002 (Billing)"


def test_an_intent_of_another_project_does_not_count(shop: Shop) -> None:
    keep(str(shop.store), "0badcafe", Active("INT-001", "", ("**",), 1, "agent", "/srv/other"))
    assert said(shop.tool("Edit", "edit", "README.md")) == NONE
