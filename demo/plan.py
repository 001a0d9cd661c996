"""`python -m demo.plan`: an agent that wants to run ahead is led from its prompt to the end of a plan by refusals.

The agent is a script; what it does next it takes from what it was told. Events go through the installed entry line.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from demo.stage import Stage, rows
from jackline.session_paths import task_ref

CLIENT = "claude-code"
SIGNS = 4
"""Characters of a token, about."""
MOST_CALLS, MOST_TOKENS = 4, 3_000
"""What a strict task may cost an agent beyond its own work (issue: small plans)."""
CYCLIC = {
    "nodes": [
        {"id": "a", "description": "change the form", "scope": "src/**", "dependsOn": ["b"], "evidence": ["notes.md"]},
        {"id": "b", "description": "change the page", "scope": "src/**", "dependsOn": ["a"]},
    ]
}
DRAFT = "x = 1  # a draft\n"
CHECK = "test:\n\t@! grep -n draft src/app/greeting.py\n"
"""The project's own check: a draft does not pass it."""
UNLOCK = "jackline pack check"
QUICK = 'jackline plan quick "WHAT" --files "src/**"'
"""What it tries where no refusal names a way: a project whose gate is off."""


class Agent:
    """Plays a session's events, does what passes, and remembers what it was told."""

    def __init__(self, stage: Stage, console: Console) -> None:
        self.stage = stage
        self.console = console
        self.entries = stage.entries(CLIENT)
        self.number = 0
        self.told = ""
        self.signs = 0
        self.extra = 0
        self.refused: list[str] = []

    def send(self, event: str, **fields: Any) -> dict[str, Any]:
        """The answer to one event."""
        payload = {"session_id": "demo-plan", "cwd": str(self.stage.root), "hook_event_name": event, **fields}
        code, out, err = self.stage.run(CLIENT, self.entries[event], json.dumps(payload))
        if code or err:
            raise SystemExit(f"{event} ended with {code}\n{out}{err}")
        said = json.loads(out)
        assert isinstance(said, dict)
        inner = said.get("hookSpecificOutput") or {}
        told = inner.get("permissionDecisionReason") or inner.get("additionalContext") or said.get("reason")
        self.told = str(told or "")
        self.signs += len(self.told)
        return said

    def say(self, sign: str, what: str, style: str = "") -> None:
        self.console.print(
            Text(f"  {sign} ", style), Text(what.replace(str(self.stage.root) + "/", "")), highlight=False
        )

    def call(self, tool: str, given: dict[str, Any], shown: str, do: Any) -> bool:
        """Try a tool; whether it passed. What passes is done, and its end is told."""
        self.number += 1
        use = {"tool_name": tool, "tool_input": given, "tool_use_id": f"t{self.number}"}
        said = self.send("PreToolUse", **use)
        if (said.get("hookSpecificOutput") or {}).get("permissionDecision") == "deny":
            first = self.told.split("\n")[0]
            code = re.search(r'"code":"(\w+)"', self.told)
            self.refused.append(code[1] if code else "")
            self.say("✗", f"{shown}", "bold red")
            self.say(" ", f"{first}", "dim")
            self.say(" ", f"now: {self.now}", "dim")
            return False
        response = do()
        self.say("✓", shown, "green")
        self.send("PostToolUse", **use, tool_response=response)
        self._quote(self.told)
        return True

    def compact(self) -> None:
        """The client cuts the agent's context, and goes on."""
        self.send("PreCompact", trigger="auto", custom_instructions="")
        self.send("SessionStart", source="compact")
        self.say("…", "the context is cut", "bold")
        self._quote(self.told.partition("## ")[0])

    def stop(self) -> bool:
        """End the turn; whether the agent may."""
        said = self.send("Stop", stop_hook_active=False)
        held = said.get("decision") == "block"
        self.say("✗" if held else "✓", "the end of the turn", "bold red" if held else "green")
        self._quote(self.told if held else "")
        return not held

    def _quote(self, told: str) -> None:
        for line in told.split("\n"):
            if line.strip():
                self.say(" ", line, "dim")

    @property
    def now(self) -> str:
        """The command that the last refusal names."""
        return self.told.partition("now: ")[2].split("\n")[0]

    def write(self, path: str, text: str) -> bool:
        place = self.stage.root / path

        def do() -> dict[str, Any]:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            return {"filePath": str(place)}

        return self.call("Write", {"file_path": str(place), "content": text}, f"Write {path}", do)

    def shell(self, command: str, *, ours: bool = False) -> bool:
        """A command of the shell; our own ones are run as they stand, and counted as what the plan costs."""
        self.extra += ours

        def do() -> dict[str, Any]:
            out, err = self.stage.shell(command)
            self.signs += len(out) if ours else 0
            return {"stdout": out, "stderr": err}

        return self.call("Bash", {"command": command, "description": "demo"}, command, do)


def phase(stage: Stage) -> str:
    (folder,) = stage.folders()
    return str(json.loads((folder / "state.json").read_text())["core"]["phase"])


def play(stage: Stage, console: Console, kind: type[Agent] = Agent) -> list[str]:
    """The whole task; what was not as it should be."""
    agent = kind(stage, console)
    wrong: list[str] = []

    def expect(what: str, holds: bool) -> None:
        if not holds:
            wrong.append(what)

    agent.send("SessionStart", source="startup")
    agent.send("UserPromptSubmit", prompt="make the greeting of main.py friendlier")
    console.print(Text("\nBefore a plan", "bold"))
    expect("reading passes", agent.shell("cat a.txt"))
    expect("a new file is refused", not agent.write("src/app/greeting.py", "x = 1\n"))
    named = agent.now
    expect("so is the same by the shell", not agent.shell("printf 'x = 1' > src/app/greeting.py"))
    console.print(Text("\nA plan that is none", "bold"))
    (folder,) = stage.folders()
    plan = (folder / task_ref("w001", "plan", "planGraph.json")).relative_to(stage.root)
    expect("the plan's place is free", agent.write(str(plan), json.dumps(CYCLIC)))
    expect("a circle is told", "circle" in agent.told)
    expect("and what else is wrong with it", "notes.md is not there" in agent.told)
    expect("the phase stays", phase(stage) == "PLANNING")
    console.print(Text("\nWhat the refusal named", "bold"))
    expect("the refusal names a command", named.startswith("jackline plan quick"))
    expect("it passes", agent.shell((named or QUICK).replace('"WHAT"', '"a friendlier greeting"'), ours=True))
    expect("the plan is accepted", phase(stage) == "EXECUTING")
    expect("what the plan opens passes", agent.write("src/app/greeting.py", DRAFT))
    expect("what it does not open is refused", not agent.write("docs/other.md", "x\n"))
    expect("pushing is refused", not agent.shell("git push origin main"))
    console.print(Text("\nIn between", "bold"))
    agent.compact()
    expect("the capsule says that the plan is decided", "Do not plan again" in agent.told)
    expect("nothing is changed before the agent looked", not agent.write("src/app/greeting.py", DRAFT + DRAFT))
    expect("the refusal names what unlocks", agent.now == UNLOCK)
    expect("it passes", agent.shell(agent.now or UNLOCK, ours=True))
    expect("the plan goes on", agent.write("src/app/greeting.py", DRAFT + DRAFT))
    console.print(Text("\nTo the end", "bold"))
    expect("the change is done", agent.shell("jackline plan node done change", ours=True))
    expect("and what checks it is done", agent.shell("jackline plan node done check", ours=True))
    expect("a check that is red keeps the turn going", not agent.stop())
    expect("and the task open", "make-test: exit" in agent.told and phase(stage) == "EXECUTING")
    expect("what it names is mended", agent.write("src/app/greeting.py", "x = 1\n"))
    expect("the turn ends", agent.stop())
    expect("the task is complete", phase(stage) == "COMPLETE")
    expect("nothing more is changed", not agent.write("src/app/later.py", "x\n"))
    codes = {"PLAN_REQUIRED", "LEASE_REQUIRED", "PHASE_DENIED"}
    expect(f"refusals say why: {agent.refused}", set(agent.refused) == codes)
    tokens = agent.signs // SIGNS
    expect(f"at most {MOST_CALLS} calls for the plan, not {agent.extra}", agent.extra <= MOST_CALLS)
    expect(f"at most {MOST_TOKENS} tokens told, not {tokens}", tokens <= MOST_TOKENS)
    steps = [row["data"] for row in rows(folder) if row["kind"] == "PHASE_TRANSITION"]
    console.print(Text("\nWhat is left", "bold"))
    phases = [*[one["from"] for one in steps[:1]], *[one["to"] for one in steps]]
    console.print("  phases  " + " → ".join(phases), highlight=False)
    console.print(f"  the plan cost the agent {agent.extra} calls and about {tokens} tokens", highlight=False)
    return wrong


def main() -> int:
    console = Console(width=None if sys.stdout.isatty() else 110)
    with tempfile.TemporaryDirectory(prefix="jackline-demo-") as scratch:
        stage = Stage(Path(scratch).resolve())
        (stage.root / "Makefile").write_text(CHECK)
        for words in (("init", "--client", CLIENT), ("enable", "plan", "--strict", "--yes")):
            console.print(Text("$ jackline " + " ".join(words), "dim"))
            console.print(Text(stage.jackline(*words).rstrip()), highlight=False)
        wrong = play(stage, console)
    for fault in wrong:
        console.print(Text(f"not as it should be: {fault}", "bold red"))
    if not wrong:
        console.print(Text("\nThe agent came to the end by what it was told.", "bold green"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
