"""Commits of a repository as questions: the message is the prompt, the files it changed are the answer.

The protocol of `docs/pack.md`: newest commits without merges that have others before them, one to five existing files
changed, nothing that a machine wrote, nothing in the message that only a tracker knows.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from jackline.services.retrieval.content import admits, is_news

NEWEST, BEFORE = 3000, 500
"""Commits that are looked at, and commits without merges that each must have before it."""
MOST_FILES, FEWEST_WORDS = 5, 3

BOT = re.compile(
    r"\[bot\]|\bbot\b|dependabot|renovate|pre-commit-ci|github-actions|greenkeeper|weblate|transifex", re.I
)
MACHINE = re.compile(
    r"^(?:revert|release|prepare release|bump|version|merge|v?\d+\.\d+)\b|^\W*v?\d+\.\d+(?:\.\d+)?|"
    r"\b(?:bump(?:s|ed)?|prerelease|pre-release|release notes?|releasing|dependabot)\b|"
    r"^\w+(?:\([^)]*\))?: (?:release|bump|revert|format|lint)\b|^chore\((?:deps|release)[^)]*\)|^build\(deps[^)]*\)|"
    r"\b(?:reformat\w*|run (?:black|prettier|gofmt|rustfmt|cargo fmt|clippy)|formatting|whitespace|code style|"
    r"apply (?:black|prettier|ruff)|autoformat|pre-commit (?:autoupdate|update)|isort|linting)\b|"
    r"\b(?:translat\w+|i18n|l10n|locali[sz]ation|transifex|crowdin|weblate|changelog|prepare for)\b|"
    r"\bupdate (?:dependenc\w+|deps|lock ?file)\b",
    re.IGNORECASE,
)

TRAILER = re.compile(
    r"^[A-Za-z][\w-]*-[Bb]y:.*$|^(?:Cc|Closes|Fixes|Refs?|See|Link|Resolves|Change-Id|Bug|Ref): .*$", re.MULTILINE
)
LINK = re.compile(r"\b(?:https?|git|ssh)://\S+")
NUMBER = re.compile(r"\(?(?:[\w.-]+/[\w.-]+)?#\d+\)?|\bGH-?\d+\b|\b(?:issue|PR|pull request) \d+\b", re.IGNORECASE)


class Question(NamedTuple):
    """One commit: its parent, its time in seconds since the epoch, the prompt, the files to be found."""

    commit: str
    parent: str
    time: int
    prompt: str
    answer: tuple[str, ...]
    named: bool
    """The prompt says the path or the name of one of these files."""


def git(root: str, *words: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["git", "-C", root, *words], input=stdin, capture_output=True, check=True).stdout


def prompt_of(message: str) -> str:
    """A message without trailers, links and numbers of issues."""
    for pattern in (TRAILER, LINK, NUMBER):
        message = pattern.sub(" ", message)
    return re.sub(r"[ \t]+", " ", message).strip()


def is_named(prompt: str, answer: tuple[str, ...]) -> bool:
    """Whether a prompt says a path, or the name of a file with its ending."""
    words = [word.strip("()[]{}.,!?*_`'\":;") for word in re.split(r"[\s,;`'\"()]+", prompt)]
    said = {word.lower() for word in words if "." in word or "/" in word or word[:1].isupper()}
    paths = {path.lower() for path in answer}
    return any(path == word or path.endswith("/" + word) for word in said for path in paths)


def _target(path: str) -> bool:
    return admits(path) and not is_news(path)


def _question(root: str, line: str, rows: list[str], message: str) -> Question | None:
    commit, parent, time, author = line.split("\t", 3)
    subject = message.partition("\n")[0]
    prompt = prompt_of(message)
    if " " in parent or not parent or BOT.search(author) or MACHINE.search(subject):
        return None
    if len(prompt_of(subject).split()) < FEWEST_WORDS:
        return None
    touched = [row.split("\t") for row in rows]
    answer = tuple(sorted({parts[1] for parts in touched if parts[0][0] in "MRDT" and _target(parts[1])}))
    if not 0 < len(answer) <= MOST_FILES or any(parts[0] == "binary" for parts in touched):
        return None
    return Question(commit, parent, int(time), prompt, answer, is_named(prompt, answer))


def _logged(root: str, hashes: list[str]) -> Iterator[tuple[str, list[str], str]]:
    form = "--format=%x01%H%x09%P%x09%ct%x09%an <%ae>%x02%B%x02"
    out = git(root, "-c", "core.quotePath=false", "log", "--no-walk=unsorted", "--stdin", "-M", "--name-status", form,
              stdin="".join(f"{one}\n" for one in hashes).encode())  # fmt: skip
    for record in out.decode("utf-8", "replace").split("\x01")[1:]:
        line, message, rows = record.split("\x02")
        yield line, [row for row in rows.strip("\n").split("\n") if row], message


def _readable(root: str, question: Question) -> Question | None:
    """The question without files that are binary at the parent: no prompt is about these."""
    asked = "".join(f"{question.parent}:{path}\n" for path in question.answer).encode()
    kept, data, at = [], git(root, "cat-file", "--batch", stdin=asked), 0
    for path in question.answer:
        end = data.index(b"\n", at)
        head = data[at:end].split()
        size = int(head[2]) if len(head) == 3 and head[1] == b"blob" else 0
        if size and b"\0" not in data[end + 1 : end + 1 + min(size, 8000)]:
            kept.append(path)
        at = end + 1 + (size + 1 if len(head) == 3 and head[2].isdigit() else 0)
    if not kept:
        return None
    return question._replace(answer=tuple(kept), named=is_named(question.prompt, tuple(kept)))


def questions(root: str, count: int, seed: int) -> tuple[list[Question], list[Question]]:
    """`count` questions that name no file, and as many as there are, at most `count`, that name one; oldest first."""
    hashes = git(root, "rev-list", "--no-merges", "HEAD").decode().split()
    newest = hashes[: min(NEWEST, max(len(hashes) - BEFORE, 0))]
    found = [one for one in (_question(root, *row) for row in _logged(root, newest)) if one]
    found.sort(key=lambda one: one.commit)
    random.Random(seed).shuffle(found)
    plain: list[Question] = []
    naming: list[Question] = []
    for one in found:
        kept = _readable(root, one) if len(plain) < count or len(naming) < count else None
        if kept and len(into := naming if kept.named else plain) < count:
            into.append(kept)
    order = {one: at for at, one in enumerate(hashes)}
    return [sorted(group, key=lambda one: -order[one.commit]) for group in (plain, naming)]  # type: ignore[return-value]
