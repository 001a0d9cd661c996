"""The texts that agents saw, kept for a while by their digest, so that a refusal can show what changed since.

Nothing that may hold credentials is kept, nothing large, and so much a session at most.
"""

from __future__ import annotations

from jackline import file_stat, system
from jackline.features.stale_file.memory import FOLDER
from jackline.site_paths import take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.stale_file.file_version import Look

KEPT = "kept"
LARGE = 256 << 10
"""Bytes of one file."""
TOTAL = 16 << 20
"""Bytes of a session."""


def text_of(data: bytes | None) -> str | None:
    """A file's text, None where it is none."""
    if data is None or b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _open(session: str, *, create: bool = False) -> int:
    return system.descend(session, (FOLDER, KEPT), create=create)


def keep(session: str, path: str, seen: Look) -> None:
    """Keep what a file holds, if it may be kept."""
    if seen.data is None or len(seen.data) > LARGE or len(seen.sha) != 64:
        return
    try:
        at = _open(session, create=True)
    except OSError:
        return
    try:
        if not system.exists_at(at, seen.sha) and _harmless(path, seen.data):
            system.replace(seen.sha, seen.data, at=at)
            if seen.sha[0] == "0":
                _prune(at)
    except OSError:
        pass
    finally:
        system.close(at)


def _harmless(path: str, data: bytes) -> bool:
    text = text_of(data)
    if text is None:
        return False
    from jackline.edits.diff import secret

    return not secret(path) and take("jackline.store.secrets").mask(text) == text


def _prune(at: int) -> None:
    names = sorted(
        [name for name in system.names(at) if name[0] != "."], key=lambda name: file_stat.modified_ns(at, name)
    )
    size = sum([system.size_at(at, name) for name in names])
    for name in names:
        if size <= TOTAL:
            return
        size -= system.size_at(at, name)
        system.unlink(name, at=at)


def kept(session: str, sha: str) -> str | None:
    """The text of a digest, None when it was not kept."""
    try:
        at = _open(session)
    except OSError:
        return None
    try:
        return text_of(system.read(sha, at=at, follow=False, limit=LARGE + 1))
    except OSError:
        return None
    finally:
        system.close(at)
