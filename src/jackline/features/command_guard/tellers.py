"""Commands that print a credential: a store of them is asked, or a service."""

from __future__ import annotations

from jackline.globs import segment

PRINTING = (
    *("-o json*", "-o yaml", "-o go-template*", "-o custom-columns*", "--output json*", "--output yaml"),
    *("-oj", "-oy", "-og", "-o=j", "-o=y", "-o=g", "--output=j", "--output=y", "--output=g", "--template"),
)
"""Options by which a cluster's secrets are printed whole."""

_TELLING = {
    "security": "find-*-password; dump-keychain",
    "secret-tool": "lookup",
    "keyring": "get",
    "gpg": "--export-secret-keys; --export-secret-subkeys",
    "gpg2": "--export-secret-keys",
    "pass": "show; -c",
    "gopass": "show",
    "op": "read; item get",
    "bw": "get password; export",
    "lpass": "show",
    "rbw": "get",
    "aws": "secretsmanager get-secret-value; ssm get-parameter --with-decryption; ssm get-parameters "
           "--with-decryption; configure export-credentials; configure get aws_secret_access_key; ecr "
           "get-login-password; sts get-session-token",
    "gh": "auth token; auth status --show-token; auth status -t",
    "glab": "auth status --show-token",
    "gcloud": "auth print-access-token; auth print-identity-token; auth application-default print-access-token; "
              "secrets versions access",
    "az": "account get-access-token; keyvault secret show; keyvault secret download",
    "kubectl": "config view --raw",
    "oc": "whoami -t",
    "vault": "kv get; read; print token",
    "heroku": "auth:token",
    "fly": "auth token",
    "flyctl": "auth token",
    "doppler": "secrets get; secrets download",
    "infisical": "secrets get",
    "chamber": "read; export",
    "sops": "-d; --decrypt; decrypt",
    "ansible-vault": "view; decrypt",
    "npm": "config get *authToken; token create",
    "docker-credential-*": "get",
    "git": "credential fill; credential-* get",
    "terraform": "output -raw",
}  # fmt: skip
"""Programs that print a credential by words (globs) that stand behind them in this order."""

TELLING = {program: [row.split() for row in rows.split("; ")] for program, rows in _TELLING.items()}
for _program in ("kubectl", "oc"):
    TELLING[_program] += [["get", "secret*", *form.split()] for form in PRINTING]
WILD_TELLERS = tuple([program.partition("*")[0] for program in TELLING if "*" in program])
"""How programs of the table begin that are globs."""


def tells(words: tuple[str, ...], program: str) -> bool:
    """The command prints a credential."""
    name = next((f"{begin}*" for begin in WILD_TELLERS if program.startswith(begin)), program)
    return any(_tells(words, rest) for rest in TELLING.get(name, ()))


def _tells(words: tuple[str, ...], rest: list[str]) -> bool:
    at = 1
    for want in rest:
        at = next((i for i in range(at, len(words)) if _word(want, words[i])), -2) + 1
        if at < 0:
            return False
    return True


def _word(want: str, word: str) -> bool:
    return word == want or (want[:1] == "-" and word.startswith(want)) or ("*" in want and segment(want, word))
