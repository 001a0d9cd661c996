"""What a path means to a person, whoever reads or changes it: one table for every tool."""

from __future__ import annotations

import pytest

from jackline.sensitive import ACCESS, AGENT, CREDENTIAL, GIT, INTERPRETER, LOGIN, SHELL, place_of

HOME = "/home/ada"

READ = [
    ("/home/ada/.ssh/id_ed25519", CREDENTIAL),
    ("/srv/shop/.env", CREDENTIAL),
    ("/home/ada/.npmrc", CREDENTIAL),
    ("/srv/shop/.npmrc", ""),
    ("/home/ada/.ssh/config", ""),
    ("/home/ada/.bashrc", ""),
    ("/srv/shop/.env.example", ""),
]

WRITTEN = [
    ("/home/ada/.bashrc", SHELL),
    ("/home/ada/.config/fish/conf.d/x.fish", SHELL),
    ("/etc/profile.d/x.sh", SHELL),
    ("/home/ada/.config/systemd/user/x.service", LOGIN),
    ("/etc/cron.daily/x", LOGIN),
    ("/var/spool/cron/ada", LOGIN),
    ("/home/ada/Library/LaunchAgents/x.plist", LOGIN),
    ("/home/ada/.ssh/config", ACCESS),
    ("/home/ada/.pythonrc", INTERPRETER),
    ("/srv/shop/.irbrc", ""),
    ("/home/ada/.irbrc", INTERPRETER),
    ("/root/.vimrc", INTERPRETER),
    ("/srv/shop/.venv/lib/python3.12/site-packages/x.pth", INTERPRETER),
    ("/srv/shop/models/best.pth", ""),
    ("/srv/shop/src/usercustomize.py", INTERPRETER),
    ("/home/ada/.claude/settings.json", AGENT),
    ("/srv/shop/.claude/settings.json", ""),
    ("/home/ada/.gitconfig", GIT),
    ("/srv/shop/.bashrc-notes", ""),
    ("/srv/shop/src/app.py", ""),
    ("/home/ada/.aws/credentials", CREDENTIAL),
]


@pytest.mark.parametrize(("path", "meaning"), READ)
def test_what_is_read(path: str, meaning: str) -> None:
    assert place_of(path, HOME, changes=False) == meaning


@pytest.mark.parametrize(("path", "meaning"), WRITTEN)
def test_what_is_changed(path: str, meaning: str) -> None:
    assert place_of(path, HOME, changes=True) == meaning


def test_git_writes_its_own_settings() -> None:
    assert place_of("/home/ada/.gitconfig", HOME, changes=True, program="git") == ""
