"""The syntax of a script's program, for the languages that can be read without running a line of it.

Python is parsed here. A shell is asked to read and not to run (`-n`): the system's own one, never the one that a first
line of the repository names, in an environment of nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence

from jackline import system
from jackline.compiler import declare
from jackline.compiler.fault import Fault
from jackline.compiler.scriptfind import shebang

SHELLS = ("sh", "bash", "dash", "ksh")
FOLDERS = ("/bin", "/usr/bin")
LIMIT_S = 5.0
COMPLAINT = re.compile(rb"(?:line )?(\d+): (.+)")
PYTHON = re.compile(r"python(?:3(?:\.(\d+))?)?\Z")


def _language(argv: Sequence[str], data: bytes) -> str:
    """The program that reads a script: what its first line names, `env` aside."""
    words = argv or shebang(data)
    if not words:
        return ""
    name = words[0].rpartition("/")[2]
    if name == "env" and len(words) > 1:
        rest = [word for word in " ".join(words[1:]).split() if word[:1] != "-" and "=" not in word]
        name = rest[0].rpartition("/")[2] if rest else ""
    return name


def _shell(name: str, path: str, where: str) -> Iterator[Fault]:
    """What the system's shell says to the text; nothing where it has none, or says nothing we understand."""
    program = next((f"{folder}/{name}" for folder in FOLDERS if system.executable(f"{folder}/{name}")), "")
    if not program:
        return
    try:
        done = subprocess.run(
            [program, "-n", path], env={"LC_ALL": "C"}, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=LIMIT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return
    said = COMPLAINT.search(done.stderr.replace(path.encode("utf-8", "surrogateescape"), b""))
    if done.returncode and said:
        got = said.group(2).decode("utf-8", "replace").removeprefix("Syntax error: ")
        yield Fault("", f"a script that {name} can read", got, "", "", f"{where}:{int(said.group(1))}")


def check(path: str, where: str, argv: Sequence[str], data: bytes) -> Iterator[Fault]:
    """What is wrong with the syntax of the script at `path`, shown as `where`."""
    name = _language(argv, data)
    python = PYTHON.match(name)
    if python and int(python.group(1) or 0) <= sys.version_info.minor:  # a later one may know more than ours
        tree = declare.parse(data, where)
        if isinstance(tree, Fault):
            yield tree
    elif name in SHELLS:
        yield from _shell(name, path, where)
