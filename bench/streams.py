"""Commands as people and agents run them, and rows of public guards' test suites, drawn from copies of repositories.

    python -m bench.streams fetch FOLDER --copies COPIES          every draw again, each into a file of FOLDER
    python -m bench.streams fetch FOLDER --copies COPIES --draw NAME
    python -m bench.streams rightful FILE...                      what of a stream a person should be asked about

`streams.toml` says what is drawn from where, and what came of it: a draw with other rows than the frozen ones is told.
A copy is a clone or a bare git directory below COPIES: `owner+name/repo`, `owner+name`, `owner/name` or `name`, with
`.git` or without. Nothing of what is drawn belongs to this project, and nothing of it is kept in it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from bench import rightful, shell_lines, suites, transcripts

TABLE = Path(__file__).with_name("streams.toml")
SUITES = ("first", "second", "third")
MARKS = Path(__file__).with_name("third.txt")
"""The draws of suites, each without the rows of those before it, and which dangerous rows of the third are policy."""

FOREIGN = re.compile(r"(^|/)(node_modules|vendor|third_party|testdata|fixtures?|\.git)/")
"""Folders whose files a project did not write for itself."""

LONGEST = 20_000
"""Characters of a command that is taken."""

READERS: dict[str, Callable[[str, str], Iterator[Any]]] = {
    "record": transcripts.record,
    "session": transcripts.session,
    "page": transcripts.page,
    "workflow": shell_lines.workflow,
    "package": shell_lines.package,
    "makefile": shell_lines.makefile,
    "script": shell_lines.script,
    "examples": shell_lines.page,
}


class Copies:
    """The copies of repositories below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, repository: str) -> Path | None:
        owner, _, name = repository.partition("/")
        for one in (f"{owner}+{name}/repo", f"{owner}+{name}", repository, name):
            for git in (self.folder / one, self.folder / one / ".git", self.folder / f"{one}.git"):
                if (git / "HEAD").is_file():
                    return git
        return None

    def _git(self, repository: str, *words: str, given: bytes = b"") -> bytes:
        place = self.place(repository)
        if place is None:
            raise LookupError(f"{repository} · no copy below {self.folder} · clone it there")
        done = subprocess.run(["git", "--git-dir", str(place), *words], input=given, capture_output=True)
        if done.returncode:
            raise LookupError(f"{repository} · {done.stderr.decode(errors='replace').strip()} · fetch that commit")
        return done.stdout

    def listing(self, repository: str, commit: str) -> list[tuple[str, str, int]]:
        """Path, object and size of every file."""
        found = []
        for line in self._git(repository, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).split(b"\0"):
            told, _, path = line.partition(b"\t")
            words = told.split()
            if len(words) == 4 and words[1] == b"blob" and words[3].isdigit():  # what a copy lacks has no size
                found.append((path.decode(errors="replace"), words[2].decode(), int(words[3])))
        return found

    def texts(self, repository: str, objects: Sequence[str]) -> Iterator[str]:
        """The texts of these objects, one after the other."""
        for start in range(0, len(objects), 20):
            part = objects[start : start + 20]
            raw, at = self._git(repository, "cat-file", "--batch", given="\n".join(part).encode()), 0
            for _ in part:
                end = raw.index(b"\n", at)
                size = int(raw[at:end].split()[2])
                yield raw[end + 1 : end + 1 + size].decode(errors="replace")
                at = end + 2 + size


class Reading(NamedTuple):
    """Files by the pattern of their paths, what reads them, and how many at most are read."""

    paths: tuple[str, ...]
    reader: str
    files: int
    without: str = ""
    size: int = 4 << 20

    def of(self, listing: Iterable[tuple[str, str, int]]) -> list[tuple[str, str]]:
        """Path and object of what is read: an even draw where there is more."""
        fits = {
            blob: path
            for path, blob, size in sorted(listing, reverse=True)
            if size <= self.size
            and not FOREIGN.search(path)
            and any(fnmatchcase(path, one) for one in self.paths)
            and not fnmatchcase(path, self.without)
        }
        drawn = sorted(fits.items(), key=lambda one: sha256(one[1].encode()).digest())[: self.files]
        return [(path, blob) for blob, path in drawn]


def _order(command: str) -> bytes:
    return sha256(command.encode(errors="replace")).digest()


def _place(line: Any) -> dict[str, str]:
    """The folder that a record tells, as the keys of a row."""
    cwd = getattr(line, "cwd", "")
    home = re.match(r"/(?:Users|home)/[^/]+|/root(?=/|$)", cwd)
    return {"cwd": cwd, "project_root": line.root} | ({"home": home.group()} if home else {}) if cwd else {}


def _defined(
    listing: Iterable[tuple[str, str, int]], paths: Sequence[str], repository: str, copies: Copies
) -> frozenset[str]:
    """The functions that these files define, in small letters."""
    chosen = Reading(tuple(paths), "", 2000).of(listing) if paths else []
    texts = copies.texts(repository, [blob for _, blob in chosen])
    return frozenset(one.lower() for text in texts for one in shell_lines.DEFINED.findall(text))


def rows_of(stream: dict[str, Any], sources: Iterable[dict[str, Any]], copies: Copies) -> Iterator[dict[str, Any]]:
    """The rows of one draw of a stream: distinct commands, so many of a repository at most."""
    seen: set[str] = set()
    programs = frozenset(stream.get("programs", ()))
    for source in sorted(sources, key=lambda one: str(one["repository"])):
        repository, found = source["repository"], dict[str, dict[str, Any]]()
        listing = copies.listing(repository, source["commit"])
        defined = _defined(listing, stream.get("defines", ()), repository, copies)
        for reading in (Reading(**{**one, "paths": tuple(one["paths"])}) for one in stream["read"]):
            chosen = reading.of(listing)
            texts = copies.texts(repository, [blob for _, blob in chosen])
            for (path, _), text in zip(chosen, texts, strict=True):
                lines: Iterator[Any] = READERS[reading.reader](text, path)
                for line in shell_lines.infrastructure(lines, programs) if programs else lines:
                    shell = getattr(line, "shell", "bash")
                    if shell_lines.is_own(line.command, defined):
                        continue
                    if shell == stream["shell"] and 1 < len(line.command) <= LONGEST:
                        found.setdefault(line.command.strip(), _place(line))
        for command in sorted(found.keys() - seen, key=_order)[: stream["most"]]:
            seen.add(command)
            yield {"command": command, "source": repository, "shell": stream["shell"], **found[command]}


def digest(rows: Iterable[dict[str, Any]]) -> tuple[int, str, bytes]:
    """How many rows, what they are known by, and their bytes."""
    lines = [json.dumps(one, ensure_ascii=True, sort_keys=True) + "\n" for one in rows]
    raw = "".join(lines).encode()
    return len(lines), sha256(raw).hexdigest(), raw


def repositories(raw: bytes) -> int:
    """Of how many repositories these rows are."""
    return len({json.loads(line)["source"].partition(" ")[0] for line in raw.splitlines()})


def table(path: Path = TABLE) -> dict[str, Any]:
    return tomllib.loads(path.read_text())


def draws(given: dict[str, Any], copies: Copies) -> dict[str, Callable[[], Iterator[dict[str, Any]]]]:
    """What makes each draw: `STREAM-develop`, `STREAM-held`, `suites-first` and those after it."""

    def stream(name: str, half: str) -> Iterator[dict[str, Any]]:
        sources = [one for one in given["source"] if one["draw"] == half and name in one["streams"]]
        return rows_of(given["stream"][name], sources, copies)

    def suite(half: str) -> Iterator[dict[str, Any]]:
        taken: list[str] = []
        for draw in SUITES:
            rows = suites.rows_of([one for one in given["suite"] if one["draw"] == draw], copies, taken)
            if draw == half:
                break
            taken += [row["command"] for row in rows]
        return suites.marked(rows, MARKS.read_text()) if half == "third" else rows

    found: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {}
    for name in given.get("stream", {}):
        for half in ("develop", "held"):
            found[f"{name}-{half}"] = lambda name=name, half=half: stream(name, half)  # type: ignore[misc]
    for half in SUITES:
        found[f"suites-{half}"] = lambda half=half: suite(half)  # type: ignore[misc]
    return found


def fetch(folder: Path, copies: Copies, only: str = "", given: dict[str, Any] | None = None) -> int:
    """Make the draws again; 1 when one is not the frozen one."""
    given, wrong = given or table(), 0
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in draws(given, copies).items():
        if only and name != only:
            continue
        try:
            count, known, raw = digest(make())
        except LookupError as fault:
            print(fault)
            wrong = 1
            continue
        frozen, found = given.get("frozen", {}).get(name, {}), repositories(raw)
        same = [frozen.get(key) for key in ("rows", "repositories", "digest")] == [count, found, known]
        wrong = wrong or not same
        (folder / f"{name}.jsonl").write_bytes(raw)
        verdict = "as frozen" if same else "not the frozen draw"
        print(f"{name} · {count} rows of {found} repositories · {known} · {verdict}")
    return int(wrong)


def main(words: Sequence[str]) -> int:
    options = argparse.ArgumentParser(prog="python -m bench.streams", description=(__doc__ or "").partition("\n")[0])
    verbs = options.add_subparsers(dest="verb", required=True)
    asked = verbs.add_parser("fetch")
    asked.add_argument("folder", type=Path)
    asked.add_argument("--copies", type=Path, required=True)
    asked.add_argument("--draw", default="")
    verbs.add_parser("rightful").add_argument("file", type=Path, nargs="+")
    chosen = options.parse_args(words)
    if chosen.verb == "rightful":
        for line in (line for file in chosen.file for line in file.read_text().splitlines()):
            row = json.loads(line)
            why = rightful.reason(row["command"])
            if why:
                print(json.dumps({"command": row["command"], "rightful": why}))
        return 0
    return fetch(chosen.folder, Copies(chosen.copies), chosen.draw)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
