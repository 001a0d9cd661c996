"""One call on its way through the features and the host's pre hooks: what each said, and what it comes to."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from jackline.inprocess.decision import parse_decision
from jackline.inprocess.hook_set import Company, Hook, describe_fault, is_cancelled, timed
from jackline.inprocess.invocation import PENDING, REJECTED, called
from jackline.inprocess.worker import to_the_end
from jackline.model import NO_OBJECTION, Action, HookRun, Verdict
from jackline.policy.dispatch import refuse_fault
from jackline.policy.merge import DENIED, refusal_lines, words
from jackline.policy.rewrite import lawful

if TYPE_CHECKING:
    from jackline.inprocess.guards import RunningEvent
    from jackline.inprocess.invocation import Invocation
    from jackline.inprocess.types import Phase, ToolError

INTERNAL = "HOOK_INTERNAL_ERROR"


class Passage:
    """One call. After `judge`, `verdict` says whether it may be executed, with `invocation.payload`.

    `defer`: who asks is not asked here; the verdict is `ask` then.
    """

    def __init__(self, invocation: Invocation, company: Company, *, defer: bool = False) -> None:
        self.invocation = invocation
        self.company = company
        self.verdict = NO_OBJECTION
        self.context: tuple[tuple[str, str], ...] = ()
        self.notes: tuple[str, ...] = ()
        self.executing = False
        self._defer = defer
        self._asked: list[Verdict] = []
        self._ran: list[HookRun] = []
        self._changed: dict[str, str] = {}  # key of the payload: who changed it
        self._judged: list[RunningEvent] = []  # the one that is under way: whoever takes it out has to close it
        self._over = False

    # --- what it came to ---

    @property
    def decision(self) -> Literal["allow", "ask", "deny"]:
        found = self.verdict.decision
        return found if found == "ask" or found == "deny" else "allow"

    @property
    def rewritten(self) -> bool:
        return bool(self._changed)

    @property
    def error(self) -> ToolError | None:
        """The refusal, when it is one."""
        return self.invocation.refusal

    async def reject(self, reason: str) -> None:
        """A person said no, somewhere else: the call that was let pass or asked about is refused."""
        self.verdict = self.verdict._replace(decision="deny", reason=reason, code=REJECTED)
        await self.invocation.refuse(REJECTED, reason)

    # --- the way ---

    async def judge(self) -> Verdict:
        """Features in their order, then pre hooks in theirs; a rewritten call is judged once more by every guard."""
        say, invocation = self.company.say, self.invocation
        say(invocation, "begin")
        verdict = Verdict("deny", "the call was given up before it was decided", code=PENDING, by=("host",))
        try:
            try:
                verdict = await self._way()
            except Exception as fault:  # noqa: BLE001 - a fault of ours is no yes
                verdict = self._refused("engine", describe_fault(fault)[0])
            verdict = verdict._replace(
                context=self.context,
                notes=self.notes,
                updated_input=invocation.payload if self.rewritten else None,
            )
            if verdict.decision == "deny":
                await invocation.refuse(verdict.code or DENIED, verdict.reason, verdict.preview)
        except GeneratorExit:  # nothing can be awaited any more
            self._over = True
            self._taken(lambda judged: judged.outcome.close())
            raise
        finally:
            self.verdict = verdict
            await self._remember(verdict)
        return verdict

    async def _way(self) -> Verdict:
        verdict = await self._features()
        if verdict.decision != "deny":
            verdict = await self._hooks(first=True)
        if verdict.decision != "deny" and self.invocation.moved:
            self.invocation.approved = False  # a person's word is for the call they were shown
            verdict = await self._settled(await self._features_again())
            if verdict.decision != "deny":
                verdict = await self._hooks(first=False)
        if verdict.decision != "deny":
            verdict = await self._granted()
        if verdict.decision == "deny" or not self._asked:
            return verdict
        lines = dict.fromkeys(one.reason for one in self._asked)
        by = tuple(dict.fromkeys(name for one in self._asked for name in one.by))
        return Verdict("ask", "\n".join(lines), code=self._asked[0].code, by=by)

    def _refused(self, by: str, what: str) -> Verdict:
        """The refusal of a guard that could not judge."""
        event = self.invocation.event
        one = refuse_fault(event, HookRun(by, Action(), error=what, critical=True))
        return Verdict("deny", words(one.action), code=one.action.code, by=(by,))

    # --- features ---

    async def _features(self) -> Verdict:
        invocation, guards = self.invocation, self.company.guards
        if invocation.fault:
            return self._refused("engine", invocation.fault)
        if not guards.any:
            return NO_OBJECTION
        begun = time.monotonic()
        try:
            verdict = await self.company.worker.run(self._judge)
        except Exception as fault:  # noqa: BLE001 - a guard that fails refuses
            mark, sentence = describe_fault(fault)
            self.say("features", begun, hook=",".join(guards.knobs) or "log", decision="deny", error=sentence)
            return self._refused("features", mark) if guards.knobs else NO_OBJECTION
        self.context, self.notes = verdict.context, verdict.notes
        if verdict.input_metadata and "session" in guards.knobs:
            invocation.stamp(verdict.input_metadata)
        for one in self._judged[0].outcome.ran:
            if one.hook in guards.knobs or one.action.decision or one.error:
                self.say("features", 0, hook=one.hook, decision=one.action.decision or "allow", ms=round(one.ms, 2))
        if verdict.updated_input is not None and verdict.decision != "deny":
            before = invocation.event.input
            changes = {
                key: one for key, one in verdict.updated_input.items() if key not in before or before[key] != one
            }
            self._rewrite("features", changes, lawful_already=True)
            invocation.moved = False  # the critical features have seen it
        return await self._settled(verdict)

    def _judge(self) -> Verdict:
        """In the worker. When nobody waits for it any more, it is closed here."""
        invocation = self.invocation
        judged = self.company.guards.judge(
            invocation.event,
            invocation.invocation_id,
            intent=invocation.named_intent,
            broker=not (self._defer or invocation.may_ask),
        )
        self._judged.append(judged)
        if self._over:
            self._taken(lambda one: one.outcome.close())
        return judged.verdict

    def _taken(self, use: Callable[[RunningEvent], object]) -> None:
        try:
            judged = self._judged.pop()
        except IndexError:
            return
        use(judged)

    async def _granted(self) -> Verdict:
        """Use the person's yes by which the features let the call pass: last, so that no refusal costs it."""
        if not self._judged or not self._judged[0].asking:
            return NO_OBJECTION
        judged, guards = self._judged[0], self.company.guards
        try:
            verdict = await self.company.worker.run(lambda: guards.settle(judged))
        except Exception as fault:  # noqa: BLE001 - likewise
            return self._refused("features", describe_fault(fault)[0])
        self.context += verdict.context[len(judged.verdict.context) :]
        self.notes += verdict.notes[len(judged.verdict.notes) :]
        return verdict

    async def _features_again(self) -> Verdict:
        if not self._judged:
            return NO_OBJECTION
        judged, guards, given = self._judged[0], self.company.guards, self.invocation.payload
        try:
            return await self.company.worker.run(lambda: guards.again(judged, given))
        except Exception as fault:  # noqa: BLE001 - likewise
            return self._refused("features", describe_fault(fault)[0])

    # --- pre hooks ---

    async def _hooks(self, *, first: bool) -> Verdict:
        """Every pre hook; the second time, over a rewritten call, those that decide."""
        for hook in self.company.pre:
            if first or not hook.observer:
                verdict = await self._heard(hook, first=first)
                if verdict.decision == "deny":
                    return verdict
        return NO_OBJECTION

    async def _heard(self, hook: Hook, *, first: bool) -> Verdict:
        begun = time.monotonic()
        error = sentence = ""
        action = Action()
        self.invocation.unnamed = DENIED
        try:
            returned = await timed(hook.timeout, called(hook.call, self.invocation))
            action = parse_decision(returned, self.invocation.unnamed)
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            error, sentence = "CANCELLED", "what it waited for was cancelled"
        except Exception as fault:  # noqa: BLE001 - a guard that fails refuses, an observer that fails does not
            error, sentence = describe_fault(fault)
        if hook.observer:
            action = Action()
        one = refuse_fault(self.invocation.event, HookRun(hook.name, action, error=error, critical=not hook.observer))
        one = one._replace(ms=(time.monotonic() - begun) * 1000)
        if one.action.decision == "block":
            one = one._replace(action=one.action._replace(decision="deny"))
        self._ran.append(one)
        action = one.action
        said = {"decision": action.decision or "allow", "reason": action.reason, "error": sentence}
        self.say("pre", begun, hook=hook.name, **{key: value for key, value in said.items() if value})
        if action.updated_input and action.decision != "deny":
            if first:
                self._rewrite(hook.name, action.updated_input)
            else:
                self.notes += (f"{hook.name}: a call is rewritten once",)
        self.notes += action.warnings
        self.context += action.additional_context
        reason, code = words(action), action.code
        if action.decision == "deny" and code != REJECTED:  # what a person said is no hook's refusal
            reason, code = refusal_lines(hook.name, action), code or DENIED
        return await self._settled(Verdict(action.decision, reason, code=code, by=(hook.name,), preview=action.preview))

    def _rewrite(self, name: str, changes: Mapping[str, Any], *, lawful_already: bool = False) -> None:
        """Fold a rewrite: keys nobody changed before; shell text may only be narrowed."""
        invocation = self.invocation
        old = invocation.payload
        new = {key: value for key, value in changes.items() if key not in old or old[key] != value}
        key = self.company.vocabulary.command_key(invocation.tool_name) or "command"
        why = "" if lawful_already else lawful(invocation.kind, key, old, new)
        lost = [key for key in new if self._changed.get(key, name) != name]
        if why or lost:
            told = why or f"{', '.join(lost)} was rewritten by {self._changed[lost[0]]} before"
            self.notes += (f"{name}: {told}",)
            self.say("rewrite", 0, hook=name, error=told)
            new = {} if why else {key: value for key, value in new.items() if key not in lost}
        if new:
            self._changed.update(dict.fromkeys(new, name))
            invocation.rewrite(new, self.company.vocabulary)
            self.say("rewrite", 0, hook=name, reason=", ".join(sorted(new)))

    # --- a person's word ---

    async def _settled(self, verdict: Verdict) -> Verdict:
        """A verdict without questions: whoever is asked has answered. Questions that are put off are kept."""
        if verdict.decision != "ask":
            return verdict if verdict.decision == "deny" else NO_OBJECTION
        invocation = self.invocation
        if self._defer:
            self._asked.append(verdict)
            return NO_OBJECTION
        if not invocation.may_ask:
            what, *more = verdict.reason.split("\n")
            reason = "\n".join([f"{what} — this needs a person's yes, and there is nobody to ask", *more])
            return Verdict("deny", reason, code=PENDING, by=verdict.by, preview=verdict.preview)
        begun = time.monotonic()
        try:
            question = await invocation.question(verdict.reason, verdict.preview)
            yes = await invocation.ask_approval("tool", json.dumps(question, default=str))
        except Exception as fault:  # noqa: BLE001 - nobody said yes
            mark, sentence = describe_fault(fault)
            self.say("approval", begun, hook=",".join(verdict.by), decision="deny", error=sentence)
            return self._refused("askApproval", mark)
        self.say("approval", begun, hook=",".join(verdict.by), decision="allow" if yes else "deny")
        if yes:
            return NO_OBJECTION
        reason = f"Rejected by the person: {verdict.reason}"
        return Verdict("deny", reason, code=REJECTED, by=verdict.by, preview=verdict.preview)

    # --- what is left ---

    async def _remember(self, verdict: Verdict) -> None:
        """Write the decision down; what cannot be written undoes none."""
        self._over = True
        if not self._judged:
            return
        faults: list[str] = []

        def remember() -> None:
            self._taken(lambda judged: faults.append(self.company.guards.remember(judged, self._ran, verdict)))

        try:
            await to_the_end(self.company.worker.run(remember))
        except Exception as fault:  # noqa: BLE001 - likewise
            faults.append(describe_fault(fault)[1])
        for sentence in filter(None, faults):
            self.say("begin", 0, error=sentence)

    def say(self, phase: Phase, begun: float, **fields: Any) -> None:
        if begun:
            fields["ms"] = round((time.monotonic() - begun) * 1000, 2)
        self.company.say(self.invocation, phase, **fields)
