"""Which calls of a program that can change the machine only show something."""

from __future__ import annotations

from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LOOKS = "list show status get info information print help version history diff holds events iostat compare"
LOOKS = frozenset(_LOOKS.split())
SHOWN = ("--list", "--show", "--get-", "--state", "--status", "--detail", "--examine", "--print", "--summary", "--help")
LOOKING = ("list", "show-", "is-", "get-", "print-", "--version", *SHOWN)
"""First operands and options, and beginnings of such, with which a program that has verbs only shows something."""

VERBS = {
    "systemctl": "cat", "launchctl": "hostinfo procinfo dumpstate blame getenv plist", "hostnamectl": "hostname",
    "timedatectl": "timesync-status", "tmutil": "latestbackup destinationinfo uniquesize verifychecksums isexcluded",
    "diskutil": "activity", "nvme": "smart-log error-log id-ctrl id-ns", "lvm": "lvs vgs pvs",
    **dict.fromkeys(("zpool", "zfs", "btrfs", "ufw", "nft", "csrutil"), ""),
}  # fmt: skip
"""Programs whose first operand says what they do, and what else they say for showing."""
OPTIONS = {
    "auditctl": "-l -s", "mount": "-l", "fdisk": "-l", "sgdisk": "-p -i -v", "swapon": "-s", "pmset": "-g",
    "efibootmgr": "-v", "spctl": "-a --assess", "mdadm": "", "firewall-cmd": "",
}  # fmt: skip
"""Programs whose first option says it, and what they say for showing besides."""

_PARTS = "print p unit s B kB MB GB TB KiB MiB GiB TiB % cyl chs free list all help version"
PARTS = frozenset(_PARTS.split())
"""What `parted` is told where it only shows."""

TABLES = "--append --delete --insert --replace --flush --zero --new-chain --delete-chain --policy --rename-chain"
"""Options without which `iptables` and its kin only show something, and those with which such tools of a Mac do."""
SETUP = ("-get", "-list", "-print", "-ver", "-is", "-show", "-h")

IP = "add delete set change replace append prepend flush exec attach restore save"
"""What `ip` does to its objects beside showing them; any beginning of such a word says the same."""

USERS = "-read -list -search -readall -cat -diff -raw read list search"


def _ip(words: list[str]) -> bool:
    plain = [word for word in words if word[:1] != "-"]
    if {"-n", "-netns"} & set(words):
        plain = plain[1:]
    verb = plain[1] if len(plain) > 1 else ""
    if not verb or (verb in ("s", "sh", "sho", "a") and plain[0][:1] != "l"):
        return True
    return not any(one.startswith(verb) for one in IP.split())


def _tables(words: list[str]) -> bool:
    short = "".join([word[1:] for word in words if word[:1] == "-" and word[1:2] != "-"])
    return set("ADIRFZNXPE").isdisjoint(short) and set(TABLES.split()).isdisjoint(words)


def _kernel(words: list[str]) -> bool:
    return not any(
        "=" in word or word in ("-w", "-p", "-f", "--write", "--load", "--system") or word.startswith("--load")
        for word in words
    )


READS: dict[str, Callable[[list[str]], bool]] = {
    "ip": _ip,
    **dict.fromkeys(("iptables", "ip6tables", "ebtables", "arptables"), _tables),
    "ifconfig": lambda words: len([word for word in words if word[:1] != "-"]) < 2,
    "route": lambda words: {"add", "del", "delete", "change", "flush"}.isdisjoint(words),
    "scutil": lambda words: bool(words) and {"--set", "--nc"}.isdisjoint(words),
    "sysctl": _kernel,
    "nvram": lambda words: all(word in ("-p", "-x", "-xp") or not (word[:1] == "-" or "=" in word) for word in words),
    "journalctl": lambda words: not any(word.startswith(("--vacuum", "--rotate", "--flush")) for word in words),
    "defaults": {"write", "delete", "rename", "import"}.isdisjoint,
    "dscl": lambda words: not words[1:] or not set(USERS.split()).isdisjoint(words),
    **dict.fromkeys(("networksetup", "systemsetup"), lambda words: not words or words[0].startswith(SETUP)),
    "service": lambda words: words[1:] == ["status"] or words == ["--status-all"],
    "parted": lambda words: PARTS.issuperset([word for word in words if word[:1] not in "-/"]) and bool(words),
    "badblocks": lambda words: not any(word[:1] == "-" and "w" in word for word in words),
}
"""Programs of which more than one word says it. `badblocks` puts back what it writes, unless it is told to wipe."""


def shows(name: str, words: list[str]) -> bool:
    """The call changes nothing. `words`: those behind the program."""
    if any(map(marked, words)):
        return False
    reads = READS.get(name)
    if reads is not None:
        return reads(words)
    first = next((word for word in words if word[:1] != "-"), "")
    if name in OPTIONS:
        return not words or words[0] in OPTIONS[name].split() or words[0].startswith(SHOWN)
    if name not in VERBS:
        return False
    more = VERBS[name].split()
    return not words or any(one in LOOKS or one in more or one.startswith(LOOKING) for one in (words[0], first))
