"""File scripts run by themselves at the end of a turn: what they came to there counts for the plans that name them."""

from __future__ import annotations

from jackline.services.validators import content, listing, results, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jackline.scripts.evaluation import Evaluation


def keep(store: str, root: str, env: Mapping[str, str], made: Evaluation) -> None:
    """Keep the results of an evaluation that hold for the present content. OSError when the store cannot be written.

    A script that waits again saw another content, and one that was cut short saw none.
    """
    last = {one.script.key: one.outcome for one in made.runs if not (one.cut or one.outcome.stopped)}
    ended = {name for name, outcome in last.items() if not (outcome.ok and name in made.waiting)}
    rows = listing.file_scripts(store, root, ended) if listing.read(store, root).mode else []
    if not rows:
        return
    try:
        tree = content.look(root, env)
        marks = {one.id: content.of(one, tree) for one in rows}
    except content.Unknown:
        return
    for one in rows:
        results.write(store, root, one, runs.result_of(one, marks[one.id], last[one.id]))
