"""One call of an agent: what carries it, which program, by which channel, and what it meets."""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """A row of a principle's table.

    `carrier`: how the call comes (a shell command, a pipe, a heredoc, a tool of a server …), `program`: what does it,
    `channel`: how it reaches its target (the class). `call`: a command, or the arguments of `tool`; `<R>` is the
    project, `<H>` the home, `<S>` the store, `<P>` our package. `says`: `pass`, `ask`, `deny`, or `stop` for either
    of the two. `files`: what the session wrote before, as (path, text), both with the same marks. `env`: variables
    that the client's settings set.
    """

    carrier: str
    program: str
    channel: str
    call: str | dict[str, Any]
    says: str = "stop"
    tool: str = "Bash"
    files: tuple[tuple[str, str], ...] = ()
    env: tuple[tuple[str, str], ...] = ()

    @property
    def triple(self) -> tuple[str, str, str]:
        return self.carrier, self.program, self.channel
