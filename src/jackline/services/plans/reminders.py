"""What an agent is reminded of, in context and never by a refusal or a continuation: that its plan is decided, and that
a step looks finished.
"""

from __future__ import annotations

from jackline.jsonio import dumps
from jackline.services.plans import nodes
from jackline.services.plans.acceptance import accepted, task_of
from jackline.services.plans.commands import SUBMIT, of_node
from jackline.store import tasks
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.services.plans.acceptance import Where
    from jackline.services.plans.document import Node, Plan
    from jackline.store.tasks import Task

SHOWN = 3
"""Steps that are named at once."""


# --- a plan that is submitted again ------------------------------------------------------------------------------


def _progress(task: Task) -> str:
    """What differs once anything was done on the plan."""
    known = task.get("nodes") or {}
    done = sorted((name, str(one.get("status", ""))) for name, one in known.items() if type(one) is dict)
    return digest(dumps([(task.get("plan") or {}).get("fingerprint"), done, sorted(task.get("touched") or ())]))


def next_step(plan: Plan, task: Task) -> str:
    """The one step that leads on."""
    for node in nodes.ready(plan, task):
        if nodes.status(task, node.id) == "started":
            return f"now: work on {node.id}, then {of_node('done', node.id)}"
        return f"now: work on {node.id} ({node.description})"
    if plan.nodes and all(node.forbidden for node in plan.nodes):
        return f"it forbids all that it names · a plan that does something: {SUBMIT}"
    return "all nodes are over" if plan.nodes else "no plan yet"


def repeated(where: Where, now_ms: int) -> str:
    """What is said to a plan that is equal to the accepted one: in few words, and the third time without a change
    between with the accepted plan itself. OSError when the store cannot be written.
    """

    def count(task: Task) -> Task:
        mark, before = _progress(task), task.get("repeats") or {}
        times = before.get("times", 0) if before.get("mark") == mark else 0
        return {**task, "repeats": {"mark": mark, "times": times + 1}}

    task = tasks.change(where.store, where.sid, where.work, count)
    plan = accepted(where)
    step = next_step(plan, task)
    if task["repeats"]["times"] < 2:
        return f"this is the plan that is accepted already · {step}"
    from jackline.services.plans import show

    return "\n".join(["decided, do not plan again: this is the accepted plan", *show.outline(plan, task, now_ms), step])


# --- a step that looks finished ----------------------------------------------------------------------------------


def _looks_finished(where: Where, node: Node, task: Task) -> str | None:
    """Why a step looks finished; None where it does not."""
    if not (task.get("touched") or {}).get(node.id):
        return None
    from jackline.services.validators.listing import PROMPT
    from jackline.services.validators.node import standings

    found = standings(where, [node]).get(node.id, {})
    if any(how != "passed" for name, how in found.items() if not (how == "open" and name.startswith(PROMPT))):
        return None
    passed = [name for name, how in found.items() if how == "passed"]
    return "its files changed" + (f", and {', '.join(passed)} passed" if passed else "")


def _reminded(task: Task, names: list[str]) -> Task:
    """The task where somebody was reminded of nodes; their leases say so too, for whoever asks at every prompt."""
    leases = dict(task.get("leases") or {})
    for name in names:
        if name in leases:
            leases[name] = {**leases[name], "reminded": True}
    return {**task, "reminded": {**(task.get("reminded") or {}), **dict.fromkeys(names, True)}, "leases": leases}


def _mark(where: Where, task: Task) -> str:
    """What stands for all that a look goes by: the plan, what its steps came to, and which validators ended."""
    from jackline.services.validators.place import newest

    return f"{_progress(task)}-{newest(where.store, where.root)}"


def unfinished(where: Where) -> str:
    """The steps that look finished and that nobody said are, each once; "" where there are none.

    Nobody looks again, which takes the plan and git, before anything was done on the plan, or a validator ended.
    """
    task = task_of(where)
    mark = _mark(where, task)
    if task.get("looked") == mark:
        return ""
    reminded = task.get("reminded") or {}
    begun = [node for node in accepted(where).nodes if nodes.status(task, node.id) == "started"]
    found = {
        node.id: why for node in begun
        if node.id not in reminded and (why := _looks_finished(where, node, task)) is not None
    }  # fmt: skip
    named = [*found][:SHOWN]
    leases = task.get("leases") or {}
    again = [name for name, one in leases.items() if name in reminded and not one.get("reminded")]
    if again:  # a step that began anew: its lease has to say that the agent knows
        tasks.change(where.store, where.sid, where.work, lambda now: _reminded(now, again))
    if not found:
        tasks.change(where.store, where.sid, where.work, lambda now: {**now, "looked": mark})
        return ""
    tasks.change(where.store, where.sid, where.work, lambda now: _reminded(now, named))
    lines = [f"{name} looks finished ({found[name]}); if it is: {of_node('done', name)}" for name in named]
    return "\n".join(lines)
