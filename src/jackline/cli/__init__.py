"""The command `jackline`. `hook` is the entry point by name and is answered before anything slow is imported."""

from __future__ import annotations

import sys


def store_of_door() -> str:
    """The store where portable entries look for it: no variable of ours can move the entry point (design section 4)."""
    import posix

    state = posix.environ.get(b"XDG_STATE_HOME") or posix.environ.get(b"HOME", b"") + b"/.local/state"
    return state.decode("utf-8", "surrogateescape") + "/jackline"


def _door(words: list[str]) -> None:
    """Answer one event and leave. Without an installation: silence, as from an entry whose entry point is gone."""
    import posix

    store = store_of_door()
    try:
        posix.stat(f"{store}/door.py")
    except (OSError, ValueError):
        posix.write(1, b"{}\n")
        posix._exit(0)
    from jackline.store.format import newer

    if newer(store):  # its own entry point is of the version that may write there
        python = f"{store}/bin/python"
        try:
            posix.execv(python, [python, "-I", "-S", f"{store}/door.py", *words])
        except (OSError, ValueError):
            pass
    from jackline.hook import main as door

    door(store, words)


def main() -> None:
    """Run the command line of this process, and leave with its exit code."""
    words = sys.argv[1:]
    if words[:1] == ["hook"] and "--help" not in words[1:2]:
        _door(words[1:])
    from jackline.cli.parts.app import run

    sys.exit(run(words))
