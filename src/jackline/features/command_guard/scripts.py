"""Scripts that a command runs and that lie on the disk: what they hold is judged, too, for the gravest rules."""

from __future__ import annotations

from jackline.system import read, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.features.command_guard.judge import Finding
    from jackline.features.command_guard.places import Ground
    from jackline.shell.model import Effects

MOST = 65_536
"""Bytes of a script that we read; a longer one is a program of the project."""

MANY = 4
SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "ash", "source", ".")
LINES = tuple(
    b"#!" + place + shell for place in (b"/bin/", b"/usr/bin/", b"/usr/bin/env ") for shell in (b"bash", b"sh")
)

GRAVE = frozenset(
    [
        *("delete.everything", "move.everything", "mode.everything", "device", "delete.home", "git.rewrite"),
        *("push.force", "leak.file", "pipe.shell", "secret.read"),
    ]
)
"""Rules that hold inside a script: a project's own scripts clean and reset, and are asked for by name."""


def text_of(path: str, program: str) -> str:
    """The text of a small shell script, "" when it is none."""
    if not 0 < size_of(path) <= MOST:
        return ""
    try:
        data = read(path, limit=MOST)
    except OSError:
        return ""
    if program not in SHELLS and not data.startswith(LINES):
        return ""
    return data.decode("utf-8", "replace")


def inside(found: Effects, ground: Ground, preset: str) -> Iterator[Finding]:
    """What the scripts that a command runs would meet; asked about, never refused outright."""
    from jackline.features.command_guard.judge import findings
    from jackline.shell.effects import effects

    runs = [one for one in found.effects if one.kind == "execute" and one.path and not one.pattern]
    for effect in runs[:MANY]:
        text = text_of(effect.path, effect.program)
        if not text:
            continue
        inner = effects(text, ground.cwd, {"HOME": ground.home, "TMPDIR": "/tmp"}, ground.root)
        name = effect.path.rpartition("/")[2]
        for one in findings(text, inner, ground, preset, scripts=False):
            if one.rule.id in GRAVE:
                yield one._replace(effect=effect, decision="ask", reason=f"{name} holds it: {one.reason}")
