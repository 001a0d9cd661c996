"""Whether a program that is written out in a command only reads: of its names each is known to change nothing.

What such a program reads, and from where, is not said here.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.calls_text import names
from jackline.shell.rules.python import nodes_of, tree_of
from jackline.shell.scene import SOME

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
    "ruby": "puts print p pp require json set map each select inject sum join split length size to_s to_i upcase "
    "downcase reverse RUBY_VERSION Time now do end x i File IO Dir JSON YAML parse safe_load load_file read readlines "
    "exist file directory basename dirname extname glob children entries keys values key lines line strip chomp first "
    "last uniq sort sort_by count max min each_with_index each_line each_slice match scan include to_a to_h dig "
    "fetch nil true false if unless else then and or not yaml date name path text data f l a b c k v n s m y",
    "node": "console log error JSON stringify parse require process version versions argv env platform arch node v8 "
    "Math PI floor round max min random Object keys values entries Array from isArray map filter forEach join length "
    "const let var new Date now toISOString String Number parseInt parseFloat toString split reduce sort slice "
    "toUpperCase toLowerCase trim includes true false null undefined typeof readFileSync existsSync dependencies "
    "devDependencies scripts name main path resolve basename dirname of in for if else return x i k v d s a b p e",
}
"""Names that a program may use which only reads."""
TOGETHER = {"python": ("Path", ("replace",)), "ruby": ("IO", ("read", "readlines")), "node": ("", ())}
"""Names that mean more where another one stands beside them: `Path.replace` moves a file, `IO.read` runs a program."""
NEVER = {
    "python": (UNKNOWN, SOME, "__", ".open(", "yaml.load("),
    "ruby": (UNKNOWN, SOME, "`", "#{", "%", "|", "<", ">"),
    "node": (UNKNOWN, SOME, "`"),
}
_MODULES = (
    "json sys os re csv yaml ast pathlib glob fnmatch math datetime time hashlib base64 collections itertools textwrap "
    "string statistics platform pprint random uuid calendar decimal fractions tomllib difflib"
)
MODULES = frozenset(_MODULES.split())
LIBRARIES = {"ruby": ("json", "set", "yaml", "date"), "node": ("fs", "path", "os", "util", "process")}
"""What programs load of their own language."""
MODES = ("r", "rb", "rt")


def _is_plain_python(code: str, used: list[str]) -> bool:
    """Whether it loads what we know alone, and opens files to read."""
    tree, opened = tree_of(code), 0
    loaded: list[str] = []
    for node in nodes_of(tree) if tree else ():
        kind = type(node).__name__
        loaded += [one.name for one in node.names] if kind == "Import" else []
        loaded += ["." * node.level + (node.module or "")] if kind == "ImportFrom" else []
        if kind == "Call" and getattr(node.func, "id", "") == "open":
            told = [*node.args[1:], *[one.value for one in node.keywords if one.arg != "encoding"]]
            starred = any(type(one).__name__ == "Starred" for one in node.args)
            opened += not starred and all(getattr(one, "value", "?") in MODES for one in told)
    known = {one.partition(".")[0] for one in loaded} <= MODULES
    return tree is not None and known and used.count("open") == opened


def _loads_known(code: str, language: str) -> bool:
    """Whether it loads what we know alone: libraries, and what only holds data."""
    told = [one.lstrip("( ") for one in code.split("require")[1:]]
    named = [one[1:].partition(one[0])[0] if one[:1] in ("'", '"') else "?" for one in told]
    return all(one in LIBRARIES[language] or (language == "node" and one.endswith(".json")) for one in named)


def reads(code: str, language: str) -> bool:
    """Whether a program only reads."""
    used = names(code, language) if language in NAMES else ["?"]
    beside, other = TOGETHER.get(language, ("", ()))
    if not {*NAMES.get(language, "").split()}.issuperset(used) or any(one in code for one in NEVER[language]):
        return False
    if beside in used and not set(used).isdisjoint(other):
        return False
    return _is_plain_python(code, used) if language == "python" else _loads_known(code, language)
