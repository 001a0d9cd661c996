"""A project with its store, its user's and its managed folder, and words to write into them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jackline.compiler.collect import Survey, survey, trust_all
from jackline.compiler.write import Compiled, compile_table, publish
from jackline.hook_table import HookTable, load, path_of

FEATURE = """
from jackline.sdk import deny, hook

@hook(name="{name}", supports=["PreToolUse"], priority={priority}{more})
def handle(event, ctx):
    return deny({reason!r})
"""


class Project:
    """One project and everything around it that has a say."""

    def __init__(self, place: Path) -> None:
        self.root = place / "project"
        self.store = place / "store"
        self.user = place / "user"
        self.managed = place / "managed"
        self.site = place / "lib" / "site-packages"
        for folder in (self.root, self.store):
            folder.mkdir()
        self.hooks = self.root / ".ai" / "hooks"

    @property
    def options(self) -> dict[str, Any]:
        return {"user": str(self.user), "managed": str(self.managed), "sites": [str(self.site)]}

    def write(self, name: str, value: Any, folder: Path | None = None) -> Path:
        """Write a file below `.ai/hooks` (or `folder`): text as it is, anything else as JSON."""
        path = (folder or self.hooks) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))
        return path

    def manifest(self, value: dict[str, Any], folder: Path | None = None) -> Path:
        return self.write("dispatch.manifest.json", value, folder)

    def feature(
        self, name: str, reason: str = "no", *, priority: int = 50, more: str = "", folder: Path | None = None
    ) -> Path:
        text = FEATURE.format(name=name, reason=reason, priority=priority, more=more)
        return self.write(f"features/{name}/hook.py", text, folder)

    def survey(self) -> Survey:
        return survey(str(self.root), str(self.store), **self.options)

    def compile(self) -> Compiled:
        return compile_table(str(self.root), str(self.store), **self.options)

    def publish(self) -> HookTable:
        made = self.compile()
        publish(made, str(self.store))
        found = load(path_of(str(self.store), made.slot))
        assert found is not None
        return found

    def trust(self) -> str:
        return trust_all(str(self.store), str(self.root), self.survey(), "person")
