"""Verification: which tampering with a game is noticed, with what, and what stays unproven."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import msgspec
import pytest

import fuda
from fuda.verification import NOTHING_SHOWN, Seen, Verdict, judge, seen_from, shown_after
from tests.fair_games import GIVEN, FairGame, last

GAMES = [game["id"] for game in fuda.games()]


def verdict_on(record: dict[str, Any], seen: Seen | None = None) -> Verdict:
    """As everyone gets it: after the record was written and read again."""
    record = json.loads(json.dumps(record))
    return judge(fuda.rulebook(record["game"]), record, seen and seen_from(msgspec.json.encode(seen)))


# Honest games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", ["A", "C", None])
def test_an_honest_game_is_proven_to_everyone_who_saw_it(game: str, seat: Any) -> None:
    played = FairGame(game).play()
    verdict = verdict_on(played.record(), played.seen(seat))
    assert verdict.name == "proven", verdict.sentences
    assert not verdict.unknown
    assert "The moves are those that your client saw." in verdict.checked
    assert ("Your own bytes were used." in verdict.checked) == (seat is not None)


def test_without_what_a_client_saw_it_is_said_what_cannot_be_known() -> None:
    verdict = verdict_on(FairGame().play().record())
    assert verdict.name == "proven"
    assert "Whether these are the moves that were played" in verdict.unknown[0]


def test_moves_after_a_client_was_gone_are_counted() -> None:
    played = FairGame().play(most=20)
    seen = played.seen()
    played.play()
    verdict = verdict_on(played.record(), seen)
    assert verdict.name == "proven"
    assert "The first 20 moves are those that your client saw." in verdict.checked
    assert verdict.unknown == [f"Your client did not see the other {played.moves - 20} moves."]


def test_a_client_that_did_not_see_the_deal_finds_its_bytes_at_any_seat() -> None:
    """Seats can change until the deal."""
    played = FairGame().play()
    seen = Seen("oak", 3, "B", played.commitment, GIVEN["C"].hex(), accepted=True)
    verdict = verdict_on(played.record(), seen)
    assert "Your own bytes were used." in verdict.checked
    assert verdict.missing == ["your client was not sent a chain of the moves, so they may have been replaced."]


# The chain and the digest, computed here from their description ---------------------------------------


def test_the_chain_is_that_of_its_description() -> None:
    played = FairGame("kirifu", 3).play(most=5)
    options = json.dumps(played.game.options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    text = f'fuda chain 1\n["kirifu","{played.game.rules.version}",3,{options}]'
    chain = hmac.new(played.key, text.encode(), hashlib.sha256).digest()
    for move in played.record()["moves"]:
        chain = hmac.new(played.key, chain + move.encode(), hashlib.sha256).digest()
    assert played.record()["fair"]["chain"] == chain.hex()


def test_the_digest_of_notes_is_that_of_its_description() -> None:
    digest = hashlib.sha256(bytes(32) + '{"a":["ü",1],"kind":"x"}'.encode()).digest()
    digest = hashlib.sha256(digest + b'{"kind":"y","number":-2}').digest()
    notes: list[dict[str, Any]] = [{"kind": "x", "a": ["ü", 1]}, {"number": -2, "kind": "y"}]
    assert shown_after(NOTHING_SHOWN, notes) == digest.hex()
    assert shown_after(shown_after(NOTHING_SHOWN, notes[:1]), notes[1:]) == digest.hex()


def test_what_a_client_saw_is_the_published_json() -> None:
    written = json.loads(msgspec.json.encode(FairGame().seen()))
    assert [*written] == [
        *("fuda seen", "table", "number", "seat", "commitment", "bytes", "accepted"),
        *("moves", "chain", "notes", "shown", "closed"),
    ]
    assert written["fuda seen"] == 1


@pytest.mark.parametrize(
    "change",
    [{"fuda seen": 2}, {"shown": "00"}, {"chain": None}, {"seat": "Q"}, {"moves": -1}, {"bytes": "0A" * 16}, {"closed": 1}],
)
def test_a_damaged_file_of_what_was_seen_is_refused(change: dict[str, Any]) -> None:
    written = json.loads(msgspec.json.encode(FairGame().seen())) | change
    with pytest.raises(fuda.Error, match="This is not what a client saw"):
        seen_from(json.dumps(written).encode())


def test_something_else_is_not_what_a_client_saw() -> None:
    for data in (b"", b"[]", b"{}", b"\xff", b"[" * 100_000):
        with pytest.raises(fuda.Error, match="This is not what a client saw"):
            seen_from(data)


# The deal -----------------------------------------------------------------------------------------


def test_a_deal_without_bytes_of_any_player_is_not_proven() -> None:
    verdict = verdict_on(FairGame(given={}).play().record())
    assert verdict.name == "not proven"
    assert "Not proven: no player gave bytes to the deal, so the server could choose the shuffles." in verdict.sentences


def test_a_deal_without_my_bytes_is_not_proven() -> None:
    played = FairGame(given={"C": b"c" * 16}).play()
    refused = msgspec.structs.replace(played.seen(), bytes="ab" * 16)
    verdict = verdict_on(played.record(), refused)
    assert verdict.missing == ["your own bytes were not used: the server refused them, or they came too late."]
    assert verdict_on(played.record(), played.seen()).missing == ["your client gave no bytes to the deal."]


def test_my_bytes_removed_and_all_computed_again_is_noticed() -> None:
    seen = FairGame().play(most=3).seen()
    verdict = verdict_on(FairGame(given={"C": GIVEN["C"]}).play().record(), seen)
    assert verdict.wrong == "Your own bytes were accepted by the server, but not used for the deal."


def test_other_bytes_at_my_seat_are_noticed() -> None:
    seen = FairGame().play(most=3).seen()
    verdict = verdict_on(FairGame(given=GIVEN | {"A": b"x" * 16}).play().record(), seen)
    assert verdict.wrong == "Your own bytes were accepted by the server, but not used for the deal."


def test_swapped_seats_are_noticed() -> None:
    """Also if everything else was computed again for the other seats."""
    seen = FairGame().play(most=3).seen()
    verdict = verdict_on(FairGame(given={"A": GIVEN["C"], "C": GIVEN["A"]}).play().record(), seen)
    assert verdict.wrong == "Your own bytes were accepted by the server, but not used for the deal."


def test_another_commitment_is_noticed() -> None:
    """Also if its secret and all shuffles fit it."""
    seen = FairGame().play(most=3).seen()
    verdict = verdict_on(FairGame(secret=bytes(32)).play().record(), seen)
    assert verdict.wrong == "The commitment in the record is not the one that your client was shown."


def test_another_secret_is_noticed() -> None:
    record = FairGame().play().record()
    record["fair"]["secret"] = bytes(32).hex()
    assert verdict_on(record).wrong.startswith("The secret does not match its commitment")


def test_another_shuffle_is_noticed() -> None:
    record = FairGame("schadenfreude", 4).record()
    record["chance"][1][0], record["chance"][1][1] = record["chance"][1][1], record["chance"][1][0]
    del record["result"]
    assert verdict_on(record).wrong == "Chance, outcome 2, is not what the secret and the players' bytes decide."


@pytest.mark.parametrize("change", ["one more", "one less", "another order", "a lot less"])
def test_other_candidates_of_a_lot_are_noticed(change: str) -> None:
    record = FairGame("shinigami_preschool", 3).record()
    lots = record["fair"]["lots"]
    assert lots == [["A", "B", "C"]]
    record["fair"]["lots"] = {
        "one more": [["A", "B", "C", "D"]],
        "one less": [["A", "B"]],
        "another order": [["C", "B", "A"]],
        "a lot less": [],
    }[change]
    assert verdict_on(record).wrong == "The candidates of the draws by lot in the record are not those of the rules."


@pytest.mark.parametrize("game", GAMES)
def test_the_candidates_of_all_lots_are_in_the_record(game: str) -> None:
    record = FairGame(game).play().record()
    drawn = [outcome for outcome in record["chance"] if isinstance(outcome, str)]
    assert drawn
    assert len(record["fair"]["lots"]) == len(drawn)
    for outcome, candidates in zip(drawn, record["fair"]["lots"], strict=True):
        assert outcome in candidates
        assert len(candidates) > 1
    assert fuda.replay(record).lots() == record["fair"]["lots"]


@pytest.mark.parametrize("other", [{"table": "elm"}, {"number": 4}])
def test_the_record_of_another_game_or_table_is_noticed(other: dict[str, Any]) -> None:
    seen = FairGame().play(most=3).seen()
    fair: dict[str, Any] = {"table": "oak", "number": 3} | other
    verdict = verdict_on(FairGame(table=fair["table"], number=fair["number"]).play().record(), seen)
    assert verdict.wrong == (
        f"The record is of game {fair['number']} of table {fair['table']}, but your client saw game 3 of table oak."
    )


def test_another_kind_of_game_or_other_options_are_noticed() -> None:
    """They are at the start of the chain."""
    seen = FairGame("schadenfreude", 3).seen()
    verdict = verdict_on(FairGame("shinigami_preschool", 3).play().record(), seen)
    assert (
        verdict.wrong
        == "The game and its options in the record are not those that your client saw: its chain is another one."
    )


# The moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_half_a_game_replaced_by_other_legal_moves_is_noticed(game: str) -> None:
    """Whoever has the secret can make a record that fits in itself; only what was seen tells."""
    true = FairGame(game).play()
    half = true.moves // 2
    other = FairGame(game).play(most=half).play(last)
    assert other.record()["moves"][:half] == true.record()["moves"][:half]
    assert verdict_on(other.record()).name == "proven"
    seen = true.seen()
    verdict = verdict_on(other.record(), seen)
    if other.moves < true.moves:
        assert verdict.wrong.endswith(f"but your client saw {true.moves}: the end is cut off.")
        return
    assert verdict.wrong == (
        f"The first {true.moves} moves in the record are not those that your client saw: its chain is another one."
    )


def test_one_replaced_move_is_noticed() -> None:
    true = FairGame("schadenfreude", 4).play(most=6)
    other = FairGame("schadenfreude", 4).play(most=5).play(last, most=1)
    assert other.record()["moves"][5] != true.record()["moves"][5]
    verdict = verdict_on(other.record(), true.seen(closed=True))
    assert verdict.wrong == "The first 6 moves in the record are not those that your client saw: its chain is another one."


def test_a_replaced_move_without_a_new_chain_is_noticed_without_what_was_seen() -> None:
    record = FairGame("schadenfreude", 4).play(most=5).play(last, most=1).record()
    record["fair"]["chain"] = FairGame("schadenfreude", 4).play(most=6).record()["fair"]["chain"]
    assert (
        verdict_on(record).wrong
        == "The chain in the record is not that of its moves: moves were replaced, added or removed."
    )


def test_a_truncated_game_is_noticed() -> None:
    true = FairGame().play()
    cut = FairGame().play(most=true.moves - 4)
    assert verdict_on(cut.record()).missing == ["the game is not over: the table was closed early, or the end is cut off."]
    assert verdict_on(cut.record(), true.seen()).wrong == (
        f"The record has {cut.moves} moves, but your client saw {true.moves}: the end is cut off."
    )


@pytest.mark.parametrize("result", [None, {}, {"over": True}])
def test_a_removed_result_is_noticed(result: dict[str, Any] | None) -> None:
    played = FairGame().play()
    record = played.record() | {"result": result}
    assert verdict_on(record).missing == ["the record has no complete result."]
    del record["result"]
    assert verdict_on(record, played.seen()).missing == ["the record has no complete result."]


def test_another_result_is_noticed() -> None:
    record = FairGame().play().record()
    record["result"]["totals"]["A"] += 1
    assert "its result says totals" in verdict_on(record).wrong


def test_a_server_that_chains_other_moves_than_it_shows_is_noticed() -> None:
    """It sends the chain of the moves that it will record, but shows others."""
    shown = FairGame("schadenfreude", 4).play(last, most=6)
    recorded = FairGame("schadenfreude", 4).play(most=6)
    seen = msgspec.structs.replace(shown.seen(closed=True), chain=recorded.chains[-1].hex())
    verdict = verdict_on(recorded.record(), seen)
    assert verdict.wrong == "What your client was shown is not what happened in the recorded game."


def test_a_server_that_does_not_show_everything_is_noticed() -> None:
    played = FairGame("schadenfreude", 4).play(most=6)
    history = played.game.view("A")["history"][:-1]
    shown = shown_after(NOTHING_SHOWN, history)
    seen = msgspec.structs.replace(played.seen(closed=True), notes=len(history), shown=shown)
    assert verdict_on(played.record(), seen).wrong == "What your client was shown is not what happened in the recorded game."


def test_what_is_shown_to_another_seat_is_noticed() -> None:
    """A player is shown more than a spectator."""
    played = FairGame("frantic").play()
    seen = msgspec.structs.replace(played.seen("B"), seat=None)
    assert verdict_on(played.record(), seen).wrong == "What your client was shown is not what happened in the recorded game."


def test_a_server_that_sends_no_chain_proves_nothing_about_the_moves() -> None:
    played = FairGame().play()
    verdict = verdict_on(played.record(), msgspec.structs.replace(played.seen(), chain=""))
    assert verdict.missing == ["your client was not sent a chain of the moves, so they may have been replaced."]


# A table that was closed early ------------------------------------------------------------------------


def test_a_game_that_was_closed_early_is_proven_to_those_who_saw_that() -> None:
    played = FairGame().play(most=7)
    assert verdict_on(played.record(), played.seen(closed=True)).name == "proven"
    assert verdict_on(played.record(), played.seen()).missing == [
        "the game is not over: the table was closed early, or the end is cut off."
    ]


def test_moves_after_the_table_was_closed_are_noticed() -> None:
    played = FairGame().play(most=7)
    seen = played.seen(closed=True)
    verdict = verdict_on(played.play().record(), seen)
    assert verdict.wrong == (
        f"The record has {played.moves} moves, but the table was closed after 7, as your client was told."
    )


# Older records ------------------------------------------------------------------------------------


def test_a_record_without_chain_and_lots_stays_valid_and_says_what_it_lacks() -> None:
    played = FairGame().play()
    record = played.record()
    del record["fair"]["chain"], record["fair"]["lots"]
    verdict = verdict_on(record)
    assert verdict.name == "proven"
    assert (
        "The record has no chain of its moves: it was made without one, or by an older version of Fuda." in verdict.unknown
    )
    assert verdict_on(record, played.seen()).name == "proven", "what was seen is enough"


def test_a_game_that_was_dealt_under_older_rules_has_their_version_in_its_chain() -> None:
    played = FairGame("schadenfreude", 4, rules="1").play()
    assert verdict_on(played.record(), played.seen()).name == "proven"
    assert "chain" in verdict_on(played.record() | {"rules": "2"}, played.seen()).wrong


def test_a_game_of_rules_that_are_not_known_is_not_said_to_be_wrong() -> None:
    with pytest.raises(fuda.Error, match="follows version 1 of the rules of Frantic"):
        verdict_on(FairGame("frantic").play().record() | {"rules": "1"})


# The public face ----------------------------------------------------------------------------------


def test_verify_raises_what_is_wrong_and_returns_what_is_not_proven() -> None:
    record = FairGame(given={}).play().record()
    assert fuda.verify(record).name == "not proven"
    record["fair"]["secret"] = bytes(32).hex()
    with pytest.raises(fuda.Error, match="does not match its commitment"):
        fuda.verify(record)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"chain": "00"}, "fair, chain: expected 32 bytes"),
        ({"lots": "A"}, "fair, lots: expected the candidates of each lot"),
        ({"lots": [["A", 1]]}, "fair, lots: expected the candidates of each lot"),
        ({"lots": ["A"]}, "fair, lots: expected the candidates of each lot"),
    ],
)
def test_a_damaged_chain_or_lot_is_named(change: dict[str, Any], says: str) -> None:
    record = FairGame().record()
    record["fair"] |= change
    with pytest.raises(fuda.Error, match=says):
        fuda.verify(record)
