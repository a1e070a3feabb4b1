"""What fields and notes mean to the players, whatever their names: front ends arrange a table by this."""

from __future__ import annotations

from typing import Final

# The kinds of fields.
HAND: Final = "hand"
SCORE: Final = "score"
ROUND: Final = "round"
TRICK: Final = "trick"
LEADER: Final = "leader"
TURN: Final = "turn"
MARK: Final = "mark"
PILE: Final = "pile"
STOCK: Final = "stock"
ROW: Final = "row"
ASIDE: Final = "aside"
CARDS: Final = "cards"
MEMORY: Final = "memory"
COUNT: Final = "count"
FACT: Final = "fact"
DETAIL: Final = "detail"
FIELD_KINDS: Final = {
    HAND: "the cards that each seat holds",
    SCORE: "the points of each seat",
    ROUND: "the number of the round",
    TRICK: "the cards of the trick, from the leader on",
    LEADER: "who leads the trick",
    TURN: "whose turn it is",
    MARK: "other seats that are named: who began, who is out",
    PILE: "an open pile on which cards are played, the top one first",
    STOCK: "face-down cards to draw from",
    ROW: "open cards in the middle of the table",
    ASIDE: "cards that are out of play",
    CARDS: "cards in front of each seat",
    MEMORY: "what has been seen of hands",
    COUNT: "other numbers, one or one of each seat",
    FACT: "a word, a card, or whether something is so",
    DETAIL: "data that only a caption makes readable",
}

# The roles of notes.
PLAYED: Final = "played"
TRICK_ENDED: Final = "trick ended"
SCORED: Final = "scored"
EVENT: Final = "event"
NOTE_ROLES: Final = {
    PLAYED: "a card is played",
    TRICK_ENDED: "a trick is finished, and won by somebody",
    SCORED: "a round is scored",
    EVENT: "a card is turned up for everyone, and something happens to all",
}
