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
    for word in text.split():
        if len(word) < LONG:
            continue
        for part in word.replace("/", " ").replace("=", " ").replace('"', " ").replace("'", " ").split():
            if (
                len(part) >= LONG
                and not part.islower()
                and not part.isupper()
                and not part.isalpha()
                and part.strip("-_.:,;").replace("-", "").replace("_", "").replace("+", "").isalnum()
            ):
                return True
    return False


def is_suspect(text: str) -> bool:
    """Whether anything in `text` could be a secret. Of texts with line ends between them: whether one of them is."""
    low = text.lower()
    for sign in SIGNS:
        if sign in low:
            return True
    return _random_looking(text)


def mask(text: str) -> str:
    """`text` with every secret replaced by `***` and a word on its kind."""
    if not is_suspect(text):
        return text
    from jackline.roots import take

    masked: str = take("jackline.store.secret_shapes").mask(text)
    return masked
