"""What variables of PowerShell hold: what a text assigns once, what PowerShell sets itself, and nothing."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.rules.powershell_text import Lexer, Token
from jackline.shell.scene import SOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.scene import Scene

NOTHING = "\5"
"""A variable that nobody has set."""

KNOWN = {
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
        if name in KNOWN:
            return KNOWN[name].replace("~", self.scene.value("HOME") or UNKNOWN)
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
            if name == "io.path]::gettemppath()":
                return "/tmp/"
            whole = text[-1] == text[0] in "'\"" or (text[0] == "$" and text[1:].replace("_", "").isalnum())
            return first.text if whole else UNKNOWN
        if name != "join-path":
            return UNKNOWN
        parts = [one for one in tokens[1:] if one.quoted or one.text[:1] != "-"]
        return "/".join(one.text if one.kind == "word" else self.of(one.text) for one in parts if one.kind != "op")
