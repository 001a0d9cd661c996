"""Intents: what a session works for, and the paths that belong to it (the engine, scope enforcement)."""
