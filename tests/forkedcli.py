"""The command line, ready in a server of forks (`forkserver.py`): all its commands are imported."""

from __future__ import annotations

import atexit
import importlib
import io
import os
import sys
import threading
import traceback
from typing import TextIO

from forkserver import compiler


def ready() -> None:
    """Import what commands import."""
    from jackline.cli.parts.verb import module_of, verbs

    for name in verbs():
        importlib.import_module(module_of(name))
    importlib.import_module("rich.cells").cell_len("…")  # reads its tables
    compiler()
    importlib.import_module("jackline.compiler.bundle").sources()


def stream(fd: int, like: TextIO) -> TextIO:
    """A standard stream as the interpreter makes it when it starts."""
    raw = io.FileIO(fd, "r" if fd == 0 else "w", closefd=False)
    raw.name = like.name
    buffer = io.BufferedReader(raw) if fd == 0 else io.BufferedWriter(raw)
    errors = like.errors
    return io.TextIOWrapper(buffer, "utf-8", errors, "\n", line_buffering=fd == 2 or raw.isatty())


def enter() -> None:
    """What `python -m jackline.cli` does, and what the interpreter does at its end."""
    sys.stdin, sys.stdout, sys.stderr = (
        stream(fd, like) for fd, like in enumerate((sys.stdin, sys.stdout, sys.stderr))
    )
    sys.path[0] = os.getcwd()
    from jackline.cli import __path__, main

    sys.argv.insert(0, f"{__path__[0]}/__main__.py")

    code = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = 120
    os._exit(code & 255)
