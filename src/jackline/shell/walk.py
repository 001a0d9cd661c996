"""Walk through a script that was read, and collect every simple command and its effects. `flow` knows the order."""

from __future__ import annotations

from jackline._record import of
from jackline.shell import credential_names, flow, launch
from jackline.shell.command_call import Job
from jackline.shell.dispatch import guessed, judge, lends
from jackline.shell.expand import evaluated, fields, joined, lent, summed, value
from jackline.shell.grammar import Grammar
from jackline.shell.lexis import DEPTH, PARAM, PIPE, RUN, SUM, TEXT, Word
from jackline.shell.model import UNKNOWN, WORD, Command, Effect, Effects, Text, Unreadable
from jackline.shell.nodes import Assign, Node
from jackline.shell.shell_state import BELOW, MARKS, TOLD, Scene, marked, shown
from jackline.shell.texts import Read, reading
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.lexis import Parts

COMMANDS = 2_000
STEPS = 10_000
"""Simple commands, and nodes walked, in one text; what has more is not understood."""

HERE = frozenset(["eval", "source", ".", "command", "builtin", "trap", "mapfile", "readarray", "let", "-"])
"""Programs that run in this shell, and read its variables."""

UNGLOBBED = frozenset(MARKS[1:4]).isdisjoint

LENGTH = 65_536
"""Characters of a variable's value that we keep."""


class Walk:
    """What was found so far. `literal`: places in the text mean something to the caller."""

    depth = 0
    input: str | None = ""  # what a command that is being read would read
    remote = 0
    feeding = 0
    mounts: tuple[tuple[str, str], ...] = ()  # places in a container, and what of this machine stands there
    fresh = False  # the container was made for this command
    steps = 0
    since: int | None = None  # files that are run are read: those written since then as the command itself
    sure = True  # the text that is walked stands in the command as it is
    source = ""  # the file of this session whose text is walked
    program = False  # that is a program, no text of a shell
    within: tuple[Read, ...] = ()  # the files that lead here
    chain: tuple[str, ...] = ()  # the programs that run the text which is walked

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.effects: dict[tuple[object, ...], Effect] = {}  # by their fields
        self.faults: dict[str, str] = {}  # and in which file of this session
        self.texts: list[Text] = []
        self.captured: set[int] = set()
        self.sinks: list[int] = []
        self.written: dict[str, str | None] = {}  # files that the text fills, and with what, where that is known
        self.calls: list[str] = []
        self.locals: list[dict[str, str | None]] = []
        self.traps: list[tuple[str, Job, Scene]] = []
        self.touched: set[str] = set()  # variables set behind a trap

    # --- reports ---------------------------------------------------------------------------------------------------

    def fault(self, why: str) -> None:
        self.faults.setdefault(why, self.source)

    def answer(self, whole: bool, *, own: bool = False) -> Effects:
        """What was found, for the guards; `own`: of it what texts of this session do."""
        why = "; ".join([why for why, source in self.faults.items() if source or not own])
        found = [one for one in self.effects.values() if one.source] if own else [*self.effects.values()]
        if why and not any(effect.kind == "unknown" for effect in found):
            found.append(Effect("unknown", note=why))
        commands = tuple([one for one in self.commands if one.source] if own else self.commands)
        return Effects(tuple(found), commands, not why, why, whole, () if own else tuple(self.texts))

    def exists(self, scene: Scene, word: str) -> bool:
        if word.startswith("/"):
            return exists(word)
        return any(cwd and exists(f"{cwd}/{word}") for cwd in scene.cwds)

    def code(self, text: str, scene: Scene, job: Job, *, whole: bool = False) -> str | None:
        """Read and walk a text that a command passes to a shell, or (`whole`) that stands in a file of this session."""
        if isinstance(text, Read):
            plain = str(text)
            return reading(job, text, lambda own: own.walk.code(plain, scene, own, whole=True))
        text = text.replace(BELOW, UNKNOWN)
        if UNKNOWN in text:
            job.fault(f"{job.name} runs text that only the shell knows in part", act="code.unknown")
        if not UNGLOBBED(text):
            job.fault(f"{job.name} runs text that holds names of files")
            text = text.translate({1: "*", 2: "?", 3: "["})
        if self.depth >= DEPTH:
            job.fault("nested too deeply")
            return None
        try:
            node = Grammar(text, self.depth, literal=False).script()
        except Unreadable as fault:
            job.fault(f"{job.name} runs text that we cannot read: {fault}")
            return None
        around = self.sure, self.chain
        self.sure = job.sure and (whole or text in job.words or text == " ".join(job.words[1:]))
        self.chain = (*self.chain, *job.wrappers, job.name)
        self.depth += 1
        self.remote += job.remote
        self.feeding += job.fed
        printed = self.run(node, scene, job.feed)
        self.remote -= job.remote
        self.feeding -= job.fed
        self.depth -= 1
        self.sure, self.chain = around
        return printed

    # --- structure -------------------------------------------------------------------------------------------------

    def run(self, node: Node, scene: Scene, feed: str | None = "") -> str | None:
        """Walk one command. Returns what it prints, when that is certain."""
        if node.redirs and node.kind != "simple":
            feed = flow.follow(self, node.redirs, scene, feed, Job(self, ["{"], scene))[1]
        self.depth += 1
        self.steps += 1
        if self.steps > STEPS:
            raise Unreadable("more steps than we follow")
        if self.depth > DEPTH * 4:
            raise Unreadable("nested too deeply")
        around, self.input = self.input, feed
        simple = node.kind == "simple"
        printed = self.simple(node, scene, feed) if simple else flow.WALKS[node.kind](self, node, scene, feed)
        self.input = around
        self.depth -= 1
        if node.redirs:
            flow.keep(self, node.redirs, printed, scene)
        return None if node.redirs and any(redir.op[0] != "<" for redir in node.redirs) else printed

    def wrote(self, word: str, text: str | None, scene: Scene, more: bool = False) -> None:
        """A file holds this text from now on, or (`more`) ends with it; None when nobody knows."""
        places = scene.places(word) if word and not word.startswith("/dev/") else []
        if len(places) == 1 and not places[0].pattern:
            before = self.written.get(places[0].path, "") if more else ""
            unknown = before is None or text is None or len(text) > LENGTH
            self.written[places[0].path] = None if unknown else f"{before}{text}"

    def substitute(self, node: Node, scene: Scene, *feed: str | None) -> str | None:
        """`$(…)`: its commands print into a word, not into the pipeline, and read what the command around them does."""
        first = len(self.commands)
        printed = self.run(node, scene.fork(), *(feed or (self.input,)))
        self.captured.update(range(first, len(self.commands)))
        if feed:
            self.sinks += range(first, len(self.commands))[:1]  # `>(…)` is fed by the command around it
        else:
            self.held(first, WORD)
        return printed

    def held(self, first: int, by: str) -> None:
        """What the commands from this one on print is kept."""
        for index in range(first, len(self.commands)):
            self.commands[index] = of({**self.commands[index].__dict__, "held": by})

    def walked(self, parts: Parts, scene: Scene) -> None:
        """Run what stands inside words that are not kept."""
        for part in parts:
            if part[0] in (RUN, PIPE, PARAM, SUM):
                value(part, scene, self.substitute)

    # --- simple commands -------------------------------------------------------------------------------------------

    def assign(self, assign: Assign, scene: Scene, before: Scene | None = None) -> tuple[str, str]:
        """Set a variable; returns it with what is known of its value. `before`: where its words are read."""
        if self.traps:
            self.touched.add(assign.name)
        if assign.value is None:
            summed(assign.sums, scene, self.substitute)
            self.walked(assign.parts, scene)
            scene.vars[assign.name] = None
            return assign.name, UNKNOWN
        first = len(self.commands)
        text = joined(assign.value.parts, before or scene, self.substitute, assigned=True)
        self.held(first, assign.name)
        if before is not None and any(part[0] is not TEXT for part in assign.value.parts):
            scene.vars = {**before.vars, **scene.vars}  # what reading them assigned
        if assign.append:
            held = scene.value(assign.name)
            text = (UNKNOWN if held is None else held) + text
        if assign.name in scene.fixed:
            evaluated(text, scene)  # perhaps it was declared to be a number
        several = before is not None and "{" in text  # braces make several assignments of one
        scene.hold(assign.name, None if text == UNKNOWN or several or len(text) > LENGTH else text)
        if assign.name == "HOME":
            scene.home = "" if UNKNOWN in text else text
        return assign.name, text

    def simple(self, node: Node, scene: Scene, feed: str | None) -> str | None:
        words: list[str] = []
        spots: list[tuple[int, int] | None] = []
        literally, sure, persons = node.start >= 0, self.sure, list[bool | None]()
        before: Scene | None = None
        for word in node.words or ():
            if word.__class__ is Word and word.plain is not None:
                words.append(word.plain)
                spots.append((word.start, word.end))
                continue
            if isinstance(word, Assign):
                before = before or scene.fork()  # all words are read before any is assigned
                if self.calls and words[0] in ("local", "declare", "typeset") and "-g" not in words:
                    self.local(word.name, scene)
                made = ["=".join(self.assign(word, scene, before))]
                sure = False
                persons.append(False)
            else:
                made = fields(word, scene, self.substitute)
                sure = sure and len(made) == 1 and flow.is_literal(word.parts)
                persons.append(lent(word.parts, scene))
            words += made
            spots += [(word.start, word.end)] if len(made) == 1 and isinstance(word, Word) else [None] * len(made)
        own = scene.fork() if words and node.assigns else scene
        assigns = tuple([self.assign(assign, own) for assign in node.assigns]) if node.assigns else ()
        job = Job(self, words, scene, feed, spots if literally else None)
        job.assigns, job.sure, job.lent = assigns, sure, True in persons and False not in persons
        if node.redirs:
            job.redirs, job.feed = flow.follow(self, node.redirs, scene, feed, job)
        if not words:
            for name, _ in assigns:
                launch.variable(job, name, scene.vars.get(name))
                if (name in scene.exported and name not in TOLD) or "*" in scene.exported:
                    self.exports(name, scene)
            return "" if not node.redirs else job.feed
        job.end = node.end
        if words[0] in credential_names.ECHOES:
            for word in node.words or ():
                if word.__class__ is Word:
                    credential_names.shows(job, word.parts, scene)
        if job.lent and marked(words[0]) and node.words and (guess := guessed(node.words[0].parts)):
            self.call(job.inside([guess, *words[1:]], scene=scene.fork()))
        if assigns and (words[0] in scene.functions or job.name in HERE):
            scene.vars.update(dict.fromkeys(dict(assigns)))  # they are back when it ends, or not
        return self.call(job)

    def exports(self, name: str, scene: Scene) -> None:
        """A variable that other programs get has a value now, as if `export` stood before it."""
        value = scene.vars.get(name)
        if value:
            words = "export", f"{name}={shown(value)}"
            self.commands.append(Command(words, "export", wrappers=self.chain, cwd=scene.cwd, source=self.source))

    def ends(self) -> None:
        """The shell ends: what was trapped runs, at any of the places passed since."""
        for text, job, own in self.traps:
            before = own.fork()
            own.perhaps(job.scene)
            own.wander(job.scene.cwds)
            own.vars.update(dict.fromkeys(self.touched & own.vars.keys()))
            if not own.same(before):
                self.code(text, own, job)

    def local(self, name: str, scene: Scene) -> None:
        """A variable of the function we are in: what it held comes back when the function ends."""
        self.locals[-1].setdefault(name, scene.vars.get(name, UNKNOWN))

    def given(self, job: Job) -> None:
        """The variables that a call is given, and those among them that say what it loads."""
        asked = self.commands[-1] if self.commands else None
        own = asked is not None and asked.held in (WORD, "LD_PRELOAD") and "-print-file-name" in asked.words[-1]
        for name, text in job.assigns:
            launch.variable(job, name, text)
            # Beside folders that we know, the unknown part is what it was before: `PATH=bin:$PATH`.
            if UNKNOWN in text and (text == UNKNOWN if name == "PATH" else name == "LD_PRELOAD" and not own):
                job.fault(f"{name} is set to what only the shell knows")

    def call(self, job: Job) -> str | None:
        """One simple command, its words expanded."""
        if len(self.commands) >= COMMANDS:
            raise Unreadable("more commands than we read")
        if len(job.wrappers) > DEPTH:
            raise Unreadable("nested too deeply")
        scene, words = job.scene, job.words
        if job.assigns:
            self.given(job)
        told = job.told
        globbed: tuple[int, ...] = ()
        if len(words) > len(told):
            told = tuple(map(shown, words))
        if not "".join(words).isprintable():
            globbed = tuple([index for index, word in enumerate(words) if not UNGLOBBED(word)])
        assigns = tuple([(name, shown(text)) for name, text in job.assigns]) if job.assigns else ()
        start, after, end = (*job.spots[0], job.end) if job.spots and job.spots[0] else (-1, -1, -1)
        made = {
            "_kind": Command, "words": told, "program": shown(job.name), "assigns": assigns, "redirs": job.redirs,
            "globbed": globbed, "wrappers": (*self.chain, *job.wrappers), "cwd": scene.cwd,
            "fed": job.fed or self.feeding > 0, "piped_from": (), "piped_into": "", "piped_into_words": (),
            "start": start, "after": after, "end": end, "held": "", "source": self.source,
            "given": shown(job.feed) if job.feed else "",
        }  # fmt: skip
        self.commands.append(of(made))
        while self.sinks:
            at = self.sinks.pop()
            self.commands[at] = self.commands[at]._replace(piped_from=told)
        if marked(words[0]):
            if not (job.lent and lends(job)):
                word = shown(words[0]).replace(UNKNOWN, "…")
                job.fault(f"the command word is one that only the shell knows: {word}", act="code.unknown")
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
            job.fault(f"{job.words[0]} calls itself", act="endless")
            return None
        self.calls.append(job.words[0])
        self.locals.append({})
        args, job.scene.args = job.scene.args, job.words
        printed: str | None = None
        for node in nodes:
            printed = self.run(node, job.scene, job.feed)
        job.scene.args = args
        held = self.locals.pop()
        job.scene.vars.update(held)
        for name in [name for name, text in held.items() if text == UNKNOWN]:
            del job.scene.vars[name]  # the script had not set it
        self.calls.pop()
        return printed if len(nodes) == 1 else None
