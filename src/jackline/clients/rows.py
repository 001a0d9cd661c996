"""What each client can carry at each event, as `capabilities` reads it: from the specs.

Values only: in the bundle they stand as literals (`compiler/derived.py`).
"""

from __future__ import annotations

from jackline.clients.specs import SPECS

CLIENTS = {
    one.name: (one.version, one.context_limit, one.answer_limit, one.time_limit, one.pairing, one.subagent)
    for one in SPECS.values()
}
"""Client: version, context limit, answer limit, usual time limit, pairing, mark of a sub-agent."""
ROWS = {
    one.name: {event: (at.can, at.rewrite, at.block, at.cont) for event, at in one.events.items()}
    for one in SPECS.values()
}
"""Client: event: what it can, rewrite, block, continuations."""
TIMES = {
    (one.name, event): (at.usual, at.most)
    for one in SPECS.values()
    for event, at in one.events.items()
    if at.usual or at.most
}
"""(usual, largest) time limit where it is not the client's usual one."""
