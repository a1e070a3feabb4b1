"""Verification: whether a recorded game was dealt fairly, and whether it is the game that a client saw."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from fuda.engine.errors import Error
from fuda.engine.fair import canonical, chain_after, chain_start, key_in
from fuda.engine.notes import Note
from fuda.engine.records import check_version, fair_in
from fuda.engine.rulebook import Rulebook
from fuda.game import Game, begin, chance_from, replay_with

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
HashOrNone = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)")]
BytesOrNone = Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?$(?!\n)")]
Seat = Literal["A", "B", "C", "D", "E", "F", "G", "H"]
Count = Annotated[int, Meta(ge=0)]
NOTHING_SHOWN: Final = "00" * 32
RESULT: Final = {"moves", "over", "totals", "winners"}


class Seen(msgspec.Struct, frozen=True, tag_field="fuda seen", tag=1):
    """What a client saw of one game: enough to tell later whether a record is of that very game."""

    table: str
    number: Count
    seat: Seat | None
    """None for a spectator."""
    commitment: Hash
    bytes: BytesOrNone = ""
    """The random bytes that the client drew for the deal; empty if it gave none."""
    accepted: bool = False
    """Whether the server acknowledged the bytes."""
    moves: Count = 0
    chain: HashOrNone = ""
    """The chain after that many moves; empty before the deal."""
    notes: Count = 0
    shown: Hash = NOTHING_SHOWN
    """The digest of that many notes, which the client was shown."""
    closed: bool = False
    """Whether the client was told that the table was closed."""


def seen_from(data: bytes) -> Seen:
    """What is in the file of a client; Error if it is something else."""
    try:
        return msgspec.json.decode(data, type=Seen)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Error(f"This is not what a client saw of a game: {error}") from error


def shown_after(shown: str, notes: Iterable[Note]) -> str:
    """The digest of the notes that a client was shown, after these too."""
    digest = bytes.fromhex(shown)
    for note in notes:
        digest = hashlib.sha256(digest + canonical(note)).digest()
    return digest.hex()


class Verdict(msgspec.Struct):
    """What the check of a game has found, in sentences."""

    checked: list[str] = []
    """What is right."""
    unknown: list[str] = []
    """What this check cannot tell."""
    missing: list[str] = []
    """Why the game is not proven to be fair, although nothing is wrong."""
    wrong: str = ""

    @property
    def name(self) -> Literal["proven", "not proven", "wrong"]:
        if self.wrong:
            return "wrong"
        return "not proven" if self.missing else "proven"

    @property
    def sentences(self) -> list[str]:
        if self.wrong:
            return [self.wrong]
        return [*self.checked, *self.unknown, *(f"Not proven: {sentence}" for sentence in self.missing)]

    def __str__(self) -> str:
        return " ".join(self.sentences)


def judge(rules: Rulebook[Any], record: dict[str, Any], seen: Seen | None = None) -> Verdict:
    """What can be said about this game; Error only if it cannot be checked."""
    fair_in(record)
    check_version(rules, record["rules"])
    verdict = Verdict()
    try:
        check(rules, record, seen, verdict)
    except Error as error:
        verdict.wrong = str(error)
    return verdict


def check(rules: Rulebook[Any], record: dict[str, Any], seen: Seen | None, verdict: Verdict) -> None:
    """Adds to the verdict what is right and what is missing; Error if something is wrong."""
    fair = record["fair"]
    key = key_in(fair)
    recorded = replay_with(rules, record, 0)
    for seat in fair["bytes"]:
        recorded.player_at(seat)
    history: list[Note] = []
    for turn, game in enumerate(replays_with_key(rules, record, key)):
        if seen is not None and turn == seen.moves:
            history = game.view(seen.seat)["history"]
    chains = chains_of(key, record["rules"], recorded)
    check_deal(record, recorded, verdict)
    check_chain(fair, chains, verdict)
    check_end(record, recorded, seen, verdict)
    if seen is None:
        verdict.unknown.append(
            "Whether these are the moves that were played, and whether your own bytes were used, "
            "can be told only with what your client saw."
        )
    else:
        check_seen_deal(fair, seen, verdict)
        check_seen_moves(seen, chains, history, verdict)


# The record alone -------------------------------------------------------------------------------------


def replays_with_key(rules: Rulebook[Any], record: dict[str, Any], key: bytes) -> Iterator[Game]:
    """The game as dealt and after each move, with luck from the key; Error if the record has other outcomes."""
    game = begin(rules, record["players"], record.get("options"), chance_from(key, rules.cards))
    compared = 0
    for move in [None, *record["moves"]]:
        if move is not None:
            game.play(move)
        for outcome in game.outcomes(compared):
            if outcome != record["chance"][compared]:
                raise Error(f"Chance, outcome {compared + 1}, is not what the secret and the players' bytes decide.")
            compared += 1
        yield game


def chains_of(key: bytes, version: str, game: Game) -> list[bytes]:
    """The chain before the first move, and after each."""
    chains = [chain_start(key, game.rules.id, version, game.state.players, game.options)]
    for move in game.played:
        chains.append(chain_after(key, chains[-1], move))
    return chains


def check_deal(record: dict[str, Any], recorded: Game, verdict: Verdict) -> None:
    fair = record["fair"]
    given = [f"{seat} gave {fair['bytes'][seat]}" for seat in sorted(fair["bytes"])]
    drawn = len(record["chance"])
    outcomes = "The only shuffle or draw is" if drawn == 1 else f"All {drawn} shuffles and draws are"
    verdict.checked += [
        f"The secret matches its commitment, {fair['commitment']}, for game {fair['number']} of table {fair['table']}.",
        f"Bytes of the players: {', '.join(given) or 'none'}.",
        f"{outcomes} what the secret and the bytes give.",
    ]
    if not given:
        verdict.missing.append("no player gave bytes to the deal, so the server could choose the shuffles.")
    if fair.get("lots", recorded.lots()) != recorded.lots():
        raise Error("The candidates of the draws by lot in the record are not those of the rules.")


def check_chain(fair: dict[str, Any], chains: list[bytes], verdict: Verdict) -> None:
    if "chain" not in fair:
        verdict.unknown.append(
            "The record has no chain of its moves: it was made without one, or by an older version of Fuda."
        )
    elif fair["chain"] != chains[-1].hex():
        raise Error("The chain in the record is not that of its moves: moves were replaced, added or removed.")
    else:
        verdict.checked.append("The chain in the record is that of its moves.")


def check_end(record: dict[str, Any], recorded: Game, seen: Seen | None, verdict: Verdict) -> None:
    if set(record.get("result") or {}) == RESULT:
        verdict.checked.append("The moves lead to the recorded result.")
    else:
        verdict.missing.append("the record has no complete result.")
    if recorded.over:
        return
    if seen is not None and seen.closed:
        verdict.checked.append("The game is not over: the table was closed early, as your client was told.")
    else:
        verdict.missing.append("the game is not over: the table was closed early, or the end is cut off.")


# What a client saw ------------------------------------------------------------------------------------


def check_seen_deal(fair: dict[str, Any], seen: Seen, verdict: Verdict) -> None:
    if (fair["table"], fair["number"]) != (seen.table, seen.number):
        raise Error(
            f"The record is of game {fair['number']} of table {fair['table']}, "
            f"but your client saw game {seen.number} of table {seen.table}."
        )
    if fair["commitment"] != seen.commitment:
        raise Error("The commitment in the record is not the one that your client was shown.")
    verdict.checked.append("The commitment is the one that your client was shown.")
    if seen.seat is None:
        return
    # Seats can change until the deal; a client that did not see it may not know its seat.
    used = [fair["bytes"].get(seen.seat)] if seen.chain else [*fair["bytes"].values()]
    if seen.bytes and seen.bytes in used:
        verdict.checked.append("Your own bytes were used.")
    elif seen.accepted:
        raise Error("Your own bytes were accepted by the server, but not used for the deal.")
    elif seen.bytes:
        verdict.missing.append("your own bytes were not used: the server refused them, or they came too late.")
    else:
        verdict.missing.append("your client gave no bytes to the deal.")


def check_seen_moves(seen: Seen, chains: list[bytes], history: list[Note], verdict: Verdict) -> None:
    moves = len(chains) - 1
    if moves < seen.moves:
        raise Error(f"The record has {moves} moves, but your client saw {seen.moves}: the end is cut off.")
    if seen.closed and moves > seen.moves:
        raise Error(f"The record has {moves} moves, but the table was closed after {seen.moves}, as your client was told.")
    if not seen.chain:
        verdict.missing.append("your client was not sent a chain of the moves, so they may have been replaced.")
        return
    if chains[seen.moves].hex() != seen.chain:
        what = f"first {seen.moves} moves" if seen.moves else "game and its options"
        raise Error(f"The {what} in the record are not those that your client saw: its chain is another one.")
    if (len(history), shown_after(NOTHING_SHOWN, history)) != (seen.notes, seen.shown):
        raise Error("What your client was shown is not what happened in the recorded game.")
    if seen.moves == moves:
        verdict.checked.append("The moves are those that your client saw.")
    else:
        verdict.checked.append(f"The first {seen.moves} moves are those that your client saw.")
        verdict.unknown.append(f"Your client did not see the other {moves - seen.moves} moves.")
