"""Which programs we know, by the module of their rules (`dispatch` calls them), and what an unknown one may do."""

from __future__ import annotations

from jackline.shell.subjects import PROGRAMS, VERSIONED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

HOMES = {name: place for place, names in PROGRAMS.items() for name in names.split()}

_SYSTEM = "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin /opt/local/bin"
SYSTEM = frozenset(_SYSTEM.split())


def home(name: str) -> tuple[str, str] | None:
    """Where the rule of a program stands: its module of `rules`, the function in it. None when we do not know it."""
    place = HOMES.get(name)
    if place is None and name.startswith("mkfs."):
        place = HOMES["mkfs"]
    if place is None and name.rstrip("0123456789.-") in VERSIONED:
        name = name.rstrip("0123456789.-")
        place = HOMES[name]
    if place is None:
        return None
    room, _, function = place.partition(".")
    return room, function or name


def room(name: str) -> str:
    """The module of `rules` in which the rule of a program stands, "" when we do not know it."""
    return (home(name) or ("",))[0]


HOOKS = {
    **dict.fromkeys(("ssh-agent", "dircolors", "lesspipe", "register-python-argcomplete", "luarocks"), ""),
    **dict.fromkeys(("pyenv", "rbenv", "nodenv", "jenv", "goenv", "starship", "zoxide", "atuin"), "init"),
    **dict.fromkeys(("fnm", "opam", "docker-machine", "ghcup"), "env"),
    "direnv": "hook", "brew": "shellenv", "mise": "activate", "minikube": "docker-env", "thefuck": "--alias",
    "conda": "shell.bash", "micromamba": "shell", "rustup": "completions", "asdf": "info",
}  # fmt: skip
"""Programs that print settings for the shell that runs them (behind this word), and nothing that harms."""

RISKY = frozenset(
    ["rm", "find", "shred", "dd", "git", "chmod", "chown", "mkfs", "sudo", "env", "bash", "sh", "zsh", "eval"]
)
"""Programs that are worth a look when a program we do not know is told their name."""


def unknown(job: Job) -> None:
    """We know nothing of the program: it may do anything to what it was told, and run it if it is a command."""
    job.sure = False
    job.note("unknown", f"no knowledge of {job.name}")
    for at, word in enumerate(job.words[1:], 1):
        first, _, rest = word.partition(" ")
        if first.rpartition("/")[2] in RISKY and (rest or job.words[at + 1 :]):
            if rest:
                job.code(word)  # a text that reads as a command
            else:
                job.run(job.words[at:])
            return
