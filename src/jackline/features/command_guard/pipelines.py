"""How what one command reads reaches another: pipelines, files on the way, and addresses of this machine."""

from __future__ import annotations

from jackline.features.command_guard.tellers import tells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.shell.model import Command, Effect, Effects

_LOOKS = (
    "ls dir vdir exa eza tree stat find fd fdfind du df file test [ realpath readlink basename dirname chmod chown wc "
    "md5sum sha1sum sha256sum sha512sum b2sum cksum shasum which git-check-ignore locate"
)
LOOKS = frozenset(_LOOKS.split())
"""Programs that read names, sizes and sums."""

CARRIES = ("talk", "send.input", "elsewhere")
SENDING = frozenset(["send", "send.files", "send.unknown", "socket", *CARRIES])
"""Acts by which something leaves the machine; those of them that take what they are fed."""

_PASSES = (
    "cat tac head tail less more bat batcat nl view cut paste column tr sed awk rev fold fmt sort uniq tee base64 "
    "base32 xxd od hexdump strings jq yq grep egrep rg xargs echo"
)
PASSES = frozenset(_PASSES.split())
"""Programs whose output shows what they read, from a file or their input."""

_HERE = "localhost 127.0.0.1 [::1] 0.0.0.0 host.docker.internal"
HERE = tuple(_HERE.split())
"""Names of this machine, nothing is bound to them."""


def is_here(words: tuple[str, ...]) -> bool:
    """The words name this machine, and no other by a URL."""
    whole = " ".join(words)
    if not any(here in whole for here in HERE):
        return False
    named = [word for word in words if any(here in word for here in HERE)]
    hosts = [word.partition("://")[2] if "://" in word else word for word in named]
    others = [word for word in words if "://" in word and word not in named]
    return not others and any(host.startswith(HERE) for host in hosts)


def upstream(command: Command, commands: tuple[Command, ...]) -> list[Command]:
    """The commands whose output reaches this one through its pipeline."""
    found: list[Command] = []
    todo = [command.piped_from]
    while todo:
        words = todo.pop()
        for one in commands:
            if words and one.words == words and one not in found:
                found.append(one)
                todo.append(one.piped_from)
    return found


def credential(effect: Effect, found: Effects) -> bool:
    """The effect hands on a variable that holds one: by its name, or because the command itself fetched it."""
    if effect.act != "shown":
        return effect.act == "secret"
    return any(one.held == effect.note[1:] and tells(one.words, one.program) for one in found.commands)


def reads(found: Effects, words: tuple[str, ...], note: str = "") -> Iterator[Effect]:
    """What is read by the command of these words; of variables, only those that hold credentials."""
    for effect in found.effects:
        if effect.kind != "read" or effect.words != words[:400] or (note and effect.note != note):
            continue
        if effect.act != "shown" or credential(effect, found):
            yield effect


def spread(found: Effects, seeds: set[str]) -> set[str]:
    """The seeds, and every file into which a command puts what one of them holds."""
    if not seeds:
        return seeds
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
