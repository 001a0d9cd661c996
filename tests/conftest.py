"""What every test may ask for: a scratch machine; and that no test touches the real home."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import forked
from forkserver import read_once
from jackline import system
from jackline.compiler import bundle
from once.sitecustomize import reuse
from scene import Scene, audit

settings.register_profile(
    "jackline",
    # A check says the same of the same commit: there is `make fuzz` and `make soak` to find what is new.
    derandomize=bool(os.environ.get("CI")),
    max_examples=int(os.environ.get("JACKLINE_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],  # a busy machine is no fault
)
settings.load_profile("jackline")
read_once()


@pytest.fixture(scope="session")
def made_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store as the bundle writes it, made once for all workers of a run and copied for each test."""
    base = tmp_path_factory.getbasetemp()
    store = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "bundle" / "jackline"
    held = system.lock(f"{store.parent}.lock", 300_000)
    assert held >= 0
    if not (store / "door.py").exists():  # the last that is written
        bundle.build(str(store))
    system.close(held)
    forked.BUNDLE[:] = [store]
    return store


def pytest_runtest_setup(item: pytest.Item) -> None:
    """`@pytest.mark.process`: what a test starts is a process of its own each time."""
    forked.OFF[:] = [item.nodeid] if item.get_closest_marker("process") else []


def pytest_sessionfinish() -> None:
    forked.end()


@pytest.fixture
def one_bundle(made_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for the bundle in this process has that one, as commands of a desk have it."""
    monkeypatch.setattr(bundle, "files", reuse(bundle, str(made_bundle)))


def stamps(store: Path) -> dict[str, tuple[int, int]]:
    """Size and time of the files that scratch machines share."""
    return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in store.iterdir() if path.is_file()}


@pytest.fixture
def scene(tmp_path: Path, made_bundle: Path) -> Iterator[Scene]:
    """A scratch machine. Whatever a test did to it, its sessions are sound afterwards, and we had no fault."""
    made = Scene(tmp_path / "machine", made_bundle)
    shared = stamps(made_bundle)
    yield made
    assert stamps(made_bundle) == shared, "files of the bundle are those of all tests: replace them, never change them"
    for folder in made.sessions():
        audit(folder)
    assert made.crashes() == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Continuous integration has everything that a test may need: what is skipped there has failed."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if report.skipped and "CI" in os.environ and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI skips nothing: {report.longrepr}"
    return report  # type: ignore[return-value]
