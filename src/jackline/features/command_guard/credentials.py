"""What credentials are called, and what prints one: keys in a project that no list of places names, stores of them."""

from __future__ import annotations

from jackline.features.command_guard.lexicon import parts_of
from jackline.features.command_guard.rules import vocabulary
from jackline.globs import segment
from jackline.shell.credential_names import holds_credential
from jackline.shell.programs import HOMES

PASSES = vocabulary(
    "cat tac head tail less more bat batcat nl view cut paste column tr sed awk rev fold fmt sort uniq tee base64 "
    "base32 xxd od hexdump strings jq yq grep egrep rg xargs echo"
)
"""Programs whose output shows what they read, from a file or their input."""

KEYS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk")
"""Endings of keys: working with one in a project is work, showing or sending it is not."""

OFTEN = vocabulary("credentials credential secret secrets kubeconfig tfstate tfvars npmrc yarnrc")
"""Words in the names of what often holds credentials: looking at one in a project is work, sending it is not."""

DATA = (".json", ".yml", ".yaml", ".toml", ".ini", ".txt", ".env", ".csv", ".cfg", ".conf", ".properties")
"""Endings of files that hold values."""

PUBLIC = ("cert", "ca", "chain", "fullchain", "public", "pub", "crt", "root", "bundle")
"""Names of certificates, and of keys that are for everybody."""

EMPTY = ("example", "sample", "template", "test", "testing", "dist", "ci", "defaults")
"""Names of settings without real values."""

TRIED = vocabulary(
    "test tests testdata fixtures fixture __tests__ spec specs mock mocks example examples sample samples docs doc "
    "node_modules site-packages"
)
"""Folders of what is only there to be tried, or read about."""


def key(path: str) -> bool:
    """The name is one of a key or certificate store, or of what often holds credentials."""
    name = path.rpartition("/")[2]
    holds = name.endswith((*DATA, ".tfstate", ".tfvars", "rc")) or "." not in name
    return path.endswith(KEYS) or (holds and not OFTEN.isdisjoint(parts_of(name)))


def shows_key(path: str, program: str) -> bool:
    """A program shows a file that is a key, or holds credentials, by its name or its folder's."""
    if program not in PASSES:
        return False
    *folders, name = path.split("/")
    if not TRIED.isdisjoint(folders) or name.startswith(("example", "sample", "dummy", "fake", "test")):
        return False
    parts = parts_of(name.rpartition(".")[0])
    if name.endswith(KEYS):
        return not name.endswith((".pem", ".key")) or not any(part in PUBLIC for part in parts)
    if name[1:].endswith((".env", ".env*")):
        return not any(part in EMPTY for part in parts)
    named = {parts[-1], *[folder.lstrip(".") for folder in folders[-1:]]}
    return name.endswith(DATA) and not named.isdisjoint(("secrets", "credentials", "credential"))


BEFORE = ("s/=.*", "^[^=]*", "^[^=]+", "s/=\\(.*\\)", "s/=.+")
_ONLY = "cut -d= -f1 ; cut -d = -f1 ; cut -d= -f 1 ; cut -f1 -d= ; awk -F= {print $1} ; grep -c ; grep -q ; grep -l "
NAMES_ONLY = tuple(_ONLY.split("; "))
"""How a program of texts is told to show what stands before the equals sign, and nothing behind it."""


NAMED = r"\^((\[(A-Z|a-z|0-9|_)+\]|\\w)[+*]?)+=?"
SHAPES = frozenset(["keys", "keys[]", "length", "type", "map_values(type)", ".data | keys", ".data|keys"])
"""Patterns of names only, which `grep -o` shows; queries of what is known of a secret beside its values."""


def _is_name(pattern: str) -> bool:
    from re import fullmatch

    return bool(fullmatch(NAMED, pattern))


def without_values(words: tuple[str, ...]) -> bool:
    """Of settings only the names are shown: `cut -d= -f1 .env`, `sed 's/=.*/=/' .env`."""
    if words[:1] in (("jq",), ("yq",)):
        return not SHAPES.isdisjoint(words)
    only = words[:1] == ("sed",) or (words[:1] == ("grep",) and any(word[:1] == "-" and "o" in word for word in words))
    return " ".join(words).startswith(NAMES_ONLY) or (
        only and any(word.startswith(BEFORE) or (word[:1] == "^" and _is_name(word)) for word in words[1:])
    )


_TELLING = {
    "security secret-tool keyring docker-credential": "find-*-password; dump-keychain; lookup; get",
    "gpg gpg2": "--export-secret",
    "pass gopass op bw lpass rbw chamber": "show; -c; read; item get; get; export; list items",
    "sops ansible-vault": "-d; --decrypt; decrypt; view",
    "borg restic rclone redis-cli": "key export; cat masterkey; config show; config dump; reveal; CONFIG GET *",
    "rails": "credentials:show; secrets:show", "my_print_defaults": "--show",
    "doctl supabase argocd helm composer kwallet-query": "databases connection; projects api-keys; "
        "admin initial-password; get values --all; config --auth; -r",
    "vault doppler infisical": "kv get; read; print token; token create; secrets get; secrets download; export",
    "aws": "get-secret-value; --with-decryption; configure export-credentials; configure get aws_s*; assume-role; "
           "get-login-password; get-session-token; create-access-key; generate-db-auth-token; kms decrypt; presign; "
           "get-[fp]* *nvironment*",
    "gcloud gsutil": "sign*url; print-*-token; secrets versions access; service-accounts keys create",
    "az": "get-access-token; keyvault secret [sd]*; create-for-rbac; credential reset; credential show; keys list; "
          "show-connection-string; generate-sas; list-keys; appsettings list",
    "kubectl oc": "config view --raw; create token; whoami -t; get secret* --template; get secret* -o [!nw]*; "
                  "get secret* -o[!nw]*; get secret* --output [!nw]*; get secret* --output=[!nw]*",
    "gh glab fly flyctl": "auth token; variable get; variable export; auth status --show-token; auth status -t; "
                          "variable list --output",
    "docker podman nerdctl": "inspect *.Env*; inspect *Env*",
    "ldapsearch": "userPassword", "gdb lldb": "*generate-core-file*; *process save-core*",
    "eas llm": "credentials; keys get", "vaultcmd": "/listcreds*", "cmdkey": "/list*",
    "get-storedcredential get-vaultcredential": "",
    "python python3": "-c *keyring.get_password*; -c *browser_cookie*; -c *print*get_token()*; *manage.py "
    "diffsettings", "php": "-r *wp-config.php*",
    "heroku": "auth:token; config",
    "railway dotnet vercel netlify nomad": "variables; user-secrets list; env pull; env:list; env:get; var get",
    "pulumi netsh get-azkeyvaultsecret get-secret convertfrom-securestring":
        "--show-secrets; key=clear; key clear; -asplaintext; -AsPlainText",
    "openssl": "pkcs12 -nodes; pkcs12 -noenc; rsa -text; pkey -text; ec -text",
    "npm yarn pnpm": "config get *uthToken; token create",
    "git": "credential fill; credential-* get",
}  # fmt: skip
"""Programs that print a credential by words (globs) that stand behind them in this order."""

TELLING = {
    program: [row.split() for row in rows.split("; ")] for some, rows in _TELLING.items() for program in some.split()
}

STATES = ("terraform", "tofu", "terragrunt")
"""Programs that print one value of many: its name says whether it is a credential."""


def tells(words: tuple[str, ...], program: str) -> bool:
    """The command prints a credential, and not only what is known of one."""
    if not (_hands(words, program) or _prints(words, program)):
        return False
    return words[1:2] != ("policy",) and words[1:4] != ("kv", "metadata", "get")


def _prints(words: tuple[str, ...], program: str) -> bool:
    if program in STATES and "output" in words[1:-1] and words[-1][:1] != "-":
        return holds_credential(words[-1].upper().replace("-", "_"))
    name = program if program in TELLING else program.rpartition("-")[0]  # `docker-credential-osxkeychain`
    return name in TELLING and any(_tells(words, rest) for rest in TELLING[name])


HANDS = vocabulary("decrypt dump export get print read reveal show view")
ROOMS = ("network.cloud", "network.talk", "")
CARRIERS = frozenset(["kubectl", "oc", "gh", "aws", "az", "gcloud", "git", "docker"])
"""Verbs by which a service, or a program that nothing here knows, hands out what it keeps; of these rows say it."""


def _hands(words: tuple[str, ...], program: str) -> bool:
    """`frobctl config get dbPassword`: behind the verb stands the name of a credential, whole or in parts."""
    if program in CARRIERS or HOMES.get(program, "") not in ROOMS or len(words) > 12:
        return False
    plain = [word for word in words[1:6] if word[:1] != "-" and " " not in word and "/" not in word]
    parts = [part for word in plain[:3] for part in parts_of(word)]
    if HANDS.isdisjoint(parts):
        return False
    named = any(holds_credential(_spelled(word)) for word in plain[1:])
    return named or not {"keystore", "mnemonic", "passwords"}.isdisjoint(parts)


def apart(word: str) -> str:
    """`dbPassword`, `TerminateInstances` as `db-password`, `terminate-instances`."""
    pairs = zip(f" {word}", word, strict=False)
    return "".join([f"-{char.lower()}" if char.isupper() and before.islower() else char for before, char in pairs])


def _spelled(name: str) -> str:
    """`dbPassword` and `db-password` as a variable would be called."""
    return apart(name).upper().replace("-", "_").replace(".", "_")


def _tells(words: tuple[str, ...], rest: list[str]) -> bool:
    at = 1
    for want in rest:
        at = next((i for i in range(at, len(words)) if _word(want, words[i])), -2) + 1
        if at < 0:
            return False
    return True


def _word(want: str, word: str) -> bool:
    """A word is the wanted one, or one of its parts is; an option may have a value in it."""
    glob = f"{want}*" if want[:1] == "-" else want
    may = "[" in glob or all(piece in word for piece in glob.split("*"))  # a text may be long
    return may and word[-6:] != "=false" and any(segment(glob, one) for one in word.split(","))
