"""Which files hold credentials, by the names their programs give them; and what makes commands outlive a session."""

from __future__ import annotations

from jackline.globs import segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.command_guard.places import Ground

NAMES = (
    ".env .env.* .envrc .pypirc .pgpass .netrc _netrc .git-credentials .vault-token .s3cfg .my.cnf .boto .htpasswd "
    "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk *.kdbx *.keychain *.keychain-db "
    "application_default_credentials.json "
    "logins.json key4.db .credentials.json oauth_creds.json oauth_token.json oauth_tokens.json "
    "private.key private_key.pem privkey.pem private.pem"
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
    ".terraform.d/credentials.tfrc.json",
    ".password-store",
    ".local/share/keyrings",
    "Library/Keychains",
    ".gnupg",
    ".ssh",
    ".codex/auth.json",
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

PRINTING = (
    *("-o json*", "-o yaml", "-o go-template*", "-o custom-columns*", "--output json*", "--output yaml"),
    *("-oj", "-oy", "-og", "-o=j", "-o=y", "-o=g", "--output=j", "--output=y", "--output=g", "--template"),
)
"""Options by which a cluster's secrets are printed whole."""

TELLERS = (
    "security find-*-password",
    "security dump-keychain",
    "secret-tool lookup",
    "keyring get",
    "gpg --export-secret-keys",
    "gpg --export-secret-subkeys",
    "gpg2 --export-secret-keys",
    "pass show",
    "pass -c",
    "gopass show",
    "op read",
    "op item get",
    "bw get password",
    "bw export",
    "lpass show",
    "rbw get",
    "aws secretsmanager get-secret-value",
    "aws ssm get-parameter --with-decryption",
    "aws ssm get-parameters --with-decryption",
    "aws configure export-credentials",
    "aws configure get aws_secret_access_key",
    "aws ecr get-login-password",
    "aws sts get-session-token",
    "gh auth token",
    "gh auth status --show-token",
    "gh auth status -t",
    "glab auth status --show-token",
    "gcloud auth print-access-token",
    "gcloud auth print-identity-token",
    "gcloud auth application-default print-access-token",
    "gcloud secrets versions access",
    "az account get-access-token",
    "az keyvault secret show",
    "az keyvault secret download",
    *(f"{tool} get secret* {form}" for tool in ("kubectl", "oc") for form in PRINTING),
    "kubectl config view --raw",
    "oc whoami -t",
    "vault kv get",
    "vault read",
    "vault print token",
    "heroku auth:token",
    "fly auth token",
    "flyctl auth token",
    "doppler secrets get",
    "doppler secrets download",
    "infisical secrets get",
    "chamber read",
    "chamber export",
    "sops -d",
    "sops --decrypt",
    "sops decrypt",
    "ansible-vault view",
    "ansible-vault decrypt",
    "npm config get *authToken",
    "npm token create",
    "docker-credential-* get",
    "git credential fill",
    "git credential-* get",
    "terraform output -raw",
)
"""Commands that print a credential: a program, and words (globs) that stand behind it in this order."""

TELLING: dict[str, list[list[str]]] = {}
for _teller in TELLERS:
    _first, *_rest = _teller.split()
    TELLING.setdefault(_first, []).append(_rest)
WILD_TELLERS = tuple([program.partition("*")[0] for program in TELLING if "*" in program])
"""The same by their programs, and how those begin that are globs."""

PERSISTENT = (
    ".ssh/authorized_keys",
    ".ssh/config",
    ".ssh/rc",
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile"),
    *(".zlogin", ".zlogout", ".bash_aliases", ".bashrc.d", ".zshrc.d", ".config/fish", ".config/nushell"),
    *(".xinitrc", ".xprofile", ".xsession", ".pam_environment", ".config/environment.d"),
    ".config/autostart",
    *("Documents/PowerShell", "Documents/WindowsPowerShell", ".config/powershell"),
    ".config/systemd",
    "Library/LaunchAgents",
    "Library/LaunchDaemons",
    "etc/cron.d",
    "etc/crontab",
    "etc/systemd",
    "etc/init.d",
    "etc/rc.local",
    "etc/sudoers.d",
    "etc/ld.so.preload",
    "var/spool/cron",
    "etc/profile",
    "etc/bash.bashrc",
    "etc/sudoers",
    "etc/pam.d",
    "etc/ssh",
)
"""Places whose content runs, or lets somebody in, when the session is over."""


BEGINNINGS = frozenset([place.partition("/")[0] for place in PLACES + PERSISTENT])
"""With what such places begin."""


class Listed:
    """A list of names, a star in some, sorted so that a name is looked for at once."""

    __slots__ = ("around", "ends", "fronts", "plain")

    def __init__(self, names: str) -> None:
        words = names.split()
        starred = [one.split("*", 1) for one in words if "*" in one]
        self.plain = frozenset([one for one in words if "*" not in one])
        self.fronts = tuple([front for front, end in starred if not end])
        self.ends = tuple([end for front, end in starred if not front])
        self.around = [f"{front}*{end}" for front, end in starred if front and end]

    def __contains__(self, name: str) -> bool:
        if name in self.plain or name.startswith(self.fronts) or name.endswith(self.ends):
            return True
        return any(segment(one, name) for one in self.around) if self.around else False


CREDENTIALS = Listed(NAMES)
FREE = Listed(HARMLESS)
FREE_IN = {place: Listed(names) for place, names in HARMLESS_IN.items()}


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


def secret(path: str, ground: Ground) -> bool:
    """A file or folder at this path (a glob may stand in it) holds credentials."""
    folder, _, name = path.rstrip("/").rpartition("/")
    if name in CREDENTIALS or (_globbed(name) and _close(name)):
        return name not in FREE
    if name[:1] == "." and folder == ground.home and name in HOMELY.split():
        return True
    if path.startswith(("/proc/", "/dev/")) and (name in MEMORY or path in DEVICES):
        return True
    place = _standing(path, PLACES)
    return bool(place) and name not in FREE and name not in FREE_IN.get(place, ())


def holds(path: str, ground: Ground) -> bool:
    """A whole folder at this path holds credentials."""
    path, home = path.removesuffix("/**"), ground.home + "/"
    return path.startswith(home) and path[len(home) :] in ALL_OF


def beside(path: str, ground: Ground) -> bool:
    """A file in such a folder: it says whose credentials they are, and may hold some."""
    return any(path.startswith(f"{ground.home}/{folder}/") for folder in ALL_OF)


def _close(name: str) -> bool:
    """A glob that may mean one of these names."""
    if len(_literal(name)) < 3:
        return False
    return any(_meets(name, one) for one in NAMES.split())


def tells(words: tuple[str, ...], program: str) -> bool:
    """The command prints a credential."""
    for rest in TELLING.get(program, ()):
        first = rest[0]
        if (first in words or first[0] == "-" or "*" in first) and _tells(words, rest):
            return True
    return program.startswith(WILD_TELLERS) and any(
        segment(first, program) and _tells(words, rest)
        for first, rests in TELLING.items()
        if "*" in first
        for rest in rests
    )


def _tells(words: tuple[str, ...], rest: list[str]) -> bool:
    at = 1
    for want in rest:
        at = next((i for i in range(at, len(words)) if _word(want, words[i])), -2) + 1
        if at < 0:
            return False
    return True


def _word(want: str, word: str) -> bool:
    return word == want or (want[:1] == "-" and word.startswith(want)) or ("*" in want and segment(want, word))


AGENTS = (
    ".claude/settings.json .claude/settings.local.json .claude/hooks .claude/CLAUDE.md .claude/skills .claude/commands "
    ".claude/agents .claude/plugins .claude.json .codex/config.toml .codex/hooks.json .codex/hooks .codex/rules "
    ".codex/AGENTS.md .codex/prompts .gemini/settings.json .gemini/GEMINI.md .cursor/mcp.json .cursor/hooks.json "
    ".cursor/hooks .copilot/config.json .config/opencode"
)
"""What agents obey and run in every session, in the home folder; in a project they are its own files."""


def persistent(path: str, ground: Ground, program: str = "") -> bool:
    """What is written there stays at work. `program`: who writes it; git may its own."""
    home = ground.home if path.startswith(ground.home + "/.") else _home(path)
    if home:
        inner = path[len(home) + 1 :] + "/"
        if inner.startswith((".gitconfig/", ".config/git/")) and program != "git":
            return True
        if any(inner.startswith(one + "/") for one in AGENTS.split()):
            return True
    return bool(_standing(path, PERSISTENT))


def _home(path: str) -> str:
    """Somebody's home, by where people have them, when the path leads to a hidden thing in it."""
    home, hidden, _ = path.partition("/.")
    if not hidden:
        return ""
    return home if home == "/root" or (home.startswith(("/home/", "/Users/")) and home.count("/") == 2) else ""
