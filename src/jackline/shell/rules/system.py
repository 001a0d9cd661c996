"""Programs that change the machine: disks, services, accounts, the network's rules."""

from __future__ import annotations

from jackline.shell.job import shared
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job, Rule

SHOWS = {
    "systemctl": "status list-units list-unit-files is-active is-enabled is-failed show cat list-timers get-default",
    "service": "--status-all",
    "launchctl": "list print",
    "zpool": "status list get history iostat",
    "zfs": "list get",
    "btrfs": "version help",
    "ip": "addr a address link route r neigh show",
    "ifconfig": "",
    "route": "",
    "sysctl": "-a -n",
    "swapon": "--show -s",
    "mount": "-l",
    "iptables": "-L -S -n -v",
    "diskutil": "list info",
    "lvm": "version help lvs vgs pvs",
    "mdadm": "--detail --examine",
    "ufw": "status",
    "nft": "list",
    "fdisk": "-l --list",
    "sgdisk": "-p --print -i -v",
    "parted": "-l --list",
    "nvme": "list smart-log id-ctrl",
    "csrutil": "status",
    "spctl": "--status --assess -a",
    "dscl": "-read -list -search -readall -cat -diff read list search",
    "tmutil": "listbackups latestbackup status destinationinfo version listlocalsnapshots compare",
    "pmset": "-g",
    "scutil": "--get --dns --proxy --nwi",
}
"""First operands with which a program only shows something."""


def power(job: Job) -> None:
    words = job.words[1:]
    shows = SHOWS.get(job.name)
    first = next((word for word in words if word[:1] != "-"), "")
    asked = not words or words[0] in shows.split() or first in shows.split() if shows is not None else False
    if job.name == "dscl":
        asked = not words[1:] or words[1] in SHOWS["dscl"].split()
    if job.name in ("networksetup", "systemsetup"):
        asked = all(word[:4] in ("-get", "-lis", "-pri", "-ver", "-sho") for word in words[:1])
    if job.name == "nvram":
        asked = all(
            word in ("-p", "-x", "-xp") or (word[:1] != "-" and "=" not in word and not marked(word)) for word in words
        )
    if asked and not {"add", "del", "set"} & set(words):
        return
    halts = job.name in ("shutdown", "halt", "poweroff", "reboot")
    if any(word in ("--help", "" if halts else "-h", "--version", "-V", "--test") for word in words):
        return
    if "--reportformat" in words and not words[words.index("--reportformat") + 2 :]:
        return  # nothing is named
    if job.name == "service" and words[1:] == ["status"]:
        return
    if job.name == "badblocks" and not any(word[:1] == "-" and "w" in word for word in words):
        return  # it reads, and puts back what it writes
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
    job.all("write", given.operands[:1], "makes a file system")
    for word in given.operands[:1]:
        if word.startswith("/dev/"):
            job.note("write", f"overwrites the device {word}")


def bind(job: Job) -> None:
    """`mount` puts another tree at a place."""
    operands = job.given("tolLUOT", "types options label uuid").operands
    power(job)
    if len(operands) > 1:
        job.add("write", operands[-1], "mounts over it", deep=True)
        job.note("unknown", f"{operands[-1]} leads elsewhere from now on")


def processes(job: Job) -> None:
    people = job.name in ("pkill", "killall") and any(
        word[:2] in ("-u", "-U") or word[:6] in ("--user", "--euid") for word in job.words[1:]
    )
    job.note("unknown", "ends or signals processes", act="processes.all" if people else "processes")


def edits(job: Job) -> None:
    job.note("privilege", f"{job.name} edits as root", act="as-other")
    job.all("write", [word for word in job.words[1:] if word[:1] != "-"])


ALL = (
    "sgdisk gdisk blkdiscard nvme dmsetup "
    "fdisk cfdisk parted losetup cryptsetup lvremove vgremove pvremove lvm lvcreate pvcreate vgcreate zpool zfs "
    "btrfs mdadm hdparm badblocks fsck e2fsck tune2fs resize2fs systemctl service rc-service launchctl shutdown "
    "reboot halt poweroff init telinit useradd userdel usermod groupadd groupdel passwd chpasswd visudo insmod rmmod "
    "modprobe sysctl iptables nft ufw ip ifconfig route setcap capsh setenforce chsh chfn csrutil spctl diskutil "
    "dscl nsenter swapoff debugfs kexec umount swapon nvram networksetup systemsetup scutil pmset tmutil newfs_hfs "
    "newfs_apfs newfs_msdos newfs_exfat asr bless efibootmgr grub-install update-grub"
)

RULES: dict[str, Rule] = {
    **shared(ALL, power),
    **shared("mkfs mkswap wipefs sfdisk", disk),
    **shared("pkill killall xkill", processes),
    "mount": bind,
    "sudoedit": edits,
}
