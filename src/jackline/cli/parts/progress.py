"""One line on a person's terminal that says what is being done, while it is; gone when it is done, and nowhere else."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import IO

from jackline.cli.parts.printer import clean

ERASE = "\r\x1b[K"


class Progress:
    """Call it with what begins now. On a stream that is no terminal it says nothing."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        self.stream = stream or sys.stderr
        self.shown = False

    def __call__(self, what: str) -> None:
        if self.stream.isatty():
            self.stream.write(f"{ERASE}{clean(what)[:70]} …")
            self.stream.flush()
            self.shown = True

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        if self.shown:
            self.stream.write(ERASE)
            self.stream.flush()
