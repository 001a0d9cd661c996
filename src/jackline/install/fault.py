"""What a person can mend: where, what, and what to do next."""

from __future__ import annotations


class InstallError(Exception):
    """A fault of the surroundings, said in the three parts of every message of ours (style.md, "Errors")."""

    def __init__(self, where: str, what: str, cure: str) -> None:
        super().__init__(f"{where} · {what} · {cure}")
        self.where = where
        self.what = what
        self.cure = cure
