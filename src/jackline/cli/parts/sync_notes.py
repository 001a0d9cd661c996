"""What a command says of git's hook and the text for agents, after it wrote a hook table."""

from __future__ import annotations

from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting
from jackline.hook_table import HookTable
from jackline.install.follow import Followed, follow


def show(printer: Printer | None, setting: Setting, table: HookTable) -> Followed:
    """Bring hook and texts in line with the hook table, and say what changed; without a printer, only do it."""
    made = follow(table, setting.store, setting.env)
    if printer is not None:
        for path, how in made.changed:
            printer.line((f"{how}  ", "good"), setting.short(path))
        for fault in made.faults:
            printer.line(("✗ ", "bad"), fault)
        for line in made.todo:
            printer.line(("! ", "warn"), line)
    return made
