"""What programs do with their arguments, one module per subject.

Each module has `RULES`: program name to a function that is given a `Job`, reports effects on it, and returns what the
program prints when that is certain.
"""
