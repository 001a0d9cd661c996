"""Whether a program that is written out in a command only reads: of its names each is known to change nothing.

For whoever asks what is changed. What such a program reads, and from where, is not said here.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.code import CALM, names
from jackline.shell.scene import SOME

NAMES = {
    "python": "pathlib Path read_text read_bytes iterdir rglob glob iglob exists is_file is_dir stat st_size st_mtime "
    "suffix stem parent parents relative_to cwd name os listdir walk environ getcwd basename dirname isfile isdir "
    "abspath getsize re findall finditer search match sub group groups csv reader DictReader yaml safe_load ast parse "
    "dump difflib fnmatch next iter hasattr encoding line lines splitlines rstrip lstrip text data src res row rows "
    "files file path p f l c w m n t u y z a e g h o q utf",
    "ruby": "File IO Dir JSON YAML parse safe_load load_file read readlines exist file directory basename dirname "
    "extname glob children entries keys values key lines line strip chomp first last uniq sort sort_by count max min "
    "each_with_index each_line each_slice match scan include to_a to_h dig fetch nil true false if unless else then "
    "and or not yaml date name path text data f l a b c k v n s m y",
}
"""Names of programs that read files, beside those of programs that touch none (`CALM`)."""
TOGETHER = {"python": ("Path", ("replace",)), "ruby": ("IO", ("read", "readlines"))}
"""Names that mean more where another one stands beside them: `Path.replace` moves a file, `IO.read` runs a program."""
NEVER = {
    "python": (UNKNOWN, SOME, "__", ".open(", "yaml.load("),
    "ruby": (UNKNOWN, SOME, "`", "#{", "%", "|", "<", ">"),
}
_MODULES = (
    "json sys os re csv yaml ast pathlib glob fnmatch math datetime time hashlib base64 collections itertools textwrap "
    "string statistics platform pprint random uuid calendar decimal fractions tomllib difflib"
)
MODULES = frozenset(_MODULES.split())
LIBRARIES = ("json", "set", "yaml", "date")
"""What python and ruby programs load of their own language."""
MODES = ("", "r", "rb", "rt")


def _imported(statement: str) -> list[str]:
    """The modules that one statement loads; none where it is another."""
    words = statement.split()
    if words[:1] == ["from"]:
        return [words[1].partition(".")[0]] if words[2:3] == ["import"] else ["?"]
    if words[:1] != ["import"]:
        return []
    return [one.split()[0].partition(".")[0] if one.split() else "?" for one in statement.strip()[7:].split(",")]


def _opened(part: str) -> bool:
    """Whether a file is opened for reading: by what stands between `open(` and the next parenthesis."""
    if set(part) & set("(*[{"):
        return False
    rest = [one.strip() for one in part.split(",")[1:]]
    return all(one.strip("'\"") in MODES or one.startswith("encoding=") for one in rest)


def _is_plain_python(code: str, used: list[str]) -> bool:
    """Whether it loads what we know alone, and opens files to read."""
    statements = [one for line in code.split("\n") for one in line.split(";")]
    loaded = [_imported(one) for one in statements]
    if used.count("import") != sum(map(bool, loaded)) or not MODULES.issuperset([one for row in loaded for one in row]):
        return False
    opened = code.split("open(")[1:]
    return used.count("open") == len(opened) and all(_opened(one.partition(")")[0]) for one in opened)


def _is_plain_ruby(code: str, used: list[str]) -> bool:
    """Whether it loads what we know alone."""
    known = [f"require {mark}{one}{mark}" for one in LIBRARIES for mark in "'\""]
    return used.count("require") == sum(map(code.count, known))


def reads(code: str, language: str) -> bool:
    """Whether a program in python or ruby only reads."""
    used = names(code, language)
    beside, other = TOGETHER[language]
    if not set(used) <= {*CALM[language].split(), *NAMES[language].split()} or any(
        one in code for one in NEVER[language]
    ):
        return False
    if beside in used and not set(used).isdisjoint(other):
        return False
    return _is_plain_python(code, used) if language == "python" else _is_plain_ruby(code, used)
