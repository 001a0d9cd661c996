"""Programs that leave the machine, and what they bring back to which file."""

from __future__ import annotations

from posixpath import join

from jackline.paths import resolve
from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN, Text
from jackline.shell.rules.editing import escapes
from jackline.shell.rules.rows import walk
from jackline.shell.rules.wrapping import told_to_run, wrapped
from jackline.shell.shell_state import SOME, shown
from jackline.shell.texts import text_at
from jackline.shell.wrappers import unwrap

# Long options whose next word is their value; one that is not here makes an operand of it.
CURL = (
    "output request header data data-raw data-binary data-urlencode data-ascii form form-string user user-agent url "
    "upload-file cookie cookie-jar config cacert cert key max-time connect-timeout retry proxy proto tls-max referer "
    "unix-socket dump-header output-dir write-out resolve trace trace-ascii stderr "
    "limit-rate json etag-save netrc-file hsts alt-svc libcurl"
)
WGET = (
    "output-document output-file append-output directory-prefix user-agent header post-data post-file body-data "
    "body-file method user password tries timeout limit-rate input-file level accept reject load-cookies save-cookies "
    "referer execute rejected-log"
)
RSYNC = "rsh exclude include exclude-from include-from files-from filter temp-dir partial-dir backup-dir log-file"


def host(job: Job, words: list[str], note: str, act: str = "") -> None:
    where = " ".join(map(shown, words[:2])).replace(UNKNOWN, "…")
    job.note("network", f"{note} {where}".strip(), act=act)


def _leaf(url: str) -> str:
    """The file name that a URL ends in."""
    _, slash, name = (url.partition("://")[2] or url).partition("?")[0].rpartition("/")
    return (slash and name) or "index.html"


BODY = ("d", "data", "data-binary", "data-ascii", "data-urlencode", "json", "F", "form", "T", "upload-file")
"""Options whose value is sent."""
FILES = (
    "write =D/dump-header/c/cookie-jar/trace/trace-ascii/stderr/etag-save/hsts/alt-svc/libcurl; "
    "read =K/config/netrc-file/E/cert/key; read =T/upload-file send # sends it"
)


def curl(job: Job) -> None:
    given = job.given("AbcCdDeEFhHKmoPQrtTuUwxXyYz", CURL, glued="h")
    urls = given.operands + given.values("url")
    if urls and all(url.startswith("file:") for url in urls):
        job.all("read", [url.removeprefix("file://") for url in urls])
    elif urls or given.has("K", "config"):
        bodies = [*given.values(*BODY, "H", "header", "u", "user", "b", "cookie"), *urls]
        fed = any(body in ("-", ".") or "@-" in body for body in bodies)
        host(job, urls, "asks", "send.input" if fed else "send.unknown" if UNKNOWN in "".join(bodies) else "")
    outs = given.values("o", "output")
    outs += map(_leaf, urls) if given.has("O", "remote-name", "remote-name-all") else ()
    job.all("write", [join(*given.values("output-dir")[-1:], out) for out in outs], "downloads to it")
    walk(job, given, FILES)
    for value in given.values(*BODY, "b", "H", "header"):
        for piece in (value, value.partition("=")[2], value[value.find("@") :]):
            # A form may name several files.
            names = {piece[1:].partition(";")[0], *piece[1:].split(",")} if piece[:1] in ("@", "<") else ()
            job.all("read", [name.partition(";")[0] for name in names], "sends it", act="send")
    if given.has("K", "config"):
        job.note("unknown", "curl with options that do not stand there")


def wget(job: Job) -> None:
    given = job.given("oaeiBtOTwQPUlADRIX", WGET)
    said = "".join([*given.operands, *given.values("header", "post-data", "body-data")])
    host(job, given.operands, "asks", "send.unknown" if UNKNOWN in said else "")
    folder = "".join(given.values("P", "directory-prefix")[-1:])
    outs = given.values("O", "output-document")
    if not outs and not given.has("spider"):
        outs = [join(folder, _leaf(url)) for url in given.operands]
        if given.has("r", "recursive", "m", "mirror", "p", "page-requisites", "x", "i", "input-file"):
            job.add("write", folder or ".", "downloads into it", deep=True)
    job.all("write", outs, "downloads to it")
    walk(job, given, "read =post-file/body-file send # sends it")


def remote(word: str) -> bool:
    """`host:path`, `user@host:path`, `rsync://…`."""
    return ":" in word.partition("/")[0] and word[:2] != "./"


def copying(job: Job) -> None:
    """`scp`, `sftp`, `rsync`, `rclone`: local paths are read, a local destination is written."""
    rsync = job.name == "rsync"
    given = job.given("efMBT@", RSYNC) if rsync else job.given("cFiJloPSXDRs")
    far = [word for word in given.operands if remote(word)]
    if far:
        host(job, far, "copies with")
    sources, target = (given.operands[:-1], given.operands[-1:]) if given.operands[1:] else (given.operands, [])
    dry = rsync and given.has("n", "dry-run", "list-only")
    act = "send" if not dry and any(map(remote, target)) else ""
    near = [word for word in sources if not remote(word)]
    job.all("read", near, "copies it", deep=True, act=act)
    if rsync and act and given.values("files-from"):
        job.add("read", UNKNOWN, "copies what a list names", deep=True, act=act)
    if not dry:
        here = [word for word in target if not remote(word)]
        if any(name[:3] == "del" for name, _ in given.options):
            job.all("delete", here, "rsync --delete", deep=True)
        if given.has("remove-source-files"):
            job.all("delete", near, "rsync removes it", deep=True)
        job.all("write", here, "copies to it", deep=True)


def netcat(job: Job) -> None:
    letters = "cegGhimoqpswxd" if job.name == "ncat" else "ceghiIkmMopPqsTVwWxXO"
    given = job.given(letters, "exec sh-exec lua-exec output proxy")
    host(job, given.operands, "talks to", "talk")
    job.feed = None  # what it runs reads from afar
    for value in given.values("c", "e", "exec", "sh-exec"):
        host(job, given.operands[-2:-1], "hands a program to", "socket")
        job.code(value)


RUNS = ("EXEC", "SYSTEM", "SHELL")
"""Addresses of `socat` that are programs."""


def socat(job: Job) -> None:
    addresses = [(word, *word.partition(":")[::2]) for word in job.words[1:] if word[:1] != "-"]
    job.feed = None  # what it runs reads what the other address sends
    runs = any(kind.upper() in RUNS for _, kind, _ in addresses)
    for word, kind, rest in addresses:
        kind = kind.upper()
        if kind in RUNS:
            quote = rest[:1] if rest[:1] in ("'", '"') else ""
            text = rest[1:].partition(quote)[0] if quote else rest.partition(",")[0]
            job.code(text.replace("\\", "")) if text else job.fault("socat opens a shell")
        elif kind in ("OPEN", "CREATE", "FILE", "GOPEN", "PIPE") or (not rest and "/" in word):
            path = (rest or word).partition(",")[0].strip("'\"")
            job.add("read", path)
            job.add("write", path, "socat opens it")
        elif kind not in ("STDIN", "STDOUT", "STDIO", "-"):
            host(job, [word], "talks to", "socket" if runs else "talk")


FILED = ("sftp", "ftp", "lftp", "tftp")
CARRIES = (*FILED, "http", "https", "httpie", "xh", "telnet", "mail", "mailx", "sendmail")
"""Programs that send their input elsewhere, first those that it tells which files."""


def talk(job: Job) -> None:
    """Asks or tells somebody elsewhere."""
    act = "send.unknown" if any(UNKNOWN in word or f"{SOME}." in word for word in job.words[1:]) else ""
    host(job, [word for word in job.words[1:] if word[:1] != "-"], "talks to", "talk" if job.name in CARRIES else act)
    if job.name in FILED and "put" in (job.feed or ""):
        job.all("read", (job.feed or "").split(), "perhaps sends it", act="send")
    if job.name in ("mysqldump", "pg_dump"):
        job.note("read", "prints a database")
    if job.name in ("telnet", "mysql", "psql", "mongo", "mongosh", "redis-cli", *FILED):
        job.note("unknown", "runs the commands of its input")
    stated(job)
    if job.name in ("psql", "mysql", "mariadb", "mongo", "mongosh"):
        given = job.given("cehpUPdDufvLoAnB", "command execute eval dbname host port username file")
        escapes(job, [*given.values("c", "e", "command", "execute", "eval"), job.feed or ""])


FETCHES = ("curl", "wget", "aria2c", "http", "https", "xh", "nc", "ncat", "socat", "gh")
NEAR, NAMES = 4, 64
"""Commands in front of one that its input may come through, and words of a command that are looked up."""


def stated(job: Job) -> None:
    """Statements of files that this session wrote, and that a client of a database is told, or fed."""
    walk = job.walk
    piped = job.feed is None and not any(op[-1:] == "<" for op, _ in job.redirs)
    if piped and any(one.program in FETCHES for one in walk.commands[-2:-1]):
        job.fault(f"{job.name} runs text that only the network knows", act="code.unknown")
    for one in walk.commands[-NEAR:] if walk.since else ():
        words = [*one.words[1:], *(word for op, word in one.redirs if op == "<")]
        for word in " ".join(words).replace("=", " ").split()[:NAMES] if one.cwd else ():
            path = resolve(one.cwd, word.lstrip("@"))
            text = walk.written.get(path) or text_at(job, path, False)
            if text and text != UNKNOWN and getattr(text, "own", True):
                walk.texts.append(Text(path, "sql", str(text)))


def cloud(job: Job) -> None:
    """Command lines of services: what they change elsewhere is theirs, what they write here is not known."""
    inner = unwrap(job.name, job.words)
    if inner is not None:
        wrapped(job, inner)
        return
    words = [word for word in job.words[1:] if word[:1] != "-"]
    host(job, words, "asks")
    far = next((at for at, word in enumerate(words) if remote(word)), len(words))
    if not COPIES.isdisjoint(words[:far]):
        known = words[far:] and UNKNOWN not in "".join(words[1:far])
        job.all("read", words[1:far], "copies it", deep=True, act="send" if known else "")
        job.all("write", words[far + 1 :], "downloads into it", deep=True)
    away = job.again()
    away.remote = True
    told_to_run(away)
    stated(job)
    given = job.given("acCmiluMefTtBPbkK", "args command module-name inventory limit user extra-vars forks")
    shell = not {"shell", "command", "raw"}.isdisjoint(given.values("m", "module-name") or ["command"])
    texts = given.values("a", "args") if shell and job.name == "ansible" else []
    for text in [*texts, *(given.values("c", "C", "command") if "ssh" in words else ())]:
        away.code(text)
    if LOOKS.isdisjoint(words[:3]):
        job.note("unknown", f"{job.name} changes something elsewhere, or writes files")


def containers(job: Job) -> None:
    """`docker build`, `docker ps`, `kubectl cp` …; `run` and `exec` are wrappers."""
    words = [word for word in job.words[1:] if word[:1] != "-"]
    at = next((at for at, word in enumerate(words[:2]) if word == "cp" or word in LOOKS), 0)  # or an option's value
    verb, *words = words[at:] or [""]
    away = job.again()
    away.remote = True
    told_to_run(away)
    if job.name in ("kubectl", "oc") or verb in ("pull", "push", "login", "search", "logout"):
        host(job, [verb], "asks for")
    if verb == "cp" and len(words) > 1:
        job.all("read", [word for word in words[:1] if ":" not in word])
        job.all("write", [word for word in words[1:2] if ":" not in word], "copies from a container", deep=True)
    elif verb and verb not in LOOKS:
        job.note("unknown", f"{job.name} {verb}")
        job.all("write", job.given("otfp", OUTPUTS).values("o", *OUTPUTS.split()))


COPIES = frozenset(["cp", "sync", "mv", "rsync", "scp", "mirror"])
"""Verbs by which services copy: what is named before their address is sent, what behind it is where it comes to."""

_LOOKS = (
    "list ls get view status show describe diff plan validate version fmt search history events info inspect logs top "
    "stats images ps port explain cluster-info api-resources"
)
LOOKS = frozenset(_LOOKS.split())
"""Verbs of services, of containers and of clusters that change nothing."""
OUTPUTS = "output iidfile metadata-file"
