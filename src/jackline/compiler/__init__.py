"""From configuration, front matter and decorators to the hook table. Cold: nothing here runs at an event."""
