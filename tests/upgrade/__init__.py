"""An earlier version, with its store and a running session, is upgraded: nothing is lost, nobody is locked out."""
