"""Principle 11: certainty comes with the effect. What is refused outright is a literal text with a literal target."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.features.command_guard import guard, judge
from jackline.shell.effects import effects

CWD, HOME = "/srv/shop", "/home/ada"

WORD = {
    "literal": ("", "/", "deny"),
    "literal, in single quotes": ("", "'/'", "deny"),
    "literal, in double quotes": ("", '"/"', "deny"),
    "literal, a folder": ("", "/usr/lib", "deny"),
    "literal, the home": ("", "~", "deny"),
    "all of it": ("", "/*", "deny"),
    "variable": ("D=/; ", "$D", "ask"),
    "variable, quoted": ("D=/; ", '"$D"', "ask"),
    "variable of the environment": ("", '"$HOME"', "ask"),
    "variable with a fallback": ("", "${D:-/}", "ask"),
    "glob": ("", "/us*", "ask"),
    "glob in the middle": ("", "/u?r", "ask"),
    "brace": ("", "/{usr,etc}", "ask"),
    "substitution": ("", "$(echo /)", "ask"),
    "substitution, old": ("", "`echo /`", "ask"),
    "sum": ("", "/usr$((0))/..", "ask"),
}
"""How a target is spelled: what stands before the command, its word, and the strictest answer."""

PROGRAM = {
    "rm": "rm -rf {}",
    "rm by its path": "/bin/rm -rf {}",
    "rsync": "rsync -a --delete empty/ {}",
    "chmod": "chmod -R 000 {}",
    "chown": "chown -R nobody {}",
}

AROUND = {
    "alone": "{}",
    "sudo": "sudo {}",
    "env": "env A=1 {}",
    "timeout": "timeout 5 {}",
    "nice, nohup": "nohup nice -n 5 {}",
    "behind others": "ls; cd src && {}",
    "in a group": "{{ {}; }}",
    "in a branch": "if true; then {}; fi",
    "to nowhere": "{} 2>/dev/null",
}


def decision(command: str) -> str:
    found = effects(command, CWD, {"HOME": HOME, "TMPDIR": "/tmp"}, CWD)
    ground = guard.ground_of(CWD, CWD, HOME, {}, "/tmp")
    return guard.rule_on(command, found, ground, {}, "standard", "2031-05-05").decision


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("program", PROGRAM)
@pytest.mark.parametrize("word", WORD)
def test_only_a_literal_target_is_refused(word: str, program: str, around: str) -> None:
    before, target, strictest = WORD[word]
    made = decision(before + AROUND[around].format(PROGRAM[program].format(target)))
    assert made == strictest or (strictest == "ask" and made == "allow")
    if program == "rm":
        assert made == strictest, "what is removed is never passed over"


def test_without_the_principle_most_of_what_is_asked_about_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One function is the principle: where it doubts nothing, a variable is as good as its text."""
    monkeypatch.setattr(judge, "is_certain", lambda effect, place: True)
    asked = [(before, word) for before, word, strictest in WORD.values() if strictest == "ask"]
    cells = [before + form.format(word) for before, word in asked for form in PROGRAM.values()]
    refused = [one for one in cells if decision(one) == "deny"]
    assert len(refused) >= len(cells) / 2, (len(refused), len(cells))


SHELLS = {
    "bash -c": ("bash -c '{}'", "deny"),
    "sh -c in double quotes": ('sh -c "{}"', "deny"),
    "eval": ("eval '{}'", "deny"),
    "eval, of a variable": ("X='{}'; eval \"$X\"", "ask"),
    "bash -c, of a variable": ("X='{}'; bash -c \"$X\"", "ask"),
    "piped": ("echo '{}' | sh", "ask"),
    "here-document": ("bash <<'E'\n{}\nE", "ask"),
    "here-string": ("bash <<< '{}'", "ask"),
    "python": ("python3 -c 'import os; os.system(\"{}\")'", "ask"),
    "xargs": ("echo / | xargs rm -rf", "ask"),
    "unknown program": ("frobnicate {}", "ask"),
    "open quote": ("{}; echo 'x", "ask"),
    "help": ("{} --help", "ask"),
    "another rm": ("/tmp/{}", "ask"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_text_is_certain_as_long_as_it_stands_there(shell: str) -> None:
    template, expected = SHELLS[shell]
    assert decision(template.format("rm -rf /")) == expected


@pytest.mark.parametrize("packed", ["base64 -d", "base64 --decode", "openssl base64 -d"])
def test_a_packed_text_is_asked_about(packed: str) -> None:
    assert decision(f"echo cm0gLXJmIC8= | {packed} | sh") == "ask"


SEARCHES = {
    "-delete": "deny",
    "-depth -delete": "deny",
    "-name x -delete": "ask",
    "-type f -delete": "ask",
    "-mtime +30 -delete": "ask",
    "-maxdepth 1 -delete": "ask",
    "-not -name x -delete": "ask",
    "-empty -delete": "ask",
    "-user nobody -delete": "ask",
    "-exec rm -rf {} +": "ask",
    "-name x -exec rm -rf {} ;": "ask",
}


@pytest.mark.parametrize("words", SEARCHES)
@pytest.mark.parametrize("place", ["/", "/usr", "/home/ada"])
def test_a_search_with_a_filter_is_never_refused(place: str, words: str) -> None:
    said = decision(f"find {place} {words}".replace(";", "\\;"))
    assert said == SEARCHES[words] or (SEARCHES[words] == "ask" and said == "allow")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("dd if=x of=/dev/sda", "deny"),
        ("dd if=x of=$DISK", "allow"),
        ("cat x > /dev/sda", "deny"),
        ("cat $X > /dev/sda", "deny"),
        ("D=/dev/sda; cat x > $D", "ask"),
        ("mkfs.ext4 /dev/sda1", "deny"),
        ("mount /dev/sda1 /mnt/x", "ask"),
        ("mount -o remount,ro /dev/sda1 /mnt/x", "ask"),
        ("hdparm -C /dev/sda", "ask"),
        ("mdadm --detail /dev/md0", "ask"),
        ("cryptsetup status /dev/sda2", "ask"),
    ],
)
def test_a_device_is_refused_where_it_is_certainly_overwritten(command: str, expected: str) -> None:
    said = decision(command)
    assert said == expected or (expected == "ask" and said == "allow") or (expected == "allow" and said != "deny")


@pytest.mark.parametrize("where", ["command", "script"])
def test_a_file_of_this_session_is_read_as_the_command(tmp_path: Path, where: str) -> None:
    """What it holds is literal, or not, as in the command."""
    (tmp_path / "x.sh").write_text("rm -rf /\n" if where == "command" else "rm -rf $X/usr\n")
    command = f"bash {tmp_path}/x.sh"
    found = effects(command, str(tmp_path), {"HOME": HOME}, str(tmp_path), since=1)
    assert [one.certain for one in found.effects if one.kind == "delete"] == [where == "command"]


MODELS = ("claude -p {}", "claude {}", "codex exec {}", "gemini -p {}", "copilot -p {}", "opencode run {}")
PROSE = (
    "explain what rm -rf / does",
    "rm -rf build fails, find out why and mend the recipe",
    "git push --force was refused: look at the branch",
    "find / -delete is what the user typed, tell them what it does",
)
COMMANDS = ("rm -rf /", "git push --force origin main", "find / -delete")


@pytest.mark.parametrize("model", MODELS)
def test_prose_for_a_model_is_no_command(model: str) -> None:
    """What the model then calls is judged where it calls it; a text that is a command from end to end is one."""
    assert [one for one in PROSE if decision(model.format(f"'{one}'")) != "allow"] == []
    assert [one for one in COMMANDS if decision(model.format(f"'{one}'")) == "allow"] == []


@pytest.mark.parametrize("option", ["-v", "--verbose", "-cv", "-vR"])
@pytest.mark.parametrize(("mode", "expected"), [("777", "ask"), ("u+s", "ask"), ("644", "allow"), ("+x", "allow")])
def test_what_a_change_of_rights_says_stands_behind_its_flags(option: str, mode: str, expected: str) -> None:
    assert decision(f"chmod {option} {mode} src/x") == expected
