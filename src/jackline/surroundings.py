"""Where a person's folders were when Jackline was installed: what a client's settings say later moves none of them.

The store keeps them as links, beside the one to the person's configuration (`config`). A managed store has none: it
serves many.
"""

from __future__ import annotations

import posix

from jackline import system
from jackline.paths import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDERS = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_STATE_HOME": ".local/state",
    "XDG_DATA_HOME": ".local/share",
    "XDG_CACHE_HOME": ".cache",
}
"""Folders that a variable may move, and where they lie below the home otherwise."""
TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders")
"""Folders whose children are temporary, whoever says so."""


def recorded_folder(store: str, name: str) -> str:
    """A folder as a store remembers it, "" where it does not."""
    try:
        return posix.readlink(f"{store}/{name}") if store else ""
    except (OSError, ValueError):
        return ""


def _is_disposable(folder: str, home: str) -> bool:
    """Whether a folder can be a temporary one: it holds neither the home nor a top of the machine."""
    place = resolve("/", folder)
    return folder[:1] == "/" and place.count("/") > 1 and not f"{resolve('/', home)}/".startswith(f"{place}/")


def folders_of(env: Mapping[str, str]) -> dict[str, str]:
    """The folders that an environment tells, of those that can be meant."""
    home, folder = env.get("HOME", "").rstrip("/"), env.get("TMPDIR", "").rstrip("/")
    found = {"home": home} if home[:1] == "/" else {}
    return found | ({"temporary": folder} if _is_disposable(folder, home) else {})


def note(store: str, env: Mapping[str, str], *, anew: bool = False) -> None:
    """Remember where a person's folders are; what is remembered already stays, unless it is to be noted anew."""
    for name, folder in folders_of(env).items():
        if anew and recorded_folder(store, name) not in ("", folder):
            system.unlink(f"{store}/{name}")
        if not recorded_folder(store, name):
            posix.symlink(folder, f"{store}/{name}")


def differences(store: str, env: Mapping[str, str], home: str) -> list[tuple[str, str, str]]:
    """(variable, what it says, what it was at installation) where an environment would move a folder of the person's.

    A temporary folder that is one by its place moves nothing.
    """
    found = [("HOME", env.get("HOME", home), home)]
    config = recorded_folder(store, "config").rpartition("/")[0]
    found += [("XDG_CONFIG_HOME", env.get("XDG_CONFIG_HOME") or config, config)] if config else []
    if store.endswith("/jackline"):
        state = store.rpartition("/")[0]
        found.append(("XDG_STATE_HOME", env.get("XDG_STATE_HOME") or state, state))
    folder, noted = env.get("TMPDIR", ""), recorded_folder(store, "temporary")
    if folder and not any(f"{folder}/".startswith(f"{one}/") for one in (*TEMPORARY, noted) if one):
        found.append(("TMPDIR", folder, noted))
    return [(name, said, was) for name, said, was in found if said.rstrip("/") != was.rstrip("/")]
