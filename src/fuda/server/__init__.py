"""Level 5: tables online. The server knows no game."""
