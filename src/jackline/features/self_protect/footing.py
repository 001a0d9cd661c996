"""What Jackline and the clients stand on, as it was found when the door was made: read from the store, listed nowhere.

`compiler/footing.py` writes the lines and says what their letters mean.
"""

from __future__ import annotations

from jackline.features.self_protect.places import CLIENT, PACKAGE
from jackline.paths import resolve
from jackline.sensitive import SHELL
from jackline.system import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.features.self_protect.ground import Ground
    from jackline.model import Event

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
