"""What every screen says first where entries of ours were taken out of a client's file by somebody else."""

from __future__ import annotations

import sys

from jackline import host, system
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting
from jackline.store import pauses, tamper_mark
from jackline.store.format import newer

SILENT = ("hook", "completion")
"""What is no screen."""
OWN = ("status", "doctor", "uninstall")
"""Commands that say it in their own words."""


def sentence(setting: Setting) -> str:
    """What was found, what it stops and the two ways on; "" when nothing is marked."""
    store = str(setting.store)
    mark = tamper_mark.read(store)
    if not mark:
        return ""
    ways = tamper_mark.ways(tamper_mark.files(store))
    home = setting.env.get("HOME", "")
    told = f"{mark}; tools that change things are refused until you choose: {ways}"
    return told.replace(f"{home}/", "~/") if home not in ("", "/") else told


def tell(setting: Setting, command: str) -> None:
    """Look at the clients' files, mark what is found there, and say it on stderr: data stays data."""
    if command in SILENT:
        return
    if not newer(str(setting.store)):  # what looks also restores, and marks
        _look(setting, command)
    told = sentence(setting)
    if told and command not in OWN:
        Printer(sys.stderr).line(("✗ TAMPERED  ", "bad"), told)


def _look(setting: Setting, command: str) -> None:
    if system.exists(f"{setting.store}/{pauses.NAME}"):
        pauses.settle(str(setting.store), host.now() // 1_000_000)
    if not system.exists(f"{setting.store}/installs.json"):
        return
    from jackline.install import notice
    from jackline.install.fault import InstallError

    try:
        notice.look(setting.store, setting.root)
    except InstallError as fault:
        if command not in OWN:
            Printer(sys.stderr).line(("✗ ", "bad"), str(fault))
