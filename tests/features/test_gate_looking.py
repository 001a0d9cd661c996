"""Commands of which not all is known: those that change no file here are reading, the others need a lease that lends
them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackline.shell.rules.code import reads
from scene import Scene

from .test_tool_gate import STRICT, submit

LOOKS = [
    "yamllint .", "actionlint", "hadolint Dockerfile", "stylelint 'src/**/*.css'", "tflint --recursive",
    'psql -c "select 1"', "psql -h db -Atc 'select count(*) from t where x = 1'", "psql --command='show tables'",
    "mysql -e 'show tables; describe t'", "mariadb -e 'explain select 1'",
    "kubectl --kubeconfig k.yml get pods", "kubectl -n default get pods -o yaml", "kubectl --context x logs pod",
    "docker --context x ps",
    "python3 -c 'import pathlib; print(pathlib.Path(\"a\").read_text())'",
    "python3 -c 'import os; print(os.listdir(\".\"))'",
    "python3 -c 'import re; print(re.findall(\"x\", open(\"a\", encoding=\"utf-8\").read()))'",
]  # fmt: skip
CHANGES = [
    "eslint-lint --fix src", "stylelint --fix src", "golangci-lint run --fix", "ktlint -F", "swiftlint autocorrect",
    "golangci-lint run --out-format=x --output=y", "ansible-lint --write", "./yamllint .", "swiftlint -x",
    'psql -c "drop table x"', "psql -c 'select 1 into t'", "psql -c '\\copy t to a.csv'", "psql -f x.sql",
    "psql -c 'select 1' -o a.txt", "psql", "echo 'select 1' | psql", "psql -c \"select lo_export(1, '/x')\"",
    "psql -c 'select 1; delete from t'", "mysql -e \"select 1 into outfile 'x'\"", "mysql -e \"source x.sql\"",
    "kubectl --kubeconfig k.yml delete pod x", "kubectl -n default apply -f x.yml", "docker --context x rm y",
    "ruby -e 'puts File.read(\"a.rb\")'", "ruby -ryaml -e 'puts YAML.load_file(\"a.yml\").keys'",
    "ruby -e 'require \"json\"; puts JSON.parse(File.read(\"a.json\"))'",
    "ruby x.rb", "ruby -e 'File.write(\"a\", \"b\")'", "ruby -r./x -e 'puts 1; File.read(\"a\")'",
    "ruby -e 'IO.read(\"|touch x\")'", "python3 x.py", "python3 -c 'import data'",
    "yamllint $(cat x)", "X=1 yamllint .", "ls | xargs yamllint", "mytool --check",
]  # fmt: skip


@pytest.fixture
def strict(scene: Scene) -> Scene:
    (scene.root / "src").mkdir()
    (scene.root / "src/a.py").write_text("a\n")
    scene.manifest({"version": 1, "modules": STRICT})
    scene.begin()
    scene.prompt("rotate the tokens")
    return scene


@pytest.mark.parametrize("command", LOOKS)
def test_what_is_known_to_change_nothing_here_is_reading(strict: Scene, command: str) -> None:
    assert strict.pre(command).decision == ""


@pytest.mark.parametrize("command", CHANGES)
def test_what_may_change_something_waits_for_a_plan(strict: Scene, command: str) -> None:
    assert strict.pre(command).decision == "deny"


def test_what_looks_and_writes_is_judged_by_what_it_writes(strict: Scene) -> None:
    assert strict.pre("yamllint . > src/report.txt").decision == "deny"
    assert strict.pre("yamllint . && touch src/b.py").decision == "deny"


PYTHON = [
    'open("a","w")', 'open(("a"),"w")', 'open(*["a","w"])', 'o=open; o("a","w")', 'open ("a","w")',
    'open("a", mode="w")', 'list(map(open,["a"],["w"]))', 'from pathlib import Path; Path("a").replace("b")',
    'from pathlib import Path; Path("a").open("w")',
    "import data", "import os, data", "from data import x", "if 1: import data", "import os; os.remove('a')",
    "import yaml; yaml.load(open('a'))", "__import__('os')", "import os as p; p.system('x')", "exec('x')",
    'open("a", "r+")', 'print(open("a").write("x"))', "import importlib; importlib.import_module('x')",
]  # fmt: skip
RUBY = [
    'File.open("a", "w")', 'require "./x"', 'a = "./x"; require a', "require('x')", "`ls`", 'File.delete("a")',
    'IO.read("x")',
    'Dir.mkdir("a")', "[1].map(&:delete)", '"#{1}"', 'system("x")', 'File.send(:write, "a")', "%x(ls)", 'open("a")',
]  # fmt: skip


@pytest.mark.parametrize(("language", "code"), [*[("python", one) for one in PYTHON], *[("ruby", one) for one in RUBY]])
def test_a_program_that_may_do_more_does_not_only_read(language: str, code: str) -> None:
    assert not reads(code, language)


# --- under a plan --------------------------------------------------------------------------------------------------

SCOPED: dict[str, Any] = {"id": "one", "scope": "src/**", "validators": ["t"]}


@pytest.mark.parametrize(
    ("node", "passes"),
    [
        (SCOPED, False),
        ({**SCOPED, "tools": ["Edit"]}, False),
        ({**SCOPED, "tools": ["Edit", "kind:shell"]}, True),
        ({**SCOPED, "tools": ["run_in_terminal"]}, True),
        ({**SCOPED, "lease": {"tools": ["Bash"]}}, True),
        ({**SCOPED, "scope": "**"}, True),
        ({"id": "one", "validators": ["t"]}, True),
    ],
    ids=["scope", "other tool", "shell", "another client's", "lent", "all", "everywhere"],
)
def test_what_nobody_understands_needs_a_lease_that_lends_it(strict: Scene, node: dict[str, Any], passes: bool) -> None:
    submit(strict, node)
    said = strict.pre("mytool gen")
    assert said.decision == ("" if passes else "deny")
    if not passes:
        assert 'a node that lends the tool does, by "tools": ["kind:shell"]' in said.reason
        assert "now: jackline plan submit FILE" in said.reason
    assert strict.pre("touch src/new.py").decision == "", "what is understood goes by its paths"
    assert strict.pre("pytest -q && yamllint .").decision == ""


def test_a_tool_of_a_server_that_may_do_anything_needs_one_too(strict: Scene) -> None:
    submit(strict, SCOPED)
    call = strict.tool(tool_name="mcp__gen__make_all", tool_input={"what": "x"})
    said = strict.say(call)
    assert said.decision == "deny" and '"tools": ["gen/make_all"]' in said.reason.replace(
        "mcp__gen__make_all", "gen/make_all"
    )
    submit(
        strict, {**SCOPED, "tools": ["Edit", json.loads(said.reason.partition('"tools": ')[2].partition(",")[0])[0]]}
    )
    assert strict.say(call).decision == ""


def test_our_own_command_by_its_place_starts_no_other_program(strict: Scene) -> None:
    submit(strict, SCOPED)
    place = f"{strict.home}/.local/bin/jackline"
    assert strict.pre(f"{place} plan node done one").decision == ""
    assert strict.pre(f"{place} plan node x.js; node x.js").decision == "deny"
    assert strict.pre(f"{place} lock run k -- mytool gen").decision == "deny"
