"""The environment cannot loosen: a command is also read with the folders of installation."""

from __future__ import annotations

from .case import Case

TITLE = "A client's settings move no folder: what a command does is judged as at installation and as they say."
FUNCTION = "jackline.shell.effects:installed"
NEUTRAL = ()

HOSTILE = {
    "a folder of no worth": (("HOME", "/tmp/x"),),
    "a folder in the project": (("HOME", "<R>/home"),),
    "a device": (("HOME", "/dev/shm"),),
    "a name without a folder": (("HOME", "x"),),
    "nothing": (("HOME", ""),),
    "all folders at once": (
        *(("HOME", "/tmp/x"), ("TMPDIR", "/tmp/x/t"), ("XDG_CONFIG_HOME", "/tmp/x/c"), ("XDG_STATE_HOME", "/tmp/x/s")),
        ("PATH", "/tmp/x/bin:/usr/bin:/bin"),
    ),
}
DENIED = {
    "start-up file": "echo alias x=y >> {}/.bashrc",
    "copied start-up file": "cp src/x {}/.zshrc",
    "client settings": "tee {}/.claude/settings.json < src/x",
    "client's hooks": "echo x > {}/.codex/config.toml",
    "login unit": "cp src/x {}/.config/systemd/user/x.service",
    "git's configuration": "echo x >> {}/.gitconfig",
    "the home itself": "rm -rf {}",
    "the store": "rm -rf {}/.local/state/jackline",
    "the store's book": "cat {}/.local/state/jackline/authority.jsonl",
}
ASKED = {"what lies in the home": "rm -rf {}/code", "documents": "rm -rf {}/Documents"}
TILDES = {"tilde": "~", "variable": "$HOME", "braces": "${HOME}", "default": "${HOME:-/x}"}
CONFIGURED = {
    "units": (("XDG_CONFIG_HOME", "/tmp/x"), "cp src/x $XDG_CONFIG_HOME/systemd/user/x.service"),
    "fish": (("XDG_CONFIG_HOME", "<R>/c"), "echo x > $XDG_CONFIG_HOME/fish/config.fish"),
    "git": (("XDG_CONFIG_HOME", "/tmp/x"), "cp src/x ${XDG_CONFIG_HOME}/git/config"),
    "state": (("XDG_STATE_HOME", "/tmp/x"), "rm -rf $XDG_STATE_HOME/jackline"),
    "state, read": (("XDG_STATE_HOME", "/tmp/x"), "cat $XDG_STATE_HOME/jackline/trust.json"),
    "data": (("XDG_DATA_HOME", "/tmp/x"), "cp src/x $XDG_DATA_HOME/systemd/user/x.service"),
}


def _attacks() -> list[Case]:
    made = [
        Case(how, what, f"home: {channel}", form.format(TILDES[how]), says, env=env)
        for at, (channel, env) in enumerate(HOSTILE.items())
        for says, forms in (("deny", DENIED), ("stop", ASKED))
        for what, form in forms.items()
        for how in ("tilde", list(TILDES)[1 + at % 3])
    ]
    made += [Case("command", what, name[0], call, env=(name,)) for what, (name, call) in CONFIGURED.items()]
    return made


ATTACKS = _attacks()

PLAIN = """
ls ~
cat ~/code/notes.txt
cp ~/code/x.txt src/
rm -rf ~/.cache/x
mkdir -p ~/code/other
echo x > ~/code/x.txt
git -C ~/code/project status
npm test
rm -rf node_modules dist
echo x > /tmp/y
rm -rf /tmp/build
rm -rf "$(mktemp -d)"
T=$(mktemp -d); cp src/x "$T"; rm -rf "$T"
python3 -m pytest -q
make build
cd ~/code/project && git diff
export HOME && npm ci
echo $HOME
echo "$XDG_CONFIG_HOME"
cat ~/code/project/README.md
tar czf /tmp/x.tgz src
grep -rn needle src
find . -name '*.py'
sed -i s/a/b/ src/x
"""
USUAL = {
    "as installed": (),
    "sandbox": (("TMPDIR", "/tmp/claude"),),
    "a shell of nix": (("TMPDIR", "/tmp/nix-shell.1"), ("NIX_BUILD_TOP", "/tmp/nix-shell.1")),
    "folders by name": (("XDG_CONFIG_HOME", "<H>/.config"), ("XDG_CACHE_HOME", "<H>/.cache")),
    "folders elsewhere": (("XDG_CONFIG_HOME", "<H>/cfg"), ("XDG_DATA_HOME", "<H>/data")),
    "another path": (("PATH", "/opt/x/bin:/usr/bin:/bin"), ("VIRTUAL_ENV", "<R>/.venv")),
    "variables of ours": (("JACKLINE_STORE", "/tmp/x"), ("JACKLINE_SKIP", "all")),
    "another home": (("HOME", "/tmp/x"),),
    "a folder of its own": (("TMPDIR", "<H>/tmp"),),
}
INNOCENT = [
    Case("command", line.partition(" ")[0], channel, line, "pass", env=env)
    for channel, env in USUAL.items()
    for line in PLAIN.strip().splitlines()
]
