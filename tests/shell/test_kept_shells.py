"""Whether a variable that a text does not set may have been set by a call before: it may where the shell goes on."""

from __future__ import annotations

import pytest

from jackline.model import Event
from jackline.shell.effects import of_event
from jackline.shell.model import PERSON, RUN, Effects


def found(client: str, command: str) -> Effects:
    event = Event("PreToolUse", tool="Bash", kind="shell", command=command, client=client)
    event.root = event.cwd = "/srv/shop"
    event.home = "/home/ada"
    return of_event(event)


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "qwen-code"])
def test_a_shell_that_starts_for_each_call_knows_nothing_of_the_one_before(client: str) -> None:
    assert found(client, '"$BIN" --help').understood
    [write] = [one for one in found(client, 'echo x > "$GITHUB_OUTPUT"').effects if one.kind == "write"]
    assert write.open.startswith(PERSON)


@pytest.mark.parametrize("client", ["vscode", "copilot-cli", "cursor", "", "a client of tomorrow"])
@pytest.mark.parametrize("command", ["$X -rf src", '"$X" trust', "${X:-ls} src"])
def test_in_a_shell_that_goes_on_a_variable_may_hold_what_a_call_before_set(client: str, command: str) -> None:
    """`X=rm` in one call, `$X -rf src` in the next."""
    assert not found(client, command).understood
    [write] = [one for one in found(client, 'echo x > "$OUT"').effects if one.kind == "write"]
    assert write.open.startswith(RUN)


@pytest.mark.parametrize("client", ["vscode", "copilot-cli"])
def test_what_every_shell_knows_is_known_there_too(client: str) -> None:
    assert found(client, 'cd "$HOME/x" && ls').understood
    assert found(client, "X=ls; $X src").understood
