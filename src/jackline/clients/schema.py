"""What a client is, as data: the form that each client's file fills, and nothing about any of them.

Times are in seconds, limits in bytes; 0 and "" mean that none is known. A run never loads this: what it needs of a spec
stands as literals in the bundle (`compiler/derived.py`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, NamedTuple

    Form = Literal["groups", "items", "events", "file", "toml", "yaml", "plugin"]
else:
    from jackline._record import NamedTuple

Tool = tuple[str, str, tuple[str, ...], str, str]
"""Kind, key of the command, keys of paths, key of the query, key of a patch."""


class At(NamedTuple):
    """What a client can carry at one event.

    `can`: words of deny, ask, approve, both (a rewrite may go with an ask), context, note (sentences for the person).
    `rewrite`: replace, merge. `block`: what a block does — prompt (dropped), note (beside the result), replace (the
    result), compaction (refused). `cont`: continuations of a turn, 0 = cannot, -1 = no cap. `usual`, `most`: its time
    limit where it is not the client's usual one.
    """

    can: str = ""
    rewrite: str = ""
    block: str = ""
    cont: int = 0
    usual: float = 0
    most: float = 0


class Shape(NamedTuple):
    """A sure sign of a client in a payload: keys that are there, keys that are not. Lower ranks are tried first."""

    rank: int
    has: str
    lacks: str = ""


class Signs(NamedTuple):
    """How a client is known: by payload, transcript, variables and process, in the order of `router.client_of`.

    `marks`: variables that hooks get and a model's shell does not pass on; `inherited`: variables that it does, asked
    last. `first_key`: the first key of a payload with a `timestamp`, where nothing else tells. `executables`: names of
    its process; `servers`: parts of the path of one that has no name of its own. `timeless`: sends no `timestamp`.
    `default`: meant by its dialect's name where nothing tells.
    """

    shapes: tuple[Shape, ...] = ()
    transcript: str = ""
    marks: tuple[str, ...] = ()
    inherited: tuple[str, ...] = ()
    first_key: str = ""
    executables: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    timeless: bool = False
    default: bool = False


class Installed(NamedTuple):
    """Where a client is looked for, where entries of ours stand, and how one is written there.

    `home`: the variable that moves its folder, and that folder's name in the home folder. `files`: by scope, below that
    folder (user), the machine's (managed) or the project's, one for each event where a name holds `{event}`; `shares`:
    the client whose files this one reads, instead; `instead`: a file in whose presence it does not read the one of
    `files`, with the shape it has. `isolated`: it reads no file of another's, and nobody reads its own. `events`: as
    they are spelt there, in the order of a session; `canonical`: entries pass our words for them on, as they must where
    the client's own differ: a line knows by ours that it stands before a tool, and refuses when the entry point is
    dead.
    `clamps`: the most seconds that it allows there; `unit`: what a second is in its limits, 0 where it has none.
    `hook`: keys of command and limit. `shape`, `template`: of the file (`file`: the text that is all of it, with
    `{command}`). `expands`: it
    puts variables of the environment into its settings, so no line of ours holds one that may be set. `argv`: it splits
    a command into words and starts no shell. `runs_in`: the shell of an entry. `mute`: events where it takes whatever
    is printed as text for its model: a line prints no empty answer there. `denial`, `notice`: what a line says by
    itself before a tool and at the start of a session, where `%s` stands for the sentence; "" for what its form says.
    `conditions`: the module of `install.conditions` that tells what else keeps entries from running; `todo`: what a
    person has to do once in any case, by scope; `after_change`: what a changed one asks of them. `at_root`: measured to
    read the files of the git root wherever it is started. `plugin`: our program in its own language
    (`install/bridges`), where the file is one; `template` is what that is told then, and `beside` what is made where
    there is none: file names in its own folder and in the project's, and their text.
    """

    programs: tuple[str, ...]
    traces: tuple[str, ...]
    in_project: tuple[str, ...]
    home: tuple[str, str]
    shares: str = ""
    files: Mapping[str, str] = {}
    instead: Mapping[str, tuple[str, Form]] = {}
    isolated: bool = False
    events: str = ""
    canonical: bool = False
    clamps: Mapping[str, int] = {}
    unit: int = 1
    hook: tuple[str, str] = ("command", "timeout")
    shape: Form = "groups"
    template: Mapping[str, Any] = {}
    expands: bool = False
    argv: bool = False
    runs_in: str = "/bin/bash"
    mute: str = ""
    denial: str = ""
    notice: str = ""
    conditions: str = ""
    todo: Mapping[str, str] = {}
    after_change: str = ""
    at_root: bool = False
    plugin: str = ""
    beside: Mapping[str, str] = {}


class Person(NamedTuple):
    """How its person is reached: words of a command line that runs without one; words by which somebody else asks;
    whether it is an editor, with terminals of its own for its person; the command that hands a text to its model,
    options and variables that leave hooks out.
    """

    alone: tuple[str, ...] = ()
    asked_elsewhere: str = ""
    attended: str = ""
    entry_point: tuple[str, str] = ("", "")
    forged: str = ""
    editor: bool = False
    program: str = ""
    bare: tuple[str, ...] = ()
    bare_about_hooks: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


class Protected(NamedTuple):
    """What an agent may not touch: patterns in folders of that name anywhere; files of a name; at one place only (`~`:
    in the home folder); what its shell loads; keys of editor settings; and where transcripts lie.
    """

    anywhere: Mapping[str, str] = {}
    names: str = ""
    fixed: str = ""
    start_up: Mapping[str, str] = {}
    editor: Mapping[str, str] = {}
    editor_fixed: str = ""
    transcripts: tuple[str, ...] = ()
    obeyed: str = ""
    credentials: tuple[str, ...] = ()


class Habits(NamedTuple):
    """What it does that others do not.

    `project`: the variable that its contract names as the project. `joins`: gives the model the contexts of all entry
    points. `stops_at_deny`: runs no further entry then. `new_shell`: its tool starts a shell for each call.
    `cuts_reads`: its read tool cuts long files by itself and says so; `cuts_searches`: search tools that do. `ends`:
    tells the end of a call. `flat_payload`: names things in its own way in payloads. `shell_tool`, `agent_tool`: what
    runs a command, what starts a sub-agent.
    `plans`: where it keeps plans of its own. `env_file`: the variable that names a file which runs at every command.
    `instructions`: the file of a project that it reads as such.
    """

    project: str = ""
    joins: bool = False
    stops_at_deny: bool = False
    new_shell: bool = False
    cuts_reads: bool = False
    cuts_searches: tuple[str, ...] = ()
    ends: bool = True
    flat_payload: bool = False
    plans: str = ""
    env_file: str = ""
    instructions: str = ""
    shell_tool: str = "Bash"
    agent_tool: str = ""


class ClientSpec(NamedTuple):
    """One client. `known_as`: its tools by the names that configuration has for them, Claude Code's; `wire`: what its
    codec needs to know of it; `shell_marks`: variables by which a model's shell is
    known; `secrets`: beginnings of variables by which it talks to its model; `grades`: words for what the rows cannot
    say; `evidence`: what its facts rest on; `sources`: where each
    part was learnt.
    """

    name: str
    title: str
    dialect: str
    version: str
    events: Mapping[str, At]
    form: str = ""
    aliases: tuple[str, ...] = ()
    native: Mapping[str, str] = {}
    context_limit: int = 0
    answer_limit: int = 0
    time_limit: float = 0
    pairing: str = ""
    subagent: str = ""
    tools: Mapping[str, Tool] = {}
    known_as: Mapping[str, str] = {}
    wire: Mapping[str, Any] = {}
    signs: Signs = Signs()
    shell_marks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    installed: Installed | None = None
    person: Person = Person()
    protected: Protected = Protected()
    habits: Habits = Habits()
    grades: Mapping[str, str] = {}
    evidence: str = "measured"
    sources: Mapping[str, str] = {}


def tool(
    kind: str, names: str, command: str = "", paths: str = "", query: str = "", patch: str = ""
) -> dict[str, Tool]:
    """Tools of one kind that name what they are about by the same keys."""
    return {name: (kind, command, tuple(paths.split()), query, patch) for name in names.split()}


def tools(*parts: dict[str, Tool]) -> dict[str, Tool]:
    """The tools of a client; a name that is said twice is an error."""
    found: dict[str, Tool] = {}
    for part in parts:
        twice = found.keys() & part.keys()
        if twice:
            raise ValueError(f"said twice: {', '.join(sorted(twice))}")
        found.update(part)
    return found
