"""Level 2: the games. Adding one means its file, its rules page, its examples and one line in the catalogue."""
