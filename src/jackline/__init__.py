"""Jackline: one ordered, budgeted, logged, merged decision for every event of every coding agent."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.inprocess import HookEngine as HookEngine

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """`HookEngine` for hosts; the door, which never asks, pays nothing for it."""
    if name == "HookEngine":
        from jackline.roots import take

        found: object = take("jackline.inprocess").HookEngine
        return found
    raise AttributeError(f"module 'jackline' has no attribute {name!r}")
