"""Level 3: bots."""
