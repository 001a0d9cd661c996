"""Programs given as text: they are skimmed, PowerShell and cmd are read; none makes us fail."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from jackline.shell.command_call import Job
from jackline.shell.effects import effects
from jackline.shell.rules.calls import calls
from jackline.shell.rules.powershell import powershell
from jackline.shell.rules.windows import batch
from jackline.shell.shell_state import Scene
from jackline.shell.walk import Walk

CWD, ENV = "/nowhere/p", {"HOME": "/home/u", "TMPDIR": "/tmp"}


def walked(read: str, text: str) -> set[str]:
    """Effects of a program, as `kind path`."""
    walk = Walk()
    job = Job(walk, [read], Scene(CWD, ENV, CWD))
    if read == "powershell":
        powershell(job, text)
    elif read == "cmd":
        batch(job, text)
    else:
        calls(job, text, "python" if read == "python3" else read)
    faults = {f"fault {one}" for one in walk.faults}
    return {f"{one.kind} {one.path.removeprefix(CWD + '/')}".strip() for one in walk.effects.values()} | faults


PYTHON = {
    "a name for a module": ("import shutil as s; s.rmtree('x')", "delete x"),
    "a name for a function": ("from os import unlink as u; u('x')", "delete x"),
    "a variable": ("import os\np = 'x'\nos.remove(p)", "delete x"),
    "a path put together": ("import os; os.remove(os.path.join('a', 'b'))", "delete a/b"),
    "a path of objects": ("from pathlib import Path; (Path('a') / 'b').unlink()", "delete a/b"),
    "the home": ("from pathlib import Path; (Path.home() / 'b').unlink()", "delete /home/u/b"),
    "a home in a text": ("import os; os.remove(os.path.expanduser('~/b'))", "delete /home/u/b"),
    "a formatted text": ("import os; d = 'a'; os.remove(f'{d}/b')", "delete **/b"),
    "a sum": ("import os; os.remove('a' + '/' + 'b')", "delete a/b"),
    "each of several": ("import os\nfor p in ['a', 'b']: os.remove(p)", "delete b"),
    "through a function": ("import os\ndef f(p): os.remove(p)\nf('x')", "delete **"),
    "a glob": ("import glob, os\n[os.remove(p) for p in glob.glob('a/*')]", "delete a/*"),
    "a walk": ("import os\nfor r, d, f in os.walk('a'):\n for x in f: os.remove(os.path.join(r, x))", "delete a/**/*"),
    "found below": ("from pathlib import Path\nfor p in Path('a').rglob('*.py'): p.unlink()", "delete a/**/*.py"),
    "moved": ("import shutil; shutil.move('a', 'b')", "write b"),
    "renamed by a path": ("from pathlib import Path; Path('a').rename('b')", "delete a"),
    "written": ("open('a', 'w').write('x')", "write a"),
    "read": ("print(open('a').read())", "read a"),
    "a shell": ("import os; os.system('rm x')", "delete x"),
    "words": ("import subprocess; subprocess.run(['rm', 'x'])", "delete x"),
    "words in a variable": ("import subprocess\nc = ['rm']\nc2 = c + ['x']\nsubprocess.call(c2)", "delete x"),
    "elsewhere": ("import subprocess; subprocess.run(['rm', 'x'], cwd='a')", "delete a/x"),
    "a name made of pieces": ("import os; getattr(os, 're' + 'move')('x')", "fault python3 calls what only it knows"),
    "imported by a call": ("__import__('os').remove('x')", "fault python3 calls what only it knows"),
    "code in a text": ("exec('import os; os.remove(\"x\")')", "delete x"),
    "code in base64": ("import base64; exec(base64.b64decode('eA=='))", "fault python3 runs text that only it knows"),
    "text turned round": ("import os; os.system('x mr'[::-1])", "fault python3 runs text that only the shell knows"),
    "unknown code": ("exec(input())", "fault python3 runs text that only it knows"),
}


@pytest.mark.parametrize(("code", "effect"), PYTHON.values(), ids=PYTHON)
def test_python_is_followed(code: str, effect: str) -> None:
    assert effect in walked("python3", code)


CALM = (
    "s = open('a').read(); s = s.replace('x', 'y'); open('a', 'w').write(s)",
    "import datetime; print(datetime.datetime.now().replace(microsecond=0))",
    "x = [1, 2]; x.remove(1)",
    "import pandas as pd; df = pd.read_csv('a.csv'); df.rename(columns={'a': 'b'}).to_csv('b.csv')",
    "d = {'a': 1}; d.pop('a'); del d",
    "class A:\n    def delete(self): ...\nA().delete()",
    "model.eval()",
    "import re; re.compile('rm -rf').sub('', 'x')",
)


@pytest.mark.parametrize("code", CALM)
def test_python_that_only_looks_dangerous(code: str) -> None:
    assert not [one for one in walked("python3", code) if one.startswith(("delete", "fault"))]


OTHERS = {
    ("node", "require('fs').rmSync('x', {recursive: true})"): "delete x",
    ("node", "const fs = require('fs'); const p = 'x'; fs.unlinkSync(p)"): "delete x",
    ("node", "const p = require('path').join('a', 'b'); fs.rmSync(p)"): "delete a/b",
    ("node", "import {execSync} from 'child_process'; execSync('rm x')"): "delete x",
    ("node", "spawn('rm', ['x'])"): "delete x",
    ("node", "// it's\nfs.unlinkSync('x')"): "delete x",
    ("node", "t.replace(/['\"]/g, ''); fs.unlinkSync('x')"): "delete x",
    ("node", "eval(atob('ZnMudW5saW5rU3luYygneCcp'))"): "fault node runs text that only it knows",
    ("node", "$`rm x`"): "delete x",
    ("perl", "unlink 'x'"): "delete x",
    ("perl", "system('rm', 'x')"): "delete x",
    ("perl", "`rm x`"): "delete x",
    ("perl", "print qx(rm x)"): "delete x",
    ("perl", "open(F, '>', 'x')"): "write x",
    ("perl", "open(F, 'x'); print <F>"): "read x",
    ("perl", "s/'//g; unlink 'x'"): "delete x",
    ("ruby", "FileUtils.rm_rf 'x'"): "delete x",
    ("ruby", "File.delete('x')"): "delete x",
    ("ruby", "%x(rm x)"): "delete x",
    ("ruby", "system 'rm', 'x'"): "delete x",
    ("ruby", "puts File.read('x')"): "read x",
    ("php", "unlink('x');"): "delete x",
    ("php", "shell_exec('rm x');"): "delete x",
    ("php", "echo file_get_contents('x');"): "read x",
    ("lua", 'os.remove("x")'): "delete x",
    ("lua", 'os.execute "rm x"'): "delete x",
    ("rscript", 'unlink("x", recursive = TRUE)'): "delete x",
    ("julia", "run(`rm x`)"): "delete x",
    ("emacs", '(shell-command "rm x")'): "delete x",
    ("groovy", '"rm x".execute()'): "delete x",
    ("elixir", 'System.cmd("rm", ["x"])'): "delete x",
    ("powershell", "Remove-Item x -Recurse"): "delete x",
    ("powershell", "ri -r 'x'"): "delete x",
    ("powershell", "$p = 'x'; Remove-Item $p"): "delete x",
    ("powershell", "Get-ChildItem a *.log | Remove-Item"): "delete a/*.log",
    ("powershell", "if ($true) { Remove-Item x }"): "delete x",
    ("powershell", "'rm x' | Out-Null; & 'rm' x"): "delete x",
    ("powershell", "iex 'Remove-Item x'"): "delete x",
    ("powershell", "[IO.File]::Delete('x')"): "delete x",
    ("powershell", "'a' > x"): "write x",
    ("powershell", "cd a; Remove-Item x"): "delete a/x",
    ("cmd", "if not exist y del x"): "delete x",
    ("cmd", "if %a% equ 3 del x"): "delete x",
    ("powershell", "Start-Process rm -ArgumentList 'x'"): "delete x",
    ("cmd", "del x"): "delete x",
    ("cmd", "rd /s /q x"): "delete x",
    ("cmd", "cd a && del x"): "delete a/x",
    ("cmd", "if exist x del x"): "delete x",
    ("cmd", "echo a > x"): "write x",
    ("cmd", "d^el x"): "delete x",
    ("cmd", 'del "a b"'): "delete a b",
}


@pytest.mark.parametrize(("read", "code"), OTHERS)
def test_other_languages_are_skimmed(read: str, code: str) -> None:
    assert OTHERS[read, code] in walked(read, code)


READS = ("python3", "node", "perl", "ruby", "php", "lua", "emacs", "powershell", "cmd")
PIECES = st.lists(
    st.sampled_from(
        ["rm", "x", "'", '"', "`", "(", ")", "{", "}", "[", "]", "$", "@", "#", ";", "\n", " ", "|", "&", "=", "+", ".",
         "system", "unlink", "open", "exec", "eval", "Remove-Item", "del", "-r", "/s", "\\", "%", "q", "s/", "//", "/*",
         "\0", "\1", "import os", "os.remove", "$(", "@'", "<#", "->", "::", ",", "é", "\ue000"]
    ),
    max_size=24,
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(READS), PIECES.map("".join) | st.text(max_size=60))
@example("node", "system(")
@example("perl", "s{a}{b")
@example("ruby", "%w[")
@example("powershell", "@'")
def test_no_text_makes_a_reader_fail(read: str, code: str) -> None:
    walked(read, code)


HUGE = {
    "brackets": "(" * 60_000,
    "signs": "-" * 60_000 + "1",
    "sums": "x = " + "+".join(["'a'"] * 20_000),
    "calls": "f(" * 2_000 + ")" * 2_000,
    "quotes": "'" * 60_001,
    "blocks": "{" * 30_000 + "}" * 30_000,
    "names": "a." * 50_000 + "b",
    "loops": "\n".join(f"a{n} = a{n + 1} + a{n + 1}" for n in range(3_000)) + "\nopen(a0)",
    "lines": "unlink('x')\n" * 10_000,
    "variables": "$a" * 30_000,
    "pipes": "rm x | " * 5_000,
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("read", ["python3", "node", "perl", "powershell", "cmd"])
def test_a_large_program_is_answered_in_time(read: str, name: str) -> None:
    words = {"python3": "-c", "node": "-e", "perl": "-e", "powershell": "-Command", "cmd": "/c"}
    begun = time.process_time()
    found = effects(f"{read} {words[read]} '{HUGE[name].replace(chr(39), chr(39) + chr(92) + chr(39) * 2)}'", CWD, ENV)
    assert found.commands
    assert time.process_time() - begun < 4


def test_values_that_stand_for_one_another_are_looked_up_once() -> None:
    """A name that is bound again and again to what it was before may be any of it, at every depth."""
    began = time.monotonic()
    walked("python3", "x = open\n" + "x = x.f(x, x)\n" * 20)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("text", ["a = []\nfor x in a: print(x[0])", "for x in []: open(x, x)"])
def test_a_loop_over_nothing_is_no_fault_of_ours(text: str) -> None:
    assert effects(f"python3 - <<'E'\n{text}\nE\n", CWD, ENV).why == ""
