"""docs/pack.md: its example prints what the page shows, and its numbers are the code's."""

from __future__ import annotations

import re
import textwrap
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from jackline.services.retrieval import Recipe, Tiers
from jackline.services.retrieval.search import RULES
from services.retrieval.repository import SOURCES, Place

from .blocks import blocks

PAGE = (Path(__file__).resolve().parents[2] / "docs/pack.md").read_text()


def test_the_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    place = Place(tmp_path)
    kept = ("src/auth/token.py", "tests/test_token.py", "README.md")
    place.commit("sessions expire: refresh tokens rotate", {name: SOURCES[name] for name in kept[:1]})
    place.commit("tests and a page", {name: SOURCES[name] for name in kept})
    (code,) = blocks(PAGE, "python")
    out = StringIO()
    with redirect_stdout(out):
        exec(textwrap.dedent(code.text), {"root": str(place.root), "folder": str(place.index)})
    (shown,) = [one for one in blocks(PAGE, "text") if "excerpt" in one.text]
    assert out.getvalue() == shown.text


def test_the_recipe_is_told_as_it_is() -> None:
    recipe, tiers = Recipe(), Tiers()
    path, names, comments, body = (f"{weight:g}" for weight in recipe.fields)
    assert f"path {path}, defined names {names}, comments {comments}, body {body}" in PAGE
    weights = " : ".join(f"{getattr(recipe, rule):g}" for rule in RULES)
    assert f"1 / ({recipe.k:g} + rank), with weights {weights}, ties by path" in PAGE
    assert re.search(rf"messages of past commits, the first {recipe.past};", PAGE)
    assert f"at most {tiers.per_file} tokens each" in PAGE and f"at most {tiers.card} tokens:" in PAGE
