"""Scripts that were once read otherwise than bash does: what it runs is found, or the script is not understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.shell.effects import effects
from shell.oracle import Oracle, fits, fresh

BRACES = r"""
danger {{}},}x
danger {},x} a{},x} \ {},x}
danger {a..{b,c}} {a..{1..2}} {a..{1..2}}{c,d}
danger {a..','}x {a..\,}x {..}{a,b}
danger {a..$(echo 1,2)}x
x=1; danger $x{a,b}
x=1; danger {$x,b}y {a,$}x
danger ${x:-{}{a,b} ${x#\}}{a,b}
danger {a,"${x:-"}"}"}
danger $${a,b}
danger {1..99999999999999999999} {1..3..99999999999999999999}
danger {3..1}
danger {01..03}
danger {1_0..1_2}
danger {1..5..2}
danger {Z..a}
danger {1..a}
export x={a,b}; danger $x
"""
ESCAPES = r"""
danger $'\c?'
danger $'\c\\a'
danger $'\cé'
danger $'\ud800'
echo -e 'danger \101' | bash
echo -e 'danger \0101' | bash
printf 'danger \0101\n' | bash
printf 'danger \"a b\"\n' | bash
printf "danger \\'a\\'\n" | bash
printf 'danger %b\n' '\0101' '\101' '\"a b\"' | bash
printf 'danger %d\n' 010 0x10 abc +5 -3 7 | bash
printf 'danger %d\n' | bash
printf -v x -- 'danger %s\n' a b; echo "$x" | bash
"""
SUMS = r"""
x=$(( 1 + '$(danger a)1' ))
(( 1 + '$(danger a)1' ))
x=$(( 'a `danger b`' ))
x=$[ '$(danger a)' ]
for (( i='$(danger a)'; i<0; i++ )); do :; done
a=abc; echo ${a:'$(danger a)'}
a['$(danger a)']=1
x=$(( $'$(danger a)' ))
"""
INPUTS = r"""
exec <<< 'danger a'; bash
echo 'danger a' > >(bash)
echo 'danger a' | : $(bash)
{ : "$(bash)"; } <<< 'danger a'
printf "echo '\ndanger a\n'" | { read l; bash; }
printf "echo '\ndanger a\n'" | while read l; do bash; done
printf "echo '\ndanger a\n'" | if read l; then bash; fi
eval -- danger a
env -S 'danger a\_b'
xargs -I% danger % <<< $'a b\n c\n\nd'
xargs -I% danger % <<< $' a\t'
"""
BLANKS = r"""
x=$'a\rb'; danger $x
x=$'a\vb'; danger $x
x=$'a\u00a0b'; danger $x
set -- a b; IFS=-; danger "$*"
set -- a b; IFS=-; x=$*; danger "$x"
echo a b | xargs -n1 danger c
"""
ARITHMETIC = r"""
x=1; ((x=5)); danger $x
x=1; ((x++)); danger $x
x=1; : $((x=5)); danger $x
x=1; : $[x=5]; danger $x
x=1; let a=1,x=5; danger $x
x=1; a[x=5]=3; danger $x
x=1; a=([x=5]=3); danger $x
x=1; : ${a[x=5]}; danger $x
x=1; y=abc; : ${y:x=2}; danger $x
x=1; y=x=5; ((y)); danger $x
x=1; y=x; (($y=5)); danger $x
x=1; for ((x=0;x<2;x++)); do danger $x; done; danger $x
i=0; while true; do danger $i; ((i++)); [[ $i == 2 ]] && break; done
declare -i x=1; x=x+5; danger $x
"""
SUBSCRIPTS = r"""
read 'x[$(danger 1)]' <<< a
x=(1 2); unset 'x[$(danger 1)]'
declare 'x[$(danger 1)]=1'
[[ 'x[$(danger 1)]' -eq 1 ]]
(( 'x[$(danger 1)]' ))
x=(1); : ${x['y[$(danger 1)]']}
x['y[$(danger 1)]']=1
[[ -v 'x[$(danger 1)]' ]]
x=abc; : ${x:'y[$(danger 1)]'}
x='$(danger 1)'; : "${x@P}"
"""
VARIABLES = r"""
RANDOM=5; danger $RANDOM
true a; _=x; true b; danger $_
BASH_REMATCH=x; [[ ab =~ a ]]; danger $BASH_REMATCH
OPTARG=x; getopts a: o -a y; danger $OPTARG
PWD=/x; cd /; danger $PWD
OLDPWD=/x; cd /; danger $OLDPWD
declare -u x; x=a; danger $x
declare -n y=x; x=1; y=2; danger $x
f(){ declare -g x=2; }; x=1; f; danger $x
f(){ local -I x; danger "$x"; }; x=1; f
f(){ declare x; danger "$x"; }; x=1; f
x=1; local x=2; danger $x
readonly x=1; declare x=2; danger "$x"
x=2; x=1 eval 'danger $x'; danger $x
x=2; f(){ danger $x; x=9; }; x=1 f; danger $x
HOME=/q; danger a=b=~
unset HOME; danger ~
readonly x={a,b}; danger $x
OLDPWD=/nowhere/q bash -c 'danger x$OLDPWD'
SHLVL=5 bash -c 'danger $SHLVL'
export x=1; env -u x bash -c 'danger "$x"'
set -- a b; shift 3; danger "$1"
set -- a b c; while [ $# -gt 0 ]; do danger "$1"; shift; done
for i in 1 2 3; do eval 'danger $x; x=$i'; done
"""
LATER = r"""
x=1; trap 'danger $x' EXIT; x=5
trap clean EXIT; clean() { danger a; }
x=1; trap 'danger $x' DEBUG; x=2; :
f() { x=7; }; x=1; trap f DEBUG; danger $x
x=$(trap 'echo a' EXIT); danger $x
mapfile -C 'danger a' -c 1 x <<< b
PS4='$(danger a)'; set -x; :
BASH_ENV=<(echo danger a) bash -c :
touch '; danger'; eval : *danger
bash +c 'danger a'
bash -n +n -c 'danger a'
bash -e +s a <<< 'danger $1'
bash -c -e 'danger $0' a
bash -eo pipefail +ec 'danger $0' a
"""
TABLE = [
    line
    for text in (BRACES, ESCAPES, SUMS, INPUTS, BLANKS, ARITHMETIC, SUBSCRIPTS, VARIABLES, LATER)
    for line in text.strip().splitlines()
]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    return Oracle(tmp_path_factory.mktemp("oracle"), real="bash env xargs touch")


@pytest.mark.parametrize("script", TABLE)
def test_what_bash_runs_is_found(oracle: Oracle, tmp_path: Path, script: str) -> None:
    ran = oracle.run(script, fresh(tmp_path))
    found = effects(script, str(tmp_path / "cwd"), {"HOME": str(oracle.home)})
    have = [one.words[1:] for one in found.commands if one.program == "danger"]
    assert ran, "the script shows nothing"
    assert not found.understood or [call for call in ran if not any(fits(call, words) for words in have)] == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("danger {3,1} {a,c}", ("3", "1", "a", "c")),
        ("danger {}{,x} {a,b}{c,d}", ("{}", "{}x", "ac", "ad", "bc", "bd")),
        ("x=a; danger ${x}{,.b} $x{,.b} {$x,c}/d", ("a", "a.b", "a", "a.b", "a/d", "c/d")),
        ("x=2; ((y = x + 1)); danger $HOME", ("/home/me",)),
        ("for ((i=0; i<3; i++)); do danger $1 a; done; x=b; danger $x", ("b",)),
        ("x=1; x=2 f; f() { :; }; y=$((3*4)); z=a; danger $z", ("a",)),
        ("t=/tmp/a; trap 'danger $t' EXIT; echo b", ("/tmp/a",)),
        ("f() { local x=3; danger $x; }; f", ("3",)),
        ("opts=(--dir=a); dir=b; danger $dir", ("b",)),
        ("echo a b | xargs danger", ("a", "b")),
        ("[[ $a == dir=b ]] && danger $HOME", ("/home/me",)),
    ],
)
def test_what_is_certain_stays_certain(script: str, words: tuple[str, ...]) -> None:
    """Caution has its price: these are still known to the letter."""
    found = effects(script, "/nowhere", {"HOME": "/home/me"})
    assert found.understood, found.why
    assert ("danger", *words) in [one.words for one in found.commands]
