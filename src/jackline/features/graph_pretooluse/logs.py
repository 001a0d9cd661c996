"""Keep searches out of our own logs: they hold what the model was given before, and would feed it its own past.

They lie below `.ai/tmp`, whose ignore files keep out programs that honour them. A search that would come there all
the same is narrowed where a flag can do that; one that is sent there is refused. What agents leave there is theirs.
"""

from __future__ import annotations

from jackline.features.graph_pretooluse.options import Read, read, words
from jackline.features.graph_pretooluse.search_roots import FOLDER, MAGIC, Place, literal
from jackline.features.graph_pretooluse.searches import FIND, PROGRAMS, find_roots, git_at, recursive, roots_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

RULE = "search-bounds: no search reads Jackline's own logs"
SAFER = "search the project itself; `jackline log` and `jackline why` show what happened to a person"
OWN = ("work", "output")
"""Folders of a session that hold what agents write there: plans, steps, mail, output."""


class Reach(NamedTuple):
    """How a search comes to our logs. `add`: what keeps it out, put behind word `behind` (-1: the last before `--`)."""

    what: str
    add: str = ""
    behind: int = 0


GREPS = words("grep egrep fgrep rgrep ggrep")
FLAGS = {
    "rg": (words("u unrestricted no-ignore no-ignore-dot no-ignore-vcs no-ignore-parent"), " --glob=!{}"),
    "ag": (words("u U t a unrestricted hidden all-types all-text skip-vcs-ignores"), " --ignore-dir={}"),
    "ack": (frozenset[str](), " --ignore-dir={}"),
    "fd": (words("u H I unrestricted hidden no-ignore no-ignore-vcs"), " --exclude={}"),
}
"""By program: options by which it goes where ignore files keep it out (none: it goes everywhere), and what helps."""
SAME = {"ripgrep": "rg", "ack-grep": "ack", "fdfind": "fd"}
GLOBAL = words("-maxdepth -mindepth -mount -xdev -ignore_readdir_race -noignore_readdir_race -noleaf -regextype")
VALUED = words("-maxdepth -mindepth -regextype")
"""Options of find that stand before its tests, and those with a value."""


def _logs(place: Place) -> str:
    return f"{place.root}/{FOLDER}"


def _is_inside(place: Place, path: str) -> bool:
    """Whether a path lies among the logs, and not where agents leave things."""
    logs = _logs(place)
    if path != logs and not path.startswith(logs + "/"):
        return False
    parts = path[len(logs) + 1 :].split("/")
    return not any(part in OWN for part in parts[1:3])


def _matches(pattern: str, name: str) -> bool:
    """Whether a shell's pattern for one name matches, which for a name with a dot in front begins with one."""
    from jackline.globs import segment

    return (pattern[:1] == "." or name[:1] != ".") and segment(pattern, name)


def _expands(place: Place, word: str) -> int:
    """How deep a word with `*` and the like comes on the way to the logs: 0 = not at all."""
    from jackline.paths import resolve

    if not any(char in word for char in MAGIC):
        return 0
    full = word if word[:1] in "/~" else f"{place.cwd or place.root}/{word}"
    first = literal(full)
    path = resolve(place.cwd or place.root, first or "/", place.home) + full[len(first) :].rstrip("/")
    mine, asked = _logs(place).split("/"), path.split("/")
    return len(asked) if all(_matches(one, name) for one, name in zip(asked, mine, strict=False)) else 0


def _way(place: Place, word: str) -> str:
    """The way from a root above the logs down to them (`.ai/tmp`, `tmp`); "" where it is not above them."""
    from jackline.paths import resolve

    deep = _expands(place, word)
    if deep:
        return "/".join(_logs(place).split("/")[deep:])
    path = resolve(place.cwd or place.root, word or ".", place.home).rstrip("/")
    logs = _logs(place)
    return logs[len(path) + 1 :] if logs.startswith(path + "/") else ""


def _sent_inside(place: Place, named: Iterable[str], walks: bool = True) -> str:
    """The first of these words that leads among the logs. `walks`: whether a folder is gone through."""
    from jackline.paths import resolve

    least = _logs(place).count("/") + (1 if walks else 2)
    for word in named:
        if _is_inside(place, resolve(place.cwd or place.root, word, place.home)) or _expands(place, word) >= least:
            return word
    return ""


def _left_out(way: str) -> str:
    """The name that keeps a program out: of the folder `.ai`, or of what is below it for who starts there."""
    return ".ai" if ".ai" in way.split("/") else "tmp"


def _find(given: Sequence[str], place: Place) -> Reach | None:
    first, at = find_roots(given)
    roots = given[first:at] or (".",)
    inside = _sent_inside(place, roots)
    if inside:
        return Reach(f"find looks through Jackline's logs in {inside}")
    ways = {root: way for root in roots if (way := _way(place, root))}
    if not ways:
        return None
    least = 0
    while at < len(given) and given[at] in GLOBAL:
        if given[at] == "-mindepth" and given[at + 1 : at + 2] and given[at + 1].isdigit():
            least = int(given[at + 1])
        at += 2 if given[at] in VALUED else 1
    rest = given[at:]
    paths = [f"{root}{'' if root[-1:] == '/' else '/'}{way}" for root, way in ways.items()]
    what = "find would walk through Jackline's logs"
    if any(path in rest for path in paths):  # it says itself what becomes of them
        return None
    if "-delete" in rest:  # it gives no lines, and does not go together with what would keep it out
        return None
    late = "-depth" in rest or "-d" in rest  # the folders come last then, and are not pruned
    if late or any(least > way.count("/") + 1 or any(char in root for char in MAGIC) for root, way in ways.items()):
        return Reach(what)
    pruned = "".join([f" -path {path} -not -prune -o" for path in paths])
    return Reach(what, pruned if rest else pruned + " -print", at - 1)


def _trees(named: Sequence[str]) -> tuple[str, ...]:
    """Where git looks: a word with `:` before it takes something out, or begins at the top."""
    taken = tuple([word for word in named if word[:1] != ":"])
    return taken if taken or not named else (".",)


def _git(given: Sequence[str], found: Read, at: int) -> Reach | None:
    """git's own search knows what is ignored, unless it is told not to."""
    if found.has("no-exclude-standard"):
        return Reach("git grep would search Jackline's logs")
    if found.has("no-index") and not found.has("exclude-standard"):
        apart = all(word[:1] == "-" or "=" in word for word in given[1:at])  # a folder's name could be a program's
        return Reach("git grep would search Jackline's logs", " --exclude-standard" if apart else "", at)
    return None


def reach(given: Sequence[str], piped: bool, place: Place) -> Reach | None:
    """How one simple command comes to our logs, or None. `piped`: it reads a pipe."""
    name = given[0].rpartition("/")[2] if given else ""
    if name in FIND:
        return _find(given, place)
    start = 1
    if name == "git":
        at = git_at(given)
        if not at or given[at] != "grep":
            return None
        name, start = "git grep", at + 1
        if "-C" in given[:at]:
            folder = given[given.index("-C") + 1]
            place = place._replace(cwd=folder if folder.startswith("/") else f"{place.cwd}/{folder}")
    name = SAME.get(name, name)
    program = PROGRAMS.get(name)
    if program is None or not (name in GREPS or name in FLAGS or name == "git grep"):
        return None
    found = read(given, program.spec, start)
    roots = _trees(roots_of(found, program)) if name == "git grep" else roots_of(found, program)
    inside = _sent_inside(place, roots, recursive(found, program))
    if inside or (not roots and not piped and _is_inside(place, place.cwd)):
        return Reach(f"{name} searches Jackline's logs in {inside or 'the working folder'}")
    if not recursive(found, program) or (not roots and program.stdin and piped):
        return None
    ways = [way for root in roots or (".",) if (way := _way(place, root))]
    if not ways:
        return None
    if name == "git grep":
        return _git(given, found, start - 1)  # a flag is put behind `grep`
    out = _left_out(ways[0])
    what = f"{name} would search Jackline's logs"
    if name in GREPS:
        known = any(flag == "exclude-dir" and value.strip("/") == out for flag, value in found.flags)
        return None if known else Reach(what, f" --exclude-dir={out}", start - 1)
    free, add = FLAGS[name]
    globs = [value for flag, value in found.flags if flag in ("g", "glob", "iglob")] if name == "rg" else []
    if any(value in (f"!{out}", f"!{out}/", f"!**/{out}/**") for value in globs[-1:]):
        return None
    if free and not found.has(*free) and not any(value[:1] != "!" for value in globs):
        return None
    return Reach(what, add.format(out), -1 if name == "rg" else start - 1)


IGNORED = (f"{FOLDER}/dispatch.log", f"{FOLDER}/00000000")
"""What ignore files keep a client's search tool out of: a glob that names one of these lets it in."""


def _lets_in(glob: str) -> bool:
    from jackline.globs import covers

    if glob[:1] == "!":
        return False
    bare = glob.lstrip("/")
    pattern = bare if "/" in bare else f"**/{bare}"
    return any(covers(pattern, one) for one in IGNORED)


def native(
    name: str, given: Mapping[str, object], roots: Sequence[str], globs: Sequence[str], names: bool, place: Place
) -> str:
    """What a client's own search tool would do among our logs; "" when it stays out. `names`: it only tells names."""
    cwd = place.cwd or place.root
    bases = [root if root[:1] in "/~" else f"{cwd}/{root}" for root in roots] or [cwd]
    below = [f"{base}/{literal(glob)}" for base in bases for glob in globs if glob[:1] != "!" and literal(glob)]
    if _sent_inside(place, [*bases, *below]):
        return f"{name} searches Jackline's logs"
    if names or not any(_way(place, base) for base in bases):
        return ""
    if given.get("includeIgnoredFiles") is True:
        return f"{name} is to search ignored files, and Jackline's logs are such"
    let = next((glob for glob in globs if _lets_in(glob)), "")
    return f"{name} with {let} would search Jackline's logs, which no other setting keeps it out of" if let else ""
