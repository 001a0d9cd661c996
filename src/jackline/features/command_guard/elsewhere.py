"""What a command says of itself that it does elsewhere: by its own words, whatever its program.

No table knows every service's program. Yet all of them speak alike: they say that something is destroyed, they name
production, they name everybody. A program that we know judges its own words and is asked nothing here, but for those
that only carry a request to a service.
"""

from __future__ import annotations

from jackline.features.command_guard.packs import BY_PROGRAM, rehearses
from jackline.features.command_guard.services import THINGS
from jackline.shell.model import UNKNOWN, WORD, Effect
from jackline.shell.programs import HOMES, room
from jackline.shell.rules.strange import leads
from jackline.shell.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jackline.shell.model import Command, Effects

    Found = Iterable[tuple[str, Effect]]

_ENDS = (
    "burn decommission delete deprovision deregister destroy drop erase evict expire flash flashing forget nuke "
    "obliterate purge revoke suspend terminate undeploy unenroll unlock unpublish wipe yank"
)
ENDS = frozenset(_ENDS.split())
"""Verbs after which something is gone, or no longer as it was."""

GONE = ENDS | {"remove", "rm"}
REMOVES = GONE | {"kill", "rmi", "uninstall"}
HANDLED = ("files.rm", "system.processes", "builtin")
"""Where rules of their own judge what is removed or ended."""

_SURELY = "decommission delete destroy drop erase nuke obliterate purge terminate unpublish wipe"
SURELY = frozenset(_SURELY.split())
DOES = tuple(sorted(SURELY))
"""Those of them that mean nothing else in the name of a task or a program."""

_TASKS = (
    "make gmake just task invoke inv fab rake mix nx lerna turbo gulp grunt gradle gradlew mvn mvnw npm pnpm yarn bun "
    "composer deno poe fastlane"
)
TASKS = frozenset(_TASKS.split())
"""Programs that run tasks of the project by their names."""

PACKAGERS = frozenset(["npm", "composer", "deno"])
"""Those of them whose first word is their own: the task stands behind `run`."""

CODE = ("code.interpreter", "shells.shell")

_RELEASES = "broadcast deploy messages post promote publish push release rollout send ship upload"
RELEASES = frozenset(_RELEASES.split())
MESSAGES = frozenset(["messages", "post", "push", "send"])
"""What tasks are called by which others get something."""

_EMPTIES = "clear empty flush prune recreate reset restore rm rollback truncate"
EMPTIES = frozenset(_EMPTIES.split())
WEAK = EMPTIES | {"cancel", "close", "dedupe", "gc", "kill", "stop"}
"""Verbs after which a store does not hold what it held; those that may mean little, but that the program itself would
have asked about without one of `UNASKED`.
"""

_STORES = "data database db flyway prod storage uploads users volume volumes"
STORES = frozenset(_STORES.split())

_REHEARSES = (
    "bench build bundle candidate changelog check checks ci clean compile config coverage debug detect docs draft dry "
    "e2e example fixtures format gen generate help init install integration lint list local log logs mock note notes "
    "pack package plan prepare preview profile render setup snapshot spec status test tests testing validate verify "
    "version versions watch"
)
REHEARSES = frozenset(_REHEARSES.split())
"""Words in a task's name that say that it comes before the thing, or is not the thing."""

_SHOWS = "check dry dryrun local noop plan preview print simulate"
SHOWS = frozenset(_SHOWS.split())
"""Parts of options with which such a task does nothing to others."""

_VIEWERS = (
    "smartctl blkid udevadm iostat findmnt ioping hwinfo lshw dmidecode dmesg ss lsof netstat iotop lspci lsusb strace "
    "perf nethogs iftop ethtool lsattr getfacl ausearch aureport last lastb ncdu nginx sshd apachectl postqueue mailq"
)
VIEWERS = frozenset(_VIEWERS.split())
"""Programs that look at the machine, mostly as root."""

_UNASKED = (
    "--yes -y --force -force -f --no-confirm --non-interactive --noinput --auto-approve --all -a -A All ALL "
    "--older-than --quiet -q --purge -purge --prune --bypass-warning --batch"
)
UNASKED = frozenset(_UNASKED.split())
"""Options by which nobody is asked, or everything is meant."""


_LOOKS = (
    "annotate build can-i check completion console context current-context describe diff doctor du events exists "
    "explain fmt get graph help history info init inspect kustomize lint list log login logs ls monitor "
    "output package plan preview print ps query read render search select show status tag tail template top use "
    "use-context validate verify version view wait what-if whoami"
)
LOOKS = frozenset([*_LOOKS.split(), "--check", "--describe", "--diff", "--graph", "--list", "--status"])
"""Verbs that change nothing there."""

OPTED = (*SURELY, "expunge", "shrink", "skiptrash", "unlock", "unregister")
"""How options begin that do what those verbs do."""

PRODUCTION = frozenset(["prod", "production", "prd", "mainnet"])
NAMED_SO = frozenset(["PROD", "PRODUCTION", "PRD", "MAINNET", "LIVE"])
STAGES = ("RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_ENV")
"""Variables that say where a task works."""

TARGETS = ("PROFILE", "CONTEXT", "KUBECONFIG", "HOST", "URL", "WORKSPACE", "PROJECT")
"""How the names of variables end that say where a program works."""

_DATA = (
    "apply console copy db deploy exec execute import migrate migration push reset restore rollback runner seed sync"
)
DATA = frozenset([*_DATA.split(), "shell", "tinker", "update"])
"""What tasks are called that change what is stored."""

ASKS = ("get-", "list-", "describe-", "show-", "check-", "assess-", "select-", "measure-", "test-", "compare-")
QUERIES = ("select ", "show ", "explain ", "with ", "\\d", "\\l")
FILES = (".yaml", ".yml", ".json", ".tfvars", ".toml", ".env", ".sh", ".sql", ".csv", ".md", ".txt")
CARRIERS = frozenset(["kubectl", "oc"])
ROOMS = ("network.cloud", "network.talk")

_EVERYBODY = (
    "0.0.0.0/0 ::/0 allusers allauthenticatedusers public-read public-read-write cluster-admin administratoraccess "
    "roles/owner permission=admin role=admin role:root --allow-write --allow-unauthenticated --public "
    "--publicly-accessible --visibility=public privileged:true hostpid:true hostnetwork:true"
)
EVERYBODY = frozenset(_EVERYBODY.split())
"""Whom a right is given that few should have, or what right: for everybody, or to do everything."""

_GUARDS = (
    "alarm alarms alert alerts alerting antivirus approval audit auditing auth authentication backup backups "
    "clamav crowdstrike defender deletion encryption fail2ban falco falcon firewall gatekeeper grant guardduty "
    "logging mfa monitor monitoring monitors networkpolicy protect protection protections quarantine ruleset "
    "scanning security selinux sso tripwire waf webhookconfiguration"
)
GUARDS = frozenset(_GUARDS.split())
"""What protects, watches or keeps: parts of the names of options, verbs and things."""

_OFFS = "bypass deactivate delete detach disable disabled false mute never no none off remove silence skip"
OFFS = frozenset(_OFFS.split())
_STOPS = "deactivate disable halt off poweroff reboot shutdown unload unregister"
STOPS = frozenset(_STOPS.split())
"""Words that switch off; those that do so whatever stands beside them."""

CUTS = str.maketrans(dict.fromkeys(",;\"'[]{}() ", " "))

REQUESTS = frozenset(["curl", "http", "https", "xh", "wget"])
CHANGES = ("-X", "--request", "-d", "--data", "-F", "--form", "-T", "--upload", "--json", "--post", "--method")
SCRIPTED = frozenset(["delete", "hidden", "empty", "erase", "send", "remove"])
"""What one program tells another to do in a script of AppleScript, and nobody brings back."""


def _parts(word: str) -> list[str]:
    """The words in a word: `db:reset`, `delete-job`, `erase_flash`, `prod1`."""
    for sign in ":_.=/@,":
        word = word.replace(sign, "-")
    return [part.rstrip("0123456789") for part in word.lower().split("-")]


def _stores(parts: Iterable[str]) -> bool:
    """One of the words names what holds data."""
    return any(part in STORES or f"-{part}".endswith(THINGS) for part in parts)


def _tasks(command: Command) -> list[str]:
    """What the project calls what is run: names of tasks, names of scripts."""
    program, words = command.program, command.words
    if program in TASKS:
        named = [word for word in _operands(command) if "/" not in word and " " not in word and word[0] != "@"]
        if named and program in PACKAGERS:
            return named[1:2] * (named[0] in ("run", "run-script", "task"))
        return [] if named and named[0] in ("dlx", "exec", "x", "create", "add", "remove") else named
    script = words[1] if HOMES.get(program) in CODE and len(words) > 1 else words[0] if not _known(program) else ""
    return [script.rpartition("/")[2].partition(".")[0]] if "/" in script else []


def _does(command: Command) -> str:
    """The rule that a task of the project meets by its name: "" where it says nothing, or that it only rehearses."""
    options = {part for word in command.words[1:] if word[:1] == "-" and word[:5] != "--no-" for part in _parts(word)}
    for name in _tasks(command) if options.isdisjoint(SHOWS) and "dry-run" not in command.words else ():
        parts = set(_parts(name))
        real = not PRODUCTION.isdisjoint(parts) and not DATA.isdisjoint(parts)
        if "clean" in parts and not parts.isdisjoint(STORES):
            return "service.destroy"
        if not real and not REHEARSES.isdisjoint(parts):
            continue
        if not SURELY.isdisjoint(parts) or (not EMPTIES.isdisjoint(parts) and _stores(parts)):
            return "service.destroy"
        if not RELEASES.isdisjoint(parts if "send" in parts and parts != {"send"} else parts - MESSAGES) or real:
            return "service.release"
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


def _far(command: Command) -> bool:
    """A program that works elsewhere, or one of which nothing is known; a request that changes something."""
    program = command.program
    if program in REQUESTS:
        return any(word.startswith(CHANGES) for word in command.words[1:])
    return not _known(program) or HOMES.get(program) in ROOMS or program in CARRIERS


def _verbs(command: Command) -> Iterator[str]:
    """What may be verbs of a program: its first words, whole and in parts, before one that says it only looks."""
    for word in _operands(command)[:4]:
        if word in LOOKS or word.startswith(ASKS):
            return
        if "/" not in word and " " not in word and len(word) < 32:
            yield word.lower()
            yield from _parts(word)
    for word in () if _known(command.program) else command.words[1:]:
        if (word[:1] == "-" and word.lstrip("-").lower().startswith(OPTED)) or word in ("-rm", "-del"):
            yield "delete"


def _hands_on(command: Command) -> bool:
    """A program that nothing here knows names another, which is judged by itself."""
    if _known(command.program) or command.program in BY_PROGRAM:
        return False
    for word in command.words[1:]:
        first = (word.partition("=")[2] if word[:2] == "--" else word).partition(" ")[0]
        if leads(first) or (first in BY_PROGRAM and first not in ENDS):
            return True
    return False


def _ends(command: Command, listed: bool) -> bool:
    """Something is gone then, by the words of a command, or by its program's name."""
    verbs, program = set(_verbs(command)), command.program
    unasked = not UNASKED.isdisjoint(command.words)
    if program == "osascript":
        return any(not SCRIPTED.isdisjoint(word.lower().split()) for word in command.words[1:])
    kept = program in ("docker", "podman", "nerdctl") and not unasked  # what runs or is used stays
    if listed and not kept and not REMOVES.isdisjoint(verbs) and HOMES.get(program) not in HANDLED:
        return True
    if _known(program) or program in BY_PROGRAM:
        there = HOMES.get(program) in ROOMS or not _known(program)
        emptied = not EMPTIES.isdisjoint(verbs) and _stores(verbs)
        if room(program) == "building" and unasked and not SURELY.isdisjoint(verbs):
            return not STORES.isdisjoint(verbs)
        return there and (emptied or not ENDS.isdisjoint(verbs) or (unasked and not GONE.isdisjoint(verbs)))
    named = (" " not in program and program.lower().startswith(DOES)) or program.lower().endswith(DOES)
    weak = not WEAK.isdisjoint(verbs) and (unasked or command.fed or _stores(verbs))
    return named or weak or not ENDS.isdisjoint(verbs)


def _names(word: str) -> bool:
    """A word names production, and is neither a file of the project nor a text."""
    low = word.lower()
    if low.endswith((*FILES, "=false")) or (" " in low and "=" not in low.strip().partition(" ")[0]):
        return False
    return low == "--live" or not PRODUCTION.isdisjoint([one for part in low.split() for one in _parts(part)])


def _looks(command: Command) -> bool:
    """Nothing is changed: one of its first words says so."""
    words = command.words[1:9]
    return any(word in LOOKS or word.startswith(ASKS) or word.lower().startswith(QUERIES) for word in words)


def _opens(word: str) -> bool:
    """A right for everybody, or to do everything."""
    low = word.lower()
    return low.endswith(":public") or not EVERYBODY.isdisjoint(
        (low, *low.translate(CUTS).split(), low.rpartition("=")[2])
    )


def _gives(command: Command) -> bool:
    """One of its first words says that others get something, or are told it."""
    texts = command.words
    first = [texts[at] for at in range(1, min(4, len(texts))) if "-" not in (texts[at][:1], texts[at - 1][:1])]
    words = [word for word in first if UNKNOWN not in word and "/" not in word and "." not in word]
    named = [part for word in words for part in _parts(word)]
    named += [part for part in _parts(command.program) if part in ("pub", "publish", "post")]
    return not (RELEASES | {"pub"}).isdisjoint(named) or not {"--broadcast", "--send"}.isdisjoint(command.words)


def _unguards(command: Command) -> bool:
    """What protects or watches is switched off: both words stand in one option, or among the verbs and their things."""
    words = command.words
    texts = [f"{words[at]}={words[at + 1]}" for at in range(1, len(words) - 1) if words[at][:2] == "--"]
    texts += [word for word in words[1:] if word[:2] == "--" or "://" in word or word[:1] != "-" != word[-1:]]
    verbs = _operands(command)[:4]
    for parts in [_parts(word.lstrip("-")) for word in texts if " " not in word] + [_parts("-".join(verbs))]:
        if not GUARDS.isdisjoint(parts) and not OFFS.isdisjoint(parts):
            return True
    return not _known(command.program) and command.program not in BY_PROGRAM and not STOPS.isdisjoint(verbs)


def said(command: Command, listed: bool = False) -> tuple[str, str]:
    """The rule that a command's own words meet, and what they say; "" twice where nothing is destroyed, changed in
    production or opened. `listed`: a search says to what it is done.
    """
    if rehearses(command) or command.program.lower().startswith(ASKS):
        return "", ""
    stage = any(_names(value) for name, value in command.assigns if name in STAGES)
    host = any(_names(value) for name, value in command.assigns if name.endswith(TARGETS))
    if (stage and not DATA.isdisjoint(_verbs(command))) or (host and not _looks(command)):
        return "service.production", " ".join(command.words[:3])
    task = _does(command)
    if task:
        return task, " ".join(command.words[:3])
    if _hands_on(command):
        return "", ""
    if _ends(command, listed or (command.fed and UNKNOWN in "".join(command.words))):
        return "service.destroy", " ".join(command.words[:4])
    changes = _far(command) and not _looks(command)
    for rule, says in (("service.production", _names), ("service.open", _opens)) if changes else ():
        named = next((word for word in command.words[1:] if says(word)), "")
        if named:
            return rule, named
    if not changes:
        return "", ""
    strange = not (_known(command.program) or command.program in BY_PROGRAM or command.program[:1] == "-")
    root = strange and command.wrappers[-1:] == ("sudo",) and command.program not in VIEWERS and command.words[1:]
    rule = "service.root" if root else "service.unguarded" if _unguards(command) else ""
    rule = rule or ("service.release" if strange and _gives(command) else "")
    return rule, " ".join(command.words[:4]) if rule else ""


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
    real = not NAMED_SO.isdisjoint(names) or any(
        "use-context" in one.words and _names(one.words[-1]) for one in found.commands
    )
    searches = {one.program for one in found.commands if one.held == WORD}
    for command in read:
        rule, what = said(command, command.program in searches and UNKNOWN in command.words)
        open_ = lent or command.program in CARRIERS or UNKNOWN in "".join(command.words)
        if id(command) not in own:  # words of the outer one may stand behind it: what it names is told of that one
            rule = rule if rule == "service.destroy" else ""
        elif not rule and real and open_ and _far(command) and not _looks(command) and not rehearses(command):
            rule, what = "service.production", " ".join(command.words[:3])
        if rule:
            yield rule, Effect("network", what, command.program, command.words[:400], source=command.source)
