"""The kernel thinks, others act: pure functions over Event, Action and Verdict.

`events` says what is special about each event · `dispatch` runs hooks in order · `merge` makes one verdict ·
`rewrite` judges rewrites · `phases` the lifecycle · `continuation` the account of a turn's end · `refusal` its words.
"""
