"""Run git: an absolute program, an argument list, nothing of the repository's configuration that names a program.

A hostile repository may set hooks, filters, a file system monitor, external diffs or transports; none of them is run
(design section 5). Only plumbing is called here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DEADLINE_S = 5.0
LIMIT = 64 << 20
PLACES = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin")
COMMITS = 500
"""Commits of one turn that are looked at."""
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

QUIET = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("core.pager", "cat"),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.quotePath", "false"),
    ("core.splitIndex", "false"),
    ("core.untrackedCache", "false"),
    ("diff.external", ""),
    ("diff.ignoreSubmodules", "all"),
    ("status.submoduleSummary", "false"),
    ("submodule.recurse", "false"),
    ("credential.helper", ""),
    ("gpg.program", "false"),
    ("uploadpack.packObjectsHook", ""),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
)
"""Configuration that is switched off where it beats every file: in `GIT_CONFIG_COUNT` and its pairs."""


COMMIT = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"),
)
"""Variables by which git tells its hooks where the commit under way lies: its index may be one of its own."""
PERSONAL = ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
"""Variables that say which files the person's own configuration is."""


class GitError(Exception):
    """Git said no, was not there, or took too long."""


def _is_dir(path: str) -> bool:
    from jackline.system import is_dir

    return is_dir(path)


def program(extra: str = "") -> str:
    """The absolute path of git: in the system's places, else on `extra` (a person's PATH, absolute entries only)."""
    import posix

    for folder in (*PLACES, *[one for one in extra.split(":") if one.startswith("/")]):
        path = f"{folder}/git"
        if posix.access(path, posix.X_OK) and not _is_dir(path):
            return path
    raise GitError("git was not found")


def environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """What git needs and no more: no GIT_ variable of ours or a client's, no transport, no question, no lock."""
    given = env or {}
    home = given.get("HOME", "")
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": home if home.startswith("/") else "/nonexistent",
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "false",
        "GIT_EDITOR": "false",
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def _execute(argv: Sequence[str], cwd: str, env: Mapping[str, str], stdin: bytes, deadline: float, limit: int) -> bytes:
    """Run one program in its own process group; end the whole group at the deadline or above the limit."""
    import os
    import signal
    import subprocess
    import threading

    try:
        child = subprocess.Popen(
            argv, cwd=cwd, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            process_group=0, close_fds=True,
        )  # fmt: skip
    except OSError as fault:
        raise GitError(f"git could not be started: {fault.strerror}") from None

    def end() -> None:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except OSError:
            pass

    late = threading.Timer(deadline, end)
    late.daemon = True
    late.start()
    said: list[bytes] = []
    assert child.stdin and child.stdout and child.stderr
    errors = child.stderr
    feed = threading.Thread(target=_feed, args=(child.stdin, stdin), daemon=True)
    hear = threading.Thread(target=lambda: said.append(errors.read(4096)), daemon=True)
    feed.start()
    hear.start()
    try:
        out = child.stdout.read(limit + 1)
        if len(out) > limit:
            raise GitError(f"git {argv[-1]} gave more than {limit >> 20} MB")
        code = child.wait(deadline)
    except subprocess.TimeoutExpired:
        code = -signal.SIGKILL
    finally:
        end()
        late.cancel()
        child.wait()
        hear.join(1)
        feed.join(1)
        for stream in (child.stdin, child.stdout, child.stderr):
            try:
                stream.close()
            except OSError:
                pass
    if code == -signal.SIGKILL:
        raise GitError(f"git did not end within {deadline:g} s")
    if code:
        why = b"".join(said).decode("utf-8", "replace").strip().splitlines()
        raise GitError(why[0] if why else f"git ended with {code}")
    return out


def _feed(stream: object, data: bytes) -> None:
    try:
        stream.write(data)  # type: ignore[attr-defined]
        stream.close()  # type: ignore[attr-defined]
    except (OSError, ValueError):
        pass


def _with(env: Mapping[str, str], settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    """`env` with configuration in pairs: unlike `-c`, that holds for a driver whose name has a `=` in it."""
    pairs = {"GIT_CONFIG_COUNT": str(len(settings))}
    for at, (key, value) in enumerate(settings):
        pairs |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return {**env, **pairs}


def _drivers(root: str, env: Mapping[str, str], deadline: float) -> list[tuple[str, str]]:
    """Settings that switch off every driver the repository's configuration names: each would be a program."""
    pattern = r"^(filter|diff|merge)\..*\.(clean|smudge|process|required|textconv|command|driver)$"
    argv = [program(), "config", "-z", "--name-only", "--get-regexp", pattern]
    try:
        listed = _execute(argv, root, env, b"", deadline, 1 << 20)
    except GitError as fault:
        if str(fault) == "git ended with 1":  # nothing matches
            return []
        raise
    keys = sorted({key.decode("utf-8", "surrogateescape") for key in listed.split(b"\0") if key})
    return [(key, "false" if key.endswith(".required") else "") for key in keys]


def run(
    root: str,
    *words: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    deadline: float = DEADLINE_S,
    limit: int = LIMIT,
    filters: bool = False,
) -> bytes:
    """What a plumbing command prints, run in `root`. `filters`: it may read the work tree, so its drivers are off too.

    GitError when git refuses, is not there, takes longer than `deadline` seconds or prints more than `limit` bytes.
    """
    given = _with(environment(env), QUIET)
    if filters:
        given = _with(given, [*QUIET, *_drivers(root, given, deadline)])
    argv = [program(), "--no-optional-locks", "--no-pager", "--literal-pathspecs", *words]
    return _execute(argv, root, given, stdin, deadline, limit)


def _names(data: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in data.split(b"\0") if name]


def head(root: str, env: Mapping[str, str] | None = None) -> str:
    """The commit of HEAD, "" before the first."""
    try:
        return run(root, "rev-parse", "--verify", "-q", "HEAD^{commit}", env=env).decode().strip()
    except GitError:
        return ""


def changed_files(
    root: str, env: Mapping[str, str] | None = None, *, since: str = "", deadline: float = DEADLINE_S
) -> list[str]:
    """Paths that differ from HEAD: changed, deleted, staged, or new and not ignored. Relative to `root`, sorted.

    `since`: the commit of HEAD, where it is known already.
    """
    since = since or head(root, env) or EMPTY_TREE
    words = ("ls-files", "-z", "-m", "-d", "-o", "--exclude-standard")
    loose = run(root, *words, env=env, deadline=deadline, filters=True)
    staged = run(
        root, "diff-index", "-z", "--cached", "--name-only", "--no-ext-diff", "--no-textconv", "--no-renames",
        "--ignore-submodules=all", "--relative", since, "--", env=env, deadline=deadline,
    )  # fmt: skip
    return sorted({*_names(loose), *_names(staged)})


def touched_files(
    root: str, env: Mapping[str, str] | None = None, *, since: str = "", deadline: float = DEADLINE_S
) -> tuple[dict[str, str], list[str]]:
    """Candidates for `changed_files`, hardly any of them read: whoever reads them anyway spares git the work.

    First the files that may differ from the index (their stamps do), with the id of the index's content, "" for none;
    then those that are staged, or new and not ignored. Relative to `root`.
    """
    quiet = ("--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all", "--relative")
    words: tuple[str, ...] = ("diff-files", "-z", "--raw", "--no-abbrev", *quiet)
    raw = run(root, *words, env=env, deadline=deadline, filters=True)  # files as young as the index are read
    new = run(root, "ls-files", "-z", "-o", "--exclude-standard", env=env, deadline=deadline)
    words = ("diff-index", "-z", "--cached", "--name-only", *quiet, since or EMPTY_TREE, "--")
    staged = run(root, *words, env=env, deadline=deadline)
    loose: dict[str, str] = {}
    fields = raw.split(b"\0")
    for at in range(0, len(fields) - 1, 2):  # `:mode mode id id status`, name
        name = fields[at + 1].decode("utf-8", "surrogateescape")
        loose[name] = "" if name in loose else fields[at].split(b" ")[2].decode()  # twice: a conflict
    return loose, [*_names(new), *_names(staged)]


def committed_files(root: str, old: str, new: str, after: int, env: Mapping[str, str] | None = None) -> list[str]:
    """Paths of commits made on this branch after `after` (seconds of wall time) that `old` does not have.

    Merges do not count, nor does what they brought along. `old` may be "" (no commit yet) or gone for good.
    """
    words = ["rev-list", "--first-parent", "--no-merges", f"--since=@{after}", f"--max-count={COMMITS}", new]
    try:
        listed = run(root, *words, *([f"^{old}"] if old else []), "--", env=env)
    except GitError:
        listed = run(root, *words, "--", env=env)
    if not listed:
        return []
    out = run(
        root, "diff-tree", "--stdin", "-z", "-r", "--root", "--name-only", "--no-commit-id", "--no-renames",
        "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--relative", stdin=listed, env=env,
    )  # fmt: skip
    return sorted({*_names(out)})


def commit_of(root: str, ref: str, env: Mapping[str, str] | None = None) -> str:
    """The commit a ref stands at."""
    if not ref or ref.startswith("-") or any(ord(char) <= 32 or char in "~^:?*[\\" for char in ref):
        raise GitError(f"{ref!r} is no name of a ref")
    return run(root, "rev-parse", "--verify", "-q", f"{ref}^{{commit}}", env=env).decode().strip()


def name_of(root: str, ref: str) -> str:
    """The whole name of a ref that a person gave in short; "" for what is no ref (a commit's own name, say)."""
    if ref.startswith("-"):
        return ""
    commit_of(root, ref)
    found = run(root, "rev-parse", "--symbolic-full-name", "--verify", "-q", ref).decode("utf-8", "surrogateescape")
    return found.strip() if found.startswith("refs/") else ""


def executables(root: str, commit: str, names: Iterable[str]) -> frozenset[str]:
    """Those of the files, by their path from `root`, that may be executed at a commit."""
    asked = [*names]
    out = run(root, "ls-tree", "-z", commit, "--", *asked) if asked else b""
    rows = [row.partition("\t") for row in out.decode("utf-8", "surrogateescape").split("\0")]
    return frozenset(name for about, _, name in rows if about.startswith("100755 "))


def blobs(root: str, ref: str, names: Sequence[str], env: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """The content of files at a commit, by their path from `root`; those that are not there are left out."""
    commit = commit_of(root, ref, env)
    prefix = run(root, "rev-parse", "--show-prefix", env=env).decode("utf-8", "surrogateescape").rstrip("\n")
    asked = [name for name in names if "\n" not in name]
    lines = "".join([f"{commit}:{prefix}{name}\n" for name in asked])
    out = run(root, "cat-file", "--batch", stdin=lines.encode("utf-8", "surrogateescape"), env=env)
    found: dict[str, bytes] = {}
    at = 0
    for name in asked:
        end = out.index(b"\n", at)
        words = out[at:end].split()
        at = end + 1
        if len(words) == 3 and words[1] == b"blob":
            size = int(words[2])
            found[name] = out[at : at + size]
            at += size + 1
        elif len(words) == 3 and words[2].isdigit():
            at += int(words[2]) + 1
    return found


# --- hooks ---------------------------------------------------------------------------------------------------------


def _personal(env: Mapping[str, str]) -> dict[str, str]:
    """Our environment, but with the configuration files that the person's own git reads."""
    made = environment(env)
    del made["GIT_CONFIG_NOSYSTEM"]
    return made | {name: env[name] for name in PERSONAL if name in env}


def hooks_folder(root: str, env: Mapping[str, str]) -> str:
    """Where git looks for this worktree's hooks, absolute: `core.hooksPath` of any file that counts, or its own."""
    given = _with(_personal(env), [pair for pair in QUIET if pair[0] != "core.hooksPath"])
    told = _execute([program(), "rev-parse", "--git-path", "hooks"], root, given, b"", DEADLINE_S, 1 << 16)
    path = told.decode("utf-8", "surrogateescape").removesuffix("\n")
    return path if path.startswith("/") else f"{root}/{path}"


def common_folder(root: str, env: Mapping[str, str] | None = None) -> str:
    """The folder that all worktrees of a repository share, absolute."""
    path = run(root, "rev-parse", "--git-common-dir", env=env).decode("utf-8", "surrogateescape").removesuffix("\n")
    return path if path.startswith("/") else f"{root}/{path}"


def shows(root: str, path: str, env: Mapping[str, str] | None = None) -> bool:
    """Whether the repository has, or would offer to add, anything at or below `path` (relative to `root`)."""
    words = ("ls-files", "-z", "-c", "-o", "--exclude-standard", "--", path)
    return bool(run(root, *words, env=env, limit=1 << 26))


def ask_staged(root: str, env: Mapping[str, str], which: str = "d") -> tuple[int, int]:
    """Start asking which files a commit under way changes; `answer` takes what this returns. Nothing slow is imported.

    Asked of the index that the commit uses, with its environment. `which`: git's filter, all but the deleted ones.
    """
    import posix

    given = _with(_personal(env), QUIET) | {name: env[name] for name in COMMIT if name in env}
    words = (
        *("--no-optional-locks", "--literal-pathspecs", "-C", root, "diff", "--cached", "--name-only", "-z"),
        *(f"--diff-filter={which}", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv"),
        "--ignore-submodules=all",
    )
    git = program()
    out, into = posix.pipe()
    close = [(posix.POSIX_SPAWN_DUP2, into, 1), (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0)]
    try:
        return out, posix.posix_spawn(git, (git, *words), given, file_actions=close)
    except OSError as fault:
        posix.close(out)
        raise GitError(f"git could not be started: {fault.strerror}") from None
    finally:
        posix.close(into)


def answer(asked: tuple[int, int]) -> list[str]:
    """The names that `staged` asked for: changed or new in the index, in its order, without the deleted ones."""
    import posix

    from jackline.system import drain

    out, pid = asked
    try:
        said = drain(out, LIMIT)
    finally:
        posix.close(out)
        status = posix.waitstatus_to_exitcode(posix.waitpid(pid, 0)[1])
    if status:
        raise GitError(f"git ended with {status}")
    return _names(said)
