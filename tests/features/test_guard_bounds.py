"""A command of a megabyte at the real door: answered within the deadline of critical features, and never let pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from scene import Scene

SIZE = (1 << 20) - 64
DEADLINE_MS = 5_000
"""A guard that takes longer is cut off, and what it judged is refused."""

LARGE = {
    "lists": "rm a;" * (SIZE // 5),
    "parentheses": "(" * SIZE,
    "substitutions": "$(" * (SIZE // 2),
    "quotes": "\"'" * (SIZE // 2),
    "here-documents": "cat <<E\n$x\nE\n" * (SIZE // 13),
    "words": "rm -rf " + "".join([f"a{number} " for number in range(SIZE // 8)]),
    "paths": "rm -rf " + "".join([f"a/b{number} " for number in range(SIZE // 10)]),
    "braces": "rm -rf " + "{a,b}" * (SIZE // 5),
    "wrappers": "xargs sudo " * (SIZE // 11),
    "python": "python3 -c '" + 'os.remove("a");' * (SIZE // 15) + "'",
    "powershell": 'powershell -Command "' + "Remove-Item x;" * (SIZE // 14) + '"',
}
"""Each is dangerous, or nobody can say."""


@pytest.mark.parametrize("command", LARGE.values(), ids=LARGE)
def test_a_megabyte_is_answered_in_time(command: str, tmp_path: Path, made_bundle: Path) -> None:
    scene = Scene(tmp_path, made_bundle)
    scene.begin()
    said = scene.pre(command)
    assert said.decision in ("ask", "deny")
    assert said.ms < DEADLINE_MS
