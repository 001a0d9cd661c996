"""What git's subcommands do: a table, and what of them no row can say."""

from __future__ import annotations

from jackline.paths import resolve
from jackline.repository import git_root
from jackline.shell import launch
from jackline.shell.command_call import Job
from jackline.shell.git_keys import program_key
from jackline.shell.model import UNKNOWN
from jackline.shell.options import Given
from jackline.shell.rules.changing import move
from jackline.shell.rules.editing import patches
from jackline.shell.rules.rows import Row, applying, is_on, meant, report
from jackline.shell.shell_state import Place, Scene, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from jackline.shell.model import Kind


def top(scene: Scene) -> str:
    """The top folder of the repository we are in, "" for none: it is looked for once."""
    cwd, seen = scene.cwd, scene.seen
    if f"\0{cwd}" not in seen:  # no path begins so
        seen[f"\0{cwd}"] = git_root(cwd) or ""
    return seen[f"\0{cwd}"]


def _place(job: Job, name: str = "") -> Place:
    """The top folder of the repository we are in, or a path in it."""
    cwd = job.scene.cwd
    return Place(resolve("/", f"{top(job.scene) or cwd}/{name}")) if cwd else Place(f"**/{name}".rstrip("/"), True)


def _tree(job: Job, kind: Kind, note: str, act: str = "") -> None:
    """The whole work tree."""
    kinds: tuple[Kind, ...] = ("write", "delete") if kind == "delete" else (kind,)
    place = _place(job)
    for one in kinds:
        job.note(one, note, place, deep=True, act=act or "git.tree")


def _paths(job: Job, kind: Kind, operands: list[str], note: str, act: str, deep: bool = True) -> None:
    """Path operands, with git's own magic."""
    if any(word[:1] == ":" for word in operands):
        _tree(job, kind, note, act)
    names = [word if word != "-" else "./-" for word in operands if word[:1] != ":"]
    job.all(kind, names, note, deep=deep, act=act)


def _checkout(job: Job, given: Given) -> None:
    before = given.operands[: len(given.operands) - len(given.behind)]
    files, chosen, single = given.behind, given.has("pathspec-from-file"), len(before) == 1
    if not (files or chosen or given.has("b", "B", "orphan", "t", "track")):  # git refuses: paths track nothing
        first = "".join(before[:1])
        named = single if marked(first) else first in (".", ":/") or job.walk.exists(job.scene, first)
        files = before if named else before[1:]
    _paths(job, "write", files, "takes it from the index or a commit", "git.restore")
    if single and not chosen and not given.behind:
        _tree(job, "write", f"switches the work tree to {before[0]}")


def _apply(job: Job, given: Given) -> None:
    if given.has("check", "stat", "numstat", "summary") and not given.has("apply"):
        return
    job.all("read", given.operands)
    top = _place(job)
    base = "/".join([UNKNOWN if top.pattern else top.path, *given.values("directory")])
    named = patches(job, given.operands, "".join(given.values("p")))
    job.all("write", [f"{base}/{name}" for name in named], "patches it")
    if not named or "am" in job.words:
        _tree(job, "write", "patches what the patch names")


def _runs(job: Job, given: Given) -> None:
    """What `rebase -x`, `bisect run` and `submodule foreach` run, with the options of their own left out."""
    for value in given.values("x", "exec"):
        job.code(value)
    at = next((at for at, word in enumerate(job.words) if word in ("run", "foreach")), len(job.words))
    job.code(" ".join([word for word in job.words[at + 1 :] if word not in ("--recursive", "-q", "--quiet")]))


PLAIN = ("core.worktree", "url", "safe", "extensions", "receive", "imap", "lfs", "init", "protocol")
"""Keys and sections that name no program by which a call does more than it says."""

FILES = {"include": "git", "includeif": "git", "core.attributesfile": "settings"}
"""Keys and sections whose value is a file."""


def told(job: Job, key: str, value: str, own: Container[str] = ()) -> None:
    """A configuration value for this call, or a variable that says the same. `own`: names that no alias can take."""
    key = key.lower()
    section = key.partition(".")[0]
    hooks, runs = key == "core.hookspath", f"git runs what {key} says"
    if key == "protocol.ext.allow" and value != "never":
        job.note("execute", "git runs what an address says", act="git.program")
    elif not program_key(key) or key in PLAIN or section in PLAIN or (section == "alias" and key[6:] in own):
        return
    elif value[:1] == "!" and not hooks:
        job.note("execute", runs, act="git.program")
        job.code(value[1:])
    elif section == "alias":
        job.note("unknown", f"{key} stands for {value}")
        job.run(["git", *value.split()])
    else:
        job.note("unknown", f"{key} names a program: {value}")
        job.note("execute", runs, act="hooks.skip" if hooks else "")
        if hooks:
            job.add("execute", value, key)
        else:
            launch.told(job, FILES.get(key) or FILES.get(section) or "run", value, key, "git.program")


VERBS = ("get", "list", "set", "unset", "edit", "rename-section", "remove-section")
"""Operands of `git config` that say the same as an option of the name."""


def _config(job: Job, given: Given) -> None:
    operands = [*given.operands]
    if operands[:1] and operands[0] in VERBS:
        given.options.append((operands.pop(0), None))
    whole = given.has("e", "edit", "rename-section", "remove-section")
    shows = any(name == "l" or name.startswith(("get", "list")) for name, _ in given.options)
    if shows or (not whole and len(operands) < 2 and not given.has("unset", "unset-all")):
        return
    key, value = [*operands, "", ""][:2]
    names = program_key(key) or marked(key)
    act = "git.program" if whole or names else "git.own"
    files = {"global": (job.scene.home or UNKNOWN) + "/.gitconfig", "system": "/etc/gitconfig"}
    places = [file for name, file in files.items() if given.has(name)] or given.values("f", "file")
    job.all("write", places, "git config", act=act)
    if not places:
        own = ".git/config.worktree" if given.has("worktree") else ".git/config"
        job.note("write", "git config", _place(job, own), act=act)
    if value or key.lower() == "core.hookspath":
        told(job, key, value)


LEASES = ("force-with-lease", "force-if-includes")


def _push(job: Job, given: Given) -> None:
    repository = given.values("repo")
    refs = given.operands if repository else given.operands[1:]
    address = "".join([*repository, *given.operands][:1]).removeprefix("file://")
    if is_on(given, "n", "dry-run") or (address.startswith("/tmp/") and ".." not in address):
        return  # a repository among temporary files
    forced = [ref.lstrip("+").rpartition(":")[2].lstrip("+") for ref in refs if ref[:1] == "+" or ":+" in ref]
    options = [name for name, _ in given.options if name.startswith("force-")]
    strange = any(not any(lease.startswith(one) for lease in LEASES) for one in options)
    plain = strange or given.has("f", "force", "mirror")
    if plain or options or forced:
        leases = [value.partition(":")[0] for name, value in given.options if name.startswith("force-w") and value]
        names = {one.removeprefix("refs/heads/") for one in leases}
        bare = all(one.removeprefix("refs/heads/") in names for one in forced) or not names  # one without holds for all
        leased = options and not plain and bare
        job.note("history", "rewrites history elsewhere", act="push.lease" if leased else "push.force")
    if given.has("d", "delete", "prune", "mirror") or any(ref[:1] == ":" for ref in refs):
        job.note("history", "removes refs elsewhere", act="push.delete")


def _clone(job: Job, given: Given) -> None:
    source = "".join(given.operands[:1])
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    job.all("write", given.operands[1:2] or [name or UNKNOWN], "clones into it", deep=True)
    for value in given.values("c", "config"):
        told(job, value.partition("=")[0], value.partition("=")[2])


def _pagers(job: Job, given: Given) -> None:
    """The programs with which `git grep` shows what it found, "" for the one that is configured."""
    for value in [value or "" for name, value in given.options if name == "O" or name.startswith("op")]:
        launch.told(job, "run", value, "-O", "git.program")
        job.code(f'{value} "$1"' if value else "", args=["git", UNKNOWN])


def _old_file(job: Job, given: Given) -> None:
    """A file out of history: its name says what it holds."""
    names = [word.partition(":")[2] for word in given.operands]
    job.all("read", [name for name in names if name[:1] not in ("", "/")], "from history")


VALUES = (
    "message file author date cleanup template strategy source conflict pathspec-from-file exclude separate-git-dir "
    "branch origin reference depth upload-pack receive-pack repo push-option exec onto set-upstream-to format output "
    "directory max-count since until before start-point orphan reason config fixup squash extcmd expire prune "
    "unified inter-hunk-context"
)
SHORT = {
    "commit": "mFCctuS", "checkout": "bBU", "switch": "cC", "restore": "sU", "clean": "e", "push": "o", "tag": "mFuns",
    "merge": "mFsXS", "rebase": "xsXCS", "stash": "m", "clone": "boujc", "fetch": "jo", "pull": "sXjo", "branch": "u",
    "config": "f", "worktree": "bB", "apply": "pCB", "am": "pCS", "revert": "mXS", "cherry-pick": "mXS",
    "archive": "o", "format-patch": "onv", "init": "b", "submodule": "b", "grep": "efmABC", "difftool": "xt",
}  # fmt: skip
"""Long options that take a value, and letters: of those by whose values something else could be meant."""

TREE, INDEX, CONFIG = "write tree", "write .git/index", "write .git/config"
OUTPUT, UPLOADS = "write =output", "execute =u/upload-pack/exec"
FETCH = f"network; write .git/refs; {UPLOADS}"
REF = "history - ref.delete if d/delete"
_MOVED = "m/move M c/copy C"
_KEPT = ", ".join(f"!{one}" for one in _MOVED.split())
# `merge` drops what was added to the index; git refuses paths
_HARD = "h/hard merge ?, h/hard merge !soft, h/hard merge !mixed, !--"
_WORK = ", ".join(f"W/worktree ? !{one}" for one in ("S/staged", "no-staged", "no-worktree"))  # else git refuses
_REMOVES = "!n/dry-run, !cached, "

_SHOWS = (
    "status, diff, log, rev-parse, rev-list, describe, blame, annotate, ls-files, ls-tree, merge-base, shortlog, show, "
    "for-each-ref, show-ref, name-rev, count-objects, var, help, version, whatchanged, range-diff, cherry, cat-file, "
    "check-ignore, check-attr, diff-tree, diff-index, diff-files, show-branch, verify-commit, verify-tag, fsck, "
    "instaweb, interpret-trailers, stripspace, column, hash-object, patch-id, get-tar-commit-id, bugreport, diagnose"
)
_ROWS = {
    _SHOWS: OUTPUT,
    "grep": f"{OUTPUT}; read ./",
    "format-patch": f"{OUTPUT}; write =o/output-directory/|./",
    "archive": f"read ./; write =o/output; network if remote; {UPLOADS}",
    "bundle": f"{OUTPUT}; read ./",
    "bundle create": f"{OUTPUT}; read ./; write :1",
    "ls-remote, daemon, send-email, request-pull": f"{OUTPUT}; network; {UPLOADS}",
    "difftool": f"{OUTPUT}; execute =x/extcmd",
    # The index, the work tree.
    "add, stage": f"{INDEX}; read :/",
    "rm": (
        f"{INDEX} if cached, !n/dry-run; delete : git.guarded if {_REMOVES}!f/force; "
        f"delete :/ git.guarded if {_REMOVES}!f/force, r ?; "
        f"delete :/ if {_REMOVES}f/force; write :/ git.discard if {_REMOVES}f/force"
    ),
    "clean": "delete :/|./ git.clean if !n/dry-run, f/force i/interactive ?",
    "checkout": "write tree git.restore if pathspec-from-file; delete tree git.discard if f/force, !--",
    # Without a branch it begins where the work tree is.
    "switch": (
        "write tree if !f/force, !discard-changes, * orphan; delete tree git.discard if f/force discard-changes"
    ),
    "restore": (
        f"{INDEX} if S/staged, !W/worktree; write :/ git.restore if {_WORK}; "
        f"write tree git.restore if {_WORK}, pathspec-from-file p/patch, pathspec-from-file !*"
    ),
    "reset": (
        f"delete tree git.reset if {_HARD}; history - git.reset if {_HARD}; delete tree if keep, !--; "
        f"{INDEX} if !soft, !h/hard, !merge, !keep, !?"
    ),
    "stash, stash push, stash save": "delete :/|tree git.tree",
    "stash pop, stash apply, stash branch, bisect, bisect run": TREE,
    "stash list, stash show, stash create, stash store, worktree, submodule, remote, reflog, prune-packed": "",
    "stash drop, stash clear, stash ?": "history - git.stash",
    "worktree add": "write :1/ # makes a work tree",
    "worktree remove": "delete :1/ git.worktree if f/force; delete :1/ git.guarded if !f/force",
    "submodule init, submodule sync, submodule set-url, submodule absorbgitdirs": f"{TREE}; {CONFIG}",
    "submodule add, submodule update": f"{TREE}; {CONFIG}; network",
    "submodule deinit": f"{TREE}; {CONFIG}; write tree git.discard if f/force",
    "bisect log, bisect view, bisect visualize, bisect help, mv, worktree move, submodule foreach, apply, config": "",
    "init": "write =separate-git-dir/",
    "update-index, rerere": INDEX,
    "merge-index, sparse-checkout, mergetool, svn": f"{INDEX}; {TREE}",
    "lfs, annex": f"{INDEX}; {TREE}; network",
    "read-tree": f"{INDEX}; {TREE}; write tree git.discard if u, reset",
    "checkout-index": f"{INDEX}; {TREE}; write =prefix/ # unpacks into it; write tree git.discard if f/force",
    # History and refs, here and elsewhere.
    "commit": "history; read =F/file/t/template",
    "merge, rebase, cherry-pick, revert": f"history; {TREE}",
    "am": "history",
    "fetch": FETCH,
    "pull": f"history; {FETCH}; {TREE}",
    "push": "network - git.push; execute =receive-pack/exec",
    "clone": f"network; {UPLOADS}; write =separate-git-dir/; read =template",
    "remote add, remote set-url": f"{CONFIG}; network if f/fetch",
    "remote rename, remote remove, remote rm, remote set-branches": CONFIG,
    "remote set-head": f"{CONFIG}; network",
    "remote update, remote prune, remote show": "network",
    "branch": (
        f"history - branch.move if {_MOVED}, f/force M C; history - branch.delete if {_KEPT}, D f/force; "
        f"{CONFIG} if {_KEPT}, !D, !f/force, u/set-upstream-to unset-upstream edit-description"
    ),
    "tag": "history - tag.delete if d/delete",
    "update-ref, notes, fast-import, commit-tree": f"history; {REF}",
    "symbolic-ref, replace, pack-refs": REF,
    "filter-branch, filter-repo": "history - git.rewrite if !analyze, !dry-run; write tree if !analyze, !dry-run",
    # What nobody points to is lost at once.
    "gc, repack, maintenance, reflog expire": (
        "history - git.prune if expire/expire-unreachable/prune/p=now/all/0/0.seconds.ago"
    ),
    "reflog delete": "history - git.prune",
    "prune": "history - git.prune if !n/dry-run",
}
ROWS = {name: text for names, text in _ROWS.items() for name in names.split(", ")}
"""Subcommand, or subcommand and the word behind it (`?`: one that only the shell knows), to what it does."""

DOES = {
    **dict.fromkeys(("show", "cat-file", "archive"), _old_file),
    **dict.fromkeys(("mv", "worktree move"), move),
    **dict.fromkeys(("apply", "am"), _apply),
    "grep": _pagers, "checkout": _checkout, "rebase": _runs, "submodule foreach": _runs, "bisect run": _runs,
    "push": _push, "clone": _clone, "config": _config,
}  # fmt: skip
"""What no row can say."""


def _report(job: Job, given: Given, row: Row, note: str) -> None:
    """What a row says, of the places that only git knows; `tree` is the work tree."""
    on, words = meant(given, row.on)
    if on == "tree":
        _tree(job, row.kind, note, row.act)
    elif on[:5] == ".git/":
        job.note(row.kind, note, _place(job, on), act=row.act or "git.own")
    elif on[:1] == ":":
        _paths(job, row.kind, words, note, row.act, on[-1] == "/")
    elif row.kind == "execute":
        for program in words:
            launch.told(job, "run", program, on, "git.program")
    else:
        report(job, given, row, note)


def _name(verb: str, given: Given) -> str:
    """Of a subcommand, with the word behind it where that chooses what it does."""
    second = "".join(given.operands[:1])
    name = f"{verb} {'?' if marked(second) else second}"
    return name if name in ROWS else verb


def is_far(verb: str, given: Given) -> bool:
    """The subcommand reaches another machine."""
    text = ROWS.get(_name(verb, given), "")
    return "network" in text and any(row.kind == "network" for row in applying(given, text))


def act(job: Job, verb: str, given: Given) -> None:
    """Report what a subcommand does."""
    name = _name(verb, given)
    given.operands = given.operands[name != verb :]
    if name in DOES:
        DOES[name](job, given)
    for row in applying(given, ROWS[name]):
        _report(job, given, row, row.note or f"git {verb}")
