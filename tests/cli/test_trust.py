"""`trust` shows what would run, and lets exactly that run."""

from __future__ import annotations

from jackline.cli.parts import trustwatch
from jackline.store import authority
from scene import git

from .conftest import Desk

BODY = 'return {"decision": "deny", "reason": "not here"}'


def digest(desk: Desk) -> str:
    found: str = desk.jackline("trust", "--json", code=1).data["digest"]
    return found


def test_nothing_to_trust_is_said(desk: Desk) -> None:
    assert "Nothing in this project needs trust" in desk.jackline("trust").out
    assert desk.jackline("trust", "--json").data["digest"] == ""


def test_what_was_read_runs_and_nothing_else(desk: Desk) -> None:
    desk.feature("mine", BODY)
    assert desk.pre().decision == ""
    told = digest(desk)
    desk.jackline("trust", "--yes", told)
    assert desk.pre().decision == "deny"
    assert desk.jackline("trust", "--json").data["trusted"] is True
    desk.feature("mine", BODY.replace("not here", "nowhere"))
    assert desk.pre().reason.split(" — ")[0] == "not here", "what was trusted stays in force"
    assert digest(desk) != told


def test_one_unit_by_its_place(desk: Desk) -> None:
    """A yes to one unit is to that one: named by its place, a file of it, or its last part."""
    for name in ("mine", "yours", "theirs"):
        desk.feature(name, BODY.replace("not here", name))
    for left, word in ((1, ".ai/hooks/features/mine"), (1, "yours"), (0, ".ai/hooks/features/theirs/hook.py")):
        shown = desk.jackline("trust", word, code=1).out
        assert "1 unit" in shown
        desk.jackline(*shown.split("to trust it: ")[1].split()[1:])
        found = desk.jackline("trust", "--json", code=left).data
        states = {one["place"].rpartition("/")[2]: one["state"] for one in found["units"]}
        assert states[word.removesuffix("/hook.py").rpartition("/")[2]] == "trusted"
    assert set(states.values()) == {"trusted"}
    assert "no unit 'other'" in desk.jackline("trust", "other", code=2).err


def test_a_digest_of_other_content_grants_nothing(desk: Desk) -> None:
    desk.feature("mine", BODY)
    old = digest(desk)
    desk.feature("mine", BODY + "  # changed meanwhile")
    assert "read it again" in desk.jackline("trust", "--yes", old, code=2).err
    assert desk.jackline("trust", "--json", code=1).data["trusted"] is False


def test_the_diff_is_of_what_was_trusted_last(desk: Desk) -> None:
    desk.feature("mine", BODY)
    said = desk.jackline("trust", "--diff", code=1).out
    assert "new         feature          .ai/hooks/features/mine\n" in said
    assert '+    return {"decision": "deny", "reason": "not here"}' in said
    assert f"jackline trust --yes {digest(desk)}" in said
    desk.jackline("trust", "--yes", digest(desk))
    desk.feature("mine", BODY.replace("not here", "nowhere"))
    said = desk.jackline("trust", "--diff", code=1).out
    assert "changed     feature          .ai/hooks/features/mine\n" in said
    assert '-    return {"decision": "deny", "reason": "not here"}' in said
    assert '+    return {"decision": "deny", "reason": "nowhere"}' in said


def test_a_diff_says_what_may_be_executed(desk: Desk) -> None:
    folder = desk.root / ".ai/hooks/scripts"
    folder.mkdir(parents=True)
    (folder / "say.sh").write_text("#!/bin/sh\n#---\n# event: PreToolUse\n#---\n. ./lib\n")
    (folder / "lib").write_text("")
    desk.jackline("trust", "--yes", digest(desk))
    before = desk.jackline("trust", "--json").data
    (folder / "lib").chmod(0o755)
    after = desk.jackline("trust", "--json", code=1).data
    assert after["digest"] != before["digest"] and after["files"] == before["files"]
    assert (before["units"][0]["executable"], after["units"][0]["executable"]) == ([], [".ai/hooks/scripts/lib"])
    assert ".ai/hooks/scripts/lib may be executed now\n" in desk.jackline("trust", "--diff", code=1).out
    desk.jackline("trust", "--yes", digest(desk))
    (folder / "lib").chmod(0o644)
    assert "lib may not be executed any more\n" in desk.jackline("trust", "--diff", code=1).out


def test_what_a_diff_could_hide_is_shown(desk: Desk) -> None:
    desk.feature("mine", 'x = "\u202e\u200b"\nreturn None')
    said = desk.jackline("trust", "--diff", code=1).out
    assert '+    x = "\\u202e\\u200b"' in said


def test_loosening_configuration_needs_it_and_tightening_does_not(desk: Desk) -> None:
    (desk.root / ".ai/hooks").mkdir(parents=True)
    manifest = desk.root / ".ai/hooks/dispatch.manifest.json"
    manifest.write_text('{"modules": {"graph-pretooluse": {"mode": "observe"}}}')
    assert list(desk.jackline("trust", "--json", code=1).data["files"]) == [".ai/hooks/dispatch.manifest.json"]
    manifest.write_text('{"enforcePhases": true}')
    assert desk.jackline("trust", "--json").data["files"] == {}


def test_on_a_terminal_the_person_reads_and_answers(desk: Desk) -> None:
    desk.feature("mine", BODY)
    said = desk.typed("trust", "--diff", keys=b"n\n")
    assert said.code == 1
    assert "not here" in said.out
    assert digest(desk)
    said = desk.typed("trust", "--diff", keys=b"y\n")
    assert said.code == 0, said
    assert desk.pre().decision == "deny"


def test_a_branch_may_be_followed(desk: Desk) -> None:
    desk.feature("mine", BODY)
    git(desk.root, "add", "-f", ".ai/hooks")
    git(desk.root, "-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-qm", "x")
    git(desk.root, "branch", "release")
    desk.jackline("trust", "--follow", "release", code=2)
    desk.jackline("trust", "--follow", "release", "--yes")
    assert desk.jackline("trust", "--json").data["follow"] == "release"
    assert desk.pre().decision == "deny"
    desk.feature("mine", BODY.replace("not here", "nowhere"))
    assert desk.pre().reason.split(" — ")[0] == "not here", "it stays in force as any other"
    for word in ("nothing", "HEAD~0", "-x", "--upload-pack=x", git(desk.root, "rev-parse", "HEAD").strip()):
        assert "there is no branch" in desk.jackline("trust", "--yes", f"--follow={word}", code=2).err
    assert desk.jackline("trust", "--json", code=1).data["follow"] == "release"


def test_trust_is_taken_back_by_anybody(desk: Desk) -> None:
    desk.feature("mine", BODY)
    desk.jackline("trust", "--yes", digest(desk))
    desk.jackline("trust", "--revoke")
    assert desk.pre().decision == ""


def test_it_is_recorded_in_a_chain(desk: Desk) -> None:
    desk.feature("mine", BODY)
    told = digest(desk)
    desk.jackline("trust", "--yes", told)
    desk.jackline("trust", "--package", "guards==1.0", "--yes")
    rows = authority.read(str(desk.store))
    assert [row["kind"] for row in rows] == ["TRUST", "TRUST_PACKAGE"]
    assert rows[0]["data"]["units"] == {"feature .ai/hooks/features/mine": told}
    assert authority.verify(str(desk.store)) == (2, "")


def test_a_feature_that_cannot_be_read_is_said(desk: Desk) -> None:
    desk.feature("mine", BODY)
    (desk.root / ".ai/hooks/features/mine/hook.py").write_text("def broken(:\n")
    done = desk.jackline("trust", "--yes", digest(desk), code=1)
    assert "hook.py:1" in done.out


def test_a_ref_needs_its_name(desk: Desk) -> None:
    assert "--follow" in desk.jackline("trust", "--follow", code=2).err


def test_a_yes_without_a_digest_leads_to_the_diff(desk: Desk) -> None:
    desk.feature("mine", BODY)
    said = desk.jackline("trust", "--yes", code=2).err
    assert "needs the digest of what you read" in said and "jackline trust --diff" in said
    assert desk.jackline("trust", "--json", code=1).data["trusted"] is False


def test_what_is_broken_is_said_before_the_question(desk: Desk) -> None:
    """Whoever says yes to what does not compile knows it; it is told once."""
    desk.feature("mine", BODY)
    desk.jackline("trust", "--yes", digest(desk))
    file = desk.hooks / "features/mine/hook.py"
    file.write_text(file.read_text() + ")\n")
    shown = desk.typed("trust", keys=b"y\n").out
    fault, question = shown.index("hook.py:"), shown.index("Let these run")
    assert fault < question and shown.count("expected Python") == 1
    assert desk.pre().decision == "ask"
    assert "expected Python" in desk.pre().reason


def test_the_diff_leaves_out_what_nobody_is_asked_about(desk: Desk) -> None:
    desk.feature("mine", BODY)
    desk.feature("gone", BODY)
    desk.jackline("trust", "--yes", digest(desk))
    git(desk.root, "add", "-Af", ".ai/hooks")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "x")
    git(desk.root, "rm", "-rqf", ".ai/hooks/features/gone")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "y")
    desk.feature("mine", BODY.replace("not here", "nowhere"))
    shown = desk.jackline("trust", "--diff", code=1).out
    assert "1 waits for you" in shown and "not here" in shown
    assert "+++ .ai/hooks/features/mine/hook.py" in shown and "--- trusted" in shown
    assert shown.count("+++ ") == 1


def test_a_ref_that_is_not_there_is_not_followed(desk: Desk) -> None:
    assert (
        "there is no branch, remote branch or tag 'origin/mian'"
        in desk.typed("trust", "--follow", "origin/mian", keys=b"y\n").out
    )
    assert "Follow no ref from now on?" in desk.typed("trust", "--follow", "", keys=b"y\n").out


def test_a_watched_unit_that_does_not_compile_waits_for_the_next_save(desk: Desk) -> None:
    """What an author saves half way holds no call: the last state that compiles stays in force."""
    desk.feature("mine", BODY)
    desk.jackline("trust", "--yes", digest(desk))
    file = desk.hooks / "features/mine/hook.py"
    good = file.read_text()
    watch = trustwatch.Watch(str(desk.store), str(desk.root), [("feature", ".ai/hooks/features/mine")], "person")
    file.write_text(good + ")\n")
    trusted, (fault,) = watch.look()
    assert trusted == [] and "expected Python" in fault
    assert desk.pre().reason.split(" — ")[0] == "not here"
    file.write_text(good.replace("not here", "nowhere"))
    assert watch.look() == ([".ai/hooks/features/mine"], [])
    assert desk.pre().reason.split(" — ")[0] == "nowhere"
