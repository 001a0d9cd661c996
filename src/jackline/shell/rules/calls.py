"""Programs of other languages given as text: calls with literal arguments that touch files, run commands, or send.

One reader for all: strings, names, brackets. What it cannot follow is not known (`UNKNOWN`), never taken for harmless
where a command would be run.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.calls_text import LISPS, PAIRS, Token, tokens_of
from jackline.shell.rules.python_values import CALLED, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


_DOES = {
    "deep": "rmSync rmdirSync rmtree remove_tree rm_rf rm_rf! rm_r remove_entry remove_entry_secure remove_dir "
            "rimraf rimrafSync removeSync emptyDirSync emptyDir Deno.remove fs.remove fse.remove deltree deleteDir "
            "delete-directory delete-directory/files delTree fs.rm promises.rm fsp.rm FileUtils.rm "
            "FileUtils.remove_dir Path.rmtree del_dir_r File.rm_rf deltree!",
    "delete": "unlink unlinkSync File.delete File.unlink Pathname.unlink os.remove file.remove delete-file File.rm "
              "File.rm! fs.unlink file:delete safe_unlink deleteFile FileUtils.rm_f file_delete wp_delete_file",
    "empty": "rmdir Dir.rmdir Dir.delete Dir.unlink",
    "move": "rename renameSync moveSync File.rename FileUtils.mv FileUtils.move file.rename os.rename rename-file "
            "fs.move",
    "copy": "cpSync copyFile copyFileSync copySync FileUtils.cp FileUtils.cp_r FileUtils.copy file.copy copy-file "
            "File.cp File.cp! fs.cp fs.copy",
    "write": "writeFile writeFileSync appendFile appendFileSync createWriteStream file_put_contents File.write "
             "IO.write "
             "IO.binwrite File.binwrite Deno.writeTextFile Deno.writeTextFileSync writeTextFile writeTextFileSync "
             "Bun.write truncate truncateSync outputFile outputFileSync writeJson writeJsonSync File.write! "
             "write-region",
    "mode": "chmod chmodSync chown chownSync FileUtils.chmod FileUtils.chmod_R FileUtils.chown File.chmod",
    "read": "readFile readFileSync File.read IO.read File.readlines IO.readlines file_get_contents readfile "
            "Deno.readTextFile Deno.readTextFileSync readTextFile readTextFileSync Bun.file readLines createReadStream "
            "File.read! File.foreach readlines YAML.load_file slurp",
    "open": "fopen File.open openSync io.open",
    "shell": "execSync system sh popen shell_exec passthru proc_open os.execute io.popen os:cmd shell-command "
             "shell-command-to-string call-process-shell-command Kernel.system IO.popen do_shell_script "
             "child_process.exec cp.exec execaCommand execaCommandSync exec",
    "words": "spawn spawnSync execFile execFileSync Deno.Command Bun.spawn Bun.spawnSync System.cmd system2 execa "
             "execaSync Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 call-process start-process "
             "system* execvp subprocess.call subprocess.run subprocess.check_call subprocess.check_output "
             "subprocess.Popen",
    "code": "eval Function instance_eval class_eval runInNewContext runInThisContext runInContext loadstring "
            "eval-string create_function unserialize",
    "ask": "fetch axios.get http.get https.get Net::HTTP.get URI.open LWP::Simple download.file",
    "send": "axios.post axios.put http.request https.request Net::HTTP.post Net::HTTP.post_form curl_exec fsockopen "
            "TCPSocket.new TCPSocket.open net.connect net.createConnection sendBeacon stream_socket_client",
}  # fmt: skip
DOES = {name: what for what, names in _DOES.items() for name in names.split()}

BARE = frozenset(["perl", "ruby", "lua", "elixir", "emacs", "guile", "racket", "groovy", "tclsh", "osascript", "ghc"])
"""Languages in which a call needs no brackets."""

CALLERS = ("array_map", "array_walk", "call_user_func", "call_user_func_array", "usort", "array_filter")
HANDED = ([Token("mark", ")")], [Token("mark", ",")])
KEPT = frozenset(["toString", "trim", "to_s", "strip", "chomp", "freeze", "resolve", "decode"])
DECODERS = frozenset(["atob", "base64_decode", "decode_base64", "Base64.decode64", "Base64.strict_decode64",
                      "Buffer.from", "b64decode"])  # fmt: skip
HOMES = frozenset(["homedir", "os.homedir", "Dir.home", "process.env.HOME", "$ENV{HOME}", "path.expand"])
ENVIRONMENTS = frozenset(["process.env", "Deno.env.toObject", "ENV.to_h", "ENV.to_a", "ENV.inspect", "%ENV", "$_ENV"])
JOINS = frozenset(["join", "path.join", "path.resolve", "resolve", "File.join", "file.path", "Path.join", "catfile"])
DEEP = 12


def _strung(parts: list[object], args: list[object]) -> str:
    """`["a", "b"].join("/")`."""
    return str(args[0]).join(one if isinstance(one, str) else UNKNOWN for one in parts)


class Reader:
    """The tokens of one program, and what its names hold."""

    def __init__(self, job: Job, tokens: list[Token], language: str) -> None:
        self.job = job
        self.tokens = tokens
        self.language = language
        self.held: dict[str, int | None] = {}
        self.known: dict[str, str] = {}
        self.sends = False
        self.reads: list[str] = []
        for at in range(len(tokens) - 2):
            if (
                tokens[at].kind == "name"
                and tokens[at + 1] == ("mark", "=")
                and tokens[at + 2][1] not in ("=", "~", ">")
            ):
                name = tokens[at].text.lstrip("$")
                self.held[name] = None if name in self.held else at + 2

    def mark(self, at: int, text: str) -> bool:
        return at < len(self.tokens) and self.tokens[at] == ("mark", text)

    def listed(self, at: int, end: str, depth: int) -> tuple[list[object], int]:
        """Values divided by commas, up to a bracket (or, with `end` "", to the end of the statement)."""
        found: list[object] = []
        while at < len(self.tokens):
            token = self.tokens[at]
            if token == ("mark", end):
                return found, at + 1
            if not end and (token.kind == "line" or token.text in (";", ")", "}", "if", "unless", "or", "and", "||")):
                return found, at
            if token.kind == "line" or token == ("mark", ","):
                at += 1
                continue
            value, after = self.value(at, depth)
            found.append(value)
            at = max(after, at + 1)
            while at < len(self.tokens) and self.tokens[at] not in (("mark", ","), ("mark", end)):
                if not end and (self.tokens[at].kind == "line" or self.tokens[at].text in (";", ")", "}", "if", "or")):
                    break
                if self.tokens[at].text in PAIRS and self.tokens[at].kind == "mark":
                    inner, at = self.listed(at + 1, PAIRS[self.tokens[at].text], depth + 1)
                    lists = [one for one in inner if isinstance(one, list)]
                    if lists:
                        found.append(lists[0])
                    continue
                if self.tokens[at].kind == "name" and isinstance(found[-1], str) and self.tokens[at].text not in KEPT:
                    found[-1] = UNKNOWN if found[-1] != UNKNOWN and self.language not in LISPS else found[-1]
                at += 1
        return found, at

    def value(self, at: int, depth: int = 0) -> tuple[object, int]:
        """The value of an expression that begins here: a text, a list; and the place behind it."""
        made, at = self.primary(at, depth)
        while self.language == "awk" and at < len(self.tokens) and self.tokens[at].kind in ("text", "name"):
            if self.tokens[at].text in ("getline", "in"):
                break
            other, at = self.primary(at, depth)  # two that stand beside each other are one text
            made = (made if isinstance(made, str) else UNKNOWN) + (other if isinstance(other, str) else UNKNOWN)
        while at + 1 < len(self.tokens) and self.tokens[at].kind == "mark" and self.tokens[at].text in "+.~<":
            step = 1
            while at + step < len(self.tokens) and self.tokens[at + step] in (("mark", "."), ("mark", ">")):
                step += 1
            if (
                self.tokens[at].text == "."
                and self.tokens[at + step].kind == "name"
                and self.language not in ("perl", "php")
            ):
                name = self.tokens[at + step].text
                args: list[object] = []
                at += step + 1
                if self.mark(at, "("):
                    args, at = self.listed(at + 1, ")", depth + 1)
                if name in ("join", "resolve") and args:
                    made = _strung(made, args) if isinstance(made, list) else self.made("path.join", args)
                elif name not in KEPT:
                    made = UNKNOWN if isinstance(made, str) else made
                continue
            other, at = self.primary(at + step, depth)
            made = (made if isinstance(made, str) else UNKNOWN) + (other if isinstance(other, str) else UNKNOWN)
        return made, at

    def primary(self, at: int, depth: int) -> tuple[object, int]:
        if at >= len(self.tokens) or depth > DEEP:
            return UNKNOWN, at + 1
        token = self.tokens[at]
        if token.kind == "text":
            return token.text, at + 1
        if token.kind == "mark" and token.text in ("[", "(", "{"):
            found, after = self.listed(at + 1, PAIRS[token.text], depth + 1)
            if token.text == "{":
                return next((one for one in found if isinstance(one, list)), UNKNOWN), after
            return (found[0] if token.text == "(" and len(found) == 1 else found), after
        if token.kind != "name":
            return UNKNOWN, at + 1
        name = token.text
        if self.mark(at + 1, "("):
            args, after = self.listed(at + 2, ")", depth + 1)
            return self.made(name, args), after
        if name in ("new", "my", "our", "local", "await", "return"):
            return self.primary(at + 1, depth)
        if name in HOMES:
            return self.job.scene.value("HOME") or UNKNOWN, at + 1
        if name in self.known:
            return self.known[name], at + 1
        held = self.held.get(name.lstrip("$"))
        if held is not None and depth < DEEP:
            return self.value(held, depth + 4)[0], at + 1
        return UNKNOWN, at + 1

    def made(self, name: str, args: list[object]) -> object:
        texts = [one if isinstance(one, str) else UNKNOWN for one in args]
        if name in DECODERS or name.rpartition(".")[2] in DECODERS:
            if name == "Buffer.from" and texts[1:2] == ["hex"]:
                return CALLED["bytes.fromhex"](texts, self.job.scene) or UNKNOWN
            if name != "Buffer.from" or texts[1:2] == ["base64"]:
                return CALLED["base64.b64decode"](texts, self.job.scene) or UNKNOWN
            return texts[0] if texts else UNKNOWN
        if name in HOMES:
            return self.job.scene.value("HOME") or UNKNOWN
        if name in JOINS:
            whole = ""
            for one in texts:
                whole = joined(whole, one)
            return whole
        if name == "c":
            return args
        return UNKNOWN

    # --- what calls do ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        for at, token in enumerate(self.tokens):
            if token.kind == "run":
                self.job.code(token.text)
            elif token.kind == "text":
                self.literal(at, token.text)
            elif token.kind == "name":
                self.look(at, token.text)
        if self.sends and any(one.kind == "name" and one.text in ENVIRONMENTS for one in self.tokens):
            self.job.note("read", "sends the environment", act="send")
        for word in self.reads:
            if word != UNKNOWN:
                self.job.add("read", word, f"{self.job.name} reads it", act="send" if self.sends else "")

    def literal(self, at: int, text: str) -> None:
        """A text that is a command (`"rm x".execute()`), or the name of a function that is called."""
        behind = [one.text for one in self.tokens[at + 1 : at + 3]]
        if self.language == "groovy" and behind[:2] == [".", "execute"]:
            self.job.code(text)
        elif self.language == "php" and self.mark(at - 1, "(") and self.tokens[at - 2].text in CALLERS:
            what = self.meaning(text)
            if what:
                self.act(what, text, [])

    def look(self, at: int, name: str) -> None:
        if name.rpartition(".")[2] == "$" and at + 1 < len(self.tokens) and self.tokens[at + 1].kind == "text":
            self.job.code(self.tokens[at + 1].text)  # a template that a shell runs
            return
        if name == "do" and [one.text for one in self.tokens[at : at + 3]] == ["do", "shell", "script"]:
            self.job.code(str(self.value(at + 3)[0]))
            return
        what = self.meaning(name)
        if what == "code" and at and self.tokens[at - 1].text in ("(", ",") and self.tokens[at + 1 : at + 2] in HANDED:
            self.act(what, name, [])  # handed over, to be called with something
        if not what or (self.mark(at + 1, "=") and not self.mark(at + 2, "=")):
            return
        if self.mark(at + 1, "("):
            args = self.listed(at + 2, ")", 0)[0]
        elif (
            self.language in BARE
            and at + 1 < len(self.tokens)
            and (self.tokens[at + 1].kind in ("text", "name") or self.tokens[at + 1].text in ("[", "("))
        ):
            args = self.listed(at + 1, ")" if self.language in LISPS else "", 0)[0]
        else:
            return
        self.act(what, name, args)

    def meaning(self, name: str) -> str:
        """What a call of this name does: by its last two parts, or its last."""
        parts = name.replace("::", ".").replace("->", ".").split(".")
        for tail in (name, ".".join(parts[-2:]), parts[-1]):
            if tail in DOES:
                if tail == "exec" and len(parts) > 1 and self.language in ("node", "deno"):
                    return "shell" if parts[0] in ("child_process", "cp", "shell") else ""
                return DOES[tail]
        if parts[-1] == "rm" and (
            len(parts) == 1 or parts[-2] in ("fs", "promises", "fsp", "fsPromises", "FileUtils", "f")
        ):
            return "deep" if self.language in ("node", "deno", "ruby", "julia") else ""
        return ""

    def act(self, what: str, name: str, args: list[object]) -> None:
        job = self.job
        texts = [one if isinstance(one, str) else UNKNOWN for one in args] or [UNKNOWN]
        first = (
            [one if isinstance(one, str) else UNKNOWN for one in args[0]]
            if args and isinstance(args[0], list)
            else texts[:1]
        )
        several = self.language in ("perl", "ruby") and what in ("delete", "deep") and len(args) > 1
        if several:
            first = texts
        first = [one for one in first if one] or [UNKNOWN]
        job.lent = job.lent or first[0][:1] != UNKNOWN  # below a folder that is written out: a loop over its names
        if what in ("deep", "delete", "empty"):
            job.all("delete", first, f"{job.name} names it", deep=what == "deep" or self.language == "rscript",
                    follow=False, act="empty" if what == "empty" else "")  # fmt: skip
        elif what == "move":
            job.all("delete", first, "moves it away", deep=True, follow=False, act="move")
            job.all("write", texts[1:2], "moves to it", deep=True)
        elif what == "copy":
            self.reads += first
            job.all("write", texts[1:2], "copies to it", deep=True)
        elif what in ("write", "mode"):
            job.all("write", first, f"{job.name} names it", act="mode" if what == "mode" else "")
        elif what == "read":
            self.reads += first
        elif what == "open":
            if set("".join(texts[1:2])) & set("wax+"):
                job.all("write", first, f"{job.name} names it")
            else:
                self.reads += first
        elif what in ("shell", "words"):
            self.start(what, texts, args)
        elif what == "code":
            if UNKNOWN in first[0]:
                job.fault(f"{job.name} runs text that only it knows", act="code.hidden")
            else:
                calls(job, first[0], self.language)
        else:
            job.note("network", f"{job.name} talks to {first[0].replace(UNKNOWN, '…')[:80]}")
            self.sends = self.sends or what == "send" or len(args) > 1

    def start(self, what: str, texts: list[str], args: list[object]) -> None:
        """A command is run: a text for a shell, or words."""
        words = next((one for one in args if isinstance(one, list)), None)
        plain = [one for one in texts if one != UNKNOWN]
        if words is not None:
            named = [] if args and args[0] is words else texts[:1]
            self.job.run([*named, *(one if isinstance(one, str) else UNKNOWN for one in words)])
        elif len(plain) > 1 and plain == texts and self.language in ("perl", "ruby", "php", "emacs", "racket"):
            self.job.run(plain)
        elif what == "words" and texts[0] != UNKNOWN and " " not in texts[0]:
            self.job.run([texts[0], *([UNKNOWN] if len(texts) > 1 else [])])
        else:
            self.job.code(None if texts[0] == UNKNOWN else texts[0])


def _perl_open(reader: Reader) -> None:
    """`open(F, '>', path)`, `open F, "path"`: the mode is the second argument."""
    for at, token in enumerate(reader.tokens):
        if token != ("name", "open"):
            continue
        args = reader.listed(at + 2, ")", 0)[0] if reader.mark(at + 1, "(") else reader.listed(at + 1, "", 0)[0]
        texts = [one if isinstance(one, str) else UNKNOWN for one in args][1:]
        mode = texts[0].strip() if texts else ""
        path = texts[1] if len(texts) > 1 else mode.lstrip("<>+ ")
        if mode[:1] == "|" or mode[-1:] == "|" or mode[:2] in ("-|", "|-"):
            reader.job.code(mode.strip("|") if len(texts) == 1 else path)
        elif mode[:1] == ">" or mode[:2] == "+<":
            reader.job.add("write", path, f"{reader.job.name} names it")
        else:
            reader.reads.append(path)


def _awk(reader: Reader) -> None:
    """`print | "command"`, `"command" | getline`, `print > "file"`."""
    end = Token("line", "")
    tokens, job, printing, depth, target = [*reader.tokens, end, end], reader.job, False, 0, -1
    job.lent = False
    for at, token in enumerate(tokens[:-1]):
        behind = at + 1 + (tokens[at + 1] == ("mark", "&"))
        if token.kind == "line" or (token.kind == "mark" and token.text in ";{}"):
            if target >= 0:
                job.add("write", str(reader.value(target)[0]), "awk >")
            printing, depth, target = False, 0, -1
        elif token == ("mark", "|") and ("mark", "|") not in (tokens[at + 1], tokens[at - 1]):
            held = reader.value(at - 1 if tokens[behind] == ("name", "getline") else behind)[0]
            own = job.again()
            own.feed = job.feed if tokens[behind] == ("name", "getline") else None
            own.code(None if held == UNKNOWN else str(held))
        elif token == ("mark", ">") and printing and not depth:
            target = at + 1
        if token.kind == "mark" and token.text in "()[]":
            depth += 1 if token.text in "([" else -1
        printing = printing or token in (("name", "print"), ("name", "printf"))
        if token.text in ("|", "@", "getline"):
            job.note("unknown", "an awk program that may write or run anything")


def calls(job: Job, code: str, language: str, known: dict[str, str] | None = None) -> None:
    """Report what the calls of a program do. `known`: variables that it is given."""
    own = job.again(job.scene.fork())
    own.feed = ""
    reader = Reader(own, tokens_of(code, language), language)
    reader.known = known or {}
    if language in OWN:
        OWN[language](reader)
    reader.run()


OWN = {"perl": _perl_open, "awk": _awk}
"""Languages with statements of their own that open or run something."""
