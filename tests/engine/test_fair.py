"""Fair deals: outcomes that follow from a key, which anybody can compute, and what a table commits itself to."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import fuda
from fuda.engine.fair import Fair, Stream, canonical, chain_after, commitment_of, key_of

KEY = bytes(range(32))
SECRET = bytes(range(100, 132))


def words(key: bytes, outcome: int) -> Iterator[int]:
    """The random words of one outcome, computed here from their description."""
    for block in range(1 << 32):
        digest = hashlib.sha256(key + outcome.to_bytes(4, "big") + block.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def below(stream: Iterator[int], n: int) -> int:
    return next(word % n for word in stream if word < (1 << 32) - (1 << 32) % n)


def shuffled(key: bytes, outcome: int, cards: list[int]) -> list[int]:
    cards, stream = sorted(cards), words(key, outcome)
    for last in range(len(cards) - 1, 0, -1):
        other = below(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def test_the_words_of_an_outcome_are_those_of_its_description() -> None:
    for outcome in (0, 1, 70_000):
        stream, again = Stream(KEY, outcome), words(KEY, outcome)
        assert [stream.next_32_bits() for _ in range(50)] == [next(again) for _ in range(50)]


def test_shuffles_and_lots_are_those_of_their_description() -> None:
    chance = Fair(KEY)
    for outcome in range(40):
        if outcome % 3:
            cards = [number * 7 % 11 for number in range(outcome * 3)]
            assert [*chance.shuffle(vec[i64](cards))] == shuffled(KEY, outcome, cards)
        else:
            assert chance.lot(0b11111) == below(words(KEY, outcome), 5)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 3 << 30, (1 << 31) + 1, 1 << 32])
def test_a_number_below_n_skips_random_words_that_would_make_some_more_likely(n: int) -> None:
    stream, again = Stream(KEY, 9), words(KEY, 9)
    for _ in range(60):
        assert stream.below(n) == below(again, n)


def test_the_first_random_word_that_would_make_some_more_likely_is_skipped() -> None:
    n = 3 << 30
    stream = Stream(KEY, 0)
    stream.numbers = vec[i64]([n, n - 1])
    assert stream.below(n) == n - 1


def test_a_lot_falls_equally_often_on_each() -> None:
    chance = Fair(KEY)
    counts = Counter(chance.lot(0b10110) for _ in range(3000))
    assert set(counts) == {1, 2, 4}
    assert all(850 < count < 1150 for count in counts.values())


def test_nothing_is_drawn_for_a_lot_among_one() -> None:
    chance = Fair(KEY)
    assert chance.lot(0b100) == 2
    assert chance.count == 0


def test_a_clone_has_the_same_outcomes() -> None:
    chance = Fair(KEY)
    chance.lot(0b11)
    copy = chance.clone()
    assert [chance.lot(0xFF) for _ in range(20)] == [copy.lot(0xFF) for _ in range(20)]
    assert chance.random.next_32_bits() == copy.random.next_32_bits()


@pytest.mark.parametrize("game", [game["id"] for game in fuda.games()])
def test_a_game_replayed_with_its_key_has_the_same_outcomes_afterwards(game: str) -> None:
    whole = fuda.new(game, seed=KEY)
    moves: list[str] = []
    records: list[dict[str, Any]] = []
    while not whole.over:
        records.append(whole.record())
        moves.append(whole.moves()[len(moves) % len(whole.moves())])
        whole.play(moves[-1])
    for number in range(0, len(records), len(records) // 5):
        again = fuda.replay(records[number], seed=KEY)
        for move in moves[number:]:
            again.play(move)
        assert again.record() == whole.record()


def test_another_key_gives_other_outcomes() -> None:
    assert fuda.new("kirifu", seed=KEY).record()["chance"] != fuda.new("kirifu", seed=SECRET).record()["chance"]


@pytest.mark.parametrize("seed", [b"", b"123456789012345"])
def test_a_seed_of_too_few_bytes_is_refused(seed: bytes) -> None:
    with pytest.raises(fuda.Error, match=f"at least 16 bytes, got {len(seed)}"):
        fuda.new("kirifu", seed=seed)


# What a table commits itself to --------------------------------------------------------------------


def test_the_commitment_is_the_hash_of_the_secret_and_the_game() -> None:
    assert commitment_of(SECRET, "oak", 3) == hashlib.sha256(b"fuda commitment 1\n" + SECRET + b"oak/3").hexdigest()


def test_the_key_takes_in_the_bytes_of_the_players_in_the_order_of_their_seats() -> None:
    given = {"C": b"c" * 16, "A": b"a" * 16}
    whole = b"fuda deal 1\n" + SECRET + b"oak/3\n" + b"A" + b"a" * 16 + b"C" + b"c" * 16
    assert key_of(SECRET, "oak", 3, given) == hashlib.sha256(whole).digest()


@pytest.mark.parametrize(
    ("secret", "given", "says"),
    [
        (SECRET[1:], {}, "expected 32 bytes, got 31"),
        (SECRET, {"A": b"short"}, "expected 16 of A, got 5"),
        (SECRET, {"I": bytes(16)}, "'I' is not a seat"),
        (SECRET, {"AB": bytes(16)}, "'AB' is not a seat"),
        (SECRET, {"": bytes(16)}, "'' is not a seat"),
    ],
)
def test_a_key_of_wrong_parts_is_refused(secret: bytes, given: dict[str, bytes], says: str) -> None:
    with pytest.raises(fuda.Error, match=says):
        key_of(secret, "oak", 3, given)


# Checking a record ---------------------------------------------------------------------------------

GIVEN = {"A": b"a" * 16, "C": b"c" * 16}


def fair_record(game: str = "schadenfreude", players: int = 4) -> dict[str, Any]:
    """A whole game as a table would have dealt it."""
    played = fuda.new(game, players=players, seed=key_of(SECRET, "oak", 3, GIVEN))
    while not played.over:
        played.play(played.moves()[-1])
    fair = {
        "table": "oak",
        "number": 3,
        "commitment": commitment_of(SECRET, "oak", 3),
        "secret": SECRET.hex(),
        "bytes": {seat: given.hex() for seat, given in GIVEN.items()},
    }
    return played.record() | {"fair": fair}


@pytest.mark.parametrize("game", [game["id"] for game in fuda.games()])
def test_a_fair_game_is_verified(game: str) -> None:
    record = fair_record(game, 3)
    fuda.verify(record)
    assert fuda.replay(record).record() == {key: value for key, value in record.items() if key != "fair"}


def test_another_deal_is_detected() -> None:
    record = fair_record()
    record["chance"][1][0], record["chance"][1][1] = record["chance"][1][1], record["chance"][1][0]
    del record["moves"][:], record["result"], record["chance"][2:]
    with pytest.raises(fuda.Error, match="Chance, outcome 2, is not what the secret"):
        fuda.verify(record)


def test_another_secret_is_detected() -> None:
    record = fair_record()
    record["fair"]["secret"] = bytes(32).hex()
    with pytest.raises(fuda.Error, match="does not match its commitment"):
        fuda.verify(record)


@pytest.mark.parametrize("given", [{}, {"A": "61" * 16}, {"A": "61" * 16, "C": "62" * 16}, {"B": "61" * 16, "C": "63" * 16}])
def test_other_bytes_are_detected(given: dict[str, str]) -> None:
    record = fair_record()
    record["fair"]["bytes"] = given
    with pytest.raises(fuda.Error, match=r"Chance, outcome [12], is not what"):
        fuda.verify(record)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"table": "elm"}, "does not match its commitment"),
        ({"number": 4}, "does not match its commitment"),
        ({"bytes": {"H": "00" * 16}}, "'H' is not a seat; there are A, B, C, D"),
        ({"table": ""}, "fair, table: expected its name"),
        ({"table": "x" * 100}, "does not match its commitment"),
        ({"table": "x" * 101}, "fair, table: expected its name"),
        ({"table": "oak\x1b[2J"}, "fair, table: expected its name"),
        ({"table": "\ud800"}, "fair, table: expected its name"),
        ({"number": True}, "fair, number: expected a whole number"),
        ({"number": 10**5000}, "fair, number: expected a whole number"),
        ({"secret": "00"}, "fair, secret: expected 32 bytes as hexadecimal digits"),
        ({"secret": "0A" * 32}, "fair, secret: expected 32 bytes"),
        ({"commitment": None}, "fair, commitment: expected 32 bytes"),
        ({"bytes": []}, "fair, bytes: expected the bytes of each seat"),
        ({"bytes": {"Q": ""}}, "fair, bytes: 'Q' is not a seat"),
        ({"bytes": {"A": "00"}}, "fair, bytes of A: expected 16 bytes"),
        ({"extra": 1}, "fair: expected table, number, commitment, secret, bytes"),
    ],
)
def test_what_is_wrong_with_a_fair_deal_is_named(change: dict[str, Any], says: str) -> None:
    record = fair_record()
    record["fair"] |= change
    with pytest.raises(fuda.Error) as error:
        fuda.verify(record)
    assert says in str(error.value)


def test_a_damaged_record_is_not_verified() -> None:
    record = fair_record()
    record["result"]["totals"]["A"] += 1
    with pytest.raises(fuda.Error, match="its result says totals"):
        fuda.verify(record)


def test_without_a_fair_deal_there_is_nothing_to_verify() -> None:
    record = fair_record()
    del record["fair"]
    with pytest.raises(fuda.Error, match="says nothing of a fair deal"):
        fuda.verify(record)
    game = fuda.new("schadenfreude", players=4, position={})
    with pytest.raises(fuda.Error, match="began with a given position"):
        fuda.verify(game.record() | {"fair": fair_record()["fair"]})


# What the document shows ---------------------------------------------------------------------------

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "fair.md"


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def test_the_test_vector_in_the_document_is_right() -> None:
    vector = json.loads(block("json"))
    fair = vector["fair"]
    secret, key = bytes.fromhex(fair["secret"]), bytes.fromhex(vector["key"])
    given = {seat: bytes.fromhex(of_seat) for seat, of_seat in fair["bytes"].items()}
    assert commitment_of(secret, fair["table"], fair["number"]) == fair["commitment"]
    assert key_of(secret, fair["table"], fair["number"], given) == key
    stream = Stream(key, 0)
    assert [stream.next_32_bits() for _ in vector["words of outcome 0"]] == vector["words of outcome 0"]
    game = fuda.new("shinigami_preschool", players=3, seed=key)
    assert game.record()["chance"] == vector["chance"]
    assert canonical([game.rules.id, game.rules.version, 3, game.options]).decode() == vector["chain text"]
    assert "The chain in the record is that of its moves." in fuda.verify(game.record() | {"fair": fair}).checked
    game.play(vector["first move"])
    assert chain_after(key, bytes.fromhex(fair["chain"]), vector["first move"]).hex() == vector["chain after it"]
    fuda.verify(game.record() | {"fair": fair | {"chain": vector["chain after it"]}})


@pytest.mark.parametrize("name", [game["id"] for game in fuda.games()])
def test_the_program_in_the_document_finds_every_shuffle(name: str, tmp_path: Path) -> None:
    written = tmp_path / "program.py"
    written.write_text(block("python"))
    program = run_path(str(written))
    game = fuda.new(name, players=3, seed=KEY)
    for _ in range(2000):
        if not game.over:
            game.play(game.moves()[0])
    names = fuda.rulebook(name).cards
    for number, outcome in enumerate(game.record()["chance"]):
        if isinstance(outcome, list):
            assert program["shuffled"](KEY, number, sorted(outcome, key=names.index)) == outcome
