"""The run: a `request` in, a table of stages (`pipeline`) over its `outcome`, one writer (`commit`)."""
