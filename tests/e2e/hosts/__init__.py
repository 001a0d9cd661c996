"""Programs that an SDK's user would write, with the engine in them; each runs as a process of its own."""
