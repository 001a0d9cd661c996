"""What a task waits for: which validators are due on the present content, what came of them, and what was red before.

One is due when the files it judges are others than when the task began. What was red then holds back nobody but the
node that claims to fix it.
"""

from __future__ import annotations

from jackline.policy import continuation
from jackline.services.plans.document import parse
from jackline.services.validators import content, listing, results, runs
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import NamedTuple

    from jackline.services.plans.acceptance import Where
    from jackline.services.plans.document import Node, Plan
    from jackline.services.validators.listing import Listed, Validator
    from jackline.services.validators.results import Result
    from jackline.services.validators.runs import Tree
else:
    from jackline._record import NamedTuple

SOURCE = "validators"
"""Whose share of the continuations of a turn it is."""
PART = "validators"
"""What the store's task knows of them: the content of each when the task began, and how often a turn's end was held."""


class Check(NamedTuple):
    """One validator in a task. `content`: what it judges now; `result`: what came of it there, None where it has not
    run; `due`: the task changed what it judges; `excused`: it is red, and was so before the task.
    """

    validator: Validator
    content: str
    result: Result | None
    due: bool = True
    excused: bool = False

    @property
    def is_passed(self) -> bool:
        return self.result is not None and self.result.ok

    @property
    def is_red(self) -> bool:
        """Whether its verdict on the present content is no; one that could not run has none."""
        return self.result is not None and not self.result.ok and not self.result.fault

    @property
    def holds(self) -> bool:
        """Whether the task cannot be complete for it."""
        return self.due and not self.is_passed and not self.excused


def fixes(node: Node) -> frozenset[str]:
    """The validators that a node claims to turn from red to green."""
    said = (node.claims or {}).get("fixes")
    return frozenset([said] if isinstance(said, str) else [str(one) for one in said or ()])


def _plan(where: Where) -> Plan:
    return parse(tasks.read_plan(where.store, where.sid, where.work), where.root)


def scripts_of_plan(where: Where) -> list[Validator]:
    """The file scripts that nodes of the accepted plan name: others hold no task."""
    nodes = _plan(where).nodes
    names = {name for node in nodes for name in (*node.validators, *fixes(node))}
    known = {one.id for one in listing.read(where.store, where.root).rows}
    return listing.file_scripts(where.store, where.root, names - known)


def commands_of_plan(where: Where) -> list[Validator]:
    """The commands of those nodes of the accepted plan that are done: the task holds what they checked to them."""
    nodes = [node for node in _plan(where).nodes if node.commands]
    known = tasks.read(where.store, where.sid, where.work).get("nodes") or {} if nodes else {}
    done = {name for name, one in known.items() if type(one) is dict and one.get("status") == "done"}
    words = dict.fromkeys([words for node in nodes if node.id in done for words in node.commands])
    return [listing.of_words(one) for one in words]


def with_commands(where: Where, known: Listed) -> Listed:
    """The validators in force, and those commands; none of them where the feature is off."""
    return known._replace(rows=(*known.rows, *commands_of_plan(where))) if known.mode else known


def _began(where: Where) -> Mapping[str, str] | None:
    known = tasks.head(where.store, where.sid, where.work).get(PART)
    found = known.get("began") if isinstance(known, dict) else None
    return found if isinstance(found, dict) else None


def _check(
    where: Where, one: Validator, files: Mapping[str, str], began: Mapping[str, str] | None, claimed: Collection[str]
) -> Check:
    mark = content.of(one, files)
    made = Check(one, mark, results.read(where.store, where.root, one, mark))
    if began is None or one.script is not None:
        return made
    before = results.read(where.store, where.root, one, began.get(one.id, ""))
    was_red = before is not None and not before.ok and not before.fault
    excused = made.is_red and was_red and one.id not in claimed
    return made._replace(due=began.get(one.id) != mark, excused=excused)


def checks(
    where: Where,
    rows: Sequence[Validator] | None = None,
    *,
    claimed: Collection[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> list[Check]:
    """How validators stand in a task now: of those in force, or of some. `claimed`: names that somebody claims to fix,
    by default those of the plan. Raises Unknown where the tree cannot be told.
    """
    if rows is None:
        known = with_commands(where, listing.read(where.store, where.root))
        rows = (*known.rows, *scripts_of_plan(where))
    if not rows:
        return []
    files, began = content.look(where.root, env), _began(where)
    if claimed is None:
        claimed = {name for node in _plan(where).nodes for name in fixes(node)}
    return [_check(where, one, files, began, claimed) for one in rows]


def again(where: Where, known: Iterable[Check]) -> list[Check]:
    """The same, with what came of them meanwhile on the same content."""
    return [
        one if one.result is not None and not one.result.fault
        else one._replace(result=results.read(where.store, where.root, one.validator, one.content))
        for one in known
    ]  # fmt: skip


def waiting(known: Sequence[Check]) -> list[Check]:
    """Those that may still run: they have no result, and nothing that they need is red."""
    stopped = {one.validator.id for one in known if one.result is not None and not one.is_passed}
    while True:
        more = {one.validator.id for one in known if stopped.intersection(one.validator.needs)} - stopped
        if not more:
            return [one for one in known if one.result is None and one.validator.id not in stopped]
        stopped |= more


def is_passed(where: Where) -> bool:
    """Whether nothing that is due holds back the end of the task; false where the tree cannot be told."""
    if listing.read(where.store, where.root).mode == "observe":
        return True
    try:
        return not any(one.holds for one in checks(where))
    except content.Unknown:
        return False


def with_needs(known: Listed, rows: Iterable[Validator]) -> list[Validator]:
    """These validators and all that they need, in the order of the list; behind them scripts and commands of a plan,
    which need none.
    """
    rows = [*rows]
    wanted = {one.id for one in rows}
    while True:
        found = [one for one in known.rows if one.id in wanted]
        more = {name for one in found for name in one.needs} - wanted
        if not more & {one.id for one in known.rows}:
            return [*found, *[one for one in rows if one.when == listing.NAMED and one not in found]]
        wanted |= more


def run(where: Where, tree: Tree, moment: str) -> None:
    """Compute what is due at a moment and has not run, in a process that outlives us."""
    known = listing.read(where.store, where.root)
    rows = [one for one in known.rows if one.runs_at(moment)]
    try:
        todo = [
            one.validator for one in checks(where, rows, claimed=(), env=tree.env) if one.due and one.result is None
        ]
    except content.Unknown:
        return
    runs.start(with_needs(known, todo), tree)


# --- the task ------------------------------------------------------------------------------------------------------


def begin(where: Where, tree: Tree, now_ms: int) -> None:
    """Remember what there is when a task begins, once, and see in a process of its own what is red already."""
    known = listing.read(where.store, where.root)
    if not known.rows or _began(where) is not None:
        return
    try:
        files = content.look(where.root, tree.env)
    except content.Unknown:
        return
    began = {one.id: content.of(one, files) for one in known.rows}

    def note(task: tasks.Task) -> tasks.Task | None:
        return (
            None if (task.get(PART) or {}).get("began") is not None else {**task, PART: {"began": began, "at": now_ms}}
        )

    tasks.change(where.store, where.sid, where.work, note)
    todo = [
        one for one in known.rows if one.baseline and results.read(where.store, where.root, one, began[one.id]) is None
    ]
    runs.start(with_needs(known, todo), tree)


def ends_held(task: tasks.Task, turn: int) -> int:
    """How many ends of this turn validators held."""
    last = (task.get(PART) or {}).get("held") or {}
    return int(last.get("times", 0)) if last.get("turn") == turn else 0


def is_spent(where: Where, turn: int) -> bool:
    """Whether validators held the ends of this turn as often as they may: it is they for whom the task is blocked."""
    return bool(continuation.ends(ends_held(tasks.head(where.store, where.sid, where.work), turn), -1, SOURCE))


def held(where: Where, turn: int) -> tuple[int, str]:
    """The number of this end of a turn that validators hold, from 1, and why their share lets it go; "" where not.

    OSError when the store cannot be written.
    """
    number = 0

    def count(task: tasks.Task) -> tasks.Task:
        nonlocal number
        known = dict(task.get(PART) or {})
        last = known.get("held") or {}
        number = int(last.get("times", 0)) + 1 if last.get("turn") == turn else 1
        return {**task, PART: {**known, "held": {"turn": turn, "times": number}}}

    tasks.change(where.store, where.sid, where.work, count)
    return number, continuation.ends(number, -1, SOURCE)
