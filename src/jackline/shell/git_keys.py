"""Which keys of git's configuration name programs, hooks or further files: for a call, a command, or a file."""

from __future__ import annotations

SECTIONS = (
    "core hookspath fsmonitor sshcommand editor pager gitproxy askpass attributesfile worktree alternaterefscommand; "
    "alias *; pager *; include *; includeif *; hook *; filter clean smudge process; diff external command textconv; "
    "merge driver; mergetool cmd path; difftool cmd path; guitool cmd; credential helper; gpg program "
    "defaultkeycommand; sequence editor; interactive difffilter; remote uploadpack receivepack vcs proxy; url "
    "insteadof pushinsteadof; protocol allow; browser cmd path; man cmd path; web browser; instaweb httpd browser; "
    "trailer cmd command; submodule update; uploadpack packobjectshook; init templatedir; sendemail smtpserver "
    "sendmailcmd tocmd cccmd headercmd; safe directory; imap tunnel; receive procreceiverefs; extensions "
    "worktreeconfig; lfs customtransfer standalonetransferagent"
)
KEYS = {row.split()[0]: frozenset(row.split()[1:]) for row in SECTIONS.split(";")}
"""Keys of git's configuration that name programs, hooks or further files: section → last part of the key."""

_RUNNING = {
    "core.sshcommand": "GIT_SSH GIT_SSH_COMMAND",
    "core.editor": "GIT_EDITOR EDITOR VISUAL",
    "core.pager": "GIT_PAGER PAGER",
    "core.askpass": "GIT_ASKPASS",
    "core.gitproxy": "GIT_PROXY_COMMAND",
    "sequence.editor": "GIT_SEQUENCE_EDITOR",
    "diff.external": "GIT_EXTERNAL_DIFF",
}
RUNNING = {name: key for key, names in _RUNNING.items() for name in names.split()}
"""Variables that say the same as a key: which of them count, the subcommand says."""


def program_key(key: str) -> bool:
    """Whether a key of git's configuration (`core.hooksPath`, `filter.x.clean`) names a program, a hook or a file."""
    parts = key.lower().split(".")
    names = KEYS.get(parts[0])
    return names is not None and (len(parts) == 1 or "*" in names or parts[-1] in names)


def names_key(text: str) -> bool:
    """Whether lines of a git configuration hold such a key. A key without its section line is taken for any section."""
    section = ""
    for line in text.replace("\\\n", " ").split("\n"):
        line = line.strip()
        if line.startswith("["):
            head, _, rest = line[1:].partition("]")
            section = head.replace('"', " ").replace(".", " ").split(" ", 1)[0].strip().lower()
            if "*" in KEYS.get(section, ()):
                return True
            line = rest
        key = (line.partition("=")[0].lower().split() or ["#"])[0]
        named = program_key(f"{section}.{key}") if section else any(key in names for names in KEYS.values())
        if named and key[0] not in "#;":
            return True
    return False
