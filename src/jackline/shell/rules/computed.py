"""Names that a program given as text puts together or takes behind its own back: who does so hides what it calls.

`getattr(module, "name")` and `object["name"]` say what they take, and pass; a name that is made of pieces, or one of
the system's that only the running program knows, does not.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.python_values import Named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.shell.rules.python import Program

SYSTEM = ("os", "subprocess", "shutil", "builtins", "pathlib", "importlib", "pty", "posix", "sys.modules")
TEXT = r"""(?:'[^'\n]*'|"[^"\n]*")"""
PIECES = rf"{TEXT}\s*(?:\+|\.\.?)\s*{TEXT}"
MODULES = r"['\"](?:node:)?(?:child_process|fs|vm|process|module|worker_threads)['\"]"

BY_NAME = r"\b(?:send|__send__|public_send|method|instance_method|const_get|can)\s*\(?\s*"
HOLDERS = rf"\b(?:globalThis|global|window|process|module|os|io|_G|_ENV|package|debug|require\s*\(\s*{MODULES}\s*\))"

EVERY = (
    rf"(?:[\w\])]\s*\[|&\s*\{{|\b(?:require|import|load|loadstring|call_user_func|call_user_func_array)\s*\()\s*{PIECES}",
    rf"{BY_NAME}{PIECES}|\(\s*{PIECES}\s*\)\s*\(|{HOLDERS}\s*\[\s*[^'\"\]\s]",
)
PATTERNS = {
    "node": r"\bReflect\s*\.\s*(?:get|apply|construct)\b|\bmainModule\b|\bconstructor\s*\.\s*(?:constructor|_load)\b|"
    r"\bprocess\s*\.\s*(?:binding|_linkedBinding|dlopen)\b",
    "ruby": rf"{BY_NAME}:?['\"]?(?:system|exec|eval|spawn|fork|`|instance_eval)\b|(?<![.\w])method\s*\(\s*[a-z_]|"
    rf"\b(?:Kernel|Object|Process|IO|File|FileUtils)\.{BY_NAME[2:]}[a-z_]",
    "perl": r"->\s*can\s*\((?:\s*(?![)'\"])|[^)]*\)\s*->)",
    "php": r"\bcall_user_func(?:_array)?\s*\(\s*\$",
}
"""What shows it in any language, and in one, in texts that are too short to do so by accident."""


HELD = {
    "node": (rf"\b(\w+)\s*=\s*require\s*\(\s*{MODULES}\s*\)", r"\b(\w+)\s*\[\s*[^'\"\]\s]"),
    "perl": (rf"\$(\w+)\s*=\s*(?:{PIECES}|{TEXT})", r"&\s*\{?\s*\$(\w+)"),
    "php": (rf"\$(\w+)\s*=\s*(?:{PIECES}|{TEXT})", r"\$(\w+)\s*\("),
}
"""Language to how a variable comes to hold such a name or module, and how what it holds is called or taken from."""


def hides(code: str, language: str) -> bool:
    """A program in a language that is skimmed puts together what it calls."""
    search = __import__("re").search  # no plain event comes here
    return _called(code, language) or any(search(one, code) for one in (*EVERY, PATTERNS.get(language, "$^.")))


def _called(code: str, language: str) -> bool:
    """A variable that holds one is used as one behind that: each looked up once, since a program may have thousands."""
    finditer = __import__("re").finditer
    holds, uses = HELD.get(language, ("", ""))
    begun: dict[str, int] = {}
    for one in finditer(holds, code) if holds else ():
        begun.setdefault(one[1], one.end())
    return any(begun.get(one[1], len(code)) <= one.start() for one in (finditer(uses, code) if begun else ()))


def _pieces(program: Program, node: Any) -> bool:
    """The text is made of pieces, and all of them are known: somebody took the trouble."""
    if type(node).__name__ in ("Constant", "Name"):
        return False
    return all(
        isinstance(one, str) and not isinstance(one, Named) and UNKNOWN not in one for one in program.values(node)
    )


def member(program: Program, node: Any, at: int, how: str) -> None:
    """`getattr(module, name)`, `__import__(name)`: a call that takes something by its name."""
    told = program.argument(node, at, "name")
    if told is None or type(told).__name__ == "Constant":
        return
    if _pieces(program, told) or (at and str(program.values(node.args[0])[0]) in SYSTEM):
        program.job.fault(f"{program.job.name} calls what only it knows", act="code.hidden")


def subscript(program: Program, node: Any) -> None:
    """`vars(os)[name]`, `sys.modules[name]`, `globals()[name]`."""
    held, kind = node.value, type(node.value).__name__
    plain = type(node.slice).__name__ == "Constant"
    if kind == "Attribute" and held.attr == "__dict__":
        hidden = str(program.values(held.value)[0]) in SYSTEM
    elif kind == "Call" and program.values(held.func)[0] == "vars" and held.args:
        hidden = str(program.values(held.args[0])[0]) in SYSTEM
    else:
        named = program.values(held.func if kind == "Call" else held)[0]
        hidden = str(named) in ("globals", "locals", "sys.modules") and not plain and _pieces(program, node.slice)
    if hidden:
        program.job.fault(f"{program.job.name} takes what only it knows", act="code.hidden")
