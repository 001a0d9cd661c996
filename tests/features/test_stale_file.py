"""stale-file: nobody overwrites what he has not seen, by any tool, and everybody may go on after a look."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jackline.features.stale_file import writers
from jackline.features.stale_file.file_version import digest
from jackline.model import Action

from .agents import Agent, Tree
from .feature import FEATURES, OWN_PLAN


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path)
    made.put("a.py", "one\ntwo\nthree\n")
    made.put("b.py", "x = 1\n")
    made.put("src/c.py", "c\n")
    return made


@pytest.fixture
def me(tree: Tree) -> Agent:
    return Agent(tree)


def stale(action: Action | None) -> bool:
    if action is None:
        return False
    assert (action.decision, action.code) == ("deny", "STALE_FILE"), action
    assert action.rule.startswith("stale-file: ") and action.safer and "\n" not in action.reason
    assert len(action.preview) <= 20
    return True


# --- every way to write -----------------------------------------------------------------------------------------

WRITES: dict[str, tuple[str, dict[str, Any]]] = {
    "Write": ("Write", {"file_path": "a.py", "content": "mine\n"}),
    "Edit": ("Edit", {"file_path": "a.py", "old_string": "two", "new_string": "2"}),
    "by another name": ("Write", {"file_path": "src/../a.py", "content": "mine\n"}),
    "sed -i": ("Bash", {"command": "sed -i s/two/2/ a.py"}),
    ">": ("Bash", {"command": "echo mine > a.py"}),
    ">>": ("Bash", {"command": "echo mine >> a.py"}),
    "tee": ("Bash", {"command": "echo mine | tee a.py"}),
    "here-document": ("Bash", {"command": "cat <<'E' > a.py\nmine\nE"}),
    "cp": ("Bash", {"command": "cp b.py a.py"}),
    "mv over it": ("Bash", {"command": "mv b.py a.py"}),
    "mv away": ("Bash", {"command": "mv a.py z.py"}),
    "rm": ("Bash", {"command": "rm a.py"}),
    "rm by a glob": ("Bash", {"command": "rm *.py"}),
    "find": ("Bash", {"command": "find . -name '*.py' -exec sed -i s/two/2/ {} +"}),
    "xargs": ("Bash", {"command": "grep -rl two . | xargs sed -i s/two/2/"}),
    "a substitution": ("Bash", {"command": "sed -i s/two/2/ $(git ls-files)"}),
    "a loop": ("Bash", {"command": 'find . -type f | while read f; do sed -i s/two/2/ "$f"; done'}),
    "python": ("Bash", {"command": "python3 - <<'E'\nfrom pathlib import Path\nPath('a.py').write_text('x')\nE"}),
    "perl": ("Bash", {"command": "perl -pi -e s/two/2/ a.py"}),
    "unpacked": ("Bash", {"command": "tar xf archive.tar"}),
    "patch": ("Bash", {"command": "patch -p1 < some.patch"}),
    "git apply": ("Bash", {"command": "git apply some.patch"}),
    "rsync": ("Bash", {"command": "rsync -a src/ ./"}),
    "nested": ("Bash", {"command": "bash -c 'cd src && echo x > ../a.py'"}),
    "git checkout": ("Bash", {"command": "git checkout -- a.py"}),
    "git reset": ("Bash", {"command": "git reset --hard"}),
    "formatter": ("Bash", {"command": "ruff format ."}),
    "apply_patch": (
        "Bash",
        {"command": "apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n@@\n-two\n+2\n*** End Patch\nE"},
    ),
    "moved by a patch": (
        "apply_patch",
        {"command": "*** Begin Patch\n*** Update File: a.py\n*** Move to: z.py\n@@\n-two\n+2\n*** End Patch"},
    ),
    "mcp": ("mcp__files__write_file", {"path": "a.py", "content": "mine\n"}),
    "mcp edit": ("mcp__files__edit_file", {"path": "a.py", "edits": [{"oldText": "two", "newText": "2"}]}),
    "unknown tool": ("Overwrite", {"target_path": "a.py", "content": "mine\n"}),
}


def client_of(tool: str) -> str:
    return "codex" if tool == "apply_patch" else "claude-code"


@pytest.mark.parametrize(("tool", "given"), WRITES.values(), ids=WRITES)
def test_what_somebody_else_changed_is_not_overwritten_by_any_way(tree: Tree, tool: str, given: dict[str, Any]) -> None:
    me = Agent(tree, client=client_of(tool))
    me.run("cat a.py")
    assert me.begin(tool, given, "first") is None, "nobody changed it"
    me.stop()
    tree.put("a.py", "one\ntwo, says the person\nthree\n")
    action = me.begin(tool, given, "second")
    assert stale(action) and action is not None
    assert action.reason.startswith("a.py changed since you read it at ")
    assert action.reason.endswith("outside of any session")
    assert "+two, says the person" in action.preview and "-two" in action.preview
    assert tree.text("a.py") == "one\ntwo, says the person\nthree\n"
    me.run("cat a.py")
    assert me.begin(tool, given, "third") is None, "a new read clears it"


@pytest.mark.parametrize(("tool", "given"), WRITES.values(), ids=WRITES)
def test_a_file_that_was_never_read_is_not_stale(tree: Tree, tool: str, given: dict[str, Any]) -> None:
    assert Agent(tree, client=client_of(tool)).begin(tool, given, "one") is None


@pytest.mark.parametrize("command", ["chmod +x a.py", "touch a.py", "chmod -R go-w .", "chown 0 a.py", "touch *.py"])
def test_rights_and_times_overwrite_nothing(tree: Tree, me: Agent, command: str) -> None:
    other = Agent(tree, sid="cafe0001")
    me.run("cat a.py")
    tree.put("a.py", "one\ntwo, says the person\nthree\n")
    assert me.begin("Bash", {"command": command}, "c") is None
    me.end("Bash", {"command": command}, "c")
    assert other.write("a.py", "x\n") is None, "nobody claims a file for that"
    assert stale(me.begin("Bash", {"command": f"{command}; sed -i s/two/2/ a.py"})), "nor is it known by that"


# --- every way to read --------------------------------------------------------------------------------------------

SHOWN: dict[str, tuple[str, dict[str, Any]]] = {
    "Read": ("Read", {"file_path": "a.py"}),
    "a part": ("Read", {"file_path": "a.py", "offset": 2, "limit": 1}),
    "cat": ("Bash", {"command": "cat a.py"}),
    "head": ("Bash", {"command": "head -n 2 a.py"}),
    "sed -n": ("Bash", {"command": "sed -n '1,2p' a.py"}),
    "numbered": ("Bash", {"command": "nl -ba a.py | sed -n '1,80p'"}),
    "among others": ("Bash", {"command": "ls && cat b.py a.py && git status"}),
    "by a glob": ("Bash", {"command": "head *.py"}),
    "elsewhere": ("Bash", {"command": "cd src; cat ../a.py"}),
    "nested": ("Bash", {"command": "bash -lc 'sed -n 1,5p a.py'"}),
    "from standard input": ("Bash", {"command": "cat < a.py"}),
    "mcp": ("mcp__files__read_file", {"path": "a.py"}),
}
NOT_SHOWN = {
    "searched": "grep -n two a.py",
    "counted": "wc -l a.py",
    "copied": "cat a.py > z.py",
    "into another program": "cat a.py | python3 -c 'print(1)'",
    "into a variable": "x=$(cat a.py); echo done",
    "listed": "ls -l a.py",
    "somewhere else": "ssh host.example cat a.py",
    "named": "echo cat a.py",
}


@pytest.mark.parametrize(("tool", "given"), SHOWN.values(), ids=SHOWN)
def test_what_shows_a_file_makes_it_known(tree: Tree, me: Agent, tool: str, given: dict[str, Any]) -> None:
    me.begin(tool, given, "r")
    me.end(tool, given, "r")
    assert me.write("a.py", "mine\n") is None
    me = Agent(tree, sid="cafe0001")
    me.begin(tool, given, "r")
    me.end(tool, given, "r")
    tree.put("a.py", "theirs\n")
    assert stale(me.begin("Write", {"file_path": "a.py", "content": "x"}, "w"))


@pytest.mark.parametrize("command", NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_what_does_not_show_it_clears_nothing(tree: Tree, me: Agent, command: str) -> None:
    me.read("a.py")
    tree.put("a.py", "theirs\n")
    me.begin("Bash", {"command": command}, "r")
    me.end("Bash", {"command": command}, "r")
    assert stale(me.write("a.py", "mine\n"))


def test_a_denied_or_failed_read_clears_nothing(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.put("a.py", "theirs\n")
    me.begin("Read", {"file_path": "a.py"}, "r1")  # never carried out
    assert stale(me.write("a.py", "mine\n"))
    me.begin("Read", {"file_path": "a.py"}, "r2")
    me.end("Read", {"file_path": "a.py"}, "r2", failed=True)
    assert stale(me.write("a.py", "mine\n"))


def test_what_changes_while_it_is_read_is_not_known(tree: Tree, me: Agent) -> None:
    me.begin("Read", {"file_path": "a.py"}, "r")
    tree.put("a.py", "theirs\n")
    me.end("Read", {"file_path": "a.py"}, "r")
    action = me.write("a.py", "mine\n")
    assert stale(action) and action is not None and "while you read it" in action.reason
    me.read("a.py")
    assert me.write("a.py", "mine\n") is None


def test_a_client_that_never_tells_the_end_is_believed_at_the_beginning(tree: Tree) -> None:
    me = Agent(tree, client="unheard-of")
    me.begin("Read", {"file_path": "a.py"}, "r")
    assert me.begin("Write", {"file_path": "a.py", "content": "mine\n"}, "w") is None
    me.begin("Read", {"file_path": "b.py"}, "r")
    me.stop()
    tree.put("a.py", "theirs\n")
    tree.put("b.py", "theirs\n")
    assert stale(me.begin("Bash", {"command": "cat b.py; sed -i s/x/y/ a.py"}, "w"))
    assert stale(me.begin("Write", {"file_path": "b.py", "content": "mine\n"}, "w")), "what was refused showed nothing"


# --- bytes ----------------------------------------------------------------------------------------------------------

SMALL = {
    "a comment": ("x = 1\n", "x = 1  # one\n"),
    "a blank": ("x = 1\n", "x = 1 \n"),
    "line ends": ("x = 1\n", "x = 1\r\n"),
    "the last line's end": ("x = 1\n", "x = 1"),
    "a mark at the beginning": ("x = 1\n", "\ufeffx = 1\n"),
    "nothing left": ("x = 1\n", ""),
}


@pytest.mark.parametrize(("before", "after"), SMALL.values(), ids=SMALL)
def test_comments_and_blanks_are_changes(tree: Tree, me: Agent, before: str, after: str) -> None:
    tree.put("b.py", before)
    me.read("b.py")
    tree.path("b.py").write_bytes(after.encode())
    assert stale(me.edit("b.py", "x", "y"))


def test_the_same_bytes_written_again_are_no_change(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.put("a.py", "other\n")
    tree.put("a.py", "one\ntwo\nthree\n")
    os.utime(tree.path("a.py"))
    assert me.edit("a.py", "two", "2") is None


def test_a_change_that_keeps_size_and_time_is_seen(tree: Tree, me: Agent) -> None:
    path = tree.path("b.py")
    me.read("b.py")
    before = path.stat()
    path.write_text("x = 2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert stale(me.write("b.py", "x = 3\n"))


def test_bytes_that_are_no_text(tree: Tree, me: Agent) -> None:
    tree.path("a.bin").write_bytes(b"\x00\xff")
    me.run("cat a.bin")
    tree.path("a.bin").write_bytes(b"\x00\xfe")
    assert stale(me.run("cp b.py a.bin"))


# --- missing files ------------------------------------------------------------------------------------------------


def test_a_file_that_somebody_deleted_is_stale(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.path("a.py").unlink()
    action = me.write("a.py", "mine\n")
    assert stale(action) and action is not None
    assert "a.py was deleted since you read it" in action.reason
    assert action.preview == ("a.py is gone",)
    assert me.run("rm -f a.py") is None, "to delete what is gone loses nothing"


def test_looking_for_a_deleted_file_makes_its_absence_known(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.path("a.py").unlink()
    me.read("a.py")  # the client says that there is no such file
    assert me.write("a.py", "mine\n") is None
    assert tree.text("a.py") == "mine\n"


def test_a_file_that_somebody_made_where_none_was_seen(tree: Tree, me: Agent) -> None:
    me.read("new.py")
    tree.put("new.py", "theirs\n")
    action = me.write("new.py", "mine\n")
    assert stale(action) and action is not None
    assert "new.py was made since you read it" in action.reason
    assert "+theirs" in action.preview


def test_a_new_file_may_be_made(tree: Tree, me: Agent) -> None:
    assert me.write("new.py", "mine\n") is None
    assert me.edit("new.py", "mine", "ours") is None
    tree.put("new.py", "theirs\n")
    action = me.edit("new.py", "theirs", "ours")
    assert stale(action) and action is not None
    assert "changed since you wrote it" in action.reason


# --- what one writes oneself -----------------------------------------------------------------------------------------


def test_own_writes_keep_a_file_known(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    for _ in range(2):
        assert me.edit("a.py", "two", "2") is None
        assert me.run("sed -i s/2/two/ a.py") is None
        assert me.write("a.py", "one\ntwo\n") is None
        assert me.run("echo three >> a.py") is None
    assert me.run("mv a.py z.py && cp z.py a.py") is None
    assert me.edit("a.py", "two", "2") is None and me.edit("z.py", "two", "2") is None
    assert me.run("rm a.py") is None
    assert me.write("a.py", "again\n") is None


def test_own_commands_over_folders_keep_files_known(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    me.read("src/c.py")
    assert me.run("find . -name '*.py' -exec sed -i s/c/d/ {} +") is None
    assert tree.text("src/c.py") == "d\n"
    assert me.edit("src/c.py", "d", "e") is None
    assert me.run("rm -rf src") is None
    tree.put("src/c.py", "theirs\n")
    assert stale(me.write("src/c.py", "mine\n"))


def test_a_proposal_whose_end_nobody_told_is_ours_when_it_is_there(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    assert me.edit("a.py", "two", "2", told=False) is None
    assert me.edit("a.py", "2", "zwei", told=False) is None
    assert me.write("a.py", "whole\n", told=False) is None
    me.stop()
    assert me.write("a.py", "again\n") is None
    tree.put("a.py", "theirs\n")
    assert stale(me.write("a.py", "mine\n"))


def test_a_patch_in_a_command_whose_end_codex_never_tells(tree: Tree) -> None:
    me = Agent(tree, client="codex")
    me.run("cat a.py")
    patch = "apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.py\n@@\n-two\n+2\n*** End Patch\nE"
    assert me.begin("Bash", {"command": patch}, "p") is None
    tree.put("a.py", "one\n2\nthree\n")
    assert me.edit("a.py", "2", "zwei") is None


def test_a_refused_proposal_is_no_knowledge(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    assert me.begin("Write", {"file_path": "a.py", "content": "proposed\n"}, "w") is None  # then refused by somebody
    tree.put("a.py", "theirs\n")
    assert stale(me.write("a.py", "mine\n"))


def test_what_somebody_changes_while_we_write_is_not_ours(tree: Tree, me: Agent) -> None:
    given = {"file_path": "a.py", "content": "mine\n"}
    me.read("a.py")
    assert me.begin("Write", given, "w") is None
    tree.put("a.py", "mine\nand theirs\n")
    me.end("Write", given, "w")
    action = me.write("a.py", "mine again\n")
    assert stale(action) and action is not None and "since you wrote it" in action.reason


@pytest.mark.parametrize(
    "after", ["mine\r\nx\r\n", "mine\nx", "mine  \nx\n", "mine\n\nx\n"], ids=["ends", "no end", "blanks", "empty lines"]
)
def test_a_clients_own_way_with_blanks_is_ours(tree: Tree, me: Agent, after: str) -> None:
    given = {"file_path": "a.py", "content": "mine\nx\n"}
    me.read("a.py")
    me.begin("Write", given, "w")
    tree.path("a.py").write_bytes(after.encode())
    me.end("Write", given, "w")
    assert me.write("a.py", "again\n") is None


def test_a_notebook_is_laid_out_by_its_client(tree: Tree, me: Agent) -> None:
    cell: dict[str, Any] = {
        "cell_type": "code",
        "id": "c1",
        "metadata": {},
        "source": ["x = 1"],
        "outputs": [],
        "execution_count": None,
    }
    tree.put("n.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    given = {"notebook_path": "n.ipynb", "cell_id": "c1", "new_source": "x = 2"}
    me.begin("NotebookRead", {"notebook_path": "n.ipynb"}, "r")
    me.end("NotebookRead", {"notebook_path": "n.ipynb"}, "r")
    assert me.begin("NotebookEdit", given, "w1") is None
    tree.put("n.ipynb", tree.text("n.ipynb").replace("x = 1", "x = 2"))
    me.end("NotebookEdit", given, "w1")
    assert me.begin("NotebookEdit", given, "w2") is None
    me.stop()
    tree.put("n.ipynb", "{}")
    assert stale(me.begin("NotebookEdit", given, "w3"))


def test_what_a_person_changed_of_a_proposal_in_the_clients_dialog_is_known(tree: Tree, me: Agent) -> None:
    given = {"file_path": "a.py", "content": "mine\n"}
    me.read("a.py")
    me.begin("Write", given, "w")
    tree.put("a.py", "mine, mended by the person\n")
    me.end("Write", given, "w", response={"userModified": True})
    assert me.write("a.py", "again\n") is None


def test_a_failed_write_leaves_what_was_known(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    assert me.edit("a.py", "not there", "x") is None  # the client fails
    assert me.edit("a.py", "two", "2") is None
    assert me.run("sed -i s/2/two/ a.py; exit 3") is None
    assert me.edit("a.py", "two", "2") is None, "a command that failed may have written before"


# --- others ---------------------------------------------------------------------------------------------------------


def test_two_agents_in_one_session(tree: Tree, me: Agent) -> None:
    other = Agent(tree, agent="a01")
    me.read("a.py")
    other.read("a.py")
    assert other.edit("a.py", "two", "2") is None
    action = me.edit("a.py", "2", "zwei")
    assert stale(action) and action is not None
    assert ": by agent a01 of this session at " in action.reason
    me.read("a.py")
    assert me.edit("a.py", "2", "zwei") is None
    action = other.run("sed -i s/zwei/2/ a.py")
    assert stale(action) and action is not None and "by the main agent of this session" in action.reason


def test_two_clients_in_one_tree(tree: Tree, me: Agent) -> None:
    other = Agent(tree, sid="c0dec0de", client="codex")
    me.read("a.py")
    patch = {"command": "*** Begin Patch\n*** Update File: a.py\n@@\n-two\n+2\n*** End Patch"}
    assert other.begin("apply_patch", patch, "p") is None
    tree.put("a.py", "one\n2\nthree\n")
    other.end("apply_patch", patch, "p")
    action = me.edit("a.py", "2", "zwei")
    assert stale(action) and action is not None
    assert ": by session c0dec0de (codex, the main agent) at " in action.reason
    tree.put("a.py", "one\n2\nthree\nand the person\n")
    action = me.edit("a.py", "2", "zwei")
    assert action is not None and action.reason.endswith("outside of any session")


def test_a_file_that_another_session_deleted(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    Agent(tree, sid="c0dec0de", client="codex").run("rm a.py")
    action = me.write("a.py", "mine\n")
    assert stale(action) and action is not None
    assert "was deleted" in action.reason and "session c0dec0de" in action.reason


def test_one_writer_at_a_time(tree: Tree, me: Agent) -> None:
    other = Agent(tree, agent="a01")
    given = {"file_path": "a.py", "content": "mine\n"}
    me.read("a.py")
    other.read("a.py")
    assert me.begin("Write", given, "w1") is None
    assert me.begin("Write", given, "w2") is None, "one's own calls do not disturb each other"
    action = other.begin("Write", given, "w3")
    assert stale(action) and action is not None
    assert action.reason.startswith("a.py is being written right now by the main agent of this session")
    me.stop()
    assert other.begin("Write", given, "w4") is None, "at the end of the turn nobody writes any more"


def test_a_claim_ends_with_its_call_and_with_time(tree: Tree, me: Agent) -> None:
    other = Agent(tree, agent="a01")
    given = {"file_path": "new.py", "content": "mine\n"}
    assert me.begin("Write", given, "w1") is None
    assert stale(other.begin("Write", given, "w2"))
    me.end("Write", given, "w1", failed=True)
    assert other.begin("Write", given, "w3") is None
    tree.now += writers.HELD_MS
    assert me.begin("Write", given, "w4") is None, "of a call that was refused or killed no end is told"


@pytest.mark.parametrize("old", [0, writers.HELD_MS], ids=["nobody before", "after one that outlived its time"])
def test_of_64_processes_one_gets_the_claim(tree: Tree, old: int) -> None:
    path, store = str(tree.path("a.py")), str(tree.store)
    if old:
        assert writers.claim(store, path, writers.Claim(writers.Who("0", "c", "u00"), "x", 5)) is None
    gate, ready = os.pipe()
    children = []
    for number in range(64):
        child = os.fork()
        if not child:
            os.close(ready)
            os.read(gate, 1)  # until all are there
            mine = writers.Claim(writers.Who(f"{number:08x}", "c", "u00"), "x", 5 + old + number % 3)
            os._exit(0 if writers.claim(store, path, mine) is None else 1)
        children.append(child)
    os.close(ready)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    os.close(gate)
    assert sorted(codes) == [0] + [1] * 63
    winner = writers.claimed(store, path)
    assert winner is not None and codes[int(winner.who.sid, 16)] == 0


def test_a_refused_call_claims_nothing(tree: Tree, me: Agent) -> None:
    other = Agent(tree, agent="a01")
    me.read("a.py")
    other.read("a.py")
    tree.put("a.py", "theirs\n")
    assert stale(me.write("a.py", "mine\n"))
    other.read("a.py")
    assert other.write("a.py", "other\n") is None


# --- observed_content_hash -----------------------------------------------------------------------------------------


def test_an_observed_hash_is_compared_with_the_file(tree: Tree, me: Agent) -> None:
    right, wrong = digest(tree.path("a.py").read_bytes()), "0" * 64
    fits: list[object] = [right, right.upper(), f"sha256:{right}", f'"{right}"', {"a.py": right, "b.py": wrong}]
    fits.append(json.dumps({"a.py": right}))
    for told in fits:
        given = {"file_path": "a.py", "content": "one\ntwo\nthree\n", "observed_content_hash": told}
        assert me.do("Write", given) is None, told
    others: list[object] = [wrong, "no hash", 7, {"a.py": wrong}, "-"]
    for told in others:
        action = me.do("Write", {"file_path": "a.py", "content": "x", "observed_content_hash": told})
        assert stale(action) and action is not None, told
        assert "a.py is not what observed_content_hash says" in action.reason


@pytest.mark.parametrize(
    "told",
    ["", "  ", "sha256:", "null", '""', None, False, [], {}, "{}", {"a.py": ""}, {"a.py": None}, {"b.py": "0" * 64}],
)
def test_an_empty_observed_hash_is_none(tree: Tree, me: Agent, told: object) -> None:
    """Models fill every field of a schema; what was remembered decides then."""
    assert me.do("Write", {"file_path": "a.py", "content": "x", "observed_content_hash": told}) is None
    tree.put("a.py", "theirs\n")
    action = me.do("Write", {"file_path": "a.py", "content": "x", "observed_content_hash": told})
    assert stale(action) and action is not None and "changed since" in action.reason


def test_an_observed_hash_of_a_missing_file_is_stale(tree: Tree, me: Agent) -> None:
    given = {"file_path": "gone.py", "content": "x", "observed_content_hash": digest(b"x")}
    assert stale(me.do("Write", given))


def test_an_observed_hash_is_knowledge(tree: Tree, me: Agent) -> None:
    """Who knows the hash of what is there has seen it, by a way that we did not."""
    me.read("a.py")
    tree.put("a.py", "theirs\n")
    assert me.do("Write", {"file_path": "a.py", "content": "x", "observed_content_hash": digest(b"theirs\n")}) is None


def test_an_observed_hash_inside_a_wrapper(tree: Tree, me: Agent) -> None:
    given = {
        "server_name": "files",
        "tool_name": "write_file",
        "arguments": {"path": "a.py", "content": "x", "observed_content_hash": "0" * 64},
    }
    assert stale(me.begin("use_mcp_tool", given, "w"))
    assert stale(me.begin("use_mcp_tool", {**given, "arguments": json.dumps(given["arguments"])}, "v"))


# --- knob -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", ["ask", "deny"])
def test_unread_files_by_the_knob(tree: Tree, wanted: str) -> None:
    me = Agent(tree, unread=wanted)
    for action in (me.write("a.py", "x"), *(me.run(f"{one} a.py") for one in ("echo x >", "cp b.py", "mv b.py"))):
        assert action is not None and (action.decision, action.code) == (wanted, "STALE_FILE")
        assert action.rule == "stale-file: unread"
    assert me.write("new.py", "x") is None
    assert me.edit("a.py", "two", "2") is None, "an edit carries the old text"
    assert me.run("echo x >> b.py") is None, "what is there stays"
    me.read("src/c.py")
    assert me.write("src/c.py", "x") is None


def test_defaults_fit_their_schema() -> None:
    folder = FEATURES / "stale_file"
    schema = json.loads((folder / "knobs.schema.json").read_text())
    defaults = json.loads((folder / "defaults.json").read_text())
    jsonschema.validate(defaults, schema)
    assert defaults.keys() == schema["properties"].keys()


# --- what is kept ---------------------------------------------------------------------------------------------------


def kept(agent: Agent) -> list[bytes]:
    return [path.read_bytes() for path in (agent.session / "stale-file/kept").glob("*")]


def test_what_may_hold_credentials_is_not_kept_and_not_shown(tree: Tree, me: Agent) -> None:
    token = "ghp_" + "a1B2" * 10
    for name, text in ((".env", "PORT=1\n"), ("key.pem", "x\n"), ("conf.py", f"TOKEN = '{token}'\n")):
        tree.put(name, text)
        me.read(name)
    assert kept(me) == []
    tree.put("conf.py", f"TOKEN = '{token}'\nmore = 1\n")
    action = me.write("conf.py", "x\n")
    assert stale(action) and action is not None and token not in "\n".join(action.preview)
    tree.put(".env", "PORT=2\n")
    action = me.write(".env", "x\n")
    assert stale(action) and action is not None and "PORT" not in "\n".join(action.preview)


def test_large_texts_are_not_kept_but_judged(tree: Tree, me: Agent) -> None:
    tree.put("large.txt", "line\n" * 60_000)
    me.read("large.txt")
    assert kept(me) == []
    tree.put("large.txt", "line\n" * 60_001)
    assert stale(me.write("large.txt", "x"))


def test_all_that_is_written_is_for_the_user_alone(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    me.write("a.py", "x")
    me.begin("Write", {"file_path": "b.py", "content": "x"}, "w")
    made = [*(me.session / "stale-file").rglob("*"), *tree.store.rglob("*")]
    assert len(made) >= 6
    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_dry_run_judges_and_writes_nothing(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.put("a.py", "theirs\n")
    before = sorted(tree.root.parent.rglob("*"))
    given = {"file_path": "a.py", "content": "x"}
    assert stale(me.hear(me.event("Write", given, use="w"), dry=True))
    assert me.hear(me.event("Read", {"file_path": "b.py"}, use="r"), dry=True) is None
    assert me.hear(me.event("Read", {"file_path": "b.py"}, "PostToolUse", "r"), dry=True) is None
    assert sorted(tree.root.parent.rglob("*")) == before


def test_own_runtime_and_git_are_left_alone(tree: Tree, me: Agent) -> None:
    for name in (".git/config", OWN_PLAN, "/dev/null"):
        if name[0] != "/":
            tree.put(name, "x\n")
        me.run(f"cat {name}")
    tree.put(".git/config", "y\n")
    assert me.run("git config user.name x") is None
    assert list((me.session / "stale-file").rglob("*")) == []


def test_a_plain_command_without_files_costs_no_memory(tree: Tree, me: Agent) -> None:
    for command in ("ls -la", "git status", "grep -rn x src", "pytest -q", "echo hi"):
        assert me.run(command) is None
    assert not (me.session / "stale-file").exists()


def test_links_and_case_lead_to_one_file(tree: Tree, me: Agent) -> None:
    tree.path("link.py").symlink_to("a.py")
    me.read("link.py")
    tree.put("a.py", "theirs\n")
    assert stale(me.write("a.py", "mine\n"))
    assert stale(me.write("link.py", "mine\n"))


def test_a_link_in_a_files_place_leads_nowhere(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.path("a.py").unlink()
    tree.path("a.py").symlink_to("b.py")
    assert stale(me.write("a.py", "mine\n"))
    assert tree.text("b.py") == "x = 1\n"
    me.read("a.py")
    assert me.edit("b.py", "x", "y") is None


def test_a_folder_in_a_files_place(tree: Tree, me: Agent) -> None:
    me.read("a.py")
    tree.path("a.py").unlink()
    tree.put("a.py/inner.py", "x\n")
    assert stale(me.run("rm -rf a.py"))


def test_what_is_only_observed_goes_on_and_is_known(tree: Tree, me: Agent) -> None:
    """`mode: observe`: the refusal is logged, the client carries the call out and tells its end."""
    me.read("a.py")
    tree.put("a.py", "theirs\n")
    given = {"command": "sed -i s/theirs/mine/ a.py"}
    assert stale(me.begin("Bash", given, "w"))
    me.carry_out("Bash", given)
    me.end("Bash", given, "w")
    assert me.edit("a.py", "mine", "ours") is None


DAMAGED = [
    b'{"torn',
    b"",
    b"[]",
    b'["a.py"]',
    b"[1, 2, 3, 4, 5, 6]",
    b'["x", "y", "z", [], "when", "read"]',
    b"\xff\x00",
]


@pytest.mark.parametrize("left", DAMAGED, ids=repr)
@pytest.mark.parametrize(("tool", "given"), [WRITES[one] for one in ("Write", "sed -i", "rm by a glob", "git reset")])
def test_memory_that_cannot_be_read_is_no_ignorance(
    tree: Tree, me: Agent, tool: str, given: dict[str, Any], left: bytes
) -> None:
    """What it told of has to be read again; what it did not tell of is as free as before."""
    me.read("a.py")
    for path in (me.session / "stale-file/u00").iterdir():
        if path.is_file():
            path.write_bytes(left)
    action = me.begin(tool, given, "w")
    assert stale(action) and action is not None
    assert action.reason == "what you knew of a.py can no longer be read, so nobody can tell whether it changed"
    assert action.safer == "read a.py again, then make the change anew"
    assert me.edit("b.py", "x", "y") is None
    me.read("a.py")
    assert me.begin(tool, given, "again") is None, "a new read clears it"


def test_a_folder_of_memory_that_nobody_can_open_refuses(tree: Tree, me: Agent) -> None:
    """The feature is critical: its fault is a refusal."""
    me.read("a.py")
    folder = me.session / "stale-file"
    shutil.rmtree(folder / "u00")
    (folder / "u00").symlink_to(tree.root)
    with pytest.raises(OSError):
        me.begin("Write", {"file_path": "a.py", "content": "mine\n"})
