"""The README as a package shows it: its links lead to the project's address, since beside a package no file lies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s]+)\)")


def absolute(text: str, home: str) -> str:
    """Markdown whose relative links and pictures are addresses below `home`."""

    def told(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/main/{target.removeprefix('./')})"

    return LINK.sub(told, text)


class Readme(MetadataHookInterface):
    """Tells hatchling the long description."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        home = metadata["urls"]["Source"]
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, home)}
