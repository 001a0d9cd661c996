"""What does not compile is told where a person works: at the first event that finds it, and when a session starts."""

from __future__ import annotations

from jackline.compiler import bundle, bundle_modules
from scene import Scene

BROKEN = '{"version": 1, "modules": {"session": {"mode": "observ"}}}'
STAYS = "a change of hooks or settings does not count, and what was in force before stays"


def told(scene: Scene, event: str = "PreToolUse") -> str:
    payload = scene.tool() if event == "PreToolUse" else scene.payload(event, source="startup")
    return str(scene.say(payload).body.get("systemMessage", ""))


def test_a_persons_own_settings(scene: Scene) -> None:
    assert told(scene, "SessionStart") == ""
    file = scene.home / ".config/jackline/dispatch.manifest.json"
    file.parent.mkdir(parents=True)
    file.write_text(BROKEN)
    said = told(scene)
    assert said.startswith(STAYS) and "session.mode: expected one of" in said and str(file) in said
    assert told(scene) == "", "once"
    assert told(scene, "SessionStart") == said, "and whenever a session starts"
    file.unlink()
    assert told(scene, "SessionStart") == ""


def test_a_broken_unit_is_told_as_a_unit_alone(scene: Scene) -> None:
    scene.feature("guard", "return None")
    scene.trust()
    told(scene, "SessionStart")
    scene.hooks.joinpath("dispatch.manifest.json").write_text(BROKEN)
    assert STAYS not in told(scene)


def package_gone(scene: Scene) -> None:
    """Let the door's bundle name a place where no package is: as long as the one it was made from, so all else fits."""
    here = str(bundle_modules.PACKAGE.parent).encode()
    for path in (scene.store / bundle.name_of_bundle(), scene.store / "package"):
        data = path.read_bytes()
        assert here in data
        path.unlink()  # the file is a link to one that others use
        path.write_bytes(data.replace(here, here[:-1] + b"!"))


def test_a_package_that_is_gone(scene: Scene) -> None:
    """The door runs on from its bundle; what changed since cannot be compiled, and that is no fault to report."""
    told(scene, "SessionStart")
    package_gone(scene)
    assert told(scene) == "", "nothing changed since"
    scene.feature("guard", "return None")
    said = told(scene)
    assert "Jackline's package is gone" in said and f"remove {scene.store}/bin/python" in said
    assert told(scene) == ""
    assert told(scene, "SessionStart") == said
    assert scene.crashes() == []
