"""What the files that a command runs would meet: those of this session all rules, the project's own the gravest."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jackline.features.command_guard.places import Ground
    from jackline.features.command_guard.rules import Finding
    from jackline.shell.model import Effects

_GRAVE = (
    "delete.everything move.everything mode.everything device delete.home git.rewrite push.force leak.file pipe.shell "
    "secret.read"
)
GRAVE = frozenset(_GRAVE.split())
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
    from jackline.features.command_guard.judge import findings

    programs = {one.path for one in found.texts if one.language}
    every = [*made]
    for one in found.texts:
        if one.own is None or one.found is None:
            continue
        every += findings(one.text, one.own, ground, preset)
        name = one.path.rpartition("/")[2]
        for grave in [] if one.language else findings(one.text, one.found, ground, preset):
            if grave.rule.id in GRAVE and not grave.effect.source:
                yield grave._replace(decision="ask", reason=f"{name} holds it: {grave.reason}")
    for finding in every:
        if finding.effect.source not in programs or not _vague(finding):
            yield _named(finding)
