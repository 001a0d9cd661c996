"""Which commands of a stream a person should be asked about: a rule from their text alone, older than any verdict.

It was written before the guard saw a stream, and knows nothing of the guard: what destroys or publishes beyond the
working tree, drops changes that are in no commit, changes the machine or what runs later, shows a credential, or runs
what comes from the network. What a build makes again, a temporary folder and a single file of the project are none.
"""

# ruff: noqa: E501 - a table of patterns, one a line

from __future__ import annotations

import re

START = r"(?:^|[;&|({`\n]\s*|\b(?:sudo|xargs|env|time|then|do|else|exec|nohup|-exec)\s+(?:-\S+\s+)*|[A-Z_]+=\S*\s+)"
FAR = r"(?:[\"']?(?:/(?!tmp\b|var/tmp\b|private/tmp\b|dev/null\b)|~|\$\{?HOME\b|\.\.(?:/|\s|$))|\*(?:\s|$)|\.git\b|\.(?:\s|$))"

RULES = (
    ("destroys", rf"{START}rm\s+(?:-\S+\s+)*-\S*[rR]\S*\s+(?:[^\s;&|]+\s+)*?{FAR}"),
    ("destroys", rf"{START}(?:shred|wipefs|mkfs\S*|fdisk|parted|srm)\s"),
    ("destroys", rf"{START}dd\s.*\bof=/dev/(?!null)"),
    ("destroys", rf"{START}find\s+(?!\.\s){FAR}.*(?:-delete|-exec\s+rm)"),
    ("drops changes", rf"{START}git\s+(?:-\S+\s+\S+\s+)*reset\s+(?:\S+\s+)*--(?:hard|merge)"),
    ("drops changes", rf"{START}git\s+(?:-\S+\s+\S+\s+)*clean\s+(?:\S+\s+)*-\w*[fxd]"),
    ("drops changes", rf"{START}git\s+(?:-\S+\s+\S+\s+)*(?:checkout\s+(?:\S+\s+)?--\s|checkout\s+\.|checkout\s+-f|restore\s)"),
    ("drops changes", rf"{START}git\s+(?:-\S+\s+\S+\s+)*stash\s+(?:drop|clear)"),
    ("drops changes", rf"{START}git\s+(?:-\S+\s+\S+\s+)*(?:branch\s+(?:\S+\s+)*-D|filter-branch|filter-repo|reflog\s+expire)"),
    ("drops changes", rf"{START}git\s+(?:-\S+\s+\S+\s+)*(?:worktree\s+remove\s+.*(?:-f|--force)|update-ref\s+-d|tag\s+-d)"),
    ("skips checks", rf"{START}git\s[^;&|]*--no-verify"),
    ("publishes", rf"{START}git\s[^;&|]*push\s[^;&|]*(?:--force(?!-with-lease)|\s-f\b|\s\+\S|--delete|\s:\S|--mirror)"),
    ("publishes", rf"{START}(?:npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|deno|jsr|vsce|ovsx|lerna)\s+(?:\S+\s+)*?publish\b(?!.*dry-run)"),
    ("publishes", rf"{START}(?:twine\s+upload|gem\s+push|goreleaser\s+release|semantic-release|dotnet\s+nuget\s+push|nuget\s+push)"),
    ("publishes", rf"{START}(?:docker|podman|skopeo|crane|helm|buildah)\s+(?:\S+\s+)*?push\b"),
    ("publishes", rf"{START}docker\s+(?:buildx\s+)?build\b.*--push\b"),
    ("publishes", rf"{START}gh\s+(?:release\s+(?:create|delete|upload|edit)|repo\s+(?:delete|archive|edit)|pr\s+merge|secret\s+|workflow\s+run)"),
    ("destroys elsewhere", rf"{START}(?:terraform|tofu|terragrunt|pulumi|cdk|eksctl|sam)\s+(?:\S+\s+)*?(?:destroy|delete)\b"),
    ("destroys elsewhere", rf"{START}(?:terraform|tofu|terragrunt)\s+(?:\S+\s+)*?(?:state\s+rm|force-unlock|apply\s.*-auto-approve)"),
    ("destroys elsewhere", rf"{START}(?:kubectl|oc|k)\s+(?:\S+\s+)*?(?:delete|drain|replace\s.*--force)\b"),
    ("destroys elsewhere", rf"{START}(?:helm|helmfile|argocd|flux|velero|linkerd|istioctl)\s+(?:\S+\s+)*?(?:uninstall|delete|destroy|rollback)\b"),
    ("destroys elsewhere", rf"{START}(?:kind|minikube|k3d|kubeadm|kops)\s+(?:\S+\s+)*?(?:delete|reset)\b"),
    ("destroys elsewhere", rf"{START}(?:aws|gcloud|az|doctl|oci|ibmcloud|linode-cli|hcloud|heroku|fly|flyctl|vercel|railway|supabase|wrangler)\s[^;&|]*(?:\b(?:delete|destroy|terminate|purge|remove|reset)\b|\bdelete-|\bterminate-|\brb\b|s3\s+rm\b|:destroy\b)"),
    ("destroys elsewhere", rf"{START}(?:docker|podman|nerdctl)\s+(?:\S+\s+)*?(?:prune|volume\s+rm|swarm\s+leave|stack\s+rm|service\s+rm|secret\s+rm)\b"),
    ("destroys elsewhere", rf"{START}(?:docker\s+compose|docker-compose|podman-compose)\s[^;&|]*down\s[^;&|]*(?:-v\b|--volumes|--rmi)"),
    ("destroys elsewhere", rf"{START}(?:dropdb|dropuser)\b|\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA|OWNED)|TRUNCATE\s+TABLE|DELETE\s+FROM|FLUSHALL|FLUSHDB|dropDatabase)\b"),
    ("destroys elsewhere", r"\b(?:migrate\s+reset|db:(?:drop|reset|wipe)|migrate:fresh|db\s+reset|prisma\s+db\s+push.*--accept-data-loss)\b"),
    ("changes the machine", rf"{START}(?:apt|apt-get|yum|dnf|brew|pacman|apk|zypper|snap|choco|winget|scoop)\s+(?:-\S+\s+)*(?:remove|purge|autoremove|uninstall|del|erase)\b"),
    ("changes the machine", rf"{START}(?:shutdown|reboot|halt|poweroff|mount|umount|swapoff|iptables|ufw|visudo|useradd|userdel|usermod|passwd|chsh|sysctl\s+-w|modprobe|insmod|nvram|csrutil|diskutil\s+erase\w*)\b"),
    ("changes the machine", rf"{START}(?:systemctl|service|launchctl)\s+(?:\S+\s+)*?(?:stop|disable|mask|restart|enable|start|load|unload|bootout)\b"),
    ("changes the machine", rf"{START}(?:killall|pkill\s+-9|kill\s+-9\s+-1|kill\s+-1)\b"),
    ("changes the machine", rf"{START}(?:chmod|chown|chgrp)\s+(?:-\S+\s+)*-\S*R\S*\s+\S+\s+{FAR}|{START}chmod\s+(?:-\S+\s+)*(?:0?777|a\+w|o\+w)\b"),
    ("changes the machine", r"(?:>>?|\btee\s+(?:-a\s+)?)\s*[\"']?/(?:etc|usr|bin|sbin|boot|lib|opt|Library|System)/"),
    ("changes the machine", rf"{START}(?:cp|mv|install|ln|rm)\s[^;&|]*\s[\"']?/(?:etc|usr|bin|sbin|boot|lib|opt|Library|System)/"),
    ("runs later", r"(?:>>?|\btee\s+(?:-a\s+)?)\s*[\"']?(?:~|\$\{?HOME\}?|/Users/\w+|/home/\w+|/root)/\.(?:bash|zsh|profile|ssh|gitconfig|npmrc|config/(?:fish|autostart|systemd))"),
    ("runs later", rf"{START}crontab\s+(?!-l)|{START}at\s+\d|{START}schtasks\s+/create"),
    ("runs later", rf"{START}git\s+config\s+(?:\S+\s+)*--(?:global|system)\s+(?!--get|-l|--list)(?:core\.(?:hookspath|sshcommand|fsmonitor|editor|pager)|alias\.|credential)"),
    ("shows a credential", rf"{START}(?:cat|less|more|head|tail|bat|xxd|base64|strings|grep|sed|awk|cp|source|\.)\s[^;&|]*(?:\.ssh/id_|\.aws/credentials|\.netrc|\.pgpass|\.kube/config|\.docker/config\.json|\.npmrc|\.pypirc|\.env(?!\.(?:example|sample|template|dist|test))\b|\.pem\b|/etc/shadow)"),
    ("shows a credential", rf"{START}(?:gh\s+auth\s+token|security\s+find-\S+-password|pass\s+show|op\s+read|vault\s+(?:kv\s+get|read)|aws\s+configure\s+get|gcloud\s+auth\s+print-\S+|kubectl\s+get\s+secrets?\s.*-o)"),
    ("shows a credential", rf"{START}(?:echo|printf)\s[^;&|>]*\$\{{?\w*(?:TOKEN|SECRET|PASSWORD|API_KEY|PRIVATE_KEY)\b|{START}(?:printenv|env)\s*(?:$|\|)"),
    ("runs what it fetches", r"\b(?:curl|wget|fetch)\b[^;\n]*\|\s*(?:sudo\s+)?(?:\S*/)?(?:ba|z|da|k)?sh\b|(?:ba|z)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:curl|wget)"),
    ("runs what it fetches", r"\b(?:curl|wget)\b[^;\n]*\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|php)\b"),
    ("runs what it fetches", r"(?i)\b(?:iex|invoke-expression)\b.*\b(?:irm|iwr|curl|wget|downloadstring|invoke-(?:webrequest|restmethod))\b|\b(?:irm|iwr)\b.*\|\s*iex\b"),
    ("destroys", r"(?i)\bremove-item\s[^;|]*?[\s\"'](?:[a-z]:\\|\$env:(?!temp|tmp)|\$home|~|hk(?:lm|cu):|/)[^;|]*-recurse|\bremove-item\b[^;|]*-recurse[^;|]*(?:[a-z]:\\|\$env:(?!temp|tmp)|\$home|~|hk(?:lm|cu):)"),
    ("changes the machine", r"(?i)(?<![-\w])(?:set-executionpolicy|stop-computer|restart-computer|format-volume|clear-disk|disable-\w+|stop-service|set-service|restart-service|new-service|set-mppreference|uninstall-\w+|remove-appxpackage|new-localuser|add-localgroupmember|reg\s+(?:add|delete)|set-itemproperty[^;|]*hk(?:lm|cu):)"),
    ("publishes", r"(?i)\b(?:publish-(?:module|psresource|script)|nuget\s+push)\b"),
    ("runs later", r"(?i)\b(?:register-scheduledtask|new-scheduledtask)\b|add-content[^;|]*\$profile"),
)  # fmt: skip

MESSAGE = re.compile(r"(?:-m|--message|--body|--title|-b|-t)[ =](?:\"(?:[^\"\\]|\\.)*\"|'[^']*')", re.DOTALL)
HERE = re.compile(r"<<-?\s*[\"']?(\w+)[\"']?[^\n]*\n.*?\n\s*\1\b", re.DOTALL)
PATTERN = re.compile(
    r"((?:^|[;&|]\s*)(?:grep|rg|ag|echo|printf|sed|awk|jq)\b[^;&|\n]*?)(?:\"(?:[^\"\\$]|\\.)*\"|'[^']*')"
)

_COMPILED = tuple((label, re.compile(pattern, re.MULTILINE)) for label, pattern in RULES)


def reason(command: str) -> str:
    """Why a person should be asked, "" when none is needed; what only is written or looked for is no reason."""
    text = PATTERN.sub(r"\1 TEXT", HERE.sub("", MESSAGE.sub("", command)))
    return next((label for label, pattern in _COMPILED if pattern.search(text)), "")
