"""Whether shell text is another one narrowed: flags added, arguments narrowed, every command word and operator kept.

Read as a shell reads: words with their quotes, operators between them. What is not understood narrows nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

BLANK = " \t"
QUOTES = {ord(char): None for char in "'\"\\"}
OPERATORS = ";&|<>()\n`"
ACTIVE = "$`\\{}"
"""What a shell expands inside a word: no word that was changed or added holds one."""
NESTED = "$`\\'\"(){}#;&|<>\n"
"""What makes an expansion more than plain words."""
WHOLE = (".", "./", "**", "**/*", "*")
"""Arguments that mean everything: any relative path below narrows them."""
OPENERS = ("if", "then", "else", "elif", "do", "while", "until", "time", "!", "{")
"""Words behind which a command word stands."""
SEARCHES = (
    *(
        "grep",
        "egrep",
        "fgrep",
        "rgrep",
        "zgrep",
        "rg",
        "ag",
        "ack",
        "ack-grep",
        "find",
        "fd",
        "fdfind",
        "ls",
        "tree",
        "exa",
    ),
    *("eza", "lsd", "du", "ls-files", "ls-tree"),
)
"""Programs that only look: a flag of theirs may have a number for its value."""
CARRIERS = (
    *("sudo", "doas", "env", "command", "builtin", "exec", "eval", "source", ".", "nice", "ionice", "nohup", "timeout"),
    *("stdbuf", "setsid", "xargs", "parallel", "busybox", "bash", "sh", "zsh", "dash", "ksh", "fish", "su", "ssh"),
    *("docker", "podman", "chroot", "flock", "watch", "script", "git", "python", "python3", "perl", "ruby", "node"),
    *("awk", "gawk", "sed", "php", "make", "tar", "rsync", "vim", "vi", "ed", "strace", "ltrace", "npx", "uvx"),
    *("for", "case", "select", "function", "[[", "[", "test", "trap", "alias", "declare", "export", "local"),
)
"""Words whose arguments may be programs: nothing changes behind them before the name of a search."""
ACTING = ("-delete", "-exec", "-ok", "-fprint", "-fls", "--exec", "--pre", "--open-files-in-pager", "-O", "-x", "-X")
"""Beginnings of flags by which a search does more than look."""


class Token(NamedTuple):
    """A word or an operator.

    `glued`: no blank before it. `fixed`: a command word or a redirection's target. `loose`: something may be added
    behind it, or it may be narrowed; `search`: it belongs to a search.
    """

    text: str
    operator: bool
    glued: bool
    fixed: bool = False
    loose: bool = False
    search: bool = False


def _past(text: str, at: int) -> int:
    """Where the next piece of a word begins: behind a character, an escape or a whole quotation."""
    char = text[at]
    if char == "\\":
        return at + 2
    if char == "'":
        return text.index("'", at + 1) + 1
    if char == '"':
        close = at + 1
        while text[close] != '"':
            if text[close] == "`":
                raise ValueError("a command inside quotes")
            close = _expanded(text, close) if text[close] == "$" else close + (2 if text[close] == "\\" else 1)
        return close + 1
    if char == "$" and text[at + 1 : at + 2] in ("'", '"'):
        raise ValueError("a quotation that is not read here")
    return _expanded(text, at) if char == "$" and text[at + 1 : at + 2] == "{" else at + 1


CLOSES = {"(": ")", "{": "}"}


def _expanded(text: str, at: int) -> int:
    """Behind a simple `$(command)` or `${name}`. ValueError where more stands in it than plain words."""
    closes = CLOSES.get(text[at + 1 : at + 2])
    if closes is None:
        return at + 1
    end = text.index(closes, at)
    if any(char in NESTED for char in text[at + 2 : end]):
        raise ValueError("an expansion that is not read here")
    return end + 1


def _pieces(text: str) -> Iterator[tuple[str, bool, bool]]:
    """(text, operator, glued) of words and operators. ValueError or IndexError for what is not understood."""
    at = 0
    glued = False
    while at < len(text):
        begun = at
        if text[at] in BLANK:
            at += 1
            glued = False
            continue
        operator = text[at] in OPERATORS
        if text[at] == "#" or text.startswith("<<", at):
            raise ValueError("a comment or a here-document")
        at += 1 if operator else 0
        while not operator and at < len(text) and text[at] not in BLANK and text[at] not in OPERATORS:
            at = _past(text, at)
        if at > len(text):
            raise ValueError("nothing to escape")
        yield text[begun:at], operator, glued
        glued = True


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return equals != "" and name.isidentifier()


def tokens(text: str) -> list[Token]:
    """`text` as tokens. ValueError or IndexError when it is not understood."""
    found: list[Token] = []
    opening, target = True, False
    program = ""  # "" none yet, "search", "carrier", "other", "closed" = nothing changes here any more
    for word, operator, glued in _pieces(text):
        if operator:
            target = word in "<>"
            if not target:
                opening, program = True, ""
            found.append(Token(word, True, glued))
            continue
        fixed = opening or target
        name = word.translate(QUOTES).rpartition("/")[2]
        if target:
            pass
        elif opening and word not in OPENERS and not _assigns(word):
            opening = False
            program = "search" if name in SEARCHES else "carrier" if name in CARRIERS else "other"
        elif program == "carrier" and word[0] != "-" and not word[0].isdecimal() and not _assigns(word):
            fixed = True
            program = "search" if name in SEARCHES else "carrier" if name in CARRIERS else "closed"
        found.append(Token(word, False, glued, fixed, program in ("search", "other"), program == "search"))
        target = False
    return found


def _plain(word: str) -> bool:
    return not any(char in word for char in ACTIVE) and word[:1] not in ("#", "~") and ".." not in word.split("/")


def _inert(word: str) -> bool:
    """Whether a word that is only compared with paths says itself what it is."""
    return not any(char in word for char in ACTIVE) and word[:1] not in ("#", "~")


def _narrows(old: str, new: str) -> bool:
    """Whether path or glob `new` lies inside what `old` covered."""
    bare, now = old.strip("'\""), new.strip("'\"")
    if bare in WHOLE:
        return _plain(new) and now != "" and now[0] not in "/~-"
    base = bare.rstrip("/*")
    return base != "" and now.startswith(base + "/") and _plain(now[len(base) + 1 :])


def _flag(word: str, before: Token) -> bool:
    """Whether `word` is a flag that may be put behind the token `before`."""
    if not before.loose or word[0] != "-" or word.strip("-") == "" or not _plain(word):
        return False
    return not word.startswith(ACTING) if before.search else not any(char in word for char in "/='\"")


def _kept(old: Token, new: Token, added: bool) -> bool:
    """Whether `new` is `old`, or narrows it. A number put before a redirection would become its descriptor."""
    if (new.operator, new.glued) != (old.operator, old.glued):
        return False
    if new.text == old.text:
        return not (added and new.glued and new.text in "<>")
    return old.loose and not old.fixed and not new.operator and not new.fixed and _narrows(old.text, new.text)


START = Token("", True, False)
KEPT, FLAG, VALUE, WAY = range(4)
WAYS = "-path"
"""A flag of a search whose value is a path: what lies there is told apart."""


def narrows_command(old: str, new: str) -> bool:
    """Whether shell text `new` is `old` with flags added or arguments narrowed: same command words, same structure.

    Clients judge their own rules on the new text, so a rewrite must not lead out of a forbidden command.
    """
    if new == old:
        return True
    try:
        before, after = tokens(old), tokens(new)
    except (ValueError, IndexError):
        return False
    ways = {(0, KEPT)}  # how many old tokens are accounted for, and what the last new one was
    for token in after:
        further = set()
        for at, was in ways:
            if at < len(before) and _kept(before[at], token, was != KEPT):
                further.add((at + 1, KEPT))
            last = before[at - 1] if at else START
            if token.operator or token.fixed:
                continue
            if _flag(token.text, last):
                further.add((at, WAY if token.text == WAYS and last.search else FLAG))
            elif (was == FLAG and last.search and token.text.isdecimal()) or (was == WAY and _inert(token.text)):
                further.add((at, VALUE))
        ways = further
    return any(at == len(before) for at, _ in ways)
