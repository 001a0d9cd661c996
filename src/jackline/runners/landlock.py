"""Confine this process's writes to some folders, by Linux's Landlock. Cold (`ctypes`): runs in a script's child."""

from __future__ import annotations

import ctypes
import posix

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls, of one number on every architecture."""
VERSION = 1
PATH_BENEATH = 1
NO_NEW_PRIVILEGES = 38
O_PATH = 0o10000000

WRITE_FILE, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
MAKE = sum(1 << bit for bit in range(6, 13))  # device, folder, file, socket, pipe, block device, link
REFER, TRUNCATE = 1 << 13, 1 << 14
"""Rights, the last two since versions 2 and 3."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")
MISSING = "sandbox: project needs Landlock, which this system does not have; take `sandbox` out to run it unconfined"


class _Ruleset(ctypes.Structure):
    _fields_ = [("handled_access_fs", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def confine(folders: tuple[str, ...]) -> str:
    """Let this process and all it starts write below `folders` only. Returns why it could not be done, "" when it was.

    Reading and executing stay as they are.
    """
    if posix.uname().sysname != "Linux":  # the numbers mean something else there
        return MISSING
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION)
    if version < 1:
        return MISSING
    rights = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE
    rights |= (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    ruleset = _Ruleset(rights)
    rules = libc.syscall(CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(ctypes.sizeof(ruleset)), 0)
    if rules < 0:
        return f"sandbox: {posix.strerror(ctypes.get_errno())}"
    for path in (*folders, *DEVICES):
        try:
            fd = posix.open(path, O_PATH | posix.O_CLOEXEC)
        except (OSError, ValueError):
            continue  # not there: nothing to write to
        allowed = rights & (WRITE_FILE | TRUNCATE) if path in DEVICES else rights
        beneath = _Beneath(allowed, fd)
        done = libc.syscall(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(beneath), 0)
        posix.close(fd)
        if done:
            return f"sandbox: {path}: {posix.strerror(ctypes.get_errno())}"
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.syscall(RESTRICT_SELF, rules, 0):
        return f"sandbox: {posix.strerror(ctypes.get_errno())}"
    posix.close(rules)
    return ""
