"""`jackline mailbox`: what agents of a task offer and ask of each other."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from jackline import host
from jackline.cli.parts import choice
from jackline.cli.parts.caller import caller, session_of
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.services import locks, mailbox
from jackline.services.locks import Lock
from jackline.services.mailbox import Entry
from jackline.store import format
from jackline.store.session_index import SessionEntry

VERB = Verb(
    group="Look",
    order=130,
    brief="What agents of a task offer and ask of each other",
    authority="open",
)

ENTRY: dict[str, Shape] = {
    "id": "str",
    "ts": "int",
    "kind": "str",
    "agent": "str",
    "to": "str",
    "title": "str",
    "answers": "str",
    "ref": "str",
}
"""What is told of every entry."""

if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.services.mailbox import Kind

MINUTES = 30

JSON = click.option("--json", "as_json", is_flag=True, help="As data.")
AGENT = click.option("--agent", metavar="ID", default="u00", help="Who you are, as a01; default: the main agent.")
TEXT = click.option("--text", "words", metavar="TEXT", default="", help="More than the title; `-` reads the input.")
REFS = click.option("--ref", "refs", metavar="PATH", multiple=True, help="A file it is about; may be repeated.")
TO = click.option("--to", metavar="ID", default="", help="For this agent alone.")


@click.group(
    cls=Family,
    examples=[
        (
            "jackline mailbox offer 'all callers of parse() are in src/api' --ref notes.md --agent a01",
            "tell the others",
        ),
        ("jackline mailbox request 'who writes src/store?'", "ask the others"),
        ("jackline mailbox take 3fa09c1b2e --agent a02", "nobody else answers it meanwhile"),
    ],
)
def command() -> None:
    """The mailbox of a task: agents tell each other what they found, and ask who does what."""


class Refused(click.ClickException):
    """It cannot be done; the message says why, and what can."""

    exit_code = 1


def _work(session: SessionEntry) -> str:
    return str(session.state().get("core", {}).get("workId", "w001"))


def _data(one: Entry) -> dict[str, Any]:
    return {
        "id": one.id,
        "ts": one.ts,
        "kind": one.kind,
        "agent": one.agent,
        "to": one.to,
        "title": one.title,
        "answers": one.answers,
        "ref": one.ref,
    }


def _words(words: str) -> str:
    return sys.stdin.read(mailbox.TEXT + 1) if words == "-" else words


def _post(setting: Setting, kind: Kind, session: SessionEntry, agent: str, title: str, **more: Any) -> Entry:
    format.check(str(setting.store))
    name, now = host.entropy(5).hex(), host.now() // 1_000_000
    try:
        return mailbox.post(session.folder, _work(session), kind, agent, title, name=name, now_ms=now, **more)
    except mailbox.Refused as why:
        raise Refused(str(why)) from None


def _told(one: Entry, as_json: bool) -> int:
    if as_json:
        Printer().data(_data(one))
    else:
        Printer().line(f"{one.kind} ", (one.id, "name"), f" of {one.agent} is in the mailbox")
    return DONE


def _posts(command: Callable[..., int]) -> Callable[..., int]:
    """What a command takes that puts an entry in the mailbox."""
    for option in (pass_setting, JSON, choice.option, AGENT, TO, REFS, TEXT, click.argument("title")):
        command = option(command)
    return command


def _put(
    setting: Setting, kind: Kind, title: str, words: str, refs: tuple[str, ...], to: str, agent: str, name: str,
    as_json: bool,
) -> int:  # fmt: skip
    session = session_of(setting, caller(setting), name)
    return _told(_post(setting, kind, session, agent, title, text=_words(words), refs=refs, to=to), as_json)


@command.command(
    cls=Command, shape=ENTRY, examples=[("jackline mailbox offer 'the schema is in docs/db.md'", "for all agents")]
)
@_posts
def offer(setting: Setting, **given: Any) -> int:
    """Offer the other agents of the task what you found."""
    return _put(setting, "offer", **given)


@command.command(
    cls=Command, shape=ENTRY, examples=[("jackline mailbox request 'check src/api for races'", "any agent may take it")]
)
@_posts
def request(setting: Setting, **given: Any) -> int:
    """Ask the other agents of the task for something."""
    return _put(setting, "request", **given)


def _clock(ms: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(ms / 1000))


def _standing(told: tuple[str, str, int] | None) -> str:
    if told is None:
        return ""
    how, who, until = told
    return f"{how} by {who}" + (f" until {_clock(until)}" if until else "") if who else how


def _standings(
    setting: Setting, session: SessionEntry, work: str, known: list[Entry]
) -> dict[str, tuple[Any, str, int]]:
    now = host.now() // 1_000_000
    return mailbox.standings(known, locks.known(session.folder, work), locks.here(str(setting.store)), now)


@command.command(
    name="list",
    cls=Command,
    shape=[{**ENTRY, "standing": "str", "by": "str", "until": "int"}],
    examples=[("jackline mailbox list --open", "requests nobody works at")],
)
@click.option("--open", "only_open", is_flag=True, help="Only requests that may be taken.")
@choice.option
@JSON
@pass_setting
def list_(setting: Setting, only_open: bool, name: str, as_json: bool) -> int:
    """List what is in the mailbox, oldest first, and how requests stand."""
    session = choice.one(setting, name)
    work = _work(session)
    known = mailbox.entries(session.folder, work)
    standing = _standings(setting, session, work, known)
    if only_open:
        known = [one for one in known if standing.get(one.id, ("",))[0] == "open"]
    printer = Printer()
    if as_json:
        rows = []
        for one in known:
            how, who, until = standing.get(one.id, ("", "", 0))
            rows.append(_data(one) | {"standing": how, "by": who, "until": until})
        printer.data(rows)
        return DONE
    if not known:
        printer.line("there is nothing in the mailbox")
        return DONE
    shown = [
        (
            text((_clock(one.ts), "quiet")),
            text((one.id, "name")),
            one.kind,
            one.agent + (f" → {one.to}" if one.to else ""),
            _standing(standing.get(one.id)),
            foreign(one.title),
        )
        for one in known
    ]
    printer.show(table(["time", "id", "kind", "of", "stands", "title"], shown))
    return DONE


def _found(session: SessionEntry, work: str, what: str) -> Entry:
    try:
        return mailbox.find(mailbox.entries(session.folder, work), what)
    except mailbox.Refused as why:
        raise Refused(str(why)) from None


def _show(session: SessionEntry, one: Entry, as_json: bool, more: dict[str, Any]) -> int:
    """An entry with its text; one whose file is not as it was posted says so."""
    whole = mailbox.body(session.folder, one)
    printer = Printer()
    if whole is None:
        raise Refused(f"{one.id} · its file is gone or was changed since it was posted · ask {one.agent} again")
    if as_json:
        printer.data(_data(one) | {"text": str(whole.get("text", "")), "refs": list(whole.get("refs") or ())} | more)
        return DONE
    printer.line(
        (one.id, "name"),
        f"  {one.kind} of {one.agent}",
        *[(f"  {key} {value}", "quiet") for key, value in more.items()],
    )
    printer.show(foreign(one.title))
    if whole.get("text"):
        printer.show(foreign(str(whole["text"]), lines=True))
    for ref in whole.get("refs") or ():
        printer.line(("about  ", "quiet"), str(ref))
    return DONE


@command.command(
    cls=Command,
    shape={**ENTRY, "text": "str", "refs": ["str"], "*": "any"},
    examples=[("jackline mailbox show 3fa09c1b2e", "with its text")],
)
@click.argument("what", metavar="ID")
@choice.option
@JSON
@pass_setting
def show(setting: Setting, what: str, name: str, as_json: bool) -> int:
    """Show one entry with its text and the files it is about."""
    session = choice.one(setting, name)
    return _show(session, _found(session, _work(session), what), as_json, {})


def _lock(setting: Setting, session: SessionEntry, agent: str, minutes: float) -> Lock:
    """A lock that ends with its time, or before it with the client of the session, where we know that client."""
    format.check(str(setting.store))
    now = host.now() // 1_000_000
    until, token = now + int(minutes * 60_000), host.entropy(8).hex()
    pid, start = (session.pid, session.start) if session.live else (0, 0)
    return Lock("", agent, pid, start, locks.here(str(setting.store)), now, until, token)


@command.command(
    cls=Command,
    shape={**ENTRY, "text": "str", "refs": ["str"], "*": "any"},
    examples=[("jackline mailbox take 3fa09c1b2e --agent a02", "and read what is asked")],
)
@click.argument("what", metavar="ID")
@click.option("--minutes", type=click.FloatRange(0, locks.MINUTES, min_open=True), default=MINUTES, help="How long.")
@AGENT
@choice.option
@JSON
@pass_setting
def take(setting: Setting, what: str, minutes: float, agent: str, name: str, as_json: bool) -> int:
    """Take a request: nobody else may, until your time is past or your client is gone."""
    session = session_of(setting, caller(setting), name)
    work = _work(session)
    one = _found(session, work, what)
    if not mailbox.is_agent(agent):
        raise Refused(f"{agent!r} is no agent · u00 is the main one, a01, a02 … are sub-agents")
    try:
        lock = mailbox.take(session.folder, work, one, _lock(setting, session, agent, minutes))
    except mailbox.Refused as why:
        raise Refused(str(why)) from None
    until: Any = lock.until if as_json else _clock(lock.until)
    return _show(session, one, as_json, {"until": until})


@command.command(
    cls=Command, shape=ENTRY, examples=[("jackline mailbox answer 3fa09c1b2e 'src/store is mine' --agent a02", "once")]
)
@click.argument("what", metavar="ID")
@click.argument("title")
@TEXT
@REFS
@AGENT
@choice.option
@JSON
@pass_setting
def answer(
    setting: Setting, what: str, title: str, words: str, refs: tuple[str, ...], agent: str, name: str, as_json: bool
) -> int:
    """Answer a request that nobody else has taken; it is closed by that."""
    session = session_of(setting, caller(setting), name)
    work = _work(session)
    one = _found(session, work, what)
    if one.kind != "request":
        raise Refused(f"{one.id} is an {one.kind}: there is nothing to answer")
    how, who, _ = _standings(setting, session, work, mailbox.entries(session.folder, work))[one.id]
    if how == "taken" and who != agent:
        raise Refused(f"{one.id} was taken by {who} · leave it to them, or offer what you know: jackline mailbox offer")
    more = {"text": _words(words), "refs": refs, "to": one.agent, "answers": one.id}
    return _told(_post(setting, "answer", session, agent, title, **more), as_json)
