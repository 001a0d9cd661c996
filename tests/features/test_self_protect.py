"""self-protect: what an agent may not change, read or run, by every tool and by shell text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline import sensitive
from jackline.features.self_protect import places
from jackline.features.self_protect.hook import handle
from jackline.model import Action
from jackline.shell import git_keys

from .feature import FEATURES, call, context_of


class World:
    """A project, a home, a store and an installation on disk."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.root = self.home / "work/project"
        self.store = self.home / ".local/state/jackline"
        self.package = base / "opt/lib/jackline"
        for folder in (self.root / "src", self.root / ".ai/hooks/features", self.root / ".git/hooks", self.package):
            folder.mkdir(parents=True)
        for folder in (
            self.store / "bin",
            self.home / ".claude",
            self.root / ".claude",
            self.root / ".github/workflows",
        ):
            folder.mkdir(parents=True)
        for file in (self.store / "door.py", self.home / ".claude/settings.json", self.root / ".claude/settings.json"):
            file.write_text("{}\n")
        (self.root / ".git/config").write_text("[core]\n\tbare = false\n\thooksPath = .ai/githooks\n")
        (self.root / ".git/hooks/pre-commit").write_text("#!/bin/sh\n")

    def path(self, text: str) -> str:
        """`R` the project, `H` the home, `S` the store, `P` the installation."""
        names = {"R": self.root, "H": self.home, "S": self.store, "P": self.package}
        head, _, rest = text.partition("/")
        return f"{names[head]}/{rest}" if head in names else text

    def expand(self, text: str) -> str:
        for mark, place in (("<R>", self.root), ("<H>", self.home), ("<S>", self.store), ("<P>", self.package)):
            text = text.replace(mark, str(place))
        return text

    def protected(self, **more: Any) -> dict[str, Any]:
        return {"store": str(self.store), "package": str(self.package), "home": str(self.home), **more}

    def tool(self, tool: str, kind: str, given: dict[str, Any], *targets: str, **knobs: Any) -> Action | None:
        fields = {"patch": given["command"]} if tool == "apply_patch" else {}
        event = call(tool, kind, given, self.root, targets=tuple(self.path(one) for one in targets), **fields)
        return handle(event, context_of("self-protect", self.root, protected=self.protected(), **knobs))

    def shell(self, command: str, *, paranoid: bool = False, cwd: str = "", **knobs: Any) -> Action | None:
        command = self.expand(command)
        event = call("Bash", "shell", {"command": command}, self.root, command=command, cwd=cwd)
        known = self.protected(paranoid=paranoid)
        return handle(event, context_of("self-protect", self.root, protected=known, **knobs))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path.resolve())
    monkeypatch.setenv("HOME", str(made.home))
    return made


PLACES = [
    ("R/.ai/hooks/config.json", places.OWN),
    ("R/.ai/hooks/features/x/hook.py", places.OWN),
    ("R/.ai", places.OWN),
    ("R/.ai/tmp/0badcafe/state.json", places.OWN),
    ("R/.ai/tmp/0badcafe/events.jsonl", places.OWN),
    ("R/.ai/tmp/.gitignore", places.OWN),
    ("R/.AI/Hooks/config.json", places.OWN),
    ("R/.ai/tmp/0badcafe/work/w001/plan/p.json", ""),
    ("R/.ai/tmp/0badcafe/work/w001/mailbox/m.json", ""),
    ("R/.ai/tmp/0badcafe/work/w001/artifacts/attachments/a.png", ""),
    ("R/.ai/tmp/0badcafe/work/w001/artifacts/index.jsonl", places.OWN),
    ("R/.ai/tmp/0badcafe/planGraph-exec/output/planGraph.json", ""),
    ("R/.ai/tmp/0badcafe/planGraph-exec/logs/debug.log", places.OWN),
    ("R/.ai/inbox/idea.md", ""),
    ("R/sub/.ai/hooks/x", places.OWN),
    ("R/sub/.ai/notes.md", ""),
    ("R/.claude/settings.json", places.CLIENT),
    ("R/.claude/settings.local.json", places.CLIENT),
    ("R/.claude/agents/x.md", ""),
    ("R/.claude/settings/x", ""),
    ("R/sub/dir/.claude/settings.json", places.CLIENT),
    ("H/.claude/settings.json", places.CLIENT),
    ("H/.claude/plugins/x/hooks/hooks.json", places.CLIENT),
    ("H/.claude/projects/x.jsonl", ""),
    ("R/.codex/hooks.json", places.CLIENT),
    ("R/.codex/config.toml", places.CLIENT),
    ("H/.codex/config.toml", places.CLIENT),
    ("H/.codex/rules/default.rules", places.CLIENT),
    ("H/.codex/sessions/x.jsonl", ""),
    ("R/.github/hooks/jackline.json", places.CLIENT),
    ("R/.github/copilot/settings.json", places.CLIENT),
    ("R/.github/copilot/settings.local.json", places.CLIENT),
    ("R/.github/workflows/ci.yml", ""),
    ("R/.github/copilot-instructions.md", ""),
    ("H/.copilot/hooks/jackline.json", places.CLIENT),
    ("H/.copilot/settings.json", places.CLIENT),
    ("H/.copilot/config.json", places.CLIENT),
    ("R/.gemini/settings.json", places.CLIENT),
    ("H/.gemini/trusted_hooks.json", places.CLIENT),
    ("R/.qwen/settings.json", places.CLIENT),
    ("R/.cursor/hooks.json", places.CLIENT),
    ("R/.cursor/rules/x.mdc", ""),
    ("R/.clinerules/hooks/PreToolUse", places.CLIENT),
    ("R/.clinerules/style.md", ""),
    ("H/Documents/Cline/Hooks/PreToolUse", places.CLIENT),
    ("R/.windsurf/hooks.json", places.CLIENT),
    ("H/.codeium/windsurf/hooks.json", places.CLIENT),
    ("R/.kiro/hooks/x.json", places.CLIENT),
    ("R/.factory/hooks.json", places.CLIENT),
    ("R/.augment/settings.local.json", places.CLIENT),
    ("H/.kimi-code/config.toml", places.CLIENT),
    ("R/.opencode/plugin/x.ts", places.CLIENT),
    ("/etc/claude-code/managed-settings.json", places.CLIENT),
    ("R/.vscode/settings.json", places.EDITOR),
    ("R/.vscode/launch.json", ""),
    ("R/.git/hooks/pre-commit", places.HOOKS),
    ("R/.git/modules/lib/hooks/post-checkout", places.HOOKS),
    ("R/.git/worktrees/x/commondir", places.HOOKS),
    ("R/vendor/lib/.git/hooks/x", places.HOOKS),
    ("/srv/x.git/hooks/update", places.HOOKS),
    ("R/.git/config", places.GIT),
    ("R/.git/config.worktree", places.GIT),
    ("R/.git/modules/a/b/config", places.GIT),
    ("R/.git/info/attributes", places.ATTRIBUTES),
    ("R/.git/info/exclude", ""),
    ("R/.git/HEAD", ""),
    ("H/.gitconfig", places.GIT),
    ("H/.config/git/config", places.GIT),
    ("/etc/gitconfig", places.GIT),
    ("R/.gitattributes", places.ATTRIBUTES),
    ("R/sub/.gitattributes", places.ATTRIBUTES),
    ("R/.gitignore", ""),
    ("H/.bashrc", sensitive.SHELL),
    ("H/.zshenv", sensitive.SHELL),
    ("H/.config/fish/conf.d/x.fish", sensitive.SHELL),
    ("/etc/profile.d/x.sh", sensitive.SHELL),
    ("R/.bashrc", ""),
    ("R/dotfiles/.bashrc", ""),
    ("H/.config/jackline/config.json", places.OWN),
    ("/etc/jackline/dispatch.manifest.json", places.OWN),
    ("S/", places.STORE),
    ("S/door.py", places.STORE),
    ("S/authority.jsonl", places.STORE),
    ("S/repos/0011223344556677/tmp/0badcafe/state.json", places.STORE),
    ("S/repos/0011223344556677/tmp/0badcafe/planGraph-exec/output/planGraph.json", ""),
    ("S-beside/x", ""),
    ("P/hook.py", places.PACKAGE),
    ("P/features/self_protect/hook.py", places.PACKAGE),
    ("P-beside/hook.py", ""),
    ("R/src/main.py", ""),
    ("R/src/.env", ""),
    ("/tmp/x", ""),
    ("/", ""),
]


@pytest.mark.parametrize(("path", "rule"), PLACES, ids=[row[0] for row in PLACES])
def test_places(path: str, rule: str) -> None:
    names = {"R": "/home/u/p", "H": "/home/u", "S": "/home/u/.state/jackline", "P": "/opt/jackline"}
    for name, place in names.items():
        if path.startswith((name + "/", name + "-")):
            path = place + path[1:]
    assert places.protected(path, places.Ground(names["R"], names["H"], names["S"], names["P"])) == rule


@pytest.mark.parametrize(
    ("folder", "holds", "not_holds"),
    [
        ("/home/u/p", "/home/u/p/.ai/hooks", "/home/u/.claude/settings"),
        ("/home/u", "/home/u/.bashrc", "/etc/profile"),
        ("/home/u/p/.github", "/home/u/p/.github/hooks", "/home/u/p/.ai/hooks"),
        ("/", "/etc/profile", "/nowhere"),
        ("/home/u/.state", "/home/u/.state/jackline", "/home/u/.bashrc"),
        ("/opt", "/opt/jackline", "/home/u/.state/jackline"),
    ],
)
def test_below(folder: str, holds: str, not_holds: str) -> None:
    ground = places.Ground("/home/u/p", "/home/u", "/home/u/.state/jackline", "/opt/jackline")
    found = [place for place, _ in places.places_below(ground, folder)]
    assert holds in found
    assert not_holds not in found


TOOLS: list[tuple[str, str, str]] = [
    ("Write", "write", "file_path"),
    ("Edit", "edit", "file_path"),
    ("MultiEdit", "edit", "file_path"),
    ("NotebookEdit", "notebook", "notebook_path"),
    ("create_file", "write", "filePath"),
    ("create_directory", "write", "dirPath"),
    ("replace_string_in_file", "edit", "filePath"),
    ("create", "write", "path"),
    ("edit", "edit", "path"),
    ("write_file", "write", "file_path"),
    ("replace", "edit", "file_path"),
    ("files/write_file", "mcp", "path"),
    ("files/move", "mcp", "destination"),
    ("mystery", "other", "path"),
]


@pytest.mark.parametrize(("tool", "kind", "key"), TOOLS, ids=[row[0] for row in TOOLS])
class TestEveryTool:
    """The same for each tool that changes files, whatever its client calls it."""

    @pytest.mark.parametrize(
        "path",
        [
            "R/.ai/hooks/config.json",
            "H/.claude/settings.json",
            "R/.git/hooks/x",
            "S/trust.json",
            "P/hook.py",
            "H/.bashrc",
        ],
    )
    def test_refused(self, world: World, tool: str, kind: str, key: str, path: str) -> None:
        action = world.tool(tool, kind, {key: world.path(path)}, path)
        assert action is not None
        assert (action.decision, action.code) == ("deny", "SCOPE_VIOLATION")
        assert action.rule.startswith("self-protect: ")
        assert action.safer
        assert action.emit_events[0]["kind"] == "SELF_PROTECT_DENY"

    @pytest.mark.parametrize(
        "path", ["R/src/x.py", "R/.github/workflows/ci.yml", "R/.ai/inbox/x", "/tmp/x", "R/README"]
    )
    def test_passes(self, world: World, tool: str, kind: str, key: str, path: str) -> None:
        assert world.tool(tool, kind, {key: world.path(path)}, path) is None

    def test_through_links_and_dots(self, world: World, tool: str, kind: str, key: str) -> None:
        (world.root / "src/link").symlink_to("../.ai/hooks")
        (world.root / "src/file").symlink_to("../.claude/settings.json")
        for path in (
            "R/src/link/config.json",
            "R/src/file",
            "R/src/../.ai/hooks/x",
            "R/src/./../.claude//settings.json",
        ):
            assert world.tool(tool, kind, {key: world.path(path)}, path) is not None

    def test_one_of_several(self, world: World, tool: str, kind: str, key: str) -> None:
        assert world.tool(tool, kind, {key: "x"}, "R/src/a", "R/.ai/hooks/x") is not None


class TestPatch:
    def test_every_file_of_a_patch_counts(self, world: World) -> None:
        patch = "*** Begin Patch\n*** Update File: src/a\n*** Move to: .ai/hooks/x\n@@\n+x\n*** End Patch\n"
        assert world.tool("apply_patch", "edit", {"command": patch}, "R/src/a", "R/.ai/hooks/x") is not None

    def test_attributes_by_the_added_lines(self, world: World) -> None:
        def patch(line: str) -> Action | None:
            text = f"*** Begin Patch\n*** Update File: .gitattributes\n@@\n*.psd filter=lfs\n{line}\n*** End Patch\n"
            return world.tool("apply_patch", "edit", {"command": text}, "R/.gitattributes")

        assert patch("+*.txt text eol=lf") is None
        assert patch("+*.txt filter=evil") is not None
        assert patch("-*.txt filter=evil") is None


CONTENT = [
    # tool, kind, path, input, refused
    ("Write", "write", "R/.gitattributes", {"content": "*.sh text eol=lf\n"}, False),
    ("Write", "write", "R/.gitattributes", {"content": "*.py diff=python\n*.md merge=union -diff\n"}, False),
    ("Write", "write", "R/.gitattributes", {"content": "# filter=x\n*.bin -filter\n"}, False),
    ("Write", "write", "R/.gitattributes", {"content": "* filter=x\n"}, True),
    ("Write", "write", "R/.gitattributes", {"content": "*.c diff=cpp\n*.x\tdiff=x\n"}, True),
    ("Write", "write", "R/.gitattributes", {"content": "*.x merge=mine\n"}, True),
    ("Edit", "edit", "R/.gitattributes", {"old_string": "* filter=x", "new_string": ""}, False),
    ("create", "write", "R/.gitattributes", {"file_text": "* filter=x"}, True),
    ("multi", "edit", "R/.gitattributes", {"replacements": [{"newString": "* filter=x", "oldString": ""}]}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "x", "new_string": "[user]\n\tname = A\n"}, False),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": '[remote "o"]\n\turl = git@x:y\n'}, False),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": '[branch "b"]\n\tmerge = refs/heads/b'}, False),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": "[core]\n\tfsmonitor = ./x\n"}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": "\thooksPath = x\n"}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "\thooksPath = .ai/githooks\n", "new_string": ""}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": '[filter "x"]\n\tclean = evil\n'}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": "[alias]\n\tst = status\n"}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": '[includeIf "gitdir:x"]\n\tpath = y\n'}, True),
    ("Edit", "edit", "R/.git/config", {"old_string": "", "new_string": "[Core] HooksPath=x\n"}, True),
    ("Write", "write", "R/.git/config", {"content": "[core]\n\tbare = false\n"}, True),
    ("Write", "write", "R/new/.git/config", {"content": "[core]\n\tbare = false\n"}, False),
    ("Edit", "edit", "H/.gitconfig", {"old_string": "", "new_string": "[user]\n\temail = a@b\n"}, False),
    ("Edit", "edit", "R/.vscode/settings.json", {"old_string": "", "new_string": '"editor.tabSize": 2'}, False),
    ("Edit", "edit", "R/.vscode/settings.json", {"old_string": "", "new_string": '"chat.useHooks": false'}, True),
    ("Edit", "edit", "R/.vscode/settings.json", {"old_string": "", "new_string": '"chat.\\u0075seHooks": false'}, True),
    ("x/write", "mcp", "R/.gitattributes", {"content": "*.sh text"}, True),
]


@pytest.mark.parametrize(
    ("tool", "kind", "path", "given", "refused"), CONTENT, ids=[f"{r[2]} {json.dumps(r[3])}" for r in CONTENT]
)
def test_files_protected_by_content(
    world: World, tool: str, kind: str, path: str, given: dict[str, Any], refused: bool
) -> None:
    assert (world.tool(tool, kind, given, path) is not None) is refused


@pytest.mark.parametrize(
    ("key", "holds"),
    [
        ("core.hooksPath", True),
        ("CORE.HOOKSPATH", True),
        ("filter.x.y.clean", True),
        ("alias.st", True),
        ("include.path", True),
        ("credential.https://x.helper", True),
        ("user.name", False),
        ("branch.main.merge", False),
        ("remote.origin.url", False),
        ("remote.origin.uploadpack", True),
        ("core.autocrlf", False),
        ("pull.rebase", False),
    ],
)
def test_program_keys(key: str, holds: bool) -> None:
    assert git_keys.program_key(key) is holds


READS = [
    ("Read", "read", "S/authority.jsonl", True),
    ("Read", "read", "S/repos/0011223344556677/tmp/0badcafe/state.json", False),
    ("Grep", "search", "S/", True),
    ("Grep", "search", "H/.local", True),
    ("Grep", "search", "R/", False),
    ("LS", "list", "S/", True),
    ("LS", "list", "H/", False),
    ("files/read_file", "mcp", "S/trust.json", True),
    ("Read", "read", "R/.ai/hooks/config.json", False),
    ("Read", "read", "H/.claude/settings.json", False),
    ("Read", "read", "R/src/x", False),
]


@pytest.mark.parametrize(("tool", "kind", "path", "refused"), READS, ids=[f"{r[0]} {r[2]}" for r in READS])
def test_the_store_is_not_read(world: World, tool: str, kind: str, path: str, refused: bool) -> None:
    action = world.tool(tool, kind, {"path": world.path(path)}, path)
    assert (action is not None) is refused
    if action is not None:
        assert action.rule == "self-protect: Jackline's store"


def test_a_server_that_says_it_reads_is_asked_about_what_is_protected(world: World) -> None:
    """Its name is all we know of it."""
    path = world.path("R/.ai/hooks/config.json")
    action = world.tool("files/read_file", "mcp", {"path": path}, path)
    assert action is not None and (action.decision, action.rule) == ("ask", "self-protect: Jackline's own files")
    assert world.tool("files/read_file", "mcp", {"path": world.path("R/src/x")}) is None


@pytest.mark.parametrize("kind", ["question", "todo", "plan", "fetch", "subagent"])
def test_tools_that_touch_no_file_pass(world: World, kind: str) -> None:
    assert world.tool("x", kind, {"text": ".ai/hooks"}) is None


WRITES = [
    "echo x > .ai/hooks/config.json",
    "echo x >> .claude/settings.json",
    "echo x | tee .ai/hooks/x",
    "tee -a <H>/.bashrc < src/x",
    "cp src/x .ai/hooks/x",
    "cp src/settings.json .claude/",
    "mv src/x .git/hooks/pre-commit",
    "mv .ai/hooks /tmp/gone",
    "sed -i s/a/b/ .claude/settings.json",
    "rm .git/hooks/pre-commit",
    "rm -rf .ai",
    "rm -rf .ai/hooks/*",
    "rm -rf ./.git",
    "rm -rf <R>",
    "rm -rf ~/.claude",
    "rm -rf <S>",
    "rm -rf <P>",
    "cd .ai/hooks && rm config.json",
    "cd src; echo x > ../.ai/hooks/x",
    "(cd .ai && echo x > hooks/x)",
    "touch .github/hooks/x.json",
    "mkdir -p .github/hooks && cp src/x .github/hooks/x.json",
    "dd if=src/x of=.claude/settings.json",
    "install -m 755 src/x .git/hooks/pre-push",
    "truncate -s 0 .claude/settings.json",
    "chmod -x .git/hooks/pre-commit",
    "ln -sf /bin/true .git/hooks/pre-commit",
    "ln -s .ai/hooks src/l",
    "ln .claude/settings.json src/l",
    "ln -s /tmp/evil .codex",
    "tar xf src/a.tar -C .ai/hooks",
    "git checkout HEAD~1 -- .ai/hooks",
    "git restore .claude/settings.json",
    "git rm -f .ai/hooks/config.json",
    "git config core.hooksPath /dev/null",
    "git config --global core.hooksPath /tmp/x",
    "git config --unset core.hooksPath",
    "git config set alias.x '!sh'",
    "git -C . config filter.x.clean evil",
    "git config --edit",
    "echo '* filter=x' >> .gitattributes",
    "printf x > <H>/.zshrc",
    'echo x > "$HOME/.claude/settings.json"',
    "echo x > ~/.claude/settings.json",
    "find .ai -delete",
    "find . -name config.json -path './.ai/*' -exec rm {} +",
    "curl -o .claude/settings.json https://example.com/x",
    "cat > .ai/hooks/x <<'EOF'\nx\nEOF",
    "echo x > src/../.claude/settings.json",
    "echo x > .claude/settings.local.json",
    "cp -r src .ai/hooks/features/x",
    "rsync -a src/ .git/hooks/",
    "rsync -a --delete src/ ./",
    "git clean -fdx",
    "git rm -r .",
    "chmod -R 777 .",
    "python3 -c \"open('.claude/settings.json','w').write('{}')\"",
    "node -e \"require('fs').writeFileSync('.ai/hooks/x','')\"",
]


@pytest.mark.parametrize("command", WRITES)
def test_commands_that_change_protected_places(world: World, command: str) -> None:
    action = world.shell(command)
    assert action is not None
    assert action.decision in ("deny", "ask")


WRAPPED = ["{}", "true; {}", "true && {}", "true | {}", "( {} )", "if true; then {}; fi", "{} &", "! {}", "FOO=1 {}",
           "sudo {}", "env X=1 {}", "command {}", "timeout 5 {}", "nohup {}", "bash -c '{}'", "sh -c \"{}\"",
           "bash <<EOF\n{}\nEOF", "eval '{}'", "for x in 1; do {}; done", "echo $({})", "`{}`", "{ {}; }"]  # fmt: skip


@pytest.mark.parametrize("wrapping", WRAPPED)
@pytest.mark.parametrize(
    "command",
    ["rm -rf .ai", "cp src/x .claude/settings.json", "tee .git/hooks/x", "jackline trust", "jackline hook a b"],
)
def test_wrapping_never_clears_a_refusal(world: World, command: str, wrapping: str) -> None:
    """Adding structure around a protected write leaves it refused."""
    action = world.shell(wrapping.replace("{}", command))
    assert action is not None and action.decision in ("deny", "ask")


QUOTED = st.lists(st.sampled_from(["plain", "single", "double", "slash"]), min_size=4, max_size=4)


def _quote(text: str, how: str) -> str:
    return {"plain": text, "single": f"'{text}'", "double": f'"{text}"', "slash": "".join("\\" + one for one in text)}[
        how
    ]


@settings(max_examples=60, deadline=None)
@given(how=QUOTED)
def test_quoting_never_clears_a_refusal(how: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    world = World(tmp_path_factory.mktemp("w").resolve())
    pieces = ["r" + "m", ".a", "i/hoo", "ks/x"]
    quoted = [_quote(piece, one) for piece, one in zip(pieces, how, strict=True)]
    action = world.shell(f"{quoted[0]} -rf {''.join(quoted[1:])}")
    assert action is not None and action.decision == "deny"


PASSING = [
    "ls -la",
    "cat .ai/hooks/config.json",
    "cat .claude/settings.json",
    "grep -rn x .ai/hooks",
    "git status",
    "git log -- .ai/hooks",
    "git diff .claude/settings.json",
    "git add -A",
    "git commit -m 'change .ai/hooks/config.json and run jackline trust'",
    "git config user.name A",
    "git config --get core.hooksPath",
    "git config --list",
    "git remote add x git@example.com:y",
    "git checkout -b new",
    "git branch -d old",
    "echo 'rm -rf .ai'",
    "echo jackline trust",
    "echo x > src/a",
    "rm -rf src/build",
    "rm -rf node_modules",
    "rm -rf *",
    "rm -f src/*.pyc",
    "mkdir -p .github/workflows",
    "echo x > .github/workflows/ci.yml",
    "echo x > .ai/inbox/idea.md",
    "mkdir -p .ai/tmp/0badcafe/planGraph-exec/output",
    "echo x > .ai/tmp/0badcafe/planGraph-exec/output/planGraph.json",
    "cp .claude/settings.json /tmp/copy",
    "tar xf a.tar",
    'for f in src/*; do sed -i s/a/b/ "$f"; done',
    "black .",
    "npx prettier --write .",
    "git stash",
    "git pull",
    "git checkout main",
    "git reset --hard",
    "git init",
    "git lfs install",
    "unzip a.zip",
    "patch -p1 < src/x",
    "rm -f .claude",
    "npm test",
    "make",
    "python3 -c 'print(1)'",
    "python3 script.py",
    "jackline status",
    "jackline --json log",
    "jackline doctor",
    "jackline work show",
    "jackline sessions work --session 11",
    "jackline sessions state --json",
    "jackline trust --help",
    "jackline init --client codex",
    "jackline try codex PreToolUse",
    "find / -name x",
    "ls ~",
]


@pytest.mark.parametrize("command", PASSING)
def test_other_commands_pass(world: World, command: str) -> None:
    assert world.shell(command) is None


VERBS = [
    "jackline trust",
    "jackline trust --diff",
    "jackline --json trust",
    "jackline approve AB12",
    "jackline reject x",
    "jackline uninstall --purge",
    "jackline enable x",
    "jackline disable self-protect",
    "jackline pause --minutes 5",
    "jackline eject session",
    "jackline gc",
    "jackline guard allow x",
    "jackline intents expand x",
    "jackline state rebuild",
    "jackline work new",
    "jackline sessions state --rebuild",
    "jackline sessions --json work --session 11 --new",
    "echo --new | xargs jackline sessions work",
    "jackline sessions forget x",
    "jackline doctor --repair",
    "jackline hook codex PreToolUse",
    "/usr/local/bin/jackline trust",
    "~/.local/bin/jackline trust",
    "python -m jackline trust",
    "python3.12 -I -m jackline trust",
    "python3 -Im jackline pause",
    "python -m jackline.hook claude-code Stop",
    "uvx jackline trust",
    "uv run jackline trust",
    "uv tool run jackline trust",
    "uv run python -m jackline trust",
    "pipx run jackline trust",
    "echo trust | xargs jackline",
    "jackline $VERB",
    "script -qc 'jackline trust' /dev/null",
    "yes | jackline trust",
    "nohup jackline pause --minutes 60 &",
    "<S>/bin/python -I -S <S>/door.py claude-code PreToolUse",
    "python3 <S>/door.py codex Stop",
    "cd <S> && ./bin/python door.py codex Stop",
    "JACKLINE_SKIP=1 git commit -m x",
    "export JACKLINE_SKIP=x",
    "env JACKLINE_STORE=/tmp/x jackline status",
]


@pytest.mark.parametrize("command", VERBS)
def test_a_persons_verbs_and_the_door(world: World, command: str) -> None:
    action = world.shell(command)
    assert action is not None
    assert action.decision == "deny"
    assert action.safer


@pytest.mark.parametrize("pattern", ["(.+)+Z", "(.*)*Z", "(a|.)*Z", ".*.*.*.*.*.*.*.*Z", "(.?){99}Z", "a" * 201])
def test_a_pattern_that_may_search_for_ever_is_not_tried(world: World, pattern: str) -> None:
    begun = time.process_time()
    action = world.shell(f"pkill -f '{pattern}'")
    assert action is not None and action.decision == "ask" and "names the entry point" in action.reason
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("command", ["pkill -f 'node .*server.*js'", "pkill -f 'vite|webpack'", "pkill node"])
def test_other_processes_may_be_ended(world: World, command: str) -> None:
    assert world.shell(command) is None


STORE = [
    ("cat <S>/authority.jsonl", True),
    ("grep -r code <S>", True),
    ("grep -r code <H>/.local", True),
    ("cp -r <S> /tmp/x", True),
    ("tar cf /tmp/x.tar <H>/.local/state", True),
    ("cat <S>/*.jsonl", True),
    ("grep -r code <H>", True),
    ("grep -r code /", True),
    ("grep -r code ../..", True),
    ("cat src/x", False),
    ("grep -r x src", False),
    ("grep -r x <R>/src", False),
    ("grep -r x .", False),
]


@pytest.mark.parametrize(("command", "refused"), STORE, ids=[row[0] for row in STORE])
def test_commands_that_read_the_store(world: World, command: str, refused: bool) -> None:
    action = world.shell(command)
    assert (action is not None and action.decision == "deny") is refused


@pytest.mark.parametrize("command", ["grep -r x /", "grep -r x <H>", "tar cf /tmp/x.tar <H>/.local"])
def test_a_walk_through_the_store_says_so(world: World, command: str) -> None:
    action = world.shell(command)
    assert action is not None
    assert f"leads through {world.store}" in action.reason
    assert "name the folders" in action.safer


SWEEPS = {
    "rm -rf /": "/",
    "rm -rf /*": "/*",
    "rm -rf ~": "<H>",
    "find / -delete": "/",
    "cd / && rm -rf .": "/",
    "rm -rf ~/.local/state": "<H>/.local/state",
    "rm -rf <R>": ".",
    "sudo rm -rf --no-preserve-root /": "/",
    "mv ~/.local /tmp/x": "<H>/.local",
}


@pytest.mark.parametrize(("command", "folder"), SWEEPS.items(), ids=SWEEPS)
def test_who_deletes_far_more_than_ours_is_told_of_that(world: World, command: str, folder: str) -> None:
    """With no other guard on it is refused all the same."""
    action = world.shell(command)
    assert action is not None and (action.decision, action.code) == ("deny", "SCOPE_VIOLATION")
    what, said, among = action.reason.partition(" would be deleted with all that lies in it, ")
    assert said and what == folder.replace("<H>", str(world.home)), action.reason
    assert among.endswith(" too")
    assert "delete only what you mean" in action.safer


@pytest.mark.parametrize("command", ["rm -rf <S>", "rm .ai/hooks/config.json", "rm -rf ~/.claude/settings.json"])
def test_who_deletes_ours_alone_is_told_of_that(world: World, command: str) -> None:
    action = world.shell(command)
    assert action is not None and action.reason.endswith("may not be changed by an agent")


def test_a_search_from_above_says_so(world: World) -> None:
    action = world.tool("Grep", "search", {"path": "/"}, "/")
    assert action is not None
    assert f"everything below / leads through {world.store}" in action.reason


def test_a_store_without_our_name_in_its_path(world: World) -> None:
    world.store = world.home / "state"
    world.store.mkdir()
    assert world.shell("cat <S>/authority.jsonl") is not None
    assert world.shell("cat src/x") is None


@pytest.mark.parametrize("kind", ["mcp", "other"])
@pytest.mark.parametrize(("command", "refused"), [("rm -rf .ai", True), ("jackline trust", True), ("ls", False)])
def test_commands_that_a_server_runs(world: World, kind: str, command: str, refused: bool) -> None:
    event = call("box/run", kind, {"command": command}, world.root, command=command)
    action = handle(event, context_of("self-protect", world.root, protected=world.protected()))
    assert (action is not None) is refused


class TestUnknown:
    """Programs whose effects nobody can tell from the text."""

    def test_pass_when_they_name_nothing(self, world: World) -> None:
        assert world.shell("python3 -c 'import shutil'") is None

    def test_paranoid_asks(self, world: World) -> None:
        action = world.shell("python3 -c 'import shutil'", paranoid=True)
        assert action is not None and action.decision == "ask"

    def test_deny(self, world: World) -> None:
        action = world.shell("python3 -c 'import shutil'", unknown="deny")
        assert action is not None and action.decision == "deny"

    @pytest.mark.parametrize(("mention", "decision"), [("ask", "ask"), ("deny", "deny"), ("pass", None)])
    def test_mention(self, world: World, mention: str, decision: str | None) -> None:
        action = world.shell("python3 -c 'import tidy; tidy.run(\".ai/hooks\")'", mention=mention)
        assert (action.decision if action else None) == decision

    @pytest.mark.parametrize(("words", "asked"), [("trust", True), ("guard allow x", True), ("build --release", False)])
    def test_a_person_s_verb_of_a_program_in_a_variable(self, world: World, words: str, asked: bool) -> None:
        action = world.shell(f'"$TOOL" {words}')
        assert (action is not None and action.decision == "ask") is asked

    def test_known_effects_are_not_asked_about(self, world: World) -> None:
        assert world.shell("echo x > src/a", paranoid=True) is None


class TestFurtherPlaces:
    def test_by_tool_and_by_command(self, world: World) -> None:
        assert world.tool("Edit", "edit", {}, "R/infra/prod.tf", places=["infra/**"]) is not None
        assert world.tool("Edit", "edit", {}, "R/src/x", places=["infra/**"]) is None
        assert world.shell("echo x > infra/prod.tf", places=["infra/**"]) is not None
        assert world.shell("echo x > src/x", places=["infra/**"]) is None


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("find . -path ./.ai/tmp -not -prune -o -name '*.py' -exec black {} +", False),
        ("find . -path './.ai/hooks' -prune -o -name '*.py' -print | xargs black", False),
        ("find . -path ./.ai/hooks -prune -exec black {} +", True),  # there it is what is given to the program
        ("find . -path ./.ai/tmp -not -prune -o -name '*.py' -exec black .ai/x {} +", True),
        ("find . -name '*.py' -exec black -path .ai/x -prune -o {} +", True),
        ("black -path .ai/x -prune -o; find . -path .ai/x -prune -o -name '*.py' -exec black {} +", True),
    ],
)
def test_what_find_is_told_to_leave_out_is_not_met(world: World, command: str, asked: bool) -> None:
    """Searches are narrowed so by ourselves."""
    assert (world.shell(command) is not None) is asked


def test_defaults_fit_the_schema() -> None:
    folder = FEATURES / "self_protect"
    schema = json.loads((folder / "knobs.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads((folder / "defaults.json").read_text()), schema)
