"""The hot path: what a door loads, what it starts, and that it answers as the engine does."""
