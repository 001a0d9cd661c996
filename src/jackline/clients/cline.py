"""Cline's command line, as measured (briefly) on 3.0.65. Nothing is installed for it yet."""

from jackline.clients.schema import At, ClientSpec, Protected, Shape, Signs

SPEC = ClientSpec(
    name="cline",
    title="Cline",
    dialect="",
    version="3.0.65",
    pairing="tool_call.id",
    subagent="parent_agent_id",
    events={
        "SessionStart": At(),
        "UserPromptSubmit": At(),
        "PreToolUse": At("deny context", rewrite="replace"),
        "PostToolUse": At("context"),
        "Stop": At(),
    },
    signs=Signs(shapes=(Shape(1, "hookName taskId"),)),
    protected=Protected(
        anywhere={".clinerules": "hooks/**", ".cline": "hooks/**"},
        fixed="~/documents/cline/hooks/**",
    ),
    grades={
        "deny": "holds, and ends the whole run: the agent is not told why",
        "end of turn": "no: the agent cannot be kept going",
        "sub-agents": "seen, marked by their parent's id",
        "failure": "open: when the hook crashes or prints nonsense the call goes ahead",
    },
    evidence="measured briefly",
    sources={"everything": "measured on 3.0.65: contract of Copilot, Gemini, Qwen, Cline and VS Code, section 5"},
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
