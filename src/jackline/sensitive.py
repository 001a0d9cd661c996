"""Places by what they mean to a person: credentials, and what stays at work when a session is over.

One owner for both guards and for every tool. A path is absolute and resolved; a glob of the shell may stand in it.
"""

from __future__ import annotations

from jackline.clients.facts import CREDENTIALS as OF_CLIENTS
from jackline.clients.facts import OBEYED
from jackline.globs import segment

NAMES = (
    ".env .env.* .envrc .pypirc .pgpass .netrc _netrc .git-credentials .vault-token .s3cfg .my.cnf .boto .htpasswd "
    "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk *.kdbx *.keychain *.keychain-db "
    "application_default_credentials.json "
    "logins.json key4.db .credentials.json oauth_creds.json oauth_token.json oauth_tokens.json "
    "keystore.properties key.properties private.key private_key.pem privkey.pem private.pem"
)
"""Names of files, wherever they lie."""

PLACES = (
    "etc/shadow",
    "etc/gshadow",
    "etc/sudoers",
    "etc/kubernetes",
    "etc/rancher/k3s/k3s.yaml",
    "etc/ssl/private",
    "etc/krb5.keytab",
    "etc/wireguard",
    "etc/NetworkManager/system-connections",
    "Microsoft/UserSecrets",
    ".microsoft/usersecrets",
    "run/secrets",
    "var/lib/kubelet/pki",
    ".aws/cli/cache",
    ".aws/credentials",
    ".aws/sso",
    ".azure",
    ".kube/config",
    ".docker/config.json",
    ".config/gcloud",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".config/containers/auth.json",
    ".config/hub",
    ".config/op",
    ".config/sops",
    ".config/rclone",
    ".config/doctl",
    ".config/heroku",
    ".config/hcloud",
    ".config/git/credentials",
    ".config/pypoetry/auth.toml",
    ".config/composer/auth.json",
    ".config/ngrok/ngrok.yml",
    ".config/filezilla",
    ".config/Bitwarden CLI",
    ".config/scw/config.yaml",
    ".config/netlify",
    ".config/stripe/config.toml",
    ".composer/auth.json",
    ".fly/config.yml",
    ".railway/config.json",
    ".oci",
    ".subversion/auth",
    ".kaggle/kaggle.json",
    ".cache/huggingface/token",
    ".huggingface/token",
    ".databrickscfg",
    ".mylogin.cnf",
    ".electrum",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".sbt/.credentials",
    ".ivy2/.credentials",
    ".bundle/config",
    ".hex/hex.config",
    ".dbt/profiles.yml",
    ".snowsql/config",
    ".config/helm/registry/config.json",
    ".config/github-copilot",
    ".config/BraveSoftware",
    ".config/Slack",
    ".config/discord",
    ".thunderbird",
    "Library/Messages",
    "Library/Mail",
    "Library/Safari",
    ".terraform.d/credentials.tfrc.json",
    ".password-store",
    ".local/share/keyrings",
    "Library/Keychains",
    ".gnupg",
    ".ssh",
    *OF_CLIENTS,
    ".mozilla",
    ".config/google-chrome",
    "Google/Chrome/User Data",
    "Application Support/Google/Chrome",
    "Application Support/Firefox",
    "Mozilla/Firefox/Profiles",
    "Microsoft/Edge/User Data",
    ".config/chromium",
    "Library/Cookies",
    ".bitcoin",
    ".ethereum",
    ".config/solana",
)
"""Files and folders, by the last parts of their path; a folder stands for all in it."""

ALL_OF = (".aws", ".kube", ".docker", ".config/gh", ".config/glab-cli", ".config/containers", ".terraform.d")
"""Folders in which credentials lie beside little else: all of one is as dear as they are."""

HOMELY = ".npmrc .yarnrc.yml .bash_history .zsh_history .python_history .psql_history .mysql_history .node_repl_history"
"""Files that hold credentials when they lie in the home folder."""

MEMORY = ("environ", "mem", "kcore")
DEVICES = ("/dev/mem", "/dev/kmem")
"""Below `/proc` and `/dev`: what programs hold in memory."""

HARMLESS = (
    ".env.example .env.sample .env.template .env.dist .env.defaults .env.test .env.testing .env.ci .env.tpl *.pub "
    ".env.*.example .env.*.sample .env.*.template .env.*.dist .env.*.tpl"
)
HARMLESS_IN = {
    ".ssh": "config config.* known_hosts* authorized_keys* environment rc",
    ".gnupg": "gpg.conf gpg-agent.conf dirmngr.conf",
    ".config/gcloud": "configurations active_config",
}
"""Names that look like these and hold nothing; those that hold nothing in a folder that otherwise does."""

SHELL = "shell start-up files"
LOGIN = "programs that start by themselves"
ACCESS = "who may get in, and where connections lead"
INTERPRETER = "what programs run as they start"
AGENT = "what agents obey and run in every session"
GIT = "git's own settings"

PERSISTENCE = {
    SHELL: (
        ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin "
        ".zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .xprofile .xsessionrc .pam_environment .inputrc "
        ".bashrc.d .zshrc.d .config/fish .config/zsh .config/nushell .config/powershell .config/environment.d "
        "documents/powershell documents/windowspowershell etc/profile etc/profile.d etc/bash.bashrc etc/bashrc "
        "etc/zsh etc/zshrc etc/zshenv etc/environment"
    ),
    LOGIN: (
        ".config/systemd .local/share/systemd/user .config/autostart .config/plasma-workspace .xinitrc .xsession "
        ".ssh/rc library/launchagents library/launchdaemons etc/systemd etc/cron.d etc/cron.hourly etc/cron.daily "
        "etc/cron.weekly etc/cron.monthly etc/crontab etc/anacrontab var/spool/cron etc/init.d etc/rc.local"
    ),
    ACCESS: ".ssh/authorized_keys .ssh/config etc/ssh etc/pam.d etc/sudoers etc/sudoers.d etc/ld.so.preload",
}
"""Places whose content runs, or lets somebody in, when the session is over: as `PLACES`, in small letters."""

IN_HOME = {
    INTERPRETER: (
        ".pythonrc .pythonrc.py .pythonstartup .pdbrc .ipython .jupyter .irbrc .pryrc .rdebugrc .gemrc .npmrc "
        ".yarnrc .yarnrc.yml .noderc .rprofile .renviron .ghci .julia/config .config/julia .perldb .gdbinit "
        ".config/gdb .lldbinit .vimrc .vim .config/nvim .exrc .nanorc .emacs .emacs.d .config/emacs .tmux.conf "
        ".config/tmux .config/code/user .config/cursor/user .config/vscodium/user "
        ".screenrc .curlrc .wgetrc .psqlrc .sqliterc .duckdbrc .config/pip .pip .condarc .cargo/config "
        ".cargo/config.toml .gradle/init.gradle .gradle/init.d .m2/settings.xml .mavenrc .sbt .direnvrc "
        ".config/direnv .config/mise .lesskey .lessfilter .dir_colors .hgrc .config/hg .subversion/config"
    ),
    AGENT: f"{OBEYED} .cursor/mcp.json .cursor/hooks.json .cursor/hooks .config/opencode",
    GIT: ".gitconfig .config/git",
}
"""The same, in a home folder only: elsewhere they belong to a project."""

CUSTOMIZE = ("sitecustomize.py", "usercustomize.py")
PACKAGES = ("site-packages", "dist-packages")
"""What Python runs as it starts, by its name; files of paths (`.pth`) do so in these folders."""

MEANING = {
    place: what for table in (PERSISTENCE, IN_HOME) for what, places in table.items() for place in places.split()
}
STAYING = tuple([place for places in PERSISTENCE.values() for place in places.split()])

BEGINNINGS = frozenset([place.partition("/")[0] for place in PLACES + STAYING])
"""With what such places begin."""


class NameList:
    """A list of names, a star in some, sorted so that a name is looked for at once."""

    __slots__ = ("around", "ends", "fronts", "plain")

    def __init__(self, names: str) -> None:
        words = names.split()
        starred = [one.split("*", 1) for one in words if "*" in one]
        self.plain = frozenset([one for one in words if "*" not in one])
        self.fronts = tuple([front for front, end in starred if not end])
        self.ends = tuple([end for front, end in starred if not front])
        self.around = [(front, end) for front, end in starred if front and end]

    def __contains__(self, name: str) -> bool:
        if name in self.plain or name.startswith(self.fronts) or name.endswith(self.ends):
            return True
        for front, end in self.around:
            if name.startswith(front) and name.endswith(end) and len(name) >= len(front) + len(end):
                return True
        return False


CREDENTIALS = NameList(NAMES)
FREE = NameList(HARMLESS)
FREE_IN = {place: NameList(names) for place, names in HARMLESS_IN.items()}


def _globbed(text: str) -> bool:
    return "*" in text or "?" in text or "[" in text


def _begun(part: str) -> set[str]:
    """The beginnings of places that a part of a path may stand for."""
    if not _globbed(part):
        return {part} & BEGINNINGS
    return {one for one in BEGINNINGS if _meets(part, one)} if len(_literal(part)) > 2 else set()


def _literal(pattern: str) -> str:
    """What a glob says for certain."""
    return pattern.replace("*", "").replace("?", "").replace("[", "").replace("]", "")


def _meets(pattern: str, name: str) -> bool:
    """Whether a glob of the shell and a pattern for names have a name in common."""
    if not _globbed(pattern):
        return segment(name, pattern) if "*" in name else name == pattern
    if (pattern[:1] in "*?" and name[:1] == ".") or len(_literal(pattern)) < 3:
        return False
    front = pattern[: min(pattern.find(char) for char in "*?[" if char in pattern)]
    other = name.partition("*")[0]
    if not (front.startswith(other) or other.startswith(front)):
        return False
    tail = pattern.replace("?", "*").replace("]", "*").replace("[", "*").rpartition("*")[2]
    return any(
        segment(pattern, one)
        for one in (name.replace("*", "x"), other + "x", other)
        if one.endswith(tail) or "\\" in tail
    )


def _standing(path: str, places: tuple[str, ...]) -> str:
    """The first of the places that stands in the path, whole: the path leads to it, or to something in it."""
    if not _globbed(path):
        if BEGINNINGS.isdisjoint(path.split("/")):
            return ""
        closed = path + "/"
        return next((place for place in places if f"/{place}/" in closed), "")
    parts = [part for part in path.split("/") if part and part != "**"]
    begun = set().union(*map(_begun, parts))
    if not begun:
        return ""
    for place in places:
        wanted = place.split("/")
        if wanted[0] not in begun:
            continue
        for at in range(len(parts) - len(wanted) + 1):
            if all(_meets(part, want) for part, want in zip(parts[at : at + len(wanted)], wanted, strict=True)):
                return place
    return ""


def dull(path: str) -> bool:
    """Neither `secret` nor `holds` nor `staying` has a word to say of this path, whatever the home: most are so."""
    if "/." in path or _globbed(path) or path.startswith(("/proc/", "/dev/")):
        return False
    name = path.rpartition("/")[2]
    if name in CREDENTIALS or name in CUSTOMIZE or name.endswith(".pth"):
        return False
    return BEGINNINGS.isdisjoint(path.split("/")) and BEGINNINGS.isdisjoint(path.lower().split("/"))


def secret(path: str, home: str) -> bool:
    """A file or folder at this path (a glob may stand in it) holds credentials."""
    folder, _, name = path.rstrip("/").rpartition("/")
    if name in CREDENTIALS or (_globbed(name) and _close(name)):
        return name not in FREE
    if name[:1] == "." and folder == home and name in HOMELY.split():
        return True
    if path.startswith(("/proc/", "/dev/")) and (name in MEMORY or path in DEVICES):
        return True
    place = _standing(path, PLACES)
    return bool(place) and name not in FREE and name not in FREE_IN.get(place, ())


def holds(path: str, home: str) -> bool:
    """A whole folder at this path holds credentials."""
    path, home = path.removesuffix("/**"), home + "/"
    return path.startswith(home) and path[len(home) :] in ALL_OF


def beside(path: str, home: str) -> bool:
    """A file in such a folder: it says whose credentials they are, and may hold some."""
    return any(path.startswith(f"{home}/{folder}/") for folder in ALL_OF)


def _close(name: str) -> bool:
    """A glob that may mean one of these names; what says no more than an ordinary ending (`*.json`) means none."""
    literal = _literal(name)
    ending = name[:1] == "*" and literal[:1] == "." and literal not in (".pem", ".key")
    some = [one for one in NAMES.split() if not ending or "*" in one or one[0] == "."]
    return len(literal) > 2 and any(_meets(name, one) for one in some)


def _home(path: str) -> str:
    """Somebody's home, by where people have them, when the path leads to a hidden thing in it."""
    home, hidden, _ = path.partition("/.")
    if not hidden:
        return ""
    return home if home == "/root" or (home.startswith(("/home/", "/Users/")) and home.count("/") == 2) else ""


def staying(path: str, home: str) -> tuple[str, str]:
    """The place at which what is written stays at work, and what it is (`MEANING`); "" twice where it does not.

    A place begins where it may: below any folder, or in a home alone.
    """
    name = path.rpartition("/")[2]
    if name in CUSTOMIZE or (name.endswith(".pth") and not set(PACKAGES).isdisjoint(path.split("/"))):
        return name, INTERPRETER
    low = path.lower()
    own = home if path.startswith(home + "/.") else _home(path)
    if own:
        inner = low[len(own) + 1 :] + "/"
        first = inner.partition("/")[0]
        for place in HOMES.get(first, ()):
            if inner.startswith(place + "/"):
                return place, MEANING[place]
    place = _standing(low, STAYING)
    return place, MEANING.get(place, "")


HOMES: dict[str, list[str]] = {}
for _place in MEANING:
    if _place not in STAYING:
        HOMES.setdefault(_place.partition("/")[0], []).append(_place)


def place_of(path: str, home: str, *, changes: bool, program: str = "") -> str:
    """What a path is to who reads or `changes` it: `CREDENTIAL`, a meaning of `staying`, or "".

    `program`: who does it; git may write its own settings.
    """
    if secret(path, home):
        return CREDENTIAL
    what = staying(path, home)[1] if changes else ""
    return "" if what == GIT and program == "git" else what


CREDENTIAL = "credentials"
