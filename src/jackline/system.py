"""Operating-system calls, all of them: files, locks, clocks, processes. Nobody else makes them.

Hot: uses `posix` and the other modules that are built into the interpreter, never `os`.
"""
