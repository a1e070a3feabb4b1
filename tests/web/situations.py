"""Games in the middle of play, for tests and screenshots."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import fuda
from fuda.bots.catalogue import bot
from tests.web.browsers import Browsers, Tab
from tests.web.positions import Position, sit_at

MAX_MOVES: Final = 2000
"""The situation must come within so many moves."""


@dataclass(frozen=True)
class Situation:
    """A game that bots play until A is asked this kind of question."""

    game: str
    players: int
    kind: str = ""
    """Empty: any question."""
    after: int = 0
    """After at least so many moves."""
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    choices: int = 1
    """A has at least so many legal moves."""

    def play(self) -> fuda.Game:
        game = fuda.new(self.game, self.players, self.seed, self.options)
        player = bot("thumb", self.game, self.seed)
        for made in range(MAX_MOVES):
            if game.over or (made >= self.after and self.is_at(game)):
                return game
            game.play(player.choose(game.view(game.seat), game.moves()))
        raise AssertionError(f"{self} never comes")

    def is_at(self, game: fuda.Game) -> bool:
        question: dict[str, Any] = game.view("A")["question"]
        return game.seat == "A" and self.kind in ("", question["kind"]) and len(game.moves()) >= self.choices


TABLES: Final = {
    "schadenfreude": Situation("schadenfreude", 4, after=70, seed=9),
    "cursed_tricks": Situation("cursed_tricks", 4, after=20, seed=16),
    "shinigami_preschool": Situation("shinigami_preschool", 4, after=10, seed=10),
    "frantic": Situation("frantic", 4, "turn", after=20, seed=35),
    "kirifu": Situation("kirifu", 4, "answer", after=8, seed=21, choices=3),
}
"""Each game in the middle of a round."""

QUESTIONS: Final = {
    "breaking a curse": Situation("cursed_tricks", 3, "break", seed=11, choices=2),
    "a wish": Situation("frantic", 4, "wish", choices=13),
    "somebody": Situation("frantic", 4, "target"),
    "somebody or a wish": Situation("frantic", 4, "target or wish", seed=2),
    "several cards": Situation("frantic", 4, "pick", seed=15, after=350),
    "a reaction": Situation("frantic", 4, "counterattack", choices=2),
    "the last reaction": Situation("frantic", 4, "nice try"),
    "a market": Situation("frantic", 4, "market", seed=7),
    "splitting": Situation("frantic", 4, "split", after=500),
    "packets": Situation("frantic", 4, "distributor", seed=8, after=290),
    "an event": Situation("frantic", 4, "event manager", seed=13),
    "what to copy": Situation("frantic", 4, "mimicry", seed=2),
    "all or nothing": Situation("frantic", 4, "seppuku", seed=5),
    "an attack": Situation("kirifu", 4, "attack", after=180, seed=2, choices=20),
    "a character": Situation("kirifu", 4, "character", seed=7, options={"characters": True}),
    "eight at a table": Situation("frantic", 8, "turn", after=60),
}
"""Questions with different kinds of controls."""

SITUATIONS: Final = TABLES | QUESTIONS


@cache
def game_in(name: str) -> fuda.Game:
    return SITUATIONS[name].play()


async def open_situation(browsers: Browsers, name: str, **options: Any) -> Tab:
    """A tab at seat A of this situation, against bots."""
    situation = SITUATIONS[name]
    table = {key: options.pop(key) for key in ("pace", "chat") if key in options}
    tab = await browsers.open("/", **options)
    await sit_at(tab, Position(situation.kind, game_in(name), situation.options), **table)
    await until_settled(tab)
    return tab


async def until_settled(tab: Tab) -> None:
    """Waits until the question can be answered, and no finished trick is shown."""
    await tab.asked()
    await tab.page.wait_for_selector(".trick .won", state="detached")


async def reload_in(tab: Tab, language: str) -> None:
    """Loads the table again in another language."""
    script = "language => { const saved = JSON.parse(localStorage['fuda-settings']); saved.language = language; "
    await tab.page.evaluate(f"{script} localStorage['fuda-settings'] = JSON.stringify(saved); }}", language)
    await tab.page.reload()
    await until_settled(tab)
