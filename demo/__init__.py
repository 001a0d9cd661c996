"""The demo: recorded payloads of every supported client, played through the installed entry line."""
