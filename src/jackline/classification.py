"""Which tools can do harm: SAFE or DESTRUCTIVE, for every tool of every client (the engine, command classification)."""
