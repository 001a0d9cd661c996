"""Turn a word that was read into the fields a program receives: braces, tilde, variables, splitting.

What only the running shell knows stays in the field as a mark (see `shell_state`). Commands inside `$(…)` are run by
the callback, which walks them and tells what they print when that is certain.
"""

from __future__ import annotations

from jackline.clients.facts import ENV_FILES, HOMES
from jackline.shell.braces import alternatives
from jackline.shell.lexis import NAME, PARAM, PIPE, RUN, SUM, TEXT
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.shell_state import ACTIVE, BELOW, GONE, MARKS, OPEN, SOME, TOLD, Scene, is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.lexis import Part, Parts, Word

    Run = Callable[..., str | None]
    """`run(node, scene)`, and what it reads where that is not what the command itself does."""


def _tilde(parts: Parts, scene: Scene, assigned: bool = False) -> Parts:
    """A leading `~` replaced, and one behind the `=` of a word that looks like an assignment."""
    if not parts or parts[0][0] is not TEXT or parts[0][2] or "~" not in parts[0][1]:
        return parts
    text = parts[0][1]
    before, equals, after = text.partition("=")
    if equals and before.isidentifier() and not assigned:
        told = _tilde(((TEXT, after, False), *parts[1:]), scene, True)
        return ((TEXT, before + equals, False), *told)
    if assigned and ":~" in text:
        return ((TEXT, UNKNOWN, True), *parts[1:])  # one of a list
    if text[:1] != "~":
        return parts
    name, slash, rest = text[1:].partition("/")
    if not slash and len(parts) > 1:
        return parts  # the prefix holds a quote or an expansion: no tilde
    # Without HOME, bash asks who we are.
    folder = {"": scene.value("HOME") or None, "+": scene.cwd or None}.get(name)
    return ((TEXT, UNKNOWN if folder is None else folder, True), (TEXT, slash + rest, False), *parts[1:])


CUTS = ("%", "%%", "#", "##")
LEADS = frozenset(UNKNOWN + SOME + BELOW).isdisjoint


def _cut(held: str, op: str, word: Parts) -> str:
    """`${name%word}` and its kin, for a word that is literal, and for the folder or the name of a path; else unknown.

    What a glob in `held` stands for holds no `/`, but any other letter.
    """
    plain = "".join([str(part[1]) if part[0] is TEXT else "[" for part in word])
    folder, slash, name = held.rpartition("/")
    if (op, plain) in (("%", "/*"), ("##", "*/")) and LEADS(name):
        return name if op == "##" else folder if slash else held
    if not plain or any(char in "*?[\\" + MARKS for char in plain):
        return UNKNOWN
    back = op[0] == "%"
    if (held[-len(plain) :] if back else held[: len(plain)]) == plain:
        return held[: -len(plain)] if back else held[len(plain) :]
    return UNKNOWN if any(char in MARKS for char in held) else held


def _param(part: Part, scene: Scene, run: Run) -> str:
    _, name, _, op, word = part
    if op == "?":
        summed(word, scene, run)  # a subscript or an offset, for all we know
        return UNKNOWN
    if name in "@*" and scene.args is not None:
        held = None if "IFS" in scene.vars and len(scene.args) > 2 else " ".join(scene.args[1:])
    else:
        held = scene.value(name)
    other = joined(word, scene, run)
    if not op or op in CUTS:
        return UNKNOWN if held is None else _cut(held, op, word) if op else held
    if held is None and (name in scene.vars or name not in TOLD or name in scene.env):
        if op in (":=", "="):
            scene.hold(name, None)
        return UNKNOWN
    empty = held is None or held is GONE or (held == "" and op[0] == ":")
    if "+" in op:
        return "" if empty else other
    if empty and "=" in op:
        scene.hold(name, other)
    return other if empty else held or ""


def calm(scene: Scene, text: str) -> None:
    """Arithmetic evaluates what variables hold, and the subscripts in there run commands."""
    if any(held and ("[" in held or OPEN in held) and commanding(held) for held in (text, *scene.vars.values())):
        raise Unreadable("arithmetic, while a text or a variable holds a command")


def commanding(text: str) -> bool:
    return "$(" in text or "`" in text


def summed(parts: Parts, scene: Scene, run: Run) -> None:
    """Arithmetic: what it runs, and the variables that it sets. Quotes quote nothing there: what they hold runs."""
    text = joined(parts, scene, run)
    if commanding(text):
        raise Unreadable("arithmetic with a command in quotes")
    evaluated(text, scene)


def evaluated(text: str, scene: Scene) -> None:
    """A text is evaluated as arithmetic, and so is what its variables hold: forget those that it may set."""
    calm(scene, text)
    sets = text.replace("<<=", "+=").replace(">>=", "+=")
    for comparison in ("==", "!=", "<=", ">="):
        sets = sets.replace(comparison, " ")
    changes = "=" in sets or "++" in sets or "--" in sets
    signs = "".join([char if char in NAME or char == "=" else " " for char in f" {sets}"]).replace(" =", "=")
    names = set(signs.replace("=", " ").split())
    # A name that only the shell knows may be any, and what a variable holds is evaluated as the text is.
    if (changes and UNKNOWN in text) or any(not is_number(scene.vars.get(name) or SOME) for name in names):
        scene.vars = dict.fromkeys(scene.vars)
    for name in names if changes else ():
        number = is_number(scene.vars.get(name)) or f" {name}=" in signs
        scene.hold(name, SOME if number else None)  # what is assigned here is a number


def value(part: Part, scene: Scene, run: Run) -> str:
    """What one part stands for."""
    kind = part[0]
    if kind is TEXT:
        return str(part[1])
    if kind is PARAM:
        return _param(part, scene, run)
    if kind is SUM:
        summed(part[1], scene, run)
        return SOME
    if kind is RUN:
        printed = run(part[1], scene)
        return UNKNOWN if printed is None else printed.rstrip("\n")
    # A process substitution: `scene.vars` keeps what can be read from it.
    printed = run(part[2], scene.fork()) if part[1] == "<" else run(part[2], scene.fork(), None)
    name = f"/dev/fd/{63 - sum(key.startswith('/dev/fd/') for key in scene.vars)}"
    scene.vars[name] = printed if part[1] == "<" else None
    return name


def joined(parts: Parts, scene: Scene, run: Run, assigned: bool = False) -> str:
    """The parts as one text, neither split nor globbed: an assigned value, a here-document, a default."""
    return "".join(value(part, scene, run) for part in (_tilde(parts, scene, True) if assigned else parts))


_LEADING = (
    "OLDPWD BASH_SOURCE BASH_ENV ENV ZDOTDIR HISTFILE XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME GIT_DIR GIT_CONFIG "
    "GIT_CONFIG_GLOBAL JACKLINE_STORE"
)
LEADING = frozenset([*_LEADING.split(), *ENV_FILES, *HOMES])
"""Variables of the environment whose values lead to settings, or to where the shell was."""


def lent(parts: Parts, scene: Scene) -> bool | None:
    """What is not known of a word, variables of the person's environment say, which the text does not set.

    None where all of it is known.
    """
    found = None
    for part in parts:
        if part[0] in (RUN, PIPE) or (part[0] is TEXT and ("~" in part[1] or UNKNOWN in part[1])):
            return False
        if part[0] is PARAM and not (scene.value(part[1]) and part[3] in CUTS):
            name, other = part[1], part[4] and lent(part[4], scene)
            if part[3] in ("?", "=", ":=") or name in scene.vars or name in LEADING or not name.isidentifier():
                return False
            if scene.strange or other is False:
                return False
            found = True
    return found


def _fields(parts: Parts, scene: Scene, run: Run) -> list[str]:
    found: list[list[str]] = [[]]  # the pieces of each field; one without any is none
    for part in _tilde(parts, scene):
        kind = part[0]
        if kind is TEXT:
            found[-1].append(part[1] if part[2] else part[1].translate(ACTIVE))
        elif kind is PARAM and part[1] == "@" and part[2] and not part[3] and scene.args is not None:
            found[-1] += scene.args[1:2]
            found += [[one] for one in scene.args[2:]]
        elif kind is PIPE or kind is SUM or part[2]:
            found[-1].append(value(part, scene, run))
        else:
            text = value(part, scene, run).translate(ACTIVE)
            first, *rest = _blanks(UNKNOWN if "IFS" in scene.vars and text else text)
            found[-1] += [first] if first else []
            found += [[one] if one else [] for one in rest]
    whole = ["".join(pieces) for pieces in found if pieces]
    # A bracket that is not closed is no glob.
    return [field if OPEN not in field or "]" in field else field.replace(OPEN, "[") for field in whole]


def _blanks(text: str) -> list[str]:
    """What stands between the blanks of a shell; Python knows more."""
    return text.replace("\t", " ").replace("\n", " ").split(" ")


def blanked(text: str) -> list[str]:
    """The text split as a shell does."""
    return [piece for piece in _blanks(text) if piece]


def fields(word: Word, scene: Scene, run: Run) -> list[str]:
    """The fields a word becomes."""
    if word.plain is not None:
        return [word.plain]
    return [field for one in alternatives(word.parts) for field in _fields(one, scene, run)]
