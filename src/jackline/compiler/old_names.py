"""Names of ours that stand elsewhere now: a copy of a feature that an earlier version ejected still asks the old place.

Nobody edits such a copy when Jackline is upgraded, and a critical one that cannot be imported refuses every call. So
what it imports is looked up here when it is compiled; its files stay as a person trusted them.
"""

from __future__ import annotations

MOVED = {
    "jackline.affected_paths": {
        "meant": "jackline.affected_paths:decode_field",
        "named": "jackline.affected_paths:named_paths",
    },
    "jackline.changes": {"excused": "jackline.changes:is_excused"},
    "jackline.file_stat": {"changed": "jackline.file_stat:modified_ns", "modified": "jackline.file_stat:modified_ms"},
    "jackline.git": {"staged": "jackline.git:ask_staged"},
    "jackline.globs": {"ignored": "jackline.globs:ignore_globs", "slashed": "jackline.globs:with_slashes"},
    "jackline.patches": {"patched": "jackline.patches:patched_files", "removed": "jackline.patches:removed_files"},
    "jackline.paths": {
        "addressed": "jackline.paths:path_of_address",
        "home": "jackline.host",
        "variable": "jackline.host",
    },
    "jackline.processes": {"ancestors": "jackline.host", "started": "jackline.processes:start_ticks"},
    "jackline.sdk": {"CAP": "jackline.model"},
    "jackline.sensitive": {"Listed": "jackline.sensitive:NameList"},
    "jackline.shell.programs": {"judge": "jackline.shell.dispatch", "rule": "jackline.shell.dispatch"},
    "jackline.surroundings": {
        "kept": "jackline.surroundings:recorded_folder",
        "told": "jackline.surroundings:folders_of",
    },
    "jackline.system": {
        "clock": "jackline.host",
        "entropy": "jackline.host",
        "now": "jackline.host",
        "pid": "jackline.host",
    },
    "jackline.unicode_escape": {"shown": "jackline.unicode_escape:escape_line"},
}
"""Where a name stood, and where it stands, behind `:` by which name (0.1)."""

RENAMED = {
    "jackline.inputs": "jackline.staleness",
    "jackline.intents.approved": "jackline.intents.approval_check",
    "jackline.intents.asked": "jackline.intents.scope_requests",
    "jackline.intents.free": "jackline.intents.unowned_paths",
    "jackline.intents.known": "jackline.intents.first_scopes",
    "jackline.intents.reading": "jackline.intents.intent_index",
    "jackline.letters": "jackline.unicode_escape",
    "jackline.places": "jackline.session_paths",
    "jackline.roots": "jackline.site_paths",
    "jackline.services.plans.place": "jackline.services.plans.plan_file",
    "jackline.services.plans.quick": "jackline.services.plans.one_line_plan",
    "jackline.services.plans.wrongs": "jackline.services.plans.structure_faults",
    "jackline.services.retrieval.named": "jackline.services.retrieval.named_files",
    "jackline.services.validators.listed": "jackline.services.validators.listing",
    "jackline.services.validators.own": "jackline.services.validators.script_results",
    "jackline.shell.job": "jackline.shell.command_call",
    "jackline.shell.named": "jackline.shell.credential_names",
    "jackline.shell.scene": "jackline.shell.shell_state",
    "jackline.stamps": "jackline.file_stat",
    "jackline.touched": "jackline.affected_paths",
    "jackline.wire": "jackline.jsonio",
    "jackline.wiring": "jackline.hook_table",
}
"""Modules that bear another name now (0.1)."""


def may_ask(data: bytes) -> bool:
    """Whether a module may name something that moved: most name nothing of it, and are not parsed once more."""
    for module in (*MOVED, *RENAMED):
        parent, _, last = module.rpartition(".")
        named = module.encode() in data or (f"from {parent} import".encode() in data and last.encode() in data)
        if named and (module in RENAMED or any(name.encode() in data for name in MOVED[module])):
            return True
    return False
