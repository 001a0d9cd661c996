"""Validators: which are in force (`listing`), what they judge (`content`), what came of them (`results`, `runs`), and
what a task waits for (`due`).
"""
