"""What programs do with their arguments: the paths they read, write and delete, and what else they reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.model import Event
from jackline.shell.effects import LIMIT, carried, effects
from jackline.shell.model import UNKNOWN, Effect

ENV = {"HOME": "/home/u", "TMPDIR": "/tmp/t"}
CWD = "/nowhere/p"


def did(command: str, cwd: str = CWD) -> set[str]:
    """The effects in short: `kind path`, with `*` behind a path that is a pattern and `/…` where it goes deep."""
    found = effects(command, cwd, ENV)
    assert found.understood, found.why
    return {f"{one.kind} {one.path.removeprefix(cwd + '/')}{'/…' if one.deep else ''}".strip() for one in found.effects}


CHANGES = {
    # Redirections.
    "out": ("echo a > x", "write x"),
    "append": ("echo a >> x", "write x"),
    "clobber": ("echo a >| x", "write x"),
    "both": ("a=1 echo a &> x", "write x"),
    "both by a descriptor": ("echo a >& x", "write x"),
    "no command": ("> x", "write x"),
    "of a group": ("{ echo a; } > x", "write x"),
    "of a loop": ("for i in 1; do echo $i; done > x", "write x"),
    "by a descriptor of exec": ("exec 3> x", "write x"),
    "here-document": ("cat <<E > x\na\nE", "write x"),
    "zsh's clobber": ("echo a >!x", "write x"),
    # Removing.
    "rm": ("rm x", "delete x"),
    "rm deep": ("rm -rf x", "delete x/…"),
    "rm deep, long": ("rm --force --recursive x", "delete x/…"),
    "rm deep, abbreviated": ("rm --rec x", "delete x/…"),
    "rm of a dashed name": ("rm -- -x", "delete -x"),
    "rm options behind": ("rm x -r", "delete x/…"),
    "rm in capitals": ("RM -rf x", "delete x/…"),
    "rm by path": ("/bin/rm x", "delete x"),
    "rmdir": ("rmdir x", "delete x"),
    "unlink": ("unlink x", "delete x"),
    "shred": ("shred -u x", "delete x"),
    "find -delete": ("find x -delete", "delete x/…"),
    "find with a name": ("find . -name '*.pyc' -delete", "delete **/*.pyc/…"),
    "git rm": ("git rm -r x", "delete x/…"),
    "rsync --delete": ("rsync -a --delete a/ x/", "delete x/…"),
    "tar --remove-files": ("tar cf a.tar --remove-files x", "delete x/…"),
    "zip -m": ("zip -m a.zip x", "delete x/…"),
    "gzip": ("gzip x", "write x"),
    # Moving and copying.
    "mv from": ("mv x y", "delete x/…"),
    "mv to": ("mv y x", "write x/…"),
    "mv into": ("mv a b x", "write x/a/…"),
    "mv -t": ("mv -t x a", "write x/a/…"),
    "cp": ("cp a x", "write x"),
    "cp into": ("cp a x/", "write x/a"),
    "cp -T": ("cp -T a x", "write x"),
    "cp --target-directory": ("cp --target-directory=x a", "write x/a"),
    "cp of contents": ("cp -r a/. x", "write x/…"),
    "install": ("install -m 755 a x", "write x"),
    "install -d": ("install -d x", "write x"),
    "ln": ("ln -s a x", "write x"),
    "hard link": ("ln x a", "write x"),
    "rsync": ("rsync -a a/ x", "write x/…"),
    "scp": ("scp host:a x", "write x/…"),
    # Writing.
    "tee": ("echo a | tee -a x", "write x"),
    "touch": ("touch -r a x", "write x"),
    "mkdir": ("mkdir -p x", "write x"),
    "truncate": ("truncate -s 0 x", "write x"),
    "dd": ("dd if=a of=x", "write x"),
    "sponge": ("sponge x", "write x"),
    "sort -o": ("sort -uo x a", "write x"),
    "sort --output": ("sort --outp=x a", "write x"),
    "uniq": ("uniq a x", "write x"),
    "split": ("split -l 5 a x", "write x*"),
    "chmod": ("chmod 644 x", "write x"),
    "chmod deep": ("chmod -R u+w x", "write x/…"),
    "chmod with a dashed mode": ("chmod -w x", "write x"),
    "sed -i": ("sed -i s/a/b/ x", "write x"),
    "sed -i with a suffix": ("sed -i.bak s/a/b/ x", "write x"),
    "sed -i of BSD": ("sed -i '' s/a/b/ x", "write x"),
    "sed --in-place": ("sed --in-place -e s/a/b/ x", "write x"),
    "sed w": ("sed -n '/a/w x' y", "write x"),
    "sed s w": ("sed 's/a/b/w x' y", "write x"),
    "perl -i": ("perl -pi -e 's/a/b/' x", "write x"),
    "awk": ("awk '{ print > \"x\" }' a", "write x"),
    "awk inplace": ("gawk -i inplace '{ print }' x", "write x"),
    "ed": ("ed x <<'E'\nw\nE", "write x"),
    "vim -c": ("vim -c 'w x' a", "write x"),
    "patch": ("patch x < a.diff", "write x"),
    "patch by its text": ("patch -p1 <<'E'\n--- a/x\n+++ b/x\nE", "write x"),
    "apply_patch": ("apply_patch <<'E'\n*** Update File: x\nE", "write x"),
    "curl": ("curl -so x https://a", "write x"),
    "curl -O": ("curl -O https://a/x", "write x"),
    "curl --output-dir": ("curl --output-dir d -o x https://a", "write d/x"),
    "wget": ("wget -O x https://a", "write x"),
    "wget by name": ("wget https://a/x", "write x"),
    "tar -x": ("tar -xf a.tar -C x", "write x/…"),
    "tar in the old form": ("tar xfC a.tar x", "write x/…"),
    "tar -c": ("tar czf x a", "write x"),
    "unzip": ("unzip -o a.zip -d x", "write x/…"),
    "zip": ("zip -r x a", "write x"),
    "7z": ("7z x a.7z -ox", "write x/…"),
    "sqlite3": ("sqlite3 x 'select 1'", "write x"),
    "openssl": ("openssl genrsa -out x 2048", "write x"),
    "ssh-keygen": ("ssh-keygen -t rsa -f x", "write x"),
    "compiler": ("gcc -O2 a.c -o x", "write x"),
    "formatter": ("prettier --write x", "write x/…"),
    "fixer": ("ruff check --fix x", "write x/…"),
    "yq -i": ("yq -i '.a = 1' x", "write x"),
    "python": ("python3 -c \"open('x', 'w').write('a')\"", "write x"),
    "python remove": ("python3 -c \"import os; os.remove('x')\"", "delete x"),
    "python in a here-document": ("python3 - <<'E'\nimport shutil\nshutil.rmtree('x')\nE", "delete x/…"),
    "node": ("node -e \"require('fs').writeFileSync('x', 'a')\"", "write x"),
    "git checkout of a file": ("git checkout -- x", "write x/…"),
    "git checkout from a commit": ("git checkout HEAD~1 x", "write x/…"),
    "git restore": ("git restore x", "write x/…"),
    "git mv": ("git mv x y", "delete x/…"),
    "git diff --output": ("git diff --output=x", "write x"),
    "git archive": ("git archive -o x HEAD", "write x"),
    "git clone": ("git clone https://a/b.git x", "write x/…"),
    "git config": ("git config core.hooksPath x", "write .git/config"),
    "git config --global": ("git config --global a.b c", "write /home/u/.gitconfig"),
    "git config of a file": ("git config -f x a.b c", "write x"),
    "git worktree": ("git worktree add x", "write x/…"),
    # Wrapped.
    "sudo": ("sudo rm x", "delete x"),
    "xargs": ("echo x | xargs rm", "delete x"),
    "bash -c": ("bash -c 'cd y; rm ../x'", "delete x"),
    "env -C": ("env -C y rm ../x", "delete x"),
    "git -C": ("git -C y rm ../x", "delete x"),
    "make": ("make -C x", "execute"),
}


@pytest.mark.parametrize(("command", "effect"), CHANGES.values(), ids=CHANGES)
def test_changes(command: str, effect: str) -> None:
    assert effect in did(command)


REACHES = {
    "absolute": ("rm /a/../b//c", "delete /b/c"),
    "home": ("rm ~/x", "delete /home/u/x"),
    "home by name": ('rm "$HOME/x"', "delete /home/u/x"),
    "home in braces": ("rm ${HOME}/x", "delete /home/u/x"),
    "home that was set": ("HOME=/q; rm ~/x", "delete /q/x"),
    "temporary folder": ("rm $TMPDIR/x", "delete /tmp/t/x"),
    "default for an unset variable": ("rm ${XDG_CONFIG_HOME:-$HOME/.config}/x", "delete /home/u/.config/x"),
    "folder of the shell": ("rm $PWD/x ~+/y", "delete x"),
    "after cd": ("cd a && rm x", "delete a/x"),
    "cd that may fail": ("cd a; rm x", "delete x"),
    "cd that may succeed": ("cd a; rm x", "delete a/x"),
    "cd or leave": ("cd a || exit 1; rm x", "delete a/x"),
    "cd that may not happen": ("false && cd /usr; rm x", "delete x"),
    "cd that may happen": ("true && cd /usr; rm x", "delete /usr/x"),
    "cd in the background": ("cd /usr && cd lib & rm x", "delete x"),
    "cd in a subshell": ("(cd a); rm x", "delete x"),
    "pushd": ("pushd a && rm x", "delete a/x"),
    "cd home": ("cd && rm x", "delete /home/u/x"),
    "glob": ("rm *.py", "delete *.py"),
    "glob below": ("rm -r a/*/b", "delete a/*/b/…"),
    "quoted glob": ("rm '*.py'", "delete *.py"),
    "glob of a loop": ('for f in a/*; do rm "$f"; done', "delete a/*"),
    "values of a loop": ("for f in a b; do rm $f; done", "delete b"),
    "braces": ("rm {a,b}/x", "delete b/x"),
    "numbers": ("rm x{1..3}", "delete x*"),
    "variable": ("D=a; rm $D/x", "delete a/x"),
    "unknown front": ("rm a$D/x", "delete a*/**/x"),
    "unknown inside a name": ("rm a/b${D}c/x", "delete a/b*/**/x"),
    "unknown end of a name": ("rm a/b$D", "delete a/b*/**"),
    "unknown front of a name": ("rm ./${D}b", "delete **/*b"),
    "unknown front that may be an option": ("rm $D/x", "delete **/x/…"),
    "unknown end": ("rm a/$D", "delete a/**"),
    "unknown middle": ("rm a/$D/x", "delete a/**/x"),
    "unknown with dots": ("rm a/$D/../x", "delete **"),
    "number of a process": ("rm a.$$", "delete a.*"),
    "temporary name": ('rm -r "$(mktemp -d)"', "delete /tmp/t/tmp.*/…"),
    "folder of a file": ("rm $(dirname a/b)/x", "delete a/x"),
    "unknown folder": ("cd $D && rm x", "delete **/x"),
}


@pytest.mark.parametrize(("command", "effect"), REACHES.values(), ids=REACHES)
def test_paths(command: str, effect: str) -> None:
    assert effect in did(command)


def test_a_quoted_glob_is_a_name() -> None:
    (literal,) = effects("rm 'a*'", CWD, ENV).effects
    (pattern,) = effects("rm a*", CWD, ENV).effects
    assert literal == Effect("delete", CWD + "/a*", "rm", ("rm", "a*"), pattern=False, certain=True)
    assert pattern == Effect("delete", CWD + "/a*", "rm", ("rm", "a*"), pattern=True)


def test_an_unknown_path_is_any() -> None:
    kinds = {(one.kind, one.path, one.pattern, one.deep) for one in effects("rm -rf $D", CWD, ENV).effects}
    assert kinds == {("delete", "**", True, True)}


REACHES_OUT = {
    "curl": ("curl https://a", "network"),
    "wget": ("wget -q https://a", "network"),
    "ssh": ("ssh host ls", "network"),
    "scp": ("scp a host:b", "network"),
    "git push": ("git push", "network"),
    "git fetch": ("git fetch", "network"),
    "npm install": ("npm install", "network"),
    "pip": ("pip install a", "network"),
    "socket": ("echo a > /dev/tcp/h/1", "network"),
    "netcat": ("nc h 1", "network"),
    "docker pull": ("docker pull a", "network"),
    "git commit": ("git commit -m a", "history"),
    "git reset": ("git reset --hard", "history"),
    "git rebase": ("git rebase main", "history"),
    "git push --force": ("git push -f", "history"),
    "git push +": ("git push origin +main", "history"),
    "git branch -D": ("git branch -D a", "history"),
    "git tag -d": ("git tag -d a", "history"),
    "git stash drop": ("git stash drop", "history"),
    "git reflog": ("git reflog expire --expire=now --all", "history"),
    "git filter-branch": ("git filter-branch --tree-filter 'rm a'", "history"),
    "git update-ref": ("git update-ref refs/a b", "history"),
    "shell history": ("history -c", "history"),
    "sudo": ("sudo ls", "privilege"),
    "su": ("su -c ls", "privilege"),
    "setuid": ("chmod u+s a", "privilege"),
    "setuid in numbers": ("chmod 4755 a", "privilege"),
    "mount": ("mount /dev/sda1 /mnt", "privilege"),
    "mkfs": ("mkfs.ext4 /dev/sda", "privilege"),
    "systemctl": ("systemctl stop a", "privilege"),
    "crontab": ("echo '* * * * * a' | crontab -", "privilege"),
    "apt": ("apt-get install -y a", "privilege"),
    "script": ("./a.sh", "execute"),
    "script of a shell": ("bash a.sh", "execute"),
    "sourced": (". ./a.sh", "execute"),
    "program": ("python3 a.py", "execute"),
    "tests": ("npm test", "execute"),
    "commit hooks": ("git commit -m a", "execute"),
    "unknown program": ("frobnicate", "unknown"),
    "program of the same name": ("./ls", "unknown"),
    "changed search path": ("PATH=a ls", "unknown"),
    "preloaded library": ("LD_PRELOAD=a ls", "unknown"),
    "start-up file": ("BASH_ENV=a bash -c ls", "unknown"),
    "git's ssh": ("GIT_SSH_COMMAND=a git fetch", "execute"),
    "git's setting": ("git -c core.pager=a log", "execute"),
    "git config of a program": ("git config core.hooksPath a", "execute"),
    "killing": ("pkill a", "unknown"),
    "inline program": ("python3 -c 'import a'", "unknown"),
    "mounted folder": ("docker run -v .:/a b c", "unknown"),
}


@pytest.mark.parametrize(("command", "kind"), REACHES_OUT.values(), ids=REACHES_OUT)
def test_other_effects(command: str, kind: str) -> None:
    assert kind in {one.kind for one in effects(command, CWD, ENV).effects}


READS = [
    "ls -la",
    "cat a b",
    "git status",
    "git log -p",
    "git branch",
    "git stash list",
    "git config --get user.name",
    "git config user.name",
    "git tag -l",
    "git remote -v",
    "git clean -nd",
    "grep -rn a .",
    "find . -name a -print",
    "sed -n 1,5p a",
    "sed s/a/b/ a",
    "awk '{ print $1 }' a",
    "jq .a b",
    "sort a | uniq -c",
    "tar tf a",
    "unzip -l a",
    "python3 -c 'print(1 + 1)'",
    'python3 -c \'import json; print(json.load(open("a.json"))["b"])\'',
    "node -p '1 + 1'",
    "node -e 'console.log(require(\"./package.json\").version)'",
    "echo a | tr a b > /dev/null 2>&1",
    "for f in a b; do cat $f; done",
    "if [ -f a ]; then cat a; fi",
    "docker ps",
    "npm ls",
    "command -v node",
    "python3 --version",
    "date +%s",
]


@pytest.mark.parametrize("command", READS)
def test_reading_changes_nothing(command: str) -> None:
    assert {effect.partition(" ")[0] for effect in did(command)} <= {"read"}


def test_remote_paths_are_not_ours() -> None:
    for command in ("ssh h 'rm -rf a > b'", "docker exec box rm -rf a", "kubectl exec p -- rm a"):
        found = effects(command, CWD, ENV)
        assert not {"write", "delete"} & {one.kind for one in found.effects}
        assert found.commands[-1].program == "rm"
        assert found.commands[-1].cwd == ""


def test_links_are_followed(tmp_path: Path) -> None:
    """Through links that exist, through links a glob matches, and through links made on the way."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "f").write_text("")
    (tmp_path / "file").symlink_to("real/f")
    cwd = str(tmp_path)
    assert "write real/x" in did("echo > link/x", cwd)
    assert "write real/x" in did("echo > l*/x", cwd)
    assert "write real/x" in did("cd link && echo > x", cwd)
    assert "write x" in did("cd link && cd .. && echo > x", cwd)
    assert "write real/x" in did("ln -s real new && echo > new/x", cwd)
    assert "write real/f" in did("echo > file", cwd)
    assert "delete file" in did("rm file", cwd)
    assert "delete file/…" in did("mv file elsewhere", cwd)
    assert "write real/a" in did("cp a link", cwd)
    assert "write real/f" in did("ln file hard", cwd)


def test_folders_that_exist_take_copies_in(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("")
    cwd = str(tmp_path)
    assert did("cp a there", cwd) == {"read a", "write there/a"}
    assert did("cp a file", cwd) == {"read a", "write file"}
    assert did("cp a new", cwd) == {"read a", "write new"}
    assert did("mkdir new && cp a new", cwd) == {"write new", "read a", "write new/a"}


def test_functions_variables_and_scopes() -> None:
    assert "delete b" in did("f() { local A=b; rm $A; }; A=a; f")
    assert "delete a" in did("f() { local A=b; }; A=a; f; rm $A")
    assert "delete c" in did("f() { A=c; }; A=a; f; rm $A")
    assert "delete a" in did("A=a; (A=b); rm $A")
    assert "delete **/…" in did("A=a; if x; then A=b; fi; rm $A")
    assert "delete **/…" in did("A=a; x && A=b; rm $A")
    assert "delete **/…" in did("set -- a; x && set -- b; rm $1")
    assert {"delete a", "delete b"} <= did("f() { rm a; }; x && f() { rm b; }; f")
    assert "delete **/…" in did("A=a; while x; do rm $A; A=b; done")
    assert "delete **/…" in did("A=a; read A; rm $A")
    assert "delete **/…" in did("A=a; sh -c 'rm $A'")
    assert "delete a" in did("export A=a; sh -c 'rm $A'")
    assert "delete a" in did("A=a sh -c 'rm $A'")


def test_a_crash_of_ours_is_not_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    import jackline.shell.effects as door

    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(door, "_read", broken)
    found = effects("ls", CWD, ENV)
    assert not found.understood
    assert found.why == "a fault of the analysis: KeyError"
    assert [one.kind for one in found.effects] == ["unknown"]


def test_too_long_is_not_understood() -> None:
    found = effects("x" * (LIMIT + 1), CWD, ENV)
    assert (found.understood, found.commands) == (False, ())


def test_without_an_environment_the_processes_own_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere/else")
    # The interpreter's own table is fixed at its start: what matters is that nothing but folders is taken from it.
    assert effects("rm $SECRET", CWD).effects[0].path == "**"


def test_every_program_has_its_rule_where_the_table_says() -> None:
    from importlib import import_module

    from jackline.shell.programs import HOMES, PROGRAMS, home

    listed = [name for names in PROGRAMS.values() for name in names.split()]
    assert sorted(listed) == sorted(HOMES)
    places = {name: home(name) or ("", "") for name in listed}
    rules = {
        name: getattr(import_module(f"jackline.shell.rules.{at}"), rule, None) for name, (at, rule) in places.items()
    }
    assert [name for name, rule in rules.items() if not callable(rule)] == []


def test_what_printf_hands_to_a_shell() -> None:
    found = effects("printf '%s\\n' \"danger $$\" | bash", "/tmp", {"HOME": "/home/me"})
    assert ("danger", UNKNOWN) in [one.words for one in found.commands]


@pytest.mark.parametrize("form", ["danger $x\\n", "danger %%%s\\n", "\\145cho %s"])
def test_a_format_nobody_knows_is_text_nobody_knows(form: str) -> None:
    assert not effects(f'printf "{form}" a | bash', "/tmp", {"HOME": "/home/me"}).understood


@pytest.mark.parametrize(("kind", "tool"), [("shell", "PowerShell"), ("mcp", "mcp__windows__powershell")])
def test_a_tool_named_for_powershell_carries_powershell(kind: str, tool: str) -> None:
    event = Event("PreToolUse", kind=kind, tool=tool, command="Remove-Item $env:X, 'src' -Recurse", cwd=CWD, root=CWD)
    assert ("delete", f"{CWD}/src") in [(one.kind, one.path) for one in carried(event).effects]


@pytest.mark.parametrize(("tool", "removes"), [("PowerShell", False), ("powershell", True)])
def test_what_an_earlier_call_may_have_set_is_unknown_where_a_session_goes_on(tool: str, removes: bool) -> None:
    event = Event("PreToolUse", kind="shell", tool=tool, command="Remove-Item $x -Recurse", cwd=CWD, root=CWD)
    assert any(one.kind == "delete" for one in carried(event).effects) == removes


@pytest.mark.parametrize(
    ("script", "understood"),
    [
        ("cat <<END\na $(rm '\\\n') b\nEND\n", False),
        ("cat <<END\nx\\\nEND\n$(rm x)\nEND\n", False),
        ("cat <<END > f\nRUN a && \\\n b\nEND\n", True),
        ("cat <<'END'\na $(rm '\\\n') b\\\nEND\n", True),
    ],
)
def test_a_continued_line_of_a_here_document_that_runs_commands_is_unknown(script: str, understood: bool) -> None:
    """bash joins it with the next one before anything in it runs, others do not: what would run then is unknown."""
    assert effects(script, "/tmp", {}).understood is understood
