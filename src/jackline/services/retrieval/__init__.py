"""Retrieval: which files of a repository a prompt is about, and a pack of them within a budget of tokens.

Standard library, SQLite and git; no model, no network. `update` keeps an index beside nothing of the repository's own,
in a folder that the caller names; `find` gives an order with reasons, `make_pack` the pack. Figures and limits:
`docs/pack.md`.
"""

from __future__ import annotations

from jackline.services.retrieval.index import Update, update
from jackline.services.retrieval.pack import Item, Pack
from jackline.services.retrieval.repository import Repository, find, make_pack
from jackline.services.retrieval.search import Candidate, Recipe, Rule
from jackline.services.retrieval.tiers import FLAT, Tiers

__all__ = [
    "FLAT",
    "Candidate",
    "Item",
    "Pack",
    "Recipe",
    "Repository",
    "Rule",
    "Tiers",
    "Update",
    "find",
    "make_pack",
    "update",
]
