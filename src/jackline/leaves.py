"""What the texts in an input may mean, where nobody knows the tool: commands, code and paths, however deep they stand.

Keys and tool names never waive anything. They only say more: that a text is run, or in which language it is written.
"""

from __future__ import annotations

from jackline._record import of
from jackline.jsonio import loads
from jackline.paths import link, path_of_address, plain, resolve, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from jackline.model import Event
else:
    from jackline._record import NamedTuple

_RUNS = (
    "command commands cmd cmds cmdline commandline script scripts run runs exec execute shell bash sh zsh terminal "
    "powershell pwsh code eval evaluate stdin keys argv spawn program task steps"
)
RUNS = frozenset(_RUNS.split())
"""Words in a key by which its text is run as it stands, or in a tool's name."""

MANY = frozenset(["commands", "cmds", "scripts", "steps", "tasks", "runs"])
"""Words in a key by which each text of a list is run by itself."""

LANGUAGES = {
    "python": "python python2 python3 py ipython jupyter pyodide",
    "node": "node nodejs javascript js typescript ts deno bun browser page playwright puppeteer",
    "ruby": "ruby rb",
    "perl": "perl",
    "php": "php",
    "powershell": "powershell pwsh",
    "cmd": "bat",
    "sql": "sql db database postgres postgresql psql mysql mariadb sqlite duckdb clickhouse snowflake bq supabase",
}
"""Words in keys, tool names and short values beside a text that say in which language it is written."""

CODE = {
    "python": ("import ", "from ", "def ", "print(", "exec(", "eval(", "__import__(", "open(", "with open(", "%", "!"),
    "node": ("const ", "let ", "var ", "require(", "function", "async ", "await ", "(", "process."),
}
"""How a text of a language begins, where nothing else says which it is."""

PATCH = "*** Begin Patch"
DIFFS = ("--- ", "diff --git ", "Index: ")
OPENS = ("{", "[")
SIGNS = ("/", "~", ".")
"""How a patch, a document of JSON, and a path begin."""

ARGUMENTS = ("args", "arguments", "arg", "params", "flags", "options")

ACTS = ("Delete", "Terminate", "Destroy", "Purge", "Drop", "Remove")
"""How the acts of a service's interface begin that take something away: `DeleteBucket`, in one word."""
DELETES = ("delete", "drop", "terminate", "reset", "wipe", "flush")
_GIVES = "publish unpublish refund payout transfer charge withdraw bulk"
GRAVE = frozenset([*DELETES, *_GIVES.split(), "destroy", "purge", "truncate"])
"""Words in a tool's name by which something elsewhere is gone, everybody gets it, or somebody is paid."""

LONGEST, DEEPEST, MOST = 4096, 60, 20_000
"""Characters of a path, depth of an input, and texts of it that are looked at; what holds more is not read."""

BREAKS = ";&|({"
"""Behind these a command may begin."""


class Leaf(NamedTuple):
    """`kind`: `path`; `command`, run as it stands; `text`, which reads as a command or as code; `verb`, the words of a
    tool's name, with those beside it; `more`, not looked at.

    `language` is "" for a shell's. A path is absolute with links resolved.
    """

    kind: str
    text: str
    language: str = ""


def _parts(name: str) -> list[str]:
    """The words of a key or of a tool's name, lower case: `runCommand`, `run_command`, `run-command`."""
    out = ""
    for char in name:
        if char.isalnum():
            out += " " + char if char.isupper() and out[-1:].islower() else char
        else:
            out += " "
    return out.lower().split()


def _language(*names: str) -> str:
    parts = {part for name in names for part in _parts(name)}
    return next((name for name, words in LANGUAGES.items() if not parts.isdisjoint(words.split())), "")


def _is_program(word: str) -> bool:
    """A program that we know, by its name or as a path that ends in it. A sentence begins with a capital letter."""
    if "://" in word or (word[:1].isupper() and "-" not in word):
        return False
    from jackline.shell.programs import is_program

    return is_program(word.strip("'\"\\").rpartition("/")[2])


def _begins(piece: str) -> bool:
    """A program that we know stands first, behind assignments, with words behind it."""
    words = piece.split(None, 8)
    while words and "=" in words[0][1:] and words[0][:1].isalpha():
        words.pop(0)
    return len(words) > 1 and _is_program(words[0])


def _reads_as_command(text: str) -> bool:
    """It begins as a command does, or stands in one line in which a command begins."""
    lines = [line for line in text.split("\n") if line.strip() and line.lstrip()[:1] != "#"]
    if not lines:
        return False
    if _begins(lines[0]):
        return True
    for char in BREAKS:
        lines[0] = lines[0].replace(char, "\n")
    return len(lines) == 1 and any(map(_begins, lines[0].split("\n")))


def _quoted(words: list[str]) -> str:
    return " ".join(["'" + word.replace("'", "'\\''") + "'" for word in words])


class Reader:
    """One input, walked once."""

    def __init__(self, event: Event) -> None:
        self.base = event.cwd or event.root
        self.root, self.home = event.root, event.home
        self.name = _parts(event.tool)
        self.runs = not RUNS.isdisjoint(self.name)
        self.language = _language(event.tool)
        self.found: dict[Leaf, None] = {}
        self.left = MOST

    def add(self, kind: str, text: str, language: str = "") -> None:
        leaf: Leaf = of({"_kind": Leaf, "kind": kind, "text": text, "language": language})
        self.found[leaf] = None

    def path(self, text: str) -> bool:
        """Whether a text is a path; one that nothing can mean harm to is left out."""
        if not text or len(text) > LONGEST or "\n" in text:
            return False
        scheme, mark, rest = text.partition("://")
        if mark and scheme.lower() != "file":
            text = rest if rest[:1] == "/" else ""  # an address of another machine is no place here
        text = path_of_address(text)
        if text[:1] == "$":
            text = text.replace("${HOME}", "~", 1).replace("$HOME", "~", 1)
        if text[:1] not in SIGNS and (" " in text or "/" not in text) and not self.stands(text):
            return False
        full = resolve(self.base, text, self.home)
        if full == "/":
            return False
        if not plain(within(self.root, full)):
            self.add("path", full)
        return True

    def stands(self, text: str) -> bool:
        """A bare name that the folder holds, or that would be a credential's there."""
        return 0 < len(text) < 256 and (not plain(text) or bool(link(f"{self.base}/{text}")))

    def command(self, text: str, key: str, beside: str, with_path: bool) -> None:
        """Take a text for a command or for code, when its key says so or when it reads as one."""
        parts = _parts(key)
        language = _language(key, beside) or self.language
        if language and RUNS.isdisjoint(parts) and not self.runs and (language != "sql" or " " not in text):
            language = ""
        runs = not RUNS.isdisjoint(parts)
        if with_path and not runs and not self.runs and "\n" in text.strip():
            return  # what a file shall hold
        language = language or self.guess(text)
        if runs and (not language or language in ("powershell", "cmd")):
            self.add("command", text, language)
        elif language or _reads_as_command(text) or (self.runs and _is_program(text)):
            self.add("text", text, language)

    @staticmethod
    def guess(text: str) -> str:
        start = text.lstrip()[:64]
        return next((name for name, begins in CODE.items() if start.startswith(begins)), "")

    def leaf(self, text: str, key: str, beside: str, with_path: bool, depth: int) -> None:
        self.left -= 1
        if self.left < 0:
            self.add("more", f"more than {MOST} texts")
            return
        if text.isalnum() and RUNS.isdisjoint(_parts(key)):
            self.path(text)
            return
        if text[:1] in OPENS:
            try:
                self.walk(loads(text), key, beside, depth + 1)
                return
            except (ValueError, RecursionError):
                pass  # a text that begins like that
        if PATCH in text or text.startswith(DIFFS):
            from jackline.patches import patched_files

            for one in patched_files(text):
                self.path(one)
        self.path(text)
        self.command(text, key, beside, with_path)

    def walk(self, value: Any, key: str = "", beside: str = "", depth: int = 0) -> None:
        if depth > DEEPEST:
            self.add("more", f"more than {DEEPEST} levels")
            return
        if type(value) is str:
            self.leaf(value, key, beside, False, depth)
        elif type(value) is list:
            if _is_vector(value) and (_is_program(value[0]) or not RUNS.isdisjoint(_parts(key))):
                self.add("text", _quoted(value))
                key = key if MANY.intersection(_parts(key)) else ""  # else its words are no commands by themselves
            for one in value:
                self.walk(one, key, beside, depth + 1)
        elif type(value) is dict:
            self.object(value, key, depth)

    def object(self, value: dict[str, Any], key: str, depth: int) -> None:
        texts = {name: one for name, one in value.items() if type(one) is str}
        beside = " ".join([one for one in texts.values() if len(one) < 16])
        paths = {name for name, one in texts.items() if self.path(one)}
        bare = [one for one in texts.values() if " " not in one]
        for one in bare:
            self.called(one, value)
            for name in paths:
                if not plain(f"{texts[name]}/{one}") and one is not texts[name]:
                    self.path(f"{texts[name]}/{one}")  # a folder, and what lies in it
        for one in self.name:
            self.called(one, value, False)
        for name, held in value.items():
            if "/" in name or name[:1] in SIGNS:
                self.path(name)
            if type(held) is str:
                self.leaf(held, name, beside, bool(paths - {name}), depth)
            else:
                self.walk(held, name or key, beside, depth + 1)

    def called(self, program: str, value: dict[str, Any], anywhere: bool = True) -> None:
        """A program by its name, and its words beside it."""
        for name, held in value.items():
            if anywhere and _is_words(held):
                words = _quoted(held)
            elif type(held) is str and held is not program and any(part in ARGUMENTS for part in _parts(name)):
                words = held
            else:
                continue
            if _is_program(program):
                self.add("text", f"{program} {words}")


def _is_words(value: Any) -> bool:
    return type(value) is list and bool(value) and all(type(one) is str for one in value)


def _is_vector(value: list[Any]) -> bool:
    """A program and its words, each apart."""
    return len(value) > 1 and _is_words(value) and " " not in value[0]


def _is_act(value: Any) -> bool:
    return type(value) is str and value.startswith(ACTS) and value.isalnum() and not value[1:].islower()


def leaves(event: Event) -> tuple[Leaf, ...]:
    """What a tool's input holds that a guard should look at; paths that are plainly the project's own are left out."""
    if event._leaves is not None:
        return event._leaves
    reader = Reader(event)
    for target in event.targets:
        reader.path(target)
    if event.command:
        reader.add("command", event.command)
    reader.walk(event.input)
    if not GRAVE.isdisjoint(reader.name):
        name = ["delete" if one in DELETES else one for one in reader.name]
        reader.add("verb", " ".join([*name, *map(str, event.input.values())])[:LONGEST])
    elif {"prod", "production"}.intersection(one for one in event.input.values() if type(one) is str):
        reader.add("verb", f"{' '.join(reader.name)} prod"[:LONGEST])
    elif any(map(_is_act, event.input.values())):
        reader.add("verb", "delete")
    event._leaves = tuple(reader.found)
    return event._leaves
