"""What a call does, as the gate looks at it: what it changes in the project, what leaves it, what nobody can tell, and
what it reads of the project.
"""

from __future__ import annotations

from jackline.changes import Change, Changes, changes, is_excused, is_only_ours, terms_of
from jackline.globs import covers
from jackline.intents.scope import holds
from jackline.intents.unowned_paths import USUAL, Free
from jackline.system import exists, is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.changes import Terms
    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.shell.model import Command
else:
    from jackline._record import NamedTuple

READING = ("read", "search", "list", "fetch")
SPEAKING = ("question", "todo", "plan", "subagent")
SENDING = ("git.push", "push.force", "push.lease", "push.delete")
"""Acts by which something leaves the project."""
RUNNING = ("execute", "unknown", "network")
"""Kinds of effects of a command that starts something."""
COMMITS = ("commit", "add", "stage")
"""Verbs of git that keep what was changed: what they keep was gated when it was made."""


class Call(NamedTuple):
    """`changes`: paths of the project, relative to the root; `deletes`: those that are gone afterwards; `deep`: those
    that change with what lies below; `sends`: it leaves the project; `unsure`: why more may happen, "" when it may not.
    `reads`: it does nothing else; `files`: those of the project that it reads, `folders`: those it looks through,
    `runs`: it starts the project's tests or builds, or asks the net. All three only where reading is not free.
    """

    changes: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    deep: tuple[str, ...] = ()
    sends: bool = False
    unsure: str = ""
    reads: bool = False
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    runs: bool = False

    @property
    def is_harmless(self) -> bool:
        return not (self.changes or self.sends or self.unsure)


def _free(event: Event, ctx: Context) -> Free:
    home = str(ctx.protected.get("home", ""))
    return Free(event.root, home, "", {**USUAL, **ctx.config})


def _is_commit(event: Event, terms: Terms) -> bool:
    """Whether a command only keeps in git what was changed before: not where its output goes into a file, too."""
    if event.kind != "shell":
        return False
    found = event.effects.commands
    only = bool(found) and all(
        one.program == "git" and len(one.words) > 1 and one.words[1] in COMMITS and not one.assigns for one in found
    )
    return only and not changes(event, terms).known


def _looked_at(event: Event, free: Free) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files of the project that a call reads, and folders it looks through; what git ignores, and ours, left out."""
    from jackline.affected_paths import touches

    files: dict[str, None] = {}
    folders: dict[str, None] = {}
    for touch in touches(event):
        if not touch.reads or touch.changes or touch.path[:1] == "/" or free.holds(touch.path, by_command=True):
            continue
        if touch.path != "." and _ignored(free, touch.path):
            continue
        if touch.deep and is_dir(f"{event.root}/{touch.path}"):
            folders[touch.path] = None
        else:
            files[touch.path] = None
    return tuple(files), tuple(folders)


def _runs(event: Event) -> bool:
    """Whether a call starts more than what reads: tests, builds, the net."""
    if event.kind == "shell":
        return any(effect.kind in RUNNING for effect in event.effects.effects)
    return event.kind == "fetch"


def reading(event: Event, ctx: Context) -> Call:
    """A call that changes nothing, as far as it reads the project."""
    return Call((), (), (), False, "", True, *_looked_at(event, _free(event, ctx)), _runs(event))


def _with_more(made: Changes, event: Event, ctx: Context, terms: Terms) -> Changes:
    """What a command changes, with what options name and what texts of this session do."""
    from jackline.features.tool_gate.commands import named, of_session

    more = [Change(path, by_command=True) for path in named(event)]
    own = of_session(event, ctx.state, terms)
    return Changes((*made.known, *more, *own.known), made.unsure or own.unsure)


def _looks(event: Event, ctx: Context) -> bool:
    """Whether a tool of a server only looks, by its name and by what stands in its input; or nobody minds it."""
    if not is_excused(event, ctx):
        return False
    if event.kind != "mcp":
        return True
    from jackline.calls import acts
    from jackline.shell.screen import began

    found = acts(event, began(ctx.state)).effects
    return not any(one.kind in ("write", "delete") and one.path and exists(one.path) for one in found)


def _only_looks(command: Command) -> bool:
    """Whether a command changes nothing here, though not all of it is known."""
    from jackline.features.tool_gate.inspection import looks

    return looks(command)


def call(event: Event, ctx: Context, *, free: bool = True) -> Call:
    """What this call does to the project. `free`: nobody asks what it reads."""
    if event.kind in READING:
        return Call(reads=True) if free else reading(event, ctx)
    if event.kind in SPEAKING:
        return Call()
    if event.kind != "shell" and _looks(event, ctx):
        return Call(reads=True)
    terms = terms_of(ctx)
    if event.kind == "shell":
        terms = terms._replace(looks=_only_looks)
    if is_only_ours(event, terms) or _is_commit(event, terms):
        return Call()
    made = changes(event, terms)
    if event.kind == "shell":
        made = _with_more(made, event, ctx, terms)
    places = _free(event, ctx)
    kept = [
        one for one in made.known
        if not places.holds(one.path, by_command=one.by_command) and not _ignored(places, one.path)
    ]  # fmt: skip
    sends = event.kind == "shell" and any(effect.act in SENDING for effect in event.effects.effects)
    found = Call(
        tuple(dict.fromkeys(one.pattern or one.path for one in kept)),
        tuple(one.path for one in kept if one.how == "delete"),
        tuple(one.path for one in kept if one.deep),
        sends,
        "" if sends and made.unsure else made.unsure,
        not made.known and not made.unsure and not sends,
    )
    return found if free or not found.is_harmless else reading(event, ctx)


def _ignored(free: Free, path: str) -> bool:
    """Whether git ignores a path of the project, as its own `.gitignore` says."""
    return path[:1] != "/" and (holds(free.unversioned, path) or covers(".git", path))
