"""Laws of the shell library, with real shells as oracles: what runs is found, what is dangerous stays dangerous.

`JACKLINE_EXAMPLES` says how many examples each law tries.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jackline.shell.effects import effects
from jackline.shell.model import Effects
from jackline.shell.screen import plain, screen
from shell.oracle import Oracle, fits, fresh

HOME = "/nowhere/home"
SIGNS = "ab=~#-1 \t\n'\"\\;&|<>$`(){}[]*?!^:,.%@+é"
"""Characters that mean something to a shell, and a few that do not. No slash: what runs stays in its folder."""


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    return Oracle(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("base")


# --- how a word may be written --------------------------------------------------------------------------------------


def single(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def double(word: str) -> str:
    return '"' + "".join("\\" + char if char in '"\\$`' else char for char in word) + '"'


def escaped(word: str) -> str:
    return "".join("'\n'" if char == "\n" else "\\" + char for char in word) or "''"


def ansi(word: str) -> str:
    return "$'" + word.replace("\\", "\\\\").replace("'", "\\x27") + "'"


def halves(word: str) -> str:
    return single(word[: len(word) // 2]) + double(word[len(word) // 2 :])


def continued(word: str) -> str:
    return single(word[:1]) + "\\\n" + single(word[1:])


PORTABLE = (single, double, escaped, halves, continued)
QUOTES: tuple[Callable[[str], str], ...] = (*PORTABLE, ansi)

WORD = st.text(st.sampled_from("ab c-;$*'\"\\é\n"), max_size=6)
ARGUMENTS = st.lists(st.tuples(WORD, st.sampled_from(QUOTES)), max_size=3)


@given(
    st.lists(st.lists(st.tuples(WORD, st.sampled_from(PORTABLE)), max_size=4), min_size=1, max_size=3),
    st.lists(st.sampled_from([";", " && ", "\n", " ; \\\n", " # note\n"]), min_size=2, max_size=2),
)
def test_plain_words_are_what_a_program_receives(
    oracle: Oracle, base: Path, calls: list[list[tuple[str, Callable[[str], str]]]], joints: list[str]
) -> None:
    """For every way of quoting that `plain` accepts, bash and dash pass on exactly the words it says."""
    texts = [" ".join(["danger", *(quote(word) for word, quote in call)]) for call in calls]
    command = texts[0] + "".join(joint + text for joint, text in zip(joints, texts[1:], strict=False))
    found = plain(command)
    assume(found is not None)
    words = [one.words[1:] for one in found or []]
    assert words == [tuple(word for word, _ in call) for call in calls]
    assert oracle.run(command, fresh(base)) == words
    assert oracle.run(command, fresh(base), shell="dash") == words


@given(st.text(st.sampled_from(SIGNS), max_size=16), st.sampled_from(["", "a ", "a b;", "a 'b' "]))
def test_plain_knows_all_that_bash_runs(oracle: Oracle, base: Path, text: str, before: str) -> None:
    """Whatever the text: when `plain` is certain, bash runs nothing that it did not name."""
    command = before + text
    found = plain(command)
    assume(found is not None)
    named = [one.words for one in found or []]
    for call in oracle.run(command, fresh(base), handler=True):
        assert call in named


@given(st.text(st.sampled_from(SIGNS), max_size=16), st.sampled_from(["", "a ", "a $(b) ", "a <<b\n"]))
def test_effects_know_all_that_bash_runs(oracle: Oracle, base: Path, text: str, before: str) -> None:
    """Whatever the text: when it is understood, bash runs nothing that was not found."""
    command = before + text
    found = effects(command, str(base / "cwd"), {"HOME": str(oracle.home)})
    assume(found.understood)
    for call in oracle.run(command, fresh(base), handler=True):
        assert any(fits(call, one.words) for one in found.commands)


# --- scripts in which every shape holds another ---------------------------------------------------------------------

SHAPES = {
    "subshell": "( {} )",
    "group": "{{ {}\n}}",
    "sequence": "danger first; {}",
    "and": "true && {}",
    "or": "false || {}",
    "negation": "! {}",
    "background": "{{ {}\n}} & wait",
    "pipe": "{{ {}\n}} | cat",
    "behind a pipe": "echo x | {{ cat; {}\n}}",
    "redirected": "{{ {}\n}} > out 2>&1",
    "if": "if true; then {}\nelse danger never; fi",
    "condition": "if {}\nthen :; fi",
    "for": 'for v in p q; do {}\ndanger "$v"; done',
    "while": "while true; do {}\nbreak; done",
    "until": "until false; do {}\nbreak; done",
    "case": "case x in y) :;; (x|z) {}\n;; esac",
    "function": "f() {{ {}\n}}; f",
    "function of a subshell": "f() ( {}\n); f | cat",
    "substitution": "danger $({}\n)",
    "substitution in quotes": 'danger "a $({}\n) b"',
    "assignment": "a=$({}\n) b=1",
    "process substitution": "cat <({}\n)",
    "here-document": "cat <<END\na $({}\n) b\nEND\n",
    "test": "[[ a == a ]] && {}",
    "sum": "(( 1 )) && {}",
    "comment": "# it's ( \" `\n{}",
    "time": "time {}",
    "trap": "trap {q} EXIT",
    "eval": "eval {q}",
    "eval of a variable": 'v={q}; eval "$v"',
    "shell": "bash -c {q}",
    "shell by its input": "bash <<< {q}",
    "shell by a pipe": "printf '%s\\n' {q} | bash",
    "shell behind wrappers": "env A=1 nice -n 3 timeout 9 bash -c {q}",
    "shell by xargs": "echo x | xargs -I@ bash -c {q}",
}
CALLS = st.builds(
    lambda name, quote, arguments: " ".join([quote(name), *(how(word) for word, how in arguments)]),
    st.just("danger"),
    st.sampled_from(QUOTES),
    ARGUMENTS,
)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda shape, text, quote: shape.replace("{q}", quote(text).replace("{", "{{").replace("}", "}}")).format(text),
        st.sampled_from(list(SHAPES.values())),
        inner,
        st.sampled_from([single, double, ansi]),
    )


SCRIPTS = st.recursive(CALLS, nested, max_leaves=4)


@given(SCRIPTS)
def test_effects_find_every_call_however_nested(oracle: Oracle, base: Path, script: str) -> None:
    """What bash runs is found with its words, or the command is not understood."""
    found = effects(script, str(base / "cwd"), {"HOME": str(oracle.home)})
    assume(found.understood)
    have = [one.words[1:] for one in found.commands if one.program == "danger"]
    for call in oracle.run(script, fresh(base)):
        assert any(fits(call, words) for words in have)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_is_understood(oracle: Oracle, base: Path, shape: str) -> None:
    """The law above is not empty: each shape runs its call, and is understood."""
    script = shape.replace("{q}", single("danger 'a b'")).format("danger 'a b'")
    found = effects(script, str(base / "cwd"), {"HOME": str(oracle.home)})
    assert found.understood, found.why
    assert ("a b",) in oracle.run(script, fresh(base))
    assert ("danger", "a b") in [one.words for one in found.commands]


@given(SCRIPTS, st.integers(0, 400), st.sampled_from([*SIGNS, ""]), st.integers(0, 3))
def test_a_change_of_a_character_hides_nothing(
    oracle: Oracle, base: Path, script: str, place: int, sign: str, gone: int
) -> None:
    """A sign put in or taken out: still, whatever bash runs is found or the command is not understood."""
    place %= len(script) + 1
    script = script[:place] + sign + script[place + gone :]
    found = effects(script, str(base / "cwd"), {"HOME": str(oracle.home)})
    assume(found.understood)
    have = [one.words[1:] for one in found.commands if one.program == "danger"]
    for call in oracle.run(script, fresh(base)):
        # A redirection that fails keeps a program from printing: then less is run than what was found.
        assert any(fits(call, words) or call == words[: len(call)] for words in have)


# --- danger ---------------------------------------------------------------------------------------------------------

DANGERS = {
    "rm -rf /victim/x": "delete",
    "echo a > /victim/x": "write",
    "cp a /victim/x": "write",
    "sed -i s/a/b/ /victim/x": "write",
    "cd /victim && rm x": "delete",
    "tee /victim/x": "write",
    "mv /victim/x b": "delete",
}
CARRIERS = {
    **SHAPES,
    "sudo": "sudo -u root bash -c {q}",
    "xargs": "xargs -n 1 sh -c {q}",
    "find": "find . -exec sh -c {q} \\;",
    "backticks in a here-document": "cat <<END\n$({}\n)\nEND",
    "alias": "alias a={q}",
    "git": "git -c alias.a=\\!{q} a",
    "watch": "watch -n 1 {q}",
    "su": "su root -c {q}",
}


@given(
    st.sampled_from(sorted(DANGERS)),
    st.lists(st.sampled_from(list(CARRIERS.values())), max_size=4),
    st.sampled_from([single, double, ansi]),
)
def test_a_danger_keeps_its_effect(danger: str, carriers: list[str], quote: Callable[[str], str]) -> None:
    """Quoted, wrapped, nested, split: the effect on the path is found, or the command is not understood."""
    command = danger
    for carrier in carriers:
        told = quote(command).replace("{", "{{").replace("}", "}}")
        command = carrier.replace("{q}", told).format(command)
    found = effects(command, "/nowhere", {"HOME": HOME})
    assert not screen(command)
    assert not found.understood or (DANGERS[danger], "/victim/x") in {(one.kind, one.path) for one in found.effects}


@given(st.sampled_from(sorted(DANGERS)), st.sampled_from(list(CARRIERS)))
def test_a_danger_in_one_carrier_is_understood(danger: str, carrier: str) -> None:
    told = single(danger).replace("{", "{{").replace("}", "}}")
    command = CARRIERS[carrier].replace("{q}", told).format(danger)
    found = effects(command, "/nowhere", {"HOME": HOME})
    assert found.understood, found.why
    assert (DANGERS[danger], "/victim/x") in {(one.kind, one.path) for one in found.effects}


WRITTEN = st.text(st.sampled_from("abc ./-"), min_size=1, max_size=8)


@given(
    st.sampled_from(["rm", "unknown", "curl", "sudo ls", "git push", "./x", "npm publish", "sed -i", "eval", "> x"]),
    WRITTEN,
    st.sampled_from(
        ["{}", "ls; {}", "{} | cat", "ls && {}", "cd src && {}", "{} 2>&1", "# note\n{}", "ls\n{}", "({})"]
    ),
    st.sampled_from([str, halves, single]),
)
def test_wrapping_never_makes_a_command_harmless(
    program: str, rest: str, around: str, quote: Callable[[str], str]
) -> None:
    command = f"{program} {rest}"
    assert not screen(command)
    assert not screen(around.format(command))
    name, _, more = command.partition(" ")
    if name not in ("eval", ">"):
        assert not screen(around.format(f"{quote(name)} {more}"))


TALK = (
    "ls cat git status log diff branch -la -n 3 -o a src/x.py ../y | && ; || 2>&1 > head sort uniq wc echo 'a b' * . "
    "find -name -exec -delete rm npm test run build make pytest -q -x cd sed -n 1,5p -i printf -v true [ ] = rg --pre "
    "--outp=x"
)
BUILDS = {"npm", "make", "pytest"}


@given(st.lists(st.sampled_from(TALK.split(" ")), max_size=7).map(" ".join))
def test_what_is_screened_is_understood_and_does_nothing_else(text: str) -> None:
    """`screen` never knows better than the full analysis."""
    if screen(text):
        found = effects(text, "/nowhere", {"HOME": HOME})
        assert found.understood
        assert {one.kind for one in found.effects} <= {"read", "execute", "unknown"}
        assert {one.program for one in found.effects if one.kind != "read"} <= BUILDS


# --- any text -------------------------------------------------------------------------------------------------------

ANY = st.text(st.characters(codec=None, categories=None), max_size=60)
TOKENS = (
    "if then fi for in do done case esac { } ( ) $( ` <<E E ; && | ' \" a rm git find -exec sed -i python3 -c = $x ${x "
    "sudo ~ [[ ]] (( )) <( > < & ! * x() bash eval"
)
TOKENED = st.lists(st.sampled_from([*TOKENS.split(" "), "\n"]), max_size=24).map(" ".join)


@given(ANY | st.text(st.sampled_from(SIGNS + "/"), max_size=80) | TOKENED)
def test_any_text_has_an_answer(text: str) -> None:
    """No crash of ours, and a reason wherever something is not understood."""
    screen(text)
    found = effects(text, "/nowhere", {"HOME": HOME})
    assert isinstance(found, Effects)
    assert "a fault of the analysis" not in found.why
    assert found.understood is not bool(found.why)
    assert found.understood or "unknown" in {one.kind for one in found.effects}


SIZE = 1 << 20
LARGE = {
    "words": "rm " + "a " * (SIZE // 2),
    "one word": "rm " + "a" * SIZE,
    "commands": "rm a;" * (SIZE // 5),
    "open substitutions": "$(" * (SIZE // 2),
    "substitutions": "echo " + "$(" * 2000 + ")" * 2000,
    "sums": "$((" * (SIZE // 3),
    "parentheses": "(" * SIZE,
    "backticks": "`" * SIZE,
    "quotes": '"' * SIZE,
    "backslashes": "\\" * SIZE,
    "braces": "echo " + "{a,b}" * 2000,
    "open braces": "{" * SIZE,
    "dollars": "$" * SIZE,
    "here-document": "cat <<E\n" + "x $y\n" * (SIZE // 5) + "E\n",
    "here-documents": "cat <<E " * (SIZE // 8),
    "parameters": "echo " + "${a:-" * 5000 + "}" * 5000,
    "pipes": "a|" * (SIZE // 2) + "a",
    "functions": "f(){ f; };" * (SIZE // 10),
    "doubling functions": "".join(f"f{n}(){{ f{n + 1}; f{n + 1}; }};" for n in range(40)) + "f0",
    "doubling variables": "a=a;" + "a=$a$a;" * 60,
    "doubling arguments": "set -- a b;" + 'set -- "$@" "$@";' * 60,
    "loops": "for x in a b; do " * 500 + "rm $x;" + " done;" * 500,
    "empty loops": "for x in a b c d; do " * 30 + "y=1;" + " done;" * 30,
    "cases": "case x in " + "a) b;; " * (SIZE // 8),
    "redirections": "rm x " + ">a " * (SIZE // 3),
    "evals": "eval " * (SIZE // 5),
    "wrappers": "env " * (SIZE // 4) + "rm x",
    "shell": "bash -c '" + "rm x;" * 100_000 + "'",
    "open quote": "rm a; " * (SIZE // 6) + "'",
    "sed": "sed '" + "s/a/b/;" * (SIZE // 8) + "' x",
    "python": "python3 -c '" + 'os.remove("a");' * (SIZE // 16) + "'",
    "modules held": "node -e '" + "".join(f'const a{n} = require("fs"); ' for n in range(4500)) + "'",
    "line breaks": "\n" * SIZE,
}


@pytest.mark.parametrize("command", LARGE.values(), ids=LARGE)
def test_large_commands_are_bounded(command: str) -> None:
    """A second or two of processor time for the worst, whatever it means."""
    begin = time.process_time()
    screened = screen(command[:SIZE])
    middle = time.process_time()
    found = effects(command[:SIZE], "/nowhere", {"HOME": HOME})
    end = time.process_time()
    assert not screened or found.understood
    assert middle - begin < 0.5
    assert end - middle < 3
