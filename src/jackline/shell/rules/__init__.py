"""What programs do with their arguments, one module per subject.

A rule is a function that is given a `Job`, reports effects on it, and returns what the program prints when that is
certain; `subjects` says which one judges a program.
"""
