"""The gate by effect: the ways of these tables to write, led to a plain file of the project, before there is a plan.

Whatever carries them, none passes a strict gate; and as many calls of the same shapes that only read all pass.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from features.feature import context_of
from jackline.clients.router import receive
from jackline.features.tool_gate.hook import handle
from jackline.runtime.request import Request

from .case import Case
from .tables import NAMES, table
from .world import World

FILE = "src/app.py"
PLACES = (".claude/settings.json", ".ai/hooks/config.json", ".git/hooks/pre-commit")
"""What the tables write to in the project."""
READERS = ("mcp__files__read_file",)
"""A tool that reads by its name reads what it is given."""


def led(given: Any) -> Any:
    """The same call, led to the plain file."""
    if isinstance(given, dict):
        return {led(key): led(value) for key, value in given.items()}
    if isinstance(given, list):
        return [led(one) for one in given]
    for place in PLACES if isinstance(given, str) else ():
        given = given.replace(place, FILE)
    return given


def judged(world: World, case: Case) -> str:
    """What the gate says to a case in PLANNING."""
    env = {**world.env(), **{name: world.spell(value) for name, value in case.env}}
    raw = json.dumps(world.payload(case)).encode()
    request = Request("claude-code", "PreToolUse", raw, env, str(world.root), home=str(world.home))
    event = receive(request)[1]
    event.root, event.home = str(world.root), str(world.home)
    state = {"core": {"phase": "PLANNING", "workId": "w001", "createdTs": world.began}}
    with world.written(case):
        action = handle(
            event, context_of("tool-gate", world.root, protected=world.protected(), state=state, small="off")
        )
    return (action.decision if action is not None else "") or "pass"


def attacks(name: str) -> list[Case]:
    found = []
    for one in table(name).ATTACKS:
        made = one._replace(call=led(one.call), files=tuple([(led(path), led(text)) for path, text in one.files]))
        if (made.call, made.files) != (one.call, one.files) and one.tool not in READERS:
            found.append(made)
    return [one for one in found if one.channel != "behind others"]  # that one leads to src/src


@pytest.mark.parametrize("name", [name for name in NAMES if attacks(name)])
def test_no_way_of_a_table_writes_a_plain_file(world: World, name: str) -> None:
    passed = [(one.tool, one.call, one.files) for one in attacks(name) if judged(world, one) == "pass"]
    assert passed == []


def test_the_tables_have_many_ways(world: World) -> None:
    assert sum(len(attacks(name)) for name in NAMES) >= 500


WRITES = r"""
cat > src/app.py <<'E'⏎x⏎E
cat <<E >> src/app.py⏎x⏎E
tee src/app.py <<< x
printf x >| src/app.py
exec 3> src/app.py; echo x >&3
: > src/app.py
sed -i s/a/b/ src/app.py
sed -n 'w src/app.py' README.md
perl -pi -e s/a/b/ src/app.py
perl -i.bak -ne 'print' src/app.py
ruby -i -pe '$_.upcase!' src/app.py
awk -i inplace '{print}' src/app.py
awk '{print > "src/app.py"}' README.md
python3 -c "open('src/app.py','w').write('x')"
python3 - <<'E'⏎from pathlib import Path⏎Path('src/app.py').write_text('x')⏎E
python3 -c "import os; os.system('rm src/app.py')"
node -e "require('fs').writeFileSync('src/app.py','x')"
ruby -e "File.write('src/app.py','x')"
php -r "file_put_contents('src/app.py','x');"
lua -e "io.open('src/app.py','w'):write('x')"
perl -e 'open F, ">src/app.py"; print F 1'
ed -s src/app.py <<< $'1d\nw'
ex -sc '1d|wq' src/app.py
vim -es -c '1d' -c wq src/app.py
dd if=README.md of=src/app.py
cp README.md src/app.py
mv README.md src/app.py
install -m 644 README.md src/app.py
ln -sf ../README.md src/app.py
rsync README.md src/app.py
truncate -s 0 src/app.py
rm src/app.py
unlink src/app.py
shred -u src/app.py
find src -name app.py -delete
find src -name app.py -exec sed -i s/a/b/ {} +
ls src/*.py | xargs sed -i s/a/b/
rg -l x src | xargs rm
git checkout HEAD~1 -- src/app.py
git restore --source HEAD~1 src/app.py
git apply fix.patch
git stash pop
git reset --hard HEAD~1
git revert HEAD
git mv src/app.py src/new.py
git rm src/app.py
git config -f src/app.py a.b c
git show HEAD~1:src/app.py > src/app.py
patch -p1 < fix.patch
patch src/app.py <<'E'⏎1c1⏎< a⏎---⏎> b⏎E
tar xf a.tar -C src
tar xzf a.tgz
unzip -o a.zip -d src
cpio -id < a.cpio
bash -c 'echo x > src/app.py'
sh -c "sed -i s/a/b/ src/app.py"
eval "rm src/app.py"
env -i bash -c 'rm src/app.py'
timeout 9 sed -i s/a/b/ src/app.py
sudo tee src/app.py < README.md
cd src && echo x > app.py
(cd src; rm app.py)
f() { echo x > "$1"; }; f src/app.py
for f in src/*.py; do echo x > $f; done
echo "$(rm src/app.py)"
curl -o src/app.py https://x.example
wget -O src/app.py https://x.example
black src
ruff check --fix src
ruff format src
prettier --write src
eslint --cache-location=src/app.py src
gofmt -w src
npx codemod src
sort -o src/app.py README.md
uniq README.md src/app.py
split -b 1 README.md src/app.py
jq . package.json > src/app.py
docker run -v $PWD:/w alpine sh -c 'rm /w/src/app.py'
GIT_TRACE=$PWD/src/app.py git status
strace -o src/app.py true
awk 'BEGIN{system("rm src/app.py")}'
sqlite3 a.db "select writefile('src/app.py','x')"
busybox sed -i s/a/b/ src/app.py
xargs -I{} cp README.md {} <<< src/app.py
"""

READS = r"""
cat <<'E'⏎x⏎E
cat src/app.py
tee <<< x
printf x
exec 3< src/app.py; cat <&3
:
sed s/a/b/ src/app.py
sed -n 1,20p README.md
perl -ne 'print' src/app.py
awk '{print}' src/app.py
awk '{print > "/dev/stderr"}' README.md
python3 -c "print(open('src/app.py').read())"
python3 - <<'E'⏎print(open('src/app.py').read())⏎E
node -e "console.log(require('fs').readFileSync('src/app.py','utf8'))"
ruby --version
head -5 src/app.py
tail -n 20 src/app.py
less src/app.py
nl -ba src/app.py
wc -l src/*.py
dd if=src/app.py
cp src/app.py /tmp/app.py
install -m 644 src/app.py /tmp/app.py
ls -la src
stat src/app.py
file src/app.py
md5sum src/app.py
diff README.md src/app.py
find src -name app.py
find src -name '*.py' -exec wc -l {} +
ls src/*.py | xargs wc -l
rg -l x src | xargs head -3
rg -n x src
grep -rn x src
git grep x
git diff
git log --oneline -5
git log -p -- src/app.py
git show HEAD:src/app.py
git blame src/app.py
git status --short
git stash list
git branch -a
git show HEAD:src/app.py > /tmp/app.py
git apply --check fix.patch
patch --dry-run -p1 < fix.patch
tar tf a.tar
tar xzf a.tgz -C /tmp/x
unzip -l a.zip
bash -c 'cat src/app.py'
sh -c "sed -n 1p src/app.py"
eval "cat src/app.py"
env cat src/app.py
timeout 9 cat src/app.py
cd src && cat app.py
(cd src; head app.py)
f() { cat "$1"; }; f src/app.py
for f in src/*.py; do echo $f; cat $f; done
echo "$(cat src/app.py)"
curl -s https://x.example
curl -o /tmp/x https://x.example
black --check src
ruff check src
ruff format --check src
prettier --check src
eslint src
mypy --config-file=setup.cfg src
gofmt -l src
sort README.md
uniq README.md
jq . package.json
jq .scripts package.json | head
tree src
du -sh src
date
pwd
which python3
env | sort
ps aux | head
python3 --version
node --version
pytest -q
npm test
npm run build
cargo test
go vet ./...
make test
tsc --noEmit
"""


def rows(text: str) -> list[str]:
    return [line.replace("⏎", "\n") for line in text.strip("\n").split("\n")]


@pytest.mark.parametrize(("text", "says"), [(WRITES, "deny"), (READS, "pass")], ids=["writes", "reads"])
def test_commands_by_their_effect(world: World, text: str, says: str) -> None:
    said = {line: judged(world, Case("command", line.split()[0], "", line)) for line in rows(text)}
    assert [line for line, met in said.items() if met != says] == []


def test_there_are_as_many_readers_as_writers() -> None:
    assert len(rows(READS)) >= len(rows(WRITES)) >= 70


TOOLS: list[tuple[str, dict[str, Any], str]] = [
    ("mcp__fs__write_file", {"path": FILE, "content": "x"}, "deny"),
    ("mcp__fs__edit_file", {"path": FILE, "edits": [{"oldText": "a", "newText": "b"}]}, "deny"),
    ("mcp__fs__move_file", {"source": FILE, "destination": "src/new.py"}, "deny"),
    ("mcp__fs__get_status", {"value": f"rm {FILE}"}, "deny"),
    ("mcp__serena__replace_regex", {"relative_path": FILE, "regex": "a", "repl": "b"}, "deny"),
    ("mcp__lab__get_cell", {"code": f"open('{FILE}','w').write('x')"}, "deny"),
    ("Write", {"file_path": f"<R>/{FILE}", "content": "x"}, "deny"),
    ("MultiEdit", {"file_path": f"<R>/{FILE}", "edits": [{"old_string": "a", "new_string": "b"}]}, "deny"),
    ("SomeNewTool", {"path": FILE}, "deny"),
    ("mcp__fs__read_file", {"path": FILE}, "pass"),
    ("mcp__fs__read_multiple_files", {"paths": [FILE, "README.md"]}, "pass"),
    ("mcp__fs__list_directory", {"path": "src"}, "pass"),
    ("mcp__fs__get_file_info", {"path": FILE}, "pass"),
    ("mcp__serena__find_symbol", {"relative_path": FILE, "name": "x"}, "pass"),
    ("mcp__tracker__search", {"query": "rm the old files", "limit": 10}, "pass"),
    ("mcp__github__get_issue", {"owner": "o", "repo": "r", "number": 1}, "pass"),
    ("Read", {"file_path": f"<R>/{FILE}"}, "pass"),
    ("Grep", {"pattern": "x", "path": "src"}, "pass"),
    ("Skill", {"skill": "pdf"}, "pass"),
    ("TodoWrite", {"todos": []}, "pass"),
]


@pytest.mark.parametrize(("tool", "given", "says"), TOOLS, ids=[tool for tool, _, _ in TOOLS])
def test_tools_by_their_effect(world: World, tool: str, given: dict[str, Any], says: str) -> None:
    assert judged(world, Case(tool, tool, "", given, says, tool)) == says
