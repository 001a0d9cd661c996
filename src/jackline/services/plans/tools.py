"""Whether a tool named in a plan means a call: by native name, another client's name for it, or kind."""

from __future__ import annotations

from jackline.model import KINDS

FAMILIES = (
    (
        "shell",
        "bash shell powershell run_in_terminal run_shell_command execute_command run_commands exec_command local_shell "
        "shell_command execute_bash launch-process monitor",
    ),
    ("write", "write create_file create write_file write_to_file save-file fs_write"),
    (
        "edit",
        "edit multiedit replace str_replace_editor replace_string_in_file multi_replace_string_in_file edit_files "
        "insert_edit_into_file replace_in_file apply_patch applypatch editor str-replace-editor",
    ),
    ("notebook", "notebookedit edit_notebook_file"),
    ("read", "read read_file view read_many_files read_files fs_read"),
    ("search", "grep grep_search rg grep_files search_file_content search_files"),
    ("search", "glob file_search"),
    ("search", "semantic_search codebase_search search_codebase"),
    ("list", "ls list_dir list_directory list_files"),
    ("fetch", "webfetch web_fetch fetch_webpage"),
    ("fetch", "websearch web_search google_web_search"),
    ("subagent", "agent task runsubagent spawn_agent invoke_agent"),
)
"""Names of one tool over all clients, in lower case, and its kind."""

FAMILY = {name: at for at, (_, names) in enumerate(FAMILIES) for name in names.split()}
WRITING = frozenset(("write", "edit", "notebook"))
"""One kind to a plan: clients disagree about which of their tools creates and which changes a file."""


READABLE = WRITING | {"read", "search", "list"}
"""Who may change a file, or look for it, may read it."""


def kind_of(name: str) -> str:
    """The kind a plan's tool name stands for, "" when it is only itself."""
    text = name.lower().removeprefix("kind:")
    if text in KINDS:
        return text
    at = FAMILY.get(text)
    return "" if at is None else FAMILIES[at][0]


def _means(name: str, tool: str, kind: str) -> bool:
    if name == tool or name == "*":
        return True
    named = kind_of(name)
    if named in WRITING and kind in WRITING:
        return True
    if name.removeprefix("kind:") in KINDS:
        return named == kind
    return name in FAMILY and FAMILY[name] == FAMILY.get(tool)


def means(names: tuple[str, ...], tool: str, kind: str) -> bool:
    """Whether one of a node's tool names means a call of `tool` with `kind`. No names mean every tool."""
    return not names or any(_means(name.lower(), tool.lower(), kind) for name in names)
