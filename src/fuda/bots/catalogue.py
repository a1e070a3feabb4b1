"""The bots: for every game a random one; for some also one with rules of thumb."""

from __future__ import annotations

from typing import Final

from fuda.bots.bot import Bot, rulebook
from fuda.bots.random import RandomBot
from fuda.bots.thumb_cursed_tricks import ThumbCursedTricks
from fuda.bots.thumb_frantic import ThumbFrantic
from fuda.bots.thumb_kirifu import ThumbKirifu
from fuda.bots.thumb_schadenfreude import ThumbSchadenfreude
from fuda.bots.thumb_shinigami_preschool import ThumbShinigamiPreschool
from fuda.engine.errors import Error, brief

THUMB: Final[dict[str, type[Bot]]] = {
    "schadenfreude": ThumbSchadenfreude,
    "cursed_tricks": ThumbCursedTricks,
    "shinigami_preschool": ThumbShinigamiPreschool,
    "kirifu": ThumbKirifu,
    "frantic": ThumbFrantic,
}


def names(game: str) -> list[str]:
    """The kinds of bot that can play this game, the strongest last."""
    return ["random", "thumb"] if rulebook(game).id in THUMB else ["random"]


def bot(name: str, game: str, seed: int) -> Bot:
    """A bot of this kind for this game; the same seed and the same views give the same moves."""
    there = names(game)
    if name not in there:
        raise Error(f"There is no bot {brief(name)} for {game}; there are {', '.join(there)}.")
    return THUMB[game](seed) if name == "thumb" else RandomBot(seed)
