"""What is taken from one file: names it defines, its comments, all its words, what it imports, a line that tells it.

By patterns that hold for most languages, not by parsers: a name too many costs a little order, a parser that is not
there costs the file.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from jackline.services.retrieval import words

REPEATED = 6
"""How often one identifier counts in a body: who says it sixty times is not ten times as much about it."""
NAMES = 80
"""Defined names that are kept for a card."""
SUMMARY = 160
"""Letters of a summary."""

HASHED_WORDS = "py pyi sh bash zsh rb pl yaml yml toml cfg ini conf r jl ex exs nix mk cmake tf dockerfile"
HASHED = frozenset(HASHED_WORDS.split())
SLASHED_WORDS = (
    "js jsx mjs cjs ts tsx mts cts go rs c h cc cpp cxx hpp java kt kts scala swift cs php dart groovy proto vue "
    "svelte zig css scss less m mm"
)
SLASHED = frozenset(SLASHED_WORDS.split())
PROSE_WORDS = "md mdx rst txt adoc markdown"
PROSE = frozenset(PROSE_WORDS.split())

HASH = re.compile(r"(?:^|\s)#+!?[ \t]*([^\n]*)")
DOCSTRING = re.compile(r'"""(.*?)"""|\'\'\'(.*?)\'\'\'', re.DOTALL)
SLASH = re.compile(r"(?:^|[^:])//+!?[ \t]*([^\n]*)|/\*+(.*?)\*/|<!--(.*?)-->", re.DOTALL | re.MULTILINE)

DEFINED = re.compile(
    r"^[ \t]*(?:(?:export|default|declare|pub(?:\([^)\n]*\))?|public|private|protected|internal|static|final|abstract|"
    r"async|unsafe|extern|override|virtual|inline|sealed|open|data|partial|readonly)\s+)*"
    r"(?:def|class|func|fn|function\*?|struct|enum|trait|interface|type|mod|module|namespace|package|object|protocol|"
    r"macro_rules!|record|union|const|let|var|val|static)\s+(?:\([^)\n]*\)\s*)?(?:mut\s+)?([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
CONSTANT = re.compile(r"^([A-Z][A-Z0-9_]{2,})\s*(?::[^=\n]*)?=", re.MULTILINE)
METHOD = re.compile(
    r"^[ \t]+(?:(?:public|private|protected|static|async|override|final|get|set)\s+)*([A-Za-z_$][\w$]*)\s*\([^;\n]*\)"
    r"[^;\n=]*\{\s*$",
    re.MULTILINE,
)
NATIVE = re.compile(r"^[A-Za-z_][\w \t*&:<>,]*?\b([A-Za-z_]\w*)\s*\([^;]*?\)\s*(?:const\s*)?\{", re.MULTILINE)
HEADING = re.compile(r"^#{1,4} +(.+)$|^([^\n]+)\n(?:={3,}|-{3,}|~{3,})$", re.MULTILINE)
LOCAL_WORDS = "if for while switch catch return else do with constructor function"
LOCAL = frozenset(LOCAL_WORDS.split())


class Fields(NamedTuple):
    """One file's content for the index: `symbols`, `comments`, `body` as words; the rest as it is shown or followed."""

    symbols: str
    comments: str
    body: str
    names: tuple[str, ...]
    """Defined names in the order of the file, each once."""
    summary: str
    """The first line that tells what the file is, "" where none does."""
    imports: tuple[str, ...]


def kind_of(path: str) -> str:
    """The ending of a name in small letters; the whole name where it has none."""
    name = path.rpartition("/")[2].lower()
    return name.rpartition(".")[2]


def _groups(pattern: re.Pattern[str], text: str) -> list[str]:
    return [next((group for group in match.groups() if group), "") for match in pattern.finditer(text)]


def comments_of(kind: str, text: str) -> list[str]:
    """The comments and documentation strings of a file, in its order by form."""
    if kind in HASHED:
        return [*_groups(DOCSTRING, text), *_groups(HASH, text)] if kind[:2] == "py" else _groups(HASH, text)
    return _groups(SLASH, text) if kind in SLASHED else []


def names_of(kind: str, text: str) -> tuple[str, ...]:
    """Names that a file defines: functions, types, constants, methods; a page's headings."""
    if kind in PROSE:
        return tuple(dict.fromkeys(_groups(HEADING, text)))
    if kind not in HASHED and kind not in SLASHED:
        return ()
    found = DEFINED.findall(text)
    if kind in ("py", "pyi"):
        found += CONSTANT.findall(text)
    elif kind in ("c", "h", "cc", "cpp", "cxx", "hpp"):
        found += NATIVE.findall(text)
    elif kind in SLASHED and kind not in ("go", "rs", "css", "scss", "less"):
        found += [name for name in METHOD.findall(text) if name not in LOCAL]
    return tuple(dict.fromkeys(found))


def _summary(kind: str, text: str, names: tuple[str, ...], comments: list[str]) -> str:
    """The first sentence that a person wrote about the file."""
    if kind in PROSE:
        return names[0][:SUMMARY].strip() if names else ""
    for comment in comments[:3]:
        for line in comment.split("\n"):
            line = line.strip(" \t*#/!-=")
            if (
                len(line) > 15
                and " " in line
                and not line.lower().startswith(("copyright", "license", "spdx", "eslint"))
            ):
                return line[:SUMMARY]
    return ""


IMPORTS = (
    (("py", "pyi"), r"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\(?([^\n#]*)|^[ \t]*import[ \t]+([\w., \t]+)"),
    (
        ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"),
        r"""(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([^'"\n]+)['"]""",
    ),
    (("go",), r'^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w.\-/~]+/[\w.\-/~]+)"[ \t]*$'),
    (("rs",), r"^[ \t]*(?:pub(?:\([^)\n]*\))?\s+)?(?:use|mod)\s+([\w:]+)"),
    (("c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm"), r'^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"'),
    (("java", "kt", "scala", "groovy", "cs", "swift"), r"^[ \t]*(?:import|using)[ \t]+(?:static[ \t]+)?([\w.]+)"),
    (("rb",), r"""^[ \t]*require(?:_relative)?[ \t(]+['"]([^'"\n]+)"""),
    (("php",), r"^[ \t]*use[ \t]+([\w\\]+)"),
    (("css", "scss", "less"), r"""@(?:import|use|forward)[ \t]+['"]([^'"\n]+)"""),
)
IMPORTED = {kind: re.compile(pattern, re.MULTILINE) for kinds, pattern in IMPORTS for kind in kinds}


def _python_imports(text: str) -> list[str]:
    found: list[str] = []
    for base, names, modules in IMPORTED["py"].findall(text):
        if modules:
            found += [one.split()[0] for one in modules.split(",") if one.strip()]
            continue
        found.append(base)
        dotted = base if base.endswith(".") else base + "."
        found += [dotted + one.split()[0] for one in names.strip(" ()\\").split(",") if one.strip(" ()\\*")]
    return found


def imports_of(kind: str, text: str) -> tuple[str, ...]:
    """What a file says it needs, in its own words, each once."""
    if kind in ("py", "pyi"):
        return tuple(dict.fromkeys(_python_imports(text)))
    pattern = IMPORTED.get(kind)
    return tuple(dict.fromkeys(pattern.findall(text))) if pattern else ()


def fields(path: str, text: str, splitter: words.Splitter) -> Fields:
    """Everything the index keeps of a file with this path and text."""
    kind = kind_of(path)
    comments, names = comments_of(kind, text), names_of(kind, text)
    return Fields(
        words.text(" ".join(names), splitter),
        words.text(" ".join(comments), splitter, REPEATED),
        words.text(text, splitter, REPEATED),
        names[:NAMES],
        _summary(kind, text, names, comments),
        imports_of(kind, text),
    )
