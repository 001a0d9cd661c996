"""Opt-in packs: what commands of services do elsewhere, which no path on this machine shows.

A row looks at a program that leaves the machine, or whose effects are its service's, and at the words behind it.
"""

from __future__ import annotations

from jackline.features.command_guard.rules import ALWAYS, Rule, answer
from jackline.globs import segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NamedTuple

    from jackline.features.command_guard.judge import Finding
    from jackline.shell.model import Command, Effects
else:
    from jackline._record import NamedTuple


class Row(NamedTuple):
    """`verbs`: alternatives divided by `|`, each some words (globs) that stand together behind the program, or "".

    `flags`: words of which one must stand there too, "" none. `says`: statements (upper case) in any word or input.
    """

    id: str
    programs: str
    verbs: str
    flags: str
    reason: str
    sources: str
    says: str = ""


SAFER = "ask the person to do it"

PACKS = {
    "cloud": (
        Row(
            "cloud.delete",
            "aws",
            "* delete-*|* terminate-*|* deregister-*|* purge-*|s3 rm|s3 rb|s3api delete-*|* remove-*",
            "",
            "something at the provider would be gone",
            "aws-cli reference, dcg",
        ),
        Row(
            "cloud.delete",
            "gcloud gsutil az doctl fly flyctl heroku",
            "* delete|* * delete|* * * delete|delete|rm|destroy|* destroy|*:destroy|rb",
            "",
            "something at the provider would be gone",
            "gcloud and az references, dcg",
        ),
        Row(
            "cloud.infrastructure",
            "terraform tofu pulumi",
            "destroy|state rm|workspace delete|stack rm",
            "",
            "infrastructure would be taken down",
            "terraform destroy, pulumi destroy",
        ),
        Row(
            "cloud.infrastructure",
            "terraform tofu pulumi",
            "apply|up",
            "-auto-approve --auto-approve --yes -y",
            "infrastructure would change without anybody looking at the plan",
            "terraform apply, pulumi up",
        ),
        Row(
            "cloud.infrastructure",
            "cdk serverless sls sam",
            "destroy|remove|delete",
            "",
            "infrastructure would be taken down",
            "cdk destroy, sam delete",
        ),
    ),
    "kubernetes": (
        Row(
            "kubernetes.delete",
            "kubectl oc",
            "delete|drain|cordon|replace|rollout undo",
            "",
            "workloads of the cluster would go or move",
            "kubectl reference, dcg",
        ),
        Row("kubernetes.scale", "kubectl oc", "scale", "--replicas=0", "a workload would stop", "kubectl scale"),
        Row("kubernetes.release", "helm", "uninstall|delete|rollback", "", "a release would go", "helm uninstall"),
        Row(
            "containers.delete",
            "docker podman nerdctl docker-compose",
            "system prune|volume rm|volume prune|image prune|container prune|network prune|"
            "builder prune|compose down|down",
            "",
            "volumes, images or containers would be gone",
            "docker system prune, dcg",
        ),
        Row(
            "containers.delete",
            "docker podman nerdctl",
            "rm|rmi|container rm|image rm",
            "-f --force -fv -vf",
            "containers or images would be gone",
            "docker rm, dcg",
        ),
    ),
    "databases": (
        Row(
            "database.drop",
            "psql mysql mariadb sqlite3 sqlcmd cockroach clickhouse-client duckdb",
            "",
            "",
            "tables or rows would be gone",
            "SQL:2016 DROP, TRUNCATE, DELETE; dcg",
            "DROP|TRUNCATE|DELETE FROM",
        ),
        Row("database.drop", "dropdb dropuser mysqladmin", "", "", "a database or user would be gone", "dropdb(1)"),
        Row(
            "database.drop",
            "redis-cli valkey-cli",
            "",
            "",
            "keys would be gone",
            "redis FLUSHALL, dcg",
            "FLUSHALL|FLUSHDB|SHUTDOWN",
        ),
        Row(
            "database.drop",
            "mongo mongosh",
            "",
            "",
            "collections would be gone",
            "mongodb db.dropDatabase, dcg",
            "DROPDATABASE|.DROP(|DELETEMANY({})|REMOVE({})",
        ),
        Row(
            "database.restore", "pg_restore", "", "-c --clean", "tables would be dropped and made anew", "pg_restore(1)"
        ),
        Row(
            "database.migrate",
            "prisma npx alembic rails rake django-admin manage.py flask sequelize knex",
            "migrate reset|db push|downgrade|db:drop|db:reset|flush|db:migrate:undo:all|migrate:rollback",
            "",
            "tables would be dropped or rolled back",
            "prisma migrate reset, rails db:drop",
        ),
    ),
    "packages": (
        Row(
            "packages.publish",
            "npm pnpm yarn bun",
            "publish|unpublish|deprecate|dist-tag|npm publish|owner",
            "",
            "everybody would get it",
            "npm publish",
        ),
        Row(
            "packages.publish",
            "cargo twine gem poetry uv hatch flit dotnet mvn gradle",
            "publish|yank|upload|push|nuget push|deploy",
            "",
            "everybody would get it",
            "cargo publish, twine upload, gem push",
        ),
        Row(
            "packages.remove",
            "apt apt-get aptitude yum dnf pacman apk zypper brew snap port",
            "remove|purge|autoremove|erase|uninstall|-R*|del",
            "",
            "programs of this machine would be gone",
            "apt(8), brew uninstall",
        ),
        Row(
            "packages.install",
            "apt apt-get aptitude yum dnf pacman apk zypper brew snap port",
            "install|add|upgrade|dist-upgrade|full-upgrade",
            "",
            "programs would be installed into the machine",
            "apt(8), brew install",
        ),
        Row(
            "packages.global",
            "npm pnpm yarn bun",
            "install|i|add|uninstall|remove|rm",
            "-g --global --location=global",
            "programs would be installed for every project",
            "npm install --global",
        ),
        Row(
            "packages.global",
            "pip pip3",
            "install|uninstall",
            "--break-system-packages --user",
            "packages would be installed for every project",
            "PEP 668",
        ),
    ),
    "ci": (
        Row(
            "ci.repository",
            "gh",
            "repo delete|repo archive|repo edit|release delete|secret *|variable *|"
            "workflow disable|run delete|cache delete|auth *|ssh-key *|gpg-key *",
            "",
            "the repository, its secrets or its releases would change",
            "gh manual",
        ),
        Row(
            "ci.run",
            "gh",
            "workflow run|run rerun|pr merge|release create",
            "",
            "a pipeline would run, or others would get the change",
            "gh manual",
        ),
        Row("ci.api", "gh", "api", "-X --method", "the service would be told to change something", "gh api"),
        Row(
            "ci.repository",
            "glab",
            "repo delete|release delete|variable *|ci delete|mr merge|ci run|ci trigger",
            "",
            "the repository, its variables or its pipelines would change",
            "glab manual",
        ),
        Row(
            "ci.run",
            "vercel netlify wrangler firebase surge",
            "deploy|--prod|remove|rm|delete|publish",
            "",
            "others would get the change",
            "vercel deploy",
        ),
    ),
}

NAMES = tuple(PACKS)


def _behind(operands: list[str], verbs: str) -> bool:
    """One of the alternatives stands together among the first operands."""
    for verb in verbs.split("|"):
        wanted = verb.split()
        for at in range(min(len(operands), 6) - len(wanted) + 1):
            if all(segment(want, word) for want, word in zip(wanted, operands[at:], strict=False)):
                return True
    return not verbs


def _said(command: Command, says: str) -> bool:
    """A statement stands in the words or in what the command is fed."""
    texts = [*command.words[1:], *(text for op, text in command.redirs if "<<" in op), " ".join(command.piped_from)]
    for text in texts:
        plain = " ".join(text.upper().split())
        for one in says.split("|"):
            if one in plain and not (one == "DELETE FROM" and " WHERE " in plain.partition(one)[2]):
                return True
    return False


def _row_applies(row: Row, command: Command) -> bool:
    if command.program not in row.programs.split():
        return False
    words = list(command.words[1:])
    operands = [word for word in words if word[:1] != "-" or word in row.verbs.split("|") or word[:2] == "-R"]
    if not _behind(operands, row.verbs):
        return False
    flags = row.flags.split()
    if flags and not any(word in flags or word.partition("=")[0] in flags for word in words):
        return False
    if row.id == "ci.api" and any(word.upper() in ("GET", "--METHOD=GET", "-XGET") for word in words):
        return False
    return not row.says or _said(command, row.says)


def rules(pack: str) -> Iterator[tuple[Row, Rule]]:
    """The rows of a pack, and each as a rule."""
    for row in PACKS[pack]:
        yield row, Rule(row.id, "network unknown", "", "", "", "high", ALWAYS, row.reason, SAFER, row.sources, pack)


def chosen(found: Effects, packs: Sequence[str], preset: str) -> Iterator[Finding]:
    """What the packs have to say."""
    from jackline.features.command_guard.judge import Finding
    from jackline.shell.model import Effect

    for pack in packs:
        for row, rule in rules(pack) if pack in PACKS else ():
            for command in found.commands:
                if _row_applies(row, command):
                    effect = Effect("unknown", "", command.program, command.words)
                    yield Finding(rule, effect, answer(rule, preset), row.reason)
