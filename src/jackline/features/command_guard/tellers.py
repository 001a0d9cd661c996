"""Commands that print a credential: a store of them is asked, or a service."""

from __future__ import annotations

from jackline.globs import segment
from jackline.shell.named import holds_credential

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
    "aws": "secretsmanager get-secret-value; ssm get-parameter* --with-decryption; configure export-credentials; "
           "configure get aws_s*; ecr get-login-password; sts get-session-token; sts assume-role; iam "
           "create-access-key",
    "gh": "auth token; auth status --show-token; auth status -t",
    "glab": "auth status --show-token",
    "gcloud": "auth print-access-token; auth print-identity-token; auth application-default print-access-token; "
              "secrets versions access; iam service-accounts keys create",
    "az": "account get-access-token; keyvault secret show; keyvault secret download; ad sp create-for-rbac; ad sp "
          "credential reset; storage account keys list; acr credential show",
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
}  # fmt: skip
"""Programs that print a credential by words (globs) that stand behind them in this order."""

TELLING = {program: [row.split() for row in rows.split("; ")] for program, rows in _TELLING.items()}
for _program in ("kubectl", "oc"):
    TELLING[_program] += [["get", "secret*", *form.split()] for form in PRINTING]
WILD_TELLERS = tuple([program.partition("*")[0] for program in TELLING if "*" in program])
"""How programs of the table begin that are globs."""


STATES = ("terraform", "tofu", "terragrunt")
"""Programs that print one value of many: its name says whether it is a credential."""


def tells(words: tuple[str, ...], program: str) -> bool:
    """The command prints a credential."""
    name = next((f"{begin}*" for begin in WILD_TELLERS if program.startswith(begin)), program)
    if program in STATES and "output" in words[1:-1] and words[-1][:1] != "-":
        return holds_credential(words[-1].upper().replace("-", "_"))
    return any(_tells(words, rest) for rest in TELLING.get(name, ()))


def _tells(words: tuple[str, ...], rest: list[str]) -> bool:
    at = 1
    for want in rest:
        at = next((i for i in range(at, len(words)) if _word(want, words[i])), -2) + 1
        if at < 0:
            return False
    return True


def _word(want: str, word: str) -> bool:
    if want[:1] == "-":
        return word.startswith(want)
    return any(segment(want, one) for one in word.split(",")) if "*" in want else want in word.split(",")
