"""Run validators, as scripts are run: an argument list and no shell, a deadline, a process group, bounded output, and
their environment. Each once for a content, whoever asks; those that need nothing of each other at the same time.
"""

from __future__ import annotations

import posix

from jackline import host, paths, system
from jackline.runners import script as runner
from jackline.script import CHANGED, Script
from jackline.scripts import messages, running
from jackline.scripts.environment import environment
from jackline.services.validators import content, results
from jackline.services.validators.place import place
from jackline.services.validators.results import Result
from jackline.staleness import content as file_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NamedTuple

    from jackline.script import Outcome
    from jackline.services.validators.listing import Validator
else:
    from jackline._record import NamedTuple

AT_ONCE = 4
"""Validators that run at the same time, at most."""
ROUNDS = 2
"""How often one is run whose files change meanwhile."""
MOVES = "the files it judges change while it runs · name them more closely in its `paths`"
USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"


class Tree(NamedTuple):
    """Where validators run, for whom: `session` is the folder of a session or "", `sid` its id, `client` its agent.

    `folder` is the folder of the session whose plan it is about, where that is not the one that runs them.
    """

    store: str
    root: str
    env: Mapping[str, str]
    session: str = ""
    sid: str = ""
    client: str = ""
    folder: str = ""


# --- one program ---------------------------------------------------------------------------------------------------


def _found(word: str, tree: Tree) -> str:
    """The file that a command's first word means; "" where there is none."""
    if "/" in word:
        return paths.resolve(tree.root, word)
    for folder in (tree.env.get("PATH") or USUAL_PATH).split(":"):
        path = f"{folder}/{word}"
        if folder[:1] == "/" and system.size_of(path) >= 0 and system.executable(path):
            return path
    return ""


def _words(one: Validator) -> tuple[tuple[str, ...], str]:
    """The command with the program that was trusted in its place, and why it cannot run."""
    if one.program is None:
        return one.command, ""
    at, path, wanted = one.program
    words = (*one.command[:at], path, *one.command[at + 1 :])
    return words, "" if file_digest(path).hex() == wanted else f"{path.rpartition('/')[2]} {CHANGED}"


def result_of(one: Validator, mark: str, made: Outcome) -> Result:
    """What a run comes to."""
    now, took = host.now() // 1_000_000, round(made.ms)
    return Result(one.id, mark, made.ok, made.exit, took, now, made.late, made.fault, messages.output(made))


def _run_script(one: Validator, script: Script, tree: Tree, mark: str) -> Result:
    """Run a file script as the end of a turn does, on the files that changed since the last commit."""
    from jackline.site_paths import open_roots

    open_roots()  # the entry point's interpreter sees no site-packages
    from jackline.scripts import changes, turn

    at = tree.session or place(tree.store, tree.root)
    try:
        known = changes.look(tree.root, {}, env=tree.env).files
    except changes.ChangesError as fault:
        return Result(one.id, mark, False, 0, at=host.now() // 1_000_000, fault=str(fault))
    there = [name for name, entry in known.items() if entry.digest != changes.GONE]
    files = content.of_script(script, there)
    if not files:  # it would not run at the end of a turn
        return Result(one.id, mark, True, at=host.now() // 1_000_000)
    run = turn.child(at, tree.root, tree.env, session=tree.sid, event="validator", client=tree.client)
    return result_of(one, mark, run(script, files, float(one.timeout)))


def _objection(one: Validator, tree: Tree) -> str:
    """Why words of an agent are not run now, "" where its own call would run, and nobody be asked."""
    from jackline.services import guards

    session = guards.Session(tree.store, tree.root, tree.sid, "", tree.folder or tree.session, tree.client, tree.env)
    return guards.judge(guards.text_of(one.command), session, every=True).why


def _run(one: Validator, tree: Tree, mark: str) -> Result:
    """Run it once."""
    if one.script is not None:
        return _run_script(one, one.script, tree, mark)
    words, fault = _words(one)
    fault = fault or (_objection(one, tree) if one.spoken else "")
    program = "" if fault else _found(words[0], tree)
    if not program:
        cure = "install it" if one.spoken else "install it, or mend the row in .ai/hooks/validators.yaml"
        why = fault or f"{one.command[0]} is not there · {cure}"
        return Result(one.id, mark, False, 127, at=host.now() // 1_000_000, fault=why)
    script = Script(one.id, "file", program, file_digest(program))
    env = environment(tree.env, script, root=tree.root, session=tree.sid, event="validator", client=tree.client)
    pids: list[int] = []

    def started(pid: int) -> None:
        pids.append(pid)
        if tree.session:
            running.note(tree.session, pid)

    try:
        made = runner.run(
            script, root=tree.root, env=env, arguments=words[1:], limit_s=float(one.timeout), started=started
        )
    finally:
        for pid in pids if tree.session else ():
            running.forget(tree.session, pid)
    return result_of(one, mark, made)


def _settled(one: Validator, tree: Tree) -> Result:
    """Run it on content that stays as it is meanwhile: of other runs nobody knows what they judged."""
    mark = content.of(one, content.look(tree.root, tree.env))
    for _ in range(ROUNDS):
        made = _run(one, tree, mark)
        after = content.of(one, content.look(tree.root, tree.env))
        if after == mark or made.fault:
            return made
        mark = after
    return made._replace(content=mark, ok=False, fault=MOVES)


def compute(one: Validator, tree: Tree, wait_ms: int = 0, *, again: bool = False) -> Result | None:
    """What comes of a validator on the present content: kept, or computed now. None where another process is at it for
    longer than `wait_ms`. `again`: what is red is run once more. Raises Unknown, OSError.
    """
    mark = content.of(one, content.look(tree.root, tree.env))
    known = results.read(tree.store, tree.root, one, mark)
    if known is not None and (known.ok or not (again or known.fault)):
        return known
    begun = host.now() // 1_000_000
    system.make_dirs(place(tree.store, tree.root))
    held = system.lock(results.lock_path(tree.store, tree.root, one), wait_ms)
    if held < 0:
        return None
    try:
        mark = content.of(one, content.look(tree.root, tree.env))
        known = results.read(tree.store, tree.root, one, mark)
        if known is not None and (known.ok or known.at >= begun or not (again or known.fault)):
            return known
        made = _settled(one, tree)
        results.write(tree.store, tree.root, one, made)
        return made
    finally:
        system.close(held)


# --- several -------------------------------------------------------------------------------------------------------


def _apart(one: Validator, tree: Tree, wait_ms: int, again: bool) -> int:
    """Compute it in a process of its own, which leaves its result in the store; the number of that."""
    pid = posix.fork()
    if pid:
        return pid
    code = 1
    try:
        compute(one, tree, wait_ms, again=again)
        code = 0
    except BaseException as fault:  # noqa: BLE001 - nothing of ours may go on in the child
        from jackline.store.crash import report
        from jackline.version import VERSION

        if not isinstance(fault, (KeyboardInterrupt, content.Unknown)):
            report(tree.store, fault, {"where": f"validator {one.id}"}, VERSION)
    finally:
        system.leave(code)
    return 0


def _ready(waiting: Sequence[Validator]) -> list[Validator]:
    """Those that wait for nothing of the others any more."""
    names = {one.id for one in waiting}
    return [one for one in waiting if not (names - {one.id}).intersection(one.needs)]


def _together(rows: Sequence[Validator], tree: Tree, wait_ms: int, again: bool) -> dict[str, Result | None]:
    if len(rows) == 1:
        return {rows[0].id: compute(rows[0], tree, wait_ms, again=again)}
    for at in range(0, len(rows), AT_ONCE):
        for pid in [_apart(one, tree, wait_ms, again) for one in rows[at : at + AT_ONCE]]:
            try:
                posix.waitpid(pid, 0)
            except ChildProcessError:  # whoever ignores the end of children has seen it
                continue
    files = content.look(tree.root, tree.env)
    return {one.id: results.read(tree.store, tree.root, one, content.of(one, files)) for one in rows}


def compute_all(
    rows: Sequence[Validator], tree: Tree, wait_ms: int = 0, *, again: bool = False
) -> dict[str, Result | None]:
    """What comes of validators on the present content, by name. None for one that another process is at, or that was
    not run because one that it needs did not pass. Raises Unknown, OSError.
    """
    done: dict[str, Result | None] = {}
    waiting = [*rows]
    while waiting:
        level = _ready(waiting)
        if not level:  # a circle of needs
            return done | {one.id: None for one in waiting}
        run = [one for one in level if all(name not in done or _is_ok(done[name]) for name in one.needs)]
        done |= {one.id: None for one in level}
        if run:
            done |= _together(run, tree, wait_ms, again)
        waiting = [one for one in waiting if one.id not in done]
    return done


def _is_ok(result: Result | None) -> bool:
    return result is not None and result.ok


def start(rows: Sequence[Validator], tree: Tree) -> None:
    """Compute them in a process that outlives us. Of those who ask while one runs, one waits for its turn."""
    from jackline.scripts.detached import detach

    def work() -> None:
        longest = max(one.timeout for one in rows) * 1000
        folder = place(tree.store, tree.root)
        system.make_dirs(folder)
        names = "-".join(sorted(one.digest[:4] for one in rows))[:100]
        turn = system.lock(f"{folder}/{names}.next.lock", 0)
        if turn < 0:  # somebody waits already, and will look at what there is then
            return
        held = [system.lock(results.lock_path(tree.store, tree.root, one), longest) for one in rows]
        for fd in held:
            system.close(fd)
        system.close(turn)
        compute_all(rows, tree, longest)

    if rows:
        detach(work, store=tree.store)
