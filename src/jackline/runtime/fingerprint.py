"""What a person's yes is bound to: the call's effect-bearing arguments, and what its words mean at that moment.

Loaded when somebody wants a person's word. A changed argument, folder, rule or file is another call.
"""

from __future__ import annotations

from jackline import paths, system
from jackline.jsonio import dumps
from jackline.runtime import bindings
from jackline.site_paths import take
from jackline.store.keyed_hash import keyed_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from jackline.model import Event
    from jackline.runtime.outcome import Outcome
    from jackline.shell.model import Effects

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
    return keyed_digest(outcome.store.path, dumps(said))


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
    return keyed_digest(outcome.store.path, dumps(told))


def _effects(event: Event) -> Effects | None:
    """What the call's command does; None where nobody can tell."""
    try:
        found: Effects = take("jackline.shell.effects").read(event, 0)
        return found
    except Exception:  # noqa: BLE001 - of what nobody can read every file counts that it names
        return None


def _at(folder: str, word: str, home: str) -> str:
    """A word as the path of a file that is there; "" when it names none."""
    if not word or len(word) > 1024 or "\0" in word or "\n" in word:
        return ""
    path = paths.resolve(folder or "/", word, home)
    return path if system.size_of(path) >= 0 else ""


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


def _recipes(found: Effects, home: str) -> Iterator[str]:
    """Files that programs run without being told their names."""
    for command in found.commands:
        for name in RECIPES.get(command.program, ()):
            yield _at(command.cwd, name, home)
        if command.program.startswith("python") and "-m" in command.words[:-1]:
            module = command.words[command.words.index("-m") + 1].replace(".", "/")
            yield _at(command.cwd, module + ".py", home)
            yield _at(command.cwd, module + "/__main__.py", home)


def _shell(found: Effects, home: str) -> dict[str, str]:
    """What a command's words resolve to, and the scripts that files among it name."""
    named = bindings.bound(found, home)
    seen: dict[str, None] = {}
    for path in (*[one for one in named if one[0] == "/"], *_recipes(found, home)):
        _run_by(path, DEPTH, seen, home)
    return {**{path: bindings.digest(path) for path in seen if system.size_of(path) >= 0}, **named}


def files(event: Event) -> Mapping[str, str]:
    """What the call would touch, as far as it names it, by what it is of: digests of files, matches, objects."""
    named = [one if one[:1] == "/" else f"{event.root}/{one}" for one in event.paths[:MOST]]
    made = {path: bindings.digest(path) for path in named}
    if event.command:
        found = _effects(event)
        if found is not None:
            return {**made, **_shell(found, event.home)}
        more = _mentioned(event.command, event.cwd or event.root, event.home)
        made.update({path: bindings.digest(path) for path in more})
    return made
