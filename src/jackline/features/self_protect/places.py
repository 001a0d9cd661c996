"""Which rule protects a path from an agent, "" when none does: tables and a pure function, nothing is looked up.

Paths are absolute and resolved by the caller. Names are compared without case, since file systems may ignore it.
"""

from __future__ import annotations

from jackline.clients.facts import EDITOR_SETTINGS, EDITOR_SETTINGS_AT, SETTINGS, SETTINGS_AT, START_UP
from jackline.clients.facts import TRANSCRIPTS as TRANSCRIPTS
from jackline.sensitive import LOGIN, PERSISTENCE, SHELL, staying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = "Jackline's own files"
STORE = "Jackline's store"
PACKAGE = "Jackline's installation"
CLIENT = "hook settings of a client"
HOOKS = "git hooks"
GIT = "programs named in git's configuration"
ATTRIBUTES = "filter, diff and merge drivers in gitattributes"
EDITOR = "approval and hook settings of VS Code"

TRANSCRIPT = "transcripts of sessions"

BY_CONTENT = frozenset((GIT, ATTRIBUTES, EDITOR))
"""Rules that protect some keys of a file: a change that is known to leave them alone passes."""

_ANYWHERE = {
    CLIENT: {
        **SETTINGS,
        ".cursor": "hooks.json hooks/**",
        ".windsurf": "hooks.json",
        ".codeium": "hooks.json windsurf/hooks.json",
        ".kiro": "hooks/** agents/**",
        ".augment": "settings*.json",
        ".vibe": "hooks.toml config.toml",
        ".opencode": "plugin/** plugins/**",
    },
    SHELL: START_UP,
    EDITOR: EDITOR_SETTINGS,
    OWN: {".ai": "hooks/**", ".discobot": "hooks/**"},
    HOOKS: {".git": "hooks/** modules/**/hooks/** worktrees/*/commondir commondir"},
    GIT: {".git": "config config.worktree modules/**/config worktrees/*/config.worktree"},
    ATTRIBUTES: {".git": "info/attributes"},
}
ANYWHERE: dict[str, tuple[tuple[str, str], ...]] = {}
for _rule, _folders in _ANYWHERE.items():
    for _name, _inner in _folders.items():
        ANYWHERE[_name] = (*ANYWHERE.get(_name, ()), *[(one, _rule) for one in _inner.split()])
"""By the name of a folder, wherever it lies: a session may start in any folder, and worktrees lie anywhere."""

NAMES = {".gitattributes": ATTRIBUTES, ".gitconfig": GIT}
"""Files protected by their name alone, wherever they lie."""

_FIXED = {
    OWN: "~/.config/jackline/** /etc/jackline/**",
    CLIENT: f"{SETTINGS_AT} ~/.config/opencode/** /etc/windsurf/** /etc/augment/** /etc/cursor/**",
    GIT: "~/.config/git/config /etc/gitconfig",
    ATTRIBUTES: "~/.config/git/attributes /etc/gitattributes",
    EDITOR: EDITOR_SETTINGS_AT,
}  # fmt: skip
FIXED = [(one.replace("_", " "), rule) for rule, places in _FIXED.items() for one in places.split()]
"""At one place only: below the home folder (`~`), or the system's."""

STARTS = (SHELL, LOGIN)
"""What stays at work and is refused; what else does is asked about."""

SAID = ".jsonl"
"""How their files end; what else lies beside them an agent may need."""

FREE = ("tmp/*/*/output/**", "inbox/**")
"""Places below `.ai` (and below a repository's part of the store) that an agent may write."""
FREE_OF_TASK = ("{plan,steps,mailbox}/**", "artifacts/attachments/**")
"""Likewise, in the folder of a task: where it asks."""


def _under(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def _free(inner: str) -> bool:
    from jackline.globs import match

    parts = inner.split("/", 4)
    if len(parts) == 5 and (parts[0], parts[2]) == ("tmp", "work"):
        return any(match(pattern, parts[4]) for pattern in FREE_OF_TASK)
    return any(match(pattern, inner) for pattern in FREE)


def _own(path: str, root: str, store: str) -> str:
    """The rule for everything under the project's `.ai` and under the store, but for the free places."""
    if _under(path, root + "/.ai"):
        return "" if _free(path[len(root) + 5 :]) else OWN
    if not _under(path, store):
        return ""
    inner = path[len(store) + 1 :].split("/", 2)
    return "" if inner[0] == "repos" and len(inner) == 3 and _free(inner[2]) else STORE


def _anywhere(low: str) -> str:
    from jackline.globs import match

    parts = low.split("/")
    for at in range(len(parts) - 1):
        name = parts[at]
        if name[-4:] == ".git":
            name = ".git"
        for pattern, rule in ANYWHERE.get(name, ()):
            if match(pattern, "/".join(parts[at + 1 :])):
                return rule
    return NAMES.get(parts[-1], "")


def protected(path: str, root: str, home: str, store: str, package: str) -> str:
    """The rule that protects the absolute `path`, "" when none does.

    `root`: the session's project, `home`: the user's folder, `store` and `package`: Jackline's own places.
    """
    from jackline.globs import match

    low = path.lower()
    rule = _own(low, root.lower().rstrip("/"), store.lower())
    if rule or _under(low, root.lower().rstrip("/") + "/.ai") or _under(low, store.lower()):
        return rule
    if _under(low, package.lower()):
        return PACKAGE
    if "/." in low or ".git/" in low:
        rule = _anywhere(low)
        if rule:
            return rule
    house = home.lower().rstrip("/")
    named = "~" + low[len(house) :] if house and low.startswith(house + "/") else low
    if named.startswith(("~/.", "~/documents/", "~/library/", "/etc/", "/library/")):
        for pattern, rule in FIXED:
            if match(pattern, named):
                return rule
    place, rule = staying(low, house)
    return rule if rule in STARTS and f"{low}/".startswith((f"{house}/{place}/", f"/{place}/")) else ""


def _literal(pattern: str) -> str:
    """The part of a pattern before its first wildcard: a place that may exist."""
    parts = pattern.split("/")
    for at, part in enumerate(parts):
        if "*" in part:
            return "/".join(parts[:at])
    return pattern


def literals(root: str, home: str, store: str, package: str) -> Iterator[tuple[str, str]]:
    """Every protected place with a fixed name, and its rule: of the project, the user, Jackline itself, the system."""
    yield store, STORE
    yield package, PACKAGE
    yield f"{root}/.ai/hooks", OWN
    yield f"{root}/.ai/tmp", OWN
    yield f"{root}/.git", HOOKS
    for folder, rows in ANYWHERE.items():
        for base in (root, home):
            for pattern, rule in rows:
                if base and not pattern.startswith("modules/"):
                    yield f"{base}/{folder}/{_literal(pattern)}".rstrip("/"), rule
    for pattern, rule in FIXED:
        if home or pattern[0] != "~":
            yield _literal(pattern).replace("~", home, 1), rule
    for rule in STARTS:
        for place in PERSISTENCE[rule].split():
            yield from ((f"{base}/{place}", rule) for base in dict.fromkeys((home, "")))


def below(path: str, root: str, home: str, store: str, package: str) -> tuple[tuple[str, str], ...]:
    """Protected places (place, rule) at or below a folder: what goes when it goes. Whether they exist is not asked."""
    low = path.lower().rstrip("/") or "/"
    return tuple(
        (place, rule) for place, rule in literals(root, home, store, package) if place and _under(place.lower(), low)
    )


def is_transcript(path: str, own: str = "") -> bool:
    """Whether an absolute path is a transcript; `own` is the folder of the session's, wherever its client keeps it."""
    if not path.endswith(SAID):
        return False
    low = path.lower()
    return any(one in low for one in TRANSCRIPTS) or bool(own and path.startswith(own + "/"))


def transcripts(path: str, home: str, own: str = "") -> Iterator[str]:
    """Folders of transcripts that may lie at, below or above an absolute path."""
    places = [*([own] if own else ()), *[home + one[:-1] for one in TRANSCRIPTS[:-1] if home]]
    start = path.rstrip("/") + "/"
    for place in dict.fromkeys(places):
        if (place + "/").startswith(start) or start.startswith(place + "/"):
            yield place
