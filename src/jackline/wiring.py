"""The compiled hooks as an event reads them: load, ask whether they are still fresh, hand out rows.

Written by `compiler/write.py`. Nothing here decides what exists: an event whose wiring is missing or untrusted gets the
built-in one, and whoever finds a stale one compiles it elsewhere (design section 5, "Gate").
"""

from __future__ import annotations

import marshal
import sys
from _imp import source_hash

from jackline import __version__, roots, stamps, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import CodeType, ModuleType
    from typing import Any, Literal, NamedTuple

    from jackline.script import Script

    Freshness = Literal["fresh", "restat", "stale"]
    Stamp = tuple[str, tuple[int, int, int, int], bytes]
    """An input: its path, what stat said of it, the digest of its content (b"" = not there)."""
    Packed = tuple[bytes, bytes, bytes]
    """Stamps as they are asked about at every event: the paths, all stats as one comparison, all digests."""
    Chunk = tuple[bytes, bytes, int, bytes, bytes]
    """Inputs not every event asks about: what their paths begin with, how they go on, the latest time among them, one
    sum of all stats, one digest of all contents."""
else:
    from jackline._record import NamedTuple

FORMAT = 4
RACY = 20_000_000
"""Nanoseconds: an input changed this shortly before the build may change again within one tick of its clock."""

LIMIT = 1 << 20
"""Bytes of an input that count; a larger one does not compile."""

CHUNK = 32
"""Files of scripts that are asked about together."""

_SEAL = 8
"""Bytes of the check sum behind the first line: it finds damaged files, not forgers (the store is the user's)."""

_SAME = 2
"""The version of marshalling that says equal numbers in equal bytes, whoever holds them."""

_loads = marshal.loads

BUDGETS = {"PreToolUse": 300, "PostToolUse": 500, "SessionStart": 5000, "Stop": 5000}
"""Milliseconds for features (contract section 8.2); every other event has `OTHER_BUDGET`."""

OTHER_BUDGET = 1000

BUILTIN = (
    ("session", 0, True, True, ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop")),
    ("self-protect", 1, True, True, ("PreToolUse",)),
    ("graph-pretooluse", 10, True, True, ("PreToolUse",)),
    ("planGraph-exec", 20, True, False, ("PreToolUse",)),
)
"""Slug, priority, hotPathSafe, critical, events of what runs when nothing was compiled (held by tests/compiler)."""


class Row(NamedTuple):
    """One feature as wired: what it declared, as the layers of configuration left it.

    `tools` and `kinds` empty: every tool. `module` holds the handler `entry`; `codes` are its modules as marshalled
    code objects (name, bytes), empty for a built-in one, which is imported. `roots`: folders of third-party imports.
    """

    slug: str
    priority: int = 50
    hot: bool = True
    critical: bool = False
    mode: str = "enforce"  # enforce | warn | observe
    runner: str = "inline"  # inline | forked
    tools: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    may_approve: bool = False
    supports: tuple[str, ...] = ()
    origin: str = "builtin"  # builtin | managed | user | project | local | package:NAME==VERSION
    module: str = ""
    entry: str = "handle"
    codes: tuple[tuple[str, bytes], ...] = ()
    roots: tuple[str, ...] = ()
    config: Mapping[str, Any] = {}

    def wants(self, tool: str, kind: str) -> bool:
        """Whether this feature asked for calls of such a tool."""
        return not (self.tools or self.kinds) or kind in self.kinds or tool in self.tools


class Phase(NamedTuple):
    """What one phase lets pass (contract section 12.3): `tools` None means every tool."""

    mode: str  # allow | warn | deny
    tools: tuple[str, ...] | None
    kinds: tuple[str, ...] = ()

    def lists(self, tool: str, kind: str) -> bool:
        return self.tools is None or tool in self.tools or kind in self.kinds


class Wiring:
    """The compiled hooks of one worktree."""

    def __init__(self, head: tuple[Any, ...], body: dict[str, Any]) -> None:
        self.root: str = head[0]
        self.built: int = head[1]  # wall nanoseconds before the first input was read
        self.newest: int = head[2]  # latest mtime or ctime among the stamps
        self.packed: Packed = head[3]  # inputs, as `packed` makes them
        self.watch: tuple[tuple[str, str], ...] = head[4]  # client configuration: path, digest as installed
        self.faults: tuple[str, ...] = head[5]  # why newer content does not run: this is the last good wiring
        self.build: str = head[6]  # what this was compiled by
        self.digest: str = body["digest"]  # of the content that needs trust, "" where there is none
        self.trusted: bool = body["trusted"]
        self.strict: bool = body["strict"]
        self.budgets: Mapping[str, int] = body["budgets"]
        self.enforce_phases: bool = body["enforcePhases"]
        self.rewrite_owner: str = body["rewriteOwner"]
        self.gc: Mapping[str, int] = body["gc"]
        self.prompts: str = body["prompts"]  # off | hash | text
        self.paranoid: bool = body["preset"] == "paranoid"
        self.workspace: Mapping[str, Any] = body["workspace"]
        self.phase_policy: Mapping[str, tuple[str, tuple[str, ...] | None, tuple[str, ...]]] = body["phasePolicy"]
        self._orders: Mapping[str, tuple[str, ...]] = body["events"]
        self._features: Mapping[str, bytes] = body["features"]
        self._report: bytes = body["report"]
        self.chunks: tuple[Chunk, ...] = head[7] if len(head) > 7 else ()  # inputs not every event asks about
        self._scripts: Mapping[str, bytes] = body["scripts"]
        self._guidance: bytes = body["guidance"]

    def rows(self, event: str) -> tuple[Row, ...]:
        """The features that answer `event`, in their order. Others are not even unpacked."""
        features = self._features
        return tuple([Row(*_loads(features[slug])) for slug in self._orders.get(event, ())])

    def row(self, slug: str) -> Row | None:
        packed = self._features.get(slug)
        return None if packed is None else Row(*_loads(packed))

    def scripted(self, name: str) -> bool:
        """Whether scripts have something to do at `name`: an event, or one of the types session, file, pre-commit."""
        return name in self._scripts

    def scripts(self, name: str) -> tuple[Script, ...]:
        """The scripts of an event or of a type, in their order."""
        packed = self._scripts.get(name)
        if packed is None:
            return ()
        from jackline.script import Script

        shared, rows = _loads(packed)
        found = []
        for key, name, digest, shown, description, order, at in rows:
            kind, argv, origin, folder, events, rest = shared[at]
            path = f"{folder}/{name}" if folder[:1] == "/" else f"{self.root}/{folder}/{name}"
            found.append(
                Script(key, kind, path, digest, shown, description, argv, origin, folder, events, order, *rest)
            )
        return tuple(found)

    def guidance(self) -> tuple[tuple[str, str], ...]:
        """Name and text of every `surface: system` node, in order of name."""
        found: tuple[tuple[str, str], ...] = _loads(self._guidance)
        return found

    def phase(self, name: str) -> Phase | None:
        found = self.phase_policy.get(name)
        return None if found is None else Phase(*found)

    def budget(self, event: str) -> int:
        """Milliseconds the features of `event` share."""
        return self.budgets.get(event, OTHER_BUDGET)

    def report(self) -> dict[str, Any]:
        """What `compile` had to say: `skipped` ((slug, why), …), `warnings`, `layers` {key: layer}; of scripts that do
        not run `scripts` ((file, key, type, events, why), …), of others `declared` {key: file with its front matter}.
        """
        found: dict[str, Any] = _loads(self._report)
        return found


# --- reading -------------------------------------------------------------------------------------------------------


def first_line(build: str) -> bytes:
    """What a wiring file begins with: only the same format, interpreter and build may unmarshal the rest."""
    return f"jackline wiring {FORMAT} {sys.hexversion:08x} {build}\n".encode()


def pack(head: tuple[Any, ...], body: bytes, build: str = __version__) -> bytes:
    """The bytes of a wiring file: `head` (places, stamps, time) apart from `body`, which is content alone."""
    rest = marshal.dumps((head, body))
    return first_line(build) + source_hash(FORMAT, rest) + rest


def unpack(data: bytes, build: str = __version__) -> tuple[tuple[Any, ...], bytes] | None:
    line = first_line(build)
    at = len(line)
    if data[:at] != line:
        return None
    rest = data[at + _SEAL :]
    if data[at : at + _SEAL] != source_hash(FORMAT, rest):
        return None
    head, body = _loads(rest)
    return head, body


def load(path: str, build: str = __version__) -> Wiring | None:
    """Read a wiring file; None when it is missing, damaged, or of another format, interpreter or build."""
    try:
        found = unpack(system.read(path), build)
    except OSError:
        return None
    return None if found is None else Wiring(found[0], _loads(found[1]))


def path_of(store: str, slot: str) -> str:
    return f"{store}/wirings/{slot}.bin"


# --- the gate ------------------------------------------------------------------------------------------------------


def visible(names: list[str]) -> list[str]:
    """Names in a folder of configuration that count: not those of editors and interpreters."""
    return [name for name in names if name[0] != "." and name[-1] != "~" and name != "__pycache__"]


def content(path: str) -> bytes:
    """Digest of a file's bytes, or of the names in a folder; b"" when it is neither."""
    from _blake2 import blake2b

    try:
        data = system.read(path, limit=LIMIT + 1)
    except (OSError, ValueError):
        if not system.is_dir(path):
            return b""
        data = b"folder\0" + "\0".join(visible(system.names(path))).encode("utf-8", "surrogateescape")
    return blake2b(data, digest_size=16).digest()


def _racy(stamp: tuple[int, int, int, int], built: int) -> bool:
    return max(stamp[1], stamp[2]) >= built - RACY


def runnable(path: str) -> bytes:
    """Digest of a script's content, with whether it may be executed."""
    found = content(path)
    return found and found + (b"+" if system.executable(path) else b"-")


def _chunked(chunk: Chunk) -> bytes:
    """The paths of a chunk, with NUL between them."""
    return chunk[0] + chunk[1].replace(b"\0", b"\0" + chunk[0])


def _sum(paths: bytes) -> bytes:
    """All stats of a chunk as one sum."""
    return source_hash(FORMAT, marshal.dumps(stamps.of_all(paths), _SAME))


def _digest(digests: list[bytes]) -> bytes:
    from _blake2 import blake2b

    return blake2b(b"\0".join(digests), digest_size=16).digest()


def _digests(chunk: Chunk) -> list[tuple[str, bytes]]:
    """The inputs of a chunk as they are now, each with its digest."""
    paths = [path.decode("utf-8", "surrogateescape") for path in _chunked(chunk).split(b"\0")]
    return [(path, runnable(path)) for path in paths]


def _by_content(wiring: Wiring) -> Freshness:
    again = False
    settled = system.now() - RACY
    for path, was, digest in unpacked(wiring.packed):
        now = stamps.of(path)
        racy = _racy(was, wiring.built)
        if now == was and not racy and not wiring.strict:
            continue
        if content(path) != digest:
            return "stale"
        again = again or now != was or (racy and max(was[1], was[2]) < settled)
    for chunk in wiring.chunks:
        same = _sum(_chunked(chunk)) == chunk[3]
        racy = chunk[2] >= wiring.built - RACY
        if same and not racy and not wiring.strict:
            continue
        if _digest([digest for _, digest in _digests(chunk)]) != chunk[4]:
            return "stale"
        again = again or not same or (racy and chunk[2] < settled)
    return "restat" if again else "fresh"


def _asked(wiring: Wiring, event: str) -> tuple[Chunk, ...]:
    """The chunks an event asks about: PreToolUse, when no script answers it, one of them, whichever it comes to."""
    chunks = wiring.chunks
    if event != "PreToolUse" or len(chunks) < 2 or event in wiring._scripts:
        return chunks
    return (chunks[(system.clock() >> 16) % len(chunks)],)


def fresh(wiring: Wiring, event: str = "") -> Freshness:
    """Ask whether the inputs are still what was compiled.

    `restat`: the content is the same, but stat can no longer (or not yet) vouch for it; `restamp` mends that.
    What moves by a rename, comes or goes is seen at once, by its folder; an edit in place of one of many scripts when
    its chunk is asked about.
    """
    if wiring.strict:
        return _by_content(wiring)
    paths, seen, _ = wiring.packed
    if seen != marshal.dumps(stamps.of_all(paths), _SAME) or wiring.newest >= wiring.built - RACY:
        return _by_content(wiring)
    for chunk in _asked(wiring, event):
        if _sum(_chunked(chunk)) != chunk[3]:
            return _by_content(wiring)
    return "fresh"


def packed(inputs: Iterable[Stamp]) -> Packed:
    """Stamps in a form that costs little to load and to compare."""
    listed = [*inputs]
    paths = b"\0".join([path.encode("utf-8", "surrogateescape") for path, _, _ in listed])
    seen = marshal.dumps([number for _, stamp, _ in listed for number in stamp], _SAME)
    return paths, seen, marshal.dumps([digest for _, _, digest in listed], _SAME)


def unpacked(held: Packed) -> tuple[Stamp, ...]:
    """What was packed."""
    paths, seen, digests = held
    numbers = iter(_loads(seen))
    names = [path.decode("utf-8", "surrogateescape") for path in paths.split(b"\0")]
    return tuple(zip(names, zip(numbers, numbers, numbers, numbers, strict=True), _loads(digests), strict=False))


def stamps_of(paths: list[tuple[str, bytes]]) -> tuple[int, Packed]:
    """Stamp inputs, each given with the digest of what was read: the latest time among them, and the stamps."""
    made = [(path, stamps.of(path), digest) for path, digest in paths if "\0" not in path]
    return max([max(stamp[1], stamp[2]) for _, stamp, _ in made], default=0), packed(made)


def _chunk(inputs: list[tuple[str, bytes]]) -> Chunk:
    paths = [path.encode("utf-8", "surrogateescape") for path, _ in inputs]
    begin, end = min(paths), max(paths)
    size = next((at for at, (one, other) in enumerate(zip(begin, end, strict=False)) if one != other), len(begin))
    newest = max([max(stamps.of(path)[1:3]) for path, _ in inputs])
    names = b"\0".join([path[size:] for path in paths])
    return begin[:size], names, newest, _sum(b"\0".join(paths)), _digest([digest for _, digest in inputs])


def chunks_of(paths: list[tuple[str, bytes]]) -> tuple[int, tuple[Chunk, ...]]:
    """Stamp the files of scripts, some at a time, each given with its `runnable`: the latest time, and the chunks."""
    told = [one for one in paths if "\0" not in one[0]]
    made = tuple([_chunk(told[at : at + CHUNK]) for at in range(0, len(told), CHUNK)])
    return max([chunk[2] for chunk in made], default=0), made


def restamp(path: str, wiring: Wiring) -> bool:
    """Write the wiring again with today's stamps, when its inputs still are what was compiled."""
    found = unpack(system.read(path), wiring.build)
    if found is None:
        return False
    built = system.now()
    inputs = [(name, digest) for name, _, digest in unpacked(wiring.packed)]
    newest, held = stamps_of(inputs)
    if any(content(name) != digest for name, digest in inputs):
        return False
    later, chunks = chunks_of([one for chunk in wiring.chunks for one in _digests(chunk)])
    if [chunk[4] for chunk in chunks] != [chunk[4] for chunk in wiring.chunks]:
        return False
    head = found[0]
    made = (head[0], built, max(newest, later), held, *head[4:7], chunks)
    system.replace(path, pack(made, found[1], wiring.build))
    return True


# --- handlers ------------------------------------------------------------------------------------------------------


class _Modules:
    """Finds the modules of one compiled feature: what runs is what was checked, never a file read a second time."""

    def __init__(self, codes: tuple[tuple[str, bytes], ...]) -> None:
        self.codes = dict(codes)

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        if name not in self.codes:
            return None
        from _frozen_importlib import ModuleSpec

        package = "." not in name
        return ModuleSpec(name, self, is_package=package)  # type: ignore[arg-type]

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        code: CodeType = _loads(self.codes[module.__name__])
        exec(code, module.__dict__)  # noqa: S102 - the code object that `compile` checked


def handler(row: Row) -> Callable[..., Any]:
    """The feature's function, ready to be called with (event, context). Runs the feature's module."""
    if row.roots:
        sys.path.extend([root for root in row.roots if root not in sys.path])
    if row.codes and row.module not in sys.modules:
        sys.meta_path.append(_Modules(row.codes))
    module = roots.take(row.module)
    found: Callable[..., Any] = getattr(module, row.entry)
    return found


# --- when nothing was compiled -------------------------------------------------------------------------------------


def module_of(slug: str) -> str:
    """Where a built-in feature lives: the slug in lower case with `_`, `planGraph-exec` → `plan_graph_exec`."""
    folder = "".join(["_" + char.lower() if char.isupper() else char for char in slug])
    return f"jackline.features.{folder.replace('-', '_').lstrip('_')}.hook"


def _defaults(slug: str) -> dict[str, Any]:
    from jackline import wire

    folder = module_of(slug).split(".")[-2]
    for base in roots.take("jackline.features").__path__:
        try:
            found = wire.loads(system.read(f"{base}/{folder}/defaults.json").decode())
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _plain_body() -> dict[str, Any]:
    rows = [
        Row(slug, priority, hot, critical, supports=supports, module=module_of(slug), config=_defaults(slug))
        for slug, priority, hot, critical, supports in BUILTIN
    ]
    events: dict[str, tuple[str, ...]] = {}
    for row in rows:
        for event in row.supports:
            events[event] = (*events.get(event, ()), row.slug)
    return {
        "digest": "",
        "trusted": False,
        "strict": False,
        "budgets": BUDGETS,
        "enforcePhases": False,
        "rewriteOwner": "planGraph-exec",
        "gc": {"maxAgeDays": 7, "maxSessions": 20},
        "prompts": "hash",
        "preset": "default",
        "workspace": {},
        "phasePolicy": {},
        "events": events,
        "features": {row.slug: marshal.dumps((*row,)) for row in rows},  # type: ignore[arg-type]
        "scripts": {},
        "guidance": marshal.dumps(()),
        "report": marshal.dumps({"skipped": (), "scripts": (), "declared": {}, "warnings": (), "layers": {}}),
    }


def builtin_wiring(store: str, build: str = __version__) -> Wiring:
    """The built-in features alone, for where nothing is compiled: `wirings/builtin.bin`, or made here."""
    found = load(path_of(store, "builtin"), build)
    return found or Wiring(("", 0, 0, packed(()), (), (), build), _plain_body())
