"""A table as players see it in the terminal, and what they can type there."""
