"""What the word `act` of an effect may say beyond its kind and path, for rules and for the page about guards."""

from __future__ import annotations

ACTS = {
    # On files.
    "move": "a thing goes elsewhere, whole",
    "empty": "only an empty folder is removed",
    "shred": "the content is overwritten so that nobody reads it again",
    "blank": "nothing stays in the file",
    "mode": "permissions, owner or flags change, the content does not",
    # git: the work tree and its own files.
    "git.tree": "git switches or updates the work tree, and refuses where something would be lost",
    "git.own": "git writes a file of its own",
    "git.guarded": "git refuses by itself where something would be lost",
    "git.restore": "files are taken from the index or a commit, over changes",
    "git.discard": "the work tree is switched by force, over changes",
    "git.reset": "the work tree is reset, over changes",
    "git.clean": "untracked files are removed",
    "changes.drop": "another version control drops changes that are in no commit",
    "git.worktree": "a work tree is removed by force",
    # git: history.
    "git.stash": "stashed changes are dropped",
    "git.prune": "what no branch points to is dropped at once",
    "git.rewrite": "all history is written anew",
    "branch.delete": "a branch is removed, merged or not",
    "branch.move": "a branch is moved over another",
    "tag.delete": "a tag is removed",
    "ref.delete": "a ref is removed",
    "git.push": "commits are sent",
    "push.force": "a branch elsewhere is overwritten",
    "push.lease": "a branch elsewhere is overwritten, if nobody else moved it",
    "push.delete": "refs elsewhere are removed",
    "remote.delete": "a repository elsewhere is removed",
    # Programs that others name.
    "hooks.skip": "the repository's hooks do not run",
    "git.program": "git runs a program that the command names",
    "variable.*": "a variable that changes what programs run is set",
    "code.unknown": "a shell or an interpreter runs what only the running shell knows",
    "endless": "a function calls itself, or a loop without an end starts jobs",
    # Who runs it, and what it changes.
    "as-other": "it runs as somebody else",
    "root-shell": "a shell is opened as somebody else",
    "owner": "it belongs to somebody else from now on",
    "open": "anybody may write it from now on",
    "setuid": "it runs as its owner from now on",
    "container": "a container gets powers over this machine",
    "disk": "what a disk or a file that is one holds is written anew",
    "machine": "services, accounts, kernel or network rules of the machine change",
    "password": "a program takes a person's password from its input",
    "later": "commands are kept that run when the session is over",
    "volumes": "the data of containers is removed",
    "processes": "processes end",
    "processes.all": "every process of a person ends",
    "packages": "packages are fetched, or installed into the machine",
    # What leaves the machine.
    "send": "this file is sent elsewhere",
    "send.input": "what the command is fed is sent elsewhere",
    "send.unknown": "text that only the running shell knows is sent elsewhere",
    "send.files": "files are packed straight to another machine",
    "talk": "its input goes elsewhere",
    "elsewhere": "a command runs elsewhere, and its input goes there",
    "away": "something is removed on another machine, or in a container that goes on",
    "secret": "what a variable holds that has the name of a credential is shown, or handed on",
    "shown": "what a variable holds that the command itself was filled with is shown, or handed on",
    "socket": "the shell opens a connection by itself",
}
"""`*` stands for a name."""
