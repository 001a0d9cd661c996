"""Plans: what one is (`document`), when it is accepted (`rules`, `acceptance`), and how it is worked off (`nodes`)."""
