"""Mask secrets in foreign text before it is written anywhere: known shapes, entropy, variables named like secrets.

The plain path looks for cheap signs only; text that shows one goes to `secrets_shapes`, which is cold.
"""

from __future__ import annotations

SIGNS = (
    "sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat", "glpat-", "xox", "akia", "asia",
    "aiza", "npm_", "pypi-", "eyj", "-----begin", "hf_", "dop_v1", "shpat_", "sq0", "ya29.", "secret", "passw",
    "passphrase", "pwd=", "pwd:", "token", "api_key", "apikey", "api-key", "private_key", "private-key", "access_key",
    "access-key", "accesskey", "credential", "authorization", "bearer", "auth=", "auth:", "--auth", "://",
)  # fmt: skip
"""In lower case. `://` is a sign since addresses may carry a password."""

LONG = 24
"""A word of this length that mixes cases and digits looks random."""


def _random_looking(text: str) -> bool:
    parts = text.replace("/", " ").replace("=", " ").replace('"', " ").replace("'", " ").split()
    if max(map(len, parts), default=0) < LONG:
        return False
    for part in parts:
        if (
            len(part) >= LONG
            and not part.islower()
            and not part.isupper()
            and not part.isalpha()
            and part.strip("-_.:,;").replace("-", "").replace("_", "").replace("+", "").isalnum()
        ):
            return True
    return False


def _shows_sign(text: str) -> bool:
    low = text.lower()
    for sign in SIGNS:
        if sign in low:
            return True
    return _random_looking(text)


def may_hold_secrets(text: str) -> bool:
    """Whether any value in this text of JSON may be a secret: asked once, in the place of `mask` for each of them.

    An escape may hide a sign, or the blank that ends a word: such a text is looked at value by value.
    """
    return "\\" in text or _shows_sign(text)


def mask(text: str) -> str:
    """`text` with every secret replaced by `***` and a word on its kind."""
    if not _shows_sign(text):
        return text
    from jackline.site_paths import take

    masked: str = take("jackline.store.secret_shapes").mask(text)
    return masked
