"""Where things lie, and which rule protects a path there: by its place, by what is loaded, by the configuration."""

from __future__ import annotations

from jackline.features.self_protect.footing import standing, stands_on
from jackline.features.self_protect.places import SAID, TRANSCRIPT, below, is_transcript, protected
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NamedTuple

    from jackline.features.self_protect.footing import Rows
    from jackline.processes import Process
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


CONFIGURED = "a place your configuration protects"


def rule_of(ground: Ground, path: str) -> str:
    rule = protected(path, ground.root, ground.home, ground.store, ground.package) or stands_on(path, ground)
    if not rule and path.endswith(SAID) and is_transcript(path, ground.said):
        return TRANSCRIPT
    if rule or not ground.more:
        return rule
    from jackline.globs import covers
    from jackline.paths import within

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
