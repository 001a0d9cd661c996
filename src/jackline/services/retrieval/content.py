"""What of a repository may stand in a pack: text that people write, and no secrets.

Locks, translations, pictures and what machines make are left out by name, binaries and data by content. Credentials
are recognised as the guards recognise them.
"""

from __future__ import annotations

from jackline.sensitive import secret
from jackline.store.secrets import mask

LIMIT = 256 << 10
"""Bytes of the largest file that is read."""
NUL_WITHIN = 8000
"""Where a zero byte makes a file a binary, as git has it."""
LINE = 500
"""Letters of a mean line above which a text is data."""

LOCKS_WORDS = (
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lockb bun.lock poetry.lock pipfile.lock "
    "uv.lock pdm.lock cargo.lock go.sum composer.lock gemfile.lock mix.lock flake.lock podfile.lock packages.lock.json "
    "gradle.lockfile deno.lock .terraform.lock.hcl"
)
LOCKS = frozenset(LOCKS_WORDS.split())
ENDINGS = (
    *(".po", ".pot", ".mo", ".xlf", ".xliff", ".arb", ".qm", ".min.js", ".min.css", ".map", ".lock"),
    *(".png", ".jpg", ".jpeg", ".gif", ".ico", ".webp", ".bmp", ".svg", ".pdf", ".woff", ".woff2", ".ttf", ".otf"),
    *(".eot", ".mp3", ".mp4", ".wav", ".ogg", ".webm", ".mov", ".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".tar"),
    *(".jar", ".war", ".whl", ".class", ".pyc", ".so", ".dylib", ".dll", ".exe", ".o", ".a", ".wasm", ".bin"),
    *(".db", ".sqlite", ".sqlite3", ".parquet", ".pickle", ".pkl", ".npy", ".keystore", ".p12", ".pfx"),
)
"""Names of files that are no text, or no text a person writes."""

NEWS_WORDS = "changelog changes history news releases release-notes releasenotes release_notes whatsnew relnotes"
NEWS = frozenset(NEWS_WORDS.split())
NEWS_FOLDERS_WORDS = "changelog changelogs changelog.d changes newsfragments release-notes releases whatsnew"
NEWS_FOLDERS = frozenset(NEWS_FOLDERS_WORDS.split())
"""What tells of changes: it shares words with every prompt and is hardly ever what a prompt is about."""

DATA_WORDS = "yaml yml json jsonc json5 toml ini cfg conf env properties xml tf tfvars plist txt"
DATA = frozenset(DATA_WORDS.split())
NOWHERE = "/repository/"
HOME = "/home/nobody"
"""Where a repository's files are looked at for credentials: the answer is the same on every machine."""


def admits(path: str) -> bool:
    """Whether a file of this path, relative to the root, may be read for a pack."""
    name = path.rpartition("/")[2].lower()
    if name in LOCKS or name.endswith(ENDINGS):
        return False
    return not secret(NOWHERE + path, HOME)


def is_news(path: str) -> bool:
    """Whether a file is a changelog, or notes of a release."""
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    prose = name.rpartition(".")[2] in ("md", "rst", "txt", "adoc", stem)
    return prose and (stem in NEWS or not NEWS_FOLDERS.isdisjoint(folders))


def text_of(data: bytes) -> str | None:
    """The text of a file's bytes; None for what is too large, binary, or data without lines."""
    if len(data) > LIMIT or b"\0" in data[:NUL_WITHIN]:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return None if len(text) > LINE * (text.count("\n") + 4) else text


def masked(text: str) -> str:
    """A text as it may be shown, if each line of it is told by itself: secrets are masked."""
    return "".join([mask(line) for line in text.splitlines(keepends=True)])


def whole(path: str, text: str) -> str:
    """A file's text where what is secret may stand lines below what tells it: keys, and `password:` in data.

    In code a name is not told by the line above: `class Token:` has no value below it.
    """
    return mask(text) if path.rpartition(".")[2].lower() in DATA or "PRIVATE KEY" in text else text
