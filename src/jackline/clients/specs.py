"""All clients, in the order in which they are shown. To add one: its file, and a line here."""

from __future__ import annotations

from jackline.clients import (
    claude_code,
    cline,
    codex,
    copilot_cli,
    factory_droid,
    gemini_cli,
    hermes_agent,
    kilo,
    kimi_code,
    opencode,
    pi,
    qwen_code,
    vscode,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.clients.schema import ClientSpec, Tool

_ALL = (
    claude_code,
    codex,
    vscode,
    copilot_cli,
    gemini_cli,
    qwen_code,
    cline,
    factory_droid,
    kimi_code,
    hermes_agent,
    opencode,
    kilo,
    pi,
)
MODULES = {one.SPEC.name: one.__name__ for one in _ALL}
SPECS: dict[str, ClientSpec] = {one.SPEC.name: one.SPEC for one in _ALL}
DIALECTS = tuple(dict.fromkeys([one.dialect for one in SPECS.values() if one.installed]))
"""What entries of ours may say; a client without any is read in the dialect of the entry that it found."""
SPEAKS: dict[str, str] = {
    **{dialect: dialect for dialect in DIALECTS},
    **{name: one.dialect for one in SPECS.values() if one.installed for name in (one.name, *one.aliases)},
}
"""Client or dialect → dialect, for those that entries of ours are written for."""


def speakers(dialect: str) -> Iterator[ClientSpec]:
    """The clients whose tools have their names in a dialect."""
    return (one for one in SPECS.values() if one.dialect == dialect)


def tools_of(dialect: str) -> dict[str, Tool]:
    """Every tool of a dialect, by name; of two that share a name the one of the client that is shown first."""
    found: dict[str, Tool] = {}
    for one in speakers(dialect):
        found = {**one.tools, **found}
    return found
