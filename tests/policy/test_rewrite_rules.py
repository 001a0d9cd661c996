"""A rewrite of a command adds flags or narrows arguments; nothing else of the command moves (design section 2)."""

from __future__ import annotations

import pytest

from jackline.policy.rewrite_rules import narrows_command

NARROWER = [
    ("grep -r x .", "grep -r x . -m 50"),
    ("grep -r x .", "grep -m 50 -r x ."),
    ("grep -r x .", "grep -r x src/app"),
    ("grep -r x .", "grep -r x 'src/my app'"),
    ("grep -r 'a;rm b' .", "grep -r -m 5 'a;rm b' src"),
    ("grep -r x 'src'", "grep -r x 'src/app'"),
    ("rg x src/**", "rg x src/app/**"),
    ("rg x", "rg --max-count=50 --glob='*.py' x"),
    ("rg $PATTERN .", "rg -m 5 $PATTERN src"),
    ("find . -name x", "find . -maxdepth 3 -name x"),
    ("sudo grep -r x .", "sudo grep -r x . -m 5"),
    ("timeout 5s nice -n 5 grep -r x .", "timeout 5s nice -n 5 grep -m 9 -r x ."),
    ("A=1 B=2 rg x", "A=1 B=2 rg -m 1 x"),
    ("cd src && rg x | head; ls -R", "cd src && rg -m 5 x | head; ls -R -I x".replace(" -I x", " -1")),
    ("if rg x; then ls -R; fi", "if rg -m 1 x; then ls -R -1; fi"),
    ("rg x 2>/dev/null >out", "rg -m 5 x 2>/dev/null >out"),
    ("rg 5 .", "rg -m 5 5 ."),
    ("rg .", "rg -m 5 ."),
    ("rm *", "rm build"),
    ("rm x", "rm -v x"),
    ("g'r'ep -r x .", "g'r'ep -m 5 -r x ."),
    ("\\grep -r x .", "\\grep -m 5 -r x ."),
    ('rg "$(cat x)" "${HOME}/y"', 'rg -m 5 "$(cat x)" "${HOME}/y"'),
    ("find ../x -name y", "find ../x -path ../x/.ai/tmp -not -prune -o -name y"),
]

WIDER = [
    # another command word, or one more
    ("grep x .", "rg x ."),
    ("grep x .", "sudo grep x ."),
    ("grep x .", "env grep x ."),
    ("grep x .", "A=1 grep x ."),
    ("grep x .", "/bin/grep x ."),
    ("grep x .", "grep"),
    ("grep x .", ""),
    ("", "rm x"),
    ("true && . file", "true && foo file"),
    ("cd x && grep y", "cd x && -l grep y"),
    ("a | head", "a | -n head"),
    ("cat *", "dd *"),
    # blanks that only Python takes for blanks
    ("grep a b", "grep\u00a0a b"),
    ("grep a b", "grep\ra b"),
    ("grep a b", "grep a\x0bb"),
    ("grep a b", "grep\x1ca b"),
    # operators and substitutions
    ("grep x .", "grep x . | head"),
    ('rg "$(a "b" c)" .', 'rg "$(a "b" -m 5 c)" .'),
    ('rg "$(a; b)" .', 'rg -m 5 "$(a; b)" .'),
    ('rg "$(cat x)" .', 'rg "$(cat y)" .'),
    ("find . -name y", "find . -path $X -name y"),
    ("grep x .", "grep x .; ls"),
    ("grep x .", "grep x . & ls"),
    ("grep x .", "grep x . && ls"),
    ("grep x .", "grep x .\nls"),
    ("grep x .", "grep x . > out"),
    ("grep x .", "grep -f <(ls) x ."),
    ("grep x .", "grep x $(pwd)"),
    ("grep x .", "grep x `pwd`"),
    ("grep x .", "grep -$FLAG x ."),
    ("grep x .", 'grep "-$(id)" x .'),
    ("grep x .", "(grep x .)"),
    ("a && b", "a & & b"),
    ("a | b", "a || b"),
    ("a | b", "a |& b"),
    ("echo 2 > f", "echo 2> f"),
    ("rg x >out", "rg x -m 5>out"),
    ("a; b", "b; a"),
    # quotes and comments that move what is active
    ("grep foo 'a; rm -rf x'", "grep foo -e' 'a; rm -rf x' --b='"),
    ("grep foo 'a; rm x'", "grep foo -- 'a'; rm x"),
    ("rm a\\ b", "rm a\\ -x b"),
    ("find . -maxdepth 1 -name x", "find . -print # -maxdepth 1 -name x"),
    ("grep x .", "grep x . #"),
    ("grep x .", "grep 'x ."),
    ("grep x .", 'grep "x .'),
    ("grep x .", "grep x .\\"),
    ("rg $'a\\'b' .", "rg $'a\\'b' -m 5 ."),
    ("rg ${a:-b c} .", "rg ${a:-b -x c} ."),
    ("cat <<X\nrg x\nX", "cat <<X\nrg -m 5 x\nX"),
    # arguments that are no flags, or lead elsewhere
    ("rm a", "rm a b"),
    ("rm a", "rm -v b a"),
    ("kill 7", "kill -9 5 7"),
    ("rm x", "rm -v / x"),
    ("grep x .", "grep x . lib"),
    ("grep x .", "grep x /"),
    ("grep x .", "grep x ~"),
    ("grep x .", "grep x ../other"),
    ("grep x .", "grep x src/../.."),
    ("grep x src", "grep x srcs"),
    ("grep x src", "grep x src/"[:-1] + "/.."),
    ("grep x src", "grep x -rf"),
    ("grep x src", "grep x"),
    ("rm '' b", "rm evil b"),
    ("grep x -- -y", "grep -- x -- -y"),
    # flags by which a search does more than look, and programs that run their arguments
    ("find . -name x", "find . -name x -delete"),
    ("rg x", "rg --pre=evil x"),
    ("fd x", "fd -X x"),
    ("git grep x", "git --exec-path=/tmp/evil grep x"),
    ("git status", "git -p status"),
    ("bash script", "bash -x script"),
    ("sudo ls", "sudo -s ls"),
    ("sudo rm grep x", "sudo rm grep -r x"),
    ("xargs rm", "xargs -I rm"),
    ("sh -c ''", "sh -c evil"),
    ("for x in *; do rm x; done", "for x in src; do rm x; done"),
    ("sort x", "sort -o/etc/passwd x"),
    ("curl x", "curl --output=y x"),
]


@pytest.mark.parametrize(("old", "new"), NARROWER)
def test_flags_and_narrower_arguments_pass(old: str, new: str) -> None:
    assert narrows_command(old, new)


@pytest.mark.parametrize(("old", "new"), WIDER)
def test_everything_else_is_refused(old: str, new: str) -> None:
    assert not narrows_command(old, new)


@pytest.mark.parametrize(("old", "_"), NARROWER + WIDER)
def test_nothing_changed_is_always_lawful(old: str, _: str) -> None:
    assert narrows_command(old, old)
