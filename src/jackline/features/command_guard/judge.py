"""Judge what a command does: every rule on every effect, the strictest answer wins."""

from __future__ import annotations

from jackline.features.command_guard import data
from jackline.features.command_guard.flows import FLOWS
from jackline.features.command_guard.places import Ground, below, lies, reaches
from jackline.features.command_guard.rules import BY_ID, DECISIONS, RULES, Finding, Rule, answer, finding, vocabulary
from jackline.shell.model import Effect, Effects
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NamedTuple

else:
    from jackline._record import NamedTuple

RISKS = ("none", "low", "medium", "high", "critical")


class Ruling(NamedTuple):
    """The whole answer: `allow`, `ask` or `deny`, the finding that decided, and all that were made."""

    decision: str = "allow"
    risk: str = "none"
    rule: str = ""
    reason: str = ""
    safer: str = ""
    findings: tuple[Finding, ...] = ()


ALLOWED = Ruling()

BY_KIND: dict[str, list[tuple[Rule, frozenset[str], frozenset[str]]]] = {}
"""Kind of effect to the rules that look at it, with their acts and places; an empty set is any."""
for one in RULES:
    for kind in one.kinds.split():
        BY_KIND.setdefault(kind, []).append((one, frozenset(one.acts.split()), frozenset(one.places.split())))

_BY_ACT: dict[tuple[str, str], list[tuple[Rule, frozenset[str]]]] = {}


def _looking(kind: str, act: str) -> list[tuple[Rule, frozenset[str]]]:
    """The rules that look at such an effect, with their places."""
    found = _BY_ACT.get((kind, act))
    if found is None:
        found = [(rule, places) for rule, acts, places in BY_KIND.get(kind, ()) if not acts or act in acts]
        if "." not in act or act in NAMED:  # the name of a variable stands in some: there are as many as you like
            _BY_ACT[kind, act] = found
    return found


NAMED = frozenset([act for rows in BY_KIND.values() for _, acts, _ in rows for act in acts])
"""Acts that a rule names."""


def _origin(effect: Effect, earlier: Sequence[Effect]) -> Effect:
    """What a removal takes away: what an earlier part of the command moved there, else what lies there."""
    moved = {one.words: one for one in earlier if one.act == "move" and one.path}
    for one in earlier if moved else ():
        inside = one.path == effect.path or one.path.startswith(effect.path + "/")
        if one.kind == "write" and inside and one.words in moved:
            return moved[one.words]._replace(act="", deep=effect.deep, words=effect.words)
    return effect


def _made(effect: Effect, earlier: Iterable[Effect]) -> bool:
    """An earlier part of the command made what this one removes."""
    for one in earlier:
        if one.kind == "write" and one.path and one.act != "mode" and one.words != effect.words:
            inside = f"{effect.path}/".startswith(f"{one.path}/") and not (effect.pattern or one.pattern)
            if (inside and not exists(one.path)) or (one.program == "mktemp" and one.path == effect.path):
                return True
    return False


AGAIN, FILLS = vocabulary("vendor deps Pods packages elpa"), vocabulary("install get deps.get restore mod")
"""Folders that a package manager fills again, where the same command tells it to."""


def _again(effect: Effect, found: Effects) -> bool:
    folder = effect.path.rpartition("/")[2] in AGAIN
    return folder and any(not FILLS.isdisjoint(one.words[1:3]) for one in found.commands)


def is_certain(effect: Effect, place: bool) -> bool:
    """Whether it is refused outright: a literal text with a literal target. Else a person can tell, and we cannot."""
    return place and effect.certain


TREES = ("git.reset", "git.clean", "git.restore", "git.discard")


def _passing(found: Effects, ground: Ground) -> set[tuple[str, ...]]:
    """The calls of git that change work trees among temporary files, and nothing else: never the one worked in."""
    trees = [(one, lies(one, ground)[0]) for one in found.effects if one.act in TREES and one.path]
    kept = {one.words for one, place in trees if place != "temporary" or below(f"{ground.cwd}/", one.path)}
    return {one.words for one, _ in trees} - kept


def _on_effects(found: Effects, ground: Ground, preset: str) -> Iterable[Finding]:
    passing: set[tuple[str, ...]] | None = None
    for at, effect in enumerate(found.effects):
        if "-" in effect.program and "-WhatIf" in effect.words:
            continue  # a command of PowerShell then only says what it would do
        act = effect.act or "-"
        own = _BY_ACT.get((effect.kind, act))
        own = _looking(effect.kind, act) if own is None else own
        if not own:
            continue
        if act in TREES:
            passing = _passing(found, ground) if passing is None else passing
            if effect.words in passing:
                continue
        place, certain, seen = "", True, False
        if effect.kind == "delete" and act == "-":
            effect = _origin(effect, found.effects[:at])
        for rule, places in own:
            if places:
                if not seen:
                    (place, certain), seen = lies(effect, ground), True
                if place not in places:
                    continue
            if rule.reach and (rule.reach == "deep") != reaches(effect):
                continue
            if (
                effect.kind == "delete"
                and act in ("-", "shred")
                and (_made(effect, found.effects[:at]) or _again(effect, found))
            ):
                break
            decision = answer(rule, preset)
            if decision == "deny" and preset != "paranoid" and not is_certain(effect, certain):
                decision = "ask"
            if decision != "pass":
                yield finding(rule, effect, decision)


def _refused(found: Effects, text: str) -> bool:
    """A quote or bracket stays open, and all stands in one line: no shell runs any of it."""
    return not found.whole and found.why.startswith("no closing") and "\n" not in text.strip("\n")


FLOWING = [*FLOWS.items(), *data.FLOWS.items()]
LOOKING: dict[str, set[int]] = {"": set()}
"""What is in a command to the flows that look at it; "" to those that look at anything."""
for at, (_, looks) in enumerate(FLOWING):
    for word in looks.split() or [""]:
        LOOKING.setdefault(word, set()).add(at)


def _on_all(text: str, found: Effects, ground: Ground, preset: str) -> Iterator[Finding]:
    """What only the whole command shows, by the flows that look at anything in it; and whether it can be read."""
    held = {""}
    for command in found.commands:
        held.update(command.wrappers, (command.program,))
    for effect in found.effects:
        held.update((effect.kind, effect.act, effect.note))
    for at in sorted(set().union(*[LOOKING[one] for one in held.intersection(LOOKING)])):
        for name, effect in FLOWING[at][0](found, ground):
            rule = BY_ID[name]
            decision = answer(rule, preset)
            if decision != "pass":
                yield finding(rule, effect, decision)
    if not found.understood and not _refused(found, text):
        rule = BY_ID["unreadable"]
        yield finding(rule, Effect("unknown", found.why), answer(rule, preset))


def findings(
    text: str,
    found: Effects,
    ground: Ground,
    preset: str = "standard",
    packs: Sequence[str] = (),
) -> list[Finding]:
    """Every word that a rule has to say about a command itself; what scripts hold that it runs stands in `scripts`."""
    made = [*_on_effects(found, ground, preset), *_on_all(text, found, ground, preset)]
    if found.commands:
        from jackline.features.command_guard.remote_effects import told

        made += told(found, text, packs, preset)
    return made


def ruling(made: Sequence[Finding]) -> Ruling:
    """The strictest finding; among equals the riskiest, then the first."""
    if not made:
        return ALLOWED
    first = made[0]
    if len(made) > 1:
        first = max(made, key=lambda one: (DECISIONS.index(one.decision), RISKS.index(one.rule.risk)))
    rule = first.rule
    return Ruling(first.decision, rule.risk, rule.id, first.reason, rule.safer, tuple(made))


GRAVE = vocabulary(
    "delete.everything move.everything mode.everything device delete.home git.rewrite push.force leak.file pipe.shell "
    "secret.read"
)
"""Rules that hold inside a script of the project: those clean and reset, and are asked for by name."""

UNSURE = frozenset(["unreadable", "delete.unknown", "code.endless"])
"""What a program in a file often seems to do: its functions are told what to do by others."""

CERTAIN = ("code.hidden", "text.unread")
"""Unknown effects that a program in a file does not have by being told what to do."""


def _vague(finding: Finding) -> bool:
    """A program that is told what to do may do this, and does not say so."""
    effect = finding.effect
    return finding.rule.id in UNSURE or (effect.kind in ("unknown", "named") and effect.act not in CERTAIN)


def _named(finding: Finding) -> Finding:
    effect = finding.effect
    if not effect.source:
        return finding
    name = effect.source.rpartition("/")[2]
    unread = effect.act == "text.unread"
    return finding._replace(reason=effect.note if unread else f"{name} holds it: {finding.reason}")


def of_texts(made: Sequence[Finding], found: Effects, ground: Ground, preset: str) -> Iterator[Finding]:
    """Findings about a command with the files that it runs; `made` are those about the command as it was read."""
    programs = {one.path for one in found.texts if one.language}
    every = [*made]
    for text in found.texts:
        if text.own is None or text.found is None:
            continue
        every += findings(text.text, text.own, ground, preset)
        name = text.path.rpartition("/")[2]
        for grave in [] if text.language else findings(text.text, text.found, ground, preset):
            if grave.rule.id in GRAVE and not grave.effect.source:
                yield grave._replace(decision="ask", reason=f"{name} holds it: {grave.reason}")
    for one in every:
        if one.effect.source not in programs or not _vague(one):
            yield _named(one)
