"""Places that no intent has to own: the session's own files, scratch, what tools make again, what a person ignores."""

from __future__ import annotations

from jackline.clients.facts import PLANS
from jackline.globs import covers
from jackline.intents.scope import Scope, holds, ignored, scope
from jackline.surroundings import TEMPORARY
from jackline.surroundings import recorded_folder as noted
from jackline.system import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.intents import Active
    from jackline.intents.intent_index import Reading
    from jackline.model import Event
    from jackline.sdk import Context

OWN = (".ai/tmp/**", ".ai/inbox/**")
"""Below the root; what of it an agent may write, self-protect knows."""

USUAL = {
    "scratch": True,
    "outside": PLANS,
    "generated": (
        "**/{node_modules,__pycache__,.pytest_cache,.mypy_cache,.ruff_cache,.hypothesis,.tox,.nox,.gradle,.turbo,.next,.nuxt}",
        "**/{.parcel-cache,.nyc_output,htmlcov,.coverage,.DS_Store,.eslintcache}",
        "**/*.{pyc,pyo,tsbuildinfo}",
    ),
    "outputs": ("**/{dist,build,out,target,bin,obj,coverage,tmp,log,logs,.cache,.venv,venv}", "**/*.{log,tmp,o,class}"),
}
"""What is free when nobody says otherwise: the defaults of these knobs (held by tests/features/test_tool_gate.py)."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/*")

KEPT = (".orchestration/active_intents.yaml", ".orchestration/.intentignore", ".orchestration/agent_trace.jsonl")
"""What says which intents there are, and what was done for them: not an agent's to write (lower case)."""


def scratch(path: str, root: str, temporary: str) -> bool:
    """Whether a path outside the root is scratch.

    A project that lies in a temporary folder has its own part of it, which is none.
    """
    if any(covers(one, path) for one in DEVICES):
        return True
    folders = (*TEMPORARY, temporary) if temporary else TEMPORARY
    for folder in folders:
        if path.startswith(folder + "/"):
            own = root[len(folder) + 1 :].split("/")[0] if root.startswith(folder + "/") else ""
            return not own or path[len(folder) + 1 :].split("/")[0] != own
    return False


class Free:
    """Asked about one path after another. `ignored`: readings of `.intentignore`; what all of them hold is ignored."""

    def __init__(
        self, root: str, home: str, temporary: str, config: Mapping[str, Any], ignored: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        self.root = root
        self.home = home.rstrip("/")
        self.temporary = temporary
        self.config = config
        self.ignored = [scope(globs, root) for globs in ignored]
        self.free = scope([str(one) for one in config.get("ignore") or ()], root)
        self._outside: Scope | None = None
        self._unversioned: Scope | None = None

    @property
    def outside(self) -> Scope:
        if self._outside is None:
            told = [str(one) for one in self.config.get("outside") or ()]
            self._outside = scope([self.home + one[1:] if one[:2] == "~/" else one for one in told])
        return self._outside

    @property
    def unversioned(self) -> Scope:
        """What the project's own `.gitignore` names."""
        if self._unversioned is None:
            try:
                text = read(f"{self.root}/.gitignore", limit=1 << 16).decode("utf-8", "replace")
            except OSError:
                text = ""
            self._unversioned = scope(ignored(text))
        return self._unversioned

    def _made_again(self, path: str) -> bool:
        if any(covers(str(one), path) for one in self.config.get("generated") or ()):
            return True
        return any(covers(str(one), path) for one in self.config.get("outputs") or ()) and holds(self.unversioned, path)

    def holds(self, path: str, *, by_command: bool = False) -> bool:
        """Whether nothing has to be asked about a change of this path.

        `by_command`: a command makes it, so that what tools make again is free as well.
        """
        if path[:1] == "/":
            return (self.config.get("scratch") is not False and scratch(path, self.root, self.temporary)) or holds(
                self.outside, path
            )
        if any(covers(one, path) for one in OWN):
            return True
        if by_command and self._made_again(path):
            return True
        if holds(self.free, path):
            return True
        return bool(self.ignored) and all(holds(one, path) for one in self.ignored)


def free_of(event: Event, ctx: Context, chosen: Active | None, now: Reading) -> Free:
    """Places nobody has to own. What is ignored has to be so now, and when the intent was selected."""
    readings = (now.ignored,) if chosen is None else (chosen.ignored, now.ignored)
    home, temporary = str(ctx.protected.get("home", "")), noted(str(ctx.protected.get("store", "")), "temporary")
    return Free(event.root, home, temporary, ctx.config, readings if all(readings) else ())


def kept(path: str) -> str:
    """The file of ours that a change of this path would change, "" when it is none."""
    low = path.lower()
    return low if low in KEPT else ""


def kept_below(path: str) -> str:
    """The same for a folder that changes with everything below."""
    low = path.lower()
    return KEPT[0] if low in (".", ".orchestration") else kept(path)
