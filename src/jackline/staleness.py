"""What a hook table was compiled from: files and folders, and at every event whether they are still the same.

Many scripts are asked about some at a time, in chunks (design section 5, "Gate").
"""

from __future__ import annotations

import marshal
from _imp import source_hash

from jackline import file_stat, system
from jackline.hook_table import FORMAT, RACY, SAME, are_same, pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from jackline.hook_table import HookTable

    Freshness = Literal["fresh", "restat", "stale"]
    Stamp = tuple[str, tuple[int, int, int, int], bytes]
    """An input: its path, what stat said of it, the digest of its content (b"" = not there)."""
    Packed = tuple[bytes, bytes, bytes]
    """Stamps as they are asked about at every event: the paths, all stats as one comparison, all digests."""
    Chunk = tuple[bytes, bytes, int, bytes, bytes]
    """Inputs not every event asks about: what their paths begin with, how they go on, the latest time among them, one
    sum of all stats, one digest of all contents."""

LIMIT = 1 << 20
"""Bytes of an input that count; a larger one does not compile."""

CHUNK = 32
"""Files of scripts that are asked about together."""


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
    return source_hash(FORMAT, marshal.dumps(system.stats(paths), SAME))


def _digest(digests: list[bytes]) -> bytes:
    from _blake2 import blake2b

    return blake2b(b"\0".join(digests), digest_size=16).digest()


def _digests(chunk: Chunk) -> list[tuple[str, bytes]]:
    """The inputs of a chunk as they are now, each with its digest."""
    paths = [path.decode("utf-8", "surrogateescape") for path in _chunked(chunk).split(b"\0")]
    return [(path, runnable(path)) for path in paths]


def _by_content(table: HookTable, now: int) -> Freshness:
    again = False
    settled = now - RACY
    for path, was, digest in unpack_stamps(table.packed):
        seen = file_stat.of(path)
        racy = _racy(was, table.built)
        if seen == was and not racy and not table.strict:
            continue
        if content(path) != digest:
            return "stale"
        again = again or seen != was or (racy and max(was[1], was[2]) < settled)
    for chunk in table.chunks:
        same = _sum(_chunked(chunk)) == chunk[3]
        racy = chunk[2] >= table.built - RACY
        if same and not racy and not table.strict:
            continue
        if _digest([digest for _, digest in _digests(chunk)]) != chunk[4]:
            return "stale"
        again = again or not same or (racy and chunk[2] < settled)
    return "restat" if again else "fresh"


def _asked(table: HookTable, event: str, turn: int) -> tuple[Chunk, ...]:
    """The chunks an event asks about: PreToolUse, when no script answers it, one of them, whichever it comes to."""
    chunks = table.chunks
    if event != "PreToolUse" or len(chunks) < 2 or table.scripted(event):
        return chunks
    return (chunks[(turn >> 16) % len(chunks)],)


def fresh(table: HookTable, event: str = "", now: int = 0, turn: int = 0) -> Freshness:
    """Ask whether the inputs are still what was compiled.

    `now`: wall nanoseconds, 0 where nothing is stamped anew. `turn`: a number that is another at every event.
    `restat`: the content is the same, but stat can no longer (or not yet) vouch for it; `restamp` mends that.
    What moves by a rename, comes or goes is seen at once, by its folder; an edit in place of one of many scripts when
    its chunk is asked about.
    """
    if table.strict:
        return _by_content(table, now)
    if not are_same(table.packed) or table.newest >= table.built - RACY:
        return _by_content(table, now)
    for chunk in _asked(table, event, turn):
        if _sum(_chunked(chunk)) != chunk[3]:
            return _by_content(table, now)
    return "fresh"


def pack_stamps(inputs: Iterable[Stamp]) -> Packed:
    """Stamps in a form that costs little to load and to compare."""
    listed = [*inputs]
    paths = b"\0".join([path.encode("utf-8", "surrogateescape") for path, _, _ in listed])
    seen = marshal.dumps([number for _, stamp, _ in listed for number in stamp], SAME)
    return paths, seen, marshal.dumps([digest for _, _, digest in listed], SAME)


def unpack_stamps(held: Packed) -> tuple[Stamp, ...]:
    """What was packed."""
    paths, seen, digests = held
    numbers = iter(marshal.loads(seen))
    names = [path.decode("utf-8", "surrogateescape") for path in paths.split(b"\0")]
    return tuple(zip(names, zip(numbers, numbers, numbers, numbers, strict=True), marshal.loads(digests), strict=False))


def stamps_of(paths: list[tuple[str, bytes]]) -> tuple[int, Packed]:
    """Stamp inputs, each given with the digest of what was read: the latest time among them, and the stamps."""
    made = [(path, file_stat.of(path), digest) for path, digest in paths if "\0" not in path]
    return max([max(stamp[1], stamp[2]) for _, stamp, _ in made], default=0), pack_stamps(made)


def _chunk(inputs: list[tuple[str, bytes]]) -> Chunk:
    paths = [path.encode("utf-8", "surrogateescape") for path, _ in inputs]
    begin, end = min(paths), max(paths)
    size = next((at for at, (one, other) in enumerate(zip(begin, end, strict=False)) if one != other), len(begin))
    newest = max([max(file_stat.of(path)[1:3]) for path, _ in inputs])
    names = b"\0".join([path[size:] for path in paths])
    return begin[:size], names, newest, _sum(b"\0".join(paths)), _digest([digest for _, digest in inputs])


def chunks_of(paths: list[tuple[str, bytes]]) -> tuple[int, tuple[Chunk, ...]]:
    """Stamp the files of scripts, some at a time, each given with its `runnable`: the latest time, and the chunks."""
    told = [one for one in paths if "\0" not in one[0]]
    made = tuple([_chunk(told[at : at + CHUNK]) for at in range(0, len(told), CHUNK)])
    return max([chunk[2] for chunk in made], default=0), made


def restamp(path: str, table: HookTable, now: int) -> bool:
    """Write the hook table again with today's stamps, when its inputs still are what was compiled.

    `now`: wall nanoseconds before anything is asked.
    """
    found = unpack(system.read(path), table.build)
    if found is None:
        return False
    inputs = [(name, digest) for name, _, digest in unpack_stamps(table.packed)]
    newest, held = stamps_of(inputs)
    if any(content(name) != digest for name, digest in inputs):
        return False
    later, chunks = chunks_of([one for chunk in table.chunks for one in _digests(chunk)])
    if [chunk[4] for chunk in chunks] != [chunk[4] for chunk in table.chunks]:
        return False
    head = found[0]
    made = (head[0], now, max(newest, later), held, *head[4:7], chunks, head[8])
    system.replace(path, pack(made, found[1], table.build))
    return True
