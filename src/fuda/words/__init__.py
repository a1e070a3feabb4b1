"""The games in words, in every language that there are words for."""
