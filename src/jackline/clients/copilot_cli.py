"""Copilot CLI, as measured on 1.0.102."""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Shape, Signs, tool, tools

SPEC = ClientSpec(
    name="copilot-cli",
    title="Copilot CLI",
    dialect="github",
    form="both",
    version="1.0.102",
    aliases=("copilot",),
    native={
        "sessionStart": "SessionStart",
        "sessionEnd": "SessionEnd",
        "userPromptSubmitted": "UserPromptSubmit",
        "preToolUse": "PreToolUse",
        "permissionRequest": "PermissionRequest",
        "postToolUse": "PostToolUse",
        "postToolUseFailure": "PostToolUseFailure",
        "preCompact": "PreCompact",
        "agentStop": "Stop",
        "subagentStart": "SubagentStart",
        "subagentStop": "SubagentStop",
        "notification": "Notification",
        "errorOccurred": "Error",
        "ErrorOccurred": "Error",
    },
    context_limit=9000,
    time_limit=30,
    subagent="own session and parent",
    events={
        "SessionStart": At("context"),
        "UserPromptSubmit": At("context", block="prompt"),
        "PreToolUse": At("deny ask approve context", rewrite="replace"),
        "PermissionRequest": At("deny approve"),
        "PostToolUse": At("context", block="replace"),
        "PostToolUseFailure": At("context"),
        "PreCompact": At(),
        "Stop": At(cont=8),
        "SubagentStart": At("context"),
        "SubagentStop": At(cont=8),
        "SessionEnd": At(),
        "Notification": At(),
        "Error": At(),
    },
    tools=tools(
        # under an entry in camel case; in Pascal case Claude's names, with arguments of its own
        tool("shell", "bash powershell Bash PowerShell", command="command"),
        tool("shell", "write_bash write_powershell", command="input"),
        tool("read", "read_bash read_powershell list_bash list_powershell"),
        tool("write", "create Write", paths="path file_path"),
        tool("edit", "edit Edit", paths="path file_path"),
        tool("edit", "str_replace_editor", paths="path"),
        tool("edit", "apply_patch", patch="input"),
        tool("read", "view", paths="path"),
        tool("read", "Read", paths="path file_path"),
        tool("search", "grep glob rg Grep Glob", paths="path paths", query="pattern"),
        tool("fetch", "web_fetch WebFetch", query="url"),
        tool("fetch", "web_search WebSearch", query="query"),
        tool("subagent", "task Agent"),
        tool("question", "ask_user AskUserQuestion"),
        tool("todo", "update_todo report_intent TodoWrite"),
        tool("plan", "exit_plan_mode ExitPlanMode"),
    ),
    wire={"camel": True, "notes": False, "id_tail": ""},
    signs=Signs(
        shapes=(
            Shape(2, "sessionId", lacks="hookEventName"),  # camel case, and no name of the event
            *[Shape(5, f"timestamp {key}") for key in ("tool_result", "stop_reason", "parent_agent_id", "agent_name")],
            *[Shape(5, f"timestamp {key}") for key in ("initial_prompt", "error_context")],
            *[Shape(5, f"timestamp {key}", lacks="transcript_path") for key in ("tool_input", "reason")],
        ),
        transcript="/.copilot/",
        marks=("COPILOT_HOOK_DIR",),
        first_key="hook_event_name",
        executables=("copilot",),  # the process itself is named MainThread
    ),
    shell_marks=("COPILOT_AGENT_SESSION_ID",),
    installed=Installed(
        programs=("copilot",),
        traces=(".copilot",),
        in_project=(".github/hooks", ".github/copilot", ".github/copilot-instructions.md"),
        home=("COPILOT_HOME", ".copilot"),
        files={"user": "hooks/jackline.json", "project": ".github/hooks/jackline.json"},
        # spelt as VS Code reads them too: the spelling chooses the payload
        events="SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolUseFailure "
        "SubagentStart SubagentStop PreCompact Notification ErrorOccurred Stop SessionEnd",
        hook=("bash", "timeoutSec"),  # not `command`: on Windows, where the line means nothing, it is then no hook
        shape="items",
        template={"version": 1},
        conditions="github",
        at_root=True,
    ),
    person=Person(program="copilot", alone=("-p", "--prompt"), moves=("COPILOT_HOME",)),
    protected=Protected(
        anywhere={
            ".github": "hooks/** hooks.json copilot/settings*.json",
            ".copilot": "hooks/** settings*.json config.json",
        },
        transcripts=("/.copilot/session-state/",),
        obeyed=".copilot/config.json",
    ),
    habits=Habits(
        project="COPILOT_PROJECT_DIR",
        stops_at_deny=True,
        flat_payload=True,
        shell_tool="bash",
        agent_tool="task",
        instructions="AGENTS.md",
    ),
    grades={
        "ask": "the client's own question; without a person (`-p`) it is a denial",
        "sub-agents": "seen, as sessions of their own joined to the parent",
        "failure": "closed when the hook crashes, open when it runs out of time",
    },
    sources={
        "everything": "measured on 1.0.102: contract of Copilot, Gemini, Qwen, Cline and VS Code, sections 0, 1 and 7",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
