"""Paths as the machine has them: the folder that holds `.git`, and home (links: tests/laws/test_resolve.py)."""

from __future__ import annotations

import os
import pwd

import pytest

from jackline import host


@pytest.mark.parametrize("told", [{}, {b"HOME": b""}, {b"HOME": b"here/or/there"}], ids=["unset", "empty", "relative"])
def test_home_without_an_environment_is_the_listed_one(
    monkeypatch: pytest.MonkeyPatch, told: dict[bytes, bytes]
) -> None:
    monkeypatch.setattr("jackline.host.posix.environ", told)
    assert host.home() == pwd.getpwuid(os.getuid()).pw_dir


def test_home_is_what_the_environment_says_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackline.host.posix.environ", {b"HOME": b"/some/where"})
    assert host.home() == "/some/where"


def test_somebody_who_is_not_listed_has_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackline.host.posix.environ", {})
    monkeypatch.setattr("jackline.host.posix.getuid", lambda: 3_999_999_999)
    assert host.home() == ""
