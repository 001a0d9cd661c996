"""Files that no commit and no build brings back: data, settings of one's own, and whatever lies outside of the project.

Emptied, replaced or rewritten, they are gone as if removed; sent, they are out.
"""

from __future__ import annotations

from jackline.features.command_guard.credentials import DATA, TRIED
from jackline.features.command_guard.pipelines import HERE, LOOKS, SENDING, upstream
from jackline.features.command_guard.places import Ground, lies, literal, made_again
from jackline.features.command_guard.rehearsals import TRIED as TRYING
from jackline.features.command_guard.rules import vocabulary
from jackline.sensitive import secret
from jackline.shell.model import UNKNOWN, Effect
from jackline.shell.programs import HOMES, room
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jackline.shell.model import Effects

    Found = Iterable[tuple[str, Effect]]

FOLDERS = vocabulary("data dataset datasets raw original originals masters photos recordings uploads")
"""Folders of what somebody gathered."""

STORES = (".db", ".sqlite", ".sqlite3", ".mdb", ".duckdb", ".rdb", ".dump", ".tfstate", ".kdbx", ".parquet")
TABLES = (".csv", ".tsv", ".xlsx", ".xls", ".json", ".jsonl", ".sql", ".gz", ".zip", ".pdf", ".mbox", ".vcf")
"""Endings of databases and states; of files that hold rows."""

PEOPLE = vocabulary(
    "users user customers customer clients patients patient employees staff payroll salaries contacts members "
    "subscribers backup dump students invoices orders finance payslips"
)
"""What files of data about people are called."""

PERSONAL = ("Pictures", "Photos", "Documents", "Desktop", "Music", "Movies", "Videos")
"""Folders of a home in which a person keeps their own."""

ELSEWHERE = ("--out", "--dir", "--dest", "-path")
IN_PLACE = vocabulary("mogrify jpegoptim optipng oxipng jhead exiftran mp3gain")
CHANGERS = IN_PLACE | {"ffmpeg", "convert", "magick", "sox", "gs", "qpdf", "cwebp", "gm"}
_MEDIA = ".mp4 .mov .mkv .avi .webm .mp3 .wav .flac .m4a .jpg .jpeg .png .tiff .webp .heic .raw .psd .pdf"
MEDIA = tuple(_MEDIA.split())
OVERWRITES = ("-overwrite", "--in-place", "--inplace", "--overwrite", "--replace")
"""Programs that rewrite what they are told, but for these options; options by which others do."""

MASTERS = (".mp4", ".mov", ".mkv", ".wav", ".flac", ".psd", ".ai", ".tif", ".tiff", ".raw", ".blend")
"""Endings of what somebody recorded or made by hand."""

OVER = (">", ">|", "&>")
COPIERS = frozenset(["cp", "mv", "copy", "copy-item", "move-item", "move", "install", "rsync"])
FORCED = frozenset(["-f", "--force", "-Force", "/y", "/Y"])
ZEROS = ("if=/dev/zero", "if=/dev/null", "if=/dev/urandom", "/dev/null", "/dev/zero", "nul", "NUL")
"""What shells, copies and files of nothing do: a file is written as a whole."""


def _parts(path: str) -> list[str]:
    return path.lower().replace("_", "-").replace(".", "-").replace("/", "-").split("-")


def _inside(path: str, ground: Ground) -> list[str]:
    """The folders and the name of a path in the project."""
    return path.lower()[len(ground.root) + 1 :].split("/") if path.startswith(ground.root + "/") else []


def _gathered(path: str, ground: Ground) -> bool:
    """A file of data of the project, which no build makes again."""
    inside = _inside(path, ground)
    if not inside or not TRIED.isdisjoint(_parts("/".join(inside))) or literal(path, ground, False) != "project":
        return False
    return not FOLDERS.isdisjoint(inside[:-1]) or path.lower().endswith(STORES)


def _empties(effect: Effect) -> bool:
    """Nothing of what stood there stays."""
    text = "".join(effect.words[2:]).replace(" ", "").replace('"', "'")
    closed = ",'w').close()" in text or ",'wb').close()" in text or (",'')" in text and "write" in text.lower())
    return effect.act == "blank" or (not effect.act and (closed or not {*ZEROS}.isdisjoint(effect.words)))


def emptied(found: Effects, ground: Ground) -> Found:
    """Data and settings of one's own (`.env`) are emptied, or replaced by something else."""
    for effect in found.effects:
        path, low, program = effect.path, effect.path.lower(), effect.program
        # Where the project itself does not stand, nobody knows what stands in it.
        if effect.kind != "write" or not path or (exists(ground.root) and not exists(path)):
            continue
        gathered, made = _gathered(path, ground), low.endswith(MASTERS) and bool(_inside(path, ground))
        own = path.startswith(ground.root + "/") and secret(path, ground.home)
        if not (gathered or own or made):
            continue
        readers = [one.words for one in found.effects if one.kind == "read" and one.path == path]
        round_ = program in COPIERS and any(words != effect.words for words in readers)
        whole = effect.note in OVER and program not in ("sqlite3", "mysqldump", "pg_dump")
        copied = program in COPIERS and (low.endswith(STORES) or not FORCED.isdisjoint(effect.words))
        wiped = (whole and low.endswith(STORES[:5])) or (program == "set-content" and gathered)
        whole = wiped or (own and whole and exists(path)) or (copied and program != "rsync")
        anew = effect.note == "in place" and (program in ("perl", "ruby") or effect.pattern)
        again = (program[:6] == "python" or program == "ffmpeg") and effect.words in readers
        itself = round_ or anew or again or effect.note == "sponge"
        if _empties(effect) or whole or (made and round_) or (itself and gathered):
            yield "blank.project", effect


def rewritten(found: Effects, ground: Ground) -> Found:
    """Files outside of the project are rewritten in place, or all of a project with its history."""
    for effect in found.effects:
        moved = effect.kind == "delete" and effect.act == "move" and effect.deep
        if moved and effect.path.rpartition("/")[0] == ground.home and "." not in effect.path.rpartition(".")[2]:
            yield "move.everything", effect
        anew = effect.note == "in place" or effect.note.endswith("rewrites it")
        if effect.kind != "write" or effect.act or not anew:
            continue
        where = lies(effect, ground)[0]
        history = effect.path == f"{ground.root}/**" and effect.program == "sed"
        far = ("whole", "home", "outside", "system") if effect.note == "in place" else ("whole", "system")
        all_of = where == "home" and effect.path.startswith(f"{ground.home}/**")
        away = (where in far or all_of) and (effect.deep or effect.pattern) and effect.path != ground.cwd
        within = "/site-packages/" in effect.path and where == "home"
        if history or away or within or effect.path.startswith("/*"):
            yield "write.elsewhere", effect


def spoilt(found: Effects, ground: Ground) -> Found:
    """Pictures and recordings are written over by what changes them, and what a person keeps by what nobody knows."""
    for command in found.commands:
        if room(command.program) and command.program not in CHANGERS:
            continue
        media = [word for word in command.words[1:] if word.lower().endswith(MEDIA)]
        aside = any(word.startswith(ELSEWHERE) for word in command.words)
        own = not aside and not IN_PLACE.isdisjoint(command.words[:2])
        over = media and (own or len({*media}) < len(media)) and not any(map(made_again, media))
        if over and command.program in CHANGERS:
            effect = Effect("write", media[-1], command.program, command.words[:400], source=command.source)
            yield "write.elsewhere", effect
            continue
        overwrites = own or any(word.startswith(OVERWRITES) for word in command.words[1:])
        for word in command.words[1:] if overwrites and not room(command.program) else ():
            base = word.partition("*")[0]
            parts = base.lower().split("/")
            kept = tuple([f"{ground.home}/{one}" for one in (*PERSONAL, UNKNOWN)])
            if not FOLDERS.isdisjoint(parts) or base.startswith(kept):
                effect = Effect("write", word, command.program, command.words[:400], source=command.source)
                yield "write.elsewhere", effect


def sent(found: Effects, ground: Ground) -> Found:
    """Data about people, and whole databases, leave the machine."""
    for effect in found.effects:
        if effect.kind == "read" and effect.act == "send" and _inside(effect.path, ground):
            parts = _parts(effect.path)
            people = not PEOPLE.isdisjoint(parts) and (effect.deep or effect.path.endswith(TABLES))
            people = people or (not {"prod", "production"}.isdisjoint(parts) and effect.path.endswith(DATA))
            here = any("localhost" in word or "127.0.0.1" in word for word in effect.words)
            if (people or effect.path.endswith(STORES)) and TRIED.isdisjoint(parts) and not here:
                yield "leak.pipe", effect


def handed(found: Effects, ground: Ground) -> Found:
    """Tables about people are handed to a program that sends them."""
    for command in found.commands:
        if command.piped_into != "read" and not any("://" in word for word in command.words):
            continue
        named = [word for word in command.words[1:] if word.lower().endswith(TABLES) and "://" not in word]
        people = any(not PEOPLE.isdisjoint(_parts(word)) and TRIED.isdisjoint(_parts(word)) for word in named)
        hosts = [word for word in command.words if "://" in word and word[:4] in ("http", "--en", "--ur", "--ap")]
        tells = not room(command.program) or HOMES.get(command.program) == "code.interpreter"
        piped = command.piped_into == "read" and any(one.act in SENDING for one in found.effects)
        if people and ((hosts and tells and not any(here in hosts[0] for here in HERE)) or piped):
            yield "leak.pipe", Effect("network", named[0], command.program, command.words[:400])


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
            kept = not tried and (path.endswith(KEPT) or (store and _gathered(path, ground)))
            if kept and literal(path, ground, False) == "project":
                yield "delete.project", effect


def over_itself(found: Effects, ground: Ground) -> Found:
    """`grep -v x f > f`: the shell empties the file before anything reads it."""
    for effect in found.effects:
        if effect.kind != "write" or effect.note not in OVER or effect.pattern or not effect.path:
            continue
        made = [one for one in found.commands if one.words[:400] == effect.words]
        above = [one for command in made for one in upstream(command, found.commands)]
        users = [effect.words, *[one.words[:400] for one in above]]
        reads = [one for one in found.effects if one.kind == "read" and one.path == effect.path]
        itself = any(one.words in users and one.program not in LOOKS for one in reads)
        if itself and literal(effect.path, ground, False) not in ("temporary", "disposable"):
            yield "blank.self", effect


FLOWS = {
    emptied: "write", over_itself: "> >| &>", rewritten: "write delete", spoilt: "", sent: "send send.files",
    handed: "", unasked: "write", stored: "delete",
}  # fmt: skip
"""The flows, and what of a command each looks at: kinds, acts and notes of effects, programs; "" anything."""
