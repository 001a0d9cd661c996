"""Pagers, programs of keys: what they read, and the files behind their options that they write."""

from __future__ import annotations

from jackline.shell.job import MAYBE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


def keys(job: Job) -> None:
    """`openssl`, `gpg`, `ssh-keygen`: files behind their output options."""
    if job.name == "ssh-keygen":
        job.all("write", job.given("bCfIlmNOPtVYzEDnRsaJjKMwZ").values("f"))
        return
    given = job.given("o", "output out keyout in inkey", single=job.name == "openssl")
    job.all("write", given.values("o", "output", "out", "keyout", "writerand"))
    job.all("read", given.values("in", "inkey"))
    job.all("read", [word for word in given.operands if "/" in word or "." in word], MAYBE)
    if job.name == "openssl" and any(word in ("s_client", "s_server", "ocsp") for word in given.operands):
        job.note("network", "openssl connects", act="talk" if "s_client" in given.operands else "")


def pager(job: Job) -> None:
    given = job.given("oOkPptTxyz", "log-file LOG-FILE lesskey-file lesskey-src")
    job.all("read", [word for word in given.operands if word[:1] != "+"])
    job.all("write", given.values("o", "O", "log-file", "LOG-FILE"))
    if any(word[:2] in ("+!", "+s", "+|") or "+!" in word for word in given.operands):
        job.fault("a pager that is told commands")
