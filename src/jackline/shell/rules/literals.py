"""Literals of a program: where strings and substitutions begin and end."""

from __future__ import annotations


def substitution(text: str, at: int) -> int:
    """The place behind `s/a/b/flags` or `y/a/b/` that begins at `at`; -1 when it is not whole."""
    mark = text[at + 1 : at + 2]
    if not mark or mark in "\\\n":
        return -1
    seen, i, bracket = 0, at + 2, False
    while i < len(text) and seen < 2:
        char = text[i]
        if char == "\\":
            i += 1
        elif char == "[" and not bracket and seen == 0:
            bracket = True
            i += text[i + 1 : i + 2] == "]"
        elif char == "]":
            bracket = False
        elif char == mark and not bracket:
            seen += 1
        i += 1
    return i if seen == 2 else -1


def strings(code: str) -> list[str]:
    """The string literals of a program, roughly: between like quotes."""
    found: list[str] = []
    i = 0
    while i < len(code):
        if code[i] in "'\"":
            end = i + 1
            while end < len(code) and code[end] != code[i]:
                end += 2 if code[end] == "\\" else 1
            found.append(code[i + 1 : end])
            i = end
        i += 1
    return found
