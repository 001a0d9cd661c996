"""Laws of merge and dispatch: deny > ask > approve > silence, in declared order, whatever finished first."""

from __future__ import annotations

import copy
import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jackline.hook_table import HookSpec
from jackline.model import EVENTS, Action, Event, HookRun, Verdict
from jackline.policy.dispatch import dispatch
from jackline.policy.events import STRICTNESS, decisions
from jackline.policy.merge import merge, refusal_lines

DECISIONS = ("", "allow", "approve", "ask", "deny", "block")
NAMES = ("session", "a", "b", "guard", "planGraph-exec", "owner")
TEXTS = st.sampled_from(("", "one", "two", "three\nlines"))
INPUTS = st.sampled_from((None, {}, {"path": "lib"}, {"path": "src"}, {"path": "x", "limit": 2}, {"glob": 3}))
STAMPS = st.sampled_from((None, {"_hookSessionId": "one"}, {"path": "one", "_hookWorkId": "w001"}))
PAIRS = st.sampled_from(((), (("key", "value"),), (("key", "value"), ("", "more"))))
ACTIONS: st.SearchStrategy[Action] = st.builds(
    Action,
    decision=st.sampled_from(DECISIONS),
    reason=TEXTS,
    rule=TEXTS,
    updated_input=INPUTS,
    input_metadata=STAMPS,
    additional_context=PAIRS,
    warnings=st.sampled_from(((), ("careful",))),
    code=st.sampled_from(("", "HITL_REJECT")),
)


def specs(hook: str) -> st.SearchStrategy[HookSpec | None]:
    """What a hook declared and a person granted it; None: nobody declared anything."""
    return st.none() | st.builds(HookSpec, st.just(hook), may_approve=st.booleans(), stamps=st.booleans())


@st.composite
def runs(draw: st.DrawFn) -> list[HookRun]:
    """What some hooks returned, each hook once, in declared order."""
    hooks = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
    return [
        HookRun(hook, draw(ACTIONS), draw(st.floats(0, 99)), observed=draw(st.booleans()), spec=draw(specs(hook)))
        for hook in hooks
    ]


@st.composite
def events(draw: st.DrawFn) -> Event:
    tool = draw(st.sampled_from(("", "Grep", "Write")))
    given = {"path": "src", "limit": 1} if tool else {}
    return Event(
        draw(st.sampled_from(EVENTS)), tool=tool, kind={"Grep": "search", "Write": "write"}.get(tool, ""), input=given
    )


MODES = ("enforce", "enforce", "warn", "observe")


def may_approve(one: HookRun) -> bool:
    return one.spec is not None and one.spec.may_approve


def strictest(event: Event, ran: list[HookRun]) -> str:
    """The contract's precedence (section 8.1), told another way: each level is asked for, strictest first."""
    for level in ("deny", "block", "ask", "approve"):
        for one in ran:
            counts = not one.observed and level in decisions(event.name)
            if counts and one.action.decision == level and (level != "approve" or may_approve(one)):
                return level
    return ""


@given(event=events(), ran=runs())
def test_the_strictest_decision_wins(event: Event, ran: list[HookRun]) -> None:
    verdict = merge(event, ran)
    assert verdict.decision == strictest(event, ran)
    assert set(verdict.by) <= {one.hook for one in ran if one.action.decision == verdict.decision}


@given(event=events(), ran=runs(), data=st.data())
def test_finishing_order_decides_nothing(event: Event, ran: list[HookRun], data: st.DataObject) -> None:
    """However long each took: only the declared order stands in the verdict."""
    times = data.draw(st.lists(st.floats(0, 1000), min_size=len(ran), max_size=len(ran)))
    slower = [one._replace(ms=ms) for one, ms in zip(ran, times, strict=True)]
    assert merge(event, slower) == merge(event, ran)
    shuffled = merge(event, data.draw(st.permutations(ran)))
    verdict = merge(event, ran)
    assert shuffled.decision == verdict.decision
    assert sorted(shuffled.by) == sorted(verdict.by)
    assert sorted(shuffled.context) == sorted(verdict.context)


@given(event=events(), ran=runs(), at=st.integers(0, 5), decision=st.sampled_from(("", "allow")))
def test_adding_an_allow_never_weakens_a_deny(event: Event, ran: list[HookRun], at: int, decision: Any) -> None:
    added = [*ran[:at], HookRun("another", Action(decision=decision)), *ran[at:]]
    assert merge(event, added) == merge(event, ran)


@given(event=events(), ran=runs(), at=st.integers(0, 5), action=ACTIONS)
def test_adding_any_hook_never_weakens(event: Event, ran: list[HookRun], at: int, action: Action) -> None:
    before = merge(event, ran)
    after = merge(event, [*ran[:at], HookRun("another", action), *ran[at:]])
    assert STRICTNESS[after.decision] >= STRICTNESS[before.decision]


@given(event=events(), ran=runs(), at=st.integers(0, 5), action=ACTIONS)
def test_what_is_observed_changes_nothing(event: Event, ran: list[HookRun], at: int, action: Action) -> None:
    watched = [*ran[:at], HookRun("another", action, observed=True), *ran[at:]]
    assert merge(event, watched) == merge(event, ran)


@given(event=events(), ran=runs())
def test_nobody_approves_without_a_persons_grant(event: Event, ran: list[HookRun]) -> None:
    assert merge(event, [one for one in ran if not may_approve(one)]).decision != "approve"


@given(event=events(), ran=runs())
def test_merge_is_pure(event: Event, ran: list[HookRun]) -> None:
    given, kept = dict(event.input), copy.deepcopy([one._asdict() for one in ran])
    first = merge(event, ran)
    assert merge(event, ran) == first
    assert event.input == given
    assert [one._asdict() for one in ran] == kept


@given(event=events(), ran=runs())
def test_reasons_stand_in_declared_order(event: Event, ran: list[HookRun]) -> None:
    verdict = merge(event, ran)
    order = [one.hook for one in ran]
    assert [order.index(hook) for hook in verdict.by] == sorted(order.index(hook) for hook in verdict.by)
    if verdict.decision == "deny":  # names its hooks
        assert verdict.reason == "\n".join(
            [refusal_lines(one.hook, one.action) for one in ran if one.hook in verdict.by]
        )
        return
    said = [one.action for one in ran if one.hook in verdict.by]
    parts = [[line for line in (one.reason, one.rule, one.safer) if line] for one in said]
    # a name with a line's end in it takes no other part's line; who gives a reason alone may write several
    lines = [
        line if one.reason and len(row) == 1 else line.replace("\n", " ")
        for one, row in zip(said, parts, strict=True)
        for line in row
    ]
    assert verdict.reason == "\n".join(lines)


@given(event=events(), ran=runs())
def test_the_client_gets_the_whole_input(event: Event, ran: list[HookRun]) -> None:
    """A host that replaces the input loses no argument (a fault of earlier implementations)."""
    verdict = merge(event, ran)
    if verdict.updated_input is not None:
        assert event.tool
        assert event.name in ("PreToolUse", "PermissionRequest")
        assert verdict.updated_input.keys() >= event.input.keys()
    if verdict.input_metadata is not None:
        assert all(key.startswith("_hook") for key in verdict.input_metadata)
        stamping = [one.action.input_metadata or {} for one in ran if one.spec is not None and one.spec.stamps]
        assert all(any(given.get(key) == value for given in stamping) for key, value in verdict.input_metadata.items())


# --- dispatch ---


@st.composite
def wired(draw: st.DrawFn) -> list[tuple[HookSpec, Action, float]]:
    """Rows in order, what each would return, and the milliseconds it takes."""
    found = []
    for at in range(draw(st.integers(0, 6))):
        row = HookSpec(f"h{at}", at, draw(st.booleans()), draw(st.booleans()), draw(st.sampled_from(MODES)))
        found.append((row, draw(ACTIONS), draw(st.sampled_from((0.0, 1.0, 200.0, 400.0)))))
    return found


def played(event: Event, plan: list[tuple[HookSpec, Action, float]]) -> tuple[list[str], dict[str, str]]:
    clock = 0

    def run(row: HookSpec, event: Event, limit: float) -> HookRun:
        nonlocal clock
        action, ms = next((action, ms) for other, action, ms in plan if other.slug == row.slug)
        clock += int(ms * 1e6)
        return HookRun(row.slug, action, ms, critical=row.critical, observed=row.mode == "observe")

    ran: list[HookRun] = []
    skipped = dispatch(event, [row for row, _, _ in plan], run, lambda: clock, 300.0, ran)
    return [one.hook for one in ran], {one[0]: one[1] for one in skipped}


@given(plan=wired())
def test_dispatch_keeps_the_order_and_loses_nobody(plan: list[tuple[HookSpec, Action, float]]) -> None:
    ran, skipped = played(Event("PreToolUse", tool="Grep", kind="search"), plan)
    slugs = [row.slug for row, _, _ in plan]
    assert sorted([*ran, *skipped]) == sorted(slugs)
    assert ran == [slug for slug in slugs if slug in ran]


@given(plan=wired())
def test_who_runs_follows_from_those_before(plan: list[tuple[HookSpec, Action, float]]) -> None:
    """The first deny stops the non-critical ones, an empty budget too; critical ones run, and an ask stops nobody."""
    ran, skipped = played(Event("PreToolUse", tool="Grep", kind="search"), plan)
    denied = False
    spent = 0.0
    for row, action, ms in plan:
        if not row.hot:
            assert skipped[row.slug] == "not hotPathSafe"
        elif denied and not row.critical:
            assert skipped[row.slug] == "denied before it"
        elif spent >= 300 and not row.critical:
            assert skipped[row.slug] == "BUDGET_EXCEEDED"
        else:
            assert row.slug in ran
            spent += ms
            if row.mode == "enforce":
                denied = denied or action.decision == "deny"


def test_refusals_of_several_guards_are_three_lines() -> None:
    """What one says hides nothing of another: only three lines are read."""
    first = Action("deny", "a would go", rule="guard: x", safer="keep it")
    second = Action("deny", "b would go", rule="other: y", safer="keep it")
    made = merge(Event("PreToolUse", tool="Bash", kind="shell"), [HookRun("guard", first), HookRun("other", second)])
    assert made.reason == "a would go; b would go\nguard: x; other: y\nkeep it"
    assert made.by == ("guard", "other")
    bare = merge(
        Event("PreToolUse", tool="Bash", kind="shell"), [HookRun("guard", first), HookRun("z", Action("deny", "c"))]
    )
    assert bare.reason == "a would go\nguard: x\nkeep it\nc — refused by z"


@given(plan=wired())
def test_on_other_events_all_hooks_run(plan: list[tuple[HookSpec, Action, float]]) -> None:
    ran, skipped = played(Event("PostToolUse", tool="Grep", kind="search"), plan)
    assert [slug for slug, why in skipped.items() if why != "BUDGET_EXCEEDED"] == []
    assert set(ran) | set(skipped) == {row.slug for row, _, _ in plan}


def test_precedence_written_out() -> None:
    """Every pair of decisions before a tool, by name (contract section 8.1)."""
    order = ("", "approve", "ask", "deny")
    event = Event("PreToolUse", tool="Grep", kind="search")
    for one, other in itertools.product(order, order):
        actions = [Action(decision=one, reason="r"), Action(decision=other, reason="r")]  # type: ignore[arg-type]
        verdict = merge(event, [HookRun("a", action, spec=HookSpec("a", may_approve=True)) for action in actions])
        assert verdict.decision == max(one, other, key=order.index)
    assert merge(event, []) == Verdict()


@given(action=ACTIONS, critical=st.booleans(), error=st.sampled_from(("", "abcd1234")))
def test_a_warning_hook_tells_and_decides_nothing(action: Action, critical: bool, error: str) -> None:
    """`mode: warn`, between observe and enforce: the person reads what would have happened (design section 2)."""
    event = Event("PreToolUse", tool="Grep", kind="search", input={"path": "src"})
    row = HookSpec("a", critical=critical, mode="warn", may_approve=True)
    ran: list[HookRun] = []
    made = HookRun("a", action, error=error, critical=critical, spec=row)
    dispatch(event, [row], lambda *_: made, lambda: 0, 300.0, ran)
    verdict = merge(event, ran)
    assert (verdict.decision, verdict.updated_input) == ("", None)
    would = action.decision if action.decision not in ("", "allow") else "rewrite" if action.updated_input else ""
    if error:
        would = "deny" if critical else ""
    told = [note for note in verdict.notes if note.startswith("a would ")]
    assert len(told) == (would != "")
    assert [dict(row)["decision"] for row in ran[0].action.emit_events] == [would] * len(told)
