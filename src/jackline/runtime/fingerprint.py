"""What a person's yes is bound to: the call's effect-bearing arguments, and the files it would execute or overwrite.

Loaded when somebody wants a person's word. A changed argument, folder, rule or file is another call.
"""

from __future__ import annotations

from jackline import paths, stamps, system
from jackline.roots import take
from jackline.store.keys import keyed
from jackline.wire import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from jackline.model import Event
    from jackline.runtime.outcome import Outcome
    from jackline.shell.model import Command, Effects

WORDS_ONLY = ("description", "explanation", "justification", "goal")
"""Arguments that only speak of the call."""
WITHOUT_EFFECT = {
    "shell": (
        *WORDS_ONLY,
        "timeout",
        "timeout_ms",
        "timeout_sec",
        "yield_time_ms",
        "max_output_tokens",
        "initial_wait",
    ),
    "write": WORDS_ONLY,
    "edit": WORDS_ONLY,
    "notebook": WORDS_ONLY,
}
"""By kind of tool; everything a tool of a server is given may have an effect."""
STAMP = "_hook"

CONTENT = 1 << 24
"""Bytes of a file that are hashed; a longer one is told by its stamp."""
SCRIPT = 1 << 16
"""Bytes of a script in which names of further scripts are looked for."""
MOST = 200
DEPTH = 3
SCRIPTS = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1", ".lua", ".mk")
RECIPES = {
    "make": ("GNUmakefile", "makefile", "Makefile"),
    "gmake": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "rake": ("Rakefile",),
    "npm": ("package.json",),
    "npx": ("package.json",),
    "pnpm": ("package.json",),
    "yarn": ("package.json",),
    "bun": ("package.json",),
    "tox": ("tox.ini", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "invoke": ("tasks.py",),
    "pytest": ("conftest.py", "pyproject.toml"),
    "cargo": ("Cargo.toml", "build.rs"),
    "ant": ("build.xml",),
    "mvn": ("pom.xml",),
    "gradle": ("build.gradle", "build.gradle.kts"),
    "docker": ("Dockerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"),
    "terraform": ("main.tf",),
}
"""Files that programs run without being told their names."""
CUTS = str.maketrans(dict.fromkeys("'\"`();|&<>{}[]=,$\t\r\n", " "))


def _ordered(value: Any) -> Any:
    """The same value with keys in one order, so that equal arguments are equal texts."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_ordered(one) for one in value]
    return value


def arguments(event: Event) -> dict[str, Any]:
    """What of a call's input can have an effect."""
    without = WITHOUT_EFFECT.get(event.kind, ())
    return {key: value for key, value in event.input.items() if key not in without and not str(key).startswith(STAMP)}


def rules(outcome: Outcome) -> str:
    """Who wants a person's word, and by which rule: what names that."""
    asking = [one for one in outcome.ran if one.action.decision == "ask" and not one.observed]
    said = sorted([[one.hook, one.action.code, one.action.rule or one.action.reason] for one in asking])
    return keyed(outcome.store.path, dumps(said))


def mark(outcome: Outcome) -> str:
    """What names this very call, and nothing else: a keyed hash, since arguments may hold secrets."""
    event = outcome.event
    told = [
        outcome.session.sid,
        outcome.agent,
        event.kind,
        event.tool,
        _ordered(arguments(event)),
        paths.resolve("/", event.cwd or event.root),
    ]
    return keyed(outcome.store.path, dumps(told))


def _effects(event: Event) -> Effects | None:
    """What the call's command does; None where nobody can tell."""
    try:
        found: Effects = take("jackline.shell.effects").carried(event)
        return found
    except Exception:  # noqa: BLE001 - of what nobody can read every file counts that it names
        return None


def _at(folder: str, word: str, home: str) -> str:
    """A word as the path of a file that is there; "" when it names none."""
    if not word or len(word) > 1024 or "\0" in word or "\n" in word:
        return ""
    path = paths.resolve(folder or "/", word, home)
    return path if system.size_of(path) >= 0 else ""


def _named(command: Command, home: str) -> Iterator[str]:
    """Files that a program with unknown effects names, or runs without naming them."""
    for word in command.words[1:]:
        yield _at(command.cwd, word.partition("=")[2] if word.startswith("--") else word, home)
    for recipe in RECIPES.get(command.program, ()):
        yield _at(command.cwd, recipe, home)
    if command.program.startswith("python") and "-m" in command.words[:-1]:
        module = command.words[command.words.index("-m") + 1].replace(".", "/")
        yield _at(command.cwd, module + ".py", home)
        yield _at(command.cwd, module + "/__main__.py", home)


def _mentioned(text: str, cwd: str, home: str) -> Iterable[str]:
    """Every file that a text names, and those that they name."""
    seen: dict[str, None] = {}
    for word in text.translate(CUTS).split():
        _run_by(_at(cwd, word, home), DEPTH, seen, home)
    return list(seen)


def _run_by(path: str, depth: int, seen: dict[str, None], home: str) -> None:
    """A script, and the scripts that its text names."""
    if not path or path in seen or len(seen) >= MOST:
        return
    seen[path] = None
    if depth <= 0:
        return
    try:
        raw = system.content(path, SCRIPT)
    except OSError:
        return
    if raw is None or b"\0" in raw:
        return
    folder = path.rpartition("/")[0]
    for word in raw.decode("utf-8", "replace").translate(CUTS).split():
        if word.endswith(SCRIPTS):
            _run_by(_at(folder, word, home), depth - 1, seen, home)


def _shell(found: Effects, home: str) -> Iterable[str]:
    """Files that a command executes or overwrites; where its effects are not all known, those it reads or names too."""
    seen: dict[str, None] = {}
    unsure = not found.understood
    for effect in found.effects:
        unsure = unsure or effect.kind in ("unknown", "execute")
        if effect.path and not effect.pattern and not effect.deep:
            if effect.kind == "execute":
                _run_by(effect.path, DEPTH, seen, home)
            elif effect.kind == "write":
                seen[effect.path] = None
    if unsure:
        for effect in found.effects:
            if effect.kind == "read" and effect.path and not effect.pattern and not effect.deep:
                _run_by(effect.path, DEPTH, seen, home)
        for command in found.commands:
            for path in _named(command, home):
                _run_by(path, DEPTH, seen, home)
    return list(seen)[:MOST]


def _digest(path: str) -> str:
    """What a file holds now: a hash of it, its stamp where it is too long, `-` where there is none."""
    from _blake2 import blake2b

    try:
        raw = system.content(path, CONTENT)
    except (OSError, ValueError):
        return "-"
    if raw is None:
        return "~" + ".".join([str(one) for one in stamps.of(path)])
    return str(blake2b(raw, digest_size=16).hexdigest())


def files(event: Event) -> Mapping[str, str]:
    """Digests of every file that the call would execute or overwrite, as far as it names them."""
    named = list(dict.fromkeys([one if one[:1] == "/" else f"{event.root}/{one}" for one in event.paths[:MOST]]))
    if event.command:
        found = _effects(event)
        more = (
            _shell(found, event.home)
            if found is not None
            else _mentioned(event.command, event.cwd or event.root, event.home)
        )
        named = [*dict.fromkeys([*named, *more])]
    return {path: _digest(path) for path in named}
