"""Understand shell commands, for every feature (design section 8). Two doors:

`screen.plain(command)` and `screen.screen(command)` are hot, cheap and sound. `plain` gives the simple commands of a
command that bash, dash and zsh all read alike, or None for "don't know". `screen` is True when the command certainly
has no effect worth a word: it reads, or runs the project's own tests and builds.

`effects.effects(command, cwd, env, root)` is cold: the full grammar. It finds every simple command, whatever wraps,
quotes or nests it, and what each reads, writes, deletes, executes, sends, or changes in history and privileges, on
resolved paths. What it cannot understand it says (`understood`, `why`, effects of kind `unknown`); nothing is
harmless because it was unreadable.

    from jackline.shell.screen import screen
    from jackline.shell.reach import reaches

    if not screen(event.command):
        for effect in event.effects.effects:
            if effect.kind in ("write", "delete") and reaches(effect, "/project/.ai/hooks"):
                ...
"""
