"""Where the searches of the tests find something."""

NEEDLE = "a needle"
