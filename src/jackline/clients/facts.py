"""What else runs and commands ask of all clients, each now and then: from their specs.

Values only: in the bundle they stand as literals (`compiler/derived.py`).
"""

from __future__ import annotations

from jackline.clients.specs import DIALECTS, MODULES, SPECS

_ALL = tuple(SPECS.values())
_SPOKEN = [one for one in _ALL if one.installed]
_WRITTEN = [one.installed for one in _ALL if one.installed and one.installed.files]
_SHARED = [one for one in _WRITTEN if not one.isolated]
_INNER = ("project", "local")

OF_DIALECT = {dialect: tuple([MODULES[one.name] for one in _ALL if one.dialect == dialect]) for dialect in DIALECTS}
"""Dialect → the specs of those whose tools have their names in it."""
FORMS = {dialect: next(one.form for one in _ALL if one.dialect == dialect) for dialect in DIALECTS}
WORDS = {
    one.dialect: (one.installed.denial, one.installed.notice) for one in _ALL if one.installed and one.installed.files
}
"""What lines of a dialect say by themselves, before a tool and at the start of a session; "" for what its form says."""

# Where a client allows less time than others do, its entries name an event with the seconds: `Stop.600`.
NATIVE: dict[str, dict[str, str]] = {
    dialect: {native: ours for one in _SPOKEN if one.dialect == dialect for native, ours in one.native.items()}
    for dialect in DIALECTS
}
"""Native event names that differ from ours, by dialect."""
for _one in _SPOKEN:
    for _name, _most in _one.installed.clamps.items() if _one.installed and _one.installed.canonical else ():
        _ours = _one.native.get(_name, _name)
        NATIVE[_one.dialect][f"{_ours}.{_most}"] = _ours
EXPANDS = tuple([one.dialect for one in _SPOKEN if one.installed and one.installed.expands])
"""Dialects whose clients put variables of the environment into their settings."""
MUTE = {one.dialect: tuple(one.installed.mute.split()) for one in _SPOKEN if one.installed and one.installed.mute}
"""Events where a client takes whatever is printed as text for its model."""

# --- sessions ---------------------------------------------------------------------------------------------------------

PROJECT_VARIABLES = {one.name: one.habits.project for one in _ALL if one.habits.project}
"""The one variable of each client that its contract names as the project; never a foreign one (design section 6)."""
ENTRY_FILES = tuple(
    dict.fromkeys(
        [("", *name.partition("/")[::2]) for one in _SHARED for scope, name in one.files.items() if scope in _INNER]
        + [(*one.home, name) for one in _SHARED for scope, name in one.files.items() if scope == "user"]
    )
)
"""Where entries of ours can stand for one conversation: clients read several of these, and each other's.

In the project (no variable), or in the folder that the variable names, else in that of the home folder.
"""
OWN_FILES = {
    one.name: tuple(
        [
            (
                (one.installed.home[0] or "~") if scope == "user" else "",
                one.installed.home[1] if scope == "user" else "",
                name.replace("{event}", one.installed.events.split()[0]),
            )
            for names in (one.installed.files, {scope: name for scope, (name, _) in one.installed.instead.items()})
            for scope, name in names.items()
            if scope in ("user", *_INNER)
        ]
    )
    for one in _ALL
    if one.installed and one.installed.isolated
}
"""The same, of clients that read no file of another's; `~` where no variable moves their folder."""
JOINS = tuple([one.name for one in _ALL if one.habits.joins])
"""Clients that give the model the contexts of all entry points: the leader's is enough."""
STOPS_AT_DENY = tuple([one.name for one in _ALL if one.habits.stops_at_deny])
"""Clients that run no further entry once a call was denied."""
ENDS = tuple([one.name for one in _ALL if one.habits.ends])
"""Clients that tell the end of a call. Of others it is believed once they told one."""
FLAT_PAYLOADS = tuple([one.name for one in _ALL if one.habits.flat_payload])
"""Clients whose payloads name things in their own way."""

# --- tools ------------------------------------------------------------------------------------------------------------

SAME = {
    name: tuple(
        dict.fromkeys([name, *[word for one in _ALL for word in one.known_as.get(name, "").split()]]),
    )
    for name in dict.fromkeys([name for one in _ALL for name in one.known_as])
}
"""One tool a row: its name in configuration, and those that clients have for it."""
SHELL_TOOLS = {one.name: one.habits.shell_tool for one in _ALL}
"""How clients call the tool by which an agent runs a command."""
AGENT_TOOLS = {one.name: one.habits.agent_tool for one in _ALL if one.habits.agent_tool}
"""How clients call the tool that starts a sub-agent."""
NEW_SHELL = tuple([one.name for one in _ALL if one.habits.new_shell])
"""Clients whose tool starts a POSIX shell for each call; in others it goes on, with what an earlier call set."""
CUTS_READS = tuple([one.name for one in _ALL if one.habits.cuts_reads])
"""Clients whose read tool cuts long files off by itself and tells the model so."""
CUTS_SEARCHES = {one.name: one.habits.cuts_searches for one in _ALL if one.habits.cuts_searches}
"""Likewise, search tools of clients, by name."""

# --- persons ----------------------------------------------------------------------------------------------------------

ALONE = {one.name: one.person.alone for one in _ALL if one.person.alone}
"""Words on a client's command line by which it answers once, without a person."""
ASKED_ELSEWHERE = {one.name: one.person.asked_elsewhere for one in _ALL if one.person.asked_elsewhere}
"""The option that names who asks the person instead of the client."""
ATTENDED = {one.name: one.person.attended for one in _ALL if one.person.attended}
"""The variable by which a client says whether a person sits there: 1 or 0."""
ENTRY_POINTS = {one.name: one.person.entry_point for one in _ALL if one.person.entry_point[0]}
"""The variable, and how its value begins, by which a program without a person started the client."""
FORGED = {one.name: one.person.forged for one in _ALL if one.person.forged}
"""The variable that a model's shell has and the client's own hooks have not."""
EDITORS = tuple([one.name for one in _ALL if one.person.editor])
"""Clients with windows of their own, in which they give their person a terminal."""
SHELL_MARKS = tuple([mark for one in _ALL for mark in one.shell_marks])
"""Variables that the measured clients give to what their model runs, or to hooks."""

# --- programs ---------------------------------------------------------------------------------------------------------

PROGRAMS = tuple([one.person.program for one in _ALL if one.person.program])
"""Commands that hand a text to a model."""
BARE = {one.person.program: one.person.bare for one in _ALL if one.person.bare}
"""Options that leave hooks out: whole words, or `OPTION=…`."""
BARE_ABOUT_HOOKS = {one.person.program: one.person.bare_about_hooks for one in _ALL if one.person.bare_about_hooks}
"""Options and commands that do so where the rest of the command speaks of hooks."""
MOVES = {one.person.program: one.person.moves for one in _ALL if one.person.program}
"""Variables that, beside HOME, give a client another configuration, in which our entries are not."""
HOMES = tuple([one.home[0] for one in _WRITTEN if one.home[0]])
"""Variables that name the folder of a client's own configuration."""
ENV_FILES = tuple([one.habits.env_file for one in _ALL if one.habits.env_file])
"""Variables that name a file which runs at every command."""

# --- places -----------------------------------------------------------------------------------------------------------

PLANS = tuple([one.habits.plans for one in _ALL if one.habits.plans])
"""Where clients keep plans of their own."""
SETTINGS = {folder: inner for one in _ALL for folder, inner in one.protected.anywhere.items()}
"""Hook settings: patterns in folders of a name, wherever they lie."""
SETTINGS_NAMES = " ".join([one.protected.names for one in _ALL if one.protected.names])
"""The same, by the name of a file."""
SETTINGS_AT = " ".join([one.protected.fixed for one in _ALL if one.protected.fixed])
"""The same, at one place only: below the home folder (`~`), or the system's."""
START_UP = {folder: inner for one in _ALL for folder, inner in one.protected.start_up.items()}
"""What the shells of clients load."""
EDITOR_SETTINGS = {folder: inner for one in _ALL for folder, inner in one.protected.editor.items()}
EDITOR_SETTINGS_AT = " ".join([one.protected.editor_fixed for one in _ALL if one.protected.editor_fixed])
"""Settings of an editor, some keys of which are about approval and hooks."""
TRANSCRIPTS = tuple([place for one in _ALL for place in one.protected.transcripts])
"""Folders in which clients keep what was said, to the person alone as well: codes stand there (measured)."""
OBEYED = " ".join([one.protected.obeyed for one in _ALL if one.protected.obeyed])
"""What agents obey and run in every session, in a home folder."""
CREDENTIALS = tuple([place for one in _ALL for place in one.protected.credentials])
"""Files of clients that hold credentials."""
