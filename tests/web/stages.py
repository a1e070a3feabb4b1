"""Games at a moment that is worth looking at, for tests and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import fuda
from fuda.bots.catalogue import bot
from tests.web.browsing import Tab, Visitors
from tests.web.positions import Position, seated_at

PATIENCE: Final = 2000
"""So many moves are made until the moment must have come."""


@dataclass(frozen=True)
class Stage:
    """A game that bots have played until A is asked this; or one that begins with a position."""

    game: str
    players: int
    kind: str = ""
    """The kind of the question; any, if empty."""
    after: int = 0
    """So many moves have been made at least."""
    options: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    moves: tuple[str, ...] = ()
    """What is played first."""
    seed: int = 1
    choices: int = 1
    """So many moves A has at least."""

    def made(self) -> fuda.Game:
        game = fuda.new(self.game, self.players, self.seed, self.options, self.position)
        for move in self.moves:
            game.play(move)
        somebody = bot("thumb", self.game, self.seed)
        for made in range(PATIENCE):
            if game.over or (made >= self.after and self.is_at(game)):
                return game
            game.play(somebody.choose(game.view(game.seat), game.moves()))
        raise AssertionError(f"{self} does not come")

    def is_at(self, game: fuda.Game) -> bool:
        question: dict[str, Any] = game.view("A")["question"]
        return game.seat == "A" and self.kind in ("", question["kind"]) and len(game.moves()) >= self.choices


TABLES: Final = {
    "schadenfreude": Stage("schadenfreude", 4, after=70, seed=9),
    "cursed_tricks": Stage("cursed_tricks", 4, after=20, seed=16),
    "shinigami_preschool": Stage("shinigami_preschool", 4, after=10, seed=10),
    "frantic": Stage("frantic", 4, "turn", after=20, seed=35),
    "kirifu": Stage("kirifu", 4, "answer", after=8, seed=21, choices=3),
}
"""Each game in the middle of a round."""

QUESTIONS: Final = {
    "breaking a curse": Stage("cursed_tricks", 3, "break", seed=11, choices=2),
    "a wish": Stage("frantic", 4, "wish", choices=13),
    "somebody": Stage("frantic", 4, "target"),
    "somebody or a wish": Stage("frantic", 4, "target or wish", seed=2),
    "several cards": Stage("frantic", 4, "pick", seed=15, after=350),
    "a reaction": Stage("frantic", 4, "counterattack", choices=2),
    "the last reaction": Stage("frantic", 4, "nice try"),
    "a market": Stage("frantic", 4, "market", seed=7),
    "splitting": Stage("frantic", 4, "split", after=500),
    "packets": Stage("frantic", 4, "distributor", seed=8, after=290),
    "an event": Stage("frantic", 4, "event manager", seed=13),
    "what to copy": Stage("frantic", 4, "mimicry", seed=2),
    "all or nothing": Stage("frantic", 4, "seppuku", seed=5),
    "an attack": Stage("kirifu", 4, "attack", after=180, seed=2, choices=20),
    "a character": Stage("kirifu", 4, "character", seed=7, options={"characters": True}),
    "eight at a table": Stage("frantic", 8, "turn", after=60),
}
"""A question of each sort."""

STAGES: Final = TABLES | QUESTIONS


@cache
def made(name: str) -> fuda.Game:
    return STAGES[name].made()


async def staged(those: Visitors, name: str, **wishes: Any) -> Tab:
    """Somebody at seat A of this stage, with bots around, who is asked something."""
    stage = STAGES[name]
    table = {key: wishes.pop(key) for key in ("pace", "chat") if key in wishes}
    tab = await those.come("/", **wishes)
    await seated_at(tab, Position(stage.kind, made(name), stage.options), **table)
    await settled(tab)
    return tab


async def settled(tab: Tab) -> None:
    """Waits until the question can be answered, and nothing is shown any more that is over."""
    await tab.asked()
    await tab.page.wait_for_selector(".trick .won", state="detached")


async def speaking(tab: Tab, language: str) -> None:
    """The table as somebody finds it who comes with another language."""
    script = "language => { const kept = JSON.parse(localStorage['fuda-settings']); kept.language = language; "
    await tab.page.evaluate(f"{script} localStorage['fuda-settings'] = JSON.stringify(kept); }}", language)
    await tab.page.reload()
    await settled(tab)
