"""opencode, as measured on 1.18.33: a program of ours in its process starts the entries (`install/bridges/`).

What is sent and answered is therefore of our own making, in the form that most clients took over.
"""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Signs, tool, tools

SPEC = ClientSpec(
    name="opencode",
    title="opencode",
    dialect="opencode",
    form="nested",
    version="1.18.33",
    pairing="tool_use_id",
    subagent="agent_id",
    events={
        "SessionStart": At("context"),
        "UserPromptSubmit": At("context", block="prompt"),
        "PreToolUse": At("deny context", rewrite="replace"),
        "PostToolUse": At("context", block="note"),
        "PostToolUseFailure": At(),
        "PreCompact": At(),
        "PostCompact": At(),
        "Stop": At(cont=-1),
        "SubagentStart": At("context"),
        "SubagentStop": At(cont=-1),
        "SessionEnd": At(usual=1.5),
    },
    tools=tools(
        tool("shell", "bash", command="command"),
        tool("read", "read", paths="filePath"),
        tool("write", "write", paths="filePath"),
        tool("edit", "edit multiedit", paths="filePath"),
        tool("edit", "apply_patch patch", patch="patchText"),
        tool("search", "grep glob", paths="path", query="pattern"),
        tool("list", "list", paths="path"),
        tool("read", "lsp", paths="filePath"),
        tool("read", "skill invalid"),
        tool("fetch", "webfetch", query="url"),
        tool("fetch", "websearch codesearch", query="query"),
        tool("subagent", "task"),
        tool("todo", "todowrite todoread"),
        tool("question", "question"),
        tool("plan", "plan_enter plan_exit"),
    ),
    wire={"decisions": {"deny": "deny"}, "rewrite": "", "outcome": "event"},
    # the entry names the client, and nobody else reads its plugins: no payload has to tell
    signs=Signs(executables=("opencode",), timeless=True, default=True),
    shell_marks=("OPENCODE", "OPENCODE_PID"),
    secrets=("OPENCODE_API", "OPENCODE_AUTH", "OPENCODE_CONSOLE", "OPENCODE_SERVER"),
    installed=Installed(
        programs=("opencode",),
        traces=(".config/opencode", ".local/share/opencode", ".opencode"),
        in_project=(".opencode", "opencode.json", "opencode.jsonc"),
        home=("XDG_CONFIG_HOME", ".config"),
        files={"user": "opencode/plugin/jackline.js", "project": ".opencode/plugin/jackline.js"},
        events="SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop "
        "PreCompact PostCompact Stop SessionEnd",
        clamps={"SessionEnd": 3},
        shape="plugin",
        isolated=True,
        plugin="opencode",
        template={"leaves": "run"},  # started so, it leaves when a turn is over
        # With any plugin it waits at its start for its own package, 70 s where no registry answers: not after a retry.
        beside={
            ".npmrc": "; made by `jackline init`: with a plugin, a start waits for the registry; so it tries once\n"
            "fetch-retries=0\n"
        },
        conditions="config_folders",
    ),
    person=Person(
        program="opencode",
        alone=("run", "serve", "acp", "web"),
        bare=("--pure",),
        moves=("OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT", "OPENCODE_PURE"),
    ),
    protected=Protected(
        anywhere={".opencode": "plugin/** plugins/** tool/** tools/** opencode.json opencode.jsonc"},
        names="opencode.json opencode.jsonc",
        fixed="~/.config/opencode/**",
        transcripts=("/.local/share/opencode/",),
        obeyed=".config/opencode .opencode/plugin .opencode/plugins .opencode/tool .opencode/agent .opencode/command",
        credentials=(".local/share/opencode/auth.json", ".local/share/opencode/mcp-auth.json"),
    ),
    habits=Habits(
        new_shell=True,
        cuts_reads=True,
        cuts_searches=("grep", "glob"),
        shell_tool="bash",
        agent_tool="task",
        instructions="AGENTS.md",
    ),
    grades={
        "deny": "holds",
        "context": "yes; what is said before a tool comes with its result, and is lost when the call fails",
        "end of turn": "yes; the client sets no limit, Jackline does; under `opencode run` it is asked about at the "
        "last text, which may come before a call of the same message",
        "sub-agents": "seen, as sessions of their own joined to the parent",
        "failure": "closed when Jackline crashes or is silent, but open when the client does not load the plugin: "
        "it says so only in its log, and `jackline doctor` by events that do not come",
    },
    sources={
        "events wire": "measured on 1.18.33: contract of opencode and others, section 1; compaction from its types",
        "installed": "measured on 1.18.33: the same, and its start with and without the file beside the plugin",
        "tools": "recorded payloads; the others from the list in its program",
        "person protected": "its own list of options and variables; not measured in its terminal",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
