"""`python -m bench`: measure everything, print the tables, keep them in `bench/out/table.md`.

python -m bench              all tables, in about three minutes on a quiet machine
python -m bench --write      and put them into docs/performance.md
python -m bench --rounds 200 more rounds of the clock
"""

from __future__ import annotations

import argparse
import sys

from bench import clocked, tables
from bench.count import Missing
from bench.figures import measure
from bench.gates import progress
from bench.parts import REPO

OUT = REPO / "bench/out/table.md"
PAGE = REPO / "docs/performance.md"
BEGIN, END = "<!-- measured -->\n", "<!-- /measured -->"


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description="What an event costs, in bare interpreter starts.")
    parser.add_argument("--rounds", type=int, default=40, help="rounds of the clock (default 40)")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    given = parser.parse_args()
    told = progress()
    try:
        counted = measure(told, after=True)
    except Missing as missing:
        print(f"bench · cannot be measured: {missing}", file=sys.stderr)
        return 1
    text = tables.page(counted, clocked.measure(given.rounds, told))
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(text)
    print(f"\n{text}")
    if given.write:
        page = PAGE.read_text()
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}")
    return 0


sys.exit(main())
