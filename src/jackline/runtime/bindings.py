"""What the words of a call mean at this moment: files, matches of patterns, targets of links, objects that refs name.

A yes binds what it shows (design section 9). Read when somebody wants a person's word, and when a yes may fit.
"""

from __future__ import annotations

from jackline import file_stat, paths, system
from jackline.site_paths import take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jackline.shell.model import Command, Effects

CONTENT = 1 << 24
"""Bytes of a file that are hashed; a longer one is told by its stamp."""
MOST = 200
"""Files, matches and words that are looked at one by one."""
MANY = 5000
"""Names of a folder or a pattern that count."""
GLOB = "*?["
REFS_ALONE = frozenset(("push", "fetch", "branch", "tag", "remote", "update-ref", "reflog", "gc", "ls-remote", "notes"))
"""Commands of git that leave the work tree and the index alone."""
ALWAYS = ("HEAD", "refs/stash", "MERGE_HEAD", "ORIG_HEAD")
"""Names that commands of git mean without a word."""
UNASKED = ("\0", "\n", "@{", " ")
"""What a word holds that names no revision, or one that git refuses to speak of."""
LOST = "-"


def _hashed(data: bytes) -> str:
    from _blake2 import blake2b

    return str(blake2b(data, digest_size=16).hexdigest())


def digest(path: str) -> str:
    """What a file holds now: a hash of it, its stamp where it is too long, `-` where there is none."""
    try:
        raw = system.content(path, CONTENT)
    except (OSError, ValueError):
        return LOST
    return _hashed(raw) if raw is not None else "~" + ".".join([str(one) for one in file_stat.of(path)])


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} {_hashed(chr(0).join(names[:MANY]).encode('utf-8', 'surrogateescape'))}"


def _values(word: str) -> Iterator[str]:
    """What of a word may name a file: itself, what stands behind its `=`, its `@` or a letter of an option."""
    yield word
    for sign in ("=", "@", ":"):
        if sign in word:
            yield word.partition(sign)[2]
    if word[:1] == "-" != word[1:2] and len(word) > 2:
        yield word[2:]


def _place(word: str, cwd: str, home: str) -> str:
    """A word as an absolute path with its links as they are written; "" when it can be none."""
    if not word or len(word) > 1024 or any(sign in word for sign in "\0\n") or not cwd.startswith("/"):
        return ""
    word = home + word[1:] if word == "~" or word.startswith("~/") else word
    return word if word[0] == "/" else f"{cwd.rstrip('/')}/{word}"


def _matches(pattern: str) -> list[str]:
    found: list[str] = take("glob").glob(pattern, recursive=True)
    return sorted(found)


class _Bound:
    """What was found bound so far: a digest by what it is of."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.found: dict[str, str] = {}

    def path(self, place: str, *, deep: bool = False) -> None:
        """A file, or nothing; of a folder that is meant with all below it its names; and where a link leads."""
        real = paths.resolve("/", place, self.home)
        if real != place.rstrip("/") and system.exists(place):
            self.found[f"{place} (link)"] = real
        if system.is_dir(real):
            if not deep:
                return
            self.found[f"{real} (folder)"] = _listed(sorted(system.names(real)))
        elif system.exists(real) and len(self.found) < MOST:
            self.found[real] = digest(real)

    def pattern(self, place: str) -> None:
        """The names that a pattern matches, and what they hold."""
        matches = _matches(place)
        self.found[f"{place} (pattern)"] = _listed(matches)
        for one in matches[:MOST]:
            self.path(one)

    def word(self, word: str, cwd: str) -> None:
        for value in _values(word):
            place = _place(value, cwd, self.home)
            if not place:
                continue
            if any(sign in value for sign in GLOB):
                self.pattern(place)
            elif system.may_be(place):
                self.path(place)


def _revisions(words: Iterable[str], branch: str) -> list[str]:
    """Names that may be of revisions: words, sides of `a:b` and `a..b`, and a remote's branches."""
    plain = [word.lstrip("+^") for word in words if word[:1] != "-" and not any(sign in word for sign in UNASKED)]
    parts = [part for word in plain for part in word.replace("...", ":").replace("..", ":").split(":") if part]
    pairs = [f"{remote}/{name}" for remote in plain[1:4] for name in (branch, *parts) if remote != name]
    return list(dict.fromkeys([*ALWAYS, f"origin/{branch}", *parts, *pairs]))[:MOST]


def _of_git(command: Command, home: str) -> Iterator[tuple[str, str]]:
    """The objects behind every name, the branch, the settings, and what the work tree and the index hold."""
    git = take("jackline.git")

    words, root = list(command.words[1:]), command.cwd
    while words[:1] == ["-C"] and len(words) > 1:
        root = paths.resolve(root, words[1], home)
        words = words[2:]
    verb = next((word for word in words if word[:1] != "-"), "")
    try:
        branch = git.run(root, "rev-parse", "--symbolic-full-name", "HEAD").decode("utf-8", "replace").strip()
        yield f"the branch of {root}", branch
        yield f"git's settings of {root}", _hashed(git.run(root, "config", "--list", "-z"))
        yield from _objects(root, _revisions(words, branch.removeprefix("refs/heads/")))
        if verb not in REFS_ALONE:
            yield f"the index of {root}", _hashed(git.run(root, "diff-index", "--cached", "--raw", "-z", "HEAD"))
            yield from _changes(root, git.run(root, "status", "--porcelain", "-z", "-uall", filters=True))
    except (git.GitError, OSError):
        yield f"git in {root}", LOST


def _objects(root: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The object behind each name; where git will not say, every ref there is."""
    git = take("jackline.git")

    try:
        said = git.run(root, "cat-file", "--batch-check", stdin="".join(f"{one}\n" for one in names).encode())
    except git.GitError:
        yield f"refs of {root}", _hashed(git.run(root, "for-each-ref"))
        return
    for name, line in zip(names, said.decode("utf-8", "replace").split("\n"), strict=False):
        found = line.partition(" ")
        yield f"{name} of {root}", found[0] if len(found[0]) in (40, 64) and found[2][:7] != "missing" else LOST


def _changes(root: str, status: bytes) -> Iterator[tuple[str, str]]:
    """What is in no commit, and what it holds."""
    yield f"changes of {root}", _hashed(status)
    rows = [row.decode("utf-8", "surrogateescape")[3:] for row in status.split(b"\0") if row]
    for name in rows[:MOST]:
        path = f"{root}/{name}"
        yield path, digest(path)


def bound(found: Effects, home: str) -> dict[str, str]:
    """What a command's words resolve to, by what it is of: a difference is another call."""
    made = _Bound(home)
    for text in found.texts:
        made.path(text.path)
    for effect in found.effects:
        if effect.pattern and effect.path[:1] == "/" and "**" not in effect.path:
            made.pattern(effect.path)
        elif effect.path and not effect.pattern:
            made.path(effect.path, deep=effect.deep and effect.kind != "write")
    for command in found.commands:
        values = [value for _, value in command.assigns]
        for word in [*command.words, *values][:MOST]:
            made.word(word, command.cwd)
        if command.program == "git":
            made.found.update(_of_git(command, home))
    return made.found
