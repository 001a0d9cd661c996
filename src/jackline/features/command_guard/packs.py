"""What the rules of `services` say of a command: the irreversible always, the costly where their pack is chosen."""

from __future__ import annotations

from jackline.features.command_guard.pipelines import HERE, upstream
from jackline.features.command_guard.rules import Finding, Rule, answer, vocabulary
from jackline.features.command_guard.services import CODE, FINAL, PACKS, SQL, THINGS, VERBS, Row
from jackline.globs import expand, segment
from jackline.shell.model import UNKNOWN, Effect
from jackline.shell.programs import is_program
from jackline.shell.rules.wrapping import BEHIND, leads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jackline.shell.model import Command, Effects

    Verbs = dict[str, list[tuple[bool, list[str]]]]

NAMES = tuple(PACKS)
SAFER = "ask the person to do it"

BY_PROGRAM: dict[str, list[tuple[str, Row]]] = {}
for name, group in PACKS.items():
    for one in group:
        for program in one.programs.split():
            BY_PROGRAM.setdefault(program, []).append((name, one))


_ALTERNATIVES: dict[str, tuple[Verbs, list[str]]] = {}
_FLAGS: dict[str, tuple[list[str], list[str]]] = {}

TELLS = vocabulary("can-i help explain plan install add i list ls get describe show view search dlx exec x")
"""Words behind which a verb is a name, a thing to be shown, or another program's."""


def irreversible(row: Row) -> bool:
    """What cannot be undone elsewhere is asked about without opting in."""
    return row.severity == FINAL


LONGEST = 4096
"""Characters of a word that are compared: no verb, path or address is longer."""


def _alternatives(verbs: str) -> tuple[Verbs, list[str]]:
    """Words that stand together, by the first (True: nothing may stand before it); those firsts that are globs."""
    if verbs not in _ALTERNATIVES:
        found: Verbs = {}
        for one in [one for verb in verbs.split("|") for one in expand(verb)]:
            first, *more = one.replace("?", UNKNOWN).split()
            found.setdefault(first.removeprefix("^"), []).append((first[0] == "^", more))
        _ALTERNATIVES[verbs] = found, [first for first in found if "*" in first]
    return _ALTERNATIVES[verbs]


def _meant(word: str) -> list[str]:
    """What a word is to a row: itself, each of a list, a verb of removal, what holds data, or both in one."""
    meant = [word, *word.split(",")] if "," in word else [word]
    verb, _, rest = word.replace("_", "-").partition("-")
    if word.rpartition(":")[2] in VERBS:
        meant.append("VERB")
    if verb in VERBS and f"-{rest}".endswith(THINGS):
        meant.append("VERB-THING")
    return [*meant, "THING"] if f"-{word}".endswith(THINGS) else meant


def _follow(wanted: list[str], operands: list[tuple[str, bool]]) -> bool:
    """These words stand here in their order; what may be the value of an option is passed over."""
    at = 0
    for want in wanted:
        while at < len(operands):
            word, loose = operands[at]
            at += 1
            if not (loose and want == UNKNOWN) and any(segment(want, one) for one in _meant(word)):
                break
            if not loose:
                return False
        else:
            return False
    return True


def _behind(command: Command, verbs: str, opted: bool) -> bool:
    """One of the alternatives stands together, with few words before it."""
    if not verbs:
        return True
    words, named = [word[:LONGEST] for word in command.words[1:]], verbs.split("|")
    operands = [
        (word, at > 0 and words[at - 1][:1] == "-" and "=" not in words[at - 1])
        for at, word in enumerate(words)
        if word[:1] != "-" or word in named or word[:2] in ("-R", "-S")
    ] + [(UNKNOWN, False)] * command.fed
    before, (every, globs) = 0, _alternatives(verbs)
    for at, (word, loose) in enumerate(operands):
        meant = _meant(word)
        firsts = [one for one in meant if one in every and not (loose and one == UNKNOWN)]
        firsts += [glob for glob in globs if any(segment(glob, one) for one in meant)]
        more = [more for first in firsts for leading, more in every[first] if not (leading and before)]
        if any(_follow(one, operands[at + 1 :]) for one in more):
            return True
        before += not loose
        if before > 5 or (not opted and not loose and word in TELLS):
            break
    return False


def _flags(flags: str) -> tuple[list[str], list[str]]:
    """The flags one of which must stand there, and those that must not."""
    if flags not in _FLAGS:
        every = [one for flag in flags.split() for one in expand(flag)]
        _FLAGS[flags] = [one for one in every if one[0] != "!"], [one[1:] for one in every if one[0] == "!"]
    return _FLAGS[flags]


def _flagged(words: tuple[str, ...], flags: str) -> bool:
    """One of the flags stands there, and none of those with `!`."""
    pairs = [f"{words[at]}={words[at + 1]}" for at in range(len(words) - 1) if words[at][:1] == "-"]
    letters = [f"-{letter}" for word in words if word[:1] == "-" != word[1:2] and len(word) < 5 for letter in word[1:]]
    given = [*words, *pairs, *letters]
    wanted, unwanted = _flags(flags)
    names = {*given, *(word.partition("=")[0] for word in words)}
    globs = [flag for flag in wanted if "*" in flag]
    if wanted and names.isdisjoint(wanted) and not any(segment(flag, word) for flag in globs for word in names):
        return False
    return not any(segment(flag, word.rstrip("/*")) for flag in unwanted for word in given)


def states(says: str, text: str, always: bool = True) -> bool:
    """A statement stands in a text, `always`: without a condition."""
    plain = " ".join(text.upper().split())
    for one in says.split("|"):
        head, _, what = one.rpartition("*")
        at = plain.find(what, max(plain.find(head), 0)) if head in plain else -1
        some = what in ("DELETE FROM", "UPDATE ") and (_some(plain, at) or plain[:2] == "--")
        if at >= 0 and not (some and always) and (what != "UPDATE " or plain.find(" SET ", at) > at):
            return True
    return False


def _some(plain: str, at: int) -> bool:
    """A condition follows that some rows do not meet."""
    condition = plain[at:].partition(" WHERE ")[2].partition(";")[0].strip(" \"')")
    return condition not in ("", "TRUE", "1", "1=1", "1 = 1")


PLACES = r"(?:DROP|TRUNCATE|DELETE FROM|UPDATE|RENAME)(?: (?:TABLE|DATABASE|SCHEMA|IF EXISTS|ONLY))* +[\"`\[]?([\w-]+)"
TRIED = frozenset(["test", "tests", "testing", "tmp", "temp", "scratch", "sandbox", "e2e", "ci"])
"""Parts of the names of what is there to be tried."""


def tried(name: str) -> bool:
    """A database or table that is there to be tried, or lies where temporary things do."""
    last = name.partition("?")[0].rpartition("/")[2].lower()
    parts = last.replace(".", "_").replace("-", "_").split("_")
    return name.startswith(("/tmp/", ":memory:")) or not TRIED.isdisjoint(parts)


BASES = ("-d", "-D", "--dbname", "--database", "--db")


def _scratch(command: Command) -> bool:
    """The database that a program is told to work on is there to be tried."""
    words = command.words
    named = [
        word.rpartition("=")[2]
        for at, word in enumerate(words[1:], 1)
        if " " not in word
        and (
            words[at - 1] in BASES
            or word.startswith(BASES[2:])
            or "-" not in (word[:1], "" if words[at - 1] in BARE else words[at - 1][:1])
        )
    ]
    return bool(named) and all(map(tried, named))


LITERAL = r"""--(?=\s)[^\n]*|/\*.*?\*/|'[^']*'|"[^"]*"|`[^`]*`"""
DOUBTFUL = ("#", "\\'", '\\"', "/*!", "EXEC")
"""What makes a quote or a comment one of some databases only, or has a text run."""


def _statements(text: str) -> list[str]:
    """The statements of a text, without comments and what they quote; all of it where nobody can tell those."""
    from re import DOTALL, findall, split, sub

    low = text.lower().strip("; \n")
    tells = low.startswith(("explain ", "help ", "\\h ", "\\help ")) and ";" not in low and "analy" not in low[:30]
    if low.endswith("rollback") or tells:
        return []
    targets = findall(PLACES, " ".join(text.upper().split()))
    if targets and all(tried(target) for target in targets):
        return []
    if any(one in text.upper() for one in DOUBTFUL) or split(r"--\S", text)[1:]:
        return [text]
    plain = sub(LITERAL, "''", text, flags=DOTALL)
    return plain.split(";") if set("\"`'").isdisjoint(plain.replace("''", "")) else [text]


def _said(row: Row, command: Command, found: Effects) -> bool:
    """A statement stands in the words or in what the command is fed; what a statement quotes is none."""
    if row.verbs:
        return any(states(row.says, " ".join(one.words)) for one in found.commands if one.program == command.program)
    texts = [*command.words[1:], *([command.given] if command.given else [])]
    if row.says == CODE:
        texts = [text for text in texts if ":memory:" not in text or text.count("connect") != 1]
    if len(command.words) < 40 and command.program.endswith("-cli"):
        texts.append(" ".join(command.words[1:]))
    if command.piped_from:
        texts += [" ".join(one.words) for one in upstream(command, found.commands)]
    if row.programs == SQL:
        texts += [one.text for one in found.texts if one.language == "sql"]
        texts = [part for text in texts if states(row.says, text, False) for part in _statements(text)]
    return any(states(row.says, text) for text in texts)


TRIES = vocabulary(
    "--preview --what-if --whatif -whatif -WhatIf --noop --no-op --simulate --just-print --plan-only --dry "
    "--list-hosts --list-tasks --dump-sql --show-sql --pretend --print-only --no-act --dry-run --dryrun --dryRun -help "
    "--fake --preview-only --validate_only --dry-run=client --dry-run=server --dry-run=true --help"
)
BARE = vocabulary(
    "--all --allow-dirty --build --force --no-git-checks --no-verify --provenance --recursive --verbose --workspace "
    "--yes -r -y -- --delete --drop --if-exists --prune --clean --set-upstream"
)
"""Options by which nothing is done; behind another option the word may be its value, but for those without one."""


def tries(words: Sequence[str]) -> bool:
    """Nothing is done: it is a trial, or asks for help."""
    if "--dry-run=false" in words or "--no-dry-run" in words:
        return False
    pairs = zip(("", *words), words, strict=False)
    return any(word in TRIES and (before[:1] != "-" or before in BARE) for before, word in pairs)


_LOCAL = "kind- k3d- minikube docker-desktop rancher-desktop orbstack colima localstack --endpoint-url=http://localhost"
LOCAL = (*_LOCAL.split(), "emulator-")
"""How contexts of clusters are called, and services of a cloud, that run on this machine."""
CLUSTERS = frozenset(["kind", "minikube", "k3d", "ctlptl", "colima", "coverage", "molecule", "kitchen", "anvil"])
"""Programs of such clusters, and of reports, which are made to be thrown away."""


STAGES = ("--local", "--env=test", "--env=testing", "RAILS_ENV=test", "MIX_ENV=test")
ENDPOINTS = ("--endpoint-url", "--rpc-url", "--fork-url")
MEANT = {
    "p4 obliterate": ("-y",), "forge script": ("--broadcast",), "mix release": (), "cockroach demo": (),
    **dict.fromkeys(("dart pub", "flutter pub"), ("publish", "lish", "uploader", "global")),
    "cast call": (), "xcrun simctl": ("erase", "delete", "all"),
}  # fmt: skip
SHOWN = {
    **dict.fromkeys(("apt", "apt-get", "aptitude"), ("-s", "--recon")), "rails": ("--sandbox",), "adb": ("-e",),
    **dict.fromkeys(("redis-cli", "valkey-cli"), ("COMMAND", "command", "HELP", "help")), "alembic": ("--sql",),
    **dict.fromkeys(("yum", "dnf"), ("--assumeno",)), **dict.fromkeys(("python", "python3"), ("--plan",)),
}  # fmt: skip
"""Options of a place; commands that only show, or work on what is thrown away, but for words; words that say so."""


def _unmeant(program: str, words: tuple[str, ...]) -> bool:
    """Without its option the command only shows, or one of its first words says so."""
    options = MEANT.get(f"{program} {words[1]}") if words[1:] else None
    return any(word in SHOWN.get(program, ()) for word in words[1:6]) or (
        options is not None and not any(word in options for word in words)
    )


def rehearses(command: Command) -> bool:
    """It is a trial, or what it changes is there to be tried: a cluster of this machine, a stage for tests."""
    words = command.words
    unmade = command.program in ("make", "gmake", "rake", "just") and "-n" in words
    if unmade or command.program in CLUSTERS or tries(words):
        return True
    here = any(
        word.partition("://")[2].startswith(HERE) or (word.startswith(HERE) and word[-2:] != "/0") for word in words[1:]
    )
    if here and any(map(tried, [part for word in words[1:] for part in word.split("/") if "localhost" not in part])):
        return True
    places = (*BASES, "-f", "--file") if command.program.startswith(("docker", "podman")) else BASES
    for before, word in zip(("", *words), words, strict=False):
        local = before in ENDPOINTS and word.partition("://")[2].startswith(HERE)
        local = local or word.startswith(LOCAL) or (word[:11] == "--settings=" and tried(word[11:]))
        if local or word in STAGES or (before in places and tried(word)):
            return True
    for name, value in command.assigns:
        here = value.rpartition("://")[2].startswith(HERE)
        local = here and name.endswith(("_ADDR", "_EMULATOR_HOST", "_ENDPOINT_URL"))
        local = local or (name.endswith("_URL") and ("/tmp/" in value or (here and tried(value))))
        if local or (name.endswith("_ENV") and value in ("test", "testing")):
            return True
    return _unmeant(command.program, words)


def within(command: Command, found: Effects) -> bool:
    """It runs in a container that is there to be tried: `docker compose -f compose.test.yml exec db …`."""
    own = " ".join(command.words)
    return any(
        one.program in command.wrappers and " ".join(one.words).rstrip("; ").endswith(own) and rehearses(one)
        for one in (found.commands if command.wrappers else ())
    )


def _applies(row: Row, command: Command, found: Effects, opted: bool) -> bool:
    words = command.words[1:]
    if (row.flags and not _flagged(words, row.flags)) or not _behind(command, row.verbs, opted) or tries(words):
        return False
    if not opted and (
        rehearses(command) or within(command, found) or (row.id.startswith("database.") and _scratch(command))
    ):
        return False
    return not row.says or _said(row, command, found)


def _rule(row: Row, pack: str) -> Rule:
    risk = "critical" if row.id == "remote.delete" else "high"
    return Rule(row.id, "network unknown", "", row.reason, SAFER, "its manual", risk=risk, pack=pack)


def rules(pack: str) -> Iterator[tuple[Row, Rule]]:
    """The rows of a pack, and each as a rule."""
    for row in PACKS[pack]:
        yield row, _rule(row, pack)


def readings(command: Command) -> Iterator[Command]:
    """The command, and those that it may run: what of its words begins with a program of a service."""
    yield command
    if command.program.startswith(("docker", "podman")) and rehearses(command):
        return
    words, known = command.words, is_program(command.program)
    for at in range(1, len(words)):
        known = known and words[at - 1] not in BEHIND
        text = words[at].partition("=")[2] if words[at][:2] == "--" else words[at]
        more = [*text.split(), *words[at + 1 :]]
        if not known and more and leads(more[0]):
            return  # its own reading stands among the commands
        name = "" if known or not more[1:] else more[0].rpartition("/")[2]
        if name in BY_PROGRAM and name != command.program and not is_program(name):
            yield command._replace(words=tuple(more), program=name)


def chosen(found: Effects, read: Sequence[Command], packs: Sequence[str], preset: str) -> Iterator[Finding]:
    """What the rows have to say of commands and of what they hand on: the irreversible, and those of the packs."""
    for command in read:
        for pack, row in BY_PROGRAM.get(command.program, ()):
            opted = pack in packs
            if (opted or irreversible(row)) and _applies(row, command, found, opted):
                effect = Effect("network", "", command.program, command.words, source=command.source)
                rule = _rule(row, pack)
                yield Finding(rule, effect, answer(rule, preset), row.reason)


def renamed(finding: Finding, found: Effects) -> Finding:
    """What a command says of itself by the rule that its pack has for it, so that one allowance covers both."""
    for command in found.commands:
        for pack, row in BY_PROGRAM.get(command.program, ()):
            if command.words[:400] == finding.effect.words and _applies(row, command, found, True):
                return finding._replace(rule=_rule(row, pack), reason=row.reason)
    return finding


def withheld(found: Effects, packs: Sequence[str]) -> str:
    """The first pack beside these that would have asked about what passed, "" when there is none."""
    for command in found.commands:
        for pack, row in BY_PROGRAM.get(command.program, ()):
            if pack not in packs and not irreversible(row) and _applies(row, command, found, True):
                return pack
    return ""
