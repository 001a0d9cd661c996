"""What only the whole command shows: credentials, what is fetched and then run, what is emptied before it is read."""

from __future__ import annotations

from jackline.calls import MAY
from jackline.features.command_guard import pipelines
from jackline.features.command_guard.credentials import PASSES, shows_key, tells, without_values
from jackline.features.command_guard.lexicon import VIEWERS
from jackline.features.command_guard.places import Ground, is_disk, literal, made_again
from jackline.features.command_guard.rules import vocabulary
from jackline.sensitive import ACCESS, CREDENTIAL, PLACES, dull, holds, place_of, secret, staying
from jackline.shell.command_call import NAMED
from jackline.shell.model import UNKNOWN, WORD, Command, Effect, Effects
from jackline.shell.programs import room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Found = Iterable[tuple[str, Effect]]

PATHLESS = frozenset(["network", "privilege", "history"])
"""Kinds of effects that read and change no file."""

SOURCES = ("source", ".")
OWN = "/.env"
"""How settings of a project begin that hold its own credentials."""


def _finds(path: str, home: str) -> bool:
    """Whether a search above places of the home may find one that holds credentials, by the end of its path."""
    front, _, end = path.partition("/**/")
    if path.endswith("/**") and "*" not in path[:-2]:
        return f"{home}/".startswith(path[:-2])
    return bool(end) and f"{home}/".startswith(f"{front}/") and any(one.endswith(f"/{end}") for one in PLACES)


def credentials(found: Effects, ground: Ground) -> Found:
    """Files that hold credentials, read or written, and files that stay at work."""
    for effect in found.effects:
        kind = effect.kind
        if not effect.path or kind in PATHLESS:
            continue
        if kind == "execute":
            # What no program can be is shown where it fails; a shell takes in a project's settings.
            taken = effect.program in SOURCES and "env" in effect.path.lower()
            # A project's own folder is no folder of credentials, whatever its name (`.azure/scripts/check.sh`).
            named = effect.path.startswith(f"{ground.root}/") and secret(effect.path.rpartition("/")[0], ground.home)
            if secret(effect.path, ground.home) and not taken and not named:
                yield "secret.read", effect._replace(kind="read")
        elif effect.act == "mode" and secret(effect.path, ground.home):
            mode = next((word for word in effect.words[1:3] if word[:1] != "-"), "")
            if (mode.isdigit() and mode[-1] >= "4") or mode in ("a+r", "o+r", "go+r", "+r"):  # others read it
                yield "secret.write", effect
        elif kind == "read":
            if (effect.program in pipelines.LOOKS and effect.note != NAMED) or without_values(effect.words):
                continue
            users = [one.path for one in found.effects if one.kind in ("read", "write") and one.words == effect.words]
            if effect.program == "mv" and all(one.startswith(f"{ground.root}/") and OWN in one for one in users):
                continue  # `mv .env.local .env`: it keeps a name that says what it is, and its place is judged
            wide = (effect.deep or effect.pattern) and holds(effect.path, ground.home)
            wide = wide or (effect.pattern and _finds(effect.path, ground.home)) or is_disk(effect.path)
            if wide or secret(effect.path, ground.home) or shows_key(effect.path, effect.program):
                yield "secret.read", effect
        elif (kind == "write" or effect.note == MAY) and effect.act not in ("mode", "git.own", "git.tree"):
            what = place_of(effect.path, ground.home, changes=True, program=effect.program)
            if what == CREDENTIAL and effect.path.startswith(ground.root + "/"):
                what = ""  # a project's own `.env` is written every day
            if what:
                yield "secret.write" if what == CREDENTIAL else "persistent", effect


def named(found: Effects, ground: Ground) -> Found:
    """Words that lead to a credential or to what stays at work, and no rule says what for."""
    from jackline.shell.words import words_of

    for effect in words_of(found, ground.root, ground.home, "", ground.seen, dull):
        if is_disk(effect.path) and effect.program not in VIEWERS and not room(effect.program):
            yield "machine", effect
        if not effect.pattern and "*" in effect.path:
            continue  # a pattern of the program's own
        handed = effect.note in ("variable", "identity")
        held = not handed and (secret(effect.path, ground.home) or holds(effect.path, ground.home))
        if held:
            yield "secret.read", effect
        stays = "" if effect.note == "read" else staying(effect.path, ground.home)[1]
        if not held and stays and (stays != ACCESS or effect.note != "identity"):
            yield "persistent", effect


def downloads(found: Effects, ground: Ground) -> Found:
    """What comes from the network and is run by the same command."""
    every = found.effects
    fetching = [one for one in every if one.kind == "network" and one.act not in ("git.push", "packages")]
    if not fetching or not any(one.act == "code.unknown" or (one.kind == "execute" and one.path) for one in every):
        return
    words = [one.words for one in every if one.kind == "network"]
    words += [one.piped_into_words for one in found.commands if one.words in words]
    filled = [one for one in every if one.kind == "write" and one.path]
    marked = pipelines.spread(found, {one.path for one in filled if one.words in words or one.program == "exec"})
    for effect in every:
        path = effect.path.replace("\\", "/")
        ran = pipelines.touches(path, marked) or any(f"{path}{end}" in marked for end in (".exe", ".bat", ".cmd"))
        if effect.kind == "execute" and path and ran:
            yield "download.run", effect
        elif effect.act == "code.unknown":
            yield "pipe.shell", effect


def elsewhere(found: Effects, ground: Ground) -> Found:
    """What is removed on another machine, or in a container that goes on: what no build makes again."""
    for effect in found.effects:
        if effect.act != "away":
            continue
        path = effect.note.rstrip("*").rstrip("/") or "/"
        temporary = path[:1] == "/" and literal(path, Ground("/", "/-", "/root")) == "temporary"
        if effect.deep and not temporary and not made_again(path):
            yield "delete.elsewhere", effect._replace(path=effect.note)


MANY = vocabulary("python python3 node java ruby php bash sh zsh ssh docker deno bun")
"""Programs that many things of a person run in: their name says nothing of which."""


ENDERS = ("pkill", "killall", "taskkill", "stop-process")
MILD = frozenset(["-0", "-l", "-HUP", "-SIGHUP", "-USR1", "-USR2", "-h", "--help"])


def _many(command: Command) -> bool:
    """A search for the processes of a whole person, or of a program in which many run."""
    owner = any(word[:2] == "-u" for word in command.words)
    listed = command.program == "grep" and command.piped_from[:1] == ("ps",)
    return (listed or command.program == "pgrep") and (owner or command.words[-1] in MANY)


def ended(found: Effects, ground: Ground) -> Found:
    """Processes of others are ended, by a name or by what a search finds."""
    for command in found.commands:
        program, words = command.program, command.words
        killed = program == "kill" and (any(map(_many, found.commands)) and not _held(command))
        names = {word.lower().removesuffix(".exe").rstrip(",") for word in words[1:]}
        whose = program in (*ENDERS, "scancel") and any(word[:2] in ("-u", "-U", "/u") for word in words)
        named = program in ("pkill", "killall") or (program == "kill" and UNKNOWN in words[-1])
        as_root = named and not {"sudo", "doas"}.isdisjoint(command.wrappers)
        many = program in ENDERS and not MANY.isdisjoint(names) and MILD.isdisjoint(words)
        if killed or whose or as_root or many:
            yield "processes.shared", Effect("unknown", words[-1], program, words[:400])


PRINTERS = vocabulary("echo printf print printenv awk gawk mawk node ruby perl php python python3 env")
"""Programs whose output is what they were told to print."""

QUIET = ("-q", "--quiet", "--silent", "-c", "--count", "-l")
"""Options of `grep` by which it shows none of it."""

FAR = frozenset(["docker", "podman", "kubectl", "oc", "ssh", "nerdctl", "docker-compose"])
"""Programs that run another one in a container, or on another machine."""

_METADATA = "169.254.169.254 169.254.170.2 [fd00:ec2::254] metadata.google.internal 100.100.100.200"
METADATA = tuple([host + sign for host in _METADATA.split() for sign in "/:"])
"""Where a machine in a cloud asks for its own credentials."""


def tellers(found: Effects, ground: Ground) -> Found:
    """Commands that print a credential, unless a variable keeps it, and nothing is sent or shown that it may be in."""
    loose = any(one.act in (*pipelines.SENDING, "shown") for one in found.effects)
    for command in found.commands:
        within = command.wrappers and command.program in PASSES and not FAR.isdisjoint(command.wrappers)
        text = " ".join(command.words)
        whole = "ecrets" in text and "tojson(secrets)" in text.lower().replace(" ", "")
        if whole or (within and any(secret(word, ground.home) for word in command.words)):
            yield "secret.print", _output(command)
        if not tells(command.words, command.program) or command.words[-1] in ("--help", "-h"):
            continue
        if without_values(command.piped_into_words):
            continue
        # What exports hands out all that a store holds, perhaps into a file of its own.
        filed = _kept(command) or any("export" in word for word in command.words[1:3])
        if loose or filed or not _held(command):
            yield "secret.print", _output(command)


NAMES = (".env", "pass", "secret", "token", "key", "cred", "authorization", "cookie", "iban", "ssn")
SHOWS = vocabulary(
    "env printenv declare set yq docker docker-compose kubectl strings tcpdump heroku helm stripe bw op pulumi "
    "terraform tofu fc history"
)
TEXTS = frozenset(["logs", "template", "lint", "history", "--help"])
"""Verbs of such programs that show no settings."""


def sought(found: Effects, ground: Ground) -> Found:
    """Who looks for the name of a credential in what another program prints wants to see one."""
    for command in found.commands:
        words = command.words[1:]
        hidden = _held(command) or _kept(command) or any(word.startswith(QUIET) for word in words)
        if command.program in ("grep", "egrep", "rg", "jq") and not hidden:
            wanted = any(name in word.lower().replace("keys", "") for word in words for name in NAMES)
            above = [one for one in pipelines.upstream(command, found.commands) if TEXTS.isdisjoint(one.words)]
            if wanted and any(one.program in SHOWS for one in above):
                yield "secret.print", _output(command)


WHOLE = vocabulary("sort less cat more tee tail uniq base64 format-table out-string convertto-json jq tr column")
"""Programs that show all, or nearly all, of what they are fed."""


def surroundings(found: Effects, ground: Ground) -> Found:
    """All variables are printed to where the agent reads them: nobody knows which of them are credentials."""
    behind = [one.words for one in found.commands if one.program in ("select-object", "foreach-object")]
    hidden = any("Name" in words and "Value" not in words for words in behind)
    hidden = hidden or any(one.act in pipelines.SENDING for one in found.effects)  # judged where it is sent
    for effect in found.effects:
        listed = effect.kind == "read" and effect.path.lower().rstrip("*/\\").endswith("/env:")
        if hidden or not (listed or effect.note == "prints the environment"):
            continue
        for command in [one for one in found.commands if one.words[:400] == effect.words]:
            names = any(one in " ".join(command.words) for one in (" in os.environ", " in process.env"))
            if not (names or _held(command) or _kept(command)) and command.piped_into in ("", *WHOLE):
                yield "secret.print", effect._replace(kind="read", path=f"{effect.program}, all variables")
                break


def shown(found: Effects, ground: Ground) -> Found:
    """Variables with names of credentials, printed to where the agent reads it."""
    for effect in found.effects:
        if effect.act != "secret":
            continue
        if any(command.words[:400] == effect.words and _seen(command) for command in found.commands):
            yield "secret.print", effect._replace(path=f"{effect.program} {effect.note}")


def _output(command: Command) -> Effect:
    return Effect("read", " ".join(command.words[:3])[:80], command.program, command.words)


def _held(command: Command) -> bool:
    """A variable keeps what it prints."""
    return command.held not in ("", WORD)


def _seen(command: Command) -> bool:
    """What it prints is kept nowhere, and goes into no program that shows nothing of it."""
    fed = any("<<" in operator for operator, _ in command.redirs)
    prints = command.program in (PASSES if fed else PRINTERS) or command.program.startswith("python")
    quiet = command.piped_into == "grep" and any(word.startswith(QUIET) for word in command.piped_into_words)
    return prints and not (_held(command) or _kept(command) or quiet) and command.piped_into in ("", *PASSES)


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
        for word in effect.words[1:] if effect.kind == "network" else ():
            if any(host in f"{word}/" for host in METADATA):
                yield "secret.print", effect._replace(kind="read", path=f"{effect.program} {word}")


FLOWS = {
    credentials: "read write delete execute unknown named", named: "", tellers: "", sought: "grep egrep rg jq",
    surroundings: "read", shown: "secret", metadata: "network", pipelines.leaks: " ".join(pipelines.SENDING),
    downloads: "network", elsewhere: "away",
    ended: "pkill killall kill scancel taskkill stop-process",
}  # fmt: skip
"""The flows, and what of a command each looks at: kinds, acts and notes of effects, programs; "" anything."""
