"""What a command changes that its effects do not tell: files that an option or a variable names as something to write,
and what recipes and scripts do that this session wrote.
"""

from __future__ import annotations

from jackline.changes import Changes, of_effects
from jackline.paths import within
from jackline.system import is_dir, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from jackline.changes import Terms
    from jackline.model import Event
    from jackline.shell.model import Effect, Effects

WRITTEN = (
    "out", "log", "trac", "report", "profil", "dump", "cache", "hist", "status", "sock", "save", "writ", "record",
    "index", "serial", "state", "dest", "export", "emit", "prefix", "volno",
)  # fmt: skip
"""What the name of an option or a variable holds whose value is written; in lower case."""
READ = frozenset(("-c", "-f", "-i", "-r", "-C", "-I", "-e", "-m", "-k", "-t", "-s", "-n", "-d"))
"""Short options whose value is read, whatever the program; the others may be written."""


def _names(effect: Effect, found: Effects) -> Iterator[str]:
    """The names of options and variables by which a command is told of a file."""
    end = effect.path.rpartition("/")[2]
    for command in found.commands:
        if command.words[:400] == effect.words:
            yield from [name for name, value in command.assigns if value.endswith(end)]
    for at, word in enumerate(effect.words):
        if word.endswith(end):
            yield word if word[:1] == "-" or "=" in word else effect.words[at - 1] if at else ""


def _is_written(name: str) -> bool:
    """Whether a value of this name is written; where one letter says nothing, it may be."""
    name, _, glued = name.partition("=")
    if name[:1] == "-" and name[1:2] != "-" and not glued and (len(name) == 2 or "/" in name):
        return name[:2] not in READ
    low = name.lower()
    return any(one in low for one in WRITTEN)


def named(event: Event) -> list[str]:
    """Files of the project, as they are there, that an option or a variable tells a command to write."""
    from jackline.shell.words import words_of

    found = event.effects
    made = []
    for effect in words_of(found, event.root, event.home):
        path = within(event.root, effect.path)
        if effect.note not in ("variable", "value") or effect.pattern or path[:1] == "/" or is_dir(effect.path):
            continue
        if size_of(effect.path) >= 0 and any(_is_written(one) for one in _names(effect, found)):
            made.append(path)
    return made


def of_session(event: Event, state: Mapping[str, Any], terms: Terms) -> Changes:
    """What the texts change that a command runs and this session wrote; what the project had is the project's."""
    from jackline.shell.effects import of_session as are_own
    from jackline.shell.effects import read
    from jackline.shell.model import Effects
    from jackline.shell.screen import began

    found = read(event, began(state))
    if not are_own(found):
        return Changes()
    own = [Effects(tuple([one for one in found.effects if one.source]), found.commands)]
    own += [text.own for text in found.texts if text.own is not None]
    made = [of_effects(one, event, terms) for one in own]
    known = tuple([change for one in made for change in one.known])
    return Changes(known, next((one.unsure for one in made if one.unsure), ""))
