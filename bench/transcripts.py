"""Commands that agents ran in a shell, out of what their clients and their people kept: records as JSON, and pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_TOOLS = """
Bash bash shell shell_command exec_command run_terminal_cmd run_terminal_command run_shell_command local_shell
execute_command
"""
TOOLS = frozenset(_TOOLS.split())


class Call(NamedTuple):
    """A command, the folder it ran in where that is told, and the one in which its session began."""

    command: str
    cwd: str = ""
    root: str = ""


def _command(given: Any) -> str:
    """The text for the shell in a tool's input."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return ""
    if not isinstance(given, dict):
        return ""
    found = given.get("command") or given.get("cmd") or ""
    if isinstance(found, list):
        words = [str(one) for one in found]
        return words[2] if len(words) == 3 and words[1] in ("-c", "-lc", "-ic") else ""
    return found if isinstance(found, str) else ""


def _calls(node: Any, cwd: str) -> Iterator[Call]:
    if isinstance(node, dict):
        here = node.get("cwd")
        cwd = here if isinstance(here, str) and here.startswith("/") else cwd
        name = node.get("name") or node.get("tool") or node.get("toolName")
        if isinstance(name, str) and name in TOOLS:
            for key in ("input", "arguments", "args", "params"):
                command = _command(node.get(key))
                if command:
                    yield Call(command, cwd)
        for value in node.values():
            yield from _calls(value, cwd)
    elif isinstance(node, list):
        for value in node:
            yield from _calls(value, cwd)


def record(text: str, _name: str = "") -> Iterator[Call]:
    """Calls in a record of a session: an object a line, or one document."""
    cwd = root = ""
    for line in [text] if text.lstrip()[:2] in ("{\n", "[\n") else text.splitlines():
        if not any(one in line for one in ("command", "cmd", '"cwd"')):
            continue
        try:
            tree = json.loads(line)
        except ValueError:
            continue
        if isinstance(tree, dict):
            payload = tree.get("payload")
            told = tree.get("cwd") or (payload.get("cwd") if isinstance(payload, dict) else "")
            cwd = told if isinstance(told, str) and told.startswith("/") else cwd
        for call in _calls(tree, cwd):
            root = root or call.cwd
            yield call._replace(root=root if f"{call.cwd}/".startswith(f"{root}/") else call.cwd)


_DRIVE = re.compile(r'"cwd":\s*"[A-Za-z]:[\\/]')


def session(text: str, name: str = "") -> Iterator[Call]:
    """Calls in a record, none where it began in a folder of Windows: which shell read them, it does not tell."""
    if not _DRIVE.search(text):
        yield from record(text, name)


_SHELL = "|".join(sorted(TOOLS))
_USED = re.compile(rf"Tool use: \*\*(?:{_SHELL})\*\*(.*?)(?=Tool use: \*\*|</details>|\n---\n|\Z)", re.DOTALL)
_TEXT = re.compile(r"^`([^`\n]+)`\s*$|^```(?:bash|sh|shell|zsh)\n(.*?)\n```", re.M | re.S)
_OBJECT = re.compile(
    rf'"name":\s*"(?:{_SHELL})",\s*"input":\s*|Tool:\**\s*(?:{_SHELL})\s*\n\s*\**Input:\**\s*(?:```json)?\s*'
)


_FOLDER = re.compile(
    r"(?<![\w.:~-])/(?!tmp|var|usr|etc|dev|bin|opt|proc|private)[^\s/\"'`:;|&()<>]+(?:/[^\s/\"'`:;|&()<>]+)*"
)


def _project(commands: Iterable[str]) -> str:
    """The deepest folder below which most of the paths lie that a session's commands name."""
    found = [path.split("/") for one in commands for path in _FOLDER.findall(one)]
    best: list[str] = []
    for depth in range(3, 8):
        common = Counter(tuple(path[:depth]) for path in found if len(path) > depth).most_common(1)
        if not common or common[0][1] < max(3, 0.6 * len(found)):
            break
        best = list(common[0][0])
    return "/".join(best)


def page(text: str, _name: str = "") -> Iterator[Call]:
    """Calls in a page that tells a session: a tool's use with its text, or with its input as an object."""
    if re.search(r"[A-Z]:\\\\?Users\\|PS [A-Z]:\\", text):
        return  # a session on Windows, whose shell the page does not tell
    commands = list(_told(text))
    folder = _project(commands)
    yield from (Call(one, folder, folder) for one in commands)


def _told(text: str) -> Iterator[str]:
    for used in _USED.finditer(text):
        found = _TEXT.search(used.group(1))
        if found:
            yield (found.group(1) or found.group(2)).strip()
    reader = json.JSONDecoder()
    for found in _OBJECT.finditer(text):
        try:
            given = reader.raw_decode(text, found.end())[0]
        except ValueError:
            continue
        command = _command(given)
        if command:
            yield command
