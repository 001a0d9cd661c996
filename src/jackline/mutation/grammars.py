"""Other languages by their tree-sitter grammars (the optional extra `syntax`), in the one form of trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jackline.mutation.tree import BOUND, DEFINITION, FIELD, IMPORT, MEMBER, NAME, SCOPE, Node
from jackline.site_paths import open_roots

if TYPE_CHECKING:
    from tree_sitter import Node as Found
    from tree_sitter import Parser


EXTRA = "jackline[syntax]"


def _kinds(text: str) -> frozenset[str]:
    return frozenset(text.split())


QUIET = _kinds("( ) { } [ ] , ; ' \" ` var let const final")
"""Signs and words that arrange; but not in a macro of Rust, where each of them counts."""


class Grammar(NamedTuple):
    """A package, how an import is called there, the kinds of nodes that are gone when a program runs, a function, and
    the signs that only arrange.
    """

    package: str
    imports: str
    types: frozenset[str] = frozenset()
    function: str = "language"
    quiet: frozenset[str] = QUIET


GENERICS = _kinds("type_arguments type_parameters")
TYPES = GENERICS | _kinds(
    "type_annotation implements_clause interface_declaration type_alias_declaration accessibility_modifier "
    "override_modifier readonly"
)
JAVASCRIPT = Grammar("tree_sitter_javascript", "import_statement")
TYPESCRIPT = Grammar("tree_sitter_typescript", "import_statement", TYPES, "language_typescript")
GRAMMARS = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), JAVASCRIPT),
    **dict.fromkeys(("ts", "mts", "cts"), TYPESCRIPT),
    "tsx": TYPESCRIPT._replace(function="language_tsx"),
    "java": Grammar("tree_sitter_java", "import_declaration", GENERICS),
    "go": Grammar("tree_sitter_go", "import_spec"),
    "rs": Grammar("tree_sitter_rust", "use_declaration", quiet=QUIET - {";"}),
    "cs": Grammar("tree_sitter_c_sharp", "using_directive"),
}
"""The grammar of a file by the end of its name."""

FUNCTIONS = _kinds(
    "function_declaration generator_function_declaration function_expression generator_function arrow_function "
    "method_definition method_declaration constructor_declaration lambda_expression func_literal function_item "
    "closure_expression local_function_statement"
)
DEFINITIONS = _kinds(
    "function_declaration generator_function_declaration class_declaration method_definition method_declaration "
    "function_item struct_item enum_item trait_item impl_item type_declaration interface_declaration"
)
CASTS = _kinds("as_expression satisfies_expression non_null_expression type_assertion")
HOLES = (",", "[")
"""What stands before a comma that leaves a place in a list empty."""
SAYING = _kinds("marker_annotation import_statement")
"""Nodes that are for the compiler, by how they begin."""
APART = _kinds("attribute_item decorator")
"""Nodes that say something of the one behind them."""
STRINGS = _kinds("string string_literal interpreted_string_literal")
LEFT = _kinds("for_in_statement foreach_statement short_var_declaration range_clause assignment_pattern")
"""Nodes whose left side binds."""
UNBOUND = _kinds("type value right default_value return_type body key path argument source")
"""Fields in which nothing is bound."""
BOUNDS = _kinds("pattern parameter parameters alias")
"""Fields in which all is."""
NAMING = ("declaration", "_item", "declarator", "_spec", "parameter", "definition", "statement", "resource")
"""Ends of the kinds whose name is bound by them."""
HANDING = ("pattern", "parameters", "parameter", "expression_list", "_clause", "specifier")
"""Ends of the kinds in which all is bound where the node around them binds."""
DOTTED = _kinds("member_access_expression method_invocation field_access")
"""Nodes whose name or field stands behind a dot, where the grammar has no kind of its own for it."""
IMPORTED = re.compile(r"[A-Za-z_$][\w$]*(?!\s*(?:\.|::)|[\w$])")


@lru_cache
def parser(grammar: Grammar) -> Parser | None:
    """A grammar's parser; None where the extra is not installed."""
    open_roots()
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(__import__(grammar.package), grammar.function)()))
    except (ImportError, AttributeError, ValueError):
        return None


def _text(node: Found) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _binds(parent: Found, field: str, inherited: bool) -> bool:
    """Whether names in a field of a node are bound there."""
    if field in UNBOUND:
        return False
    if field == "name":
        return parent.type.endswith(NAMING)
    if field == "left" and parent.type in LEFT:
        return True
    return field in BOUNDS or (inherited and parent.type.endswith(HANDING))


def _leaf(node: Found, parent: Found, field: str, bound: bool) -> Node:
    """A name, by how it stands, or any other word."""
    kind, text = node.type, _text(node)
    if field == "key":
        return Node("key", text)
    if kind.startswith("shorthand_"):
        return Node("pair", "", (Node("key", text), Node(BOUND if bound else NAME, text)))
    if kind in ("property_identifier", "private_property_identifier", "field_identifier"):
        return Node(MEMBER if field in ("name", "property") and parent.type.endswith(NAMING) else FIELD, text)
    if not kind.endswith("identifier"):
        return Node(kind if node.is_named else "sign", text)
    if parent.type in DOTTED and field in ("name", "field"):
        return Node(FIELD, text)
    constant = parent.type == "match_pattern" and text[:1].isupper()
    return Node(BOUND if bound and not constant else NAME, text)


def _import(node: Found) -> Node:
    """An import by its text; with its names, where it is of no use unless one of them is used."""
    text = " ".join(_text(node).replace("'", '"').rstrip(";").split())
    told = node.type in ("import_statement", "import_declaration", "use_declaration")
    named = told and "*" not in text and not text.startswith("pub")
    words = IMPORTED.findall(re.sub(r'"[^"]*"', "", text)) if named else []
    names = [word for word in words if word not in ("import", "from", "use", "static", "type", "as", "self")]
    return Node(IMPORT, text, tuple([Node(BOUND, name) for name in names]))


def _is_quiet(node: Found, parent: Found, grammar: Grammar) -> bool:
    """Whether a sign or word only arranges."""
    if node.is_named or node.type not in grammar.quiet or parent.type == "token_tree":
        return False
    return node.type != "," or node.prev_sibling is None or node.prev_sibling.type not in HOLES


def _is_left_out(node: Found, parent: Found, grammar: Grammar) -> bool:
    """Whether a node says nothing that a program does; Go's directives stand in comments."""
    if "comment" in node.type:
        return not _text(node).startswith(("//go:", "// +build"))
    if node.type in grammar.types:  # a parameter with a modifier is a field, too
        return parent.type not in ("required_parameter", "optional_parameter") or node.type == "type_annotation"
    return node.type in SAYING and _text(node).startswith(("@Override", "import type "))


def _inner(node: Found, grammar: Grammar) -> Found | None:
    """What stands in brackets or under a cast that does nothing."""
    if node.type == "parenthesized_expression" or (node.type in CASTS and grammar.types):
        return next((one for one in node.named_children if "type" not in one.type and "comment" not in one.type), None)
    return None


def _may_stand_anywhere(node: Found) -> bool:
    """Whether nothing that stands before a definition is said of it."""
    before = node.prev_named_sibling
    while before is not None and "comment" in before.type:
        before = before.prev_named_sibling
    return node.type in DEFINITIONS and (before is None or before.type not in APART)


def _parts(node: Found, grammar: Grammar, bound: bool) -> Iterator[tuple[str, Node]]:
    """What a node holds, each with its field."""
    for at, child in enumerate(node.children):
        if not _is_left_out(child, node, grammar) and not _is_quiet(child, node, grammar):
            field = node.field_name_for_child(at) or ""
            yield field, _node(child, node, field, grammar, _binds(node, field, bound))


def _inside(node: Found, grammar: Grammar, bound: bool) -> Node:
    """A node by its parts; the name of a function stands outside of its scope."""
    found = list(_parts(node, grammar, bound))
    parts = tuple([one for _, one in found])
    if node.type in FUNCTIONS:
        names = [one for field, one in found if field == "name"]
        parts = (*names, Node(SCOPE, "", tuple([one for field, one in found if field != "name"])))
    kind = "lexical_declaration" if node.type == "variable_declaration" else node.type
    told = " ".join((kind, *[field for field, _ in found if field]))
    return Node(DEFINITION if _may_stand_anywhere(node) else kind, told, parts)


def _node(node: Found, parent: Found, field: str, grammar: Grammar, bound: bool) -> Node:
    """A node and all that it holds."""
    if node.type == grammar.imports:
        return _import(node)
    if node.type in STRINGS and not any("subst" in one.type or "interpolation" in one.type for one in node.children):
        return Node("text", _text(node)[1:-1])
    if node.type == "ERROR":
        return Node("ERROR", _text(node))
    if not node.child_count:
        return _leaf(node, parent, field, bound)
    if inner := _inner(node, grammar):
        return _node(inner, parent, field, grammar, bound)
    return _inside(node, grammar, bound)


def read(text: str, grammar: Grammar) -> Node | None:
    """The tree of a text, or of a piece of one; None where the extra is not installed."""
    made = parser(grammar)
    if made is None:
        return None
    root = made.parse(text.encode("utf-8", "replace")).root_node
    return Node("file", "broken" if root.has_error else "", (_node(root, root, "", grammar, False),))
