"""What is known while a command runs: folder, variables, functions, links made on the way; and paths resolved by it.

Words are kept as strings in which six characters, that no command may hold, mean something: `UNKNOWN` stands for
text only the running shell knows, `STAR`, `ANY` and `OPEN` are glob characters that are active, `SOME` is text
that is not known but holds no slash and no blank, and `BELOW` a path that leads down: what a search finds.
"""

from __future__ import annotations

from posixpath import normpath

from jackline._record import of
from jackline.folders import entries
from jackline.globs import segment
from jackline.paths import links, resolve
from jackline.shell.model import UNKNOWN
from jackline.system import is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from jackline.shell.model import Seen
    from jackline.shell.nodes import Node
else:
    from jackline._record import NamedTuple

STAR, ANY, OPEN, SOME, BELOW = "\1", "\2", "\3", "\4", "\6"
MARKS = UNKNOWN + STAR + ANY + OPEN + SOME + BELOW
UNMARKED = frozenset(MARKS).isdisjoint
LITERAL = frozenset(UNKNOWN + SOME + BELOW).isdisjoint
ACTIVE = str.maketrans("*?[", STAR + ANY + OPEN)
SHOWN = str.maketrans(STAR + ANY + OPEN + SOME + BELOW, "*?[" + UNKNOWN * 2)
PATTERN = str.maketrans({STAR: "*", ANY: "?", OPEN: "[", SOME: "*", "*": "[*]", "?": "[?]", "[": "[[]"})

TOLD = frozenset(
    ["HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]
)
"""Variables of the environment that we take to be the same in the agent's shell."""

NUMBERS = frozenset(["RANDOM", "SECONDS", "LINENO", "EUID", "UID", "PPID", "BASHPID", "#", "?", "$", "!", "-", "SHLVL"])
CHANGING = (
    "_ BASH_COMMAND BASH_REMATCH BASH_SUBSHELL BASH_ARGV0 BASH_ARGC BASH_ARGV BASH_LINENO BASH_SOURCE FUNCNAME GROUPS "
    "DIRSTACK HISTCMD EPOCHSECONDS EPOCHREALTIME SRANDOM COMP_WORDS COPROC OPTARG OPTIND OPTERR MAPFILE OLDPWD "
    "PIPESTATUS REPLY"
)
MOVING = NUMBERS.union(CHANGING.split())
"""Variables that the shell itself changes, whatever was assigned."""

HOMES = {"NVM_DIR": ".nvm", "PYENV_ROOT": ".pyenv", "SDKMAN_DIR": ".sdkman", "CARGO_HOME": ".cargo"}
"""Variables that tools set to their own folder below the home."""

NAMES = 4_096
"""Names in a folder that we compare with a glob."""

KNOWLEDGE = ("cwds", "vars", "args", "functions", "home")
MISSING = object()
MOST = 4
"""Folders a command may be in before we say that we do not know."""


def shown(word: str) -> str:
    """A word as the program would see it, with `UNKNOWN` where that is not known."""
    return word if word.isprintable() or UNMARKED(word) else word.translate(SHOWN)


def marked(word: str) -> bool:
    """Some of the word is a glob, or not known."""
    return not word.isprintable() and not UNMARKED(word)


def is_number(text: object) -> bool:
    return text == SOME or (isinstance(text, str) and text.isdigit())


class Gone(str):
    """What a variable holds that `unset` took: empty to who reads it, and not there to who asks."""

    __slots__ = ()


GONE = Gone()


class Names(str):
    """Paths that a search prints, a line each: what is known of them no blank of another path can make."""

    __slots__ = ()


class Place(NamedTuple):
    """A resolved path. `pattern`: it is a glob (see `model.Effect`). `open`: the known end of one of
    which only the shell knows where it leads, else None.
    """

    path: str
    pattern: bool = False
    open: str | None = None


_new = object.__new__


class Scene:
    """The state of one shell. `cwds` are the folders it may be in; "" is one we do not know."""

    __slots__ = ("args", "certain", "cwds", "env", "exported", "fixed", "functions", "home", "links", "root", "seen",
                 "strange", "vars")  # fmt: skip

    def __init__(self, cwd: str, env: Mapping[str, str], root: str = "", seen: Seen | None = None) -> None:
        self.cwds: tuple[str, ...] = (cwd,)
        self.env = env
        self.root = root
        self.home = env.get("HOME", "")
        self.vars: dict[str, str | None] = {}
        self.functions: dict[str, tuple[Node, ...]] = {}
        self.args: list[str] | None = None
        self.links: list[tuple[str, str]] = []
        self.exported: frozenset[str] = TOLD
        self.fixed: frozenset[str] = frozenset()  # declared so that what is assigned from now on is not what they hold
        self.certain = False  # the last change of folder cannot have failed
        self.strange = False  # a text that nobody read may have set any variable
        self.seen: Seen = {} if seen is None else seen

    def fork(self) -> Scene:
        made = _new(Scene)
        made.env, made.root, made.seen = self.env, self.root, self.seen
        made.cwds, made.home, made.args = self.cwds, self.home, self.args
        made.vars, made.functions, made.links = self.vars.copy(), self.functions.copy(), self.links.copy()
        made.exported, made.fixed = self.exported, self.fixed
        made.certain, made.strange = False, self.strange
        return made

    def hold(self, name: str, text: str | None) -> None:
        """A variable is set; None when nobody knows to what."""
        self.vars[name] = None if name in self.fixed else text

    def join(self, others: list[Scene]) -> None:
        """Become what holds after any one of `others`, whose first one ends with that."""
        first, *rest = others
        for name in (*KNOWLEDGE, "links", "exported", "fixed", "strange"):
            setattr(self, name, getattr(first, name))
        for other in rest:
            self.wander(other.cwds)
            self.perhaps(other)

    def perhaps(self, other: Scene) -> None:
        """All but the folder may also be as in `other`."""
        for name in {*self.vars, *other.vars}:
            held, may = self.vars.get(name, MISSING), other.vars.get(name, MISSING)
            if held != may:
                self.vars[name] = SOME if is_number(held) and is_number(may) else None
        for name, nodes in other.functions.items():
            own = self.functions.get(name, ())
            self.functions[name] = own + tuple(node for node in nodes if node not in own)
        if self.args != other.args:
            self.args = None
        if self.home != other.home:
            self.home = ""
        self.links += [link for link in other.links if link not in self.links]
        self.exported |= other.exported
        self.fixed |= other.fixed
        self.strange = self.strange or other.strange

    def same(self, other: Scene) -> bool:
        """Nothing is known otherwise than in `other`."""
        return all(getattr(self, name) == getattr(other, name) for name in KNOWLEDGE)

    def wander(self, cwds: tuple[str, ...]) -> None:
        """It may be in these folders as well."""
        found = tuple(dict.fromkeys(self.cwds + cwds))
        self.cwds = found if len(found) <= MOST else ("",)

    @property
    def cwd(self) -> str:
        return self.cwds[0] if len(self.cwds) == 1 else ""

    def value(self, name: str) -> str | None:
        """What a variable holds; None when that is not known."""
        if name in MOVING:
            return SOME if name in NUMBERS else None
        if name in self.vars:
            return self.vars[name]
        if name in ("PWD", "HOME"):
            return (self.cwd if name == "PWD" else self.home) or None
        if name == "IFS":
            return " \t\n"
        if name in TOLD:
            return self.env.get(name)
        if name in HOMES and self.home:
            return f"{self.home}/{HOMES[name]}"
        if name.isdecimal() and name.isascii() and self.args is not None:
            more = None if UNKNOWN in "".join(self.args) else ""  # an unknown word may be several
            return self.args[int(name)] if int(name) < len(self.args) else more
        return None

    # --- paths -----------------------------------------------------------------------------------------------------

    def real(self, path: str) -> str:
        """An absolute path with links resolved, those made on the way included."""
        found = self.seen.get(path)
        if found is None:
            found = self.seen[path] = resolve("/", path)
        for _ in range(4):
            leads = next((link for link in self.links if found == link[0] or found.startswith(f"{link[0]}/")), None)
            if leads is None:
                return found
            made, target = leads
            found = target + found[len(made) :]
            found = found if target == UNKNOWN else resolve("/", found)
        return found

    def places(self, word: str, follow: bool = True) -> list[Place]:
        """Where a word leads, from every folder we may be in. `follow`: through a link that is its last part."""
        if word[:1] in ("/", UNKNOWN):
            return self._places(word, follow)
        return [place for cwd in self.cwds for place in self._places(f"{cwd or UNKNOWN}/{word}", follow)]

    def _places(self, path: str, follow: bool) -> list[Place]:
        if marked(path):
            return [self._pattern(path), *(self._linked(path, follow) if path[0] == "/" else ())]
        above, _, name = path.rpartition("/")
        whole = follow or name in ("", ".", "..")
        real = self.real(path) if whole else f"{self.real(above or '/').rstrip('/')}/{name}"
        if real[0] != "/":
            return [self._pattern(real)]
        return [of({"_kind": Place, "path": real, "pattern": False, "open": None})]

    def _pattern(self, path: str) -> Place:
        """A glob: the literal folders at its front are resolved, `..` behind it makes it anything."""
        parts = path.split("/")
        literal = 0
        while literal < len(parts) and not marked(parts[literal]):
            literal += 1
        front = "/".join(parts[:literal])
        if literal:
            front = self.real(front or "/").rstrip("/")
        rest = [part for part in parts[literal:] if part not in ("", ".")]
        open = path.rpartition(UNKNOWN)[2].translate(PATTERN) if UNKNOWN in path else None
        if ".." in rest:
            return Place("**", True, open or "")
        quoted = front.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")
        tail = "/".join(piece for part in rest for piece in _segments(part))
        return Place(f"{quoted}/{tail}" if literal else tail, True, open)

    def _linked(self, path: str, follow: bool) -> list[Place]:
        """Where a glob leads through links that it matches: those places bear other names."""
        parts = path.split("/")
        at = next((at for at, part in enumerate(parts) if marked(part)), 0)
        if not at or not LITERAL(parts[at]) or (at == len(parts) - 1 and not follow):
            return []
        front = self.real("/".join(parts[:at]) or "/")
        pattern = parts[at].translate(PATTERN)
        found: list[Place] = []
        names = [name for name, _ in entries(front)] if self.links else links(front)
        for name in names[:NAMES]:
            path = f"{front.rstrip('/')}/{name}"
            seen = name[0] != "." or pattern[0] in ".["
            if seen and segment(pattern, name) and self.real(path) != path:
                found += self.places("/".join([self.real(path), *parts[at + 1 :]]))
        return found

    def enter(self, word: str) -> bool:
        """`cd word`: be there. True when that folder exists, so that it cannot fail."""
        self.certain = False
        self.vars.pop("PWD", None)
        if not UNMARKED(word.replace(SOME, "")):
            self.cwds = ("",)
            return False
        paths = [word if word[:1] == "/" else f"{cwd}/{word}" if cwd else "" for cwd in self.cwds]
        self.cwds = tuple(dict.fromkeys([f"/{normpath(path).lstrip('/')}" if path else "" for path in paths]))
        self.certain = all(cwd and is_dir(cwd) for cwd in self.cwds)
        return self.certain


def _segments(part: str) -> list[str]:
    """One part of a path as segments of a glob. What is unknown may hold slashes: that takes a segment of its own."""
    before, unknown, rest = part.replace(BELOW, UNKNOWN).partition(UNKNOWN)
    if not unknown:
        return [part.translate(PATTERN)]
    behind = rest.rpartition(UNKNOWN)[2]
    if before:
        # `a*b` alone would not hold `a/b`, nor `a*/**/*b` a name: what follows `a*` is left open.
        return [before.translate(PATTERN) + "*", "**"]
    return ["**", "*" + behind.translate(PATTERN)] if behind else ["**"]
