"""Commands of Jackline that no agent may run, as their files in `cli` declare. Written by `scripts/verbs`."""

from __future__ import annotations

HUMAN_ONLY = {
    "approvals": "--yes",
    "approve": "",
    "disable": "",
    "doctor": "--repair",
    "eject": "",
    "enable": "",
    "gc": "",
    "guard allow": "",
    "hook": "",
    "intents expand": "",
    "intents new": "",
    "intents status": "opening an intent",
    "pause": "",
    "reject": "",
    "sessions forget": "",
    "sessions state": "--rebuild",
    "sessions work": "--new",
    "state rebuild": "",
    "trust": "",
    "uninstall": "",
    "work new": "",
}
"""Commands, their former spellings too; with the option that makes them so, or a condition that has to be judged."""
