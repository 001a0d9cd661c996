"""Programs of Python given as text: which of their calls touch files, run commands, or leave the machine.

The text is parsed and never run. Names are followed through imports, assignments and calls, in no order: each value
that a name may hold counts.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.programs import is_program
from jackline.shell.rules.python_values import BINDERS, MANY, STAND_IN, VALUES, Named, Pathy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from jackline.shell.job import Job

    Ran = Callable[[Job, list[str], str, list[str]], bool]


ONLY_TREE = 0x400
NODES = 40_000
"""Nodes of a program that we look at."""

DEEP = 12

_CALLS = {
    # What is done, to which argument, as `kind` or `kind:how`, and the calls that do it.
    "delete 0": "os.remove os.unlink os.removedirs",
    "delete:deep 0": "shutil.rmtree distutils.dir_util.remove_tree send2trash.send2trash",
    "delete:empty 0": "os.rmdir",
    "move 0": "os.rename os.replace os.renames shutil.move",
    "copy 0": "shutil.copy shutil.copy2 shutil.copyfile",
    "copy:deep 0": "shutil.copytree",
    "write 0": "os.truncate os.mkfifo os.mknod os.mkdir os.makedirs os.open sqlite3.connect shelve.open dbm.open",
    "write 1": "os.symlink os.link",
    "write:mode 0": "os.chmod os.chown os.lchown shutil.chown",
    "shell 0": "os.system os.popen subprocess.getoutput subprocess.getstatusoutput popen2.popen2 commands.getoutput "
               "asyncio.create_subprocess_shell pexpect.run pexpect.spawn sh.bash plumbum.local invoke.run fabric.run",
    "run 0": "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn",
    "run 1": "os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp",
    "run 2": "os.spawnv os.spawnvp os.spawnve os.spawnvpe",
    "words 0": "os.execl os.execlp os.execle os.execlpe asyncio.create_subprocess_exec",
    "words 1": "os.spawnl os.spawnlp",
    "code 0": "exec eval builtins.exec builtins.eval",
    "file 0": "runpy.run_path",
    "send 0": "urllib.request.urlopen urllib.request.Request urllib2.urlopen requests.post requests.put requests.patch "
              "httpx.post httpx.put httpx.patch requests.request smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP "
              "http.client.HTTPSConnection http.client.HTTPConnection paramiko.SSHClient boto3.client",
    "ask 0": "requests.get requests.head httpx.get urllib.request.urlretrieve",
    "open 0": "io.open codecs.open open builtins.open os.fdopen zipfile.ZipFile tarfile.open gzip.open bz2.open "
              "lzma.open",
    "member 1": "getattr",
    "member 0": "operator.attrgetter operator.methodcaller __import__ importlib.import_module",
    "enter 0": "os.chdir",
    "read 0": "os.listdir os.walk os.scandir glob.glob glob.iglob",
}  # fmt: skip
CALLS = {name: what for what, names in _CALLS.items() for name in names.split()}

ON_VALUE = {
    # Methods by which a value that may be a path is touched.
    "unlink": "delete", "rmtree": "delete:deep", "rmdir": "delete:empty", "write_text": "write",
    "write_bytes": "write", "touch": "write", "mkdir": "write", "chmod": "write:mode", "symlink_to": "write",
    "hardlink_to": "write", "read_text": "read", "read_bytes": "read", "iterdir": "read",
}  # fmt: skip

SENDS = ("post", "put", "patch", "upload_file", "upload_fileobj", "put_object", "sendall", "sendmail", "send_message")
CARRIES = ("data", "json", "files", "content", "body")
HIDDEN = ("__builtins__", "__globals__", "__subclasses__", "__code__", "marshal", "_posixsubprocess", "ctypes")


def nodes_of(tree: Any) -> Iterator[Any]:
    """A tree, and all that is in it."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for child in [getattr(node, name, None) for name in node._fields]:
            parts = reversed(child) if isinstance(child, list) else [child]
            todo.extend(one for one in parts if hasattr(one, "_fields"))


class Program:
    """One program: what its names may stand for, and the job that reports what it does."""

    def __init__(self, job: Job, args: list[str], ran: Ran) -> None:
        self.job = job
        self.ran = ran
        self.args = args
        self.nodes: list[Any] = []
        self.named: dict[str, list[tuple[str, Any]]] = {}
        self.functions: dict[str, Any] = {}
        self.sends = False
        self.bares = False
        self.reads: list[str] = []
        self.known: dict[tuple[int, int], list[Any]] = {}

    def bind(self, target: Any, how: str, value: Any) -> None:
        kind = type(target).__name__
        if kind == "Name":
            self.named.setdefault(target.id, []).append((how, value))
        elif kind in ("Tuple", "List"):
            values = getattr(value, "elts", None) if how == "is" else None
            for at, one in enumerate(target.elts):
                if values and len(values) == len(target.elts):
                    self.bind(one, "is", values[at])
                else:
                    self.bind(one, f"{how}.{at}", value)

    def gather(self, tree: Any) -> bool:
        """Every node, and what the names are bound to. False when there are too many."""
        for node in nodes_of(tree):
            self.nodes.append(node)
            if len(self.nodes) > NODES:
                return False
            kind = type(node).__name__
            if kind in BINDERS:
                BINDERS[kind](self, node)
        for node in self.nodes:
            if type(node).__name__ == "Call" and type(node.func).__name__ == "Name" and node.func.id in self.functions:
                told = self.functions[node.func.id].args
                for one, value in zip([*told.posonlyargs, *told.args], node.args, strict=False):
                    self.named.setdefault(one.arg, []).append(("is", value))
        return True

    def values(self, node: Any, depth: int = 0) -> list[Any]:
        """What an expression may be: texts (`UNKNOWN` in them), lists, names of modules and functions; None unknown."""
        if depth > DEEP:
            return [None]
        read = VALUES.get(type(node).__name__)
        found = self.known.get((id(node), depth))
        if found is None:
            made = read(self, node, depth + 1)[:MANY] if read else []
            found = self.known[id(node), depth] = made or [None]
        return found

    def words(self, value: Any) -> list[str]:
        return [str(one) if isinstance(one, str) else UNKNOWN for one in value]

    def argument(self, node: Any, at: int, *names: str) -> Any:
        if at < len(node.args):
            return None if type(node.args[at]).__name__ == "Starred" else node.args[at]
        return next((one.value for one in node.keywords if one.arg in names), None)

    def texts(self, node: Any, at: int, *names: str) -> list[str]:
        told = self.argument(node, at, *names, *WORDS.get(at, ()))
        return self.words(self.values(told)) if told else [UNKNOWN]

    def touch(self, kind: str, words: list[str], note: str = "") -> None:
        kind, _, how = kind.partition(":")
        if kind == "read":
            self.reads += words
            return
        for word in words:
            act = how if how in ("mode", "empty") else ""
            self.job.add(kind, word, note or f"{self.job.name} names it", deep=how == "deep", follow=False, act=act)  # type: ignore[arg-type]

    def call(self, node: Any) -> None:
        if any(self.values(one)[:1] == ["os.environ"] for one in [*node.args, *(one.value for one in node.keywords)]):
            self.bares = True
        for what in self.values(node.func):
            if isinstance(what, Named) and str(what) in CALLS:
                told, where = CALLS[str(what)].split()
                kind, _, how = told.partition(":")
                DOES[kind](self, node, int(where), how)
                return
        if type(node.func).__name__ == "Attribute":
            self.method(node, node.func.attr)
        elif type(node.func).__name__ == "Call" and Named("getattr") in self.values(node.func.func):
            base = self.values(node.func.args[0])[0] if node.func.args else None
            if base is None or base in SYSTEM:
                act = "code.hidden" if base in SYSTEM else "code.unknown"
                self.job.fault(f"{self.job.name} calls what only it knows", act=act)

    def method(self, node: Any, name: str) -> None:
        """A call on a value: a path, a connection, or something that we do not know."""
        held = self.values(node.func.value)
        if name in ON_VALUE:
            texts = [str(one) if isinstance(one, str) and not isinstance(one, Named) else UNKNOWN for one in held]
            if name != "mkdir" and not (name == "read_text" and texts == [UNKNOWN]):
                self.touch(ON_VALUE[name], texts)
        elif name in ("rename", "replace") and len(node.args) == 1 and not node.keywords:
            kind = type(node.args[0]).__name__
            if kind not in ("Dict", "Lambda") and not (kind == "Constant" and not isinstance(node.args[0].value, str)):
                self.moves(self.words(held), self.texts(node, 0))
        elif name in ("system", "popen") and node.args:
            self.shell(node, 0, "")
        elif name in ("run", "sudo", "local"):  # of a recipe, of a connection
            words = [str(self.texts(node, at)[0]) for at in range(len(node.args))]
            if words and is_program(words[0].partition(" ")[0]):
                self.job.code(words[0]) if " " in words[0] else self.job.run(words)
        elif name == "open" and any(isinstance(one, Pathy) for one in held):
            mode = "".join(map(str, self.texts(node, 0, "mode")[:1])) if node.args or node.keywords else "r"
            self.touch("write" if set(mode) & set("wax+") else "read", [str(one) for one in held if one])
        elif name in SENDS:
            self.sends = True
            self.job.note("network", f"{self.job.name} sends something")
        elif name == "connect" and node.args and type(node.args[0]).__name__ == "Tuple":
            self.sends, self.job.feed = True, None
            self.job.note("network", f"{self.job.name} connects")
        elif name == "extractall":
            self.touch("write:deep", self.texts(node, 0, "path") if node.args or node.keywords else ["."])

    def moves(self, sources: list[str], targets: list[str]) -> None:
        self.job.all("delete", sources, "moves it away", deep=True, follow=False, act="move")
        self.job.all("write", targets, "moves to it")

    def copies(self, node: Any, at: int, how: str) -> None:
        self.touch("read", self.texts(node, 0))
        self.touch(f"write:{how}", self.texts(node, 1))

    def shell(self, node: Any, at: int, how: str) -> None:
        for text in self.texts(node, at, "cmd", "command"):
            self.job.code(None if text == UNKNOWN else text)

    def run(self, node: Any, at: int, how: str) -> None:
        """`subprocess`: a list of words, or a text for a shell."""
        told = self.argument(node, at, "args")
        job = self.job
        for cwd in [self.values(one.value)[0] for one in node.keywords if one.arg == "cwd"]:
            job = job.again(job.scene.fork())
            job.scene.enter(cwd if isinstance(cwd, str) else UNKNOWN)
        shell = any(one.arg == "shell" and getattr(one.value, "value", True) for one in node.keywords)
        for value in self.values(told) if told is not None else [None]:
            words = self.words(value) if isinstance(value, list) else []
            if words and not shell:
                job.run(["python3" if words[0] == "sys.executable" else words[0], *words[1:]])
            elif value != []:
                job.code(words[0] if words else value if isinstance(value, str) else None)

    def listed(self, node: Any, at: int, how: str) -> None:
        """Words that stand in the call itself; `execl` has the program's name twice."""
        words = [str(self.texts(node, one)[0]) for one in range(at, len(node.args))]
        twice = len(words) > 1 and words[0].rpartition("/")[2] == words[1].rpartition("/")[2]
        self.job.run(words[1:] if twice else words)

    def evaluate(self, node: Any, at: int, how: str) -> None:
        for text in self.texts(node, at, "source"):
            if UNKNOWN in text:
                calls = [one for arg in node.args for one in nodes_of(arg) if type(one).__name__ == "Call"]
                opened = [self.texts(one, 0) for one in calls if self.values(one.func)[:1] == ["open"]]
                for words in opened:
                    self.file(words)
                if not opened or opened == [[UNKNOWN]]:
                    self.job.fault(f"{self.job.name} runs text that only it knows", act="code.hidden")
            else:
                program(self.job, text, self.args, self.ran)

    def file(self, words: list[str]) -> None:
        """Programs that lie in files are run."""
        self.job.all("execute", words, f"{self.job.name} runs it")
        for word in words:
            self.ran(self.job, [word], "python", self.args)

    def imports(self, names: list[str]) -> None:
        """What a program imports. That of a command names it; ours is run by its command alone."""
        for name in names:
            place = name.replace(".", "/")
            if not self.job.walk.within and self.job.walk.since:
                self.ran(self.job, [f"{place}.py", f"{place}/__init__.py"], "python", [])
            if name.startswith("jackline") and name.partition(".")[2].partition(".")[0] not in ("sdk", "inprocess"):
                self.job.note("unknown", f"uses {name}", act="code.open")

    def opens(self, node: Any, at: int, how: str) -> None:
        mode = self.argument(node, 1, "mode")
        told = self.values(mode)[0] if mode is not None else "r"
        # A mode that we do not know is likely a path for an argument of another function.
        writes = isinstance(told, str) and bool(set(told) & set("wax+"))
        self.touch("write" if writes else "read", self.texts(node, at, "file"))

    def asks(self, node: Any, at: int, how: str) -> None:
        where = self.texts(node, at, "url")[0].replace(UNKNOWN, "…")
        self.job.note("network", f"{self.job.name} asks {where}")
        if how == "send" and (len(node.args) > 1 or any(one.arg in CARRIES for one in node.keywords)):
            self.sends = True

    def enters(self, node: Any, at: int, how: str) -> None:
        self.job.scene.enter(self.texts(node, at)[0])


SYSTEM = ("os", "subprocess", "shutil", "builtins", "pathlib", "importlib", "pty", "posix", "sys.modules")


def _pieces(program: Program, node: Any) -> bool:
    """The text is made of pieces, and all of them are known: somebody took the trouble."""
    if type(node).__name__ in ("Constant", "Name"):
        return False
    return all(
        isinstance(one, str) and not isinstance(one, Named) and UNKNOWN not in one for one in program.values(node)
    )


def member(program: Program, node: Any, at: int, how: str) -> None:
    """`getattr(module, name)`, `__import__(name)`: a call that takes something by its name."""
    told = program.argument(node, at, "name")
    if told is None or type(told).__name__ == "Constant":
        return
    if _pieces(program, told) or (at and str(program.values(node.args[0])[0]) in SYSTEM):
        program.job.fault(f"{program.job.name} calls what only it knows", act="code.hidden")


def subscript(program: Program, node: Any) -> None:
    """`vars(os)[name]`, `sys.modules[name]`, `globals()[name]`."""
    held, kind = node.value, type(node.value).__name__
    plain = type(node.slice).__name__ == "Constant"
    if kind == "Attribute" and held.attr == "__dict__":
        hidden = str(program.values(held.value)[0]) in SYSTEM
    elif kind == "Call" and program.values(held.func)[0] == "vars" and held.args:
        hidden = str(program.values(held.args[0])[0]) in SYSTEM
    else:
        named = program.values(held.func if kind == "Call" else held)[0]
        hidden = str(named) in ("globals", "locals", "sys.modules") and not plain and _pieces(program, node.slice)
    if hidden:
        program.job.fault(f"{program.job.name} takes what only it knows", act="code.hidden")


WORDS = {0: ("path", "src", "file", "name", "filename"), 1: ("dst",)}

DOES: dict[str, Callable[[Program, Any, int, str], None]] = {
    "delete": lambda self, node, at, how: self.touch(f"delete:{how}", self.texts(node, at)),
    "write": lambda self, node, at, how: self.touch(f"write:{how}", self.texts(node, at)),
    "read": lambda self, node, at, how: self.touch("read", self.texts(node, at)),
    "file": lambda self, node, at, how: self.file(self.texts(node, at)),
    "move": lambda self, node, at, how: self.moves(self.texts(node, 0), self.texts(node, 1)),
    "copy": Program.copies,
    "shell": Program.shell,
    "run": Program.run,
    "words": Program.listed,
    "code": Program.evaluate,
    "open": Program.opens,
    "ask": lambda self, node, at, how: self.asks(node, at, ""),
    "send": lambda self, node, at, how: self.asks(node, at, "send"),
    "enter": Program.enters,
    "member": member,
}  # fmt: skip


def tree_of(code: str) -> Any:
    """The program as a tree, None when it is none that this Python reads."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(code.replace(UNKNOWN, STAND_IN), "-", "exec", ONLY_TREE, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def program(job: Job, code: str, args: list[str], ran: Ran) -> bool:
    """Report what a program does; `ran` reads a file that it runs. False when it cannot be read."""
    tree = tree_of(code)
    made = Program(job.again(job.scene.fork()), args, ran)
    made.job.feed = "" if code == job.feed else job.feed
    if tree is None or not made.gather(tree):
        return False
    for node in made.nodes:
        if type(node).__name__ == "Call":
            made.call(node)
        elif type(node).__name__ == "Subscript":
            subscript(made, node)
    made.imports([one.name for node in made.nodes if type(node).__name__ == "Import" for one in node.names])
    made.imports([node.module or "" for node in made.nodes if type(node).__name__ == "ImportFrom" and not node.level])
    if any(type(node).__name__ in ("Name", "Attribute", "alias") and _word(node) in HIDDEN for node in made.nodes):
        job.fault(f"{job.name} reaches behind its own names", act="code.hidden")
    if made.bares:
        job.note("read", "prints the environment", act="send" if made.sends else "")
    for word in made.reads:
        if word != UNKNOWN:
            made.job.add("read", word, f"{job.name} reads it", act="send" if made.sends else "")
    return True


def _word(node: Any) -> str:
    return str(getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", ""))
