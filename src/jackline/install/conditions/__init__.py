"""What besides its entries decides whether a client runs them, and what is left to the person: one module a file."""
