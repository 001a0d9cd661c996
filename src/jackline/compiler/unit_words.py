"""What a person reads of units that are not as they were trusted: a line each, with the command to type."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from jackline.compiler.trust import Key
from jackline.compiler.trust_state import Standing
from jackline.compiler.unit_record import name_of

MOST = 5
"""Units that are told one by one."""

NOUNS = {
    "feature": "feature",
    "script": "script",
    "validator": "validator",
    "configuration": "configuration",
    "rule": "plan rule",
    "text": "text for agents",
}

IN_FORCE = {
    "feature": "the version you trusted runs",
    "script": "the version you trusted runs",
    "validator": "the version you trusted runs",
    "configuration": "what you trusted counts, and what tightens",
    "rule": "what you trusted counts, and what it demands",
    "text": "it is not used",
}
ABSENT = {
    "feature": "it does not run here",
    "script": "it does not run here",
    "validator": "it does not run here",
    "text": "it is not used here",
}
"""Of what a branch gave up; configuration it cannot."""
MOVED = {
    "feature": "runs from",
    "script": "runs from",
    "validator": "runs from",
    "configuration": "counts from",
    "rule": "counts from",
    "text": "is used from",
}
WAITS = {
    "configuration": "what it loosens does not count",
    "rule": "it demands, and approves nothing",
    "text": "it is not used",
}
"""Of what nobody trusted; the others do not run."""
WHAT = {
    "changed": "changed since you trusted it",
    "broken": "can no longer be read as you trusted it",
    "gone": "is gone, though you trusted it",
}


PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")


def shown(text: str) -> str:
    """Foreign text as it can be printed."""
    if text.isascii() and text.isprintable():
        return text
    from jackline.unicode_escape import escape_line

    return escape_line(text)


def _quoted(place: str) -> str:
    """A place as a shell reads it."""
    if place and place[0] != "-" and PLAIN.issuperset(place):
        return place
    from shlex import quote

    return quote(place)


def _days(*times: int) -> list[str]:
    """Times as days; with the time of day where they were the same day."""
    days = [time.strftime("%Y-%m-%d", time.gmtime(ms / 1000)) for ms in times]
    if len({*days}) == len(days):
        return days
    return [time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(ms / 1000)) for ms in times]


def command(key: Key) -> str:
    """What a person types to say yes to a unit."""
    return f"jackline trust {_quoted(key[1])}"


def line(one: Standing, hold: str = "") -> str:
    """One unit, in one line."""
    kind, place = one.key
    cure = shown(command(one.key))
    if hold:
        cure = f"mend it, then {cure}" if one.state == "trusted" else cure
        said = f"cannot run as you trusted it ({hold}): its calls wait for you"
    elif one.state == "older":
        now, then = _days(one.now, one.then)
        said = f"is at HEAD as you trusted it on {now}, not as on {then}; the older one runs"
    elif one.state == "moved":
        said = f"was trusted as {shown(one.came_from)}; it {MOVED[kind]} its new place"
    elif one.state == "new":
        said = f"is new and not trusted: {WAITS.get(kind, 'it does not run')}"
    elif one.last is None:
        said = "is gone: what it tightened stays until you take it away"
    else:
        said = f"{WHAT[one.state]}: {IN_FORCE[kind]}"
    return f"{shown(place)} ({NOUNS[kind]}) {said} · {cure}"


def rows(standings: Sequence[Standing], holds: Sequence[tuple[Key, str]]) -> tuple[tuple[str, ...], ...]:
    """Every unit that is not as it was trusted, as data: kind, place, state, why it holds, line."""
    why = dict(holds)
    told = {one.key: one for one in standings if one.is_told}
    for one in standings:
        if one.key in why:
            told[one.key] = one
    return tuple(
        [(*key, one.state, why.get(key, ""), line(one, why.get(key, ""))) for key, one in sorted(told.items())]
    )


def lines(standings: Sequence[Standing], holds: Sequence[tuple[Key, str]]) -> tuple[str, ...]:
    """What is told of them: at most five lines, then a count."""
    found = [row[-1] for row in rows(standings, holds)]
    more = len(found) - MOST
    return (
        (*found[:MOST], f"{more} more are not as you trusted them · jackline trust --diff") if more > 0 else (*found,)
    )


def left(standings: Sequence[Standing], released: Collection[str]) -> tuple[str, ...]:
    """Units that the branch has no more, a line each, five at most: nobody is asked, and who looks sees it."""
    found = [one.key for one in standings if one.state == "released" and name_of(one.key) in released]
    said = [f"{shown(place)} ({NOUNS[kind]}) is gone with the branch: {ABSENT[kind]}" for kind, place in found]
    more = len(said) - MOST
    return (*said[:MOST], f"{more} more are gone with the branch") if more > 0 else (*said,)


def holds(held: Sequence[tuple[Key, str]]) -> tuple[str, ...]:
    """Why calls wait for a person, a sentence for each unit that cannot run."""
    return tuple([f"{shown(key[1])} cannot run as you trusted it: {why}" for key, why in held])
