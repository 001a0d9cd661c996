"""Which pre-commit hooks of ours stand where, and for which worktrees: `git-hooks.json` in the store, under a lock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jackline import system
from jackline.install.fault import InstallError
from jackline.install.githook import Entry

FORMAT = 1
NAME = "git-hooks.json"
WAIT_MS = 5_000

Kept = tuple[str, str, tuple[str, ...], str]
"""One script of one worktree: key, path, what starts it, SHA-256."""


class Hook(NamedTuple):
    """One hook of ours. `worktrees`: the scripts each has; `original`: what is preserved for it; `made`: folders."""

    path: str
    worktrees: dict[str, tuple[Kept, ...]]
    original: str = ""
    made: tuple[str, ...] = ()

    def entries(self) -> list[Entry]:
        """The scripts of all its worktrees, each with every content that one of them trusts."""
        found: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for root in sorted(self.worktrees):
            for key, path, argv, digest in self.worktrees[root]:
                digests = found.setdefault((key, path, argv), [])
                if digest not in digests:
                    digests.append(digest)
        return [Entry(*which, tuple(sorted(digests))) for which, digests in found.items()]


def _from_disk(raw: dict[str, Any]) -> Hook:
    worktrees = {
        root: tuple((key, path, tuple(argv), digest) for key, path, argv, digest in kept)
        for root, kept in raw["worktrees"].items()
    }
    return Hook(raw["path"], worktrees, raw["original"], tuple(raw["made"]))


def load(store: Path) -> dict[str, Hook]:
    """Every hook, by its path. A file of a newer format is refused, a broken one too."""
    path = store / NAME
    try:
        raw = json.loads(system.read(str(path)))
        if raw["v"] > FORMAT:
            raise InstallError(str(path), f"written by a newer Jackline (format {raw['v']})", "update this Jackline")
        return {one["path"]: _from_disk(one) for one in raw["hooks"]}
    except FileNotFoundError:
        return {}
    except OSError as fault:
        raise InstallError(str(path), f"cannot be read ({fault.strerror or fault})", "check its permissions") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        cure = f"mv {path} {path}.broken, then run `jackline init` again: hooks say themselves what they preserve"
        raise InstallError(str(path), "broken", cure) from None


def save(store: Path, hooks: dict[str, Hook]) -> None:
    """Write the book, not at all when nothing changed; without hooks there is none."""
    path = store / NAME
    if not hooks:
        system.unlink(str(path))
        return
    rows = [hooks[name]._asdict() for name in sorted(hooks)]
    data = json.dumps({"v": FORMAT, "hooks": rows}, indent=1, ensure_ascii=False).encode("utf-8", "surrogateescape")
    try:
        if not path.exists() or system.read(str(path)) != data + b"\n":
            system.replace(str(path), data + b"\n")
    except OSError as fault:
        what = f"cannot be written ({fault.strerror or fault})"
        raise InstallError(str(path), what, "check the store's permissions") from None


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """One process writes hooks at a time."""
    held = system.lock(str(store / "git-hooks.lock"), WAIT_MS)
    if held < 0:
        raise InstallError(str(store / "git-hooks.lock"), "another process writes hooks", "wait, then run again")
    try:
        yield
    finally:
        system.close(held)
