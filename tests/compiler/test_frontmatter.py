"""Front matter: every style of comment, exact faults, what its fields mean."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest

from jackline.compiler import frontmatter, scriptfields
from jackline.compiler.fault import Fault
from jackline.compiler.frontmatter import BYTES, LINES, Front, read
from jackline.compiler.scriptfields import Said, said

WHERE = "hooks/lint.sh"


def values(data: bytes) -> dict[str, Any]:
    found = read(data, WHERE)
    assert isinstance(found, Front), found
    return {key: field.value for key, field in found.fields.items()}


def fault(data: bytes) -> str:
    found = read(data, WHERE)
    assert isinstance(found, Fault), found
    return str(found)


def declared(*lines: str, node: bool = False) -> Said:
    found = said(front(*lines), WHERE, node=node)
    assert isinstance(found, Said), [str(one) for one in found]
    return found


def faults(*lines: str) -> list[str]:
    found = said(front(*lines), WHERE)
    assert isinstance(found, list), found
    return [str(one) for one in found]


def front(*lines: str) -> Front:
    text = "\n".join(("#!/bin/sh", "#---", *[f"# {line}" for line in lines], "#---", "echo"))
    found = read(text.encode(), WHERE)
    assert isinstance(found, Front), found
    return found


EXPECTED = {"name": "Go check", "type": "file"}

STYLES = {
    "plain": b"---\nname: Go check\ntype: file\n---\necho\n",
    "hash": b"#!/bin/bash\n#---\n# name: Go check\n# type: file\n#---\necho\n",
    "hash without shebang": b"#---\n# name: Go check\n# type: file\n#---\necho\n",
    "hash with a blank": b"#!/bin/bash\n# ---\n# name: Go check\n# type: file\n# ---\n",
    "hash without blanks": b"#!/bin/bash\n#---\n#name: Go check\n#type: file\n#---\n",
    "hash, some blanks": b"#---\n# name: Go check\n#type: file\n#---",
    "slashes": b"#!/usr/bin/env node\n//---\n// name: Go check\n// type: file\n//---\nrun();\n",
    "slashes without blanks": b"//---\n//name: Go check\n//type: file\n//---\n",
    "plain after a shebang": b"#!/usr/bin/env x\n---\nname: Go check\ntype: file\n---\n",
    "byte order mark": b"\xef\xbb\xbf#!/bin/sh\n#---\n# name: Go check\n# type: file\n#---\n",
    "byte order mark first": b"\xef\xbb\xbf---\nname: Go check\ntype: file\n---\n",
    "CR LF": b"#!/bin/sh\r\n#---\r\n# name: Go check\r\n# type: file\r\n#---\r\necho\r\n",
    "CR LF plain": b"---\r\nname: Go check\r\ntype: file\r\n---\r\n",
    "blank lines before": b"#!/bin/sh\n\n\n#---\n# name: Go check\n# type: file\n#---\n",
    "blank lines inside": b"#---\n\n# name: Go check\n#\n# type: file\n\n#---\n",
    "an encoding before": b"#!/usr/bin/python3\n# -*- coding: utf-8 -*-\n#---\n# name: Go check\n# type: file\n#---\n",
    "dashes": b"-- ---\n-- name: Go check\n-- type: file\n-- ---\nprint()\n",
    "dashes, all of them": b"#!/usr/bin/lua\n-----\n--name: Go check\n--type: file\n-----\n",
    "semicolons": b"#!/usr/bin/guile\n;; ---\n;; name: Go check\n;; type: file\n;; ---\n",
    "percent": b"#!/usr/bin/escript\n%% ---\n%% name: Go check\n%% type: file\n%% ---\n",
    "block": b"/*---\nname: Go check\ntype: file\n---*/\nint main() {}\n",
    "block, own lines": b"/*\n---\nname: Go check\ntype: file\n---\n*/\n",
    "block with stars": b"#!/usr/bin/env node\n/**\n * ---\n * name: Go check\n * type: file\n * ---\n */\n",
    "python docstring": b'#!/usr/bin/python3\n"""\n---\nname: Go check\ntype: file\n---\n"""\n',
    "html": b"<!--\n---\nname: Go check\ntype: file\n---\n-->\n",
    "ruby": b"#!/usr/bin/ruby\n=begin\n---\nname: Go check\ntype: file\n---\n=end\n",
    "php": b"#!/usr/bin/php\n<?php\n#---\n# name: Go check\n# type: file\n#---\n",
    "tabs after the sign": b"#---\n#\tname: Go check\n#\ttype: file\n#---\n",
    "indented": b"  #---\n  # name: Go check\n  # type: file\n  #---\n",
    "no newline at the end": b"#---\n# name: Go check\n# type: file\n#---",
    "quotes": b"#---\n# name: \"Go check\"\n# type: 'file'\n#---\n",
    "comments": b"#---\n# name: Go check # shown\n# # a comment\n# type: file   # when\n#---\n",
    "flow": b"#---\n# {name: Go check, type: file}\n#---\n",
    "folded": b"#---\n# name: >-\n#   Go\n#   check\n# type: file\n#---\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_says_the_same(style: str) -> None:
    assert values(STYLES[style]) == EXPECTED


NONE = {
    "empty": b"",
    "no comment": b"#!/bin/sh\necho hi\n",
    "a line of dashes": b"#!/bin/sh\n#----------\n# Lint\n#----------\n",
    "code first": b"#!/bin/sh\necho hi\n#---\n# type: file\n#---\n",
    "a program": b"\x7fELF\0\0---\n",
    "dashes later": b"#!/bin/sh\n# Checks things.\n#---\n",
}


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_front_matter(name: str) -> None:
    assert read(NONE[name], WHERE) is None


FAULTS = {
    "never closed": (
        b"#!/bin/sh\n#---\n# type: file\n",
        f"{WHERE}:2 · expected a closing #---, got the end of the file · write: #--- after the last field",
    ),
    "code instead of a close": (
        b"#!/bin/sh\n#---\n# type: file\nmake lint\n",
        f'{WHERE}:2 · expected a closing #---, got "make lint" in line 4 · write: #--- after the last field',
    ),
    "the comment closes first": (
        b"/*---\ntype: file\n*/\n",
        f"{WHERE}:1 · expected a closing ---, got */ in line 3 · write: --- after the last field",
    ),
    "too long": (
        b"---\n" + b"\n" * (LINES + 1) + b"---\n",
        f"{WHERE}:1 · expected a closing ---, got none within {LINES} lines and {BYTES >> 10} KB"
        " · write: --- after the last field",
    ),
    "too wide": (
        b"---\na: " + b"x" * BYTES + b"\n---\n",
        f"{WHERE}:1 · expected a closing ---, got none within {LINES} lines and {BYTES >> 10} KB"
        " · write: --- after the last field",
    ),
    "a key twice": (
        b"#---\n# type: file\n# name: a\n# type: session\n#---\n",
        f"{WHERE}:4 · type: expected each key once, got a second one (the first in line 2) · write: one of them",
    ),
    "a list": (
        b"#---\n# - type\n#---\n",
        f"{WHERE}:2 · expected fields (key: value), got a list · write: type: file",
    ),
    "a text": (
        b"#---\n# file\n#---\n",
        f"{WHERE}:2 · expected fields (key: value), got a text · write: type: file",
    ),
    "bytes": (
        b"#---\n# type: file\n# name: \xff\n#---\n",
        f"{WHERE}:3 · expected UTF-8, got byte 0xff · write: the file as UTF-8",
    ),
    "an open list": (
        b"#---\n# type: file\n# events: [a, b\n#---\n",
        f"{WHERE}:3 · expected YAML, got '<stream end>' where ',' or ']' must stand at column 14"
        " · write: key: value, one a line",
    ),
    "tabs": (
        b"#---\n# type: file\n# tools:\n# \t- Edit\n#---\n",
        f"{WHERE}:4 · expected YAML, got found character '\\t' that cannot start any token at column 1"
        " · write: blanks instead of the tab",
    ),
    "an odd key": (
        b"#---\n# type: file\n# [a]: b\n#---\n",
        f"{WHERE}:3 · expected a text as key, got a sequence · write: key: value",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_line_and_what_to_write(name: str) -> None:
    data, told = FAULTS[name]
    assert fault(data) == told


UNQUOTED = {
    "*.go": "*.go",
    "!*.go": "!*.go",
    "{a,b}.go": "{a,b}.go",
    "&x": None,
    "@scope/*": "@scope/*",
    "`make`": "`make`",
    "Check: all of it's": "Check: all of it's",
    "%x": "%x",
    "*.{ts,tsx}": "*.{ts,tsx}",
    "{a,b}": "{a,b}",
    "{src,lib}/**/*.{ts,tsx}": "{src,lib}/**/*.{ts,tsx}",
    "{*.ts,*.tsx}": "{*.ts,*.tsx}",
    "{src/**, lib/**}": "{src/**, lib/**}",
    "{a,{b,c}}": "{a,{b,c}}",
    "{a,b},{c}": "{a,b},{c}",
    "{1..3}.txt": "{1..3}.txt",
    "[ab]*.py": "[ab]*.py",
    "[a-c].{x,y}": "[a-c].{x,y}",
    "[[:digit:]]*": "[[:digit:]]*",
    "!{a,b}": "!{a,b}",
    "[*.{ts,tsx}, '*.j,s', !x.js]": ("*.{ts,tsx}", "*.j,s", "!x.js"),
    "[{a,b}, c]": ("{a,b}", "c"),
    "[x.{a,b}]": ("x.{a,b}",),
    "{a: b}": None,
    "{}": None,
}


@pytest.mark.parametrize("written", UNQUOTED)
def test_a_value_that_lacks_quotes_is_a_text(written: str) -> None:
    """Readers of plain `key: value` lines took these; YAML alone does not."""
    assert values(f"#---\n# type: file\n# pattern: {written}\n#---\n".encode())["pattern"] == UNQUOTED[written]


def test_a_value_that_got_quotes_is_told() -> None:
    found = read(b"#---\n# type: file\n# pattern: *.go  # all\n#---\n", WHERE)
    assert isinstance(found, Front)
    assert found.notes == (f"{WHERE}:3 · the value needs quotes, taken as a text · write: pattern: '*.go'  # all",)


def test_braces_that_yaml_would_take_for_a_mapping_are_told() -> None:
    found = read(b"#---\n# type: file\n# pattern:\n#   - *.go\n#   - {a,b}  # two\n#   - [ab].c\n#---\n", WHERE)
    assert isinstance(found, Front)
    assert found.fields["pattern"].value == ("*.go", "{a,b}", "[ab].c")
    assert [note.partition("write: ")[2] for note in found.notes] == ["- '*.go'", "- '[ab].c'", "'{a,b}'"]
    assert [note.partition(" ")[0] for note in found.notes] == [f"{WHERE}:{line}" for line in (4, 6, 5)]


def test_words_that_mean_something_to_yaml_stay_words() -> None:
    assert values(b"#---\n# on: resume\n# yes: no\n# 1: 0x10\n# when: 2026-01-01\n# x: 5m\n# y: ~\n#---\n") == {
        "on": "resume",
        "yes": "no",
        "1": "0x10",
        "when": "2026-01-01",
        "x": "5m",
        "y": None,
    }


def test_lists_of_both_kinds() -> None:
    assert values(b"#---\n# a: [x, 'y z', 3]\n# b:\n#   - x\n#   - \"y z\"\n#---\n") == {
        "a": ("x", "y z", "3"),
        "b": ("x", "y z"),
    }


HOSTILE = {
    "anchors upon anchors": "a: &a [x, x]\n"
    + "\n".join(f"{chr(97 + n)}: &{chr(97 + n)} [{', '.join([f'*{chr(96 + n)}'] * 9)}]" for n in range(1, 12)),
    "an anchor in itself": "a: &a [*a]",
    "deep lists": "a: " + "[" * 7000 + "]" * 7000,
    "deep mappings": "? " * 7000,
    "half of it": "a: " + "[{a: " * 3000,
    "braces in themselves": "a: &a {*a , b}",
    "braces upon braces": "a: &a {x, y}\n"
    + "\n".join(f"{chr(97 + n)}: &{chr(97 + n)} {{*{chr(96 + n)} , x}}" for n in range(1, 12)),
    "python": "a: !!python/object/apply:os.system [touch x]",
    "many keys": "\n".join(f"k{n}: v" for n in range(LINES - 2)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml_costs_little(name: str) -> None:
    begun = time.process_time()
    found = read(f"---\n{HOSTILE[name]}\n---\n".encode(), WHERE)
    assert isinstance(found, (Front, Fault))
    if isinstance(found, Front):
        assert all(field.value is None or len(str(field.value)) < 1000 for field in found.fields.values())
        said(found, WHERE)
    assert time.process_time() - begun < 10  # none of them grows with what it says; a busy machine takes two


def test_the_body_is_what_stands_below() -> None:
    data = b"\xef\xbb\xbf---\r\nsurface: system\r\n---\r\n\r\n# Rules\r\n\r\nBe careful: `$&`.\r\n\r\n"
    found = read(data, WHERE)
    assert isinstance(found, Front)
    assert frontmatter.body(data, found) == "# Rules\n\nBe careful: `$&`."


def test_yaml_is_not_imported_where_there_is_no_front_matter() -> None:
    import subprocess

    code = (
        "import sys; from jackline.compiler import frontmatter, scriptfields, scripts\n"
        "frontmatter.read(b'#!/bin/sh\\necho', 'x'); print('ruamel.yaml' in sys.modules)\n"
        "frontmatter.read(b'#---\\n# a: 1\\n#---', 'x'); print('ruamel.yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


# --- fields --------------------------------------------------------------------------------------------------------

WRONG = {
    "no type": (
        ("name: x",),
        "2 · type: expected one of event, session, file, pre-commit, got nothing · write: type: file",
    ),
    "a wrong type": (
        ("type: precommit",),
        '3 · type: expected one of event, session, file, pre-commit, got "precommit" · write: type: pre-commit',
    ),
    "no pattern": (
        ("type: file",),
        '2 · pattern: expected which files it is for, got nothing · write: pattern: "*.py"',
    ),
    "minutes": (("type: session", "timeout: 5m"), '4 · timeout: expected seconds, got "5m" · write: timeout: 300'),
    "milliseconds": (
        ("type: session", "timeout: 500ms"),
        '4 · timeout: expected seconds, got "500ms" · write: timeout: 0.5',
    ),
    "no number": (
        ("type: session", "timeout: soon"),
        '4 · timeout: expected seconds, got "soon" · write: timeout: 300',
    ),
    "below nothing": (
        ("type: session", "timeout: -1"),
        '4 · timeout: expected seconds from 0 to 86400, got "-1" · write: timeout: 0',
    ),
    "not a number": (
        ("type: session", "timeout: .nan"),
        '4 · timeout: expected seconds, got ".nan" · write: timeout: 300',
    ),
    "a list for a text": (("type: [file]",), '3 · type: expected a text, got ["file"] · write: type: text'),
    "a mapping for a list": (
        ("type: event", "events: {PreToolUse: 1}"),
        "4 · events: expected a text or a list of texts, got a mapping of 1 · write: events: [PreToolUse]",
    ),
    "no event": (
        ("type: event",),
        "2 · events: expected events of a client, got nothing · write: events: [PreToolUse]",
    ),
    "an order": (
        ("type: event", "event: Stop", "order: first"),
        '5 · order: expected a number, got "first" · write: order: 50',
    ),
    "a truth": (
        ("type: event", "event: Stop", "block: maybe"),
        '5 · block: expected true or false, got "maybe" · write: block: true',
    ),
    "who": (
        ("type: session", "run_as: admin"),
        '4 · run_as: expected one of user, root, got "admin" · write: run_as: user',
    ),
    "on": (
        ("type: session", "on: [startup, resumed]"),
        '4 · on: expected one of startup, resume, clear, compact, got "resumed" · write: on: resume',
    ),
    "a baseline": (
        ("type: file", 'pattern: "*"', "baseline: sesion"),
        '5 · baseline: expected one of uncommitted, session, got "sesion" · write: baseline: session',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_values_are_told_exactly(name: str) -> None:
    lines, told = WRONG[name]
    first = faults(*lines)[0]
    assert first == f"{WHERE}:{told}"


WARNED = {
    "a typo": (("notify_lm: false",), "5 · notify_lm: no field of scripts, it does nothing · write: notify_llm"),
    "unknown": (("zzz: 1",), "5 · zzz: no field of scripts, it does nothing"),
    "blocking": (
        ("blocking: true",),
        "5 · blocking: read, not used here: "
        "a session's start always waits for its scripts as long as the client lets it",
    ),
    "phase": (("phase: review",), "5 · phase: read, not used here: file scripts run at the end of the turn"),
    "subagent": (("subagent: x",), "5 · subagent: read, not used here: scripts are programs, no sub-agent is started"),
    "language_id": (
        ("language_id: go",),
        "5 · language_id: read, not used here: there is no language server here",
    ),
    "min_severity": (
        ("min_severity: error",),
        "5 · min_severity: read, not used here: there is no language server here",
    ),
    "of another type": (
        ("run_as: root",),
        "5 · run_as: read, not used here: it belongs to session scripts",
    ),
    "twice in other words": (
        ('exclude: "a"', 'ignore: "b"'),
        "6 · ignore: read, not used here: exclude says it already",
    ),
}


@pytest.mark.parametrize("name", WARNED)
def test_what_is_not_used_is_warned_of_and_breaks_nothing(name: str) -> None:
    lines, told = WARNED[name]
    found = declared("type: file", 'pattern: "*.go"', *lines)
    assert found.warnings == (f"{WHERE}:{told}",)
    assert found.values["pattern"] == ("*.go",)


def test_a_wild_file_script() -> None:
    found = declared(
        "type: file", 'pattern: ["*.go", "!gen/**"]', "ignore: vendor/**", "notify_llm: 'no'", "when: after"
    )
    assert found.warnings == ()
    assert (found.values["pattern"], found.values["exclude"]) == (("*.go", "!gen/**"), ("vendor/**",))
    assert (found.values["notify"], found.values["when"], found.values["timeout"]) == (False, "after", 900.0)


@pytest.mark.parametrize("engine", ["ai", "lsp", "builtin"])
def test_engines_that_are_no_programs_do_not_run(engine: str) -> None:
    assert declared(f"engine: {engine}", "type: file").inert == (
        f"engine: {engine} is read, not used here: only programs are run"
    )


def test_events_in_any_clients_words() -> None:
    found = declared("events: [preToolUse, agentStop, StopFailure, PostToolUse, Pretooluse]")
    assert found.type == "event"
    assert found.values["events"] == ("PreToolUse", "PostToolUse", "Stop", "Error")
    assert found.warnings == (f'{WHERE}:3 · events: no client has an event "Pretooluse" · write: events: PreToolUse',)


def test_a_matcher_is_resolved_as_tools_are() -> None:
    found = declared("event: PreToolUse", "matcher: Edit|Notebook.*|mcp__memo__add|kind:shell|Wirte")
    assert {"Edit", "replace_string_in_file", "NotebookEdit", "memo/add"} <= set(found.values["tools"])
    assert found.values["kinds"] == ("shell",)
    assert found.warnings == (f'{WHERE}:4 · matcher: "Wirte" matches no tool of a known client · write: "Write"',)
    assert declared("event: PreToolUse", 'matcher: "*"').values["tools"] == ()


@pytest.mark.parametrize("word", ["true", "True", "yes", "on", '"true"', "1"])
def test_words_for_yes(word: str) -> None:
    assert declared("event: Stop", f"block: {word}").values["block"] is True


@pytest.mark.parametrize(("line", "why"), [("status: pending", "status: pending"), ("enabled: no", "enabled: false")])
def test_a_script_may_be_inert(line: str, why: str) -> None:
    assert declared("event: Stop", line).inert == why


def test_every_field_is_known() -> None:
    """Each value that front matter sets is a field of `Script`, so nothing that is read is lost."""
    from jackline.script import Script

    fields = set(Script("", "event", "", b"")._asdict())
    for kind in scriptfields.READ:
        lines = {"event": ("event: Stop",), "file": ("type: file", "pattern: x")}.get(kind, (f"type: {kind}",))
        assert set(declared(*lines).values) <= fields


def test_depth_is_no_fault_of_ours() -> None:
    assert frontmatter.read(b"---\na: " + b"[" * 5000 + b"]" * 5000 + b"\n---\n", WHERE) is not None
