"""The tests that should notice a change of a module: the fastest first, a few seconds in all."""

from __future__ import annotations

EXAMPLES = "tests/rules/test_examples.py"
GOLDEN = "tests/golden/test_golden.py"
CONTRACT = [
    "tests/contract/test_moves.py",
    "tests/contract/test_texts.py",
    "tests/contract/test_states.py",
    "tests/contract/test_views.py",
    "tests/contract/test_together.py",
]
SMALL_TABLES = "schadenfreude-3 or shinigami_preschool-2 or kirifu-2"
"""Together they use the whole engine."""
OWN_TESTS = {
    "cards": ["test_cards", "test_chance"],
    "chance": ["test_chance", "test_fair", "test_bad_input"],
    "deals": ["test_deals"],
    "errors": ["test_words", "test_bad_input"],
    "fair": ["test_fair"],
    "random": ["test_chance", "test_deals"],
    "records": ["test_fair", "test_bad_input"],
    "seats": ["test_seats"],
    "setup": ["test_setup"],
    "words": ["test_words"],
}
"""Tests of modules that need no other whole games to be tested."""
FOLDERS = {"test_bad_input": "tests/contract"}


def tests_for(module: str) -> list[str]:
    """The arguments of pytest."""
    folder, _, rest = module.partition("/")
    name = rest.removesuffix(".py")
    if folder == "engine" and name in OWN_TESTS:
        keywords = f"{' or '.join(OWN_TESTS[name])} or schadenfreude-3 and not twenty".replace("test_bad_input", "wrong_")
        return [*(f"{FOLDERS.get(file, 'tests/engine')}/{file}.py" for file in OWN_TESTS[name]), GOLDEN, "-k", keywords]
    if folder == "engine":
        return ["tests/engine", EXAMPLES, GOLDEN, *CONTRACT, "-k", f"tests/engine or {SMALL_TABLES} or examples_hold"]
    game = name.partition("/")[0]
    if game == "tricks":
        game = "schadenfreude or shinigami_preschool or cursed_tricks"
    return [EXAMPLES, GOLDEN, "tests/games", "tests/rules", *CONTRACT, "-k", game]
