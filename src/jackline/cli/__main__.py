"""`python -m jackline.cli`."""

from jackline.cli import main

main()
