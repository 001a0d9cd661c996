"""What a feature raised is kept for its author: its own frames, type and message, masked; and shown where one looks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scene import Scene

TOKEN = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HOOK = ".ai/hooks/features/odd/hook.py"


def kept(place: Path, name: str = "odd") -> list[dict[str, Any]]:
    """The lines of a feature's own log."""
    return [json.loads(line) for line in (place / name / "logs" / "debug.log").read_text().splitlines()]


def traceback_of(scene: Scene, body: str, **options: Any) -> list[str]:
    """What is kept of a feature with this body, at one call."""
    scene.feature("odd", body, **options)
    scene.manifest({"budgets": {"PreToolUse": 400}})
    scene.trust()
    scene.pre()
    [line] = kept(scene.place)
    [row] = scene.rows("TOOL_DECISION")
    assert (line["level"], line["data"]["call"]) == ("error", row["id"])
    found: list[str] = line["data"]["traceback"]
    assert line["message"] == found[-1]
    return found


@pytest.mark.parametrize("runner", ["inline", "forked"])
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return {}['key']", [f"{HOOK}:6 in handle", "KeyError: 'key'"]),
        ("import json\njson.loads('{')", [f"{HOOK}:7 in handle", "JSONDecodeError: Expecting property name enclosed"]),
        ("def inner():\n    raise LookupError\ninner()", [f"{HOOK}:8 in handle", f"{HOOK}:7 in inner", "LookupError"]),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError as fault:\n    raise ValueError('no') from fault",
            [
                *[f"{HOOK}:7 in handle", "ZeroDivisionError: division by zero", "which caused:"],
                *[f"{HOOK}:9 in handle", "ValueError: no"],
            ],
        ),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError:\n    {}[0]",
            [
                *[f"{HOOK}:7 in handle", "ZeroDivisionError: division by zero", "while that was handled:"],
                *[f"{HOOK}:9 in handle", "KeyError: 0"],
            ],
        ),
        ("raise ValueError('one\\ntwo')", [f"{HOOK}:6 in handle", "ValueError: one …"]),
        ("import nothing_like_it", [f"{HOOK}:6 in handle", "ModuleNotFoundError: No module named 'nothing_like_it'"]),
    ],
    ids=["plain", "library", "deep", "cause", "context", "lines", "import"],
)
def test_the_features_own_frames_are_kept(scene: Scene, body: str, told: list[str], runner: str) -> None:
    found = traceback_of(scene, body, runner=runner)
    assert [one[: len(want)] for one, want in zip(found, told, strict=True)] == told


@pytest.mark.parametrize("runner", ["inline", "forked"])
def test_a_secret_in_the_message_is_masked(scene: Scene, runner: str) -> None:
    found = traceback_of(scene, f"raise ValueError('with {TOKEN} in it')", runner=runner)
    assert found[-1] == "ValueError: with ***token*** in it"
    for path in scene.place.rglob("*"):
        assert not path.is_file() or TOKEN not in path.read_text()


def test_a_recursion_is_shortened(scene: Scene) -> None:
    found = traceback_of(scene, "return handle(event, ctx)")
    assert len(found) == 22
    assert found[5].startswith("… ")
    assert found[-1].startswith("RecursionError: ")


def test_what_has_no_message_that_can_be_made_is_told_by_its_type(scene: Scene) -> None:
    body = "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd"
    assert traceback_of(scene, body)[-1] == "Odd: (its message cannot be made)"


def test_where_a_feature_was_when_its_time_was_over(scene: Scene) -> None:
    where, what = traceback_of(scene, "import time\ntime.sleep(9)")
    assert where == f"{HOOK}:7 in handle"
    assert what.startswith("did not end within ")
    [row] = scene.rows("BUDGET_EXCEEDED")
    assert row["error"]["message"] == f"{what} at {HOOK}:7"


def test_where_a_feature_hangs_that_does_not_end_at_all(scene: Scene) -> None:
    body = "import time\nwhile True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass"
    assert traceback_of(scene, body) == [f"{HOOK}:9 in handle", "did not end and was left behind"]


def test_no_action_and_an_exit_are_told_too(scene: Scene) -> None:
    assert traceback_of(scene, "return {'decision': 'maybe'}") == [
        "no valid action was returned: decision: expected allow, ask, deny, approve or block, got str"
    ]


def test_the_row_and_the_person_are_told_where(scene: Scene) -> None:
    traceback_of(scene, "return {}['key']")
    [row] = scene.rows("ERROR_MODULE")
    assert row["error"]["message"] == f"KeyError: 'key' at {HOOK}:6"
    [decision] = scene.rows("TOOL_DECISION")
    [note] = decision["data"]["notes"]
    assert note == f"odd failed: KeyError at {HOOK}:6 [{row['error']['stackHash']}]"
