"""Understand shell commands, for every feature (design section 8). Two doors:

`screen.plain(command)` and `screen.screen(command)` are hot, cheap and sound. `plain` gives the simple commands of a
command that bash, dash and zsh all read alike, or None for "don't know". `screen` is True when the command certainly
has no effect worth a word: it reads, or runs the project's own tests and builds.

`effects.effects(command, cwd, env, root)` is cold: the full grammar. It finds every simple command, whatever wraps,
quotes or nests it, and what each reads, writes, deletes, executes, sends, or changes in history and privileges, on
resolved paths. What it cannot understand it says (`understood`, `why`, effects of kind `unknown`); nothing is
harmless because it was unreadable.

    from jackline.shell.screen import screen

    if not screen(event.command):
        for effect in event.effects.effects:          # jackline.shell.model.Effect
            if effect.kind in ("write", "delete"):
                judge(effect.path, effect.deep, effect.pattern)

`screen` looks at effects only. How much a search reads is a question for the words: `plain(command)`, or, where that is
None, `event.effects.commands` (jackline.shell.model.Command), which name every command with its wrappers, folder,
redirections and neighbours in the pipeline, and the place in the text where a flag can be put in.

How it is made: `lexis` reads words and `grammar` commands, strictly, as bash does; `expand` and `shell_state` know what
words become; `walk` goes through a script in the order it runs; `programs` finds the rule of each program in `rules`.
`effects` finds commands in text that `grammar` refuses. The laws in `tests/laws/test_shell.py` hold all of it
against bash itself.
"""
