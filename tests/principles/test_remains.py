"""What remains open, by the lines of `docs/routes.md`: calls that no guard stops, or that only a person can judge."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .case import Case
from .world import World

PAGE = Path(__file__).resolve().parents[2] / "docs/routes.md"
PAUSE = "import os\nos.system('jackline pause')\n"
FILES = (
    ("docker-compose.yml", "services: {x: {image: alpine, command: jackline pause}}\n"),
    ("main.tf", 'resource "null_resource" "x" { provisioner "local-exec" { command = "jackline pause" } }\n'),
    ("Vagrantfile", "system('jackline pause')\n"),
    ("vite.config.js", "require('child_process').execSync('jackline pause')\n"),
    ("own.sh", "jackline pause\n"),
    ("own.py", "import helper\n"),
    ("helper.py", PAUSE),
    ("tests/test_own.py", PAUSE),
    ("own.c", 'int main() { return system("jackline pause"); }\n'),
)
REMAINS: dict[str, list[str]] = {
    "Files of other tools": ["docker compose up", "terraform plan", "vagrant up"],
    "A folder that is searched": [
        "NODE_PATH=lib node src/app.js",
        "GEM_HOME=gems gem list",
    ],
    "Programs that know by themselves where they write": [
        *("chezmoi apply", "dvc pull --force", "borg extract repo::a", "npx degit user/repo"),
        "DESTDIR=/ make install",
    ],
    "What a program imports or builds": [
        "python3 own.py",
        "python3 -m pytest tests/test_own.py",
        "npx vite build",
        "gcc -o own own.c",
    ],
    "Another machine, and inside a container": [
        "ssh host 'echo x >> ~/.bashrc'",
        "docker exec web touch /etc/x",
        "docker run -v $PWD:/app node npm test",
    ],
    "What git fetches and brings in one call": ["git pull", "git pull --rebase origin main"],
    "Processes by a name that says nothing": [
        'pwsh -c "Get-Process | Where-Object Name -eq claude | Stop-Process"',
    ],
}
SETTINGS = {
    "CLAUDE_CONFIG_DIR": "echo '{}' > /srv/c/settings.json",
    "CODEX_HOME": "echo x > /srv/c/hooks.json",
}
ASKED = ["bash < own.sh", "bash < README.md", "cat README.md | bash", "$(cat own.sh)", 'sh -c "$(cat own.sh)"']
CASES = [
    *[Case(title, call, "", call, "pass", files=FILES) for title, calls in REMAINS.items() for call in calls],
    *[Case("Another folder of settings", name, "", call, "pass", env=((name, "/srv/c"),))
      for name, call in SETTINGS.items()],
    *[Case("Text that only the running shell sees", call, "", call, "ask", files=FILES) for call in ASKED],
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.program)
def test_what_the_page_says_remains_is_so(world: World, case: Case) -> None:
    """Where a call is stopped now, its line on the page goes."""
    assert f"\n- **{case.carrier}**" in PAGE.read_text()
    assert world.decide(case) == case.says


def test_every_line_of_what_remains_has_a_name() -> None:
    lines = PAGE.read_text().partition("## What remains\n")[2].split("\n- ")[1:]
    assert len(lines) >= len({one.carrier for one in CASES})
    assert [line for line in lines if not re.match(r"\*\*[A-Z][^*]+\*\*[:,]? ", line)] == []
