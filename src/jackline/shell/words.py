"""Words that could name a path and that no effect of their command accounts for: options, values, texts that are fed.

Whatever the program: what its rule did not report is as likely written as read. A rule that reported an effect on a
path has said what happens there; a program that certainly only reads names nothing (`harmless.only_reads`).
"""

from __future__ import annotations

from jackline.shell.command_call import MAYBE
from jackline.shell.credential_names import ECHOES
from jackline.shell.harmless import only_reads
from jackline.shell.model import UNKNOWN, Command, Effect
from jackline.shell.programs import HOMES, SYSTEM, room
from jackline.shell.rules.calls_text import strings
from jackline.shell.shell_state import ACTIVE, Scene
from jackline.shell.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jackline.shell.model import Effects, Seen

    Named = tuple[str, str]
    Check = Callable[[str], bool]

MOST, LONGEST = 2_000, 131_072
"""Pieces of one text that we look at, and characters of one whose quotes we look into."""

CUTS = str.maketrans(dict.fromkeys("=:,@;'\"()<>|&{}[]`\n\t\r", " "))
CUTTING = frozenset([" ", *map(chr, CUTS)])
TRAILS = ".,!?"
BLANK = frozenset(" \n\t")

REMOTE = frozenset([name.partition(" ")[0] for name, fields in WRAPPERS.items() if "remote" in fields.split()])
"""Programs whose inner command runs elsewhere: what its words name there is not ours."""

OPENS = frozenset(["history", "fc", "hostname", "stty", "date", "enable", "bind", "zmodload", "hash"])
"""Builtins and their like that open a file which they are told."""

SETS = frozenset(["export", "declare", "typeset"])
UNPROVED = ("variable", "pattern")
"""Channels of which no effect tells what they are for."""

FINDS, WHOLE = ("find", "gfind"), ("-path", "-ipath", "-wholename", "-iwholename")
READONLY = (":ro", ",ro", ",readonly")
"""How a mount ends that only reads."""

PATHSPECS = frozenset(["git", "jackline"])
"""Programs whose rules know which files of the project their operands touch."""

HOSTS = frozenset(["scp", "sftp", "rsync", "rclone", "docker", "podman", "kubectl", "oc", "git", "ssh-copy-id", "mosh"])
"""Programs that read `host:path`."""

TEXTS = {
    # Program: options whose value is a text; `1`: so is the first operand, `*`: so are all.
    **dict.fromkeys(("print", "notify-send", "say", "write-host", "write-output"), "*"),
    **dict.fromkeys(("ag", "ack", "zgrep", "ugrep", "pgrep"), "1 -e -G --ignore"),
    **dict.fromkeys(("gh", "glab", "hub"), "-t -b -m -q --title --body --notes --description --message --jq --search"),
    **dict.fromkeys(("sed", "gsed"), "1 -e --expression"),
    **dict.fromkeys(("docker", "podman", "nerdctl"), "-e -l -w --env --label --workdir --name --entrypoint --tmpfs"),
    **dict.fromkeys(("hg", "svn", "jj", "npm"), "-m --message"),
    "git": "-m -S -G --message --grep --author --format --pretty --trailer --date --fixup",
    "curl": "-H -d -F -A -e --header --data --data-raw --data-binary --data-ascii --data-urlencode --json --form",
    "find": "-name -iname -lname -regex -iregex",
    "fd": "1 -E --exclude",
    "rg": "1 -e -g --glob --regexp",
    "yq": "1",
    "logger": "1 -t -p",
    "rsync": "--exclude --include --filter -f",
    "tar": "--exclude --transform",
    "pytest": "-k -m",
    "tree": "-I -P",
}
"""What a program is told that it takes for no path."""

LEAVES_OUT = {"--exclude", "--extend-exclude", "--exclude-dir", "--ignore", "--ignore-pattern", "--skip", "--omit"}
"""Options by which any program is told what to leave out."""

IDENTITY = {
    **dict.fromkeys(("ssh", "scp", "sftp", "mosh", "autossh", "sshfs", "ssh-copy-id"), "-i -F -o"),
    **dict.fromkeys(("docker", "podman", "docker-compose", "node", "uv", "op", "bun", "deno"), "--env-file"),
    **dict.fromkeys(("kubectl", "oc", "helm"), "--kubeconfig"),
    **dict.fromkeys(("ansible", "ansible-playbook"), "--private-key --key-file --vault-password-file"),
    "npm": "--userconfig",
    "gcloud": "--key-file",
    "dotenv": "--env-file -e -f",
    "ssh-add": "*",
}
"""By which options a program is told who it is: a credential that is handed over so goes where it belongs."""

_DATA = "tee sponge dd git gh glab kubectl oc mail mailx sendmail patch apply_patch xclip pbcopy split"
DATA = frozenset(_DATA.split())
"""Programs that take what they are fed for data."""

SHELLS = frozenset(["shells", "running", "builtin"])
"""Rooms of rules that read what they are fed as commands of their own, or hand it on."""


def _proved(command: Command) -> bool:
    """The words of this one are no paths that it writes, or its own rule says all of them."""
    word = command.words[0]
    program = command.program
    if "/" in word and word.rpartition("/")[0] not in SYSTEM:
        return False
    if program in PATHSPECS or (program in SETS and (program == "export" or "x" in "".join(command.words[1:2]))):
        return False
    return (room(program) == "builtin" and program not in OPENS) or only_reads(program, command.words)


def _claimed(path: str, effects: list[Effect], channel: str, twice: bool) -> bool:
    """An effect is told of the path itself, of something below it, or of a folder with all in it.

    What an option's value is for, a folder that is read does not say, nor what may be an operand, nor a reading of the
    same path that stands there `twice`.
    """
    optional = channel == "value"
    for effect in effects:
        own = effect.path
        if optional and (effect.note == MAYBE or (twice and effect.kind == "read")):
            continue
        if own == path or own.startswith(path + "/"):
            return True
        if effect.deep and not optional and path.startswith(own.rstrip("/") + "/"):
            return True
    return False


def _run_by(at: int, commands: tuple[Command, ...]) -> list[Command]:
    """The commands that a command runs, where we know how it does."""
    command = commands[at]
    if not room(command.program) and command.program not in WRAPPERS:
        return []
    chain = (*command.wrappers, command.program)
    return [
        one
        for one in commands[at + 1 :]
        if one.words and one.wrappers[: len(chain)] == chain and one.source == command.source
    ]


def _own(words: tuple[str, ...], inner: list[Command]) -> int:
    """How many words of a command are its own: where the command begins that it runs."""
    firsts = {one.words[0] for one in inner}
    for index in range(1, len(words)):
        word = words[index]
        if word in firsts or (" " in word and any(first in word for first in firsts)):
            return index
    return len(words)


def _of_text(text: str, program: str = "") -> Iterator[str]:
    """Paths that may stand in a text: in quotes of its own, or with a slash; in the code of a language, only those."""
    if len(text) < LONGEST:
        yield from dict.fromkeys([one for one in strings(text) if one and BLANK.isdisjoint(one)][:MOST])
    if room(program) != "code":
        pieces = dict.fromkeys([one for one in text.translate(CUTS).split(" ") if "/" in one])
        yield from [one.rstrip(TRAILS) for one in pieces][:MOST]


def of_word(word: str, program: str = "") -> Iterable[Named]:
    """A word, and its parts that may be paths."""
    return [("operand", word)] if word[:1] != "-" and CUTTING.isdisjoint(word) else _of_parts(word, program)


def _of_parts(word: str, program: str) -> Iterator[Named]:
    if " " in word or "\n" in word:
        yield from (("text", one) for one in _of_text(word, program))
        return
    scheme, remote, _ = word.partition("://")
    if remote and not scheme.endswith("file"):
        return
    if word.endswith(READONLY):
        yield from (("read", one) for one in word.translate(CUTS).split(" ") if one)
        return
    pieces = word.lstrip("-").translate(CUTS).split(" ")
    values = [one for one in pieces if one] if len(pieces) > 1 else []
    if word[:1] != "-":
        yield "operand", word
    elif word[2:] and word[1] != "-":
        values += [word[2:], *[word[at:] for at in range(2, len(word)) if word[at] in "/~."][:1]]
    yield from (("value", one) for one in dict.fromkeys(values))


def _of_words(command: Command, many: int) -> list[Named]:
    """The words of a command that are neither its texts nor say who it is."""
    words, program = command.words, command.program
    texts = LEAVES_OUT.union(TEXTS[program].split()) if program in TEXTS else LEAVES_OUT
    known = tuple(IDENTITY[program].split()) if program in IDENTITY else ()
    found: list[Named] = []
    if "*" in texts:
        return found
    first, sets, hosts, finds = "1" in texts, program in SETS, program in HOSTS, program in FINDS
    paths, who, reads = program in PATHSPECS, "*" in known, program in PATHSPECS and only_reads(program, words)
    for at in range(1, many):
        word, before = words[at], words[at - 1]
        if word[:1] == "-":
            if (word[1:2] != "-" and word[:2] in texts) or ("=" in word and word.partition("=")[0] in texts):
                continue
            identity = who or (known and (before in known or word.startswith(known)))
        elif before in texts:
            continue
        elif first:
            first = False
            continue
        else:
            identity = who or before in known
            if hosts and before[:1] != "-" and ":" in word.partition("/")[0]:
                continue
        if finds and before in WHOLE:
            if not _left_out(words, at):
                found.append(("pattern", word))
            continue
        globbed, after = at in command.globbed, before[:1] == "-" and not paths
        for channel, piece in of_word(word, program):
            if reads or identity or sets:
                channel = "read" if reads else "identity" if identity else "variable"
            elif after and channel == "operand":
                channel = "value"
            found.append((channel, piece.translate(ACTIVE) if globbed else piece))
    return found


def _left_out(words: tuple[str, ...], at: int) -> bool:
    """What tells a `find` not to go somewhere: it does less so than without."""
    behind = words[at + 1 : at + 4]
    return words[at - 2] in ("-not", "!") or behind[:2] == ("-prune", "-o") or behind == ("-not", "-prune", "-o")


def _fed(command: Command, commands: tuple[Command, ...]) -> Iterator[str]:
    """Texts that a command is fed."""
    if command.program in DATA or room(command.program) in SHELLS or not command.words:
        return
    yield from (text for operator, text in command.redirs if "<<" in operator)
    for above in commands if command.piped_from else ():
        if above.words == command.piped_from:
            if above.program in ECHOES or above.program in WRAPPERS:
                yield "\n".join(above.words[1:]).replace("\\n", "\n")
            yield from (text for operator, text in above.redirs if "<<" in operator)


def _pieces(at: int, found: Effects, runners: set[str]) -> list[Named]:
    """Everything of one command that could name a path, and by which channel. `runners`: programs that run another."""
    command = found.commands[at]
    pieces = [("variable", piece) for _, value in command.assigns if value != UNKNOWN for _, piece in of_word(value)]
    if not command.words or _proved(command):
        return pieces
    inner = _run_by(at, found.commands) if command.program in runners else []
    if not (command.program in FINDS and inner and all(map(_proved, inner))):
        pieces += _of_words(command, _own(command.words, inner) if inner else len(command.words))
    for text in _fed(command, found.commands) if command.piped_from or command.redirs else ():
        pieces += [("text", piece) for piece in _of_text(text, command.program)]
    return pieces


def _named(found: Effects, root: str, home: str, text: str, seen: Seen) -> Iterator[tuple[Command, Scene, list[Named]]]:
    """What could name a path, with its command, and where that runs."""
    runners, scene = {program for one in found.commands for program in one.wrappers}, Scene("", {}, root)
    for at, command in enumerate(found.commands):
        known = command.program in HOMES or command.program in WRAPPERS
        if not known and all(one.words != command.words[:400] for one in found.effects):
            continue  # a function of the text: what it does stands there
        pieces = _pieces(at, found, runners)
        if pieces and not REMOTE.isdisjoint(command.wrappers):
            pieces = [one for one in pieces if one[1].startswith(root + "/")]
        if pieces:
            if scene.cwd != command.cwd or not scene.home:
                scene = Scene(command.cwd, {"HOME": home}, root, seen)
            yield command, scene, pieces
    if text:
        for command in found.commands:
            for at, word in enumerate(command.words if command.program in FINDS else ()):
                if command.words[at - 1] in WHOLE and _left_out(command.words, at):
                    text = text.replace(word, "", 1)
        scene = Scene(found.commands[0].cwd if found.commands else root, {"HOME": home}, root, seen)
        yield Command(()), scene, [("text", piece) for piece in _of_text(text)]


def words_of(
    found: Effects, root: str, home: str, text: str = "", seen: Seen | None = None, dull: Check | None = None
) -> tuple[Effect, ...]:
    """Effects of the kind `named`, their channel as `note`: operand value variable identity text,
    read (by whatever), or pattern, which says what a program is given.

    `text`: the command, where nobody can tell what all of it does: its pieces are looked at, too.
    `seen`: paths that were resolved at the same moment; `dull`: of those nobody asks.
    """
    made: dict[tuple[str, str, tuple[str, ...]], Effect] = {}
    rules: dict[tuple[str, ...], list[Effect]] = {}  # what the rules said of paths, by the words of the command
    strange = set()
    for effect in found.effects:
        if effect.path and effect.kind != "unknown":
            rules.setdefault(effect.words, []).append(effect)
        if effect.note[:12] == "no knowledge":
            strange.add(effect.words)
    for command, scene, pieces in _named(found, root, home, text, {} if seen is None else seen):
        words, cwd = command.words[:400], command.cwd
        own = rules.get(words, [])
        told = {effect.path for effect in own} if own else ()  # resolved: a word which is one of them leads there
        tracks = command.program in PATHSPECS and words not in strange
        inside = tracks and f"{cwd}/".startswith(f"{root}/")
        for channel, piece in pieces:
            if channel == "operand" and (piece if piece[:1] == "/" else f"{cwd}/{piece}") in told:
                continue
            if inside and channel in ("operand", "read") and piece[:1] not in ("/", "~") and ".." not in piece:
                continue
            path = home + piece[1:] if piece[:2] == "~/" and home else piece
            if not path or path == UNKNOWN or "\n" in path or len(path) > 4096:
                continue
            twice = channel == "value" and own and sum(one == piece for _, one in pieces) > 1
            for place in [one for one in scene.places(path) if not (dull and dull(one.path))]:
                if tracks and channel in ("operand", "read") and place.path.startswith(root):
                    break
                key = (place.path, channel, words)  # commands of the same words are one
                if key in made or (own and channel not in UNPROVED and _claimed(place.path, own, channel, bool(twice))):
                    continue
                one = command.program, words, channel, place.pattern, False, "", command.source
                made[key] = Effect("named", place.path, *one)
    return tuple(made.values())
