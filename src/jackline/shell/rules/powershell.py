"""PowerShell: what its commands do. What we do not know by name is not understood."""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.programs import home
from jackline.shell.rules.powershell_names import ALIASES, CALLS, ENDS, HARMLESS, KEYWORDS, LOOKS, NOUNS, SAFE_TYPES
from jackline.shell.rules.powershell_text import BREAKS, HELD, NOTHING, SETS, Lexer, Token, assignments, globbed, plain
from jackline.shell.rules.windows import ACTS, Told, act
from jackline.shell.shell_state import SOME, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


DEEP = 24
STEPS = 2_000
SEVERAL = (";", "\n", "(", ")", "{", "|", "&&")
"""Where one of these stands, another command may have set what a word holds."""
PIPE = Token("op", "|")

MAKES = frozenset("$`(){}|%*?@")
"""Where one of these stands, words may come from something else."""


PATHS = ("join-path ", "split-path ", "resolve-path ", "test-path ", "-not ", "!", "$", ")")
"""How a group begins that reads nothing into a path."""

_SET = "_ ? ^ args input this matches error lastexitcode foreach switch event psitem ofs"
SELF_SET = frozenset(_SET.split())
MADE = {
    **dict.fromkeys(("new-temporaryfile", "[io.path]::gettempfilename()"), f"/tmp/tmp{SOME}"),
    "[guid]::newguid()": f"{SOME}guid",
    "[io.path]::gettemppath()": "/tmp/",
}
"""What calls give whose names are all that is known of it."""


def _is_own(name: str) -> bool:
    """PowerShell sets it by itself, or it is the environment's."""
    return name in SELF_SET or name.endswith("preference") or name[:2] in ("ps", "is") or ":" in name


class Reader:
    """One text of PowerShell, walked statement by statement."""

    def __init__(self, job: Job, text: str, alone: bool) -> None:
        self.job = job
        self.aliases = dict(ALIASES)
        self.variables: dict[str, str] = {}
        self.sets = assignments(text)
        self.dark = any(one in "\n" + text.lower() for one in SETS)
        several = any(one in text.strip().rstrip(";") for one in SEVERAL)
        self.unset = NOTHING if alone and not self.dark and not several else UNKNOWN
        self.depth = 0
        self.steps = 0
        self.handed: str | None = ""  # the text that comes through the pipeline, None for what nobody knows

    # --- values ----------------------------------------------------------------------------------------------------

    def value(self, name: str) -> str:
        """What a variable holds. What it is not told by this text is the person's."""
        name = plain(name)
        if name in HELD:
            return HELD[name].replace("~", self.job.scene.value("HOME") or UNKNOWN)
        known = self.variables.get(name, UNKNOWN)
        if known != UNKNOWN:
            return known
        self.job.lent = self.job.lent and name not in self.sets and name not in SELF_SET
        return UNKNOWN if name in self.sets or _is_own(name) else self.unset

    def hold(self, name: str, tokens: list[Token]) -> None:
        """A statement sets a variable: known where no other does, and it is run once."""
        name = plain(name)
        if self.depth == 1 and self.sets.get(name) == 1 and not self.dark and not _is_own(name):
            self.variables[name] = self.made(tokens)

    def made(self, tokens: list[Token]) -> str:
        """The text that an expression makes, as far as it can be told."""
        first = tokens[0] if tokens else Token("op", "")
        if len(tokens) == 1 and first.kind == "group":
            return self.grouped(first.text)
        name = first.text.lower().replace("[system.", "[")
        if len(tokens) == 1 and first.kind == "word":
            return MADE.get(name, first.text if first.whole else UNKNOWN)
        if name != "join-path":
            return UNKNOWN
        parts = [one for one in tokens[1:] if one.kind != "op" and (one.quoted or one.text[:1] != "-")]
        return "/".join(one.text if one.kind == "word" else self.grouped(one.text) for one in parts)

    def grouped(self, text: str) -> str:
        try:
            return self.made(list(Lexer(text, self.value, lambda inner: None).tokens()))
        except Unreadable:
            return UNKNOWN

    # --- structure -------------------------------------------------------------------------------------------------

    def inner(self, text: str) -> list[str] | None:
        """Walk what is put into a word."""
        paths = self.run(text)
        self.job.lent = self.job.lent and text.lower().lstrip("( ").startswith(PATHS)
        return paths

    def run(self, text: str) -> list[str] | None:
        """Walk a text. Returns the paths that its last pipeline hands on, None when nobody knows."""
        self.depth += 1
        self.steps += 1
        if self.depth > DEEP or self.steps > STEPS:
            raise Unreadable("more than we follow")
        around, self.job.lent = self.job.lent, True
        stages: list[list[Token]] = [[]]
        paths: list[str] | None = None
        for token in Lexer(text, self.value, self.inner).tokens():
            if token.kind == "op" and token.text in BREAKS:
                self.pipeline(stages)
                stages, self.job.lent = [[]], True
            elif token == PIPE:
                stages.append([])
            else:
                stages[-1].append(token)
        paths = self.pipeline(stages)
        self.job.lent = around
        self.depth -= 1
        return paths

    def pipeline(self, stages: list[list[Token]]) -> list[str] | None:
        fed: list[str] | None = []
        for stage in stages:
            fed = self.stage(stage, fed)
            self.handed = _text(stage)
        self.handed = ""
        return fed

    def stage(self, tokens: list[Token], fed: list[str] | None, called: bool = False) -> list[str] | None:
        """One command. `fed`: paths that come through the pipeline, None for what nobody knows; `called`: by `&`."""
        tokens = self.redirected(tokens)
        while tokens and tokens[0].kind == "word" and tokens[0].text.lower() in KEYWORDS and not tokens[0].quoted:
            tokens = tokens[1:]
        if not tokens:
            return []
        first, second = tokens[0], tokens[1].text if tokens[1:] and tokens[1].kind == "word" else ""
        if first.kind == "set":
            self.hold(first.text, tokens[1:])
            return self.stage(tokens[1:], fed)
        if first.kind in ("group", "block", "table"):
            paths = self.run(first.text) if first.kind != "table" or "{" in first.text else None
            method = second.lower()
            if method.startswith((".delete(", ".invoke", ".create")):
                self.calls(method)
            return self.stage(tokens[1:], fed) if len(tokens) > 1 and method[:1] != "." else paths
        if first.kind == "op" or first.text == ".":
            return self.stage(tokens[1:], fed, first.text in ("&", "."))
        if second in ("=", "+=") or (first.text == UNKNOWN and second == "in"):
            return self.stage(tokens[2:], fed)
        if first.text.endswith("="):
            return self.stage(tokens[1:], fed)
        for token in tokens[1:]:
            if token.kind == "block":
                self.run(token.text)
            elif token.kind == "group":
                self.inner(token.text)
        return self.command(first.text, tokens[1:], fed, first.quoted and not called, called)

    def redirected(self, tokens: list[Token]) -> list[Token]:
        kept: list[Token] = []
        for before, token in zip([PIPE, *tokens], tokens, strict=False):
            if before.kind == "redirect" and token.kind == "word" and token.text:
                self.job.add("write", globbed(token.text), ">")
            elif "redirect" not in (before.kind, token.kind):
                kept.append(token)
        return kept

    # --- commands --------------------------------------------------------------------------------------------------

    def command(
        self, word: str, rest: list[Token], fed: list[str] | None, quoted: bool, called: bool
    ) -> list[str] | None:
        if not word:
            return []  # nothing is run
        name = word.rpartition("\\")[2].rpartition("/")[2].lower().removesuffix(".exe")
        if word[:1] == "[" or "::" in word or quoted or word[:1].isdigit() or UNKNOWN in word:
            self.calls(word)
            if called and UNKNOWN in word:
                self.job.fault("PowerShell runs a command that only it knows", act="code.unknown")
            return None
        told = Told(rest, self.grouped)
        name = name if word.lower().endswith(".exe") else self.aliases.get(name, name)
        own = self.own([name, *told.words], None if fed is None else "")
        if name in ACTS or name in OWN:
            self.note(own)
            if not told.operands and not {"path", "literalpath", "filepath"} & set(told.parameters):
                told.operands = [UNKNOWN] if fed is None else list(fed)
                own.lent = own.lent and fed is not None
            if name in OWN:
                OWN[name](self, own, told)
            elif "whatif" not in told.parameters:
                act(own, told, name)
            return None
        if name in ("get-childitem", "get-item", "resolve-path"):
            return self.listed(own, told, name == "get-childitem")
        if name in ("set-alias", "new-alias"):
            pair = [*told.parameters.get("name", []), *told.parameters.get("value", []), *told.operands]
            self.aliases.update([(pair[0].lower(), pair[1].lower())] if len(pair) > 1 else [])
        verb, dash, noun = name.partition("-")
        looks = name in HARMLESS or (dash and verb in LOOKS and not told.writes())
        if "whatif" in told.parameters:
            return None
        if noun in NOUNS and not looks:
            own.note("privilege", f"{name} changes the machine", act=NOUNS[noun])
            if noun == "process":
                self.note(own, not told.operands)
        elif looks:
            self.note(own)
            return fed if name in ("where-object", "sort-object", "select-object") else None
        elif noun and verb in ENDS:
            own.fault(f"{word} takes away or hands out what we do not know")
        else:
            self.foreign(name, [*told.words, *([] if home(name) else told.texts)])
        return None

    def own(self, words: list[str], feed: str | None) -> Job:
        """The call of one command."""
        own = self.job.inside(words)
        own.sure, own.lent = self.job.sure, self.job.lent
        own.wrappers, own.feed = (*self.job.wrappers, self.job.name), feed
        return own

    def note(self, own: Job, fed: bool = False) -> None:
        """The command is on the list of what was found."""
        from jackline.shell.model import Command

        words = tuple(map(shown, own.words))
        walk = self.job.walk
        chain = (*walk.chain, *own.wrappers)
        walk.commands.append(Command(words, own.name, wrappers=chain, cwd=own.scene.cwd, fed=fed))

    def foreign(self, name: str, words: list[str]) -> None:
        """A program that is none of PowerShell's: git, npm, another shell."""
        # An argument that holds nothing is none.
        self.job.walk.call(self.own([name, *(one.replace("\\", "/") for one in words if one)], self.handed))

    def listed(self, own: Job, told: Told, items: bool) -> list[str]:
        """What `Get-ChildItem` hands on: paths."""
        self.note(own)
        if len(told.operands) == 2 and not told.lists and not {"path", "literalpath", "filter"} & set(told.parameters):
            told.parameters["filter"] = [told.operands.pop()]  # the second operand
        bases = [one or "." for one in told.paths()] or ["."]
        own.all("read", bases, "lists it", deep=told.deep())
        if not items:
            return bases
        names = told.values("filter", "include") or ["\1"]
        middle = f"/{UNKNOWN}/" if told.deep() else "/"
        return [base if "\1" in base else f"{base.rstrip('/')}{middle}{name}" for base in bases for name in names]

    def evaluate(self, own: Job, told: Told) -> None:
        for text in told.parameters.get("command") or told.operands or [UNKNOWN]:
            if UNKNOWN in text or own.feed is None:
                own.fault("Invoke-Expression runs text that only PowerShell knows", act="code.unknown")
            else:
                self.run(text)

    def start(self, own: Job, told: Told) -> None:
        words = [*told.parameters.get("filepath", []), *told.operands]
        program = "".join(words[:1]).replace("\\", "/").removesuffix(".exe")
        args = [*told.parameters.get("argumentlist", []), *words[1:]]
        if "runas" in [one.lower() for one in told.parameters.get("verb", [])]:
            own.note("privilege", "runs it as an administrator", act="as-other" if args else "root-shell")
        if program:
            self.foreign(program, [part for one in args for part in one.split()])

    def calls(self, word: str) -> None:
        """`[Type]::Method(…)`: what the classes of .NET do to files, and what nobody knows."""
        lower = word.lower().replace("[system.", "[")
        call = next((one for one in CALLS if one in lower), "")
        kind, _, deep = CALLS.get(call, "").partition(":")
        behind = word[lower.find(call) + len(call) + len(word) - len(lower) :].lstrip("(")
        texts = [one.strip(" \t\n'\"") for one in (behind.rpartition(")")[0] or behind.strip("()")).split(",")]
        if kind == "code":
            self.job.fault("PowerShell runs text that it makes itself", act="code.unknown")
        elif kind == "network":
            self.job.note("network", "PowerShell downloads something")
        elif kind == "run":
            self.job.run([one for one in texts if one])
        elif kind:
            path = globbed(texts[0]) if texts[0] and "$" not in texts[0] else UNKNOWN
            self.job.add(kind, path, "PowerShell names it", deep=deep != "")  # type: ignore[arg-type]
        elif "::" in lower and "(" in lower and not lower.startswith(SAFE_TYPES):
            self.job.fault("PowerShell calls a class that we do not know")


OWN: dict[str, Callable[[Reader, Job, Told], None]] = {
    "invoke-expression": Reader.evaluate,
    "start-process": Reader.start,
}
"""Commands that run something."""


def _text(stage: list[Token]) -> str | None:
    """What a stage of a pipeline hands on, where it is a text that stands there: a string, several, or echoed ones."""
    said = stage[1:] if stage and stage[0].text.lower() in ("echo", "write", "write-output") else stage
    whole = (len(said) == 1 and " " in said[0].text) or all(
        one.quoted or one.kind in ("group", "op") or one.text == "," for one in said
    )
    lines = [one.text.strip("'\"") for one in said if one.kind in ("word", "group") and one.text != ","]
    return "\n".join(lines) if whole and UNKNOWN not in "".join(lines) else None


LONGEST = 131_072


def powershell(job: Job, text: str, alone: bool = False) -> None:
    """Report what a text of PowerShell does; `alone`: in a shell of its own, in which nobody has set any variable."""
    if len(text) > LONGEST:
        job.fault(f"PowerShell longer than {LONGEST} characters")
        return
    made = job.again(job.scene.fork())
    made.sure = made.sure and MAKES.isdisjoint(text)
    try:
        Reader(made, text, alone).run(text)
    except (Unreadable, RecursionError) as fault:
        job.fault(f"PowerShell that we cannot read: {fault}")
