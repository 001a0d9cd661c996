"""Whether a store holds the bundle of this package, told by sums without making it; how an older one is renewed.

`bundle` writes the sums beside the files they are of.
"""

from __future__ import annotations

from jackline import system
from jackline.compiler import bundle, gitdoor


def _told(store: str) -> list[bytes]:
    """What the store says its files were made of, and their sums; nothing when that is not this package."""
    try:
        lines = system.read(f"{store}/{bundle.name_of_sources()}").splitlines()
    except OSError:
        return []
    return lines[1:] if lines and lines[0] + b"\n" == bundle.sources() else []


def is_current(store: str) -> bool:
    """Whether the entry point of a store starts from what this package and this interpreter make."""
    names = (bundle.name_of_bundle(), gitdoor.name_of_bundle())
    return all(system.size_of(f"{store}/{name}") > 0 for name in names) and bool(_told(store))


def intact(store: str) -> tuple[str, ...]:
    """The names of the bundle's files where all of them stand as they would be made; none otherwise."""
    found = []
    for line in _told(store):
        digest, _, name = line.partition(b" ")
        try:
            if bundle.digest_of(system.read(f"{store}/{name.decode()}")) != digest:
                return ()
        except (OSError, ValueError):
            return ()
        found.append(name.decode())
    return (*found, bundle.name_of_sources()) if found else ()


def renew(store: str) -> None:
    """Give an installed store the bundle of this package: what a newer command line writes an older one cannot read.

    One that is damaged is made anew. Where there is no entry point, nobody starts from the store.
    """
    if system.exists(f"{store}/door.py") and not intact(store):
        bundle.build(store)
