"""The order in which commands run, their redirections, and what each leaves of what is known."""

from __future__ import annotations

from itertools import pairwise

from jackline._record import of
from jackline.shell import credential_names
from jackline.shell.command_call import Job
from jackline.shell.expand import calm, fields, joined, lent, summed
from jackline.shell.lexis import PARAM, TEXT
from jackline.shell.nodes import Node, Redir
from jackline.shell.shell_state import Scene, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jackline.shell.lexis import Parts
    from jackline.shell.walk import Walk

    Values = Sequence[str | None]

HOLDS = frozenset(["sleep", "usleep", "read", "inotifywait", "fg", "wait", "break", "exit", "return", "exec"])
"""Programs that hold a round of a loop up until something happens, or end the loop."""

ENDLESS = {"while": {"true", ":"}, "until": {"false"}}
VALUES, ROUNDS = 16, 4
"""Rounds of a loop that are walked one by one; those after which it goes on saying something new."""


def rest(feed: str | None) -> str | None:
    """What is left of an input for the next command: any that ran may have read some of it."""
    return None if feed else feed


def sequence(walk: Walk, node: Node, scene: Scene, feed: str | None) -> str | None:
    """A list: chains of `&&` and `||`, one after the other, each perhaps in the background."""
    printed: str | None = ""
    first = 0
    for at in range(1, len(node.items) + 1):
        ending = node.items[at][0] if at < len(node.items) else ";"
        if ending in ("&&", "||"):
            continue
        text = chain(walk, node.items[first:at], scene.fork() if ending == "&" else scene, feed)
        feed = rest(feed)
        printed = None if printed is None or text is None else printed + text
        first = at
    return printed


def chain(walk: Walk, items: tuple[tuple[str, Node], ...], scene: Scene, feed: str | None) -> str | None:
    """`a && b || c`: what comes later runs perhaps, and where an earlier part may have failed."""
    printed: str | None = ""
    strays: tuple[str, ...] = ()  # folders we are in if something did not happen
    before: list[Scene] = []  # what is so if nothing of the rest runs
    for at, (op, item) in enumerate(items):
        if at:
            before.append(scene.fork())
        if at and op == "||":
            scene.wander(strays)
        held = scene.cwds
        text = walk.run(item, scene, feed)
        feed = rest(feed)
        printed = None if printed is None or text is None or (at and op == "||") else printed + text
        if scene.cwds != held and (at or not scene.certain):
            strays += held
        scene.certain = False
    scene.wander(strays)
    for early in before:
        scene.perhaps(early)
    return printed


def pipeline(walk: Walk, node: Node, scene: Scene, feed: str | None) -> str | None:
    firsts: list[int] = []
    inner = scene
    for stage in node.items:
        inner = scene.fork()
        firsts.append(len(walk.commands))
        feed = walk.run(stage, inner, feed)
    scene.perhaps(inner)  # zsh runs the last stage in this shell
    firsts.append(len(walk.commands))
    own = [[at for at in range(*pair) if at not in walk.captured] for pair in pairwise(firsts)]
    heads = [(), *[walk.commands[every[0]].words if every else ("",) for every in own], ()]
    for source, every, into in zip(heads, own, heads[2:], strict=False):
        for index in every:
            command = walk.commands[index]
            words = command.piped_into_words or into
            piped = {"piped_from": command.piped_from or source, "piped_into": "".join(words[:1])}
            walk.commands[index] = of({**command.__dict__, **piped, "piped_into_words": words})
    return feed


def conditional(walk: Walk, node: Node, scene: Scene, feed: str | None) -> None:
    after: list[Scene] = []
    for condition, body in node.items:
        if condition is not None:
            walk.run(condition, scene, feed)
            feed = rest(feed)
        own = scene.fork()
        walk.run(body, own, feed)
        after.append(own)
    if node.items[-1][0] is not None:
        after.append(scene.fork())
    scene.join(after)


def turn(walk: Walk, node: Node, scene: Scene, feed: str | None, values: Values) -> None:
    """Walk a loop's body once for each value."""
    before = scene.vars.get(node.name)
    for held in values:
        if node.name:
            scene.hold(node.name, held)
        for item in node.items:
            walk.run(item, scene, feed)
            feed = rest(feed)
    if node.name:
        scene.hold(node.name, before)  # each round sets it anew


def rounds(walk: Walk, node: Node, scene: Scene, feed: str | None, values: Values = (None,)) -> None:
    """Walk a loop: a round begins where none, or the one before it, left things, until that says nothing new."""
    known, first, left = None, len(walk.commands), ROUNDS
    while left and (known is None or not scene.same(known)):
        left -= 1
        scene.vars = scene.vars if left else dict.fromkeys(scene.vars)  # it goes on changing them: none is known
        known = scene.fork()
        turn(walk, node, scene, feed, values)
        scene.wander(known.cwds)
        scene.perhaps(known)
    body, programs = node.items[-1], {one.program for one in walk.commands[first:]}
    jobs = body.kind == "list" and "&" in (body.name, *[before for before, _ in body.items])
    always = ";;" in "".join([str(part[1]) for part in node.parts]).replace(" ", "")  # `for ((;;))`
    if jobs and (always or programs & ENDLESS.get(node.kind, set())) and programs.isdisjoint(HOLDS):
        Job(walk, ["while"], scene).note("unknown", "a loop without an end starts jobs", act="endless")


def repeat(walk: Walk, node: Node, scene: Scene, feed: str | None) -> None:
    summed(node.parts, scene, walk.substitute)
    values: Values = ()
    if node.words is None and scene.args is not None:
        values = scene.args[1:]
    elif node.words:
        values = [field for word in node.words for field in fields(word, scene, walk.substitute)]
    if node.name:
        scene.vars[node.name] = None
    rounds(walk, node, scene, feed, values if 0 < len(values) <= VALUES else (None,))


def case(walk: Walk, node: Node, scene: Scene, feed: str | None) -> None:
    after = [scene.fork()]
    walk.walked(node.words[0].parts if node.words else (), scene)
    for patterns, body in node.items:
        for pattern in patterns:
            walk.walked(pattern.parts, scene)
        own = scene.fork()
        walk.run(body, own, feed)
        after.append(own)
    scene.join(after)


def function(walk: Walk, node: Node, scene: Scene, feed: str | None) -> str:
    scene.functions[node.name] = (node.items[0],)
    if node.words or node.name.startswith("command_not_found_hand"):
        walk.run(node.items[0], scene.fork(), feed)
    return ""


def arithmetic(walk: Walk, node: Node, scene: Scene, feed: str | None) -> str:
    if node.kind == "sum":
        summed(node.parts, scene, walk.substitute)
    else:
        walk.walked(node.parts, scene)
        calm(scene, "".join([part[1] for part in node.parts if part[0] is TEXT]))
    return ""


WALKS: dict[str, Callable[[Walk, Node, Scene, str | None], str | None]] = {
    "list": sequence,
    "pipeline": pipeline,
    "group": lambda walk, node, scene, feed: walk.run(node.items[0], scene, feed),
    "subshell": lambda walk, node, scene, feed: walk.run(node.items[0], scene.fork(), feed),
    "if": conditional,
    "while": rounds,
    "until": rounds,
    "for": repeat,
    "case": case,
    "function": function,
    "sum": arithmetic,
    "test": arithmetic,
}


def is_literal(parts: Parts) -> bool:
    return all(part[0] is TEXT for part in parts)


def _opened(op: str, target: str, scene: Scene, job: Job) -> str | None:
    """What opening `target` does, and the text that can be read from it."""
    if op in (">&", "<&") and (target.rstrip("-").isdigit() or target == "-"):
        return scene.vars.get(f"/dev/fd/{target}")
    if target.startswith(("/dev/tcp/", "/dev/udp/")):
        # What is read from it goes where it is used; what is written leaves the machine.
        job.note("network", f"connects to {shown(target)[9:]}", act="" if op == "<" else "socket")
        return None
    if op not in ("<", "<&"):
        job.add("write", target, op)
    if target[:1] == "!":
        job.add("write", target[1:], op)  # zsh: even if it exists
    if op[0] != "<":
        return None
    job.add("read", target, op)
    return "" if target == "/dev/null" else scene.vars.get(target)


def follow(
    walk: Walk, redirs: tuple[Redir, ...], scene: Scene, feed: str | None, job: Job
) -> tuple[tuple[tuple[str, str], ...], str | None]:
    """Report what redirections do. Returns them with their targets, and the input they give."""
    found = []
    for redir in redirs:
        text: str | None
        if redir.op[:2] == "<<":
            body = redir.target.parts if redir.op == "<<<" else redir.body
            text = joined(body, scene, walk.substitute) + ("\n" if redir.op == "<<<" else "")
            credential_names.shows(job, body, scene)
            found.append((redir.fd + redir.op, shown(text)))
        else:
            target = " ".join(fields(redir.target, scene, walk.substitute))
            found.append((redir.fd + redir.op, shown(target)))
            around = job.sure, job.lent
            job.sure, job.lent = walk.sure and is_literal(redir.target.parts), lent(redir.target.parts, scene) is True
            text = _opened(redir.op, target, scene, job)
            job.sure, job.lent = around
        if redir.op[0] == "<" and redir.fd in ("", "0"):
            feed = text
        elif redir.fd.isdigit() and (redir.op[0] == "<" or int(redir.fd) > 2):
            scene.vars[f"/dev/fd/{redir.fd}"] = text if redir.op[0] == "<" else None
    return tuple(found), feed


def keep(walk: Walk, redirs: tuple[Redir, ...], printed: str | None, scene: Scene) -> None:
    """Remember what a command prints into a file: something may run it later."""
    for redir in redirs:
        plain = all(part[0] in (TEXT, PARAM) for part in redir.target.parts)
        if redir.op in (">", ">|", ">>", "&>", "&>>") and redir.fd in ("", "1") and plain:
            word = " ".join(fields(redir.target, scene, walk.substitute))
            walk.wrote(word, printed, scene, redir.op.endswith(">>"))
            if printed == "" and redir.op[-2:] != ">>":
                from jackline.shell.rules.changing import emptied

                made = Job(walk, [":", ">", word], scene)
                made.fed = walk.feeding > 0
                emptied(made, [word])
