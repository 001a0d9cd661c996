"""Programs that change the machine, and which calls of them only show it: disks, services, accounts, networks."""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.shell_state import marked

_LOOKING = (
    "list show status get info print help version history diff holds events iostat compare is- --version --list --show "
    "--get- --state --status --failed --detail --examine --print --summary --help"
)
LOOKING = tuple(_LOOKING.split())
"""How first operands and options begin with which a program that has verbs only shows something."""

SHOWS = {
    "systemctl": "cat", "cryptsetup": "luksDump isLuks luksUUID benchmark", "hostnamectl": "hostname",
    "launchctl": "print hostinfo procinfo dumpstate blame getenv plist",
    "timedatectl": "timesync-status", "tmutil": "latestbackup destinationinfo uniquesize verifychecksums isexcluded",
    "diskutil": "activity", "nvme": "smart-log error-log id-ctrl id-ns", "lvm": "lvs vgs pvs",
    "auditctl": "-l -s", "mount": "-l", "fdisk": "-l", "sgdisk": "-p -i -v", "swapon": "-s", "pmset": "-g",
    "efibootmgr": "-v", "spctl": "-a --assess", "btrfs": "usage df stats", "service": "--status-all",
    "dscl": "-read -list -search -cat -diff -raw read search",
    **dict.fromkeys(("networksetup", "systemsetup"), "-get -list -print -ver -is -show -h"),
    **dict.fromkeys(("zpool", "zfs", "csrutil", "mdadm", "firewall-cmd", "ufw", "nft"), ""),
}  # fmt: skip
"""Programs whose first word, or first operand, says what they do, and how those begin besides that only show it."""
SECOND = ("btrfs", "service", "dscl")
"""Of these, the second word says so."""

TRIES = {
    "ufw": "--dry-run", "nft": "-c --check", "fsck": "-N", "e2fsck": "-n", "visudo": "-c --check", "zfs": "-n",
    "zpool": "-n", "shutdown": "/?",
}  # fmt: skip
"""Words with which a program only tries, or tells how it is used."""

CHANGES = {
    **dict.fromkeys(
        ("iptables", "ip6tables", "ebtables", "arptables"),
        "-A -D -I -R -F -Z -N -X -P -E --append --delete --insert --replace --flush --zero --new --policy --rename",
    ),
    "route": "add del change flush",
    "scutil": "--set --nc",
    "sysctl": "= -w -p -f --write --load --system",
    "nvram": "= -c -d -f -m",
    "journalctl": "--vacuum --rotate --flush",
    "defaults": "write delete rename import",
    "badblocks": "-w",
    "parted": "mk rm resize name set disk_ toggle rescue move",
}
"""Programs that change something where a word begins so: a letter in any cluster, an equals sign anywhere.

`badblocks` puts back what it writes, unless it is told to wipe.
"""

IP = "add delete set change replace append prepend flush exec attach restore save"
"""What `ip` does to its objects beside showing them; any beginning of such a word says the same."""


def _begins(word: str, one: str) -> bool:
    if len(one) == 2 and one[0] == "-":
        return word[:1] == "-" != word[1:2] and one[1] in word
    return word.startswith(one) or (one == "=" and one in word)


def _says(words: list[str], names: str) -> bool:
    return any(_begins(word, one) for word in words for one in names.split())


def shows(name: str, words: list[str]) -> bool:
    """The call changes nothing. `words`: those behind the program."""
    if any(map(marked, words)):
        return False
    operands = [word for word in words if word[:1] != "-"]
    if name == "ip":
        verb = "".join(operands[1:2] if {"-n", "-netns"}.isdisjoint(words) else operands[2:3])
        short = verb in ("s", "sh", "sho", "a") and operands[0][:1] != "l"
        return not verb or short or not any(one.startswith(verb) for one in IP.split())
    if name == "ifconfig" or name in CHANGES:
        return len(operands) < 2 if name == "ifconfig" else not _says(words, CHANGES[name])
    tries = _says(words, TRIES.get(name, ""))
    if tries or not words or name not in SHOWS:
        return tries or name in SHOWS
    first = "".join(words[1:2] if name in SECOND and words[1:] else operands[:1])
    return any(word.startswith((*SHOWS[name].split(), *LOOKING)) for word in (words[0], first))


def power(job: Job) -> None:
    """What becomes of a device, options of many kinds say: some only show it."""
    words, job.sure = job.words[1:], False
    halts = job.name in ("shutdown", "halt", "poweroff", "reboot")
    helps = ["--help", "" if halts else "-h", "--version", "-V", "--test"]
    if not shows(job.name, words) and not any(word in helps for word in words):
        job.note("privilege", f"{job.name} changes the machine", act="machine")
        over = words[-1:] if job.name == "mount" else [word for word in words if word.startswith("/dev/")]
        job.all("write", over, "mounts over it" if job.name == "mount" else "a device", deep=True)


DRY = {"sfdisk": "-n -l --list -d --dump -J --json -F", "wipefs": "-n", "mkfs": "-N"}
"""Options with which nothing is written; for others the same letters give a name."""


def disk(job: Job) -> None:
    """Makes or wipes file systems, in devices and in plain files."""
    words = job.words[1:]
    dry = "-n" if "ext" in job.name else DRY.get(job.name.partition(".")[0], "")
    given = job.given("btTLUOmNIJGEeFgiMjoscCdu" + ("" if "-n" in dry else "n"))
    looks = not {"--help", "-h", "--version", "-V", "--no-act", *dry.split()}.isdisjoint(words)
    if not looks and (job.name != "wipefs" or given.has("a", "all", "o", "offset")):
        job.note("privilege", f"{job.name} changes a disk", act="disk")
        devices = [word for word in words if word.startswith("/dev/")]  # behind any option, as `mkfs.ext4 -F`
        job.all("write", devices or given.operands[:1], "makes a file system")


def processes(job: Job) -> None:
    """Those of a name, or all that a person runs: `pkill -u`, `loginctl terminate-user`."""
    whole = ("terminate-", "kill-") if job.name == "loginctl" else ("-u", "-U", "--user", "--euid")
    people = job.name != "xkill" and any(word.startswith(whole) for word in job.words[1:])
    people = people or job.words[-1] in (".", ".*", "-1")
    if people or job.name != "loginctl":
        job.note("unknown", "ends or signals processes", act="processes.all" if people else "processes")


_QUERIES = (
    "query export compare view use statistics qc queryex show qe el gl list enum fsinfo get hashfile dump verify store "
    "info status diskfree queryextents querydirty enumdevices interfaces"
)
QUERIES = frozenset(_QUERIES.split())
"""First words with which tools of Windows show something, or put it into a file."""


def windows(job: Job) -> None:
    """Tools of Windows, whatever shell they are called from."""
    words = [word.lower().lstrip("/-") for word in job.words[1:]]
    first = "".join(words[:1])
    shows = first in ("", "?") or not QUERIES.isdisjoint(words[:3])
    if job.name == "dism":
        shows = shows or any(word.startswith("get-") for word in words)
    elif job.name == "format":
        shows = not any(len(word) == 2 and word[1] == ":" for word in words)
    elif job.name in ("net", "icacls") and not any(word[:1] == "/" for word in job.words):
        shows = shows or not words[1:] or (first in ("localgroup", "user", "share", "group") and not words[2:])
    if shows:
        job.note("unknown", f"{job.name} of Windows")
    elif job.name in ("taskkill", "tskill"):
        job.note("unknown", "ends or signals processes", act="processes")
    else:
        act = "later" if job.name == "schtasks" else "machine"
        job.note("privilege", f"{job.name} changes the machine", act=act)
