"""A client with two places for hooks, of which it reads one: what keeps it from reading ours."""

from __future__ import annotations

from pathlib import Path

from jackline.install.client_files import owner_of, written
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import Target


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """Nothing is left for the person after an installation."""
    return ()


def diagnose(install: Install, site: Site) -> list[Finding]:
    """Whether it reads another file than the one that our entries stand in."""
    read = written(owner_of(install.dialect), install.scope, site)
    if read is None or read[0] == Path(install.path):
        return []
    what = f"{read[0]} is there: while it is, no hook of {install.path} runs"
    return [Finding("hooks-off", "bad", what, "run `jackline init`: it then writes the entries there", install.client)]
