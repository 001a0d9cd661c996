"""Judge variables by their names: which ones hold a secret. Asked where a child gets its environment."""

from __future__ import annotations

WORDS = frozenset((
    "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PWD", "PW", "PAT",
    "DSN", "KEY", "KEYS", "APIKEY", "CREDENTIAL", "CREDENTIALS", "CREDS", "AUTH", "AUTHORIZATION",
    "COOKIE", "SIGNATURE",
))  # fmt: skip
PARTS = ("APIKEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")
"""What tells a secret inside a longer word too."""
HARMLESS = frozenset(("PWD", "OLDPWD", "SSH_AUTH_SOCK"))
"""Names that only sound so: folders, and a socket behind which the keys stay."""


def names_secret(name: str) -> bool:
    """Whether a variable's name says that its value is a secret."""
    upper = name.upper().replace("-", "_")
    if upper in HARMLESS:
        return False
    if not WORDS.isdisjoint(upper.split("_")) or upper.endswith("TOKEN"):
        return True
    return any(part in upper for part in PARTS)
