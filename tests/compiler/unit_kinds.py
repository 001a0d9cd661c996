"""Every kind of unit that a project can bring, each as one row: its files, what breaks it, and what of it is in force.

A unit holds a word, `one` or `two`; programs are really run to hear which one is in force.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from jackline.hook_table import HookTable, handler
from jackline.jsonio import dumps
from jackline.script import TYPES, Script
from jackline.services.plans import demands
from jackline.services.validators import listing

from .project import Project

SCRIPTS = ".ai/hooks/scripts"
GRAPH = "graph-pretooluse"


class Kind(NamedTuple):
    """`column`: which column of the table of states it follows. `around`: files of other units that it needs.

    `broken`: contents of `main` that cannot be used. `elsewhere`: where `main` may stand as well, "" where nowhere.
    `helper`: a file that its program reads. `tightens`: its word `two` tightens besides, where it is configuration.
    """

    name: str
    column: str
    key: tuple[str, str]
    files: Callable[[str], dict[str, str]]
    in_force: Callable[[HookTable, Path], str]
    main: str
    broken: tuple[str, ...]
    elsewhere: str = ""
    around: Mapping[str, str] = {}
    helper: str = ""
    tightens: bool = True

    def expected(self, said: str) -> str:
        """What is in force, where its word `two` would tighten."""
        return said if self.tightens else said.replace("tight", "").strip()


# --- what is in force ----------------------------------------------------------------------------------------------


def run_script(one: Script, root: Path) -> str:
    made = subprocess.run([*one.argv, one.path], cwd=root, capture_output=True, text=True, check=True)
    excluded = " ".join(name for name in one.exclude if name in ("one", "two"))
    return f"{made.stdout.strip()} {excluded}".strip()


def scripts(table: HookTable, root: Path) -> str:
    """What the scripts of the project say when they run."""
    rows = {one.path: one for name in (*TYPES[1:], "PreToolUse") for one in table.scripts(name)}
    return " ".join(run_script(one, root) for _, one in sorted(rows.items()))


def feature(table: HookTable, root: Path) -> str:
    rows = [row for row in table.rows("PreToolUse") if row.origin == "project"]
    return " ".join(handler(row)(None, None).reason for row in rows)


def text(table: HookTable, root: Path) -> str:
    return " ".join(said for _, said in table.guidance())


def _both(word: str, *, tight: bool) -> str:
    return f"{word}{' tight' if tight else ''}".strip()


def manifest(table: HookTable, root: Path) -> str:
    return _both({71: "one", 72: "two"}.get(table.budget("Stop"), ""), tight=table.prompts == "off")


def config(table: HookTable, root: Path) -> str:
    row = table.row(GRAPH)
    assert row is not None
    return _both(" ".join(row.config["allow"]), tight=row.config["limits"]["matches"] == 10)


def validator(table: HookTable, root: Path) -> str:
    """What the validators in force say when they run."""
    rows = listing.read(str(root.parent / "store"), str(root)).rows
    words = [[*one.command] for one in rows]
    for line, one in zip(words, rows, strict=True):
        if one.program is not None:
            line[one.program[0]] = one.program[1]
    return " ".join(
        subprocess.run(line, cwd=root, capture_output=True, text=True, check=True).stdout.strip() for line in words
    )


def rule(table: HookTable, root: Path) -> str:
    """The reasons of the plan rules that a person trusts, and whether one demands a validator."""
    found = demands.read(str(root.parent / "store"), str(root))
    words = " ".join(one.reason for one in found if one.approved)
    return _both(words, tight=any(one.require == "validator" for one in found))


# --- the kinds -----------------------------------------------------------------------------------------------------


def _feature(word: str) -> str:
    handle = f"def handle(event, ctx):\n    return deny({word!r})\n"
    return f'from jackline.sdk import deny, hook\n\n@hook(name="guard", supports=["PreToolUse"])\n{handle}'


def script(*fields: str, body: str) -> str:
    return "\n".join(["#!/bin/sh", "#---", *[f"# {field}" for field in fields], "#---", body, ""])


def _manifest(word: str) -> str:
    return dumps({"budgets": {"Stop": 71}} if word == "one" else {"budgets": {"Stop": 72}, "prompts": "off"})


def _config(word: str) -> str:
    return dumps({GRAPH: {"allow": [word], **({"limits": {"matches": 10}} if word == "two" else {})}})


def _validator(command: str) -> str:
    return f"# ours\nvalidators:\n  - id: say\n    command: {command}\n"


def _rule(word: str) -> str:
    require = "evidence" if word == "one" else "validator"
    return f"# ours\nrules:\n  - id: say\n    require: {require}\n    reason: {word}\n    paths: src/**\n"


WITH_PLANS = {".ai/hooks/dispatch.manifest.json": '{"modules": {"plan-graph": {"enabled": true}}}'}
WITH_VALIDATORS = {".ai/hooks/dispatch.manifest.json": '{"modules": {"validators": {"enabled": true}}}'}
SOURCED = '. "$(dirname "$0")/lib.sh"; echo $WORD'
NOT_PYTHON = ("def handle(:\n", "", "x = 1\n", "\0")
NOT_FRONT = (script("type: nonsense", body="echo bad"), "#!/bin/sh\necho bad\n", "", "\0\xff")
NOT_JSON = ('{"budgets": ', "", "[]", '{"nonsense": 1}')

KINDS = (
    Kind(
        "feature", "program", ("feature", ".ai/hooks/features/guard"),
        lambda word: {".ai/hooks/features/guard/hook.py": _feature(word)}, feature,
        ".ai/hooks/features/guard/hook.py", NOT_PYTHON, ".ai/hooks/features/other/hook.py",
    ),
    Kind(
        "feature by path", "program", ("feature", "tools/guard.py"),
        lambda word: {"tools/guard.py": _feature(word)}, feature, "tools/guard.py", NOT_PYTHON,
        around={".ai/hooks/dispatch.manifest.json": '{"modules": {"guard": {"path": "../../tools/guard.py"}}}'},
    ),
    Kind(
        "script", "program", ("script", f"{SCRIPTS}/say.sh"),
        lambda word: {f"{SCRIPTS}/say.sh": script("event: PreToolUse", body=f"echo {word}")}, scripts,
        f"{SCRIPTS}/say.sh", NOT_FRONT, f"{SCRIPTS}/tell.sh",
    ),
    Kind(
        "script that sources", "program", ("script", f"{SCRIPTS}/say.sh"),
        lambda word: {
            f"{SCRIPTS}/say.sh": script("event: PreToolUse", body=SOURCED), f"{SCRIPTS}/lib.sh": f"WORD={word}\n",
        },
        scripts, f"{SCRIPTS}/say.sh", NOT_FRONT, helper=f"{SCRIPTS}/lib.sh",
    ),
    Kind(
        "script with declared inputs", "program", ("script", f"{SCRIPTS}/say.sh"),
        lambda word: {
            f"{SCRIPTS}/say.sh": script(
                "event: PreToolUse", "inputs: [.ai/hooks/lib.sh]", body='. "$(dirname "$0")/../lib.sh"; echo $WORD'
            ),
            ".ai/hooks/lib.sh": f"WORD={word}\n",
        },
        scripts, f"{SCRIPTS}/say.sh", NOT_FRONT, helper=".ai/hooks/lib.sh",
    ),
    Kind(
        "script of .discobot", "program", ("script", ".discobot/hooks/say.sh"),
        lambda word: {
            ".discobot/hooks/say.sh": script("type: file", "pattern: '*'", body=":"),
            ".discobot/hooks/ignore": f"{word}\n",
        },
        scripts, ".discobot/hooks/say.sh", NOT_FRONT, helper=".discobot/hooks/ignore",
    ),
    Kind(
        "node", "program", ("script", ".config/gate/spec.md"),
        lambda word: {
            ".config/gate/spec.md": "---\nsurface: hook\nevents: [PreToolUse]\n---\n",
            ".config/gate/gate.sh": f"#!/bin/sh\necho {word}\n",
        },
        scripts, ".config/gate/spec.md",
        ("---\nsurface: hook\nevents: [Nonsense]\n---\n", "no front matter\n", "---\nsurface: hook\n", ""),
    ),
    Kind(
        "validator", "program", ("validator", ".ai/hooks/validators.yaml#say"),
        lambda word: {".ai/hooks/validators.yaml": _validator(f"[echo, {word}]")}, validator,
        ".ai/hooks/validators.yaml", ("validators: [", _validator("echo one"), _validator("[]"), "\0", "- a\n- b"),
        around=WITH_VALIDATORS,
    ),
    Kind(
        "validator with a program", "program", ("validator", ".ai/hooks/validators.yaml#say"),
        lambda word: {
            ".ai/hooks/validators.yaml": _validator("[sh, tools/say.sh]"), "tools/say.sh": f"echo {word}\n",
        },
        validator, ".ai/hooks/validators.yaml", ("validators: [",), around=WITH_VALIDATORS, helper="tools/say.sh",
    ),
    Kind(
        "plan rule", "configuration", ("rule", ".ai/hooks/plan-rules.yaml#say"),
        lambda word: {".ai/hooks/plan-rules.yaml": _rule(word)}, rule, ".ai/hooks/plan-rules.yaml",
        ("rules: [", "rules: [{id: say}]", "rules: [{id: say, require: nothing}]", "\0", "- a\n- b"),
        around=WITH_PLANS,
    ),
    Kind(
        "text", "text", ("text", ".config/rules/spec.md"),
        lambda word: {".config/rules/spec.md": f"---\nsurface: system\n---\n{word}\n"}, text,
        ".config/rules/spec.md", ("---\nsurface: system\nx", "bad\n", ""), ".config/laws/spec.md",
    ),
    Kind(
        "manifest", "configuration", ("configuration", ".ai/hooks/dispatch.manifest.json"),
        lambda word: {".ai/hooks/dispatch.manifest.json": _manifest(word)}, manifest,
        ".ai/hooks/dispatch.manifest.json", NOT_JSON,
    ),
    Kind(
        "config.json", "configuration", ("configuration", ".ai/hooks/config.json"),
        lambda word: {".ai/hooks/config.json": _config(word)}, config, ".ai/hooks/config.json", NOT_JSON[:3],
    ),
    Kind(
        "hooks.local.json", "configuration", ("configuration", ".ai/hooks/hooks.local.json"),
        lambda word: {".ai/hooks/hooks.local.json": _manifest(word)}, manifest,
        ".ai/hooks/hooks.local.json", NOT_JSON,
    ),
    Kind(
        "workspace.json", "configuration", ("configuration", ".ai/hooks/workspace.json"),
        lambda word: {".ai/hooks/workspace.json": dumps({"hooks": {"manifestFile": f"{word}.json"}})}, manifest,
        ".ai/hooks/workspace.json", NOT_JSON, tightens=False,
        around={f".ai/hooks/{word}.json": dumps({"budgets": {"Stop": at}}) for word, at in (("one", 71), ("two", 72))},
    ),
)  # fmt: skip


# --- what a project goes through -----------------------------------------------------------------------------------

GIT = ("git", "-c", "user.name=p", "-c", "user.email=p@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *words: str) -> str:
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}
    made = subprocess.run([*GIT, *words], cwd=root, env=env, check=True, capture_output=True, text=True)
    return made.stdout.strip()


def commit(root: Path) -> str:
    """Everything that is in the tree, as a commit."""
    git(root, "add", "-A", "-f", ".")
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    return git(root, "rev-parse", "HEAD")


def put(root: Path, name: str, content: str) -> None:
    path = root / name
    if path.is_dir():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755 if content.startswith("#!") or name.endswith(".sh") else 0o644)


def write(project: Project, kind: Kind, word: str) -> None:
    for name, content in {**kind.around, **kind.files(word)}.items():
        put(project.root, name, content)


def remove(project: Project, kind: Kind) -> None:
    for name in kind.files("one"):
        (project.root / name).unlink()
        folder = (project.root / name).parent
        if not os.listdir(folder):
            folder.rmdir()
