"""What `make` runs, as text for a shell: the recipes of some targets, and what it runs while it reads its files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
DEEP = 8
MOST = 1 << 18
"""Variables in variables, and characters that are put in."""
UNKNOWN = "$_"
"""A variable of the shell whose value nobody knows."""

BUILT_IN = {"MAKE": "make", "CC": "cc", "CXX": "g++", "RM": "rm -f", "AR": "ar", "LD": "ld", "CPP": "cc -E"}
INCLUDES = ("include", "-include", "sinclude")
CONDITIONS = ("ifeq", "ifneq", "ifdef", "ifndef", "else", "endif")
WORDS = frozenset(["override", "export", "private", "unexport"])
SHELLS = frozenset(["sh", "bash", "dash", "zsh", "ksh", "ash"])
DULL = frozenset(["info", "warning", "error"])
BLIND = frozenset(["eval", "file", "load", "guile"])
"""Functions of make that make more of the file, or write another."""


def closing(text: str, at: int) -> int:
    """The place of the bracket that closes the one at `at`, the end when none does."""
    pair = {"(": ")", "{": "}"}[text[at]]
    open_ = 0
    for i in range(at, len(text)):
        open_ += (text[i] == text[at]) - (text[i] == pair)
        if not open_:
            return i
    return len(text)


class Makefile:
    """What stands in a makefile. `blind`: why it was not wholly read, "" when it was."""

    def __init__(
        self, include: Callable[[str], str], given: dict[str, str], outside: Callable[[str], str] = str
    ) -> None:
        self.include = include
        self.outside = outside  # what the shell calls a variable of the environment, "" when there is none
        self.given = given
        self.variables = {**BUILT_IN, **given}
        self.rules: dict[str, tuple[list[str], list[str]]] = {}
        self.first = [given[name] for name in given if name == "SHELL"]  # run while it is read
        self.remade = [*MAKEFILES]  # what make makes anew before it begins, when it can
        self.blind = ""
        self.room = MOST

    def read(self, text: str, depth: int = 0) -> None:
        current: list[str] = []
        lines = iter(text.replace("\\\n", " ").split("\n"))
        for line in lines:
            words = line.split()
            if line[:1] == "\t" and current:
                for name in current:
                    self.rules[name][1].append(line.strip())
            elif not words or words[0][0] == "#" or words[0].partition("(")[0] in CONDITIONS:
                self.put(line.partition("#")[0])
            elif words[0] in INCLUDES:
                for name in self.put(line.split(None, 1)[1] if words[1:] else "").split():
                    self.includes(name, depth)
            elif words[0] == "define" and len(words) > 1:
                self.variables[words[1]] = "\n".join(iter(lambda: next(lines, "endef").strip(), "endef"))
            elif not self.assigned(line):
                current = self.rule(line)

    def includes(self, name: str, depth: int) -> None:
        self.remade.append(name)
        text = self.include(name) if "$" not in name and depth < 3 else None
        if text:
            self.read(text, depth + 1)
        elif text is None and ".d" not in name:  # what a compiler says of what needs what
            self.blind = "includes what only make finds"

    def assigned(self, line: str) -> bool:
        head, equals, value = line.partition("=")
        names = [word for word in head.rstrip(":?+! ").split() if word not in WORDS]
        if not equals or len(names) != 1 or ":" in names[0].rstrip(":") or "$" in names[0]:
            return False
        name, mark, value = names[0], head.rstrip(" ")[-1:], value.strip()
        known = self.put(value)
        if mark == "!" or (name == "SHELL" and value.rpartition("/")[2] not in SHELLS):
            self.first.append(known)
        if name == ".RECIPEPREFIX":
            self.blind = "names another mark for recipes"
        if name not in self.given:
            value = known.replace("$", "$$") if mark == ":" else value
            self.variables[name] = f"{self.variables.get(name, '')} {value}" if mark == "+" else value
        return True

    def rule(self, line: str) -> list[str]:
        head, colon, needs = line.partition(":")
        needs, _, first = needs.lstrip(":").partition(";")
        names, needed = self.put(head).split() if colon else [], self.put(needs if colon else line).split()
        for name in names:
            own = self.rules.setdefault(name, ([], []))
            if "=" not in needs:
                own[0].extend(word for word in needed if word != "|")
            own[1].extend([first.strip()] if first.strip() else [])
        return names

    def put(self, line: str, own: dict[str, str] | None = None, depth: int = 0) -> str:
        """A line as the shell gets it: what make puts in is put in, or is a variable that nobody knows."""
        out, i = "", 0
        self.room -= len(line)
        if self.room < 0:
            self.blind = "puts in more than we follow"
            return UNKNOWN
        while i < len(line):
            if line[i] != "$" or i + 1 == len(line):
                out += line[i]
                i += 1
                continue
            bracket = line[i + 1] in "({"
            end = closing(line, i + 1) if bracket else i + 1
            body = line[i + 2 : end] if bracket else line[i + 1]
            out += "$" if body == "$" else self.value(body, own or {}, depth + 1)
            i = end + 1
        return out

    def value(self, body: str, own: dict[str, str], depth: int) -> str:
        name, _, rest = body.partition(" ")
        if name in BLIND:
            self.blind = f"calls $({name}) of make"
        if name != body:  # a function
            if name == "call" and depth < DEEP:
                called, *args = [one.strip() for one in rest.split(",")]
                return self.put(self.variables.get(called, ""), {**own, **{str(at): x for at, x in enumerate(args, 1)}})
            told = self.put(rest, own, depth) if depth < DEEP else UNKNOWN
            self.first += [told] if name == "shell" else []
            return "" if name in DULL else UNKNOWN
        name, colon, swap = body.partition(":")
        if colon and "=" in swap:  # other ends for its words
            old, _, new = swap.replace("%", "").partition("=")
            words = self.value(name, own, depth).split()
            return " ".join([word.removesuffix(old) + new if word.endswith(old) else word for word in words])
        held = own.get(body, self.variables.get(body))
        if held is None or depth >= DEEP:
            return UNKNOWN if depth >= DEEP or not body.isidentifier() else self.outside(body)
        return self.put(held, own, depth) if body not in own else held

    def lines(self, targets: Sequence[str]) -> list[str]:
        """The commands that run for some targets, and for what these need; for the first when none is named."""
        default = self.put(self.variables.get(".DEFAULT_GOAL", "")).split()
        todo = [name for name in self.remade if name in self.rules]
        todo += list(targets) or default or [name for name in self.rules if name[:1] != "." and "%" not in name][:1]
        made: list[str] = []
        seen: set[str] = set()
        while todo:
            name = todo.pop(0)
            rule, stem = self.found(name) if name not in seen else (None, "")
            seen.add(name)
            needs = [one.replace("%", stem) for one in rule[0]] if rule else []
            todo += needs
            own = {"@": name, "<": "".join(needs[:1]), "^": " ".join(needs), "*": stem or UNKNOWN}
            made += [self.put(line, own).lstrip("@-+ ") for line in (rule[1] if rule else ())]
        return [*self.first, *[f"({line}\n)" if line.startswith("cd ") else line for line in made]]

    def found(self, name: str) -> tuple[tuple[list[str], list[str]] | None, str]:
        """The rule that makes something, and what a `%` in it stands for."""
        if name in self.rules:
            return self.rules[name], ""
        for pattern, rule in self.rules.items():
            head, percent, tail = pattern.partition("%")
            if percent and rule[1] and len(name) >= len(pattern) and name.startswith(head) and name.endswith(tail):
                return rule, name[len(head) : len(name) - len(tail)]
        return self.rules.get(".DEFAULT"), ""
