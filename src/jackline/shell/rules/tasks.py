"""Programs that run what a file of the project says: which file a call names, and what of it is run."""

from __future__ import annotations

from jackline.folders import entries
from jackline.shell.command_call import Job
from jackline.shell.grammar import RESERVED
from jackline.shell.options import Given
from jackline.shell.programs import is_program
from jackline.shell.rules.code import inline
from jackline.shell.rules.recipes import MAKEFILES, Makefile
from jackline.shell.rules.wrapping import quoted
from jackline.shell.shell_state import ACTIVE, TOLD
from jackline.shell.texts import Read, matching, unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


UP = 8
"""Folders above the one a command runs in that are searched for its file."""

MEMBERS = 64
"""Packages of a workspace that are looked at."""


def _at(job: Job, folders: Sequence[str]) -> Job:
    """The same call, in the folder that its options name."""
    scene = job.scene.fork()
    for folder in folders:
        scene.enter(folder)
    return job.again(scene)


def _nearest(job: Job, names: Sequence[str]) -> tuple[Job, str]:
    """The first of these files here or in a folder above, and the call as it runs there."""
    for up in range(UP):
        own = _at(job, ["../" * up]) if up else job
        for name in names:
            text = own.text(name)
            if text is None or text:
                return own, text or ""
        if own.scene.cwd in ("/", "", job.scene.home):
            break
    return job, ""


def _like(text: str, code: str) -> str:
    """What is run of a text, which may stand in a file."""
    return text.becomes(code) if isinstance(text, Read) else code


# --- make ----------------------------------------------------------------------------------------------------------


def make(job: Job, given: Given) -> None:
    own = _at(job, given.values("C", "directory"))
    found: list[str] = []

    def include(name: str) -> str:
        globbed = not {*"*?["}.isdisjoint(name)
        paths = matching(own, own.scene.places(name.translate(ACTIVE))[0].path) if globbed else [name]
        texts = [own.text(path) or "" for path in paths]
        found.extend(texts)
        return "\n".join(texts)

    words = [word.partition("=") for word in given.operands]
    known = own.child().vars.keys() | TOLD
    given_ = {name: value for name, equals, value in words if equals}
    made = Makefile(include, given_, lambda name: f"${{{name}}}" if name in known else "")
    named = given.values("f", "file", "makefile")
    for name in named or MAKEFILES:
        text = job.feed if name in ("-", "/dev/stdin") else own.text(name)
        if text is None:
            job.code(None)
        elif text:
            found.append(text)
            made.read(text)
            if not named:
                break
    code = "\n".join(made.lines([name for name, equals, _ in words if not equals]))
    # A file of the project that includes one of this session is what that makes of it.
    text = next((one for one in found if not isinstance(one, Read) or one.own), "".join(found[:1]) and found[0])
    if made.blind and text and getattr(text, "own", True):
        unread(own, getattr(text, "path", "makefile"), made.blind)
    if code:
        own.code(_like(text, code), args=["sh"])


# --- scripts of packages -------------------------------------------------------------------------------------------

_LIFE = (
    "preinstall install postinstall prepublish preprepare prepare postprepare prepublishOnly prepack postpack publish "
    "postpublish preversion version postversion"
)
LIFE = _LIFE.split()
"""Scripts that a package has run at what is done to it: as many as one may, for any of its verbs."""
VERBS = "install publish pack version i ci add in install-test it update up link"
RUN = ("run", "run-script", "rum", "urn")
DIRECT = ("yarn", "pnpm", "bun")
"""Programs that take the name of a script for a verb."""


def script_names(program: str, operands: Sequence[str]) -> list[str]:
    """Which scripts `npm run x`, `npm test`, `yarn x`, `npm install` run, in order; `x` is the second of three."""
    verb = operands[0] if operands else ""
    if verb in RUN:
        verb = operands[1] if len(operands) > 1 else "-"
    elif verb in ("t", "tst"):
        verb = "test"
    elif verb in ("", *VERBS.split()):
        return LIFE
    elif verb not in ("test", "start", "stop", "restart") and program not in DIRECT:
        return []
    return [f"pre{verb}", verb, f"post{verb}"]


def _section(text: str, key: str) -> dict[str, Any]:
    """A part of a file in JSON, nothing where there is none."""
    import json

    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    known = told.get(key) if isinstance(told, dict) else None
    return known if isinstance(known, dict) else {}


def scripts(text: str, names: Sequence[str], args: Sequence[str] = (), key: str = "scripts") -> Iterator[str]:
    """The commands behind these names in `package.json`; the second gets `args`."""
    known = _section(text, key)
    for name in [one for one in names if isinstance(known.get(one), str)]:
        yield " ".join([known[name], *(args if [name] == [*names[1:2]] else ())])


def _members(job: Job) -> Iterator[Job]:
    """The call in each package of a workspace."""
    for first in ("", *[f"{name}/" for name, kind in entries(job.scene.cwd or "-") if kind == "d"]):
        for name, kind in entries(f"{job.scene.cwd}/{first}")[:MEMBERS]:
            if kind in "dl" and first != "node_modules/" and name[0] != ".":
                yield _at(job, [first + name])


def package(job: Job) -> None:
    """`npm`, `pnpm`, `yarn`, `bun`: the scripts of a package."""
    given = job.given("CwF", "prefix cwd dir workspace filter")
    operands, own = given.operands, _at(job, given.values("C", "prefix", "cwd", "dir"))
    all_ = given.has("w", "workspace", "workspaces", "ws", "r", "recursive", "F", "filter")
    skipped = {"workspace": 2, "workspaces": 1, "foreach": 1}.get("".join(operands[:1]), 0)
    operands, all_ = operands[skipped:], all_ or bool(skipped)
    names = script_names(job.name, operands)
    args = [quoted(word) for word in operands[2 if operands[:1] and operands[0] in RUN else 1 :]]
    for one in _members(own) if all_ else (own,) if names else ():
        at, text = (one, one.text("package.json") or "") if all_ else _nearest(one, ["package.json"])
        code = "\n".join(scripts(text, names, args)) if text else ""
        if code:
            at.code(_like(text, code), args=["sh"])


# --- others --------------------------------------------------------------------------------------------------------


def _braced(text: str) -> str:
    """What a template puts in is not known."""
    while "{{" in text and "}}" in text.partition("{{")[2]:
        before, _, rest = text.partition("{{")
        text = before + "$_" + rest.partition("}}")[2]
    return text


def _begins(line: str) -> bool:
    """A line begins as a command does."""
    first = line.partition(" ")[0]
    return (
        is_program(first) or first in RESERVED or "$" in first or "=" in first or ("/" in first and "://" not in first)
    )


def _lines(text: str, goals: Sequence[str]) -> str:
    """The commands in a file of tasks: lines, and what stands behind a name and a colon or an equals sign."""
    found = []
    for line in text.split("\n"):
        told = line.strip().lstrip("-@!").strip()
        name, mark, value = told.replace(":=", "=", 1).replace(": ", "=", 1).partition("=")
        named = mark and name.strip().replace("-", "_").isidentifier()
        for one in (value.strip() if named else "", "" if named and name[-1] == " " else told):
            found.append(one.strip(one[0]) if one[:1] in ("'", '"', "`") else one)
    return _braced("\n".join(filter(_begins, found)))


def _each(text: str, goals: Sequence[str]) -> str:
    """Every script of a `package.json`: some runners take patterns of their names, or call one from another."""
    held = _section(text, "scripts").values()
    return "\n".join([str(one).lstrip("@") for told in held for one in (told if isinstance(told, list) else [told])])


_FILES: dict[str, tuple[str, str, Callable[[str, Sequence[str]], str] | str]] = {
    # Programs: their files, the options that name another, and how it is read: as a language's program, or by a rule.
    "just": ("justfile Justfile .justfile", "f justfile", _lines),
    "task go-task": ("Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml", "t taskfile", _lines),
    "pre-commit": (".pre-commit-config.yaml", "c config", _lines),
    "lefthook": ("lefthook.yml .lefthook.yml lefthook.yaml", "", _lines),
    "tox": ("tox.ini", "c conf", _lines),
    "composer": ("composer.json", "", _each),
    "rake": ("Rakefile rakefile Rakefile.rb rakefile.rb", "f rakefile", "ruby"),
    "nox": ("noxfile.py", "f noxfile", "python"),
    "invoke inv": ("tasks.py", "", "python"),
    "fab": ("fabfile.py", "f fabfile", "python"),
    "gulp": ("gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts", "f gulpfile", "node"),
    "nr run-s run-p npm-run-all concurrently wireit turbo nx lerna": ("package.json", "", _each),
    "foreman honcho forego overmind hivemind": ("Procfile", "f procfile", _lines),
    "poe pdm hatch": ("pyproject.toml", "", _lines),
    "mise": ("mise.toml .mise.toml", "", _lines),
    "ninja": ("build.ninja", "f", _lines),
    "direnv": (".envrc", "", lambda text, goals: text),
    "doit": ("dodo.py", "f file", "python"),
    "scons": ("SConstruct", "f", "python"),
    "vagrant": ("Vagrantfile", "", "ruby"),
    "cargo": ("build.rs src/main.rs", "", "rust"),
    "deno": ("deno.json deno.jsonc", "c config", lambda text, goals: "\n".join(scripts(text, goals[1:2], key="tasks"))),
}
FILES = {name: row for names, row in _FILES.items() for name in names.split()}


def task(job: Job) -> None:
    """A program that finds its file by itself, here or above."""
    if job.name not in FILES:
        return
    files, options, how = FILES[job.name]
    given = job.given("fdtCc", f"working-directory dir directory {options}")
    own = _at(job, given.values("d", "C", "working-directory", "dir", "directory"))
    at, text = _nearest(own, (given.values(*options.split()) if options else []) or files.split())
    if text and isinstance(how, str):
        inline(at, text, how, given.operands)
    elif text and not isinstance(how, str):
        at.code(_like(text, how(text, given.operands)), args=["sh"])


GENERATES = "//go:generate "


def go(job: Job) -> None:
    """`go generate` and `go run`: the files that are named, or lie in the folder that is."""
    verb = "".join(job.words[1:2])
    if verb not in ("generate", "run"):
        return
    named = [one for one in job.words[2:] if one[:1] != "-"] or ["."]
    for word in named[:1] if verb == "run" else named:
        folder = job.scene.places(word.removesuffix("...") or ".")[0].path
        below = f"{folder}/**/*.go" if word.endswith("...") else f"{folder}/*.go"
        for text in filter(None, map(job.text, [word] if word.endswith(".go") else matching(job, below))):
            if verb == "run":
                inline(job, text, "go", [])
            else:
                lines = [line.removeprefix(GENERATES) for line in text.split("\n") if line.startswith(GENERATES)]
                job.code(_like(text, "\n".join(lines)), args=["sh"])
