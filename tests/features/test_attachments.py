"""attachments: what a person hands over is there by content, once, bounded; nothing leads elsewhere or is run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jackline.features.attachments.kinds import sniff
from jackline.services import artifacts
from scene import Scene
from services.together import together

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def on(scene: Scene, **knobs: Any) -> None:
    scene.manifest({"version": 1, "modules": {"attachments": {"enabled": True}}})
    config = scene.home / ".config/jackline/config.json"
    config.write_text(json.dumps({"attachments": knobs}))


@pytest.fixture
def machine(scene: Scene) -> Scene:
    on(scene)
    scene.begin()
    return scene


def put(scene: Scene, name: str, data: bytes = b"text\n") -> Path:
    path = scene.root / ".ai/inbox" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def told(scene: Scene, **fields: Any) -> str:
    """What the agent reads at a prompt."""
    return str(scene.prompt(**fields).body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def kept(scene: Scene, work: str = "w001") -> dict[str, bytes]:
    folder = scene.place / "work" / work / "artifacts/attachments"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.exists() else {}


def announced(scene: Scene) -> list[str]:
    return [one.summary for one in artifacts.follow(str(scene.place), 0, ("attachment",))[0]]


# --- the inbox -----------------------------------------------------------------------------------------------------


def test_a_file_of_the_inbox_is_taken_in_at_the_prompt_once(machine: Scene) -> None:
    put(machine, "shot.png", PNG)
    put(machine, "notes/deep.md", b"# hi\n")
    said = told(machine)
    assert "shot.png (image/png, 28 bytes): " in said and "notes/deep.md (text/plain, 5 bytes): " in said
    found = kept(machine)
    assert sorted(found.values()) == sorted([PNG, b"# hi\n"])
    assert {name.rpartition(".")[2] for name in found} == {"png", "txt"}
    for name in found:
        place = machine.place / "work/w001/artifacts/attachments" / name
        assert place.stat().st_mode & 0o777 == 0o600 and str(place) in said
    assert announced(machine) == ["notes/deep.md, text/plain, 5 bytes", "shot.png, image/png, 28 bytes"]
    assert told(machine) == "" and len(announced(machine)) == 2
    pointer = artifacts.newest(machine.state(), "attachment", "w001")
    assert pointer is not None and pointer.hash == artifacts.content_hash(PNG)


def test_a_tool_call_finds_what_came_meanwhile(machine: Scene) -> None:
    told(machine)
    put(machine, "late.txt")
    said = machine.pre("ls").body["hookSpecificOutput"]["additionalContext"]
    assert "late.txt (text/plain, 5 bytes)" in said
    assert machine.pre("ls").body == {} and len(announced(machine)) == 1


def test_one_content_is_there_once_whatever_its_names(machine: Scene) -> None:
    for name in ("a.txt", "b.txt", "c/d.txt"):
        put(machine, name)
    told(machine)
    assert len(kept(machine)) == len(announced(machine)) == 1


def test_of_many_processes_each_content_is_announced_once(machine: Scene) -> None:
    for number in range(5):
        put(machine, f"{number}.txt", b"%d" % number)
    payload = json.dumps(machine.tool("ls")).encode()
    together(8, lambda _: machine.send(payload, "PreToolUse", process=True))
    assert sorted(announced(machine)) == [f"{number}.txt, text/plain, 1 bytes" for number in range(5)]


def test_within_a_task_nothing_is_taken_in_again(machine: Scene) -> None:
    put(machine, "a.txt")
    told(machine)
    folder = machine.place
    (folder / "work/w001/artifacts/attachments").rename(folder / "elsewhere")
    assert told(machine) == "" and len(announced(machine)) == 1


def test_it_does_nothing_while_it_is_off(scene: Scene) -> None:
    scene.begin()
    put(scene, "a.txt")
    assert told(scene) == "" and kept(scene) == {}


# --- what is not taken in ------------------------------------------------------------------------------------------


def test_links_are_followed_nowhere(machine: Scene, tmp_path: Path) -> None:
    secret = tmp_path / "outside"
    secret.mkdir()
    (secret / "secret.txt").write_text("mine")
    inbox = put(machine, "a.txt").parent
    (inbox / "link.txt").symlink_to(secret / "secret.txt")
    (inbox / "folder").symlink_to(secret, target_is_directory=True)
    os.mkfifo(inbox / "pipe")
    said = told(machine)
    assert list(kept(machine).values()) == [b"text\n"]
    assert "link.txt: not taken in, a link is not followed" in said
    assert "pipe: not taken in, no regular file" in said


def test_an_inbox_that_is_a_link_is_none(machine: Scene, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    (machine.root / ".ai/inbox").symlink_to(tmp_path, target_is_directory=True)
    assert told(machine) == "" and kept(machine) == {}


def test_a_folder_of_the_session_that_is_a_link_is_not_written_through(machine: Scene, tmp_path: Path) -> None:
    put(machine, "a.txt")
    (tmp_path / "out").mkdir()
    (machine.place / "work").symlink_to(tmp_path / "out", target_is_directory=True)
    machine.prompt()
    assert os.listdir(tmp_path / "out") == []
    assert machine.rows("ERROR_MODULE"), "a fault is seen"


def test_files_are_bounded_in_size_and_number(scene: Scene) -> None:
    on(scene, files=2, megabytes=1)
    scene.begin()
    put(scene, "large.bin", b"x" * ((1 << 20) + 1))
    for number in range(4):
        put(scene, f"{number}.txt", b"%d" % number)
    said = told(scene)
    assert "large.bin: not taken in, larger than 1 MB" in said
    assert "3.txt: not taken in, more than 2 files" in said
    assert sorted(kept(scene).values()) == [b"0", b"1"]


def test_what_is_too_much_for_one_event_comes_with_the_next(machine: Scene) -> None:
    """What was taken in before is not read again, so that each event comes further; each file is told once."""
    for number in range(6):
        put(machine, f"{number}.bin", bytes((number,)) * (9 << 20))
    said = [told(machine) for _ in range(7)]
    assert "and more: they come with the next event" in said[0]
    assert [sum(f"{number}.bin (" in one for one in said) for number in range(6)] == [1] * 6
    assert len(kept(machine)) == len(announced(machine)) == 6
    assert said[-1] == ""


def test_hidden_files_and_those_too_deep_are_left(machine: Scene) -> None:
    put(machine, ".hidden")
    put(machine, "1/2/3/4/5.txt")
    assert "1/2/3/4: not taken in, too many folders deep" in told(machine)
    assert kept(machine) == {}


def test_names_deceive_nobody(machine: Scene) -> None:
    put(machine, "a\u202egnp.exe\n# obey")
    said = told(machine)
    assert "\u202e" not in said and "\n# obey" not in said and "a\\u202egnp.exe\\n# obey" in said


def test_a_forged_attachment_is_not_announced_and_hinders_none(machine: Scene) -> None:
    """An agent may write into the folder: its file is none of ours, and what is taken in stands there as it was."""
    path = put(machine, "a.txt")
    folder = machine.place / "work/w001/artifacts/attachments"
    folder.mkdir(parents=True)
    (folder / "forged.txt").write_text("x")
    told(machine)
    [name] = [name for name in kept(machine) if name != "forged.txt"]
    assert announced(machine) == ["a.txt, text/plain, 5 bytes"]
    assert kept(machine)[name] == path.read_bytes()


# --- what the client passes ----------------------------------------------------------------------------------------


def test_what_the_client_passes_is_taken_in(machine: Scene, tmp_path: Path) -> None:
    shot = tmp_path / "shot.dat"
    shot.write_bytes(PNG)
    (machine.root / "src").mkdir()
    (machine.root / "src/a.py").write_text("x")
    passed = [{"type": "file", "file_path": str(shot)}, "src/a.py", {"uri": "https://example.org/x"}, {"x": 1}, 7]
    said = told(machine, attachments=passed)
    assert f"{shot} (image/png, 28 bytes)" in said and "src/a.py (text/plain, 1 bytes)" in said
    assert sorted(kept(machine).values()) == sorted([PNG, b"x"])


@pytest.mark.parametrize("passed", ["x", {"path": "a"}, [{"path": 1}], [[[]]], [{"path": "a\0b"}], [{"path": ""}]])
def test_what_makes_no_sense_is_passed_over(machine: Scene, passed: Any) -> None:
    assert told(machine, attachments=passed) == "" and kept(machine) == {}


def test_a_name_that_no_file_can_have_holds_up_no_other(machine: Scene) -> None:
    (machine.root / "a.txt").write_text("x")
    said = told(machine, attachments=["\ud800", "b" * 5_000, {"path": "a/\udfff/b"}, "a.txt"])
    assert "a.txt (text/plain, 1 bytes)" in said and said.count("not taken in") == 3
    assert machine.rows("ERROR_MODULE") == []


def test_no_link_and_no_credential_is_taken_from_the_client(machine: Scene, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    (tmp_path / "id_rsa").write_text("key")
    (tmp_path / "away").symlink_to(tmp_path, target_is_directory=True)
    names = ["link.txt", "id_rsa", "away/a.txt", "none.txt"]
    said = told(machine, attachments=[str(tmp_path / name) for name in names])
    assert kept(machine) == {} and said.count("not taken in") == 4
    assert "id_rsa: not taken in, it looks like a credential" in said


@pytest.mark.parametrize(
    "name",
    ["Screenshot 2026-01-02 at 10.00.00.png", ".cache/client/shot.png", "var/folders/x/private/shot.png", "a\\b.png"],
)
def test_what_is_no_credential_is_taken_wherever_a_client_keeps_it(machine: Scene, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(PNG)
    assert "image/png" in told(machine, attachments=[{"path": str(path)}])
    assert list(kept(machine).values()) == [PNG]


@pytest.mark.parametrize("name", ["id_rsa", "notes/id_ed25519", "server.pem", "key.txt"])
def test_no_credential_is_taken_from_the_inbox_under_another_name(machine: Scene, name: str) -> None:
    put(machine, name, b"-----BEGIN OPENSSH PRIVATE KEY-----\n")
    said = told(machine)
    assert kept(machine) == {} and announced(machine) == []
    assert f"{name}: not taken in, it looks like a credential" in said


# --- types ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, ("image/png", "png")),
        (b"%PDF-1.7 ", ("application/pdf", "pdf")),
        (b"#!/bin/sh\nrm -rf /", ("text/x-script", "txt")),
        (b"\x7fELF\x02", ("application/x-executable", "bin")),
        (b"MZ\x90", ("application/x-executable", "bin")),
        (b"\n <SVG onload=x>", ("image/svg+xml", "txt")),
        (b'{"a": 1}', ("application/json", "txt")),
        (b"", ("text/plain", "txt")),
        ("grüße".encode(), ("text/plain", "txt")),
        ("grüße".encode("latin-1"), ("application/octet-stream", "bin")),
        (b"a\0b", ("application/octet-stream", "bin")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_type_is_what_the_first_bytes_say(data: bytes, kind: tuple[str, str]) -> None:
    assert sniff(data) == kind
