"""Drive real clients offline: a scripted model on the loopback of a network namespace that has nothing else.

`script` says what the model answers, `claude` and `codex` run a client, `run` tells what came of it.
Nothing here knows the product.
"""
