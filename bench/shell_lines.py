"""Single commands out of files that hold many: workflows, `package.json`, Makefiles, scripts, pages with examples.

What cannot stand alone is left out: a line that opens or closes a block, one within a here-document or an open quote.
What another program fills in before the shell reads it (`${{ … }}`, make's variables) is filled in by a plain word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError


class Line(NamedTuple):
    """One command, and the shell it is written for."""

    command: str
    shell: str = "bash"


_KEYWORDS = """
if then else elif fi for while until do done case esac function select { } ( ) ;; [[ exit return break continue
shift local declare readonly set shopt trap cd
"""
KEYWORDS = frozenset(_KEYWORDS.split())
"""First words of lines that are no command of their own, or that say nothing of one."""

HERE = re.compile(r"<<-?\s*[\"']?(\w+)[\"']?")
LABEL = re.compile(r"^[^\s()\"'`$]+(?:\s*\|\s*[^\s()\"'`$]+)*\)")
FUNCTION = re.compile(r"^[\w:.-]+\s*\(\)")
ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*\+?=")
PLACEHOLDER = re.compile(r"<[A-Za-z][\w .:/-]*>|\.\.\.|…|\b(?:YOUR|MY)_")


def is_closed(text: str) -> bool:
    """Every quote, bracket and substitution that the text opens is closed in it."""
    quote, depth, at = "", 0, 0
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            at += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char == "#" and (not at or text[at - 1].isspace()):
            break
        else:
            depth += (char in "({") - (char in ")}")
            if depth < 0:
                return False
        at += 1
    return not quote and not depth


def _joined(text: str) -> Iterator[str]:
    """Lines, those that go on in the next one joined with it."""
    held = ""
    for line in text.splitlines():
        held = f"{held}{line.strip()}" if held else line.strip()
        if held.endswith("\\") and not held.endswith("\\\\"):
            held = held[:-1].rstrip() + " "
        elif held.endswith(("|", "&&")) and not held.startswith("#"):
            held += " "
        else:
            yield held
            held = ""
    if held.strip():
        yield held.strip()


def simple_lines(text: str) -> Iterator[str]:
    """The lines of a shell script that are commands by themselves."""
    until, held = "", ""
    for line in _joined(text):
        if until:
            until = "" if line == until else until
            continue
        if held:  # within a quote that a line before opened
            held = "" if is_closed(f"{held}\n{line}") else f"{held}\n{line}"
            continue
        if not line or line.startswith("#"):
            continue
        here = HERE.search(line)
        if here:
            until = here.group(1)
            continue
        if line.count('"') % 2 or line.count("'") % 2:
            held = "" if is_closed(line) else line
        first = line.split()[0].rstrip(";")
        if (
            held
            or first in KEYWORDS
            or LABEL.match(line)
            or FUNCTION.match(line)
            or line.endswith(("{", "(", ";;", "do"))
        ):
            continue
        if not is_closed(line) or line.endswith(("&&", "|")):
            continue
        if ASSIGNMENT.match(line) and " " not in line:
            continue
        yield line


EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}", re.DOTALL)


def _filled(text: str) -> str:
    """The text with every expression of the service replaced by the last name that stands in it."""
    return EXPRESSION.sub(lambda found: (re.findall(r"[\w-]+", found.group(1)) or ["value"])[-1], text)


def _steps(node: Any, shell: str, windows: bool) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        default = (node.get("defaults") or {}).get("run") if isinstance(node.get("defaults"), dict) else None
        if isinstance(default, dict):
            shell = str(default.get("shell") or shell)
        windows = "windows" in str(node["runs-on"]) if "runs-on" in node else windows
        if isinstance(node.get("run"), str):
            yield node["run"], str(node.get("shell") or shell or ("pwsh" if windows else "bash"))
        for value in node.values():
            yield from _steps(value, shell, windows)
    elif isinstance(node, list):
        for value in node:
            yield from _steps(value, shell, windows)


def workflow(text: str, _path: str = "") -> Iterator[Line]:
    """Lines of the `run:` steps of a workflow or an action."""
    try:
        tree = YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError):
        return
    for run, shell in _steps(tree, "", False):
        name = shell.split()[0].rpartition("/")[2]
        if name in ("pwsh", "powershell"):
            yield from (Line(one, "powershell") for one in powershell_lines(_filled(run)))
        elif name in ("bash", "sh"):
            yield from (Line(one) for one in simple_lines(_filled(run)))


def package(text: str, _path: str = "") -> Iterator[Line]:
    """The `scripts` of a `package.json`."""
    try:
        scripts = json.loads(text).get("scripts") or {}
    except (ValueError, AttributeError):
        return
    if isinstance(scripts, dict):
        yield from (Line(one.strip()) for one in scripts.values() if isinstance(one, str) and one.strip())


BUILT_IN = {"RM": "rm -f", "CC": "cc", "CXX": "c++", "MAKE": "make", "AR": "ar", "SHELL": "/bin/sh", "CURDIR": "."}
_SET = re.compile(r"^(?:export\s+)?([\w.-]+)\s*(?:\?|:{0,3}|\+)=\s*(.*)$")
_RULE = re.compile(r"^([^\s#:=][^#:=]*?)\s*::?(?!=)\s*([^=;#]*)")
_USE = re.compile(r"\$(?:\(([^()]*)\)|\{([^{}]*)\}|(.))")


def _expanded(text: str, known: dict[str, str], deep: int = 0) -> str | None:
    """A recipe's line as its shell gets it; None when a function of make stands in it."""
    whole = True

    def value(found: re.Match[str]) -> str:
        nonlocal whole
        name = found.group(1) or found.group(2) or found.group(3) or ""
        if name == "$":
            return "\0"
        name, _, swap = name.partition(":")
        if " " in name or deep > 5:
            whole = False
            return ""
        if name not in known:
            return name.lower() if re.fullmatch(r"\w+", name) else ""
        inner = _expanded(known[name], known, deep + 1)
        whole = whole and inner is not None and not swap
        return (inner or "").replace("$", "\0")

    made = _USE.sub(value, text)
    return made.replace("\0", "$") if whole else None


def makefile(text: str, _path: str = "") -> Iterator[Line]:
    """The lines of recipes, with the variables that the file itself sets; of others their name stands for the value."""
    known, target, needs, defining = dict(BUILT_IN), "", "", False
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        if line.startswith(("define ", "endef")):
            defining = line.startswith("define ")
        elif defining:
            continue
        elif line.startswith("\t") and not _SET.match(line.strip()):
            own = known | {"@": target, "<": needs.split(" ")[0], "^": needs, "*": "stem", "?": needs}
            made = _expanded(line.strip().lstrip("@-+ "), own)
            yield from (Line(one) for one in simple_lines(made or ""))
        elif given := _SET.match(line.strip()):
            name, value = given.groups()
            known[name] = f"{known[name]} {value}" if "+=" in line and name in known else value.split(" #")[0].strip()
        elif (rule := _RULE.match(line)) and not line.startswith((".", " ")):
            target, needs = rule.group(1).split()[0], " ".join(rule.group(2).split())


_PS_WORDS = """
if else elseif foreach for while do until switch try catch finally function filter param process begin end class
enum using return throw exit break continue trap
"""
PS_WORDS = frozenset(_PS_WORDS.split())


RUNS = re.compile(r"^(?:\$[\w:]+\s*=\s*)?(?:&\s|[.]{1,2}[\\/]|[A-Za-z][\w.-]*(?:\s|$))")
"""A statement that runs something; others only reckon."""


def _nested(line: str, open_: list[str]) -> None:
    """Follow the brackets of a line: `b` a block of statements, `v` a value."""
    quote, at = "", 0
    while at < len(line):
        char = line[at]
        if quote:
            quote = "" if char == quote else quote
        elif char == "`":
            at += 1
        elif char in "'\"":
            quote = char
        elif char == "#":
            return
        elif char in "({[":
            open_.append("b" if char == "{" and line[at - 1 : at] != "@" else "v")
        elif char in ")}]" and open_:
            open_.pop()
        at += 1


def powershell_lines(text: str) -> Iterator[str]:
    """The lines of a PowerShell script that are statements by themselves."""
    open_: list[str] = []
    here = ""
    text = re.sub(r"<#.*?#>", "", text, flags=re.DOTALL)
    for line in re.sub(r"(?:`|(?<=\|))[ \t]*\n\s*", " ", text).splitlines():
        line = line.strip()
        if here:
            here = "" if line.startswith(here) else here
            continue
        if line.endswith(("@'", '@"')):
            here = line[-1] + "@"
            continue
        alone = "v" not in open_
        before = len(open_)
        _nested(line, open_)
        if not alone or not line or line.startswith(("#", "}", ")", "]", "[", "@", "|", ".")) or len(open_) != before:
            continue
        if re.split(r"[\s({]", line)[0].lower() in PS_WORDS or not is_closed(line.replace("`", "")):
            continue
        if RUNS.match(line):
            yield line


DEFINED = re.compile(r"^\s*(?:function|filter)\s+(?:\w+:)?([\w-]+)", re.MULTILINE | re.IGNORECASE)


def is_own(command: str, defined: frozenset[str]) -> bool:
    """The statement calls a function that its own project defines: nobody has it in a session."""
    return any(one.lower() in defined for one in re.findall(r"(?<![\w$.-])[A-Za-z]\w*-\w+|^[A-Za-z]\w*", command))


def script(text: str, _path: str = "") -> Iterator[Line]:
    """The lines of a script, by the ending of its name."""
    if _path.endswith((".ps1", ".psm1")):
        yield from (Line(one, "powershell") for one in powershell_lines(text))
    else:
        yield from (Line(one) for one in simple_lines(text))


FENCE = re.compile(r"^[ \t]*```+[ \t]*(bash|sh|shell|console|shell-session|zsh)\b[^\n]*\n(.*?)^[ \t]*```", re.M | re.S)


def page(text: str, _path: str = "") -> Iterator[Line]:
    """The commands of a page's examples; those of a session stand behind its prompt."""
    for block in FENCE.finditer(text):
        body = block.group(2)
        prompted = re.findall(r"^[ \t]*[$#%>] (.+)$", body, re.M) if re.search(r"^[ \t]*\$ ", body, re.M) else None
        if prompted is None and block.group(1) in ("console", "shell-session"):
            continue
        yield from (Line(one) for one in simple_lines("\n".join(prompted) if prompted is not None else body))


def infrastructure(lines: Iterator[Line], programs: frozenset[str]) -> Iterator[Line]:
    """Those whose program is one of these, without what a reader has to fill in."""
    for line in lines:
        words = line.command.split()
        while words and (words[0] in ("sudo", "env", "-E", "time") or ASSIGNMENT.match(words[0])):
            words.pop(0)
        if words and words[0] in programs and not PLACEHOLDER.search(line.command):
            yield line
