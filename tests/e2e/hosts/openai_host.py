"""A host of the OpenAI Agents SDK: an agent with two tools, both behind the engine; the model is on loopback.

    python openai_host.py PROJECT [ANSWER…]

Prints JSON lines: what a person was asked, what was executed, and at the end the engine's log. `ANSWER…` are the
person's, in order: each interruption of the run gets one.
"""

import asyncio
import json
import subprocess
import sys

from agents import Agent, Runner, function_tool

from jackline import HookEngine
from jackline.inprocess import Line, openai_agents, user_store


def tell(kind: str, value: object) -> None:
    print(json.dumps({"kind": kind, "value": value}), flush=True)


async def main(project: str, *answers: str) -> None:
    log: list[Line] = []
    waiting = list(answers)

    @function_tool  # type: ignore[untyped-decorator, unused-ignore]
    async def execute_command(command: str) -> str:
        """Run a shell command in the project."""
        tell("executed", command)
        done = subprocess.run(["/bin/sh", "-c", command], cwd=project, capture_output=True, text=True)
        return done.stdout + done.stderr

    engine = HookEngine(project, store=user_store(), log=log.append)
    engine.use("command-guard")
    engine.use("graph-pretooluse")
    engine.register_post_hook("ended", lambda one: tell("ended", [one.tool_name, one.status]))
    tool = openai_agents.guard(engine, execute_command, session={"id": "conversation 7"})
    agent = Agent(name="worker", instructions="do it", tools=[tool], model="scripted")
    result = await Runner.run(agent, "MAIN-PROMPT")
    while result.interruptions:
        state = result.to_state()
        for one in result.interruptions:
            tell("asked", one.name)
            if waiting.pop(0) == "yes":
                state.approve(one)
            else:
                state.reject(one)
        result = await Runner.run(agent, state)
    tell("final", result.final_output)
    tell("log", log)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
