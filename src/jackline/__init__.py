"""Jackline: one ordered, budgeted, logged, merged decision for every event of every coding agent."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.inprocess import HookEngine as HookEngine

    __version__: str


def __getattr__(name: str) -> object:
    """`HookEngine` for hosts, and the version; the entry point, which never asks, pays nothing for them."""
    from jackline.site_paths import take

    if name == "HookEngine":
        engine: object = take("jackline.inprocess").HookEngine
        return engine
    if name == "__version__":
        version: object = take("jackline.version").VERSION
        return version
    raise AttributeError(f"module 'jackline' has no attribute {name!r}")
