"""A write is refused if and only if somebody else changed the file since its agent last knew it. Real files.

Every content is written once, so that the model need not look at digests to know who last saw what.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from features.agents import Agent, Tree
from jackline.features.stale_file.file_version import GONE, blob
from jackline.scripts import script_writes

FILES = st.sampled_from(["a.py", "b.py", "src/c.py"])
AGENTS = st.sampled_from(["main", "sub", "codex"])
READS = ("Read", "cat", "sed -n")
WRITES = ("Write", "Edit", "sed -i", ">", ">>", "cp", "mv", "rm", "patch")


class Machine(RuleBasedStateMachine):
    """`disk` is what each file holds, `known` what each agent last knew of it: a text, GONE, or nothing."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.tree = Tree(Path(self.folder.name))
        self.agents = {
            "main": Agent(self.tree),
            "sub": Agent(self.tree, agent="a01"),
            "codex": Agent(self.tree, sid="c0dec0de", client="codex"),
        }
        self.disk: dict[str, str] = {}
        self.known: dict[tuple[str, str], str] = {}
        self.count = 0
        for name in ("a.py", "b.py", "src/c.py"):
            self._put(name, self._text())

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def _text(self) -> str:
        self.count += 1
        return f"line {self.count}\nmore\n"

    def _put(self, name: str, text: str) -> None:
        self.tree.put(name, text)
        self.disk[name] = text

    # --- who is somebody else ---

    @rule(name=FILES)
    def a_person_writes(self, name: str) -> None:
        self._put(name, self._text())

    @rule(name=FILES)
    def a_person_deletes(self, name: str) -> None:
        self.tree.path(name).unlink(missing_ok=True)
        self.disk.pop(name, None)

    @rule(name=FILES)
    def our_formatter_writes(self, name: str) -> None:
        """It runs for the session of `main` and `sub`: whoever knew the content before knows the one after."""
        before = self.disk.get(name)
        if before is None:
            return
        self._put(name, self._text())
        rows = [(name, blob(before.encode()), blob(self.disk[name].encode()))]
        script_writes.note(str(self.agents["main"].session), rows)
        for who in ("main", "sub"):
            if self.known.get((who, name)) == before:
                self.known[who, name] = self.disk[name]

    # --- what agents do ---

    @rule(who=AGENTS, name=FILES, way=st.sampled_from(READS))
    def read(self, who: str, name: str, way: str) -> None:
        agent = self.agents[who]
        if way == "Read":
            action = agent.read(name)
        else:
            action = agent.run(f"cat {name}" if way == "cat" else f"sed -n 1,2p {name}")
        assert action is None
        self.known[who, name] = self.disk.get(name, GONE)

    @rule(who=AGENTS, name=FILES)
    def begin_to_read(self, who: str, name: str) -> None:
        """A read that the person refuses."""
        assert self.agents[who].begin("Read", {"file_path": name}, "refused") is None

    @rule(who=AGENTS, name=FILES)
    def search(self, who: str, name: str) -> None:
        assert self.agents[who].run(f"grep -n line {name} | head -3") is None

    def _expected(self, who: str, name: str, way: str) -> bool:
        """Whether a write must be refused."""
        known, disk = self.known.get((who, name)), self.disk.get(name, GONE)
        if known is None or known == disk:
            return False
        return not (way == "rm" and disk == GONE)

    def _call(self, name: str, way: str, text: str) -> tuple[str, dict[str, Any]]:
        first = self.disk.get(name, "nothing").split("\n")[0]
        if way == "Write":
            return "Write", {"file_path": name, "content": text}
        if way == "Edit":
            return "Edit", {"file_path": name, "old_string": first, "new_string": text}
        patch = f"*** Begin Patch\n*** Update File: {name}\n@@\n-{first}\n+line {self.count}\n*** End Patch"
        commands = {
            "sed -i": f"sed -i '1s/.*/{text.split(chr(10))[0]}/' {name}",
            ">": f"printf '{text}' > {name}",
            ">>": f"printf '{text}' >> {name}",
            "cp": f"cp {self._scratch(text)} {name}",
            "mv": f"mv {self._scratch(text)} {name}",
            "rm": f"rm -f {name}",
            "patch": f"apply_patch <<'E'\n{patch}\nE",
        }
        return "Bash", {"command": commands[way]}

    def _scratch(self, text: str) -> str:
        path = Path(self.folder.name) / f"scratch-{self.count}"
        path.write_text(text)
        return str(path)

    @rule(who=AGENTS, name=FILES, way=st.sampled_from(WRITES), told=st.booleans())
    def write(self, who: str, name: str, way: str, told: bool) -> None:
        agent = self.agents[who]
        refused = self._expected(who, name, way)
        tool, given = self._call(name, way, self._text())
        if way == "patch":  # Codex carries it out by itself and never tells the end
            action = agent.begin(tool, given, f"p{self.count}")
            if action is None and name in self.disk:
                self.tree.put(name, f"line {self.count}\n" + self.disk[name].partition("\n")[2])
            agent.stop()
        else:
            told = told or way not in ("Write", "Edit")
            action = agent.do(tool, given, told=told)
            if not told:
                agent.stop()
        assert (action is not None) is refused, (who, name, way, action)
        if action is not None:
            assert action.code == "STALE_FILE"
            assert self._now(name) == self.disk.get(name), "what was refused changed nothing"
            return
        before, now = self.disk.get(name), self._now(name)
        if now is None:
            self.disk.pop(name, None)
        else:
            self.disk[name] = now
        known = way == "rm" and (who, name) in self.known
        if now != before or known:
            self.known[who, name] = GONE if now is None else now

    def _now(self, name: str) -> str | None:
        path = self.tree.path(name)
        return path.read_text() if path.exists() else None

    @rule(who=AGENTS)
    def delete_the_folder(self, who: str) -> None:
        """What is deep is judged by what is known below it."""
        known, disk = self.known.get((who, "src/c.py")), self.disk.get("src/c.py", GONE)
        refused = known is not None and known != disk and disk != GONE
        action = self.agents[who].run("rm -rf src")
        assert (action is not None) is refused, action
        if not refused:  # who deletes what is gone knows that it is gone
            self.disk.pop("src/c.py", None)
            if known is not None:
                self.known[who, "src/c.py"] = GONE

    @invariant()
    def the_disk_is_as_the_model_has_it(self) -> None:
        if hasattr(self, "disk"):
            for name in ("a.py", "b.py", "src/c.py"):
                assert self._now(name) == self.disk.get(name)


Machine.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestStaleFiles = Machine.TestCase
