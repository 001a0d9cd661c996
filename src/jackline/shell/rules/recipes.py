"""What `make` and the scripts of a package run, when their file is at hand as text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
DEEP = 8


def _variables(text: str) -> dict[str, str]:
    found = {}
    for line in text.split("\n"):
        name, equals, value = line.partition("=")
        name = name.rstrip(":?+ ").strip()
        if equals and line[:1] != "\t" and name and LETTERS.issuperset(name):
            found[name] = value.strip()
    return found


def _shell(line: str, variables: dict[str, str], depth: int = 0) -> str:
    """A line of a recipe as the shell gets it: what make puts in is put in, or is a variable that nobody knows."""
    out, i = "", 0
    while i < len(line):
        if line[i] != "$":
            out += line[i]
            i += 1
        elif line[i + 1 : i + 2] == "$":
            out, i = out + "$", i + 2
        else:
            close = {"(": ")", "{": "}"}.get(line[i + 1 : i + 2])
            end = line.find(close, i) if close else i + 1
            end = end if end >= 0 else len(line)
            name = line[i + 2 : end] if close else line[i + 1 : i + 2]
            value = variables.get(name)
            known = value is not None and depth < DEEP
            out += _shell(value or "", variables, depth + 1) if known else "$" + ("".join(LETTERS & set(name)) or "_")
            i = end + 1
    return out


def recipes(text: str, targets: Sequence[str]) -> str:
    """The commands that `make` runs for some targets, and for what these need; for the first when none is named."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    current: list[str] = []
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1] == "\t":
            for name in current:
                rules[name][1].append(line.strip().lstrip("@-+ "))
        elif ":" in line and line[:1] not in ("#", " ") and "=" not in line.partition(":")[2][:1]:
            names, _, needs = line.partition(":")
            needs, _, first = needs.lstrip(":").partition(";")
            current = names.split()
            for name in current:
                own = rules.setdefault(name, ([], []))
                own[0].extend(needs.split())
                own[1].extend([first.strip()] if first.strip() else [])
        elif line.strip():
            current = []
    todo = list(targets) or [name for name in rules if name[:1] != "."][:1]
    lines: list[str] = []
    seen: set[str] = set()
    variables = _variables(text)
    while todo:
        name = todo.pop(0)
        if name in rules and name not in seen:
            seen.add(name)
            todo += rules[name][0]
            lines += [_shell(line, variables) for line in rules[name][1]]
    return "\n".join(lines)


def scripts(text: str, name: str) -> str:
    """The command behind a name in `package.json`, with those that run before and behind it."""
    import json

    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    known = told.get("scripts") if isinstance(told, dict) else None
    return "\n".join(_named(known if isinstance(known, dict) else {}, name))


def _named(known: dict[str, object], name: str) -> Iterator[str]:
    for one in (f"pre{name}", name, f"post{name}"):
        if isinstance(known.get(one), str):
            yield str(known[one])


def script_name(words: Sequence[str]) -> str:
    """Which script `npm run x`, `npm test`, `yarn x`, `pnpm x` or `bun run x` runs; "" for none."""
    operands = [word for word in words[1:] if word[:1] != "-"]
    if not operands:
        return ""
    if operands[0] in ("run", "run-script", "rum", "urn") and len(operands) > 1:
        return operands[1]
    if operands[0] in ("test", "start", "stop", "restart"):
        return operands[0]
    if operands[0] in ("t", "tst"):
        return "test"
    return operands[0] if words[0].rpartition("/")[2] in ("yarn", "pnpm", "bun") else ""
