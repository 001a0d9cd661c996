"""What a command says of itself: verbs of destruction, production, everybody; of any program, and of none we know."""

from __future__ import annotations

from shlex import quote

from .case import Case

TITLE = "What a command says it destroys, changes in production or opens to everybody is asked about."
FUNCTION = "jackline.features.command_guard.elsewhere:said"
NEUTRAL = ("", "")

STRANGE = ("frobctl", "acmecloud", "./tools/grobnicate", "lxc")
VERBS = ("delete", "destroy", "purge", "wipe", "revoke", "terminate", "drop", "erase", "decommission", "nuke")
ASKS = ("list", "describe", "get", "show", "status")
WEAK = ("reset", "prune", "clear", "rollback")
FORMS = {
    "a word": "{program} {verb} job-7",
    "behind its thing": "{program} space {verb} x1",
    "in a word": "{program} db:{verb}",
    "joined": "{program} {verb}-job nightly",
}
CARRIERS = {"command": "{}", "a list": "cd src && {}", "a shell": "bash -c {quoted}", "a wrapper": "timeout 60 {}"}

FAR = {
    # A change of what is named, and what only looks at it.
    "kubectl": ("kubectl -n {} apply -f job.yaml", "kubectl -n {} get pods"),
    "psql": ("psql -h db.{}.example -c 'INSERT INTO t VALUES (1)'", "psql -h db.{}.example -c 'select 1'"),
    "az": ("az webapp restart -g rg-{} -n shop", "az webapp list -g rg-{}"),
    "curl": ("curl -X POST https://api.{}.example/flags", "curl https://api.{}.example/flags"),
    "vercel": ("vercel deploy --{}", "vercel logs --{}"),
    "strange": ("frobctl push --target {}", "frobctl describe --target {}"),
    "ldcli": ("ldcli flags toggle-on --environment {}", "ldcli flags list --environment {}"),
    "argocd": ("argocd app sync shop-{}", "argocd app get shop-{}"),
}
PRODUCTION = ("prod", "production")
STAGING = ("staging", "test", "products", "reproduction")

OPENS = {
    "gcloud": ("gcloud compute firewall-rules create x --source-ranges={}", ("0.0.0.0/0", "10.0.0.0/8")),
    "kubectl": ("kubectl create clusterrolebinding x --clusterrole={} --user=a", ("cluster-admin", "view")),
    "gh": ("gh codespace ports visibility 3000:{}", ("public", "private")),
    "aws": ("aws s3api put-object-acl --bucket b --key k --acl {}", ("public-read", "private")),
    "strange": ("frobctl share notes --with {}", ("allUsers", "team-a")),
}


def _carried(program: str, channel: str, call: str, says: str) -> list[Case]:
    return [
        Case(carrier, program, channel, how.replace("{quoted}", quote(call)).replace("{}", call), says)
        for carrier, how in CARRIERS.items()
    ]


def _verbs(verbs: tuple[str, ...], says: str, end: str = "") -> list[Case]:
    return [
        row
        for program in STRANGE
        for channel, form in FORMS.items()
        for verb in verbs
        for row in _carried(program, f"{channel}: {verb}{end}", form.format(program=program, verb=verb) + end, says)
    ]


def _far(at: int, names: tuple[str, ...], says: str) -> list[Case]:
    return [
        row
        for program, forms in FAR.items()
        for name in names
        for row in _carried(program, f"{name}: {forms[at].split()[1]}", forms[at].format(name), says)
    ]


def _opens(at: int, says: str) -> list[Case]:
    return [
        row
        for program, (form, whom) in OPENS.items()
        for row in _carried(program, whom[at], form.format(whom[at]), says)
    ]


ATTACKS = [*_verbs(VERBS, "ask"), *_verbs(WEAK, "ask", " --force"), *_far(0, PRODUCTION, "ask"), *_opens(0, "ask")]
INNOCENT = [
    *_verbs(ASKS, "pass"),
    *_verbs(WEAK, "pass"),
    *_verbs(VERBS, "pass", " --help"),
    *_far(1, PRODUCTION, "pass"),
    *[row for row in _far(0, STAGING, "pass") if row.program != "vercel"],
    *_opens(1, "pass"),
]
