"""What tests take for the bundle is the bundle: this package's, on this interpreter, or it is made anew."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jackline.compiler import bundle
from once.sitecustomize import reuse


@pytest.fixture
def kept(tmp_path: Path, made_bundle: Path) -> Path:
    return Path(shutil.copytree(made_bundle, tmp_path / "kept"))


def test_it_is_what_the_package_makes(made_bundle: Path) -> None:
    anew = bundle.files()
    taken = reuse(bundle, str(made_bundle))()
    assert [name for name in anew | taken if anew.get(name) != taken.get(name)] == []
    assert list(taken)[-1] == list(anew)[-1] == "door.py"


@pytest.mark.parametrize("name", ["package", bundle.name_of_bundle()])
def test_what_is_of_another_is_made_anew(kept: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "files", lambda: {"made": b"anew"})
    assert "door.py" in reuse(bundle, str(kept))()
    if name == "package":
        (kept / name).unlink()
        (kept / name).write_text("/opt/elsewhere")
    else:
        (kept / name).rename(kept / "hot-0.bin")
    assert reuse(bundle, str(kept))() == {"made": b"anew"}
