"""Say in microseconds that a shell command is plain, and perhaps that it is certainly harmless.

`plain` splits only what bash, dash and zsh all read alike; everything else is None, "don't know", and belongs to
`jackline.shell.effects`. `screen` says yes only where that full analysis could add nothing.
"""

from __future__ import annotations

from jackline.shell.harmless import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

LIMIT = 16_384
"""Longer commands are left to the full analysis, which has its own limits."""

ORDINARY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,+@%:]")
BLANK = " \t"
ENDS = frozenset(" \t\n;&|<>")
SOLE = ENDS | {""}
GLOB = "*?["
COMMENT = ORDINARY | frozenset(" \t")

RESERVED = (
    # Words of bash and zsh with which structure begins.
    "if then elif else fi for while until do done case esac in select function time coproc repeat foreach end "
    "]] noglob nocorrect "
    # Builtins that read their words as code, or change how later words are read.
    "eval . source exec trap alias unalias enable hash shopt set setopt unsetopt emulate autoload bind zmodload "
    "export declare typeset readonly local integer float let unset read mapfile readarray getopts shift return "
    "functions disable fc rehash command builtin"
)
UNCERTAIN = frozenset(RESERVED.split())


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


def _double(text: str, i: int) -> tuple[str, int] | None:
    """The contents of a double-quoted string that opens at `i`, and the place behind it."""
    close = text.find('"', i + 1)
    if close < 0:
        return None
    inner = text[i + 1 : close]
    if "\\" not in inner:
        return None if "$" in inner or "`" in inner or "!" in inner else (inner, close + 1)
    parts: list[str] = []
    i, size = i + 1, len(text)
    while i < size:
        char = text[i]
        if char == '"':
            return "".join(parts), i + 1
        if char in "$`!":
            return None
        if char == "\\" and i + 1 < size:
            i += 1
            if text[i] == "!":
                return None
            if text[i] not in '$`"\\\n':
                parts.append("\\")
            char = "" if text[i] == "\n" else text[i]
        parts.append(char)
        i += 1
    return None


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
        if char == "'":
            close = text.find("'", i + 1)
            if close < 0:
                return None
            word += text[i + 1 : close]
            i, quoted = close + 1, True
            continue
        if char == '"':
            inner = _double(text, i)
            if inner is None:
                return None
            word += inner[0]
            i, quoted = inner[1], True
            continue
        if char == "\\":
            if i + 1 >= size:
                return None
            if text[i + 1] != "\n":
                word += text[i + 1]
            i, quoted = i + 2, True
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
    if two in ("&&", "||"):
        return two
    # `;;` `;&` `|&` `&|` `&!`, and line continuations inside an operator.
    return "" if two[1:] and two[1] in ";&|!\\" else two[0]


def _redirection(text: str, i: int) -> str:
    """The redirection operator at `i` (behind its descriptor), or "" for here-documents and process substitution."""
    three = text[i : i + 3]
    for operator in ("&>>", "&>", ">>", ">|", ">&", "<&", "<>"):
        if three.startswith(operator):
            return operator
    return three[0] if three[1:2] not in ("<", "(", "!") else ""


def _chain(commands: list[Simple]) -> list[Simple]:
    """Tell each stage of a pipeline what it is piped into."""
    for index in range(len(commands) - 2, -1, -1):
        following = commands[index + 1]
        if following.joined == "|":
            into = following.words
            commands[index] = commands[index]._replace(piped_into=into[0] if into else "", piped_into_words=into)
    return commands


def plain(command: str) -> list[Simple] | None:
    """Split a command of simple commands, or return None when any part of it is not certain."""
    size = len(command)
    if size > LIMIT or not _clean(command):
        return None
    found: list[Simple] = []
    words: list[str] = []
    assigns: list[tuple[str, str]] = []
    redirs: list[tuple[str, str]] = []
    globbed: list[int] = []
    joined, start, after, end, i = "", -1, 0, 0, 0
    while True:
        while i < size and command[i] in BLANK:
            i += 1
        char = command[i] if i < size else ""
        if char == "\\" and command[i + 1 : i + 2] == "\n":
            i += 2
            continue
        if char == "#":
            # An interactive zsh would run this as words; so it must hold nothing but words.
            while i < size and (command[i] in COMMENT or command[i] == "#"):
                i += 1
            if i < size and command[i] != "\n":
                return None
            continue
        if not char or char in "\n;|" or (char == "&" and command[i + 1 : i + 2] != ">"):
            operator = "\n" if char in ("", "\n") else _operator(command, i)
            i += len(operator)
            if start < 0:
                # Nothing stands here: right for a line break, and at the end, unless a pipe or `&&` is waiting.
                if operator != "\n" or (not char and joined in ("|", "||", "&&")):
                    return None
                if not char:
                    return _chain(found)
                continue
            if not operator or (words and words[0] in UNCERTAIN and words[:2] != ["command", "-v"]):
                return None
            found.append(
                Simple(tuple(words), tuple(assigns), tuple(redirs), tuple(globbed), joined, "", (), start, after, end)
            )
            if not char:
                return _chain(found)
            words, assigns, redirs, globbed = [], [], [], []
            joined, start, after = operator, -1, 0
            continue
        if start < 0:
            start = i
        begin, descriptor = i, ""
        if char not in "<>&":
            parsed = _word(command, i, size)
            if parsed is None:
                return None
            word, i, is_globbed, quoted = parsed
            char = command[i] if i < size else ""
            if not (char and char in "<>" and word.isdigit() and not quoted):
                end = i
                if not words:
                    name, equals, value = word.partition("=")
                    if equals and command.startswith(name + "=", begin) and name.isascii() and name.isidentifier():
                        assigns.append((name, value))
                        continue
                    is_globbed = is_globbed and word != "["
                    if equals or is_globbed or not word:
                        return None
                    after = i
                if is_globbed:
                    globbed.append(len(words))
                words.append(word)
                continue
            if len(word) > 1:
                return None
            descriptor = word
        operator = _redirection(command, i)
        i += len(operator)
        while i < size and command[i] in BLANK:
            i += 1
        if not operator or i >= size or command[i] in ENDS or command[i] in "#\\":
            return None
        parsed = _word(command, i, size)
        if parsed is None or parsed[2] or not parsed[0]:
            return None
        redirs.append((descriptor + operator, parsed[0]))
        i = end = parsed[1]


def screen(command: str) -> bool:
    """True when the command certainly writes, deletes, sends, changes and privileges nothing beyond project building.

    It says nothing about size: whether a search or a `cat` is bounded is a question for `plain`'s words.
    """
    found = plain(command)
    if found is None:
        return False
    return all(harmless(simple.words, simple.assigns, simple.redirs, simple.globbed) for simple in found)
