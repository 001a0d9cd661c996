"""The one shell line in a client's configuration: write it, and know it again (design section 6, "Install").

Paths in it are constant and lead through links, so that an upgrade never changes the line: Codex trusts its hash.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

from jackline.clients.facts import EXPANDS, FORMS, MUTE, WORDS
from jackline.install.fault import InstallError

PORTABLE = 'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"'
"""How an entry that is committed with a project finds each person's own store; silent where there is none."""

PLACES = ("user", "project", "local", "managed")

FORM = 2
"""The form of the lines written today. In form 1 no line answered for a dead run, and `--fail closed` was a word for
the entry point itself."""

REASON = (
    "Jackline is installed but gave no answer, so this call is refused. "
    "A person can repair it: run `jackline init`. "
    "Or a person can switch it off, which needs no package: remove the file bin/python of its store "
    "(~/.local/state/jackline/bin/python unless the store was put elsewhere)."
)
GONE = (
    "Jackline does not run in this session: the Python it starts with is gone. "
    "No hook of Jackline judges anything until a person runs `jackline init`."
)
_NESTED = '{"hookSpecificOutput":{"hookEventName":"PreToolUse",%s}'
_DENY = f'"permissionDecision":"deny","permissionDecisionReason":"{REASON}"'

_DENIALS = {"nested": _NESTED % _DENY + "}", "both": _NESTED % _DENY + f",{_DENY}}}"}
_NOTICES = {
    "nested": f'{{"systemMessage":"{GONE}"}}',
    "both": f'{{"additionalContext":"{GONE}","hookSpecificOutput":{{"hookEventName":"SessionStart",'
    f'"additionalContext":"{GONE}"}},"systemMessage":"{GONE}"}}',
}
DENIALS = {
    dialect: WORDS[dialect][0] % REASON if WORDS[dialect][0] else _DENIALS.get(form, _DENIALS["nested"])
    for dialect, form in FORMS.items()
}
"""What the line itself says before a tool when we gave no object, in the dialect's own form. No apostrophe."""
NOTICES = {
    dialect: WORDS[dialect][1] % GONE if WORDS[dialect][1] else _NOTICES.get(form, _NOTICES["nested"])
    for dialect, form in FORMS.items()
}
"""What it says when a session starts, the entry point is there and its interpreter is not."""

_PIPE = " 2>/dev/null)"
"""Ends the entry point's words in a line that holds its answer."""
POSITIONAL = 'set -- "${XDG_STATE_HOME:-$HOME/.local/state}/jackline"'
"""The store of a portable entry where a client puts variables into its settings: a project's `.env` could set any of
ours, and answer for the entry point. What a shell was given as its words (`$*`) nothing can set.
"""


class Entry(NamedTuple):
    """What an entry says. `store` is "" for a portable one; `place` is the scope whose file it stands in.

    `fail`: what a tool call meets when the entry point is dead; on other events a line says the same for both.
    """

    store: str
    dialect: str
    event: str
    place: str = "user"
    fail: str = "closed"
    form: int = FORM

    @property
    def interpreter(self) -> str:
        return f"{self.store}/bin/python"

    @property
    def door(self) -> str:
        return f"{self.store}/door.py"


def _tail(entry: Entry) -> str:
    """The entry point's own arguments."""
    words = [entry.dialect, entry.event]
    if entry.place != "user":
        words.append(entry.place)
    if entry.form == 1 and entry.fail != "open":
        words += ["--fail", entry.fail]
    return " ".join(shlex.quote(word) for word in words)


def write(entry: Entry) -> str:
    """The command line of an entry.

    Without its interpreter it leaves with 0: Python's 2 for a missing script and the shell's 127 for a missing program
    each lock somebody out of some client (measured contracts, 9.3 and 7.3). Before a tool a living entry point always
    prints an object, so whatever else comes of it (nothing, an end by a signal, half a document) is answered with a
    denial.
    """
    expanded = entry.dialect in EXPANDS
    if entry.store:
        lead, python, door = "", shlex.quote(entry.interpreter), shlex.quote(entry.door)
    elif expanded:
        lead, python, door = POSITIONAL + "; ", '"$*/bin/python"', '"$*/door.py"'
    else:
        lead, python, door = PORTABLE + "; ", '"$J/bin/python"', '"$J/door.py"'
    call = f"{python} -I -S {door} {_tail(entry)}"
    if entry.form > 1 and entry.event == "PreToolUse" and entry.fail == "closed":
        denial = DENIALS[entry.dialect]
        if expanded:
            answer = f"""case "$*" in '{{'*'}}') printf '%s\\n' "$*";; *) printf '%s\\n' '{denial}';; esac"""
            return f'{lead}[ -x {python} ] || exit 0; set -- "$({call} 2>/dev/null)"; {answer}'
        answer = f"""case $a in '{{'*'}}') printf '%s\\n' "$a";; *) printf '%s\\n' '{denial}';; esac"""
        return f"{lead}[ -x {python} ] || exit 0; a=$({call} 2>/dev/null); {answer}"
    if entry.form > 1 and entry.event == "SessionStart":
        notice = f"[ -f {door} ] && printf '%s\\n' '{NOTICES[entry.dialect]}'; exit 0;"
        return f"{lead}[ -x {python} ] || {{ {notice} }}; exec {call}"
    if entry.event in MUTE.get(entry.dialect, ()):
        silence = """case $a in '{}'|'') ;; *) printf '%s\\n' "$a";; esac"""
        return f"{lead}[ -x {python} ] && [ -f {door} ] || exit 0; a=$({call} 2>/dev/null); {silence}"
    return f"{lead}[ -x {python} ] && [ -f {door} ] || exit 0; exec {call}"


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _line(command: str) -> str:
    """The shell's line of a command that starts a shell by itself; else the command."""
    words = _words(command) if command.startswith("/bin/sh -c ") else []
    return words[2] if len(words) == 3 else command


def read(command: str) -> Entry | None:
    """The entry that a command line is, of whichever store and form; None when it is not exactly one of ours."""
    command = _line(command)
    head, found, tail = command.partition(_PIPE)[0].rpartition(" -I -S ")
    words = _words(tail)
    if not found or len(words) < 3 or words[1] not in DENIALS:
        return None
    door, dialect, event, *rest = words
    store = "" if head.startswith((PORTABLE, POSITIONAL)) else door.removesuffix("/door.py")
    place = rest.pop(0) if rest and rest[0] in PLACES else "user"
    said = "closed" if rest == ["--fail", "closed"] else "open"
    today = Entry(store, dialect, event, place)
    could_be = (today, today._replace(fail="open"), today._replace(fail=said, form=1))
    return next((one for one in could_be if write(one) == command), None)


def is_older(command: str) -> bool:
    """Whether a line is one of ours in a form that is not written any more."""
    found = read(command)
    return found is not None and found.form < FORM


def near(command: str, store: Path | None = None) -> bool:
    """Whether a command line is an entry of ours, or was one before somebody changed it."""
    if read(command) is not None or (store is not None and f"{store}/door.py" in command):
        return True
    return "/door.py" in command and ("jackline" in command or "$J/door.py" in command)


def check_store(store: Path) -> None:
    """Refuse a store whose path cannot stand in a configuration file."""
    text = str(store)
    if not store.is_absolute() or any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in text):
        cure = "set JACKLINE_STORE to a plain absolute path"
        raise InstallError(repr(text), "no path that a configuration file can hold", cure)
