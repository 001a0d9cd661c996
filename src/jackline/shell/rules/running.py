"""Programs that run other commands: shells, wrappers, `xargs`, `find -exec`, `parallel`, and text that is run later."""

from __future__ import annotations

from jackline.shell.job import shared
from jackline.shell.model import UNKNOWN
from jackline.shell.scene import ANY, OPEN, SOME, STAR, marked, shown
from jackline.shell.wrappers import WRAPPERS, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job, Rule
    from jackline.shell.wrappers import Inner

SHELL_VALUES = "oO"
PLAIN = str.maketrans({STAR: "*", ANY: "?", OPEN: "["})


def quoted(word: str) -> str:
    """A word as text for a shell, marks kept."""
    return "'" + word.translate(PLAIN).replace("'", "'\\''") + "'"


def shell(job: Job) -> str | None:
    """`bash -c code`, `bash file`, `bash` with code on its input."""
    words, i = job.words, 1
    flags = ""
    while i < len(words):
        word = words[i]
        if word in ("--", "-"):
            i += 1
            break
        if word[:2] == "--":
            i += 2 if word in ("--rcfile", "--init-file") else 1
            if word in ("--rcfile", "--init-file"):
                job.add("execute", words[i - 1] if i - 1 < len(words) else UNKNOWN, "start-up file")
            continue
        if word[:1] not in "-+" or len(word) < 2:
            break
        flags += word[1:] if word[0] == "-" else ""
        i += 1 + sum(letter in SHELL_VALUES for letter in word[1:])
    if job.name in ("fish", "csh", "tcsh"):
        job.fault(f"{job.name} is another language")
    if "n" in flags and job.name not in ("fish", "csh", "tcsh"):
        return ""  # reads, and does not run
    rest = words[i:]
    if "c" in flags:
        if not rest:
            return ""
        return job.code(rest[0], args=rest[1:] or [job.name])
    if rest and "s" not in flags:
        name = rest[0]
        if name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            return piped(job, rest[1:])
        if name in job.scene.vars:
            return job.code(job.scene.vars[name], args=rest)
        if name.startswith(("/dev/fd/", "/proc/")):
            job.fault(f"{job.name} runs what comes from a descriptor")
            return None
        job.add("execute", name, f"{job.name} runs it")
        job.note("unknown", f"runs the text of {shown(name)}")
        job.mentions(rest[1:])
        return None
    return piped(job, rest)


def piped(job: Job, args: list[str]) -> str | None:
    """Code from the input."""
    if job.fed:
        job.fault(f"{job.name} runs words that come from an input")
    if job.feed == "":
        return ""
    child = job.child()
    made = job.inside(job.words)
    made.wrappers, made.feed = job.wrappers, ""
    return made.code(job.feed, child, [job.name, *args])


def eval_(job: Job) -> str | None:
    words = job.words[1:]
    return job.code(" ".join(word.translate(PLAIN) for word in words), job.scene) if words else ""


def source(job: Job) -> str | None:
    words = [word for word in job.words[1:] if word != "--"]
    if not words:
        return None
    name = words[0]
    if name in job.scene.vars:
        return job.code(job.scene.vars[name], job.scene)
    if name == "/dev/stdin":
        return job.code(job.feed or None, job.scene)
    if name.startswith("/dev/fd/") or marked(name):
        job.fault(f"{job.words[0]} runs text that only the shell knows")
    job.add("execute", name, f"{job.words[0]} runs it in this shell")
    job.note("unknown", f"runs the text of {shown(name)}, which may change what follows")
    for variable in job.scene.vars:
        job.scene.vars[variable] = None
    return None


def trap(job: Job) -> str:
    words = [word for word in job.words[1:] if word != "--"]
    if len(words) > 1 and words[0] not in ("-", "-l", "-p", ""):
        job.code(words[0], job.scene.fork())
    return ""


def mapfile(job: Job) -> str:
    for value in job.given("dnOsuCc").values("C"):
        job.code(value + " 0 x", job.scene.fork())
    for word in job.words[1:]:
        if word.isidentifier():
            job.scene.vars[word] = None
    return ""


def wrapped(job: Job, inner: Inner) -> str | None:
    """A program of the table of wrappers."""
    marks, at = inner.spec.marks, inner.at
    if inner.uncertain:
        job.fault(f"{job.name} has an option we do not know, so we may miss where its command begins")
    if "privilege" in marks:
        job.note("privilege", f"{job.name} runs it as somebody else")
    if "network" in marks:
        job.note("network", "runs elsewhere" if "remote" in marks else "may fetch what it runs")
    scene = job.scene if "here" in marks else job.scene.fork()
    words = job.words[at:]
    for name, value in inner.options:
        if name in ("C", "chdir", "D", "cwd", "w") and job.name in ("env", "sudo", "uv", "conda") and value:
            scene.enter(value)
    if not words:
        return wrapped_nothing(job, inner)
    made = job.inside(words, at, scene)
    made.assigns = inner.assigns
    for name, value in inner.assigns:
        scene.vars[name] = value
        scene.exported.add(name)
    made.fed = made.fed or "fed" in marks
    made.remote = made.remote or "remote" in marks
    if "remote" in marks:
        mounted(job, inner)
        scene.cwds = ("",)
    if "code" in marks and ("remote" in marks or not any(name in ("x", "exec") for name, _ in inner.options)):
        made.words, made.name = [job.name], job.name
        made.wrappers = job.wrappers
        return made.code(" ".join(word.translate(PLAIN) for word in words))
    return job.walk.call(made)


def wrapped_nothing(job: Job, inner: Inner) -> str | None:
    options = dict(inner.options)
    for name in ("c", "call"):
        if options.get(name) and job.name in ("npx", "npm"):
            return job.code(options[name])
    if job.name in ("sudo", "su", "doas") and ({"s", "i", "shell", "login"} & set(options)):
        job.note("privilege", "opens a shell as somebody else")
        return piped(job, [])
    if job.name == "env":
        job.note("read", "prints the environment")
    return None


def mounted(job: Job, inner: Inner) -> None:
    """What of this machine a container can change."""
    for name, value in inner.options:
        host = value.partition(":")[0] if name in ("v", "volume") else ""
        if name == "mount":
            host = next((part.partition("=")[2] for part in value.split(",") if part.startswith(("src", "source"))), "")
        if host[:1] in ("/", ".", "~", UNKNOWN) and host and not value.endswith(":ro"):
            for place in job.scene.places(host):
                job.note("unknown", "a container may change it", place, deep=True)
        if name in ("privileged", "device", "pid"):
            job.note("privilege", "a container with powers over this machine")


def wrapper(job: Job) -> str | None:
    inner = unwrap(job.name, job.words)
    if inner is not None:
        return wrapped(job, inner)
    from jackline.shell.programs import unknown

    # `docker ps`, `npm install`: no command inside.
    subcommand = next((word for word in job.words[1:] if word[:1] != "-"), "")
    other = OTHERWISE.get(job.name)
    if other is not None:
        return other(job)
    if not subcommand:
        return None
    unknown(job)
    return None


def tool(job: Job) -> str | None:
    """Tools that run commands only with some subcommands; `rules.building` and `rules.network` know the others."""
    if unwrap(job.name, job.words) is not None:
        return wrapper(job)
    subject = "network" if job.name in ("docker", "podman", "nerdctl", "kubectl", "docker-compose") else "building"
    module = __import__(f"jackline.shell.rules.{subject}", fromlist=["TOOLS"])
    rule: Rule = module.TOOLS[job.name] if job.name in module.TOOLS else module.TOOLS[""]
    return rule(job)


def command(job: Job) -> str | None:
    """`command`, `builtin`, `exec`: they run their words in this shell."""
    if job.name == "command" and len(job.words) > 1 and job.words[1][:1] == "-" and set("vV") & set(job.words[1]):
        return job.words[2] + "\n" if len(job.words) == 3 and "V" not in job.words[1] else None
    if len(job.words) == 1:
        return ""
    return wrapper(job)


def env(job: Job) -> str | None:
    """`env -S 'a b' c` splits its first word."""
    for at, word in enumerate(job.words[1:], 1):
        if word[:1] != "-":
            break
        text = ""
        if word in ("-S", "--split-string", "-vS", "-iS") and at + 1 < len(job.words):
            text, rest = job.words[at + 1], job.words[at + 2 :]
        elif word.startswith(("-S", "-vS", "-iS", "--split-string=")):
            text, rest = word.partition("=")[2] if word[1] == "-" else word[word.index("S") + 1 :], job.words[at + 1 :]
        if text:
            made = job.inside(["env"])
            made.wrappers = job.wrappers
            return made.code("env " + text.translate(PLAIN) + " " + " ".join(map(quoted, rest)))
    return wrapper(job)


def xargs(job: Job) -> str | None:
    inner = unwrap("xargs", job.words)
    if inner is None or inner.at >= len(job.words):
        return None
    options = dict(inner.options)
    for name in ("a", "arg-file"):
        if options.get(name):
            job.add("read", options[name])
    if inner.uncertain:
        job.fault("xargs has an option we do not know, so we may miss where its command begins")
    words = job.words[inner.at :]
    replace = next((options[name] or "{}" for name in ("I", "i", "J", "replace") if name in options), "")
    told = job.feed.split() if job.feed and UNKNOWN not in job.feed and not set(job.feed) & set("\\'\"") else None
    if options.keys() & {"a", "arg-file"}:
        told = None
    if told is not None and not replace:
        made = job.inside(words + told, inner.at)
    elif replace and told is not None and len(told) <= 16 and len((job.feed or "").splitlines()) >= len(told):
        printed = None
        for one in told:
            printed = job.run([word.replace(replace, one) for word in words], inner.at)
        return printed
    elif replace:
        made = job.inside([word.replace(replace, UNKNOWN) for word in words], inner.at)
    else:
        made = job.inside([*words, UNKNOWN], inner.at)
    made.fed, made.feed, made.scene = told is None, "", job.scene.fork()
    return job.walk.call(made)


def parallel(job: Job) -> None:
    """GNU parallel joins its words and has a shell read them again."""
    words, i = job.words, 1
    values = (
        "-j",
        "-a",
        "-S",
        "-I",
        "--jobs",
        "--arg-file",
        "--joblog",
        "--results",
        "--tmpdir",
        "-N",
        "-n",
        "-L",
        "-X",
    )
    while i < len(words) and words[i][:1] == "-" and words[i] != ":::":
        i += 2 if words[i] in values else 1
    template, lists = words[i:], []
    for at, word in enumerate(template):
        if word[:3] in (":::", ":::") and word.strip(":+") == "":
            lists = template[at:]
            template = template[:at]
            break
    values_ = [word for word in lists if word.strip(":+") != ""] if lists and lists[0] == ":::" else [UNKNOWN]
    if not lists and job.feed:
        values_ = job.feed.split("\n")[:-1] or [UNKNOWN]
    text = " ".join(word.translate(PLAIN) for word in template)
    for value in values_[:16] if len(values_) <= 16 else [UNKNOWN]:
        own = quoted(value) if value != UNKNOWN else UNKNOWN
        for mark in ("{}", "{.}", "{/}", "{//}", "{1}"):
            if mark in text:
                code = text.replace("{}", own).replace("{.}", UNKNOWN).replace("{1}", own)
                break
        else:
            code = f"{text} {own}" if text else value
        if code.endswith(" " + UNKNOWN) and code.count(UNKNOWN) == 1:
            # Only a last argument is not known: the command itself is.
            made = job.inside(["parallel"])
            made.wrappers = job.wrappers
            made.fed = True
            made.walk.code(code.replace(UNKNOWN, '"$0"'), unknown_zero(job), made)
        else:
            job.code(code)


def unknown_zero(job: Job):  # type: ignore[no-untyped-def]
    child = job.child()
    child.args = [UNKNOWN]
    return child


def find(job: Job) -> None:
    """Roots, `-delete`, `-exec` and its kin, `-fprint`."""
    words = job.words[1:]
    roots = []
    for word in words:
        if word in ("-H", "-L", "-P") or word.startswith(("-D", "-O")):
            continue
        if word[:1] in ("-", "(", "!", ","):
            break
        roots.append(word)
    roots = roots or ["."]
    names = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-name", "-iname")]
    name = names[0].translate({42: STAR, 63: ANY, 91: OPEN}) if len(names) == 1 and "!" not in words else ""
    if any(word in words for word in ("-o", "-or", "-not", ",", "-path", "-regex")):
        name = ""
    reached = [f"{root.rstrip('/') or '/'}/{UNKNOWN}/{name}" if name else root for root in roots]
    for root in roots:
        job.add("read", root, "walks it", deep=True)
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "-delete":
            for one in reached:
                for place in job.scene.places(one, follow=False):
                    job.note("delete", "find -delete", place, deep=True)
        elif word in ("-fprint", "-fprint0", "-fls", "-fprintf") and at < len(words):
            job.add("write", words[at], word)
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            end = at
            while end < len(words) and words[end] != ";" and not (words[end] == "+" and words[end - 1] == "{}"):
                end += 1
            for root, one in zip(roots, reached, strict=True):
                filled = one if name else f"{root.rstrip('/') or '/'}/{UNKNOWN}"
                own = [inside.replace("{}", filled) for inside in words[at:end]]
                made = job.inside(own, at + 1, job.scene.fork())
                made.fed = True
                if word.endswith("dir"):
                    made.scene.cwds = ("",)
                if own:
                    job.walk.call(made)
            at = end + 1
        elif marked(word[:1]) and word[:1] == UNKNOWN and words.index(word) >= len(roots):
            job.fault("find has a word that only the shell knows")


def fd(job: Job) -> None:
    for option in ("-x", "--exec", "-X", "--exec-batch"):
        if option in job.words:
            at = job.words.index(option) + 1
            own = [word.replace("{}", f"./{UNKNOWN}") for word in job.words[at:] if word != ";"]
            if not any("{}" in word for word in job.words[at:]):
                own.append(f"./{UNKNOWN}")
            job.run(own, at, fed=True)
    job.add("read", ".", "walks it", deep=True)


def su(job: Job) -> str | None:
    job.note("privilege", f"{job.name} runs it as somebody else")
    given = job.given("csgGTw", "command session-command shell group whitelist-environment")
    if given.has("c", "command", "session-command"):
        return job.code(given.values("c", "command", "session-command")[-1])
    if job.name == "runuser" and given.has("u"):
        return wrapper(job)
    return piped(job, [])


def later(job: Job) -> None:
    """Text or commands that run later, or in a terminal of their own."""
    if job.name in ("at", "batch", "crontab"):
        job.note("unknown", "runs commands later")
        if job.name == "crontab" and any(word in ("-l",) for word in job.words):
            return
        job.note("privilege", f"{job.name} keeps commands beyond this session")
        if job.feed:
            job.code(job.feed)
        return
    words = [word for word in job.words[1:] if word[:1] != "-"]
    runs = {"tmux": ("new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "run-shell"
                     , "run", "if-shell", "send-keys", "send", "pipe-pane"), "screen": ()}  # fmt: skip
    if job.name == "tmux" and not (words and words[0] in runs["tmux"]):
        return
    job.note("unknown", "runs in a terminal of its own")
    for word in job.words[1:]:
        if " " in word:
            job.code(word)
    if job.name == "screen":
        given = job.given("cSTehtpsRxX", stop=True)
        job.run(given.operands, fed=False)
    elif len(words) > 1:
        job.run([word for word in words[1:] if word not in ("Enter", "C-m")])


def script(job: Job) -> str | None:
    given = job.given("cEIOoBmTtp", "command log-in log-out log-io log-timing output-limit")
    for value in given.values("c", "command"):
        job.code(value)
    operands = given.operands
    job.all("write", operands[:1] or ["typescript"], "records the terminal")
    return job.run(operands[1:]) if len(operands) > 1 else None


def flock(job: Job) -> str | None:
    if "-c" in job.words or "--command" in job.words:
        at = job.words.index("-c" if "-c" in job.words else "--command")
        job.all("write", [word for word in job.words[1:at] if word[:1] != "-"][-1:], "lock")
        return job.code(job.words[at + 1]) if at + 1 < len(job.words) else None
    given = job.given("wE", "wait timeout conflict-exit-code", stop=True)
    job.all("write", given.operands[:1], "lock")
    if len(given.operands) < 2:
        return None
    return job.run(given.operands[1:], len(job.words) - len(given.operands) + 1)


def each(job: Job) -> None:
    """Every operand is a command."""
    for word in job.given("wrnMmNuSpsciI", "warmup runs min-runs max-runs export-json export-markdown").operands:
        job.code(word)
    for option in ("-p", "--prepare", "-c", "--cleanup", "-s", "--setup"):
        if option in job.words[:-1]:
            job.code(job.words[job.words.index(option) + 1])


def foreign(job: Job) -> None:
    """A shell of another kind: we do not read its language."""
    job.fault(f"{job.name} runs a language we do not read")
    job.mentions(job.words[1:])


OTHERWISE: dict[str, Rule] = {}

RULES: dict[str, Rule] = {
    **shared("bash sh zsh dash ksh mksh ash rbash fish csh tcsh", shell),
    **shared("command builtin exec", command),
    **shared("watch sudo doas entr time ssh busybox toybox aws-vault doppler", wrapper),
    **shared("docker podman nerdctl kubectl docker-compose npm pnpm yarn bun", tool),
    **shared("uv poetry pipenv pdm rye hatch bundle conda mise asdf pipx", tool),
    **shared("direnv dotenv", tool),
    **shared("at batch crontab tmux screen", later),
    **shared("pwsh powershell cmd cmd.exe expect start-stop-daemon run-parts", foreign),
    "eval": eval_,
    "source": source,
    ".": source,
    "trap": trap,
    "mapfile": mapfile,
    "readarray": mapfile,
    "env": env,
    "xargs": xargs,
    "parallel": parallel,
    "find": find,
    "gfind": find,
    "fd": fd,
    "fdfind": fd,
    "su": su,
    "runuser": su,
    "script": script,
    "flock": flock,
    "hyperfine": each,
}

__all__ = ["RULES", "SOME", "WRAPPERS", "wrapped"]
