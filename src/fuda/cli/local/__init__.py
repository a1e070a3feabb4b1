"""A game played at this terminal."""
