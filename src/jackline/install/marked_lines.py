"""Entries of ours as lines among others' in TOML and YAML: each line bears a mark, so that it is found again.

Nobody else's line is touched. What comes of an edit is read as the client reads it before anything is written.
"""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from jackline.install.fault import InstallError
from jackline.install.hookfile import Edit, Found, Shape, Wanted
from jackline.install.jsontext import Splice, newline

MARK = " # jackline"
"""At the end of each line of ours: a comment in both languages."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _without(text: str) -> str:
    return "".join([line for line in text.splitlines(keepends=True) if not line.rstrip("\r\n").endswith(MARK)])


# --- reading --------------------------------------------------------------------------------------------------------


def _broken(where: str, why: object) -> InstallError:
    what = " ".join(str(why).split())[:160]
    return InstallError(where, f"cannot be read ({what})", "mend the file (it was left as it is), then run again")


def _toml(text: str, where: str) -> dict[str, list[dict[str, Any]]]:
    """Hooks by event, from `[[hooks]]` tables that each name theirs."""
    try:
        listed = tomllib.loads(text).get("hooks", [])
    except ValueError as fault:
        raise _broken(where, fault) from None
    if not isinstance(listed, list):
        raise InstallError(where, "hooks: expected [[hooks]] tables", "mend the file, then run again")
    found: dict[str, list[dict[str, Any]]] = {}
    for one in listed:
        if isinstance(one, dict):
            found.setdefault(str(one.get("event")), []).append(one)
    return found


def _yaml(text: str, where: str) -> dict[str, list[dict[str, Any]]]:
    """Hooks by event, from `hooks: {event: [hook]}`."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        document = YAML(typ="safe", pure=True).load(io.StringIO(text))
    except (YAMLError, ValueError, RecursionError) as fault:
        raise _broken(where, fault) from None
    hooks = (document.get("hooks") if isinstance(document, dict) else None) or {}
    if not isinstance(hooks, dict) or not (document is None or isinstance(document, dict)):
        raise InstallError(where, "hooks: expected events with lists of hooks", "mend the file, then run again")
    return {
        str(event): [one for one in listed if isinstance(one, dict)]
        for event, listed in hooks.items()
        if isinstance(listed, list)
    }


READERS = {"toml": _toml, "yaml": _yaml}


def read(shape: Shape, data: bytes, where: str) -> list[Found]:
    """Every hook of a file."""
    found = []
    for event, hooks in READERS[shape](_text(data), where).items():
        for at, one in enumerate(hooks):
            said = one.get("command")
            plain = {key: value for key, value in one.items() if key != "event"}
            narrowed = "matcher" in one
            found.append(Found(event, at, -1, said if isinstance(said, str) else "", plain, True, narrowed))
    return found


# --- writing --------------------------------------------------------------------------------------------------------


def _pairs(one: Wanted) -> list[tuple[str, str]]:
    """Keys and values as both languages read them."""
    return [(key, json.dumps(value)) for key, value in one.hook.items()]


def _with_toml(text: str, wanted: Sequence[Wanted], end: str) -> str:
    made = []
    for one in wanted:
        made += ["[[hooks]]", f"event = {json.dumps(one.event)}", *[f"{key} = {value}" for key, value in _pairs(one)]]
    return text + "".join([f"{line}{MARK}{end}" for line in made])


def _item(one: Wanted, step: str) -> list[str]:
    (first, value), *rest = _pairs(one)
    return [f"{step}- {first}: {value}", *[f"{step}  {key}: {value}" for key, value in rest]]


HOOKS = re.compile(r"hooks\s*:\s*(?:#.*)?$")


def _with_yaml(text: str, wanted: Sequence[Wanted], end: str) -> str:
    """Below the file's own `hooks:`, and there below its own events; else at its end."""
    rows = text.splitlines(keepends=True)
    at = next((number for number, row in enumerate(rows) if row.startswith("hooks") and HOOKS.match(row.rstrip())), -1)
    if at < 0:
        made = ["hooks:"]
        for one in wanted:
            made += [f"  {one.event}:", *_item(one, "    ")]
        return text + "".join([f"{line}{MARK}{end}" for line in made])
    inner = [row for row in rows[at + 1 :] if row.strip() and not row.lstrip().startswith("#")]
    step = inner[0][: len(inner[0]) - len(inner[0].lstrip())] if inner and inner[0][0] in " \t" else "  "
    for one in wanted:
        own = re.compile(rf"{re.escape(step)}['\"]?{re.escape(one.event)}['\"]?\s*:\s*(?:#.*)?$")
        below = next((number for number, row in enumerate(rows) if number > at and own.match(row.rstrip())), -1)
        if below < 0:
            made, below = [f"{step}{one.event}:", *_item(one, step + "  ")], at
        else:
            first = rows[below + 1] if below + 1 < len(rows) else ""
            made = _item(one, first[: len(first) - len(first.lstrip())])
        rows[below + 1 : below + 1] = [f"{line}{MARK}{end}" for line in made]
    return "".join(rows)


WRITERS = {"toml": _with_toml, "yaml": _with_yaml}


def _back(before: str, after: str) -> tuple[Splice, ...]:
    """The one splice that makes `before` of `after`."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    most -= start
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    return (Splice(start, len(after) - tail, before[start : len(before) - tail]),)


def ensure(shape: Shape, data: bytes, where: str, wanted: Sequence[Wanted]) -> Edit:
    """The file with exactly the wanted entries of ours; as it is where they stand there."""
    text = _text(data)
    ours = {(one.event, json.dumps(one.hook)) for one in wanted}
    standing = [one for one in read(shape, data, where) if (one.event, json.dumps(one.hook)) in ours]
    if len(standing) == len(wanted) and text.count(MARK) == _with(shape, "", wanted).count(MARK):
        return Edit(data, (), ())
    made = _with(shape, _without(text), wanted)
    try:
        told = {(one.event, json.dumps(one.hook)) for one in read(shape, _bytes(made), where)}
    except InstallError:  # what stands there is written in a way that no line can be added to
        told = set()
    if not ours <= told:
        what = "our entries cannot be added to what stands there"
        raise InstallError(where, what, "write `hooks` with one event or hook a line, then run again")
    return Edit(_bytes(made), _back(text, made), ())


def _with(shape: Shape, text: str, wanted: Sequence[Wanted]) -> str:
    end = newline(text)
    return WRITERS[shape](text if not text or text.endswith("\n") else text + end, wanted, end)


def strip(data: bytes) -> bytes:
    return _bytes(_without(_text(data)))


def undo(data: bytes, splices: Sequence[Splice]) -> bytes:
    text = _text(data)
    for start, end, new in splices:
        text = text[:start] + new + text[end:]
    return _bytes(text)
