"""Whether a store holds the bundle that would be made is told by sums: of the sources, and of the files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jackline.compiler import bundle, bundle_modules, bundle_sums


@pytest.fixture
def store(tmp_path: Path, made_bundle: Path) -> Path:
    made = tmp_path / "store"
    shutil.copytree(made_bundle, made)
    return made


def test_what_was_just_made_is_intact(store: Path) -> None:
    assert set(bundle_sums.intact(str(store))) == {path.name for path in store.iterdir() if path.is_file()}
    assert bundle_sums.is_current(str(store))


@pytest.mark.parametrize("name", ["door.py", "slow.py", bundle.name_of_bundle()])
def test_a_file_that_was_changed_is_not(store: Path, name: str) -> None:
    (store / name).write_bytes((store / name).read_bytes() + b"\n")
    assert bundle_sums.intact(str(store)) == ()


@pytest.mark.parametrize("name", ["door.py", bundle.name_of_sources()])
def test_nor_is_one_that_is_gone(store: Path, name: str) -> None:
    (store / name).unlink()
    assert bundle_sums.intact(str(store)) == ()


def test_nor_one_of_other_sources(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "jackline"
    shutil.copytree(bundle_modules.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(bundle, "PACKAGE", package)
    assert bundle_sums.intact(str(store)) == () and not bundle_sums.is_current(str(store))


@pytest.mark.parametrize("told", [b"", b"[]", b"0" * 32, b"\xff\n\xfe\n"])
def test_broken_sums_vouch_for_nothing(store: Path, told: bytes) -> None:
    (store / bundle.name_of_sources()).write_bytes(told)
    assert bundle_sums.intact(str(store)) == ()
