"""What a command says of itself that it does elsewhere: by its own words, whatever its program.

No table knows every service's program. Yet all of them speak alike: they say that something is destroyed, they name
production, they name everybody. A program that we know judges its own words and is asked nothing here, but for those
that only carry a request to a service.
"""

from __future__ import annotations

from jackline.features.command_guard import lexicon
from jackline.features.command_guard.credentials import apart
from jackline.features.command_guard.packs import BY_PROGRAM, rehearses, states, tried, within
from jackline.features.command_guard.pipelines import is_here
from jackline.features.command_guard.services import CODE as CODE_SAYS
from jackline.features.command_guard.services import THINGS
from jackline.shell.model import UNKNOWN, WORD, Effect
from jackline.shell.programs import HOMES, is_program, room
from jackline.shell.rules.wrapping import leads
from jackline.shell.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jackline.shell.model import Command, Effects

    Found = Iterable[tuple[str, Effect]]


def _parts(word: str) -> list[str]:
    """The words in a word: `db:reset`, `delete-job`, `erase_flash`, `prod1`."""
    for sign in ":_.=/@,":
        word = word.replace(sign, "-")
    return [part.rstrip("0123456789") for part in word.lower().split("-")]


def _pairs(words: tuple[str, ...] | list[str]) -> zip[tuple[str, str]]:
    """Each word behind the program with the one that follows it."""
    return zip(words[1:-1], words[2:], strict=True)  # noqa: RUF007 - itertools is slow to import


def _values(word: str) -> list[str]:
    """The words of a setting, or of a document in one word."""
    return word.translate(lexicon.CUTS).split() if word[:1] in "{[" else [word]


def _stores(parts: Iterable[str]) -> bool:
    """One of the words names what holds data."""
    return any(part in lexicon.STORES or f"-{part}".endswith(THINGS) for part in parts)


def _console(words: tuple[str, ...]) -> int:
    """Where the task of an application's own console stands; 0 where there is none."""
    return next((at + 1 for at, word in enumerate(words[:2]) if word.rpartition("/")[2] in lexicon.CONSOLES), 0)


def _tasks(command: Command) -> list[str]:
    """What the project calls what is run: names of tasks, names of scripts."""
    program, words = command.program, command.words
    if _console(words):
        return [word for word in words[_console(words) :][:1] if word[:1] != "-"]
    if program in lexicon.TASKS:
        named = [word for word in _operands(command) if "/" not in word and " " not in word and word[0] != "@"]
        if named and program in lexicon.PACKAGERS:
            return named[1:2] * (named[0] in ("run", "run-script", "task"))
        return [] if named and named[0] in ("dlx", "exec", "x", "create", "add", "remove") else named
    script = (
        words[1] if HOMES.get(program) in lexicon.CODE and len(words) > 1 else words[0] if not _known(program) else ""
    )
    return [script.rpartition("/")[2].partition(".")[0]] if "/" in script else []


def _does(command: Command) -> str:
    """The rule that a task of the project meets by its name: "" where it says nothing, or that it only rehearses."""
    options = {part for word in command.words[1:] if word[:1] == "-" and word[:5] != "--no-" for part in _parts(word)}
    for name in _tasks(command) if options.isdisjoint(lexicon.SHOWS) and "dry-run" not in command.words else ():
        parts = set(_parts(name))
        real = not lexicon.PRODUCTION.isdisjoint(parts) and not lexicon.DATA.isdisjoint(parts)
        if "clean" in parts and not parts.isdisjoint(lexicon.STORES):
            return "service.destroy"
        if not real and not lexicon.REHEARSES.isdisjoint(parts):
            continue
        if not lexicon.SURELY.isdisjoint(parts) or (not lexicon.EMPTIES.isdisjoint(parts) and _stores(parts)):
            return "service.destroy"
        said = parts if "send" in parts and parts != {"send"} else parts - lexicon.MESSAGES
        if real or not lexicon.RELEASES.isdisjoint(said):
            return "service.release"
        if "/" in "".join(command.words[:2]) and not lexicon.EARNEST.isdisjoint(command.words):
            return "service.destroy"
    return ""


def _operands(command: Command) -> list[str]:
    words = command.words
    return [
        words[at]
        for at in range(1, len(words))
        if words[at][:1] != "-" and UNKNOWN not in words[at] and words[at - 1] not in ("-X", "--method", "--request")
    ]


def _known(program: str) -> bool:
    """We have a rule for all that the program does; of some we know only which command they run (`lxc exec`)."""
    return bool(room(program)) or program in WRAPPERS or program.startswith("mkfs.")


def _listed(program: str) -> bool:
    """Rows of a pack say what it does; one row alone says what is special of it, and no more."""
    return program != "tool" and len(BY_PROGRAM.get(program, ())) > 1


def _far(command: Command) -> bool:
    """A program that works elsewhere, or one of which nothing is known; a request that changes something."""
    program = command.program
    if program in lexicon.REQUESTS:
        told = {"POST", "PUT", "PATCH", "DELETE"}.intersection(command.words)
        return bool(told) or any(word.startswith(lexicon.CHANGES) for word in command.words[1:])
    return not _known(program) or HOMES.get(program) in lexicon.ROOMS or program in lexicon.CARRIERS


def _shows(word: str) -> bool:
    """A verb that only looks: `list`, `get-users`, `read_flash`, `api:messages:list`."""
    return word.rpartition(":")[2] in lexicon.LOOKS or word.replace("_", "-").startswith(lexicon.ASKS)


def _verbs(command: Command) -> Iterator[str]:
    """What may be verbs of a program: its first words, whole and in parts, before one that says it only looks."""
    if command.program in lexicon.REQUESTS:
        for word in command.words[1:]:
            known = UNKNOWN not in word or UNKNOWN in word[:1] or "://" in word
            if known and word[:1] != "-" and "/" in word and " " not in word:
                yield from _parts(word.partition("?")[0].partition("://")[2].partition("/")[2] or word)
                yield from _parts(word.partition("action=")[2].partition("&")[0])
        return
    for word in _operands(command)[command.program == "aws" :][:4]:
        if _shows(word):
            return
        if "/" not in word and " " not in word and len(word) < 32:
            yield word.lower()
            yield from _parts(word)
            if apart(word).partition("-")[0].lower() in lexicon.SURELY or word.lower() in lexicon.ALL:
                yield "delete"
    for word in () if _known(command.program) else command.words[1:]:
        option = word.lstrip("-").lower() if word[:1] == "-" else ""
        earnest = option.startswith("reset-") and not {"--execute", *lexicon.EARNEST}.isdisjoint(command.words)
        if option.startswith(lexicon.OPTED) or earnest or word in ("-rm", "-del"):
            yield "delete"


def _hands_on(command: Command) -> bool:
    """A program that nothing here knows names another, which is judged by itself."""
    if _known(command.program) or _listed(command.program) or command.program == "tool":
        return False
    words = command.words
    for at in range(1, len(words)):
        first = (words[at].partition("=")[2] if words[at][:2] == "--" else words[at]).partition(" ")[0]
        if leads(first) or (first in BY_PROGRAM and first not in lexicon.ENDS and not is_program(first)):
            removed = words[1 : at + (at > 1)] if first != "node" else words
            return lexicon.REMOVES.isdisjoint(removed)  # else it is a thing's name, or a verb: `artifact rm x`
    return False


def _ends(command: Command, listed: bool) -> bool:
    """Something is gone then, by the words of a command, or by its program's name."""
    verbs, program = set(_verbs(command)), command.program
    unasked = not lexicon.UNASKED.isdisjoint(command.words) or not lexicon.WHOLLY.isdisjoint(verbs)
    gone = frozenset() if program in lexicon.PARTS else lexicon.GONE
    if program == "osascript":
        return any(not lexicon.SCRIPTED.isdisjoint(word.lower().split()) for word in command.words[1:])
    kept = program in ("docker", "podman", "nerdctl") and not unasked  # what runs or is used stays
    if listed and not kept and not lexicon.REMOVES.isdisjoint(verbs) and HOMES.get(program) not in lexicon.HANDLED:
        return True
    if _known(program) or _listed(program):
        there = HOMES.get(program) in lexicon.ROOMS or not _known(program) or program in lexicon.REQUESTS
        emptied = not lexicon.EMPTIES.isdisjoint(verbs) and _stores(verbs)
        if room(program) == "building" and unasked and not lexicon.SURELY.isdisjoint(verbs):
            return not lexicon.STORES.isdisjoint(verbs)
        if not lexicon.GONE.isdisjoint(verbs) and {"key", "keys", "secret", "secrets", "backup"} & verbs:
            return there
        if program in lexicon.REQUESTS and "archive" in verbs:
            return _far(command)
        return there and (emptied or not lexicon.ENDS.isdisjoint(verbs) or (unasked and not gone.isdisjoint(verbs)))
    named = (" " not in program and program.lower().startswith(lexicon.DOES)) or program.lower().endswith(lexicon.DOES)
    named = named or ("/" not in command.words[0] and not (lexicon.SURELY | {"uninstall"}).isdisjoint(_parts(program)))
    weak = not (lexicon.WEAK | gone).isdisjoint(verbs) and (unasked or command.fed or _stores(verbs))
    weak = weak or any("(" in word and states(CODE_SAYS, word) for word in command.words[1:])
    if not lexicon.QUERYING.isdisjoint(command.words):
        weak = weak or any(" " in word and states(lexicon.DROPS, word) for word in command.words)
    return (named and program not in BY_PROGRAM) or weak or not lexicon.ENDS.isdisjoint(verbs)


def _on_trial(command: Command) -> bool:
    """All that stands behind the verb has the name of what is there to be tried: `rpk topic delete test-events`."""
    operands = _operands(command)
    at = next((i for i, word in enumerate(operands) if not lexicon.GONE.isdisjoint(_parts(word))), len(operands))
    behind = [] if {"--all", "-A"} & {*command.words} else operands[at + 1 :]
    named = {part for word in behind for part in _parts(word)}
    return bool(behind) and all(map(tried, behind)) and lexicon.PRODUCTION.isdisjoint(named)


def _names(word: str) -> bool:
    """A word names production, and is neither a file of the project nor a text."""
    if word[:1] in "{[":
        told = '"'.join([part for part in word.split('"') if part.count(" ") < 4])  # the others are prose
        return any(map(_names, _values(told)))
    low = word.lower()
    if word.startswith(lexicon.PLACED):
        value = low.partition("=")[2]
        low = value.rpartition(".")[0] or value
    if low.endswith((*lexicon.FILES, "=false")) or (" " in low and "=" not in low.strip().partition(" ")[0]):
        return False
    return low == "--live" or not lexicon.PRODUCTION.isdisjoint([one for part in low.split() for one in _parts(part)])


def _looks(command: Command) -> bool:
    """Nothing is changed: one of its first words says so."""
    words = command.words[2 if command.program == "aws" else 1 : 9]  # of `aws` the first names a service: `logs`
    if command.program in lexicon.CHECKERS or (command.program in lexicon.TOPICAL and words[0] in lexicon.TOPICS):
        return True
    return any(_shows(word) or word.lower().startswith(lexicon.QUERIES) for word in words)


def _opens(word: str) -> bool:
    """A right for everybody, or to do everything."""
    low = word.lower()
    pieces = {low.replace(" ", "-"), *low.translate(lexicon.CUTS).split(), low.rpartition("=")[2]}
    bare = low.translate(lexicon.QUOTES).replace(":", "=").replace("==", "=")
    named = low.endswith(":public") or not lexicon.EVERYBODY.isdisjoint(pieces)
    return named or any(one in bare + " " for one in lexicon.RIGHTS)


def _gives(command: Command, strange: bool) -> bool:
    """One of its first words says that others get something, are told it, or are paid."""
    texts = command.words
    first = [
        texts[at]
        for at in range(1, min(8 if command.program == "tool" else 4, len(texts)))
        if "-" not in (texts[at][:1], texts[at - 1][:1])
    ]
    words = [word for word in first if UNKNOWN not in word and "/" not in word and "." not in word]
    named = [part for word in words for part in _parts(word)]
    named += [part for part in _parts(command.program) if part in ("pub", "publish", "post")]
    if command.program in lexicon.REQUESTS:
        if any("post-message" in apart(word) for word in texts[1:] if "://" in word):
            return True
        named = [part for part in map(apart, _verbs(command)) for part in part.split("-")]
    if not strange:
        addressed = command.program in lexicon.REQUESTS and any(word.lower().startswith("to=") for word in texts)
        return addressed or not (lexicon.SENDS | lexicon.PAYS).isdisjoint(named)
    if any(word.startswith(("merge_", "approve_")) for word in words):
        return True
    given = {"dry-run", "never"}.isdisjoint(texts) and not lexicon.GIVES.isdisjoint(texts)
    return given or not (lexicon.RELEASES | lexicon.PAYS | {"pub"}).isdisjoint(named)


def _unguards(command: Command) -> bool:
    """What protects, watches or keeps is switched off or set anew: both words stand in one option, in a word and its
    value, or among the verbs and their things.
    """
    words, verbs = [apart(word) for word in command.words], [apart(word) for word in _operands(command)[:4]]
    texts = [f"{words[at]}={words[at + 1]}" for at in range(1, len(words) - 1) if words[at][:2] == "--"]
    texts += [
        word for word in words[1:] if word[:2] == "--" or "://" in word or (word[:1] != "-" and word[-1:] not in "-=")
    ]
    texts += [f"{name}-never" for name, value in _pairs(words) if value in lexicon.VALUES]
    texts += [one.replace(":", "=").replace("==", "=") for word in words[1:] for one in _values(word.replace(" ", ""))]
    texts = [word for word in texts if " " not in word]
    texts = [f"{word}-never" if word.rpartition("=")[2].lower() in lexicon.VALUES else word for word in texts]
    for parts in [_parts(word.lstrip("-")) for word in texts] + [_parts("-".join(verbs))]:
        if not lexicon.GUARDS.isdisjoint(parts) and not lexicon.OFFS.isdisjoint(parts):
            return True
    parts = _parts("-".join([command.program, *verbs, *(word for word in words if word[:2] == "--")]))
    if not {"rotate", "reset"}.isdisjoint(parts) and not {"credentials", "key", "keys", "token"}.isdisjoint(parts):
        return True
    if any(part.endswith("password") for part in parts) and not lexicon.SETS.isdisjoint(parts):
        return True
    if not (lexicon.KEEPS | lexicon.LOGINS).isdisjoint(parts) and not lexicon.SETS.isdisjoint(parts):
        return True
    if any(word.lower().endswith(("token=", "password=", "approval=never")) and word[:2] == "--" for word in texts):
        return True
    if command.program in lexicon.REQUESTS:
        documents = [word for word in words if "://" in word or word[:1] == "{"]
        every = {part for word in documents for one in _values(word) for part in _parts(one)}
        guards = not lexicon.GUARDS.isdisjoint(every) and not lexicon.OFFS.isdisjoint(every)
        return guards or not lexicon.STOPS.isdisjoint(_verbs(command))
    if _known(command.program) or _listed(command.program):
        return False
    if "--disable" in words:
        return True
    stopped = [*verbs, *_parts(command.program)[1:]]
    return command.program not in lexicon.VIEWERS and not lexicon.STOPS.isdisjoint(stopped)


_SPEAKING = (*lexicon.ROOMS, *lexicon.CODE, "building")


def _judges_itself(command: Command, listed: bool) -> bool:
    """A program that we know, told nothing by anybody else: most commands, so this is asked first."""
    program = command.program
    if listed or command.fed or command.assigns or not _known(program) or _console(command.words):
        return False
    speaks = HOMES.get(program, "").startswith(_SPEAKING) or program in lexicon.REQUESTS or program in lexicon.CARRIERS
    return not (speaks or program in lexicon.TASKS or program == "osascript")


def said(command: Command, listed: bool = False, real: bool = False) -> tuple[str, str]:
    """The rule that a command's own words meet, and what they say; "" twice where nothing is destroyed, changed in
    production or opened. `listed`: a search says to what it is done;
    `real`: a variable's name says production.
    """
    if _judges_itself(command, listed) or rehearses(command) or command.program.lower().startswith(lexicon.ASKS):
        return "", ""
    lent = any(name.endswith(lexicon.TARGETS) and UNKNOWN in value for name, value in command.assigns)
    if lent and real and not _looks(command):
        return "service.production", " ".join(command.words[:3])
    stage = any(_names(value) for name, value in command.assigns if name in lexicon.STAGES)
    host = any(_names(value) for name, value in command.assigns if name.endswith(lexicon.TARGETS))
    if (stage and not lexicon.DATA.isdisjoint(_verbs(command))) or (host and not _looks(command)):
        return "service.production", " ".join(command.words[:3])
    at = _console(command.words)
    placed = at and any(_names(word) for word in command.words[at + 1 :] if word.startswith(("--env", "--settings")))
    if placed and not _looks(command) and lexicon.ASIDE.isdisjoint(_parts(command.words[at])):
        return "service.production", " ".join(command.words[:3])
    task = _does(command)
    if task:
        return task, " ".join(command.words[:3])
    if _hands_on(command):
        return "", ""
    if _ends(command, listed or (command.fed and UNKNOWN in "".join(command.words))):
        return ("", "") if _on_trial(command) else ("service.destroy", " ".join(command.words[:4]))
    changes = _far(command) and not _looks(command)
    changes = changes and not (command.program in lexicon.REQUESTS and is_here(command.words))
    pairs = [f"{name}={value}" for name, value in _pairs(command.words)]
    for rule, says in (("service.production", _names), ("service.open", _opens)) if changes else ():
        more = pairs if says is _opens else [pair for pair in pairs if pair.startswith(lexicon.PLACED)]
        named = next((word for word in (*command.words[1:], *more) if says(word)), "")
        if named:
            return rule, named
    strange = not (_known(command.program) or _listed(command.program) or command.program[:1] == "-")
    if changes and _unguards(command):
        return "service.unguarded", " ".join(command.words[:4])
    told = len(command.words) > 1 or command.piped_from
    rooted = strange and command.wrappers[-1:] == ("sudo",) and command.program not in lexicon.VIEWERS
    if rooted and changes and told:
        return "service.root", " ".join(command.words[:4])
    parts = {part for word in _operands(command)[:3] for part in _parts(word)}
    if strange and {"service", "daemon"} & parts and {"install", "enable", "register"} & parts:
        return "later", " ".join(command.words[:4])
    if changes and _gives(command, strange):
        return "service.release", " ".join(command.words[:4])
    return "", ""


def _first(word: str) -> str:
    """The name with which a text begins."""
    return next((word[:at] for at, char in enumerate(word) if not (char.isalnum() or char == "_")), word)


def told(found: Effects, text: str, read: Iterable[Command]) -> Found:
    """What commands say of themselves, and where: a variable's name may say it, or an earlier change of context.

    `read`: the commands, and what they hand on.
    """
    own = {id(one) for one in found.commands}
    lent = UNKNOWN in "".join([value for one in found.commands for _, value in one.assigns])
    names = {part for word in text.replace("{", "").split("$")[1:] for part in _first(word).upper().split("_")}
    switched = any("use-context" in one.words and _names(one.words[-1]) for one in found.commands)
    real = switched or not lexicon.NAMED_SO.isdisjoint(names)
    searches = {one.program for one in found.commands if one.held == WORD}
    for command in read:
        rule, what = said(command, command.program in searches and UNKNOWN in command.words, real)
        open_ = lent or command.program in lexicon.CARRIERS or UNKNOWN in "".join(command.words)
        if id(command) not in own:  # words of the outer one may stand behind it: what it names is told of that one
            rule = rule if rule == "service.destroy" else ""
        elif not rule and real and open_ and _far(command) and not _looks(command) and not rehearses(command):
            rule, what = "service.production", " ".join(command.words[:3])
        if rule and not within(command, found):
            yield rule, Effect("network", what, command.program, command.words[:400], source=command.source)
