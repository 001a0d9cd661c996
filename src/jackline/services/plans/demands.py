"""What a project demands of plans: the rules in force, as `compile` listed them, and which nodes each speaks of."""

from __future__ import annotations

from jackline.globs import base, covers, expand, reaches
from jackline.services import compiled
from jackline.services.plans.tools import kind_of, means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from jackline.services.plans.document import Node
else:
    from jackline._record import NamedTuple

KIND = "rules"
"""Their list beside the hook table."""


class Demand(NamedTuple):
    """One rule. `require`: `validator`, `evidence` or `escalate`, "" where it demands nothing; `before` and `after`:
    the migration that it approves, "" where it names none.

    `approved`: a person trusts it. Of one that nobody trusts only the demand counts: its reason is told to no agent,
    and it approves nothing.
    """

    id: str
    require: str = ""
    paths: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    reason: str = ""
    before: str = ""
    after: str = ""
    approved: bool = True


def of_row(row: Mapping[str, Any]) -> Demand:
    """A rule as `compile` has it."""
    approved = row.get("approved") is True
    return Demand(
        str(row["id"]),
        str(row.get("require") or ""),
        tuple(row.get("paths") or ()),
        tuple(row.get("tools") or ()),
        str(row.get("reason") or "") if approved else "",
        str(row.get("from") or "") if approved else "",
        str(row.get("to") or "") if approved else "",
        approved,
    )


def read(store: str, root: str) -> tuple[Demand, ...]:
    """The rules in force in a worktree; none where plans are not judged, or nothing was compiled."""
    return tuple([of_row(row) for row in compiled.read(store, root, KIND)[1]])


def _may_meet(left: str, right: str) -> bool:
    """Whether two globs may mean one path."""
    starts = (base(left) or ".", base(right) or ".")
    return (
        covers(left, right) or covers(right, left) or reaches(left, starts[1]) or reaches(right, starts[0])
        or covers(left, f"{starts[1]}/x") or covers(right, f"{starts[0]}/x")
    )  # fmt: skip


def _touches(demand: Demand, scope: str) -> bool:
    """Whether a rule's paths may hold what a scope does; `!` first takes paths out again."""
    out = [one[1:] for one in demand.paths if one[:1] == "!"]
    if any(covers(each, scope) for one in out for each in expand(one)):
        return False
    wanted = [one for one in demand.paths if one[:1] != "!"]
    return not wanted or any(_may_meet(each, scope) for one in wanted for each in expand(one))


def same(one: str, other: str) -> bool:
    """Whether two names of tools may mean one: `kind:shell` and a client's own shell."""
    return means((one,), other, kind_of(other)) or means((other,), one, kind_of(one))


def concerns(demand: Demand, node: Node) -> bool:
    """Whether a rule speaks of a node: by its tools and its paths. A node without tools or scope may use any."""
    if demand.tools and node.tools and not any(same(one, other) for one in demand.tools for other in node.tools):
        return False
    if not demand.paths:
        return True
    return any(_touches(demand, each) for scope in node.scopes or ("**",) for each in expand(scope))
