"""What the rules of `services` say of a command: the irreversible always, the costly where their pack is chosen."""

from __future__ import annotations

from jackline.features.command_guard.lexicon import CALLS, THINGS, VERBS
from jackline.features.command_guard.pipelines import upstream
from jackline.features.command_guard.rehearsals import BARE, BASES, rehearses, tried, tries, within
from jackline.features.command_guard.rules import Rule, vocabulary
from jackline.features.command_guard.services import FINAL, PACKS, SQL, Row
from jackline.globs import expand, segment
from jackline.shell.model import UNKNOWN, Command, Effects
from jackline.shell.programs import is_program
from jackline.shell.rules.wrapping import BEHIND, leads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Verbs = dict[str, list[tuple[bool, list[str]]]]
    Glob = tuple[str, list[str]]
    Operand = tuple[list[str], bool]

NAMES = tuple(PACKS)
SAFER = "ask the person to do it"

BY_PROGRAM: dict[str, list[tuple[str, Row]]] = {}
for name, group in PACKS.items():
    for one in group:
        for program in one.programs.split():
            BY_PROGRAM.setdefault(program, []).append((name, one))


_ALTERNATIVES: dict[str, tuple[Verbs, list[Glob], list[str], frozenset[str]]] = {}
_ROWS: dict[str, list[tuple[str, Row, frozenset[str]]]] = {}
_FLAGS: dict[str, list[tuple[frozenset[str], list[Glob]]]] = {}

STAND_INS = frozenset(["", UNKNOWN, "VERB", "THING", "VERB-THING"])
"""What stands in a row for other words."""
TELLS = vocabulary("can-i help explain plan install add i list ls get describe show view search dlx exec x")
SHORT = ("-R", "-S")
"""Words behind which a verb is a name, a thing to be shown, or another program's; options that are verbs."""


def irreversible(row: Row) -> bool:
    """What cannot be undone elsewhere is asked about without opting in."""
    return row.severity == FINAL


LONGEST = 4096
"""Characters of a word that are compared: no verb, path or address is longer."""


def _globs(words: Iterable[str]) -> list[Glob]:
    """Those of the words that are globs, each with the texts between its signs."""
    found = [one for one in words if not {*"*?[\\"}.isdisjoint(one)]
    return [(one, one.partition("[")[0].partition("\\")[0].replace("?", "*").split("*")) for one in found]


def _meets(glob: Glob, words: Iterable[str]) -> bool:
    pattern, pieces = glob
    for one in words:
        for piece in pieces:
            if piece not in one:
                break
        else:
            if segment(pattern, one):
                return True
    return False


def _alternatives(verbs: str) -> tuple[Verbs, list[Glob], list[str], frozenset[str]]:
    """Words that stand together, by the first (True: nothing may stand before it); those that are globs; options.

    The last: one of these must be a word of the command; none where that takes a closer look.
    """
    if verbs not in _ALTERNATIVES:
        found: Verbs = {}
        for one in [one for verb in verbs.split("|") for one in expand(verb)]:
            first, *more = one.replace("?", UNKNOWN).split()
            found.setdefault(first.removeprefix("^"), []).append((first[0] == "^", more))
        options = [one for one in verbs.split("|") if one[:1] == "-"]
        globs = _globs([first for first in found if "*" in first])
        must = found.keys() if not globs and STAND_INS.isdisjoint(found) else ()
        _ALTERNATIVES[verbs] = found, globs, options, frozenset(must)
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


class Reading:
    """A command as rows look at it: its words with what each is to a row, and what its options say."""

    __slots__ = ("_given", "_operands", "command")

    def __init__(self, command: Command) -> None:
        self.command = command
        self._given: tuple[set[str], set[str]] | None = None
        self._operands: list[Operand] = []

    @property
    def operands(self) -> list[Operand]:
        """The words behind the program, what each is to a row, and whether it may be the value of an option."""
        if not self._operands:
            words = [word[:LONGEST] for word in self.command.words[1:]]
            options = [word[:1] == "-" and "=" not in word for word in ("", *words)]
            self._operands = [(_meant(word), loose) for word, loose in zip(words, options, strict=False)]
            self._operands += [([UNKNOWN], False)] * self.command.fed
        return self._operands

    @property
    def given(self) -> tuple[set[str], set[str]]:
        """Its words, options with their values, and letters; the same with the names of options alone."""
        if self._given is None:
            words = self.command.words[1:]
            pairs = [f"{words[at]}={words[at + 1]}" for at in range(len(words) - 1) if words[at][:1] == "-"]
            short = [word[1:] for word in words if word[:1] == "-" != word[1:2] and len(word) < 5]
            every = {*words, *pairs, *[f"-{letter}" for letters in short for letter in letters]}
            names = every | {word.partition("=")[0] for word in words}
            self._given = {word.rstrip("/*") for word in every}, names
        return self._given


def _follow(wanted: list[str], operands: list[Operand]) -> bool:
    """These words stand here in their order; what may be the value of an option is passed over."""
    at = 0
    for want in wanted:
        while at < len(operands):
            meant, loose = operands[at]
            at += 1
            if not (loose and want == UNKNOWN) and any(segment(want, one) for one in meant):
                break
            if not loose:
                return False
        else:
            return False
    return True


def _behind(reading: Reading, verbs: str, opted: bool) -> bool:
    """One of the alternatives stands together, with few words before it."""
    if not verbs:
        return True
    every, globs, options, _ = _alternatives(verbs)
    before, operands = (
        0,
        [one for one in reading.operands if one[0][0][:1] != "-" or one[0][0][:2] in SHORT or one[0][0] in options],
    )
    for at, (meant, loose) in enumerate(operands):
        firsts = [one for one in meant if one in every and not (loose and one == UNKNOWN)]
        if globs:
            firsts += [glob[0] for glob in globs if _meets(glob, meant)]
        more = [more for first in firsts for leading, more in every[first] if not (leading and before)]
        if any(_follow(one, operands[at + 1 :]) for one in more):
            return True
        before += not loose
        if before > 5 or (not opted and not loose and meant[0] in TELLS):
            break
    return False


def _flags(flags: str) -> list[tuple[frozenset[str], list[Glob]]]:
    """The flags one of which must stand there, and those that must not: plain ones, and globs."""
    if flags not in _FLAGS:
        every = [one for flag in flags.split() for one in expand(flag)]
        sides = [one for one in every if one[0] != "!"], [one[1:] for one in every if one[0] == "!"]
        _FLAGS[flags] = [(frozenset(side), _globs(side)) for side in sides]
    return _FLAGS[flags]


def _stands(side: tuple[frozenset[str], list[Glob]], words: set[str]) -> bool:
    return not side[0].isdisjoint(words) or any(_meets(glob, words) for glob in side[1])


def _flagged(reading: Reading, flags: str) -> bool:
    """One of the flags stands there, and none of those with `!`."""
    (wanted, unwanted), (words, names) = _flags(flags), reading.given
    return (not wanted[0] or _stands(wanted, names)) and not _stands(unwanted, words)


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


def _scratch(words: Sequence[str]) -> bool:
    """The database that a program is told to work on is there to be tried."""
    named = [
        word.rpartition("=")[2]
        for before, word in [*zip(("", *words), words, strict=False)][1:]
        if " " not in word
        and (word.startswith(BASES[2:]) or "-" not in (word[:1], "" if before in BARE else before[:1]))
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
    if row.says == CALLS:
        texts = [text for text in texts if ":memory:" not in text or text.count("connect") != 1]
    if len(command.words) < 40 and command.program.endswith("-cli"):
        texts.append(" ".join(command.words[1:]))
    if command.piped_from:
        texts += [" ".join(one.words) for one in upstream(command, found.commands)]
    if row.programs == SQL:
        texts += [one.text for one in found.texts if one.language == "sql"]
        texts = [part for text in texts if states(row.says, text, False) for part in _statements(text)]
    return any(states(row.says, text) for text in texts)


def _applies(row: Row, reading: Reading, found: Effects, opted: bool) -> bool:
    command = reading.command
    if (row.flags and not _flagged(reading, row.flags)) or not _behind(reading, row.verbs, opted):
        return False
    if tries(command.words[1:]) or (not opted and (rehearses(command) or within(command, found))):
        return False
    if not opted and row.id.startswith("database.") and _scratch(command.words):
        return False
    return not row.says or _said(row, command, found)


def met(command: Command, found: Effects, packs: Sequence[str]) -> list[Rule]:
    """The rules that a command meets: the irreversible, and those of the packs."""
    if command.program not in BY_PROGRAM:
        return []
    words = {*command.words}
    for word in command.words:
        if "," in word:
            words.update(word.split(","))
    chosen = [
        (pack, row)
        for pack, row, must in _rows(command.program)
        if not (must and must.isdisjoint(words)) and (pack in packs or irreversible(row))
    ]
    reading = Reading(command) if chosen else None
    return [_rule(row, pack) for pack, row in chosen if reading and _applies(row, reading, found, pack in packs)]


def _rows(program: str) -> list[tuple[str, Row, frozenset[str]]]:
    """The rows of a program, each with its pack and the words without one of which it says nothing."""
    if program not in _ROWS:
        musts = [_alternatives(row.verbs)[3] if row.verbs else frozenset[str]() for _, row in BY_PROGRAM[program]]
        _ROWS[program] = [(*one, must) for one, must in zip(BY_PROGRAM[program], musts, strict=True)]
    return _ROWS[program]


def _rule(row: Row, pack: str) -> Rule:
    risk = "critical" if row.id == "remote.delete" else "high"
    return Rule(row.id, "network unknown", "", row.reason, SAFER, "its manual", risk=risk, pack=pack)


def rules(pack: str) -> Iterator[tuple[Row, Rule]]:
    """The rows of a pack, and each as a rule."""
    for row in PACKS[pack]:
        yield row, _rule(row, pack)


def withheld(found: Effects, packs: Sequence[str]) -> str:
    """The first pack beside these that would have asked about what passed, "" when there is none."""
    every = [rule.pack for command in found.commands for rule in met(command, found, NAMES)]
    return next((pack for pack in every if pack not in packs), "")


def readings(command: Command) -> Iterator[Command]:
    """The command, and those that it may run: what of its words begins with a program of a service."""
    yield command
    words, known = command.words, is_program(command.program)
    if known and BEHIND.isdisjoint(words):
        return
    if command.program.startswith(("docker", "podman")) and rehearses(command):
        return
    for at in range(1, len(words)):
        known = known and words[at - 1] not in BEHIND
        if known:
            continue
        text = words[at].partition("=")[2] if words[at][:2] == "--" else words[at]
        more = [*text.split(), *words[at + 1 :]]
        if more and leads(more[0]):
            return  # its own reading stands among the commands
        name = more[0].rpartition("/")[2] if more[1:] else ""
        if name in BY_PROGRAM and name != command.program and not is_program(name):
            yield command._replace(words=tuple(more), program=name)
