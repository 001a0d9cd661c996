"""Jackline: one ordered, budgeted, logged, merged decision for every event of every coding agent."""

__version__ = "0.1.0"
