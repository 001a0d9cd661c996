"""git, run by one module: what a repository configured can neither start a program nor move our eyes.

Only plumbing that compares by stat is used before trust: a content comparison would run the repository's filters.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

PROGRAMS = ("/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git", "/bin/git")
SECONDS = 10
OFF = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.untrackedCache=false",
    "diff.external=",
    "protocol.allow=never",
    "submodule.recurse=false",
)


class GitError(Exception):
    """git is missing, too slow, or said no."""


def program() -> str:
    """The absolute path of git, never found by a PATH that a project could have set."""
    for path in PROGRAMS:
        if Path(path).is_file():
            return path
    import shutil

    found = shutil.which("git", path="/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin")
    if not found:
        raise GitError("git is not installed")
    return found


def run(root: str, *arguments: str) -> bytes:
    """Run one plumbing command in `root`; its output. Raises GitError."""
    options = [word for one in OFF for word in ("-c", one)]
    command = [program(), "--no-optional-locks", *options, "-C", root, *arguments]
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/"}
    try:
        done = subprocess.run(
            command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise GitError(str(fault)) from None
    if done.returncode:
        raise GitError(done.stderr.decode("utf-8", "replace").strip()[:300])
    return done.stdout


def changed(root: str) -> list[str]:
    """Files below `root` that differ from the index by stat, or are new and not ignored; relative, sorted."""
    names = run(root, "diff-files", "--name-only", "--relative", "--no-ext-diff", "--no-textconv", "-z")
    names += run(root, "ls-files", "--others", "--exclude-standard", "-z")
    return sorted({name.decode("utf-8", "surrogateescape") for name in names.split(b"\0") if name})
