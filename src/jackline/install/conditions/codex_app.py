"""Ask the Codex program itself how it takes the hooks it finds, over its app-server."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any

from jackline.install.site import Site

SECONDS = 15


def _ask(stdin: Any, stdout: Any, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """One request; its result."""
    stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    stdin.flush()
    for line in stdout:
        said = json.loads(line)
        if said.get("id") == number:
            result = said.get("result")
            return result if isinstance(result, dict) else {}
    return {}


def statuses(site: Site) -> dict[str, str]:
    """Trust status by key of every hook Codex finds; empty when it cannot be asked."""
    program = site.program("codex")
    if not program:
        return {}
    try:
        child = subprocess.Popen(
            [program, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(site.env),
            cwd=site.root,
            text=True,
            start_new_session=True,
        )
    except OSError:
        return {}
    watch = threading.Timer(SECONDS, child.kill)
    watch.start()
    try:
        with child:
            assert child.stdin is not None
            _ask(child.stdin, child.stdout, 1, "initialize", {"clientInfo": {"name": "jackline", "version": "1"}})
            found = _ask(child.stdin, child.stdout, 2, "hooks/list", {"cwds": [str(site.root)]})
            child.kill()
        return {hook["key"]: hook["trustStatus"] for one in found.get("data", ()) for hook in one.get("hooks", ())}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    finally:
        child.kill()
        watch.cancel()
