"""Level 4: bots. They receive a view and the legal moves, never a game."""

from fuda.bots.bot import Bot
from fuda.bots.catalogue import bot, names

__all__ = ["Bot", "bot", "names"]
