"""What a package shows of the README: addresses where it has links, and nothing else changed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def hook() -> Any:
    spec = importlib.util.spec_from_file_location("hatch_build", REPO / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a](docs/a.md#b)", "[a](https://h/blob/main/docs/a.md#b)"),
        ("![p](docs/p.svg)", "![p](https://h/raw/main/docs/p.svg)"),
        ("[a](./LICENSE) [b](c)", "[a](https://h/blob/main/LICENSE) [b](https://h/blob/main/c)"),
        ("[a](https://x/y) [b](#here) [c](mailto:x)", "[a](https://x/y) [b](#here) [c](mailto:x)"),
        ("`a[0](b c)`", "`a[0](b c)`"),
    ],
)
def test_links_and_pictures_become_addresses(hook: Any, text: str, told: str) -> None:
    assert hook.absolute(text, "https://h") == told


def test_the_readme_keeps_no_relative_link(hook: Any) -> None:
    text = hook.absolute((REPO / "README.md").read_text(), "https://h")
    assert not re.findall(r"\]\((?!https?:|#)[^)]*\)", text)
