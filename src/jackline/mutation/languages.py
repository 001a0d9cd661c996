"""What is known of a language to read its tokens: comments, strings, words; by a file's name or first line."""

from __future__ import annotations

from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


class Language(NamedTuple):
    """How a language is written, as far as tokens and their order tell.

    `family` picks rules that several languages share. `lines`: a line's end ends a statement. `indent`: depth counts.
    `line` and `block` are its comments, `quotes` its strings, `raw` those without escapes, `inside` how an expression
    stands in a string.
    """

    name: str
    family: str
    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ('"', "'")
    raw: tuple[str, ...] = ()
    inside: str = ""
    lines: bool = False
    indent: bool = False
    regex: bool = False


C_BLOCK = (("/*", "*/"),)
PYTHON = Language("python", "python", ("#",), (), ('"""', "'''", '"', "'"), (), "", True, True)
JAVASCRIPT = Language("javascript", "script", ("//",), C_BLOCK, ('"', "'"), ("`",), "${", regex=True)
TYPESCRIPT = JAVASCRIPT._replace(name="typescript")
GO = Language("go", "go", ("//",), C_BLOCK, ('"', "'"), ("`",))
RUST = Language("rust", "rust", ("//",), C_BLOCK, ('"',))
JAVA = Language("java", "java", ("//",), C_BLOCK, ('"""', '"', "'"))
C = Language("c", "c", ("//",), C_BLOCK)
RUBY = Language("ruby", "ruby", ("#",), (("=begin", "=end"),), ('"', "'", "`"), (), "#{", True, regex=True)
SHELL = Language("shell", "shell", ("#",), (), ('"', "'"), (), "$", True)
CSS = Language("css", "style", (), C_BLOCK)
SCSS = CSS._replace(name="scss", line=("//",))
HTML = Language("html", "markup", (), (("<!--", "-->"),))
YAML = Language("yaml", "data", ("#",), (), ('"', "'"), (), "", True, True)
TOML = Language("toml", "data", ("#",), (), ('"""', "'''", '"', "'"), (), "", True)
INI = Language("ini", "data", ("#", ";"), (), (), (), "", True)
JSON = Language("json", "data", ("//",), C_BLOCK, ('"',))
PROSE = Language("prose", "prose")
SQL = Language("sql", "sql", ("--",), C_BLOCK)
LUA = Language("lua", "lua", ("--",), (("--[[", "]]"),))
PLAIN = Language("code", "c", ("//",), C_BLOCK)

EXTENSIONS = {
    ext: language
    for language, names in (
        (PYTHON, "py pyi pyw pyx"),
        (JAVASCRIPT, "js jsx mjs cjs"),
        (TYPESCRIPT, "ts tsx mts cts vue svelte"),
        (GO, "go"),
        (RUST, "rs"),
        (JAVA, "java kt kts scala groovy gradle cs swift dart"),
        (C, "c h cc cpp cxx hpp hh hxx m mm ino cu proto php"),
        (RUBY, "rb rake gemspec ru cr ex exs jl"),
        (SHELL, "sh bash zsh ksh fish bats mk"),
        (CSS, "css"),
        (SCSS, "scss less sass"),
        (HTML, "html htm xml svg xhtml"),
        (YAML, "yml yaml"),
        (TOML, "toml"),
        (INI, "ini cfg conf properties env editorconfig"),
        (JSON, "json jsonc json5 ipynb webmanifest"),
        (PROSE, "md markdown rst txt adoc"),
        (SQL, "sql"),
        (LUA, "lua hs"),
    )
    for ext in names.split()
}
NAMES = {
    "Makefile": SHELL,
    "Dockerfile": SHELL,
    "Rakefile": RUBY,
    "Gemfile": RUBY,
    "Vagrantfile": RUBY,
    "LICENSE": PROSE,
    "README": PROSE,
    "CHANGELOG": PROSE,
    ".bashrc": SHELL,
    ".zshrc": SHELL,
    ".profile": SHELL,
    ".gitignore": INI,
    "requirements.txt": INI,
    "CMakeLists.txt": SHELL,
    "go.mod": INI,
}
INTERPRETERS = (("python", PYTHON), ("node", JAVASCRIPT), ("ruby", RUBY), ("sh", SHELL), ("lua", LUA))


def language_of(path: str, text: str = "") -> Language:
    """The language of a file; one like C where nothing tells."""
    name = path.rpartition("/")[2]
    found = NAMES.get(name) or EXTENSIONS.get(name.rpartition(".")[2].lower() if "." in name else "")
    if found:
        return found
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        for word, language in INTERPRETERS:
            if word in first:
                return language
    return PLAIN
