"""Redirections of a command: what they read and write, what can be read from them, and what is kept in a file."""

from __future__ import annotations

from jackline.shell import named
from jackline.shell.expand import fields, joined, lent
from jackline.shell.job import Job
from jackline.shell.lexis import PARAM, TEXT
from jackline.shell.scene import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.lexis import Parts
    from jackline.shell.nodes import Redir
    from jackline.shell.scene import Scene
    from jackline.shell.walk import Walk


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
    if op[0] == "<":
        job.add("read", target, op)
        if op == "<>":
            job.add("write", target, op)
        return "" if target == "/dev/null" else scene.vars.get(target)
    job.add("write", target, op)
    if target[:1] == "!":
        job.add("write", target[1:], op)  # zsh: even if it exists
    return None


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
            named.shows(job, body, scene)
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
        elif redir.fd[:1] == "{":
            scene.vars[redir.fd[1:-1]] = None
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
