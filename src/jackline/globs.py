"""The one glob matcher of the project: scopes, allow lists, rows, policies, ignore files; `pattern` of a script is not,
it is read as picomatch does (`scripts/patterns.py`): a promise to who brings scripts along.

A pattern is compared with a whole path, segment by segment; paths are written with `/`, resolved by the caller.

- `*` any characters of one segment, a leading dot included; `?` one character; neither crosses a `/`.
- `[abc]` `[a-z]` one of these, `[!abc]` `[^abc]` none of these; an unclosed `[` is itself.
- `**` standing alone in its segment: any number of segments, none included (`src/**` holds `src` too).
  Beside other characters it is `*`.
- `{a,b}` one of the texts between the commas; they nest and may hold `/`. Without a comma braces are themselves.
- `\\x` is the character x. A pattern ending in `/` means everything below: `src/` is `src/**`.
- Case counts. A relative pattern never matches an absolute path, and nothing matches a path with `..` in it.

Hot: imports nothing.
"""

from __future__ import annotations

MAX_ALTERNATIVES = 256
"""Braces multiply; a pattern that means more texts than this keeps the braces that are left as they stand."""

MAGIC = "*?[{\\"


ESCAPED = "[]{}\\,!# "
"""Characters that a backslash takes their meaning from, beside `*` and `?`."""


def with_slashes(pattern: str) -> str:
    """A glob as a person writes it, with `/` for the separators of Windows.

    A backslash before a character that means only itself separates; before `*` and `?` it does where no `/` stands.
    """
    if "\\" not in pattern:
        return pattern
    kept = ESCAPED + "*?" if "/" in pattern else ESCAPED
    made = ""
    at = 0
    while at < len(pattern):
        char, after = pattern[at], pattern[at + 1 : at + 2]
        if char == "\\" and after and after in kept:
            made += char + after
            at += 1
        else:
            made += "/" if char == "\\" else char
        at += 1
    return made


def _brace(pattern: str) -> tuple[int, int, list[str]] | None:
    """Place of the first brace group that has a comma: (start, end, its alternatives)."""
    start = pattern.find("{")
    while start >= 0:
        depth = 0
        cut = start + 1
        parts: list[str] = []
        at = start
        while at < len(pattern):
            char = pattern[at]
            if char == "\\":
                at += 1
            elif char == "{":
                depth += 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    break
            elif char == "," and depth == 1:
                parts.append(pattern[cut:at])
                cut = at + 1
            at += 1
        if depth == 0 and parts and at < len(pattern) and not _escaped(pattern, start):
            parts.append(pattern[cut:at])
            return start, at + 1, parts
        start = pattern.find("{", start + 1)
    return None


def _escaped(pattern: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before `at`."""
    count = 0
    while at > count and pattern[at - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def expand(pattern: str) -> tuple[str, ...]:
    """The patterns without braces that `pattern` means, in order, each once."""
    if "{" not in pattern:
        return (pattern,)
    done: list[str] = []
    todo = [pattern]
    while todo:
        now = todo.pop()
        found = _brace(now)
        if found is None or len(done) + len(todo) + len(found[2]) > MAX_ALTERNATIVES:
            done.append(now)
            continue
        start, end, parts = found
        todo.extend(now[:start] + part + now[end:] for part in reversed(parts))
    return tuple(dict.fromkeys(done))


def _class(pattern: str, at: int) -> int:
    """End of the bracket that opens at `at`; -1 when it is never closed."""
    end = at + 1
    if pattern[end : end + 1] in ("!", "^"):
        end += 1
    if pattern[end : end + 1] == "]":  # a bracket that stands first is a member
        end += 1
    end = pattern.find("]", end)
    return end + 1 if end >= 0 else -1


def _member(body: str, char: str) -> bool:
    """Whether `char` is in the bracket with the text `body`."""
    negated = body[:1] in ("!", "^")
    at = 1 if negated else 0
    found = False
    while at < len(body):
        if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            found = found or body[at] <= char <= body[at + 2]
            at += 3
        else:
            found = found or body[at] == char
            at += 1
    return found is not negated


def _element(pattern: str, at: int, char: str) -> int:
    """Where the pattern goes on when its element at `at` is `char`; -1 when it is not."""
    if at >= len(pattern):
        return -1
    now = pattern[at]
    if now == "?":
        return at + 1
    if now == "[":
        end = _class(pattern, at)
        if end >= 0:
            return end if _member(pattern[at + 1 : end - 1], char) else -1
    elif now == "\\" and at + 1 < len(pattern):
        at += 1
        now = pattern[at]
    return at + 1 if now == char else -1


def segment(pattern: str, name: str) -> bool:
    """Whether one segment of a pattern (no braces) matches one name."""
    if "\\" not in pattern and "[" not in pattern and "?" not in pattern:  # nearly every one: a name, or one star
        first, any_, last = pattern.partition("*")
        if not any_:
            return pattern == name
        if "*" not in last:
            return len(first) + len(last) <= len(name) and name.startswith(first) and name.endswith(last)
    at = place = 0
    star = -1
    mark = 0
    while place < len(name):
        if pattern[at : at + 1] == "*":
            star, mark = at, place
            at += 1
            continue
        after = _element(pattern, at, name[place])
        if after >= 0:
            at = after
            place += 1
        elif star >= 0:
            mark += 1
            place = mark
            at = star + 1
        else:
            return False
    return not pattern[at:].strip("*")


def _parts(text: str) -> list[str]:
    return [part for part in text.split("/") if part and part != "."]


def _segments(pattern: list[str], path: list[str]) -> bool:
    at = place = 0
    star = -1
    mark = 0
    while place < len(path):
        if at < len(pattern) and pattern[at] == "**":
            star, mark = at, place
            at += 1
        elif at < len(pattern) and segment(pattern[at], path[place]):
            at += 1
            place += 1
        elif star >= 0:
            mark += 1
            place = mark
            at = star + 1
        else:
            return False
    return all(part == "**" for part in pattern[at:])


def match(pattern: str, path: str) -> bool:
    """Whether the whole `path` matches `pattern`."""
    names = _parts(path)
    if ".." in names:
        return False
    for one in expand(pattern):
        if one.startswith("/") is not path.startswith("/"):
            continue
        parts = _parts(one)
        if one.endswith("/"):
            parts.append("**")
        if _segments(parts, names):
            return True
    return False


def covers(pattern: str, path: str) -> bool:
    """Whether `path` matches `pattern` or lies below a folder that does: so are scopes read."""
    return any(match(one, path) or match(one + "/**", path) for one in expand(pattern) if one.strip("/"))


def reaches(pattern: str, folder: str) -> bool:
    """Whether something at or below `folder` may be covered by `pattern`: they overlap, whichever is the wider."""
    names = _parts(folder)
    if ".." in names:
        return False
    for one in expand(pattern):
        if not one.strip("/") or one.startswith("/") is not folder.startswith("/"):
            continue
        # Places in the pattern where it may stand after the folder's segments so far.
        parts = _parts(one)
        spots = {0}
        for name in names:
            after: set[int] = set()
            for at in sorted(spots):
                while at < len(parts) and parts[at] == "**":
                    after.add(at)
                    at += 1
                if at == len(parts):
                    after.add(at)
                elif segment(parts[at], name):
                    after.add(at + 1)
            spots = after
        if spots:
            return True
    return False


def ignore_globs(text: str) -> tuple[str, ...]:
    """The globs of a file that is written as `.gitignore` is, with `!` before those that take something out again.

    A pattern without a slash means that name at every depth, one that begins with a slash the top of the project.
    """
    found = []
    for line in text.split("\n"):
        line = line.strip()
        if not line or line[0] == "#":
            continue
        out = line[0] == "!"
        pattern = line[1:] if out else line
        if pattern[:1] == "/":
            pattern = pattern[1:]
        elif "/" not in pattern.rstrip("/"):
            pattern = f"**/{pattern}"
        if pattern.strip("/"):
            found.append("!" + pattern if out else pattern)
    return tuple(found)


def base(pattern: str) -> str:
    """The literal folder a pattern (no braces) starts with, "" when its first segment is none: `src/*.py` gives `src`.

    A pattern without any magic is its own base.
    """
    literal: list[str] = []
    for part in _parts(pattern):
        if any(char in part for char in MAGIC):
            break
        literal.append(part)
    return ("/" if pattern.startswith("/") else "") + "/".join(literal)
