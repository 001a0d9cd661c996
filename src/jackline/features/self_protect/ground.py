"""Where things lie, and which rule protects a path there: by its place, by what is loaded, by the configuration.

What Jackline and the clients stand on is read from the store, as it was found when the door was made, and listed
nowhere: `compiler/footing.py` writes the lines and says what their letters mean.
"""

from __future__ import annotations

from jackline.clients.facts import ENV_FILES
from jackline.features.self_protect.places import CLIENT, PACKAGE, SAID, TRANSCRIPT, below, is_transcript, protected
from jackline.paths import resolve, within
from jackline.sensitive import SHELL
from jackline.shell.programs import PROGRAMS
from jackline.system import exists, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NamedTuple

    from jackline.model import Event
    from jackline.processes import Process
    from jackline.shell.model import Command

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


OTHERS = ("site-packages", "dist-packages")
START_UP, STARTS = ("sitecustomize", "usercustomize"), (".pth", ".start")
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
        return len(inner) == 1 and (inner[0].endswith(STARTS) or inner[0].partition(".")[0] in START_UP)
    return kind in "/Ce" or (kind == "l" and not any(one in OTHERS for one in inner))


RULES = {"c": CLIENT, "C": CLIENT, "h": SHELL}


def stands_on(path: str, ground: Ground) -> str:
    """The rule that protects a path because it is loaded, "" when it is not."""
    return next((RULES.get(kind, PACKAGE) for kind, place in ground.rows if _is(kind, place, path, ground.root)), "")


def standing(folder: str, ground: Ground) -> Iterator[tuple[str, str]]:
    """The places at or below a folder, and their rules."""
    start = folder.rstrip("/") + "/"
    for kind, place in ground.rows:
        if f"{place}/".startswith(start):
            yield place, RULES.get(kind, PACKAGE)


_MANAGERS = "npm pnpm yarn bun uv pipx poetry pdm conda mamba micromamba mise asdf volta fnm nodenv nix-env pixi"
MANAGERS = frozenset([*PROGRAMS["building.packages"].split(), *_MANAGERS.split()])
_REMOVES = "remove uninstall rm un purge erase del delete -R -Rs -Rns -e --erase -r --remove -P --purge"
REMOVES = frozenset(_REMOVES.split())
OF = {"pyenv": "python", "nvm": "node", "fnm": "node", "nodenv": "node"}
LOCAL = ("npm", "pnpm", "yarn", "bun")
PARTS = ("", "code", "cli", "minimal")


def _stem(word: str) -> str:
    """The name of a package without its scope, its version, and what says which part of it."""
    from re import split

    name = split(r"(?<=.)[@=<>~!:\[]", word.rpartition("/")[2].lower())[0]
    head, _, tail = name.partition("-")
    return head.rstrip("0123456789.") if tail in PARTS else ""


def _removes(one: Command) -> bool:
    """Whether a command is a package manager's that takes packages away from all of the machine."""
    if one.program not in MANAGERS or REMOVES.isdisjoint(one.words[1:4]):
        return False
    return one.program not in LOCAL or not {"-g", "--global", "global"}.isdisjoint(one.words)


def removed(commands: Sequence[Command], ground: Ground) -> str:
    """What we or a client stand on and a package manager takes away, "" for nothing: a package's name, and no path."""
    removing = [one for one in commands if _removes(one)]
    if not removing:
        return ""
    stands = {_stem(place) for _, place in ground.rows} - {""}
    stands |= {"node", "nodejs"} if any("/node_modules/" in place for _, place in ground.rows) else set()
    for one in removing:
        words = [word for word in (*one.words[1:], OF.get(one.program, "")) if word[:1] != "-"]
        for word, name in [(word, _stem(word)) for word in words]:
            if name in stands and not (word[:1] == "@" and name in OF.values()):
                return word
    return ""


CONFIGURED = "a place your configuration protects"


def rule_of(ground: Ground, path: str) -> str:
    rule = protected(path, ground.root, ground.home, ground.store, ground.package) or stands_on(path, ground)
    if not rule and path.endswith(SAID) and is_transcript(path, ground.said):
        return TRANSCRIPT
    if rule or not ground.more:
        return rule
    from jackline.globs import covers

    inside = within(ground.root, path)
    return CONFIGURED if any(covers(one, inside) or covers(one, path) for one in ground.more) else ""


def places_below(ground: Ground, folder: str) -> tuple[tuple[str, str], ...]:
    """Protected places (place, rule) at or below a folder, those of the configuration included."""
    found = (*below(folder, ground.root, ground.home, ground.store, ground.package), *standing(folder, ground))
    if not ground.more:
        return found
    places = [one if one[:1] == "/" else f"{ground.root}/{one}" for one in ground.more if "*" not in one]
    start = folder.rstrip("/")
    return (*found, *[(one, CONFIGURED) for one in places if f"{one}/".startswith(start + "/")])


def standing_below(ground: Ground, folder: str) -> tuple[str, str]:
    """A protected place that exists at or below a folder, and its rule."""
    for place, rule in places_below(ground, folder):
        if exists(place):
            return place, rule
    return "", ""
