"""What bounds a search: the roots it starts from, and the words behind it in its pipeline."""

from __future__ import annotations

from jackline.features.graph_pretooluse.options import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

MAGIC = "*?[{"
FOLDER = ".ai/tmp"
"""Where our logs are, below the root."""


class Limits(NamedTuple):
    """What is written into a call that lacks a bound."""

    matches: int = 50  # of one file
    results: int = 200  # results of a client's own tool
    depth: int = 4
    lines: int = 200
    bytes: int = 262_144


class Ceilings(NamedTuple):
    """The largest numbers that still count as a bound."""

    matches: int = 1_000
    results: int = 1_000
    depth: int = 10
    lines: int = 2_000


class Place(NamedTuple):
    """Where the call stands: working folder, root of the project, folders a person lets count as bounded, the home."""

    cwd: str
    root: str
    roots: tuple[str, ...] = ()
    home: str = ""


def literal(pattern: str) -> str:
    """The folder a pattern starts with: `src/*.py` gives `src`; a pattern without magic is its own."""
    parts = pattern.split("/")
    for at, part in enumerate(parts):
        if any(char in part for char in MAGIC):
            return "/".join(parts[:at]) or ("/" if pattern.startswith("/") else "")
    return pattern


def names_something(pattern: str) -> bool:
    """Whether a file-name pattern says more than "everything": `**/*.py` does, `**/*`, `*` and `*.*` do not."""
    return any(char.isalnum() or char in "_-" for part in pattern.split("/") for char in part)


def is_bound(place: Place, word: str) -> bool:
    """Whether a root is a real file or folder below the project root (not the root itself)."""
    from jackline.globs import covers
    from jackline.paths import resolve, within
    from jackline.system import exists

    folder = literal(word)
    if folder != word and folder in ("", "."):
        first = word[2:] if word.startswith("./") else word
        return names_something(first.split("/", 1)[0])
    found = resolve(place.cwd or place.root, folder or ".", place.home)
    inside = within(place.root, found)
    if any(covers(glob, inside) or covers(glob, found) for glob in place.roots):
        return True
    return bool(place.root) and inside != "." and not inside.startswith("/") and exists(found)


def are_bound(place: Place, words: Iterable[str]) -> bool:
    """Whether all roots are bound. No root at all means the working folder."""
    roots = tuple(words) or (".",)
    return all(is_bound(place, word) for word in roots)


def number(text: object, ceiling: int) -> bool:
    """Whether `text` is a number from 1 to `ceiling`."""
    if isinstance(text, bool):
        return False
    if isinstance(text, int):
        return 0 < text <= ceiling
    return isinstance(text, str) and text.isascii() and text.isdigit() and 0 < int(text[:12]) <= ceiling


# --- pipelines -----------------------------------------------------------------------------------------------------

PRINTERS = words(
    "cat tac nl less more most bat batcat sort uniq cut tr rev fold fmt column paste tee expand unexpand echo printf "
    "ls stat file du md5sum sha1sum sha256sum basename dirname realpath readlink"
)
"""Programs that print about as much as they are given."""

FILTERS = words("grep egrep fgrep zgrep rg ag ack awk gawk mawk sed jq")
"""Programs that print a part of what they are given: nobody knows how much."""


def _first_number(given: Sequence[str]) -> str:
    """The count in the arguments of head or tail: `-n 20` `-n20` `-20` `--lines=20` `-c 4k`; ten lines without."""
    at = 1
    while at < len(given):
        word = given[at]
        if word in ("-n", "-c", "--lines", "--bytes"):
            return given[at + 1] if at + 1 < len(given) else ""
        if word.startswith(("--lines=", "--bytes=")):
            return word.partition("=")[2]
        if word[:2] in ("-n", "-c"):
            return word[2:]
        if word[:1] == "-" and word[1:].isdigit():
            return word[1:]
        if word[:1] == "+":
            return word
        at += 1
    return "10"


def _cut(given: Sequence[str], lines: int) -> bool:
    """Whether head or tail lets at most `lines` lines pass (or that many hundred bytes)."""
    value = _first_number(given)
    if any(word.startswith(("-c", "--bytes")) for word in given[1:]):
        unit = {"k": 1024, "K": 1024, "b": 512}.get(value[-1:], 1)
        text = value[:-1] if unit > 1 else value
        return number(text, lines * 200 // unit)
    return number(value, lines)


def _sed_cut(given: Sequence[str], lines: int) -> bool:
    """`sed 20q`, `sed -n 1,20p`, `sed -n '20p;21q'`."""
    script = next((word for word in given[1:] if not word.startswith("-")), "")
    last = script.rstrip("pq").rpartition(",")[2].rpartition(";")[2]
    return script[-1:] in ("p", "q") and (script[-1:] == "q" or "-n" in given) and number(last, lines)


def _behind_xargs(given: Sequence[str]) -> Sequence[str]:
    at = 1
    while at < len(given) and given[at].startswith("-"):
        at += 2 if len(given[at]) == 2 and given[at][1] in "IinPLldsaE" else 1
    return given[at:]


def lets_through(given: Sequence[str], lines: int, filters: bool = True) -> bool:
    """Whether a stage of a pipeline prints without bound what it is given. `filters`: whether filters count so."""
    name = given[0].rpartition("/")[2] if given else ""
    if name in ("head", "tail"):
        return not _cut(given, lines)
    if name == "xargs":
        rest = _behind_xargs(given)
        return not rest or lets_through(rest, lines)
    if name == "sed" and (_sed_cut(given, lines) or "-i" in given):
        return False
    if name in ("grep", "egrep", "fgrep", "rg") and _counts(given):
        return False
    return name in PRINTERS or (filters and name in FILTERS)


def _counts(given: Sequence[str]) -> bool:
    """Whether a grep that reads a pipe prints one line (`-c`), nothing (`-q`), or a given number of lines (`-m`)."""
    for word in given[1:]:
        if word == "--":
            return False
        if word in ("--count", "--quiet", "--silent") or word.startswith("--max-count"):
            return True
        if word[:1] == "-" and word[1:2] != "-" and any(flag in word for flag in "cqm"):
            return True
    return False


def written_away(redirs: Iterable[tuple[str, str]]) -> bool:
    """Whether standard output goes into a file."""
    return any(
        operator in (">", ">>", ">|", "1>", "1>>", "&>", "&>>", ">&")
        and not target.isdigit()
        and target != "-"
        and target not in ("/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1")
        for operator, target in redirs
    )
