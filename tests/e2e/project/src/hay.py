"""Nothing to find here."""

HAY = 1
