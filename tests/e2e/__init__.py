"""End to end: the real clients, offline, in repositories where `jackline init` was run."""
