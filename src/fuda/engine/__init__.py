"""Level 1: what every game is made of. Nothing here knows a game."""
