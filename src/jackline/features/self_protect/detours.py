"""Ways around the protected places: clients without our hooks, moved homes.

Each is told by what a command is, not by what it writes; `shell` asks here once its own tables said nothing.
"""

from __future__ import annotations

from jackline.clients.facts import BARE, BARE_ABOUT_HOOKS
from jackline.clients.facts import MOVES as CLIENT_HOMES
from jackline.features.self_protect.verbs import arguments
from jackline.file_stat import modified_ms
from jackline.shell.model import Command, Effects
from jackline.shell.programs import PROGRAMS
from jackline.system import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.features.self_protect.places import Ground

HOMES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""Variables by which our command finds the store and the user's configuration."""

MOVES = tuple(dict.fromkeys((*HOMES, *[one for names in CLIENT_HOMES.values() for one in names])))
"""And those that, beside HOME, give a client another configuration, in which our entries are not."""
KEEPS = (
    r"setenv|set-environment|import-environment|activation-environment|setx|mise set|environmentvariable"
    r"|hkcu.{1,3}environment|fish\b.* set -\w*u"
)
LOADED = (".env", ".envrc", ".env.local", "mise.toml", ".mise.toml", "devcontainer.json")
"""Files whose variables a person's shell, or a client, takes in."""

SETS = frozenset(("export", "declare", "typeset", "readonly", "env", "set"))
INSIDE_GIT = ("GIT_CONFIG_PARAMETERS", "GIT_TEMPLATE_DIR")
"""Variables of git by which programs and hooks come in; only git itself sets the first."""

SCREENS = frozenset(("tmux", "screen", "zellij", "kitten", "kitty", "wezterm"))
_SHOWS = "capture-pane capturep pipe-pane pipep hardcopy log dump-screen get-text hardcopy_append"
SHOWS = frozenset(_SHOWS.split())
CODE_LIVES = 600_000
"""How long a code counts, in milliseconds."""


def assigned(command: Command) -> list[str]:
    """The variables that a command sets."""
    words = command.words[1:] if command.program in SETS else ()
    return [*[name for name, _ in command.assigns], *[word.partition("=")[0] for word in words if "=" in word]]


def moved(commands: Sequence[Command]) -> str:
    """A variable that moves the homes of our own command, set for it or before it; "" when none does."""
    if not any(arguments(one) is not None for one in commands):
        return ""
    sets = [one for one in commands if one.program in SETS or arguments(one) is not None]
    return next((name for one in sets for name in assigned(one) if name in HOMES), "")


def moves_later(found: Effects, given: str) -> str:
    """A variable of later sessions' settings that a program or a file keeps; `given`: what a tool is told."""
    texts = [" ".join((*one.words, *[text for _, text in one.redirs])) for one in found.commands]
    every = [text for text in (*texts, given) if any(name in text for name in MOVES)]
    if not every:  # hardly anybody speaks of them: no expression is read for the others
        return ""
    from re import IGNORECASE, search

    files = any(one.kind == "write" and one.path.rpartition("/")[2] in LOADED for one in found.effects)
    for text in every:
        name = search(rf"(?<![\w$/{{-])({'|'.join(MOVES)})(?=[\s=:'\",\]]|$)", text)
        if name and (search(KEEPS, text, IGNORECASE) or (files and name[1] not in HOMES)):
            return name[1]
    return ""


def of_git(command: Command) -> str:
    """What a command gives git from outside: parameters, a template; "" when nothing."""
    name = next((one for one in assigned(command) if one in INSIDE_GIT), "")
    if not name and command.program == "git" and ("init" in command.words or "clone" in command.words):
        name = next((word for word in command.words if word.startswith("--template")), "")
    return name


def bare(command: Command, before: Sequence[Command]) -> str:
    """The option or variable with which a client runs without our hooks, "" when it has none."""
    program, homes = command.program, CLIENT_HOMES.get(command.program)
    if homes is None:
        return ""
    sets = (*[one for one in before if one.program in SETS], command)
    name = next((name for one in sets for name in assigned(one) if name in (*homes, "HOME")), "")
    about = BARE_ABOUT_HOOKS.get(program, ()) if "hook" in " ".join(command.words[1:]).lower() else ()
    options = [word.partition("=")[0] for word in command.words[1:]]
    option = next((one for one in options if one in (*BARE.get(program, ()), *about)), "")
    return f"{name}=… {program}" if name else f"{program} {option}" if option else ""


def shows_screen(command: Command, store: str, now: int) -> bool:
    """Whether a multiplexer shows what stands on its screens while codes may stand there."""
    if command.program not in SCREENS or not any(word in SHOWS for word in command.words[1:]):
        return False
    waiting = [f"{store}/approvals/{name}" for name in names(f"{store}/approvals") if name.endswith(".ask")]
    return any(now - modified_ms(one) < CODE_LIVES for one in waiting)


_MANAGERS = "npm pnpm yarn bun uv pipx poetry pdm conda mamba micromamba mise asdf volta fnm nodenv nix-env pixi"
MANAGERS = frozenset([*PROGRAMS["building.packages"].split(), *_MANAGERS.split()])
_REMOVES = "remove uninstall rm un purge erase del delete -R -Rs -Rns -e --erase -r --remove -P --purge"
REMOVES = frozenset(_REMOVES.split())
OF = {"pyenv": "python", "nvm": "node", "fnm": "node", "nodenv": "node"}
LOCAL = ("npm", "pnpm", "yarn", "bun")
PARTS = ("", "code", "cli", "minimal")


def _stem(word: str) -> str:
    """The name of a package without its scope, its version, and what says which part of it."""
    from re import split

    name = split(r"(?<=.)[@=<>~!:\[]", word.rpartition("/")[2].lower())[0]
    head, _, tail = name.partition("-")
    return head.rstrip("0123456789.") if tail in PARTS else ""


def _removes(one: Command) -> bool:
    """Whether a command is a package manager's that takes packages away from all of the machine."""
    if one.program not in MANAGERS or REMOVES.isdisjoint(one.words[1:4]):
        return False
    return one.program not in LOCAL or not {"-g", "--global", "global"}.isdisjoint(one.words)


def removed(commands: Sequence[Command], ground: Ground) -> str:
    """What we or a client stand on and a package manager takes away, "" for nothing: a package's name, and no path."""
    removing = [one for one in commands if _removes(one)]
    if not removing:
        return ""
    stands = {_stem(place) for _, place in ground.rows} - {""}
    stands |= {"node", "nodejs"} if any("/node_modules/" in place for _, place in ground.rows) else set()
    for one in removing:
        words = [word for word in (*one.words[1:], OF.get(one.program, "")) if word[:1] != "-"]
        for word, name in [(word, _stem(word)) for word in words]:
            if name in stands and not (word[:1] == "@" and name in OF.values()):
                return word
    return ""


_SENDS = {
    "tmux byobu": ("send", "send-keys", "paste-buffer", "pasteb", "pipe-pane -I", "set-hook", "bind-key", "bind"),
    "screen": ("-X stuff", "-X paste", "-X process", "-X readreg", "-X bind", "-X bindkey"),
    "zellij": ("write", "write-chars", "paste"),
    "kitty kitten": ("send-text", "send-key", "@send-text", "@send-key"),
    "wezterm": ("send-text",),
    "xdotool ydotool": ("type", "key", "keydown", "keyup"),
    "wlrctl": ("keyboard",),
    "osascript": ("keystroke", "key code", "do script", "write text", "in window"),
    "vim gvim nvim": ("--remote-send",),
    "code code-insiders": ("chat",),
}
SENDS = {program: words for programs, words in _SENDS.items() for program in programs.split()}
"""What a program is told that types elsewhere: a word, or two; of osascript parts of its text."""
ALWAYS = frozenset(("wtype", "dotool", "dotoolc", "xte", "xvkbd", "ttyecho", "reptyr", "conspy", "evemu-play"))
"""Programs that do nothing else."""
SIGNS = ("TIOCSTI", "TIOCLINUX", "0x5412", "SendKeys", "pyautogui", "pynput", "uinput")
"""What a program's text says that types by the kernel or a window system."""
LANGUAGES = ("python", "pypy", "perl", "ruby", "node", "php", "pwsh", "powershell", "lua", "deno", "bun", "uv")
DEVICES = ("/dev/pts/", "/dev/tty", "/dev/vcs", "/dev/uinput", "/dev/input/", "/dev/console")
OWN = ("/dev/tty",)
TEXT = "osascript"


def _stand(given: str, words: Sequence[str]) -> bool:
    """Whether a command line has these words: an option with its command, or a word that may be cut short."""
    first, _, second = given.partition(" ")
    if second:
        return first in words and second in words
    return any(word == given or (len(word) > 3 and "-" in given[1:] and given.startswith(word)) for word in words)


def _sends(command: Command) -> bool:
    words, sends = command.words[1:], SENDS.get(command.program, ())
    if command.program == TEXT:
        return command.fed or any(one in word.lower() for one in sends for word in words)
    return any(_stand(one, words) for one in sends)


def types_elsewhere(command: str, found: Effects) -> str:
    """What of a command types into another terminal, or writes to one; "" when nothing seems to."""
    for one in found.commands:
        if one.program in ALWAYS or _sends(one):
            return f"`{one.program}`"
    for effect in found.effects:
        path = effect.path
        if effect.kind == "write" and not effect.deep and path.startswith(DEVICES) and path not in OWN:
            return path
    said = [command] if any(one.program.startswith(LANGUAGES) for one in found.commands) else []
    said += [one.text for one in found.texts if one.found is None]
    return next((f"`{sign}`" for sign in SIGNS if any(sign in text for text in said)), "")
