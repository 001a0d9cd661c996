"""Real shells as oracles: which simple commands does a text run, and with which words?

Programs named here are recorders that only write down their arguments. Nothing else is on PATH.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
from pathlib import Path

from jackline.shell.model import UNKNOWN

WRITE = """printf '%s\\0' "${@//$'\\n'/$'\\2'}" $'\\1' >>"$RECORD\""""
"""Line breaks as another sign: bash writes a line at a time, and calls at the same time would mix theirs."""
RECORDER = f"#!{{bash}}\n{WRITE}\n"
HANDLER = f"command_not_found_handle() {{ builtin {WRITE}; }}\n"


class Oracle:
    """A folder with recorders and a few real wrappers, and shells to run texts in."""

    def __init__(self, base: Path, programs: str = "danger", real: str = "bash env nice timeout xargs cat") -> None:
        self.bin = base / "bin"
        self.bin.mkdir(parents=True)
        self.home = base / "home"
        self.home.mkdir()
        self.records = base / "records"
        self.records.mkdir()
        self.runs = 0
        bash = shutil.which("bash")
        assert bash is not None
        self.bash = bash
        for name in programs.split():
            path = self.bin / name
            path.write_text(RECORDER.replace("{bash}", bash))
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        for name in real.split():
            found = shutil.which(name)
            assert found is not None
            (self.bin / name).symlink_to(found)
        (self.bin / "sh").symlink_to(shutil.which("dash") or bash)

    def run(self, text: str, cwd: Path, shell: str = "bash", handler: bool = False) -> list[tuple[str, ...]]:
        """The recorded calls, without their command word unless `handler` records them."""
        self.runs += 1  # a file of its own: what an earlier run left behind may still write
        record = self.records / str(self.runs)
        record.touch()
        env = {"PATH": str(self.bin), "RECORD": str(record), "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        program = self.bash if shell == "bash" else shutil.which(shell) or shell
        if handler:
            text = HANDLER + text
        child = subprocess.Popen(
            [program, "-c", text],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,  # read to its end, which waits for what runs in the background
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            child.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            return []
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)  # a loop in the background would run for ever
            except ProcessLookupError:
                pass
            child.wait()
            if child.stdout is not None:
                child.stdout.close()
        raw = record.read_bytes().decode("utf-8", "surrogateescape").replace("\2", "\n")
        return [tuple(call.split("\0")[:-1]) for call in raw.split("\1\0")[:-1]]


def fits(call: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """The words found are those of the call, up to the first that only the running shell knows."""
    for at, word in enumerate(words):
        if UNKNOWN in word:
            begin = word.partition(UNKNOWN)[0]
            return not begin or (at < len(call) and call[at].startswith(begin))
        if at >= len(call) or call[at] != word:
            return False
    return len(call) == len(words)


def fresh(base: Path) -> Path:
    """An empty folder to run in."""
    path = base / "cwd"
    shutil.rmtree(path, ignore_errors=True)
    os.mkdir(path)
    return path
