"""Ways to type into a terminal that is somebody else's: a person's keys pass for the person (`policy.person`).

Each is told by what a command says it does; who makes the keys (a multiplexer, a window, the kernel) is no matter.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.shell.model import Command, Effects

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
