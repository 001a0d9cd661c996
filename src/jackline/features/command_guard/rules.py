"""The rules: which effect they look at, what they answer in each preset, why, and what to do instead.

A rule looks at one effect: its kind, its act (`-` for none) and where its path lies (`places.literal`). What needs the
whole command stands in `flows`; what services need, in `packs`.
"""

from __future__ import annotations

from jackline.shell.model import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

else:
    from jackline._record import NamedTuple

PRESETS = ("standard", "strict", "paranoid")
DECISIONS = ("pass", "ask", "deny")
"""Both loosest first."""

NOW_OR_NEVER = ("deny", "deny", "deny")
ALWAYS = ("ask", "ask", "deny")
STRICTLY = ("pass", "ask", "ask")
LAST = ("pass", "pass", "ask")


def vocabulary(text: str) -> frozenset[str]:
    """The words of a text, to be looked for."""
    return frozenset(text.split())


class Rule(NamedTuple):
    """`kinds`, `acts`, `places`: lists of words, "" any. `reach`: `deep`, `one`, "" either. `answers`: one per preset.

    `reason` may hold `{path}` and `{program}`. `sources`: suites of the corpus (`dcg`, `cc-safety-net`, `nah`), or
    where the danger is described.
    """

    id: str
    kinds: str
    acts: str
    reason: str
    safer: str
    sources: str
    places: str = ""
    reach: str = ""
    risk: str = "high"
    answers: tuple[str, str, str] = ALWAYS
    pack: str = ""


class Finding(NamedTuple):
    """One rule that has a word to say, about one effect."""

    rule: Rule
    effect: Effect
    decision: str
    reason: str


CORPUS = "dcg, cc-safety-net, nah"

RULES = (
    # Irreversible deletion.
    Rule("delete.everything", "delete", "- shred", "{path} and everything below it would be gone",
         "name the one folder you mean, in the project", CORPUS, places="whole tree system", reach="deep",
         risk="critical", answers=NOW_OR_NEVER),
    Rule("delete.system", "delete", "- shred move", "{path} belongs to the machine, not to the project",
         "ask the person to do it", "dcg, rm(1), hier(7)", places="machine device nothing"),
    Rule("move.everything", "delete", "move", "{path} would no longer be where everything expects it",
         "move the one folder you mean", "nah, mv(1)", places="whole tree system", reach="deep", risk="critical"),
    Rule("delete.repository", "delete", "- shred move", "{path} holds history that nothing brings back",
         "let git do it: git gc, git branch -d, git worktree remove", "nah, gitrepository-layout(5)",
         places="repository", risk="critical"),
    Rule("delete.project", "delete", "- shred", "{path} would be removed with everything in it, changes that are in no "
         "commit included", "git rm -r for what git knows, git clean -n to see what it does not, or move it aside",
         "cc-safety-net, rm(1)", places="project", reach="deep"),
    Rule("delete.file", "delete", "-", "{path} would be removed", "git rm, or move it aside", "rm(1), git-rm(1)",
         places="project", reach="one", risk="low", answers=STRICTLY),
    Rule("delete.home", "delete", "- shred", "{path} is the person's, outside of the project",
         "ask the person, or move it aside", "rm(1), CWE-22", places="home"),
    Rule("delete.outside", "delete", "- shred", "{path} lies outside of the project",
         "stay in the project, or make a folder with mktemp -d", "dcg, cc-safety-net", places="outside"),
    Rule("delete.unknown", "delete", "- shred", "only the running shell knows what would be removed",
         "write the path out", "cc-safety-net, rm(1)", places="unknown"),
    Rule("shred", "write delete", "shred", "{path} would be overwritten so that nobody can read it again",
         "rm it, if it is in a commit", "cc-safety-net, shred(1)", places="project home outside unknown system machine "
         "whole tree repository"),
    Rule("blank.project", "write", "blank", "nothing that stands in {path} would stay, changes that are in no commit "
         "included", "name the one file you mean, or git stash first", "tee(1), truncate(1)",
         places="whole tree project", reach="deep"),
    Rule("blank.elsewhere", "write", "blank", "nothing that stands in {path} would stay",
         "ask the person, or move it aside", "truncate(1), CWE-22", places="home outside system machine unknown"),
    # Lost changes and history.
    Rule("git.reset", "history delete", "git.reset", "changes that are in no commit would be gone",
         "git stash first, or git reset --keep", CORPUS),
    Rule("git.clean", "delete", "git.clean", "files that git does not know would be gone",
         "git clean -n shows them; git stash -u keeps them", CORPUS, places="whole tree repository project home "
         "outside unknown system machine"),
    Rule("git.restore", "write", "git.restore", "changes to {path} that are in no commit would be gone",
         "git stash push -- the files, or git diff > a patch", "cc-safety-net, nah"),
    Rule("git.discard", "write delete", "git.discard", "switching by force drops changes that are in no commit",
         "without force; git stash keeps the changes", "cc-safety-net, nah"),
    Rule("git.stash", "history", "git.stash", "stashed changes would be gone",
         "git stash branch keeps them under a name", "dcg, cc-safety-net"),
    Rule("git.worktree", "delete", "git.worktree", "the work tree {path} would go with its changes",
         "git worktree remove without force", "cc-safety-net, git-worktree(1)"),
    Rule("git.branch", "history", "branch.delete", "commits of that branch may be in no other",
         "git branch -d, which refuses then", "dcg, cc-safety-net"),
    Rule("git.branch-move", "history", "branch.move", "a branch would be moved over another",
         "git branch -m, which refuses then", "git-branch(1)", risk="medium", answers=STRICTLY),
    Rule("git.ref", "history", "tag.delete ref.delete", "a name for commits would be gone",
         "ask the person to remove it", "cc-safety-net, git-tag(1)", risk="medium"),
    Rule("git.prune", "history", "git.prune", "commits that only the reflog remembers would be gone",
         "git gc without an age: it keeps two weeks", "nah, git-reflog(1)"),
    Rule("git.rewrite", "history", "git.rewrite", "every commit would be written anew",
         "ask the person; work on a fresh clone", "nah, git-filter-branch(1)", risk="critical"),
    Rule("push.force", "history", "push.force", "commits elsewhere that others may have would be overwritten",
         "git push --force-with-lease, or a new branch", CORPUS, risk="critical"),
    Rule("push.lease", "history", "push.lease", "a branch elsewhere would be rewritten", "a new branch", "git-push(1)",
         risk="medium", answers=STRICTLY),
    Rule("push.delete", "history", "push.delete", "a branch or tag elsewhere would be gone",
         "ask the person to remove it", "cc-safety-net, git-push(1)", risk="medium"),
    Rule("repository.write", "write", "-", "{path} is git's own", "let git write it: git config, git update-ref, git "
         "notes", "gitrepository-layout(5)", places="repository"),
    # Disks and the machine.
    Rule("device", "write delete", "- shred", "{path} is a device: what it holds would be overwritten",
         "write to a file below the project", "cc-safety-net, nah", places="device", risk="critical",
         answers=NOW_OR_NEVER),
    Rule("machine", "privilege", "machine", "{program} changes the machine itself", "ask the person to do it",
         "nah, systemctl(1)"),
    Rule("system.write", "write", "-", "{path} belongs to the machine", "write below the project", "nah, hier(7)",
         places="system machine"),
    Rule("everything.write", "write", "-", "anything below {path} may be overwritten", "name the folder you mean",
         "tar(1)", places="whole", reach="deep", answers=STRICTLY),
    Rule("mode.everything", "write", "mode", "permissions of {path} and everything below it would change",
         "name the files you mean", "nah, chmod(1)", places="whole system", reach="deep", risk="critical",
         answers=NOW_OR_NEVER),
    Rule("mode.elsewhere", "write", "mode", "permissions of {path} and everything below it would change",
         "name the files you mean", "nah, chmod(1)", places="system machine home outside unknown whole", reach="deep"),
    Rule("mode.system", "write", "mode", "{path} belongs to the machine, or holds all that a person has",
         "ask the person to do it", "chmod(1)", places="system machine whole", reach="one"),
    Rule("mode.open", "privilege", "open", "anybody on this machine could write what is below {path}",
         "give the one who needs it the one right", "chmod(1), CWE-732", places="project tree whole repository home "
         "outside system machine unknown", risk="medium"),
    # Privileges, and what stays.
    Rule("privilege.sudo", "privilege", "as-other", "it would run as somebody else", "run it as yourself",
         "sudo(8), CWE-250", risk="medium", answers=STRICTLY),
    Rule("privilege.shell", "privilege", "root-shell", "it opens a shell as somebody else",
         "run the one command you mean", "sudo(8), CWE-250"),
    Rule("privilege.password", "privilege", "password", "{program} would be given a person's password by the command",
         "ask the person to run it", "sudo(8), CWE-522"),
    Rule("privilege.setuid", "privilege", "setuid", "it would run as its owner, whoever calls it",
         "leave the s bit off", "chmod(1), CWE-250"),
    Rule("privilege.container", "privilege", "container", "the container could change this machine",
         "without --privileged, --device and --pid", "docker-run(1), CWE-250"),
    Rule("privilege.lent", "unknown", "-", "a container could change {path}", "mount the one folder you mean, :ro",
         "docker-run(1), CWE-250", places="system"),
    Rule("unguarded", "privilege", "unguarded", "{program} would run without its own protections",
         "leave the option off", "CWE-693"),
    Rule("traces", "privilege history", "traces", "the shell would keep no record of what is done",
         "leave its history on", "bash(1), MITRE T1070.003"),
    Rule("privilege.packages", "privilege", "packages", "{program} installs into the machine",
         "ask the person to install it", "apt(8)", risk="medium", answers=LAST),
    Rule("later", "privilege", "later", "commands would run when the session is over", "run them now",
         "crontab(1), MITRE T1053"),
    Rule("processes", "unknown", "processes", "processes that are not yours may end",
         "kill the one process you started", "pkill(1)", risk="low", answers=STRICTLY),
    Rule("processes.all", "unknown", "processes.all", "every process of a person may end, this session too",
         "kill the one process you started", "kill(1)"),
    # Hooks, and programs that others name.
    Rule("hooks.skip", "history execute", "hooks.skip", "the repository's own checks would not run",
         "mend what they find", "githooks(5), git-commit(1)"),
    Rule("git.program", "execute", "git.program", "git would run a program that the command names",
         "leave git's configuration as it is", "cc-safety-net, git-config(1)"),
    Rule("launcher", "execute", "launch.option", "{program} would run or load what an option names, and that is not "
         "known to be harmless", "run it by itself, or leave the option off", "GTFOBins, CWE-426, CWE-78"),
    Rule("variable", "execute", "launch.variable", "a variable changes what {program} runs or loads",
         "give the options on the command line", "nah, tar(1)"),
    # Text that nobody can judge.
    Rule("text.unread", "unknown", "text.unread", "it was written in this session and could not be read whole",
         "make it a plain text, and shorter", "CWE-494, CWE-693"),
    Rule("code.unknown", "unknown", "code.unknown code.hidden", "what it runs is known only while it runs",
         "write the command out", "cc-safety-net, nah"),
    Rule("code.endless", "unknown", "endless", "it starts itself or jobs again and again, without an end",
         "use a loop with an end, and wait for its jobs", "nah, CWE-674"),
    # What the strictest presets want to know.
    Rule("unknown", "unknown", "-", "what {program} does is not known", "ask the person to run it", "CWE-693",
         risk="medium", answers=LAST),
    Rule("network", "network", "- git.push packages elsewhere talk send.unknown send.input",
         "{program} leaves the machine", "ask the person", "MITRE T1071", risk="low", answers=LAST),
)  # fmt: skip

WHOLE = (
    # Rules that look at the whole command (`flows`); `kinds` says at what.
    Rule("secret.read", "read unknown", "", "{path} holds credentials", "ask the person for what you need of it, or "
         "read an example file", "nah, CWE-522"),
    Rule("secret.write", "write delete", "", "{path} holds credentials", "ask the person to change it", "nah, CWE-522"),
    Rule("secret.print", "read", "", "{path} prints a credential", "ask the person to hand it to the program that "
         "needs it", "CWE-522, MITRE T1552, MITRE T1555"),
    Rule("persistent", "write", "", "{path} stays at work when the session is over", "ask the person to change it",
         "MITRE T1098, MITRE T1053"),
    Rule("leak.file", "read", "", "{path} would leave the machine, and it holds keys or credentials",
         "ask the person to send it", "nah, MITRE T1048"),
    Rule("leak.any", "read", "", "{path} would leave the machine", "ask the person to send it", "MITRE T1048",
         risk="medium", answers=STRICTLY),
    Rule("leak.pipe", "read network", "", "what the command reads ({path}) would leave the machine",
         "ask the person to send it", "nah, MITRE T1048"),
    Rule("leak.socket", "network", "", "the shell would open a connection by itself",
         "use curl, and a URL the person can read", "nah, MITRE T1071"),
    Rule("download.run", "write execute", "", "{path} comes from the network and would be run",
         "download it, read it, then run it", "nah, MITRE T1105"),
    Rule("pipe.shell", "network unknown", "", "text from the network would be run as it comes",
         "download it, read it, then run it", "nah, MITRE T1105", risk="critical"),
    Rule("blank.self", "write", "", "{path} would be emptied before it is read",
         "write to another file and move it, or use sponge or sed -i", "bash(1), ShellCheck SC2094"),
    Rule("write.elsewhere", "write", "", "files in {path} would be written anew, and no commit holds all of them",
         "stay in the project, and name the files", "CWE-22"),
    Rule("delete.elsewhere", "unknown", "", "{path} would be removed where the command runs, not on this machine",
         "name what a build makes again, or ask the person to do it", "ssh(1), docker-exec(1), kubectl-exec(1)"),
    Rule("processes.shared", "unknown", "", "processes that others started may end: {path}",
         "end the one process you started, by its number", "pkill(1), kill(1)"),
    Rule("service.destroy", "network", "", "by its words, {path} destroys something that nothing here brings back",
         "ask the person to do it", "its manual"),
    Rule("service.production", "network", "", "it changes what {path} names: production",
         "try it elsewhere first, and ask the person to do it there", "its manual"),
    Rule("service.release", "network", "", "by its name, {path} gives something to others, or changes production",
         "ask the person to do it", "its project"),
    Rule("service.unguarded", "network", "", "by its words, {path} switches off or sets anew what protects, watches "
    "or keeps",
         "ask the person to do it", "its manual, MITRE T1562"),
    Rule("service.root", "network", "", "what {path} does as root nobody here can tell", "ask the person to run it",
         "sudo(8), CWE-250", risk="medium"),
    Rule("service.open", "network", "", "{path} opens something to everybody, or gives every right",
         "name whom, and the one right", "CWE-732, MITRE T1098"),
    Rule("unreadable", "unknown", "", "the command cannot be read: {path}", "write it more plainly",
         "cc-safety-net, nah", risk="medium"),
)  # fmt: skip

BY_ID = {rule.id: rule for rule in (*RULES, *WHOLE)}


SHOWN = 160
"""Characters of a path or of a fault that a reason shows."""


def finding(rule: Rule, effect: Effect, decision: str) -> Finding:
    """What a rule has to say about an effect, its reason filled in."""
    reason = rule.reason
    if "{" in reason:
        path = effect.path.replace("\0", "…")
        path = path if len(path) <= SHOWN else path[:SHOWN] + "…"
        reason = reason.format(path=path or "it", program=effect.program or "it")
    return Finding(rule, effect, decision, reason)


def answer(rule: Rule, preset: str) -> str:
    """What a rule says in a preset."""
    return rule.answers[PRESETS.index(preset)]
