"""Fuda's server under load, beside other servers: `make load`."""
