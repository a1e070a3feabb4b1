"""Effects of Frantic inside each other."""

from __future__ import annotations

from pathlib import Path

import yaml

FILE = Path(__file__).parent / "frantic" / "nestings.yaml"
NESTINGS = [
    "Counterattack against Counterattack against a Mimicry of Gift",
    "Nice Try after a Gift that handed it over",
    "Last Chance into Plague into Repeat into Event Manager",
    "Lucky Bastard before a sub-event",
    "2nd Chance chains",
    "a black card as the last card",
    "the deck runs out in the middle of Capitalism",
    "Doomsday inside Plague while a Time Bomb ticks",
]


def test_every_nesting_has_an_example_and_every_example_is_about_one() -> None:
    subjects = [document["about"] for document in yaml.safe_load_all(FILE.read_text("utf-8"))]
    for nesting in NESTINGS:
        assert any(about.startswith(nesting) for about in subjects), nesting
    for about in subjects:
        assert any(about.startswith(nesting) for nesting in NESTINGS), about
