"""A user's home and projects as one text file without a place in it, and laid out again in any folder.

    === PATH MODE KIND LINES
    …

`KIND` is what the lines hold: `text`, `hex` (bytes), `link` (its target), `same` (what another one holds), `marshal`
(a marshalled value, as Python writes it), `table` (a hook table: base 85 of xz), `xz` (the same of other bytes).

Names and records of a store are digests of paths, so a place changes more than the paths themselves. What depends on
them is made again by the formulas of the version before, which stand here once more (`slot`, `keyed`, `sealed`,
`bound`): a test of an upgrade must not lean on the code it tries. Positions in files with paths are kept as positions
in the text with placeholders. Times that a yes, a code or a pause ends at count from now on, and the client's process
is who says so.
"""

from __future__ import annotations

import ast
import base64
import json
import lzma
import marshal
import os
import sys
import time
from _imp import source_hash
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from jackline.feature_names import SHOWN

STORE = "home/.local/state/jackline"
PROJECTS = {"project": "", "phased": "phased-"}
"""Folders of projects beside the home, and how words for their places begin. The second one enforces phases."""


class Archive(NamedTuple):
    """An earlier version.

    `table` is the format of its hook tables. `chained`: each row of a log is bound to the one before it, an approval
    binds what its words resolve to, and there is a second project, which enforces phases.
    """

    name: str
    table: int
    chained: bool = False

    @property
    def place(self) -> Path:
        return Path(__file__).with_name(f"stored-{self.name}.txt")


ARCHIVES = (Archive("4", 4), Archive("7", 7), Archive("7-chained", 7, chained=True))
"""Oldest first; the last one is the version before."""
BUILD = "0.1.0"
CALLS, MADE, ANSWERS = "calls.json", "made.json", "answers.json"
"""Not laid out: what each approval binds (its `mark` is a hash of that), when all this was made, and what was answered
to the events that came next (`further`)."""
FIRST = "0" * 32
CHAIN = ',"chain":"'
PHASED = {
    "PLANNING": "1b0f7c52-8d2e-4a6b-9c11-5e0a6f3d7b21",
    "EXECUTING": "2c1a8d63-9e3f-4b7c-8d22-6f1b7a4e8c32",
    "COMPLETE": "3d2b9e74-af40-4c8d-9e33-7a2c8b5f9d43",
    "BLOCKED": "4e3caf85-b051-4d9e-8f44-8b3d9c6a0e54",
}
"""The sessions of the project that enforces phases, by the phase they are in; the client's names for them."""
STAND_IN = b"# made anew by every version; what the version before had here is of no use to another one\n"


def digest(text: str, size: int = 16) -> str:
    return blake2b(text.encode(), digest_size=size).hexdigest()


def slot(path: str) -> str:
    """How a store names a project, and its repository."""
    return digest(path, 8)


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def keyed(key: bytes, value: Any) -> str:
    """How an approval names a call."""
    return blake2b(compact(value).encode(), key=key, digest_size=16).hexdigest()


def sealed(record: Mapping[str, Any]) -> str:
    """The hash of a record of authority."""
    return digest(compact({key: value for key, value in sorted(record.items()) if key != "hash"}))


def bound(text: str, key: bytes, sid: str) -> str:
    """A session's log whose rows are bound each to the one before it, by number and digest."""
    drawn = blake2b(f"log of {sid}".encode(), key=key, digest_size=16).hexdigest()
    lines, before = [], ""
    for count, line in enumerate(text.splitlines(), 1):
        row = f"{line[: line.rindex(CHAIN)]}{CHAIN}{count}-"
        before = source_hash(int(drawn[:15], 16), f"{drawn[15:]}{before}{row}".encode()).hex()
        lines.append(f'{row}{before}"}}\n')
    return "".join(lines)


def head(log: str, count: int) -> str:
    """The digest of a row, by its number."""
    return log.splitlines()[count - 1][-18:-2]


class Kept(NamedTuple):
    """One file of the archive, its content with placeholders."""

    path: str
    mode: int
    kind: str
    text: str


class Places:
    """A folder that holds `home` and projects, and every word that stands for it in a store."""

    def __init__(self, folder: Path, host: str) -> None:
        self.host = host
        self.words: dict[str, str] = {}
        for name, word in PROJECTS.items():
            root = str(folder / name)
            self.words |= {
                f"${{{word}root}}": root,
                f"${{{word}slot}}": slot(root),
                f"${{{word}repo}}": slot(host + root),
                f"${{{word}trust}}": slot(root + "/.git"),
            }
        self.words |= {"${home}": str(folder / "home"), "${machine}": str(folder)}

    def lift(self, text: str) -> str:
        """`text` with placeholders."""
        for name, value in self.words.items():
            text = text.replace(value, name)
        return text

    def put(self, text: str) -> str:
        """`text` as it stands here."""
        for name, value in self.words.items():
            text = text.replace(name, value)
        return text

    def name(self, path: str) -> str:
        """A file below one of the folders as the archive names it: `home/…`, `project/…`."""
        return self.lift(path.removeprefix(self.words["${machine}"] + "/"))


def write(files: list[Kept]) -> str:
    lines = []
    for one in sorted(files):
        body = one.text.split("\n")
        lines += [f"=== {one.path} {one.mode:o} {one.kind} {len(body)}", *body]
    return "\n".join(lines) + "\n"


def read(text: str) -> dict[str, Kept]:
    files, lines, at = {}, text.split("\n"), 0
    while at < len(lines) - 1:
        sign, path, mode, kind, count = lines[at].split(" ")
        assert sign == "===", lines[at]
        end = at + 1 + int(count)
        files[path] = Kept(path, int(mode, 8), kind, "\n".join(lines[at + 1 : end]))
        at = end
    return files


def stored(archive: Archive) -> dict[str, Kept]:
    return read(archive.place.read_text())


def packed(data: bytes) -> str:
    return base64.b85encode(lzma.compress(data)).decode()


def loosened(text: str) -> bytes:
    return lzma.decompress(base64.b85decode(text))


def answers(archive: Archive) -> list[str]:
    """What that version answered to the events that came next, with the names that features are shown by today."""
    found: list[str] = json.loads(loosened(stored(archive)[ANSWERS].text))
    for name, today in SHOWN.items():
        found = [one.replace(f"\\n{name}: ", f"\\n{today}: ") for one in found]
    return found


def unpacked(text: str, table: int) -> bytes:
    """A hook table of that format for this interpreter: only its format tells that it is of another version."""
    rest = loosened(text)
    line = f"jackline wiring {table} {sys.hexversion:08x} {BUILD}\n".encode()
    return line + source_hash(table, rest) + rest


# --- what must be made again in another place ------------------------------------------------------------------------


class Client(NamedTuple):
    """The process that has the session open."""

    pid: int
    start: int


def _marshalled(text: str, client: Client) -> bytes:
    """A marshalled value; a session's record names its client's process."""
    value = ast.literal_eval(text)
    if isinstance(value, dict) and "sid" in value:
        value |= {"pid": client.pid, "start": client.start}
    return marshal.dumps(value)


def _chain(text: str, logs: Mapping[str, str]) -> str:
    """Records of authority, each bound anew to the one before; anchors hold rows of sessions' logs."""
    lines, before = [], FIRST
    for line in text.splitlines():
        record = {**json.loads(line), "prev": before}
        if record["kind"] == "LOG_ANCHOR":
            record["data"]["head"] = head(logs[record["data"]["session"]], record["data"]["count"])
        record["hash"] = before = sealed(record)
        lines.append(compact(record) + "\n")
    return "".join(lines)


def _asked(text: str, call: Any, key: bytes, client: Client, later: int) -> str:
    told = json.loads(text)
    told |= {"mark": keyed(key, call), "pid": client.pid, "start": client.start}
    return compact(told | {"born": told["born"] + later, "until": told["until"] + later}) + "\n"


def _said(text: str, later: int) -> str:
    told = json.loads(text)
    return compact(told | {"ts": told["ts"] + later}) + "\n"


def _paused(text: str, later: int) -> str:
    told = json.loads(text)
    pauses = [one | {"until": one["until"] + later, "since": one["since"] + later} for one in told["pauses"]]
    return compact(told | {"pauses": pauses}) + "\n"


def _state(text: str, offset: int) -> str:
    told = json.loads(text)
    return compact(told | {"core": told["core"] | {"lastEventOffset": offset}}) + "\n"


def _installs(text: str, whole: Mapping[str, str], at: Callable[[str, int], int], places: Places) -> str:
    """Every edit of a client's file: where it begins and ends there, and what the file was afterwards."""
    told = json.loads(places.put(text))
    for install in told["installs"]:
        name = places.name(install["path"])
        (step,) = install["steps"]
        step["after"] = digest(places.put(whole[name]))
        step["splices"] = [[at(name, start), at(name, end), places.put(new)] for start, end, new in step["splices"]]
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _times(folder: Path, places: Places, found: Mapping[str, Kept]) -> None:
    """When plans were written: a state tells it of the one that it knows, in milliseconds."""
    for name, one in found.items():
        told = json.loads(one.text).get("plan", {}) if name.endswith("/state.json") else {}
        if "currentPath" in told:
            path = (folder / places.put(name)).parent / told["currentPath"]
            os.utime(path, ns=(told["mtime"] * 1_000_000, told["mtime"] * 1_000_000))


def lay_out(folder: Path, client: Client, archive: Archive) -> Places:
    """Put a home and projects into `folder` as an earlier version left them just now."""
    found = stored(archive)
    places = Places(folder, found[f"{STORE}/host"].text)
    key = bytes.fromhex(found[f"{STORE}/key"].text)
    calls = json.loads(places.put(found[CALLS].text))
    later = int(time.time() * 1000) - json.loads(found[MADE].text)["ms"]
    whole = {path: one.text for path, one in found.items()}
    logs = {}
    for name in [one for one in found if archive.chained and one.endswith("/events.jsonl")]:
        sid = name.split("/")[-2]
        logs[sid] = bound(places.put(whole[name]), key, sid)

    def at(path: str, mark: int) -> int:
        """A position in a text with placeholders, in the text as it stands here."""
        return len(places.put(whole[path][:mark]))

    for name, one in found.items():
        if name in (CALLS, MADE, ANSWERS):
            continue
        path, folders = folder / places.put(name), name.split("/")
        text = places.put(found[one.text].text if one.kind == "same" else one.text)
        if one.kind == "marshal":
            data = _marshalled(text, client)
        elif one.kind == "wiring":
            data = unpacked(one.text, archive.table)
        elif one.kind == "hex":
            data = bytes.fromhex(one.text)
        elif name.endswith("/authority.jsonl"):
            data = _chain(text, logs).encode()
        elif folders[-1] == "events.jsonl":
            data = logs.get(folders[-2], text).encode()
        elif folders[-1].endswith(".ask"):
            data = _asked(text, calls[folders[-1][:-4]], key, client, later).encode()
        elif folders[-1].endswith((".word", ".use")):
            data = _said(text, later).encode()
        elif folders[-1] == "pause.json":
            data = _paused(text, later).encode()
        elif folders[-1] == "state.json":
            log = name.replace("state.json", "events.jsonl")
            data = _state(text, at(log, json.loads(one.text)["core"]["lastEventOffset"])).encode()
        elif folders[-1] == "installs.json":
            data = _installs(one.text, whole, at, places).encode()
        else:
            data = text.encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        if one.kind == "link":
            path.symlink_to(text)
        else:
            path.write_bytes(data)
            path.chmod(one.mode)
    _times(folder, places, found)
    store = folder / STORE
    for name in (f"hot-{sys.hexversion:x}.bin", f"cold-{sys.hexversion:x}.bin", "slow.py", "package"):
        (store / name).write_bytes(STAND_IN)
    for at_path, folders, _ in os.walk(folder):  # a folder of ours is its owner's alone
        for one_folder in folders:
            if "/jackline" in f"{at_path}/{one_folder}" or "/.ai/tmp" in f"{at_path}/{one_folder}":
                os.chmod(f"{at_path}/{one_folder}", 0o700)
    return places
