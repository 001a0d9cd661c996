"""Where a path lies, in the eyes of a guard: what may be removed without loss, and what nobody may touch unasked."""

from __future__ import annotations

from jackline.features.command_guard.rules import vocabulary
from jackline.globs import covers, segment
from jackline.surroundings import TEMPORARY
from jackline.system import exists, is_dir, names, read_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.shell.model import Effect, Seen
else:
    from jackline._record import NamedTuple


class Ground(NamedTuple):
    """Where things lie: the folder the command runs in, the project, the user's home, and further disposable globs.

    `seen`: paths that were resolved at the same moment (`jackline.shell.effects`).
    """

    cwd: str
    root: str
    home: str
    temporary: tuple[str, ...] = ()
    disposable: tuple[str, ...] = ()
    seen: Seen | None = None


IN_TEMPORARY = tuple([folder + "/" for folder in TEMPORARY])

OUTPUT = (
    "node_modules dist build out target .next .nuxt .turbo __pycache__ .hypothesis .tox .nox .venv venv coverage "
    "htmlcov .gradle .eggs .angular .svelte-kit .vite DerivedData .eslintcache bower_components .dart_tool "
    ".ipynb_checkpoints .DS_Store obj TestResults elm-stuff _site .docusaurus .serverless .aws-sam Pods .terraform "
    ".expo .wrangler .swc .astro .stack-work dist-newstyle tmp temp logs artifacts functions-serve .nx Carthage "
    "CMakeFiles CMakeCache.txt sdkconfig.old Temp Binaries Debug Release x64 Build .vs"
)
"""Names of what a build, a test or a package manager makes again."""

MADE = frozenset(OUTPUT.split())

ENDS = vocabulary(
    "dist build out output outputs tmp temp cache caches coverage cov artifacts logs scratch obj bin gen generated "
    "result results report reports"
)
TRIALS = ("cypress/videos", "cypress/screenshots", "vendor/bundle", "var/cache", "framework/cache", ".vercel/output")
"""Folders of outputs by two names."""
BESIDE = frozenset(["", "dir", "folder", "debug", "release", "cmake", "html"])
"""Of what names of outputs are put together, and what stands beside: `_dist`, `build-debug`, `OUT_DIR`."""

MOST = 64
"""Files of a folder of programs that are looked at: built ones are made again, scripts are not."""

_LEFT = ".pyc .pyo .o .obj .class .log .tmp .swp .orig .rej .tsbuildinfo .out .err ~ # .a .so .dylib .dll .lib .exe"
_LEFT += " .la .lo .ko .gcda .gcno .gcov .profraw .profdata .coverprofile .hi .aux _pb2.py _pb2_grpc.py .pb.go .egg"
_LEFT += " .whl .tgz .deb .rpm .gem .crate .nupkg .vsix .d .dep .map .cma .pdb .prof .pid .elf .wasm"
LEFTOVERS = tuple(_LEFT.split())
"""Endings of files that a tool makes again or leaves behind."""

CACHES = (
    ".cache Library/Developer/Xcode/DerivedData "
    ".npm/_cacache .npm/_npx .yarn/cache .gradle/caches .m2/repository Library/Caches .cargo/registry go/pkg"
)
"""Caches below the home folder."""

TOPS = vocabulary(
    "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var System Library "
    "Applications Volumes private Users nix snap cores Windows"
)
DEEPER = frozenset(["usr", "var", "System", "Library", "private"])
"""Folders at the top of a machine, and those of them whose own folders are as dear."""

SURE = (
    "sd[a-z]* hd[a-z]* vd[a-z]* xvd[a-z]* nvme[0-9]n[0-9]* nvme[0-9][0-9]n[0-9]* mmcblk[0-9]* disk[0-9]* rdisk[0-9]* "
    "loop[0-9]* md[0-9]* dm-[0-9]* nbd[0-9]* pmem[0-9]* dax[0-9]* ada[0-9]* da[0-9]* mem kmem port"
)
"""Names that disks have, and nothing else."""

HARMLESS_DEVICES = "null zero full random urandom tty stdin stdout stderr ptmx console"


def below(path: str, folder: str) -> bool:
    return bool(folder) and (folder == "/" or path.startswith(folder + "/"))


def _temporary(path: str, ground: Ground) -> bool:
    return path.startswith(IN_TEMPORARY) or any(below(path, folder) for folder in ground.temporary)


def _device(path: str) -> bool:
    name = path.removeprefix("/dev/")
    if not path.startswith("/dev/") or name.partition("/")[0] in ("shm", "fd", "pts", "tcp", "udp"):
        return False
    known = is_disk(path) or any(char.isdigit() for char in name) or name.startswith(("mapper/", "disk/"))
    return (known or exists(path)) and name not in HARMLESS_DEVICES.split()


def _output(name: str) -> bool:
    """A name that says that a build, a test or a package manager makes it again."""
    if name in MADE or name.endswith((".egg-info", ".cache", ".out", ".lock", "-lock.json", "-lock.yaml")):
        return True
    low = name.lower().replace("-", "_")
    parts = (f"_{low[1:]}" if low[:1] == "." else low).removesuffix("dir").split("_")
    put = len(parts) > 1 or parts[0] != low
    last = next((part for part in reversed(parts) if part not in BESIDE), "")
    return put and last in ENDS


def _made_again(parts: list[str], ground: Ground, deep: bool) -> bool:
    """A name among these says that a tool makes it again; by its ending only a file."""
    if any(map(_output, parts)) or any(one in "/".join(parts) for one in TRIALS):
        return True
    if "bin" in parts:
        folder = "/".join([ground.root, *parts[: parts.index("bin") + 1]])
        if not any(read_range(None, f"{folder}/{one}", 0, 2) == b"#!" for one in names(folder)[:MOST]):
            return True
    last = parts[-1] if parts else ""
    if not deep and last.endswith(LEFTOVERS) and last.rstrip("*?"):
        return True
    return any(covers(glob, "/".join(parts)) for glob in ground.disposable)


def made_again(path: str) -> bool:
    """A name in the path says that a build, a test or a package manager makes it again."""
    return any(map(_output, path.split("/"))) or path.startswith(("/var/cache/", "/var/lib/apt/lists"))


def _system(path: str) -> str:
    parts = path.split("/")[1:]
    if parts[0] not in TOPS:
        return ""
    if len(parts) == 1 or (len(parts) == 2 and parts[0] in DEEPER):
        return "system"
    return "" if parts[0] in ("home", "Users", "media", "mnt", "Volumes", "srv") else "machine"


def literal(path: str, ground: Ground, deep: bool = True) -> str:
    """The class of one known path.

    whole       the root, the home, or a folder above it or above the project
    tree        the project
    repository  a repository of git, or a part of one
    disposable temporary   made again, or of no worth
    project     of the project
    device nothing         a disk; a name below /dev that is none
    system machine         a folder the machine stands on; something below one
    home outside           the user's other things; anything else
    """
    if path == "/" != ground.root:
        return "system"
    if path in ("/", ground.home):
        return "whole"
    if path == ground.root:
        return "tree"
    if below(ground.root, path) or below(ground.home, path):
        return "whole"
    if path.endswith(".git/index") or (path.endswith(".lock") and "/.git/" in path):
        return "disposable"  # made again from a commit; left behind by a git that died
    if below(path, ground.root):
        parts = path[len(ground.root.rstrip("/")) + 1 :].split("/")
        if ".git" in parts:
            return "repository"
        if ground.root not in ("/", ground.home):
            return "disposable" if _made_again(parts, ground, deep) else "project"
    if _device(path):
        return "device"
    if _temporary(path, ground) and not (below(path, ground.home) and _temporary(ground.home, ground)):
        return "temporary"
    if path in TEMPORARY or path in ground.temporary:
        return "outside"
    if path.startswith("/dev/"):
        return "nothing"
    if below(path, ground.home):
        inner = path[len(ground.home) + 1 :]
        return "disposable" if any(inner == one or below(inner, one) for one in CACHES.split()) else "home"
    return _system(path) or "outside"


def _pattern(effect: Effect, ground: Ground) -> tuple[str, bool]:
    parts = effect.path.split("/")
    cut = next((at for at, part in enumerate(parts) if any(char in part for char in "*?[")), len(parts))
    tail = parts[cut:]
    base = "/".join(parts[:cut]) or ("/" if cut else "")
    certain = "**" not in tail
    deep = effect.deep and effect.note != "find -delete"
    if deep and base and len(tail) == 1 and tail[0].endswith(LEFTOVERS):
        deep = any(is_dir(f"{base}/{one}") for one in names(base) if segment(tail[0], one))
    kept = [part for part in tail if part != "**"]
    if kept and _made_again(kept, ground, deep) and base != "/":
        where = literal(f"{base}/x", ground, deep) if base else "project"
        if where in ("project", "disposable", "temporary"):
            return "disposable", certain
    if not base:
        return "unknown", False
    pure = not tail[0].strip("*?.")
    around = literal(base, ground, deep)
    if around == "whole" and pure and base != ground.root and below(ground.home, base) | (base == ground.home):
        return "whole", certain
    if around == "system" and tail[0] != "**" and base not in TEMPORARY:
        return ("system" if pure else "machine"), certain
    if base in TEMPORARY or base in ground.temporary:
        own = len(tail[0].partition("*")[0].partition("?")[0].partition("[")[0])
        named = len(tail) == 1 and own > (3 if effect.deep else 2) and effect.note != "find -delete"
        # Without a glob of the shell in the words the pattern stands for one name that we do not know.
        globbed = any(char in word for word in effect.words for char in "*?[")
        return ("temporary" if (named or not globbed) and certain else "outside"), certain
    found = literal(f"{base}/{'x' if pure else tail[0].replace('*', 'x').replace('?', 'x')}", ground, deep)
    return found, certain


def reaches(effect: Effect) -> bool:
    """The effect goes deep, or takes all of a folder: no plain file, and no files of one name (`core.*`)."""
    if not effect.pattern:
        return effect.deep and (is_dir(effect.path) or not exists(effect.path))
    folder, _, name = effect.path.rpartition("/")
    front = name.partition("*")[0].partition("?")[0].partition("[")[0]
    return effect.deep or len(front) < 3 or any(sign in folder for sign in "*?[")


def lies(effect: Effect, ground: Ground) -> tuple[str, bool]:
    """The class of an effect's path, and whether that is certain; "" for an effect without a path."""
    if not effect.path:
        return "", True
    if effect.pattern:
        return _pattern(effect, ground)
    found = literal(effect.path, ground, reaches(effect) and effect.note != "find -delete")
    return found, found != "device" or _sure(effect.path)


def is_disk(path: str) -> bool:
    """The device has the name of a disk or a part of one."""
    return path[:5] == "/dev/" and any(segment(one, path[5:]) for one in SURE.split())


def _sure(path: str) -> bool:
    """The device is there, or a disk."""
    return is_disk(path) or "/" in path.removeprefix("/dev/") or exists(path)
