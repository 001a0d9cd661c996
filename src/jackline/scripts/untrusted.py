"""Which scripts of a type wait for a person's word, as the compiler reported them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.hook_table import HookTable


def untrusted_keys(table: HookTable, type_: str) -> tuple[str, ...]:
    """Keys of the scripts of one type that would run if the project were trusted."""
    idle = table.report()["scripts"]
    return tuple([key for _, key, kind, _, why in idle if kind == type_ and why.startswith("not trusted")])
