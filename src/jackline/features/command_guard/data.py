"""Files that no commit and no build brings back: data, settings of one's own, and whatever lies outside of the project.

Emptied, replaced or rewritten, they are gone as if removed; sent, they are out.
"""

from __future__ import annotations

from jackline.features.command_guard.credentials import TRIED
from jackline.features.command_guard.lexicon import parts_of
from jackline.features.command_guard.pipelines import LOOKS, is_here, upstream
from jackline.features.command_guard.places import Ground, lies, literal
from jackline.features.command_guard.rehearsals import TRIED as TRYING
from jackline.features.command_guard.rules import vocabulary
from jackline.sensitive import secret
from jackline.shell.model import UNKNOWN, Effect, Effects
from jackline.shell.programs import room
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Found = Iterable[tuple[str, Effect]]

FOLDERS = vocabulary("data dataset datasets raw original originals masters photos recordings uploads")
"""Folders of what somebody gathered."""

STORES = (".db", ".sqlite", ".sqlite3", ".mdb", ".duckdb", ".rdb", ".dump", ".tfstate", ".kdbx", ".parquet")
TABLES = (".csv", ".tsv", ".xlsx", ".xls", ".json", ".jsonl", ".sql", ".gz", ".zip", ".pdf", ".mbox", ".vcf", ".yml")
"""Endings of databases and states; of files that hold rows."""

PEOPLE = vocabulary(
    "users user customers customer clients patients patient employees staff payroll salaries contacts members "
    "subscribers backup dump students invoices orders finance payslips prod production"
)
"""What files of data about people are called, or of what is at work."""

PERSONAL = ("Pictures", "Photos", "Documents", "Desktop", "Music", "Movies", "Videos")
"""Folders of a home in which a person keeps their own."""

ELSEWHERE = ("--out", "--dir", "--dest", "-path")
IN_PLACE = vocabulary("mogrify jpegoptim optipng oxipng jhead exiftran mp3gain")
_MEDIA = ".mp4 .mov .mkv .avi .webm .mp3 .wav .flac .m4a .jpg .jpeg .png .tiff .webp .heic .raw .psd .pdf"
MEDIA = tuple(_MEDIA.split())
OVERWRITES = ("-overwrite", "--in-place", "--inplace", "--overwrite", "--replace")
"""Programs that rewrite what they are told, but for these options; options by which others do."""

OVER = (">", ">|", "&>")
COPIERS = frozenset(["cp", "mv", "copy", "copy-item", "move-item", "move", "install", "rsync"])
WRITERS = COPIERS | {"python", "python3", "ffmpeg", "sponge"}
FORCED = frozenset(["-f", "--force", "-Force", "/y", "/Y"])
ZEROS = frozenset(["if=/dev/zero", "if=/dev/null", "if=/dev/urandom", "/dev/null", "/dev/zero", "nul", "NUL"])
"""What shells, copies and other programs, and files of nothing do: a file is written as a whole."""


def _inside(path: str, ground: Ground) -> list[str]:
    """The folders and the name of a path in the project."""
    return path.lower()[len(ground.root) + 1 :].split("/") if path.startswith(ground.root + "/") else []


def _gathered(path: str, ground: Ground) -> bool:
    """A file of data of the project, which no build makes again."""
    inside = _inside(path, ground)
    if not inside or not TRIED.isdisjoint(parts_of("/".join(inside))) or literal(path, ground, False) != "project":
        return False
    return not FOLDERS.isdisjoint(inside[:-1]) or path.lower().endswith((*STORES, *MEDIA))


def _empties(effect: Effect) -> bool:
    """Nothing of what stood there stays."""
    closed = "'w').close()" in "".join(effect.words[2:]).replace(" ", "").replace('"', "'")
    return effect.act == "blank" or (not effect.act and (closed or not ZEROS.isdisjoint(effect.words)))


def emptied(found: Effects, ground: Ground) -> Found:
    """Data, recordings and settings of one's own (`.env`) are emptied, or replaced by something else."""
    for effect in found.effects:
        path, program = effect.path, effect.program
        # Where the project itself does not stand, nobody knows what stands in it.
        if effect.kind != "write" or (exists(ground.root) and not exists(path)):
            continue
        gathered = _gathered(path, ground)
        own = path.startswith(ground.root + "/") and secret(path, ground.home)
        if not (gathered or own):
            continue
        copied = program in COPIERS and (path.lower().endswith(STORES) or not FORCED.isdisjoint(effect.words))
        anew = effect.note == "in place" and (program in ("perl", "ruby") or effect.pattern)
        read = program in WRITERS and any(one.kind == "read" and one.path == path for one in found.effects)
        if _empties(effect) or copied or (gathered and (anew or read)):
            yield "blank.project", effect


def rewritten(found: Effects, ground: Ground) -> Found:
    """Files outside of the project are rewritten in place, or all of a project with its history; or moved away."""
    for effect in found.effects:
        if (effect.kind, effect.act, effect.path.rpartition("/")[0]) == ("delete", "move", ground.home) and effect.deep:
            yield "move.everything", effect
        in_place = effect.note == "in place"
        if effect.kind != "write" or effect.act or not (in_place or effect.note.endswith("rewrites it")):
            continue
        where = lies(effect, ground)[0]
        history = effect.path == f"{ground.root}/**" and effect.program == "sed"
        far = where in (("whole", "home", "outside", "system") if in_place else ("whole", "system"))
        away = (far or effect.path.startswith((f"{ground.home}/**", "/*"))) and effect.path != ground.cwd
        installed = where == "home" and "/site-packages/" in effect.path
        if history or installed or (away and (effect.deep or effect.pattern)):
            yield "write.elsewhere", effect


def spoilt(found: Effects, ground: Ground) -> Found:
    """Pictures and recordings are written over by what changes them, and what a person keeps by what nobody knows."""
    for command in found.commands:
        words = command.words[1:]
        own = not IN_PLACE.isdisjoint(command.words[:2]) and not any(word.startswith(ELSEWHERE) for word in words)
        over = not room(command.program) and any(word.startswith(OVERWRITES) for word in words)
        kept = tuple([f"{ground.home}/{one}" for one in (*PERSONAL, UNKNOWN)]) if over else ()
        for word in words if own or over else ():
            if (own and word.lower().endswith(MEDIA)) or (over and word.startswith(kept)):
                effect = Effect("write", word, command.program, command.words[:400], source=command.source)
                yield "write.elsewhere", effect


def sent(found: Effects, ground: Ground) -> Found:
    """Data about people leave the machine."""
    for effect in found.effects:
        if effect.kind == "read" and effect.act == "send" and _inside(effect.path, ground):
            parts = parts_of(effect.path)
            rows = not PEOPLE.isdisjoint(parts) and (effect.deep or effect.path.endswith(TABLES))
            if rows and TRIED.isdisjoint(parts) and not is_here(effect.words):
                yield "leak.pipe", effect


AGENTS = ("/.claude/", "/.vscode/", "/.cursor/", "/.codex/", "/.gemini/", "/.github/copilot")
UNASKED = (
    *("bypasspermissions", "autoapprove", "allowautomatictasks", "folderopen", "trust.enabled", "danger-full-access"),
    *("yolo", "autoaccept"),
)
"""Where editors and agents keep a project's settings; words in those by which nobody is asked any more."""


def unasked(found: Effects, ground: Ground) -> Found:
    """Settings are written by which an agent or an editor runs what it likes."""
    for effect in found.effects:
        if effect.kind == "write" and any(one in effect.path for one in AGENTS):
            told = "".join([word for one in found.commands for word in one.words]).lower()
            if any(one in told for one in UNASKED):
                yield "persistent", effect


KEPT = (
    *("master.key", "production.key", ".key", ".p12", ".pfx", ".tfstate", ".tfstate.backup", ".db", ".sqlite"),
    *(".sqlite3", ".kdbx", ".keystore", ".jks", ".dump"),
)
"""Endings of files that hold what no build makes again, and no commit."""


def stored(found: Effects, ground: Ground) -> Found:
    """A project's database, state or store of keys is removed."""
    for effect in found.effects:
        path = effect.path.rstrip("*")
        if effect.kind == "delete" and not effect.act:
            tried = not TRYING.isdisjoint(path.replace(".", "/").replace("_", "/").split("/"))
            store = not FOLDERS.isdisjoint(_inside(path, ground)[:-1]) and path.lower().endswith(STORES)
            if not tried and (path.endswith(KEPT) or store) and literal(path, ground, False) == "project":
                yield "delete.project", effect


def over_itself(found: Effects, ground: Ground) -> Found:
    """`grep -v x f > f`: the shell empties the file before anything reads it."""
    for effect in found.effects:
        if effect.kind != "write" or effect.note not in OVER or effect.pattern or not effect.path:
            continue
        made = [one for one in found.commands if one.words[:400] == effect.words]
        users = [one.words[:400] for command in made for one in (command, *upstream(command, found.commands))]
        reads = [one for one in found.effects if one.kind == "read" and one.path == effect.path]
        itself = any(one.words in users and one.program not in LOOKS for one in reads)
        if itself and literal(effect.path, ground, False) not in ("temporary", "disposable"):
            yield "blank.self", effect


FLOWS = {
    emptied: "write", over_itself: "> >| &>", rewritten: "write delete", spoilt: "", sent: "send", unasked: "write",
    stored: "delete",
}  # fmt: skip
"""The flows, and what of a command each looks at: kinds, acts and notes of effects, programs; "" anything."""
