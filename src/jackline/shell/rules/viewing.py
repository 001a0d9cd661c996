"""Pagers, programs of keys, preferences: what they read, and the files behind their options that they write."""

from __future__ import annotations

from jackline.shell.job import MAYBE
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.filters import openssl
from jackline.shell.rules.strange import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


def keys(job: Job) -> str | None:
    """`openssl`, `gpg`, `ssh-keygen`: files behind their output options."""
    if job.name == "ssh-keygen":
        job.all("write", job.given("bCfIlmNOPtVYzEDnRsaJjKMwZ").values("f"))
        return None
    if job.name in ("gpg", "gpg2") and any(word.startswith("--delete-sec") for word in job.words):
        job.all("delete", _stores(job), deep=True)
        return None
    given = job.given("o", "output out keyout in inkey", single=job.name == "openssl")
    job.all("write", given.values("o", "output", "out", "keyout", "writerand"))
    job.all("read", given.values("in", "inkey"))
    job.all("read", [word for word in given.operands if "/" in word or "." in word], MAYBE)
    if job.name == "openssl" and any(word in ("s_client", "s_server", "ocsp") for word in given.operands):
        job.note("network", "openssl connects", act="talk" if "s_client" in given.operands else "")
    if job.name in ("gpg", "gpg2") and not given.has("o", "output") and given.operands:
        job.all("write", [word + ".gpg" for word in given.operands if not word.endswith((".gpg", ".asc"))])
    return openssl(job) if job.name == "openssl" and job.feed else None


STORES = {
    # Program: where it keeps credentials, and the verbs that remove them.
    "gpg": (".gnupg/private-keys-v1.d", ""),
    "security": ("Library/Keychains", "delete-"),
    "secret-tool": (".local/share/keyrings", "clear"),
    "keyring": (".local/share/keyrings", "del"),
    "pass": (".password-store", "rm remove delete"),
}
KEEPERS = {"gpg2": "gpg", "gopass": "pass"}


def _stores(job: Job) -> list[str]:
    home = job.scene.value("HOME")
    return [f"{home or UNKNOWN}/{STORES[KEEPERS.get(job.name, job.name)][0]}"]


def store(job: Job) -> None:
    """Stores of passwords: what their programs print is told by name elsewhere; here, what they remove."""
    verbs = STORES[KEEPERS.get(job.name, job.name)][1].split()
    verb = "".join(job.words[1:2])
    if any(verb == one or (one.endswith("-") and verb.startswith(one)) for one in verbs):
        job.all("delete", _stores(job), deep=True)
    unknown(job)


def pager(job: Job) -> None:
    given = job.given("oOkPptTxyz", "log-file LOG-FILE lesskey-file lesskey-src")
    job.all("read", given.values("k", "lesskey-file", "lesskey-src") if job.name == "less" else [])
    job.all("read", [word for word in given.operands if word[:1] != "+"])
    job.all("write", given.values("o", "O", "log-file", "LOG-FILE"))
    if any(word[:2] in ("+!", "+s", "+|") or "+!" in word for word in given.operands):
        job.fault("a pager that is told commands")


def defaults(job: Job) -> None:
    words = job.words[1:]
    if job.name == "defaults" and words and words[0] in ("write", "delete", "import", "rename"):
        job.all("write", words[1:2], "preferences")
        job.note("unknown", "changes preferences of programs")
    elif job.name == "plutil" and not {"-p", "-lint"} & set(words):
        job.all("write", [word for word in words if "/" in word or word.endswith(".plist")])
