"""What a command says of itself that it does elsewhere: by its own words, whatever its program.

No table knows every service's program. Yet all of them speak alike: they say that something is destroyed, they name
production, they name everybody. A program that we know judges its own words and is asked nothing here, but for those
that only carry a request to a service.
"""

from __future__ import annotations

from jackline.features.command_guard import lexicon
from jackline.features.command_guard.credentials import apart
from jackline.features.command_guard.lexicon import CALLS, first_name, parts_of
from jackline.features.command_guard.packs import BY_PROGRAM, NAMES, met, readings, states
from jackline.features.command_guard.pipelines import is_here
from jackline.features.command_guard.rehearsals import rehearses, within
from jackline.features.command_guard.rules import BY_ID, Finding, answer, finding
from jackline.shell.model import UNKNOWN, WORD, Command, Effect, Effects, Text
from jackline.shell.programs import HOMES, is_program, room
from jackline.shell.rules.wrapping import BEHIND, leads
from jackline.shell.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def _pairs(words: Sequence[str]) -> zip[tuple[str, str]]:
    """Each word behind the program with the one that follows it."""
    return zip(words[1:-1], words[2:], strict=True)  # noqa: RUF007 - itertools is slow to import


def _known(program: str) -> bool:
    """We have a rule for all that the program does; of some we know only which command they run (`lxc exec`)."""
    return bool(room(program)) or program in WRAPPERS or program.startswith("mkfs.")


def _listed(program: str) -> bool:
    """Rows of a pack say what it does; one row alone says what is special of it, and no more."""
    return program != "tool" and len(BY_PROGRAM.get(program, ())) > 1


def _console(words: Sequence[str]) -> int:
    """Where the task of an application's own console stands; 0 where there is none."""
    return next((at + 1 for at, word in enumerate(words[:2]) if word.rpartition("/")[2] in lexicon.CONSOLES), 0)


class Speech:
    """What a command says, taken apart once: its operands, its verbs, and whether rules of ours know its program."""

    __slots__ = ("command", "known", "listed", "operands", "program", "requests", "verbs", "words")

    def __init__(self, command: Command) -> None:
        self.command, self.program, self.words = command, command.program, command.words
        self.requests = command.program in lexicon.REQUESTS
        self.known, self.listed = _known(command.program), _listed(command.program)
        self.operands = [
            word
            for before, word in _pairs(("", *command.words))
            if word[:1] != "-" and UNKNOWN not in word and before not in ("-X", "--method", "--request")
        ]
        self.verbs = {*(_asked(command.words) if self.requests else _verbs(self))}

    @property
    def strange(self) -> bool:
        """Neither a rule of ours nor a row knows its program."""
        return not (self.known or self.listed)

    def head(self, size: int) -> str:
        return " ".join(self.words[:size])


def _asked(words: Sequence[str]) -> Iterator[str]:
    """What may be verbs of a request: the parts of its path, and its action."""
    for word in words[1:]:
        known = UNKNOWN not in word or UNKNOWN in word[:1] or "://" in word
        if known and word[:1] != "-" and "/" in word and " " not in word:
            yield from parts_of(word.partition("?")[0].partition("://")[2].partition("/")[2] or word)
            yield from parts_of(word.partition("action=")[2].partition("&")[0])


def _verbs(speech: Speech) -> Iterator[str]:
    """What may be verbs of a program: its first words, whole and in parts, before one that says it only looks."""
    for word in speech.operands[speech.program == "aws" :][:4]:
        if lexicon.only_shows(word):
            return
        if "/" not in word and " " not in word and len(word) < 32:
            yield word.lower()
            yield from parts_of(word)
            if apart(word).partition("-")[0].lower() in lexicon.SURELY or word.lower() in lexicon.ALL:
                yield "delete"
    for word in () if speech.known else speech.words[1:]:
        option = word.lstrip("-").lower() if word[:1] == "-" else ""
        earnest = option.startswith("reset-") and not {"--execute", *lexicon.EARNEST}.isdisjoint(speech.words)
        if option.startswith(lexicon.OPTED) or earnest or word in ("-rm", "-del"):
            yield "delete"


def _tasks(speech: Speech) -> list[str]:
    """What the project calls what is run: names of tasks, names of scripts."""
    program, words = speech.program, speech.words
    if _console(words):
        return [word for word in words[_console(words) :][:1] if word[:1] != "-"]
    if program in lexicon.TASKS:
        named = [word for word in speech.operands if "/" not in word and " " not in word and word[0] != "@"]
        if named and program in lexicon.PACKAGERS:
            return named[1:2] * (named[0] in ("run", "run-script", "task"))
        return [] if named and named[0] in ("dlx", "exec", "x", "create", "add", "remove") else named
    script = words[1] if HOMES.get(program) in lexicon.CODE and len(words) > 1 else "" if speech.known else words[0]
    return [script.rpartition("/")[2].partition(".")[0]] if "/" in script else []


def _does(speech: Speech) -> str:
    """The rule that a task of the project meets by its name: "" where it says nothing, or that it only rehearses."""
    words = speech.words
    options = {part for word in words[1:] if word[:1] == "-" and word[:5] != "--no-" for part in parts_of(word)}
    for name in _tasks(speech) if options.isdisjoint(lexicon.SHOWS) and "dry-run" not in words else ():
        parts = set(parts_of(name))
        real = not lexicon.PRODUCTION.isdisjoint(parts) and not lexicon.DATA.isdisjoint(parts)
        if "clean" in parts and not parts.isdisjoint(lexicon.STORES):
            return "service.destroy"
        if not real and not lexicon.REHEARSES.isdisjoint(parts):
            continue
        if not lexicon.SURELY.isdisjoint(parts) or (not lexicon.EMPTIES.isdisjoint(parts) and lexicon.is_store(parts)):
            return "service.destroy"
        said = parts if "send" in parts and parts != {"send"} else parts - lexicon.MESSAGES
        if real or not lexicon.RELEASES.isdisjoint(said):
            return "service.release"
        if "/" in "".join(words[:2]) and not lexicon.EARNEST.isdisjoint(words):
            return "service.destroy"
    return ""


def _far(speech: Speech) -> bool:
    """A program that works elsewhere, or one of which nothing is known; a request that changes something."""
    if speech.requests:
        told = {"POST", "PUT", "PATCH", "DELETE"}.intersection(speech.words)
        return bool(told) or any(word.startswith(lexicon.CHANGES) for word in speech.words[1:])
    return not speech.known or HOMES.get(speech.program) in lexicon.ROOMS or speech.program in lexicon.CARRIERS


def _hands_on(speech: Speech) -> bool:
    """A program that nothing here knows names another, which is judged by itself."""
    words = speech.words
    for at in range(1, len(words)) if speech.strange and speech.program != "tool" else ():
        first = (words[at].partition("=")[2] if words[at][:2] == "--" else words[at]).partition(" ")[0]
        if leads(first) or (first in BY_PROGRAM and first not in lexicon.ENDS and not is_program(first)):
            removed = words[1 : at + (at > 1)] if first != "node" else words
            return lexicon.REMOVES.isdisjoint(removed)  # else it is a thing's name, or a verb: `artifact rm x`
    return False


def _ends(speech: Speech, searched: bool) -> bool:
    """Something is gone then, by the words of a command, or by its program's name."""
    verbs, program, words = speech.verbs, speech.program, speech.words
    unasked = not lexicon.UNASKED.isdisjoint(words) or not lexicon.WHOLLY.isdisjoint(verbs)
    gone = frozenset() if program in lexicon.PARTS else lexicon.GONE
    if program == "osascript":
        return any(not lexicon.SCRIPTED.isdisjoint(word.lower().split()) for word in words[1:])
    kept = program in ("docker", "podman", "nerdctl") and not unasked  # what runs or is used stays
    if searched and not kept and not lexicon.REMOVES.isdisjoint(verbs) and HOMES.get(program) not in lexicon.HANDLED:
        return True
    if not speech.strange:
        there = HOMES.get(program) in lexicon.ROOMS or not speech.known or speech.requests
        emptied = not lexicon.EMPTIES.isdisjoint(verbs) and lexicon.is_store(verbs)
        if room(program) == "building" and unasked and not lexicon.SURELY.isdisjoint(verbs):
            return not lexicon.STORES.isdisjoint(verbs)
        if not lexicon.GONE.isdisjoint(verbs) and not lexicon.SECRETS.isdisjoint(verbs):
            return there
        if speech.requests and "archive" in verbs:
            return _far(speech)
        return there and (emptied or not lexicon.ENDS.isdisjoint(verbs) or (unasked and not gone.isdisjoint(verbs)))
    low = program.lower()
    named = (" " not in program and low.startswith(lexicon.DOES)) or low.endswith(lexicon.DOES)
    named = named or ("/" not in words[0] and not (lexicon.SURELY | {"uninstall"}).isdisjoint(parts_of(program)))
    weak = not (lexicon.WEAK | gone).isdisjoint(verbs) and (unasked or speech.command.fed or lexicon.is_store(verbs))
    weak = weak or any("(" in word and states(CALLS, word) for word in words[1:])
    if not lexicon.QUERYING.isdisjoint(words):
        weak = weak or any(" " in word and states(lexicon.DROPS, word) for word in words)
    return (named and program not in BY_PROGRAM) or weak or not lexicon.ENDS.isdisjoint(verbs)


def _looks(speech: Speech) -> bool:
    """Nothing is changed: one of its first words says so."""
    words = speech.words[2 if speech.program == "aws" else 1 : 9]  # of `aws` the first names a service: `logs`
    return any(lexicon.only_shows(word) or word.lower().startswith(lexicon.QUERIES) for word in words)


def _gives(speech: Speech) -> bool:
    """One of its first words says that others get something, are told it, or are paid."""
    texts, program = speech.words, speech.program
    first = [
        word
        for before, word in _pairs(("", *texts[: 8 if program == "tool" else 4]))
        if "-" not in (word[:1], before[:1])
    ]
    words = [word for word in first if UNKNOWN not in word and "/" not in word and "." not in word]
    named = [part for word in words for part in parts_of(word)]
    named += [part for part in parts_of(program) if part in ("pub", "publish", "post")]
    if speech.requests:
        if any("post-message" in apart(word) for word in texts[1:] if "://" in word):
            return True
        named = [part for part in map(apart, speech.verbs) for part in part.split("-")]
    if not speech.strange or program[:1] == "-":
        addressed = speech.requests and any(word.lower().startswith("to=") for word in texts)
        return addressed or not (lexicon.SENDS | lexicon.PAYS).isdisjoint(named)
    if any(word.startswith(("merge_", "approve_")) for word in words):
        return True
    if not lexicon.REHEARSES.isdisjoint(parts_of(program)):
        return False
    given = {"dry-run", "never"}.isdisjoint(texts) and not lexicon.GIVES.isdisjoint(texts)
    return given or not (lexicon.RELEASES | lexicon.PAYS | {"pub"}).isdisjoint(named)


def _switched(speech: Speech) -> Iterator[str]:
    """Where what is switched off may stand beside its guard: an option, a word and its value, a setting."""
    words = [apart(word) for word in speech.words]
    yield from [word for word in words[1:] if word[:1] != "-" or word[:2] == "--" or "://" in word]
    for name, value in _pairs(words):
        if value in lexicon.VALUES:
            yield f"{name}-never"
        elif name[:2] == "--":
            yield f"{name}={value}"
    for one in [one for word in words[1:] for one in lexicon.values_of(word.replace(" ", ""))]:
        yield one.replace(":", "=").replace("==", "=")


def _unguards(speech: Speech) -> bool:
    """What protects, watches or keeps is switched off or set anew."""
    texts = [
        f"{word}-never" if word.rpartition("=")[2].lower() in lexicon.VALUES else word
        for word in _switched(speech)
        if " " not in word
    ]
    verbs = [apart(word) for word in speech.operands[:4]]
    for parts in [parts_of(word.lstrip("-")) for word in texts] + [parts_of("-".join(verbs))]:
        if not lexicon.GUARDS.isdisjoint(parts) and not lexicon.OFFS.isdisjoint(parts):
            return True
    parts = parts_of("-".join([speech.program, *verbs, *[apart(word) for word in speech.words if word[:2] == "--"]]))
    kept = any(part in lexicon.KEPT or part.endswith("password") for part in parts)
    if kept and not lexicon.SETS.isdisjoint(parts):
        return True
    if any(word.lower().endswith(("token=", "password=", "approval=never")) and word[:2] == "--" for word in texts):
        return True
    if speech.requests:
        documents = [word for word in speech.words if "://" in word or word[:1] == "{"]
        every = {part for word in documents for one in lexicon.values_of(word) for part in parts_of(one)}
        guards = not lexicon.GUARDS.isdisjoint(every) and not lexicon.OFFS.isdisjoint(every)
        return guards or not lexicon.STOPS.isdisjoint(speech.verbs)
    stopped = {*map(str.lower, verbs), *parts_of(speech.program)[1:]}
    return speech.strange and not lexicon.STOPS.isdisjoint(stopped) and speech.program not in lexicon.VIEWERS


_SPEAKERS = {"osascript", *lexicon.REQUESTS, *lexicon.CARRIERS, *lexicon.TASKS}
SPEAKERS = frozenset([*_SPEAKERS, *[name for name, home in HOMES.items() if home.startswith(lexicon.SPEAKING)]])
"""Programs that we know, and whose words may say more of what they do elsewhere."""


def _judges_itself(command: Command, searched: bool) -> bool:
    """A program that we know, told nothing by anybody else, and no file whose name could say something."""
    program, words = command.program, command.words
    if searched or command.fed or command.assigns:
        return False
    if program in SPEAKERS and (
        program in _SPEAKERS or "/" in "".join(words[1:2]) or HOMES.get(program) not in lexicon.CODE
    ):
        return False
    return _known(program) and not _console(words)


def _in_production(speech: Speech, real: bool, looks: bool) -> bool:
    """Where it works is production: a variable says so, or an option of an application's console."""
    assigns, words = speech.command.assigns, speech.words
    stage = any(name in lexicon.STAGES and lexicon.is_production(value) for name, value in assigns)
    if stage and not lexicon.DATA.isdisjoint(speech.verbs):
        return True
    targets = [value for name, value in assigns if name.endswith(lexicon.TARGETS)]
    at = 0 if looks else _console(words)
    placed = at and any(
        word.startswith(("--env", "--settings")) and lexicon.is_production(word) for word in words[at + 1 :]
    )
    there = any((real and UNKNOWN in value) or lexicon.is_production(value) for value in targets)
    return not looks and bool(there or (placed and lexicon.ASIDE.isdisjoint(parts_of(words[at]))))


def _works_here(text: Text) -> bool:
    """All that a file does is known, and nothing of it is done elsewhere."""
    found = text.found
    return (
        found is not None
        and found.understood
        and not any(one.kind == "network" for one in found.effects)
        and all(room(one.program) == "building" for one in found.effects if one.kind == "unknown")
        and not any(told(found, text.text, (), "standard"))
    )


def _text_answers(speech: Speech, found: Effects) -> bool:
    """The text that the name stands for was read, and works here: the name says no more than that does."""
    scripts = tuple(word.lstrip("./") for word in speech.words[:2] if "/" in word)
    texts = [one for one in found.texts if speech.program in lexicon.TASKS or one.path.endswith(scripts)]
    return bool(texts) and all(map(_works_here, texts))


def said(command: Command, found: Effects, searched: bool = False, real: bool = False) -> tuple[str, str]:
    """The rule that a command's own words meet, and what they say; "" twice where nothing is destroyed, changed in
    production or opened. `searched`: a search says to what it is done; `real`: a variable's name says production.
    """
    if _judges_itself(command, searched) or rehearses(command) or command.program.lower().startswith(lexicon.ASKS):
        return "", ""
    speech, words = Speech(command), command.words
    looks = _looks(speech)
    if _in_production(speech, real, looks):
        return "service.production", speech.head(3)
    task = _does(speech)
    if task:
        return ("", "") if _text_answers(speech, found) else (task, speech.head(3))
    if _hands_on(speech):
        return "", ""
    if _ends(speech, searched or (command.fed and UNKNOWN in "".join(words))):
        return "service.destroy", speech.head(4)
    if looks or not _far(speech) or (speech.requests and is_here(words)):
        return "", ""
    lent = UNKNOWN in "".join([*words, *[value for _, value in command.assigns]])
    if real and (lent or command.program in lexicon.CARRIERS):
        return "service.production", speech.head(3)
    pairs = [f"{name}={value}" for name, value in _pairs(words)]
    placed = [pair for pair in pairs if pair.startswith(lexicon.PLACED)]
    named = next((word for word in (*words[1:], *placed) if lexicon.is_production(word)), "")
    if named:
        return "service.production", named
    named = next((word for word in (*words[1:], *pairs) if lexicon.opens_up(word)), "")
    if named:
        return "service.open", named
    if _unguards(speech):
        return "service.unguarded", speech.head(4)
    strange = speech.strange and command.program[:1] != "-"
    rooted = strange and command.wrappers[-1:] == ("sudo",) and command.program not in lexicon.VIEWERS
    if rooted and (len(words) > 1 or command.piped_from):
        return "service.root", speech.head(4)
    parts = {part for word in speech.operands[:3] for part in parts_of(word)}
    if strange and {"service", "daemon"} & parts and {"install", "enable", "register"} & parts:
        return "later", speech.head(4)
    return ("service.release", speech.head(4)) if _gives(speech) else ("", "")


def told(found: Effects, text: str, packs: Sequence[str], preset: str) -> Iterator[Finding]:
    """What rows say of commands and of what they hand on, and what those say of themselves, and where: a variable's
    name may say it, or an earlier change of context.
    """
    names = {part for word in text.replace("{", "").split("$")[1:] for part in first_name(word).upper().split("_")}
    switched = "use-context" in text and any(
        "use-context" in one.words and lexicon.is_production(one.words[-1]) for one in found.commands
    )
    real = switched or not lexicon.NAMED_SO.isdisjoint(names)
    searches = {one.program for one in found.commands if one.held == WORD}
    for command in found.commands:
        plain = command.program not in BY_PROGRAM and BEHIND.isdisjoint(command.words)
        if plain and _judges_itself(command, command.program in searches):
            continue  # it says nothing, and hands on nothing
        for one in readings(command):
            rules = met(one, found, packs)
            rule, what = said(one, found, one.program in searches and UNKNOWN in one.words, real)
            if one is not command and rule != "service.destroy":
                rule = ""  # words of the outer one may stand behind it: what it names is told of that one
            if rule and not (rule == "service.destroy" and rules) and not within(one, found):
                # By the rule that its pack has for it, so that one allowance covers both.
                own = met(one, found, NAMES) if rule == "service.destroy" else []
                rules.insert(0, own[0] if own else BY_ID[rule])
            if rules:
                effect = Effect("network", what, one.program, one.words[:400], source=one.source)
                yield from [finding(each, effect, answer(each, preset)) for each in rules]
