"""How much each of Kirifu's characters, our own house set, helps whoever has it.

`python -m bench.characters` plays 2,000 single games of four, half with random bots and half with thumb bots, and prints
how often each character's owner won, as a multiple of the fair share.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

import fuda
from fuda import bots

LOW, HIGH = 0.6, 1.6
PLAYERS = 4
KINDS = ("random", "thumb")


def play_one(kind: str, seed: int) -> tuple[dict[str, str], list[str]]:
    """Who had which character, and who won."""
    game = fuda.new("kirifu", players=PLAYERS, seed=seed, options={"characters": True, "games": 1})
    owners = {seat: cards[0] for seat, cards in game.position()["characters"].items()}
    players = {seat: bots.bot(kind, "kirifu", seed + at) for at, seat in enumerate(owners)}
    while not game.over:
        assert game.seat is not None
        game.play(players[game.seat].choose(game.view(game.seat), game.moves()))
    assert game.winners is not None
    return owners, game.winners


def shares(games: int) -> dict[str, dict[str, float]]:
    """For each kind of bot and each character its owner's wins, as a multiple of the fair share."""
    out: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        dealt: Counter[str] = Counter()
        won: Counter[str] = Counter()
        for seed in range(games // len(KINDS)):
            owners, winners = play_one(kind, seed)
            dealt.update(owners.values())
            won.update(owners[seat] for seat in winners)
        out[kind] = {name: won[name] / dealt[name] * PLAYERS for name in sorted(dealt)}
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="how many games in all")
    parser.add_argument("--json", action="store_true", help="print data instead of a table")
    arguments = parser.parse_args()
    found = shares(arguments.games)
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    print(f"wins of each character's owner, as a multiple of the fair share; wanted: {LOW} to {HIGH}")
    for name in found[KINDS[0]]:
        row = "  ".join(f"{kind} {found[kind][name]:.2f}" for kind in KINDS)
        both: Any = sum(found[kind][name] for kind in KINDS) / len(KINDS)
        print(f"  {name:12} {row}  both {both:.2f}  {'' if LOW <= both <= HIGH else 'OUTSIDE'}")


if __name__ == "__main__":
    main()
