"""What calls of Python that only make texts and paths give, as far as their arguments tell."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.literals import unhex, unpacked
from jackline.shell.scene import ACTIVE, BELOW, SOME, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.shell.scene import Scene

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
    **dict.fromkeys(("base64.b64decode", "base64.urlsafe_b64decode", "base64.standard_b64decode",
                     "base64.decodebytes", "binascii.a2b_base64"), _of(unpacked, whole=True)),
    **dict.fromkeys(("bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "binascii.a2b_hex"),
                    _of(unhex, whole=True)),
    "chr": lambda args, scene: chr(args[0]) if args and isinstance(args[0], int) and 5 < args[0] < 128 else None,
    "shlex.split": _of(str.split, whole=True),
}  # fmt: skip
"""Functions that make a text, a path or a name of what they are told."""


def called(name: str, args: list[Any], scene: Scene) -> Any:
    made = CALLED.get(name)
    return made(args, scene) if made else None


def _replaced(value: str, args: list[Any]) -> Any:
    if len(args) == 2 and all(isinstance(one, str) for one in args) and not marked(value):
        return value.replace(args[0], args[1])
    return None


def _strung(value: str, args: list[Any]) -> Any:
    parts = args[0] if args else None
    return value.join(one if isinstance(one, str) else UNKNOWN for one in parts) if isinstance(parts, list) else None


def _below(value: str, args: list[Any]) -> Any:
    return Pathy(joined(str(value), f"{BELOW}/{_told(args, '*').replace('**/', '').translate(ACTIVE)}"))


METHODS: dict[str, Callable[[str, list[Any]], Any]] = {
    **dict.fromkeys(("decode", "encode", "strip", "resolve", "absolute", "as_posix", "rstrip", "lstrip", "expandvars",
                     "expanduser"), lambda value, args: value),
    "rglob": _below,
    "glob": lambda value, args: Pathy(joined(str(value), _told(args, "*").replace("**", BELOW).translate(ACTIVE))),
    "iterdir": lambda value, args: Pathy(joined(str(value), SOME)),
    "joinpath": lambda value, args: Pathy(joined(str(value), _told(args, UNKNOWN))),
    "with_suffix": lambda value, args: Pathy(f"{value.rpartition('.')[0] or value}{SOME}"),
    "with_name": lambda value, args: Pathy(joined(value.rpartition("/")[0], _told(args, SOME))),
    "replace": _replaced,
    "lower": lambda value, args: value.lower(),
    "upper": lambda value, args: value.upper(),
    "join": _strung,
    "split": lambda value, args: value.split() if not args and not marked(value) else None,
}  # fmt: skip
"""Methods of texts and paths: the value, then the arguments."""
