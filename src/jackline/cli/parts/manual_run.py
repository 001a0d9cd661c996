"""Scripts that a person starts: which files they are given, one run after the other, and how it looks meanwhile.

On a terminal a line tells what runs and for how long; elsewhere there is a line for each script that has ended.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from jackline import git, host, paths
from jackline.cli.parts.printer import Printer, clean, foreign, style_of, text
from jackline.cli.parts.setting import Setting
from jackline.model import Action
from jackline.runners import script as runner
from jackline.script import TIMEOUTS, Outcome, Script
from jackline.scripts import changes, messages
from jackline.scripts.answers import answer
from jackline.scripts.commit import skipped_keys
from jackline.scripts.environment import as_list, batches, environment
from jackline.scripts.patterns import Index

FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
HIDE, SHOW, WIPE = "\x1b[?25l", "\x1b[?25h", "\r\x1b[2K"
GIT_S = 60.0
ROOM = 4
"""Columns that stay free at the line's end: a terminal echoes `^C` there."""
DIFFERS = ("--name-only", "-z", "--no-renames", "--diff-filter=ACMT")


class Task(NamedTuple):
    """One script to run. `files` None: it is about no files; `why`: it is not run."""

    script: Script
    files: tuple[str, ...] | None = None
    stdin: bytes = b""
    event: str = ""
    why: str = ""


class Done(NamedTuple):
    """What became of a task."""

    task: Task
    outcome: Outcome
    action: Action | None = None  # what an event script's answer means

    @property
    def ok(self) -> bool:
        """Whether it did its work: an event script does when it decides, too."""
        return self.outcome.ok or bool(self.action and self.action.decision)

    @property
    def data(self) -> dict[str, Any]:
        script, outcome = self.task.script, self.outcome
        made: dict[str, Any] = {"script": script.key, "name": script.name, "type": script.type}
        if self.task.why:
            return made | {"result": "skipped", "why": self.task.why}
        made |= {"result": "success" if self.ok else "failure", "exit": outcome.exit, "ms": round(outcome.ms)}
        made |= {"files": None if self.task.files is None else list(self.task.files)}
        if self.action is not None:
            made |= {"decision": self.action.decision, "reason": self.action.reason}
            made |= {"context": [said for _, said in self.action.additional_context]}
            made |= {"warnings": list(self.action.warnings)}
        return made | {"output": messages.output(outcome)}


# --- files ---------------------------------------------------------------------------------------------------------


def _named(setting: Setting, data: bytes) -> list[str]:
    names = [name.decode("utf-8", "surrogateescape") for name in data.split(b"\0") if name]
    return sorted(name for name in names if os.path.isfile(setting.root / name))


def _git(setting: Setting, *words: str) -> list[str]:
    try:
        return _named(setting, git.run(str(setting.root), *words, env=setting.env, deadline=GIT_S))
    except git.GitError as fault:
        raise click.ClickException(f"git {words[0]} · {fault}") from None


def _commit(setting: Setting, ref: str) -> str:
    try:
        told = git.run(str(setting.root), "rev-parse", "--verify", "-q", "--end-of-options", f"{ref}^{{commit}}",
                       env=setting.env)  # fmt: skip
    except git.GitError:
        raise click.UsageError(f"{ref!r} is no commit here (a shallow clone may lack it)") from None
    return told.decode().strip()


def between(setting: Setting, old: str, new: str) -> list[str]:
    """Files that the commits of `new` changed since they left `old`, as they are in the work tree."""
    _needs_git(setting)
    first, last = _commit(setting, old), _commit(setting, new)
    try:
        first = git.run(str(setting.root), "merge-base", first, last, env=setting.env).decode().strip() or first
    except git.GitError:  # nothing in common, or too shallow a clone to know: what differs between the two
        pass
    return _git(setting, "diff-tree", "-r", *DIFFERS, first, last)


def everything(setting: Setting) -> list[str]:
    """All files git knows; without git all files but what is commonly ignored."""
    if setting.in_repository:
        return _git(setting, "ls-files", "-z", "-c", "--")
    try:
        return changes.walk(str(setting.root))
    except changes.ChangesError as fault:
        raise click.ClickException(str(fault)) from None


def staged(setting: Setting) -> list[str]:
    """Files that the next commit would change, as they are in the work tree."""
    _needs_git(setting)
    base = git.head(str(setting.root), setting.env) or git.EMPTY_TREE
    return _git(setting, "diff-index", "--cached", *DIFFERS, base)


def dirty(setting: Setting) -> list[str]:
    """Files that differ from the last commit, or are new and not ignored; without git all of them."""
    if not setting.in_repository:
        return everything(setting)
    try:
        found = git.changed_files(str(setting.root), setting.env, deadline=GIT_S)
    except git.GitError as fault:
        raise click.ClickException(str(fault)) from None
    return [name for name in found if os.path.isfile(setting.root / name)]


def _needs_git(setting: Setting) -> None:
    if not setting.in_repository:
        raise click.UsageError("no git repository here; name the files, or take --all-files")


def given(setting: Setting, names: Iterable[str]) -> list[str]:
    """Files that a person named, relative to the project."""
    made = []
    for name in names:
        path = paths.resolve(os.getcwd(), name, host.home())
        inside = paths.within(str(setting.root), path)
        if inside.startswith("/") or inside == ".":
            raise click.UsageError(f"{name} is not in {setting.short(setting.root)}")
        made.append(inside)
    return sorted(set(made))


# --- tasks ---------------------------------------------------------------------------------------------------------


def tasks(scripts: Sequence[Script], names: Iterable[str], env: Mapping[str, str]) -> list[Task]:
    """The scripts with their files: a file script with those it asks for, a pre-commit script with all."""
    index, skip = Index(names), skipped_keys(env.get("JACKLINE_SKIP", ""))
    made = []
    for script in scripts:
        files: tuple[str, ...] | None = None
        why = "JACKLINE_SKIP" if script.key in skip or "all" in skip else ""
        if script.type == "file":
            files = tuple(index.select(script.pattern, script.exclude))
            why = why or ("" if files else "no file for it")
        elif script.type == "pre-commit":
            files = tuple(index.paths)
            why = why or ("" if files else "no file for it")
        made.append(Task(script, files, why=why))
    return made


# --- runs ----------------------------------------------------------------------------------------------------------


class Progress:
    """The line that tells what runs. Nothing of it is left when it is over."""

    def __init__(self, printer: Printer, count: int) -> None:
        self.printer, self.count = printer, count
        self.live = printer.console.is_terminal and not printer.console.is_dumb_terminal
        self.at, self.begun, self.name, self.frame = 0, 0, "", 0

    def begin(self, script: Script) -> None:
        self.at += 1
        self.begun, self.name = host.clock(), clean(script.name or script.key)
        self.draw()

    def draw(self) -> bool:
        """Tell how long it runs; always wanted (asked five times a second by the runner)."""
        if self.live:
            self.frame += 1
            seconds = (host.clock() - self.begun) // 1_000_000_000
            rest = text((f"  {seconds} s", "head"), (f"  {self.at} of {self.count}" if self.count > 1 else "", "quiet"))
            line = text((FRAMES[self.frame % len(FRAMES)] + " ", "name"), self.name)
            line.truncate(max(self.printer.width - rest.cell_len - ROOM, ROOM), overflow="ellipsis")
            line.append_text(rest)
            self.printer.stream.write(HIDE + WIPE + self.printer.drawn(line))
            self.printer.stream.flush()
        return True

    def end(self) -> None:
        if self.live:
            self.printer.stream.write(WIPE + SHOW)
            self.printer.stream.flush()


def _child(task: Task, setting: Setting, session: str, wanted: Callable[[], bool]) -> Outcome:
    """One script, in batches where its files fill the variable."""
    script = task.script
    whole = Outcome()
    with tempfile.TemporaryDirectory(prefix="jackline-") as scratch:
        for batch in batches(task.files) if task.files is not None else [None]:
            told = f"{scratch}/files"
            if batch is not None:
                Path(told).write_bytes(as_list(batch))
            env = environment(
                setting.env, script, root=str(setting.root), session=session, event=task.event, files=batch,
                files_list=told if batch is not None else "",
            )  # fmt: skip
            one = runner.run(
                script, root=str(setting.root), env=env, stdin=task.stdin,
                limit_s=script.timeout or TIMEOUTS[script.type], wanted=wanted, writable=(scratch,),
            )  # fmt: skip
            whole = one.after(whole)
            if not one.ok:
                break
    return whole


def took(ms: float) -> str:
    """A duration as a person reads it."""
    return f"{ms:.0f} ms" if ms < 950 else f"{ms / 1000:.1f} s" if ms < 60_000 else f"{ms // 60_000:.0f} min"


def ended(outcome: Outcome) -> str:
    """How a failed run ended, in words."""
    if outcome.fault:
        return outcome.fault
    if outcome.late:
        return f"its {outcome.ms / 1000:.0f} s were over"
    return f"signal {-outcome.exit}" if outcome.exit < 0 else f"exit {outcome.exit}"


def _show(printer: Printer, done: Done, output: bool) -> None:
    task, outcome, action = done.task, done.outcome, done.action
    name = task.script.name or task.script.key
    if task.why:
        printer.line(("– ", "quiet"), name, (f"  {task.why}", "quiet"))
        return
    files = "" if task.files is None else f"  {len(task.files)} file{'s' * (len(task.files) != 1)}"
    rest = (f"{files}  {took(outcome.ms)}", "quiet")
    if not done.ok:
        printer.line(("✗ ", "bad"), name, (f"  {ended(outcome)}", "bad"), rest)
    elif action is not None and action.decision:
        said = (f"  {action.decision}", style_of(action.decision))
        printer.line(("✓ ", "good"), name, said, f"  {action.reason}" if action.reason else "", rest)
    else:
        printer.line(("✓ ", "good"), name, rest)
    said_by_it = messages.output(outcome)
    if said_by_it and (output or not done.ok):
        for line in said_by_it.splitlines():
            printer.whole(foreign("  " + line))
    for line in action.warnings if action is not None and done.ok else ():
        printer.line(("! ", "warn"), line, indent=2)


def run_all(
    setting: Setting,
    printer: Printer | None,
    todo: Sequence[Task],
    *,
    session: str = "",
    output: bool = False,
    tell: Callable[[Script, Outcome], None] | None = None,
) -> list[Done]:
    """Run every task, whatever fails, and show it (not without a printer). `tell` hears of each that ran."""
    made = []
    progress = Progress(printer, sum(not task.why for task in todo)) if printer is not None else None
    for task in todo:
        outcome = Outcome()
        if not task.why:
            try:
                if progress is not None:
                    progress.begin(task.script)
                outcome = _child(task, setting, session, progress.draw if progress is not None else lambda: True)
            finally:
                if progress is not None:
                    progress.end()
            if tell is not None:
                tell(task.script, outcome)
        decides = bool(task.event) and not task.why
        made.append(Done(task, outcome, answer(task.script, outcome, task.event) if decides else None))
        if printer is not None:
            _show(printer, made[-1], output)
    return made


def failures(done: Iterable[Done]) -> list[str]:
    return [one.task.script.key for one in done if not one.task.why and not one.ok]


def summary(printer: Printer, done: Sequence[Done]) -> None:
    """The last line."""
    ran = [one for one in done if not one.task.why]
    bad = failures(done)
    skip = len(done) - len(ran)
    parts = [(f"{len(ran) - len(bad)} passed", "good")] if len(ran) > len(bad) or not bad else []
    parts += [(f"{len(bad)} failed", "bad")] if bad else []
    parts += [(f"{skip} skipped", "quiet")] if skip else []
    line: list[Any] = []
    for at, part in enumerate(parts):
        line += [" · ", part] if at else [part]
    printer.line(*line, (f"  in {took(sum(one.outcome.ms for one in ran))}", "quiet"))
