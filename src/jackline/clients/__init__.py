"""The clients: what each is, as data, and how a run reads and answers them. `router` finds who asks."""
