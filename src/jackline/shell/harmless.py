"""The programs and arguments of which `screen` knows that they only read, or only build the project.

Every rule is a list of what is allowed, or of the few options that make a reader write. What is not here is not
harmless; it is merely unknown, and the full analysis says more.
"""

from __future__ import annotations


def listed(word: str, names: str) -> bool:
    """Whether a word is in a list of names, which is a text with a blank around each: that costs nothing to import."""
    return f" {word} " in names and " " not in word


QUIET = frozenset(
    [("2>&", "1"), ("1>&", "2"), (">&", "2")]
    + [(operator, "/dev/null") for operator in (">", "1>", "2>", "&>", ">>", "2>>", "<")]
)
"""Redirections that touch no file."""

ENV = (
    " CI NODE_ENV NO_COLOR FORCE_COLOR CLICOLOR PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONWARNINGS "
    "RUST_BACKTRACE RUST_LOG LANG LC_ALL TZ TERM COLUMNS GOMAXPROCS "
)
"""Variables that may be set for one command without changing what it runs or writes."""

DELICATE = (
    "jackline credential secret passw shadow token id_rsa id_dsa id_ecdsa id_ed25519 .env .pem .key .p12 .pfx .jks "
    ".ppk chrome firefox keychain keystore /dev/ /proc/ /sys/ /etc/ /run/ /boot/ //"
)
"""Parts of words about which somebody may have an opinion."""

BEFORE_DOT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.*?])\\+")
BEHIND_DOT = frozenset(["", "/", ".", ",", " "])

READERS = (
    " cat head tail wc ls pwd echo true false : which type dirname basename realpath readlink stat du df uname "
    "whoami id nproc sleep seq cut tr rev nl fold fmt comm cmp diff grep egrep fgrep md5sum sha1sum sha256sum "
    "shasum strings od hexdump ps jq "
)
"""Programs that only read, whatever their options."""

WRITERS = {
    # Programs that read but for these: the first word holds letters, the others long options. `-` is no letter.
    "file": "C compile",
    "printf": "v",
    # `test -v` evaluates what stands in a subscript.
    "test": "vR",
    "[": "vR",
    "sort": "oT output temporary-directory compress-program",
    "tree": "oR output",
    "rg": "z pre hostname-bin search-zip",
    "fd": "xX exec exec-batch",
}

FIND = (
    " -name -iname -path -ipath -wholename -regex -iregex -type -size -mtime -mmin -newer -maxdepth -mindepth "
    "-depth -not -o -a -and -or -prune -print -print0 -ls -empty -follow -xdev -quit -regextype -L -H -P -perm "
    "-user -group -atime -ctime -cmin -amin -readable -executable -writable -links "
)

GIT = {
    # Subcommands, as in WRITERS.
    "status": "",
    "diff": "- output ext-diff",
    "log": "- output ext-diff",
    "show": "- output ext-diff",
    "rev-parse": "",
    "rev-list": "",
    "describe": "",
    "blame": "",
    "ls-files": "",
    "ls-tree": "",
    "merge-base": "",
    "shortlog": "- output",
    "grep": "O open-files-in-pager",
}

GIT_LISTS = (
    # Subcommands that change something unless their words are these, joined by a slash.
    " branch branch/-a branch/-r branch/-v branch/-vv branch/-av branch/--list branch/--all branch/--show-current "
    "remote remote/-v stash/list tag tag/-l tag/--list worktree/list --version "
)

_CARGO = "-q -v -p --release --lib --workspace --all --all-targets"
_RUNNERS = {
    # Leading words that run the project's own tests, checks and builds: the options that may follow.
    "npm test, npm t, npm run, pnpm test, pnpm run": "-s --silent --",
    "yarn test, yarn run, bun test, bun run": "",
    "pytest": "-q -v -vv -x -s -l -k -m --tb --lf --ff --maxfail -rA -ra -rs --co --no-header --durations -n",
    "cargo test": f"{_CARGO} --no-run -- --nocapture --test",
    "cargo build": _CARGO,
    "cargo check, cargo clippy": f"{_CARGO} --tests",
    "go test": "-v -race -run -count -short -cover -bench -timeout",
    "go build": "-v -race",
    "go vet": "-v",
    "make": "-s -k -B -j -j2 -j4 -j8",
    "ruff check": "-q --no-fix --quiet",
}
RUNNERS = {tuple(lead.split()): options for leads, options in _RUNNERS.items() for lead in leads.split(", ")}

LEADS = " npm yarn pnpm bun pytest cargo go make ruff "
"""With what they begin."""

_SHIPS = (
    "install deploy publish release push upload ship remov prune purg reset delet destroy drop wip eras nuk "
    "decommission obliterat terminat clear empty flush recreate restor rm roll truncat broadcast promot send prod seed "
    "migrat post volum"
)
SHIPS = tuple(_SHIPS.split())
"""Parts of script and target names that promise more than a build."""

NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@=[]* ")
LINES = frozenset("0123456789,$p;")
SPECIAL = " cd find git sed uniq date python python3 "


def _hidden(word: str) -> bool:
    """Some component of a path in the word may begin with a dot (`.` and `..` do not count)."""
    if word[0] == "-" and word[1:2] != "-":
        return True
    at = word.find(".")
    while at >= 0:
        if (at == 0 or word[at - 1] not in BEFORE_DOT) and word[at + 1 : at + 2] not in BEHIND_DOT:
            return True
        at = word.find(".", at + 1)
    return False


def _open(words: tuple[str, ...]) -> bool:
    """No word names a hidden, protected or delicate place."""
    for word in words:
        if "." in word and _hidden(word):
            return False
    text = " ".join(words).lower()
    for part in DELICATE.split():  # noqa: SIM110 - quicker, and asked often
        if part in text:
            return False
    return True


def _without(words: tuple[str, ...], refused: str) -> bool:
    """No option among the words is one of the refused, not even abbreviated or in a cluster."""
    letters, *options = refused.split() or ("",)
    for word in words:
        if word[:2] == "--":
            name = word[2:].partition("=")[0] or "="
            if any(option.startswith(name) or name.startswith(option) for option in options):
                return False
        elif word[:1] == "-" and any(letter in word[1:] for letter in letters):
            return False
    return True


def _runs(words: tuple[str, ...]) -> bool:
    """The words run tests, checks or builds of the project, with options that write nowhere else."""
    lead = words[:1] if words[:1] in RUNNERS else words[:2]
    if lead not in RUNNERS:
        return False
    options = RUNNERS[lead].split()
    for word in words[len(lead) :]:
        if word[:1] == "-":
            if word.partition("=")[0] not in options:
                return False
            continue
        if word[:1] == "/" or ".." in word.split("/") or not NAMES.issuperset(word):
            return False
        if lead[-1] in ("run", "make") and ("=" in word or any(part in word.lower() for part in SHIPS)):
            return False
    return lead[-1] != "run" or (len(words) > 2 and "." not in words[2] and "/" not in words[2])


def _special(words: tuple[str, ...]) -> bool:
    """Programs whose harmless uses need more than a list of options."""
    program, rest = words[0], words[1:]
    if program == "cd":
        return len(rest) == 1 and rest[0][:1] != "-"
    if program == "git":
        if rest[:1] and rest[0] in GIT:
            return _without(rest[1:], GIT[rest[0]])
        return listed("/".join(rest), GIT_LISTS)
    if program == "find":
        return all(word[:1] not in "-(,!" or listed(word, FIND) or word[1:].isdigit() for word in rest if word)
    if program == "sed":
        script = rest[1] if rest[:1] == ("-n",) and len(rest) > 2 else "?"
        return LINES.issuperset(script) and not any(word[:1] == "-" for word in rest[2:])
    if program == "uniq":
        return sum(word[:1] != "-" or word == "-" for word in rest) <= 1
    if program == "date":
        return all(word[:1] == "+" or word in ("-u", "-R", "-I", "--utc") for word in rest)
    # python, python3
    return rest in (("--version",), ("-V",)) or (rest[:2] == ("-m", "pytest") and _runs(rest[1:]))


def reads(verb: str) -> bool:
    """Some use of git with this subcommand is harmless."""
    return verb in GIT or f" {verb}" in GIT_LISTS


def known(program: str) -> bool:
    """Some use of the program is harmless."""
    return listed(program, READERS) or listed(program, SPECIAL) or program in WRITERS or listed(program, LEADS)


def only_reads(program: str, words: tuple[str, ...]) -> bool:
    """Whatever these words name, the program opens none of it to write, and runs none of it."""
    return not listed(program, LEADS) and program[:2] != "py" and _fits((program, *words[1:]))


def _fits(words: tuple[str, ...]) -> bool:
    """The use that the words make of a program is one of those that are allowed."""
    program = words[0]
    if listed(program, READERS):
        return True
    if program in WRITERS:
        return _without(words[1:], WRITERS[program])
    return _special(words) if listed(program, SPECIAL) else _runs(words)


def harmless(
    words: tuple[str, ...],
    assigns: tuple[tuple[str, str], ...],
    redirs: tuple[tuple[str, str], ...],
    globbed: tuple[int, ...],
) -> bool:
    """True when a simple command with these words reads or builds, and nothing else."""
    if not words or not known(words[0]):
        return False
    for name, _ in assigns:
        if not listed(name, ENV):
            return False
    for redir in redirs:
        if redir not in QUIET and not (redir[0] == "<" and _open(redir[1:])):
            return False
    # A glob may expand to a name that begins with a dash.
    dashed = any(words[i][0] in "*?[-" for i in globbed) and not listed(words[0], READERS)
    return not dashed and _open(words) and _fits(words)
