"""pi, as measured on 0.73.1: an extension of ours in its process starts the entries (`install/bridges/`).

What is sent and answered is therefore of our own making, in the form that most clients took over.
"""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Signs, tool, tools

SPEC = ClientSpec(
    name="pi",
    title="pi",
    dialect="pi",
    form="nested",
    version="0.73.1",
    pairing="tool_use_id",
    events={
        "SessionStart": At("context"),
        "UserPromptSubmit": At("context", block="prompt"),
        "PreToolUse": At("deny context", rewrite="replace"),
        "PostToolUse": At("context", block="note"),
        "PostToolUseFailure": At("context"),
        "PreCompact": At(),
        "PostCompact": At(),
        "Stop": At(cont=-1),
        "SessionEnd": At(usual=1.5),
    },
    tools=tools(
        tool("shell", "bash", command="command"),
        tool("read", "read", paths="path"),
        tool("write", "write", paths="path"),
        tool("edit", "edit", paths="path"),
        tool("search", "grep find", paths="path", query="pattern"),
        tool("list", "ls", paths="path"),
    ),
    wire={"decisions": {"deny": "deny"}, "rewrite": "", "outcome": "event"},
    # the entry names the client, and nobody else loads its extensions: no payload has to tell
    signs=Signs(executables=("pi",), timeless=True, default=True),
    shell_marks=("PI_CODING_AGENT",),
    installed=Installed(
        programs=("pi",),
        traces=(".pi/agent",),
        in_project=(".pi",),
        home=("PI_CODING_AGENT_DIR", ".pi/agent"),
        files={"user": "extensions/jackline.js", "project": ".pi/extensions/jackline.js"},
        events="SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact PostCompact Stop "
        "SessionEnd",
        clamps={"SessionEnd": 3},
        shape="plugin",
        isolated=True,
        plugin="pi",
    ),
    person=Person(
        program="pi",
        alone=("-p", "--print", "--mode"),
        bare=("--no-extensions", "-ne"),
        moves=("PI_CODING_AGENT_DIR",),
    ),
    protected=Protected(
        anywhere={".pi": "extensions/** settings.json agent/extensions/** agent/settings.json"},
        transcripts=("/.pi/agent/sessions/",),
        obeyed=".pi/agent/extensions .pi/agent/settings.json .pi/agent/agents.md .pi/agent/skills .pi/agent/prompts",
        credentials=(".pi/agent/auth.json",),
    ),
    habits=Habits(
        new_shell=True, cuts_reads=True, cuts_searches=("grep", "find"), shell_tool="bash", instructions="AGENTS.md"
    ),
    grades={
        "deny": "holds",
        "rewrite": "yes; the model's own record keeps the call as it was",
        "context": "yes; what is said before a tool comes with its result",
        "sub-agents": "none: it has no sub-agents of its own",
        "failure": "closed when Jackline crashes or is silent; it does not start with an extension that does not load, "
        "and says nothing of one that is left out: `jackline doctor` tells by events that do not come",
    },
    sources={
        "events wire": "measured on 0.73.1: contract of opencode and others, section 6; compaction from its types",
        "installed": "measured on 0.73.1: the same",
        "tools": "recorded payloads; search and list from its types",
        "person protected": "its own list of options and variables; not measured in its terminal",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
