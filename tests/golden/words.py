"""Write down what came of a case, so that two runs of it read the same and a change of one row is a change of a line.

Times, ids and places are taken out or given stable names. A row's fields that only repeat what its event says
(which event, turn, agent, tool) are left out.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from jackline.store import chain, log_check

from .play import DOINGS, Entry, Machine, Reply, doing, entry_of, forked, prepare

Start = Callable[[Machine, Entry], Reply]
CONSTANT = ("v", "hookRunId", "repo", "host", "ts", "chain")
OF_THE_EVENT = ("event", "turnId", "workId", "agentId", "toolName", "toolKind", "toolUseId")
WHO = ("client", "dialect")
SEALS = ("v", "id", "ts", "ms", "prev", "hash", "head")
"""What a line of another file has that differs between runs, or says nothing."""
LONG = 1500
ID = re.compile(r"\b0[0-9a-f]{31}\b")
MOMENT = re.compile(r"(?<!\d)1\d{12}(?!\d)")
ODDS = (
    (re.compile(r"(?<=within )\d+(?= ms)"), "<n>"),
    (re.compile(r"(?<=/calls/)(\w*)~[0-9a-f]{16}"), r"\1~<call>"),
)
"""Measured times in sentences, and names made of contents that hold places."""
SHORT = (",", ":")
BEGINS = {"v": 1, "core.phase": "UNINITIALIZED", "core.phaseSeq": 0, "core.lastTurnId": 0, "core.workId": "w001"}
"""A state of which no row has spoken. One that is what the patches of the rows say goes without saying."""
DETACHED = '"SCRIPTS_DONE"'
"""The row of a process that goes on behind the event: it comes before or after the event's own, so it is shown last."""
KNOWN = ("events.jsonl", "registry.jsonl", "state.json")
QUIET = re.compile(
    r"(^|/)(key|host|locks(/.*)?|\.lock|.*\.lock|wirings/.*|sessions/.*|\..*\.tmp|trusted/.*|.*/scripts/(running/.*|lock))$"
)
"""Files whose names or contents say nothing that does not stand elsewhere."""


def brief(row: dict[str, Any]) -> dict[str, Any]:
    """A row without its measured times, and a hook that only had nothing to say by its name alone."""
    ms = row.pop("ms", 0)
    assert isinstance(ms, (int, float)) and ms >= 0, row
    data = row.get("data")
    if isinstance(data, dict) and isinstance(data.get("actions"), list):
        data["actions"] = [silent(one) for one in data["actions"]]
    return row


def silent(action: dict[str, Any]) -> dict[str, Any] | str:
    assert isinstance(action.pop("ms"), (int, float))
    quiet = action.keys() == {"feature", "decision"} and action["decision"] == "allow"
    return str(action["feature"]) if quiet else action


def moment(found: re.Match[str]) -> str:
    return "<time>" if abs(int(found[0]) / 1e3 - time.time()) < 9e5 else found[0]


def flat(value: Any, at: str = "") -> dict[str, Any]:
    """A state by dotted names."""
    if not isinstance(value, dict) or not value:
        return {at: value}
    found: dict[str, Any] = {}
    for key, item in value.items():
        found |= flat(item, f"{at}.{key}" if at else str(key))
    return found


def compact(value: Any) -> str:
    return json.dumps(timeless(value), separators=SHORT, ensure_ascii=False)


def patches(lines: Iterable[str]) -> dict[str, Any]:
    """What the patches among these rows say of the state."""
    found: dict[str, Any] = {}
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row.get("kind") == "STATE_PATCH":
            found |= flat(row["data"]["patch"])
    return dict(timeless(found))


def lines_of(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()
    except OSError:
        return []


def timeless(value: Any, key: str = "") -> Any:
    """Measured times are 0, moments `<time>`."""
    if isinstance(value, dict):
        return {name: timeless(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if key == "ms" or (key.endswith("Ms") and key != "budgetMs"):
        return 0
    if abs(value / 1e3 - time.time()) < 9e5 or abs(value / 1e9 - time.time()) < 9e5:
        return "<time>"
    return value


class Notes:
    """One case under way: its machine, the lines written so far, and what was seen of each file."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.lines: list[str] = []
        self.ids: dict[str, str] = {}
        self.seen: dict[str, int] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.files: set[str] = set()
        self.sessions: list[Path] = []
        self.step = 0
        self.named_now = 0

    def forget(self) -> None:
        """All sessions were taken away: their files are new again."""
        self.states.clear()
        self.seen = {path: count for path, count in self.seen.items() if "/.ai/tmp/" not in path}
        self.files = {name for name in self.files if "/.ai/tmp/" not in name}

    def add(self, line: str) -> None:
        self.lines.append(line)

    def label(self, folder: Path) -> str:
        """Which session a row is of, where there are several."""
        return f"{folder.name} " if len(self.sessions) > 1 else ""

    # --- rows ---

    def new_lines(self, path: Path) -> list[str]:
        found = lines_of(path)
        before = self.seen.get(str(path), 0)
        self.seen[str(path)] = len(found)
        return found[before:]

    def row(self, line: str, common: Mapping[str, Any], label: str) -> None:
        try:
            row = json.loads(line)
        except ValueError:
            self.add(f"  torn {line}")
            return
        own = row.pop("id", "")
        if own not in self.ids:
            self.named_now += 1
            self.ids[own] = f"<row {self.step}.{self.named_now}>"
        run = f"{row.get('event') or 'unknown'}-{row.get('turnId')}-{row.get('ts')}"
        odd = row.get("hookRunId") not in (run, None) and not re.fullmatch(r".*-\d+-\d{13}", str(row["hookRunId"]))
        data = row.get("data")
        if isinstance(data, dict):
            row["data"] = {key: item for key, item in data.items() if key not in WHO or common.get(key) != item}
        kept = {
            key: value
            for key, value in row.items()
            if (key not in CONSTANT or (key == "hookRunId" and odd) or (key == "v" and value != 1))
            and not (key in OF_THE_EVENT and key in common and common[key] == value)
        }
        kind, producer = kept.pop("kind", "?"), kept.pop("producer", "?")
        self.add(f"  {label}{kind} {producer} {compact(brief(kept))}")

    def session(self, folder: Path) -> None:
        label = self.label(folder)
        found = self.new_lines(folder / "events.jsonl")
        common: dict[str, Any] = {}
        for line in found:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if row.get("kind") in MAIN:
                common = {key: row[key] for key in OF_THE_EVENT if key in row}
                common |= {key: row["data"][key] for key in WHO if key in row.get("data", {})}
                break
        if common:
            told = [f"turn {common.pop('turnId')}", *map(str, common.values())]
            common = {**common, "turnId": int(told[0][5:])}
            self.add(f"  {label}· " + " · ".join(told))
        for line in sorted(found, key=lambda line: DETACHED in line):
            self.row(line, common, label)
        for line in self.new_lines(folder / "registry.jsonl"):
            self.row(line, common, label + "bus ")
        self.state(folder, label, patches(found))
        self.chain(folder, label)

    def chain(self, folder: Path, label: str) -> None:
        """Digests hold times and places: they are left out of the rows, and checked instead."""
        store = self.machine.store
        if (store / "key").exists() and (folder / "events.jsonl").exists():
            log = (folder / "events.jsonl").read_bytes()
            for one in log_check.of_log(log, chain.key(str(store), folder.name)):
                self.add(f"  {label}log {one.what} {one.words}")

    def state(self, folder: Path, label: str, patched: dict[str, Any]) -> None:
        try:
            now = flat(json.loads((folder / "state.json").read_text()))
        except (OSError, ValueError):
            return
        now.pop("core.lastEventOffset", None)
        now = timeless(now)
        before = self.states.get(folder.name, BEGINS)
        self.states[folder.name] = now
        moved = {key: value for key, value in now.items() if before.get(key, ...) != value}
        moved |= {key: "<gone>" for key in before if key not in now}
        if moved and moved != {key: value for key, value in patched.items() if before.get(key, ...) != value}:
            self.add(f"  {label}state {compact(moved)}")

    # --- files ---

    def others(self) -> None:
        """Lines that other files got, and the names of new files."""
        machine = self.machine
        machine.look()
        new = []
        places = [*machine.folder.glob("*/.ai/tmp"), machine.store]
        for path in sorted(path for place in places for path in place.rglob("*") if path.is_file()):
            name = str(path.relative_to(machine.folder))
            inside = name.removeprefix("home/.local/state/jackline/")
            if (path.name in KNOWN and path.parent in self.sessions) or QUIET.search(inside):
                continue
            if name not in self.files and not name.endswith("/.ai/tmp/.ignore"):  # it stands beside `.gitignore`
                self.files.add(name)
                new.append(inside)
            if path.suffix in (".jsonl", ".log") and path.stat().st_size < 100_000:
                for line in self.new_lines(path):
                    self.add(f"  {path.name}: {self.plain(line)}")
        if new:
            self.add("  files " + " ".join(new))

    def plain(self, line: str) -> str:
        try:
            told = json.loads(line)
            if isinstance(told, dict):
                told = {key: item for key, item in told.items() if key not in SEALS}
                if isinstance(told.get("data"), dict):
                    told["data"] = {key: item for key, item in told["data"].items() if key not in ("head", "count")}
            return compact(told)
        except ValueError:
            return line

    # --- answers ---

    def reply(self, reply: Reply) -> None:
        text = reply.out.decode("utf-8", "backslashreplace")
        whole = text.endswith("\n") and text.count("\n") == 1
        shown = text[:-1] if whole else repr(text)
        self.add(f"  answer {shown}" if reply.out != b"{}\n" else "  silence")
        if reply.err:
            self.add(f"  stderr {reply.err.decode('utf-8', 'backslashreplace')!r}")
        if reply.exit:
            self.add(f"  exit {reply.exit}")

    # --- the whole ---

    def settled(self) -> list[str]:
        """The lines with stable names for what differs between runs."""
        text = "\n".join(self.lines)
        marks = set(re.findall(r'"stackHash":"([0-9a-f]{8})"', text))
        marks |= set(re.findall(r"failed: \w+ \[([0-9a-f]{8})\]", text))
        names = {**self.machine.names(), **dict.fromkeys(marks, "<stack>")}
        for old in sorted(names, key=len, reverse=True):
            text = re.sub(re.escape(old) + r"(?![\w-])", names[old], text)
        text = MOMENT.sub(moment, ID.sub(self.named, text))
        for pattern, instead in ODDS:
            text = pattern.sub(instead, text)
        return [short(visible(line)) for line in text.split("\n")]

    def named(self, found: re.Match[str]) -> str:
        return self.ids.get(found[0], "<id>" if abs(int(found[0][:12], 16) / 1e3 - time.time()) < 9e5 else found[0])


MAIN = ("TOOL_DECISION", "PERMISSION_DECISION", "TOOL_OUTCOME", "HOOK_EVENT")


def visible(line: str) -> str:
    """A line without characters that a file or a terminal cannot show."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in line)


def short(line: str) -> str:
    """A long line by its beginning, its length and a digest of all of it."""
    if len(line) <= LONG:
        return line
    mark = blake2b(line.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"{line[:200]} … {len(line)} characters, {mark}"


def title(step: Mapping[str, Any]) -> str:
    """A step as its line says it."""
    if "send" in step:
        first = step["send"]
    elif "recorded" in step:
        first = step["recorded"]
    elif "bytes" in step:
        first = step.get("title", "bytes")
    else:
        name = doing(step)
        return f"- {name} {step[name]}"
    more = {key: value for key, value in step.items() if key not in ("send", "recorded", "bytes", "title")}
    return f"> {first}" + (f" {json.dumps(more, ensure_ascii=False)}" if more else "")


def steps_of(case: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for step in case["steps"]:
        yield {"send": step} if isinstance(step, str) else dict(step)


def told(case: Mapping[str, Any]) -> str:
    """What a case says of itself."""
    return "".join(f"# {line}\n" for line in str(case.get("note", "")).splitlines())


def played(case: Mapping[str, Any], folder: Path, start: Start = forked, hidden: Iterable[str] = ()) -> list[str]:
    """Play a case in an empty folder; `start` opens the entry point. The lines that are written down.

    `hidden`: names in the store that are not looked at.
    """
    machine = Machine(folder)
    notes = Notes(machine)
    notes.files.update(f"home/.local/state/jackline/{name}" for name in hidden)
    prepare(machine, case)
    notes.others()
    notes.lines.clear()
    for notes.step, step in enumerate(steps_of(case), 1):
        notes.add(title(step))
        notes.named_now = 0
        name = doing(step)
        if name:
            DOINGS[name](machine, step)
            if name == "forget":
                notes.forget()
            if name != "await":
                continue
        else:
            notes.reply(start(machine, entry_of(machine, case, step)))
        notes.sessions = machine.sessions()
        for place in notes.sessions:
            notes.session(place)
        notes.others()
    return notes.settled()
