"""Read what a feature declares: the literals of its `@hook(...)`, from the syntax tree. Its code is never run here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from jackline.compiler.declared import Declared
from jackline.compiler.fault import Fault, nearest, shown
from jackline.model import EVENTS

WORDS = {
    "name": ("the feature's name in quotes", 'name="my-feature"'),
    "supports": ("a list of events", 'supports=["PreToolUse"]'),
    "priority": ("a whole number", "priority=50"),
    "hot_path_safe": ("True or False", "hot_path_safe=True"),
    "critical": ('True, False or "strict"', "critical=False"),
    "tools": ("a list of tools", 'tools=["kind:shell"]'),
    "imports": ("a list of packages", 'imports=["yaml"]'),
    "runner": ('"inline" or "forked"', 'runner="inline"'),
    "state": ("a list of parts of the session's state", 'state=["my-part"]'),
    "stamps": ("True or False", "stamps=False"),
    "rewrite_owner": ("True or False", "rewrite_owner=False"),
    "needs": ("a list of what it works with", 'needs=["intents"]'),
    "triggers": ("a list of triggers of the phases", 'triggers=["plan_accepted"]'),
    "produces": ("a list of kinds of artifacts", 'produces=["context_pack"]'),
    "services": ("a list of services", 'services=["plans"]'),
    "records": ("a list of kinds of log rows", 'records=["MY_ROW"]'),
    "default_on": ("True or False", "default_on=False"),
    "enabled_with": ("a word of `jackline enable`", 'enabled_with="plan"'),
    "reads": ("a list of files by name", 'reads=["plan-rules"]'),
    "guidance": ("a list of lines", 'guidance=["- What agents are told."]'),
    "shown": ("the name that people read", 'shown="my-feature"'),
}
"""Each argument: what is expected, and an example."""

STRICT = "strict"
"""Of a feature that is critical where it may refuse, and never where it only tells."""
LISTS = ("supports", "tools", "imports", "state", "needs", "triggers", "produces", "services", "records", "reads")
"""Sets written as lists: their order says nothing."""
BOOLEANS = ("hot_path_safe", "critical", "stamps", "rewrite_owner", "default_on")
OTHER_NAMES = {"hotPathSafe": "hot_path_safe", "events": "supports", "event": "supports", "slug": "name"}


def _fits(key: str, value: Any) -> bool:
    if key in LISTS or key == "guidance":
        return isinstance(value, (list, tuple, set)) and all(isinstance(one, str) and one for one in value)
    if key in BOOLEANS:
        return isinstance(value, bool) or (key == "critical" and value == STRICT)
    if key == "priority":
        return isinstance(value, int) and not isinstance(value, bool) and -1000 <= value <= 1000
    if key == "runner":
        return value in ("inline", "forked")
    return isinstance(value, str) and bool(value)


def _source(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:59] + "…"


def _argument(keyword: ast.keyword, where: str) -> tuple[Any, Fault | None]:
    """One argument's value, or what is wrong with it."""
    key = keyword.arg or ""
    place = f"{where}:{keyword.value.lineno}"
    if key not in WORDS:
        meant = OTHER_NAMES.get(key) or nearest(key, list(WORDS))
        got = f"**{_source(keyword.value)}" if not key else shown(key)
        write = WORDS[meant][1] if meant else "arguments by name"
        return None, Fault(key, f"one of {', '.join(WORDS)}", got, meant, write, place)
    expected, example = WORDS[key]
    try:
        value = ast.literal_eval(keyword.value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        written = f"{expected} written out (the code is not run to find it)"
        return None, Fault(key, written, _source(keyword.value), "", example, place)
    if not _fits(key, value):
        return None, Fault(key, expected, _source(keyword.value), "", example, place)
    if key == "supports":
        for event in value:
            if event not in EVENTS:
                meant = nearest(event, list(EVENTS))
                return None, Fault(
                    key, f"one of {', '.join(EVENTS)}", shown(event), meant, f'"{meant}"' if meant else example, place
                )
    return value, None


def _is_hook(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return (isinstance(called, ast.Name) and called.id == "hook") or (
        isinstance(called, ast.Attribute) and called.attr == "hook"
    )


def _decorated(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, ast.expr]]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                if _is_hook(decorator):
                    yield node, decorator


def parse(data: bytes, where: str) -> ast.Module | Fault:
    """The syntax tree of a feature, or why it has none."""
    try:
        return ast.parse(data, where)
    except SyntaxError as fault:
        place = f"{where}:{fault.lineno or 1}"
        return Fault("", "Python", f"{fault.msg} at column {fault.offset or 0}", "", "", place)
    except (ValueError, MemoryError, RecursionError) as fault:
        return Fault("", "Python", str(fault) or type(fault).__name__, "", "", where)


EXAMPLE = '@hook(name="my-feature", supports=["PreToolUse"]) above `def handle(event, ctx):`'


def _of_handler(node: ast.FunctionDef | ast.AsyncFunctionDef, where: str) -> list[Fault]:
    """What is wrong with the function itself."""
    place, spec = f"{where}:{node.lineno}", node.args
    write = f"def {node.name}(event, ctx):"
    faults = []
    if isinstance(node, ast.AsyncFunctionDef):
        faults.append(Fault(node.name, "a plain function", "an async one", "", write, place))
    if len(spec.posonlyargs) + len(spec.args) != 2 and not spec.vararg:
        faults.append(Fault(node.name, "two parameters", f"({ast.unparse(spec)})", "", write, place))
    return faults


def _of_call(call: ast.Call, where: str) -> tuple[dict[str, Any], list[Fault]]:
    """The arguments of the decorator, and what is wrong with them."""
    faults = []
    if call.args:
        first = _source(call.args[0])
        faults.append(Fault("", "arguments by name", first, "", WORDS["name"][1], f"{where}:{call.lineno}"))
    values: dict[str, Any] = {}
    for keyword in call.keywords:
        value, wrong = _argument(keyword, where)
        if wrong:
            faults.append(wrong)
        else:
            values[keyword.arg or ""] = value
    given = [keyword.arg for keyword in call.keywords]
    for key in ("name", "supports"):
        if key not in given:
            faults.append(Fault(key, WORDS[key][0], "nothing", "", WORDS[key][1], f"{where}:{call.lineno}"))
    return values, faults


def declared(data: bytes, where: str) -> Declared | list[Fault]:
    """What the feature in this source declares, or everything that is wrong with it."""
    tree = parse(data, where)
    if isinstance(tree, Fault):
        return [tree]
    found = list(_decorated(tree))
    if len(found) != 1:
        got = "none" if not found else ", ".join(node.name for node, _ in found)
        line = found[-1][0].lineno if found else 1
        return [Fault("", "one function decorated with @hook(...)", got, "", EXAMPLE, f"{where}:{line}")]
    node, decorator = found[0]
    faults = _of_handler(node, where)
    if not isinstance(decorator, ast.Call):
        return [*faults, Fault("", "@hook(...) with arguments", "@hook", "", EXAMPLE, f"{where}:{node.lineno}")]
    values, wrong = _of_call(decorator, where)
    if faults or wrong:
        return [*faults, *wrong]
    for key in LISTS:
        if key in values:
            order = EVENTS.index if key == "supports" else str
            values[key] = tuple(sorted(set(values[key]), key=order))
    values["guidance"] = tuple(values.get("guidance", ()))
    return Declared(entry=node.name, line=decorator.lineno, **values)
