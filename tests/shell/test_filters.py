"""What a filter prints of a text that is known: a shell may run it, so it is judged as if it were written out."""

from __future__ import annotations

import subprocess

import pytest

from jackline.shell.effects import effects

KNOWN = (
    "printf 726d202d7266202f6f70742f617070 | xxd -r -p | sh",
    "echo cm0gLXJmIC9vcHQvYXBw | base64 -d | sh",
    'eval "$(base64 -d <<< cm0gLXJmIC9vcHQvYXBw)"',
    "base64 -d <<X | tee x.sh | sh\ncm0gLXJm\nIC9vcHQvYXBw\nX",
    "echo cm0gLXJmIC9vcHQvYXBw > a.b64; base64 -d a.b64 > a.sh; sh a.sh",
)

OPEN = (
    "echo cm0gLXJmIC9vcHQvYXBw | basenc --base64 -d | sh",
    "echo OJWSALLSMYQC633QOQXWC4DQ | base32 -d | sh",
    "echo cm0gLXJmIC9vcHQvYXBw | openssl base64 -d | sh",
    "echo cm0gLXJmIC9vcHQvYXBw | openssl enc -d -base64 -A | sh",
    "echo 'ppa/tpo/ fr- mr' | rev | sh",
    "echo 'ez -es /bcg/ncc' | tr a-z n-za-m | sh",
    "echo 'rmX-rfX/opt/app' | tr X ' ' | sh",
    "echo 'r_m -r_f /opt/a_pp' | tr -d _ | sh",
    "base64 -d payload.b64 | sh",  # a file of before
    "echo //79 | base64 -d | sh",  # no text
    "echo cm0 | base64 | sh",
    "echo 'rm -rf /opt/app' | tr '[:lower:]' '[:upper:]' | sh",
    "echo 'rm -rf /opt/app' | tr -s a | sh",
    "echo 00 | xxd -r | sh",
    'echo "$(date)" | rev | sh',
    "echo AGEBYgI= | base64 -d | sh",  # the bytes by which we mark what is unknown
)


@pytest.mark.parametrize("command", KNOWN)
def test_the_text_is_judged(command: str) -> None:
    told = effects(command, "/srv/shop")
    assert ("delete", "/opt/app") in [(one.kind, one.path) for one in told.effects]
    assert not any(one.act == "code.unknown" for one in told.effects)


@pytest.mark.parametrize("command", OPEN)
def test_what_is_not_known_is_said(command: str) -> None:
    assert any(one.act == "code.unknown" for one in effects(command, "/srv/shop").effects)


@pytest.mark.parametrize("command", [one for one in KNOWN if " | sh" in one and not {"xxd", "x.sh"} & set(one.split())])
def test_the_program_prints_the_same(command: str) -> None:
    """What we say it prints is what it prints here; all of these stand on every machine that has a shell."""
    said = subprocess.run(["bash", "-c", command.removesuffix(" | sh")], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "rm -rf /opt/app"
