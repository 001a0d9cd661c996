"""A user's home and project as one text file without a place in it, and laid out again in any folder.

    === PATH MODE KIND LINES
    …

`KIND` is what the lines hold: `text`, `hex` (bytes), `link` (its target), `same` (what another one holds), `marshal`
(a marshalled value, as Python writes it), `wiring` (a hook table: base 85 of xz).

Names and records of a store are digests of paths, so a place changes more than the paths themselves. What depends on
them is made again by the formulas of the version before, which stand here once more (`slot`, `keyed`, `sealed`): a test
of an upgrade must not lean on the code it tries. Positions in files with paths are kept as positions in the text with
placeholders. Times that a yes, a code or a pause ends at count from now on, and the client's process is who says so.
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

STORE = "home/.local/state/jackline"
FORMATS = (4, 7)
"""Earlier versions, by the format of their hook tables. The last one is the version before: its logs have no chain."""
BUILD = "0.1.0"
CALLS, MADE = "calls.json", "made.json"
"""Not laid out: what each approval binds (its `mark` is a hash of that), and when all this was made."""
FIRST = "0" * 32
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


class Kept(NamedTuple):
    """One file of the archive, its content with placeholders."""

    path: str
    mode: int
    kind: str
    text: str


class Places:
    """A folder that holds `home` and `project`, and every word that stands for it in a store."""

    def __init__(self, folder: Path, host: str) -> None:
        home, root = str(folder / "home"), str(folder / "project")
        self.host = host
        self.words = {
            "${root}": root,
            "${home}": home,
            "${slot}": slot(root),
            "${repo}": slot(host + root),
            "${trust}": slot(root + "/.git"),
            "${machine}": str(folder),
        }

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


def place_of(version: int) -> Path:
    return Path(__file__).with_name(f"stored-{version}.txt")


def stored(version: int) -> dict[str, Kept]:
    """The archive of an earlier version."""
    return read(place_of(version).read_text())


def unpacked(text: str, version: int) -> bytes:
    """A hook table of that format for this interpreter: only its format tells that it is of another version."""
    rest = lzma.decompress(base64.b85decode(text))
    line = f"jackline wiring {version} {sys.hexversion:08x} {BUILD}\n".encode()
    return line + source_hash(version, rest) + rest


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


def _chain(text: str) -> str:
    """Records of authority, each bound anew to the one before."""
    lines, before = [], FIRST
    for line in text.splitlines():
        record = {**json.loads(line), "prev": before}
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
        name = places.lift(install["path"]).replace("${home}", "home")
        (step,) = install["steps"]
        step["after"] = digest(places.put(whole[name]))
        step["splices"] = [[at(name, start), at(name, end), places.put(new)] for start, end, new in step["splices"]]
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def lay_out(folder: Path, client: Client, version: int) -> Places:
    """Put a home and a project into `folder` as an earlier version left them just now."""
    found = stored(version)
    places = Places(folder, found[f"{STORE}/host"].text)
    key = bytes.fromhex(found[f"{STORE}/key"].text)
    calls = json.loads(places.put(found[CALLS].text))
    later = int(time.time() * 1000) - json.loads(found[MADE].text)["ms"]
    whole = {path: one.text for path, one in found.items()}

    def at(path: str, mark: int) -> int:
        """A position in a text with placeholders, in the text as it stands here."""
        return len(places.put(whole[path][:mark]))

    for name, one in found.items():
        if name in (CALLS, MADE):
            continue
        path, folders = folder / places.put(name), name.split("/")
        text = places.put(found[one.text].text if one.kind == "same" else one.text)
        if one.kind == "marshal":
            data = _marshalled(text, client)
        elif one.kind == "wiring":
            data = unpacked(one.text, version)
        elif one.kind == "hex":
            data = bytes.fromhex(one.text)
        elif name.endswith("/authority.jsonl"):
            data = _chain(text).encode()
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
    store = folder / STORE
    for name in (f"hot-{sys.hexversion:x}.bin", f"cold-{sys.hexversion:x}.bin", "slow.py", "package"):
        (store / name).write_bytes(STAND_IN)
    for at_path, folders, _ in os.walk(folder):  # a folder of ours is its owner's alone
        for one_folder in folders:
            if "/jackline" in f"{at_path}/{one_folder}" or "/.ai/tmp" in f"{at_path}/{one_folder}":
                os.chmod(f"{at_path}/{one_folder}", 0o700)
    return places
