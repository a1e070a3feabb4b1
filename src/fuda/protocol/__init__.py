"""Level 4: what clients and servers say to each other."""
