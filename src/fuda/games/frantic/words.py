"""The questions, notes and captions of Frantic in English, and how its cards look."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from fuda.engine.rulebook import Look
from fuda.games.frantic.deck import COLOURS

LOOKS: Final = {
    "red": Look("▲", "red"),
    "yellow": Look("■", "yellow"),
    "green": Look("●", "green"),
    "blue": Look("◆", "blue"),
    "black": Look("★", "white"),
}
for one, other in combinations(COLOURS, 2):
    LOOKS[f"{one}-{other}"] = Look(LOOKS[one].symbol + LOOKS[other].symbol, "magenta")

GUIDE: Final = [
    "Play a card that has the colour, the number or the symbol of the card on top. If you have none, or keep it back, "
    "draw one; what you drew you may play at once.",
    "Special cards do what they say: hold one to read it. A black card on its own number sets off an event, and anything "
    "can happen.",
    "When somebody aims a card at you, a bar asks whether you counter it. Let it happen if you cannot. "
    "Whoever has no cards left ends the round; what the others hold counts against them.",
]

VARIANTS: Final = {
    "doomsday, scored false": "The round is over. Whoever is out of cards wins; if nobody is, all share the victory.",
    "identity theft, scored false": "The owner picks two players, who swap hands.",
    "seppuku, scored false": (
        "In turn: draw two cards, or draw one: a numeral lets you dispose of two cards, anything else is four more."
    ),
    "gambling man, second_lowest true": (
        "Everyone lays any card face down; the second-lowest takes them all. Whoever has none draws two."
    ),
}
"""What events say with an option (F-33, F-47)."""

QUESTIONS: Final = {
    "turn": "Play a card or draw one.",
    "drawn": "Play a card or pass.",
    "2nd chance": "Play another card, or draw if you have none.",
    "mimicry": "What does Mimicry become?",
    "wish": "Wish for a colour.",
    "wish, numbers": "Wish for a colour or a number.",
    "maybe wish": "Wish for a colour, or pass.",
    "colour": "Which colour does it become?",
    "target": "Whom does {card} hit?",
    "target or wish": "Whom does {card} hit? Pass: the wish alone.",
    "split": "Who draws the next card? {left} of four to go.",
    "split, left 4": "Who draws the first of four cards? Pass: the wish alone.",
    "counterattack": "{owner} aims {card} at you. Counter it, or pass.",
    "counterattack, share": "{owner} makes you draw {share} by {card}. Counter it, or pass.",
    "redirect": "Whom do you send {card} on to? Pass: it ends here.",
    "redirect, share": "Who draws {share} instead of you? Pass: nobody.",
    "pick": "Choose a card; {left} to go.",
    "pick, purpose give": "Which card do you give to {receiver}? {left} to go.",
    "pick, purpose trust fall": "{receiver} trusts you. Which card do you give? {left} to go.",
    "pick, purpose dispose": "Which card do you dispose of? {left} to go.",
    "pick, purpose seppuku": "Which card do you dispose of? {left} to go.",
    "pick, purpose seppuku, left 2": "Dispose of two cards, or pass to keep them all.",
    "pick, purpose surprise party": "Which card do you give away?",
    "pick, purpose crowdfunding": "Which card do you give to {receiver}?",
    "pick, purpose russian roulette": "Which card do you put in?",
    "steal": "Which card of {victim} do you take? {left} to go.",
    "gambling man": "Lay a numeral of the last colour face down.",
    "gambling man, any_card": "Lay any card face down.",
    "for whom": "Who gets it?",
    "for whom, card": "Who gets {card}?",
    "merry christmas": "Who gets the next card? {left} to go.",
    "merry christmas, card": "Who gets {card}? {left} to go.",
    "distributor": "Who gets the hand of {packet}?",
    "trust fall": "Who is to give you two cards?",
    "market": "Pick one of the open cards.",
    "seppuku": "Commit, or decline?",
    "the all-seeing eye": "All hands lie open. Have you had your look?",
    "identity theft": "Who changes hands?",
    "identity theft, first": "With whom does {first} change hands?",
    "lucky bastard": "{owner} sets off an event. Stay out of it, or pass.",
    "lucky bastard, event": "{owner} has {event} happen. Stay out of it, or pass.",
    "event manager": "Which of the three events happens?",
    "repeat": "Which event happens once more?",
    "nice try": "Out of cards: {finished}. Spoil it, or pass.",
}

NOTES: Final = {
    "deal": "Round {number}: {seat} deals.",
    "curse": "The start card is {card}; it is shuffled back.",
    "start": "The start card is {card}.",
    "play": "{seat} plays {card}.",
    "pass": "{seat} plays nothing.",
    "draw": "{seat} draws {number} cards.",
    "draw, number 1": "{seat} draws a card.",
    "draw, cards": "{seat} draws {cards}.",
    "mimicry": "Mimicry becomes {card}.",
    **{f"wish {colour}": f"{{seat}} wishes for {colour}." for colour in COLOURS},
    **{f"become {colour}": f"It becomes {colour}." for colour in COLOURS},
    "wish number": "{seat} wishes for a {number}.",
    "aim": "{seat} aims {card} at {seats}.",
    "share": "{seats} is to draw {number}.",
    "no target": "There is no target for {card}.",
    "counter": "{seat} counters with {card}.",
    "redirect": "{seat} sends {card} on to {seats}.",
    "give": "{seat} gives {number} cards to {seats}.",
    "give, number 1": "{seat} gives a card to {seats}.",
    "give, cards": "{seat} gives {cards} to {seats}.",
    "blind": "{seats} draws {number} cards blind from {seat}.",
    "blind, number 1": "{seats} draws a card blind from {seat}.",
    "blind, cards": "{seats} draws {cards} blind from {seat}.",
    "steal": "{seats} steals {number} cards from {seat}.",
    "steal, number 1": "{seats} steals a card from {seat}.",
    "steal, cards": "{seats} steals {cards} from {seat}.",
    "favour": "{seat} gives {number} special cards to {seats}.",
    "favour, number 1": "{seat} gives a special card to {seats}.",
    "favour, cards": "{seat} gives {cards} to {seats}.",
    "look": "{seat} looks at the hand of {seats}.",
    "look, cards": "{seat} looks at the hand of {seats}: {cards}.",
    "skip": "{seat} misses the next turn.",
    "skipped": "{seat} is passed over.",
    "dispose": "{seat} disposes of {cards}.",
    "luck": "{seat} throws in {card} and stays out of the event.",
    "event": "Event: {card}.",
    "event, card": "Event: {card}. {text}",
    "events shuffled": "The event deck is shuffled anew.",
    "manage": "They are {cards}.",
    "market": "The market offers {cards}.",
    "buy": "{seat} takes {card}.",
    "roulette": "{seat} puts a card in.",
    "roulette, cards": "{seat} puts {cards} in.",
    "gamble": "{seat} laid {card}.",
    "gambled": "{seat} takes them all.",
    "packet": "The hand of {seat} goes to {seats}.",
    "trust": "{seat} trusts {seats}.",
    "commit": "{seat} commits Seppuku and draws {card}.",
    "decline": "{seat} declines Seppuku.",
    "credit": "{seat} gets {number} points.",
    "show": "{seat} shows {cards}.",
    "swap hands": "{seat} and {seats} change hands.",
    "swap totals": "{seat} and {seats} change totals.",
    "tornado": "All hands are shuffled and dealt anew.",
    "last chance": "Last Chance: the last card of {seat} sets off an event.",
    "finished": "Out of cards: {seats}.",
    "nice try": "{seat} throws {card}: three cards for {seats}.",
    "deck out": "The deck is used up: the round ends.",
    "finish line": "",  # its text says it all
    "time bomb": "The Time Bomb goes off: hands count double.",
    "doomsday": "The world ends.",
    "score": "Points: {points}. Totals: {totals}.",
    "end": "The game is over: the lowest count wins it for {seats}.",
    "out of cards": "The game is over: {seats} has no cards left and wins.",
    "all share": "The game is over: nobody is out of cards, and all share the victory.",
}

# The table ----------------------------------------------------------------------------------------

CAPTIONS: Final = {
    "dealer": "",
    "last_colour": "",
    "events": "",
    "uncovered": "",
    "earlier": "",
    "exempt": "",
    "demand": "anything",
    "demand, colour": "{colour}",
    "demand, colour, number": "{colour} or {number}",
    "demand, colour, symbol": "{colour} or {symbol}",
    "demand, number": "{number}",
    "demand, symbol": "{symbol}",
    "lasting": "{event}",
    "lasting, exempt": "{event} (not for {exempt})",
    "chosen": "{card}",
    "chosen, seat": "{card} for {seat}",
    "chosen, card nothing": "nothing",
    "chosen, card packet": "a packet",
    "chosen, card packet, seat": "a packet for {seat}",
    "pending": "",
    "pending, step wish": "a wish of {player}",
    "pending, step maybe wish": "perhaps a wish of {player}",
    "pending, step colour": "a colour for {card}",
    "pending, step hand over": "{owner} gives cards to {receiver}",
    "pending, step dispose": "{owner} disposes of cards",
    "pending, step sacrifice": "{owner} may dispose of two cards",
    "pending, step target": "{card} of {player}",
    "pending, step target or wish": "{card} of {player}",
    "pending, step split": "fantastic four of {player}",
    "pending, step counterattack": "{card} of {owner} against {player}",
    "pending, step counterattack, share": "{card} of {owner} against {player}, who is to draw {share}",
    "pending, step redirect": "{card}, countered by {player}",
    "pending, step exchange": "{owner} exchanges cards with {receiver}",
    "pending, step loot": "{owner} robs {victim}",
    "pending, step pay up": "all draw what {owner} has dealt out",
    "pending, step unwrap": "all cards given change hands",
    "pending, step shoot": "the cards put in go on the deck",
    "pending, step turn over": "the cards laid are turned over",
    "pending, step distributor": "{player} hands out all hands",
    "pending, step fall": "{owner} picks a player to trust",
    "pending, step start wrapping": "{owner} gives all cards away",
    "pending, step trust fall": "{player} picks a player to trust",
    "pending, step market": "{player} picks a card",
    "pending, step seppuku": "{player} decides on Seppuku",
    "pending, step identity theft": "{player} has two hands changed",
    "pending, step turn up": "an event of {owner}",
    "pending, step lucky bastard": "an event of {owner}",
    "pending, step lucky bastard, event": "{event} of {owner}",
    "pending, step event manager": "an event that {player} picks",
    "pending, step repeat": "an event that {player} picks",
    "pending, step 2nd chance": "another card of {player}",
    "pending, step nice try": "the end of the round",
}


def caption_facts(field: str, view: dict[str, Any]) -> list[dict[str, Any]]:
    """The facts for the caption of a field."""
    value = view[field]
    if field == "lasting":
        return [{"event": event, "exempt": exempt} for event, exempt in zip(value, view["exempt"], strict=True)]
    if field == "chosen":
        own = value.get(view["you"], [])
        return [{"card": card, "seat": seat or None} for card, _, seat in (choice.partition(" for ") for choice in own)]
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
