"""Programs of other languages given as text: calls with literal arguments that touch files, run commands, or send.

One reader for all: strings, names, brackets. What it cannot follow is not known (`UNKNOWN`), never taken for harmless
where a command would be run.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.call_table import DOES, Acts, text_of, texts_of
from jackline.shell.rules.calls_text import PAIRS, Token, tokens_of
from jackline.shell.rules.python_values import CALLED
from jackline.shell.rules.wrapping import leads, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.command_call import Job


READ = ("python", "node", "perl", "ruby", "php")
"""Languages of which we know most calls."""
BRACKETS = ("node", "php", "rscript", "julia", "awk", "python")
"""Languages in which a call needs brackets."""

CALLERS = ("array_map", "array_walk", "call_user_func", "call_user_func_array", "usort", "array_filter")
_KEPT = "toString trim to_s strip chomp freeze resolve decode new my our local await return"
KEPT = frozenset(_KEPT.split())
"""Names that change nothing of the text before or behind them."""
HOMES = frozenset(["homedir", "os.homedir", "Dir.home", "process.env.HOME", "$ENV{HOME}", "path.expand"])
ENVIRONMENTS = frozenset(["process.env", "Deno.env.toObject", "ENV.to_h", "ENV.to_a", "ENV.inspect", "%ENV", "$_ENV"])
JOINS = frozenset(["join", "path.join", "path.resolve", "resolve", "File.join", "file.path", "Path.join", "catfile"])
DEEP = 12
OPENS = ("[", "(", "{")
ANEW = frozenset(["join", "homedir"])
STOPS = frozenset([";", ")", "}", "|", "if", "unless", "or", "and", "in", "||"])
"""What ends a call without brackets."""
RM = frozenset(["rm", "fs", "promises", "fsp", "fsPromises", "FileUtils", "f"])
COMMA, END = Token("mark", ","), Token("line", "")


class Reader:
    """The tokens of one program, and what its names hold."""

    def __init__(self, job: Job, tokens: list[Token], language: str) -> None:
        self.job = job
        self.size = len(tokens)
        self.tokens = [*tokens, END, END, END]
        self.language = language
        self.held: dict[str, int | None] = {}
        self.known: dict[str, str] = {}
        self.acts = Acts(job, language, lambda code: calls(job, code, language))
        for at in range(self.size):
            if tokens[at].kind == "name" and self.mark(at + 1, "=") and self.tokens[at + 2].text not in ("=", "~", ">"):
                name = tokens[at].text.lstrip("$")
                self.held[name] = None if name in self.held else at + 2

    def mark(self, at: int, *texts: str) -> bool:
        return self.tokens[at].kind == "mark" and self.tokens[at].text in texts

    def stops(self, at: int, end: str) -> bool:
        """Here the values end: at a bracket, or, with `end` "", with the statement."""
        return self.mark(at, end) if end else self.tokens[at].kind == "line" or self.tokens[at].text in STOPS

    def listed(self, at: int, end: str, depth: int) -> tuple[list[object], int]:
        """Values divided by commas, and the place behind them."""
        found: list[object] = []
        while at < self.size and not self.stops(at, end):
            if self.tokens[at] not in (COMMA, END):
                value, at = self.value(at, end, depth)
                found.append(value)
            else:
                at += 1
        return found, at + bool(end)

    def value(self, at: int, end: str = "", depth: int = 0) -> tuple[object, int]:
        """What stands here up to a comma or an end, as one text or the list in it, and the place behind it."""
        made: object = None
        at += 2 * (self.tokens[at].kind == "name" and self.mark(at + 1, ":"))  # the name that it has
        while at < self.size and self.tokens[at] != COMMA and not self.stops(at, end):
            token = self.tokens[at]
            part, at = self.primary(at, depth)
            if token.text in KEPT or token.kind == "line" or (token.kind == "mark" and token.text not in OPENS):
                continue  # it changes nothing of a text, or stands between two
            if made is None:
                made = part
            elif isinstance(part, list):
                made = made if token.text == "{" else UNKNOWN  # a part of it, or what it gives
            elif not isinstance(made, list):  # `require("path").join(…)` begins anew
                made = text_of(part) if token.text in ANEW else text_of(made) + text_of(part)
        return UNKNOWN if made is None else made, at

    def primary(self, at: int, depth: int) -> tuple[object, int]:
        token, name = self.tokens[at], self.tokens[at].text
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
            return self.made(name, args), after
        held = self.held.get(name.lstrip("$"))
        if name not in HOMES and name not in self.known and held is not None and depth < DEEP:
            return self.value(held, "", depth + 4)[0], at + 1
        return self.known.get(name) or self.made(name, []), at + 1

    def made(self, name: str, args: list[object]) -> object:
        """What a call gives, as far as it only makes a text."""
        texts, scene = [text_of(one) for one in args], self.job.scene
        if name in HOMES:
            return scene.value("HOME") or UNKNOWN
        if name in JOINS and args:
            return CALLED["os.path.join"](list(texts), scene)
        return args if name == "c" else UNKNOWN

    # --- what calls do ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        for at, token in enumerate(self.tokens):
            if token.kind == "run":
                self.job.code(token.text)
            elif token.kind == "text":
                self.literal(at, token.text)
            elif token.kind == "name":
                self.look(at, token.text)
        shown = any(one.kind == "name" and one.text in ENVIRONMENTS for one in self.tokens)
        self.acts.ends(self.acts.sends and shown)

    def literal(self, at: int, text: str) -> None:
        """A text that is a command, in a language of which we know few calls, or the name of a function."""
        told = self.language != "osascript" or self.tokens[at - 2].text == "shell"
        if told and self.language not in READ and text.split()[:1] and leads(text.split()[0]):
            sound(self.job, text)
        elif self.language == "php" and self.mark(at - 1, "(") and self.tokens[at - 2].text in CALLERS:
            self.act(self.meaning(text), [])

    def look(self, at: int, name: str) -> None:
        behind = self.tokens[at + 1]
        what = self.meaning(name)
        held = self.held.get(name[1:]) if name[:1] == "$" and self.mark(at + 1, "(") else None
        if held is not None:
            what = what or self.meaning(text_of(self.value(held)[0]))  # a function by what a variable holds
        if name.rpartition(".")[2] == "$" and behind.kind == "text":
            self.job.code(behind.text)  # a template that a shell runs
        elif what == "code" and self.mark(at - 1, "(", ",") and self.mark(at + 1, ")", ","):
            self.act(what, [])  # handed over, to be called with something
        elif self.mark(at + 1, "("):
            self.act(what, self.listed(at + 2, ")", 0)[0] if what else [])
        elif what and self.language not in BRACKETS and (behind.kind in ("text", "name") or self.mark(at + 1, "[")):
            self.act(what, self.listed(at + 1, "", 0)[0])

    def meaning(self, name: str) -> str:
        """What a call of this name does: by its last two parts, or its last."""
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

    def act(self, what: str, args: list[object]) -> None:
        values: list[list[object]] = [[one] for one in args] or [[UNKNOWN]]
        if what[:6] == "delete":
            values = [args] if args and self.language in ("perl", "ruby") else values
            what = "delete:deep" if self.language == "rscript" else what
        # Below a folder that is written out: a loop over its names.
        self.job.lent = self.job.lent or texts_of(values[0])[0][:1] != UNKNOWN
        self.acts.act(what, values, {})


def _perl_open(reader: Reader) -> None:
    """`open(F, '>', path)`, `open F, "path"`: the mode is the second argument."""
    for at, token in enumerate(reader.tokens):
        if token != ("name", "open"):
            continue
        args = reader.listed(at + 2, ")", 0)[0] if reader.mark(at + 1, "(") else reader.listed(at + 1, "", 0)[0]
        texts = [text_of(one) for one in args][1:]
        mode = texts[0].strip() if texts else ""
        path = texts[1] if len(texts) > 1 else mode.lstrip("<>+ ")
        if mode[:1] == "|" or mode[-1:] == "|" or mode[:2] in ("-|", "|-"):
            reader.job.code(mode.strip("|") if len(texts) == 1 else path)
        elif mode[:1] == ">" or mode[:2] == "+<":
            reader.job.add("write", path, f"{reader.job.name} names it")
        else:
            reader.acts.reads.append(path)


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


def calls(
    job: Job, code: str, language: str, known: dict[str, str] | None = None, tokens: list[Token] | None = None
) -> None:
    """Report what the calls of a program do. `known`: variables that it is given; `tokens`: its words where known."""
    own = job.again(job.scene.fork())
    own.feed = ""
    reader = Reader(own, tokens or tokens_of(code, language), language)
    reader.known = known or {}
    if language in OWN:
        OWN[language](reader)
    reader.run()


OWN = {"perl": _perl_open, "awk": _awk}
"""Languages with statements of their own that open or run something."""


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
