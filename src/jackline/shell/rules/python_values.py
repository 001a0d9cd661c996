"""What calls of Python that only make texts and paths give, as far as their arguments tell."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.scene import ACTIVE, BELOW, SOME, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.shell.scene import Scene


class Named(str):
    """The dotted name of a module, a class or a function."""

    __slots__ = ()


class Pathy(str):
    """A path, or what walking one gives."""

    __slots__ = ()


def joined(base: str, name: str) -> str:
    """`os.path.join` of two."""
    return name if name.startswith("/") else f"{base.rstrip('/') if base != '/' else ''}/{name}" if base else name


def _join(args: list[Any], scene: Scene) -> Any:
    made = ""
    for one in args:
        made = joined(made, one if isinstance(one, str) and not isinstance(one, Named) else UNKNOWN)
    return Pathy(made) if made else None


def _path(args: list[Any], scene: Scene) -> Any:
    return _join(args, scene) or Pathy(".")


def _home(args: list[Any], scene: Scene) -> Any:
    home = scene.value("HOME") or UNKNOWN
    if not args:
        return Pathy(home)
    text = args[0]
    if not isinstance(text, str):
        return None
    return Pathy(home + text[1:] if text == "~" or text.startswith("~/") else text)


def _variable(args: list[Any], scene: Scene) -> Any:
    return scene.value(args[0]) if args and args[0] in ("HOME", "TMPDIR", "USER") else None


def _same(args: list[Any], scene: Scene) -> Any:
    return args[0] if args and isinstance(args[0], str) else None


def _above(args: list[Any], scene: Scene) -> Any:
    text = args[0] if args else None
    return Pathy(text.rpartition("/")[0] or ".") if isinstance(text, str) and not marked(text) else None


def _globbed(args: list[Any], scene: Scene) -> Any:
    text = args[0] if args else None
    if not isinstance(text, str):
        return None
    return Pathy(text.replace("**", BELOW).translate(ACTIVE))


def _walked(args: list[Any], scene: Scene) -> Any:
    base = args[0] if args and isinstance(args[0], str) else "."
    return Pathy(f"{base.rstrip('/')}/{BELOW}")


def _entries(args: list[Any], scene: Scene) -> Any:
    return Pathy(SOME)


def _scanned(args: list[Any], scene: Scene) -> Any:
    base = args[0] if args and isinstance(args[0], str) else "."
    return Pathy(f"{base.rstrip('/')}/{SOME}")


def _temporary(args: list[Any], scene: Scene) -> Any:
    return Pathy(f"/tmp/{SOME}")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\0", "")


def _decoded(args: list[Any], scene: Scene) -> Any:
    from binascii import Error, a2b_base64

    text = args[0] if args else None
    if not isinstance(text, str) or marked(text):
        return None
    try:
        return _text(a2b_base64(text.encode().translate(bytes.maketrans(b"-_", b"+/"))))
    except (Error, ValueError):
        return None


def _unhexed(args: list[Any], scene: Scene) -> Any:
    try:
        return _text(bytes.fromhex(args[0])) if args and isinstance(args[0], str) and not marked(args[0]) else None
    except ValueError:
        return None


def _codec(args: list[Any], scene: Scene) -> Any:
    if len(args) < 2 or not isinstance(args[0], str) or marked(args[0]):
        return None
    if args[1] in ("rot13", "rot_13"):
        upper, lower = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
        return args[0].translate(str.maketrans(upper + lower, upper[13:] + upper[:13] + lower[13:] + lower[:13]))
    return _unhexed(args, scene) if args[1] == "hex" else _decoded(args, scene) if args[1] == "base64" else None


def _char(args: list[Any], scene: Scene) -> Any:
    return chr(args[0]) if args and isinstance(args[0], int) and 5 < args[0] < 128 else None


def _module(args: list[Any], scene: Scene) -> Any:
    return Named(args[0]) if args and isinstance(args[0], str) else None


def _got(args: list[Any], scene: Scene) -> Any:
    if len(args) > 1 and isinstance(args[0], Named) and isinstance(args[1], str) and not marked(args[1]):
        return Named(f"{args[0]}.{args[1]}")
    return None


def _split(args: list[Any], scene: Scene) -> Any:
    return args[0].split() if args and isinstance(args[0], str) and not marked(args[0]) else None


CALLED: dict[str, Callable[[list[Any], Scene], Any]] = {
    "os.path.join": _join,
    **dict.fromkeys(("pathlib.Path", "pathlib.PosixPath", "Path", "pathlib.PurePath"), _path),
    **dict.fromkeys(("os.path.expanduser", "pathlib.Path.home"), _home),
    **dict.fromkeys(("os.environ.get", "os.getenv"), _variable),
    **dict.fromkeys(("os.path.abspath", "os.path.realpath", "os.path.normpath", "str", "os.fspath", "bytes", "list",
                     "sorted", "set", "tuple", "reversed", "os.fsencode", "textwrap.dedent"), _same),
    **dict.fromkeys(("os.getcwd", "pathlib.Path.cwd"), lambda args, scene: Pathy(scene.cwd or UNKNOWN)),
    "os.path.dirname": _above,
    **dict.fromkeys(("glob.glob", "glob.iglob"), _globbed),
    "os.walk": _walked,
    "os.listdir": _entries,
    "os.scandir": _scanned,
    **dict.fromkeys(("tempfile.mkdtemp", "tempfile.mktemp", "tempfile.TemporaryDirectory", "tempfile.gettempdir",
                     "tempfile.NamedTemporaryFile"), _temporary),
    **dict.fromkeys(("base64.b64decode", "base64.urlsafe_b64decode", "base64.standard_b64decode",
                     "base64.decodebytes", "binascii.a2b_base64"), _decoded),
    **dict.fromkeys(("bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "binascii.a2b_hex"), _unhexed),
    "codecs.decode": _codec,
    "chr": _char,
    **dict.fromkeys(("__import__", "importlib.import_module"), _module),
    "getattr": _got,
    "shlex.split": _split,
}  # fmt: skip
"""Functions that make a text, a path or a name of what they are told."""


def called(name: str, args: list[Any], scene: Scene) -> Any:
    made = CALLED.get(name)
    return made(args, scene) if made else None


def _method(take: Callable[[str, list[Any]], Any]) -> Callable[[Any, list[Any]], Any]:
    """A method of texts that says nothing of other values."""
    return lambda value, args: take(value, args) if isinstance(value, str) else None


def _below(value: str, args: list[Any]) -> Any:
    name = args[0] if args and isinstance(args[0], str) else "*"
    return Pathy(joined(str(value), f"{BELOW}/{name.replace('**/', '').translate(ACTIVE)}"))


def _within(value: str, args: list[Any]) -> Any:
    name = args[0] if args and isinstance(args[0], str) else "*"
    return Pathy(joined(str(value), name.replace("**", BELOW).translate(ACTIVE)))


def _named(args: list[Any], other: str) -> str:
    return args[0] if args and isinstance(args[0], str) else other


def _replaced(value: str, args: list[Any]) -> Any:
    if len(args) == 2 and all(isinstance(one, str) for one in args) and not marked(value):
        return value.replace(args[0], args[1])
    return None


def _strung(value: str, args: list[Any]) -> Any:
    parts = args[0] if args else None
    return value.join(one if isinstance(one, str) else UNKNOWN for one in parts) if isinstance(parts, list) else None


METHODS: dict[str, Callable[[Any, list[Any]], Any]] = {
    **dict.fromkeys(("decode", "encode", "strip", "resolve", "absolute", "as_posix", "rstrip", "lstrip", "expandvars"),
                    _method(lambda value, args: value)),
    "expanduser": _method(lambda value, args: value),
    "rglob": _method(_below),
    "glob": _method(_within),
    "iterdir": _method(lambda value, args: Pathy(joined(str(value), SOME))),
    "joinpath": _method(lambda value, args: Pathy(joined(str(value), _named(args, UNKNOWN)))),
    "with_suffix": _method(lambda value, args: Pathy(f"{value.rpartition('.')[0] or value}{SOME}")),
    "with_name": _method(lambda value, args: Pathy(joined(value.rpartition("/")[0], _named(args, SOME)))),
    "replace": _method(_replaced),
    "lower": _method(lambda value, args: value.lower()),
    "upper": _method(lambda value, args: value.upper()),
    "join": _method(_strung),
    "split": _method(lambda value, args: value.split() if not args and not marked(value) else None),
}  # fmt: skip
"""Methods of texts and paths: the value, then the arguments."""
