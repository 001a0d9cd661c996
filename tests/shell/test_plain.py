"""`plain` splits what every shell reads alike, and says None to everything else."""

from __future__ import annotations

import pytest

from jackline.shell.screen import LIMIT, Simple, plain

WORDS = {
    "one": ("git status", [("git", "status")]),
    "quotes": ("echo 'a b' \"c d\" e\\ f", [("echo", "a b", "c d", "e f")]),
    "empty words": ("x '' \"\" a''b", [("x", "", "", "ab")]),
    "escapes in double quotes": (r'x "a\"b" "a\nb" "\""', [("x", 'a"b', "a\\nb", '"')]),
    "escaped expansions": (r"x \$HOME \`", [("x", "$HOME", "`")]),
    "single quotes keep all": ("x 'a$b`c\\'", [("x", "a$b`c\\")]),
    "newline in quotes": ("x 'a\nb' \"c\nd\"", [("x", "a\nb", "c\nd")]),
    "continued line": ("x a\\\nb \\\n c", [("x", "ab", "c")]),
    "operators": ("a;b&&c||d\ne&f", [("a",), ("b",), ("c",), ("d",), ("e",), ("f",)]),
    "line breaks after operators": ("a &&\n\n b |\n c", [("a",), ("b",), ("c",)]),
    "blank lines": ("\n\n a \n\n b \n", [("a",), ("b",)]),
    "nothing": ("", []),
    "only a comment": ("# hello there", []),
    "comments": ("a # b c\n# d\ne", [("a",), ("e",)]),
    "hash inside a word": ("x a#b", [("x", "a#b")]),
    "tilde inside a word": ("x HEAD~1 a~", [("x", "HEAD~1", "a~")]),
    "words that are reserved elsewhere": ("echo if then do", [("echo", "if", "then", "do")]),
    "quoted operators": ("x ';' '&&' \\| \">\"", [("x", ";", "&&", "|", ">")]),
    "unicode": ("x é 日本 '—'", [("x", "é", "日本", "—")]),
    "test command": ("[ -f x ] && [ a = b ]", [("[", "-f", "x", "]"), ("[", "a", "=", "b", "]")]),
    "equals in an argument": ("x a=b --c=d", [("x", "a=b", "--c=d")]),
    "lookup of a command": ("command -v node", [("command", "-v", "node")]),
}


@pytest.mark.parametrize(("command", "words"), WORDS.values(), ids=WORDS)
def test_words(command: str, words: list[tuple[str, ...]]) -> None:
    found = plain(command)
    assert found is not None
    assert [simple.words for simple in found] == words


DONT_KNOW = {
    "variable": "x $a",
    "escaped expansion in double quotes": r'x "\$HOME"',
    "escaped backslash in double quotes": r'x "a\\" "b"',
    "variable in double quotes": 'x "$a"',
    "substitution": "x $(y)",
    "backticks": "x `y`",
    "backticks in double quotes": 'x "`y`"',
    "ansi string": "x $'a'",
    "translated string": 'x $"a"',
    "arithmetic": "x $((1))",
    "subshell": "(x)",
    "group": "{ x; }",
    "braces": "x a{b,c}",
    "find's braces": "find . -exec x {} ;",
    "here-document": "x <<E\na\nE",
    "here-string": "x <<< a",
    "process substitution": "x <(y)",
    "process substitution out": "x >(y)",
    "history": "x !!",
    "history in double quotes": 'x "!!"',
    "history by caret": "^a^b",
    "home": "x ~",
    "somebody's home": "x ~user/a",
    "home behind equals": "x a=~/b",
    "home behind a colon": "x a:~",
    "zsh path of a command": "x =ls",
    "if": "if x; then y; fi",
    "for": "for x in a; do y; done",
    "while": "while x; do y; done",
    "case": "case x in y) z;; esac",
    "condition": "[[ a == b ]]",
    "function": "f() { x; }",
    "eval": "eval x",
    "source": ". x",
    "exec": "exec x",
    "alias": "alias x=y",
    "trap": "trap x EXIT",
    "declaration": "export A=1",
    "command": "command x",
    "builtin": "builtin x",
    "time": "time x",
    "negation": "! x",
    "open single quote": "x 'a",
    "open double quote": 'x "a',
    "backslash at the end": "x \\",
    "pipe of both": "x |& y",
    "case terminator": "x ;;",
    "operator at the start": "; x",
    "operator at the end": "x &&",
    "pipe at the end": "x |\n",
    "two operators": "x && || y",
    "word behind a closed descriptor": ">&-x a",
    "word behind a closed descriptor, a blank between": "<& -x a",
    "subscript with a comment": "b[ # ]; x",
    "nothing behind a redirection": "x >",
    "glob as a target": "x > *",
    "long descriptor": "x 12>a",
    "glob as a command": "* a",
    "subscript": "a[0]=1",
    "appended variable": "a+=b",
    "command with an equals sign": "a-b=c d",
    "comment an interactive zsh would run": "x # a; y",
    "carriage return": "x a\r",
    "bell": "x \a",
    "NUL": "x \0",
    "lone surrogate": "x \ud800",
    "odd blank": "x\u00a0a",
    "zero width": "x a\u200bb",
    "operator over two lines": "x &\\\n& y",
    "zsh background": "x &!",
    "too long": "x " + "a" * LIMIT,
}


@pytest.mark.parametrize("command", DONT_KNOW.values(), ids=DONT_KNOW)
def test_is_not_certain(command: str) -> None:
    assert plain(command) is None


REDIRECTIONS = {
    "out": ("x > a", (">", "a")),
    "append": ("x >>a", (">>", "a")),
    "clobber": ("x >| a", (">|", "a")),
    "in": ("x < a", ("<", "a")),
    "both ways": ("x <> a", ("<>", "a")),
    "error": ("x 2> a", ("2>", "a")),
    "error to output": ("x 2>&1", ("2>&", "1")),
    "both": ("x &> a", ("&>", "a")),
    "both appended": ("x &>> a", ("&>>", "a")),
    "closed": ("x 2>&-", ("2>&", "-")),
    "quoted target": ("x > 'a b'", (">", "a b")),
    "before the command": ("> a x", (">", "a")),
}


@pytest.mark.parametrize(("command", "redir"), REDIRECTIONS.values(), ids=REDIRECTIONS)
def test_redirections(command: str, redir: tuple[str, str]) -> None:
    found = plain(command)
    assert found is not None
    assert [(simple.words, simple.redirs) for simple in found] == [(("x",), (redir,))]


def test_a_digit_that_is_part_of_a_word_is_no_descriptor() -> None:
    assert plain("x a2>b '2'>c") == [
        Simple(("x", "a2", "2"), redirs=((">", "b"), (">", "c")), start=0, after=1, end=12),
    ]


def test_everything_about_a_pipeline() -> None:
    assert plain("A=1 grep -r 'x y' *.py | head -3 && cd sub") == [
        Simple(
            words=("grep", "-r", "x y", "*.py"),
            assigns=(("A", "1"),),
            globbed=(3,),
            piped_into="head",
            piped_into_words=("head", "-3"),
            start=0,
            after=8,
            end=22,
        ),
        Simple(words=("head", "-3"), joined="|", start=25, after=29, end=32),
        Simple(words=("cd", "sub"), joined="&&", start=36, after=38, end=42),
    ]
