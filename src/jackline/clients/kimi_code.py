"""Kimi Code, as measured on 2.1.0 with `kimi -p`."""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Signs, tool, tools

SPEC = ClientSpec(
    name="kimi-code",
    title="Kimi Code",
    dialect="kimi",
    form="flat",
    version="2.1.0",
    native={"StopFailure": "Error"},
    time_limit=30,
    pairing="tool_call_id",
    events={
        "SessionStart": At(),
        "UserPromptSubmit": At("context", block="prompt"),
        "PreToolUse": At("deny"),
        "PostToolUse": At(),
        "PostToolUseFailure": At(),
        "PreCompact": At(),
        "Stop": At(cont=2),  # it does not ask a second time
        "SubagentStart": At(),
        "SubagentStop": At(),
        "SessionEnd": At(),
        "Notification": At(),
    },
    tools=tools(
        tool("shell", "Bash", command="command"),
        tool("write", "Write", paths="path"),
        tool("edit", "Edit", paths="path"),
        tool("read", "Read ReadMediaFile", paths="path"),
        tool("read", "Skill TaskOutput TaskStop CronList"),
        tool("search", "Grep Glob", paths="path", query="pattern"),
        tool("fetch", "FetchURL", query="url"),
        tool("fetch", "WebSearch", query="query"),
        tool("subagent", "Agent"),
        tool("question", "AskUserQuestion"),
        tool("todo", "TodoList TaskList"),
        tool("plan", "EnterPlanMode ExitPlanMode"),
    ),
    known_as={"WebFetch": "FetchURL", "TodoWrite": "TodoList"},
    wire={
        "fields": {"prompt": "prompt.*.text", "tool_use_id": "tool_call_id"},
        "child": "",
        "agent": ("", ""),
        "flattened": "",
        "lines": "",
        "response": "tool_output",
        "failed": "error",
        "shown": "text",
        "exit": "exited with code ",
        "refusal": ("hookSpecificOutput.permissionDecision", "deny"),
        "reason": "hookSpecificOutput.permissionDecisionReason",
        "context": "message",
        "input": "",
    },
    signs=Signs(executables=("kimi",), timeless=True, default=True),
    secrets=("KIMI_API", "MOONSHOT_API"),
    installed=Installed(
        programs=("kimi",),
        traces=(".kimi-code",),
        in_project=(".kimi-code",),
        home=("KIMI_CODE_HOME", ".kimi-code"),
        files={"user": "config.toml"},  # it has no file of a project
        isolated=True,
        events="SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop "
        "PreCompact Notification Stop SessionEnd",
        canonical=True,
        clamps={"Stop": 600},  # a larger number voids all hooks of the file
        mute="UserPromptSubmit",
        shape="toml",
        runs_in="/bin/sh",
        denial='{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"%s"}}',
        notice='{"message":"%s"}',
    ),
    person=Person(program="kimi", alone=("-p", "--print"), moves=("KIMI_CODE_HOME",)),
    protected=Protected(
        anywhere={".kimi-code": "config.toml plugins/**"},
        transcripts=("/.kimi-code/sessions/",),
        obeyed=".kimi-code/config.toml .kimi-code/agents.md .kimi-code/plugins .kimi-code/skills",
    ),
    habits=Habits(cuts_reads=True, cuts_searches=("Grep", "Glob"), agent_tool="Agent", instructions="AGENTS.md"),
    grades={
        "context": "yes, but with the prompt only",
        "end of turn": "yes, but once a turn",
        "sub-agents": "start and stop are seen; their tool calls carry no mark, and their end looks like the agent's",
        "failure": "open when the hook crashes or runs out of time; a script that is gone refuses every call",
    },
    sources={
        "everything": "measured on 2.1.0: contract of opencode and others, section 4",
        "events of a terminal, limits, tools beyond the recorded ones": "the program itself",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
