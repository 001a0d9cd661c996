"""Where the plan of a task lies in the session's folder, and whether its file moved since one was decided on."""

from __future__ import annotations

from jackline.file_stat import of as stamp_of
from jackline.session_paths import task_place

FOLDER, NAME, MARK = "plan", "planGraph.json", "fingerprint"
"""The plan, and what is written last when one was accepted."""


def has_moved(folder: str, work: str) -> bool:
    """Whether the plan's file is younger than what was decided last."""
    place = task_place(folder, work, FOLDER, "")
    return stamp_of(place + NAME)[1] > stamp_of(place + MARK)[1]
