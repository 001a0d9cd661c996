"""Rows with verdicts out of the test suites of other guards: each suite says in `streams.toml` how its tests are read.

A row is `block` where the suite wants the command stopped or asked about, `allow` where it wants it to pass; what a
suite calls neither (unknown, needs a look) is no row. `policy` marks the rows whose label names a matter of taste: it
is found in the label alone (the name of the test, of its group, of the suite's rule), before anything is judged, or
by a list of marks.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ruamel.yaml import YAML

TEXT = r"""(?:r?"(?:[^"\\\n]|\\.)*"|r#"(?:(?!"#).)*"#|r?'(?:[^'\\\n]|\\.)*'|`[^`$]*`)"""

HEADING = re.compile(
    r"^\s*(?:async\s+)?(?:def|class|func|fn|const|test|it|describe|context)\b[\s(]*([^\n]{1,120})", re.MULTILINE
)

POLICY = re.compile(
    r"install|package|typosquat|ecosystem|threat|registry|lockfile|commit|branch|rebase|merge|amend|tag\b|\bpush(?!.*force)"
    r"|allow-?list|white-?list|not.in.list|unknown|unclassified|unparse|default|read.?only|plan.?mode|prefer|instead|style"
    r"|convention|interactive|editor|pager|sleep|background|tool.use|hostname|homoglyph|punycode|unicode|confusable|url|tld"
    r"|shorten|transport|http\b|\bip\b|docker.run|compose|local.?host|test.run|curl.http|wget.http"
    r"|gtfobins_commands (?:shell|command|download)|approvals"
    r"|network.tool|\bssh\b|sudo$|alias|history|env.?var|variable|quot|glob|format|lint|python.c|inline|heredoc",
    re.IGNORECASE,
)
"""What a label names when it is a matter of taste: what may be installed, committed, fetched by name, left unread."""

GRAVE = re.compile(
    r"destr|delete|remov|wipe|erase|rm\b|format.?disk|mkfs|exfil|credential|secret|key|passw|token|reverse|backdoor|inject"
    r"|bomb|privilege|escape|force|hard|drop|truncate|shadow|malware|persist|pipe.*(?:sh|bash|shell)|remote.*(?:exec|script)"
    r"|evasion|bypass|obfus",
    re.IGNORECASE,
)
"""A label that names one of these too is none."""


class Verdict(NamedTuple):
    """A command, the suite's word for it, and what the test is called."""

    command: str
    word: str
    label: str


class Texts(Protocol):
    """Copies of repositories."""

    def listing(self, repository: str, commit: str) -> list[tuple[str, str, int]]: ...

    def texts(self, repository: str, objects: list[str]) -> Iterator[str]: ...


def unquoted(text: str) -> str:
    """The value of a literal of Python, Go, Rust or TypeScript; "" when it cannot be told."""
    if text.startswith("`"):
        return text[1:-1]
    if text.startswith("r#"):
        return text[3:-2]
    try:
        found = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return ""
    return found if isinstance(found, str) else ""


def _headed(text: str) -> Callable[[int], str]:
    """What names the tests at a place of a file: the last heading before it, with the group that holds it."""
    heads = [(one.start(), one.group(1)) for one in HEADING.finditer(text)]

    def at(place: int) -> str:
        before = [name for start, name in heads if start <= place]
        return before[-1] if before else ""

    return at


def by_pattern(text: str, how: dict[str, Any]) -> Iterator[Verdict]:
    """Every match of a pattern with `text`, `word` and perhaps `label`; TEXT stands for any literal."""
    headed = _headed(text)
    for found in re.compile(str(how["pattern"]).replace("TEXT", TEXT), re.MULTILINE | re.DOTALL).finditer(text):
        given = found.groupdict()
        label = f"{given.get('label') or ''} {given.get('rule') or ''} {headed(found.start())}".strip()
        yield Verdict(unquoted(given["text"]), given.get("word") or how.get("word", ""), label)


def by_list(text: str, how: dict[str, Any]) -> Iterator[Verdict]:
    """Literals of the lists whose beginning a pattern names; the word is what the pattern's group holds."""
    for found in re.finditer(how["pattern"], text, re.MULTILINE):
        end = re.compile(r"^\s*[\])][,;)]*\s*$", re.MULTILINE).search(text, found.end())
        for one in re.finditer(
            rf"^\s*({TEXT}),?\s*(?:#.*|//.*)?$", text[found.end() : end.start() if end else None], re.M
        ):
            yield Verdict(unquoted(one.group(1)), found.group(1), found.group(0).strip())


TREES: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": YAML(typ="safe", pure=True).load,
}


def by_tree(text: str, how: dict[str, Any]) -> Iterator[Verdict]:
    """Objects of a JSON, YAML or TOML file, wherever they stand, that hold a command and a word."""
    tree = TREES[how["format"]](text)

    def walk(node: Any) -> Iterator[Verdict]:
        if isinstance(node, dict):
            inner = [one for one in (node, node.get("params"), node.get("input")) if isinstance(one, dict)]
            command = next((one[how["text"]] for one in inner if isinstance(one.get(how["text"]), str)), "")
            word = str(node.get(how["key"], "")) if "key" in how else how["word"]
            if command and word and all(node.get(key) in values for key, values in how.get("only", {}).items()):
                yield Verdict(command, word, " ".join(str(node.get(one, "")) for one in how.get("labels", ())))
            for value in node.values():
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)

    return walk(tree)


def by_line(text: str, how: dict[str, Any]) -> Iterator[Verdict]:
    """A command a line, its word behind the last but one bar."""
    for line in text.splitlines():
        parts = line.rsplit("|", 2)
        if len(parts) == 3 and not line.startswith("#"):
            yield Verdict(parts[0].strip(), parts[1].strip(), how.get("label", ""))


def by_block(text: str, _how: dict[str, Any]) -> Iterator[Verdict]:
    """Blocks of `key: value` between lines of dashes."""
    for block in re.split(r"^---\s*$", text, flags=re.MULTILINE):
        keys = dict(re.findall(r"^(\w+): (.*)$", block, re.MULTILINE))
        if "command" in keys and "decision" in keys:
            yield Verdict(keys["command"], keys["decision"], f"{keys.get('pack', '')} {keys.get('rule', '')}")


def by_parameters(text: str, _how: dict[str, Any]) -> Iterator[Verdict]:
    """The first of each set of parameters of a Python test, whose name is the word."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for given in node.decorator_list:
            if not (isinstance(given, ast.Call) and ast.unparse(given.func).endswith("parametrize")):
                continue
            names, rows = given.args[0], given.args[1]
            if "command" not in ast.unparse(names).split(",")[0] or not isinstance(rows, ast.List):
                continue
            for row in rows.elts:
                cells = row.elts if isinstance(row, ast.Tuple) else [row]
                values = [one.value for one in cells if isinstance(one, ast.Constant)]
                flags = [one for one in values if isinstance(one, bool)]
                word = f"{node.name}_{'blocked' if flags[0] else 'allowed'}" if flags else node.name
                if values and isinstance(values[0], str):
                    yield Verdict(values[0], word, " ".join([node.name, *(str(one) for one in values[1:])]))


FORMS: dict[str, Callable[[str, dict[str, Any]], Iterator[Verdict]]] = {
    "pattern": by_pattern,
    "list": by_list,
    "tree": by_tree,
    "line": by_line,
    "block": by_block,
    "parameters": by_parameters,
}


def is_policy(label: str) -> bool:
    """The label names a matter of taste, and nothing grave."""
    return bool(POLICY.search(label)) and not GRAVE.search(label)


def _row(source: str, path: str, one: Verdict, expected: str) -> dict[str, Any]:
    block = expected == "block"
    return {
        "command": one.command,
        "expected": expected,
        "accept": ["ask", "block"] if block else ["allow"],
        "category": Path(path).stem,
        "source": f"{source} {path}",
        "policy": block and is_policy(f"{Path(path).stem} {one.label}"),
    }


def _rows(suite: dict[str, Any], copies: Texts) -> Iterator[dict[str, Any]]:
    places = {path: blob for path, blob, _ in copies.listing(suite["repository"], suite["commit"])}
    for how in suite["read"]:
        for path in [one for one in places if re.fullmatch(how["path"], one)]:
            text = next(copies.texts(suite["repository"], [places[path]]))
            for one in FORMS[how["form"]](text, how):
                for expected in ("block", "allow"):
                    if one.command.strip() and re.search(how.get(expected, r"(?!)"), one.word):
                        yield _row(suite["repository"], path, one, expected)
                        break


def marked(rows: Iterable[dict[str, Any]], marks: str) -> Iterator[dict[str, Any]]:
    """The rows, with `policy` as a list of marks has it: a `d` or `p` for each dangerous one, `#` before a remark."""
    letters = iter("".join(line for line in marks.splitlines() if line[:1] != "#"))
    for row in rows:
        yield row | {"policy": next(letters) == "p"} if row["expected"] == "block" else row
    if next(letters, ""):
        raise LookupError("marks · there are more of them than dangerous rows")


def rows_of(chosen: Iterable[dict[str, Any]], copies: Texts, taken: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """The rows of these suites: each command once, none that is `taken`."""
    seen = set(taken)
    for suite in sorted(chosen, key=lambda one: str(one["repository"])):
        found: dict[str, dict[str, Any]] = {}
        for row in _rows(suite, copies):
            if row["command"] not in seen:
                found.setdefault(row["command"], row)
        seen |= found.keys()
        order = sorted(found, key=lambda one: sha256(one.encode(errors="replace")).digest())
        yield from (found[one] for one in order[: suite.get("most", len(order))])
