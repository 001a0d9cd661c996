"""What is done elsewhere by programs of services: packs of rules, each rule with its severity.

What cannot be undone is asked about by default, what is merely costly where its pack is chosen (`packs`).
"""

from __future__ import annotations

from jackline.features.command_guard.lexicon import CALLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

FINAL = "irreversible"


class Row(NamedTuple):
    """One row of a rule.

    `verbs`: alternatives divided by `|`, each some words (globs; `?` is one that only the running shell knows) that
    stand together behind the program, at its beginning with `^`, or "". `flags`: words of which one must stand there
    too, "" none; with `!`, one that must not. `says`: statements (upper case) in any word or input, `*` between parts.
    """

    id: str
    severity: str
    reason: str
    programs: str
    verbs: str = ""
    flags: str = ""
    says: str = ""


_GROUPS = """
TERRAFORM terraform tofu terragrunt
CLOUDS gcloud az doctl hcloud linode-cli oci ibmcloud scw vultr-cli
HOSTS fly flyctl heroku render railway netlify vercel wrangler firebase dokku pscale neonctl neon supabase turso
SQL psql mysql mariadb sqlite3 sqlcmd cockroach clickhouse-client clickhouse duckdb cqlsh snowsql usql pgcli mycli
    bq beeline spark-sql trino presto isql sqlplus osql turso snow invoke-sqlcmd invoke-dbaquery heroku wrangler
MIGRATE prisma npx alembic rails rake django-admin manage.py flask sequelize sequelize-cli knex typeorm drizzle-kit
    supabase flyway liquibase atlas goose migrate diesel sqlx mix dbmate hasura refinery
ATTACKS nmap masscan zmap gobuster ffuf feroxbuster dirb dirsearch wfuzz nikto sqlmap hydra medusa ncrack patator
    amass subfinder wpscan john hashcat msfconsole msfvenom aircrack-ng airodump-ng aireplay-ng wifite reaver
    responder mitmproxy ettercap bettercap arpspoof dsniff hping3 netexec crackmapexec evil-winrm mimikatz slowloris
    slowhttptest tcpdump tshark xmrig ethminer
REGISTRIES npm pnpm yarn bun jsr deno lerna changeset vsce ovsx
MANAGERS apt apt-get aptitude yum dnf pacman apk zypper brew snap port flatpak choco winget scoop dpkg rpm
HERE !--{registry,repository-url,publish-url,index,host,source}=http://{localhost,127.0.0.1}:*
DELETES -XDELETE -X=DELETE --request=DELETE --method=DELETE DELETE -Method={Delete,DELETE,delete}
"""
_TABLE = """
cloud cloud.delete irreversible: nothing brings back what would be gone there
    aws bq gcloud gsutil mc s3cmd : rb|rm|del + --force -r -R -d --dataset --recursive !{s3,gs}://?*/?* !local/*;
    CLOUDS aws kopia rclone tool : THING VERB|VERB THING|VERB-THING|group delete|^purge|^destroy|close-account;
    HOSTS : ^down|pg:{reset,copy,restore,backups:restore}|api deleteSite;
    CLOUDS : {server,droplet,linode,instance,instances,droplet-action} {rebuild,reimage,reinstall};
    aws s3cmd azcopy gsutil rclone mc gcloud : sync|rsync|mirror + --delete* -d --remove !-n;
    rclone : ^{sync,delete,deletefile,dedupe,rmdirs,cleanup}; rbd rados : rm|purge; lftp = MIRROR*--DELETE;
    rsync : *:* + --delete* --del !-n !-[a-zA-Z]*n !-[a-zA-Z]*n[a-zA-Z]* !localhost:*;
    mlflow dvc ipfs guix : ^gc|repo gc; gcloud : * subscriptions seek;
    restic : restore + --target={/,~,..,/home/*,/Users/*} !--target=/*/*/*;
    unison + -force -prefer; virsh VBoxManage vboxmanage qm multipass limactl vagrant prlctl tart : ^VERB;
    curl wget http https xh invoke-restmethod invoke-webrequest + DELETES !{,*://}{localhost,127.0.0.1,0.0.0.0}{,:*,/*}
      !?{,/*} !*://?{,:*,/*}
cloud cloud.access irreversible: somebody would be given every right, or everybody could reach it
    aws gcloud az : iam attach-*|* add-iam-policy-binding|role assignment create + *:policy/AdministratorAccess
      --role=roles/{owner,editor} --role=Owner;
    aws gcloud gsutil az + --acl=public-read* allUsers:* --source-address-prefixes=Internet
cloud cloud.access irreversible: records of what is done there would stop, or keys and addresses would be gone
    aws : stop-logging|stop-configuration-recorder|delete-flow-logs|kms schedule-key-deletion|release-{address,hosts}
cloud cloud.access irreversible: a name would lead to another machine, or programs would be put on one
    aws : change-resource-record-sets|route53domains {register,transfer,update}-*;
    doctl gcloud az vercel : {domain,dns} * {create,update,add*,delete,remove*,set*,execute}|dns {add,rm};
    nsupdate; gsettings : set org.gnome.system.proxy*; scp : * *:/{etc,usr,boot,lib,bin}/*
cloud cloud.access irreversible: others could reach this machine, or what it shows
    ssh autossh + -{,N,fN,NT,fNT}R=[0-9]* -R[0-9]* -D=0.0.0.0* -L=0.0.0.0*; ssh-copy-id;
    ngrok cloudflared bore zrok tailscale lt localtunnel code code-insiders cursor devtunnel :
      ^{http,tcp,tls,start,tunnel,local,share,funnel,host};
    tmate upterm telnetd gotty ttyd; tmux : pipe-pane;
    python python3 caddy miniserve http-server serve + --{directory,root}={/,~,/home/*,/Users/*}
      !--{directory,root}=/*/*/*
cloud later irreversible: something of it would go on when the session is over
    systemd-run + --on-*; loginctl : enable-linger; setx + PATH /m /M; osascript = LOGIN ITEM; brew + ./formula*
cloud local.delete irreversible: keys, sessions, a disk, a chip, or what a person keeps on this machine, would be gone
    gpg gpg2 + --delete-secret-*; gio : trash + --empty; trash-empty trash-rm; wsl + --unregister; 7z : ^d;
    adb : shell pm {clear,uninstall}|^backup|^restore|shell wipe; tmux : kill-server + !-L; gnome-session-quit;
    robocopy : *:/* *:/*|* //* + /MIR /PURGE !/L; diskpart;
    stm32_programmer_cli STM32_Programmer_CLI + -ob -e --erase; avrdude + {l,h,e,}fuse:w:* lock:w:*;
    mtd flashcp flash_erase flash_eraseall nandwrite fw_setenv
cloud local.unguarded irreversible: code that comes with data would be run
    python python3 + -c = TRUST_REMOTE_CODE=TRUE|WEIGHTS_ONLY=FALSE|TRUST_REPO=TRUE|UNSAFELOADER|UNSAFE_LOAD(|
      PICKLE.LOADS(U.|PICKLE.LOADS(REQUESTS|PICKLE.LOAD(URLOPEN|PICKLE.LOAD(OPEN('/TMP|JOBLIB.LOAD('/TMP
cloud local.unguarded irreversible: what guards this machine, or asks the person, would be passed over
    xattr + com.apple.quarantine; yt-dlp + --exec; protoc + --plugin=*/tmp/*; mpcmdrun + -RemoveDefinitions;
    aider open-interpreter interpreter goose + --yes-always --yes -y --auto_run
cloud local.capture irreversible: what the person sees, says or types would be recorded, or typed for them
    arecord imagesnap fswebcam wf-recorder xinput; ffmpeg + x11grab v4l2 avfoundation dshow gdigrab pulse alsa kmsgrab
cloud cloud.delete costly: something at the provider would be gone or stop
    CLOUDS HOSTS aws gsutil bq stripe restic borg mc rclone azcopy : VERB|
      {delete,terminate,deregister,purge,remove,release,disable,stop,cancel,batch-delete,delete-batch}{,-*}|* * untag|
      env:unset|forget|prune|compact|rewrite|rmdir|rmdirs|deletefile|move|moveto|* {unset,detach,suspend}
cloud cloud.infrastructure irreversible: infrastructure, what is known of it, or a group of machines would change
    TERRAFORM pulumi cdktf : state rm|state push|workspace delete|stack rm|force-unlock;
    TERRAFORM pulumi cdktf amplify : apply|up|deploy|refresh|push + -auto-approve --auto-approve --yes -y -destroy
      --terragrunt-non-interactive --non-interactive;
    TERRAFORM : apply = PLAN*-DESTROY; salt salt-ssh : {cmd,state,service,pkg,system,file}.* + !test=True;
    flux helmfile istioctl linkerd : ^uninstall|^destroy; ansible + --become -b
cloud cloud.secrets irreversible: secrets, or who may read them, would be gone
    vault doppler : VERB|* {disable,revoke}|operator {seal,rekey}
cloud cloud.access costly: who may do what at the provider would change
    aws gcloud az : iam {create,attach,put,update,add}-*|sts assume-role|ad sp create-for-rbac|s3api
      put-bucket-{policy,acl}|ec2 authorize-*|* {add-iam-policy-binding,set-iam-policy}|role assignment *|iam
      service-accounts keys create
cloud cloud.attack irreversible: it looks into, or breaks into, what others run
    ATTACKS + !-r !-V !-i=lo !-i=lo0 !--version !--test !{,*://}{localhost,127.0.0.1,[::1]}{,:*,/*};
    ab wrk wrk2 hey vegeta siege bombardier oha autocannon k6 locust artillery httperf + *://*
      !{,*://}{localhost,127.0.0.1,0.0.0.0,host.docker.internal}{,:*,/*}
cloud cloud.infrastructure costly: infrastructure would be taken down, or change, or be forgotten
    TERRAFORM pulumi cdktf : VERB|destroy-all|^down|apply *destroy*|taint|cancel;
    cdk serverless sls sam copilot amplify eksctl sst : VERB; ansible-playbook + --become -b
kubernetes kubernetes.delete irreversible: stored data, everything of a kind, a node or a way to a cluster would be gone
    kubectl oc : delete
      {ns,namespace,namespaces,project,projects,pv,pvc,persistentvolume*,node,nodes,crd,crds,customresourcedefinition*,
      volumesnapshot*}{,/*,.*}|delete {?,?/*}|delete * {ns,namespace,pv,pvc,persistentvolume*}/*;
    kubectl oc : delete + --all --all=true -A --all-namespaces !{pod,pods,po,job,jobs};
    kubectl oc : drain|config {delete-*,unset}; kubectl oc : taint + *:NoExecute;
    kubectl oc : delete {pod,pods,po,sts,statefulset} + --force
kubernetes kubernetes.release irreversible: a release would go with the data that it keeps
    helm : {uninstall,delete,del,un}
      {?,*{postgres,mysql,maria,mongo,redis,valkey,kafka,rabbit,elastic,opensearch,minio,vault,cassandra,clickhouse,
      etcd,rook,ceph,longhorn,database,data}*,*-db,db} + !--keep-history !*{connector,exporter,-ui,client}*
kubernetes kubernetes.cluster irreversible: a cluster would be gone
    k3s-uninstall.sh rke2-uninstall.sh; kubeadm kops talosctl rke : ^reset|delete cluster|^remove
kubernetes volumes irreversible: what containers keep in volumes would be gone
    docker podman nerdctl : volume {rm,remove,prune}|system reset;
    docker podman nerdctl docker-compose podman-compose : ^system prune|compose down|^down + --volumes --volumes=true
      -v;
    docker podman docker-compose : compose rm + -v;
    docker podman docker-compose podman-compose + -f=*prod*.y*ml --file=*prod*.y*ml = DOWN|STOP|KILL
kubernetes containers.delete irreversible: what others run on these machines would be gone
    docker podman : swarm leave|{stack,service,node,secret} rm
kubernetes kubernetes.delete costly: workloads of the cluster would go or move
    kubectl oc : delete|drain|cordon|replace|rollout {undo,restart}|taint|evict
kubernetes kubernetes.scale costly: workloads would stop or go
    kubectl oc : scale|autoscale|apply + --replicas=0 --prune
kubernetes kubernetes.change costly: a running workload would change
    kubectl oc : edit|patch|set|exec|config {delete-*,unset}
kubernetes kubernetes.release costly: what the cluster runs would go
    helm helmfile argocd flux istioctl linkerd velero : {uninstall,delete,destroy}|rollback
kubernetes kubernetes.cluster costly: a cluster would be gone
    kind minikube k3d k3s kubeadm kops eksctl : delete|reset|stop
kubernetes containers.delete costly: volumes, images or containers would be gone
    docker podman nerdctl docker-compose : {system,volume,image,container,network,builder} prune|volume rm|down|system
      reset|swarm leave|{stack,service,node,context,secret} rm;
    docker podman nerdctl docker-compose : rm|rmi|kill|stop + -f --force -v -a --all
databases database.drop irreversible: tables, rows or a whole database would be gone
    SQL = DROP TABLE|DROP DATABASE|DROP SCHEMA|DROP COLUMN|DROP KEYSPACE|DROP OWNED|DROP COLLECTION|DROP PARTITION|RESET
      REPLICA|RESET MASTER|RESET SLAVE|GRANT ALL|VACUUM*RETAIN 0|TRUNCATE|DELETE FROM|UPDATE |ALTER ROLE|ALTER USER|
      ALTER SYSTEM|ALTER TABLE*RENAME|ALTER TABLE*DISABLE|REASSIGN OWNED|PURGE BINARY|PG_TERMINATE_BACKEND|PG_DROP_|SET
      GLOBAL|DETACH PARTITION|CREATE USER*SUPERUSER|CREATE ROLE*SUPERUSER|GRANT*SUPERUSER|GRANT*TO PUBLIC|GRANT*TO ROLE
      PUBLIC|REPLACE INTO|WRITABLE_SCHEMA|.RESTORE |CREATE OR REPLACE TABLE|DROP_CHUNKS(|GRANT*ACCOUNTADMIN|ALTER
      TABLE*DELETE WHERE|PG_SHADOW|PG_AUTHID|MYSQL.USER|TO PROGRAM|PG_READ_FILE|XP_CMDSHELL;
    python python3 node ruby perl php deno bun rails = CALLS;
    dropdb dropuser pg_resetwal pg_dropcluster flushall flushdb;
    mysqladmin mariadb-admin influx nats rabbitmqctl kafka-topics.sh kafka-topics : drop|password|THING VERB|VERB-THING|
      --delete|reset|force_reset;
    redis-cli valkey-cli keydb-cli nc ncat netcat = FLUSHALL|FLUSHDB|FLUSH_ALL|CONFIG SET*|SHUTDOWN|SCRIPT FLUSH|
      FUNCTION FLUSH|SLAVEOF |REPLICAOF |ACL SETUSER|ACL DELUSER|SWAPDB|DEBUG |CLIENT KILL|XGROUP DESTROY|XTRIM|CLUSTER
      RESET|CLUSTER FORGET|EVAL*DEL;
    cypher-shell = DELETE |REMOVE *; hbase = DROP '|DROP_ALL|TRUNCATE|DISABLE_ALL|DELETEALL;
    nodetool : clearsnapshot|decommission|removenode|assassinate;
    wp : search-replace|db {reset,clean,drop,import}|site empty;
    mongo mongosh = DROPDATABASE|.DROP(|DELETEMANY({})|REMOVE({})|UPDATEMANY({}|CREATEUSER(|DROPUSER(|SHUTDOWNSERVER|
      RS.RECONFIG(|RS.REMOVE(|DROPINDEX|.DELETEMANY(;
    etcdctl consul : del|kv delete + --prefix --from-key -recurse --recurse;
    curl wget http https xh : *:{9200,9201}/*|*[*]*|*/_{snapshot,all,data_stream}/* + DELETES
databases database.migrate irreversible: tables, rows or a whole database would be gone
    MIGRATE : migrate reset|db:{drop,reset,purge}|db:drop:*|db:migrate:reset|db:migrate:undo:all|flush|reset_db|
      schema:drop|ecto.{drop,reset}|downgrade base;
    goose dbmate migrate flyway liquibase sqlx diesel atlas : ^clean|^reset|^drop|^drop-all|database {reset,drop}|schema
      clean;
    prisma drizzle-kit : push + --force-reset --accept-data-loss --force;
    php artisan sail symfony python python3 django-admin manage.py : migrate:{fresh,refresh,reset}|db:wipe|*console
      doctrine:{database,schema}:drop|*manage.py {flush,reset_db}|{,*manage.py }migrate * zero
databases database.restore irreversible: what is there would be dropped and made anew
    pg_restore mongorestore + -c --clean --drop
databases database.drop costly: tables, rows or a whole database would be gone
    SQL = DROP VIEW|DROP INDEX|DROP USER|DROP ROLE|DROP CONSTRAINT|DROP TYPE|DROP FUNCTION|DROP TRIGGER|DROP SEQUENCE|
      DROP EXTENSION;
    etcdctl influx nats rabbitmqctl kafka-topics.sh kafka-topics consul : VERB|VERB-THING|reset|force_reset
databases database.migrate costly: tables would be dropped or rolled back
    MIGRATE : downgrade|{db:,migrate:,ecto.,}rollback|flush|db:migrate:undo|migration:revert|push|drop|clean|reset|down|
      migration repair
packages packages.publish irreversible: everybody would get it
    REGISTRIES poetry uv hatch flit gradle gradlew sbt dart flutter : publish|unpublish|*:publish|
      {,+}publish{Plugins,Signed,All*,*ToMavenCentral*,*Bundle,*Apk,*Apps}|sonatype{Release,BundleRelease}|ci-release +
      HERE;
    opam dune-release : publish; clojure clj : deploy; yarn : npm tag; git : svn dcommit; cargo gem : owner + --add -a;
    surge + !--help !login !whoami !list; helm butler : ^push|^cm-push; gh : release upload + --clobber;
    cargo : publish|yank + !-n HERE; REGISTRIES : deprecate|dist-tag {add,rm}|owner add|access {public,set,grant};
    mix : hex.{retire,owner,publish}; dotnet nuget : nuget delete|^delete; semantic-release np + !-d;
    goreleaser : ^release + !--snapshot !--skip=*publish*;
    gradle gradlew : publishTo{S,MavenC,G}*|closeAndRelease*; docker podman docker-compose : compose push;
    nix : ^copy + --to;
    xcrun steamcmd shorebird jf : altool|notarytool submit|+run_app_build*|^{patch,release}|rt {del,delete};
    npx pnpm yarn bunx : web-ext sign|ngh|gh-pages|surge|storybook-to-ghpages;
    docker podman nerdctl crane skopeo : {push,copy} {docker.io/*,public.ecr.aws/*,*/*:latest}|copy *
      docker://docker.io/*;
    eas fastlane : submit|supply|deliver|pilot upload|upload_to_{play_store,app_store};
    twine conan stack cabal luarocks mvn mvnw lein : upload|deploy + !-Dmaven.deploy.skip=true HERE;
    python python3 gem dotnet nuget pod mix tool : twine upload|{flit,hatch,poetry,uv} publish|^push|^yank|{nuget,trunk}
      push|hex.publish|{npm,package,crate} {publish,unpublish}|publish package + HERE
packages packages.publish irreversible: somebody would get a message
    kcat kafkacat + -b=*.*:* !-C !-L !-Q !-b={127,localhost}*;
    slackcat mail mailx mutt neomutt sendmail swaks msmtp ssmtp s-nail telegram-send signal-cli + !-bp !-bv !-H !-e
      !*@localhost !localhost{,:*}
packages packages.source irreversible: whatever is fetched from now on would come from another place, or unchecked
    npm pnpm yarn pip pip3 poetry uv git : config {set,--global,--system}
      {registry,*:registry,prefix,strict-ssl,*proxy,*index-url,*trusted-host,url.*,http.sslverify,http.sslVerify,
      npmRegistryServer} *|config {url.*,http.sslverify,http.sslVerify,*proxy} *|config safe.directory [*];
    conda mamba micromamba : config + ssl_verify --set=ssl_verify channel_alias http{,s}://*;
    wp : {plugin,theme} install + http{,s}://*; chezmoi : init + --apply;
    kubectl oc : apply|create + -f=http{,s}://* !-f=https://{github.com,raw.githubusercontent.com}/*;
    apk + --allow-untrusted; npm pnpm yarn : pkg set scripts.{pre,post,}install=*;
    register-psrepository register-packagesource + http{,s}://*; winget + --ignore-security-hash --manifest;
    msiexec msiexec.exe : http{,s}://*; gpg gpg2 + --import-ownertrust; gem : sources * + --add -a;
    npx bunx uvx pipx nix pnpm mix composer + git+* github:* gitlab:* github !github:{NixOS,nixos}/*;
    composer : config * + --global -g; brew : tap {[a-gi-z],h[a-np-z]}*/*; yay paru pikaur trizen : -S*;
    bun : pm trust + --all; dotnet : tool {install,update} + --add-source*;
    dpkg rpm apt apt-get dnf adb installer + */{tmp,Downloads}/*.{deb,rpm,apk,pkg};
    pip pip3 npm npx bunx uvx pipx pnpm yarn bun uv go cargo apt apt-get yum dnf rpm dpkg gem dotnet nuget cabal
      opam conda nix-channel helm composer + http://* !http://{localhost,127.0.0.1}* git+* --git=*
      http{,s}://*.{tar.gz,tgz,zip,whl} --trusted-host* --allow-unauthenticated --nogpgcheck --no-gpg-check --force-all;
    go : run *.*/*@*|env {GO*SUM*,GOPROXY=*}; bun : {run,x} http{,s}://*; claude codex gemini : mcp {add,add-json};
    code cursor codium + --install-extension
packages packages.remove irreversible: programs of this machine would be gone
    conda mamba micromamba opam : {env,switch} VERB + -y --yes --all base default !-p=/tmp/*;
    nix-collect-garbage + -d --delete-old; gem : uninstall + -a --all;
    MANAGERS nix-env : VERB|autoremove|-R*|-r|-P|--purge|-e|--erase
packages packages.publish costly: everybody would get it
    REGISTRIES : deprecate|dist-tag|owner|access;
    cargo twine gem poetry uv hatch flit dotnet mvn gradle gradlew pod mix conan helm : publish|yank|upload|push|deploy|
      hex.publish|owner|publishplugins;
    goreleaser release-it
packages packages.install costly: programs would be installed into the machine
    MANAGERS : install|add|upgrade|dist-upgrade|full-upgrade|-S*|reinstall|update --all|-i|--install|-U|--upgrade|-ivh|
      -Uvh
packages packages.global costly: programs would be installed for every project
    npm pnpm yarn bun pip pip3 : install|i|add|uninstall|remove|rm|update|link|global * + -g --global --location=global
      --break-system-packages --user;
    yarn : global {add,remove}; cargo go gem pipx uv : install|uninstall
packages packages.source costly: packages would come from a place that the command names
    npm pnpm yarn pip pip3 uv poetry bun + --index-url --extra-index-url --registry --trusted-host --find-links -i
ci changes.drop irreversible: changes that are in no commit would be gone
    hg chg svn : ^{update,up,checkout,co,revert,cleanup} + -C --clean --no-backup --remove-*; git : lfs prune + --force;
    p4 : ^{revert,clean};
    svn bzr brz fossil jj : ^{revert,clean,clean-tree,uncommit,scrub}|^{op,operation} abandon + !-n !--preview
ci hooks.skip irreversible: hooks that somebody chose would not run any more
    husky lefthook overcommit pre-commit : ^uninstall
ci remote.delete irreversible: a repository elsewhere would be gone, with its issues and history
    gh glab hub tea : {repo,repos,repository} delete|^delete
ci ci.api irreversible: what others use would be gone
    gpg gpg2 + --send-keys; gh glab tea sentry-cli : api + DELETES -XPUT -X=PUT --method=PUT force=true !*/comments/*;
    gh glab : api {*/hooks,*/keys,*/collaborators/*} + -f -F --field --raw-field --input
ci ci.repository irreversible: what others use would be gone
    gh glab : {release,issue,gist,secret,variable,ssh-key,gpg-key} VERB|release delete-asset|{ssh,gpg}-key add|repo
      {archive,rename,transfer}|workflow disable
ci ci.repository irreversible: what protects it would be passed over, or it or a file opened to others
    gh : repo edit|pr merge + --visibility --admin; gh : gist create
ci ci.run irreversible: others would get the change, or be told of a release, or a pipeline would run
    gh glab : release create + !--draft !-d; gh glab : workflow run|ci {run,trigger}; gh : pr review + --approve -a
ci ci.repository costly: the repository, its secrets, its releases or its pipelines would change
    gh glab circleci : repo {delete,archive,edit,rename,transfer,deploy-key}|release edit|
      {secret,variable,ssh-key,gpg-key,ruleset,schedule,token} *|workflow {disable,enable}|{run,cache,label,issue} VERB|
      {run,ci} {cancel,run,trigger,retry}|auth {login,logout,refresh,token}|{pr,mr} close|mr merge|context
      {delete,remove-secret}|{orb,namespace,pipeline,runner *} delete
ci ci.api costly: the service would be told to change something
    gh glab : api + -X --method -f -F --field --raw-field --input !GET !get !--method=GET !-XGET
ci ci.run costly: a pipeline would run, or others would get the change or the image
    gh : workflow run|run rerun|pr {merge,review}|release {create,upload};
    gcloud az circleci buildkite-agent drone jenkins-cli act_runner argo tkn : {run,app,functions} deploy|
      {pipeline,pipelines} run|{build,pipeline} start|build {create,promote}|delete-job|submit;
    vercel netlify wrangler firebase surge amplify eas fastlane cap kamal dokku : deploy|--prod|--production|VERB|
      publish|alias|env add|secret put|promote|rollback|submit|release;
    docker podman nerdctl skopeo crane buildah : push|copy
ci ci.runner irreversible: the machine would run what others push, or nothing of it any more
    config.sh + --token; buildkite-agent : ^start
"""
"""Words that stand for others. Rules, each with its pack, severity and reason, and its rows, divided by `;`:
`programs : verbs + flags = says`. Lines with a margin go on with the one above; behind `|` and `,` no word ends.
"""


def _lines(text: str) -> list[str]:
    for end in "|,":
        text = text.replace(f"{end}\n      ", end)
    return text.replace("\n ", " ").strip().split("\n")


GROUPS = {"CALLS": CALLS, **dict([line.split(" ", 1) for line in _lines(_GROUPS)])}
SQL = " ".join(GROUPS["SQL"].split())


def _row(rule: list[str], text: str) -> Row:
    fields: list[str] = []
    for sign in (" = ", " + ", " : ", ""):
        text, _, field = text.partition(sign) if sign else ("", "", text)
        fields.insert(0, " ".join(" ".join([GROUPS.get(word, word) for word in field.split()]).split()))
    return Row(*rule, *fields)


def _packs() -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for line in _lines(_TABLE):
        head, _, rows = line.partition("    ")
        names, _, reason = head.partition(": ")
        pack, *rule = names.split()
        found.setdefault(pack, []).extend([_row([*rule, reason], row) for row in rows.split(";")])
    return found


PACKS = _packs()
