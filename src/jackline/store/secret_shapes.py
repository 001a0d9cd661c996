"""The thorough part of masking: shapes of known secrets, named assignments, and entropy. Cold: imports `re`."""

from __future__ import annotations

import re
from math import log2

NAMED = (
    r"(?i)\b([\w-]*(?:secret|passw(?:or)?d|passphrase|pwd|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth)[\w-]*)"
    r"(\"?'?\s*(?:=|:)\s*\"?'?|\s+\"?'?(?=[^\s\"']{8,}))([^\s\"'&;|]{4,})"
)
OPTION = r"(?i)(--?(?:password|passwd|token|secret|api-key|apikey|auth)(?:\s+|=))(\"[^\"]*\"|'[^']*'|[^\s\"';|&]+)"

SHAPES = (
    ("private key", r"-----BEGIN[ A-Z0-9]*PRIVATE KEY-----.*?(?:-----END[ A-Z0-9]*PRIVATE KEY-----|\Z)"),
    ("token", r"\bgithub_pat_[A-Za-z0-9_]{20,}"),
    ("token", r"\bgh[pousr]_[A-Za-z0-9]{20,}"),
    ("token", r"\bglpat-[A-Za-z0-9_-]{16,}"),
    ("token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    ("key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("key", r"\bAIza[A-Za-z0-9_-]{30,}"),
    ("token", r"\b(?:npm|hf)_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_-]{20,}|\bya29\.[A-Za-z0-9_-]{20,}"),
    ("key", r"\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}"),
    ("token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    ("token", r"\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}|\bdop_v1_[a-f0-9]{64}|\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    ("token", r"(?i)(?<=bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=basic )[A-Za-z0-9+/=]{8,}"),
    ("password", r"(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"),
)
_SHAPES = tuple((name, re.compile(pattern, re.DOTALL)) for name, pattern in SHAPES)
_NAMED = re.compile(NAMED)
_OPTION = re.compile(OPTION)
_WORD = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEXES = re.compile(r"[0-9a-f]+|[0-9A-F]+")
PLAIN_VALUES = frozenset(("true", "false", "null", "none", "yes", "no"))


def entropy(text: str) -> float:
    """Bits per character."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in (text.count(c) for c in set(text)))


def _random(word: str) -> bool:
    if _UUID.fullmatch(word) or _HEXES.fullmatch(word):  # ids and digests are no secrets
        return False
    if "/" in word and all(len(part) < 20 for part in word.split("/")):  # a path
        return False
    kinds = any(c.islower() for c in word) + any(c.isupper() for c in word) + any(c.isdigit() for c in word)
    return kinds == 3 and entropy(word) >= 3.8


def _named(match: re.Match[str]) -> str:
    value = match[3]
    if value.lower() in PLAIN_VALUES or value.startswith(("$", "***", "<")):
        return match[0]
    return f"{match[1]}{match[2]}***"


def mask(text: str) -> str:
    """Replace every secret by `***` (assignments keep their name, shapes name their kind)."""
    for name, pattern in _SHAPES:
        text = pattern.sub(f"***{name}***", text)
    text = _OPTION.sub(lambda m: m[1] + "***", text)
    text = _NAMED.sub(_named, text)
    return _WORD.sub(lambda m: "***random***" if _random(m[0]) else m[0], text)
