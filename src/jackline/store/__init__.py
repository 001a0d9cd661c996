"""What outlives a process: sessions, logs, state, claims, trust. Hot unless a module says otherwise.

`place` opens a session's folder · `identity` finds which session a call belongs to · `journal` appends and reads the
log · `state` folds patches · `claims` counts by files · `secrets` masks · `crash` keeps reports of our own faults.
"""
