"""What expressions, calls and names of a program of Python may be: texts, paths, lists, modules, functions."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.shell_state import ACTIVE, BELOW, SOME, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.shell.rules.python import Program
    from jackline.shell.shell_state import Scene

    Called = Callable[[list[Any], Scene], Any]


class Named(str):
    """The dotted name of a module, a class or a function."""

    __slots__ = ()


class Pathy(str):
    """A path, or what walking one gives."""

    __slots__ = ()


def joined(base: str, name: str) -> str:
    """`os.path.join` of two."""
    return name if name.startswith("/") else f"{base.rstrip('/') if base != '/' else ''}/{name}" if base else name


def _told(args: list[Any], other: str) -> str:
    """The text that a call is told first, or what it means by saying nothing."""
    return args[0] if args and isinstance(args[0], str) else other


def _of(take: Callable[[str], Any], *, whole: bool = False) -> Called:
    """A function of one text, which must be known, or `whole`."""

    def called(args: list[Any], scene: Scene) -> Any:
        known = args and isinstance(args[0], str) and not (whole and marked(args[0]))
        return take(args[0]) if known else None

    return called


def _join(args: list[Any], scene: Scene) -> Any:
    made = ""
    for one in args:
        made = joined(made, one if isinstance(one, str) and not isinstance(one, Named) else UNKNOWN)
    return Pathy(made) if made else None


def _home(args: list[Any], scene: Scene) -> Any:
    home, text = scene.value("HOME") or UNKNOWN, args[0] if args else "~"
    if not isinstance(text, str):
        return None
    return Pathy(home + text[1:] if text == "~" or text.startswith("~/") else text)


def _variable(args: list[Any], scene: Scene) -> Any:
    return scene.value(args[0]) if args and args[0] in ("HOME", "TMPDIR", "USER") else None


CALLED: dict[str, Called] = {
    "os.path.join": _join,
    **dict.fromkeys(("pathlib.Path", "pathlib.PosixPath", "Path", "pathlib.PurePath"),
                    lambda args, scene: _join(args, scene) or Pathy(".")),
    **dict.fromkeys(("os.path.expanduser", "pathlib.Path.home"), _home),
    **dict.fromkeys(("os.environ.get", "os.getenv"), _variable),
    **dict.fromkeys(("os.path.abspath", "os.path.realpath", "os.path.normpath", "str", "os.fspath", "bytes", "list",
                     "sorted", "set", "tuple", "reversed", "os.fsencode", "textwrap.dedent"), _of(lambda text: text)),
    **dict.fromkeys(("os.getcwd", "pathlib.Path.cwd"), lambda args, scene: Pathy(scene.cwd or UNKNOWN)),
    "os.path.dirname": _of(lambda text: Pathy(text.rpartition("/")[0] or "."), whole=True),
    **dict.fromkeys(("glob.glob", "glob.iglob"),
                    _of(lambda text: Pathy(text.replace("**", BELOW).translate(ACTIVE)))),
    "os.walk": lambda args, scene: Pathy(f"{_told(args, '.').rstrip('/')}/{BELOW}"),
    "os.scandir": lambda args, scene: Pathy(f"{_told(args, '.').rstrip('/')}/{SOME}"),
    "os.listdir": lambda args, scene: Pathy(SOME),
    **dict.fromkeys(("tempfile.mkdtemp", "tempfile.mktemp", "tempfile.TemporaryDirectory", "tempfile.gettempdir",
                     "tempfile.NamedTemporaryFile"), lambda args, scene: Pathy(f"/tmp/{SOME}")),
    "shlex.split": _of(str.split, whole=True),
}  # fmt: skip
"""Functions that make a text, a path or a name of what they are told."""


def _below(value: str, args: list[Any]) -> Any:
    return Pathy(joined(str(value), f"{BELOW}/{_told(args, '*').replace('**/', '').translate(ACTIVE)}"))


METHODS: dict[str, Callable[[str, list[Any]], Any]] = {
    **dict.fromkeys(("decode", "encode", "strip", "resolve", "absolute", "as_posix", "rstrip", "lstrip", "expandvars",
                     "expanduser"), lambda value, args: value),
    "rglob": _below,
    "glob": lambda value, args: Pathy(joined(str(value), _told(args, "*").replace("**", BELOW).translate(ACTIVE))),
    "iterdir": lambda value, args: Pathy(joined(str(value), SOME)),
    "joinpath": lambda value, args: Pathy(joined(str(value), _told(args, UNKNOWN))),
    "split": lambda value, args: value.split() if not args and not marked(value) else None,
}  # fmt: skip
"""Methods of texts and paths: the value, then the arguments."""


MANY = 8
"""Values of one expression that we follow."""

STAND_IN = "\ue000"
"""Stands for `UNKNOWN` in a program: its parser reads no zero character."""


def text_of(value: Any) -> str:
    return value if isinstance(value, str) and not isinstance(value, Named) else UNKNOWN


def _name(self: Program, name: str, depth: int) -> list[Any]:
    bound = self.named.get(name)
    if not bound:
        return [Named(name)]
    found: list[Any] = []
    for how, value in bound[:MANY]:
        if how == "named":
            found.append(Named(value))
        elif how == "is":
            found += self.values(value, depth)
        elif how.startswith("in"):
            found += [one for whole in self.values(value, depth) for one in elements(whole, how)]
        else:
            found.append(None)
    return list(dict.fromkeys(one if not isinstance(one, list) else None for one in found)) if len(found) > 1 else found


def elements(whole: Any, how: str) -> list[Any]:
    """What a loop over this gives: the parts of a list; names below a folder."""
    if isinstance(whole, list):
        return [UNKNOWN if one is None else one for one in whole] if how == "in" else [None]
    if isinstance(whole, Pathy):
        return [whole] if how in ("in", "in.0") else [Pathy("\4")]
    return [None]


def _attribute(base: Any, name: str) -> Any:
    if isinstance(base, Named):
        return f"{base}.{name}" if f"{base}.{name}" == "sys.executable" else Named(f"{base}.{name}")
    if isinstance(base, Pathy) and name == "parent":
        return Pathy(str(base).rpartition("/")[0] or ("/" if base[:1] == "/" else "."))
    return None


def _call(self: Program, node: Any, depth: int) -> list[Any]:
    args = [self.values(one, depth)[0] for one in node.args if type(one).__name__ != "Starred"]
    found: list[Any] = []
    for what in self.values(node.func, depth):
        if what in ("getattr", "__import__", "importlib.import_module") and isinstance(what, Named):
            name = args[1:2] if what == "getattr" else args[:1]
            base = f"{args[0]}." if what == "getattr" and isinstance(args[0], Named) else ""
            known = name and isinstance(name[0], str) and UNKNOWN not in name[0] and (base or what != "getattr")
            found.append(Named(base + name[0]) if known else None)
        elif what in ("vars", "globals", "locals") and isinstance(what, Named):
            found.append(Named(f"{args[0]}.__dict__") if args else what)
        elif isinstance(what, Named):
            found.append(CALLED[what](args, self.job.scene) if what in CALLED else None)
    if type(node.func).__name__ == "Attribute" and found in ([], [None]):
        made, held = METHODS.get(node.func.attr), self.values(node.func.value, depth)
        found = [made(one, args) if made and text_of(one) is one else None for one in held]
    return found


def _joined(operator: str, left: Any, right: Any) -> Any:
    if operator == "Div" and isinstance(left, str):
        return Pathy(joined(left, right if isinstance(right, str) else UNKNOWN))
    if operator == "Add" and isinstance(left, list) and isinstance(right, list):
        return left + right
    if operator == "Add" and (isinstance(left, str) or isinstance(right, str)):
        return "".join([one if isinstance(one, str) else UNKNOWN for one in (left, right)])
    return UNKNOWN if isinstance(left, str) else None


def _list(self: Program, parts: list[Any], depth: int) -> list[Any]:
    made: list[Any] = []
    for one in parts[:64]:
        starred = type(one).__name__ == "Starred"
        inner = self.values(one.value if starred else one, depth)[0]
        made += (inner if isinstance(inner, list) else [UNKNOWN]) if starred else [inner]
    return [made]


def values_of(self: Program, node: Any, depth: int) -> list[Any]:
    """What an expression may be."""
    match type(node).__name__:
        case "Constant":
            value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
            return [value.replace(STAND_IN, UNKNOWN) if isinstance(value, str) else value]
        case "Name":
            return _name(self, node.id, depth)
        case "Attribute":
            return [_attribute(base, node.attr) for base in self.values(node.value, depth)]
        case "Call":
            return _call(self, node, depth)
        case "BinOp":
            operator, rights = type(node.op).__name__, self.values(node.right, depth)
            return [_joined(operator, left, right) for left in self.values(node.left, depth) for right in rights]
        case "JoinedStr":
            return ["".join(text_of(self.values(part, depth)[0]) for part in node.values)]
        case "Subscript":
            at = getattr(node.slice, "value", None)
            if self.values(node.value, depth)[0] == Named("sys.argv") and isinstance(at, int) and at > 0:
                return [self.args[at - 1] if at <= len(self.args) else UNKNOWN]
        case "List" | "Tuple" | "Set":
            return _list(self, node.elts, depth)
        case "NamedExpr" | "Await" | "FormattedValue":
            return self.values(node.value, depth)
        case "IfExp":
            return self.values(node.body, depth) + self.values(node.orelse, depth)
        case "BoolOp":
            return [one for part in node.values for one in self.values(part, depth)]
    return []


def bind(self: Program, node: Any) -> None:
    """What a statement, or a part of one, binds names to."""
    match type(node).__name__:
        case "Assign":
            for one in node.targets:
                self.bind(one, "is", node.value)
        case "AnnAssign" | "NamedExpr":
            self.bind(node.target, "is", node.value)
        case "AugAssign":
            self.bind(node.target, "unknown", node.value)
        case "For" | "AsyncFor" | "comprehension":
            self.bind(node.target, "in", node.iter)
        case "withitem":
            self.bind(node.optional_vars, "is", node.context_expr)
        case "Import":
            for one in node.names:
                name = one.asname or one.name.partition(".")[0]
                self.named.setdefault(name, []).append(("named", one.name if one.asname else name))
        case "ImportFrom":
            for one in node.names:
                self.named.setdefault(one.asname or one.name, []).append(("named", f"{node.module or ''}.{one.name}"))
        case "FunctionDef":
            self.functions[node.name] = node
            for one, value in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
                self.named.setdefault(one.arg, []).append(("is", value))
