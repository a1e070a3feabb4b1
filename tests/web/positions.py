"""For every kind of question a game in which it is asked, taken from the examples of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml

import fuda
from fuda.protocol.parts import EVERY_SEAT
from fuda.server.table import Table
from tests.rules.test_examples import HERE as EXAMPLES
from tests.web.browsers import Tab

ASKED: Final = {
    "schadenfreude": {"play": "S-20"},
    "cursed_tricks": {"play": "C-7", "break": "C-7", "maybe break": "C-20"},
    "shinigami_preschool": {"play": "P-10"},
    "frantic": {
        "turn": "F-16",
        "drawn": "numerals",
        "2nd chance": "nestings",
        "mimicry": "F-37",
        "wish": "F-13",
        "wish, numbers": "F-26",
        "maybe wish": "F-19",
        "colour": "colour_swap",
        "target": "F-18",
        "target or wish": "F-14",
        "split": "F-17",
        "split, left 4": "F-17",
        "counterattack": "F-14",
        "counterattack, share": "F-17",
        "redirect": "F-18",
        "redirect, share": "F-17",
        "pick, purpose give": "F-15",
        "pick, purpose trust fall": "trust_fall",
        "pick, purpose dispose": "recession",
        "pick, purpose seppuku": "seppuku",
        "pick, purpose seppuku, left 2": "seppuku",
        "pick, purpose surprise party": "surprise_party",
        "pick, purpose crowdfunding": "crowdfunding",
        "pick, purpose russian roulette": "russian_roulette",
        "steal": "thief",
        "gambling man": "gambling_man",
        "gambling man, any_card": "F-47",
        "for whom, card": "surprise_party",
        "merry christmas, card": "merry_christmas",
        "distributor": "distributor",
        "trust fall": "trust_fall",
        "market": "market",
        "seppuku": "seppuku",
        "the all-seeing eye": "the_all-seeing_eye",
        "identity theft": "F-33",
        "identity theft, first": "F-33",
        "lucky bastard": "lucky_bastard",
        "lucky bastard, event": "event_manager",
        "event manager": "event_manager",
        "repeat": "repeat",
        "nice try": "F-19",
    },
    "kirifu": {
        "answer": "K-12",
        "attack": "K-7",
        "character, character locksmith": "locksmith",
        "character, character peddler": "peddler",
        "character, character juggler": "juggler",
        "character, character fisher": "fisher",
    },
}
"""By the key of each question's text: the file of examples in which it is asked."""
NEVER_ASKED: Final = {
    "frantic": {"pick", "for whom", "merry christmas"},  # what the other seats are shown
    "kirifu": {"plain", "trump", "world"},  # parts of the question "answer"
}
MOST_MOVES: Final = 80
"""Positions with more moves are not preferred."""


class Position:
    """A game in which a seat is asked a question of this kind."""

    def __init__(self, kind: str, game: fuda.Game, options: dict[str, Any]) -> None:
        self.kind = kind
        self.game = game
        self.options = options

    @property
    def rank(self) -> tuple[int, int, int]:
        """Better positions have more moves, more players, and come earlier in the game."""
        moves = len(self.game.moves())
        return (moves if moves <= MOST_MOVES else 0, len(self.game.totals), -len(self.game.played))

    @property
    def name(self) -> str:
        return f"{self.game.rules.id}: {self.kind}"


def key_of(game: fuda.Game) -> str:
    """The key of the question's text; compare `templateOf` in wording.ts."""
    texts: dict[str, str] = game.rules.questions
    question = game.view(game.seat)["question"]
    key: str = question["kind"]
    for fact, value in question.items():
        longer = [name for name in (f"{key}, {fact} {value}", f"{key}, {fact}") if name in texts]
        if value and longer:
            key = longer[0]
    return key


def asked_in(file: str, game: str) -> Iterator[Position]:
    """Every question that is asked while the examples of a file are played."""
    (path,) = (EXAMPLES / game).rglob(f"{file}.yaml")
    for example in yaml.safe_load_all(path.read_text("utf-8")):
        options = example.get("options", {})
        now = fuda.new(game, example.get("players"), example.get("seed", 1), options, example.get("position"))
        moves = [step for step in example.get("play") or [] if "refused" not in step]
        for step in [*moves, {}]:
            if now.over:
                break
            yield Position(key_of(now), now.clone(), options)
            for seat, move in step.items():
                now.play(move, seat)


def every_question(game: str) -> list[Position]:
    """The best position for each kind of question of a game."""
    best: dict[str, Position] = {}
    for file in sorted(set(ASKED[game].values())):
        for position in asked_in(file, game):
            kind = position.kind
            if ASKED[game].get(kind) != file:
                continue
            if kind not in best or position.rank > best[kind].rank:
                best[kind] = position
    return [best[kind] for kind in ASKED[game]]


# At a table --------------------------------------------------------------------------------------

GIVEN: Final[dict[str, fuda.Game]] = {}
"""Games that start from a position, by table."""
deal_game: Final = Table.new_game
GO: Final = "to => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }"


def given_or_dealt(table: Table) -> fuda.Game:
    return GIVEN[table.id].clone() if table.id in GIVEN else deal_game(table)


async def sit_at(tab: Tab, position: Position, *, reload: bool = True, **options: Any) -> str:
    """Opens a table with this position where the tab has the seat that is asked, against bots; the table's id.

    Without `reload` the page goes there by a link, as from the home page.
    """
    game = position.game
    chairs = ["me" if seat == game.seat else "thumb" for seat in EVERY_SEAT[: len(game.totals)]]
    opened = {"game": game.rules.id, "name": "Ann", "chairs": chairs, "options": position.options, "start": True}
    taken = await tab.post("/api/tables", opened | {"pace": "none"} | options)
    GIVEN[taken["table"]] = game
    address = f"/t/{taken['table']}#{taken['invite']}"
    if reload:
        await tab.page.goto(address)
    else:
        await tab.page.evaluate(GO, address)
    return str(taken["table"])
