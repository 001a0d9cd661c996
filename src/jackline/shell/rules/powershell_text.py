"""The words of PowerShell: statements, pipelines, blocks; strings with what is put in, and what variables hold."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.scene import ACTIVE, SOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from jackline.shell.scene import Scene
else:
    from jackline._record import NamedTuple

SPACE = " \t\r"
BREAKS = frozenset(" \t\r\n;|&(){},<>\"'")


class Token(NamedTuple):
    """`word` (text; `quoted`: no number or name of a parameter), `block` or `group` (their text), `op`, `redirect`."""

    kind: str
    text: str
    quoted: bool = False


class Lexer:
    """Cuts a text into tokens. `value`: what a variable holds; `inner`: told of every `$(…)` in a string."""

    def __init__(self, text: str, value: Callable[[str], str], inner: Callable[[str], None]) -> None:
        self.text = text
        self.value = value
        self.inner = inner
        self.at = 0

    def closing(self, at: int) -> int:
        """The place of the bracket that closes the one here."""
        text, level = self.text, 0
        while at < len(text):
            char = text[at]
            if char in "({":
                level += 1
            elif char in ")}":
                level -= 1
                if not level:
                    return at
            elif char == "`":
                at += 1
            elif char == "'":
                at = self.end_of(at, "'")
            elif char == '"':
                at = self.end_of(at, '"')
            elif char == "#" and (not at or text[at - 1] in " \t\n;{("):
                end = text.find("\n", at)
                at = end - 1 if end > 0 else len(text)
            at += 1
        raise Unreadable("no closing bracket")

    def end_of(self, at: int, quote: str) -> int:
        """The place of the quote that ends the string which begins here."""
        text, at = self.text, at + 1
        while at < len(text):
            if text[at] == quote:
                if text[at + 1 : at + 2] != quote:
                    return at
                at += 1
            elif text[at] == "`" and quote == '"':
                at += 1
            elif text.startswith("$(", at) and quote == '"':
                at = self.closing(at + 1)
            at += 1
        raise Unreadable("no closing quote")

    def variable(self, at: int) -> tuple[str, int]:
        """The text for `$name`, `${name}`, `$env:NAME` or `$(…)`, and the place behind it."""
        text = self.text
        if text.startswith("$(", at):
            end = self.closing(at + 1)
            self.inner(text[at + 2 : end])
            return UNKNOWN, end + 1
        if text.startswith("${", at):
            end = text.find("}", at)
            end = end if end > 0 else len(text)
            return self.value(text[at + 2 : end]), end + 1
        end = at + 1
        while end < len(text) and (text[end].isalnum() or text[end] in "_:?"):
            end += 1
        if end == at + 1:
            return "$", end
        if text[end - 1] == ":":
            end -= 1
        return self.value(text[at + 1 : end]), end

    def double(self, inside: str) -> str:
        """What a string in double quotes holds."""
        own = Lexer(inside, self.value, self.inner)
        out = ""
        while own.at < len(inside):
            char = inside[own.at]
            if char == "`" and own.at + 1 < len(inside):
                out += {"n": "\n", "t": "\t", "r": "\r", "0": ""}.get(inside[own.at + 1], inside[own.at + 1])
                own.at += 2
            elif char == '"':
                out, own.at = out + '"', own.at + 2
            elif char == "$":
                known, own.at = own.variable(own.at)
                out += known
            else:
                out, own.at = out + char, own.at + 1
        return out

    def splats(self) -> bool:
        """`@name`: what a table or a list of that name holds, word by word."""
        end = self.at + 1
        while self.text[end : end + 1].isalnum() or self.text[end : end + 1] == "_":
            end += 1
        return end > self.at + 1 and (self.text[end : end + 1] or " ") in " \t\r\n;|)}"

    def word(self) -> Token:
        out, quoted, text, begin = "", False, self.text, self.at
        while self.at < len(text):
            char = text[self.at]
            if char in "'\"":
                end = self.end_of(self.at, char)
                inside = text[self.at + 1 : end]
                out += inside.replace("''", "'") if char == "'" else self.double(inside)
                self.at, quoted = end + 1, quoted or self.at == begin
            elif char == "$" or (char == "@" and self.at == begin and self.splats()):
                known, self.at = self.variable(self.at)
                out += known
            elif char == "`" and self.at + 1 < len(text):
                out, self.at = out + text[self.at + 1], self.at + 2
            elif char in BREAKS and not (char == "(" and out[-1:] not in ("", "=")):
                break
            elif char == "(":
                end = self.closing(self.at)
                self.inner(text[self.at + 1 : end])
                out, self.at = out + text[self.at : end + 1], end + 1
            else:
                out, self.at = out + char, self.at + 1
        return Token("word", out, quoted)

    def here(self) -> Token | None:
        """`@'` … `'@` on lines of their own."""
        quote = self.text[self.at + 1]
        begin = self.text.find("\n", self.at)
        end = self.text.find(f"\n{quote}@", begin) if begin >= 0 else -1
        if end < 0:
            raise Unreadable("no closing here-string")
        inside = self.text[begin + 1 : end] if end > begin else ""
        self.at = end + 3
        return Token("word", inside if quote == "'" else self.double(inside), True)

    def tokens(self) -> list[Token]:
        found: list[Token] = []
        text = self.text
        while self.at < len(text):
            char, two = text[self.at], text[self.at : self.at + 2]
            if char in SPACE or two == "`\n":
                self.at += 1 if char in SPACE else 2
            elif char == "\n" or char == ";":
                found.append(Token("op", ";"))
                self.at += 1
            elif two == "<#":
                end = text.find("#>", self.at)
                self.at = end + 2 if end >= 0 else len(text)
            elif char == "#":
                end = text.find("\n", self.at)
                self.at = end if end >= 0 else len(text)
            elif two in ("&&", "||"):
                found.append(Token("op", two))
                self.at += 2
            elif char in "|&,":
                found.append(Token("op", char))
                self.at += 1
            elif two in ("@'", '@"'):
                found.append(self.here() or Token("op", ";"))
            elif char in "({" or two in ("@(", "@{"):
                self.at += char == "@"
                end = self.closing(self.at)
                kind = "table" if char == "@" and text[self.at] == "{" else "block" if text[self.at] == "{" else "group"
                found.append(Token(kind, text[self.at + 1 : end]))
                self.at = end + 1
            elif char == ">" or (char in "123456*" and text[self.at + 1 : self.at + 2] == ">"):
                self.at += char != ">"
                self.at += 1 + (text[self.at + 1 : self.at + 2] == ">")
                if text[self.at : self.at + 1] == "&":
                    self.at += 2
                else:
                    found.append(Token("redirect", ">"))
            elif char in ")}":
                raise Unreadable("a bracket too many")
            elif char == "<":
                self.at += 1
            else:
                before = self.at
                found.append(self.word())
                self.at += self.at == before
        return found


def globbed(text: str) -> str:
    """A path as the provider reads it: globs in any quotes, `\\` for `/`, a drive left out."""
    plain = text.replace("\\", "/")
    if plain[1:2] == ":" and plain[:1].isalpha():
        plain = plain[2:] or "/"
        plain = plain if plain[:1] == "/" else "/" + plain
    return plain.translate(ACTIVE)


NOTHING = "\5"
"""A variable that nobody has set."""

HELD = {
    **dict.fromkeys(("home", "env:userprofile", "env:home", "~"), "~"),
    "profile": "~/Documents/PowerShell/profile.ps1",
    **dict.fromkeys(("env:appdata", "env:localappdata"), "~/AppData"),
    **dict.fromkeys(("env:programfiles", "env:programfiles(x86)"), "/Program Files"),
    **dict.fromkeys(("env:temp", "env:tmp", "env:tmpdir"), "/tmp"),
    **dict.fromkeys(("pwd", "psscriptroot"), "."),
    **dict.fromkeys(("env:windir", "env:systemroot"), "/Windows"),
    "env:systemdrive": "/",
    **dict.fromkeys(("null", "true", "false"), ""),
}
"""What variables hold that PowerShell itself sets; `~` is the home folder."""

_AUTOMATIC = (
    "_ ? ^ $ args input this matches error lastexitcode host pid shellid stacktrace myinvocation executioncontext ofs "
    "outputencoding foreach switch event eventargs sender nestedpromptlevel consolefilename enabledexperimentalfeatures"
)
AUTOMATIC = frozenset(_AUTOMATIC.split())
SCOPES = ("script:", "global:", "local:", "private:")

SETS = (
    *("variable", "param", "function", "filter", "invoke-expression", "iex", "import-module", "using ", "[ref]", "sv "),
    *("nv ", "-ov", "-pv", "-ev", "-wv", "-iv", "-outv", "-pipel", "-errorv", "-warningv", "-informationv"),
    *("\n. ", ";. ", "; . ", "{. ", "{ . ", "&. "),
)
"""What may set variables in another way than `$name = …`."""

PATHS = ("join-path ", "split-path ", "resolve-path ", "test-path ", "-not ", "!", "$", ")")

CHANGES = ("+=", "-=", "*=", "/=", "%=", "++", "--", "??", "in")


def settled(text: str) -> str:
    """A word that is nothing but a variable nobody has set is empty; what such a one is a part of, we do not tell."""
    return "" if not text.strip(NOTHING) else text.replace(NOTHING, UNKNOWN)


def _uses(text: str) -> dict[str, list[tuple[int, int]]]:
    """Where a text speaks of `$name`, `${name}` or `@name`: begin and end, by the name without its scope."""
    found: dict[str, list[tuple[int, int]]] = {}
    for mark in "$@":
        at = text.find(mark)
        while at >= 0:
            begin = end = at + 1 + (text[at + 1 : at + 2] == "{")
            while text[end : end + 1].isalnum() or text[end : end + 1] in ("_", ":"):
                end += 1
            found.setdefault(_name(text[begin:end].rstrip(":")), []).append((at, end))
            at = text.find(mark, end)
    return found


def _name(text: str) -> str:
    low = text.lower()
    for scope in SCOPES:
        low = low.removeprefix(scope)
    return low


def _stands(before: str) -> bool:
    """What follows this text is a statement that is run, and once: no comment, string, block or condition."""
    begins = before.rstrip(" \t")[-1:] in ("", "\n", ";") and before.rstrip()[-1:] not in tuple("`,|+-*/=&")
    open_ = any(one in before for one in "{(") or "<#" in before or "#" in before.rpartition("\n")[2]
    return begins and not open_ and before.count("'") % 2 == before.count('"') % 2 == 0


def _assignments(text: str, uses: list[tuple[int, int]]) -> list[str] | None:
    """What the text assigns to a variable, as it stands there; None when nobody can tell."""
    found = []
    for begin, end in uses:
        behind = text[end:].lstrip("}").lstrip(" \t")
        statement = behind.partition("\n")[0].partition(";")[0]
        if behind[:1] == "=":
            if not _stands(text[:begin]):
                return None
            found.append(statement[1:].strip())
        elif (behind[:2].lower() in CHANGES and not behind[2:3].isalnum()) or (behind[:1] == "," and "=" in statement):
            return None
    return found


class Values:
    """The variables of one text; `alone`: a shell of its own runs it, in which nobody has set any before."""

    def __init__(self, text: str, scene: Scene, alone: bool) -> None:
        self.text, self.scene, self.uses = text, scene, _uses(text)
        self.held: dict[str, str] = {}
        self.dark = any(one in "\n" + text.lower() for one in SETS)
        head = text.rstrip().rstrip(";").partition("|")[0]
        plain = head.lstrip().replace("${", "$").replace("}", "")
        one = alone and not any(mark in plain for mark in (";", "\n", "(", ")", "{", "&&"))
        self.first = len(head) if one else 0  # what words hold up to here, no other command can have set

    def __call__(self, name: str) -> str:
        name = _name(name)
        if name not in self.held:
            self.held[name] = UNKNOWN  # while we look for it
            self.held[name] = self._found(name)
        return self.held[name]

    def _found(self, name: str) -> str:
        if name in HELD:
            return HELD[name].replace("~", self.scene.value("HOME") or UNKNOWN)
        uses = self.uses.get(name, [])
        rows = None if self.dark else _assignments(self.text, uses)
        own = name in AUTOMATIC or name.endswith("preference") or name[:2] in ("ps", "is") or ":" in name
        if rows is None or len(rows) > 1 or own:
            return UNKNOWN
        if rows:
            return self.of(rows[0])
        return NOTHING if uses and all(begin < self.first for begin, _ in uses) else UNKNOWN

    def lent(self) -> bool:
        """Nothing that only PowerShell knows is read into the text's paths, but what the person's variables hold."""
        low = self.text.lower()
        groups = [piece.lstrip("( ") for piece in low.split("(")[1:] if piece.strip()]
        own = [name for name, uses in self.uses.items() if len(uses) > 1 and _assignments(self.text, uses) != []]
        dark = "$_" in low or any(self(name) == UNKNOWN for name in own)
        return not dark and all(one.startswith(PATHS) for one in groups)

    def of(self, text: str) -> str:
        """The text that an expression makes, as far as it can be told."""
        text = text.strip()
        try:
            tokens = Lexer(text, self, lambda inner: None).tokens()
        except Unreadable:
            return UNKNOWN
        first = tokens[0] if tokens else Token("op", "")
        name = first.text.lower().removeprefix("[system.").removeprefix("[")
        if len(tokens) == 1 and first.kind == "group":
            return self.of(first.text)
        if len(tokens) == 1 and first.kind == "word":
            if name in ("new-temporaryfile", "io.path]::gettempfilename()"):
                return f"/tmp/tmp{SOME}"
            if name == "guid]::newguid()":
                return SOME + "guid"
            if name == "io.path]::gettemppath()":
                return "/tmp/"
            whole = text[-1] == text[0] in "'\"" or (text[0] == "$" and text[1:].replace("_", "").isalnum())
            return first.text if whole else UNKNOWN
        if name != "join-path":
            return UNKNOWN
        parts = [one for one in tokens[1:] if one.quoted or one.text[:1] != "-"]
        return "/".join(one.text if one.kind == "word" else self.of(one.text) for one in parts if one.kind != "op")
