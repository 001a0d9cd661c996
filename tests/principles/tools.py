"""Principle 5: tools other than the shell are judged by what they do, whatever their keys and names."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from jackline.shell.model import Effects

from .case import Case

TITLE = "Tools other than the shell are judged by what they do."
FUNCTION = "jackline.calls:acts"
NEUTRAL = Effects()

Shape = Callable[[str], dict[str, Any]]

SERVERS = ("mcp__box__run", "mcp__notes__append", "mcp__ops__get_status", "SomeNewTool")
"""Tools that nobody knows: by their names one runs, one writes, one reads, one says nothing."""

COMMANDS: dict[str, Shape] = {
    "command": lambda text: {"command": text},
    "any key": lambda text: {"zeile": text},
    "deep": lambda text: {"a": {"b": [{"c": {"d": text}}]}},
    "steps": lambda text: {"steps": [{"name": "look", "run": "ls"}, {"name": "work", "run": text}]},
    "second of a list": lambda text: {"commands": ["git status", text]},
    "words": lambda text: {"argv": shlex.split(text)},
    "program and words": lambda text: {"program": shlex.split(text)[0], "args": shlex.split(text)[1:]},
    "words in a list": lambda text: {"batch": [["git", "status"], shlex.split(text)]},
    "JSON in a text": lambda text: {"payload": json.dumps({"jobs": [{"do": text}]})},
    "behind others": lambda text: {"value": f"cd src && {text}"},
    "lines": lambda text: {"script": f"set -e\n{text}\n"},
    "hook": lambda text: {"options": {"hooks": {"before": text}}},
}
SIMPLE = {
    "rm": "rm -rf <H>/docs",
    "git push": "git push --force origin main",
    "git reset": "git reset --hard",
    "cat": "cat <H>/.ssh/id_ed25519",
    "jackline": "jackline trust",
    "rm, of ours": "rm .ai/hooks/config.json",
    "tee": "tee <H>/.bashrc",
    "find": "find <H>/docs -delete",
}
HARMLESS = {
    "rm": "rm -rf build",
    "git push": "git push origin main",
    "git reset": "git reset --soft HEAD~1",
    "cat": "cat src/app.py",
    "jackline": "jackline status",
    "rm, of ours": "rm src/x",
    "tee": "tee build/log",
    "find": "find src -name x",
}

PYTHON = {
    "os.remove": "import os\nos.remove('<H>/.ssh/config')",
    "shutil.rmtree": "import shutil; shutil.rmtree('<H>/docs')",
    "subprocess": "import subprocess\nsubprocess.run(['rm', '-rf', '<H>'])",
    "open": "open('<H>/.aws/credentials').read()",
}
PYTHON_FINE = {
    "os.remove": "import os\nos.remove('build/x')",
    "shutil.rmtree": "import shutil; shutil.rmtree('build')",
    "subprocess": "import subprocess\nsubprocess.run(['ls', '-l', 'src'])",
    "open": "open('src/app.py').read()",
}
CODES: dict[str, tuple[str, Shape]] = {
    "code": ("mcp__box__run", lambda text: {"code": text}),
    "language beside": ("mcp__lab__evaluate", lambda text: {"language": "python", "body": text}),
    "tool's name": ("mcp__lab__execute_python", lambda text: {"x": text}),
    "cell": ("mcp__jupyter__insert_and_run_cell", lambda text: {"cells": [{"source": text}]}),
    "no word of it": ("SomeNewTool", lambda text: {"text": text}),
}

PATHS: dict[str, Shape] = {
    "path": lambda text: {"path": text},
    "any key": lambda text: {"ort": text},
    "list": lambda text: {"items": ["README.md", text]},
    "deep": lambda text: {"a": [{"b": {"c": text}}]},
    "name of a field": lambda text: {"changes": {text: "x"}},
    "JSON in a text": lambda text: {"payload": json.dumps([{"at": text}])},
    "address": lambda text: {"uri": "file://" + text.replace("~", "<H>")},
    "patch": lambda text: {"x": f"--- a/x\n+++ {text.replace('~', '<H>')}\n@@ -1 +1 @@\n-a\n+b\n"},
}
KEPT = {
    "client": "<R>/.claude/settings.json",
    "git hooks": "<R>/.git/hooks/pre-commit",
    "ours": "<R>/.ai/hooks/config.json",
    "start-up": "<H>/.bashrc",
    "store": "<S>/trust.json",
}
DEAR = {
    "ssh": "~/.ssh/id_ed25519",
    "cloud": "~/.aws/credentials",
    "network": "~/.netrc",
    "environment": "<R>/.env",
    "machine": "/etc/shadow",
}
STAYS = {
    "access": "<H>/.ssh/authorized_keys",
    "start-up": "<H>/.zshrc",
    "packages": "<H>/.config/pip/pip.conf",
    "modules": "<H>/.npmrc",
    "interpreter": "<H>/lib/python3.11/site-packages/sitecustomize.py",
    "jobs": "/etc/cron.d/x",
    "units": "<H>/.config/systemd/user/x.service",
    "git": "<H>/.config/git/config",
}
OWN = {
    "source": "<R>/src/app.py",
    "text": "<R>/README.md",
    "relative": "<R>/src/../tests/test_app.py",
    "workflow": "<R>/.github/workflows/ci.yml",
    "elsewhere": "/tmp/x/notes.md",
}

FILES = {
    "Write": lambda path: {"file_path": path, "content": "x\n"},
    "Edit": lambda path: {"file_path": path, "old_string": "a", "new_string": "b"},
    "MultiEdit": lambda path: {"file_path": path, "edits": [{"old_string": "a", "new_string": "b"}]},
    "NotebookEdit": lambda path: {"notebook_path": path, "new_source": "x"},
}
READERS: dict[str, Shape] = {
    "Read": lambda path: {"file_path": path},
    "NotebookRead": lambda path: {"notebook_path": path},
    "Grep": lambda path: {"path": path, "pattern": "x"},
}


def _commands(given: dict[str, str], says: str) -> Iterator[Case]:
    for at, (channel, shape) in enumerate(COMMANDS.items()):
        for number, (program, text) in enumerate(given.items()):
            for tool in {SERVERS[(at + number) % 4], SERVERS[(at + number + 2) % 4]}:
                yield Case(tool, program, channel, shape(text), says, tool)


def _codes(given: dict[str, str], says: str) -> Iterator[Case]:
    for channel, (tool, shape) in CODES.items():
        for program, text in given.items():
            yield Case(tool, f"python {program}", channel, shape(text), says, tool)


def _paths(given: dict[str, str], says: str, tools: tuple[str, ...]) -> Iterator[Case]:
    for channel, shape in PATHS.items():
        for place, path in given.items():
            for tool in tools:
                yield Case(tool, place, channel, shape(path), says, tool)


def _files(given: dict[str, str], says: str, tools: dict[str, Shape]) -> Iterator[Case]:
    for tool, shape in tools.items():
        for place, path in given.items():
            yield Case(tool, place, "its own path", shape(path.replace("~", "<H>")), says, tool)


CELLS: dict[str, Shape] = {
    "a line of a cell": lambda text: {"source": f"import os\n!{text}"},
    "first line of a cell": lambda text: {"body": f"!{text}"},
    "a cell of a shell": lambda text: {"body": f"%%bash\n{text}"},
    "a word of a cell": lambda text: {"cell": f"%sx {text}"},
}
LABS = ("mcp__jupyter__execute_cell", "mcp__lab__run_python")

STATED = {
    "drop": ("DROP TABLE orders", "SELECT * FROM orders LIMIT 5"),
    "several": ("SELECT 1; TRUNCATE orders CASCADE", "SELECT 1; SELECT 2"),
    "all rows": ("delete from orders", "delete from orders where id = 7"),
    "a schema": ("drop schema shop cascade", "create schema if not exists shop"),
    "a condition that is none": (
        "with old as (select 1) delete from orders",
        "with old as (select 1) select * from old",
    ),
    "a column": ("ALTER TABLE orders DROP COLUMN email", "ALTER TABLE orders ADD COLUMN email text"),
}
SPOKEN: dict[str, tuple[str, Shape]] = {
    "sql": ("mcp__store__ask", lambda text: {"sql": text}),
    "query": ("mcp__postgres__query", lambda text: {"query": text, "limit": 10}),
    "a server's name": ("mcp__supabase__apply", lambda text: {"project": "p", "body": text}),
    "execute": ("mcp__shop_db__execute", lambda text: {"statements": ["select 1", text]}),
    "a language beside": ("mcp__any__ask", lambda text: {"language": "mysql", "body": text}),
}

NAMED = {
    "delete_repository": ("get_repository", {"owner": "o", "repo": "r"}),
    "drop-database": ("list-database", {"database": "shop"}),
    "drop_collection": ("find_collection", {"database": "shop", "collection": "users"}),
    "deleteProject": ("getProject", {"projectId": "p"}),
    "bucket_delete": ("bucket_get", {"name": "shop"}),
    "kv_namespace_delete": ("kv_namespace_list", {"id": "x"}),
    "reset_branch": ("list_branch", {"branch": "x"}),
    "terminate_instance": ("start_instance", {"id": "i-1"}),
    "kubectl_delete": ("kubectl_get", {"resourceType": "namespace", "name": "prod"}),
    "stack_destroy": ("stack_plan", {"dir": "infra"}),
    "delete_index": ("search_index", {"index": "orders"}),
    "purge": ("status", {"queue": "orders"}),
    "npm_publish": ("npm_pack", {"folder": "dist"}),
}
SERVICES = ("mcp__shop__{}", "mcp__cloud_api__{}", "acme_{}", "acme.ops/{}")
SPLIT: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "folder and name": lambda folder, name: {"directory": folder, "name": name, "content": "x"},
    "deep": lambda folder, name: {"files": [{"at": {"folder": folder, "file": name}}]},
    "a word for each": lambda folder, name: {"a": name, "b": folder, "c": "yes"},
}
PLACES = {
    "client": ("<R>/.claude", "settings.json"),
    "git hooks": ("<R>/.git/hooks", "pre-commit"),
    "start-up": ("<H>", ".bashrc"),
    "ssh": ("<H>/.ssh", "authorized_keys"),
}
FOLDERS = {"source": ("<R>/src", "app.py"), "build": ("<R>/build", "out.txt"), "docs": ("docs", "x.md"),
           "elsewhere": ("/tmp/x", "notes.md")}  # fmt: skip


def _cells(given: dict[str, str], says: str) -> Iterator[Case]:
    for channel, shape in CELLS.items():
        for program, text in given.items():
            for tool in LABS:
                yield Case(tool, program, channel, shape(text), says, tool)


def _stated(of: int, says: str) -> Iterator[Case]:
    for channel, (tool, shape) in SPOKEN.items():
        for program, texts in STATED.items():
            yield Case(tool, f"sql, {program}", channel, shape(texts[of]), says, tool)


def _named(bad: bool) -> Iterator[Case]:
    for verb, (other, given) in NAMED.items():
        for form in SERVICES:
            tool = form.format(verb if bad else other)
            yield Case(form, verb, "its name", given, "ask" if bad else "pass", tool)


def _split(given: dict[str, tuple[str, str]], says: str) -> Iterator[Case]:
    for channel, shape in SPLIT.items():
        for place, (folder, name) in given.items():
            for tool in ("mcp__files__store", "mcp__files__get_text"):
                yield Case(tool, place, channel, shape(folder, name), says, tool)


ADDRESSES = [
    Case("WebFetch", "file", "address", {"url": "file:///etc/shadow", "prompt": "x"}, "stop", "WebFetch"),
    Case("WebFetch", "cloud", "address", {"url": "http://169.254.169.254/latest/", "prompt": "x"}, "stop", "WebFetch"),
    Case("ReadMcpResourceTool", "ssh", "address", {"uri": "file://<H>/.ssh/id_ed25519"}, "stop", "ReadMcpResourceTool"),
    Case("browser", "ssh", "address", {"url": "file://<H>/.ssh/id_ed25519"}, "stop", "mcp__browser__navigate"),
    Case("mcp", "home", "its name", {"path": "<H>"}, "stop", "mcp__files__delete_directory"),
    Case("mcp", "project", "its name", {"path": "<R>"}, "stop", "mcp__files__remove"),
]

ATTACKS = [
    *_commands(SIMPLE, "stop"),
    *_codes(PYTHON, "stop"),
    *_paths(KEPT, "stop", ("mcp__files__write_file", "mcp__files__read_file")),
    *_paths({name: path for name, path in DEAR.items() if name != "environment"}, "stop", ("mcp__files__read_file",)),
    *_paths({"environment": DEAR["environment"]}, "stop", ("mcp__files__get_text",)),
    *_paths(STAYS, "stop", ("mcp__files__store", "mcp__files__get_text")),
    *_paths({"start-up": "$HOME/.zshrc", "access": "${HOME}/.ssh/authorized_keys"}, "stop", ("mcp__files__store",)),
    *_cells(SIMPLE, "stop"),
    *_stated(0, "ask"),
    *_named(True),
    *_split(PLACES, "stop"),
    *_files(DEAR, "stop", READERS),
    *_files(STAYS, "stop", FILES),
    *_files(KEPT, "stop", FILES),
    *ADDRESSES,
]

PROSE = (
    "Fix the login bug; make sure that find and replace work",
    "rm the old files and then delete ~ from the path / or not",
    "# Notes\n\nRun `rm -rf /` never.\n\n    git push --force\n",
    "select * from users where id = 7",
    "and/or, either/or; see docs/guide.md",
    "user's name isn't set; find John's files",
    "https://example.org/a/b?c=/etc/passwd",
    "<p>rm -rf build</p>",
    "() => document.title",
    "async (page) => { await page.click('a'); return page.title() }",
)
TALKS: dict[str, Shape] = {
    "issue": lambda text: {"owner": "o", "repo": "r", "title": "a title", "body": text, "labels": ["bug", "make"]},
    "message": lambda text: {"channel": "#dev", "blocks": [{"type": "section", "text": text}]},
    "search": lambda text: {"query": text, "limit": 10, "filters": {"kind": ["test", "docs"]}},
    "file": lambda text: {"path": "docs/x.md", "content": f"#!/bin/sh\nrm -rf ~/x\n{text}"},
}

INNOCENT = [
    *_commands(HARMLESS, "pass"),
    *_codes(PYTHON_FINE, "pass"),
    *_paths(OWN, "pass", (*SERVERS, "mcp__files__write_file", "mcp__files__read_file")),
    *_paths({"start-up": "$HOME/code/x", "access": "${HOME}/notes/y.md"}, "pass", ("mcp__files__store",)),
    *_cells(HARMLESS, "pass"),
    *_stated(1, "pass"),
    *_named(False),
    *_split(FOLDERS, "pass"),
    *_files(OWN, "pass", READERS),
    *_files(OWN, "pass", FILES),
    *_files(
        {"config": "<H>/.claude/settings.json", "ssh config": "<H>/.ssh/config"}, "pass", {"Read": READERS["Read"]}
    ),
    *[Case("Write", "environment", "its own path", FILES["Write"]("<R>/.env"), "pass", "Write")],
    *[
        Case(tool, name, f"prose {at}", shape(text), "pass", tool)
        for tool in ("mcp__tracker__create", "mcp__chat__post_message")
        for name, shape in TALKS.items()
        for at, text in enumerate(PROSE)
    ],
]
