"""Who a session script runs as: whoever started us, or as root the owner of the project (001, `run_as`). Cold."""

from __future__ import annotations

import os
import pwd

from jackline.runners.script import User
from jackline.script import Script


class Impossible(Exception):
    """Why a script cannot be run as it asks."""


def _account(uid: int) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        return None


def user_for(script: Script, root: str) -> User | None:
    """The account to change to, None to stay who we are. Raises `Impossible`, with what to do.

    `run_as: root` stays root where we are root. `run_as: user` as root becomes the owner of the project's root.
    """
    me = os.geteuid()
    if script.run_as == "root":
        if me == 0:
            return None
        account = _account(me)
        name = account.pw_name if account else str(me)
        raise Impossible(f"run_as: root, and the client was started by {name} · start it as root, or take run_as out")
    if me != 0:
        return None
    owner = os.stat(root).st_uid
    account = _account(owner)
    if account is None:
        what = f"run_as: user, and the owner of {root} (uid {owner}) has no account here"
        raise Impossible(f"{what} · make one, or write run_as: root")
    return User(owner, account.pw_gid, account.pw_name, account.pw_dir)
