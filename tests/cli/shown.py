"""A machine on which every example of every command works: a project with all that examples name."""

from __future__ import annotations

import json
from pathlib import Path

from docs.workshop import Workshop
from jackline.host import now
from jackline.store import approvals

SH = "#!/bin/sh\n"
INTENTS = """active_intents:
  - id: INT-001
    name: Sign-in
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
"""
FILES = {
    "src/app.py": "import src.auth.token\n",
    "src/a.py": "a = 1\n",
    "src/b.py": "b = 2\n",
    "src/auth/a.py": "a = 1\n",
    "src/auth/token.py": "def rotate_refresh_token(old):\n    return old + 1\n",
    "src/login/button.py": "wide = 1\n",
    "docs/old.md": "old refresh tokens\n",
    "docs/x.md": "x\n",
    "notes.md": "callers\n",
    "Makefile": "migrate:\n\t@true\n",
    ".gitignore": "*.log\n",
    ".orchestration/active_intents.yaml": INTENTS,
    ".ai/hooks/validators.yaml": "validators:\n  - id: pytest\n    command: ['true']\n    paths: ['**/*.py']\n",
    ".ai/hooks/schema/README.md": "for editors\n",
}
CALL = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
INPUTS = {
    "payload.json": json.dumps(CALL),
    "call.json": json.dumps(CALL),
    "calls.jsonl": json.dumps({"client": "codex", "event": "PreToolUse", "payload": CALL}) + "\n",
    "commands.jsonl": json.dumps({"command": "rm -rf build"}) + "\n",
}
SCRIPTS = {
    "lint.sh": SH + '# ---\n# name: Lint\n# type: file\n# pattern: "*.md"\n# ---\necho linted\n',
    "slow-tests.sh": SH + '# ---\n# name: Slow tests\n# type: file\n# pattern: "**/*.py"\n# ---\ntrue\n',
    "greet.sh": SH + "# ---\n# name: Greet\n# type: session\n# ---\ntrue\n",
    "push.sh": SH + "# ---\n# name: Push\n# type: event\n# event: PreToolUse\n# ---\ntrue\n",
    "style.sh": SH + "# ---\n# name: Style\n# type: pre-commit\n# ---\ntrue\n",
}
MODULES = ("validators", "work-init", "context-pack", "plan-graph", "intent-scope", "stale-file")
PLAN = {
    "goal": "rotate the refresh tokens",
    "nodes": [
        {"id": "n1", "kind": "look", "description": "find callers", "tools": ["kind:search"], "scope": "src/**"},
        {"id": "n2", "description": "change the parser", "scope": "src/auth/**"},
        {"id": "n3", "kind": "validate", "description": "run the tests", "dependsOn": ["n2"]},
    ],
}
ASKS = 'if "touch" in event.command:\n    return ask("MAY-IT", rule="asker: touching", safer="leave it")\n'


class Shown(Workshop):
    """`words`: what an example names → what it is here."""

    words: dict[str, str]

    def __init__(self, folder: Path, made: Path) -> None:
        super().__init__(folder, made)
        for name, text in (FILES | INPUTS).items():
            self.write(name, text)
        for name, text in SCRIPTS.items():
            self.write(f".ai/hooks/scripts/{name}", text, runs=True)
        self.write("scan.sh", SH + "true\n", runs=True)
        self.write("plan.json", json.dumps(PLAN))
        (self.home / ".config/fish/completions").mkdir(parents=True)
        self.manifest({"version": 1, "modules": {name: {"enabled": True} for name in MODULES}})
        self.feature("asker", ASKS)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.trust()
        self._worked()
        self.git("checkout", "-q", "-b", "work")

    def _worked(self) -> None:
        """A session that planned, asked and left something."""
        self.begin()
        self.prompt("rotate the refresh tokens")
        self.jackline("intents", "select", "INT-001")
        self.jackline("pack", "make", "rotate the refresh tokens")
        self.jackline("plan", "submit", "plan.json")
        self.pre("ls")
        asked = self.jackline("mailbox", "request", "who writes src/store?", "--json").data["id"]
        self.say(self.tool("touch src/auth/made"), env={"CLAUDE_CODE_SESSION_ATTENDED": "0"})
        (waits,) = approvals.waiting(str(self.store), now() // 1_000_000)
        (row, *_) = [one for one in self.log() if one.get("event") == "PreToolUse"]
        self.write("changed.md", "x\n")
        self.git("add", "changed.md")
        artifact = next(one for one in self.jackline("artifacts", "--json").data if one["kind"] == "plan_accepted")
        self.words = {
            "9aa53425": self.place.name,
            "KQZ-MTR": approvals.code(str(self.store), waits),
            "4f1c02": waits.id,
            "3fa09c1b2e": asked,
            "01a20054c6": str(row["id"])[:28],
            "PreToolUse-1-1795301885566": str(row["hookRunId"]),
            "019ab8c7d1f2": artifact["id"],
            "DIGEST": self.jackline("trust", "--json").data["digest"],
        }
