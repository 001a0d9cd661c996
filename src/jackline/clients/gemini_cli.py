"""Gemini CLI, as measured on 0.61.0. Nothing is installed for it yet: these are its signs and what it can carry."""

from jackline.clients.schema import At, ClientSpec, Habits, Person, Protected, Shape, Signs

SPEC = ClientSpec(
    name="gemini-cli",
    title="Gemini CLI",
    dialect="",
    version="0.61.0",
    time_limit=60,
    events={
        "SessionStart": At("context"),
        "UserPromptSubmit": At("context", block="prompt"),
        "PreToolUse": At("deny", rewrite="merge"),
        "PostToolUse": At("context", block="replace"),
        "PreCompact": At(),
        "Stop": At(cont=-1),
        "SessionEnd": At(),
        "Notification": At(),
    },
    signs=Signs(
        shapes=(
            Shape(6, "timestamp tool_input transcript_path"),
            Shape(6, "timestamp llm_request"),
            Shape(6, "timestamp prompt_response"),
        ),
        transcript="/.gemini/",
        marks=("GEMINI_SESSION_ID",),
        first_key="session_id",
    ),
    shell_marks=("GEMINI_CLI",),
    secrets=("GEMINI_API", "GOOGLE_API"),
    person=Person(program="gemini", alone=("-p", "--prompt")),
    protected=Protected(
        anywhere={".gemini": "settings.json trusted*.json extensions/**"},
        obeyed=".gemini/settings.json .gemini/gemini.md",
    ),
    habits=Habits(project="GEMINI_PROJECT_DIR", new_shell=True, cuts_reads=True),
    grades={
        "context": "yes, but not before a tool",
        "sub-agents": "their tool calls are seen, without any mark",
        "failure": "open when the hook runs out of time; a command that is gone refuses everything",
    },
    sources={
        "everything": "measured on 0.61.0: contract of Copilot, Gemini, Qwen, Cline and VS Code, sections 2 and 7"
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
