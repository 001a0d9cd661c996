"""Where logs are not as they were written, as `log`, `status` and `doctor` say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jackline.cli.parts.setting import Setting
from jackline.install.finding import Finding
from jackline.store import authority, journal, log_check, session_index
from jackline.store.log_check import Break
from jackline.store.session_index import SessionEntry

KIND = "LOG_BREAK"
"""The kind of the lines that stand between a log's records where it breaks; no log holds them."""
KEEP = "keep a copy of the file; what it says from that place on is no proof of what an agent did"


def of(setting: Setting, session: SessionEntry) -> list[Break]:
    """What is wrong with the log of one session."""
    store = str(setting.store)
    return log_check.of_session(store, session, log_check.anchors(store))


def placed(folder: str, found: Sequence[Break]) -> list[dict[str, Any]]:
    """The records of a log with a line of ours behind each at which it breaks."""
    waiting = sorted(found, key=lambda one: one.line)
    made: list[dict[str, Any]] = []
    for number, raw in enumerate(journal.content(folder).split(b"\n"), 1):
        records, _ = journal.parse(raw + b"\n")
        made += records
        while records and waiting and waiting[0].line <= number:
            made.append(_record(waiting.pop(0), records[-1]))
    return made + [_record(one, made[-1] if made else {}) for one in waiting]


def _record(one: Break, near: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {key: near[key] for key in ("ts", "event", "hookRunId", "turnId") if key in near}
    made |= {"id": f"{str(near.get('id', ''))[:28]}log{one.line}", "producer": "log", "kind": KIND}
    return made | {"reason": one.words, "data": {"line": one.line, "what": one.what}}


def sentence(found: Sequence[Break]) -> str:
    """What is wrong with one log, in one line; "" when nothing is."""
    if not found:
        return ""
    first = next((one for one in found if one.bad), found[0])
    where = f"line {first.line}: " if first.line else ""
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{where}{first.words}{more}"


def _told(setting: Setting, sessions: Sequence[SessionEntry]) -> Iterator[tuple[bool, str, str]]:
    """Of each log that breaks: whether it is bad, the session, and the sentence."""
    store = str(setting.store)
    known = log_check.anchors(store)
    for one in sessions:
        found = log_check.of_session(store, one, known)
        if found:
            yield any(each.bad for each in found), one.sid, sentence(found)


def _chain(setting: Setting) -> str:
    """What is wrong with the store's own records of authority, "" when nothing is."""
    count, fault = authority.verify(str(setting.store))
    return f"{setting.short(setting.store)}/{authority.NAME}: after {count} records, {fault}" if fault else ""


def status(setting: Setting) -> list[tuple[str, str, str]]:
    """Rows for one screen: logs of sessions that live, and of the newest."""
    found = session_index.sessions(setting.store, setting.root)
    some = [one for at, one in enumerate(found) if at == 0 or one.live]
    rows = [
        ("log", "bad" if bad else "warn", f"the log of {sid} was touched · {what} · jackline log --session {sid}")
        for bad, sid, what in _told(setting, some)
    ]
    fault = _chain(setting)
    return [*rows, *([("log", "bad", f"{fault} · jackline doctor")] if fault else [])]


def findings(setting: Setting) -> list[Finding]:
    """What `doctor` says: every log of this project, the store's records, and logs of which nothing is left."""
    sessions = session_index.sessions(setting.store, setting.root)
    made = [
        Finding("log", "bad" if bad else "warn", f"the log of {sid} was touched: {what}", _cure(sid))
        for bad, sid, what in _told(setting, sessions)
    ]
    fault = _chain(setting)
    if fault:
        made.append(Finding("log", "bad", fault, KEEP))
    everywhere = {one.sid for one in [*sessions, *session_index.sessions(setting.store)]}
    for sid in log_check.missing(str(setting.store), everywhere):
        made.append(Finding("log", "warn", f"the log of {sid} and its session are gone, and no person removed them"))
    return made


def _cure(sid: str) -> str:
    return f"`jackline log --session {sid}` shows the place; {KEEP}; `jackline sessions forget {sid}` ends this word"
