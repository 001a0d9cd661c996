"""A preview of what a call would change: a short unified diff that is safe to show to a person and to a model."""

from __future__ import annotations

from difflib import unified_diff

from jackline.edits.arguments import file_edits
from jackline.edits.model import Proposed
from jackline.edits.texts import texts
from jackline.store.secrets import mask
from jackline.unicode_escape import escape_line as escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.edits.model import FileEdit
    from jackline.model import Event

WIDTH = 200
"""Characters of one line at most."""
WHOLE = 3_000
"""Lines of a text that are compared; a longer one is cut, since comparing all may take long."""
KEYS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".gpg", ".asc")
CREDENTIALS = (".env", ".npmrc", ".pypirc", ".netrc", "_netrc", ".pgpass", ".git-credentials", ".htpasswd", ".my.cnf")
FOLDERS = (".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure")
WITHHELD = "(not shown: the file may hold credentials)"


def secret(path: str) -> bool:
    """Whether a file's very name says that its text is not for showing."""
    parts = path.lower().split("/")
    name = parts[-1]
    return (
        name.endswith(KEYS)
        or name in CREDENTIALS
        or (name.startswith(".env.") and not name.endswith((".example", ".sample", ".template")))
        or name.startswith(("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials"))
        or any(part in FOLDERS for part in parts[:-1])
    )


def line(text: str) -> str:
    """One line as it may be shown: controls by their numbers, and not too long."""
    safe = "\t".join([escaped(part) for part in text.split("\t")])
    return safe if len(safe) <= WIDTH else safe[: WIDTH - 1] + "…"


def _lines(text: str | None) -> list[str]:
    return mask(text or "").replace("\r\n", "\n").split("\n")[:WHOLE] if text else []


def _diff(one: Proposed) -> Iterator[str]:
    """One file's part of the preview."""
    old = "/dev/null" if one.before is None else "a/" + (one.source or one.path)
    new = "/dev/null" if one.gone else "b/" + one.path
    before, after = _lines(one.before), _lines(one.after)
    if before and after and before[-1] == after[-1] == "":
        before, after = before[:-1], after[:-1]
    elif before and not before[-1]:
        before = before[:-1]
    elif after and not after[-1]:
        after = after[:-1]
    diff = [row.removesuffix("\n") for row in unified_diff(before, after, old, new, lineterm="")]
    if not diff:
        same = one.before == one.after
        yield from (f"--- {old}", f"+++ {new}", "(no change)" if same else "(what changes is masked or not shown)")
    yield from diff


def _part(one: Proposed, request: FileEdit | None) -> Iterator[str]:
    """One file: its diff; where the text afterwards is not known, what the call says by itself."""
    if secret(one.path):
        yield from (f"--- a/{one.path}", f"+++ b/{one.path}", WITHHELD)
    elif one.after is not None or one.gone:
        yield from _diff(one)
    else:
        yield from (f"--- a/{one.path}", f"+++ b/{one.path}", f"({one.why or 'not known'})")
        for swap in request.swaps if request else ():
            yield "@@ @@"
            yield from ["-" + row for row in (_lines(swap.old) if swap.old else [])]
            yield from ["+" + row for row in (_lines(swap.new) if swap.new else [])]


def _cut(whole: list[str], lines: int) -> list[str]:
    """At most so many lines; the last one says how many there are beyond, when there are."""
    if len(whole) > lines:
        whole = [*whole[: lines - 1], f"… {len(whole) - lines + 1} more lines"]
    return [line(row) for row in whole]


def difference(path: str, before: str, after: str, lines: int = 20) -> list[str]:
    """At most `lines` lines of what makes one text of a file into another; secrets masked, controls escaped."""
    return _cut(list(_part(Proposed(path, before, after), None)), lines)


def preview(event: Event, lines: int = 20) -> list[str]:
    """At most `lines` lines; the last one says how many there are beyond, when there are."""
    if lines < 1:
        return []
    try:
        requests = [one for one in file_edits(event) if one.swaps]
        whole: list[str] = []
        files = texts(event)
        for one in files:
            tail = one.path.rpartition("/")[2]
            request = next((it for it in requests if it.path.replace("\\", "/").rpartition("/")[2] == tail), None)
            whole.extend(_part(one, request))
            if len(whole) > WHOLE:
                break
    except (ValueError, TypeError, AttributeError, RecursionError, MemoryError):  # input of any shape
        return []
    return _cut(whole, lines)
