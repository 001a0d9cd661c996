"""One call of one program, as the rules that judge it see it: its words, where it runs, and what they may report."""

from __future__ import annotations

from jackline._record import of
from jackline.shell.model import PERSON, RUN, UNKNOWN, Effect
from jackline.shell.options import Given, parse
from jackline.shell.programs import SYSTEM
from jackline.shell.shell_state import Place, Scene, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.model import Kind
    from jackline.shell.walk import Walk

    Spots = list[tuple[int, int] | None] | None
    Rule = Callable[["Job"], str | None]


OPERANDS = 400
"""Operands of one call that we look at, and words of it that an effect shows."""

MAYBE = "perhaps reads it"
"""What a rule says of an operand that may belong to an option which it does not know."""

NAMED = "reads what it names"
"""What a rule says of a file whose lines tell what to look at: what they name is shown, were it nothing."""

CHANGES = ("write", "delete")

ENDS = (".exe", ".cmd", ".bat", ".com", ".ps1")
"""How Windows calls a program that is run by its name without that."""

DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full", "-")


class Job:
    """`words` are fields with marks (see `shell_state`); `name` is the program's, lower case, without its folder.

    `feed` is what it reads from its input: a text, "" for nothing, None for what we do not know.
    `sure`: all words stand in the command as they are. `lent`: the person's variables say the rest.
    `spots` are places of the words in the text given: (start, end), or None for words that do not stand there.
    """

    __slots__ = ("_told", "assigns", "end", "fed", "feed", "lent", "name", "redirs", "remote", "scene",
                 "spots", "sure", "walk", "words", "wrappers")  # fmt: skip

    def __init__(self, walk: Walk, words: list[str], scene: Scene, feed: str | None = "", spots: Spots = None) -> None:
        self.walk = walk
        self.words = words
        self._told: tuple[str, ...] | None = None
        self.scene = scene
        self.feed = feed
        name = words[0].rpartition("/")[2].lstrip("=").lower() if words else ""
        self.name = name if name[-4:] not in ENDS else name[:-4].rpartition("\\")[2]
        self.spots = spots or []
        self.end = -1
        self.wrappers: tuple[str, ...] = ()
        self.assigns: tuple[tuple[str, str], ...] = ()
        self.redirs: tuple[tuple[str, str], ...] = ()
        self.fed = False
        self.sure = self.lent = False
        self.remote = False

    def inside(self, words: list[str], at: int = -1, scene: Scene | None = None) -> Job:
        """The job that this one runs. `at`: where its words begin in ours, when they stand there."""
        made = Job(self.walk, words, scene or self.scene, self.feed)
        if at >= 0:
            made.spots = self.spots[at:]
        made.wrappers = (*self.wrappers, self.name)
        made.end = self.end
        made.redirs, made.fed, made.remote = self.redirs, self.fed, self.remote
        if (self.sure or self.lent) and not self.fed and frozenset(self.words).issuperset(words):
            made.sure, made.lent = self.sure, self.lent
        return made

    def again(self, scene: Scene | None = None) -> Job:
        """The same call, in another scene or told other things."""
        made = self.inside(self.words, 0, scene)
        made.wrappers, made.assigns = self.wrappers, self.assigns
        return made

    @property
    def told(self) -> tuple[str, ...]:
        """The words as an effect shows them."""
        if self._told is None:
            words = self.words[:OPERANDS]
            self._told = tuple(words) if "".join(words).isprintable() else tuple(map(shown, words))
        return self._told

    @property
    def elsewhere(self) -> bool:
        """It runs on another machine or in a container: paths are not ours."""
        return self.remote or self.walk.remote > 0

    def given(
        self, short: str = "", long: str = "", *, stop: bool = False, single: bool = False, glued: str = ""
    ) -> Given:
        return parse(self.words, short, long, stop=stop, single=single, glued=glued)

    # --- what a rule may report ------------------------------------------------------------------------------------

    def note(
        self, kind: Kind, note: str = "", place: Place | None = None, deep: bool = False, *, act: str = ""
    ) -> None:
        """An effect without a word of its own."""
        path, pattern = (place.path, place.pattern) if place else ("", False)
        name, told, known, source = self.name, self.told, self.walk.effects, self.walk.source
        certain = self.sure and kind in CHANGES and self.certain(path, pattern)
        open = ""
        if place is not None and place.open is not None and not self.walk.program:
            open = (PERSON if self.lent and self.scene.cwd and not self.fed else RUN) + place.open
        row = (kind, path, name, told, note, pattern, deep, act, source, open)
        if row not in known or (certain and not known[row].certain):
            known[row] = of(
                {"_kind": Effect, "kind": kind, "path": path, "program": name, "words": told, "note": note,
                 "pattern": pattern, "deep": deep, "act": act, "source": source, "certain": certain, "open": open}
            )  # fmt: skip

    def certain(self, path: str, pattern: bool) -> bool:
        """Nobody means anything else by words that stand there as they are; all that a folder holds is one thing."""
        folder = "".join(self.words[:1]).rpartition("/")[0]
        if self.fed or "--help" in self.words or (folder and folder not in SYSTEM):
            return False  # its input completes it; it may print its help; it has the name alone
        return not pattern or (path.endswith("/*") and not any(char in path[:-2] for char in "*?["))

    def add(
        self, kind: Kind, word: str, note: str = "", *, deep: bool = False, follow: bool = True, act: str = ""
    ) -> None:
        """An effect on the path that `word` names."""
        if self.elsewhere:
            self.away(kind, word, note, deep, act)
            return
        if not word or (kind != "delete" and (word in DEVICES or (word[:8] == "/dev/fd/" and ".." not in word))):
            return
        for place in self.scene.places(word, follow):
            self.note(kind, note, place, deep, act=act)

    def away(self, kind: Kind, word: str, note: str, deep: bool, act: str) -> None:
        """A path of another machine or a container: one of ours where it is mounted, else only removal is told."""
        cwd = self.scene.cwd
        path = word if word[:1] == "/" or not cwd else f"{cwd}/{word}"
        for inside, host in self.walk.mounts:
            if path == inside or path.startswith(inside.rstrip("/") + "/"):
                for place in self.scene.places((host.rstrip("/") + path[len(inside.rstrip("/")) :]) or "/"):
                    self.note(kind, note, place, deep, act=act)
                return
        device = kind == "write" and path.startswith("/dev/") and path not in DEVICES
        if word and (kind == "delete" or device) and act in ("", "shred") and not self.walk.fresh:
            self.note("unknown", shown(path), deep=deep or device, act="away")

    def all(
        self, kind: Kind, words: list[str], note: str = "", *, deep: bool = False, follow: bool = True, act: str = ""
    ) -> None:
        for word in words[:OPERANDS]:
            self.add(kind, word, note, deep=deep, follow=follow, act=act)
        if len(words) > OPERANDS and kind != "read":
            self.add(kind, UNKNOWN, note, deep=deep, act=act)
            self.fault(f"{self.name} has more operands than we look at")

    def fault(self, why: str, act: str = "") -> None:
        """Some part of this may do anything; in a program that lies in a file, many do that are told what to do."""
        if self.walk.program and act != "code.hidden":
            self.note("unknown", why, act="code.open")
            return
        self.walk.fault(why)
        self.note("unknown", why, act=act)

    def code(self, text: str | None, scene: Scene | None = None, args: list[str] | None = None) -> str | None:
        """A text that a shell will read; in a shell of its own unless `scene` says which."""
        if text is None:
            self.fault(f"{self.name} runs text that only the shell knows", act="code.unknown")
            return None
        child = scene or self.child()
        if args is not None:
            child.args = args
        return self.walk.code(text, child, self)

    def child(self) -> Scene:
        """The scene of a new shell: it has the variables that were exported, and no functions."""
        made = self.scene.fork()
        made.functions = {name: nodes for name, nodes in made.functions.items() if name in made.exported}
        lost = [name for name in made.vars if name not in made.exported and not name.startswith("/dev/fd/")]
        made.vars.update({**dict.fromkeys(lost), **dict(self.assigns)})
        made.exported = made.exported.union(dict(self.assigns))
        made.vars.pop("PWD", None)  # a shell sets it as it begins
        return made

    def run(self, words: list[str], at: int = -1, *, fed: bool = False, scene: Scene | None = None) -> str | None:
        """Another command that this one runs."""
        if not words:
            return None
        made = self.inside(words, at, scene or self.scene.fork())
        made.fed = made.fed or fed
        return self.walk.call(made)

    def piped(self, args: list[str]) -> str | None:
        """A shell that reads its code from the input."""
        made = self.again()
        made.feed = ""
        return made.code(None if self.fed else self.feed, self.child(), [self.name, *args])

    def kept(self, word: str) -> str | None:
        """What this text itself put into the file: "" for a file that it did not touch, None when nobody knows."""
        if not self.walk.written or self.elsewhere:
            return ""
        found = [self.walk.written[one.path] for one in self.scene.places(word) if one.path in self.walk.written]
        text = found[0] if found else ""
        return text.replace(UNKNOWN, "${_}") if text else text

    def text(self, word: str, *, run: bool = True) -> str | None:
        """What a file holds that is `run`: what this text put into it, else what lies on the disk."""
        kept = self.kept(word)
        if kept != "" or self.walk.since is None or self.elsewhere:
            return kept
        from jackline.shell.texts import matching, text_at

        places = self.scene.places(word)
        paths = [path for one in places for path in (matching(self, one.path) if one.pattern else [one.path])]
        return next(filter(None, [text_at(self, path, run) for path in paths]), "")
