"""Paths as the machine has them, links followed.

Hot: asks the operating system by `posix`, and opens nothing.
"""

from __future__ import annotations

import posix


def resolve(base: str, path: str, home: str = "") -> str:
    """Make `path` absolute from `base` (`~` from `home`), remove `.` and `..`, and follow every link that exists.

    What does not exist stays as written below its nearest existing parent. A NUL ends the path, as it does for C.
    """
    if "\0" in path:
        path = path.split("\0", 1)[0]
    if path == "~" or path.startswith("~/"):
        path = (home or "/") + path[1:]
    if not path.startswith("/"):
        path = f"{base}/{path}"
    todo = [part for part in reversed(path.split("/")) if part and part != "."]
    done: list[str] = []
    hops = missing = 0
    while todo:
        part = todo.pop()
        if part == "..":
            if done:
                done.pop()
            if len(done) < missing:
                missing = 0
            continue
        if part == ".":
            continue
        done.append(part)
        if missing:  # below what is not there nothing is
            continue
        try:
            target = posix.readlink("/" + "/".join(done))
        except (OSError, ValueError) as fault:
            if getattr(fault, "errno", 0) != 22:  # there, and no link
                missing = len(done)
            continue
        hops += 1
        if hops > 40:  # a loop: the kernel gives up there as well
            continue
        if target.startswith("/"):
            done = []
        else:
            done.pop()
        todo.extend(part for part in reversed(target.split("/")) if part)
    return "/" + "/".join(done)


def _address(path: str) -> str:
    """The path behind `file:`."""
    if path.startswith("//"):
        path = "/" + path[2:].partition("/")[2]
    parts = path.split("%")
    out = [parts[0].encode("utf-8", "surrogatepass")]
    for part in parts[1:]:
        try:
            out.append(bytes((int(part[:2], 16),)) + part[2:].encode("utf-8", "surrogatepass"))
        except ValueError:
            out.append(b"%" + part.encode("utf-8", "surrogatepass"))
    return b"".join(out).decode("utf-8", "surrogateescape")


def path_of_address(target: str) -> str:
    """A `file:` address as the path it means; anything else as it is."""
    return target if target[:5].lower() != "file:" else _address(target[5:])


def link(path: str) -> str | None:
    """Where the link at `path` leads; "" for what is no link, None where nothing is."""
    try:
        return posix.readlink(path)
    except (OSError, ValueError) as fault:
        return "" if getattr(fault, "errno", 0) == 22 else None


def links(folder: str) -> list[str]:
    """Sorted names of the links in a folder."""
    try:
        with posix.scandir(folder) as found:
            return sorted([one.name for one in found if one.is_symlink()])
    except (OSError, ValueError):  # half a character is no folder
        return []


def within(root: str, path: str) -> str:
    """`path` relative to `root` when it lies inside (`.` for the root itself), else as it is. Both are resolved."""
    if not root:
        return path
    if path == root:
        return "."
    if root == "/":
        return path[1:]
    return path[len(root) + 1 :] if path.startswith(root + "/") else path


def plain(path: str, *, look: bool = False) -> bool:
    """No name in a resolved path is a credential's, or one that stays at work: below the root, without dot folders.

    `look`: it is only read; then it may lie elsewhere too, but not among what belongs to the machine. The names stand
    in here, so that a run in which nobody asks loads none of them.
    """
    if path[:1] == "." or "/." in path or not path:
        return look and path == "."
    if path[:1] == "/":
        if not look or path.startswith(("/etc", "/proc", "/dev", "/run", "/root", "/sys", "/System")):
            return False
        for folder in ("/Library/", "/etc/", "/run/", "/var/", "/Mozilla/", " "):
            if folder in path:
                return False
    name = path.rpartition("/")[2]
    if name.startswith(("id_", "_netrc", "sitecust", "usercust", "logins.json", "key4.db", "oauth_", "application_")):
        return False
    if name.endswith((".pem", ".key", ".p12", ".pfx", ".jks", "key.properties", ".ppk", ".kdbx", ".pth")):
        return False
    return not any(word in path for word in ("ecret", "credential", "private", ".keychain", "keystore", ".git/", "\\"))
