"""How what one command reads reaches another, a file on the way, or another machine."""

from __future__ import annotations

from jackline.features.command_guard.credentials import key
from jackline.features.command_guard.places import Ground, lies
from jackline.features.command_guard.rules import vocabulary
from jackline.sensitive import beside, holds, secret
from jackline.shell.model import WORD, Command, Effect, Effects
from jackline.shell.shell_state import marked as is_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Found = Iterable[tuple[str, Effect]]

LOOKS = vocabulary(
    "ls dir vdir exa eza tree stat find fd fdfind du df file test [ realpath readlink basename dirname chmod chown wc "
    "md5sum sha1sum sha256sum sha512sum b2sum cksum shasum which git-check-ignore locate"
)
"""Programs that read names, sizes and sums."""

CARRIES = ("talk", "send.input", "elsewhere")
SENDING = frozenset(["send", "send.files", "send.unknown", "socket", *CARRIES])
"""Acts by which something leaves the machine; those of them that take what they are fed."""

_HERE = "localhost 127.0.0.1 [::1] 0.0.0.0 host.docker.internal"
HERE = tuple(_HERE.split())
"""Names of this machine, nothing is bound to them."""


def is_here(words: tuple[str, ...]) -> bool:
    """The words name this machine, and no other by a URL."""
    named = [word for word in words if any(here in word for here in HERE)]
    hosts = [word.partition("://")[2] or word for word in named]
    return any(host.startswith(HERE) for host in hosts) and all(word in named for word in words if "://" in word)


def upstream(command: Command, commands: tuple[Command, ...]) -> list[Command]:
    """The commands whose output reaches this one through its pipeline."""
    found: list[Command] = []
    todo = [command] if command.words else []
    while todo:
        one = todo.pop()
        near = [up for up in commands if up.piped_into_words == one.words or (up.words and up.words == one.piped_from)]
        above = [up for up in near if up.words and up not in found]
        found += above
        todo += above
    return found


def reads(found: Effects, words: tuple[str, ...], note: str = "") -> list[Effect]:
    """What is read by the command of these words; of variables, only those that hold credentials."""
    own = [one for one in found.effects if one.kind == "read" and one.words == words[:400]]
    return [one for one in own if one.act != "shown" and note in ("", one.note)]


def spread(found: Effects, seeds: set[str]) -> set[str]:
    """The seeds, and every file into which a command puts what one of them holds."""
    marked = set(seeds)
    for _ in range(2):  # a loop may carry it round once more
        for effect in found.effects:
            if effect.kind not in ("read", "write") or effect.act == "mode" or not touches(effect.path, marked):
                continue
            users = [effect.words]
            if effect.kind == "read":
                users += [one.piped_into_words for one in found.commands if one.words == effect.words]
            marked |= {one.path for one in found.effects if one.kind == "write" and one.path and one.words in users}
    return marked


def touches(path: str, marked: set[str]) -> bool:
    return bool(path) and any(path == one or one.startswith(path + "/") or path.startswith(one + "/") for one in marked)


CERTIFICATES = frozenset(["certs", "certificates", "keys", "private", "secrets", "credentials", "tls", "ssl", "pki"])
"""Folders of keys, by their names."""


def _dear(effect: Effect, ground: Ground) -> bool:
    """What is read is worth a word when it leaves the machine: keys, and folders that we cannot look into."""
    path = effect.path
    if effect.kind == "read" and effect.deep and path in (ground.home, "/") and effect.program not in LOOKS:
        return True
    if secret(path, ground.home) or holds(path, ground.home) or beside(path, ground.home):
        return True
    return key(path) or not CERTIFICATES.isdisjoint(path.split("/"))


def leaks(found: Effects, ground: Ground) -> Found:
    """Files that leave the machine: named, packed, or through a pipeline."""
    seeds = {one.path for one in found.effects if one.kind in ("read", "write") and one.path and _dear(one, ground)}
    marked = spread(found, seeds)  # files that the command fills with what is worth a word

    def grave(effect: Effect, certain: bool = True) -> str:
        if _dear(effect, ground) or touches(effect.path, marked):
            return "leak.file"
        # The person's own things, and the machine's: no work of this project sends them.
        return "leak.pipe" if certain and effect.path and lies(effect, ground)[0] in ELSEWHERE else "leak.any"

    for effect in found.effects:
        if effect.kind not in ("read", "network") or is_here(effect.words):
            continue
        if effect.act in ("send", "send.files"):
            whole = effect.act == "send.files" or not effect.path or (effect.path == "**" and effect.deep)
            yield ("leak.pipe" if whole else grave(effect)), effect
        elif effect.act == "socket" and (effect.program in SHELLS or not is_here((effect.note.rpartition(" ")[2],))):
            yield "leak.socket", effect
        elif effect.act == "send.unknown":
            names = effect.program in LOOKUPS
            inside = {one.words[:400] for one in found.commands if one.held == WORD}
            if names and inside and any(is_open(word.rpartition(".")[0]) for word in effect.words):
                yield "leak.pipe", effect._replace(path=effect.note)
            inside |= {one.words[:400] for user in _users(effect, found) for one in upstream(user, found.commands)}
            for read in found.effects:
                if read.kind == "read" and read.act != "shown" and read.words != effect.words:
                    within = read.words in inside
                    whole = names or (within and read.note == "prints the environment")
                    yield ("leak.pipe" if whole else grave(read, within)), read
        elif effect.act in CARRIES:
            raw = effect.program in RAW
            for read in _carried(found, effect):
                # A whole folder, or what we cannot name: nobody can look through it.
                whole = raw or read.deep or not read.path
                gravity = grave(read)
                yield ("leak.pipe" if whole and gravity == "leak.any" else gravity), read
    sending = {one.words for one in found.effects if one.act in SENDING}
    recorded = any(one.program in SHOTS for one in found.commands)
    for command in found.commands if sending else ():
        if command.words[:400] in sending:
            target = " ".join(command.words).lower()
            above = upstream(command, found.commands)
            dumped = recorded or any(one.program in DUMPS or "dumpdata" in one.words for one in above)
            if (dumped or any(drop in target for drop in DROPS)) and not is_here(command.words):
                yield "leak.pipe", Effect("network", command.words[-1], command.program, command.words[:400])


_DROPS = "paste transfer.sh 0x0.st termbin file.io ix.io webhook.site requestbin pipedream catbox sprunge oast hastebin"
DROPS = tuple(_DROPS.split())
"""In the names of places from which everybody, or nobody knows who, takes what is put there."""

DUMPS = vocabulary(
    "mongoexport pg_dump pg_dumpall mysqldump mariadb-dump declare export set pbpaste xclip xsel wl-paste history "
    "journalctl"
)
"""Programs that print all that a store, an environment, a clipboard or a record holds."""

SHOTS = vocabulary("scrot screencapture gnome-screenshot grim flameshot maim spectacle arecord fswebcam imagesnap")
"""Programs that record what a person sees, says, or looks like."""

LOOKUPS = frozenset(["dig", "nslookup", "host", "ping", "ping6", "drill", "kdig"])
"""Programs that send nothing but a name: a text in it is there to be read elsewhere."""

RAW = frozenset(["nc", "ncat", "netcat", "socat", "telnet", "openssl"])
"""Programs that hand on what they are fed as it is, to whoever listens."""

ELSEWHERE = frozenset(["home", "outside", "system", "machine", "whole"])
"""Places outside of the project that are not temporary."""

SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh"])
"""Programs that obey whoever is at the other end of a socket, on this machine too."""


def _users(effect: Effect, found: Effects) -> list[Command]:
    """The command of an effect, and those that run within it."""
    return [one for one in found.commands if one.words[:400] == effect.words or effect.words[:1] == one.wrappers[-1:]]


def _carried(found: Effects, effect: Effect) -> Iterator[Effect]:
    """What is read and reaches the program that sends it."""
    for command in _users(effect, found):
        if effect.program == "socat":
            yield from reads(found, command.words)
        yield from reads(found, command.words, "<")
        yield from [one for one in reads(found, command.words) if one.act == "secret"]
        for above in upstream(command, found.commands):
            yield from reads(found, above.words)
