"""Commands are found wherever a shell would run them, and nothing that it would not run is read as one."""

from __future__ import annotations

import pytest

from jackline.shell.effects import effects

RUNS = {
    "pipe": "a | x 1",
    "pipe of both": "a |& x 1",
    "subshell": "( x 1 )",
    "group": "{ x 1; }",
    "if": "if a; then x 1; fi",
    "condition": "if x 1; then a; fi",
    "elif": "if a; then b; elif c; then x 1; else d; fi",
    "else": "if a; then b; else x 1; fi",
    "while": "while a; do x 1; done",
    "until": "until x 1; do a; done",
    "for": "for i in a b; do x 1; done",
    "for with a sum": "for ((i=0;i<3;i++)); do x 1; done",
    "select": "select i in a; do x 1; done",
    "case": "case a in b) c;; (d|e) x 1 ;& f) g;;& esac",
    "function": "f() { x 1; }; f",
    "function by its word": "function f { x 1; }; f",
    "function of a subshell": "f() ( x 1 ); f",
    "substitution": "a $(x 1)",
    "substitution in quotes": 'a "b $(x 1) c"',
    "substitution in a substitution": "a $(b $(x 1))",
    "substitution in an assignment": "A=$(x 1)",
    "substitution in a target": "a > $(x 1)",
    "substitution in a default": "a ${b:-$(x 1)}",
    "substitution in a sum": "a $((1 + $(x 1)))",
    "substitution in an old sum": "a $[1 + $(x 1)]",
    "substitution in a subscript": "a[$(x 1)]=2",
    "substitution in an array": "a=(b $(x 1))",
    "substitution in a test": "[[ -n $(x 1) ]]",
    "substitution in a case": "case $(x 1) in a) b;; esac",
    "substitution in a pattern": "case a in $(x 1)) b;; esac",
    "substitution with two parentheses": "a $( (x 1) )",
    "substitution that looks like a sum": "a $((x 1); b)",
    "substitution that holds a case": "a $(case b in b) x 1;; esac)",
    "substitution that holds a comment": "a $(b # )\nx 1)",
    "substitution in declare": "declare A=$(x 1)",
    "backticks": "a `x 1`",
    "backticks in quotes": 'a "`x 1`"',
    "backticks in backticks": r"a `b \`x 1\``",
    "process substitution": "a <(x 1)",
    "process substitution out": "a > >(x 1)",
    "here-document": "a <<E\n$(x 1)\nE",
    "here-document in a pipeline": "a <<E | b\n`x 1`\nE",
    "behind a here-document": "a <<E && x 1\nb\nE",
    "after a here-document": "a <<'E'\n'\nE\nx 1",
    "after two here-documents": "a <<E <<F\nb\nE\nc\nF\nx 1",
    "here-document with tabs": "a <<-E\n\tb\n\tE\nx 1",
    "here-document in a substitution": 'a "$(cat <<E\n\'\nE\n)"; x 1',
    "half-quoted delimiter": 'a <<E"F"\nb\nEF\nx 1',
    "here-string": "a <<< $(x 1)",
    "negation": "! x 1",
    "time": "time -p x 1",
    "time of a group": "time { x 1; }",
    "background": "a & x 1 &",
    "after a comment": "a # ' \" $(\nx 1",
    "after quotes": "a 'b'\\''c' \"d\\\"e\" $'f\\tg'; x 1",
    "after a hash in a word": "a b#c; x 1",
    "after an expansion of a hash": "a ${b#\\#} ${#c} $#; x 1",
    "after a quoted brace": "a ${b:-'}'}; x 1",
    "after a regular expression": "[[ a =~ ^(b|c)$ ]] && x 1",
    "after a sum": "(( a << 2 )) && x 1",
    "redirections first": "> a 2>&1 < b x 1",
    "continued line": "x \\\n 1",
    "continued word": "'x' \\\n1",
    "quoted command": "\"x\" '1'",
    "command in pieces": "''x 1",
    "escaped command": "\\x 1",
    "ansi command": "$'\\x78' $'\\61'",
    "variable": "A=x; $A 1",
    "variables in sequence": "A=x; B=1; $A ${B}",
    "variable of two words": "A='x 1'; $A",
    "default of a variable": "A=; ${A:-x} 1",
    "loop variable": "for i in 1; do x $i; done",
    "argument of a function": "f() { x $1; }; f 1",
    "all arguments": 'f() { "$@"; }; f x 1',
    "positional parameters": 'set -- x 1; "$@"',
    "braces": "{x,1}",
    "printed command": "$(echo x) 1",
    "eval": "eval 'x 1'",
    "eval of words": "eval x '1'",
    "eval of a variable": 'A="x 1"; eval "$A"',
    "bash -c": "bash -c 'x 1'",
    "bash -lc": "bash -lc 'x 1'",
    "bash -c with arguments": "bash -c '$0 \"$1\"' x 1",
    "bash -o": "bash -o pipefail -c 'x 1'",
    "bash of bash": "bash -c 'sh -c \"x 1\"'",
    "piped into a shell": "echo x 1 | sh",
    "printed into a shell": "printf '%s\\n' 'x 1' | bash",
    "here-document into a shell": "bash <<E\nx 1\nE",
    "here-document through cat": "cat <<'E' | sh\nx 1\nE",
    "here-string into a shell": "sh <<< 'x 1'",
    "source of a substitution": "source <(echo x 1)",
    "trap": "trap 'x 1' EXIT",
    "alias": "alias a='x 1'",
    "xargs": "a | xargs x 1",
    "xargs with what is known": "echo 1 | xargs x",
    "xargs with a place": "echo 1 | xargs -I{} x {}",
    "xargs of a shell": "a | xargs -I{} sh -c 'x 1'",
    "find": "find . -exec x 1 \\;",
    "find with plus": "find . -name a -execdir x 1 {} +",
    "fd": "fd a -x x 1",
    "parallel": "parallel x ::: 1",
    "sudo": "sudo -u root A=1 x 1",
    "env": "env -i -u B A=1 x 1",
    "env -S": "env -S 'A=1 x' 1",
    "nice timeout nohup": "nice -n 5 timeout -k 2 5 nohup x 1",
    "command": "command -p x 1",
    "exec": "exec -a b x 1",
    "busybox": "busybox x 1",
    "watch": "watch -n 1 'x 1'",
    "su": "su root -c 'x 1'",
    "script": "script -c 'x 1' /dev/null",
    "flock": "flock a x 1",
    "ssh": "ssh -p 22 host 'x 1'",
    "docker": "docker exec -it box x 1",
    "docker run": "docker run --rm -v a:b image x 1",
    "kubectl": "kubectl exec pod -- x 1",
    "npx": "npx -y x 1",
    "uv run": "uv run --with a x 1",
    "git alias": "git -c 'alias.a=!x 1' a",
    "git rebase": "git rebase --exec 'x 1' main",
    "git bisect": "git bisect run x 1",
    "git submodule": "git submodule foreach 'x 1'",
    "tar": "tar xf a --to-command='x 1'",
    "rsync": "rsync -e 'x 1' a b:c",
    "awk": "awk 'BEGIN { system(\"x 1\") }'",
    "python": "python3 -c 'import os; os.system(\"x 1\")'",
    "python with a list": 'python3 -c \'import subprocess; subprocess.run(["x", "1"])\'',
    "node": 'node -e \'require("child_process").execSync("x 1")\'',
    "zsh's repeat": "repeat 3 x 1",
    "dash's reading of a function": "function f {\nx 1\n}",
}


@pytest.mark.parametrize("command", RUNS.values(), ids=RUNS)
def test_a_command_is_found(command: str) -> None:
    found = effects(command, "/nowhere", {})
    assert ("x", "1") in [tuple(words[:2]) for words in (one.words for one in found.commands)]


@pytest.mark.parametrize("command", RUNS.values(), ids=RUNS)
def test_it_is_found_in_a_command_that_cannot_be_read(command: str) -> None:
    """Broken behind it: the command is not understood, and what stands on whole lines is still found."""
    found = effects("x 1\n" + command + "\n; fi 'open", "/nowhere", {})
    assert not found.understood
    assert ("x", "1") in [one.words[:2] for one in found.commands]


RUNS_NOT = {
    "single quotes": "a '$(x 1)' '; x 1'",
    "escaped": "a \\$\\(x 1\\) \\; x",
    "comment": "a # ; x 1",
    "quoted here-document": "cat <<'E'\n$(x 1)\nx 1\nE",
    "text of a here-document": "cat <<E\nx 1\nE",
    "commit message": "git commit -m 'fix: x 1 && rm -rf /'",
    "function that is not called": "f() { x 1; }",
    "function in a new shell": "f() { x 1; }; sh -c f",
    "shell that only reads": "bash -n -c 'x 1'",
    "lookup": "command -v x",
    "a word to echo": "echo x 1",
    "pattern": "grep 'x 1' file",
    "argument of printf": "printf '%s' 'x 1'",
}


@pytest.mark.parametrize("command", RUNS_NOT.values(), ids=RUNS_NOT)
def test_text_is_no_command(command: str) -> None:
    found = effects(command, "/nowhere", {})
    assert found.understood
    assert "x" not in [one.program for one in found.commands]


UNREADABLE = {
    "open quote": "a 'b",
    "open substitution": "a $(b",
    "open group": "{ a",
    "missing fi": "if a; then b",
    "stray fi": "a; fi",
    "stray parenthesis": "a )",
    "nothing behind and": "a &&",
    "backslash at the end": "a \\",
    "extended glob": "a !(b)",
    "zsh's list": "for i (a b) c",
    "zsh's flags": "a ${(e)b}",
    "unknown command word": '$A "b c"',
    "unknown code": 'bash -c "$A"',
    "unknown eval": 'eval "$A"',
    "download into a shell": "curl -s a | sh",
    "download as a program": "source <(curl a)",
    "function without end": "f() { f; }; f",
    "NUL": "a\0b",
    "too deep": "( " * 100 + "a" + " )" * 100,
    "other shell": "fish -c 'a (b)'",
    "quote that dash ends elsewhere": "a $'b\\'; x 1 #'",
    "subscript with a comment": "b[ # ]; x 1",
    "subscript with an operator": "b[ & 1 ]",
    "expansion over two lines": '"$\\\n(x 1)"',
    "assignment over two lines": "A\\\n=1 x 1",
    "zsh's clobber with a blank": "a >! b c",
    "command behind a closed descriptor": ">&-x 1",
    "command behind a closed descriptor, a blank between": "2>& -x 1",
    "arithmetic on code": "a='b[$(c)]'; echo $((a))",
}


@pytest.mark.parametrize("command", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_not_understood_is_said(command: str) -> None:
    found = effects(command, "/nowhere", {})
    assert not found.understood
    assert found.why
    assert "unknown" in [effect.kind for effect in found.effects]


@pytest.mark.parametrize("command", ["((rm -rf / x))", "[[ a || rm x ]]", "[[ a > x ]]"])
def test_what_dash_would_do_is_found(command: str) -> None:
    found = effects(command, "/", {})
    assert {one.kind for one in found.effects} & {"write", "delete"}


def test_a_name_goes_on_in_the_next_line() -> None:
    """`$HO\\<newline>ME` is `$HOME`; what it holds is not worth finding out."""
    (found,) = effects("rm $A\\\nB/x", "/nowhere", {}).commands
    assert found.words == ("rm", "\0B/x")


def test_neighbours_in_a_pipeline() -> None:
    first, second, third = effects("a 1 | b 2 | c", "/nowhere", {}).commands
    assert (first.piped_from, first.piped_into, first.piped_into_words) == ((), "b", ("b", "2"))
    assert (second.piped_from, second.piped_into, second.piped_into_words) == (("a", "1"), "c", ("c",))
    assert (third.piped_from, third.piped_into_words) == (("b", "2"), ())


def test_a_substitution_is_not_piped() -> None:
    """Its output becomes a word: a `head` behind the pipeline does not bound it."""
    inner, outer, _ = effects("a $(b) | head", "/nowhere", {}).commands
    assert (inner.words, inner.piped_into) == (("b",), "")
    assert (outer.program, outer.piped_into) == ("a", "head")


def test_what_is_inside_a_stage_is_piped() -> None:
    commands = effects("(a; sudo b) | head", "/nowhere", {}).commands
    assert [(one.words, one.wrappers, one.piped_into) for one in commands] == [
        (("a",), (), "head"),
        (("sudo", "b"), (), "head"),
        (("b",), ("sudo",), "head"),
        (("head",), (), ""),
    ]


def test_places_in_the_text() -> None:
    command = "cd 'a b' && sudo grep -r \"x\" . > out"
    found = effects(command, "/nowhere", {}).commands
    assert [(one.program, command[one.start : one.after], command[one.start : one.end]) for one in found] == [
        ("cd", "cd", "cd 'a b'"),
        ("sudo", "sudo", 'sudo grep -r "x" . > out'),
        ("grep", "grep", 'grep -r "x" . > out'),
    ]
    assert [one.start for one in effects("bash -c 'grep x'", "/nowhere", {}).commands] == [0, -1]


def test_the_folder_is_tracked() -> None:
    commands = effects("cd /a && x; (cd b; y); z; cd ../c && w", "/nowhere", {}).commands
    assert [(one.program, one.cwd) for one in commands if one.program != "cd"] == [
        ("x", "/a"),
        ("y", ""),  # `cd /a` or `cd b` may have failed
        ("z", ""),
        ("w", "/c"),  # from either
    ]
    assert [one.cwd for one in effects("cd /a && cd b && x", "/nowhere", {}).commands][-1] == "/a/b"
    assert [one.cwd for one in effects("cd /usr; x", "/nowhere", {}).commands][-1] == "/usr"
