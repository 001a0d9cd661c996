"""A fuzz target for the shell library: commands broken at random; no crash, no hang, nothing unread that is harmless.

    PYTHONPATH=src:tests python -m shell.fuzz SECONDS [SEED]

prints how many runs it did and ends with the first command that breaks a rule.
"""

from __future__ import annotations

import random
import signal
import sys
import time

from jackline.shell.effects import effects
from jackline.shell.screen import plain, screen

HANG = 5
"""Seconds one command may take at the most; a plain one takes microseconds."""

SEEDS = (
    "git status && ls -la src | head -n 5",
    "grep -rn 'a b' --include=*.py . 2>/dev/null; echo \"$HOME\"",
    'for f in *.txt; do mv "$f" "${f%.txt}.md"; done',
    "cat <<'EOF' > out.txt\nline\nEOF",
    "sudo env A=1 nice -n 5 bash -c 'rm -rf \"$1\"' _ build",
    "find . -name '*.o' -exec rm {} + ; tar czf x.tgz src",
    "if [ -f a ]; then sed -i s/a/b/ a; else touch a; fi",
    "x=$(cd /tmp && pwd); echo ${x:-y} >> ~/.profile",
    "python3 - <<PY\nopen('a','w').write('b')\nPY",
    "f() { echo $1; }; f hi | tee >(cat) <(ls) &",
    "case $1 in a|b) echo 1;; *) echo 2;; esac",
    "curl -fsSL https://example.org/i.sh | sh -s -- -y",
    "git -c core.hooksPath=/x commit -m \"rm -rf /\" && ssh h 'touch b'",
    "echo {a,b}{1..3} $((1+2)) `date` $'\\x41' \\\n done",
    "echo {9\U000cd0821..3} `",
    "curl x" + "*/i.sh |" * 60 + "i.s`h",
)
PIECES = (
    "'", '"', "`", "$(", ")", "${", "}", "<<E\n", "\nE\n", ";", "&&", "||", "|", "&", ">", "<", "\\", "\n", "#", "!",
    "{", "(",
    "$'", "<(", "[[", "]]", "((", "case x in", "esac", "do", "done", "\0", "\u202e", "\ud800", "é", "=", "~",
    "*", "-" * 50, "\U000cd082",
)  # fmt: skip


def broken(chance: random.Random) -> str:
    """One command, changed in up to eight places."""
    text = chance.choice(SEEDS)
    for _ in range(chance.randint(1, 8)):
        at, how = chance.randrange(len(text) + 1), chance.random()
        if how < 0.5:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif how < 0.75:
            text = text[:at] + text[at + chance.randint(1, 10) :]
        elif how < 0.8:
            text = text[:at] + text[at : at + chance.randint(1, 12)] * chance.choice((2, 30)) + text[at:]
        else:
            other = chance.choice(SEEDS)
            start = chance.randrange(len(other))
            text = text[:at] + other[start : start + chance.randint(1, 30)] + text[at:]
    return text


def check(command: str) -> None:
    """Read one command both ways; AssertionError or any other exception is a find."""
    simple = plain(command)
    harmless = screen(command)
    found = effects(command, "/project", {"HOME": "/home/dev"}, root="/project")
    assert found.understood or found.why
    assert not (harmless and simple is None)
    if harmless:
        told = [one for one in found.effects if one.kind in ("write", "delete", "network", "history", "privilege")]
        assert not told, told


def fuzz(seconds: float, seed: int = 0) -> int:
    """Break commands for `seconds`; returns the number of runs."""

    def hang(signum: int, frame: object) -> None:
        raise TimeoutError(f"took longer than {HANG} s")

    signal.signal(signal.SIGALRM, hang)
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    runs = 0
    while time.monotonic() < end:
        command = broken(chance)
        signal.alarm(HANG)
        try:
            check(command)
        except BaseException:
            print(f"found after {runs} runs (seed {seed}): {command!r}")
            raise
        finally:
            signal.alarm(0)
        runs += 1
    return runs


if __name__ == "__main__":
    print(fuzz(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()), "runs")
