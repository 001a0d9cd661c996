"""Variables that move the settings of later sessions, and what keeps them."""

from __future__ import annotations

from shlex import quote

from .case import Case

TITLE = "What moves the settings of later sessions is asked about, whatever keeps the variable for them."
FUNCTION = "jackline.features.self_protect.detours:moves_later"
NEUTRAL = ""

OF_CLIENTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME")
HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
OTHERS = ("EDITOR_THEME", "CODEX_HOMEPAGE", "MY_HOME", "NODE_ENV", "JAVA_HOME", "XDG_DATA_DIRS")

KEEPERS = {
    # Program, and a form of it: {} is the variable.
    "systemctl": ("systemctl --user set-environment {}=/srv/c", "systemctl --user import-environment {}"),
    "launchctl": ("launchctl setenv {} /srv/c",),
    "dbus": ("dbus-update-activation-environment --systemd {}=/srv/c",),
    "tmux": ("tmux set-environment -g {} /srv/c", "tmux setenv -g {} /srv/c"),
    "screen": ("screen -X setenv {} /srv/c",),
    "setx": ("setx {} /srv/c", "cmd /c 'setx {} C:\\c'"),
    "mise": ("mise set {}=/srv/c", "mise set -g {}=/srv/c"),
    "fish": ("fish -c 'set -Ux {} /srv/c'",),
    "pwsh": ("pwsh -c \"[Environment]::SetEnvironmentVariable('{}', '/srv/c', 'User')\"",),
    "python": ("python3 -c \"import os; os.system('tmux setenv -g {} /srv/c')\"",),
}
ASKED = ("systemctl", "launchctl", "fish")
"""Keepers that are asked about whatever they keep."""
FILES = {
    ".envrc": "export {}=/srv/c",
    ".env": "{}=/srv/c",
    "app/.env.local": "{}='/srv/c'",
    "mise.toml": '[env]\n{} = "/srv/c"',
    ".devcontainer/devcontainer.json": '{{"remoteEnv": {{"{}": "/srv/c"}}}}',
}
CARRIERS = {"command": "{}", "a list": "ls && {}", "a shell": "bash -c {quoted}", "a wrapper": "timeout 9 {}"}
WRITES = {
    "echo": "echo {text} >> {file}",
    "printf": "printf '%s\\n' {text} > {file}",
    "tee": "echo {text} | tee -a {file}",
    "here": "cat > {file} <<'END'\n{plain}\nEND",
}


def _kept(names: tuple[str, ...], says: str) -> list[Case]:
    return [
        Case(carrier, program, f"{form.split('{')[0].strip()}: {name}",
             how.replace("{quoted}", quote(form.format(name))).replace("{}", form.format(name)), says)
        for program, forms in KEEPERS.items() if says != "pass" or program not in ASKED
        for form in forms for at, name in enumerate(names)
        for carrier, how in list(CARRIERS.items())[at % 2 :: 2]
    ]  # fmt: skip


def _written(files: tuple[str, ...], names: tuple[str, ...], says: str) -> list[Case]:
    made = []
    for file, name in [(file, name) for file in files for name in names]:
        text = FILES.get(file, "export {}=/srv/c").format(name)
        for program, form in WRITES.items():
            call = form.format(text=quote(text), file=file, plain=text)
            made.append(Case("a file", program, f"{file}: {name}", call, says))
        content = {"file_path": f"<R>/{file}", "content": f"{text}\n"}
        if file != "mise.toml":  # to the tools of files it is a file like any other
            made.append(Case("a file tool", "Write", f"{file}: {name}", content, says, tool="Write"))
    return made


ATTACKS = [*_kept((*OF_CLIENTS, *HOMES), "stop"), *_written(tuple(FILES), OF_CLIENTS, "stop")]
DOCS = ("docs/setup.txt", "README.md", "tests/data/env.txt", "Dockerfile")
INNOCENT = [
    *_kept((*OTHERS, "LANG", "TZ"), "pass"),
    *_written((*FILES, *DOCS), OTHERS, "pass"),
    *_written(DOCS, OF_CLIENTS, "pass"),
]
