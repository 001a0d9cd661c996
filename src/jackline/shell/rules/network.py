"""Programs that leave the machine, and what they bring back to which file."""

from __future__ import annotations

from jackline.paths import resolve
from jackline.shell.model import UNKNOWN, Text
from jackline.shell.rules.editing import escapes
from jackline.shell.rules.wrapping import told_to_run, wrapped
from jackline.shell.scene import SOME, shown
from jackline.shell.texts import text_at
from jackline.shell.wrappers import from_verb, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

CURL = (
    "output request header data data-raw data-binary data-urlencode data-ascii form form-string user user-agent "
    "url upload-file cookie cookie-jar config cacert cert key max-time connect-timeout retry proxy referer range "
    "dump-header output-dir write-out interface resolve trace trace-ascii stderr limit-rate json etag-save "
    "etag-compare netrc-file unix-socket hsts alt-svc libcurl create-file-mode quote ciphers oauth2-bearer "
    "max-redirs speed-limit speed-time keepalive-time rate variable dns-servers doh-url proto proto-redir tls-max "
    "capath crlfile pinnedpubkey"
)
WGET = (
    "output-document output-file append-output directory-prefix user-agent header post-data post-file body-data "
    "body-file method user password tries timeout wait limit-rate input-file base level accept reject domains "
    "exclude-directories include-directories cut-dirs load-cookies save-cookies referer proxy config execute "
    "ca-certificate certificate private-key max-redirect quota bind-address rejected-log dns-timeout"
)


RSYNC = (
    "rsh rsync-path exclude include exclude-from include-from files-from filter temp-dir partial-dir backup-dir "
    "compare-dest copy-dest link-dest log-file suffix timeout port bwlimit max-size min-size out-format chmod chown "
    "usermap groupmap password-file write-batch only-write-batch read-batch block-size checksum-choice modify-window"
)


def host(job: Job, words: list[str], note: str, act: str = "") -> None:
    where = " ".join(shown(word) for word in words[:2]).replace(UNKNOWN, "…")
    job.note("network", f"{note} {where}".strip(), act=act)


def leaf(url: str) -> str:
    """The file name that a URL ends in."""
    path = url.partition("://")[2] or url
    name = path.partition("?")[0].rpartition("/")[2] if "/" in path else ""
    return name or "index.html"


BODY = ("d", "data", "data-binary", "data-ascii", "data-urlencode", "json", "F", "form", "T", "upload-file")
"""Options whose value is sent."""
KEEPS = "D dump-header c cookie-jar trace trace-ascii stderr etag-save hsts alt-svc libcurl"
"""Options whose value is a file that it writes."""


def curl(job: Job) -> None:
    given = job.given("AbcCdDeEFhHKmoPQrtTuUwxXyYz", CURL, glued="h")
    urls = given.operands + given.values("url")
    if urls and all(url.startswith("file:") for url in urls):
        job.all("read", [url.removeprefix("file://") for url in urls])
    elif urls or given.has("K", "config"):
        bodies = [*given.values(*BODY, "H", "header", "u", "user", "b", "cookie"), *urls]
        act = "send.unknown" if any(UNKNOWN in body for body in bodies) else ""
        if any(body in ("-", ".") or "@-" in body for body in bodies):
            act = "send.input"
        host(job, urls, "asks", act)
    folder = "".join(given.values("output-dir")[-1:])
    outs = given.values("o", "output")
    if given.has("O", "remote-name", "remote-name-all"):
        outs = outs + [leaf(url) for url in urls]
    outs = [f"{folder}/{out}" if folder and not out.startswith("/") else out for out in outs]
    job.all("write", outs, "downloads to it")
    job.all("write", given.values(*KEEPS.split()))
    job.all("read", given.values("K", "config", "netrc-file", "E", "cert", "key"))
    job.all("read", given.values("T", "upload-file"), "sends it", act="send")
    for value in given.values(*BODY, "b", "H", "header"):
        for piece in (value, value.partition("=")[2], value.partition("@")[2] and "@" + value.partition("@")[2]):
            if piece[:1] in ("@", "<") and piece[1:]:
                for name in {piece[1:].partition(";")[0], *piece[1:].split(",")}:  # a form may name several
                    job.add("read", name.partition(";")[0], "sends it", act="send")
    if given.has("K", "config") or given.loose:
        job.note("unknown", "curl with options that do not stand there")


def wget(job: Job) -> None:
    given = job.given("oaeiBtOTwQPUlADRIX", WGET)
    loose = [*given.operands, *given.values("header", "post-data", "body-data")]
    host(job, given.operands, "asks", "send.unknown" if any(UNKNOWN in word for word in loose) else "")
    folder = "".join(given.values("P", "directory-prefix")[-1:])
    outs = given.values("O", "output-document")
    if not outs and not given.has("spider"):
        outs = [leaf(url) for url in given.operands]
        if given.has("r", "recursive", "m", "mirror", "p", "page-requisites", "x", "i", "input-file"):
            job.add("write", folder or ".", "downloads into it", deep=True)
        outs = [f"{folder}/{out}" if folder else out for out in outs]
    job.all("write", outs, "downloads to it")
    job.all("write", given.values("o", "output-file", "a", "append-output", "save-cookies", "rejected-log"))
    job.all("read", given.values("i", "input-file", "load-cookies"))
    job.all("read", given.values("post-file", "body-file"), "sends it", act="send")


def remote(word: str) -> bool:
    """`host:path`, `user@host:path`, `rsync://…`."""
    before = word.partition("/")[0]
    return ":" in before and not word.startswith(("./", "/"))


def copying(job: Job) -> None:
    """`scp`, `sftp`, `rsync`, `rclone`: local paths are read, a local destination is written."""
    rsync = job.name == "rsync"
    given = job.given("efMBT@", RSYNC) if rsync else job.given("cFiJloPSXDRs")
    operands = given.operands
    far = [word for word in operands if remote(word)]
    if far:
        host(job, far, "copies with")
    sources, target = (operands[:-1], operands[-1:]) if operands[1:] else (operands, [])
    dry = rsync and given.has("n", "dry-run", "list-only")
    act = "send" if not dry and any(map(remote, target)) else ""
    near = [word for word in sources if not remote(word)]
    if rsync and given.has("no-recursive", "no-r") and not given.has("r", "recursive"):
        near = [word for word in near if not word.endswith("/")]  # it skips folders then
    job.all("read", near, "copies it", deep=True, act=act)
    if rsync and act and given.values("files-from"):
        job.add("read", UNKNOWN, "copies what a list names", deep=True, act=act)
    if dry:
        return
    for word in [word for word in target if not remote(word)]:
        if any(name[:3] == "del" for name, _ in given.options):
            job.add("delete", word, "rsync --delete", deep=True)
        job.add("write", word, "copies to it", deep=True)
    if given.has("remove-source-files"):
        job.all("delete", near, "rsync removes it", deep=True)
    outs = given.values("log-file", "write-batch", "only-write-batch", "backup-dir", "temp-dir", "partial-dir")
    job.all("write", outs, deep=True)


def netcat(job: Job) -> None:
    given = job.given(
        "ceghiIkmMopPqsTVwWxXO" if job.name != "ncat" else "cegGhimoqpswxd", "exec sh-exec lua-exec output proxy"
    )
    if given.has("h", "help", "z") or not job.words[1:]:
        return
    host(job, given.operands, "talks to", "talk")
    job.feed = None  # what it runs reads from afar
    for value in given.values("c", "e", "exec", "sh-exec"):
        host(job, given.operands[-2:-1], "hands a program to", "socket")
        job.code(value)
    job.all("write", given.values("o", "output"))


RUNS = ("EXEC", "SYSTEM", "SHELL")
"""Addresses of `socat` that are programs."""


def socat(job: Job) -> None:
    words = [word for word in job.words[1:] if word[:1] != "-"]
    job.feed = None  # what it runs reads what the other address sends
    kinds = {word.partition(":")[0].upper() for word in words}
    for word in words:
        kind, _, rest = word.partition(":")
        kind = kind.upper()
        value = rest.partition(",")[0].strip("'\"")
        if kind in RUNS:
            quote = rest[:1] if rest[:1] in ("'", '"') else ""
            text = rest[1:].partition(quote)[0] if quote else rest.partition(",")[0]
            job.code(text.replace("\\", "")) if text else job.fault("socat opens a shell")
        elif kind in ("OPEN", "CREATE", "FILE", "GOPEN", "PIPE") or (not rest and "/" in word):
            path = value if rest else word.partition(",")[0]
            job.add("read", path)
            job.add("write", path, "socat opens it")
        elif kind not in ("STDIN", "STDOUT", "STDIO", "-"):
            host(job, [word], "talks to", "talk" if kinds.isdisjoint(RUNS) else "socket")


CARRIES = ("http", "https", "httpie", "xh", "ftp", "lftp", "tftp", "telnet", "mail", "mailx", "sendmail", "sftp")
"""Programs that send their input elsewhere."""


FILED = ("sftp", "ftp", "lftp", "tftp")


def talk(job: Job) -> None:
    """Asks or tells somebody elsewhere."""
    act = "send.unknown" if any(UNKNOWN in word or f"{SOME}." in word for word in job.words[1:]) else ""
    host(job, [word for word in job.words[1:] if word[:1] != "-"], "talks to", "talk" if job.name in CARRIES else act)
    for verb, *files in [line.split() or [""] for line in (job.feed or "").split("\n")] if job.name in FILED else []:
        if verb in ("put", "mput", "send", "reput"):
            job.all("read", [word for word in files[:1] if word[:1] != "-"], "sends it", act="send")
    if job.name in ("mysqldump", "pg_dump"):
        job.note("read", "prints a database")
    if job.name in (*FILED, "telnet", "mysql", "psql", "mongo", "mongosh", "redis-cli"):
        job.note("unknown", "runs the commands of its input")
    stated(job)
    if job.name in ("psql", "mysql", "mariadb", "mongo", "mongosh"):
        given = job.given("cehpUPdDufvLoAnB", "command execute eval dbname host port username file")
        escapes(job, [*given.values("c", "e", "command", "execute", "eval"), job.feed or ""])


FETCHES = ("curl", "wget", "aria2c", "http", "https", "xh", "nc", "ncat", "socat", "gh")
NEAR = 4
"""Commands in front of one that its input may come through."""


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


NAMES = 64
"""Words of a command that are looked up."""


def cloud(job: Job) -> None:
    """Command lines of services: what they change elsewhere is theirs, what they write here is not known."""
    words = [word for word in job.words[1:] if word[:1] != "-"]
    inner = unwrap(job.name, job.words)
    if inner is not None:
        wrapped(job, inner)
        return
    host(job, words, "asks")
    far = next((at for at, word in enumerate(words) if remote(word)), len(words))
    if not COPIES.isdisjoint(words[:far]):
        known = words[far:] and not any(UNKNOWN in word for word in words[1:far])
        job.all("read", words[1:far], "copies it", deep=True, act="send" if known else "")
        job.all("write", words[far + 1 :], "downloads into it", deep=True)
    away = job.again()
    away.remote = True
    told_to_run(away)
    stated(job)
    if "ssh" in words:
        for value in job.given("cC", "command").values("c", "C", "command"):
            away.code(value)
    if job.name == "ansible":
        given = job.given("amiluMefTtBPbkK", "args module-name inventory limit user extra-vars forks")
        if not {"shell", "command", "raw"}.isdisjoint(given.values("m", "module-name") or ["command"]):
            for value in given.values("a", "args"):
                away.code(value)
    if LOOKS.isdisjoint(words[:3]):
        job.note("unknown", f"{job.name} changes something elsewhere, or writes files")


def containers(job: Job) -> None:
    """`docker build`, `docker ps`, `kubectl cp` …; `run` and `exec` are wrappers."""
    words = [word for word in from_verb(job.name, job.words) if word[:1] != "-"]
    verb, far = "".join(words[:1]), job.name in ("kubectl", "oc")
    away = job.again()
    away.remote = True
    told_to_run(away)
    if far:
        host(job, words[:1], "asks the cluster to")
    if verb in SHOWN:
        return
    if verb == "cp" and len(words) > 2:
        job.all("read", [word for word in words[1:2] if ":" not in word])
        job.all("write", [word for word in words[2:3] if ":" not in word], "copies from a container", deep=True)
    elif verb in ("pull", "push", "login", "search", "logout"):
        job.note("network", f"{job.name} {verb}")
    else:
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
SHOWN = LOOKS - {"search"} | {""}
OUTPUTS = "output iidfile metadata-file"
