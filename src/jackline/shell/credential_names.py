"""Variables that hold credentials, by their names."""

from __future__ import annotations

from jackline.shell.lexis import NAME, PARAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.command_call import Job
    from jackline.shell.lexis import Parts
    from jackline.shell.shell_state import Scene

_PARTS = "TOKEN SECRET PASSWORD PASSWD PASSPHRASE PASS APIKEY CREDENTIAL CREDENTIALS PRIVATEKEY SECRETKEY DSN"
PARTS = frozenset(_PARTS.split())
"""Any of these between the underscores of a name says so, and `KEY` at the end of one."""

_ABOUT = (
    "ID NAME FILE PATH DIR URL URI HOST ARN TYPE VERSION COUNT LENGTH LIMIT LIFETIME EXPIRY EXPIRES TTL "
    "INDEX REGION ENDPOINT POLICY ALIAS HELPER STORE REQUIRED ENABLED PREFIX HEADER"
)
ABOUT = frozenset(_ABOUT.split())
"""At the end of a name: what is said about a credential, not the credential."""

_OPEN = "PUBLIC CACHE PRIMARY FOREIGN SORT PARTITION GROUP MAP HOST ROUTING HOT ANY"
OPEN = {
    "KEY": frozenset(_OPEN.split()),
    "TOKEN": frozenset(["NEXT", "PAGE", "CONTINUATION", "EOS", "BOS", "PAD", "UNK", "MASK", "START", "END"]),
}
"""Before these words: keys that open nothing, tokens that say where a list goes on or what a text is made of."""

_WITH_PASSWORDS = (
    "DATABASE_URL DB_URL DATABASE_URI DB_URI MONGO_URI MONGODB_URI MONGO_URL MONGODB_URL REDIS_URL POSTGRES_URL "
    "AMQP_URL RABBITMQ_URL CONNECTION_STRING"
)
WITH_PASSWORDS = tuple(_WITH_PASSWORDS.split())
"""Addresses in which a password stands; they end a name."""

ECHOES = ("echo", "printf", "print")
"""Programs that print their words."""
ALTERED = (":-", "-", ":=", "=", "%", "%%", "#", "##", "")
"""What may be done to a variable while its value is still shown: not `+`, not its length."""


def holds_credential(name: str) -> bool:
    """The name is one of the environment's, and says that a credential is in it."""
    if not name.isupper():
        return False
    if name.endswith(WITH_PASSWORDS):
        return True
    parts = name.split("_")
    if parts[-1] in ABOUT or "PUBLIC" in parts:
        return False
    if len(parts) > 1 and parts[-1] in OPEN:
        return parts[-2] not in OPEN[parts[-1]]
    return not PARTS.isdisjoint(parts) and parts != ["PASS"]  # what a script counts


def shows(job: Job, parts: Parts, scene: Scene) -> None:
    """Note which credentials the parts of a word put into it, where only the environment knows their value."""
    for part in parts:
        if part[0] is PARAM and part[3] in ALTERED and scene.value(part[1]) is None:
            if holds_credential(part[1]):
                note(job, part[1])
            elif part[1] in scene.vars:
                job.note("read", f"${part[1]}", act="shown")


def note(job: Job, name: str) -> None:
    """The job is handed, or prints, what this variable holds."""
    job.note("read", f"${name}", act="secret")


ACCESS = frozenset(["environ", "getenv", "ENV", "env", "ENVIRON", "_ENV"])
"""Names through which programs reach the environment."""

_SAYS = "print print_r printf println puts p pp say echo log error info warn die write dump var_dump cat"
SAYS = frozenset(_SAYS.split())


def printed(job: Job, code: str, shown: bool = False) -> None:
    """Note the credentials that a program given inline prints, as far as one statement says both; `shown`: it prints
    what comes of it.
    """
    for statement in code.replace("\n", ";").split(";") if any(word in code for word in ACCESS) else ():
        words = "".join(char if char in NAME else " " for char in statement).split()
        says = -1 if shown else next((at for at, word in enumerate(words) if word in SAYS), len(words))
        for at in range(says + 1, len(words)):
            if words[at] in ACCESS:
                name = next((word for word in words[at + 1 : at + 3] if word not in ("get", "fetch")), "")
                if holds_credential(name):
                    note(job, name)
                elif name in ("", "to_h", "inspect", "to_a", "to_json") or statement.rstrip(" )").endswith(words[at]):
                    job.note("read", "prints the environment")
