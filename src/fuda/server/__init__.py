"""Level 6: tables online. The server knows no game."""
