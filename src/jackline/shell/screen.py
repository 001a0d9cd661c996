"""Say in microseconds that a shell command is plain, and perhaps that it is certainly harmless.

`plain` splits only what bash, dash and zsh all read alike; everything else is None, "don't know", and belongs to
`jackline.shell.effects`. `screen` says yes only where that full analysis could add nothing.
"""

from __future__ import annotations

from jackline.shell.harmless import harmless, known, listed, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple

    from jackline.model import Event
else:
    from jackline._record import NamedTuple

LIMIT = 16_384
"""Longer commands are left to the full analysis, which has its own limits."""

ORDINARY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,+@%:]")
BLANK = " \t"
ENDS = frozenset(" \t\n;&|<>")
SOLE = ENDS | {""}
GLOB = "*?["
ACTIVE = ("$", "`", "!", "\\\\", "\\\n")
OPERATORS = ("&>>", "&>", ">>", ">|", ">&", "<&", "<>")
COMMENT = ORDINARY | frozenset(" \t#")

UNCERTAIN = (
    # Words of bash and zsh with which structure begins.
    " if then elif else fi for while until do done case esac in select function time coproc repeat foreach end "
    "]] noglob nocorrect "
    # Builtins that read their words as code, or change how later words are read.
    "eval . source exec trap alias unalias enable hash shopt set setopt unsetopt emulate autoload bind zmodload "
    "export declare typeset readonly local integer float let unset read mapfile readarray getopts shift return "
    "functions disable fc rehash command builtin "
)


class Simple(NamedTuple):
    """One simple command. `words` are what the program receives, except that globs are still unexpanded.

    `globbed`: indexes of words with an unquoted `*`, `?` or `[`. `redirs`: (operator, target), an operator with its
    descriptor in front (`2>`). `joined`: the operator before it (`""` for the first; `|` means it reads a pipe).
    `piped_into_words`: the next stage of its pipeline, `piped_into` that stage's command word.
    `start`, `after`, `end`: places in the text of its first character, behind its command word, behind its last one.
    """

    words: tuple[str, ...]
    assigns: tuple[tuple[str, str], ...] = ()
    redirs: tuple[tuple[str, str], ...] = ()
    globbed: tuple[int, ...] = ()
    joined: str = ""
    piped_into: str = ""
    piped_into_words: tuple[str, ...] = ()
    start: int = 0
    after: int = 0
    end: int = 0


def _clean(text: str) -> bool:
    """No control character but tab and newline, no lone surrogate, no odd blank."""
    return text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable()


def _quoted(text: str, i: int) -> tuple[str, int] | None:
    """What the quotes or the backslash at `i` hold, and the place behind it; None where shells may differ."""
    char = text[i]
    if char == "\\":
        following = text[i + 1 : i + 2]
        return ("" if following == "\n" else following, i + 2) if following else None
    close = text.find(char, i + 1)
    while char == '"' and close > 0 and text[close - 1] == "\\":
        close = text.find('"', close + 1)
    inner = text[i + 1 : close]
    if close < 0 or (char == '"' and any(one in inner for one in ACTIVE)):
        return None
    return (inner if char == "'" else inner.replace('\\"', '"')), close + 1


def _word(text: str, i: int, size: int) -> tuple[str, int, bool, bool] | None:
    """The word that begins at `i`: its text after quote removal, the place behind it, globbed?, quoted?"""
    start, word, globbed, quoted = i, "", False, False
    while i < size:
        char = text[i]
        if char in ORDINARY:
            begin = i
            i += 1
            while i < size and text[i] in ORDINARY:
                i += 1
            word += text[begin:i]
            continue
        if char in ENDS:
            break
        if char in "'\"\\":
            inner = _quoted(text, i)
            if inner is None:
                return None
            word += inner[0]
            i, quoted = inner[1], True
            continue
        if char in GLOB:
            globbed = True
        elif char == "~":
            # Expands at the start, and behind `=` and `:` in words that look like assignments.
            if not word or word[-1] in "=:":
                return None
        elif char in "=^#":
            # zsh expands `=name`, history takes a leading `^`; a `#` at the start never comes here.
            if i == start and (char != "=" or text[i + 1 : i + 2] not in SOLE):
                return None
        elif char < "\x7f" or not char.isprintable():
            return None
        word += char
        i += 1
    return word, i, globbed, quoted


def _operator(text: str, i: int) -> str:
    """The control operator at `i`, or "" where the shells differ or we do not know."""
    two = text[i : i + 2]
    if two[0] == "\n":
        return "\n"
    if two in ("&&", "||"):
        return two
    # `;;` `;&` `|&` `&|` `&!`, and line continuations inside an operator.
    return "" if two[1:] and two[1] in ";&|!\\" else two[0]


def _chain(commands: list[Simple]) -> list[Simple]:
    """Tell each stage of a pipeline what it is piped into."""
    for index in range(len(commands) - 2, -1, -1):
        following = commands[index + 1]
        if following.joined == "|":
            into = following.words
            commands[index] = commands[index]._replace(piped_into=into[0] if into else "", piped_into_words=into)
    return commands


class _Draft:
    """The simple command that is being read."""

    __slots__ = ("after", "assigns", "end", "globbed", "joined", "redirs", "start", "words")

    def __init__(self, joined: str) -> None:
        self.words: list[str] = []
        self.assigns: list[tuple[str, str]] = []
        self.redirs: list[tuple[str, str]] = []
        self.globbed: list[int] = []
        self.joined = joined
        self.start, self.after, self.end = -1, 0, 0

    def add(self, word: str, globbed: bool, raw: str) -> bool:
        """Take a word in; False when it makes the command uncertain. `raw` is the word as it was written."""
        if not self.words:
            name, equals, value = word.partition("=")
            if equals and raw.startswith(name + "=") and name.isascii() and name.isidentifier():
                self.assigns.append((name, value))
                return True
            globbed = globbed and word != "["
            if equals or globbed or not word:
                return False
            self.after = self.end
        if globbed:
            self.globbed.append(len(self.words))
        self.words.append(word)
        return True

    def done(self) -> Simple | None:
        words = self.words
        if words and listed(words[0], UNCERTAIN) and words[:2] != ["command", "-v"]:
            return None
        found = tuple(words), tuple(self.assigns), tuple(self.redirs), tuple(self.globbed)
        return Simple(*found, self.joined, "", (), self.start, self.after, self.end)


def _target(draft: _Draft, text: str, i: int, size: int, descriptor: str) -> int:
    """Read the redirection whose operator is at `i`; returns the place behind it, -1 when it is uncertain."""
    three = text[i : i + 3]
    # "" for here-documents and process substitution.
    operator = "" if three[1:2] in ("<", "(", "!") else three[0]
    operator = next((one for one in OPERATORS if three.startswith(one)), operator)
    i += len(operator)
    while i < size and text[i] in BLANK:
        i += 1
    if operator[-1:] == "&" and text[i : i + 1] == "-" and text[i + 1 : i + 2] not in SOLE:
        return -1  # a word behind a closed descriptor: `>& -rm x` runs `rm x`
    if not operator or i >= size or text[i] in ENDS or text[i] in "#\\":
        return -1
    parsed = _word(text, i, size)
    if parsed is None or parsed[2] or not parsed[0]:
        return -1
    draft.redirs.append((descriptor + operator, parsed[0]))
    draft.end = parsed[1]
    return parsed[1]


def _piece(draft: _Draft, text: str, i: int, size: int) -> int:
    """Read the word or redirection at `i`; returns the place behind it, -1 when it is uncertain."""
    if draft.start < 0:
        draft.start = i
    if text[i] in "<>&":
        return _target(draft, text, i, size, "")
    parsed = _word(text, i, size)
    if parsed is None:
        return -1
    word, end, globbed, quoted = parsed
    if end < size and text[end] in "<>" and word.isdigit() and not quoted:
        # zsh reads one digit only.
        return _target(draft, text, end, size, word) if len(word) == 1 else -1
    draft.end = end
    return end if draft.add(word, globbed, text[i:end]) else -1


def _skip(text: str, i: int, size: int) -> int:
    """The place behind blanks, continued lines and a comment; -1 for a comment that an interactive zsh would run."""
    while i < size:
        char = text[i]
        if char in BLANK:
            i += 1
        elif char == "\\" and text[i + 1 : i + 2] == "\n":
            i += 2
        elif char == "#":
            while i < size and text[i] in COMMENT:
                i += 1
            return i if i >= size or text[i] == "\n" else -1
        else:
            return i
    return i


def plain(command: str, keep: Callable[[Simple], bool] | None = None) -> list[Simple] | None:
    """Split a command of simple commands, or return None when any part of it is not certain, or not to `keep`."""
    size = len(command)
    if size > LIMIT or not _clean(command):
        return None
    found: list[Simple] = []
    draft = _Draft("")
    i = _skip(command, 0, size)
    while i >= 0:
        char = command[i] if i < size else ""
        if char and (char not in "\n;|&" or command[i : i + 2] == "&>"):
            i = _piece(draft, command, i, size)
        else:
            operator = _operator(command, i) if char else "\n"
            if draft.start >= 0:
                simple = draft.done()
                if simple is None or not operator or (keep is not None and not keep(simple)):
                    return None
                found.append(simple)
                draft = _Draft(operator)
            elif operator != "\n" or (not char and draft.joined in ("|", "||", "&&")):
                # Nothing stands here: right for a line break, and at the end unless a pipe or `&&` is waiting.
                return None
            if not char:
                return None if draft.joined in ("|", "||", "&&") else _chain(found)
            i += len(operator)
        if i >= 0:
            i = _skip(command, i, size)
    return None


def screen(command: str) -> bool:
    """True when the command certainly writes, deletes, sends, changes and privileges nothing beyond project building.

    It says nothing about size: whether a search or a `cat` is bounded is a question for `plain`'s words.
    """
    first, _, rest = command.partition(" ")
    if ORDINARY.issuperset(first) and first:
        if not known(first):
            return False
        if first == "git" and ORDINARY.issuperset(verb := rest.partition(" ")[0]) and not reads(verb):
            return False
    return plain(command, lambda one: harmless(one.words, one.assigns, one.redirs, one.globbed)) is not None


DIFFERENT = {"": "", "powershell": "\\`‘’‚‛“”„", "cmd": "\\'^%"}
"""Characters that hide or show something else there than in a POSIX shell."""


def cleared(command: str, language: str = "") -> bool:
    """The screen, which reads as a POSIX shell does, clears a text of this language too."""
    return screen(command) and not (language and any(char in command for char in DIFFERENT[language]))


RECIPES = " make npm yarn pnpm bun cargo python python3 "
"""Programs that the screen clears and that run a text of the project, which the session may have written."""


def began(state: Mapping[str, Any]) -> int:
    """When the session began, in milliseconds; 0 when nobody knows."""
    told = state.get("core", {}).get("createdTs", 0)
    return told if isinstance(told, int) else 0


def clears(event: Event, since: int) -> bool:
    """The screen clears the call's command, and no text that this session wrote is run by it: asked by both guards."""
    command = event.command
    if not cleared(command, "powershell" if event.tool[-10:].lower() == "powershell" else ""):
        return False
    if not since or not any(name in command for name in RECIPES.split()):
        return True
    if plain(command, lambda simple: not listed(simple.words[0], RECIPES)) is not None:
        return True
    from jackline.shell.effects import of_session, read

    return not of_session(read(event, since))
