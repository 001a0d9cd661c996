"""Qwen Code, as measured on 0.24.4: Claude's dialect with tools of its own. Nothing is installed for it yet."""

from jackline.clients.schema import At, ClientSpec, Habits, Person, Protected, Shape, Signs, tool, tools

SPEC = ClientSpec(
    name="qwen-code",
    title="Qwen Code",
    dialect="claude-code",
    form="nested",
    version="0.24.4",
    time_limit=60,
    pairing="tool_call_id",  # it makes up a tool_use_id for every event
    subagent="agent_id",
    events={
        "SessionStart": At("context"),
        "UserPromptSubmit": At("context", block="prompt"),
        "PreToolUse": At("deny ask"),
        "PermissionRequest": At("deny approve"),
        "PostToolUse": At("context"),
        "PostToolUseFailure": At(),
        "PreCompact": At(),
        "PostCompact": At(),
        "Stop": At(cont=7),
        "SubagentStart": At(),
        "SubagentStop": At(),
        "SessionEnd": At(),
        "Notification": At(),
        "Error": At(),
    },
    tools=tools(
        tool("shell", "run_shell_command", command="command"),
        tool("write", "write_file", paths="file_path"),
        tool("edit", "edit", paths="file_path"),
        tool("read", "read_file", paths="file_path"),
        tool("search", "grep_search glob", paths="path", query="pattern"),
        tool("list", "list_directory", paths="path"),
        tool("fetch", "web_fetch", query="url"),
        tool("subagent", "agent"),
    ),
    wire={"decisions": {"deny": "deny", "ask": "ask", "approve": "allow"}, "rewrite": "", "outcome": "event"},
    signs=Signs(
        shapes=(Shape(3, "timestamp permission_mode"),),
        transcript="/.qwen/",
        inherited=("QWEN_CODE_SESSION_ID",),
    ),
    shell_marks=("QWEN_CODE",),
    person=Person(program="qwen", alone=("-p", "--prompt")),
    protected=Protected(anywhere={".qwen": "settings.json trusted*.json extensions/**"}),
    habits=Habits(project="QWEN_PROJECT_DIR", new_shell=True, cuts_reads=True),
    grades={
        "ask": "the client's own question; without a person it is a denial",
        "context": "yes, but not before a tool",
        "sub-agents": "start and stop are seen, marked by their agent id",
        "failure": "open: when the hook crashes or runs out of time the call goes ahead",
    },
    sources={"everything": "measured on 0.24.4: contract of Copilot, Gemini, Qwen, Cline and VS Code, section 3"},
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
