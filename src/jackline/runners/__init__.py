"""One file per way to run a hook: `python` for features, inline or forked."""
