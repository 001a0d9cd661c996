"""`python -m golden` below `tests/`: play every case, say what changed; `--write` writes it down anew.

Words name the themes to play, or one case as `theme/name`.
"""

from __future__ import annotations

import difflib
import sys
import tempfile
from pathlib import Path

from .themes import HERE, expected, themes
from .words import played, told


def text_of(case: dict[str, object]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return "\n".join(played(case, Path(folder))) + "\n"


def section(case: dict[str, object]) -> str:
    return told(case) + text_of(case)


def wanted(words: list[str], theme: str, name: str) -> bool:
    return not words or theme in words or f"{theme}/{name}" in words


def main(words: list[str]) -> int:
    anew = "--write" in words
    words = [word for word in words if word[:2] != "--"]
    changed = 0
    for theme, cases in themes().items():
        before = expected(theme)
        after = {}
        for case in cases:
            name = case["name"]
            after[name] = section(case) if wanted(words, theme, name) else before.get(name, "")
        if after == before:
            continue
        changed += 1
        if anew:
            text = "".join(f"=== {name}\n{lines}" for name, lines in after.items())
            (HERE / "expected" / f"{theme}.txt").write_text(text)
        else:
            old, new = ("".join(f"=== {name}\n{lines}" for name, lines in one.items()) for one in (before, after))
            sys.stdout.writelines(
                difflib.unified_diff(old.splitlines(True), new.splitlines(True), f"expected/{theme}.txt", "now")
            )
    known = {f"{theme}.txt" for theme in themes()}
    for path in (HERE / "expected").iterdir():
        if path.name not in known:
            changed += 1
            print(f"{path.name} belongs to no theme" + (", and is removed" if anew else ""))
            if anew:
                path.unlink()
    if not changed:
        print("no case changed")
    return 0 if anew or not changed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
