"""Scripts that a command runs and that lie on the disk: what they hold is judged, too.

What the session itself wrote (the file is younger than the session) meets every rule, as if its text stood in the
command. What was there before is the project's own: it meets the gravest rules alone.
"""

from __future__ import annotations

from jackline.shell.rules.code import INLINE, SAME, language_of
from jackline.shell.rules.recipes import MAKEFILES, recipes, script_name, scripts
from jackline.stamps import modified
from jackline.system import read, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from jackline.features.command_guard.places import Ground
    from jackline.features.command_guard.rules import Finding
    from jackline.shell.model import Effect, Effects
else:
    from jackline._record import NamedTuple

MOST = 65_536
"""Bytes of a script that we read; a longer one is a program of the project."""

MANY = 4
DEEP = 2
"""Scripts of one command that we read, and scripts that run scripts."""

SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "ash", "source", ".")
ENDS = {".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "node", ".rb": "ruby", ".pl": "perl",
        ".php": "php", ".lua": "lua", ".r": "rscript"}  # fmt: skip

GRAVE = frozenset(
    [
        *("delete.everything", "move.everything", "mode.everything", "device", "delete.home", "git.rewrite"),
        *("push.force", "leak.file", "pipe.shell", "secret.read"),
    ]
)
"""Rules that hold inside a script of the project: those clean and reset, and are asked for by name."""

UNSURE = frozenset(["code.unknown", "unreadable", "delete.unknown", "code.endless"])
"""What a program in a file often seems to do: its functions are told what to do by others."""

END = "JACKLINE_END_OF_SCRIPT"


class Script(NamedTuple):
    """One script that a command runs: where it lies, its language ("" for a shell), its text, and who runs it."""

    path: str
    language: str
    text: str
    effect: Effect


def text_of(path: str) -> str:
    """The text of a small file, "" when it is none."""
    if not 0 < size_of(path) <= MOST:
        return ""
    try:
        data = read(path, limit=MOST)
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def language(path: str, program: str, text: str) -> str | None:
    """The language of a script: by who runs it, its first line, its name. None when it is no script."""
    if program in SHELLS:
        return ""
    plain = program.rstrip("0123456789.")
    known = SAME.get(program, SAME.get(plain, plain))
    if known in INLINE and known != "bun":
        return known
    if text[:2] == "#!":
        return language_of(text)
    name = path.rpartition("/")[2]
    return next((told for end, told in ENDS.items() if name.lower().endswith(end)), "" if "." not in name else None)


def _files(found: Effects) -> Iterator[Script]:
    """Scripts that are run by their path."""
    for effect in found.effects:
        if effect.kind != "execute" or not effect.path or effect.pattern or effect.program in ("make", "gmake"):
            continue
        text = text_of(effect.path)
        told = language(effect.path, effect.program, text) if text else None
        if told is not None:
            yield Script(effect.path, told, text, effect)


def _recipes(found: Effects) -> Iterator[Script]:
    """What `make` and the scripts of a package run."""
    from jackline.shell.model import Effect

    for command in found.commands:
        if not command.cwd:
            continue
        effect = Effect("execute", "", command.program, command.words)
        if command.program in ("make", "gmake"):
            words = list(command.words[1:])
            flags = [at for at, word in enumerate(words) if word in ("-f", "-C", "--file", "--directory")]
            given = {words[at]: words[at + 1] for at in flags if at + 1 < len(words)}
            folder = f"{command.cwd}/{given.get('-C') or given.get('--directory') or '.'}"
            named = given.get("-f") or given.get("--file")
            goals = [
                word for at, word in enumerate(words) if word[:1] != "-" and "=" not in word and at - 1 not in flags
            ]
            for name in (named,) if named else MAKEFILES:
                text = text_of(name if name[:1] == "/" else f"{folder}/{name}")
                if text:
                    yield Script(f"{folder}/{name}", "", recipes(text, goals), effect)
                    break
        elif command.program in ("npm", "pnpm", "yarn", "bun"):
            name = script_name(command.words)
            path = f"{command.cwd}/package.json"
            text = text_of(path) if name else ""
            if text:
                yield Script(path, "", scripts(text, name), effect)


def younger(path: str, since: int) -> bool:
    """The file was written after this moment."""
    return 0 < since <= modified(path)


def inside(found: Effects, ground: Ground, preset: str, since: int = 0, depth: int = 0) -> Iterator[Finding]:
    """What the scripts that a command runs would meet. `since`: when the session began, 0 when nobody knows."""
    from jackline.features.command_guard.judge import findings
    from jackline.shell.effects import effects

    every = list(_files(found))
    if since:  # else none is younger
        every += [one for one in _recipes(found) if younger(one.path, since)]
    for one in every[:MANY]:
        own = younger(one.path, since)
        if not one.text.strip() or (one.language and not own):
            continue
        text = f"{one.language} - <<'{END}'\n{one.text}\n{END}\n" if one.language else one.text
        inner = effects(text, ground.cwd, {"HOME": ground.home, "TMPDIR": "/tmp"}, ground.root)
        made = findings(text, inner, ground, preset)
        if own and depth < DEEP:
            made += inside(inner, ground, preset, since, depth + 1)
        name = one.path.rpartition("/")[2]
        for finding in made:
            if one.language and (finding.rule.id in UNSURE or finding.effect.kind == "unknown"):
                continue
            if own or finding.rule.id in GRAVE:
                decision = finding.decision if own else "ask"
                yield finding._replace(
                    effect=one.effect, decision=decision, reason=f"{name} holds it: {finding.reason}"
                )
