"""What outlives a process: sessions, logs, state, claims, trust. Hot unless a module says otherwise.

`sessions` finds which session a call belongs to and opens its folder · `journal` appends and reads the log · `state`
folds patches · `exclusive_files` counts by files · `secrets` masks · `crash` keeps reports of our own faults.
"""
