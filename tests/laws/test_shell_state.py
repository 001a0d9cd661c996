"""Laws of what the shell library knows of variables, arguments and printed text, with bash as the oracle."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.shell.effects import effects
from shell.oracle import Oracle, fits, fresh


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    return Oracle(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("base")


def missed(oracle: Oracle, base: Path, script: str) -> list[tuple[str, ...]]:
    """Calls that bash makes, of a script that is understood, and that were not found."""
    found = effects(script, str(base / "cwd"), {"HOME": str(oracle.home)})
    if not found.understood:
        return []
    have = [one.words[1:] for one in found.commands if one.program == "danger"]
    ran = oracle.run(script, fresh(base))
    return [call for call in ran if not any(fits(call, words) for words in have)]


NAMES = ["x", "y", "IFS", "HOME", "RANDOM", "OLDPWD"]
VALUES = [
    *("1", "a", "''", "' a b '", "a-b", "-1", "08", "$x", '"$y"', "$1", '"$*"', '"$@"', "$#", "$((x+1))", "$(echo $x)"),
    *("x=5", "'$x'", "$'a\\rb'", "~", "a:~", "{a,b}", "${x:-q}", "${y+$x}", "${x:=7}", "`echo a`", "$HOME", "é", "'*'"),
    *("$((x=2))", "$((++y))", "$[y-=1]", "${#x}", "${!x}", "$(printf '%s-' $x)", "$(echo -e 'a\\tb')", "--", "-n"),
]
STATEMENTS = r"""
{n}={v}
{n}+={v}
export {n}={v}
declare {n}={v}
readonly {n}={v}
declare -i {n}={v}
unset {n}
declare -u {n}
declare -l {n}={v}
local {n}={v}
local {n}
declare {n}
typeset -i {n}
(({n}={m}))
(({n}++))
let {n}+=1
let {v}
((x,y=2))
[[ {m} -eq {v} ]]
[[ {v} == {v} ]]
read {n} <<< {v}
read -r {n} {m} <<< {v}
printf -v {n} '%s' {v}
printf -v {n} -- '%d' {v}
: ${{n}:={v}}
set -- {v} {v}
set -- {v}
set {v}
shift
shift 2
set --
cd .
mapfile -t {n} <<< {v}
eval {n}={v}
eval '{n}={v}'
eval "{n}={v}"
eval danger {v}
{n}={v} eval 'danger ${n}'
{n}={v} f
f {v}
{n}={v} bash -c 'danger ${n}'
bash -c 'danger "$0" $1' {v} {v}
bash -s {v} <<< 'danger $1 ${n}'
echo danger {v} | bash
echo -e danger {v} | bash
printf 'danger %s\n' {v} {v} | bash
printf danger%b {v} | bash
echo {v} | xargs danger
echo {v} | xargs -n1 danger
echo {v} | xargs -I@ danger @b
danger {v}
env {n}={v} bash -c 'danger "${n}"'
env -u {n} bash -c 'danger ${n}'
danger < <(echo {v})
trap 'danger ${n}' EXIT
trap '{n}=3' DEBUG
f() { danger ${n} $1; {n}={v}; }
f() { local {n}; danger ${n}; }
for {n} in {v} {v}; do danger ${n}; done
for {n} in {v}; do {m}=${n}; shift; done
for {n}; do danger ${n}; done
while [ $# -gt 0 ]; do danger "$1"; shift; done
for (({n}=0;{n}<2;{n}++)); do danger ${n}; done
false && {n}={v}
true || {n}={v}
if [ -n "${n}" ]; then {n}={v}; else {m}={v}; fi
({n}={v})
{n}={v} | cat
case {v} in {v}) {n}={v};; *) {m}=2;; esac
{ {n}={v}; } & wait
! {n}={v}
true | {n}={v}
time {n}={v}
{n}=({v} {v})
{n}[1]={v}
declare -a {n}
cat <<E | bash¶danger {v} $x¶E¶
cat <<'E' | bash¶danger {v}¶E¶
"""
"""`{n}` and `{m}` are names, `{v}` is a value, `¶` a line break."""
STATEMENT = st.builds(
    lambda shape, n, m, v: shape.replace("{n}", n).replace("{m}", m).replace("{v}", v).replace("¶", "\n"),
    st.sampled_from(STATEMENTS.strip().splitlines()),
    st.sampled_from(NAMES[:2] * 4 + NAMES),
    st.sampled_from(NAMES[:2] * 4 + NAMES),
    st.sampled_from(VALUES),
)


@given(st.lists(STATEMENT, min_size=1, max_size=5))
def test_what_variables_hold_is_known(oracle: Oracle, base: Path, statements: list[str]) -> None:
    script = "\n".join([*statements, 'danger "$x" $y "$1" "$*" $@', "danger ~ $HOME ${x:-1}"])
    assert missed(oracle, base, script) == []


ESCAPED = st.text(st.sampled_from("\\\\\\\\0145671xabcefn\"'?ug%sdb @"), max_size=10)


@given(ESCAPED, st.lists(ESCAPED, max_size=3), st.sampled_from(["printf", "echo", "echo -e", "printf %b", "danger $"]))
def test_what_escapes_stand_for_is_known(oracle: Oracle, base: Path, form: str, words: list[str], how: str) -> None:
    told = ["'" + one.replace("'", "'\\''") + "'" for one in (f"danger {form}", *words)]
    script = f"{how} {' '.join(told)} | bash"
    if how == "danger $":
        script = " ".join(["danger", *("$'" + one.replace("'", "\\x27") + "'" for one in (form, *words))])
    assert missed(oracle, base, script) == []


PIECES = ["{", "}", ",", "..", "{}", "{{", "}}", "{a,b}", "{1..3}", "a", "1", "-", "05", "C", "+", ".", "=", "~", "*"]
PIECES += ["''", "\\", "'{'", "'}'", "','", '"}"', "'a '", "\\ ", "$", "$$", "$x", "${x}", "${x:-b,c}", "${x:-{}"]
PIECES += [
    "${x#\\}}",
    '"${x:-}"',
    '"${x:-"}"}"',
    "$(echo 1,2)",
    '"$(echo "}")"',
    "`echo {`",
    '"`echo "}"`"',
    "$[1+2]",
    "$((1+2))",
]
BRACED = st.lists(st.sampled_from(PIECES), min_size=2, max_size=9).map("".join)


@given(st.lists(BRACED, min_size=12, max_size=12))
def test_what_braces_make_is_known(oracle: Oracle, base: Path, drawn: list[str]) -> None:
    calls = [f"seen {at} {word}x" for at, word in enumerate(drawn)]
    ran = oracle.run("x=\n" + "\n".join(f"(eval {quote(call)})" for call in calls), fresh(base), handler=True)
    for call in ran:
        script = "x=\n" + calls[int(call[1])]
        found = effects(script, str(base / "cwd"), {})
        assert not found.understood or any(fits(call, one.words) for one in found.commands), (script, call)
