"""What is done on trial, or to what is there to be tried: dry runs, clusters of this machine, databases of tests."""

from __future__ import annotations

from jackline.features.command_guard.lexicon import parts_of
from jackline.features.command_guard.pipelines import HERE
from jackline.features.command_guard.rules import vocabulary
from jackline.shell.model import Command, Effects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


TRIED = frozenset(["test", "tests", "testing", "tmp", "temp", "scratch", "sandbox", "e2e", "ci"])
"""Parts of the names of what is there to be tried."""


def tried(name: str) -> bool:
    """A database or table that is there to be tried, or lies where temporary things do."""
    last = name.partition("?")[0].rpartition("/")[2]
    return name.startswith(("/tmp/", ":memory:")) or not TRIED.isdisjoint(parts_of(last))


BASES = ("-d", "-D", "--dbname", "--database", "--db")

TRIES = vocabulary(
    "--preview --what-if --whatif -whatif -WhatIf --noop --no-op --simulate --just-print --plan-only --dry "
    "--list-hosts --list-tasks --dump-sql --show-sql --pretend --print-only --no-act --dry-run --dryrun --dryRun -help "
    "--fake --preview-only --validate_only --dry-run=client --dry-run=server --dry-run=true --help --assumeno --sandbox"
)
BARE = vocabulary(
    "--all --allow-dirty --build --force --no-git-checks --no-verify --provenance --recursive --verbose --workspace "
    "--yes -r -y -- --delete --drop --if-exists --prune --clean --set-upstream"
)
"""Options by which nothing is done; behind another option the word may be its value, but for those without one."""


def tries(words: Sequence[str]) -> bool:
    """Nothing is done: it is a trial, or asks for help."""
    if TRIES.isdisjoint(words) or "--dry-run=false" in words or "--no-dry-run" in words:
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
    **dict.fromkeys(("apt", "apt-get", "aptitude"), ("-s", "--recon")), "alembic": ("--sql",),
    **dict.fromkeys(("redis-cli", "valkey-cli"), ("COMMAND", "command", "HELP", "help")),
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
