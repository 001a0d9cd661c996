"""One repository with its index: brought up to date, searched, packed. What features and commands call."""

from __future__ import annotations

from collections.abc import Container, Sequence
from types import TracebackType
from typing import Self

from jackline.services.retrieval import database, index
from jackline.services.retrieval.named_files import absent, ambiguous, calls
from jackline.services.retrieval.pack import Pack, Texts, assemble
from jackline.services.retrieval.search import Candidate, Reader, Recipe
from jackline.services.retrieval.tiers import Tiers
from jackline.services.retrieval.tree import Tree, at_commit, of_folder

MOST = 400
"""Candidates of which a pack is cut."""
PLAIN = Recipe()
TIERED = Tiers()


class Repository:
    """The files below `root`, with an index in `folder`; open from the first question until `close`.

    A folder without git, an empty one and one without a commit are repositories too: what is not there says nothing.
    `commit`: ask that commit's files and past in place of the work tree.
    """

    def __init__(self, root: str, folder: str, *, commit: str = "") -> None:
        self.root, self.folder, self.commit = root, folder, commit
        self._tree: Tree | None = None
        self._reader: Reader | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index's file."""
        if self._reader:
            self._reader.index.close()
        self._reader = None

    def update(self, *, wait_ms: int = database.WAIT_MS) -> index.Update:
        """Bring the index to the present state; see `index.update`."""
        self.close()
        state = index.bring(self.root, self.folder, self.commit, wait_ms)
        if state is None:
            return index.Update(False, 0, 0, 0)
        self._tree, self._reader = state.tree, Reader(state.opened, state.rows)
        return state.done

    @property
    def reader(self) -> Reader:
        """The index as it is, made where there is none. Broken when another process is making it all the while."""
        if self._reader is None:
            path = database.place(self.folder, self.root)
            try:
                opened = database.open_index(path)
            except database.Broken:
                if self.update().current:
                    return self.reader
                raise
            database.freeze(opened)
            self._reader = Reader(opened)
        return self._reader

    def find(
        self, prompt: str, *, most: int = 100, recipe: Recipe = PLAIN, first: Sequence[str] = ()
    ) -> list[Candidate]:
        """The files a prompt is about, best first, each with its reasons, as the index has them. `first`: leading."""
        return self.reader.find(prompt, most=most, recipe=recipe, first=first)

    def tree(self) -> Tree:
        """The files as they stood at the last update, else as they stand now, or at the commit."""
        if self._tree:
            return self._tree
        return at_commit(self.root, self.commit) if self.commit else of_folder(self.root)

    def pack(
        self,
        prompt: str,
        *,
        tiers: Tiers = TIERED,
        recipe: Recipe = PLAIN,
        wait_ms: int = 2000,
        first: Sequence[str] = (),
        without: Container[str] = (),
        beside: str = "",
    ) -> Pack:
        """The pack for a prompt, of the present state. Another writer is waited for `wait_ms` at most.

        `first`: files that lead it; `without`: files that are left out; `beside`: what else says what it is about.
        """
        current = self.update(wait_ms=wait_ms).current
        asked = f"{prompt}\n{beside}" if beside else prompt
        found = self.find(asked, most=MOST, recipe=recipe, first=first)
        found = [one for one in found if one.path not in without]
        items = assemble(Texts(self.root, self.tree(), self.reader, asked), found, tiers)
        used, files = sum(item.tokens for item in items), self.reader.files
        return Pack(items, used, tiers.budget, ambiguous(calls(prompt, files)), current, absent(prompt, files))


def find(root: str, folder: str, prompt: str, *, most: int = 100, recipe: Recipe = PLAIN) -> list[Candidate]:
    """The files a prompt is about, after bringing the index to the present state."""
    with Repository(root, folder) as opened:
        opened.update()
        return opened.find(prompt, most=most, recipe=recipe)


def make_pack(root: str, folder: str, prompt: str, *, tiers: Tiers = TIERED, recipe: Recipe = PLAIN) -> Pack:
    """The pack for a prompt. GitError when git refuses, OSError when the index cannot be written."""
    with Repository(root, folder) as opened:
        return opened.pack(prompt, tiers=tiers, recipe=recipe)
