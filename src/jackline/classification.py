"""Which tools can do harm: SAFE or DESTRUCTIVE, for every tool of every client (the engine, command classification).

A tool's kind decides. Specs of clients say the kind of every tool they have; `NAMES` holds those of the others and
the document's own. What nobody knows is DESTRUCTIVE, and so is every MCP call, whatever its server says of itself.
A shell is DESTRUCTIVE with any command: what a command does is judged by its effects elsewhere (design section 8).
"""

from __future__ import annotations

from jackline.model import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from jackline.model import Event

    Risk = Literal["SAFE", "DESTRUCTIVE"]

SAFE_KINDS = frozenset(("read", "search", "list", "fetch", "question", "todo", "plan"))
"""Kinds that change nothing: they look, or they speak with the person and the client."""

NORMAL = {
    "shell": "execute_command",
    "write": "write_to_file",
    "edit": "edit_file",
    "notebook": "edit_notebook",
    "read": "read_file",
    "search": "search_files",
    "list": "list_files",
    "fetch": "web_fetch",
    "browser": "browser_action",
    "subagent": "new_task",
    "mcp": "use_mcp_tool",
    "question": "ask_followup_question",
    "todo": "update_todo_list",
    "plan": "switch_mode",
}
"""One name per kind, in the words of the document."""
KEPT = frozenset(("stat", "delete", "apply_patch", "apply_diff"))
"""Names of the document, and of patches, that say more than their kind's."""

_KINDS = {
    "shell": (
        "exec_bash execute_command execute_bash shell Shell launch-process write-process "
        "kill-process run_terminal_cmd run_terminal_command bash local_shell "
        "code_interpreter execute_code run_slash_command use_aws"
    ),
    "write": "write_file write_to_file fs_write write Write save-file create create_file new_rule",
    "edit": (
        "delete delete_file Delete remove-files remove_file move_file rename_file replace_in_file apply_patch "
        "apply_diff applyDiff insert_content search_and_replace search_replace edit_file edit Edit "
        "multiedit MultiEdit patch replace str_replace str-replace-editor str_replace_editor "
        "str_replace_based_edit_tool text_editor insert_edit_into_file replace_string_in_file "
        "multi_replace_string_in_file generate_image afterFileEdit"
    ),
    "notebook": "edit_notebook edit_notebook_file NotebookEdit",
    "read": (
        "read_file stat fs_read read Read view read-process list-processes "
        "read_command_output fetch_instructions read_lints diagnostics"
    ),
    "search": (
        "search_files codebase_search codebase-retrieval grep Grep grep_search glob Glob "
        "file_search list_code_definition_names semantic_search"
    ),
    "list": "list list_files list_dir list_directory LS ls",
    "fetch": "web_fetch web-fetch webfetch web_search web-search fetch",
    "browser": "browser_action computer computer_use",
    "subagent": "new_task task Task delegate",
    "mcp": "use_mcp_tool access_mcp_resource mcp_tool_use call_mcp_tool",
    "question": "ask_followup_question ask_user plan_mode_respond",
    "todo": "update_todo_list todowrite todoread attempt_completion report_intent",
    "plan": "switch_mode enter_plan_mode exit_plan_mode",
}
NAMES = {name: kind for kind, names in _KINDS.items() for name in names.split()}
"""The kind of tools that no vocabulary of ours holds: the document's, and those of clients without a spec."""


def _known(tool: str) -> str:
    """The kind that a client's spec gives a native name, "" for none."""
    from jackline.clients.facts import OF_DIALECT
    from jackline.site_paths import take

    for modules in OF_DIALECT.values():
        for module in modules:
            found = take(module, "TOOLS").get(tool)
            if found:
                return str(found[0])
    return ""


def kind_of(tool: str) -> str:
    """The kind of a tool by its native name, whoever's it is; `mcp` for a server's, `other` for what nobody knows."""
    if tool.startswith(("mcp__", "mcp_", "MCP:", "@")) or "/" in tool:
        return "mcp"
    return NAMES.get(tool) or _known(tool) or "other"


def _kind(event: Event) -> str:
    """The kind its client's spec gave; by name where it gave none."""
    return event.kind if event.kind in KINDS and event.kind != "other" else kind_of(event.tool)


def risk(event: Event, hints: Mapping[str, Any] | None = None) -> Risk:
    """SAFE for a tool that changes nothing, else DESTRUCTIVE.

    `hints` are the annotations of an MCP tool (`readOnlyHint`, `destructiveHint`). A server says them of itself, so
    they can make a tool DESTRUCTIVE and never SAFE. Payloads of hooks carry none; in-process tools may.
    """
    if hints and (hints.get("destructiveHint") is True or hints.get("readOnlyHint") is False):
        return "DESTRUCTIVE"
    return "SAFE" if _kind(event) in SAFE_KINDS else "DESTRUCTIVE"


def normalized(tool: str, kind: str = "") -> str:
    """The document's name for a native one; the native name where nothing is known of it."""
    if tool in KEPT:
        return tool
    return NORMAL.get(kind if kind and kind != "other" else kind_of(tool), tool)
