"""docs/continuous-integration.md: its command on a fresh checkout, which no person has looked at."""

from __future__ import annotations

from pathlib import Path

from docs.workshop import Page, Workshop, held

PAGE = Page("continuous-integration.md")
SCRIPT = """#!/bin/sh
#---
# name: no-drafts
# type: file
# pattern: "*.txt"
#---
! grep -n DRAFT $JACKLINE_CHANGED_FILES /dev/null
"""


def test_a_build_runs_what_the_checkout_brings(tmp_path: Path, made_bundle: Path) -> None:
    shop = Workshop(tmp_path, made_bundle)
    shop.write(".ai/hooks/scripts/no-drafts.sh", SCRIPT, runs=True)
    shop.write("notes.txt", "sail\n")
    shop.git("add", "-A")
    shop.git("commit", "-q", "-m", "notes")
    [command] = [one.text for one in PAGE.commands()]
    (shown,) = [one.text for one in PAGE.blocks if one.language == "output"]
    held(shown, shop.shell(command))
    assert "not trusted" in shop.shell(command.replace("--as-checked-out ", ""), code=1)
    assert shop.shell(command.replace("HEAD~1", "nowhere"), code=2)
    shop.write("notes.txt", "DRAFT: sail\n")
    shop.git("commit", "-qam", "more to do")
    assert "DRAFT: sail" in shop.shell(command, code=1)
