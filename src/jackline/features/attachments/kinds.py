"""What a file is, by its first bytes: never by its name, and nothing of it is run."""

from __future__ import annotations

MAGIC = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (0, b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (0, b"GIF8", "image/gif", "gif"),
    (8, b"WEBP", "image/webp", "webp"),
    (0, b"%PDF-", "application/pdf", "pdf"),
    (0, b"PK\x03\x04", "application/zip", "zip"),
    (0, b"\x1f\x8b", "application/gzip", "gz"),
    (0, b"BZh", "application/x-bzip2", "bz2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz", "xz"),
    (0, b"(\xb5/\xfd", "application/zstd", "zst"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed", "7z"),
    (257, b"ustar", "application/x-tar", "tar"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3", "sqlite"),
    (0, b"\x7fELF", "application/x-executable", "bin"),
    (0, b"MZ", "application/x-executable", "bin"),
    (0, b"\xcf\xfa\xed\xfe", "application/x-executable", "bin"),
    (0, b"\xca\xfe\xba\xbe", "application/x-executable", "bin"),
    (4, b"ftyp", "video/mp4", "mp4"),
    (0, b"ID3", "audio/mpeg", "mp3"),
    (0, b"OggS", "audio/ogg", "ogg"),
    (0, b"RIFF", "application/x-riff", "riff"),
)
"""Where a sign stands, the sign, the type, and how such a file's name ends with us."""
TEXTS = (
    (b"#!", "text/x-script"),
    (b"<?xml", "text/xml"),
    (b"<svg", "image/svg+xml"),
    (b"<!doctype html", "text/html"),
    (b"<html", "text/html"),
)
"""How a text begins, in lower case, and its type; its name ends with `txt` all the same."""
OTHER = ("application/octet-stream", "bin")


def _is_text(data: bytes) -> bool:
    if b"\0" in data:
        return False
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def sniff(data: bytes) -> tuple[str, str]:
    """Type and ending of a content. An empty file is a text."""
    for at, sign, kind, ending in MAGIC:
        if data[at : at + len(sign)] == sign:
            return kind, ending
    if not _is_text(data):
        return OTHER
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for sign, kind in TEXTS:
        if head.startswith(sign):
            return kind, "txt"
    return ("application/json" if head[:1] in (b"{", b"[") else "text/plain"), "txt"
