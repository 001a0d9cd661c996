"""The search programs: which of their words are roots, which flags bound them, which flag would.

One table; a simple command in, a `Loose` (what is unbounded about it, and what to add where) or None out.
"""

from __future__ import annotations

from jackline.features.graph_pretooluse.options import Read, Spec, quoted, read, words
from jackline.features.graph_pretooluse.search_roots import (
    Ceilings,
    Limits,
    Place,
    are_bound,
    lets_through,
    literal,
    number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


class Loose(NamedTuple):
    """An unbounded search. `add`: text that would bound it ("" when no flag does), to be put behind word `behind`."""

    what: str
    add: str = ""
    behind: int = 0
    instead: str = ""  # a bounded command in its place, where no flag and no pipe is the answer


class Program(NamedTuple):
    """How a search program reads its words. Flags are named without dashes.

    `recursive`: flags that make it walk folders; empty: it always does. `given`: flags in whose presence the first
    operand is no pattern; `operands` False: there is no pattern at all. `caps`, `depth`: flags that cap. `lines`:
    flags that make it print file names or counts, which a cap of matches per file does not bound. `one`: flags that
    leave at most one line. `roots`: flags whose value is a root. `stdin`: reads a pipe when it has no root.
    """

    spec: Spec
    recursive: frozenset[str] = frozenset()
    pattern: bool = True
    given: frozenset[str] = frozenset()
    caps: frozenset[str] = frozenset()
    depth: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    one: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    globs: frozenset[str] = frozenset()
    stdin: bool = False
    add: str = ""


GREP = Program(
    Spec(
        "ABCDdefm",
        words(
            "after-context before-context context regexp file max-count include exclude exclude-dir "
            "exclude-from binary-files devices directories label group-separator"
        ),
    ),
    recursive=words("r R recursive dereference-recursive"),
    given=words("e f regexp file"),
    caps=words("m max-count"),
    lines=words("l L c files-with-matches files-without-match count"),
    one=words("q quiet silent V version help"),
    add=" -m {matches}",
)

PROGRAMS: dict[str, Program] = {
    "grep": GREP,
    "egrep": GREP,
    "fgrep": GREP,
    "zgrep": GREP,
    "ggrep": GREP,
    "rgrep": GREP._replace(recursive=frozenset()),
    "git grep": GREP._replace(
        spec=Spec(
            "ABCefmO", words("after-context before-context context max-depth max-count threads open-files-in-pager")
        ),
        recursive=frozenset(),
        given=words("e f"),
        depth=words("max-depth"),
        lines=words("l L c files-with-matches files-without-match name-only count"),
    ),
    "rg": Program(
        Spec(
            "ABCEMTefgjmrtd",
            words(
                "after-context before-context context encoding max-columns type type-not regexp "
                "file glob iglob threads max-count replace max-depth max-filesize sort sortr colors color engine "
                "context-separator field-match-separator field-context-separator path-separator pre pre-glob type-add "
                "type-clear dfa-size-limit regex-size-limit ignore-file hostname-bin hyperlink-format generate"
            ),
        ),
        given=words("e f regexp file files type-list"),
        caps=words("m max-count"),
        depth=words("d max-depth maxdepth"),
        lines=words("l c files-with-matches files-without-match count count-matches files"),
        one=words("q quiet V version h help type-list generate"),
        globs=words("g glob iglob"),
        stdin=True,
        add=" --max-count={matches}",
    ),
    "ag": Program(
        Spec(
            "ABCGgmpW",
            words(
                "after before context depth file-search-regex ignore ignore-dir max-count path-to-ignore "
                "pager workers width"
            ),
        ),
        given=words("g"),
        caps=words("m max-count"),
        depth=words("depth"),
        lines=words("l L c g files-with-matches files-without-matches count"),
        one=words("V version help"),
        stdin=True,
        add=" -m {matches}",
    ),
    "ack": Program(
        Spec(
            "ABCgmt",
            words(
                "after-context before-context context max-count type ignore-dir ignore-file output pager "
                "match files-from ackrc"
            ),
        ),
        given=words("g f match"),
        caps=words("m max-count 1"),
        lines=words("l L c f g files-with-matches files-without-matches count"),
        one=words("version help"),
        stdin=True,
        add=" -m {matches}",
    ),
    "fd": Program(
        Spec(
            "dteEScjxX",
            words(
                "max-depth min-depth exact-depth type extension exclude size changed-within "
                "changed-before owner threads max-results base-directory search-path color format path-separator "
                "ignore-file batch-size exec exec-batch"
            ),
            words("x X exec exec-batch"),
        ),
        caps=words("max-results 1"),
        depth=words("d max-depth exact-depth"),
        one=words("q quiet V version h help"),
        roots=words("base-directory search-path"),
        add=" --max-results={lines}",
    ),
    "tree": Program(
        Spec("LPIoHT", words("filelimit charset sort timefmt gitfile infofile")),
        pattern=False,
        depth=words("L"),
        one=words("version help o"),
        add=" -L {depth}",
    ),
    "du": Program(
        Spec("dtBX", words("max-depth threshold block-size exclude exclude-from files0-from time-style")),
        pattern=False,
        depth=words("d max-depth"),
        one=words("s summarize help version"),
        add=" -d {depth}",
    ),
    "ls": Program(
        Spec("IwT", words("ignore hide width tabsize block-size quoting-style indicator-style time-style")),
        recursive=words("R recursive"),
        pattern=False,
        one=words("d directory help version"),
    ),
}
PROGRAMS["fdfind"] = PROGRAMS["fd"]
PROGRAMS["ripgrep"] = PROGRAMS["rg"]
PROGRAMS["ack-grep"] = PROGRAMS["ack"]
PROGRAMS["exa"] = PROGRAMS["eza"] = PROGRAMS["lsd"] = PROGRAMS["ls"]._replace(
    recursive=words("R recurse recursive T tree"), depth=words("L level depth"), add=" --level={depth}"
)
PROGRAMS["lsd"] = PROGRAMS["lsd"]._replace(recursive=words("R recursive tree"), add=" --depth={depth}")
for _name in ("exa", "eza", "lsd"):
    PROGRAMS[_name] = PROGRAMS[_name]._replace(spec=Spec("LIsw", words("level depth ignore-glob sort color icons")))

FIND = frozenset(("find", "gfind"))
SILENT_ACTIONS = frozenset(("-delete", "-fprint", "-fprint0", "-fls", "-quit"))
EXEC_ACTIONS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
GIT_VALUES = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"))
ROOT = "search names a real file or folder below the project root, or caps its depth, count or size"


def _capped(found: Read, program: Program, ceilings: Ceilings) -> bool:
    """Whether a flag bounds the output. Matches per file bound nothing where only names or counts are printed."""
    if any(number(value, ceilings.depth) for name, value in found.flags if name in program.depth):
        return True
    if found.has(*program.one):
        return True
    if found.has(*program.lines):
        return False
    return any(number(value, ceilings.matches) or name == "1" for name, value in found.flags if name in program.caps)


def recursive(found: Read, program: Program) -> bool:
    if not program.recursive or found.has(*program.recursive):
        return True
    if any(name in ("d", "directories") and value == "recurse" for name, value in found.flags):
        return True
    long = [known for known in program.recursive if len(known) > 2]
    return any(len(name) > 2 and known.startswith(name) for name, _ in found.flags for known in long)


def roots_of(found: Read, program: Program) -> tuple[str, ...]:
    skip = 1 if program.pattern and not found.has(*program.given) else 0
    named = tuple(value for name, value in found.flags if name in program.roots)
    return named + found.operands[skip:]


def _narrowed(found: Read, program: Program, place: Place) -> bool:
    """Whether every inclusive glob of the call starts in a real folder below the root."""
    globs = [value for name, value in found.flags if name in program.globs and not value.startswith("!")]
    return bool(globs) and all("/" in glob.strip("/") and are_bound(place, (glob.lstrip("/"),)) for glob in globs)


def git_at(given: Sequence[str]) -> int:
    """Index of git's subcommand, 0 when there is none."""
    at = 1
    while at < len(given) and given[at].startswith("-"):
        at += 2 if given[at] in GIT_VALUES else 1
    return at if at < len(given) else 0


def _acts(rest: Sequence[str], lines: int) -> bool:
    """Whether find does something else than print: then its output is small, and a cap would change what it does."""
    return any(
        word in SILENT_ACTIONS or (word in EXEC_ACTIONS and not lets_through(rest[at + 1 :], lines))
        for at, word in enumerate(rest)
    )


def find_roots(given: Sequence[str]) -> tuple[int, int]:
    """Where the roots of a find begin among its words, and where they end."""
    at = 1
    while at < len(given) and (given[at] in ("-H", "-L", "-P", "-D") or given[at].startswith("-O")):
        at += 2 if given[at] == "-D" else 1
    first = at
    while at < len(given) and given[at][:1] not in ("-", "(", "!", ","):
        at += 1
    return first, at


def _find(given: Sequence[str], place: Place, limits: Limits, ceilings: Ceilings) -> Loose | None:
    first, at = find_roots(given)
    roots, rest = given[first:at], given[at:]
    depth = rest[rest.index("-maxdepth") + 1 :][:1] if "-maxdepth" in rest else ()
    if any(one == "0" or number(one, ceilings.depth) for one in depth):
        return None
    if _acts(rest, ceilings.lines) or are_bound(place, roots):
        return None
    add = "" if depth else f" -maxdepth {limits.depth}"
    return _beyond(given, roots, place, add, at - 1) or Loose("find walks " + _named(roots), add, at - 1)


def _beyond(given: Sequence[str], roots: Sequence[str], place: Place, add: str, behind: int) -> Loose | None:
    """A walk that leaves the project: no cap of matches ends it in time, so the same search inside is proposed."""
    from jackline.paths import resolve, within

    out = [
        root
        for root in roots
        if within(place.root, resolve(place.cwd or place.root, literal(root), place.home)).startswith("/")
    ]
    if not out or not place.root:
        return None
    inside = ["." if word in out else word for word in given]
    if add:
        inside[behind + 1 : behind + 1] = add.split()
    name = given[0].rpartition("/")[2]
    return Loose(f"{name} walks {', '.join(out[:3])}, outside the project", instead=" ".join(map(quoted, inside)))


def _named(roots: Sequence[str]) -> str:
    shown = [root for root in roots if root not in (".", "./")][:3]
    return "all below " + ", ".join(shown) if shown else "the whole working folder"


def loose(given: Sequence[str], piped: bool, place: Place, limits: Limits, ceilings: Ceilings) -> Loose | None:
    """What is unbounded about one simple command, or None. `piped`: it reads a pipe."""
    name = given[0].rpartition("/")[2] if given else ""
    if name in FIND:
        return _find(given, place, limits, ceilings)
    start = 1
    if name == "git":
        at = git_at(given)
        name, start = ("git grep", at + 1) if at and given[at] == "grep" else ("", 1)
        if start > 1 and "-C" in given[:at]:
            folder = given[given.index("-C") + 1]
            place = place._replace(cwd=folder if folder.startswith("/") else f"{place.cwd}/{folder}")
    program = PROGRAMS.get(name)
    if program is None:
        return None
    found = read(given, program.spec, start)
    if not recursive(found, program) or _capped(found, program, ceilings):
        return None
    roots = roots_of(found, program)
    if not roots and program.stdin and piped:
        return None
    if are_bound(place, roots) or _narrowed(found, program, place):
        return None
    add = _addition(found, program, limits)
    outside = _beyond(given, roots, place, add, start - 1)
    return outside or Loose(f"{name} searches {_named(roots)}", add, start - 1)


def _addition(found: Read, program: Program, limits: Limits) -> str:
    """The flag that bounds the call; "" where none does: it prints names only, or has a cap that is too large."""
    if found.has(*program.lines) or found.has(*program.caps) or found.has(*program.depth):
        return ""
    return program.add.format(matches=limits.matches, depth=limits.depth, lines=limits.lines)
