"""Opt-in packs: what commands of services do elsewhere, which no path on this machine shows.

A row looks at a program that leaves the machine, or whose effects are its service's, and at the words behind it.
"""

from __future__ import annotations

from jackline.features.command_guard.rules import ALWAYS, Finding, Rule, answer
from jackline.globs import segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NamedTuple

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
        Row("cloud.delete", "aws",
            "* delete-*|* terminate-*|* deregister-*|* purge-*|s3 rm|s3 rb|s3api delete-*|* remove-*|* release-*|"
            "* disable-*|* stop-*|* cancel-*",
            "", "something at the provider would be gone or stop", "aws-cli reference, dcg"),
        Row("cloud.delete", "aws", "* batch-delete-*", "", "something at the provider would be gone or stop",
            "aws-cli reference"),
        Row("cloud.delete", "aws s3cmd", "s3 sync|sync", "--delete --delete-removed",
            "what is missing here would be removed there", "aws s3 sync"),
        Row("cloud.delete", "netlify", "sites:delete|env:unset|api deleteSite", "",
            "something at the provider would be gone or stop", "netlify reference"),
        Row("cloud.delete", "stripe", "* delete|* cancel", "", "something at the provider would be gone or stop",
            "stripe reference"),
        Row("cloud.delete", "restic borg", "forget|prune|delete|key remove|compact|rewrite", "",
            "backups would be gone", "restic(1), borg(1)"),
        Row("cloud.delete", "azcopy", "remove|rm", "", "something at the provider would be gone or stop",
            "azcopy remove"),
        Row("cloud.delete", "azcopy gsutil rclone mc",
            "sync|rsync|mirror", "--delete-destination --delete-destination=* -d --delete* --remove",
            "what is missing here would be removed there", "azcopy sync, gsutil rsync, mc mirror"),
        Row("cloud.delete", "mc",
            "rb|rm|admin bucket delete|admin bucket remove|admin user remove|admin user disable|admin policy remove|"
            "admin policy unset|admin policy detach|ilm rm|tag remove|version suspend",
            "", "something at the provider would be gone or stop", "mc reference"),
        Row("cloud.delete", "az", "* delete-batch|* * delete-batch|* * untag|* purge|* * purge", "",
            "something at the provider would be gone or stop", "az reference"),
        Row("cloud.delete", "rclone", "delete|purge|rmdir|rmdirs|cleanup|deletefile|move|moveto", "",
            "something at the provider would be gone or stop", "rclone(1)"),
        Row("cloud.secrets", "vault",
            "delete|kv delete|kv destroy|kv metadata delete|secrets disable|auth disable|token revoke|lease revoke|"
            "policy delete|audit disable|operator seal|operator rekey",
            "", "secrets, or who may read them, would be gone", "vault reference"),
        Row("cloud.secrets", "doppler op", "* delete|delete|* * delete|* remove|* * remove|* revoke|* * revoke", "",
            "secrets, or who may read them, would be gone", "doppler and op references"),
        Row("cloud.delete",
            "gcloud gsutil az doctl fly flyctl heroku hcloud linode-cli oci ibmcloud scw vultr-cli render railway bq",
            "* delete|* * delete|* * * delete|delete|rm|destroy|* destroy|* * destroy|*:destroy|rb|terminate|"
            "* terminate|"
            "* stop|* * stop|pg:reset|down",
            "", "something at the provider would be gone or stop", "gcloud and az references, dcg"),
        Row("cloud.access", "aws",
            "iam create-*|iam attach-*|iam put-*|iam update-*|iam add-*|sts assume-role|kms schedule-key-deletion|"
            "s3api put-bucket-policy|s3api put-bucket-acl|ec2 authorize-*",
            "", "who may do what at the provider would change", "IAM reference"),
        Row("cloud.access", "gcloud az",
            "* add-iam-policy-binding|* * add-iam-policy-binding|* set-iam-policy|* * set-iam-policy|role assignment *|"
            "ad sp create-for-rbac|iam service-accounts keys create",
            "", "who may do what at the provider would change", "gcloud and az references"),
        Row("cloud.infrastructure", "terraform tofu terragrunt pulumi cdktf",
            "destroy|state rm|state push|workspace delete|stack rm|taint|force-unlock|run-all destroy|cancel",
            "", "infrastructure would be taken down, or forgotten", "terraform destroy, pulumi destroy"),
        Row("cloud.infrastructure", "terraform tofu terragrunt pulumi cdktf", "apply|up|run-all apply|deploy|refresh",
            "-auto-approve --auto-approve --yes -y -destroy",
            "infrastructure would change without anybody looking at the plan", "terraform apply, pulumi up"),
        Row("cloud.infrastructure", "cdk serverless sls sam copilot amplify eksctl sst",
            "destroy|remove|delete|* delete",
            "", "infrastructure would be taken down", "cdk destroy, sam delete"),
        Row("cloud.infrastructure", "ansible-playbook ansible", "", "--become -b",
            "machines elsewhere would change as root", "ansible-playbook(1)"),
    ),
    "kubernetes": (
        Row("kubernetes.delete", "kubectl oc",
            "delete|drain|cordon|replace|rollout undo|rollout restart|taint|evict", "",
            "workloads of the cluster would go or move", "kubectl reference, dcg"),
        Row("kubernetes.delete", "kubectl oc", "apply", "--prune", "what the files do not name would go",
            "kubectl apply"),
        Row("kubernetes.scale", "kubectl oc", "scale|autoscale", "--replicas=0", "a workload would stop",
            "kubectl scale"),
        Row("kubernetes.change", "kubectl oc", "edit|patch|set|exec|config delete-*|config unset", "",
            "a running workload would change", "kubectl patch, kubectl exec"),
        Row("kubernetes.release", "helm helmfile", "uninstall|delete|rollback|destroy", "", "a release would go",
            "helm uninstall"),
        Row("kubernetes.release", "argocd flux istioctl linkerd velero", "* delete|delete *|uninstall|* rollback", "",
            "what the cluster runs would go", "argocd app delete, flux uninstall"),
        Row("kubernetes.cluster", "kind minikube k3d k3s kubeadm kops eksctl",
            "delete|delete cluster|cluster delete|reset|stop", "", "a cluster would be gone",
            "kind delete cluster, kubeadm reset"),
        Row("containers.delete", "docker podman nerdctl docker-compose",
            "system prune|volume rm|volume prune|image prune|container prune|network prune|builder prune|compose down|"
            "down|system reset|swarm leave|stack rm|service rm|node rm|context rm|secret rm",
            "", "volumes, images or containers would be gone", "docker system prune, dcg"),
        Row("containers.delete", "docker podman nerdctl docker-compose", "rm|rmi|container rm|image rm|kill|stop",
            "-f --force -fv -vf -v -a --all", "containers or images would be gone", "docker rm, dcg"),
    ),
    "databases": (
        Row("database.drop",
            "psql mysql mariadb sqlite3 sqlcmd cockroach clickhouse-client clickhouse duckdb cqlsh snowsql usql pgcli "
            "mycli bq beeline trino presto isql sqlplus osql turso",
            "", "", "tables or rows would be gone", "SQL:2016 DROP, TRUNCATE, DELETE; dcg",
            "DROP TABLE|DROP DATABASE|DROP SCHEMA|DROP VIEW|DROP INDEX|DROP COLUMN|DROP USER|DROP ROLE|DROP KEYSPACE|"
            "DROP OWNED|DROP CONSTRAINT|DROP TYPE|DROP FUNCTION|DROP TRIGGER|DROP SEQUENCE|DROP EXTENSION|TRUNCATE|"
            "DELETE FROM|UPDATE "),
        Row("database.drop", "dropdb dropuser pg_resetwal pg_dropcluster", "", "", "a database or user would be gone",
            "dropdb(1)"),
        Row("database.drop", "mysqladmin mariadb-admin", "drop|shutdown|flush-*|kill", "",
            "a database would be gone or stop",
            "mysqladmin(1)"),
        Row("database.drop", "redis-cli valkey-cli keydb-cli", "", "", "keys would be gone", "redis FLUSHALL, dcg",
            "FLUSHALL|FLUSHDB|SHUTDOWN|SCRIPT FLUSH|CONFIG SET"),
        Row("database.drop", "mongo mongosh", "", "", "collections would be gone", "mongodb db.dropDatabase, dcg",
            "DROPDATABASE|.DROP(|DELETEMANY({})|REMOVE({})|DROPINDEX|.DELETEMANY("),
        Row("database.drop", "etcdctl influx nats rabbitmqctl kafka-topics.sh kafka-topics consul",
            "del|delete|bucket delete|stream rm|stream purge|delete_queue|purge_queue|reset|force_reset|kv delete", "",
            "stored data would be gone", "etcdctl del, rabbitmqctl reset"),
        Row("database.drop", "kafka-topics.sh kafka-topics", "", "--delete", "stored data would be gone",
            "kafka-topics --delete"),
        Row("database.restore", "pg_restore", "", "-c --clean", "tables would be dropped and made anew",
            "pg_restore(1)"),
        Row("database.restore", "mongorestore", "", "--drop", "collections would be dropped and made anew",
            "mongorestore"),
        Row("database.migrate",
            "prisma npx alembic rails rake django-admin manage.py flask sequelize sequelize-cli knex typeorm "
            "drizzle-kit "
            "supabase flyway liquibase atlas goose migrate diesel sqlx mix dbmate hasura refinery",
            "migrate reset|db push|downgrade|db:drop|db:reset|db:schema:load|db:purge|db:migrate:reset|db:rollback|"
            "flush|"
            "reset_db|db:migrate:undo|db:migrate:undo:all|migrate:rollback|schema:drop|migration:revert|push|drop|"
            "db reset|clean|drop-all|rollback|schema clean|reset|down|database reset|database drop|ecto.drop|"
            "ecto.reset|"
            "ecto.rollback|db downgrade|migration repair",
            "", "tables would be dropped or rolled back", "prisma migrate reset, rails db:drop"),
        Row("database.migrate", "php",
            "artisan migrate:fresh|artisan migrate:refresh|artisan migrate:reset|artisan migrate:rollback|"
            "artisan db:wipe|"
            "bin/console doctrine:database:drop|bin/console doctrine:schema:drop",
            "", "tables would be dropped or rolled back", "artisan migrate:fresh"),
        Row("database.migrate", "python python3",
            "*manage.py flush|*manage.py reset_db|*manage.py sqlflush|*manage.py migrate * zero", "",
            "tables would be emptied or rolled back", "django-admin flush"),
    ),
    "packages": (
        Row("packages.publish", "npm pnpm yarn bun jsr deno lerna changeset vsce ovsx",
            "publish|unpublish|deprecate|dist-tag|npm publish|owner|access|unpublish *", "", "everybody would get it",
            "npm publish"),
        Row("packages.publish", "cargo twine gem poetry uv hatch flit dotnet mvn gradle gradlew pod mix conan helm",
            "publish|yank|upload|push|nuget push|deploy|trunk push|hex.publish|owner|publishplugins", "",
            "everybody would get it", "cargo publish, twine upload, gem push"),
        Row("packages.publish", "semantic-release goreleaser release-it np", "", "", "a release would be made",
            "semantic-release"),
        Row("packages.remove",
            "apt apt-get aptitude yum dnf pacman apk zypper brew snap port flatpak choco winget scoop dpkg rpm nix-env",
            "remove|purge|autoremove|erase|uninstall|-R*|del|-r|-P|--purge|-e|--erase", "",
            "programs of this machine would be gone", "apt(8), brew uninstall"),
        Row("packages.install",
            "apt apt-get aptitude yum dnf pacman apk zypper brew snap port flatpak choco winget scoop",
            "install|add|upgrade|dist-upgrade|full-upgrade|-S*|reinstall|update --all", "",
            "programs would be installed into the machine", "apt(8), brew install"),
        Row("packages.install", "dpkg rpm", "", "-i --install -U --upgrade -ivh -Uvh",
            "programs would be installed into the machine", "dpkg(1), rpm(8)"),
        Row("packages.global", "npm pnpm yarn bun", "install|i|add|uninstall|remove|rm|update|link|global *",
            "-g --global --location=global", "programs would be installed for every project", "npm install --global"),
        Row("packages.global", "yarn", "global add|global remove", "", "programs would be installed for every project",
            "yarn global add"),
        Row("packages.global", "pip pip3", "install|uninstall", "--break-system-packages --user",
            "packages would be installed for every project", "PEP 668"),
        Row("packages.global", "cargo go gem pipx uv", "install|tool install|uninstall|tool uninstall", "",
            "programs would be installed for every project", "cargo install"),
        Row("packages.source", "npm pnpm yarn pip pip3 uv poetry bun",
            "", "--index-url --extra-index-url --registry --trusted-host --find-links -i",
            "packages would come from a place that the command names", "pip(1), npm config"),
    ),
    "ci": (
        Row("ci.repository", "gh",
            "repo delete|repo archive|repo edit|repo rename|repo transfer|repo deploy-key|release delete|"
            "release delete-asset|release edit|secret *|variable *|workflow disable|workflow enable|run delete|"
            "run cancel|"
            "cache delete|auth login|auth logout|auth refresh|auth token|ssh-key *|gpg-key *|issue delete|pr close|"
            "ruleset *|label delete|gist delete",
            "", "the repository, its secrets or its releases would change", "gh manual"),
        Row("ci.run", "gh", "workflow run|run rerun|pr merge|release create|release upload|pr review", "",
            "a pipeline would run, or others would get the change", "gh manual"),
        Row("ci.api", "gh glab", "api", "-X --method -f -F --field --raw-field --input",
            "the service would be told to change something", "gh api"),
        Row("ci.repository", "glab",
            "repo delete|repo archive|repo transfer|release delete|variable *|ci delete|ci cancel|mr merge|mr close|"
            "ci run|ci trigger|ci retry|issue delete|schedule *|token *",
            "", "the repository, its variables or its pipelines would change", "glab manual"),
        Row("ci.run", "vercel netlify wrangler firebase surge amplify eas fastlane cap kamal dokku",
            "deploy|--prod|remove|rm|delete|publish|alias|env rm|env add|secret put|promote|rollback|submit|release",
            "", "others would get the change", "vercel deploy"),
        Row("ci.run", "vercel netlify", "", "--prod --production", "others would get the change", "vercel --prod"),
        Row("ci.repository", "circleci",
            "context delete|context remove-secret|orb delete|namespace delete|pipeline delete|runner * delete",
            "", "the pipelines, or their secrets, would be gone", "circleci reference"),
        Row("ci.run", "gcloud az circleci buildkite-agent drone jenkins-cli act_runner argo tkn",
            "builds submit|run deploy|app deploy|functions deploy|pipelines run|pipeline run|build create|build start|"
            "delete-job|build promote|submit|pipeline start",
            "", "a pipeline would run, or others would get the change", "gcloud builds submit"),
        Row("ci.run", "docker podman nerdctl skopeo crane buildah", "push|copy|manifest push|image push", "",
            "others would get the image", "docker push"),
        Row("ci.runner", "gitlab-runner actions-runner config.sh svc.sh",
            "unregister|remove|register|uninstall|stop", "",
            "the machine would run other pipelines, or none", "gitlab-runner unregister"),
    ),
}  # fmt: skip

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
            some = one in ("DELETE FROM", "UPDATE ") and (" WHERE " in plain.partition(one)[2] or plain[:2] == "--")
            whole = one != "UPDATE " or " SET " in plain.partition(one)[2]
            if one in plain and whole and not some:
                return True
    return False


TRIES = ("--dry-run", "--dryrun", "--dry-run=client", "--dry-run=server", "--dry-run=true", "--help")
"""Options by which nothing is done; behind another option, the word may be that one's value."""


def _tries(words: list[str]) -> bool:
    if "--dry-run=false" in words or "--no-dry-run" in words:
        return False
    return any(word in TRIES and (at == 0 or words[at - 1][:1] != "-") for at, word in enumerate(words))


def _row_applies(row: Row, command: Command) -> bool:
    if command.program not in row.programs.split():
        return False
    words = list(command.words[1:])
    if _tries(words):
        return False
    operands = [word for word in words if word[:1] != "-" or word in row.verbs.split("|") or word[:2] in ("-R", "-S")]
    if not _behind(operands, row.verbs):
        return False
    flags = row.flags.split()
    pairs = [f"{words[at]}={words[at + 1]}" for at in range(len(words) - 1)]
    clusters = [word[1:] for word in words if word[:1] == "-" and word[1:2] != "-" and len(word) < 5]
    clustered = {f"-{letter}" for cluster in clusters for letter in cluster}
    if flags and not any(word in flags or word.partition("=")[0] in flags for word in [*words, *pairs, *clustered]):
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
    from jackline.shell.model import Effect

    for pack in packs:
        for row, rule in rules(pack) if pack in PACKS else ():
            for command in found.commands:
                if _row_applies(row, command):
                    effect = Effect("unknown", "", command.program, command.words)
                    yield Finding(rule, effect, answer(rule, preset), row.reason)
