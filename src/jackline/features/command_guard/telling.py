"""Commands that show a credential: by asking a store for it, the environment, or the cloud's own address for it."""

from __future__ import annotations

from jackline.features.command_guard.pipelines import PASSES, SENDING, credential
from jackline.features.command_guard.tellers import tells
from jackline.shell.model import WORD, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jackline.features.command_guard.places import Ground
    from jackline.shell.model import Command, Effects

    Found = Iterable[tuple[str, Effect]]

_PRINTERS = "echo printf print printenv awk gawk mawk node ruby perl php python python3 env"
PRINTERS = frozenset(_PRINTERS.split())
"""Programs whose output is what they were told to print."""

QUIET = ("-q", "--quiet", "--silent", "-c", "--count", "-l")
"""Options of `grep` by which it shows none of it."""

_METADATA = "169.254.169.254 169.254.170.2 [fd00:ec2::254] metadata.google.internal 100.100.100.200"
METADATA = frozenset(_METADATA.split())
"""Where a machine in a cloud asks for its own credentials."""


def tellers(found: Effects, ground: Ground) -> Found:
    """Commands that print a credential, unless a variable keeps it, and nothing is sent that it may be in."""
    kept = all(one.act not in SENDING for one in found.effects)
    for command in found.commands:
        if not tells(command.words, command.program):
            continue
        # What exports hands out all that a store holds, perhaps into a file of its own.
        whole = any("export" in word for word in command.words[1:3])
        if not kept or not _held(command) or _kept(command) or whole:
            yield "secret.print", Effect("read", " ".join(command.words[:3]), command.program, command.words)


def shown(found: Effects, ground: Ground) -> Found:
    """Variables with names of credentials, printed to where the agent reads it."""
    for effect in found.effects:
        if not credential(effect, found):
            continue
        for command in found.commands:
            if command.words[:400] == effect.words and _seen(command, found.commands, effect.act == "shown"):
                yield "secret.print", effect._replace(path=f"{effect.program} {effect.note}")
                break


def _held(command: Command) -> bool:
    """A variable keeps what it prints."""
    return command.held not in ("", WORD)


def _seen(command: Command, commands: tuple[Command, ...], filed: bool) -> bool:
    """What it prints reaches the end of its pipeline and is kept nowhere, or in a file, where `filed` counts too."""
    fed = any("<<" in operator for operator, _ in command.redirs)
    if command.program not in (PASSES if fed else PRINTERS) and not command.program.startswith("python"):
        return False
    for _ in range(len(commands)):
        if _held(command):
            return False
        if _kept(command):
            return filed
        if not command.piped_into_words:
            return True
        after = next((one for one in commands if one.words == command.piped_into_words), None)
        if after is None or after.program not in PASSES:
            return False
        if after.program == "grep" and any(word.startswith(QUIET) for word in after.words[1:]):
            return False
        command = after
    return True


def _kept(command: Command) -> bool:
    """Its output goes into a file."""
    return any(
        operator.lstrip("1&")[:1] == ">" and target not in ("/dev/stderr", "/dev/stdout", "/dev/tty", "2")
        for operator, target in command.redirs
        if operator[:1] != "2"
    )


def metadata(found: Effects, ground: Ground) -> Found:
    """Addresses at which a cloud hands out the machine's credentials."""
    for effect in found.effects:
        if effect.kind == "network":
            for word in effect.words[1:]:
                address = (word.partition("://")[2] or word).partition("/")[0].rpartition("@")[2]
                host = address.partition("]")[0] + "]" if address.startswith("[") else address.partition(":")[0]
                if host in METADATA:
                    yield "secret.print", effect._replace(kind="read", path=f"{effect.program} {word}")
                    break
