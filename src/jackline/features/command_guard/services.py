"""What is done elsewhere by programs of services: packs of rules, each rule with its severity.

What cannot be undone is asked about by default, what is merely costly where its pack is chosen (`packs`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

COSTLY, FINAL = "costly", "irreversible"


class Row(NamedTuple):
    """One rule of a pack.

    `verbs`: alternatives divided by `|`, each some words (globs; `?` is one that only the running shell knows) that
    stand together behind the program, at its beginning with `^`, or "". `flags`: words of which one must stand there
    too, "" none; with `!`, one that must not. `says`: statements (upper case) in any word or input, `*` between parts.
    """

    id: str
    severity: str
    programs: str
    verbs: str
    reason: str
    flags: str = ""
    says: str = ""


PROVIDER = "something at the provider would be gone or stop"
MISSING = "what is missing here would be removed there"
EVERYBODY = "everybody would get it"
LOST = "nothing at the provider brings it back"
GLOBAL = "programs would be installed for every project"
REPOSITORY = "a repository elsewhere would be gone, with its issues and history"
STORED = "stored data would be gone"
DOWN = "infrastructure would be taken down"
DROPPED = "tables or a whole database would be gone"
RELEASE = "everybody would be told of a release"
VOLUMES = "what containers keep in volumes would be gone"
CHANGE = "others would get the change"
SECRETS = "secrets, or who may read them, would be gone"
UNSAVED = "changes that are in no commit would be gone"
KEPT = "what this machine keeps of a person's would be gone"
OPENED = "this machine would be open to others"
ACCESS = "who may do what at the provider would change"
BACKUPS = "backups would be gone"
OTHERS = "what others use would be gone"
PIPELINE = "a pipeline would run, or others would get the change"
ROLLED = "tables would be dropped or rolled back"
MACHINE = "programs would be installed into the machine"
TABLES = "tables or rows would be gone"
SQL = (
    "psql mysql mariadb sqlite3 sqlcmd cockroach clickhouse-client clickhouse duckdb cqlsh snowsql usql pgcli mycli bq "
    "beeline trino presto isql sqlplus osql turso snow invoke-sqlcmd invoke-dbaquery heroku wrangler"
)
MIGRATE = (
    "prisma npx alembic rails rake django-admin manage.py flask sequelize sequelize-cli knex typeorm drizzle-kit "
    "supabase flyway liquibase atlas goose migrate diesel sqlx mix dbmate hasura refinery"
)
CLOUDS = (
    "gcloud az doctl fly flyctl heroku hcloud linode-cli oci ibmcloud scw vultr-cli render railway netlify firebase "
    "dokku pscale neonctl neon supabase turso kopia rclone"
)
THING = (
    "{project,group,vm,function,disk,snapshot,image,instance,server,droplet,linode,volume,machine,cluster,bucket,share,table,"
    "queue,fs,account,container,database,db,backup,secret,keyvault,repository,app,addon,branch,dataset,topic,aks,acr,"
    "cosmosdb,redis,namespace,collection,schema,index,stack,site}{,s}"
)
THINGS = (
    f"{THING} {{delete,destroy}}|{THING} {{terminate,purge}}|{THING} {{rm,remove}}|{{delete,destroy}} {THING}|^purge|"
    "^destroy|^down|{apps,addons,sites,pg,pg:backups,firestore,database,*sql,redis,mongo}:{delete,destroy,remove,reset}|"
    "{sql,spanner,postgres,mysql,cosmosdb} * delete|kms keys versions destroy|api deleteSite|blob delete-batch"
)
CODE = (
    "EXECUTE*DROP TABLE|EXECUTE*DROP DATABASE|EXECUTE*DROP SCHEMA|EXECUTE*TRUNCATE |EXECUTE*DELETE FROM|QUERY(*DROP |"
    "QUERY(*TRUNCATE |QUERY(*DELETE FROM|.EXEC(*DROP |.FLUSHALL(|.FLUSHDB(|.DROPDATABASE(|.DROP_DATABASE(|.DROP_ALL(|"
    ".DELETE_ALL|.DESTROY_ALL|.OBJECTS.ALL().DELETE(|.DELETE_BUCKET(|.DELETE_TABLE("
)
HERE = "!--{registry,repository-url,publish-url,index,host,source}=http://{localhost,127.0.0.1}:*"
"""A registry on this machine, which tests publish to."""

PACKS = {
    "cloud": (
        Row("cloud.delete", FINAL, "aws mc s3cmd", "rb", LOST, "--force -r --recursive"),
        Row("cloud.delete", FINAL, "aws gsutil gcloud s3cmd", "{rm,del} {s3,gs}://*", LOST,
            "-r -R --recursive !{s3,gs}://?*/?*"),
        Row("cloud.delete", FINAL, "aws", "delete-db-{instance,cluster}|redshift delete-cluster|delete-secret", LOST,
            "--skip-final-snapshot --skip-final-cluster-snapshot --force-delete-without-recovery"),
        Row("cloud.delete", FINAL, "aws", "{delete,terminate,purge}-*{volume,snapshot,backup,table,file-system,stack,"
            "cluster,nodegroup,log-group,stream,queue,repository,user-pool,domain,archive,vault,recovery-point,disk,"
            "organization,instances,function,hosted-zone}|close-account", LOST, "!--retain-resources !--no-force"),
        Row("cloud.access", FINAL, "aws", "kms schedule-key-deletion", "what the key encrypts could not be read any "
            "more"),
        Row("cloud.delete", FINAL, CLOUDS, THINGS, LOST),
        Row("cloud.access", FINAL, "aws gcloud az", "iam attach-*|* add-iam-policy-binding|role assignment create",
            "somebody would be given every right",
            "*:policy/AdministratorAccess --role=roles/{owner,editor} --role=Owner"),
        Row("cloud.access", FINAL, "aws gcloud gsutil az", "", "everybody could reach it",
            "--acl=public-read* --cidr=0.0.0.0/0 --member=allUsers allUsers:* --source-address-prefixes=Internet"),
        Row("cloud.access", FINAL, "aws", "{stop-logging,delete-trail,delete-detector,stop-configuration-recorder,"
            "delete-flow-logs,disable-security-hub}", "what is done there would leave no record"),
        Row("cloud.delete", FINAL, "virsh VBoxManage vboxmanage qm multipass limactl vagrant prlctl tart",
            "^destroy|^undefine|^delete|^unregistervm|^purge", "a machine would be gone"),
        Row("cloud.delete", FINAL, "curl wget http https xh", "", "what stands at that address would be gone",
            "-XDELETE --request=DELETE --method=DELETE DELETE !{,*://}{localhost,127.0.0.1,0.0.0.0,?}{,:*,/*}"),
        Row("cloud.access", FINAL, "ssh autossh", "", OPENED, "-{,N,fN,NT,fNT}R=[0-9]* -R[0-9]*"),
        Row("cloud.access", FINAL, "ngrok cloudflared bore zrok tailscale lt localtunnel",
            "^{http,tcp,tls,start,tunnel,local,share,funnel}", OPENED),
        Row("cloud.delete", FINAL, "tool", f"delete {THING}|{THING} delete|destroy|purge|truncate|pg delete", LOST),
        Row("cloud.delete", FINAL, "bq", "rm", LOST, "-r -d --dataset --recursive"),
        Row("cloud.delete", FINAL, "borg", "delete", BACKUPS),
        Row("cloud.secrets", FINAL, "vault", "kv destroy|kv metadata delete|{secrets,auth,audit} disable|"
            "policy delete|operator rekey", SECRETS),
        Row("local.delete", FINAL, "security secret-tool keyring pass gopass", "^delete-*|^clear|^del|^rm|^remove|"
            "^delete", KEPT),
        Row("local.delete", FINAL, "gpg gpg2", "", KEPT, "--delete-secret-*"),
        Row("local.delete", FINAL, "gio", "trash", KEPT, "--empty"),
        Row("local.delete", FINAL, "trash-empty trash-rm", "", KEPT),
        Row("cloud.infrastructure", FINAL, "terraform tofu terragrunt pulumi cdktf",
            "destroy|destroy-all|apply *destroy*|^down", DOWN),
        Row("cloud.infrastructure", FINAL, "terraform tofu terragrunt", "apply", DOWN,
            "-destroy --destroy -destroy=true"),
        Row("cloud.infrastructure", FINAL, "terraform tofu terragrunt", "apply", DOWN, says="PLAN*-DESTROY"),
        Row("cloud.infrastructure", FINAL, "cdk serverless sls sam copilot amplify eksctl sst",
            "^destroy|^remove|^delete|{app,env,svc,service,stack,cluster,nodegroup} delete", DOWN),
        Row("cloud.delete", COSTLY, "aws", "{delete,terminate,deregister,purge,remove,release,disable,stop,cancel,"
            "batch-delete}-*|s3 {rm,rb}", PROVIDER),
        Row("cloud.delete", COSTLY, "aws s3cmd", "sync", MISSING, "--delete --delete-removed"),
        Row("cloud.delete", COSTLY, "netlify stripe", "sites:delete|env:unset|api deleteSite|* delete|* cancel",
            PROVIDER),
        Row("cloud.delete", COSTLY, "restic borg", "forget|prune|delete|key remove|compact|rewrite", BACKUPS),
        Row("cloud.delete", COSTLY, "azcopy gsutil rclone mc", "sync|rsync|mirror", MISSING,
            "--delete-destination -d --delete* --remove"),
        Row("cloud.delete", COSTLY, "mc rclone azcopy", "rb|rm|delete|remove|purge|rmdir|rmdirs|cleanup|deletefile|"
            "move|moveto|* {disable,unset,detach,suspend}", PROVIDER),
        Row("cloud.secrets", COSTLY, "vault", "delete|* disable|* revoke|operator seal", SECRETS),
        Row("cloud.secrets", COSTLY, "doppler op", "delete|* remove|* revoke", SECRETS),
        Row("cloud.delete", COSTLY, "gcloud gsutil az doctl fly flyctl heroku hcloud linode-cli oci ibmcloud scw "
            "vultr-cli render railway bq", "delete|rm|destroy|*:destroy|rb|terminate|* stop|pg:reset|down|"
            "* {delete-batch,purge}|* * untag", PROVIDER),
        Row("cloud.access", COSTLY, "aws", "iam {create,attach,put,update,add}-*|sts assume-role|"
            "kms schedule-key-deletion|s3api put-bucket-{policy,acl}|ec2 authorize-*", ACCESS),
        Row("cloud.access", COSTLY, "gcloud az", "* {add-iam-policy-binding,set-iam-policy}|role assignment *|"
            "ad sp create-for-rbac|iam service-accounts keys create", ACCESS),
        Row("cloud.infrastructure", COSTLY, "terraform tofu terragrunt pulumi cdktf",
            "state rm|state push|workspace delete|stack rm|taint|force-unlock|cancel",
            "infrastructure would be taken down, or forgotten"),
        Row("cloud.infrastructure", COSTLY, "terraform tofu terragrunt pulumi cdktf",
            "apply|up|deploy|refresh", "infrastructure would change without anybody looking at the plan",
            "-auto-approve --auto-approve --yes -y -destroy"),
        Row("cloud.infrastructure", COSTLY, "cdk serverless sls sam copilot amplify eksctl sst",
            "destroy|remove|delete", DOWN),
        Row("cloud.infrastructure", COSTLY, "ansible-playbook ansible", "", "machines elsewhere would change as root",
            "--become -b"),
    ),
    "kubernetes": (
        Row("kubernetes.delete", FINAL, "kubectl oc", "delete {ns,namespace,namespaces,project,projects,pv,pvc,"
            "persistentvolume*,node,nodes,crd,crds,customresourcedefinition*,volumesnapshot*}{,/*,.*}|delete {?,?/*}|"
            "delete * {ns,namespace,pv,pvc,persistentvolume*}/*", STORED),
        Row("kubernetes.delete", FINAL, "kubectl oc", "delete {all,*statefulset*,sts,secret,secrets}", STORED,
            "--all -A --all-namespaces"),
        Row("kubernetes.delete", FINAL, "kubectl oc", "delete", "everything of a kind would go",
            "--all --all=true !{pod,pods,po,job,jobs}"),
        Row("kubernetes.delete", FINAL, "kubectl oc", "drain|config {delete-*,unset}",
            "a node would be emptied, or a way to a cluster forgotten"),
        Row("kubernetes.release", FINAL, "helm", "{uninstall,delete,del,un} {?,*{postgres,mysql,maria,mongo,redis,"
            "valkey,kafka,rabbit,elastic,opensearch,minio,vault,cassandra,clickhouse,etcd,rook,ceph,longhorn,database,"
            "data}*,*-db,db}", "a release would go with the data that it keeps",
            "!--keep-history !*{connector,exporter,-ui,client}*"),
        Row("kubernetes.release", FINAL, "helmfile velero", "^destroy|backup delete|delete backup", BACKUPS),
        Row("kubernetes.release", FINAL, "argocd flux istioctl linkerd", "^uninstall|app delete",
            "what the cluster runs would go"),
        Row("kubernetes.cluster", FINAL, "kubeadm kops talosctl rke", "^reset|delete cluster|^remove",
            "a cluster would be gone"),
        Row("volumes", FINAL, "docker podman nerdctl", "volume {rm,remove,prune}", VOLUMES),
        Row("volumes", FINAL, "docker podman nerdctl docker-compose podman-compose", "^system prune|compose down|^down",
            VOLUMES, "--volumes --volumes=true -v"),
        Row("containers.delete", FINAL, "podman", "system reset", "every image, container and volume would be gone"),
        Row("kubernetes.delete", COSTLY, "kubectl oc", "delete|drain|cordon|replace|rollout undo|rollout restart|taint|"
            "evict", "workloads of the cluster would go or move"),
        Row("kubernetes.delete", COSTLY, "kubectl oc", "apply", "what the files do not name would go", "--prune"),
        Row("kubernetes.scale", COSTLY, "kubectl oc", "scale|autoscale", "a workload would stop", "--replicas=0"),
        Row("kubernetes.change", COSTLY, "kubectl oc", "edit|patch|set|exec|config delete-*|config unset",
            "a running workload would change"),
        Row("kubernetes.release", COSTLY, "helm helmfile", "uninstall|delete|rollback|destroy", "a release would go"),
        Row("kubernetes.release", COSTLY, "argocd flux istioctl linkerd velero",
            "* delete|delete *|uninstall|* rollback", "what the cluster runs would go"),
        Row("kubernetes.cluster", COSTLY, "kind minikube k3d k3s kubeadm kops eksctl",
            "delete|reset|stop", "a cluster would be gone"),
        Row("containers.delete", COSTLY, "docker podman nerdctl docker-compose", "{system,volume,image,container,"
            "network,builder} prune|volume rm|down|system reset|swarm leave|"
            "{stack,service,node,context,secret} rm", "volumes, images or containers would be gone"),
        Row("containers.delete", COSTLY, "docker podman nerdctl docker-compose",
            "rm|rmi|kill|stop", "containers or images would be gone",
            "-f --force -fv -vf -v -a --all"),
    ),
    "databases": (
        Row("database.drop", FINAL, SQL, "", TABLES, says="DROP TABLE|DROP DATABASE|DROP SCHEMA|DROP COLUMN|"
            "DROP KEYSPACE|DROP OWNED|DROP COLLECTION|TRUNCATE|DELETE FROM|UPDATE "),
        Row("database.drop", FINAL, "python python3 node ruby perl php deno bun rails", "", TABLES, says=CODE),
        Row("database.drop", FINAL, "dropdb pg_resetwal pg_dropcluster flushall flushdb", "", DROPPED),
        Row("database.drop", FINAL, "mysqladmin mariadb-admin", "drop", DROPPED),
        Row("database.drop", FINAL, "redis-cli valkey-cli keydb-cli nc ncat netcat", "", STORED,
            says="FLUSHALL|FLUSHDB"),
        Row("database.drop", FINAL, "redis-cli valkey-cli keydb-cli", "{del,DEL,unlink,UNLINK} ?", STORED),
        Row("database.drop", FINAL, "mongo mongosh", "", STORED, says="DROPDATABASE|.DROP(|DELETEMANY({})|REMOVE({})"),
        Row("database.drop", FINAL, "etcdctl consul", "del|kv delete", STORED,
            "--prefix --from-key -recurse --recurse"),
        Row("database.drop", FINAL, "influx nats rabbitmqctl kafka-topics.sh kafka-topics",
            "bucket delete|stream {rm,purge}|{delete,purge}_queue|delete_vhost|reset|force_reset", STORED),
        Row("database.drop", FINAL, "kafka-topics.sh kafka-topics", "", STORED, "--delete"),
        Row("database.drop", FINAL, "curl wget http https xh", "*:{9200,9201}/*", STORED,
            "-XDELETE --request=DELETE --method=DELETE DELETE"),
        Row("database.migrate", FINAL, MIGRATE, "migrate reset|db:{drop,reset,purge}|db:drop:*|db:migrate:reset|"
            "db:migrate:undo:all|flush|reset_db|schema:drop|ecto.{drop,reset}|downgrade base", DROPPED),
        Row("database.migrate", FINAL, "goose dbmate migrate flyway liquibase sqlx diesel atlas",
            "^clean|^reset|^drop|^drop-all|database {reset,drop}|schema clean", DROPPED),
        Row("database.migrate", FINAL, "prisma drizzle-kit", "push", DROPPED,
            "--force-reset --accept-data-loss --force"),
        Row("database.migrate", FINAL, "php artisan sail symfony", "migrate:{fresh,refresh,reset}|db:wipe|"
            "*console doctrine:{database,schema}:drop", DROPPED),
        Row("database.migrate", FINAL, "python python3 django-admin manage.py",
            "*manage.py {flush,reset_db}|*manage.py migrate * zero|^flush|^reset_db", DROPPED),
        Row("database.drop", COSTLY, SQL, "", TABLES, says="DROP VIEW|DROP INDEX|DROP USER|DROP ROLE|DROP CONSTRAINT|"
            "DROP TYPE|DROP FUNCTION|DROP TRIGGER|DROP SEQUENCE|DROP EXTENSION"),
        Row("database.drop", COSTLY, "dropuser", "", "a user would be gone"),
        Row("database.drop", COSTLY, "redis-cli valkey-cli keydb-cli", "", STORED,
            says="SHUTDOWN|SCRIPT FLUSH|CONFIG SET"),
        Row("database.drop", COSTLY, "mongo mongosh", "", STORED, says="DROPINDEX|.DELETEMANY("),
        Row("database.drop", COSTLY, "etcdctl influx nats rabbitmqctl kafka-topics.sh kafka-topics consul",
            "del|delete|stream {rm,purge}|{delete,purge}_queue|reset|force_reset", STORED),
        Row("database.restore", FINAL, "pg_restore mongorestore", "", "what is there would be dropped and made anew",
            "-c --clean --drop"),
        Row("database.migrate", COSTLY, MIGRATE, "downgrade|db:rollback|flush|db:migrate:undo|migrate:rollback|"
            "migration:revert|push|drop|clean|rollback|reset|down|ecto.rollback|migration repair", ROLLED),
    ),
    "packages": (
        Row("packages.publish", FINAL, "npm pnpm yarn bun jsr deno lerna changeset vsce ovsx",
            "publish|unpublish", EVERYBODY, HERE),
        Row("packages.publish", FINAL, "tool", "{npm,package,crate} {publish,unpublish}|publish package", EVERYBODY),
        Row("packages.publish", FINAL, "cargo", "publish", EVERYBODY, "!-n " + HERE),
        Row("packages.publish", FINAL, "poetry uv hatch flit gradle gradlew sbt dart flutter",
            "publish|*:publish|publish{Plugins,Signed,All*,*ToMavenCentral*}", EVERYBODY, HERE),
        Row("packages.publish", FINAL, "twine conan stack cabal luarocks mvn mvnw lein", "upload|deploy", EVERYBODY,
            "!-Dmaven.deploy.skip=true " + HERE),
        Row("packages.publish", FINAL, "python python3", "twine upload|{flit,hatch,poetry,uv} publish", EVERYBODY,
            HERE),
        Row("packages.publish", FINAL, "gem dotnet nuget pod mix", "^push|^yank|nuget push|trunk push|hex.publish",
            EVERYBODY, HERE),
        Row("packages.source", FINAL, "npm pnpm yarn pip pip3 poetry uv git",
            "config {set,--global,--system} {registry,*:registry,prefix,strict-ssl,*proxy,*index-url,*trusted-host,"
            "http.sslverify,http.sslVerify,npmRegistryServer} *|config {http.sslverify,http.sslVerify,*proxy} *",
            "whatever is fetched from now on would come from another place, or unchecked"),
        Row("packages.source", FINAL, "gem", "sources *", "whatever is fetched from now on would come from there too",
            "--add -a"),
        Row("packages.publish", FINAL, "semantic-release np", "", RELEASE, "!-d"),
        Row("packages.publish", FINAL, "goreleaser", "^release", RELEASE, "!--snapshot !--skip=*publish*"),
        Row("packages.publish", COSTLY, "npm pnpm yarn bun jsr deno lerna changeset vsce ovsx",
            "deprecate|dist-tag|owner|access", EVERYBODY),
        Row("packages.publish", COSTLY, "cargo twine gem poetry uv hatch flit dotnet mvn gradle gradlew pod mix conan "
            "helm", "publish|yank|upload|push|deploy|hex.publish|owner|publishplugins", EVERYBODY),
        Row("packages.publish", COSTLY, "goreleaser release-it", "", RELEASE),
        Row("packages.remove", FINAL, "apt apt-get aptitude yum dnf pacman apk zypper brew snap port flatpak choco "
            "winget scoop dpkg rpm nix-env", "remove|purge|autoremove|erase|uninstall|-R*|del|-r|-P|--purge|-e|--erase",
            "programs of this machine would be gone"),
        Row("packages.install", COSTLY, "apt apt-get aptitude yum dnf pacman apk zypper brew snap port flatpak choco "
            "winget scoop", "install|add|upgrade|dist-upgrade|full-upgrade|-S*|reinstall|update --all", MACHINE),
        Row("packages.install", COSTLY, "dpkg rpm", "", MACHINE, "-i --install -U --upgrade -ivh -Uvh"),
        Row("packages.global", COSTLY, "npm pnpm yarn bun", "install|i|add|uninstall|remove|rm|update|link|global *",
            GLOBAL, "-g --global --location=global"),
        Row("packages.global", COSTLY, "yarn", "global {add,remove}", GLOBAL),
        Row("packages.global", COSTLY, "pip pip3", "install|uninstall", GLOBAL, "--break-system-packages --user"),
        Row("packages.global", COSTLY, "cargo go gem pipx uv", "install|uninstall", GLOBAL),
        Row("packages.source", COSTLY, "npm pnpm yarn pip pip3 uv poetry bun", "",
            "packages would come from a place that the command names", "--index-url --extra-index-url --registry "
            "--trusted-host --find-links -i"),
    ),
    "ci": (
        Row("changes.drop", FINAL, "hg chg", "^{update,up,checkout,co,revert}", UNSAVED, "-C --clean --no-backup"),
        Row("changes.drop", FINAL, "hg chg", "^{purge,clean,strip,rollback}", UNSAVED, "!-n"),
        Row("changes.drop", FINAL, "svn", "^cleanup", UNSAVED, "--remove-*"),
        Row("changes.drop", FINAL, "svn bzr brz fossil p4", "^{revert,clean,clean-tree,uncommit,scrub,obliterate}",
            UNSAVED, "!-n !--preview"),
        Row("changes.drop", FINAL, "jj", "^{op,operation} abandon", UNSAVED),
        Row("hooks.skip", FINAL, "husky lefthook overcommit pre-commit", "^uninstall",
            "hooks that somebody chose would not run any more"),
        Row("remote.delete", FINAL, "gh glab hub tea", "repo delete|repos delete|repository delete|^delete",
            REPOSITORY),
        Row("remote.delete", FINAL, "curl http https xh invoke-restmethod invoke-webrequest",
            "*//api.github.com/repos/*/*|*/api/v4/projects/*|*/api/v1/repos/*/*", REPOSITORY,
            "-XDELETE --request=DELETE DELETE -Method={Delete,DELETE,delete} !*/repos/?*/?*/?* !*/projects/?*/?*"),
        Row("ci.api", FINAL, "gh glab", "api {,*/}{repos,projects}/*", REPOSITORY,
            "-XDELETE --method=DELETE DELETE !*repos/?*/?*/?* !*projects/?*/?*"),
        Row("ci.api", FINAL, "gh glab curl http xh", "*repos/*/*/releases/*|*projects/*/{releases,packages}/*|"
            "*/packages/*", OTHERS, "-XDELETE --method=DELETE --request=DELETE DELETE"),
        Row("ci.repository", FINAL, "gh glab", "release {delete,delete-asset}|{issue,gist,secret,variable} delete|"
            "secret remove|{ssh,gpg}-key {add,delete}|repo {archive,rename,transfer}|workflow disable", OTHERS),
        Row("ci.repository", FINAL, "gh", "repo edit|pr merge", "what protects it would be passed over, or opened",
            "--visibility --admin"),
        Row("ci.repository", FINAL, "gh", "gist create", "a file would be handed out under an address"),
        Row("ci.run", FINAL, "gh glab", "release create", RELEASE, "!--draft !-d"),
        Row("ci.run", FINAL, "vercel wrangler", "project {rm,remove}|^rm|^remove|{d1,r2 bucket,kv namespace} delete|"
            "kv:namespace delete|^delete", LOST),
        Row("ci.repository", COSTLY, "gh", "repo {delete,archive,edit,rename,transfer,deploy-key}|release edit|"
            "secret *|variable *|workflow {disable,enable}|run {delete,cancel}|cache delete|"
            "auth {login,logout,refresh,token}|ssh-key *|gpg-key *|pr close|ruleset *|label delete",
            "the repository, its secrets or its releases would change"),
        Row("ci.run", COSTLY, "gh", "workflow run|run rerun|pr merge|release create|release upload|pr review",
            PIPELINE),
        Row("ci.api", COSTLY, "gh glab", "api", "the service would be told to change something",
            "-X --method -f -F --field --raw-field --input !GET !get !--method=GET !-XGET"),
        Row("ci.repository", COSTLY, "glab", "repo {delete,archive,transfer}|variable *|ci {delete,cancel,run,trigger,"
            "retry}|mr {merge,close}|issue delete|schedule *|token *", "the repository, its variables or its pipelines "
            "would change"),
        Row("ci.run", COSTLY, "vercel netlify wrangler firebase surge amplify eas fastlane cap kamal dokku",
            "deploy|--prod|remove|rm|delete|publish|alias|env add|secret put|promote|rollback|submit|release",
            CHANGE),
        Row("ci.run", COSTLY, "vercel netlify", "", CHANGE, "--prod --production"),
        Row("ci.repository", COSTLY, "circleci", "context {delete,remove-secret}|{orb,namespace,pipeline} delete|"
            "runner * delete", "the pipelines, or their secrets, would be gone"),
        Row("ci.run", COSTLY, "gcloud az circleci buildkite-agent drone jenkins-cli act_runner argo tkn",
            "{run,app,functions} deploy|{pipeline,pipelines} run|{build,pipeline} start|build {create,promote}|"
            "delete-job|submit", PIPELINE),
        Row("ci.run", COSTLY, "docker podman nerdctl skopeo crane buildah", "push|copy", "others would get the image"),
        Row("ci.runner", COSTLY, "gitlab-runner actions-runner config.sh svc.sh",
            "unregister|remove|register|uninstall|stop", "the machine would run other pipelines, or none"),
    ),
}  # fmt: skip
