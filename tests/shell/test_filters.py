"""What a filter makes of a text nobody can read as it stands: a shell that runs it is asked about."""

from __future__ import annotations

import pytest

from jackline.shell.effects import effects

OPEN = (
    "printf 726d202d7266202f6f70742f617070 | xxd -r -p | sh",
    "echo cm0gLXJmIC9vcHQvYXBw | base64 -d | sh",
    'eval "$(base64 -d <<< cm0gLXJmIC9vcHQvYXBw)"',
    "base64 -d <<X | tee x.sh | sh\ncm0gLXJm\nIC9vcHQvYXBw\nX",
    "echo cm0gLXJmIC9vcHQvYXBw > a.b64; base64 -d a.b64 > a.sh; sh a.sh",
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


@pytest.mark.parametrize("command", OPEN)
def test_what_is_not_known_is_said(command: str) -> None:
    assert any(one.act == "code.unknown" for one in effects(command, "/srv/shop").effects)
