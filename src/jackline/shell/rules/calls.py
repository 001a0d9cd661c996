"""Programs given as text: calls with literal arguments that touch files, run commands, or send.

One reader for all languages: strings, names, brackets. What it cannot follow is not known (`UNKNOWN`), never taken for
harmless where a command would be run.
"""

from __future__ import annotations

from itertools import pairwise

from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.programs import is_program
from jackline.shell.rules.call_table import DOES, text_of, texts_of
from jackline.shell.rules.calls_text import Token, names, tokens_of
from jackline.shell.rules.calls_values import Values
from jackline.shell.rules.wrapping import leads, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


READ = ("python", "node", "perl", "ruby", "php")
"""Languages of which we know most calls."""
BRACKETS = ("node", "php", "rscript", "julia", "awk", "python")
"""Languages in which a call needs brackets."""
HANDED = ("shell", "words", "delete")
"""What is asked about when a call that does it is handed over to be made by others."""
CALLERS = ("array_map", "array_walk", "call_user_func", "call_user_func_array", "usort", "array_filter")
_ENVIRONMENTS = "process.env Deno.env.toObject ENV.to_h ENV.to_a ENV.inspect %ENV $_ENV os.environ"
ENVIRONMENTS = frozenset(_ENVIRONMENTS.split())
ASKED = ("run", "sudo", "local", "rename", "replace", "open")
"""Methods that do something to a file, or run something, when they are told the like of it."""
JOINED = ("perl", "ruby", "php", "emacs", "racket")
"""Languages whose calls for a shell take words, too."""
CARRIES = ("data", "json", "files", "content", "body")


KEYWORDS = (*CARRIES, "cwd", "shell", "env", "mode", "flags", "encoding", "newline")
"""Arguments that are given by their names alone."""
RM = frozenset(["rm", "fs", "promises", "fsp", "fsPromises", "FileUtils", "f"])


class Reader(Values):
    """The calls of one program, and what they do."""

    def __init__(self, job: Job, tokens: list[Token], language: str, known: dict[str, str] | None) -> None:
        super().__init__(job, tokens, language, known)
        self.sends = False
        self.reads: list[str] = []

    def run(self) -> None:
        shown = False
        for at, token in enumerate(self.tokens):
            if token.kind == "run":
                self.job.code(token.text)
            elif token.kind == "text":
                self.literal(at, token.text)
            elif token.kind == "name":
                self.look(at, token.text)
                shown = shown or (token.text in ENVIRONMENTS and not self.mark(at + 1, "[", "."))
        self.ends(shown and (self.sends or self.language == "python"))

    def literal(self, at: int, text: str) -> None:
        """A text that is a command, in a language of which we know few calls, or the name of a function."""
        told = self.language != "osascript" or self.tokens[at - 2].text == "shell"
        if told and self.language not in READ and text.split()[:1] and leads(text.split()[0]):
            sound(self.job, text)
        elif self.language == "php" and self.mark(at - 1, "(") and self.tokens[at - 2].text in CALLERS:
            self.act(self.meaning(text), [], {})

    def look(self, at: int, name: str) -> None:
        behind, python = self.tokens[at + 1], self.language == "python"
        method = python and self.mark(at - 1, ".")
        what = next(filter(None, map(self.meaning, () if method else self.full(name.removesuffix(".__call__")))), "")
        handed = what == "code" or ("." in name and what.partition(":")[0] in HANDED)
        between = self.mark(at - 1, "(", ",", "[") and self.mark(at + 1, ")", ",", "]")
        followed = name[-5:] == "Popen" or (self.mark(at - 1, "=") and behind.text in ("", ";"))
        if name.rpartition(".")[2] == "$" and behind.kind == "text":
            self.job.code(behind.text)  # a template that a shell runs
        elif self.mark(at + 1, "("):
            if what:
                self.act(what, *self.arguments(at + 2, ")"))
            elif python:
                self.method(at, name)
        elif handed and (between or (python and not followed)):
            self.act(what, [], {})  # handed over, or kept under what is no name of ours; `Popen` is a type, too
        elif what and self.language not in BRACKETS and (behind.kind in ("text", "name") or self.mark(at + 1, "[")):
            self.act(what, *self.arguments(at + 1, ""))

    def arguments(self, at: int, end: str) -> tuple[list[object], dict[str, object]]:
        self.told = {}
        return self.listed(at, end, 0)[0], self.told

    def meaning(self, name: str) -> str:
        """What a call of this name does: by its last two parts, or its last; in Python by all of it."""
        if self.language == "python":
            return "code" if name == "exec" else DOES.get(name, "")
        name = name.removesuffix("!")
        parts = name.replace("::", ".").replace("->", ".").split(".")
        node = self.language == "node"
        names = [
            one for whole in (name, ".".join(parts[-2:]), parts[-1]) for one in (whole, whole.removesuffix("Sync"))
        ]
        tail = next((one for one in names if one in DOES), "")
        if tail == "exec" and parts[1:] and node and parts[0] not in ("child_process", "cp", "shell"):
            return ""  # of a pattern
        if not tail and parts[-1] == "rm" and parts[-2:][0] in RM and (node or self.language in ("ruby", "julia")):
            return "delete:deep"
        return DOES.get(tail, "")

    def method(self, at: int, name: str) -> None:
        """A call on a value: a path, a connection, or something that we do not know."""
        tail = name.rpartition(".")[2]
        known = tail in ASKED or f".{tail}" in DOES
        if not known or (tail == name and not self.mark(at - 1, ".")):
            return
        held = self.receiver(at, name)
        args, words = self.arguments(at + 2, ")")
        if tail in ("run", "sudo", "local"):  # of a recipe, of a connection
            if args and is_program(texts_of(args[0])[0].partition(" ")[0]):
                self.act("words", args, words)
        elif tail in ("rename", "replace"):
            if len(args) == 1 and not words and not self.mark(at + 2, "{") and self.tokens[at + 2].text != "lambda":
                self.act("move", [held, *args], words)
        elif tail != "open" or held != UNKNOWN:
            self.act(DOES[f".{tail}"], [held, *args], words)

    def act(self, what: str, args: list[object], words: Mapping[str, object]) -> None:
        """One call. `args`: what each argument is, `words`: those that are given by name."""
        kind, how, behind = (*what.split(":"), "", "")[:3]
        given = [value for name, value in words.items() if name not in KEYWORDS and value != UNKNOWN]
        args = args or given[:1] or [UNKNOWN]
        if kind == "delete" and self.language in ("perl", "ruby"):
            args = [args]
        how = "deep" if kind == "delete" and self.language == "rscript" else how
        # Below a folder that is written out: a loop over its names.
        self.job.lent = self.lent or texts_of(args[0])[0][:1] != UNKNOWN
        args = args[int(behind or 0) :]
        first, second = [texts_of(one) for one in (*args, given, given)][:2]
        job = self.job
        if kind == "open":
            mode = text_of(words.get("mode", args[1] if args[1:] else ""))
            kind = "write" if set(mode) & set("wax+") else "read"
        if kind in ("delete", "write"):
            act = how if how != "deep" else ""
            deep, follow = how == "deep", kind != "delete"
            job.all(kind, first, f"{job.name} names it", deep=deep, follow=follow, act=act)  # type: ignore[arg-type]
        elif kind in ("read", "copy"):
            self.reads += first
        elif kind == "move":
            job.all("delete", first, "moves it away", deep=True, follow=False, act="move")
        elif kind in ("shell", "words"):
            self.start(kind, args, words)
        elif kind == "code":
            for text in first:
                if UNKNOWN not in text:
                    calls(job, text, self.language)
                else:
                    job.fault(f"{job.name} runs text that only it knows", act="code.hidden")
        elif kind == "file":
            job.run(["python3", *first])
        elif kind in ("ask", "send"):
            job.note("network", f"{job.name} talks to {first[0].replace(UNKNOWN, '…')[:80]}")
            carries = len(args) > 1 or not words.keys().isdisjoint(CARRIES)
            self.sends = self.sends or kind == "send" or (carries and how != "look")
        elif kind == "enter":
            job.scene.enter(first[0])
        if kind in ("move", "copy"):
            job.all("write", second, "copies to it" if kind == "copy" else "moves to it", deep=how == "deep")

    def start(self, kind: str, args: list[object], words: Mapping[str, object]) -> None:
        """A command is run: a text for a shell, or words, in a list or one by one."""
        job, told, whole = self.job, [text_of(one) for one in args] or [UNKNOWN], False
        if "cwd" in words:
            job = job.again(job.scene.fork())
            job.scene.enter(text_of(words["cwd"]))
        listed = next((one for one in args if isinstance(one, list)), None)
        if listed is not None:
            told = [*([] if args[0] is listed else told[:1]), *map(text_of, listed)]
            whole = told[:1] != [UNKNOWN]
        elif kind == "words":
            names = {one.rpartition("/")[2] for one in told[:2]}
            told = told[len(told[:2]) - len(names) :]  # `execl` has the name twice
            whole = told[0] != UNKNOWN
        elif told[1:]:
            whole = self.language in JOINED and UNKNOWN not in told
        if told and whole and (told[1:] or " " not in told[0]):
            job.run([*told[0].split(), *told[1:]])
        elif told:
            job.code(None if told[0] == UNKNOWN else told[0])

    def ends(self, environment: bool) -> None:
        """What was read is told at the end, when it is known whether something is sent."""
        act = "send" if self.sends else ""
        if environment:
            self.job.note("read", "prints the environment", act=act)
        for word in self.reads:
            if word != UNKNOWN:
                self.job.add("read", word, f"{self.job.name} reads it", act=act)


def _perl_open(reader: Reader) -> None:
    """`open(F, '>', path)`, `open F, "path"`: the mode is the second argument."""
    for at, token in enumerate(reader.tokens):
        if token != ("name", "open"):
            continue
        bare = not reader.mark(at + 1, "(")
        args = reader.listed(at + 2 - bare, "" if bare else ")", 0)[0]
        texts = [text_of(one) for one in args][1:]
        mode = texts[0].strip() if texts else ""
        path = texts[1] if len(texts) > 1 else mode.lstrip("<>+ ")
        if mode[:1] == "|" or mode[-1:] == "|" or mode[:2] in ("-|", "|-"):
            reader.job.code(mode.strip("|") if len(texts) == 1 else path)
        else:
            reader.act("open", [path, "w" if mode[:1] == ">" or mode[:2] == "+<" else "r"], {})


def _awk(reader: Reader) -> None:
    """`print | "command"`, `"command" | getline`, `print > "file"`."""
    tokens, job, printing, depth, target = reader.tokens, reader.job, False, 0, -1
    job.lent = False
    for at, token in enumerate(tokens[:-1]):
        behind = at + 1 + (tokens[at + 1] == ("mark", "&"))
        if token.kind == "line" or (token.kind == "mark" and token.text in ";{}"):
            if target >= 0:
                job.add("write", str(reader.value(target)[0]), "awk >")
            printing, depth, target = False, 0, -1
        elif token == ("mark", "|") and ("mark", "|") not in (tokens[at + 1], tokens[at - 1]):
            held = reader.value(at - 1 if tokens[behind] == ("name", "getline") else behind)[0]
            own = job.again()
            own.feed = job.feed if tokens[behind] == ("name", "getline") else None
            own.code(None if held == UNKNOWN else str(held))
        elif token == ("mark", ">") and printing and not depth:
            target = at + 1
        if token.kind == "mark" and token.text in "()[]":
            depth += 1 if token.text in "([" else -1
        printing = printing or token in (("name", "print"), ("name", "printf"))
        if token.text in ("|", "@", "getline"):
            job.note("unknown", "an awk program that may write or run anything")


_SYSTEM = "os subprocess shutil builtins pathlib importlib pty posix sys.modules"
SYSTEM = frozenset(_SYSTEM.split())
_GIVES = (
    "getattr vars globals locals sys.modules __import__ importlib.import_module operator.attrgetter "
    "operator.methodcaller"
)
GIVES = frozenset(_GIVES.split())
"""What gives something by its name."""
_HIDDEN = "__builtins__ __globals__ __subclasses__ __code__ __getattribute__ marshal _posixsubprocess ctypes"
HIDDEN = frozenset(_HIDDEN.split())


def _python(reader: Reader) -> None:
    """What a module of the system has by some name, names that are put together, and what lies behind all names."""
    hidden = not HIDDEN.isdisjoint(names(reader.tokens))
    for at, token in enumerate(reader.tokens):
        if token.kind != "name" or not reader.mark(at + 1, "(", "["):
            continue
        full = reader.full(token.text)
        hidden = hidden or any(one.endswith(".__dict__") and one[:-9] in SYSTEM for one in full)
        if GIVES.isdisjoint(full):
            continue
        given = reader.tokens[at + 1 : at + 7]
        known = [more for one in given for more in reader.full(one.text)]
        pieces = any(one.kind == "text" and two.text in ("+", "%") for one, two in pairwise(given))
        hidden = hidden or pieces or not SYSTEM.isdisjoint(known)
    if hidden:
        reader.job.fault(f"{reader.job.name} calls what only it knows", act="code.hidden")


def calls(
    job: Job, code: str, language: str, known: dict[str, str] | None = None, tokens: list[Token] | None = None
) -> None:
    """Report what the calls of a program do. `known`: variables that it is given; `tokens`: its words where known."""
    own = job.again(job.scene.fork())
    own.feed = "" if code == job.feed else job.feed
    try:
        reader = Reader(own, tokens or tokens_of(code, language), language, known)
        if language in OWN:
            OWN[language](reader)
        reader.run()
    except Unreadable as fault:
        job.fault(f"{job.name} runs {fault}")


OWN = {"perl": _perl_open, "awk": _awk, "python": _python}
"""Languages with statements of their own that open or run something, or hide what they call."""


# --- names that are put together

TEXT = r"""(?:'[^'\s]{0,24}'|"[^"\s]{0,24}")"""
MODULES = r"['\"](?:node:)?(?:child_process|fs|vm|process|module|worker_threads)['\"]"
HOLDERS = rf"\b(?:globalThis|global|window|process|module|os|io|_G|_ENV|package|debug|require\s*\(\s*{MODULES}\s*\))"
BY_NAME = r"(?:send|__send__|public_send|method|instance_method|const_get)\s*\(?\s*"

PATTERNS = (
    rf"{TEXT}\s*(?:\+|\.\.?)\s*{TEXT}|{HOLDERS}\s*\[\s*[^'\"\]\s]",
    r"\bReflect\s*\.\s*(?:get|apply|construct)\b|\bmainModule\b|\bconstructor\s*\.\s*(?:constructor|_load)\b",
    r"\bprocess\s*\.\s*(?:binding|_linkedBinding|dlopen)\b|->\s*can\s*\((?:\s*(?![)'\"])|[^)]*\)\s*->)",
    rf"\b{BY_NAME}:?['\"]?(?:system|exec|eval|spawn|fork|`|instance_eval)\b|(?<![.\w])method\s*\(\s*[a-z_]",
    rf"\b(?:Kernel|Object|Process|IO|File|FileUtils)\.{BY_NAME}[a-z_]|\bcall_user_func(?:_array)?\s*\(\s*\$",
)
"""Short texts that are joined, and what takes something by a name that does not stand there, in texts that are too
short to do so by accident."""


def hides(code: str) -> bool:
    """A program in a language that is skimmed puts together what it calls."""
    search = __import__("re").search  # no plain event comes here
    computed = search(MODULES, code) and search(r"\w\s*\[\s*[^'\"\]\s\d][^\]]*\]\s*\(", code)
    return bool(computed) or any(search(one, code) for one in PATTERNS)
