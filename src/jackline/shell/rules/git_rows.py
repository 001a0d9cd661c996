"""What git's subcommands do: a table, and how a row of it is read for one call."""

from __future__ import annotations

from jackline.shell.rules import git_acts as acts
from jackline.shell.rules.git_acts import inside, is_on, paths, tree
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from jackline.shell.job import Job
    from jackline.shell.model import Kind
    from jackline.shell.options import Given

    Part = Callable[[Job, list[str], Given], None]
else:
    from jackline._record import NamedTuple


VALUES = (
    "message file author date cleanup template strategy strategy-option source conflict pathspec-from-file "
    "exclude separate-git-dir branch origin reference depth upload-pack receive-pack repo push-option exec onto "
    "set-upstream-to contents points-at format sort prune output directory max-count since until grep skip after "
    "before start-point orphan reason server-option shallow-since shallow-exclude config inter-hunk-context "
    "unified fixup squash reuse-message extcmd"
)
SHORT = {
    "commit": "mFCctuS", "checkout": "bBU", "switch": "cC", "restore": "sU", "clean": "e", "push": "o", "tag": "mFuns",
    "merge": "mFsXS", "rebase": "xsXCS", "stash": "m", "log": "nSGL", "diff": "SGlU", "clone": "boujc", "fetch": "jo",
    "pull": "sXjo", "branch": "u", "config": "f", "worktree": "bB", "apply": "pCB", "am": "pCS", "revert": "mXS",
    "cherry-pick": "mXS", "archive": "o", "format-patch": "onv", "blame": "LS", "init": "b", "submodule": "b",
    "notes": "mFCc", "grep": "efmABC", "remote": "tm", "show": "nSGL", "difftool": "xt",
}  # fmt: skip


class Row(NamedTuple):
    """One thing that a subcommand does; `kind`: `execute` is for programs that options name.

    `on`: what it is done to: the `tree`, a file of the repository (`.git/index`), a path (`./`), `paths`, which are
    its operands, or the `first` of them, values of options (`=o/output`). A slash at its end: with all below it;
    behind ` or ` stands what it is where none is named. `when`: every part between commas must hold, by any of its
    words: an option with its names (`f/force`), `*` operands, `--` some behind that, `?` a word that only the shell
    knows; `!` before one says that it is not so.
    """

    kind: Kind
    on: str = ""
    act: str = ""
    when: str = ""
    note: str = ""


TREE, INDEX, CONFIG = Row("write", "tree"), Row("write", ".git/index"), Row("write", ".git/config")
HISTORY, NETWORK, OUTPUT = Row("history"), Row("network"), Row("write", "=output")
UPLOADS = Row("execute", "=u/upload-pack/exec")
MOVES = (HISTORY, TREE, acts.execute)
FETCH = (NETWORK, Row("write", ".git/refs"), UPLOADS)
REF = Row("history", "", "ref.delete", "d/delete")
_MOVED = "m/move M c/copy C"
_KEPT = ", ".join(f"!{one}" for one in _MOVED.split())
# `merge` drops what was added to the index; git refuses paths
_HARD = "h/hard merge ?, h/hard merge !soft, h/hard merge !mixed, !--"
_WORK = ", ".join(f"W/worktree ? !{one}" for one in ("S/staged", "no-staged", "no-worktree"))  # else git refuses
_REMOVES = "!n/dry-run, !cached, "

_SHOWS = (
    "status, diff, log, rev-parse, rev-list, describe, blame, annotate, ls-files, ls-tree, merge-base, shortlog, "
    "for-each-ref, show-ref, name-rev, count-objects, var, help, version, whatchanged, range-diff, cherry, "
    "check-ignore, check-attr, diff-tree, diff-index, diff-files, show-branch, verify-commit, verify-tag, fsck, "
    "instaweb, interpret-trailers, stripspace, column, hash-object, patch-id, get-tar-commit-id, bugreport, diagnose"
)
_ROWS: dict[str, tuple[Row | Part, ...]] = {
    _SHOWS: (OUTPUT,),
    "show, cat-file": (OUTPUT, acts.old_file),
    "grep": (OUTPUT, Row("read", "./"), acts.pagers),
    "format-patch": (OUTPUT, Row("write", "=o/output-directory/ or ./")),
    "archive": (Row("read", "./"), Row("write", "=o/output"), Row("network", when="remote"), UPLOADS, acts.old_file),
    "bundle": (OUTPUT, Row("read", "./")),
    "bundle create": (OUTPUT, Row("read", "./"), Row("write", "first")),
    "ls-remote, daemon, send-email, request-pull": (OUTPUT, NETWORK, UPLOADS),
    "difftool": (OUTPUT, Row("execute", "=x/extcmd")),
    # The index, the work tree.
    "add, stage": (INDEX, Row("read", "paths/")),
    "rm": (
        Row("write", ".git/index", when="cached, !n/dry-run"),
        Row("delete", "paths", "git.guarded", _REMOVES + "!f/force"),
        Row("delete", "paths/", "git.guarded", _REMOVES + "!f/force, r ?"),
        Row("delete", "paths/", "", _REMOVES + "f/force"),
        Row("write", "paths/", "git.discard", _REMOVES + "f/force"),
    ),
    "mv": (acts.mv,),
    "clean": (Row("delete", "paths/ or ./", "git.clean", "!n/dry-run, f/force i/interactive ?"),),
    "checkout": (acts.checkout,),
    "switch": (
        Row("write", "tree", when="!f/force, !discard-changes, * orphan"),  # without: begins where the work tree is
        Row("delete", "tree", "git.discard", "f/force discard-changes"),
    ),
    "restore": (
        Row("write", ".git/index", when="S/staged, !W/worktree"),
        Row("write", "paths/", "git.restore", _WORK),
        Row("write", "tree", "git.restore", f"{_WORK}, pathspec-from-file"),
        Row("write", "tree", "git.restore", f"{_WORK}, p/patch, !*"),
    ),
    "reset": (
        Row("delete", "tree", "git.reset", _HARD),
        Row("history", "", "git.reset", _HARD),
        Row("delete", "tree", "", "keep, !--"),
        Row("write", ".git/index", when="!soft, !h/hard, !merge, !keep, !?"),
    ),
    "stash, stash push, stash save": (Row("delete", "paths/ or tree", "git.tree"),),
    "stash pop, stash apply, stash branch": (TREE,),
    "stash list, stash show, stash create, stash store": (),
    "stash drop, stash clear, stash ?": (Row("history", "", "git.stash"),),
    "worktree": (),
    "worktree add": (Row("write", "first/", note="makes a work tree"),),
    "worktree move": (acts.mv,),
    "worktree remove": (
        Row("delete", "first/", "git.worktree", "f/force"),
        Row("delete", "first/", "git.guarded", "!f/force"),
    ),
    "submodule": (),
    "submodule init, submodule sync, submodule set-url, submodule absorbgitdirs": (TREE, CONFIG),
    "submodule add, submodule update": (TREE, CONFIG, NETWORK),
    "submodule deinit": (TREE, CONFIG, Row("write", "tree", "git.discard", "f/force")),
    "submodule foreach": (acts.foreach,),
    "bisect": (TREE,),
    "bisect log, bisect view, bisect visualize, bisect help": (),
    "bisect run": (TREE, acts.bisect),
    "apply": (acts.apply,),
    "init": (acts.init, Row("write", "=separate-git-dir/")),
    "update-index, rerere": (INDEX,),
    "merge-index, sparse-checkout, mergetool, svn": (INDEX, TREE),
    "lfs, annex": (INDEX, TREE, NETWORK),
    "read-tree": (INDEX, TREE, Row("write", "tree", "git.discard", "u, reset")),
    "checkout-index": (
        *(INDEX, TREE, Row("write", "=prefix/", note="unpacks into it")),
        Row("write", "tree", "git.discard", "f/force"),
    ),
    # History and refs, here and elsewhere.
    "commit": (HISTORY, Row("read", "=F/file/t/template")),
    "merge, rebase, cherry-pick, revert": MOVES,
    "am": (HISTORY, acts.execute, acts.apply),
    "fetch": FETCH,
    "pull": (HISTORY, *FETCH, TREE),
    "push": (Row("network", "", "git.push"), Row("execute", "=receive-pack/exec"), acts.push),
    "clone": (
        *(NETWORK, UPLOADS, acts.clone),
        *(Row("write", "=separate-git-dir/"), Row("read", "=template")),
    ),
    "remote": (),
    "remote add, remote set-url": (CONFIG, Row("network", when="f/fetch")),
    "remote rename, remote remove, remote rm, remote set-branches": (CONFIG,),
    "remote set-head": (CONFIG, NETWORK),
    "remote update, remote prune, remote show": (NETWORK,),
    "branch": (
        Row("history", "", "branch.move", f"{_MOVED}, f/force M C"),
        Row("history", "", "branch.delete", f"{_KEPT}, D f/force"),
        Row("write", ".git/config", when=f"{_KEPT}, !D, !f/force, u/set-upstream-to unset-upstream edit-description"),
    ),
    "tag": (Row("history", "", "tag.delete", "d/delete"),),
    "update-ref, notes, fast-import, commit-tree": (HISTORY, REF),
    "symbolic-ref, replace, pack-refs": (REF,),
    "filter-branch, filter-repo": (
        Row("history", "", "git.rewrite", "!analyze, !dry-run"),
        Row("write", "tree", when="!analyze, !dry-run"),
    ),
    "reflog, prune-packed": (),
    "gc, repack, maintenance, reflog expire": (acts.expire,),
    "reflog delete": (Row("history", "", "git.prune"),),
    "prune": (Row("history", "", "git.prune", "!n/dry-run"),),
    "config": (acts.config,),
}
ROWS = {name: rows for names, rows in _ROWS.items() for name in names.split(", ")}
"""Subcommand, or subcommand and the word behind it (`?`: one that only the shell knows), to what it does."""


def _holds(given: Given, word: str) -> bool:
    if word[0] == "!":
        return not _holds(given, word[1:])
    special = {"*": given.operands, "--": given.behind, "?": given.loose}
    return bool(special[word]) if word in special else is_on(given, *word.split("/"))


def _words(given: Given, on: str) -> list[str]:
    if on[:1] == "=":
        return given.values(*on[1:].split("/"))
    return {"paths": given.operands, "first": given.operands[:1]}.get(on, [on])


def _applies(given: Given, row: Row) -> bool:
    return not row.when or all(any(_holds(given, word) for word in part.split()) for part in row.when.split(", "))


def _report(job: Job, verb: str, given: Given, row: Row) -> None:
    note = row.note or f"git {verb}"
    on, _, instead = row.on.partition(" or ")
    words = _words(given, on.rstrip("/"))
    if not words and instead:
        on, words = instead, [instead]
    if not on:
        job.note(row.kind, note, act=row.act)
    elif on == "tree":
        tree(job, row.kind, note, row.act)
    elif on[:5] == ".git/":
        inside(job, on[5:], note)
    elif on[:5] == "paths":
        paths(job, row.kind, words, note, row.act, on[-1] == "/")
    elif row.kind == "execute":
        acts.launched(job, words, on)
    else:
        job.all(row.kind, words, note, deep=on[-1:] == "/", act=row.act)


def _chosen(verb: str, given: Given) -> tuple[tuple[Row | Part, ...], list[str]]:
    """The rows of a subcommand, and its operands: a word that chooses among rows is none."""
    second = "".join(given.operands[:1])
    rows = ROWS.get(f"{verb} {'?' if marked(second) else second}")
    return (ROWS.get(verb, ()), given.operands) if rows is None else (rows, given.operands[1:])


def is_far(verb: str, given: Given) -> bool:
    """The subcommand reaches another machine."""
    rows = [row for row in _chosen(verb, given)[0] if isinstance(row, Row)]
    return any(row.kind == "network" and _applies(given, row) for row in rows)


def act(job: Job, words: list[str], given: Given) -> None:
    """Report what a subcommand does."""
    rows, given.operands = _chosen(words[0], given)
    for row in rows:
        if not isinstance(row, Row):
            row(job, words, given)
        elif _applies(given, row):
            _report(job, words[0], given, row)
