"""Records of an earlier version are read under the kinds of today; their bytes stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackline.cli.parts.runs import is_would
from jackline.store import journal

CASES = [
    ({"kind": "OBSERVED", "decision": "deny"}, "WOULD_DENY"),
    ({"kind": "OBSERVED", "decision": "ask"}, "WOULD_ASK"),
    ({"kind": "OBSERVED", "decision": "rewrite"}, "WOULD_REWRITE"),
    ({"kind": "OBSERVED"}, "WOULD_REWRITE"),
    ({"kind": "UNBOUNDED_GREP_DENY"}, "SEARCH_DENY"),
    ({"kind": "UNBOUNDED_GREP_WARN"}, "SEARCH_WARN"),
    ({"kind": "TOOL_DECISION", "decision": "deny"}, "TOOL_DECISION"),
]


@pytest.mark.parametrize(("record", "kind"), CASES)
def test_a_kind_of_before_is_read_as_that_of_today(record: dict[str, str], kind: str, tmp_path: Path) -> None:
    line = json.dumps(record) + "\n"
    (tmp_path / journal.EVENTS).write_text(line)
    assert journal.read(str(tmp_path)) == ([record | {"kind": kind}], 0)
    assert (tmp_path / journal.EVENTS).read_text() == line
    assert is_would({"kind": kind}) == (record["kind"] == "OBSERVED")
