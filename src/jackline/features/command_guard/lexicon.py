"""Words by which commands say what they do elsewhere: of destruction, of production, of everybody, of guards."""

from __future__ import annotations

from jackline.features.command_guard.rules import vocabulary

ENDS = vocabulary(
    "burn garbage-collect decommission delete deprovision deregister destroy drop erase evict expire expunge flash "
    "flashing forget nuke obliterate purge retire revoke suspend terminate undefine undeploy unenroll unlock unpublish "
    "wipe yank"
)
"""Verbs after which something is gone, or no longer as it was."""

GONE = ENDS | {"del", "remove", "rm", "rmi", "uninstall"}
PARTS = frozenset(["mamba", "micromamba", "pixi", "spack", "vcpkg", "bower"])
"""Programs that remove packages of a project, which they fetch again."""
REMOVES = GONE | {"kill"}
HANDLED = ("files.rm", "system.processes", "builtin")
"""Where rules of their own judge what is removed or ended."""

SURELY = vocabulary("decommission delete destroy drop erase nuke obliterate purge terminate unpublish wipe")
DOES = tuple(sorted(SURELY))
ALL = frozenset([f"{verb}{sign}all" for verb in (*SURELY, "remove", "rm") for sign in ("", "_")])
"""Those of them that mean nothing else in the name of a task or a program."""

TASKS = vocabulary(
    "make gmake just task invoke inv fab rake mix nx lerna turbo gulp grunt gradle gradlew mvn mvnw npm pnpm yarn bun "
    "composer deno poe fastlane"
)
"""Programs that run tasks of the project by their names."""

PACKAGERS = frozenset(["npm", "composer", "deno"])
"""Those of them whose first word is their own: the task stands behind `run`."""

CODE = ("code.interpreter", "shells.shell")
CONSOLES = frozenset(["manage.py", "artisan", "console"])
ASIDE = frozenset(["cache", "collectstatic", "compilemessages", "optimize"])
"""What such a console is called, and its tasks that only make files again."""

RELEASES = vocabulary("broadcast deploy messages post promote publish push release rollout send ship submit upload")
MESSAGES = frozenset(["messages", "post", "push", "send"])
"""What tasks are called by which others get something."""

PAYS = vocabulary(
    "charge payout payouts refund refunds sendall sendmany sendtoaddress transfer transfers unstake withdraw withdrawal"
)
"""Verbs by which money is given away."""

GIVES = frozenset(["--broadcast", "--send", "--publish", "--upload-app", "--upload-package"])
SENDS = frozenset(["broadcast", "email", "publish", "send"])
"""Verbs of providers by which people, or programs of others, get a message."""

EMPTIES = vocabulary("clear empty flush prune recreate reset restore rm rollback truncate")
WEAK = EMPTIES | {"cancel", "close", "dedupe", "gc", "kill", "stop"}
"""Verbs after which a store does not hold what it held; those that may mean little, but that the program itself would
have asked about without one of `UNASKED`.
"""

STORES = vocabulary("data database db flyway prod storage uploads users volume volumes")

REHEARSES = vocabulary(
    "bench build bundle candidate changelog check checks ci clean compile config coverage debug detect docs draft dry "
    "e2e example fixtures format gen generate help init install integration lint list local log logs mock note notes "
    "pack package plan prepare preview profile render setup snapshot spec status test tests testing validate verify "
    "version versions watch"
)
"""Words in a task's name that say that it comes before the thing, or is not the thing."""

SHOWS = vocabulary("check dry dryrun local noop plan preview print show simulate summary")
"""Parts of options with which such a task does nothing to others."""

VIEWERS = vocabulary(
    "smartctl blkid udevadm iostat findmnt dmidecode dmesg ss lsof netstat lspci lsusb strace perf lsattr getfacl "
    "ausearch last ncdu lvs pvs vgs iptables-save nginx sshd apachectl postqueue mailq"
)
"""Programs that look at the machine, mostly as root."""

EARNEST = vocabulary("--no-dry-run --dry-run=false --apply --for-real --no-preview --charge --pay --send --submit")
"""Options by which a script of the project does what it would otherwise only show."""

UNASKED = vocabulary(
    "--yes -y --force -force -f --no-confirm --non-interactive --noinput --auto-approve --all -a -A All ALL --cascade "
    "--older-than --confirm --quiet -q --purge -purge --prune --bypass-warning --batch"
)
WHOLLY = frozenset(["bulk", "everything", "factory", "permanent", "recursively"])
"""Options by which nobody is asked, or everything is meant; words in a verb that say the same."""


LOOKS = vocabulary(
    "annotate build can-i can-i-deploy check completion console current-context describe diff doctor du events exists "
    "explain fmt get help history info init inspect kill-server kustomize lint list log login logs ls monitor outdated "
    "output package plan preview print ps query read render search select show status tag tail template top use "
    "use-context validate verify version view wait what-if whoami --check --describe --graph --list --status --test"
)
"""Verbs that change nothing there."""

OPTED = (*SURELY, "expunge", "recover", "shrink", "skiptrash", "unlock", "unregister")
"""How options begin that do what those verbs do."""

PRODUCTION = frozenset(["prod", "production", "prd", "mainnet"])
NAMED_SO = frozenset(["PROD", "PRODUCTION", "PRD", "MAINNET", "LIVE"])
STAGES = ("RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_ENV")
"""Variables that say where a task works."""

TARGETS = ("PROFILE", "CONTEXT", "KUBECONFIG", "HOST", "URL", "WORKSPACE", "PROJECT")
"""How the names of variables end that say where a program works."""

DATA = vocabulary(
    "apply console copy db deploy exec execute import migrate migration push reset restore rollback runner seed sync "
    "shell tinker update"
)
"""What tasks are called that change what is stored."""

_ASKS = "get- list- describe- show- check- assess- select- measure- test- compare- simulate- validate- preview- "
_ASKS += "read- verify- print- dump- view- inspect- query-"
ASKS = tuple(_ASKS.split())
QUERIES = ("select ", "show ", "explain ", "with ", "\\d", "\\l")
FILES = (".yaml", ".yml", ".json", ".tfvars", ".toml", ".env", ".sh", ".sql", ".csv", ".md", ".txt")
PLACED = ("-e=", "-i=", "--env=", "--environment=", "--env-file=", "--inventory=")
"""Options whose value says where a program works, a file among them."""
CARRIERS = frozenset(["kubectl", "oc"])
ROOMS = ("network.cloud", "network.talk")
SPEAKING = (*ROOMS, *CODE, "building")
SECRETS = frozenset(["backup", "key", "keys", "secret", "secrets"])

EVERYBODY = vocabulary(
    "0.0.0.0/0 ::/0 allusers allauthenticatedusers public-read public-read-write cluster-admin administratoraccess "
    "roles/owner permission=admin role=admin role:root --allow-write --allow-unauthenticated --public user:* "
    "--publicly-accessible privileged:true hostpid:true hostnetwork:true administrator superuser accountadmin sysadmin "
    "domain-admins enterprise-admins anyone everyone everyone:f allow-all anonymous --acl-public system:authenticated "
    "system:unauthenticated"
)
_RIGHTS = (
    "visibility=public clusteradmin=true policy=root allowed_actions=all repositories=all public-access=container "
    "group=all prefixes=* anonymous.enabled=true role=owner rolename=owner definitionname=owner force_push=true "
    "access_level=50 public-access=blob --address=0.0.0.0 group-names=all groups=all principal=* aws=* acl=public "
    "access=public privacy=public"
)
RIGHTS = tuple(_RIGHTS.split())
"""Whom a right is given that few should have, or what right: for everybody, or to do everything; by itself, or as the
end of a setting.
"""

GUARDS = vocabulary(
    "acls alarm alarms alert alerts alerting antivirus approval audit auditing auth authentication backup backups "
    "clamav crowdstrike defender deletion encryption fail2ban falco falcon firewall gatekeeper grant guardduty logging "
    "mfa monitor monitoring monitors networkpolicy protect protected protection protections quarantine ruleset "
    "scanning screensaver security selinux ssl sso tls tripwire trust verifier versioning waf webhookconfiguration"
)
"""What protects, watches or keeps: parts of the names of options, verbs and things."""

KEPT = vocabulary("expiration expire expiry ilm lifecycle policy retention ttl passwd passwords secret secrets")
SETS = frozenset(["add", "alter", "change", "modify", "put", "reset", "rotate", "set", "update", "write"])
"""How long something is kept, and who gets in; with a verb that sets it, others lose what they had."""

OFFS = vocabulary(
    "suspended bypass deactivate delete detach disable disabled false mute never no none off remove silence skip"
)
VALUES = frozenset(["0", "disabled", "false", "none", "off"])
STOPS = vocabulary("deactivate disable halt off poweroff reboot seal shutdown silence teardown unload unregister")
"""Words that switch off, values that do, and words that do so whatever stands beside them."""

JOINTS = str.maketrans(":_.=/@,", "-------")
CUTS = str.maketrans(dict.fromkeys(",;\"'[]{}() ", " "))
QUOTES = str.maketrans(dict.fromkeys("\"' ", ""))

QUERYING = vocabulary("query sql exec execute eval rpc -e -c -q --query --sql --execute --command --eval")
DROPS = "DROP TABLE|DROP DATABASE|DROP SCHEMA|TRUNCATE TABLE|DELETE FROM"
"""Words behind which a program that nothing here knows is told a statement; statements that destroy."""

REQUESTS = frozenset(["curl", "http", "https", "xh", "wget"])
CHANGES = ("-X", "--request", "-d", "--data", "-F", "--form", "-T", "--upload", "--json", "--post", "--method")
SCRIPTED = frozenset(["delete", "hidden", "empty", "erase", "send", "remove"])
"""What one program tells another to do in a script of AppleScript, and nobody brings back."""

VERBS = vocabulary(
    "delete destroy terminate purge remove rm rb del drop erase wipe undefine unregister unregistervm uninstall"
)
"""How programs say that something goes: what `VERB` stands for in a row, by itself or as `apps:destroy`."""

_THINGS = (
    "project vm function disk snapshot image instance server droplet linode volume machine cluster bucket share table "
    "queue fs account container database db backup secret keyvault repository repo app addon branch dataset topic aks "
    "acr cosmosdb redis namespace collection schema index stack site file-system nodegroup log-group stream user-pool "
    "domain archive vault recovery-point organization hosted-zone vhost orb"
)
THINGS = tuple([f"-{thing}{plural}" for thing in _THINGS.split() for plural in ("", "s")])
"""What holds data, or runs: what `THING` stands for; `VERB-THING` are both in one word, as `delete-db-instance`."""

CALLS = (
    "EXECUTE*DROP TABLE|EXECUTE*DROP DATABASE|EXECUTE*DROP SCHEMA|EXECUTE*TRUNCATE |EXECUTE*DELETE FROM|QUERY(*DROP |"
    "QUERY(*TRUNCATE |QUERY(*DELETE FROM|.EXEC(*DROP |.FLUSHALL(|.FLUSHDB(|.DROPDATABASE(|.DROP_DATABASE(|.DROP_ALL(|"
    "FILTER(*.DELETE()|OBJECTS*.DELETE()|QUERY*.DELETE()|WHERE(*.DELETE()|.API(*.DELETE()|"
    ".DROP_COLLECTION(|.DELETE_*(|.TERMINATE_*(|IF_EXISTS='REPLACE'|IF_EXISTS=\"REPLACE\"|REQUESTS.DELETE(|.SENDMAIL(|"
    ".SEND_MESSAGE(|SEND_MAIL(|SEND_MASS_MAIL(|.DELIVER_NOW|.DELIVER_LATER|DELETE_REPO(|[*.DELETE() FOR|"
    "QUERY()->DELETE(|"
    "->TRUNCATE(|::TRUNCATE(|.OBLITERATE(|.DELETEMANY(|.REF.DELETE()|OBJECT_VERSIONS.DELETE(|.DELETE_ALL|.DESTROY_ALL|.OBJECTS.ALL().DELETE("
)
"""Calls in code that destroy at a service, as statements are: upper case, `*` between parts."""


def parts_of(word: str) -> list[str]:
    """The words in a word: `db:reset`, `delete-job`, `erase_flash`, `prod1`."""
    return [part.rstrip("0123456789") for part in word.lower().translate(JOINTS).split("-")]


def first_name(word: str) -> str:
    """The name with which a text begins."""
    return next((word[:at] for at, char in enumerate(word) if not (char.isalnum() or char == "_")), word)


def values_of(word: str) -> list[str]:
    """The words of a setting, or of a document in one word."""
    return word.translate(CUTS).split() if word[:1] in "{[" else [word]


def is_store(parts: list[str] | set[str]) -> bool:
    """One of the words names what holds data."""
    return any(part in STORES or f"-{part}".endswith(THINGS) for part in parts)


def only_shows(word: str) -> bool:
    """A verb that only looks: `list`, `get-users`, `read_flash`, `api:messages:list`."""
    return word.rpartition(":")[2] in LOOKS or word.replace("_", "-").startswith(ASKS)


def is_production(word: str) -> bool:
    """A word names production, and is neither a file of the project nor a text."""
    if word[:1] in "{[":
        told = '"'.join([part for part in word.split('"') if part.count(" ") < 4])  # the others are prose
        return any(map(is_production, values_of(told)))
    low = word.lower()
    if word.startswith(PLACED):
        value = low.partition("=")[2]
        low = value.rpartition(".")[0] or value
    if not (low == "--live" or any(one in low for one in PRODUCTION)):
        return False
    if low.endswith((*FILES, "=false")) or (" " in low and "=" not in low.strip().partition(" ")[0]):
        return False
    return low == "--live" or not PRODUCTION.isdisjoint([one for part in low.split() for one in parts_of(part)])


def opens_up(word: str) -> bool:
    """A right for everybody, or to do everything."""
    low = word.lower()
    pieces = {low.replace(" ", "-"), *low.translate(CUTS).split(), low.rpartition("=")[2]}
    if low.endswith(":public") or not EVERYBODY.isdisjoint(pieces):
        return True
    bare = low.translate(QUOTES).replace(":", "=").replace("==", "=")
    return "=" in bare and any(one in bare for one in RIGHTS)
