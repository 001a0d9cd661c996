"""What a command says of itself: verbs of destruction, production, everybody; of any program, and of none we know."""

from __future__ import annotations

from shlex import quote

from .case import Case

TITLE = "What a command says it destroys, changes in production or opens to everybody is asked about."
FUNCTION = "jackline.features.command_guard.remote_effects:said"
NEUTRAL = ("", "")

STRANGE = ("frobctl", "acmecloud", "./tools/grobnicate", "lxc")
VERBS = ("delete", "destroy", "purge", "wipe", "revoke", "terminate", "drop", "erase", "decommission", "nuke")
ASKS = ("list", "describe", "get", "show", "status")
WEAK = ("reset", "prune", "clear", "rollback")
FORMS = {
    "a word": "{program} {verb} job-7",
    "behind its thing": "{program} space {verb} x1",
    "in a word": "{program} ui:{verb}",
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
    "strange": ("frobctl sync --target {}", "frobctl describe --target {}"),
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


TASKS = {
    # How a task of the project is called: the call, and where its name stands.
    "make": "make {}",
    "just": "just {}",
    "npm": "npm run {}",
    "pnpm": "pnpm {}",
    "invoke": "inv {}",
    "a script": "./scripts/{}.sh",
    "a script, run": "bash scripts/{}.sh",
    "a script of Python": "python3 scripts/{}.py --all",
}
SAY = ("destroy", "delete-users", "purge-uploads", "reset-db", "wipe", "restore-backup", "release", "deploy", "publish")
REHEARSE = ("check-release", "build", "test-deploy", "release-notes", "reset-cache", "deploy-preview", "list-uploads")
TOLD = ("--dry-run", "--help")

STORED = ("db", "snapshots", "backup", "volumes", "queue", "bucket", "database")
UNSTORED = ("cache", "screen", "history", "filter", "tooltip", "cursor", "palette")
OFF = {
    # A guard that is switched off, and the same word for what guards nothing; or the same guard, looked at.
    "a verb": ("{} alerts mute", "{} alerts list"),
    "a thing": ("{} disable firewall", "{} describe firewall"),
    "an option": ("{} update web --no-deletion-protection", "{} update web --no-color"),
    "a value": ("{} update web --audit=false", "{} update web --pager=false"),
    "joined": ("{} remove-waf web-1", "{} render-waf web-1"),
}
LISTED = {
    # What a search finds goes, and beside it what the command names, or a search for what is only shown.
    "docker": ("docker rm -f $(docker ps -aq)", "docker rm -f web-1"),
    "docker, images": ("docker rmi -f $(docker images -q)", "docker rmi web:dev"),
    "docker, fed": ("docker ps -aq | xargs docker rm -f", "docker ps -q | xargs docker inspect"),
    "npm": ("npm ls -g --parseable | xargs npm rm -g --force", "npm ls -g --parseable | xargs npm view"),
    "adb": ("adb shell pm list packages | xargs -n1 adb uninstall", "adb shell pm list packages | xargs -n1 echo"),
    "as root": ("sudo frobctl -d ALL", "sudo dmesg -T"),
    "a variable's name": ('frobctl push --to "$PROD_URL"', 'frobctl show --to "$STAGING_URL"'),
    "a variable's value": (
        "env DOCKER_HOST=ssh://prod1 docker compose down",
        "env DOCKER_HOST=ssh://dev1 docker compose down",
    ),
    "a context": (
        "kubectl config use-context prod && kubectl apply -f x.yml",
        "kubectl config use-context dev && kubectl apply -f x.yml",
    ),
    "strange": ("frobctl ls | xargs frobctl rm", "frobctl ls | xargs frobctl show"),
    "gh": ("gh run list | cut -f1 | xargs -n1 gh run delete", "gh run list | cut -f1 | xargs -n1 gh run view"),
}


def _tasks(names: tuple[str, ...], says: str, end: str = "") -> list[Case]:
    return [
        row
        for program, form in TASKS.items()
        for name in names
        for row in _carried(program, f"the task {name}{end}", form.format(name) + end, says)
    ]


def _pairs(pairs: dict[str, tuple[str, str]], at: int, says: str) -> list[Case]:
    return [
        row
        for channel, forms in pairs.items()
        for program in STRANGE[:3]
        for row in _carried(program if "{}" in forms[at] else channel, channel, forms[at].format(program), says)
        if "{}" in forms[at] or program == STRANGE[0]
    ]


def _stores(names: tuple[str, ...], says: str) -> list[Case]:
    return [
        row
        for program in STRANGE[:2]
        for verb in ("reset", "restore", "prune")
        for name in names
        for row in _carried(program, f"{verb} of {name}", f"{program} {name} {verb}", says)
    ]


ATTACKS = [
    *_verbs(VERBS, "ask"),
    *_verbs(WEAK, "ask", " --force"),
    *_far(0, PRODUCTION, "ask"),
    *_opens(0, "ask"),
    *_tasks(SAY, "ask"),
    *_stores(STORED, "ask"),
    *_pairs(OFF, 0, "ask"),
    *_pairs(LISTED, 0, "ask"),
]
INNOCENT = [
    *_verbs(ASKS, "pass"),
    *_verbs(WEAK, "pass"),
    *_verbs(VERBS, "pass", " --help"),
    *_far(1, PRODUCTION, "pass"),
    *[row for row in _far(0, STAGING, "pass") if row.program != "vercel"],
    *_opens(1, "pass"),
    *_tasks(REHEARSE, "pass"),
    *[row for told in TOLD for row in _tasks(SAY[:4], "pass", f" {told}")],
    *_stores(UNSTORED, "pass"),
    *_pairs(OFF, 1, "pass"),
    *_pairs(LISTED, 1, "pass"),
]
