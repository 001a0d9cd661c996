"""What a call changes: each path with how far it goes, and why that is not all where it is not (design section 8).

A shell command's effects are taken one by one; a shell script that lies on the disk is read and taken the same way.
"""

from __future__ import annotations

from jackline.affected_paths import UNSURE, native, relative, unsure
from jackline.globs import base, expand, segment
from jackline.paths import resolve, within
from jackline.system import exists, is_dir, read, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NamedTuple

    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.shell.model import Command, Effect, Effects

    Paths = dict[tuple[str, ...], set[str]]
    """Paths by the words of the command that touches them."""
else:
    from jackline._record import NamedTuple

LOOKS = (
    "read",
    "get",
    "list",
    "search",
    "find",
    "view",
    "show",
    "stat",
    "info",
    "tree",
    "query",
    "resolve",
    "describe",
)
"""How names of tools on MCP servers begin that only look."""

STEERING = (
    "skill", "slashcommand", "killshell", "killbash", "taskstop", "structuredoutput", "pushnotification",
    "schedulewakeup", "cronlist", "think", "stop_bash", "list_agents", "read_agent",
    "fetch_copilot_cli_documentation", "tool_search", "get_goal", "create_goal", "update_goal",
)  # fmt: skip
"""Clients' own tools, in lower case, that change no file: they bring a text, stop what runs, or keep a goal."""

ANYWHERE = "path that only the shell knows"
"""In the note of an unknown effect that stands beside a glob: the glob says more."""

UNPACKS = frozenset(("tar", "bsdtar", "gtar", "unzip", "7z", "7za", "7zr", "cpio", "patch", "unrar"))
"""Programs that write below a folder what another file names."""

SPLITS = ("split", "gsplit", "csplit", "gcsplit")
"""Programs whose globs say how files begin that are not there yet."""

SIGNALS = frozenset(("kill", "pkill", "killall"))
"""Programs whose effects are unknown, and no change of a file."""

OWN = ("git.own",)
"""Acts that touch no file of the project: git keeps its own."""

RESETS = ("git.reset", "git.restore", "git.discard")
"""Acts that bring files to what a commit says: what no commit names they do not delete."""

SCRIPT = 65_536
"""Bytes of a script that is read; a longer one is a program."""
NESTED = 2
"""Scripts in scripts that are followed."""
SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "ash", "source", ".")
LINES = tuple(
    b"#!" + place + shell for place in (b"/bin/", b"/usr/bin/", b"/usr/bin/env ") for shell in (b"bash", b"sh")
)


class Change(NamedTuple):
    """One thing that is changed. `path`: relative to the root when inside, else absolute.

    `deep`: what lies below it, too. `pattern`: the glob that says which paths below `path` are meant; `sure`: only
    these, and all of them. `how`: `write` | `delete` | `folder` (a folder is made) | `unpack` (another file says what
    is written) | `tree` (git moves between commits). `by_command`: no tool of the client's own.
    """

    path: str
    how: str = "write"
    deep: bool = False
    pattern: str = ""
    sure: bool = True
    by_command: bool = False


class Terms(NamedTuple):
    """What a person's configuration adds: `commands` that change nothing out of scope (globs), and where we stand.

    `looks`: whether a command that nobody knows all of is known to change no file here.
    """

    commands: tuple[str, ...] = ()
    package: str = ""
    home: str = ""
    looks: Callable[[Command], bool] | None = None


class Changes(NamedTuple):
    """All that is known, and why it may not be all ("" when it is)."""

    known: tuple[Change, ...] = ()
    unsure: str = ""


PLAIN = Terms()


# --- tools -----------------------------------------------------------------------------------------------------


def looks(tool: str) -> bool:
    """Whether the name of a server's tool says that it only looks."""
    name = tool.rpartition("/")[2].rpartition("__")[2].lower()
    return name.startswith(LOOKS)


def of_tool(event: Event) -> Changes:
    """What a tool other than a shell changes: every path it names, a patch's moves included."""
    known = []
    for touch in native(event):
        if touch.changes:
            known.append(Change(touch.path, "delete" if touch.delete else "write", touch.deep, touch.pattern))
    if known:
        return Changes(tuple(dict.fromkeys(known)))
    return Changes((), unsure(event))


# --- commands --------------------------------------------------------------------------------------------------


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'" if word.strip("abcdefghijklmnopqrstuvwxyz") else word


def _commands(effect: Effect, found: Effects) -> Iterator[Command]:
    size = len(effect.words)
    return (one for one in found.commands if one.words[:size] == effect.words)


def _harmless(effect: Effect, found: Effects) -> bool:
    """Whether an unknown part is the project's own test or build, as the screen knows them."""
    from jackline.shell.screen import screen

    asked = list(_commands(effect, found))
    for command in asked:
        words = [f"{name}={_quoted(value)}" for name, value in command.assigns]
        words += [_quoted(word) for word in command.words]
        if command.fed or any("\0" in word for word in words) or not screen(" ".join(words)):
            return False
    return bool(asked)


def _program(word: str, terms: Terms) -> bool:
    """Whether a command word is the command that was installed: found where programs are, or named by its place."""
    if word == "jackline":
        return True
    base = terms.package.partition("/lib/")[0]
    return word in (f"{base}/bin/jackline", f"{terms.home}/.local/bin/jackline", "/usr/bin/jackline")


def our_words(words: Sequence[str], terms: Terms, place: str = "") -> Sequence[str] | None:
    """What stands behind our own command, None when it is another. `place`: where it runs."""
    if words and _program(words[0], terms):
        return words[1:]
    if words and words[0].startswith("python") and tuple(words[1:3]) == ("-m", "jackline") and place:
        hidden = exists(f"{place}/jackline") or exists(f"{place}/jackline.py")
        return None if hidden else words[3:]
    return None


def _ours(effect: Effect, found: Effects, terms: Terms) -> bool:
    """Whether it is Jackline's own command, found where programs are: its verbs are judged by self-protect."""
    for command in found.commands:
        if any(name in ("PATH", "PYTHONPATH") for name, _ in command.assigns):
            return False
        if any(word == "PATH" or word.startswith("PATH=") for word in command.words):  # read PATH, printf -v PATH
            return False
    asked = list(_commands(effect, found))
    return bool(asked) and all(_is_ours(one, found, terms) for one in asked)


def _is_ours(command: Command, found: Effects, terms: Terms) -> bool:
    """Whether a command is ours, or only the end of one (`plan node done x` starts no program called node)."""
    if our_words(command.words, terms, command.cwd) is not None:
        return True
    for one in found.commands if command.start < 0 and "jackline" in command.wrappers else ():
        words = our_words(one.words, terms, one.cwd)
        if words and words[0] == "plan" and tuple(words[-len(command.words) :]) == command.words:
            return True
    return False


def is_only_ours(event: Event, terms: Terms = PLAIN) -> bool:
    """Whether a shell call runs our own command and nothing beside it."""
    found = event.effects
    if event.kind != "shell" or not found.understood or not found.commands:
        return False
    for command in found.commands:
        if command.assigns or command.fed or not _is_ours(command, found, terms):
            return False
    return not any(effect.kind in ("write", "delete") for effect in found.effects)


def _script(effect: Effect) -> str:
    """The text of a small shell script, "" when it is none."""
    if not effect.path or effect.pattern or not 0 < size_of(effect.path) <= SCRIPT:
        return ""
    try:
        data = read(effect.path, limit=SCRIPT + 1)
    except OSError:
        return ""
    if effect.program not in SHELLS and not data.startswith(LINES):
        return ""
    return data.decode("utf-8", "replace")


def _inner(effect: Effect, found: Effects, event: Event, terms: Terms, depth: int) -> Changes | None:
    """What the script that a command runs changes; None when there is no such script to read."""
    text = _script(effect) if depth else ""
    if not text:
        return None
    from jackline.shell.effects import effects

    command = next(_commands(effect, found), None)
    cwd = (command.cwd if command is not None else "") or event.cwd or event.root
    made = of_effects(effects(text, cwd, None, event.root), event, terms, depth - 1)
    name = effect.path.rpartition("/")[2]
    return Changes(made.known, f"{name}: {made.unsure}" if made.unsure else "")


def _spurious(effect: Effect, written: Paths) -> bool:
    """Of `mv a b` the analysis tells both `b` and `b/a`: which of them is meant, the disk says."""
    there = written.get(effect.words, ())
    parent = effect.path.rpartition("/")[0]
    if parent in there:
        return not is_dir(parent)
    return any(one.rpartition("/")[0] == effect.path for one in there) and is_dir(effect.path)


def _deep(effect: Effect, sources: Paths) -> bool:
    """Whether more than one file is meant: not where a plain file stands, nor where one goes to a new name."""
    if not effect.deep:
        return False
    if exists(effect.path):
        return is_dir(effect.path)
    there = sources.get(effect.words, set()) - {effect.path}
    return effect.kind == "write" and (not there or any(is_dir(one) for one in there))


def _globbed(effect: Effect, event: Event) -> Change | None:
    """What a glob changes; None where it may mean any place at all."""
    pattern = effect.path
    if pattern.startswith(("**", "/**")):
        return None
    if effect.program in SPLITS:
        return Change(relative(event.root, pattern.rstrip("*")), by_command=True)
    inner = within(event.root, pattern)
    sure = "**" not in pattern.split("/") or effect.program == "find"
    return Change(relative(event.root, base(pattern) or "/"), effect.kind, True, inner, sure, True)


def _is_gits(effect: Effect, root: str) -> bool:
    """Whether what git calls its own is: a file of the project that `git config -f` names is none."""
    return effect.deep or "/.git/" in effect.path or not effect.path.startswith(root + "/")


def _known(effect: Effect, event: Event, written: Paths, sources: Paths) -> Change | None:
    if (effect.act in OWN and _is_gits(effect, event.root)) or _spurious(effect, written):
        return None
    how: str = "tree" if effect.act == "git.tree" else "folder" if effect.program == "mkdir" else effect.kind
    if effect.act in RESETS:
        how = "write"
    elif how == "write" and not effect.act and effect.program in UNPACKS:
        how = "unpack"
    return Change(relative(event.root, effect.path), how, _deep(effect, sources), by_command=True)


def _allowed(effect: Effect, found: Effects, terms: Terms) -> bool:
    """Whether a person's configuration, or whoever asks, says of a command that it changes nothing out of scope."""
    asked = list(_commands(effect, found)) if terms.commands or terms.looks is not None else []
    if asked and terms.looks is not None and all(map(terms.looks, asked)):
        return True
    return bool(asked) and all(
        not one.fed and any(segment(one_of, " ".join(one.words)) for glob in terms.commands for one_of in expand(glob))
        for one in asked
    )


def _hard(command: Command) -> bool:
    """Whether a command gives files a second name: who changes the one changes the other."""
    options = [word for word in command.words[1:] if word[:1] == "-"]
    letters = "".join([word[1:] for word in options if word[:2] != "--"])
    if command.program in ("ln", "link"):
        return "s" not in letters and "--symbolic" not in options
    return command.program == "cp" and ("l" in letters or "--link" in options)


def _linked(found: Effects, event: Event) -> list[Change]:
    """Files that get a second name."""
    made = []
    for command in found.commands:
        if command.cwd and _hard(command):
            words = [word for word in command.words[1:] if word[:1] != "-" and "\0" not in word]
            made += [Change(relative(event.root, resolve(command.cwd, word)), by_command=True) for word in words]
    return [one for one in made if not is_dir(one.path if one.path[:1] == "/" else f"{event.root}/{one.path}")]


def of_effects(found: Effects, event: Event, terms: Terms = PLAIN, depth: int = NESTED) -> Changes:
    """What a command changes, and the first reason why it may change more."""
    known = _linked(found, event)
    why = [] if found.understood else [found.why or "the command cannot be read"]
    written: Paths = {}
    sources: Paths = {}
    for effect in found.effects:
        if effect.path and not effect.pattern:
            side = written if effect.kind == "write" else sources
            side.setdefault(effect.words, set()).add(effect.path)
    read_scripts = set()
    for effect in found.effects:
        if effect.kind == "execute":
            inner = _inner(effect, found, event, terms, depth)
            if inner is not None:
                read_scripts.add(effect.words)
                known += inner.known
                why += [inner.unsure] if inner.unsure else []
        elif effect.kind in ("write", "delete") and effect.path:
            made = _globbed(effect, event) if effect.pattern else _known(effect, event, written, sources)
            if made is not None:
                known.append(made)
            elif effect.pattern:
                why.append(f"only the running shell knows what {effect.program or 'it'} changes")
    for effect in found.effects:
        if effect.kind == "unknown" and effect.words not in read_scripts and found.understood:
            if effect.program in SIGNALS:
                continue
            if ANYWHERE in effect.note and any(one.pattern and one.words == effect.words for one in found.effects):
                continue
            named = effect.words and (_ours(effect, found, terms) or _harmless(effect, found))
            if not named and not _allowed(effect, found, terms):
                why.append(effect.note or "a part of the command may do anything")
    return Changes(tuple(dict.fromkeys(known)), why[0] if why else "")


def changes(event: Event, terms: Terms = PLAIN) -> Changes:
    """What a call changes, by whatever tool."""
    if event.kind == "shell":
        return of_effects(event.effects, event, terms)
    made = of_tool(event)
    if event.command and event.kind in UNSURE:
        from jackline.shell.effects import effects

        told = of_effects(effects(event.command, event.cwd or event.root, root=event.root), event, terms)
        return Changes((*made.known, *told.known), told.unsure)
    return made


def terms_of(ctx: Context) -> Terms:
    commands = tuple(str(one) for one in ctx.config.get("commands") or ())
    return Terms(commands, str(ctx.protected.get("package", "")), str(ctx.protected.get("home", "")))


def is_excused(event: Event, ctx: Context) -> bool:
    """Tools of servers that only look by their name, clients' own that change no file, and what a person excuses."""
    if event.kind == "other" and event.tool.lower() in STEERING:
        return True
    if event.kind not in UNSURE or event.command:
        return False
    globs = [str(one) for one in ctx.config.get("tools") or ()]
    return (event.kind == "mcp" and looks(event.tool)) or any(segment(one, event.tool) for one in globs)
