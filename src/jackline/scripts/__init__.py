"""Scripts: hooks in any language. What a script is, how its answer is read, and the loops that run the four types.

The compiler finds and declares them (`compiler/scripts.py`), `runners/script.py` starts one child, the engine asks.
"""
