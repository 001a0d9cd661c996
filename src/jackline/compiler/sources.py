"""Read the inputs of a compile, once each, and remember what was read: the gate asks about exactly these."""

from __future__ import annotations

from _blake2 import blake2b
from typing import Any

from jackline import host, jsonio, paths, system
from jackline.compiler.fault import Fault
from jackline.staleness import LIMIT, visible

NAMES = 500
"""Entries of one folder that are looked at; a folder with more does not compile."""

TOTAL = 5000
"""Inputs of one hook table."""

BYTES = 32 << 20
"""Bytes of all inputs: a hostile repository must not keep the compiler busy."""


def digest(data: bytes) -> bytes:
    """Digest of an input's bytes, as `inputs.content` makes it."""
    return blake2b(data, digest_size=16).digest()


class Sources:
    """What a compile reads. `root` "" where there is no project; faults are collected, nothing raises."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.built = host.now()
        self.inputs: dict[str, bytes] = {}
        self.chunked: dict[str, bytes] = {}  # inputs not every event asks about: files of scripts
        self.texts: dict[str, bytes] = {}
        self.named: dict[str, bytes] = {}
        self.faults: list[Fault] = []
        self.broken: list[Fault] = []  # of the project: they concern one unit each, and hold up no other
        self.size = 0

    def shown(self, path: str) -> str:
        """A path as messages show it: relative to the project where it is inside."""
        return paths.within(self.root, path)

    def _leaves(self, path: str) -> bool:
        """Whether something below the project is a link to somewhere else."""
        inside = self.root and path.startswith(self.root + "/")
        return bool(inside) and not paths.resolve("/", path).startswith(self.root + "/")

    def _note(self, path: str, seen: bytes) -> None:
        """Remember an input. What is not there needs no stamp of its own where its folder's names have one."""
        folder, _, name = path.rpartition("/")
        if not seen and folder in self.inputs and visible([name]) and not system.exists(path):
            return
        self.inputs[path] = seen

    def absent(self, path: str) -> None:
        """Remember that there is nothing here."""
        self._note(path, b"")

    def _full(self, path: str) -> bool:
        """Whether enough was read; the first time that is a fault."""
        if len(self.inputs) < TOTAL and self.size < BYTES:
            return False
        expected = f"at most {TOTAL} files and {BYTES >> 20} MB of configuration"
        if not any(fault.expected == expected for fault in (*self.faults, *self.broken)):
            self._refuse(path, expected, "more", "move what is no hook elsewhere")
        return True

    def _refuse(self, path: str, expected: str, got: str, write: str) -> None:
        self.blame(path).append(Fault("", expected, got, "", write, self.shown(path)))

    def blame(self, path: str) -> list[Fault]:
        """Where a fault of a file goes: what is wrong in the project keeps nothing else from compiling."""
        return self.broken if self.root and path.startswith(self.root + "/") else self.faults

    def folder(self, path: str) -> list[str]:
        """Sorted names in a folder, those of editors and interpreters left out; empty when there is none."""
        if self._full(path):
            return []
        if self._leaves(path):
            self._note(path, b"")
            self._refuse(path, "a folder of this project", "a link that leads out of it", "copy the folder here")
            return []
        if not system.is_dir(path):
            self._note(path, b"")
            return []
        names = visible(system.names(path))
        data = b"folder\0" + "\0".join(names).encode("utf-8", "surrogateescape")
        self._note(path, digest(data))
        if len(names) > NAMES:
            self._refuse(path, f"at most {NAMES} entries", f"{len(names)}", "move what is no hook elsewhere")
            return []
        return names

    def file(self, path: str) -> bytes | None:
        """A file's bytes; None when it is missing or may not be read (a fault then says why)."""
        if path in self.texts:
            return self.texts[path]
        if self._full(path):
            return None
        if self._leaves(path):
            self._note(path, b"")
            self._refuse(path, "a file of this project", "a link that leads out of it", "copy the file here")
            return None
        try:
            data = system.read(path, limit=LIMIT + 1)
        except FileNotFoundError:
            self._note(path, b"")
            return None
        except (OSError, ValueError) as fault:
            self._note(path, b"")
            cure = "mend its permissions" if isinstance(fault, PermissionError) else "a file"
            self._refuse(path, "a readable file", getattr(fault, "strerror", "") or str(fault), cure)
            return None
        self._note(path, digest(data))
        self.size += len(data)
        if len(data) > LIMIT:
            self._refuse(path, f"at most {LIMIT >> 10} KB", "more", "a smaller file")
            return None
        self.texts[path] = self.named[self.shown(path)] = data
        return data

    def json(self, path: str, schema: str = "") -> dict[str, Any]:
        """A JSON object, checked against a schema; {} when it is missing, or broken (a fault then says where)."""
        data = self.file(path)
        if data is None:
            return {}
        value, faults = parsed(data, self.shown(path), schema)
        self.blame(path).extend(faults)
        return value


def parsed(data: bytes, where: str, schema: str = "") -> tuple[dict[str, Any], list[Fault]]:
    """The JSON object in a file's bytes, checked against a schema; {} with what is wrong with it."""
    from jackline.compiler import schemas
    from jackline.compiler.places import lines_of, syntax

    try:
        text = data.decode("utf-8-sig")
        value = jsonio.loads(text)
    except (ValueError, RecursionError) as fault:
        return {}, [syntax(fault, where)]
    faults = schemas.validate(schema, value, where) if schema else []
    if not isinstance(value, dict) and not faults:
        faults = [Fault("", "an object", "something else", "", "{}", where)]
    return (value if not faults else {}), lines_of(text, faults)
