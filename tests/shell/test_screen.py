"""`screen` says yes to reading and to ordinary project building, and to nothing that could do more."""

from __future__ import annotations

import pytest

from jackline.shell import harmless
from jackline.shell.effects import effects
from jackline.shell.screen import screen

HARMLESS = [
    "",
    "ls",
    "ls -la src",
    "cat README.md src/main.py",
    "git status --short",
    "git diff HEAD~1 -- src/a.py",
    "git log --oneline -5 main..feature",
    "git branch --show-current",
    "git stash list",
    "cd src && npm test",
    "npm run build 2>&1 | tail -20",
    "npm run test:unit -- --silent",
    "pytest -q tests/test_x.py::test_y -k 'a and not b'",
    "python -m pytest -x",
    "CI=1 NO_COLOR=1 pytest",
    "cargo test --workspace",
    "go test ./... -run TestX",
    "make -j4 test",
    "ruff check src",
    "grep -rn 'def foo' src --include='*.py' | head -20",
    "rg -n foo src",
    "find . -name '*.py' -not -path './node_modules/*'",
    "sed -n '1,50p' src/a.py",
    "wc -l *.py > /dev/null",
    "[ -f x ] && echo yes || echo no",
    "sort a | uniq -c",
    "# look\nls",
    "which node",
    "cat < input.txt",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless(command: str) -> None:
    assert screen(command)


PERHAPS_NOT = [
    "rm x",
    "unknown-program",
    "/bin/ls",
    "./ls",
    "echo a > b",
    "echo a >> b",
    "cat a 2> err",
    "cat .env",
    "cat .ai/hooks/config.json",
    "ls .claude",
    "ls ./.git",
    "cat x/.codex/hooks.json",
    "cat .*",
    "cat x/.[a]i",
    "cd .git",
    "git show HEAD:.env",
    "grep -f.bashrc x",
    "cat ~/x",
    "cat /etc/shadow",
    "cat /proc/self/environ",
    "cat id_rsa server.pem",
    "cat //etc/x",
    "jackline status",
    "JACK=1 ls",
    "PATH=/x ls",
    "PATH=/x",
    "LD_PRELOAD=x ls",
    "BASH_ENV=x ls",
    "git -C /x status",
    "git -c core.pager=x log",
    "git diff --output=x",
    "git diff --outp x",
    "git log --ext-diff",
    "git grep -Oless x",
    "git branch x",
    "git branch -D x",
    "git tag v1",
    "git stash",
    "git config user.name x",
    "git checkout main",
    "sort -o x y",
    "sort -uo x y",
    "sort --output=x y",
    "sort --outp=x y",
    "sort --compress-program=x y",
    "sort *",
    "uniq a b",
    "tree -o x",
    "sed -i s/a/b/ x",
    "sed -n '1w x' y",
    "sed -n 1p -i y",
    "awk 1 x",
    "find . -delete",
    "find . -exec rm x ;",
    "find . -fprint x",
    "find . -fls x",
    "rg --pre x y",
    "rg --hostname-bin x y",
    "fd -x rm",
    "fd . -Xrm",
    "file -C -m x",
    "printf -v PATH x",
    "test -v 'a[$(x)]'",
    "date -s 1",
    "npm install",
    "npm run deploy",
    "npm run release:patch",
    "npm publish",
    "yarn",
    "bun run ./x.ts",
    "make install",
    "make -C /x test",
    "make -f x",
    "make CC=x",
    "pytest -p x",
    "pytest --basetemp=x",
    "pytest /x",
    "pytest ../x",
    "cargo run",
    "cargo install x",
    "go build -o x",
    "go test -exec x",
    "python x.py",
    "python -c 'print(1)'",
    "npx tsc",
    "curl x",
    "xargs ls",
    "env",
    "sudo ls",
    "'a b'",
    "'cat head' x",
]


@pytest.mark.parametrize("command", PERHAPS_NOT)
def test_perhaps_not_harmless(command: str) -> None:
    assert not screen(command)


@pytest.mark.parametrize("command", HARMLESS)
def test_the_full_analysis_agrees(command: str) -> None:
    """What is screened reads, or runs what the project says; it writes, deletes, sends and rewrites nothing."""
    found = effects(command, "/nowhere", {"HOME": "/nowhere/home"})
    assert found.understood
    assert {effect.kind for effect in found.effects} <= {"read", "execute", "unknown"}
    assert {effect.program for effect in found.effects if effect.kind != "read"} <= {
        "npm",
        "pytest",
        "cargo",
        "go",
        "make",
        "ruff",
    }


def test_what_programs_begin_with_is_all_of_them() -> None:
    """The quick look at the first word knows every program of the tables."""
    assert set(harmless.LEADS.split()) == {lead[0] for lead in harmless.RUNNERS}
    assert all(screen(command) for command in DAILY)


DAILY = [
    *("git status", "git diff", "git diff --stat HEAD~1", "git log --oneline -10", "git show HEAD", "git branch"),
    *("ls", "ls -la src", "pwd", "cat src/a.py", "head -50 README.md", "rg -n needle src", "grep -rn needle src"),
    *("find src -name '*.py'", "sed -n '1,80p' src/a.py", "wc -l src/a.py", "cd src && ls"),
    *("npm test", "npm run build", "npm run lint", "yarn test", "pnpm test", "pytest", "pytest -q tests/test_a.py"),
    *("python -m pytest", "python3 -m pytest -x -q", "cargo build", "cargo test", "cargo check", "cargo clippy"),
    *("go build ./...", "go test ./...", "go vet ./...", "make", "make test", "make -j4 build", "ruff check ."),
]
"""What agents do all day: the full parser is not asked."""
