"""The ref whose content a person trusts as it moves (`trust --follow`), and which of its commits counts (5a).

Who moves the ref says yes. So a move that an agent of a live session may have made does not count until a person has
looked, and what stood there last goes on counting.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jackline import git, host, paths
from jackline.compiler.trust import Book, change, common_dir, entry, keep_copies, remember, top_of, version_of
from jackline.compiler.trust_state import Standing
from jackline.compiler.unit_record import Branch


class Following(NamedTuple):
    """A ref that is followed, the commit that counts, and one that an agent may have moved it to. `gone`: it is not
    there, and what stood there last counts.
    """

    ref: str = ""
    commit: str = ""
    withheld: str = ""
    gone: bool = False

    @property
    def line(self) -> str:
        """What a person is told of it."""
        if self.withheld:
            said = "was moved while an agent was at work: what it brought does not count"
        else:
            said = "which you follow, is not there: what stood there last counts" if self.gone else ""
        comma = "," if self.gone and not self.withheld else ""
        return f"{short(self.ref)}{comma} {said} · jackline trust --follow {short(self.ref)}" if said else ""


NOBODY = Following()


def short(ref: str) -> str:
    """A ref as a person types it."""
    return ref.removeprefix("refs/").removeprefix("heads/").removeprefix("remotes/").removeprefix("tags/")


def files(root: str, ref: str) -> list[str]:
    """The files a ref may stand in: when they move, what is followed may have."""
    common = common_dir(paths.resolve("/", root))
    places = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/remotes/{ref}", f"refs/tags/{ref}"]
    return [f"{common}/{place}" for place in (*places, "packed-refs") if ".." not in place]


def _commit(root: str, ref: str) -> str:
    try:
        return git.commit_of(top_of(root), ref)
    except git.GitError:
        return ""


def look(known: Book, root: str, branch: Branch | None) -> Following:
    """The ref that is followed, and what of it counts now."""
    ref = known.follows(root)
    if not ref or branch is None:
        return NOBODY
    (held, withheld), now = known.followed(root), _commit(root, ref)
    if not now:
        return Following(ref, held, withheld, gone=True)
    if now == held:
        return Following(ref, held)
    if held and (now == withheld or branch.has_agent_at_work()):
        return Following(ref, held, now)
    return Following(ref, now)


def follow(store: str, root: str, ref: str, by: str) -> None:
    """Trust what stands at `ref` now, and whatever it moves to; "" ends that, with what it alone made trusted."""
    commit = _commit(root, ref) if ref else ""

    def edit(book: Book) -> None:
        entry(book, root).update(follow=ref, followed=commit, withheld="")

    change(store, root, "FOLLOW", by, {"ref": ref, "commit": commit}, edit)


def note(store: str, root: str, found: Following, standings: Iterable[Standing]) -> None:
    """Remember what counts of a ref, with the units that are trusted by it: then they stay as any other does."""
    units = [one.unit for one in standings if one.is_followed and one.unit is not None]
    if not found.ref or (not units and (found.commit, found.withheld) == Book(store).followed(root)):
        return
    keep_copies(store, [data for unit in units for data in unit.files.values()])
    now = host.now() // 1_000_000
    made = {f"{unit.kind} {unit.place}": version_of(unit, now, "kernel", found.ref)._asdict() for unit in units}

    def edit(book: Book) -> None:
        here = entry(book, root)
        if here.get("follow") == found.ref:  # a person may have ended it meanwhile
            here.update(followed=found.commit, withheld=found.withheld)
            remember(here, made)

    data = {"ref": found.ref, "commit": found.commit, "units": {name: one["digest"] for name, one in made.items()}}
    change(store, root, "FOLLOWED", "kernel", data, edit)
