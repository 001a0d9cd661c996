"""`jackline features`: what each feature is set to, works with, waits for and did last, as it declares it itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import click

from jackline import host
from jackline.cli.hooks import clients
from jackline.cli.parts import choice, switching
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Column, Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.cli.sessions import ago
from jackline.clients.capabilities import row
from jackline.clients.rows import CLIENTS, ROWS
from jackline.compiler.collect import Survey
from jackline.compiler.declared import Declared
from jackline.compiler.fault import nearest
from jackline.compiler.registry import KNOWN, NOT_YET
from jackline.feature_names import shown, slug_of
from jackline.services.capabilities import CAPABILITIES, State
from jackline.store.session_index import SessionEntry

VERB = Verb(
    group="Look",
    order=70,
    brief="Every feature: off, lenient or strict, what it waits for",
    authority="open",
)

ABSENT = "absent"
"""The state of a feature that this version does not have."""
STYLES = {"off": "quiet", "lenient": "warn", "strict": "good", ABSENT: "quiet"}
READERS = ("SessionStart", "UserPromptSubmit", "SubagentStart")
"""Events at which features speak to the model."""
OF = {slug: name for name, one in CAPABILITIES.items() for slug in one.features}
"""The capability of each feature."""


class Last(NamedTuple):
    """What a feature did last: when (milliseconds), the kind of record, its decision, and what it says."""

    ts: int
    kind: str
    decision: str
    what: str


class Session(NamedTuple):
    """What the newest session knows: the last of each feature, and the kinds of artifacts there are in its task."""

    last: Mapping[str, Last]
    kinds: frozenset[str]


# --- what is known ------------------------------------------------------------------------------------------------


def _said(record: Mapping[str, Any]) -> str:
    data = record.get("data")
    found = record.get("reason") or (data.get("reason") or data.get("ref") if isinstance(data, dict) else "")
    return str(found or "").partition("\n")[0]


def _lasts(records: Iterable[Mapping[str, Any]]) -> dict[str, Last]:
    """The last record that a feature left itself, or by which it decided."""
    found: dict[str, Last] = {}
    for one in records:
        by = one.get("by")
        for name in {str(one.get("producer")), *(map(str, by) if isinstance(by, list) else ())} - {"kernel"}:
            ts = one.get("ts")
            decision = str(one.get("decision") or "")
            found[name] = Last(ts if isinstance(ts, int) else 0, str(one.get("kind")), decision, _said(one))
    return found


def _session(found: list[SessionEntry]) -> Session:
    if not found:
        return Session({}, frozenset())
    core = found[0].state().get("core", {})
    latest = core.get("latest") if isinstance(core, dict) else None
    work = core.get("workId") if isinstance(core, dict) else None
    kinds = latest.items() if isinstance(latest, dict) else ()
    here = frozenset(kind for kind, one in kinds if isinstance(one, dict) and one.get("work") in (work, None, ""))
    return Session(_lasts(found[0].events()), here)


def _waits(
    one: Declared, makers: Mapping[str, list[str]], states: Mapping[str, State], kinds: frozenset[str]
) -> list[str]:
    """What a feature works with and does not have yet, with who would make it."""
    told = []
    for need in one.needs:
        who = [slug for slug in makers.get(need, ()) if slug != one.name]
        if not who or need in kinds:
            continue
        on = [slug for slug in who if states.get(slug, "off") != "off"]
        told.append(f"{need}: {on[0]} makes it" if on else f"{need}: {who[0]} is off")
    return told


KEEPING = ("validators", "plan-subagent-contract")
"""Features of ours that keep an agent going; the others that hear of an end only note it."""


def _keeps_going(one: Declared) -> bool:
    """Whether a feature may keep an agent going; of one that is not ours nobody knows."""
    return one.name in KEEPING or one.name not in KNOWN


def cannot(client: str, one: Declared) -> list[str]:
    """What a client cannot carry of a feature; who only notes each session's events does without some."""
    if one.stamps:
        return []
    told = [f"has no {event}" for event in one.supports if event not in ROWS[client]]
    for event in [event for event in one.supports if event in ROWS[client]]:
        capability = row(client, event)
        if event == "PreToolUse" and not capability.deny:
            told.append("refuses no call")
        elif event in ("Stop", "SubagentStop") and capability.cont == 0 and _keeps_going(one):
            told.append(f"does not go on at {event}")
        elif event in READERS and not capability.context:
            told.append(f"reads nothing at {event}")
    if "SubagentStart" in one.supports and not CLIENTS[client][5]:
        told.append("marks no sub-agents")
    return told


def _row(found: Survey, one: Declared, states: Mapping[str, State], makers: Mapping[str, list[str]],
         session: Session, known: Iterable[str]) -> dict[str, Any]:  # fmt: skip
    last = session.last.get(one.name)
    state = states[one.name]
    return {
        "feature": one.name,
        "capability": OF.get(one.name, ""),
        "state": state,
        "layer": found.resolved.layers.get(f"modules.{one.name}.enabled", "") if found.resolved else "",
        "priority": one.priority,
        "events": [*one.supports],
        "needs": [*one.needs],
        "produces": [*one.produces],
        "stateParts": [*one.state] or [one.name],
        "services": [*one.services],
        "triggers": [*one.triggers],
        "waits": _waits(one, makers, states, session.kinds) if state != "off" else [],
        "last": last._asdict() if last else None,
        "cannot": {client: told for client in known if (told := cannot(client, one))},
    }


def _absent(slug: str) -> dict[str, Any]:
    return {"feature": slug, "capability": OF.get(slug, ""), "state": ABSENT, "priority": KNOWN[slug].priority}


def data(setting: Setting) -> list[dict[str, Any]]:
    """Every feature in the order it runs in, those of this version that are not here among them."""
    found = switching.look(setting)
    states = {slug: switching.feature_state(found, slug) for slug in switching.here(found)}
    session = _session(choice.chosen(setting, ""))
    declared = [part.declared for part in found.parts]
    makers: dict[str, list[str]] = {}
    for one in declared:
        for kind in one.produces:
            makers.setdefault(kind, []).append(one.name)
    known = clients(setting)
    rows = [_row(found, one, states, makers, session, known) for one in declared]
    rows += [_absent(slug) for slug in KNOWN if slug not in states]
    return sorted(rows, key=lambda one: (one["priority"], one["feature"]))


# --- what is shown ------------------------------------------------------------------------------------------------

COLUMNS: list[Column] = [
    {"header": "feature", "no_wrap": True},
    {"header": "state", "no_wrap": True},
    {"header": "waits for", "overflow": "fold"},
    {"header": "did last", "overflow": "fold"},
]


def _last(one: Mapping[str, Any], now: int) -> str:
    last = one.get("last")
    if not last:
        return ""
    return " ".join(filter(None, [last["kind"], last["decision"], f"{ago(last['ts'], now)} ago"]))


def _cells(one: Mapping[str, Any], now: int) -> tuple[Any, ...]:
    state = text((one["state"], STYLES[one["state"]]))
    waits = NOT_YET if one["state"] == ABSENT else "; ".join(one["waits"])
    return text((one["feature"], "name")), state, foreign(waits, "quiet"), foreign(_last(one, now))


def _show(printer: Printer, rows: list[dict[str, Any]]) -> None:
    now = host.now() // 1_000_000
    groups = {name: [one for one in rows if one["capability"] == name] for name in (*CAPABILITIES, "")}
    for name, some in groups.items():
        if some:
            here = {one["feature"]: one["state"] for one in some if one["state"] != ABSENT}
            state = here.get(switching.leads(name, here), ABSENT) if name else ""
            printer.heading(name or "others", (f"  {state}", STYLES.get(state, "quiet")))
            printer.show(table(COLUMNS, [_cells(one, now) for one in some], head=False), indent=2)
    told = {f"{client}: {what}": one["feature"] for one in rows if one["state"] not in ("off", ABSENT)
            for client, whats in one["cannot"].items() for what in whats}  # fmt: skip
    for line in sorted(told):
        who = ", ".join(one["feature"] for one in rows if _says(one, line))
        printer.line(("! ", "warn"), line, (f"  ({who})", "quiet"))


def _says(one: Mapping[str, Any], line: str) -> bool:
    client, _, what = line.partition(": ")
    return one["state"] not in ("off", ABSENT) and what in one["cannot"].get(client, ())


def _show_one(printer: Printer, one: Mapping[str, Any]) -> None:
    """All that is known of one feature."""
    name = shown(one["feature"])
    printer.heading(name, "  ", (one["state"], STYLES[one["state"]]))
    if one["state"] == ABSENT:
        printer.line(NOT_YET)
        return
    now = host.now() // 1_000_000
    last = one["last"]
    lines = [
        ("in files", one["feature"] if one["feature"] != name else ""),
        ("capability", one["capability"]),
        ("said by", one["layer"] if one["layer"] != "builtin" else ""),
        ("events", ", ".join(one["events"])),
        ("works with", ", ".join(one["needs"])),
        ("waits for", "\n".join(one["waits"])),
        ("makes", ", ".join(one["produces"])),
        ("state", ", ".join(one["stateParts"])),
        ("services", ", ".join(one["services"])),
        ("moves the phase", ", ".join(one["triggers"])),
        ("did last", f"{_last(one, now)}\n{last['what']}".strip() if last else ""),
        ("", "\n".join(f"{client}: {what}" for client, whats in one["cannot"].items() for what in whats)),
    ]
    rows = [(text((title or "cannot", "quiet")), foreign(told, lines=True)) for title, told in lines if told]
    printer.show(table([{}, {}], rows, head=False))


def _chosen(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The features of a capability, or one by its name. UsageError when there is none."""
    found = [one for one in rows if name in (one["feature"], one["capability"])]
    if not found:
        near = nearest(name, [*CAPABILITIES, *[one["feature"] for one in rows]])
        raise click.UsageError(f"there is no feature {name!r}" + (f" · did you mean {near}?" if near else ""))
    return found


@click.command(
    cls=Command,
    shape=[
        {
            "feature": "str",
            "capability": "str",
            "state": "str",
            "layer?": "str",
            "priority": "int",
            "events?": ["str"],
            "needs?": ["str"],
            "produces?": ["str"],
            "stateParts?": ["str"],
            "services?": ["str"],
            "triggers?": ["str"],
            "waits?": "list",
            "last?": "object|null",
            "cannot?": {"*": "any"},
        }
    ],
    examples=[
        ("jackline features", "every capability with its features: off, lenient or strict, and what each waits for"),
        ("jackline features plan", "all that is known of one capability, or of one feature"),
        ("jackline features --json", "as data, with what each declares"),
    ],
)
@click.argument("name", metavar="[NAME]", required=False, default="")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, name: str, as_json: bool) -> int:
    """Show every feature: its state, what it waits for, what it did last in the newest session.

    It is read from what features declare (needs, produces, state, services) and from the configuration; so are the
    lines on what the clients in use cannot carry. `enable` and `disable` change the state.
    """
    rows = data(setting)
    if name:
        rows = _chosen(rows, slug_of(name))
    printer = Printer()
    if as_json:
        printer.data(rows)
    elif name:
        for one in rows:
            _show_one(printer, one)
    else:
        _show(printer, rows)
    return DONE
