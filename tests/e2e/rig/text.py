"""The readable text inside a protocol's nested content."""

from __future__ import annotations

from typing import Any

READABLE = ("text", "content", "input_text", "output")


def flat(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(flat(part) for part in content)
    if isinstance(content, dict):
        return "\n".join(flat(value) for key, value in content.items() if key in READABLE)
    return ""
