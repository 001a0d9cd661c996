"""What an analysis of a command says: every simple command found, and what each does to which path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    Kind = Literal["read", "write", "delete", "execute", "network", "history", "privilege", "unknown", "named"]
    Seen = dict[str, str]
    """Paths, as they were resolved at one moment."""
else:
    from jackline._record import NamedTuple

UNKNOWN = "\0"
"""Stands in a word for text that only the running shell knows; no real word can hold it."""

WORD = "$("
"""In `Command.held`: no variable keeps it, no name is like that."""

RUN, PERSON = "!", "$"
"""Who knows a path that is not written out."""


class Unreadable(Exception):
    """The text is no shell command that we could read for certain."""


class Command(NamedTuple):
    """One simple command, wherever it was found.

    `words` are what the program receives: quotes removed, known variables put in, wrappers taken off, `UNKNOWN` where
    only the shell knows. `program` is the base name of the command word. `globbed`: indexes of words with an
    unquoted glob. `wrappers`: what stood before it, outermost first (`sudo`, `bash -c` as `bash`, `xargs`, `find`).
    `cwd` is where it runs, "" when that is not known; `fed` says that its arguments are completed from its input.
    `piped_from` and `piped_into_words` are the neighbours in its pipeline. `start`, `after`, `end` are places in the
    text given (as in `screen.Simple`), -1 when the command does not stand there literally. `held`: the
    variable that keeps what it prints, `WORD` where that becomes a word of another command. `given`: what is known of
    its input. `source`: as of `Effect`.
    """

    words: tuple[str, ...]
    program: str = ""
    assigns: tuple[tuple[str, str], ...] = ()
    redirs: tuple[tuple[str, str], ...] = ()
    globbed: tuple[int, ...] = ()
    wrappers: tuple[str, ...] = ()
    cwd: str = ""
    fed: bool = False
    piped_from: tuple[str, ...] = ()
    piped_into: str = ""
    piped_into_words: tuple[str, ...] = ()
    start: int = -1
    after: int = -1
    end: int = -1
    held: str = ""
    source: str = ""
    given: str = ""


class Effect(NamedTuple):
    """One thing that a command does.

    `path` is absolute with links resolved; "" where the kind has none. `pattern`: it is a glob as `jackline.globs`
    reads it; the shell's own globs are in it, and `**` for what only the shell knows, so it may begin with `**`.
    `deep`: everything below it, too. `program` and `words` (the first of them) are the command's; `note` says how,
    for people, `act` for rules: a word such as `git.reset`, "" where kind and path say all.
    `source` is the file of this session that holds it, "" when it stands in the command. `certain`: program and path
    stand in the command as they are: from no variable, pattern, substitution, search, other text or file.
    `open`: only the running shell knows where the path leads: who knows it (`RUN`, or the `PERSON` whose variable
    it is), and then its known end as a glob; "" for a path that is known.
    `named`: a word names the path, and no rule says what for (`words`); it is no part of `Effects`.
    """

    kind: Kind
    path: str = ""
    program: str = ""
    words: tuple[str, ...] = ()
    note: str = ""
    pattern: bool = False
    deep: bool = False
    act: str = ""
    source: str = ""
    certain: bool = False
    open: str = ""


class Text(NamedTuple):
    """A file that a command names for execution, and that was read (`texts`). `language`: "" for a shell's.

    What a file of this session does stands among the effects of the command. Of a file that was there before,
    `found` is all that it does, and `own` what files of this session do that it runs; of the others both are None.
    """

    path: str
    language: str = ""
    text: str = ""
    found: Effects | None = None
    own: Effects | None = None


class Effects(NamedTuple):
    """The whole answer. `understood` is False when some part may do anything; `why` says which, and why.

    `whole` is False when the text itself could not be read: what was found stands in pieces of it. `texts`: the files
    that were read besides.
    """

    effects: tuple[Effect, ...] = ()
    commands: tuple[Command, ...] = ()
    understood: bool = True
    why: str = ""
    whole: bool = True
    texts: tuple[Text, ...] = ()
