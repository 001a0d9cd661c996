"""What a command says of itself that it does elsewhere: by its own words, whatever its program.

No table knows every service's program. Yet all of them speak alike: they say that something is destroyed, they name
production, they name everybody. A program that we know judges its own words and is asked nothing here, but for those
that only carry a request to a service.
"""

from __future__ import annotations

from jackline.features.command_guard.packs import BY_PROGRAM, tries
from jackline.shell.model import UNKNOWN, Effect
from jackline.shell.programs import HOMES, room
from jackline.shell.rules.strange import leads
from jackline.shell.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jackline.features.command_guard.places import Ground
    from jackline.shell.model import Command, Effects

    Found = Iterable[tuple[str, Effect]]

_ENDS = (
    "burn decommission delete deprovision deregister destroy drop erase evict expire flash flashing forget nuke "
    "obliterate purge revoke suspend terminate undeploy unenroll unlock unpublish wipe yank"
)
ENDS = frozenset(_ENDS.split())
"""Verbs after which something is gone, or no longer as it was."""

GONE = ENDS | {"remove", "rm"}

_WEAK = "cancel clear close dedupe gc kill prune reset restore rm rollback stop"
WEAK = frozenset(_WEAK.split())
"""Verbs that may mean little; with one of `UNASKED` the program itself would have asked."""

UNASKED = frozenset(
    [
        *("--yes", "-y", "--force", "-force", "-f", "--no-confirm", "--non-interactive", "--noinput", "--auto-approve"),
        *("--all", "-a", "-A", "--quiet", "-q", "--purge", "-purge", "--prune", "--bypass-warning", "--batch"),
    ]
)
"""Options by which nobody is asked, or everything is meant."""


_LOOKS = (
    "annotate build check completion console context current-context describe diff doctor events exists "
    "explain fmt get graph help history info init inspect kustomize lint list log login logs ls monitor "
    "output package plan preview print ps query read render search select show status tag tail template top use "
    "use-context validate version view wait what-if whoami"
)
LOOKS = frozenset(_LOOKS.split())
"""Verbs that change nothing there."""

PRODUCTION = frozenset(["prod", "production", "prd", "mainnet"])
STAGES = ("RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_ENV")
"""Variables that say where a task works."""

DATA = frozenset(["db", "deploy", "import", "migrate", "migration", "reset", "restore", "rollback", "seed"])
"""What tasks are called that change what is stored."""

ASKS = ("get-", "list-", "describe-", "show-", "check-", "assess-")
QUERIES = ("select ", "show ", "explain ", "with ", "\\d", "\\l")
FILES = (".yaml", ".yml", ".json", ".tfvars", ".toml", ".env", ".sh", ".sql", ".csv", ".md", ".txt")
CARRIERS = frozenset(["kubectl", "oc"])
ROOMS = ("network.cloud", "network.talk")

_EVERYBODY = (
    "0.0.0.0/0 ::/0 allusers allauthenticatedusers public-read public-read-write cluster-admin administratoraccess "
    "roles/owner permission=admin role=admin role:root --allow-write"
)
EVERYBODY = frozenset(_EVERYBODY.split())
"""Whom a right is given that few should have, or what right: for everybody, or to do everything."""

CUTS = str.maketrans(dict.fromkeys(",;\"'[]{}() ", " "))

REQUESTS = frozenset(["curl", "http", "https", "xh", "wget"])
CHANGES = ("-X", "--request", "-d", "--data", "-F", "--form", "-T", "--upload", "--json", "--post", "--method")
SCRIPTED = frozenset(["delete", "empty", "erase", "send", "remove"])
"""What one program tells another to do in a script of AppleScript, and nobody brings back."""

NAMED = ("delete", "destroy", "drop", "erase", "purge", "wipe")
"""How programs are called that do nothing else."""


def _parts(word: str) -> list[str]:
    """The words in a word: `db:reset`, `delete-job`, `erase_flash`."""
    for sign in ":_.=/@,":
        word = word.replace(sign, "-")
    return word.lower().split("-")


def _operands(command: Command) -> list[str]:
    return [word for word in command.words[1:] if word[:1] != "-" and UNKNOWN not in word]


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


def _hands_on(command: Command) -> bool:
    """A program that nothing here knows names another, which is judged by itself."""
    if _known(command.program) or command.program in BY_PROGRAM:
        return False
    for word in command.words[1:]:
        first = (word.partition("=")[2] if word[:2] == "--" else word).partition(" ")[0]
        if leads(first) or (first in BY_PROGRAM and first not in ENDS):
            return True
    return False


def _ends(command: Command) -> bool:
    """Something is gone then, by the words of a command, or by its program's name."""
    verbs, program = set(_verbs(command)), command.program
    unasked = not UNASKED.isdisjoint(command.words)
    if program == "osascript":
        return any(not SCRIPTED.isdisjoint(word.lower().split()) for word in command.words[1:])
    if _known(program) or program in BY_PROGRAM:
        there = HOMES.get(program) in ROOMS or not _known(program)
        return there and unasked and not GONE.isdisjoint(verbs)
    named = (" " not in program and program.lower().startswith(NAMED)) or program.lower().endswith(NAMED)
    return named or not ENDS.isdisjoint(verbs) or ((unasked or command.fed) and not WEAK.isdisjoint(verbs))


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
    pieces = {low, *low.translate(CUTS).split(), low.rpartition("=")[2]}
    return low.endswith(":public") or not EVERYBODY.isdisjoint(pieces)


def said(command: Command) -> tuple[str, str]:
    """The rule that a command's own words meet, and what they say; "" twice where nothing is destroyed, changed in
    production or opened.
    """
    if tries(command.words):
        return "", ""
    stage = any(name in STAGES and _names(value) for name, value in command.assigns)
    if stage and not DATA.isdisjoint(_verbs(command)):
        return "service.production", " ".join(command.words[:3])
    if _hands_on(command):
        return "", ""
    if _ends(command):
        return "service.destroy", " ".join(command.words[:4])
    changes = _far(command) and not _looks(command)
    for rule, says in (("service.production", _names), ("service.open", _opens)) if changes else ():
        named = next((word for word in command.words[1:] if says(word)), "")
        if named:
            return rule, named
    return "", ""


def told(found: Effects, ground: Ground) -> Found:
    """What commands say of themselves."""
    for command in found.commands:
        rule, what = said(command)
        if rule:
            yield rule, Effect("network", what, command.program, command.words[:400], source=command.source)
