"""Kilo Code's command line, as measured on 7.7.9: made from opencode, it takes the same program of ours."""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Signs, tool, tools

SPEC = ClientSpec(
    name="kilo",
    title="Kilo Code",
    dialect="kilo",
    form="nested",
    version="7.7.9",
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
    signs=Signs(executables=("kilo",), timeless=True, default=True),
    shell_marks=("KILO_PID",),
    secrets=("KILO_API", "KILO_AUTH", "KILO_CONSOLE", "KILO_SERVER"),
    installed=Installed(
        programs=("kilo",),
        traces=(".config/kilo", ".local/share/kilo", ".kilo"),
        in_project=(".kilo", ".kilocode", "kilo.json", "kilo.jsonc"),
        home=("XDG_CONFIG_HOME", ".config"),
        files={"user": "kilo/plugin/jackline.js", "project": ".kilo/plugin/jackline.js"},
        events="SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop "
        "PreCompact PostCompact Stop SessionEnd",
        clamps={"SessionEnd": 3},
        shape="plugin",
        isolated=True,
        plugin="opencode",
        template={"leaves": "run"},  # started so, it leaves when a turn is over, if nothing is asked of it at once
        # With any plugin it waits at its start for its own package, 70 s where no registry answers: not after a retry.
        beside={
            ".npmrc": "; made by `jackline init`: with a plugin, a start waits for the registry; so it tries once\n"
            "fetch-retries=0\n"
        },
        conditions="config_folders",
    ),
    person=Person(
        program="kilo",
        alone=("run", "serve", "acp", "web"),
        bare=("--pure",),
        moves=("KILO_CONFIG", "KILO_CONFIG_DIR", "KILO_CONFIG_CONTENT", "KILO_PURE"),
    ),
    protected=Protected(
        anywhere={
            ".kilo": "plugin/** plugins/** tool/** tools/** kilo.json kilo.jsonc",
            ".kilocode": "plugin/** plugins/** tool/** tools/** kilo.json kilo.jsonc",
        },
        names="kilo.json kilo.jsonc",
        fixed="~/.config/kilo/**",
        transcripts=("/.local/share/kilo/",),
        obeyed=".config/kilo .kilo/plugin .kilo/plugins .kilo/tool .kilo/agent .kilo/command",
        credentials=(".local/share/kilo/auth.json", ".local/share/kilo/mcp-auth.json"),
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
        "end of turn": "yes; the client sets no limit, Jackline does; under `kilo run` it is asked about at the last "
        "text, which may come before a call of the same message",
        "sub-agents": "seen, as sessions of their own joined to the parent",
        "failure": "closed when Jackline crashes or is silent, but open when the client does not load the plugin: "
        "it says so only in its log, and `jackline doctor` by events that do not come",
    },
    sources={
        "events wire": "measured on 7.7.9: contract of opencode and others, section 2; compaction from its types",
        "installed": "measured on 7.7.9: the same",
        "tools": "recorded payloads; the others from the list in its program",
        "person protected": "its own list of options and variables; not measured in its terminal",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
