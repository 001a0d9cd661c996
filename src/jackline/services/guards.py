"""What the features that guard a session say to a command, before anybody runs it: the answer that the agent's own
shell call would get.

    answer = guards.judge("make migrate", guards.of_context(event, ctx))
    if not answer.passes: …                    # answer.decision is "deny" or "ask", answer.reason says why

Nobody is asked, nothing is granted, logged or written, and the command is not run. Which features guard is the hook
table's to say: those that are critical, in their order, as far as they are enforced and no person paused them. With
`every` all that a call meets is heard: the other features, the policy of phases, units that hold, scripts.
"""

from __future__ import annotations

from jackline import host, system
from jackline.builtin import builtin_table
from jackline.clients.facts import SHELL_TOOLS
from jackline.hook_table import load, path_of, trusted_path
from jackline.model import Action, Context, Event, HookRun, Ids
from jackline.policy.dispatch import dispatch
from jackline.policy.merge import merge
from jackline.runners import python
from jackline.shell.shell_state import TOLD
from jackline.store import pauses, session_index, state
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, NamedTuple

    from jackline.hook_table import HookSpec, HookTable
    from jackline.model import Verdict
else:
    from jackline._record import NamedTuple

PACKAGE = __file__.rpartition("/services/")[0]
EVENT = "PreToolUse"
RUNS = "EXECUTING"
"""The phase in which commands of a plan run."""
BUDGET_MS = 5_000.0
"""What features that are not critical share, where they are heard too."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-")
POWERSHELL = "PowerShell"


class Session(NamedTuple):
    """Whose command it would be. `work`: its task, "" for the one it is at; `folder`: the session's; `env`: the
    variables of its client.
    """

    store: str
    root: str
    sid: str
    work: str
    folder: str
    client: str = ""
    env: Mapping[str, str] = {}


class Answer(NamedTuple):
    """`decision`: `deny`, `ask`, or "" for no objection; `by`: who objects; `instead`: the command that would run."""

    decision: str = ""
    reason: str = ""
    by: tuple[str, ...] = ()
    instead: str = ""

    @property
    def passes(self) -> bool:
        """Whether the command would run as it is, and nobody be asked."""
        return not self.decision and not self.instead

    @property
    def why(self) -> str:
        """Why it does not pass, in a line; "" where it does."""
        if self.passes:
            return ""
        first = self.reason.partition("\n")[0]
        said = {"deny": "it is refused", "ask": "a person would be asked"}.get(self.decision)
        return f"{said}: {first}" if said else f"it would run as `{self.instead}`"


def of_context(event: Event, ctx: Context) -> Session:
    """The session that a feature is asked about."""
    store, ids = str(ctx.protected.get("store", "")), ctx.ids
    return Session(store, ctx.root, ids.session_id, ids.work_id, ctx.session_root, event.client, event.env)


def text_of(words: Sequence[str]) -> str:
    """An argument list as the text by which a shell would run it."""
    return " ".join([one if one and PLAIN.issuperset(one) else "'" + one.replace("'", "'\\''") + "'" for one in words])


# --- what is heard -------------------------------------------------------------------------------------------------


def _table(session: Session) -> HookTable:
    return load(path_of(session.store, slot(session.root))) or builtin_table(session.store)


def _rows(table: HookTable, paused: frozenset[str], *, every: bool) -> list[HookSpec]:
    """The features that are heard, in their order."""
    return [row for row in table.rows(EVENT) if (row.critical or every) and row.slug not in paused]


def _client(session: Session) -> str:
    """The client of a session: as it is given, or as the store has it."""
    if session.client:
        return session.client
    known = session_index.records(session.store)
    return next((str(record["client"]) for _, record in known if record["sid"] == session.sid), "")


def _event(command: str, session: Session, cwd: str, shell: str) -> Event:
    client = _client(session)
    tool = POWERSHELL if shell == "powershell" else SHELL_TOOLS.get(client, "Bash")
    env = session.env or host.environment()
    given: dict[str, Any] = {"tool": tool, "kind": "shell", "input": {"command": command}, "command": command}
    given |= {"client": client, "dialect": client, "root": session.root, "cwd": cwd or session.root}
    given |= {"home": env.get("HOME") or host.home(), "env": {name: env[name] for name in TOLD if name in env}}
    return Event(EVENT, **given)


def _state(session: Session) -> dict[str, Any]:
    """The session's state; empty where it has no folder any more."""
    try:
        at = system.descend(session.folder, ())
    except OSError:
        return {}
    try:
        return state.read(at, session.folder)
    finally:
        system.close(at)


def _protected(session: Session, table: HookTable, home: str) -> dict[str, Any]:
    return {
        "store": session.store,
        "package": PACKAGE,
        "home": home,
        "ancestors": host.ancestors,
        "paranoid": table.paranoid,
        "roots": table.places,
        "trusted": trusted_path(session.store, slot(session.root)),
    }


def _nowhere(row: HookSpec) -> None:
    """Nobody leaves this process: whoever hears us has a deadline of its own."""


def _rules(table: HookTable, event: Event) -> Iterator[HookRun]:
    """What the runtime's own rules say: to a command of a plan in the phase that runs it, and while a unit holds."""
    if table.enforce_phases:
        from jackline.services import phase_policy

        says, reason = phase_policy.judge(table.phase(RUNS), RUNS, event, event.home)
        if says == "deny":
            yield HookRun("phasePolicy", Action(decision="deny", reason=reason))
    if table.holds:
        yield HookRun("trust", Action(decision="ask", reason="\n".join(table.holds)))


def _scripts(table: HookTable, event: Event, ids: Ids, session: Session, ran: list[HookRun]) -> Iterator[HookRun]:
    if not table.scripted(EVENT):
        return
    from jackline.site_paths import open_roots, take

    open_roots()
    paused = pauses.paused_slugs(session.store, session.root, host.now() // 1_000_000)
    scripts = [one for one in table.scripts(EVENT) if not {one.key, f"script:{one.key}"} & paused]
    env = session.env or host.environment()
    heard = take("jackline.services.script_verdicts").heard
    yield from heard(scripts, event, ids, env, lambda: merge(event, ran, owner=table.rewrite_owner).decision)


def judge(command: str, session: Session, *, cwd: str = "", shell: str = "bash", every: bool = False) -> Answer:
    """What a command of a session's agent would meet. `cwd`: where it would run, by default in the root; `shell`: what
    would read it (`bash` | `powershell`). `every`: all are heard, not those alone that are critical.
    """
    table, now_ms = _table(session), host.now() // 1_000_000
    paused = pauses.paused_slugs(session.store, session.root, now_ms)
    if pauses.ALL in paused:
        return Answer()
    event, known = _event(command, session, cwd, shell), _state(session)
    core = known.get("core", {})
    turn, work = core.get("lastTurnId", 0), session.work or str(core.get("workId", "w001"))
    ids = Ids(session.sid, work, "u00", turn if type(turn) is int else 0, f"{EVENT}-0-{now_ms}")
    protected = _protected(session, table, event.home)

    def hear(row: HookSpec, event: Event, limit_ms: float) -> HookRun:
        told = (row.slug, ids, session.root, session.folder, known, row.config, host.clock, now_ms, BUDGET_MS)
        context = Context(*told, None, protected, row.mode)  # without a list for later: nothing may be written
        return python.run(row, event, context, limit_ms, stuck=_nowhere, clock=host.clock, timers=False)

    ran: list[HookRun] = []
    dispatch(event, _rows(table, paused, every=every), hear, host.clock, BUDGET_MS, ran)
    if every:
        ran += _rules(table, event)
        for one in _scripts(table, event, ids, session, ran):
            ran.append(one)
    return _answer(merge(event, ran, owner=table.rewrite_owner), command)


def _answer(verdict: Verdict, command: str) -> Answer:
    if verdict.decision in ("deny", "ask", "block"):
        decision = "ask" if verdict.decision == "ask" else "deny"
        return Answer(decision, verdict.reason, verdict.by)
    given = (verdict.updated_input or {}).get("command", command)
    return Answer(instead="" if given == command else str(given))
