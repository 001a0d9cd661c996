"""What it costs to submit a large plan, beside a schema check of its JSON alone, and beside half as many nodes.

`python -m bench.plans WHAT NODES FOLDER` does one of `WHAT` in a process that is counted; what they share (the start,
imports, the plan's text) is counted by `nothing` and taken off.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench.fixture import Start
from jackline.compiler import schemas
from jackline.jsonio import loads
from jackline.services.plans import acceptance
from jackline.services.plans.acceptance import STRICT, Where

NODES, HALF = 2_000, 1_000
PART = 10
"""Every so many nodes one validates those before it."""


def plan(size: int) -> bytes:
    """A plan that is accepted: changes in folders of their own, each behind one of the part before, and what validates
    them.
    """
    nodes: list[dict[str, Any]] = []
    for at in range(size):
        part = at // PART
        node: dict[str, Any] = {"id": f"n{at}", "description": f"step {at} of the work on part {part}"}
        if at % PART == PART - 1:
            before = [f"n{one}" for one in range(at - PART + 1, at)]
            nodes.append({**node, "kind": "validate", "dependsOn": before})
            continue
        more = {"kind": "change", "tools": ["kind:edit"], "scope": [f"src/part{part}/step{at}/**"]}
        nodes.append({**node, **more, "dependsOn": [f"n{at - PART}"] if at >= PART else []})
    return json.dumps({"goal": "all parts", "nodes": nodes}).encode()


def nothing(data: bytes, where: Where) -> None:
    """What is there before either begins."""
    assert data and where.root


def schema(data: bytes, where: Where) -> None:
    assert schemas.validate("plan-graph", loads(data.decode())) == []


def submit(data: bytes, where: Where) -> None:
    made = acceptance.submit(where, data, "bench", 1_795_000_000_000, STRICT)
    assert made.accepted, made.findings[:3]


JOBS: Mapping[str, Callable[[bytes, Where], None]] = {"nothing": nothing, "schema": schema, "submit": submit}
COUNTED = {"nothing": NODES, "nothing for half": HALF, "schema": NODES, "submit": NODES, "submit half": HALF}
"""What is counted: the first word is the job."""


def clear(place: Path) -> None:
    """A place where nothing was submitted yet."""
    shutil.rmtree(place, ignore_errors=True)
    (place / "project").mkdir(parents=True)


def start(name: str, place: Path) -> Start:
    """The process of one of `COUNTED`, in a place of its own."""
    argv = (sys.executable, "-m", "bench.plans", name.split()[0], str(COUNTED[name]), str(place))
    home = Path(__file__).resolve().parent.parent
    env = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "PYTHONPATH": f"{home}:{home}/src:{home}/tests"}
    return Start(argv, b"", str(home), env)


def main(what: str, size: str, folder: str) -> None:
    place = Path(folder)
    where = Where(f"{place}/store", f"{place}/project", "0badcafe", "w001", f"{place}/session")
    JOBS[what](plan(int(size)), where)


def beyond(counts: Mapping[str, float], name: str, shared: str = "nothing") -> float:
    """What a job costs alone."""
    return counts[name] - counts[shared]


if __name__ == "__main__":
    main(*sys.argv[1:])
