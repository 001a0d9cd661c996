"""What holds of any patch of any text: it can be applied or it cannot, and nothing raises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jackline.edits.apply import apply
from jackline.edits.patches import blocks, enveloped, unified

HUNK = st.lists(
    st.sampled_from(["@@", "+a", "-a", " a", "*** Update File: a", "*** Move to: b", "--- a", "+++ b", "\\", ""])
)


@given(HUNK, st.text(alphabet="a\n", max_size=12))
def test_any_patch_of_any_text_is_told(lines: list[str], text: str) -> None:
    patch = "\n".join(lines)
    for one in (*enveloped(f"*** Begin Patch\n{patch}"), *unified(patch, "a")):
        assert isinstance(apply(text, one.swaps), str | None)
    assert isinstance(apply(text, blocks(patch)), str | None)
