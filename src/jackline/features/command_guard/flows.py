"""What only the whole command shows: credentials, what leaves the machine, what is fetched and then run."""

from __future__ import annotations

from jackline.features.command_guard.places import Ground, literal, made_again
from jackline.features.command_guard.secrets import TELLING, WILD_TELLERS, beside, holds, key, persistent, secret, tells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from jackline.shell.model import Command, Effect, Effects

    Found = Iterable[tuple[str, Effect]]
    Words = AbstractSet[str]

LOOKS = frozenset(
    [
        "ls",
        "dir",
        "vdir",
        "exa",
        "eza",
        "tree",
        "stat",
        "find",
        "fd",
        "fdfind",
        "du",
        "df",
        "file",
        "test",
        "[",
        "realpath",
        "readlink",
        "basename",
        "dirname",
        "chmod",
        "chown",
        "wc",
        "cmp",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "sha512sum",
        "b2sum",
        "cksum",
        "shasum",
        "which",
        "git-check-ignore",
        "locate",
    ]
)
"""Programs that read names, sizes and sums."""

SHARP = frozenset(
    [
        "LD_PRELOAD",
        "LD_AUDIT",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "ENV",
        "PROMPT_COMMAND",
        "TAR_OPTIONS",
        "PERL5OPT",
        "RUBYOPT",
        "PYTHONSTARTUP",
        "SUDO_ASKPASS",
        "LESSOPEN",
        "LESSCLOSE",
        "SHELLOPTS",
        "BASHOPTS",
        "PS4",
        "JAVA_TOOL_OPTIONS",
        "GIT_EXEC_PATH",
    ]
)
"""Variables by which a command does more than its words say."""

CERTIFICATES = frozenset(["certs", "certificates", "keys", "private", "secrets", "credentials", "tls", "ssl", "pki"])
"""Folders of keys, by their names."""

PATHLESS = frozenset(["execute", "network", "privilege", "history"])
"""Kinds of effects that read and change no file."""

CARRIES = ("talk", "send.input", "elsewhere")
SENDING = frozenset(["send", "send.files", "send.unknown", "socket", *CARRIES])
"""Acts by which something leaves the machine; those of them that take what they are fed."""

# Names of this machine, nothing is bound to them.
HERE = (
    "localhost",
    "127.0.0.1",
    "[::1]",
    "0.0.0.0",  # noqa: S104
    "host.docker.internal",
)


def _is_here(words: tuple[str, ...]) -> bool:
    """The words name this machine, and no other by a URL."""
    whole = " ".join(words)
    for here in HERE:
        if here in whole:
            break
    else:
        return False
    named = [word for word in words if any(here in word for here in HERE)]
    hosts = [word.partition("://")[2] if "://" in word else word for word in named]
    others = [word for word in words if "://" in word and word not in named]
    return not others and any(host.startswith(HERE) for host in hosts)


def credentials(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """Files that hold credentials, read or written, and files that stay at work."""
    return () if kinds <= PATHLESS else _credentials(found, ground)


def _credentials(found: Effects, ground: Ground) -> Iterator[tuple[str, Effect]]:
    for effect in found.effects:
        kind = effect.kind
        if not effect.path or kind in PATHLESS:
            continue
        told = kind == "unknown" and effect.note == "may be changed"
        if told and (" " in effect.path or "\n" in effect.path):
            continue  # a sentence, not a path
        if effect.program == "mv" and _renames(effect, found, ground):
            continue
        if kind == "read" or told:
            if effect.program in LOOKS or _metadata(effect):
                continue
            if secret(effect.path, ground) or ((effect.deep or effect.pattern) and holds(effect.path, ground)):
                yield "secret.read", effect
        elif kind == "write" and effect.act not in ("mode", "git.own", "git.tree"):
            # A project's own `.env` is written every day.
            if secret(effect.path, ground) and not effect.path.startswith(ground.root + "/"):
                yield "secret.write", effect
            elif persistent(effect.path, ground):
                yield "persistent", effect
        elif kind == "delete" and effect.path.startswith(ground.home + "/.") and secret(effect.path, ground):
            yield "secret.write", effect


def tellers(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """Commands that print a credential."""
    for command in found.commands:
        if command.program in TELLING or command.program.startswith(WILD_TELLERS):
            return _tellers(found)
    return ()


def _tellers(found: Effects) -> Iterator[tuple[str, Effect]]:
    for command in found.commands:
        program = command.program
        if (program in TELLING or program.startswith(WILD_TELLERS)) and tells(command.words, program):
            from jackline.shell.model import Effect

            name = " ".join(command.words[:3])
            yield "secret.print", Effect("read", name, command.program, command.words)


def _renames(effect: Effect, found: Effects, ground: Ground) -> bool:
    """`mv .env.local .env`: it stays in the project, and keeps a name that says what it is."""
    here = [one for one in found.effects if one.words == effect.words and one.path and one.kind in ("read", "write")]
    return all(one.path.startswith(ground.root + "/") and secret(one.path, ground) for one in here)


def _metadata(effect: Effect) -> bool:
    return effect.note == "<" and effect.program in ("chmod", "chown", "touch")


LOADS = ("--require", "--import", "--loader", "--experimental-loader", "-r ")
"""Options in `NODE_OPTIONS` that run a file."""


def variables(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """Variables by which a command does more than its words say."""
    return _variables(found) if "variable." in " ".join(acts) else ()


def _variables(found: Effects) -> Iterator[tuple[str, Effect]]:
    for effect in found.effects:
        if "variable." not in effect.act:
            continue
        name = effect.act.partition("variable.")[2]
        if name in SHARP or name.startswith(("BASH_FUNC_", "DYLD_")) or (name == "NODE_OPTIONS" and _loads(found)):
            yield "variable", effect


def _loads(found: Effects) -> bool:
    told = [text for one in found.commands for name, text in one.assigns if name == "NODE_OPTIONS"]
    told += [word for one in found.commands for word in one.words if word.startswith("NODE_OPTIONS=")]
    return any(load in text for text in told for load in LOADS)


def _upstream(command: Command, commands: tuple[Command, ...]) -> list[Command]:
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


def _reads(found: Effects, words: tuple[str, ...], note: str = "") -> Iterator[Effect]:
    for effect in found.effects:
        if effect.kind == "read" and effect.words == words[:400] and (not note or effect.note == note):
            yield effect


def _dear(effect: Effect, ground: Ground) -> bool:
    """What is read is worth a word when it leaves the machine: keys, and folders that we cannot look into."""
    path = effect.path
    if effect.kind == "read" and effect.deep and path in (ground.home, "/") and effect.program not in LOOKS:
        return True
    if secret(path, ground) or holds(path, ground) or beside(path, ground):
        return True
    return key(path) or not CERTIFICATES.isdisjoint(path.split("/"))


def _marked(found: Effects, ground: Ground) -> set[str]:
    """Files that the command fills with what is worth a word."""
    seeds = {one.path for one in found.effects if one.kind in ("read", "write") and one.path and _dear(one, ground)}
    return _spread(found, seeds)


def _spread(found: Effects, seeds: set[str]) -> set[str]:
    """The seeds, and every file into which a command puts what one of them holds."""
    if not seeds:
        return seeds
    marked = set(seeds)
    for _ in range(2):  # a loop may carry it round once more
        for effect in found.effects:
            if effect.kind not in ("read", "write") or effect.act == "mode" or not _touches(effect.path, marked):
                continue
            users = [effect.words]
            if effect.kind == "read":
                users += [one.piped_into_words for one in found.commands if one.words == effect.words]
            marked |= {one.path for one in found.effects if one.kind == "write" and one.path and one.words in users}
    return marked


def _touches(path: str, marked: set[str]) -> bool:
    return bool(path) and any(path == one or one.startswith(path + "/") or path.startswith(one + "/") for one in marked)


def leaks(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """Files that leave the machine: named, packed, or through a pipeline."""
    return () if "network" not in kinds or SENDING.isdisjoint(acts) else _leaks(found, ground)


def _leaks(found: Effects, ground: Ground) -> Iterator[tuple[str, Effect]]:
    marked = _marked(found, ground)

    def grave(effect: Effect) -> str:
        return "leak.file" if _dear(effect, ground) or _touches(effect.path, marked) else "leak.any"

    for effect in found.effects:
        if effect.kind not in ("read", "network") or _is_here(effect.words):
            continue
        if effect.act == "send":
            whole = not effect.path or (effect.path == "**" and effect.deep)
            yield ("leak.pipe" if whole else grave(effect)), effect
        elif effect.act == "send.files":
            yield "leak.pipe", effect
        elif effect.act == "socket" and not _is_here((effect.note.rpartition(" ")[2],)):
            yield "leak.socket", effect
        elif effect.act == "send.unknown":
            for read in found.effects:
                if read.kind == "read" and read.words != effect.words:
                    yield ("leak.pipe" if _all_of_it(read, found) else grave(read)), read
        elif effect.act in CARRIES:
            for read in _carried(found, effect):
                # A whole folder, or what we cannot name: nobody can look through it.
                yield ("leak.pipe" if read.deep or not read.path else grave(read)), read


PACKING = frozenset(["base64", "base32", "basenc", "xxd", "od", "hexdump", "gzip", "openssl", "tr", "xargs"])
"""Programs that take all of a text with them."""


def _all_of_it(read: Effect, found: Effects) -> bool:
    """The environment, packed for the way: not what somebody looks at or picks one line of."""
    if read.path:
        return False
    return any(one.words[:400] == read.words and one.piped_into in PACKING for one in found.commands)


def _carried(found: Effects, effect: Effect) -> Iterator[Effect]:
    """What is read and reaches the program that sends it."""
    for command in found.commands:
        if command.words[:400] != effect.words and effect.words[:1] != command.wrappers[-1:]:
            continue
        if effect.program == "socat":
            yield from _reads(found, command.words)
        if "socat" in command.wrappers:  # its other address is what this one is fed
            yield from [one for one in found.effects if one.kind == "read" and one.program == "socat"]
        yield from _reads(found, command.words, "<")
        for above in _upstream(command, found.commands):
            yield from _reads(found, above.words)


def downloads(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """What comes from the network and is run by the same command."""
    return _downloads(found) if "network" in kinds and ("execute" in kinds or "code.unknown" in acts) else ()


def _downloads(found: Effects) -> Iterator[tuple[str, Effect]]:
    every = found.effects
    fetching = [one for one in every if one.kind == "network" and one.act not in ("git.push", "packages")]
    if not fetching or not any(one.act == "code.unknown" or (one.kind == "execute" and one.path) for one in every):
        return
    if all(_is_here(one.words) for one in fetching):
        return
    words = [effect.words for effect in found.effects if effect.kind == "network"]
    words += [one.piped_into_words for one in found.commands if one.words in words]
    seeds = {
        one.path
        for one in found.effects
        if one.kind == "write" and one.path and (one.words in words or one.program == "exec")
    }
    marked = _spread(found, seeds)
    for effect in found.effects:
        if effect.kind == "execute" and effect.path and _touches(effect.path, marked):
            yield "download.run", effect
    for effect in found.effects:
        if effect.act == "code.unknown":
            yield "pipe.shell", effect


def elsewhere(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """What is removed on another machine, or in a container that goes on: what no build makes again."""
    return _elsewhere(found) if "away" in acts else ()


def _elsewhere(found: Effects) -> Iterator[tuple[str, Effect]]:
    for effect in found.effects:
        if effect.act != "away":
            continue
        path = effect.note.rstrip("*").rstrip("/") or "/"
        where = literal(path, Ground("/", "/-", "/root"), effect.deep) if path[:1] == "/" else "unknown"
        kept = where in ("temporary", "disposable") or made_again(path)
        if not kept and (effect.deep or where in ("whole", "system", "machine", "device")):
            yield "delete.elsewhere", effect._replace(path=effect.note)


OVER = (">", ">|", "&>")


def over_itself(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """`grep -v x f > f`: the shell empties the file before anything reads it."""
    return _over_itself(found, ground) if "write" in kinds and "read" in kinds else ()


def _over_itself(found: Effects, ground: Ground) -> Iterator[tuple[str, Effect]]:
    for effect in found.effects:
        if effect.kind != "write" or effect.note not in OVER or effect.pattern or not effect.path:
            continue
        users = [effect.words]
        for command in found.commands:
            if command.words[:400] == effect.words:
                users += [above.words[:400] for above in _upstream(command, found.commands)]
        itself = any(
            one.kind == "read" and one.path == effect.path and one.words in users and one.program not in LOOKS
            for one in found.effects
        )
        if itself and literal(effect.path, ground, False) not in ("temporary", "disposable"):
            yield "blank.self", effect


def over_all(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """What is unpacked or copied over the root lands in folders of the machine."""
    if "write" not in kinds or ground.root == "/":
        return ()
    return [("system.write", one) for one in found.effects if one.path == "/" and one.kind == "write" and not one.act]


def unreadable(found: Effects, ground: Ground, kinds: Words, acts: Words) -> Found:
    """Some part of the command may do anything."""
    if found.understood:
        return ()
    from jackline.shell.model import Effect

    return [("unreadable", Effect("unknown", found.why))]


FLOWS = (credentials, tellers, variables, leaks, downloads, elsewhere, over_itself, over_all, unreadable)
"""Each is told the kinds and acts that there are, and looks no further where none is its own."""
