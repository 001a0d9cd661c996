"""What the fields of a script's front matter mean: one table of fields, exact faults, warnings for what is not used.

Unknown fields never break a script; a known field with a wrong value does, and says what to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jackline.clients.facts import NATIVE
from jackline.compiler import tools
from jackline.compiler.fault import Fault, nearest, shown
from jackline.compiler.frontmatter import Field, Front
from jackline.model import EVENTS
from jackline.script import TIMEOUTS, TYPES

LONGEST = 86_400.0
"""Seconds: no deadline is further away."""

FEW = 10
"""Commas and bars with which the braces of one pattern may mean more texts than are tried."""

UNITS = {"ms": 0.001, "s": 1, "sec": 1, "seconds": 1, "m": 60, "min": 60, "minutes": 60, "h": 3600, "hours": 3600}

TRUE = ("true", "yes", "on", "1")
FALSE = ("false", "no", "off", "0")

ALL_EVENTS: dict[str, str] = {
    **{native: ours for table in NATIVE.values() for native, ours in table.items()},
    **{event: event for event in EVENTS},
}
"""Every event name of every dialect, with ours."""

ALIASES = {
    "event": "events",
    "matcher": "tools",
    "ignore": "exclude",
    "title": "name",
    "desc": "description",
    "runAs": "run_as",
    "notifyLlm": "notify_llm",
    "notify-llm": "notify_llm",
    "run-as": "run_as",
}
"""Other names of fields."""

UNUSED = {
    "blocking": "a session's start always waits for its scripts as long as the client lets it",
    "phase": "file scripts run at the end of the turn",
    "subagent": "scripts are programs, no sub-agent is started",
    "language_id": "there is no language server here",
    "min_severity": "there is no language server here",
    "model": "scripts are programs, no model is asked",
    "prompt": "scripts are programs, no model is asked",
}
"""Fields of newer scripts: read, and why they do nothing here."""

FOREIGN = ("hue", "code", "related", "session", "parent", "tags", "version", "author", "created", "updated", "$schema")
"""Fields of nodes that are meant for others: nothing is said about them."""

NO_PROGRAMS = ("ai", "lsp", "builtin")
"""Values of `engine` that mean no program: such a script has nothing to run."""

OF_TYPE = {
    "events": ("event",),
    "order": ("event",),
    "block": ("event",),
    "tools": ("event",),
    "run": ("event",),
    "when": ("file", "event"),
    "mode": ("event",),
    "pattern": ("file",),
    "exclude": ("file",),
    "baseline": ("file",),
    "notify_llm": ("file", "pre-commit"),
    "run_as": ("session",),
    "on": ("session",),
}
"""Fields that mean something for some types only."""

CHOICES = {
    "type": TYPES,
    "run_as": ("user", "root"),
    "run": ("always", "if-allowed"),
    "when": ("stop", "after"),
    "mode": ("enforce", "warn", "observe"),
    "baseline": ("uncommitted", "session"),
    "sandbox": ("project",),
    "on": ("startup", "resume", "clear", "compact"),
}

EVERYWHERE = ("name", "type", "description", "timeout", "env", "sandbox", "inputs", "status", "enabled", "surface",
              "script")  # fmt: skip
"""Fields of every type."""

MEANT = (*EVERYWHERE, *OF_TYPE, "engine", "event", "matcher", "ignore")
"""What an unknown field may have been meant to be."""

KNOWN = frozenset((*MEANT, *UNUSED, *ALIASES))


class Said(NamedTuple):
    """What front matter declares: values by the names of `Script`, and what to warn of.

    `inert`: why it does not run although all is right, "" when it does. `inputs`: files it works with, as paths from
    the project's root; None where it does not say. `doubts`: what of it means nothing; it runs all the same, but
    whoever checks it is told.
    """

    type: str
    values: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    inert: str = ""
    inputs: tuple[str, ...] | None = None
    doubts: tuple[Fault, ...] = ()


class _Reader:
    """Reads the fields of one file; what is wrong with them is collected in `faults`."""

    def __init__(self, front: Front, where: str) -> None:
        self.where = where
        self.faults: list[Fault] = []
        self.doubts: list[Fault] = []
        self.warnings = [*front.notes]
        self.fields: dict[str, Field] = {}
        self.written: dict[str, str] = {}
        self.line = front.line - 1
        for key, field in front.fields.items():
            meant = ALIASES.get(key, key)
            if meant in self.fields and meant != key:
                other = self.written[meant]
                self.warn(key, f"read, not used here: {other} says it already", field.line)
            else:
                self.fields[meant], self.written[meant] = field, key

    def place(self, line: int) -> str:
        return f"{self.where}:{line}"

    def warn(self, key: str, what: str, line: int) -> None:
        self.warnings.append(f"{self.place(line)} · {key}: {what}")

    def doubt(self, key: str, expected: str, got: str, near: str, line: int, write: str = "") -> None:
        """What means nothing: a misspelt name, most likely."""
        write = write or near or "take it out"
        self.doubts.append(Fault(key, expected, got, near, write, self.place(line)))

    def fault(self, key: str, expected: str, got: str, write: str, near: str = "", line: int = 0) -> None:
        field = self.fields.get(key)
        at = line or (field.line if field else self.line)
        self.faults.append(Fault(self.written.get(key, key), expected, got, near, write, self.place(at)))

    def got(self, key: str) -> str:
        field = self.fields[key]
        return field.strange or shown(list(field.value) if isinstance(field.value, tuple) else field.value)

    def text(self, key: str) -> str:
        """A text, "" when it is not there."""
        field = self.fields.get(key)
        if field is None or (field.value is None and not field.strange):
            return ""
        if isinstance(field.value, str):
            return field.value
        self.fault(key, "a text", self.got(key), f"{key}: text")
        return ""

    def list(self, key: str, example: str, *, split: str = "") -> tuple[str, ...]:
        """A text or a list of texts as a tuple; `split`: what else separates texts."""
        field = self.fields.get(key)
        if field is None or (field.value is None and not field.strange):
            return ()
        if field.strange or field.value is None:
            self.fault(key, "a text or a list of texts", self.got(key), f"{key}: {example}")
            return ()
        found = (field.value,) if isinstance(field.value, str) else field.value
        if split:
            found = tuple([part for one in found for part in re.split(split, one)])
        return tuple(dict.fromkeys([one.strip() for one in found if one.strip()]))

    def choice(self, key: str, usual: str) -> str:
        said = self.text(key)
        return self.one_of(key, said) if said else usual

    def one_of(self, key: str, said: str) -> str:
        options = CHOICES[key]
        if said in options:
            return said
        meant = nearest(said.replace("_", "-"), list(options)) or nearest(said, list(options))
        self.fault(key, f"one of {', '.join(options)}", shown(said), f"{key}: {meant or options[0]}", meant)
        return options[0]

    def truth(self, key: str, usual: bool) -> bool:
        said = self.text(key).lower()
        if not said:
            return usual
        if said in TRUE or said in FALSE:
            return said in TRUE
        self.fault(key, "true or false", shown(said), f"{key}: {'true' if not usual else 'false'}")
        return usual

    def number(self, key: str, usual: float, what: str, low: float, high: float) -> float:
        """A number; for seconds the message turns `5m` into what to write."""
        said = self.text(key)
        if not said:
            return usual
        try:
            found = float(said)
            if low <= found <= high:
                return found
            near = f"{min(max(found, low), high):g}" if found == found else f"{usual:g}"
            self.fault(key, f"{what} from {low:g} to {high:g}", shown(said), f"{key}: {near}")
        except ValueError:
            span = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*([a-z]+)", said.lower())
            unit = UNITS.get(span.group(2), 0) if span else 0
            write = f"{float(span.group(1)) * unit:g}" if span and unit and key == "timeout" else f"{usual or 60:g}"
            self.fault(key, what, shown(said), f"{key}: {write}")
        return usual


def _events(reader: _Reader) -> tuple[str, ...]:
    """The canonical names of the events; what is none is warned of."""
    found = []
    for word in reader.list("events", "[PreToolUse]", split=r"[,\s]+"):
        if word in ALL_EVENTS:
            found.append(ALL_EVENTS[word])
            continue
        meant = nearest(word, list(EVENTS)) or nearest(word, list(ALL_EVENTS))
        key = reader.written["events"]
        write = f" · write: {key}: {meant}" if meant else ""
        line = reader.fields["events"].line
        reader.warn(key, f"no client has an event {shown(word)}{write}", line)
        reader.doubt(key, f"one of {', '.join(EVENTS)}", shown(word), meant, line, f"{key}: {meant}" if meant else "")
    return tuple(sorted(set(found), key=EVENTS.index))


def _pattern(word: str) -> list[str]:
    """The tools a matcher's pattern names (`Notebook.*`); the word itself when it is none."""
    if word.replace("_", "").replace("-", "").replace("/", "").replace(":", "").isalnum():
        return [word]
    try:
        return [name for name in tools.vocabulary() if re.fullmatch(word, name)] or [word]
    except (re.error, RecursionError):
        return [word]


def _tools(reader: _Reader) -> tools.Tools:
    words = [word for word in reader.list("tools", "[Edit, Write]", split=r"[|,\s]+") if word not in ("*", ".*")]
    found = tools.resolve([name for word in words for name in _pattern(word[:200])])
    for word in found.strange:
        line = reader.fields["tools"].line
        reader.warn(reader.written["tools"], tools.complaint(word), line)
        meant = tools.meant(word)
        if meant:  # else it may be a tool that we do not know
            reader.doubt(reader.written["tools"], "a tool of a client", shown(word), meant, line)
    return found


def _event(reader: _Reader) -> dict[str, Any]:
    events = _events(reader)
    if not events:
        got = reader.got("events") if "events" in reader.fields else "nothing"
        near = next((one.nearest for one in reader.doubts if one.nearest), "")
        reader.fault("events", "events of a client", got, f"events: [{near or 'PreToolUse'}]", near)
    found = _tools(reader)
    return {
        "events": events,
        "order": reader.number("order", 50.0, "a number", -1e6, 1e6),
        "block": reader.truth("block", False),
        "tools": found.names,
        "kinds": found.kinds,
        "run": reader.choice("run", "always"),
        "when": reader.choice("when", "stop"),
        "mode": reader.choice("mode", "enforce"),
    }


def _session(reader: _Reader) -> dict[str, Any]:
    sources = [reader.one_of("on", word) for word in reader.list("on", "[startup, resume]", split=r"[,\s]+")]
    return {
        "run_as": reader.choice("run_as", "user"),
        "sources": tuple(sorted(set(sources), key=CHOICES["on"].index)) or ("startup",),
    }


def _readable(reader: _Reader, key: str, pattern: str) -> None:
    """A fault for a pattern that means too much or nothing. Few can, and only these are read here: reading is slow."""
    if ".." in pattern or pattern.count(",") + pattern.count("|") >= FEW or not pattern.strip("!./"):
        from jackline.scripts.patterns import fault

        why = fault(pattern)
        if why:
            reader.fault(key, "a pattern that can be read", why, f'{key}: "*.py"')


def _file(reader: _Reader) -> dict[str, Any]:
    pattern = reader.list("pattern", '"*.py"')
    if not pattern and not any(fault.path == "pattern" for fault in reader.faults):
        reader.fault("pattern", "which files it is for", "nothing", 'pattern: "*.py"')
    exclude = reader.list("exclude", '"dist/**"')
    for key, found in (("pattern", pattern), ("exclude", exclude)):
        for one in found:
            _readable(reader, key, one)
    return {
        "pattern": pattern,
        "exclude": exclude,
        "baseline": reader.choice("baseline", "uncommitted"),
        "notify": reader.truth("notify_llm", True),
        "when": reader.choice("when", "stop"),
    }


def _commit(reader: _Reader) -> dict[str, Any]:
    return {"notify": reader.truth("notify_llm", True)}


READ: dict[str, Callable[[_Reader], dict[str, Any]]] = {
    "event": _event,
    "session": _session,
    "file": _file,
    "pre-commit": _commit,
}


def _type(reader: _Reader, surface: tuple[str, ...]) -> str:
    """What makes it run: as said, or an event where events are named."""
    if reader.text("type"):
        return reader.one_of("type", reader.text("type"))
    if "events" in reader.fields or surface:
        return "event"
    reader.fault("type", f"one of {', '.join(TYPES)}", "nothing", "type: file")
    return ""


def _unused(reader: _Reader, kind: str, *, node: bool) -> None:
    """Warn of every field that does nothing: of other types, of other tools, of no one."""
    for key, field in reader.fields.items():
        written = reader.written[key]
        if key in UNUSED:
            reader.warn(written, f"read, not used here: {UNUSED[key]}", field.line)
        elif key in OF_TYPE and kind and kind not in OF_TYPE[key]:
            types = " and ".join(OF_TYPE[key])
            reader.warn(written, f"read, not used here: it belongs to {types} scripts", field.line)
        elif key not in KNOWN and key not in FOREIGN:
            meant = nearest(key, list(MEANT))
            if meant or not node:
                write = f" · write: {meant}" if meant else ""
                reader.warn(shown(key)[1:-1], f"no field of scripts, it does nothing{write}", field.line)
                reader.doubt(shown(key)[1:-1], "a field of scripts", shown(key), meant, field.line)


def _inert(reader: _Reader) -> str:
    if reader.text("status").lower() == "pending":
        return "status: pending"
    return "" if reader.truth("enabled", True) else "enabled: false"


def surfaces(front: Front) -> tuple[str, ...]:
    """Where a node shows: `hook`, `system`, or elsewhere."""
    field = front.fields.get("surface")
    value = () if field is None or field.value is None else field.value
    words = (value,) if isinstance(value, str) else value
    return tuple([word.strip() for one in words for word in one.split(",")])


def said(front: Front, where: str, *, node: bool = False) -> Said | list[Fault]:
    """What a script's front matter declares, or everything that is wrong with it."""
    reader = _Reader(front, where)
    engine = reader.text("engine")
    if engine in NO_PROGRAMS:
        return Said("", {}, tuple(reader.warnings), f"engine: {engine} is read, not used here: only programs are run")
    inert = _inert(reader)
    kind = _type(reader, surfaces(front) if node else ())
    values: dict[str, Any] = READ[kind](reader) if kind and not reader.faults else {}
    values |= {
        "name": reader.text("name").strip(),
        "description": reader.text("description").strip(),
        "timeout": reader.number("timeout", TIMEOUTS.get(kind, 0.0), "seconds", 0.0, LONGEST),
        "env": reader.list("env", "[GITHUB_TOKEN]", split=r"[,\s]+"),
        "sandbox": reader.choice("sandbox", ""),
    }
    inputs = reader.list("inputs", "[.ai/hooks/scripts/lib.sh]") if "inputs" in reader.fields else None
    _unused(reader, kind, node=node)
    if reader.faults:
        return reader.faults
    return Said(kind, values, tuple(reader.warnings), inert, inputs, tuple(reader.doubts))
