"""Measurements, by hand: `make bench`, `make instructions`, `make load`."""
