"""Unbounded searches in shell text: found by command position, bounded by flags put in at exact places of the text."""

from __future__ import annotations

from jackline.features.graph_pretooluse.logs import RULE, SAFER, Reach, reach
from jackline.features.graph_pretooluse.names import worth_a_look
from jackline.features.graph_pretooluse.native import large
from jackline.features.graph_pretooluse.options import quoted, words
from jackline.features.graph_pretooluse.search_roots import FOLDER, Ceilings, Limits, Place, lets_through, written_away
from jackline.features.graph_pretooluse.searches import Loose, loose
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NamedTuple

    from jackline.model import Event
    from jackline.shell.model import Command
    from jackline.shell.screen import Simple
else:
    from jackline._record import NamedTuple


class Stage(NamedTuple):
    """One simple command with what its output goes through. `start` is -1 where it does not stand in the text."""

    words: tuple[str, ...]
    redirs: tuple[tuple[str, str], ...]
    piped: bool
    behind: tuple[tuple[str, ...], ...]
    away: bool
    cwd: str
    start: int
    after: int
    end: int


class Found(NamedTuple):
    """What is unbounded in a command: `text` with bounds put in ("" where no flag can), else `proposal`.

    `rule`: it is refused by this one, whatever is said of bounds. `kept_out`: the text with nothing added but what
    keeps it out of our logs, "" where it does not come there.
    """

    what: tuple[str, ...]
    text: str
    added: tuple[str, ...]
    proposal: str
    safer: str
    rule: str = ""
    kept_out: str = ""


WRAPPERS = words(
    "sudo doas env command builtin exec nice ionice nohup time timeout stdbuf setsid xargs parallel busybox bash sh "
    "zsh dash ksh fish watch script unbuffer chroot flock ssh docker podman eval strace ltrace rlwrap"
)
"""Command words behind which another command may stand: those go to the full analysis."""

DUMPERS = {**dict.fromkeys(words("cat tac nl less more most base64 strings zcat gzcat bzcat xzcat"), "")}
DUMPERS |= {"bat": "r", "batcat": "r", "xxd": "l", "od": "N", "hexdump": "n", "hd": "n"}
"""Programs that print their files whole, and the letter of the option that caps them."""


def _wraps(given: Sequence[str]) -> bool:
    """Whether a search may stand behind the command word."""
    return bool(given) and given[0].rpartition("/")[2] in WRAPPERS and any(map(worth_a_look, given[1:]))


def _plain(simple: Sequence[Simple], cwd: str) -> Iterator[Stage]:
    for at, one in enumerate(simple):
        behind = []
        away = written_away(one.redirs)
        for later in simple[at + 1 :]:
            if later.joined != "|":
                break
            behind.append(later.words)
            away = written_away(later.redirs)
        piped = one.joined == "|"
        yield Stage(one.words, one.redirs, piped, tuple(behind), away, cwd, one.start, one.after, one.end)


def _parsed(commands: Sequence[Command], cwd: str) -> Iterator[Stage]:
    for at, one in enumerate(commands):
        behind = [one.piped_into_words] if one.piped_into_words else []
        away = written_away(one.redirs)
        for later in commands[at + 1 :]:
            if not behind or not later.piped_from:
                break
            away = written_away(later.redirs)
            if later.piped_into_words:
                behind.append(later.piped_into_words)
        piped = bool(one.piped_from) and not one.fed
        yield Stage(one.words, one.redirs, piped, tuple(behind), away, one.cwd or cwd, one.start, one.after, one.end)


def _moves(simple: Sequence[Simple]) -> bool:
    """Whether a command moves to another folder, so that those behind it start there."""
    return any(one.words[:1] in (("cd",), ("pushd",)) for one in simple)


def _stages(event: Event) -> Iterator[Stage]:
    """The simple commands of a call, with the rest of their pipelines."""
    from jackline.shell.screen import plain

    simple = plain(event.command)
    if simple is not None and not _moves(simple) and not any(_wraps(one.words) for one in simple):
        return _plain(simple, event.cwd)
    found = event.effects
    return _parsed(() if found is None else found.commands, event.cwd)


def _silent(stage: Stage, ceilings: Ceilings, filters: bool = True) -> bool:
    """Whether what the stage prints reaches nobody without a bound."""
    return stage.away or any(not lets_through(given, ceilings.lines, filters) for given in stage.behind)


def _spots(text: str, start: int, end: int) -> list[int]:
    """Where each blank-separated word of `text[start:end]` ends, up to the first redirection."""
    ends: list[int] = []
    at = start
    while at < end:
        while at < end and text[at] in " \t":
            at += 1
        begin = at
        while at < end and text[at] not in " \t":
            char = text[at]
            if char in "<>":
                return ends
            if char == "\\":
                at += 1
            elif char in "'\"":
                close = text.find(char, at + 1)
                while char == '"' and close > 0 and text[close - 1] == "\\":
                    close = text.find(char, close + 1)
                if close < 0:
                    return ends
                at = close
            at += 1
        if at > begin:
            ends.append(min(at, end))
    return ends


def _stands(text: str, stage: Stage) -> bool:
    """Whether the command word really ends where the stage says."""
    written = text[stage.start : stage.after]
    for quote in "'\"\\":
        written = written.replace(quote, "")
    return written.endswith(stage.words[0])


def _spot(text: str, stage: Stage, behind: int) -> int:
    """The place in the text behind word `behind` of the stage; -1 when it does not stand there plainly."""
    if stage.start < 0 or stage.after < 0 or not _stands(text, stage):
        return -1
    if behind == 0:
        return stage.after
    ends = _spots(text, stage.start, stage.end)
    if stage.after not in ends:
        return -1
    at = ends.index(stage.after) + behind
    return ends[at] if at < len(ends) and "\\\n" not in text[stage.start : stage.end] else -1


def _dump(stage: Stage, cwd: str, limits: Limits) -> Loose | None:
    """A file larger than the limit that is printed whole."""
    name = stage.words[0].rpartition("/")[2]
    if name not in DUMPERS:
        return None
    from jackline.paths import resolve

    letter = DUMPERS[name]
    if letter and any(word.startswith(("-" + letter, "--line-range")) for word in stage.words[1:]):
        return None
    inputs = [target for operator, target in stage.redirs if operator in ("<", "0<")]
    for word in (*stage.words[1:], *inputs):
        size = 0 if word.startswith("-") else large(resolve(cwd, word), limits.bytes)
        if size:
            return Loose(f"{name} prints {word} ({size // 1024} KB) whole", instead=f"head -n {limits.lines} {word}")
    return None


def _bounded_text(text: str, edits: Sequence[tuple[int, str]]) -> str:
    for at, add in sorted(edits, key=lambda one: one[0], reverse=True):
        text = text[:at] + add + text[at:]
    return text


def _end(text: str, stage: Stage) -> int:
    """How many words of the stage stand before `--`, or at all, as far as they stand plainly in the text."""
    ends = _spots(text, stage.start, stage.end) if stage.start >= 0 else []
    count = len(ends) - ends.index(stage.after) - 1 if stage.after in ends else 0
    return min(count, stage.words.index("--") - 1) if "--" in stage.words else count


CARRIED = words(
    "sudo env command nice ionice nohup timeout stdbuf setsid xargs busybox time if then else do while until ! {"
)
"""Words behind which flags may be put into a search; anything else may be another program's word."""


def _is_reached(text: str, stage: Stage) -> bool:
    """Whether a rewrite can reach the stage: what stands before its command word carries it, and nothing more."""
    before = text[: max(stage.start, 0)]
    for sign in ";&|()\n`":
        before = before[before.rfind(sign) + 1 :]
    return all(word in CARRIED or word[0] in "-0123456789" or "=" in word for word in before.split())


def _kept_out(text: str, stage: Stage, here: Place) -> tuple[Reach | None, int]:
    """How a stage comes to our logs, and where in the text stands what keeps it out (-1: no flag does)."""
    found = reach(stage.words, stage.piped, here)
    if found is None or not found.add or not _is_reached(text, stage):
        return found, -1
    return found, _spot(text, stage, _end(text, stage) if found.behind < 0 else found.behind)


def judge(event: Event, place: Place, limits: Limits, ceilings: Ceilings) -> Found | None:
    """What is unbounded in a shell call, or None; what comes to our logs is kept out of them."""
    text = event.command
    whats: list[str] = []
    near: list[str] = []
    edits: list[tuple[int, str]] = []
    proposals: list[str] = []
    stages = list(_stages(event))
    keep = bool(place.root) and exists(f"{place.root}/{FOLDER}")
    for stage in stages:
        if keep and stage.words:
            seen, at = _kept_out(text, stage, place._replace(cwd=stage.cwd or place.cwd))
            if seen is not None and at < 0:
                return Found((seen.what,), "", (), "", SAFER, RULE)
            if seen is not None:
                near.append(seen.what)
                edits.append((at, seen.add))
    apart = list(edits)
    for stage in stages:
        if not stage.words:
            continue
        here = place._replace(cwd=stage.cwd or place.cwd)
        found = _dump(stage, here.cwd, limits)
        if found is not None and _silent(stage, ceilings, filters=False):
            continue
        if found is None:
            found = loose(stage.words, stage.piped, here, limits, ceilings)
            if found is None or _silent(stage, ceilings):
                continue
        whats.append(found.what)
        spot = _spot(text, stage, found.behind) if found.add else -1
        if spot >= 0:
            edits.append((spot, found.add))
        else:
            proposals.append(_propose(text, stage, found, limits))
    whats = whats or near
    if not whats:
        return None
    kept_out = _bounded_text(text, apart) if apart else ""
    added = tuple(add.strip() for _, add in edits)
    if not proposals:
        return Found(tuple(whats), _bounded_text(text, edits), added, "", "", kept_out=kept_out)
    whole = proposals[0] if len(stages) == 1 and len(proposals) == 1 and stages[0].start >= 0 else ""
    safer = "; ".join(dict.fromkeys(f"`{one}`" for one in proposals))
    return Found(tuple(whats), "", added, whole, safer, kept_out=kept_out)


def _propose(text: str, stage: Stage, found: Loose, limits: Limits) -> str:
    """The bounded call in words: with its flag, with another program, or cut by `head`."""
    own = text[stage.start : stage.end] if 0 <= stage.start < stage.end else " ".join(map(quoted, stage.words))
    if found.instead:
        return found.instead
    if found.add:
        return " ".join(
            (
                *map(quoted, stage.words[: found.behind + 1]),
                found.add.strip(),
                *map(quoted, stage.words[found.behind + 1 :]),
            )
        )
    return f"{own} | head -n {limits.lines}"
