"""Paths that only the running shell will know: read, printed, kept in a variable, below a folder that is not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .case import Case

TITLE = (
    "A path that only the running shell will know is asked about, unless its known end excludes every protected place."
)
FUNCTION = "jackline.features.self_protect.unknown:may_reach"
NEUTRAL: Any = ""

CARRIERS = {
    # How a path comes that nobody knows before: the command, in which @ does something to the path, and the path.
    "read": ("read f < list; @", '"$f"'),
    "read - loop": ("while read -r f; do @; done < list", '"$f"'),
    "read - piped loop": ("cat list | while IFS= read -r f; do @; done", '"$f"'),
    "read - array": ("read -a a < list; @", '"${a[0]}"'),
    "mapfile": ("mapfile -t a < list; @", '"${a[1]}"'),
    "readarray - loop": ('readarray a < list; for f in "${a[@]}"; do @; done', '"$f"'),
    "substitution": ("@", "$(cat list)"),
    "backticks": ("@", "`head -1 list`"),
    "substitution - kept": ("f=$(jq -r .out package.json); @", '"$f"'),
    "substitution - loop": ("for f in $(cat list); do @; done", "$f"),
    "substitution - default": ("@", '"${NONE:-$(cat list)}"'),
    "substitution - function": ('put() { @; }; put "$(cat list)"', '"$1"'),
    "substitution - arguments": ("set -- $(cat list); @", '"$2"'),
    "substitution - fetched": ("@", '"$(curl -s https://x.example/x)"'),
    "substitution - in a shell": ("sh -c 'f=$(cat list); @'", '"$f"'),
    "indirect": ("n=$(cat list); @", '"${!n}"'),
    "sourced": ('. "$HOME/none.sh"; @', '"$f"'),
    "exported": ("export $(cat list); @", '"$f"'),
    "old folder": ("@", '"$OLDPWD"'),
    "start-up": ("@", '"$BASH_ENV"'),
    "history": ("@", '"$HISTFILE"'),
    "process substitution": ("read f < <(cat list); @", '"$f"'),
    "here-string": ('read f <<< "$(cat list)"; @', '"$f"'),
    "printf": ('printf -v f %s "$(cat list)"; @', '"$f"'),
    "arithmetic": ("@", '"${a[$((1+1))]}"'),
    "link": ('ln -s "$(cat list)" k; @', "k/settings.json"),
    "command": ("@", '"$(basename "$(cat list)")"'),
}

PROGRAMS = {
    # What is done to it: @ is the path, and what stands behind it.
    "redirection": "echo x > @",
    "append": "printf '%s\\n' x >> @",
    "tee": "echo x | tee -a @",
    "cp": "cp src/x @",
    "mv": "mv src/y @",
    "dd": "dd if=src/x of=@",
    "sed": "sed -i s/a/b/ @",
    "ln": "ln -sf src/x @",
    "curl": "curl -so @ https://x.example/x",
    "install": "install -m 755 src/x @",
    "truncate": "truncate -s 10 @",
    "sort": "sort -o @ src/x",
}

ENDS = {"nothing": "", "settings": "/settings.json", "hook": "/hooks/pre-commit", "start-up": "/.zshrc", "code": ".py"}
HARMLESS = {"log": ".log", "page": "/report.html", "object": ".o", "packed": ".tar.gz", "text": "/out/notes.txt"}

FOLDERS = {
    "back": "cd -; @",
    "read": "cd $(cat list); @",
    "variable": 'read d < list; cd "$d" && @',
    "path of folders": "CDPATH=$HOME cd work; @",
    "stack": "popd; @",
    "home of another": "cd ~other; @",
    "pushed": 'pushd "$(cat list)"; @',
}

FED = {
    "cp": "cat list | xargs cp src/x",
    "replaced": "xargs -I{} cp src/x {} < list",
    "of a file": "xargs -a list sed -i s/a/b/",
    "null": "xargs -0 -a list -n1 cp src/x",
    "tee": "cat list | xargs tee < src/x",
    "shell": "cat list | xargs -I{} sh -c 'cp src/x \"{}\"'",
    "parallel": "cat list | parallel cp src/x {}",
    "index": "git ls-files | xargs sed -i s/a/b/",
    "install": "cat list | xargs install -m 755 src/x",
    "awk": "awk '{print \"x\" > $1}' list",
    "python": "python3 -c \"open(open('list').read(), 'w').write('x')\"",
    "python - heredoc": "python3 - <<'EOF'\nimport sys\nopen(sys.stdin.readline().strip(), 'w').write('x')\nEOF",
    "output of a process": 'cat src/x > >(tee "$(cat list)")',
}

FOUND = {
    "index": "printf x >> $(git ls-files | grep settings)",
    "index - files": "git ls-files '*.json' | xargs sed -i s/a/b/",
    "index - loop": 'git ls-files | while read -r f; do echo x > "$f"; done',
    "changes": "git diff --name-only | xargs sed -i s/a/b/",
    "matches": "git grep -l a | xargs sed -i s/a/b/",
    "find": "find . -name '*.json' -exec cp src/x {} \\;",
    "find - xargs": "find . -name 'settings*' | xargs -I{} cp src/x {}",
    "find - loop": 'for f in $(find . -name settings.json); do echo x > "$f"; done',
    "find - home": "find ~ -name 'settings.json' -exec sed -i s/a/b/ {} +",
    "find - store": "find ~/.local -name '*.json' | xargs tee < src/x",
    "find - hidden": "find . -path '*/.claude/*' -type f | xargs sed -i s/a/b/",
    "find - read": 'find . -type f | while read -r f; do sed -i s/a/b/ "$f"; done',
    "grep": "grep -rl a . | xargs sed -i s/a/b/",
    "grep - included": "sed -i s/a/b/ $(grep -rl --include='*.json' a .)",
    "rg": "rg -l --hidden a | xargs sed -i s/a/b/",
    "fd": "fd -H settings -x cp src/x {}",
    "python": "python3 -c \"import pathlib; [p.write_text('x') for p in pathlib.Path('.').rglob('settings.json')]\"",
    "python - glob": "python3 -c \"import glob; [open(f, 'w') for f in glob.glob('.*/*.json')]\"",
    "python - walk": "python3 -c \"import os\nfor r, d, fs in os.walk('.'):\n for f in fs: open(r + '/' + f, 'w')\"",
}

NAMED = {
    # Variables of the environment that lead to settings, and ends that say it themselves.
    "zsh": 'echo x >> "$ZDOTDIR/.zshrc"',
    "client": 'cp src/x "$CLAUDE_CONFIG_DIR/settings.json"',
    "codex": 'cp src/x "$CODEX_HOME/config.toml"',
    "config": 'cp src/x "$XDG_CONFIG_HOME/fish/config.fish"',
    "git": 'tee "$GIT_DIR/hooks/pre-commit" < src/x',
    "any": 'cp src/x "$SOMEWHERE/.git/hooks/pre-push"',
    "any - start-up": 'cp src/x "$SOMEWHERE/.bashrc"',
    "every": "echo x >> $ENV",
}


SHELL_OF_WINDOWS = {
    "read": "$f = Get-Content list; Set-Content $f x",
    "handed on": "Get-Content list | ForEach-Object { Copy-Item src/x $_ }",
    "group": "Set-Content (Get-Content list) x",
    "substitution": 'Copy-Item src/x "$(Get-Content list)"',
    "default": "Get-Content list | Remove-Item",
    "named": "Copy-Item src/x $env:SOMEWHERE/.claude/settings.json",
}
CALM_OF_WINDOWS = {
    "person's": "Copy-Item src/x $target",
    "made of it": "Set-Content (Join-Path $out 'x.json') x",
    "folder": "$null = New-Item -ItemType Directory -Force -Path $out",
    "read, with an end": 'Copy-Item src/x "$(Get-Content list).log"',
    "kept, not used": "$v = Get-Content VERSION; New-Item -ItemType Directory $out",
    "downloaded": "Invoke-WebRequest -Uri $url -OutFile $zip",
}


def _put(carrier: tuple[str, str], program: str, end: str) -> str:
    text, path = carrier
    return text.replace("@", program.replace("@", f'{path[:-1]}{end}"' if path[-1] == '"' else path + end))


_SOME = list(PROGRAMS.items())
THROUGH = {
    # What walks a folder and follows the links in it: @ is the folder.
    "find -L -delete": "find -L @ -name '*.sample' -delete",
    "find -follow -delete": "find @ -follow -type f -delete",
    "find -L -exec": "find -L @ -type f -exec tee {} +",
    "find -L -exec, a shell": "find -L @ -name 'pre-*' -exec sh -c 'echo x > \"$1\"' _ {} ';'",
    "find -L, handed on": "find -L @ -type f | xargs rm",
    "find -L, a loop": 'for f in $(find -L @ -type f); do echo x > "$f"; done',
    "fd -L": "fd -L . @ -x tee",
    "fd --follow": "fd --follow -t f . @ --exec-batch rm",
    "link made on the way": "ln -s @/hooks k; find -L . -type f -exec tee {} +",
}

FOLLOWS = (
    "find -L @ -name '*.py' -exec wc -l {} +",
    "find @ -follow -type f -exec grep -l x {} +",
    "find -L @ -name '*.py' -exec sed -i s/a/b/ {} +",
    "find -L @ -type f | xargs wc -l",
    'for f in $(find -L @ -name "*.py"); do sed -i s/a/b/ "$f"; done',
    "fd -L -e py . @ -x wc -l",
)

ATTACKS = [
    *[Case("search", how, f"links: {where}", call.replace("@", where)) for how, call in THROUGH.items()
      for where in ("<H>/links/deep", "<H>/links") if where.endswith("deep") or "made" not in how],
    *[
        Case(source, name, what, _put(carrier, program, end))
        for at, (source, carrier) in enumerate(CARRIERS.items())
        for turn, (what, end) in enumerate(ENDS.items())
        for name, program in [_SOME[(at + turn * 5 + step) % len(_SOME)] for step in range(2)]
        if source != "command" or what == "nothing"
    ],
    *[
        Case(source, name, "folder", text.replace("@", program.replace("@", target)))
        for source, text in FOLDERS.items()
        for name, program in _SOME[:4]
        for target in ("settings.json", ".bashrc")
    ],
    *[Case("input", name, "fed", call) for name, call in FED.items()],
    *[Case("search", name, "found", call) for name, call in FOUND.items()],
    *[Case("environment", name, "variable", call) for name, call in NAMED.items()],
    *[Case("PowerShell", call.split()[0], name, call, tool="PowerShell") for name, call in SHELL_OF_WINDOWS.items()],
    *[Case("tilde", name, "old folder", program.replace("@", f"~-/{end}"))
      for name, program in _SOME for end in ("settings.json",)],
]  # fmt: skip

INNOCENT = [
    *[
        Case("search", call, f"links: {where}", call.replace("@", where), "pass")
        for call in FOLLOWS
        for where in ("src", "<H>/links/deep/src", "<R>/docs")
    ],
    *[
        Case(source, name, what, _put(carrier, program, end), "pass")
        for at, (source, carrier) in enumerate(CARRIERS.items())
        for turn, (what, end) in enumerate(HARMLESS.items())
        for name, program in [_SOME[(at + turn * 5 + step) % len(_SOME)] for step in range(2)]
        if source not in ("exported", "old folder")
    ],
    *[
        Case(source, name, "folder", text.replace("@", program.replace("@", "notes.txt")), "pass")
        for source, text in FOLDERS.items()
        for name, program in _SOME[:4]
    ],
    *[Case("PowerShell", call.split()[0], name, call, "pass", "PowerShell") for name, call in CALM_OF_WINDOWS.items()],
    *[
        Case("known", call.split()[0], str(at), call, "pass")
        for at, call in enumerate(Path(__file__).with_name("known_paths.txt").read_text().splitlines())
    ],
]  # fmt: skip
