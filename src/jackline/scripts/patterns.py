"""Patterns of file scripts, as picomatch reads them: which changed files a script is given. Cold.

Most patterns are a folder, `**` and an ending, and need no regular expression; wcmatch translates the others.

- A pattern without a slash is compared with the file's name at any depth: `*.go` holds `internal/a.go`.
- A pattern with a slash is compared with the whole path from the root; `./` and `/` before it anchor it there.
- `*` and `?` match no leading dot, and neither does a folder that `**` passes; dots that are written count.
- `{a,b}` and `{1..3}`, `@(a|b) ?() *() +() !()` and plain `(a|b)`, `[a-c] [!a] [^a] [[:digit:]]`, `\\x`.
- `dir/` is everything below `dir`. `!` before a pattern takes its files out of the others', or out of all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache

import bracex
from wcmatch import glob

Match = Callable[[str], bool]

MOST = 1000
"""Texts that the braces of one pattern may mean."""
SHOWN = 40
"""Characters of a pattern that a message shows."""
LAST = chr(0x10FFFF)
"""Sorts behind whatever else follows."""

FLAGS = glob.EXTGLOB | glob.GLOBSTAR | glob.FORCEUNIX | glob.NODOTDIR
MAGIC = re.compile(r"[\\*?\[\](){}!+@|]")
GROUP = re.compile(r"(?<![\\?*+!])@?\(([^(),{}/\\]*\|[^(),{}/\\]*)\)")
"""One of several texts, with `@` before it or, as picomatch allows, nothing: braces say the same and are quicker."""


class PatternError(ValueError):
    """A pattern that nobody can read; the text says why."""


def _shaped(pattern: str) -> tuple[str, bool, bool]:
    """(pattern without its marks, whether it is compared with the whole path, whether it takes out)."""
    out = False
    while pattern.startswith("!") and not pattern.startswith("!("):
        out = not out
        pattern = pattern[1:]
    whole = "/" in pattern
    while pattern.startswith("./"):
        pattern = pattern[2:]
    pattern = pattern.removeprefix("/")
    if pattern.endswith("/"):
        pattern = pattern.rstrip("/") + "/**"
    return pattern, whole, out


def _plain(rest: str) -> bool:
    """Whether no part of what wildcards match begins with a dot."""
    return not rest.startswith(".") and "/." not in rest


def _ending(tail: str, dots: bool) -> Match:
    def match(path: str) -> bool:
        return path.endswith(tail) and (dots or path[path.rfind("/") + 1] != ".")

    return match


def _below(folder: str, tail: str, dots: bool) -> Match:
    size = len(folder)

    def match(path: str) -> bool:
        return path.startswith(folder) and path.endswith(tail) and len(path) > size and (dots or _plain(path[size:]))

    return match


def _simple(pattern: str, whole: bool, dots: bool) -> Match | None:
    """A test without a regular expression, for a literal, `*tail`, `**/*tail`, `folder/**` and `folder/**/*tail`."""
    if not MAGIC.search(pattern):
        if whole:
            return pattern.__eq__
        return lambda path: path.endswith(pattern) and path[path.rfind("/") + 1 :] == pattern
    if not whole:
        tail = pattern[1:]
        return _ending(tail, dots) if pattern[0] == "*" and tail and not MAGIC.search(tail) else None
    folder, stars, tail = pattern.partition("**")
    if not stars or (folder and not folder.endswith("/")) or MAGIC.search(folder):
        return None
    tail = tail.removeprefix("/*") if tail.startswith("/*") and not tail.startswith("/**") else tail
    if tail.startswith("/") or "/" in tail or MAGIC.search(tail) or (tail and pattern == f"{folder}**{tail}"):
        return None
    return _below(folder, tail, dots)


def _literal_ends(pattern: str, whole: bool) -> tuple[str, str]:
    """What every match begins with and ends with, as far as it is written out."""
    found = list(MAGIC.finditer(pattern))
    if not found:
        return pattern if whole else "", pattern
    return pattern[: found[0].start()] if whole else "", pattern[found[-1].end() :].removeprefix("/")


def _expression(pattern: str, whole: bool, dots: bool) -> Match:
    """A test by regular expression, made when it is first asked for a path that begins and ends as the pattern does."""
    head, tail = _literal_ends(pattern, whole)
    named = whole and pattern.startswith("**/") and "/" not in pattern[3:]  # any folder: the name decides
    if named:
        pattern, whole = pattern[3:], False
    compiled: re.Pattern[str] | None = None

    def match(path: str) -> bool:
        nonlocal compiled
        if not path.endswith(tail) or not path.startswith(head):
            return False
        if compiled is None:
            compiled = _compile(pattern, dots)
        cut = 0 if whole else path.rfind("/") + 1
        return compiled.fullmatch(path[cut:]) is not None and (dots or not named or _plain(path[:cut]))

    return match


def _source(pattern: str, dots: bool) -> str:
    text = pattern.replace("[.]", r"\.")
    flags = FLAGS | (glob.DOTGLOB if dots else 0)
    try:
        found, _ = glob.translate(text, flags=flags, limit=MOST)
    except Exception as fault:  # noqa: BLE001 - whatever a foreign parser meets
        raise PatternError(f"{pattern!r} cannot be read: {fault}") from None
    return "|".join([f"(?:{one})" for one in found])


def _compile(pattern: str, dots: bool) -> re.Pattern[str]:
    try:
        return re.compile(_source(pattern, dots))
    except re.error as fault:
        raise PatternError(f"{pattern!r} cannot be read: {fault}") from None


def _texts(pattern: str) -> list[str]:
    """The patterns without braces that `pattern` means."""
    braced = GROUP.sub(lambda found: "{" + found[1].replace("|", ",") + "}", pattern)
    try:
        texts = bracex.expand(braced, keep_escapes=True, limit=MOST)
    except bracex.ExpansionLimitException:
        raise PatternError(f"the braces of {_cut(pattern)!r} mean more than {MOST} texts") from None
    for text in [one for one in texts if one.endswith("/**") and one[-4:-3] != "*"]:
        texts.append(text[:-3])  # a link or a submodule has a folder's name and is a file
    return [text for text in dict.fromkeys(texts) if text]


def _cut(pattern: str) -> str:
    return pattern if len(pattern) <= SHOWN else f"{pattern[:SHOWN]}…"


def _tests(texts: Iterable[str], whole: bool, dots: bool) -> list[Match]:
    return [_simple(text, whole, dots) or _expression(text, whole, dots) for text in texts]


def fault(pattern: str) -> str:
    """What is wrong with a pattern, "" when it can be read."""
    shaped, _, _ = _shaped(pattern)
    if not shaped:
        return "an empty pattern matches no file"
    try:
        for text in _texts(shaped):
            _compile(text, False)
    except PatternError as found:
        return str(found)
    return ""


def _any(tests: list[Match]) -> Match:
    if len(tests) == 1:
        return tests[0]

    def match(path: str) -> bool:
        for test in tests:  # noqa: SIM110 - a generator for each of a million questions
            if test(path):
                return True
        return False

    return match


def _every(path: str) -> bool:
    return True


@lru_cache(maxsize=4096)
def _compiled(patterns: tuple[str, ...], exclude: tuple[str, ...]) -> tuple[Match, tuple[tuple[str, str], ...]]:
    """The test, and what the paths that pass it begin and end with."""
    into: list[Match] = []
    out: list[Match] = []
    ends: list[tuple[str, str]] = []
    positive = False
    for pattern in patterns:
        shaped, whole, negated = _shaped(pattern)
        texts = _texts(shaped)
        positive = positive or not negated
        (out if negated else into).extend(_tests(texts, whole, False))
        ends += [] if negated else [_literal_ends(text, whole) for text in texts]
    for pattern in exclude:
        shaped, whole, _ = _shaped(pattern)
        out.extend(_tests(_texts(shaped), whole, True))
    if not positive and patterns:
        into, ends = [_every], [("", "")]
    taken = _any(into)
    if not out:
        return taken, tuple(dict.fromkeys(ends))
    left = _any(out)
    return lambda path: taken(path) and not left(path), tuple(dict.fromkeys(ends))


def compile_match(patterns: Iterable[str], exclude: Iterable[str] = ()) -> Match:
    """A test for paths relative to the root: any of `patterns`, none of those with `!`, none of `exclude`.

    What is excluded is excluded with its dot files. PatternError for a pattern that means too much.
    """
    return _compiled(tuple(patterns), tuple(exclude))[0]


class Index:
    """Paths as a hundred scripts ask for them: by how they begin, and by their ending."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = sorted(set(paths))
        self.endings: dict[str, list[str]] = {}
        for path in self.paths:
            self.endings.setdefault(_ending_of(path), []).append(path)

    def _near(self, head: str, tail: str) -> list[str]:
        """Few paths among which are all that begin with `head` and end with `tail`."""
        ending = _ending_of(tail)
        near = self.endings.get(ending, []) if ending else self.paths
        if not head:
            return near
        return near[bisect_left(near, head) : bisect_left(near, head + LAST)]

    def any(self, patterns: Iterable[str], exclude: Iterable[str] = (), *, but: Match | None = None) -> bool:
        """Whether `select` would find a path for which `but` does not hold."""
        match, ends = _compiled(tuple(patterns), tuple(exclude))
        for head, tail in ends:
            for path in self._near(head, tail):
                if match(path) and (but is None or not but(path)):
                    return True
        return False

    def select(self, patterns: Iterable[str], exclude: Iterable[str] = ()) -> list[str]:
        """The paths that `compiled(patterns, exclude)` holds, sorted."""
        match, ends = _compiled(tuple(patterns), tuple(exclude))
        found: set[str] = set()
        for head, tail in ends:
            found.update([path for path in self._near(head, tail) if path.endswith(tail) and match(path)])
        return sorted(found)


def _ending_of(path: str) -> str:
    """`.py` of `a/b.py`, "" where the last dot stands in no file name."""
    at = path.rfind(".")
    return "" if at < 0 or "/" in path[at:] else path[at:]
