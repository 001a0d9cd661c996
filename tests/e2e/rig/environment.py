"""The environment a client starts with: nothing of ours, a HOME of its own."""

from __future__ import annotations

import os
from pathlib import Path

PATH = "/usr/local/bin:/usr/bin:/bin"


def clean(home: Path) -> dict[str, str]:
    """A plain person's environment. Temporary files go beside the HOME, so that runs share nothing."""
    if home == Path(os.path.expanduser("~")):
        raise AssertionError(f"{home} is a real HOME; an end-to-end run needs one of its own")
    temporary = home.with_name(home.name + "-tmp")
    temporary.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": PATH,
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "SHELL": "/bin/bash",
        "USER": "person",
    }
