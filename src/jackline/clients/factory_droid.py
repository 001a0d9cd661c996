"""Factory Droid, as measured on 0.225.2 with `droid exec`: Claude's words with tools of its own."""

from jackline.clients.schema import At, ClientSpec, Habits, Installed, Person, Protected, Signs, tool, tools

SPEC = ClientSpec(
    name="factory-droid",
    title="Factory Droid",
    dialect="droid",
    form="nested",
    version="0.225.2",
    events={
        "SessionStart": At("context"),
        "UserPromptSubmit": At(),
        "PreToolUse": At("deny", rewrite="merge"),
        "PostToolUse": At("context"),
        "PreCompact": At(),
        "Stop": At(cont=-1),
        "SubagentStop": At(),
        "SessionEnd": At(),
        "Notification": At(),
    },
    tools=tools(
        tool("shell", "Execute", command="command"),
        tool("write", "Create", paths="file_path"),
        tool("edit", "Edit MultiEdit", paths="file_path"),
        tool("edit", "ApplyPatch", patch="input"),
        tool("read", "Read", paths="file_path"),
        tool("list", "LS", paths="directory_path"),
        tool("search", "Grep", paths="path", query="pattern"),
        tool("search", "Glob", paths="folder", query="patterns"),
        tool("fetch", "FetchUrl", query="url"),
        tool("fetch", "WebSearch", query="query"),
        tool("subagent", "Task"),
        tool("question", "AskUser"),
        tool("todo", "TodoWrite"),
        tool("plan", "ExitSpecMode"),
    ),
    known_as={
        "Bash": "Execute",
        "Read": "Read",
        "LS": "LS",
        "Grep": "Grep",
        "Glob": "Glob",
        "Write": "Create",
        "Edit": "Edit",
        "MultiEdit": "MultiEdit",
        "WebFetch": "FetchUrl",
        "WebSearch": "WebSearch",
        "Agent": "Task",
        "AskUserQuestion": "AskUser",
        "TodoWrite": "TodoWrite",
    },
    wire={"decisions": {"deny": "deny"}, "rewrite": "", "outcome": "event"},
    signs=Signs(transcript="/.factory/", executables=("droid",), timeless=True, default=True),
    secrets=("FACTORY_API",),
    installed=Installed(
        programs=("droid",),
        traces=(".factory",),
        in_project=(".factory",),
        home=("", ".factory"),
        files={"user": "settings.json", "project": ".factory/settings.json"},
        # it reads no hooks of its settings while this file is there
        instead={"user": ("hooks.json", "events"), "project": (".factory/hooks.json", "events")},
        isolated=True,
        events="SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStop PreCompact Notification Stop "
        "SessionEnd",
        canonical=True,
        runs_in="/bin/sh",
        notice='{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"%s"}}',
        conditions="droid",
    ),
    person=Person(program="droid", alone=("exec",)),
    protected=Protected(
        anywhere={".factory": "hooks.json settings*.json hooks/** plugins/**"},
        transcripts=("/.factory/sessions/",),
        obeyed=".factory/hooks.json .factory/settings.json .factory/hooks .factory/agents.md .factory/droids "
        ".factory/commands",
    ),
    habits=Habits(
        project="FACTORY_PROJECT_DIR",
        ends=False,  # nothing is told of a call that failed
        shell_tool="Execute",
        agent_tool="Task",
        instructions="AGENTS.md",
    ),
    grades={
        "context": "yes, but not before a tool; with the prompt it was not measured",
        "sub-agents": "not measured: nothing is known of their tool calls, and they bear no mark",
        "failure": "open when the hook crashes or runs out of time; a script that is gone refuses every call",
    },
    sources={
        "everything": "measured on 0.225.2: contract of opencode and others, section 3",
        "events of a terminal, tools beyond the recorded ones": "its own documentation",
    },
)
TOOLS, WIRE = SPEC.tools, SPEC.wire
