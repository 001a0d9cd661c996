"""Where things lie, and which rule protects a path there: by its place, by what is loaded, by the configuration.

Paths are absolute and resolved by the caller. Names are compared without case, since file systems may ignore it.
What Jackline and the clients stand on is read from the store, as it was found when the door was made, and listed
nowhere: `compiler/runtime_files.py` writes the lines and says what their letters mean.
"""

from __future__ import annotations

from jackline.clients.facts import (
    EDITOR_SETTINGS,
    EDITOR_SETTINGS_AT,
    ENV_FILES,
    SETTINGS,
    SETTINGS_AT,
    SETTINGS_NAMES,
    START_UP,
    TRANSCRIPTS,
)
from jackline.paths import resolve, within
from jackline.sensitive import LOGIN, PERSISTENCE, SHELL, staying
from jackline.system import exists, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NamedTuple

    from jackline.model import Event
    from jackline.processes import Process

    Rows = tuple[tuple[str, str], ...]
else:
    from jackline._record import NamedTuple


class Ground(NamedTuple):
    """Where things lie: the project, the home, the store, the package; further protected globs; own transcripts.

    `now`: milliseconds since 1970. `text`: the command; `above` reads the processes above the door, of which `client`
    is one. `rows`: what is loaded.
    """

    root: str
    home: str
    store: str
    package: str
    more: tuple[str, ...] = ()
    said: str = ""
    now: int = 0
    text: str = ""
    client: str = ""
    above: Callable[[], Sequence[Process]] = tuple
    rows: Rows = ()


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

NAMES = {".gitattributes": ATTRIBUTES, ".gitconfig": GIT, **dict.fromkeys(SETTINGS_NAMES.split(), CLIENT)}
"""Files protected by their name alone, wherever they lie."""

_FIXED = {
    OWN: "~/.config/jackline/** /etc/jackline/**",
    CLIENT: f"{SETTINGS_AT} /etc/windsurf/** /etc/augment/** /etc/cursor/**",
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


CONFIGURED = "a place your configuration protects"


def _under(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(folder.rstrip("/") + "/"))


def _free(inner: str) -> bool:
    from jackline.globs import match

    parts = inner.split("/", 4)
    if len(parts) == 5 and (parts[0], parts[2]) == ("tmp", "work"):
        return any(match(pattern, parts[4]) for pattern in FREE_OF_TASK)
    return any(match(pattern, inner) for pattern in FREE)


def own(path: str, ground: Ground) -> str | None:
    """The rule for what lies under the project's `.ai` or the store, "" for the free places; None for what does not."""
    path, root, store = path.lower(), ground.root.lower().rstrip("/"), ground.store.lower()
    if _under(path, root + "/.ai"):
        return "" if _free(path[len(root) + 5 :]) else OWN
    if not _under(path, store):
        return None
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


def protected(path: str, ground: Ground) -> str:
    """The rule that protects a path because of its place, "" when none does."""
    from jackline.globs import match

    low, rule = path.lower(), own(path, ground)
    if rule is not None:
        return rule
    if _under(low, ground.package.lower()):
        return PACKAGE
    if "/." in low or ".git/" in low:
        rule = _anywhere(low)
        if rule:
            return rule
    house = ground.home.lower().rstrip("/")
    named = "~" + low[len(house) :] if house and low.startswith(house + "/") else low
    if named.startswith(("~/.", "~/documents/", "~/library/", "/etc/", "/library/")):
        for pattern, rule in FIXED:
            if match(pattern, named):
                return rule
    place, rule = staying(low, house)
    return rule if rule in STARTS and f"{low}/".startswith((f"{house}/{place}/", f"/{place}/")) else ""


OTHERS = ("site-packages", "dist-packages")
CUSTOMIZE, LINES = ("sitecustomize", "usercustomize"), (".pth", ".start")
"""Files of a folder of packages that an interpreter runs when it starts: names, and endings."""
SOURCED = ("BASH_ENV", "ENV", *ENV_FILES)
"""Variables that name a file which runs at every command."""


def rows(store: str, event: Event) -> Rows:
    """The places, and those that the client's own environment names."""
    try:
        lines = read(f"{store}/loaded", limit=1 << 20).decode("utf-8", "surrogateescape").split("\n") if store else []
    except OSError:
        lines = []
    named = [("h", event.env[name]) for name in SOURCED if event.env.get(name, "")[:1] == "/"]
    return (*[(one[0], one[2:]) for one in lines if one], *[(kind, resolve("/", path)) for kind, path in named])


def _is(kind: str, place: str, path: str, root: str) -> bool:
    if kind == "e" and place.startswith(root + "/"):
        return False  # an environment of the project's own: `pip install` works in there, and tools are made again
    if path == place:
        return kind not in "sl"
    if not path.startswith(place + "/"):
        return False
    inner = path[len(place) + 1 :].split("/")
    if kind == "s":
        return len(inner) == 1 and (inner[0].endswith(LINES) or inner[0].partition(".")[0] in CUSTOMIZE)
    return kind in "/Ce" or (kind == "l" and not any(one in OTHERS for one in inner))


RULES = {"c": CLIENT, "C": CLIENT, "h": SHELL}


def stands_on(path: str, ground: Ground) -> str:
    """The rule that protects a path because it is loaded, "" when it is not."""
    return next((RULES.get(kind, PACKAGE) for kind, place in ground.rows if _is(kind, place, path, ground.root)), "")


def rule_of(ground: Ground, path: str) -> str:
    rule = protected(path, ground) or stands_on(path, ground)
    if not rule and path.endswith(SAID) and is_transcript(path, ground.said):
        return TRANSCRIPT
    if rule or not ground.more:
        return rule
    from jackline.globs import covers

    inside = within(ground.root, path)
    return CONFIGURED if any(covers(one, inside) or covers(one, path) for one in ground.more) else ""


def _literal(pattern: str) -> str:
    """The part of a pattern before its first wildcard: a place that may exist."""
    return "/".join(pattern.partition("*")[0].split("/")[:-1]) if "*" in pattern else pattern


def _every(ground: Ground) -> Iterator[tuple[str, str]]:
    """Every protected place with a fixed name, and its rule: ours, the project's, the user's, the system's, what is
    loaded, and those of the configuration.
    """
    root, home = ground.root, ground.home
    yield from ((ground.store, STORE), (ground.package, PACKAGE), (f"{root}/.git", HOOKS))
    yield from ((f"{root}/.ai/hooks", OWN), (f"{root}/.ai/tmp", OWN))
    for folder, rows in ANYWHERE.items():
        for base in filter(None, (root, home)):
            for pattern, rule in rows:
                if not pattern.startswith("modules/"):
                    yield f"{base}/{folder}/{_literal(pattern)}".rstrip("/"), rule
    for pattern, rule in FIXED:
        if home or pattern[0] != "~":
            yield _literal(pattern).replace("~", home, 1), rule
    for rule in STARTS:
        for place in PERSISTENCE[rule].split():
            yield from ((f"{base}/{place}", rule) for base in dict.fromkeys((home, "")))
    yield from ((place, RULES.get(kind, PACKAGE)) for kind, place in ground.rows)
    plain = [one for one in ground.more if "*" not in one]
    yield from ((one if one[:1] == "/" else f"{root}/{one}", CONFIGURED) for one in plain)


def places_below(ground: Ground, folder: str) -> tuple[tuple[str, str], ...]:
    """Protected places (place, rule) at or below a folder: what goes when it goes. Whether they exist is not asked."""
    low = folder.lower().rstrip("/") or "/"
    return tuple([(place, rule) for place, rule in _every(ground) if place and _under(place.lower(), low)])


def standing_below(ground: Ground, folder: str) -> tuple[str, str]:
    """A protected place that exists at or below a folder, and its rule."""
    return next((one for one in places_below(ground, folder) if exists(one[0])), ("", ""))


def is_transcript(path: str, own: str = "") -> bool:
    """Whether an absolute path is a transcript; `own` is the folder of the session's, wherever its client keeps it."""
    low = path.lower() if path.endswith(SAID) else ""
    return any(one in low for one in TRANSCRIPTS) or bool(own and low and path.startswith(own + "/"))


def transcripts(path: str, ground: Ground) -> Iterator[str]:
    """Folders of transcripts that may lie at, below or above an absolute path."""
    places = [ground.said, *[ground.home + one[:-1] for one in TRANSCRIPTS[:-1] if ground.home]]
    yield from [one for one in dict.fromkeys(places) if one and (_under(one, path) or _under(path, one))]
