"""A game played at a server's table."""
