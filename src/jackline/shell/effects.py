"""The cold door: what a shell command does, as far as can be known before it runs (design section 8)."""

from __future__ import annotations

from jackline.clients.facts import NEW_SHELL
from jackline.shell.grammar import Grammar
from jackline.shell.lexis import WORDS
from jackline.shell.model import Effects, Unreadable
from jackline.shell.shell_state import TOLD, Scene, marked
from jackline.shell.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jackline.model import Event
    from jackline.shell.model import Seen

LANGUAGES = {"bash": "", "zsh": "", "sh": "", "powershell": "powershell", "cmd": "cmd"}
"""Shells by their names, and the `language` of their texts: one grammar reads what any POSIX shell would do."""

OWN = "PowerShell"
"""A tool that starts its shell for each call, and reads no profile. In others a session goes on."""

LIMIT = 1 << 20
PIECES, SALVAGED = 64, 4_096
"""Characters; a longer command is not understood. Of one that cannot be read: pieces and characters."""

DIVIDES = str.maketrans({"\t": " ", **dict.fromkeys(";&|()`{}", "\n")})
"""Signs between commands."""

OPENERS = ("do", "then", "else", "elif", "if", "while", "until", "!", "time", "coproc")
"""Words behind which a command begins."""


def effects(
    command: str,
    cwd: str,
    env: Mapping[str, str] | None = None,
    root: str = "",
    language: str = "",
    seen: Seen | None = None,
    since: int | None = None,
    alone: bool = False,
    kept: bool = False,
) -> Effects:
    """Every simple command in `command` and the effects of each, run from `cwd` with the variables of `env`.

    `language`: `powershell` or `cmd` for a text of theirs, "" for one of a POSIX shell. `seen`: paths that were
    resolved at the same moment, for another command; those of this one are added. `since`: what it runs is read, and
    what was written since that moment (milliseconds; 0: nobody knows) counts as if it stood there. `alone`: PowerShell
    starts for this text, without a profile; what it does not set itself is set by nobody. `kept`: the shell goes on
    from call to call, and one before may have set any variable.
    Never raises: a fault of ours, and what we cannot read, is an answer with `understood` False.
    """
    walk, whole = Walk(), False
    walk.since = since
    try:
        if len(command) > LIMIT:
            raise Unreadable(f"the command is longer than {LIMIT} characters")
        if marked(command):
            raise Unreadable("the command holds control characters")
        scene = Scene(cwd, env or {}, root, seen)
        scene.strange = kept
        whole = _foreign(walk, command, scene, language, alone) if language else _read(walk, command, scene)
    except Unreadable as fault:
        walk.fault(str(fault))
    except RecursionError:
        walk.fault("nested too deeply")
    except Exception as fault:  # noqa: BLE001 - whatever fails in here, the answer is "not understood"
        walk.fault(f"a fault of the analysis: {type(fault).__name__}")
    return walk.answer(whole)


def of_event(event: Event, since: int | None = None) -> Effects:
    """What the command of any tool does; some clients have one whose shell is PowerShell."""
    language = "powershell" if event.tool.lower().endswith("powershell") else ""
    return of_text(event, event.command, language, since, event.tool == OWN)


def of_text(event: Event, text: str, language: str, since: int | None, alone: bool = False) -> Effects:
    """What a text of a call does when it is run.

    Where the client's settings move the person's folders it is read in both ways, and does what either does.
    """
    folder, root = event.cwd or event.root, event.root
    every = (told(event), *installed(event))
    kept = not language and event.client not in NEW_SHELL
    return joined([effects(text, folder, one, root, language, None, since, alone, kept) for one in every])


def installed(event: Event) -> tuple[dict[str, str], ...]:
    """The variables with the person's folders as they were at installation, where the client says otherwise."""
    said, home = told(event), event.home
    if not home or (said["HOME"] == home and not any(name[0] == "X" for name in said)):
        return ()
    from jackline.surroundings import FOLDERS

    usual = {name: f"{home}/{folder}" for name, folder in FOLDERS.items() if name in said}
    was = {**said, **usual, "HOME": home}
    return (was,) if was != said else ()


def joined(every: list[Effects]) -> Effects:
    """What several texts do, or one that may be read in several ways."""
    if len(every) == 1:
        return every[0]
    return Effects(
        tuple(dict.fromkeys([one for found in every for one in found.effects])),
        tuple(dict.fromkeys([one for found in every for one in found.commands])),
        all(found.understood for found in every),
        "; ".join(dict.fromkeys([found.why for found in every if found.why])),
        all(found.whole for found in every),
        tuple([one for found in every for one in found.texts]),
    )


def read(event: Event, since: int) -> Effects:
    """What the call's command does, with the texts that it runs: what both guards judge, read once for both."""
    if event._texts is None:
        event._texts = of_event(event, since)
    found: Effects = event._texts
    return found


def of_session(found: Effects) -> bool:
    """A text of this session does something in there."""
    return any(one.source for one in found.effects) or any(one.own and one.own.effects for one in found.texts)


def carried(event: Event) -> Effects:
    """What the call's command does, whether a client's shell runs it or a tool of a server."""
    if event.kind == "shell":
        found: Effects = event.effects  # asked for by many, read once
        return found
    return of_event(event)


def _pieces(command: str) -> list[str]:
    """What stands between the signs that separate commands, without the words behind which one begins.

    An open quote hides all that follows it, so none counts.
    """
    found: list[str] = []
    for piece in command.translate(DIVIDES).split("\n"):
        words = piece.split(" ")
        while words and words[0] in ("", *OPENERS):
            del words[0]
        found.append(" ".join(words))
    return [piece for piece in dict.fromkeys(found) if piece][:PIECES]


def _salvage(walk: Walk, command: str, scene: Scene) -> None:
    """Walk what our grammar can read of a text that it refuses: another shell's syntax, an open quote, a missing `fi`.

    The text stays "not understood" whatever is found: this adds effects, it never takes doubt away. No tolerant parser
    points at the pieces: the one there is (tree-sitter's) dies on a brace before some letters and does not end on some
    pipes, and a guard that is dead lets pass what it was asked about.
    """
    budget = WORDS
    for piece in _pieces(command[:SALVAGED]):
        for text in (piece, piece + "'", piece + '"', piece.replace("'", "").replace('"', "")) if budget >= 0 else ():
            reader = Grammar(text, literal=False)
            try:
                walk.run(reader.script(), scene.fork())
            except Unreadable:
                continue
            finally:
                budget -= reader.count
            break


def _read(walk: Walk, command: str, scene: Scene) -> bool:
    """Walk the command; False when the text was refused and pieces of it were walked."""
    try:
        node = Grammar(command).script()
    except Unreadable as fault:
        walk.fault(str(fault))
        walk.sure = False
        _salvage(walk, command, scene)
        return False
    alone = len(node.items) == 1  # nothing comes behind it
    walk.run(node.items[0][1] if alone else node, scene)
    walk.ends()
    return True


def _foreign(walk: Walk, command: str, scene: Scene, language: str, alone: bool) -> bool:
    from jackline.shell.command_call import Job

    job = Job(walk, [language], scene)
    job.sure = True
    if language == "cmd":
        from jackline.shell.rules.windows import batch

        batch(job, command)
    else:
        from jackline.shell.rules.powershell import powershell

        powershell(job, command, alone)
    return True


def told(event: Event) -> dict[str, str]:
    """The variables of the client that the agent's shell has too."""
    found = {name: event.env[name] for name in sorted(TOLD) if name in event.env}
    if event.home and "HOME" not in found:
        found["HOME"] = event.home
    return found
