"""How wide a search is: what it looks for, where, in which files, and how much of it, whatever tool runs it."""

from __future__ import annotations

from jackline.globs import base
from jackline.paths import resolve, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, NamedTuple

    from jackline.model import Event
    from jackline.shell.model import Command
else:
    from jackline._record import NamedTuple

INCLUDES = ("includePattern", "include_pattern", "include", "glob", "filePattern", "file_pattern", "type", "fileTypes")
"""Keys in which tools name the files that they look into."""
MOST = ("maxResults", "max_results", "head_limit", "limit", "maxCount", "max_count")
"""Keys in which tools say how much they tell."""
BY_NAME = ("glob", "file_search")
"""Tools, in lower case, that look for names of files: what they look for is a pattern of files."""
SIGNS = frozenset("*?./^$+|(){}[]\\-, ")
CLASSES = ("\\w", "\\W", "\\s", "\\S", "\\d", "\\D", "\\b")
"""What in a pattern means anything, and what stands between."""
HUGE = 1 << 30
"""As many results as there are."""


class Search(NamedTuple):
    """`everything`: what it looks for is anything. `include`: a pattern of files, "" for all. `placed`: it names where
    it looks, and that is not the whole project. `most`: results, 0 where nothing is said of them.
    """

    everything: bool = False
    include: str = ""
    placed: bool = False
    most: int = 0


def is_wildcard(text: str) -> bool:
    """Whether a pattern means everything."""
    for one in CLASSES:
        text = text.replace(one, "")
    return SIGNS.issuperset(text)


def _is_placed(event: Event, path: str) -> bool:
    """Whether a place is neither the root nor a folder that holds it."""
    inner = within(event.root, path)
    return inner != "." and not (event.root + "/").startswith(inner.rstrip("/") + "/")


# --- tools of clients --------------------------------------------------------------------------------------------


def _text(value: Any) -> str:
    """A text, or the texts of a list as one."""
    if isinstance(value, list):
        return ",".join([one for one in value if isinstance(one, str)])
    return value if isinstance(value, str) else ""


def _most(event: Event) -> int:
    """The number of results that a tool is asked for; 0 where it is not said, many where it is unlimited."""
    for key in MOST:
        value = event.input.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return int(value) if value > 0 else HUGE
    return 0


def _native(event: Event) -> Search:
    include = next((text for key in INCLUDES if (text := _text(event.input.get(key)))), "")
    if event.tool.lower() in BY_NAME and not is_wildcard(event.query):
        include = include or event.query
    everything = bool(event.query) and is_wildcard(event.query)
    return Search(everything, include, _is_native_placed(event, include), _most(event))


def _is_native_placed(event: Event, include: str) -> bool:
    """Whether a tool is told where to look: by its paths, or by the folder that its pattern of files begins with."""
    if event.paths:
        return all(_is_placed(event, resolve(event.root, path)) for path in event.paths)
    return "/" in include and bool(base(include))


# --- commands ----------------------------------------------------------------------------------------------------

GREPS = frozenset(("grep", "egrep", "fgrep", "zgrep", "ggrep", "rgrep"))
SEARCHERS = frozenset(("rg", "ripgrep", "ag", "ack", "ack-grep"))
FINDERS = frozenset(("fd", "fdfind"))
WALKERS = frozenset(("find", "gfind"))
VALUED = frozenset(("-e", "-f", "-g", "-t", "-T", "-m", "-A", "-B", "-C", "-j", "-M", "-r", "-d", "-E", "-x"))
"""Short options of these programs that are followed by a value; `grep -r` and `grep -E` have none."""
FLAGS = {"grep": frozenset(("-r", "-E", "-x")), "rg": frozenset(("-x",))}
"""Of these, those that are mere flags for a program."""
FILES = ("--include", "--glob", "--iglob", "--type", "-g", "-t")
ENDINGS = ("-e", "--extension")
"""How programs that look for names of files name their endings."""
COUNTS = ("-m", "--max-count", "--max-results")
NAMES = ("-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-wholename")


class Words(NamedTuple):
    """The words of a command apart: options with their values, and the rest."""

    options: tuple[tuple[str, str], ...]
    rest: tuple[str, ...]


def _apart(words: Sequence[str], flags: frozenset[str]) -> Words:
    options: list[tuple[str, str]] = []
    rest: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            rest += words[at:]
            break
        if word[:2] == "--":
            name, _, value = word.partition("=")
            if not value and name in (*FILES, *COUNTS, *ENDINGS, "--regexp") and at < len(words):
                value, at = words[at], at + 1
            options.append((name, value))
        elif word[:1] == "-" and len(word) > 1:
            short = word[:2]
            if short not in VALUED - flags:
                options += [(f"-{letter}", "") for letter in word[1:]]
            elif len(word) > 2:
                options.append((short, word[2:]))
            else:
                options.append((short, "".join(words[at : at + 1])))
                at += 1
        else:
            rest.append(word)
    return Words(tuple(options), tuple(rest))


def _count(options: Sequence[tuple[str, str]]) -> int:
    found = [int(value) for name, value in options if name in COUNTS and value.isdecimal()]
    return found[-1] if found else 0


def _walked(command: Command, event: Event, words: Sequence[str]) -> Search:
    """What `find` looks for: names behind its tests, places before them."""
    places = []
    for word in words:
        if word[:1] in "-(!":
            break
        places.append(word)
    names = [words[at + 1] for at, word in enumerate(words[:-1]) if word in NAMES]
    query = names[0] if names else ""
    return Search(is_wildcard(query), "" if is_wildcard(query) else query, _all_placed(command, event, places))


def _all_placed(command: Command, event: Event, places: Sequence[str]) -> bool:
    """Whether every place that a command names is less than the project; where it names none, its folder."""
    cwd = command.cwd or event.cwd or event.root
    return all(_is_placed(event, resolve(cwd, place, event.home)) for place in places or (".",))


def _grepped(command: Command, event: Event, words: Sequence[str], program: str) -> Search | None:
    """What a program looks for in files; None where it looks into no folder."""
    given = _apart(words, FLAGS["grep" if program in GREPS else "rg"])
    names = {name for name, _ in given.options}
    if program in GREPS - {"rgrep"} and not names & {"-r", "-R", "--recursive", "--dereference-recursive"}:
        return None
    if command.piped_from and program not in GREPS and len(given.rest) < 2:
        return None  # it looks through what is piped into it
    by_option = [value for name, value in given.options if name in ("-e", "--regexp")]
    by_name = program in FINDERS or "--files" in names
    rest = given.rest if (by_option and program not in FINDERS) or "--files" in names else given.rest[1:]
    query = "" if "--files" in names else (by_option or [*given.rest, ""])[0]
    files = [value for name, value in given.options if name in (ENDINGS if program in FINDERS else FILES)]
    include = files[0] if files else (query if by_name and not is_wildcard(query) else "")
    everything = is_wildcard(query or include)
    return Search(everything, include, _all_placed(command, event, rest), _count(given.options))


def _searched(command: Command, event: Event) -> Search | None:
    """What one command searches, None where it does not."""
    program, words = command.program, command.words[1:]
    if program == "git" and "grep" in words[:1]:
        return _grepped(command, event, words[1:], "rg")
    if program in WALKERS:
        return _walked(command, event, words)
    if program in GREPS | SEARCHERS | FINDERS:
        return _grepped(command, event, words, program)
    return None


def searches(event: Event) -> Iterator[Search]:
    """Every search that a call makes."""
    if event.kind == "search":
        yield _native(event)
    elif event.kind == "shell":
        for command in event.effects.commands:
            found = _searched(command, event)
            if found is not None:
                yield found
