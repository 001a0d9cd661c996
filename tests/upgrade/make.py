"""Make `stored-FORMAT.txt` from a checkout of an earlier version: `cd tests && python -m upgrade.make OLD_CHECKOUT`.

Everything is done by that version itself, as a user and an agent do it: its command line, and its entry point as a
process below a living client.
"""

from __future__ import annotations

import base64
import json
import lzma
import marshal
import os
import pprint
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from upgrade import archive
from upgrade.archive import Kept, Places
from upgrade.client import Client

PROJECT = Path(__file__).with_name("project")
"""What the user's project has of its own: a feature, a script, intents."""

LEFT_OUT = ("slow.py", "package", "git.bin", "git-door.py")


class Old:
    """A scratch machine with the version before on it."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.folder, self.home, self.root = folder, folder / "home", folder / "project"
        self.store = folder / archive.STORE
        self.home.mkdir()
        shutil.copytree(PROJECT, self.root)
        self.env = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(checkout / "src"),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }
        self.run("git", "init", "-q")

    def run(self, *words: str) -> str:
        done = subprocess.run(
            words, env=self.env, cwd=self.root, capture_output=True, text=True, start_new_session=True, check=False
        )
        assert done.returncode == 0, (words, done)
        return done.stdout

    def jackline(self, *words: str) -> str:
        return self.run(sys.executable, "-m", "jackline.cli", *words)

    def trust(self) -> None:
        told = subprocess.run(
            [sys.executable, "-m", "jackline.cli", "trust", "--json"],
            env=self.env, cwd=self.root, capture_output=True, text=True, start_new_session=True, check=False,
        )  # fmt: skip
        self.jackline("trust", "--yes", json.loads(told.stdout)["digest"])

    def codes(self) -> dict[str, str]:
        """The code of each call that waits, by its command."""
        told = json.loads(self.jackline("approvals", "--json", "--yes"))
        return {one["subject"]: one["approve"] for one in told}


def live(old: Old) -> dict[str, list[Any]]:
    """Install, configure, work. Returns what each approval binds, by its id."""
    (old.home / ".claude").mkdir()
    (old.home / ".claude" / "settings.json").write_text('{\n  "model": "opus",\n  "hooks": {}\n}\n')
    old.jackline("init", "--client", "claude-code", "--yes")
    old.trust()
    old.jackline("compile")
    tables = {path: path.read_bytes() for path in (old.store / "wirings").glob("*.bin")}
    old.jackline("eject", "planGraph-exec", "--yes")
    old.jackline("eject", "session", "--yes")
    own = old.home / ".config/jackline/features"
    own.mkdir(parents=True)
    shutil.move(old.root / ".ai/hooks/features/session", own / "session")
    old.trust()
    allowed = ("--command", "git clean -fd build", "--reason", "made by the tests", "--days", "366")
    old.jackline("guard", "allow", "git.clean", *allowed, "--yes")
    base = os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]
    client = Client(old.folder, old.store, old.root, old.env, base)
    try:
        client.send("SessionStart", source="startup")
        client.prompt("begin")
        assert client.pre("git push --force", "t1")["permissionDecision"] == "deny"
        for number, command in enumerate(("touch once", "touch waits", "touch often"), 2):
            assert client.pre(command, f"t{number}")["permissionDecision"] == "deny", command
        codes = old.codes()
        old.jackline("approve", codes["touch once"], "--yes")
        old.jackline("approve", codes["touch often"], "--for", "session", "--yes")
        assert "permissionDecision" not in client.pre("touch often", "t5")
        client.post("touch often", "t5")
        client.send("SubagentStart", agent_id="ag1", agent_type="Explore")
        client.pre("ls", "t6", agent_id="ag1")
        client.prompt("go on")
        client.pre("ls", "t7")
        client.post("ls", "t7")
        (sid,) = {json.loads(path.read_text())["sid"] for path in (old.store / "approvals").glob("*.ask")}
        old.jackline("intents", "select", "INT-001", "--session", sid)
        old.jackline("pause", "notes", "--minutes", "60", "--yes")
    finally:
        client.close()
    for path, data in tables.items():  # before the copies came: theirs is long, and no other version reads either
        path.write_bytes(data)
    calls = {}
    for path in sorted((old.store / "approvals").glob("*.ask")):
        told = json.loads(path.read_text())
        call = [sid, "u00", "shell", "Bash", {"command": told["subject"]}, str(old.root)]
        assert archive.keyed((old.store / "key").read_bytes(), call) == told["mark"], "a mark is something else now"
        calls[told["id"]] = call
    return calls


def format_of(table: bytes) -> int:
    return int(table.partition(b"\n")[0].split(b" ")[2])


def wiring(data: bytes, folder: Path) -> str:
    """A hook table for every interpreter and no place: a path of the same length stands for ours."""
    line = data.index(b"\n") + 1
    filler = "/" + "x" * (len(str(folder)) - 1)
    rest = data[line + 8 :].replace(str(folder).encode(), filler.encode())
    marshal.loads(rest)
    return base64.b85encode(lzma.compress(rest)).decode()


def kept(path: Path, name: str, places: Places, folder: Path) -> Kept:
    """One file for the archive."""
    if path.is_symlink():
        return Kept(name, 0, "link", places.lift(os.readlink(path)))
    data, mode = path.read_bytes(), path.stat().st_mode & 0o777
    if "/sessions/" in name or "/intents/read~" in name or name.endswith(".trusted"):
        told = pprint.pformat(marshal.loads(data), width=110, sort_dicts=False)
        return Kept(name, mode, "marshal", places.lift(told))
    if "/wirings/" in name:
        return Kept(name, mode, "wiring", wiring(data, folder))
    try:
        return Kept(name, mode, "text", places.lift(data.decode()))
    except UnicodeDecodeError:
        assert name.endswith("/key"), name
        return Kept(name, mode, "hex", data.hex())


def files(folder: Path) -> list[Path]:
    """What is kept: no bundle, git, locks; the interpreter is this machine's.

    Nor what `init` writes for editors (schemas), and what only saves work (pieces of compiled features).
    """
    found = [path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file()]
    return [
        path
        for path in found
        if not {".git", "schema"} & {*path.relative_to(folder).parts}
        and path.name not in (*LEFT_OUT, "claude")
        and not path.name.startswith("sources-")
        and path.suffix not in (".lock", ".parts")
        and path.parent not in (folder / archive.STORE / "bin",)
        and not (path.suffix == ".bin" and path.parent == folder / archive.STORE)
    ]


def with_positions(found: dict[str, Kept], raw: Mapping[str, str], places: Places) -> None:
    """Positions in files with paths, as positions in their texts with placeholders."""
    for name, one in list(found.items()):
        if name.endswith("/state.json"):
            told = json.loads(one.text)
            log = raw[name.replace("state.json", "events.jsonl")]
            told["core"]["lastEventOffset"] = len(places.lift(log[: told["core"]["lastEventOffset"]]))
            found[name] = one._replace(text=archive.compact(told) + "\n")
        elif name.endswith("/installs.json"):
            told = json.loads(one.text)
            for install in told["installs"]:
                text = raw[install["path"].replace("${home}", "home")]
                (step,) = install["steps"]
                step["splices"] = [
                    [len(places.lift(text[:start])), len(places.lift(text[:end])), new]
                    for start, end, new in step["splices"]
                ]
            found[name] = one._replace(text=json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def once(found: dict[str, Kept]) -> None:
    """Copies of what was trusted are the project's own files: those say it."""
    own = {one.text: name for name, one in found.items() if name.startswith("project/")}
    for name, one in list(found.items()):
        if "/trusted/" in name and one.text in own:
            found[name] = one._replace(kind="same", text=own[one.text])


def main(checkout: str) -> None:
    folder = Path(tempfile.mkdtemp()).resolve()
    try:
        old = Old(Path(checkout).resolve(), folder)
        calls = live(old)
        places = Places(folder, (old.store / "host").read_text().strip())
        found, raw = {}, {}
        for path in files(folder):
            name = places.lift(str(path)).replace("${home}", "home").replace("${root}", "project")
            found[name] = kept(path, name, places, folder)
            if found[name].kind == "text":
                raw[name] = path.read_text()
        with_positions(found, raw, places)
        once(found)
        found[archive.CALLS] = Kept(archive.CALLS, 0, "text", places.lift(json.dumps(calls, indent=1)))
        made = json.dumps({"ms": int(time.time() * 1000)})
        found[archive.MADE] = Kept(archive.MADE, 0, "text", made)
        text = archive.write(list(found.values()))
        for word in (folder.name, str(Path(checkout).resolve())):
            assert word not in text, f"{word}: {text[text.index(word) - 200 :][:400]}"
        (table,) = (old.store / "wirings").glob("*.bin")
        place = archive.place_of(format_of(table.read_bytes()))
        place.write_text(text)
        print(f"{place.name}: {len(found)} files, {len(text.encode()) >> 10} KB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1])
