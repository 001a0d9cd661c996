"""The rows of a file as units of trust: those that are there, and those that broke since a person trusted them."""

from __future__ import annotations

from collections.abc import Callable, Collection

from jackline import system
from jackline.compiler import row_files
from jackline.compiler.configuration import Reading
from jackline.compiler.row_files import MARK, Form
from jackline.compiler.sources import Sources
from jackline.compiler.trust import Key, Kind, Unit, Version

Make = Callable[[Sources, str, bytes], Unit]
"""The unit that a row is, from its name and its one form."""


def units(
    reading: Reading, form: Form, kind: Kind, names: Collection[str], make: Make
) -> tuple[list[Unit], dict[Key, list[Version]]]:
    """Every row of a file of the project that is there, those included that broke since they were trusted; and what a
    person trusted of such rows. `names`: what the folder of hooks has.
    """
    sources, book = reading.sources, {key: held for key, held in reading.book.items() if key[0] == kind}
    path = f"{sources.root}/{form.place}"
    data = sources.file(path) if form.place.rpartition("/")[2] in names else None
    found = row_files.rows(data or b"", form)
    sources.broken += found.faults
    made = [make(sources, name, row) for name, row in sorted(found.good.items())]
    here = {one.key for one in made}
    whole = ""
    if data is None:
        whole = "it cannot be read" if system.exists(path) else ""
    elif found.faults and not found.good and not found.bad:
        whole = str(found.faults[0])
    for key in book:
        why = whole or found.bad.get(key[1].rpartition(MARK)[2], "")
        if key not in here and why:
            made.append(Unit(kind, key[1], {key[1]: b""}, {}, why))
    return made, book
