"""The same guards inside a host's own process: `HookEngine` (design section 10)."""
