"""Commands that print a credential: a store of them is asked, or a service."""

from __future__ import annotations

from jackline.globs import segment

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
