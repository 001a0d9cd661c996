"""All of the outside that a run may know, gathered once by whoever starts it (`host.py`): no stage asks for more.

The same request on the same store gives the same bytes (held by tests/runtime/test_request.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple

    from jackline.processes import Process
else:
    from jackline._record import NamedTuple


class Request(NamedTuple):
    """One event as it came, and the machine it came on.

    `dialect`, `event`, `place` and `fail` are the entry's own words, `raw` the client's bytes. `now` is wall time in
    nanoseconds, `entropy` random bytes, the first ten of which
    stand in record ids; `clock` tells monotonic nanoseconds, on whose scale `deadline` is (0: there
    is none). `ancestors` reads the chain of parent processes, nearest first, when somebody asks. `timers`: whether a
    feature can be cut off by a signal. A host in whose process we are pins the `root` itself, and says with `mode`
    `store` that its tree is left alone.
    """

    dialect: str
    event: str
    raw: bytes
    env: Mapping[str, str]
    cwd: str
    place: str = "user"
    uid: int = 0
    ancestors: Callable[[], tuple[Process, ...]] = tuple
    now: int = 0
    entropy: bytes = b"\0" * 16
    clock: Callable[[], int] = lambda: 0
    deadline: int = 0
    fail: str = "open"
    home: str = ""
    pid: int = 0
    timers: bool = False
    root: str = ""
    mode: str = ""


class Store(NamedTuple):
    """The user's store as a run sees it. `dry`: nothing is written, neither there nor in the tree."""

    path: str
    dry: bool = False
