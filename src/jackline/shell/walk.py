"""Walk through a script that was read, in the order it runs, and collect every simple command and its effects."""

from __future__ import annotations

from jackline.shell.expand import calm, fields, joined, value
from jackline.shell.grammar import Assign, Grammar, Node
from jackline.shell.job import Job
from jackline.shell.lexis import DEPTH, PARAM, PIPE, RUN, SUM, Unreadable, Word
from jackline.shell.model import UNKNOWN, Command, Effect
from jackline.shell.programs import judge
from jackline.shell.scene import MARKS, marked, shown
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.grammar import Redir
    from jackline.shell.lexis import Parts
    from jackline.shell.scene import Scene

COMMANDS = 2_000
STEPS = 10_000
"""Simple commands, and nodes walked, in one text; what has more is not understood."""

LENGTH = 65_536
"""Characters of a variable's value that we keep."""

VALUES = 16
"""Rounds of a loop that are walked one by one."""


def changed(node: Node) -> set[str]:
    """Names of variables that a command may set."""
    found: set[str] = set()
    todo: list[object] = [node]
    while todo:
        item = todo.pop()
        if isinstance(item, (tuple, list)):
            todo.extend(item)
        elif isinstance(item, Assign):
            found.add(item.name)
        elif isinstance(item, Word):
            if item.bare.isidentifier():
                found.add(item.bare)  # `read name`, `printf -v name`
            todo.extend(part[4] for part in item.parts if part[0] is PARAM)
        elif isinstance(item, Node):
            if item.kind == "for":
                found.add(item.name)
            todo.extend((item.items, item.words, item.assigns))
    return found


def leaves(node: Node) -> bool:
    """The command certainly ends the script or the loop it stands in."""
    if node.kind in ("group", "list") and node.items:
        last = node.items[-1]
        return leaves(last[1] if node.kind == "list" else last)
    first = node.words[0] if node.kind == "simple" and node.words else None
    return isinstance(first, Word) and first.bare in ("exit", "return", "break", "continue")


class Walk:
    """What was found so far. `literal`: places in the text mean something to the caller."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.effects: dict[Effect, None] = {}
        self.faults: dict[str, None] = {}
        self.captured: set[int] = set()
        self.depth = 0
        self.remote = 0
        self.steps = 0
        self.calls: list[str] = []
        self.locals: list[dict[str, str | None]] = []

    # --- reports ---------------------------------------------------------------------------------------------------

    def effect(self, effect: Effect) -> None:
        self.effects[effect] = None

    def fault(self, why: str) -> None:
        self.faults[why] = None

    def exists(self, scene: Scene, word: str) -> bool:
        if word.startswith("/"):
            return exists(word)
        return any(cwd and exists(f"{cwd}/{word}") for cwd in scene.cwds)

    def code(self, text: str, scene: Scene, job: Job) -> str | None:
        """Read and walk a text that a command passes to a shell."""
        if UNKNOWN in text:
            job.fault(f"{job.name} runs text that only the shell knows in part")
        text = text.translate({1: "*", 2: "?", 3: "["})
        if self.depth >= DEPTH:
            job.fault("nested too deeply")
            return None
        try:
            node = Grammar(text, self.depth, literal=False).script()
        except Unreadable as fault:
            job.fault(f"{job.name} runs text that we cannot read: {fault}")
            return None
        first = len(self.commands)
        self.depth += 1
        self.remote += job.remote
        printed = self.run(node, scene, job.feed)
        self.remote -= job.remote
        self.depth -= 1
        chain = (*job.wrappers, job.name)
        for at in range(first, len(self.commands)):
            command = self.commands[at]
            self.commands[at] = command._replace(
                wrappers=chain + command.wrappers, fed=command.fed or job.fed, start=-1, after=-1, end=-1
            )
        return printed

    # --- structure -------------------------------------------------------------------------------------------------

    def run(self, node: Node, scene: Scene, feed: str | None = "") -> str | None:
        """Walk one command. Returns what it prints, when that is certain."""
        if node.redirs and node.kind != "simple":
            feed = self.redirect(node.redirs, scene, feed, Job(self, ["{"], scene))[1]
        self.depth += 1
        self.steps += 1
        if self.steps > STEPS:
            raise Unreadable("more steps than we follow")
        if self.depth > DEPTH * 4:
            raise Unreadable("nested too deeply")
        printed = WALKS[node.kind](self, node, scene, feed)
        self.depth -= 1
        return None if any(redir.op[0] != "<" for redir in node.redirs) else printed

    def substitute(self, node: Node, scene: Scene) -> str | None:
        """`$(…)`: its commands print into a word, not into the pipeline."""
        first = len(self.commands)
        printed = self.run(node, scene.fork(), "")
        self.captured.update(range(first, len(self.commands)))
        return printed

    def sequence(self, node: Node, scene: Scene, feed: str | None) -> str | None:
        printed: str | None = ""
        strays: tuple[str, ...] = ()
        before: dict[str, str | None] = {}
        items = node.items
        for at, (op, item) in enumerate(items):
            following = items[at + 1][0] if at + 1 < len(items) else ";"
            if op == "||":
                if leaves(item):
                    strays = ()
                scene.wander(strays)
            held = scene.cwds
            own = scene.fork() if following == "&" else scene
            text = self.run(item, own, feed)
            if op not in ("&&", "||"):
                before = dict(scene.vars)
            printed = None if printed is None or text is None or op == "||" else printed + text
            if scene.cwds != held and not scene.certain:
                strays += held
            scene.certain = False
            if following not in ("&&", "||"):
                scene.wander(strays)
                strays = ()
                if op in ("&&", "||"):
                    for name, old in scene.vars.items():
                        if before.get(name, UNKNOWN) != old:
                            scene.vars[name] = None
        return printed

    def pipeline(self, node: Node, scene: Scene, feed: str | None) -> str | None:
        firsts: list[int] = []
        stages = len(node.items)
        for at, stage in enumerate(node.items):
            own = scene.fork()
            firsts.append(len(self.commands))
            feed = self.run(stage, own, feed)
            if at == stages - 1:
                for name, held in own.vars.items():
                    if scene.vars.get(name, UNKNOWN) != held:
                        scene.vars[name] = None  # zsh runs the last stage in this shell
        firsts.append(len(self.commands))
        heads = [self.head(firsts[at], firsts[at + 1]) for at in range(stages)]
        for at in range(stages):
            into = heads[at + 1] if at + 1 < stages else ()
            source = heads[at - 1] if at else ()
            for index in range(firsts[at], firsts[at + 1]):
                command = self.commands[index]
                if index not in self.captured:
                    words = command.piped_into_words or into
                    self.commands[index] = command._replace(
                        piped_from=command.piped_from or source, piped_into_words=words, piped_into="".join(words[:1])
                    )
        return feed

    def head(self, first: int, last: int) -> tuple[str, ...]:
        """The words of the first command of a stage that is not inside a word."""
        for index in range(first, last):
            if index not in self.captured:
                return self.commands[index].words
        return ("",)

    def group(self, node: Node, scene: Scene, feed: str | None) -> str | None:
        return self.run(node.items[0], scene, feed)

    def subshell(self, node: Node, scene: Scene, feed: str | None) -> str | None:
        return self.run(node.items[0], scene.fork(), feed)

    def conditional(self, node: Node, scene: Scene, feed: str | None) -> None:
        after: list[Scene] = []
        for condition, body in node.items:
            if condition is not None:
                self.run(condition, scene, feed)
            own = scene.fork()
            self.run(body, own, feed)
            after.append(own)
        if node.items[-1][0] is not None:
            after.append(scene.fork())
        scene.join(after)

    def loop(self, node: Node, scene: Scene, feed: str | None) -> None:
        for name in changed(node):
            if name in scene.vars or node.kind != "while":
                scene.vars[name] = None
        self.rounds(node, scene, feed, [None])

    def rounds(self, node: Node, scene: Scene, feed: str | None, values: list[str | None]) -> None:
        """Walk a loop's body once for each value; none at all is possible, too."""
        before = scene.fork()
        for held in values:
            if node.name:
                scene.vars[node.name] = held
            for item in node.items:
                self.run(item, scene, None if feed is None else feed)
        if scene.cwds != before.cwds:
            scene.cwds = ("",)  # the next round begins where the last one ended
            for item in node.items:
                self.run(item, scene, feed)
        scene.join([scene.fork(), before])

    def repeat(self, node: Node, scene: Scene, feed: str | None) -> None:
        self.walked(node.parts, scene)
        values: list[str | None] = [None]
        if node.words is None and scene.args is not None:
            values = list(scene.args[1:])
        elif node.words:
            values = [field for word in node.words for field in fields(word.parts, scene, self.substitute)]
        for name in changed(node):
            scene.vars[name] = None
        many = len(values) > VALUES
        self.rounds(node, scene, feed, [None] if many or not values else values)
        if node.name:
            scene.vars[node.name] = None

    def case(self, node: Node, scene: Scene, feed: str | None) -> None:
        after = [scene.fork()]
        self.walked(node.words[0].parts if node.words else (), scene)
        for patterns, body in node.items:
            for pattern in patterns:
                self.walked(pattern.parts, scene)
            own = scene.fork()
            self.run(body, own, feed)
            after.append(own)
        scene.join(after)

    def function(self, node: Node, scene: Scene, feed: str | None) -> str:
        scene.functions[node.name] = (node.items[0],)
        if node.name.startswith("command_not_found_hand"):
            self.run(node.items[0], scene.fork(), feed)
        return ""

    def sum(self, node: Node, scene: Scene, feed: str | None) -> str:
        self.walked(node.parts, scene)
        calm(scene)
        return ""

    def coproc(self, node: Node, scene: Scene, feed: str | None) -> None:
        self.run(node.items[0], scene.fork(), None)

    def walked(self, parts: Parts, scene: Scene) -> None:
        """Run what stands inside words that are not kept."""
        for part in parts:
            if part[0] in (RUN, PIPE, PARAM, SUM):
                value(part, scene, self.substitute)

    # --- simple commands -------------------------------------------------------------------------------------------

    def redirect(
        self, redirs: tuple[Redir, ...], scene: Scene, feed: str | None, job: Job
    ) -> tuple[tuple[tuple[str, str], ...], str | None]:
        """Report what redirections do. Returns them with their targets, and the input they give."""
        found = []
        for redir in redirs:
            if redir.op in ("<<", "<<-"):
                text: str | None = joined(redir.body, scene, self.substitute)
                found.append((redir.fd + redir.op, shown(text or "")))
            elif redir.op == "<<<":
                text = joined(redir.target.parts, scene, self.substitute) + "\n"
                found.append((redir.fd + redir.op, shown(text)))
            else:
                target = " ".join(fields(redir.target.parts, scene, self.substitute))
                found.append((redir.fd + redir.op, shown(target)))
                text = self.opened(redir.op, target, scene, job)
            if redir.op[0] == "<" and redir.fd in ("", "0"):
                feed = text
            elif redir.op[0] == "<" and redir.fd.isdigit():
                scene.vars[f"/dev/fd/{redir.fd}"] = text
            elif redir.fd[:1] == "{":
                scene.vars[redir.fd[1:-1]] = None
            elif redir.fd.isdigit() and redir.op[0] == ">" and int(redir.fd) > 2:
                scene.vars[f"/dev/fd/{redir.fd}"] = None
        return tuple(found), feed

    def opened(self, op: str, target: str, scene: Scene, job: Job) -> str | None:
        """What opening `target` does, and the text that can be read from it."""
        if op in (">&", "<&") and (target.rstrip("-").isdigit() or target == "-"):
            return scene.vars.get(f"/dev/fd/{target}")
        if target.startswith(("/dev/tcp/", "/dev/udp/")):
            job.note("network", f"connects to {shown(target)[9:]}")
            return None
        if op[0] == "<":
            job.add("read", target, op)
            if op == "<>":
                job.add("write", target, op)
            return "" if target == "/dev/null" else scene.vars.get(target)
        job.add("write", target, op)
        return None

    def assign(self, assign: Assign, scene: Scene) -> tuple[str, str]:
        """Set a variable; returns it with what is known of its value."""
        if assign.value is None:
            self.walked(assign.parts, scene)
            scene.vars[assign.name] = None
            return assign.name, UNKNOWN
        text = joined(assign.value.parts, scene, self.substitute, assigned=True)
        if assign.append:
            held = scene.value(assign.name)
            text = (UNKNOWN if held is None else held) + text
        scene.vars[assign.name] = None if text == UNKNOWN or len(text) > LENGTH else text
        if assign.name == "HOME":
            scene.home = "" if UNKNOWN in text else text
        return assign.name, text

    def simple(self, node: Node, scene: Scene, feed: str | None) -> str | None:
        words: list[str] = []
        spots: list[tuple[int, int] | None] = []
        for word in node.words or ():
            if isinstance(word, Assign):
                if self.calls and words[0] in ("local", "declare", "typeset"):
                    self.local(word.name, scene)
                words.append("=".join(self.assign(word, scene)))
                spots.append(None)
                continue
            made = fields(word.parts, scene, self.substitute)
            words.extend(made)
            literal = len(made) == 1 and node.start >= 0
            spots.extend([(word.start, word.end) if literal else None] * len(made))
        own = scene if not words else scene.fork()
        assigns = tuple(self.assign(assign, own) for assign in node.assigns)
        job = Job(self, words, scene, feed)
        job.assigns = assigns
        job.redirs, job.feed = self.redirect(node.redirs, scene, feed, job)
        job.spots = spots
        if not words:
            for name, _ in assigns:
                self.variable(name, job)
            return "" if not node.redirs else job.feed
        job.end = node.end
        return self.call(job)

    def local(self, name: str, scene: Scene) -> None:
        """A variable of the function we are in: what it held comes back when the function ends."""
        self.locals[-1].setdefault(name, scene.vars.get(name, UNKNOWN))

    def variable(self, name: str, job: Job) -> None:
        """Some variables change what other programs run."""
        from jackline.shell.programs import POWERS

        if name in POWERS or name.startswith(("GIT_", "LD_", "DYLD_", "BASH_FUNC_", "npm_config_")):
            job.note("unknown", f"{name} changes what programs run")

    def call(self, job: Job) -> str | None:
        """One simple command, its words expanded."""
        if len(self.commands) >= COMMANDS:
            raise Unreadable("more commands than we read")
        scene, words = job.scene, job.words
        for name, text in job.assigns:
            self.variable(name, job)
            if UNKNOWN in text and name in ("PATH", "LD_PRELOAD"):
                job.fault(f"{name} is set to what only the shell knows")
        start, after = job.spots[0] or (-1, -1)
        into = Command(
            tuple(map(shown, words)),
            shown(job.name),
            tuple((name, shown(text)) for name, text in job.assigns),
            job.redirs,
            tuple(index for index, word in enumerate(words) if any(mark in word for mark in MARKS[1:4])),
            job.wrappers,
            scene.cwd,
            job.fed,
            (),
            "",
            (),
            start,
            after,
            job.end if start >= 0 else -1,
        )
        self.commands.append(into)
        if marked(words[0]):
            job.fault(f"the command word is one that only the shell knows: {shown(words[0]).replace(UNKNOWN, '…')}")
            job.mentions(words[1:])
            return None
        if not job.name:
            return None
        nodes = scene.functions.get(words[0])
        if nodes and (not job.wrappers or job.wrappers[-1] in ("time", "noglob")):
            return self.defined(nodes, job)
        return judge(job)

    def defined(self, nodes: tuple[Node, ...], job: Job) -> str | None:
        """A function of the script is called."""
        if self.calls.count(job.words[0]) > 1 or len(self.calls) > DEPTH:
            job.fault(f"{job.words[0]} calls itself")
            return None
        self.calls.append(job.words[0])
        self.locals.append({})
        args, job.scene.args = job.scene.args, job.words
        printed: str | None = None
        for node in nodes:
            printed = self.run(node, job.scene, job.feed)
        job.scene.args = args
        for name, held in self.locals.pop().items():
            if held == UNKNOWN:
                job.scene.vars.pop(name, None)  # it was not set by the script
            else:
                job.scene.vars[name] = held
        self.calls.pop()
        return printed if len(nodes) == 1 else None


WALKS: dict[str, Callable[[Walk, Node, Scene, str | None], str | None]] = {
    "simple": Walk.simple,
    "list": Walk.sequence,
    "pipeline": Walk.pipeline,
    "group": Walk.group,
    "subshell": Walk.subshell,
    "if": Walk.conditional,
    "while": Walk.loop,
    "for": Walk.repeat,
    "case": Walk.case,
    "function": Walk.function,
    "sum": Walk.sum,
    "test": Walk.sum,
    "coproc": Walk.coproc,
}
