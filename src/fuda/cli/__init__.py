"""Level 7: the command `fuda`."""
