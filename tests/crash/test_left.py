"""What killed doors leave beside the files they were writing is swept when the session is taken up again."""

from __future__ import annotations

import os

from scene import Scene


def test_orphans_are_swept_when_a_session_starts(scene: Scene) -> None:
    scene.begin()
    scene.say(scene.payload("SubagentStart", agent_id="agent-1", agent_type="explore"))
    scene.pre(agent_id="agent-1")
    old = [scene.place / name for name in (".state.json.77.1.tmp", "agents/.a01.77.1.tmp")]
    fresh = scene.place / ".state.json.78.1.tmp"
    kept = scene.place / ".hidden"
    for path in (*old, fresh, kept):
        path.write_text("half a")
    for path in (*old, kept):
        os.utime(path, (1, 1))
    scene.pre()
    assert all(path.exists() for path in (*old, fresh, kept)), "not on the hot path"
    scene.say(scene.payload("SessionStart", source="resume"))
    assert [path.exists() for path in (*old, fresh, kept)] == [False, False, True, True]
