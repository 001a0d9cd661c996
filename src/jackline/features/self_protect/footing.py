"""What Jackline and the clients stand on, as it was found when the door was made: read from the store, listed nowhere.

`compiler/footing.py` writes the lines and says what their letters mean.
"""

from __future__ import annotations

from jackline.features.self_protect.places import CLIENT, PACKAGE
from jackline.paths import resolve
from jackline.sensitive import SHELL
from jackline.shell.programs import PROGRAMS
from jackline.system import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jackline.features.self_protect.ground import Ground
    from jackline.model import Event
    from jackline.shell.model import Command

    Rows = tuple[tuple[str, str], ...]

OTHERS = ("site-packages", "dist-packages")
START_UP, STARTS = ("sitecustomize", "usercustomize"), (".pth", ".start")
"""Files of a folder of packages that an interpreter runs when it starts: names, and endings."""
SOURCED = ("BASH_ENV", "ENV", "CLAUDE_ENV_FILE")
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
