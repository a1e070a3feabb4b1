"""Level 5: measurements on very many games."""
