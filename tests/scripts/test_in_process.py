"""The completion loop over a real project: real scripts, real git, a scripted agent. The races of the document."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler.collect import survey, trust_all
from jackline.compiler.write import refresh
from jackline.scripts import status
from jackline.scripts.completions import Completions, Conflict, FileScripts, file_scripts
from scripts.site import write


class Project:
    """A git repository with scripts that are trusted."""

    def __init__(self, base: Path, **scripts: str) -> None:
        self.root, self.store = base / "project", base / ".local/state/jackline"
        (self.root / ".ai").mkdir(parents=True)
        (self.root / ".gitignore").write_text("log\n")
        for name, text in scripts.items():
            write(self.root / f".ai/hooks/scripts/{name}.sh", text)
        env = {"PATH": os.environ["PATH"], "HOME": str(base), "GIT_CONFIG_GLOBAL": "/dev/null"}
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
        ):
            subprocess.run(["git", *words], cwd=self.root, env=env, check=True)
        self.store.mkdir(parents=True)
        self.env = env
        self.trust()

    def trust(self) -> None:
        found = survey(str(self.root), str(self.store))
        trust_all(str(self.store), str(self.root), found, "test")
        assert refresh(str(self.root), str(self.store)).faults == ()

    def scripts(self) -> FileScripts:
        return file_scripts(self.root, session="one", store=str(self.store), env=self.env)

    def log(self) -> list[str]:
        path = self.root / "log"
        return path.read_text().splitlines() if path.exists() else []


def script(body: str, pattern: str = "*.txt", more: str = "") -> str:
    return f"#!/bin/sh\n#---\n# type: file\n# pattern: '{pattern}'\n{more}#---\n{body}\n"


class Agent:
    """Answers with what it is told to do: each message runs the next step."""

    def __init__(self, project: Project, *steps: Callable[[], Any]) -> None:
        self.steps = list(steps)
        self.heard: list[str] = []
        self.warned: list[str] = []
        self.busy: asyncio.Event | None = None
        self.loop = Completions(self.complete, project.scripts(), grace=0.01, warn=self.warned.append)

    async def complete(self, message: str) -> None:
        self.heard.append(message)
        if self.steps:
            self.steps.pop(0)()
        if self.busy is not None:
            await self.busy.wait()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 30))


async def until(true: Callable[[], object]) -> None:
    while not true():
        await asyncio.sleep(0.005)


def test_a_failure_is_repaired_and_the_scripts_after_it_run(tmp_path: Path) -> None:
    lint = script(
        'echo "a $JACKLINE_ATTEMPT $JACKLINE_CHANGED_FILES" >> log\ngrep -n bad $JACKLINE_CHANGED_FILES && exit 1\ntrue'
    )
    project = Project(tmp_path, a=lint, b=script("echo b >> log"))
    file = project.root / "x.txt"

    async def test() -> None:
        agent = Agent(project, lambda: file.write_text("bad\n"), lambda: file.write_text("good\n"))
        async with agent.loop as loop:
            await loop.send("write it")
            await loop.settled()
        assert agent.heard == [
            "write it",
            '[Jackline Hook Failed] "a.sh" (pattern: *.txt)\n\nFiles: x.txt\nExit code: 1\n\n'
            "Output:\n1:bad\n\nPlease fix the issues and ensure the hook passes. (Attempt 1/3)",
        ]
        assert agent.warned == []

    run(test)
    assert project.log() == ["a 1 x.txt", "a 2 x.txt", "b"]
    known = status.read(project.scripts().place)
    assert {key: (one["runCount"], one["failCount"], one["lastResult"]) for key, one in known.hooks.items()} == {
        "a": (2, 1, "success"), "b": (1, 0, "success"),
    }  # fmt: skip
    assert known.pending == () and known.evaluated


def test_always_failing_ends_after_three_and_waits_for_the_user(tmp_path: Path) -> None:
    project = Project(tmp_path, a=script("echo run >> log\nexit 1"))

    async def test() -> None:
        agent = Agent(project, lambda: (project.root / "x.txt").write_text("1"))
        async with agent.loop as loop:
            await loop.send("write it")
            await loop.settled()
            assert [heard.rpartition("(")[2] for heard in agent.heard[1:]] == [f"Attempt {n}/3)" for n in (1, 2, 3)]
            assert len(agent.warned) == 1 and len(project.log()) == 4
            assert status.read(project.scripts().place).pending == ("a",)
            await loop.send("go on")
            await loop.settled()
            assert [heard.rpartition("(")[2] for heard in agent.heard[5:]] == [f"Attempt {n}/3)" for n in (1, 2, 3)]

    run(test)


def test_race_a_message_while_scripts_run_stops_them_and_they_run_after_it(tmp_path: Path) -> None:
    slow = script("echo begun >> log\nwhile ! test -e go.md; do sleep 0.02; done\necho ended >> log")
    project = Project(tmp_path, a=slow)

    async def test() -> None:
        agent = Agent(project, lambda: (project.root / "x.txt").write_text("1"))
        async with agent.loop as loop:
            await loop.send("one")
            await until(lambda: project.log() == ["begun"])
            await loop.send("two")
            assert agent.heard == ["one", "two"], "the user's completion did not wait for the script"
            assert status.read(project.scripts().place).pending == ("a",), "it stays pending"
            await until(lambda: project.log() == ["begun", "begun"])
            (project.root / "go.md").touch()
            await loop.settled()
        assert project.log() == ["begun", "begun", "ended"], "the first run was stopped, the second came to its end"
        known = status.read(project.scripts().place)
        assert known.pending == () and known.hooks["a"]["runCount"] == 1, "a run nobody wanted is no result"
        assert agent.heard == ["one", "two"]

    run(test)


def test_race_a_message_while_a_script_s_completion_runs_conflicts(tmp_path: Path) -> None:
    project = Project(tmp_path, a=script("exit 1"))

    async def test() -> None:
        agent = Agent(project, lambda: (project.root / "x.txt").write_text("1"))
        async with agent.loop as loop:
            await loop.send("one")
            agent.busy = asyncio.Event()
            await until(lambda: len(agent.heard) == 2)
            with pytest.raises(Conflict):
                await loop.send("two")
            await loop.cancel()
            agent.busy = None
            assert status.read(project.scripts().place).pending == ("a",)
            await loop.send("two")
            assert agent.heard[2] == "two"

    run(test)


def test_a_silent_failure_prompts_nobody_and_stops_the_later_ones(tmp_path: Path) -> None:
    project = Project(tmp_path, a=script("exit 1", more="# notify_llm: false\n"), b=script("echo b >> log"))

    async def test() -> None:
        agent = Agent(project, lambda: (project.root / "x.txt").write_text("1"))
        async with agent.loop as loop:
            await loop.send("one")
            await loop.settled()
        assert agent.heard == ["one"]

    run(test)
    assert project.log() == [] and status.read(project.scripts().place).pending == ("a", "b")


def test_what_nobody_trusts_does_not_run_and_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    project = Project(tmp_path, a=script("true"))
    write(project.root / ".ai/hooks/scripts/b.sh", script("echo evil >> log"))
    (project.root / "x.txt").write_text("1")
    scripts = project.scripts()
    with caplog.at_level(logging.WARNING):
        assert [scripts(1, lambda: True), scripts(1, lambda: True)] == ["", ""]
    assert project.log() == []
    (line,) = caplog.messages
    assert line == f"not trusted, so not run: b · jackline -C {project.root} trust"


def test_a_workspace_below_the_git_root(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is trusted, run and told of as the project it is: nothing of the repository around it counts."""
    project = Project(tmp_path)
    web = project.root / "packages/web"
    write(web / ".discobot/hooks/lint.sh", script('echo "$PWD $JACKLINE_CHANGED_FILES"; exit 1', "src/*"))
    for name in ("src/a.py", "b.py"):
        (web / name).parent.mkdir(exist_ok=True)
        (web / name).write_text("1")
    (project.root / "src").mkdir()
    (project.root / "src/c.py").write_text("1")
    scripts = file_scripts(web, store=str(project.store), env=project.env)
    with caplog.at_level(logging.WARNING):
        assert scripts(1, lambda: True) == ""
    where = ["-C", str(web), "--here"]
    assert caplog.messages == [f"not trusted, so not run: lint · jackline {' '.join(where)} trust"]

    def jackline(*words: str) -> str:
        command = [sys.executable, "-m", "jackline.cli", *where, *words]
        env = {**project.env, "JACKLINE_STORE": str(project.store)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, start_new_session=True, check=False)
        assert done.stderr == "", done
        return done.stdout

    jackline("trust", "--yes", json.loads(jackline("trust", "--json"))["digest"])
    said = scripts(1, lambda: True)
    assert f"Files: src/a.py\nExit code: 1\n\nOutput:\n{web} src/a.py\n" in said
    assert [one["key"] for one in json.loads(jackline("scripts", "--json"))["scripts"]] == ["lint"]


def test_a_project_without_its_folder_keeps_its_status_in_the_store(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    made = file_scripts(tmp_path / "bare", store=str(tmp_path / ".local/state/jackline"), env={"HOME": str(tmp_path)})
    assert made(1, lambda: True) == ""
    assert made.place.startswith(f"{tmp_path}/.local/state/jackline/repos/") and not list((tmp_path / "bare").iterdir())


def test_two_sessions_of_one_project_know_nothing_of_each_other(tmp_path: Path) -> None:
    project = Project(tmp_path, a=script("echo run >> log"))
    (project.root / "x.txt").write_text("1")
    for name in ("one", "two", "one"):
        made = file_scripts(project.root, session=name, store=str(project.store), env=project.env)
        assert made(1, lambda: True) == ""
    assert project.log() == ["run", "run"]


def test_the_page_s_example_runs(tmp_path: Path) -> None:
    project = Project(tmp_path, a=script("echo run >> log"))
    (project.root / "x.txt").write_text("1")
    page = (Path(__file__).parents[2] / "docs/scripts-in-process.md").read_text()
    code = page.partition("```python\n")[2].partition("```")[0]
    assert "/path/of/the/project" in code
    done = subprocess.run(
        [sys.executable, "-c", code.replace("/path/of/the/project", str(project.root))],
        env={**project.env, "JACKLINE_STORE": str(project.store)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("the model's answer to 'rename the module'\n", "")
    assert project.log() == ["run"]
