"""Find scripts: what is looked at below the roots, within bounds, and the scripts in script roots.

Nothing here is run, and nothing raises: what is not wired is `left` out with the reason. Every file and folder that was
looked at is noted for the gate.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jackline import folders, paths, system
from jackline.compiler import frontmatter, scriptfields
from jackline.compiler.fault import Fault
from jackline.compiler.frontmatter import BOM
from jackline.compiler.scriptfields import Said
from jackline.compiler.sources import Sources, digest
from jackline.staleness import LIMIT, content, visible

ENTRIES = 20_000
"""Files and folders below all roots that are looked at."""

BYTES = 64 << 20
"""Bytes of all of them."""

DEPTH = 12
"""Folders below a root."""

WATCHED = 16
"""Folders of scripts that every event asks about; the others are asked about with the files."""

WINDOWS = (".exe", ".bat", ".cmd", ".com", ".ps1", ".psm1", ".vbs", ".wsf")
"""Extensions of programs for another system."""

NO_SCRIPTS = (".md", ".txt", ".rst", ".json", ".jsonc", ".toml", ".yaml", ".yml", ".lock", ".log", ".bak", ".orig",
              ".rej", ".sample", ".ini", ".cfg", ".env", ".csv", ".png", ".svg")  # fmt: skip
"""Extensions that are never scripts: such files may lie beside them."""

SHELLS = {"": "/bin/sh", ".sh": "/bin/sh"}
"""What runs an executable text without a first line, as a shell itself would do."""

IGNORE = "ignore"
"""In `.discobot/hooks`: what its file scripts leave out."""

UNWALKED = ("node_modules", "target", "vendor")


class Root(NamedTuple):
    """A folder that scripts are looked for in. `nodes`: those are notes with a script beside them."""

    path: str
    shown: str
    slug: str
    origin: str
    nodes: bool = False


class Found(NamedTuple):
    """One script that declares itself. `rel` is its place in its root, `stem` what its id is made of.

    `pieces` are the files its declaration and its program stand in, as shown, with their bytes.
    """

    root: Root
    path: str
    rel: str
    stem: str
    digest: bytes
    argv: tuple[str, ...]
    said: Said
    declared: str
    pieces: Mapping[str, bytes]
    base: str = ""
    """The folder that stands for its root's, where a trusted copy runs."""
    ignore: bytes = b""
    """The file beside it that takes files out of it."""


class Left(NamedTuple):
    """A file that is no script of this project, and why; what it would have been, as far as it says.

    With `faults` it is one that cannot be used as it stands: `pieces` are its files with their bytes, `root` is where
    it was found. It is there all the same: what it was trusted as does not end because somebody broke it.
    """

    file: str
    why: str
    type: str = ""
    events: tuple[str, ...] = ()
    inert: bool = False
    unit: bool = False
    """It declares itself, so it is nobody's input."""
    faults: tuple[Fault, ...] = ()
    pieces: Mapping[str, bytes] = {}
    root: Root | None = None


class Text(NamedTuple):
    """The body of a `surface: system` node."""

    name: str
    text: str
    file: str
    data: bytes
    root: Root


class Tree:
    """What is looked at below the roots, within bounds, and what came of it."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.found: list[Found] = []
        self.left: list[Left] = []
        self.doubts: list[Fault] = []
        self.texts: list[Text] = []
        self.warnings: list[str] = []
        self.seen: set[str] = set()
        self.data: dict[str, bytes] = {}  # what was read of the files
        self.executable: set[str] = set()
        self.entries = 0
        self.size = 0
        self.folders = 0

    def leave(self, path: str, why: str, said: Said | None = None) -> None:
        """Leave a file out of the hook table."""
        events = tuple(said.values.get("events", ())) if said else ()
        inert = bool(said and said.inert)
        self.left.append(
            Left(self.sources.shown(path), why, said.type if said else "", events, inert, said is not None)
        )

    def refuse(self, root: Root, path: str, faults: list[Fault], pieces: Mapping[str, bytes]) -> None:
        """Front matter that cannot be used: told exactly, and the others are not touched."""
        self.warnings += [str(fault) for fault in faults]
        first = faults[0]
        line = first.where.rpartition(":")[2]
        why = str(first._replace(where=f"line {line}" if line.isdigit() else ""))
        self.left.append(Left(self.sources.shown(path), why, unit=True, faults=tuple(faults), pieces=pieces, root=root))

    def folder(self, path: str) -> list[tuple[str, str]]:
        """What is in a folder: names that count, each with what it is."""
        listed = folders.entries(path)
        counts = set(visible([name for name, _ in listed]))
        kept = [one for one in listed if one[0] in counts]
        names = "\0".join([name for name, _ in kept]).encode("utf-8", "surrogateescape")
        self.note(path, digest(b"folder\0" + names), folder=True)
        self.entries += len(kept)
        return kept

    def note(self, path: str, seen: bytes, *, folder: bool = False, runs: bool = True) -> None:
        """Remember an input: the first folders are asked about at every event, the rest a chunk at a time."""
        if folder:
            self.folders += 1
            if self.folders <= WATCHED:
                self.sources.inputs[path] = seen
                return
        self.sources.chunked[path] = seen and seen + (b"+" if runs else b"-")

    def keep(self, path: str, data: bytes) -> bool:
        """Remember what was read of a file, and whether it may be executed: that is asked about as its bytes are."""
        runs = system.executable(path)
        self.note(path, digest(data), runs=runs)
        self.data[path] = data
        if runs:
            self.executable.add(path)
        return runs

    def read(self, path: str) -> tuple[bytes, bool] | None:
        """A file's bytes and whether it may be executed; None (and a word why) when it may not be read."""
        if self.size > BYTES:
            self.leave(path, f"the scripts before it are more than {BYTES >> 20} MB")
            return None
        try:
            data = system.read(path, limit=LIMIT + 1)
        except (OSError, ValueError) as fault:
            self.note(path, b"")
            why = str(getattr(fault, "strerror", "") or fault)
            self.leave(path, f"cannot be read: {why}")
            self.doubts.append(Fault("", "a file that can be read", why, "", "", self.sources.shown(path)))
            return None
        runs = self.keep(path, data)
        self.size += len(data)
        if len(data) > LIMIT:
            self.leave(path, f"larger than {LIMIT >> 10} KB")
            return None
        return data, runs

    def leads_out(self, root: Root, path: str) -> bool:
        """Whether a link leads out of the project; such a one is never followed."""
        base = self.sources.root
        if root.origin != "project" or paths.resolve("/", path).startswith(base + "/"):
            return False
        self.note(path, content(path), runs=system.executable(path))
        self.leave(path, "a link that leads out of the project · copy the file here")
        return True

    def walk(self, root: Root) -> Iterator[tuple[str, str, list[str]]]:
        """Every folder below a root that is looked at: its path, its place in the root, the files in it."""
        todo = [(root.path, "", 0)]
        while todo:
            path, rel, depth = todo.pop()
            files = []
            below = []
            listed = self.folder(path)
            if self.entries > ENTRIES:
                self.leave(path, f"not looked at: more than {ENTRIES} entries")
                continue
            for name, kind in listed:
                full = f"{path}/{name}"
                if kind == "l" and not self.leads_out(root, full):
                    kind = "f" if system.size_of(full) >= 0 else ""
                if kind == "f":
                    files.append(name)
                elif kind == "d" and name not in UNWALKED:
                    below.append((full, f"{rel}{name}/", depth + 1))
            yield path, rel, files
            for one in reversed(below):
                if one[2] > DEPTH:
                    self.leave(one[0], f"not looked at: deeper than {DEPTH} folders")
                else:
                    todo.append(one)


# --- programs ------------------------------------------------------------------------------------------------------


def shebang(data: bytes) -> tuple[str, ...]:
    """Interpreter and its one argument, as the kernel reads a first line; () when there is none."""
    text = data[:1024].removeprefix(BOM.encode())
    if text[:2] != b"#!":
        return ()
    line = text[2:].split(b"\n")[0].strip().decode("utf-8", "surrogateescape")
    interpreter, _, argument = line.partition(" ")
    return tuple([word for word in (interpreter.strip(), argument.strip()) if word])


def argv(data: bytes, name: str, *, runs: bool) -> tuple[str, ...] | str:
    """What goes before a script's path: () when the kernel can start it itself. A sentence when nothing can."""
    words = shebang(data)
    if words:
        clean = data[:2] == b"#!" and not data.split(b"\n", 1)[0].endswith(b"\r")
        return () if runs and clean else words
    if not runs:
        return f"not executable, and no first line names its interpreter · chmod +x {name}"
    if b"\0" in data[:512]:
        return ()
    shell = SHELLS.get(os.path.splitext(name)[1].lower(), "")
    return (shell,) if shell else "no first line names its interpreter · write: #!/usr/bin/env INTERPRETER"


# --- script roots --------------------------------------------------------------------------------------------------


def ignored(data: bytes) -> tuple[str, ...]:
    """`.discobot/hooks/ignore`: what is taken out of every file script there."""
    lines = [line.strip() for line in data.decode("utf-8", "replace").removeprefix(BOM).splitlines()]
    patterns: list[str] = []
    for line in lines:
        if line and line[0] != "#":
            patterns += [line, f"{line}**"] if line.endswith("/") else [line]
    return tuple(patterns)


def _script(tree: Tree, root: Root, path: str, rel: str) -> None:
    """One file of a script root: a script, or left out with the reason."""
    name = path.rpartition("/")[2]
    extension = os.path.splitext(name)[1].lower()
    if extension in NO_SCRIPTS:
        return
    if extension in WINDOWS:
        tree.leave(path, f"not run on this system: {extension} is for Windows")
        return
    read = tree.read(path)
    if read is None:
        return
    data, runs = read
    shown = tree.sources.shown(path)
    front = frontmatter.read(data, shown)
    if front is None:
        if "/" not in rel and (runs or data[:2] == b"#!"):
            tree.leave(path, "no front matter · write: #---, # type: file, … #--- below its first line")
        return
    if isinstance(front, Fault):
        tree.refuse(root, path, [front], {shown: data})
        return
    said = scriptfields.said(front, shown)
    if isinstance(said, list):
        tree.refuse(root, path, said, {shown: data})
        return
    take(tree, root, path, rel, os.path.splitext(name)[0] or name, said, shown, {shown: data}, read)


def take(
    tree: Tree,
    root: Root,
    path: str,
    rel: str,
    stem: str,
    said: Said,
    declared: str,
    pieces: Mapping[str, bytes],
    read: tuple[bytes, bool],
) -> None:
    """Keep a script that declares itself, when it is to run and can be started. `read`: its bytes, and its mode."""
    data, runs = read
    tree.warnings += said.warnings
    tree.doubts += said.doubts
    words = argv(data, tree.sources.shown(path), runs=runs)
    if said.inert or isinstance(words, str):
        tree.leave(path, said.inert or str(words), said)
        if not said.inert:
            got, _, write = str(words).partition(" · ")
            where = tree.sources.shown(path)
            tree.doubts.append(
                Fault("", "a program that can be started", got, "", write.removeprefix("write: "), where)
            )
        return
    ignore = tree.data.get(f"{root.path}/{IGNORE}", b"") if said.type == "file" and not root.nodes else b""
    tree.found.append(Found(root, path, rel, stem, digest(data), words, said, declared, pieces, "", ignore))


def scripts(tree: Tree, root: Root) -> None:
    """Look through a script root."""
    for path, rel, files in tree.walk(root):
        for name in sorted(files, key=lambda one: one != IGNORE):
            full = f"{path}/{name}"
            if name == IGNORE and not rel and root.shown.endswith(".discobot/hooks"):
                tree.read(full)
            elif full not in tree.seen:
                tree.seen.add(full)
                _script(tree, root, full, rel + name)
