"""The variables a script gets: the call's own without tokens and traps, and what it needs to know of the moment."""

from __future__ import annotations

from jackline.clients.secrets import PREFIXES
from jackline.store.secret_names import names_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jackline.script import Script

MOST = 100_000
"""Bytes of the variable that lists changed files; more are given in batches."""

SHAPES = ("sk-ant-", "sk-proj-", "ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "AIza")
"""What client tokens begin with, whatever the variable is called."""
OURS = ("JACKLINE_", "DISCOBOT_")
TRAPS = ("LD_", "DYLD_", "BASH_FUNC_")
TRAP = frozenset(("BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "GLOBIGNORE", "IFS", "CDPATH"))
"""Variables that make an interpreter run or load something besides the script, or read it otherwise."""


def _is_kept(name: str, value: str, wanted: tuple[str, ...]) -> bool:
    if name.startswith((*OURS, *TRAPS)) or name in TRAP or not name or "=" in name or "\0" in name + value:
        return False
    if name in wanted:
        return True
    return not (name.upper().startswith(PREFIXES) or names_secret(name) or value.startswith(SHAPES))


def safe_name(name: str) -> str:
    """A file's name as a script gets it: one that begins like an option is no option."""
    return "./" + name if name[:1] == "-" else name


def as_variable(files: Iterable[str]) -> str:
    """The variable's form: names with a blank inside are left to the list."""
    return " ".join([safe_name(name) for name in files if len(name.split()) == 1 and name.strip() == name])


def as_list(files: Iterable[str]) -> bytes:
    """The list's form: every name, each ended by NUL."""
    return b"".join([safe_name(name).encode("utf-8", "surrogateescape") + b"\0" for name in files])


def batches(files: Sequence[str], most: int = MOST) -> list[tuple[str, ...]]:
    """`files` in their order, cut where the variable would grow beyond `most` bytes; at least one batch."""
    made: list[tuple[str, ...]] = []
    batch: list[str] = []
    size = 0
    for name in files:
        bytes_of = len(safe_name(name).encode("utf-8", "surrogateescape")) + 1
        if batch and size + bytes_of > most:
            made.append(tuple(batch))
            batch, size = [], 0
        batch.append(name)
        size += bytes_of
    return [*made, tuple(batch)]


def _safe(value: str) -> str:
    """A value that an environment can hold: what a client sent may have NUL or half a character in it."""
    value = value.replace("\0", "")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value


def environment(
    call_env: Mapping[str, str],
    script: Script,
    *,
    root: str,
    session: str = "",
    event: str = "",
    client: str = "",
    agent: str = "",
    turn: int = 0,
    files: Sequence[str] | None = None,
    files_list: str = "",
    attempt: int = 0,
    verdict: str = "",
) -> dict[str, str]:
    """All variables of one run. `files` None: this run is about no files; `files_list`: where `listed` was written."""
    made = {name: value for name, value in call_env.items() if _is_kept(name, value, script.env)}
    facts = {
        "SESSION_ID": session,
        "WORKSPACE": root,
        "HOOK_TYPE": script.type,
        "EVENT": event,
        "CLIENT": client,
        "AGENT_ID": agent,
        "TURN": str(turn),
        "SCRIPT": script.key,
        "VERDICT": verdict,
    }
    if attempt:
        facts["ATTEMPT"] = str(attempt)
    if files is not None:
        facts["CHANGED_FILES"] = as_variable(files)
        facts["CHANGED_FILES_LIST"] = files_list
    made.update({f"JACKLINE_{name}": _safe(value) for name, value in facts.items() if value})
    for name in ("SESSION_ID", "WORKSPACE", "HOOK_TYPE", "CHANGED_FILES"):
        if name in facts:
            made[f"DISCOBOT_{name}"] = _safe(facts[name])
    if files is not None:
        made["JACKLINE_CHANGED_FILES"] = made["DISCOBOT_CHANGED_FILES"]
    return made
