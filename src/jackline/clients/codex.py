"""Codex, as measured on 0.169.0.

It drops an answer whole when one field of it is not to its taste, and then runs what was denied: only fields that were
measured together go together (tests/contract/measured.json).
"""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Shape, Signs, tool, tools

SPEC = ClientSpec(
    name="codex",
    title="Codex",
    dialect="codex",
    form="nested",
    version="0.169.0",
    native={"StopFailure": "Error"},
    context_limit=9000,
    answer_limit=30000,
    time_limit=600,
    pairing="tool_use_id",
    subagent="agent_id",
    events={
        "SessionStart": At("context note"),
        "UserPromptSubmit": At("context note", block="prompt"),
        "PreToolUse": At("deny context note", rewrite="replace"),
        "PermissionRequest": At("deny approve note"),
        "PostToolUse": At("context note", block="replace"),
        "PreCompact": At("note"),
        "PostCompact": At(),
        "Stop": At("note", cont=-1),
        "SubagentStart": At("context note"),
        "SubagentStop": At("note", cont=-1),
        "SessionEnd": At(usual=1, most=3),
        "Interrupt": At(usual=1, most=3),
    },
    tools=tools(
        tool("shell", "Bash shell shell_command local_shell", command="command"),
        tool("edit", "apply_patch", patch="command"),
        tool("shell", "exec_command", command="cmd"),
        tool("shell", "write_stdin", command="chars"),
        tool("read", "view_image", paths="path"),
        tool("read", "read_file", paths="file_path"),
        tool("list", "list_dir", paths="dir_path"),
        tool("search", "grep_files", paths="path", query="pattern"),
        tool("fetch", "web_search", query="query"),
        tool("read", "list_mcp_resources list_mcp_resource_templates wait wait_agent"),
        tool("read", "read_mcp_resource", query="uri"),
        tool("subagent", "spawn_agent send_input resume_agent close_agent"),
        tool("todo", "update_plan"),
        tool("question", "request_user_input"),
    ),
    known_as={
        "Bash": "shell shell_command local_shell exec_command",
        "Read": "read_file",
        "LS": "list_dir",
        "Grep": "grep_files",
        "WebSearch": "web_search",
        "Agent": "spawn_agent",
        "AskUserQuestion": "request_user_input",
        "TodoWrite": "update_plan",
    },
    wire={"decisions": {"deny": "deny"}, "rewrite": "allow", "outcome": "result"},
    signs=Signs(
        shapes=(Shape(1, "turn_id", lacks="timestamp sessionId"),),
        transcript="/rollout-",
        executables=("codex",),
        timeless=True,
        default=True,
    ),
    shell_marks=("CODEX_TOOL_CALL_ID", "CODEX_CI", "CODEX_THREAD_ID"),
    secrets=("OPENAI_", "AZURE_OPENAI_", "CODEX_API"),
    installed=Installed(
        programs=("codex",),
        traces=(".codex",),
        in_project=(".codex",),
        home=("CODEX_HOME", ".codex"),
        # it has no file of a person's own in a project, and none for a machine that was measured
        files={"user": "hooks.json", "project": ".codex/hooks.json"},
        events="SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse SubagentStart SubagentStop "
        "PreCompact PostCompact Stop Interrupt SessionEnd",
        clamps={"Interrupt": 3, "SessionEnd": 3},  # it clamps these two by itself (measured)
        conditions="codex",
        after_change=(
            "; Codex then asks for trust again: start `codex`, type /hooks and trust what changed; "
            "it skips those hooks silently until then"
        ),
    ),
    person=Person(
        program="codex",
        alone=("exec", "proto", "mcp-server"),
        bare=("--ignore-user-config",),
        bare_about_hooks=("-c", "--config", "--disable", "--enable", "features"),
        moves=("CODEX_HOME",),
    ),
    protected=Protected(
        anywhere={".codex": "hooks.json config.toml *.config.toml requirements.toml hooks/** rules/** plugins/**"},
        fixed="/etc/codex/**",
        transcripts=("/.codex/sessions/", "/.codex/archived_sessions/"),
        obeyed=".codex/config.toml .codex/hooks.json .codex/hooks .codex/rules .codex/agents.md .codex/prompts",
        credentials=(".codex/auth.json",),
    ),
    habits=Habits(joins=True, new_shell=True, agent_tool="spawn_agent", instructions="AGENTS.md"),
    grades={
        "rewrite": "yes, of a shell command, a patch or an MCP call; the person is still asked",
        "sub-agents": "seen, marked by their agent id",
        "failure": "open: when the hook crashes, runs out of time or is not trusted the call goes ahead, silently",
    },
    sources={
        "events wire limits": "measured on 0.169.0: contract of Claude Code and Codex, sections 4, 5 and 9.1",
        "installed": "measured on 0.169.0: the same, sections 5.3 and 9.3",
        "tools": "recorded payloads; names of other modes from its own documentation",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
