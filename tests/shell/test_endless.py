"""Loops without an end that start jobs, and those that something holds up."""

from __future__ import annotations

import pytest

from jackline.shell.effects import effects

FULL = {
    "while": "while true; do job & done",
    "a colon": "while :\ndo\n  job &\ndone",
    "in a function": "f() { while true; do job & done; }; f",
    "in a shell": "sh -c 'while true; do job & done'",
    "until what never comes": "until false; do job & done",
    "a counter without a bound": "for ((;;)); do job & done",
    "a counter that only rises": "for (( i=0 ; ; i++ )); do job & done",
}
HELD = {
    "no job": "while true; do job; done",
    "no end that is sure": "while ready; do job & done",
    "never": "while false; do job & done",
    "a bound": "for ((i=0;i<9;i++)); do job & done",
    "words": "for x in a b; do job & done",
    "a wait": "while true; do job & wait; done",
    "a wait for one": "while true; do job & wait -n; done",
    "a wait first": "while true; do wait; job & done",
    "a sleep": "while true; do job & sleep 1; done",
    "a subshell that waits": "while true; do (job & wait); done",
    "an end": "while true; do job & break; done",
    "an end perhaps": "while true; do job & done_now && exit; done",
    "an end in a case": "while true; do job & case $x in q) break ;; esac; done",
    "prose": "echo 'while true; do job & done'",
    # Nobody asks whether what waits or ends is reached, nor what it waits for.
    "a second job": "while true; do a & wait; b & done",
    "a wait that may not happen": "while true; do job & ready && wait; done",
    "a wait of another shell": "while true; do job & (wait); done",
    "a job that nobody can wait for": "while true; do (job &); wait; done",
}


def endless(command: str) -> bool:
    return any(one.act == "endless" for one in effects(command, "/nowhere/p", {"HOME": "/home/u"}).effects)


@pytest.mark.parametrize("command", FULL.values(), ids=FULL)
def test_what_fills_the_machine_is_told(command: str) -> None:
    assert endless(command)


@pytest.mark.parametrize("command", HELD.values(), ids=HELD)
def test_what_is_held_up_is_not(command: str) -> None:
    assert not endless(command)
