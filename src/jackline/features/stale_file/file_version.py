"""What a file is at one moment: its digests over bytes, and the stamp that vouches for them."""

from __future__ import annotations

from _sha1 import sha1  # type: ignore[import-not-found,unused-ignore]  # typeshed knows `hashlib` only

from jackline import file_stat, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    Stamp = tuple[int, ...]
else:
    from jackline._record import NamedTuple


try:
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:  # Python 3.11: 3.12 put `_sha256` and `_sha512` into one
    from _sha256 import sha256  # type: ignore[import-not-found,no-redef,unused-ignore]

LARGE = 32 << 20
"""Bytes above which a file is told by its stamp: reading it would take too long."""
RACY = 20_000_000
"""Nanoseconds: who changes a file twice within one tick of its clock leaves the same stamp."""
QUOTES = ((b"\xe2\x80\x98", b"'"), (b"\xe2\x80\x99", b"'"), (b"\xe2\x80\x9c", b'"'), (b"\xe2\x80\x9d", b'"'))
GONE = "-"
"""The digest of what is not there."""
CHANGING = "?"
"""The digest of what changed while it was read: nothing equals it."""
LOST = "!"
"""The digest of what was known and can no longer be read from the memory: nothing equals it."""


class Look(NamedTuple):
    """`sha`: SHA-256 in hex, `GONE`, or "" for what is no file. `blob`: git's id of it, `GONE`, "" where unknown.

    `stamp`: (), when it vouches for nothing. `data`: the bytes, None where they were not read.
    """

    sha: str
    blob: str = ""
    stamp: Stamp = ()
    data: bytes | None = None


def digest(data: bytes) -> str:
    return str(sha256(data).hexdigest())


def blob(data: bytes) -> str:
    """Git's id of a file with this content."""
    return str(sha1(b"blob %d\0%b" % (len(data), data)).hexdigest())


def stamp_of(path: str, at: int) -> Stamp:
    """A file's stamp when nobody can have changed it since `at` (ms) without moving the stamp; else ()."""
    found = file_stat.regular(path)
    return () if found is None or max(found[1], found[2]) >= at * 1_000_000 - RACY else found


def _absent(path: str) -> Look:
    return Look("") if system.exists(path) else Look(GONE, GONE)


def look(path: str, at: int) -> Look:
    """A file, read at `at` (ms)."""
    stamp = file_stat.regular(path)
    if stamp is None:
        return _absent(path)
    settled = stamp if max(stamp[1], stamp[2]) < at * 1_000_000 - RACY else ()
    if stamp[0] > LARGE:
        return Look("stamp:" + "-".join([str(part) for part in stamp]), "", stamp)
    try:
        data = system.content(path, LARGE)
    except OSError:
        return _absent(path)
    if data is None:
        return Look("")
    return Look(digest(data), blob(data), settled, data)


def loose(data: bytes) -> str:
    """A digest that line ends, blanks at the ends of lines, empty lines and the slant of quotes do not change."""
    for slanted, upright in QUOTES:
        data = data.replace(slanted, upright)
    return digest(b"\n".join([line for line in map(bytes.rstrip, data.split(b"\n")) if line]))
