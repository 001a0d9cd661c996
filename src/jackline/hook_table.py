"""The compiled hooks as an event reads them: load, hand out rows.

Written by `compiler/write.py`. Nothing here decides what exists: an event whose hook table is missing or untrusted gets
the built-in one (`builtin`), and whoever finds a stale one (`staleness`) compiles it (design section 5, "Gate").
"""

from __future__ import annotations

import marshal
import sys
from _imp import source_hash

from jackline import site_paths, system
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType, ModuleType
    from typing import Any, NamedTuple

    from jackline.script import Script
    from jackline.staleness import Chunk, Packed
else:
    from jackline._record import NamedTuple

FORMAT = 8

RACY = 20_000_000
"""Nanoseconds: an input changed this shortly before the build may change again within one tick of its clock."""
SAME = 2
"""The version of marshalling that says equal numbers in equal bytes, whoever holds them."""

_SEAL = 8
"""Bytes of the check sum behind the first line: it finds damaged files, not forgers (the store is the user's)."""

_loads = marshal.loads

OTHER_BUDGET = 1000
"""Milliseconds for the features of an event that no budget names (contract section 8.2)."""


class HookSpec(NamedTuple):
    """One feature as wired: what it declared, as the layers of configuration left it.

    `tools` and `kinds` empty: every tool. `module` holds the handler `entry`; `codes` are its modules as marshalled
    code objects (name, bytes), empty for a built-in one, which is imported. `roots`: folders of third-party imports.
    `state`: parts of the session's state it may write, empty for the one of its own name. `stamps`: it says who the
    session is, so its stamps count and no pause concerns it. `needs`: what else of ours it works with. `triggers`: what
    it may say of the phase (`policy.phases`).
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
    state: tuple[str, ...] = ()
    stamps: bool = False
    needs: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()

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


class HookTable:
    """The compiled hooks of one worktree."""

    def __init__(self, head: tuple[Any, ...], body: dict[str, Any]) -> None:
        self.root: str = head[0]
        self.built: int = head[1]  # wall nanoseconds before the first input was read
        self.newest: int = head[2]  # latest mtime or ctime among the stamps
        self.packed: Packed = head[3]  # inputs, as `packed` makes them
        self.watch: tuple[tuple[str, str], ...] = head[4]  # client configuration: path, digest as installed
        self.faults: tuple[str, ...] = head[5]  # why newer content does not run: this is the last good hook table
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
        self.orders: Mapping[str, tuple[str, ...]] = body["events"]
        self._features: Mapping[str, bytes] = body["features"]
        self._report: bytes = body["report"]
        self.chunks: tuple[Chunk, ...] = head[7]  # inputs not every event asks about
        self.below: tuple[str, ...] = head[8]  # folders whose hooks a person trusted, too
        self._scripts: Mapping[str, bytes] = body["scripts"]
        self._guidance: bytes = body["guidance"]
        self.told: tuple[str, ...] = body["told"]  # units that are not as a person trusted them, a line each
        self.places: tuple[str, ...] = body["places"]  # further globs below the root where hooks of the project stand
        self.holds: tuple[str, ...] = body["holds"]  # units that a person trusted and that cannot run, and why

    def rows(self, event: str) -> tuple[HookSpec, ...]:
        """The features that answer `event`, in their order. Others are not even unpacked."""
        features = self._features
        return tuple([HookSpec(*_loads(features[slug])) for slug in self.orders.get(event, ())])

    def row(self, slug: str) -> HookSpec | None:
        packed = self._features.get(slug)
        return None if packed is None else HookSpec(*_loads(packed))

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
        not run `scripts` ((file, key, type, events, why), …), of others `declared` {key: file with its front matter};
        `units` that are not as a person trusted them ((kind, place, state, why it holds, line), …), `copies`: the hooks
        that run as they were trusted.
        """
        found: dict[str, Any] = _loads(self._report)
        return found


# --- reading -------------------------------------------------------------------------------------------------------


def first_line(build: str) -> bytes:
    """What a hook table file begins with: only the same format, interpreter and build may unmarshal the rest."""
    return f"jackline wiring {FORMAT} {sys.hexversion:08x} {build}\n".encode()


def pack(head: tuple[Any, ...], body: bytes, build: str = VERSION) -> bytes:
    """The bytes of a hook table file: `head` (places, stamps, time) apart from `body`, which is content alone."""
    rest = marshal.dumps((head, body))
    return first_line(build) + source_hash(FORMAT, rest) + rest


def unpack(data: bytes, build: str = VERSION) -> tuple[tuple[Any, ...], bytes] | None:
    line = first_line(build)
    at = len(line)
    if data[:at] != line:
        return None
    rest = data[at + _SEAL :]
    if data[at : at + _SEAL] != source_hash(FORMAT, rest):
        return None
    head, body = _loads(rest)
    return head, body


def are_same(packed: Packed) -> bool:
    """Whether stat says of all these inputs what it said when they were compiled."""
    return packed[1] == marshal.dumps(system.stats(packed[0]), SAME)


def current(store: str, slot: str) -> tuple[HookTable | None, bool]:
    """The hook table of a slot, and whether a look at its inputs is enough to know that it is fresh."""
    found = load(path_of(store, slot))
    if found is None or found.strict or found.chunks or found.newest >= found.built - RACY:
        return found, False
    return found, are_same(found.packed)


def load(path: str, build: str = VERSION) -> HookTable | None:
    """Read a hook table file; None when it is missing, damaged, or of another format, interpreter or build."""
    try:
        found = unpack(system.read(path), build)
    except OSError:
        return None
    return None if found is None else HookTable(found[0], _loads(found[1]))


def path_of(store: str, slot: str) -> str:
    return f"{store}/wirings/{slot}.bin"


def trusted_path(store: str, slot: str) -> str:
    """Where the files that a person trusted are listed, for the few who ask (self-protect's `branches`)."""
    return f"{store}/wirings/{slot}.trusted"


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


def handler(row: HookSpec) -> Callable[..., Any]:
    """The feature's function, ready to be called with (event, context). Runs the feature's module."""
    if row.roots:
        sys.path.extend([root for root in row.roots if root not in sys.path])
    if row.codes and row.module not in sys.modules:
        sys.meta_path.append(_Modules(row.codes))
    module = sys.modules.get(row.module) or site_paths.take(row.module)
    found: Callable[..., Any] = getattr(module, row.entry)
    return found
