"""Programs of Python given as text: which of their calls touch files, run commands, or leave the machine.

The text is parsed and never run. Names are followed through imports, assignments and calls, in no order: each value
that a name may hold counts.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.programs import is_program
from jackline.shell.rules.call_table import DOES, Acts, texts_of
from jackline.shell.rules.python_values import MANY, STAND_IN, Named, Pathy, bind, text_of, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from jackline.shell.command_call import Job

    Ran = Callable[[Job, list[str], str, list[str]], bool]


ONLY_TREE = 0x400
NODES = 40_000
"""Nodes of a program that we look at."""

DEEP = 12

CALLS = {**DOES, "exec": "code"}
FIRST = ("path", "src", "file", "name", "filename", "args", "cmd", "command", "url", "source")
SECOND = ("dst",)
"""Names of arguments that stand first or second."""

_HIDDEN = "__builtins__ __globals__ __subclasses__ __code__ marshal _posixsubprocess ctypes"
HIDDEN = frozenset(_HIDDEN.split())


def nodes_of(tree: Any) -> Iterator[Any]:
    """A tree, and all that is in it."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for child in [getattr(node, name, None) for name in node._fields]:
            parts = reversed(child) if isinstance(child, list) else [child]
            todo.extend(one for one in parts if hasattr(one, "_fields"))


class Program:
    """One program: what its names may stand for, and the job that reports what it does."""

    def __init__(self, job: Job, args: list[str], ran: Ran) -> None:
        self.job = job
        self.ran = ran
        self.args = args
        self.nodes: list[Any] = []
        self.named: dict[str, list[tuple[str, Any]]] = {}
        self.functions: dict[str, Any] = {}
        self.bares = False
        self.acts = Acts(job, "python", lambda code: program(job, code, args, ran))
        self.known: dict[tuple[int, int], list[Any]] = {}

    def bind(self, target: Any, how: str, value: Any) -> None:
        kind = type(target).__name__
        if kind == "Name":
            self.named.setdefault(target.id, []).append((how, value))
        elif kind in ("Tuple", "List"):
            values = getattr(value, "elts", None) if how == "is" else None
            for at, one in enumerate(target.elts):
                if values and len(values) == len(target.elts):
                    self.bind(one, "is", values[at])
                else:
                    self.bind(one, f"{how}.{at}", value)

    def gather(self, tree: Any) -> bool:
        """Every node, and what the names are bound to. False when there are too many."""
        for node in nodes_of(tree):
            self.nodes.append(node)
            if len(self.nodes) > NODES:
                return False
            bind(self, node)
        for node in self.nodes:
            if type(node).__name__ == "Call" and type(node.func).__name__ == "Name" and node.func.id in self.functions:
                told = self.functions[node.func.id].args
                for one, value in zip([*told.posonlyargs, *told.args], node.args, strict=False):
                    self.named.setdefault(one.arg, []).append(("is", value))
        return True

    def values(self, node: Any, depth: int = 0) -> list[Any]:
        """What an expression may be: texts (`UNKNOWN` in them), lists, names of modules and functions; None unknown."""
        if depth > DEEP:
            return [None]
        found = self.known.get((id(node), depth))
        if found is None:
            found = self.known[id(node), depth] = values_of(self, node, depth + 1)[:MANY] or [None]
        return found

    def call(self, node: Any) -> None:
        words = {one.arg or "": self.values(one.value) for one in node.keywords}
        args = [[None] if type(one).__name__ == "Starred" else self.values(one) for one in node.args]
        self.bares = self.bares or any(one[:1] == ["os.environ"] for one in (*args, *words.values()))
        what = next((CALLS[one] for one in self.values(node.func) if isinstance(one, Named) and one in CALLS), "")
        if what:
            for at, names in enumerate((FIRST, SECOND)):
                args += [words[one] for one in names if one in words][:1] if len(args) == at else []
            if what[:6] == "member":
                member(self, node, len(what) > 6)
            elif what == "file":
                self.file(texts_of(args[0] if args else ()))
            else:
                self.acts.act(what, args, words)
        elif type(node.func).__name__ == "Attribute":
            self.method(node, node.func.attr, args, words)
        elif type(node.func).__name__ == "Call" and Named("getattr") in self.values(node.func.func):
            base = self.values(node.func.args[0])[0] if node.func.args else None
            if base is None or base in SYSTEM:
                act = "code.hidden" if base else "code.unknown"
                self.job.fault(f"{self.job.name} calls what only it knows", act=act)

    def method(self, node: Any, name: str, args: list[list[Any]], words: dict[str, list[Any]]) -> None:
        """A call on a value: a path, a connection, or something that we do not know."""
        held = self.values(node.func.value)
        whole = [[one if text_of(one) is one else None for one in held], *args]
        if name in ("rename", "replace"):
            kind = type(node.args[0]).__name__ if len(args) == 1 and not words else "Dict"
            if kind not in ("Dict", "Lambda") and (kind != "Constant" or isinstance(node.args[0].value, str)):
                self.acts.act("move", whole, words)
        elif name == "open":
            if any(isinstance(one, Pathy) for one in held):
                self.acts.act("open", whole, words)
        elif f".{name}" in DOES:
            if not (name == "read_text" and whole[0] == [None]):
                self.acts.act(DOES[f".{name}"], whole, words)
        elif name in ("system", "popen") and args:
            self.acts.act("shell", args, words)
        elif name in ("run", "sudo", "local"):  # of a recipe, of a connection
            told = [texts_of(one)[0] for one in args]
            if told and is_program(told[0].partition(" ")[0]):
                self.job.code(told[0]) if " " in told[0] else self.job.run(told)
        elif name == "connect" and args and type(node.args[0]).__name__ == "Tuple":
            self.job.feed = None
            self.acts.act("send", args, words)
        elif name == "extractall":
            self.acts.act("write:deep", [*args, words.get("path", ["."])], words)

    def file(self, words: list[str]) -> None:
        """Programs that lie in files are run."""
        self.job.all("execute", words, f"{self.job.name} runs it")
        for word in words:
            self.ran(self.job, [word], "python", self.args)

    def imports(self, names: list[str]) -> None:
        """What a program imports. That of a command names it; ours is run by its command alone."""
        for name in names:
            place = name.replace(".", "/")
            if not self.job.walk.within and self.job.walk.since:
                self.ran(self.job, [f"{place}.py", f"{place}/__init__.py"], "python", [])
            if name.startswith("jackline") and name.partition(".")[2].partition(".")[0] not in ("sdk", "inprocess"):
                self.job.note("unknown", f"uses {name}", act="code.open")


SYSTEM = ("os", "subprocess", "shutil", "builtins", "pathlib", "importlib", "pty", "posix", "sys.modules")
SPACES = ("globals", "locals", "sys.modules")


def _pieces(program: Program, node: Any) -> bool:
    """The text is made of pieces, and all of them are known: somebody took the trouble."""
    if type(node).__name__ in ("Constant", "Name"):
        return False
    return all(text_of(one) is one and UNKNOWN not in one for one in program.values(node))


def member(program: Program, node: Any, at: int) -> None:
    """`getattr(module, name)`, `__import__(name)`: a call that takes something by its name."""
    given = node.args[at:] or [one.value for one in node.keywords if one.arg == "name"]
    if not given or type(given[0]).__name__ in ("Constant", "Starred"):
        return
    if _pieces(program, given[0]) or (at and str(program.values(node.args[0])[0]) in SYSTEM):
        program.job.fault(f"{program.job.name} calls what only it knows", act="code.hidden")


def subscript(program: Program, node: Any) -> None:
    """`vars(os)[name]`, `sys.modules[name]`, `globals()[name]`."""
    held = program.values(node.value)[0]
    base = held.removesuffix(".__dict__") if isinstance(held, Named) else ""
    if (base in SYSTEM and base != held) or (base in SPACES and _pieces(program, node.slice)):
        program.job.fault(f"{program.job.name} takes what only it knows", act="code.hidden")


def tree_of(code: str) -> Any:
    """The program as a tree, None when it is none that this Python reads."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(code.replace(UNKNOWN, STAND_IN), "-", "exec", ONLY_TREE, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def program(job: Job, code: str, args: list[str], ran: Ran) -> bool:
    """Report what a program does; `ran` reads a file that it runs. False when it cannot be read."""
    tree = tree_of(code)
    made = Program(job.again(job.scene.fork()), args, ran)
    made.job.feed = "" if code == job.feed else job.feed
    if tree is None or not made.gather(tree):
        return False
    for node in made.nodes:
        if type(node).__name__ == "Call":
            made.call(node)
        elif type(node).__name__ == "Subscript":
            subscript(made, node)
    loads = [node for node in made.nodes if type(node).__name__ in ("Import", "ImportFrom")]
    made.imports([one.name for node in loads if not hasattr(node, "module") for one in node.names])
    made.imports([node.module or "" for node in loads if hasattr(node, "module") and not node.level])
    words = [getattr(node, one, "") for node in made.nodes for one in ("id", "attr", "name")]
    if not HIDDEN.isdisjoint(one for one in words if isinstance(one, str)):
        job.fault(f"{job.name} reaches behind its own names", act="code.hidden")
    made.acts.ends(made.bares)
    return True
