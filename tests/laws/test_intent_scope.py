"""Laws of intent-scope: writing it otherwise never lets a change out of scope, and no input makes it fail."""

from __future__ import annotations

from shlex import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from features.test_intent_scope import Shop, said
from jackline.model import Action

RELAXED = settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])

OUT = st.sampled_from(
    [
        "src/billing/x.py",
        "./src/billing/x.py",
        "src/auth/../billing/x.py",
        "src//billing///x.py",
        "src/auth/old/x.py",
        "README.md",
        "docs/../README.md",
        "src/auth/./../../README.md",
        "new/file",
        ".orchestration/active_intents.yaml",
    ]
)
WRITE = st.sampled_from(
    [
        "echo x > {}",
        "echo x >> {}",
        "echo x | tee {}",
        "cp src/auth/a.py {}",
        "mv src/auth/a.py {}",
        "sed -i s/a/b/ {}",
        "touch {}",
        "rm -f {}",
        "truncate -s 0 {}",
        "dd if=/dev/null of={}",
        "install -m 644 src/auth/a.py {}",
        "perl -pi -e s/a/b/ {}",
        "git checkout HEAD -- {}",
        "ln -sf src/auth/a.py {}",
    ]
)
QUOTE = st.sampled_from(["{}", "'{}'", '"{}"', "$'{}'", '"{}"""', "''{}"])
WRAP = st.sampled_from(
    [
        "{}",
        "cd . && {}",
        "true; {}",
        "if true; then {}; fi",
        "({})",
        "{{ {}; }}",
        "! {}",
        "pytest -q; {}",
        "for i in 1 2; do {}; done",
        "f() {{ {}; }}; f",
        "git status && {} && ls",
        "cat <<'EOF'\nquiet\nEOF\n{}",
    ]
)
NEST = st.sampled_from(
    ["{}", "bash -c {}", "sh -c {}", "eval {}", "timeout 9 bash -c {}", "env A=b sh -c {}", "nohup bash -lc {}"]
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("law"))


def nested(how: str, command: str) -> str:
    return how.format(command if how == "{}" else quote(command))


@RELAXED
@given(OUT, WRITE, QUOTE, WRAP, NEST)
def test_no_writing_of_a_command_lets_a_change_out_of_scope(
    shop: Shop, path: str, write: str, quoted: str, wrap: str, nest: str
) -> None:
    command = nested(nest, wrap.format(write.format(quoted.format(path))))
    found = said(shop.shell(command))
    assert found[0] in ("deny", "ask"), command


@RELAXED
@given(WRITE, WRAP, NEST, st.sampled_from(["src/auth/a.py", "./src/auth/n/m.py", "src/auth/a.py"]))
def test_in_scope_nothing_is_refused(shop: Shop, write: str, wrap: str, nest: str, path: str) -> None:
    if write.startswith(("mv", "install", "ln")):
        path = "src/auth/b.py"
    found: Action | None = shop.shell(nested(nest, wrap.format(write.format(path))))
    assert found is None or found.decision == "ask", found


@RELAXED
@given(st.text(max_size=80))
def test_no_text_makes_it_fail(shop: Shop, text: str) -> None:
    """Whatever stands there: an answer with its reason, or none."""
    wishes: tuple[dict[str, object], ...] = (
        {"request_scope_expansion": text},
        {"path": text},
        {"arguments": {"request_scope_expansion": [text]}},
    )
    found = [shop.tool("fs/write_file", "mcp", text, given=one) for one in wishes]
    found += [shop.shell(text), shop.shell(f"echo x > {text}")]
    assert all(one is None or (one.decision in ("deny", "ask") and one.reason) for one in found), found


SMALL = st.text(max_size=9)
VALUES = st.recursive(
    st.none() | st.booleans() | SMALL,
    lambda deep: st.lists(deep, max_size=3) | st.dictionaries(SMALL, deep, max_size=3),
    max_leaves=8,
)


@RELAXED
@given(VALUES)
def test_no_wish_lets_a_change_pass_without_a_person(shop: Shop, value: object) -> None:
    for key in ({"request_scope_expansion": value}, {"request_scope_expansion": {"paths": value}}):
        found = shop.tool("Write", "write", "README.md", given=key)
        assert found is not None and found.decision in ("deny", "ask")
        kept = shop.tool("Write", "write", ".orchestration/active_intents.yaml", given=key)
        assert kept is not None and kept.decision == "deny"
