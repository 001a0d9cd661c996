"""Package managers that take away what Jackline and the clients stand on."""

from __future__ import annotations

from .case import Case

TITLE = "A package manager that takes away an interpreter, Jackline or a client is asked about."
FUNCTION = "jackline.features.self_protect.detours:removed"
NEUTRAL = ""

MANAGERS = {
    # How a manager removes: what it calls the interpreter, node, Jackline and the clients; others of the same kind.
    "npm uninstall -g {}": ("@anthropic-ai/claude-code @openai/codex claude-code", "typescript lodash @types/node"),
    "npm rm --global {}": ("@openai/codex@0.40.0 @anthropic-ai/claude-code", "eslint prettier"),
    "npm -g remove {}": ("@openai/codex", "claude-trace-viewer codexes"),
    "pnpm remove -g {}": ("@openai/codex @anthropic-ai/claude-code", "turbo nx"),
    "yarn global remove {}": ("@openai/codex", "serve"),
    "bun remove -g {}": ("@anthropic-ai/claude-code", "cowsay"),
    "npm uninstall {}": ("", "@openai/codex claude-code node python left-pad"),
    "uv tool uninstall {}": ("jackline", "ruff black"),
    "uv python uninstall {}": ("3.11 3.12", ""),
    "uv pip uninstall {}": ("jackline", "requests pythonnet"),
    "uv remove {}": ("jackline", "httpx"),
    "pip uninstall -y {}": ("jackline", "requests python-dateutil jacklin node-semver"),
    "pip3 uninstall {}": ("jackline==1.0", "numpy"),
    "python3 -m pip uninstall -y {}": ("jackline", "six"),
    "pipx uninstall {}": ("jackline", "poetry"),
    "poetry remove {}": ("jackline", "django"),
    "conda remove {}": ("python python=3.11 nodejs", "numpy python-dateutil"),
    "mamba remove -y {}": ("python", "scipy"),
    "mise uninstall {}": ("python@3.11 node@20 claude", "go@1.22 terraform"),
    "asdf uninstall {}": ("python nodejs", "erlang"),
    "pyenv uninstall {}": ("3.11.7", ""),
    "nvm uninstall {}": ("20", ""),
    "fnm uninstall {}": ("v20", ""),
    "volta uninstall {}": ("node", "yarn"),
}
CARRIERS = {"command": "{}", "a list": "cd src && {}", "a wrapper": "env A=1 {}", "a shell": "bash -c '{}'",
            "root": "sudo {}", "a branch": "if true; then {}; fi"}  # fmt: skip


def _rows(of: int, says: str) -> list[Case]:
    return [
        Case(carrier, form.split()[0], f"{form}: {name}", how.format(form.format(name)), says)
        for form, names in MANAGERS.items() for name in names[of].split()
        for carrier, how in CARRIERS.items() if says != "pass" or carrier != "root"
    ]  # fmt: skip


ATTACKS = _rows(0, "ask")
INNOCENT = _rows(1, "pass")
PLAIN = """
npm install -g typescript
npm ls -g
npm prune
pip install -r requirements.txt
pip show jackline
pip list
uv sync
uv python list
uv python install 3.13
pyenv install 3.12
pyenv local 3.11
nvm use 20
nvm install 20
mise use python@3.12
conda list python
asdf list python
volta list
npm rm typescript
yarn remove codex
rm -f python.txt
git rm --cached node
docker rm claude
git branch -d codex
"""
INNOCENT += [Case("command", line.split()[0], "plain", line, "pass") for line in PLAIN.strip().splitlines()]
