"""What the names and expressions of a program may be: texts, paths, lists; modules and functions by their names.

Nothing is run: a name holds what stands behind its `=`, and what we cannot follow is not known (`UNKNOWN`).
"""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.rules.call_table import text_of
from jackline.shell.rules.calls_text import PAIRS, Token, imported
from jackline.shell.shell_state import ACTIVE, BELOW, SOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


POINTED = ("perl", "php")
"""Languages in which a dot joins two texts."""

_KEPT = (
    "split toString trim to_s strip rstrip lstrip chomp freeze resolve absolute as_posix decode encode expandvars new "
    "my our local await return"
)
KEPT = frozenset(_KEPT.split())
"""Names that change nothing of the text before or behind them."""
_HOMES = "homedir os.homedir Dir.home process.env.HOME $ENV{HOME} path.expand Path.home pathlib.Path.home"
HOMES = frozenset(_HOMES.split())
_JOINS = (
    "join path.join path.resolve resolve File.join file.path Path.join catfile os.path.join Path pathlib.Path "
    "PurePath str bytes list sorted set tuple reversed os.fspath os.fsencode os.path.expanduser os.path.abspath "
    "os.path.realpath os.path.normpath textwrap.dedent shlex.split require"
)
JOINS = frozenset(_JOINS.split())
"""Calls that give the path that their texts make, or the one that they are told."""
SEARCHES: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("glob", "glob.glob", "glob.iglob"), lambda text: text.replace("**", BELOW).translate(ACTIVE)),
    "rglob": lambda text: f"{BELOW}/{text.replace('**/', '').translate(ACTIVE)}",
    "os.walk": lambda text: f"{text.rstrip('/')}/{BELOW}",
    "os.scandir": lambda text: f"{text.rstrip('/')}/{SOME}",
    **dict.fromkeys(("iterdir", "os.listdir"), lambda text: SOME),
    **dict.fromkeys(("tempfile.mkdtemp", "tempfile.mktemp", "tempfile.TemporaryDirectory", "tempfile.gettempdir",
                     "tempfile.NamedTemporaryFile"), lambda text: f"/tmp/{SOME}"),
}  # fmt: skip
"""Calls that look for files, or make them: what stands for all that they find, by what they are told."""
DEEP = 12
STEPS = 200_000
"""Words of a program, each as often as it is looked at, beyond which we do not follow it."""
OPENS = ("[", "(", "{")
CLOSES = (")", "]", "}")
STOPS = frozenset([";", ")", "]", "}", "|", ":", "if", "unless", "or", "and", "in", "for"])
"""What ends a value that nothing encloses."""
SEVERAL = frozenset(["if", "unless", "or", "and", "|", "?"])
"""What stands behind a value that is one of several."""
CHANGES = "+-*/%|&^:.?"
"""Marks with which `=` sets a name to something else than what stands behind it."""
TELLS = {"lambda": ":;{", "def": ";{", "function": ";{", "as": ";{", "import": ";", "for": ";="}
"""Behind these stand names that hold anything, up to one of the marks."""
NO_NAMES = (";", ";=")
"""But for these: what they name holds what they say."""
FILLS = ("const", "let", "var", "(", ",")
NAMED = ("python", "rscript", "julia")
"""Languages in which `=` between brackets gives an argument by its name."""
METHODS = ("glob", "rglob", "iterdir", "joinpath")
"""Calls that give what lies in what they are called on."""
STANDS = {"sys.executable": "python3", "process.execPath": "node"}
MANY = 8
"""What one name may stand for, as far as we look."""
FAR = 200
"""Words before a call in which we look for what it is called on."""
COMMA, END = Token("mark", ","), Token("line", "")


def joined(base: str, name: str) -> str:
    """The path of a name in a folder."""
    return name if name.startswith("/") or not base else f"{base.rstrip('/')}/{name}"


class Values:
    """The tokens of one program, and what its names and expressions may be."""

    def __init__(self, job: Job, tokens: list[Token], language: str, known: dict[str, str] | None) -> None:
        self.job = job
        self.size = len(tokens)
        self.steps = 0
        self.lent = job.lent
        self.tokens = [*tokens, END, END, END]
        self.language = language
        self.held: dict[str, list[int]] = {}  # where its values stand; -1: a name in a folder
        self.loops: set[int] = set()  # those of them whose parts the name holds
        self.known: dict[str, object] = dict(known or {})
        self.names: dict[str, list[str]] = {}  # what a name stands for: modules, functions
        self.told: dict[str, object] = {}
        self.bind()

    def mark(self, at: int, *texts: str) -> bool:
        return self.tokens[at].kind == "mark" and self.tokens[at].text in texts

    # --- what names hold -------------------------------------------------------------------------------------------

    def bind(self) -> None:
        """What each name is set to; one that a function is told may hold anything."""
        for name, full in imported(self.tokens):
            self.names.setdefault(name, []).append(full)
        depth, ends = 0, ""
        for at in range(self.size):
            token = self.tokens[at]
            depth += self.mark(at, "(", "[") - self.mark(at, ")", "]")
            if token.kind == "mark" or (token.kind == "line" and not depth):
                ends = ends if token.text and token.text not in ends else ""
            elif token.kind != "name":
                continue
            elif token.text in TELLS:
                ends = TELLS[token.text]
                self.loop(at + 1, token.text)
            elif ends in NO_NAMES:
                ends = ends if token.text not in ("in", "of") else ""
            elif ends or self.changed(at, depth):
                self.set(token.text, self.size)
            elif self.mark(at + 1, "=") and not self.mark(at + 2, "=", "~") and not (depth and self.language in NAMED):
                self.set(token.text, at + 2)

    def changed(self, at: int, depth: int) -> bool:
        """A name is set to something else than what stands behind a `=` right behind it."""
        listed = self.language == "python" and not depth and (self.mark(at + 1, ",") or self.mark(at - 1, ","))
        arrow = any(self.mark(one, "=") and self.mark(one + 1, ">") for one in (at + 1, at + 2))
        return listed or arrow or (self.mark(at + 1, *CHANGES) and self.mark(at + 2, "="))

    def loop(self, at: int, word: str) -> None:
        """`for a in x`, `for (const a of x)`: a name holds what is found in another value."""
        found: list[str] = []
        while word == "for" and (self.tokens[at].kind == "name" or self.mark(at, ",", "(")):
            if self.tokens[at].text in TELLS:
                return
            if self.tokens[at].text in ("in", "of"):
                self.loops.add(at + 1)
                for one in found:
                    walks = self.tokens[at + 1].text == "os.walk"
                    self.set(one, at + 1 if one == found[0] else -1 if walks else self.size)
                return
            found += [self.tokens[at].text] if self.tokens[at].text not in FILLS else []
            at += 1

    def set(self, name: str, at: int) -> None:
        held = self.held.setdefault(name.lstrip("$"), [])
        held.append(at)
        if self.tokens[at].kind == "name" and not self.mark(at + 1, "(") and len(held) < MANY:
            self.names.setdefault(name.lstrip("$"), []).append(self.tokens[at].text)

    def full(self, name: str) -> list[str]:
        """What a name may stand for: itself, and what was imported or set as it."""
        found = [name]
        for one in found:
            head, dot, rest = one.partition(".")
            held = [text_of(self.holds(one))] if one[:1] == "$" else []
            found += [f"{more}{dot}{rest}" for more in (*self.names.get(head.lstrip("$"), ()), *held)]
            if len(found) > MANY:
                break
        return found

    def holds(self, name: str) -> object:
        """What a name holds; where it is set to several texts, a tuple of them."""
        name = name.lstrip("$")
        if name not in self.known:
            self.known[name] = UNKNOWN
            found = [SOME if at < 0 else self.set_to(at) for at in self.held.get(name, ())[: MANY + 1]]
            told = [one for one in found if isinstance(one, str) and UNKNOWN not in one]
            if found:
                self.known[name] = found[0] if not found[1:] else tuple(told) if told == found[:MANY] else UNKNOWN
        return self.known[name]

    def set_to(self, begin: int) -> object:
        """The value that stands here, where it is not one of several."""
        value, at = self.value(begin)
        behind = at + (self.tokens[at].kind == "line")
        several = self.mark(behind, *CHANGES) or self.tokens[at].text in SEVERAL
        return UNKNOWN if several and begin not in self.loops else value

    # --- what stands there -----------------------------------------------------------------------------------------

    def stops(self, at: int, end: str) -> bool:
        """Here the values end: at a bracket, or, with `end` "", with the statement."""
        token = self.tokens[at]
        return self.mark(at, end) if end else token.kind == "line" or (token.kind != "text" and token.text in STOPS)

    def listed(self, at: int, end: str, depth: int) -> tuple[list[object], int]:
        """Values divided by commas, and the place behind them. What has a name at the top of a call goes to `told`."""
        found: list[object] = []
        while at < self.size and not self.stops(at, end):
            token = self.tokens[at]
            if token in (COMMA, END):
                at += 1
                continue
            named = token.kind == "name" and self.mark(at + 1, ":", "=") and not self.mark(at + 2, "=", ">")
            value, at = self.value(at + 2 * named, end, depth)
            if named and depth == (end == "}"):
                self.told[token.text] = value
            else:
                found.append(value)
        return found, at + bool(end)

    def value(self, at: int, end: str = "", depth: int = 0, until: int = 0) -> tuple[object, int]:
        """What stands here up to a comma or an end, as one text or the list in it, and the place behind it."""
        made: object = None
        behind = ""
        while at < (until or self.size) and self.tokens[at] != COMMA and not self.stops(at, end):
            token = self.tokens[at]
            if token.kind == "line" or (token.kind == "mark" and token.text not in OPENS):
                behind += token.text
                at += 1
                continue
            part, at = self.primary(at, depth, made if behind == "." else None)
            if token.kind == "name" and token.text in KEPT and behind in ("", "."):
                behind = ""
            else:
                made = part if made is None else self.joined(made, behind, token, part)
                behind = ""
        return UNKNOWN if made is None or behind else made, at

    def joined(self, made: object, mark: str, token: Token, part: object) -> object:
        """Two values with a mark between them; one that we do not know makes of them what nobody knows."""
        if mark == "." and token.kind == "name" and self.language not in POINTED:
            return made if isinstance(made, list) else part  # what a method gives
        if isinstance(made, list) and isinstance(part, list):
            return made + part if mark == "+" else UNKNOWN
        if isinstance(part, list):
            return made if token.text == "{" else UNKNOWN  # a part of it, or what it gives
        if mark == "/" and self.language == "python":
            return joined(text_of(made), text_of(part))
        return text_of(made) + text_of(part) if mark in ("", "+", ".", "..") else UNKNOWN

    def primary(self, at: int, depth: int, base: object = None) -> tuple[object, int]:
        """The name, text or bracket that stands here, and the place behind it; `base`: what it is a method of."""
        token, name = self.tokens[at], self.tokens[at].text
        self.steps += 1
        if self.steps > STEPS:
            raise Unreadable("a program longer than we follow")
        if token.kind == "text":
            return name, at + 1
        if self.mark(at, *OPENS) and depth <= DEEP:
            found, after = self.listed(at + 1, PAIRS[name], depth + 1)
            if name == "{":
                return next((one for one in found if isinstance(one, list)), UNKNOWN), after
            return (found[0] if name == "(" and len(found) == 1 else found), after
        if token.kind != "name" or depth > DEEP:
            return UNKNOWN, at + 1
        if self.mark(at + 1, "("):
            args, after = self.listed(at + 2, ")", depth + 1)
            owner, _, tail = name.rpartition(".")
            of_held = base is None and self.held.get(owner)
            return (self.made(tail, args, self.holds(owner)) if of_held else self.made(name, args, base)), after
        return self.named(name), at + 1

    def named(self, name: str) -> object:
        """What a name gives that is not called."""
        home = self.job.scene.value("HOME") or UNKNOWN
        return home if name in HOMES else STANDS.get(name) or self.holds(name)

    def made(self, name: str, args: list[object], base: object = None) -> object:
        """What a call gives, as far as it only makes a text."""
        home = self.job.scene.value("HOME") or UNKNOWN
        if base is not None and name in METHODS:
            return joined(text_of(base), SEARCHES.get(name, str)(text_of(args[0] if args else "*")))
        for one in self.full(name):
            if one in HOMES:
                return home
            if one in JOINS and len(args) == 1 and isinstance(args[0], list):
                return args[0]
            if one in JOINS and args:
                path = ""
                for text in args:
                    path = joined(path, text_of(text))
                return home + path[1:] if path[:2] == "~/" or path == "~" else path
            if one in SEARCHES:
                return SEARCHES[one](text_of(args[0] if args else "."))
        return args if name == "c" else UNKNOWN

    def opening(self, at: int) -> int:
        """The place of the bracket that is closed here; of what else stands here, this one."""
        depth = 0
        for place in range(at, max(at - FAR, -1), -1):
            depth += self.mark(place, *CLOSES) - self.mark(place, *OPENS)
            if not depth:
                return place
        return at

    def receiver(self, at: int, name: str) -> object:
        """What the method of this name is called on that stands here."""
        owner, begin = name.rpartition(".")[0], at
        if owner:
            return self.named(owner) if not self.mark(at - 1, ".") else UNKNOWN
        while self.mark(begin - 1, ".") and max(1, at - FAR) < begin:
            begin = self.opening(begin - 2)
            begin -= self.mark(begin, "(", "[") and self.tokens[begin - 1].kind == "name"
        return self.value(begin, until=at - 1)[0]
