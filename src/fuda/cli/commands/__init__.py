"""One file for each command of `fuda`."""
