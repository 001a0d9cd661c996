"""Codex: trust by project and by the hash of each hook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.install import installer, installs
from jackline.install.conditions import codex
from jackline.install.finding import Finding
from jackline.install.site import Site

HASHES: list[tuple[str, dict[str, Any], str | None, str]] = [
    (
        "PreToolUse",
        {"command": "echo foreign"},
        None,
        "edef3eb1abfd556a411be2d81513b73d611f097dec53fd98e8c2b9fa10faa400",
    ),
    ("PreToolUse", {"command": "echo m"}, "Bash", "f48e528124381bfc16cfc3d6bfaf8e768188695a9de8712821fadab3326e65ab"),
    (
        "PreToolUse",
        {"command": "[ -x '/a b' ] && echo é \"q\" \x01 </x>", "timeout": 35},
        None,
        "4f7a7bd53f0327e051f975d85536a305eed2ac9df85c71741586b0ea87124fe2",
    ),
    (
        "PostToolUse",
        {"command": "echo a", "timeout": 10, "statusMessage": "s"},
        None,
        "ab0607aabaa9a1c3a1eeef3a1c2ec56fd8f617269049c8175343b70f47dff325",
    ),
    (
        "SessionStart",
        {"command": "echo a", "timeout": 0},
        None,
        "6a09ec1c69c1ec33075e2a55f2f2fac3050b1284a6ccf8b596dbc2ef04819d18",
    ),
    (
        "SessionEnd",
        {"command": "echo a", "timeout": 30},
        None,
        "05cfbaf3285dc821381cccdb6a9e0cad05f1ff912975c7bf760ea9d21949c917",
    ),
    ("SessionEnd", {"command": "echo a"}, None, "5be7079596f45e5b154aedd0aeea5dfefd71ff372841fed401ae1fae480f2ef0"),
    (
        "UserPromptSubmit",
        {"command": "echo a"},
        None,
        "12ed829468b0bd691199142e946fc55452c1bb70b1eb9425ecd528d584870ea3",
    ),
    (
        "Stop",
        {"command": "echo a", "timeout": 10, "async": True},
        None,
        "35130f367efc8802bd07f2664e211eae227f496e7926467cb816854900f2243e",
    ),
    (
        "Interrupt",
        {"command": "echo a", "timeout": 10},
        None,
        "af14e692dbc2c26d8b1e2871cabfd046f4a9e91fdd01b6b6126110a57ff5ebdc",
    ),
]
"""What Codex 0.169.0 itself said of these hooks (`currentHash` of `hooks/list`)."""


@pytest.mark.parametrize(("event", "hook", "matcher", "said"), HASHES)
def test_the_hash_is_the_one_codex_makes(event: str, hook: dict[str, Any], matcher: str | None, said: str) -> None:
    assert codex.trust_hash(event, hook, matcher) == f"sha256:{said}"


def config(site: Site, text: str) -> None:
    path = site.home / ".codex/config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def trusting(site: Site, path: Path, skip: str = "", change: str = "") -> str:
    """The config that a person's client writes when the hooks of a file are trusted."""
    hooks = json.loads(path.read_text())["hooks"]
    text = f'[projects."{site.root}"]\ntrust_level = "trusted"\n'
    for event, groups in hooks.items():
        if event == skip:
            continue
        for at, group in enumerate(groups):
            said = codex.trust_hash(event, group["hooks"][0]) if event != change else "sha256:00"
            label = {"PreToolUse": "pre_tool_use", "Stop": "stop"}.get(event, codex._label(event))
            text += f'[hooks.state."{path}:{label}:{at}:0"]\ntrusted_hash = "{said}"\n'
    return text


def diagnose(site: Site, store: Path) -> list[Finding]:
    return codex.diagnose(installs.load(store)[0], site)


def grades(found: list[Finding]) -> set[tuple[str, str]]:
    return {(one.code, one.grade) for one in found}


@pytest.fixture(params=["project", "user"])
def hooks(request: pytest.FixtureRequest, site: Site, store: Path) -> Path:
    report = installer.enter(("codex",), request.param, site, store)
    assert any("/hooks" in line for line in report.todo)
    return report.done[0].path


def test_green_when_everything_is_trusted(site: Site, store: Path, hooks: Path) -> None:
    config(site, trusting(site, hooks))
    assert diagnose(site, store) == [Finding("hook-trust", "ok", "Codex trusts every entry", where="codex")]
    assert installer.enter(("codex",), installs.load(store)[0].scope, site, store).todo == ()


def test_red_when_nothing_is_trusted(site: Site, store: Path, hooks: Path) -> None:
    found = diagnose(site, store)
    assert ("hook-trust", "bad") in grades(found)
    assert (("folder-trust", "bad") in grades(found)) == (installs.load(store)[0].scope == "project")
    assert all(one.cure for one in found)


def test_red_and_named_when_one_hook_is_not_trusted(site: Site, store: Path, hooks: Path) -> None:
    config(site, trusting(site, hooks, skip="Stop"))
    assert [(one.grade, one.what.split(":")[0]) for one in diagnose(site, store)] == [("bad", "Stop")]


def test_red_when_a_hook_changed_since_it_was_trusted(site: Site, store: Path, hooks: Path) -> None:
    config(site, trusting(site, hooks, change="PreToolUse"))
    assert [one.what for one in diagnose(site, store)] == [
        "PreToolUse: changed since they were trusted; Codex skips them silently"
    ]


def test_a_newer_codex_that_hashes_otherwise_is_asked_itself(
    site: Site, store: Path, hooks: Path, tmp_path: Path
) -> None:
    """Our own sum is not the last word: a client that says "trusted" is believed."""
    config(site, trusting(site, hooks, change="PreToolUse"))
    said = {"data": [{"hooks": [{"key": f"{hooks}:pre_tool_use:0:0", "trustStatus": "trusted"}]}]}
    program = tmp_path / "bin/codex"
    program.parent.mkdir()
    program.write_text(
        "#!/usr/bin/env python3\nimport json, sys\nassert sys.argv[1:] == ['app-server']\n"
        "for line in sys.stdin:\n    asked = json.loads(line)\n    print(json.dumps({'method': 'noise'}))\n"
        f"    result = {said!r} if asked['method'] == 'hooks/list' else {{}}\n"
        "    print(json.dumps({'id': asked['id'], 'result': result}), flush=True)\n"
    )
    program.chmod(0o755)
    env = {**site.env, "PATH": f"{program.parent}:{site.env['PATH']}"}
    assert grades(diagnose(site._replace(env=env), store)) == {("hook-trust", "ok")}
    program.write_text("#!/bin/sh\nexit 3\n")
    assert grades(diagnose(site._replace(env=env), store)) == {("hook-trust", "bad")}


def test_red_when_a_hook_or_all_hooks_are_switched_off(site: Site, store: Path, hooks: Path) -> None:
    whole = trusting(site, hooks)
    off = whole.replace(f'[hooks.state."{hooks}:stop:0:0"]\n', f'[hooks.state."{hooks}:stop:0:0"]\nenabled = false\n')
    config(site, off)
    assert [one.what.split(";")[0] for one in diagnose(site, store)] == ["Stop: switched off"]
    config(site, "[features]\nhooks = false\n" + whole)
    assert ("hooks-off", "bad") in grades(diagnose(site, store))


def test_an_inserted_foreign_hook_moves_the_key_and_is_noticed(site: Site, store: Path, hooks: Path) -> None:
    """Codex's trust goes by position: that is why ours is appended last and never moved."""
    config(site, trusting(site, hooks))
    given = json.loads(hooks.read_text())
    given["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "x"}]})
    hooks.write_text(json.dumps(given))
    assert ("hook-trust", "bad") in grades(diagnose(site, store))


def test_a_foreign_http_hook_is_named(site: Site, store: Path, hooks: Path) -> None:
    given = json.loads(hooks.read_text())
    given["hooks"]["Stop"].append({"hooks": [{"type": "http", "url": "http://x"}]})
    hooks.write_text(json.dumps(given))
    assert ("foreign-entry", "bad") in grades(diagnose(site, store))


def test_a_broken_config_is_said_so(site: Site, store: Path, hooks: Path) -> None:
    config(site, "[projects\n")
    assert grades(diagnose(site, store)) == {("client-config", "bad")}


def test_a_home_that_is_a_link_is_resolved_as_codex_does(site: Site, store: Path) -> None:
    real = site.home / "real"
    real.mkdir()
    (site.home / ".codex").symlink_to(real)
    installer.enter(("codex",), "user", site, store)
    config(site, trusting(site, site.home / ".codex/hooks.json").replace(str(site.home / ".codex"), str(real)))
    assert grades(diagnose(site, store)) == {("hook-trust", "ok")}


def test_a_project_below_the_git_root_is_trusted_with_it(site: Site) -> None:
    below = site.root / "below"
    below.mkdir()
    trusted = {"projects": {str(site.root): {"trust_level": "trusted"}}}
    assert codex.project_trusted(site._replace(root=below), trusted)
    assert not codex.project_trusted(site, {"projects": {str(site.root.parent): {"trust_level": "trusted"}}})
    assert not codex.project_trusted(site, {"projects": {str(site.root): {"trust_level": "untrusted"}}})
