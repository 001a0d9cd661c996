"""Programs that change the machine: disks, services, accounts, the network's rules."""

from __future__ import annotations

from jackline.shell.rules.showing import shows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


def power(job: Job) -> None:
    """What becomes of a device, options of many kinds say: some only show it."""
    words, job.sure = job.words[1:], False
    if shows(job.name, words):
        return
    halts = job.name in ("shutdown", "halt", "poweroff", "reboot")
    if any(word in ("--help", "" if halts else "-h", "--version", "-V", "--test") for word in words):
        return
    if "--reportformat" in words and not words[words.index("--reportformat") + 2 :]:
        return  # nothing is named
    job.note("privilege", f"{job.name} changes the machine", act="machine")
    job.all(
        "write", [word for word in words if word.startswith("/dev/") and word != "/dev/null"], "a device", deep=True
    )


LOOKS = {"ext": "-n", "sfdisk": "-n -l --list -d --dump -J --json -F", "wipefs": "-n", "mkfs": "-N"}
"""Options with which nothing is written; for others the same letters give a name."""


def disk(job: Job) -> None:
    """Makes or wipes file systems, in devices and in plain files."""
    words = job.words[1:]
    looks = ["--help", "-h", "--version", "-V", "--no-act"]
    looks += LOOKS.get(job.name.partition(".")[0] if "ext" not in job.name else "ext", "").split()
    if any(word in looks for word in words):
        return
    given = job.given("btTLUOmNIJGEeFgiMjoscCdu" + ("" if "-n" in looks else "n"))
    if job.name == "wipefs" and not given.has("a", "all", "o", "offset"):
        return
    job.note("privilege", f"{job.name} changes a disk", act="disk")
    devices = [word for word in words if word.startswith("/dev/")]  # behind any option, as `mkfs.ext4 -F`
    job.all("write", devices or given.operands[:1], "makes a file system")


def bind(job: Job) -> None:
    """`mount` puts another tree at a place."""
    operands = job.given("tolLUOT", "types options label uuid").operands
    power(job)
    if len(operands) > 1:
        job.add("write", operands[-1], "mounts over it", deep=True)


def processes(job: Job) -> None:
    """Those of a name, or all that a person runs: `pkill -u`, `loginctl terminate-user`."""
    whole = ("terminate-", "kill-") if job.name == "loginctl" else ("-u", "-U", "--user", "--euid")
    people = job.name != "xkill" and any(word.startswith(whole) for word in job.words[1:])
    people = people or job.words[-1] in (".", ".*", "-1")
    if people or job.name != "loginctl":
        job.note("unknown", "ends or signals processes", act="processes.all" if people else "processes")


SHOWN = {
    "reg": "query export compare", "net": "view use statistics", "sc": "query qc queryex", "schtasks": "query",
    "netsh": "show", "wevtutil": "qe el gl", "vssadmin": "list", "bcdedit": "enum export", "fsutil": "fsinfo",
    "wbadmin": "get", "certutil": "hashfile dump verify store", "cmdkey": "list", "reagentc": "info",
    "bitsadmin": "list info", "wmic": "get list",
}  # fmt: skip
"""First words with which a tool of Windows shows something, or puts it into a file."""


def windows(job: Job) -> None:
    """Tools of Windows, whatever shell they are called from."""
    words = [word.lower().lstrip("/-") for word in job.words[1:]]
    first = "".join(words[:1])
    shows = not first or first == "?" or not {first, *words[1:3]}.isdisjoint(SHOWN.get(job.name, "").split())
    if job.name == "format":
        shows = not any(len(word) == 2 and word[1] == ":" for word in words)
    if shows or (job.name == "net" and not words[1:]):
        job.note("unknown", f"{job.name} of Windows")
    elif job.name in ("taskkill", "tskill"):
        job.note("unknown", "ends or signals processes", act="processes")
    else:
        act = "later" if job.name == "schtasks" else "machine"
        job.note("privilege", f"{job.name} changes the machine", act=act)
