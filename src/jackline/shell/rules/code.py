"""Interpreters: programs given inline are searched for what is easy to see, programs in files may do anything."""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.credential_names import printed
from jackline.shell.model import UNKNOWN
from jackline.shell.programs import room
from jackline.shell.rules.calls import READ, calls, hides
from jackline.shell.rules.calls_text import Token, imported, names, strings, tokens_of
from jackline.shell.rules.wrapping import leads, sound, unknown
from jackline.shell.shell_state import SOME
from jackline.shell.texts import Read, reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


INLINE = {
    # Interpreter: letters and long options that take code, letters and long options that take another value.
    "python": ("c", "", "mWXQ", "check-hash-based-pycs"),
    "node": ("ep", "eval print", "rC", "require import loader conditions env-file input-type"),
    "ruby": ("e", "", "IrCEFKTWx", "encoding"),
    "perl": ("eE", "", "IMmFCx", ""),
    "php": ("rBRE", "run process-code", "fcdFStz", "file define"),
    "osascript": ("e", "", "ls", ""),
    "julia": ("eE", "eval print", "pLHtJ", "project threads load"),
    **dict.fromkeys(("rscript", "scala", "ghci"), ("e", "", "", "")),
    "lua": ("e", "", "l", ""),
    "groovy": ("e", "", "cD", "classpath"),
    **dict.fromkeys(("tclsh", "jshell"), ("", "", "", "")),
    "ipython": ("c", "", "m", "profile"),
    "elixir": ("e", "eval", "rSpz", "require"),
    "erl": ("", "eval", "", "s"),
    "emacs": ("", "eval execute", "lfL", "load funcall directory"),
    "guile": ("c", "", "lsLe", ""),
    "racket": ("e", "eval", "frtlu", "require load"),
    "ghc": ("e", "", "o", ""),
}
SAME = {"python2": "python", "python3": "python", "pypy": "python", "pypy3": "python", "nodejs": "node", "irb": "ruby",
        "luajit": "lua", "ts-node": "node", "tsx": "node", "swift": "tclsh", "bun": "node", "deno": "node",
        "r": "rscript", "emacsclient": "emacs", "iex": "elixir", "runghc": "ghc", "xonsh": "ipython"}  # fmt: skip

_ENDS = (
    "socket Socket connect createServer createConnection TCPSocket TCPServer ServerSocket fsockopen create_connection "
    "stream_socket_client stream_socket_server"
)
ENDS = frozenset(_ENDS.split())
"""Names by which a program talks with another machine."""

LOOPS = frozenset(["while", "until", "for", "loop", "forever", "redo"])


NAMES = {
    "python": "print len range sum min max sorted reversed int float str list dict set tuple enumerate zip map filter "
    "round abs any all bool bytes chr ord hex bin repr type isinstance json loads dumps load dump_s sys stdin stdout "
    "read readline readlines argv version version_info platform math pi sqrt datetime date today now time strftime "
    "isoformat for in if else elif import as from and or not is None True False lambda indent sort_keys split join "
    "strip lower upper replace startswith endswith format items keys values get append count index encode decode "
    "hashlib sha256 md5 hexdigest base64 b64encode b64decode collections Counter itertools textwrap dedent string "
    "ascii_letters statistics mean median pprint executable prefix maxsize VERSION importlib metadata open random "
    "randint choice uuid uuid4 calendar decimal Decimal fractions Fraction tomllib rb encoding utf_8 x i k v d s r "
    "b u pathlib Path read_text read_bytes iterdir rglob glob iglob exists is_file is_dir stat st_size st_mtime "
    "suffix stem parent parents relative_to cwd name os listdir walk environ getcwd basename dirname isfile isdir "
    "abspath getsize re findall finditer search match sub group groups csv reader DictReader yaml safe_load ast "
    "parse dump difflib fnmatch next iter hasattr line lines splitlines rstrip lstrip text data src res row rows "
    "files file path p f l c w m n t y z a e g h o q utf",
    "node": "console log error JSON stringify parse require process version versions argv env platform arch node v8 "
    "Math PI floor round max min random Object keys values entries Array from isArray map filter forEach join length "
    "const let var new Date now toISOString String Number parseInt parseFloat toString split reduce sort slice "
    "toUpperCase toLowerCase trim includes true false null undefined typeof readFileSync existsSync dependencies "
    "devDependencies scripts name main path resolve basename dirname of in for if else return x i k v d s a b p e",
    "perl": "print say printf join split map grep sort keys values length uc lc reverse scalar my foreach for x i",
}
"""Names that a program may use which only reads."""
TOGETHER = ("Path", "replace")
"""Names that mean more where they stand beside one another: `Path.replace` moves a file."""
_NEVER = (UNKNOWN, SOME, "`", "__", ".open(", "yaml.load(")
NEVER = {"python": _NEVER, "node": _NEVER, "perl": (*_NEVER, "${", "@{", "%", "|", "<", ">")}
_MODULES = (
    "json sys os re csv yaml ast pathlib glob fnmatch math datetime time hashlib base64 collections itertools textwrap "
    "string statistics platform pprint random uuid calendar decimal fractions tomllib difflib"
)
MODULES = frozenset(_MODULES.split())
LIBRARIES = ("fs", "path", "os", "util", "process")
"""What programs load of their own language."""
LOADS = r"\bfrom\s+([\w.]+)\s+import\b|\bimport\s+([^;\n]*)"
OPENS = r"\bopen\([^,()*]*(?:,\s*(?:mode=)?['\"]r[bt]?['\"])?(?:,\s*encoding=['\"][\w-]+['\"])?\s*\)"
"""How Python loads modules, and opens a file to read."""


def _loads_known(code: str, language: str) -> bool:
    """Whether it loads what we know alone: libraries, and what only holds data; Python opens files to read."""
    findall = __import__("re").findall
    if language == "python":
        loaded = [one for name, names in findall(LOADS, code) for one in (name or names or "?").split(",")]
        known = all(one.strip(" ()").partition(" ")[0].partition(".")[0] in MODULES for one in loaded)
        return known and len(findall(r"\bopen\b", code)) == len(findall(OPENS, code))
    told = findall(r"require[( ]*(?:'([^']*)'|\"([^\"]*)\")?", code)
    named = [one or other for one, other in told]
    return all(one in LIBRARIES or one.endswith(".json") for one in named)


def reads(code: str, language: str, tokens: Sequence[Token] = ()) -> bool:
    """Whether a program only reads. `tokens`: where it was cut before."""
    if language not in NAMES or any(one in code for one in NEVER[language]):
        return False
    used = {*names(tokens or tokens_of(code, language))}
    if not used.issubset(NAMES[language].split()):
        return False
    return not used.issuperset(TOGETHER) and _loads_known(code, language)


LONGEST = 131_072
"""Characters of a program that we read; a longer one is not understood."""


def inline(job: Job, code: str, language: str, args: list[str]) -> None:
    """Report what a program given as text does, or one in a file, as far as its literals tell."""
    if isinstance(code, Read):
        plain = str(code)
        reading(job, code, lambda own: inline(own, plain, language, args), language)
        return
    if language not in READ and (job.walk.program or language not in INLINE):
        # Calls that nobody knows may do anything to what they are given.
        job.note("unknown", f"{job.name} runs a program in {language}", act="code.open")
    if language not in INLINE:
        return
    if len(code) > LONGEST:
        job.fault(f"{job.name} runs a program longer than {LONGEST} characters")
        return
    code = code.translate({1: "*", 2: "?", 3: "["})
    printed(job, code, job.name == "node" and not {"-p", "-pe", "--print"}.isdisjoint(job.words))
    if language != "python" and not job.walk.program and hides(code):
        job.fault(f"{job.name} calls what only it knows", act="code.hidden")
    tokens = tokens_of(code, language)
    used = names(tokens)
    if not ENDS.isdisjoint(used) and any(
        room(one.partition(" ")[0].rpartition("/")[2]) == "shells" for one in strings(code)
    ):
        job.fault(f"{job.name} runs a shell for whoever is at the other end of a connection", act="code.unknown")
    if "fork" in used and not LOOPS.isdisjoint(used):
        job.note("unknown", f"{job.name} makes processes in a loop", act="endless")
    if code.strip() == UNKNOWN:
        job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
    if not reads(code, language, tokens):
        job.note("unknown", f"{job.name} runs a program: {code[:120]!r}")
    if language == "ipython":
        lines = [line.lstrip() for line in code.lstrip().split("\n")]
        told = [
            line.lstrip("!%").removeprefix("sx ").removeprefix("system ") for line in lines if line[:1] in ("!", "%")
        ]
        job.code("\n".join(lines[1:] if lines[0][:2] == "%%" else told))
        language = "python"
    if code.split()[:1] and leads(code.split()[0]):
        perhaps = job.again()
        perhaps.name = "eval"
        sound(perhaps, code)  # words of a shell, where a program was meant
    if language == "python":
        _imports(job, tokens)
    # Most name what they are given: words are judged by themselves.
    job.lent = bool(args)
    calls(job, code, language, None, tokens)


def _imports(job: Job, tokens: list[Token]) -> None:
    """What a program of Python imports. That of a command names it; ours is run by its command alone."""
    for _, name in imported(tokens):
        place = name.replace(".", "/")
        if not job.walk.within and job.walk.since:
            folders = filter(None, (place, place.rpartition("/")[0]))
            ran(job, [one + end for one in folders for end in (".py", "/__init__.py")], "python", [])
        if name.startswith("jackline") and name.partition(".")[2].partition(".")[0] not in ("sdk", "inprocess"):
            job.note("unknown", f"uses {name}", act="code.open")


def module(job: Job, words: list[str]) -> None:
    """`python -m name …`: the project's own before any other of that name."""
    name = words[0]
    place = name.replace(".", "/")
    if name.replace(".", "").isidentifier() and ran(job, [f"{place}.py", f"{place}/__main__.py"], "python", words[1:]):
        return
    operands = [word for word in words[1:3] if word[:1] != "-"]
    if name in TOOLS:
        job.all("read", operands[:1])
        job.all("write", operands[1:])
    elif name in ("venv", "virtualenv"):
        folders = [word for word in words[1:] if word[:1] != "-"]
        job.all("delete" if "--clear" in words else "write", folders, "makes an environment", deep=True)
    else:
        if room(name) != "building":
            job.note("unknown", f"runs the module {name}")
        job.run(words)


_TOOLS = "json.tool platform this timeit site sysconfig tokenize ast dis calendar py_compile compileall tabnanny"
TOOLS = frozenset(_TOOLS.split())
"""Modules that read a file, and write another."""


def ran(job: Job, names: list[str], language: str, args: list[str]) -> bool:
    """The first of these files that holds a text is run."""
    for name in names:
        text = job.text(name)
        if text:
            inline(job, text, language, args)
        elif text is None:
            job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
        if text != "":
            return True
    return False


CODE = {
    "": ".sh .bash .zsh .ksh",
    "python": ".py .pyw",
    "node": ".js .mjs .cjs .ts .mts .cts .jsx .tsx",
    "perl": ".pl .pm",
    "ruby": ".rb",
    "php": ".php",
    "lua": ".lua",
    "rscript": ".r",
    "julia": ".jl",
    "another": ".java .kt .scala .dart .swift .go .rs .c .cpp .cs .sql .tcl .exp .awk .sed .vim .el .nim .zig .ex",
}
"""How files of programs end, by their language."""
SOURCE = tuple(" ".join(CODE.values()).split())

PROSE = (".md", ".markdown", ".txt", ".rst", ".adoc", ".html", ".csv", ".log", ".lock", ".svg", ".xml")
"""How files end that are read, and not run, by whatever program."""

SOME_TEXTS = 16
"""Texts of a command beyond which those that may be no programs are not looked at."""


def handed(job: Job, words: list[str]) -> None:
    """A program that we do not know is handed programs, and may run them: those of this session are read."""
    for word in words[:64]:
        path = word.partition("=")[2] if word[:1] == "-" else word
        end = path[path.rfind(".") :].lower() if "." in path.rpartition("/")[2] else ""
        language = next((one for one, ends in CODE.items() if end in ends.split()), None)
        plain = language is None and (end in PROSE or len(job.walk.texts) > SOME_TEXTS)
        text = job.text(path, run=language is not None) if path and not plain else ""
        if not isinstance(text, Read) or not text.own:
            continue
        if language is None and text.startswith("#!"):
            script(job, text, [])
        elif language == "":
            job.code(text)
        else:
            inline(job, text, language or "another", [])


ENTRIES = {
    "python": ["/__main__.py"],
    "node": [".js", ".mjs", ".cjs", ".json", "/index.js", "/index.mjs", "/index.cjs"],
    "ruby": [".rb"],
    "perl": [".pm"],
}
"""What an interpreter tries behind the name of a program."""


def _files(name: str, language: str) -> list[str]:
    return [name + end for end in ("", *ENTRIES.get(language, ()))] if name != UNKNOWN else []


def interpreter(job: Job) -> None:
    """Code in an option, in a file, or on the input."""
    job.lent = False  # what its code makes up is its own
    words, plain = job.words, job.name.rstrip("0123456789.")
    language = next((one for one in (SAME.get(job.name, job.name), SAME.get(plain, plain)) if one in INLINE), plain)
    at = words.index("-m") if language == "python" and "-m" in words[:-1] else 0
    if at and all(word[:1] == "-" for word in words[1:at]):
        module(job, words[at + 1 :])
        return
    if job.name == "deno":
        if words[1:2] not in (["eval"], ["run"], ["serve"], ["install"]):
            unknown(job)
            return
        job.words = words = ["deno", *(["-e"] if words[1] == "eval" else []), *words[2:]]
    codes, long_codes, values, long_values = INLINE.get(language, ("", "", "", ""))
    if language == "node":
        job.words = ["-p" if word == "-pe" else word for word in words]
    glued, longs = "i" if language == "perl" else "", f"{long_codes} {long_values}"
    given = job.given(codes + values, longs, stop=True, glued=glued, single=language == "erl")
    if given.loose:
        job.note("unknown", f"{job.name} with a word that only the shell knows")
    if job.walk.since and language not in READ:
        handed(job, words[1:])
    texts, operands = given.values(*codes, *long_codes.split()), given.operands
    for text in texts:
        inline(job, text, language, operands)
    for option in given.values("r", "require", "import", "loader", "M", "m", "l") if language != "python" else []:
        if "/" in option or option.startswith("."):
            job.add("execute", option, f"{job.name} loads it")
            job.note("unknown", f"loads {option}")
            ran(job, _files(option, language), language, [])
    if not texts:  # else nobody said what the operands are for
        _program(job, language, operands)


def _program(job: Job, language: str, operands: list[str]) -> None:
    """The program that an interpreter is told by its name, or on its input."""
    name = "".join(operands[:1])
    text: str | None = ""
    if name.startswith(("/dev/fd/", "/proc/self/fd/")):
        text = job.scene.vars.get(name)
    elif name in ("", "-"):
        text = job.feed
    elif name.startswith(("http:", "https:")):
        job.note("network", f"{job.name} fetches a program")
        text = None
    else:
        job.add("execute", name, f"{job.name} runs it")
        job.note("unknown", f"runs the program {name.replace(UNKNOWN, '…')}")
        text = None if name == UNKNOWN else ""
        ran(job, _files(name, language), language, operands[1:])
    if text is None:
        job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
    elif text:
        inline(job, text, language, operands[1:])


def language_of(text: str) -> str:
    """The language that the first line of a script names, "" for a shell."""
    first = text.partition("\n")[0]
    if first[:2] != "#!":
        return ""
    words = [word.rpartition("/")[2] for word in first[2:].split() if word[:1] != "-"]
    name = next((word for word in words if word not in ("env", "node_modules")), "").rstrip("0123456789.")
    return SAME.get(name, name) if SAME.get(name, name) in INLINE else ""


def script(job: Job, text: str | None, args: list[str]) -> None:
    """A script that this text wrote is run by its name."""
    language = language_of(text or "")
    if language and text:
        inline(job, text, language, args)
    else:
        job.code(text, args=[job.name, *args])
