"""Put the entries of the entry point into the clients' configuration, take them out again, and tell whether they work.

What a client's files, events and entries are like stands in its spec (design section 6, "Install").
"""

from __future__ import annotations

from jackline.clients.specs import SPECS

CLIENTS = {one.name: one.dialect for one in SPECS.values() if one.installed}
"""Clients that `init` knows, with the dialect whose file they read."""
