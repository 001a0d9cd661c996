"""A host of the Claude Agent SDK: one prompt to the real client, every tool call through the engine.

    python claude_host.py CLIENT PROJECT [ANSWER…]

Prints JSON lines: what a person was asked, and at the end the engine's log. `ANSWER…` are the person's, in order.
"""

import asyncio
import json
import sys

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient

from jackline import HookEngine
from jackline.inprocess import Line, claude_sdk, user_store

QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1"}


def tell(kind: str, value: object) -> None:
    print(json.dumps({"kind": kind, "value": value}), flush=True)


async def main(client: str, project: str, *answers: str) -> None:
    log: list[Line] = []
    waiting = list(answers)

    async def ask(kind: str, message: str) -> bool:
        tell("asked", json.loads(message))
        return waiting.pop(0) == "yes"

    engine = HookEngine(project, store=user_store(), log=log.append)
    engine.use("command-guard")
    engine.use("graph-pretooluse")
    engine.register_post_hook("ended", lambda one: tell("ended", [one.tool_name, one.status]))
    options = ClaudeAgentOptions(
        cli_path=client,
        cwd=project,
        env=QUIET,
        allowed_tools=["Grep"],
        permission_mode="default",
        **claude_sdk.options(engine, ask_approval=ask),
    )
    async with ClaudeSDKClient(options) as session:
        await session.query("MAIN-PROMPT")
        async for message in session.receive_response():
            tell("message", type(message).__name__)
    tell("log", log)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
