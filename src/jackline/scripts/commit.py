"""The scripts of a commit: run in their order where the person sees them, until one fails. Silent when all is well."""

from __future__ import annotations

import posix

from jackline import host, paths, system
from jackline.runners import foreground
from jackline.script import CHANGED, Outcome
from jackline.scripts.environment import as_list, batches, environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jackline.script import Script

PASS = 0
STOP = 1


def skipped_keys(text: str) -> frozenset[str]:
    """The keys that `JACKLINE_SKIP` names; `all` is one of them."""
    return frozenset(text.replace(",", " ").split())


def say(text: str) -> None:
    """One line on stderr, its control characters made visible: names of files may hold any."""
    shown = "".join([char if char >= " " and char != "\x7f" else "?" for char in text])
    try:
        system.write_all(2, b"jackline \xc2\xb7 " + shown.encode("utf-8", "replace") + b"\n")
    except OSError:
        return


def _where(script: Script, root: str) -> str:
    return paths.within(root, script.path)


def complaint(script: Script, outcome: Outcome, root: str) -> str:
    """What was wrong, in the parts of every message: where, what, what to do next."""
    where = f"{script.name or script.key} ({_where(script, root)})"
    if outcome.fault == CHANGED:
        return f"{where} · {outcome.fault}, and was not run · commit again; a change that nobody trusted needs trust"
    if outcome.fault:
        return f"{where} · {outcome.fault} · the commit is stopped"
    if outcome.late:
        return f"{where} · not done after {script.timeout:g} s · the commit is stopped"
    ended = f"signal {-outcome.exit}" if outcome.exit < 0 else f"exit {outcome.exit}"
    return f"{where} · {ended} · the commit is stopped"


def _confined(script: Script, env: Mapping[str, str], root: str) -> Outcome:
    """A sandboxed script cannot be started in the foreground; its output is shown when it has ended."""
    from jackline.runners import script as captured

    outcome = captured.run(script, root=root, env=env, limit_s=script.timeout)
    try:
        system.write_all(foreground.SHOWN, outcome.out)
    except OSError:
        pass
    return outcome


def run(script: Script, root: str, env: Mapping[str, str], files: Sequence[str], scratch: str) -> Outcome:
    """Run one script on these files, in batches where their names fill the variable; the first failure ends it."""
    whole = Outcome()
    for batch in batches(files):
        at = f"{scratch}/staged.{host.pid()}"
        try:
            system.make_dirs(scratch)
            system.replace(at, as_list(batch))
        except OSError:
            at = ""
        try:
            given = environment(env, script, root=root, files=batch, files_list=at)
            if script.sandbox:
                outcome = _confined(script, given, root)
            else:
                outcome = foreground.run(script, given, script.timeout)
        finally:
            if at:
                system.unlink(at)
        whole = outcome.after(whole)
        if not outcome.ok:
            break
    return whole


def run_all(
    scripts: Sequence[Script],
    root: str,
    env: Mapping[str, str],
    files: Callable[[], Sequence[str]],
    scratch: str,
    tell: Callable[[Script, Outcome], None] | None = None,
) -> int:
    """Run the scripts of a commit in order in the work tree's root. The first failure stops: `STOP`, else `PASS`.

    `files` is asked once, when the first script runs; `scratch` is a folder for their list. `tell` hears every outcome.
    A sub-folder's script runs there, with the names of the files below it.
    """
    skip = skipped_keys(env.get("JACKLINE_SKIP", ""))
    if "all" in skip:
        return PASS
    names: Sequence[str] | None = None
    for script in scripts:
        if script.key in skip:
            continue
        if names is None:
            names = files()
        at = script.base or root
        inner = f"{paths.within(root, at)}/" if script.base else ""
        mine = [name[len(inner) :] for name in names if name.startswith(inner)] if inner else names
        posix.chdir(at)
        outcome = run(script, at, env, mine, scratch)
        if tell is not None:
            tell(script, outcome)
        if not outcome.ok:
            say(complaint(script, outcome, root))
            return STOP
    return PASS
