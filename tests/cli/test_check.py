"""`fuda check`: examples that hold, that do not, and files that are no examples at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import fuda
from fuda.cli.commands.check import check
from fuda.cli.examples.check import check_text
from fuda.cli.examples.load import KEYS

GOOD = """\
game: shinigami_preschool
players: 4
about: P-3 the highest card of the led colour wins
position:
  hands: {A: [red 5, red 1], B: [red 2, blue 1], C: [red 9, blue 2], D: [red 4, blue 3]}
  leader: A
play:
  - A: red 5
  - B: blue 1
    refused: P-2
  - B: red 2
  - C: red 9
  - D: red 4
expect:
  leader: C
  won: {C: [red 9, red 4, red 5, red 2]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(check, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def check_written(text: str) -> Result:
    Path("example.yaml").write_text(text, "utf-8")
    return run("example.yaml")


def but(old: str, new: str) -> str:
    """The good example with one thing changed."""
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


# Examples that hold -----------------------------------------------------------------------------


def test_examples_that_hold_are_counted_in_one_line(folder: Path) -> None:
    result = check_written(GOOD)
    assert (result.exit_code, result.output) == (0, "1 example in 1 file holds.\n")
    result = check_written(f"{GOOD}---\n{GOOD}---\n")
    assert (result.exit_code, result.output) == (0, "2 examples in 1 file hold.\n")


def test_a_folder_stands_for_all_yaml_files_below_it(folder: Path) -> None:
    (folder / "games" / "one").mkdir(parents=True)
    (folder / "games" / "a.yaml").write_text(GOOD)
    (folder / "games" / "one" / "b.yaml").write_text(f"{GOOD}---\n{GOOD}")
    (folder / "games" / "one" / "c.txt").write_text("no example")
    assert run("games").output == "3 examples in 2 files hold.\n"
    assert run("games", "games/a.yaml").output == "4 examples in 3 files hold.\n"


@pytest.mark.parametrize(
    "text",
    [
        "game: schadenfreude",
        "game: schadenfreude\nplay:\nexpect:\nposition:\n",
        "game: schadenfreude\nposition: {}\nexpect: {leader: A, round: 1, over: false, winners: null, piles: {}}",
        "game: cursed_tricks\noptions: {deck: standard}\nseed: 12\nplayers: 3",
        "\ufeffgame: schadenfreude",
        "game: schadenfreude\nposition: {totals: &all {A: 1, B: 2}}\nexpect: {totals: *all}",
        but("refused: P-2", "refused: true"),
        but("[red 9, red 4, red 5, red 2]", "[red 2, red 4, red 5, red 9]"),
    ],
)
def test_whatever_is_left_out_need_not_be_said(text: str, folder: Path) -> None:
    assert check_written(text).exit_code == 0


def test_an_example_without_a_seed_comes_out_the_same_every_time() -> None:
    text = "game: schadenfreude\nexpect: {hands: {A: []}}"
    assert check_text(text, "x").differences == check_text(text, "x").differences != []


# Examples that do not hold ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (but("leader: C", "leader: B"), "example.yaml:15: leader: expected B, but it is C."),
        (
            but("red 5, red 2]", "red 5]"),
            "example.yaml:16: won of C: expected [red 9, red 4, red 5], but it is [red 2, red 4,",
        ),
        (but("leader: C", "round: true"), "example.yaml:15: round: expected true, but it is 1."),
        (but("leader: C", "over: true"), "example.yaml:15: over: expected true, but it is false."),
        (but("leader: C", "winners: [C]"), "example.yaml:15: winners: expected [C], but it is null."),
        (but("leader: C", "seat: null"), "example.yaml:15: seat: expected null, but it is C."),
        (but("leader: C", "seat: 'null'"), 'example.yaml:15: seat: expected "null", but it is C.'),
        (but("leader: C", "voids: {C: [5]}"), "example.yaml:15: voids of C: expected [5], but it is []."),
        (
            but("    refused: P-2\n", ""),
            "example.yaml:9: B, 'blue 1': expected to be played, but it is refused by P-2: Follow",
        ),
        (
            but("  - C: red 9", "  - C: red 9\n    refused: P-2"),
            "example.yaml:12: C, 'red 9': expected a refusal by P-2, but it may",
        ),
        (
            but("  - C: red 9", "  - C: red 9\n    refused: true"),
            "example.yaml:12: C, 'red 9': expected a refusal, but it may",
        ),
        (
            but("refused: P-2", "refused: A-5"),
            "example.yaml:9: B, 'blue 1': expected a refusal by A-5, but it is refused by P-2:",
        ),
        (
            but("  - C: red 9", "  - D: red 4"),
            "example.yaml:12: D, 'red 4': expected to be played, but it is refused by A-4:",
        ),
    ],
)
def test_what_does_not_hold_is_said_with_its_line(text: str, line: str, folder: Path) -> None:
    result = check_written(text)
    assert result.exit_code == 1
    first, summary = result.output.splitlines()
    assert first.startswith(line)
    assert summary == "1 of 1 example in 1 file does not hold."


def test_order_counts_in_a_trick_and_not_in_a_hand(folder: Path) -> None:
    begun = GOOD[: GOOD.index("  - C: red 9")]
    assert check_written(f"{begun}expect: {{trick: [red 5, red 2], hands: {{C: [blue 2, red 9]}}}}").exit_code == 0
    assert check_written(f"{begun}expect: {{trick: [red 2, red 5], hands: {{C: [blue 2, red 9]}}}}").exit_code == 1


def test_cards_count_as_often_as_they_stand_there(folder: Path) -> None:
    assert check_written(but("red 5, red 2]", "red 5, red 5]")).exit_code == 1


def test_only_the_seats_named_are_compared(folder: Path) -> None:
    assert check_written(but("won: {C: [red 9, red 4, red 5, red 2]}", "won: {A: [], D: []}")).exit_code == 0


def test_the_line_of_a_seat_is_named_and_all_differences_are_shown(folder: Path) -> None:
    result = check_written(
        but("  won: {C: [red 9, red 4, red 5, red 2]}\n", "  won:\n    A: [red 9]\n    B: []\n    C: []\n")
    )
    assert [line.split(" ")[0] for line in result.output.splitlines()] == ["example.yaml:17:", "example.yaml:19:", "1"]


def test_an_example_that_went_astray_is_left_but_the_next_is_still_played(folder: Path) -> None:
    astray = but("    refused: P-2\n", "")
    result = check_written(f"{astray}---\n{but('leader: C', 'leader: B')}---\n{GOOD}")
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "2 of 3 examples in 1 file do not hold."
    assert len(result.output.splitlines()) == 3


# Files that are no examples ---------------------------------------------------------------------

HUGE = 9_999_999_999_999_999_999
"""More than fits into 64 bits."""
BOMB = "\n".join(
    ["game: schadenfreude", "position:", "  k0: &k0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"  k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 10)}]" for n in range(1, 12)]
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "example.yaml: it has no examples."),
        ("# nothing\n---\n---\n", "example.yaml: it has no examples."),
        ("just words", "example.yaml:1: an example: expected names with values"),
        ("- 1\n- 2", "example.yaml:1: an example: expected names with values such as {A: 1}, got a list."),
        (but("about:", "why:"), "example.yaml:3: an example has no key 'why'; its keys: game, players,"),
        (but("players: 4", "game: kirifu"), "example.yaml:2: 'game' is here twice."),
        (but("leader: A\n", "leader: A\n  leader: B\n"), "example.yaml:7: 'leader' is here twice."),
        ("about: nothing", "example.yaml:1: an example needs its game."),
        (but("game: shinigami_preschool", "game: bridge"), "example.yaml:1: There is no game 'bridge'"),
        (but("players: 4", "players: 9"), "example.yaml:2: Shinigami Preschool is for 2 to 4 players, not 9."),
        (but("players: 4", "players: yes"), "example.yaml:2: Shinigami Preschool is for 2 to 4 players, not True."),
        (
            but("about: P-3 the highest card of the led colour wins", "about: 3"),
            "example.yaml:3: about: expected text, got 3.",
        ),
        (but("players: 4", "players: 4\noptions: {deck: x}"), "example.yaml:3: Shinigami Preschool has no option 'deck'"),
        (but("players: 4", "players: 4\nseed: none"), "example.yaml:3: seed: expected a whole number"),
        (
            but("C: [red 9, blue 2]", "C: [red 5, blue 2]"),
            "example.yaml:4: The position, hands of C: the red 5 is already in hands of A",
        ),
        (but("C: [red 9, blue 2]", "C: [red 9]"), "example.yaml:4: The position, hands of C:"),
        (but("  leader: A", "  lead: A"), "example.yaml:4: The position: Shinigami Preschool has no field 'lead'"),
        (but("  - C: red 9", "  - Z: red 9"), "example.yaml:12: 'Z' is not a seat; there are A, B, C, D."),
        (but("  - C: red 9", "  - C: 9"), "example.yaml:12: the move of 'C': expected text, got 9."),
        (but("  - C: red 9", "  - C: red 9\n    D: red 4"), "example.yaml:12: a step of play has one seat"),
        (but("  - C: red 9", "  - refused: P-2"), "example.yaml:12: a step of play has one seat"),
        (but("  - C: red 9", "  - red 9"), "example.yaml:12: a step of play: expected names with values"),
        (
            but("refused: P-2", "refused: false"),
            "example.yaml:10: refused: expected the id of a rule, or true for any, got False.",
        ),
        (but("refused: P-2", "refused: 2"), "example.yaml:10: refused: expected the id of a rule"),
        ("game: schadenfreude\nplay: {A: sword 1}", "example.yaml:2: play: expected a list, got a mapping"),
        (but("leader: C", "leaders: C"), "example.yaml:15: expect has no 'leaders'; it has round, first, leader,"),
        (but("{C: [red 9,", "{Z: [red 9,"), "example.yaml:16: won has no 'Z'; it has A, B, C, D."),
        (
            but("won: {C: [red 9, red 4, red 5, red 2]}", "won: []"),
            "example.yaml:16: won: expected an entry for each of A, B",
        ),
        (but("{C: [red 9, red 4, red 5, red 2]}", "{C: red 9}"), "example.yaml:16: won of C: expected a list, got 'red 9'."),
        (but("{C: [red 9,", "{C: [red 19,"), "example.yaml:16: won of C: 'red 19' is not a card of this game."),
        (but("leader: C", "leader: {A: C}"), "example.yaml:15: leader has no parts, so there is no 'A' in it."),
        ("game: schadenfreude\nexpect: [A]", "example.yaml:2: expect: expected names with values"),
        ("game: 2026-11-15", "example.yaml:1: '2026-11-15' is neither a word nor a whole number"),
        ("game: .nan", "example.yaml:1: '.nan' is neither"),
        ("game: schadenfreude\nseed: 1.5", "example.yaml:2: '1.5' is neither"),
        ("game: schadenfreude\nseed: 0x10", "example.yaml:2: '0x10' is neither"),
        (f"game: schadenfreude\nseed: {'9' * 5000}", "example.yaml:2: '999"),
        (f"game: schadenfreude\nplayers: {HUGE}", f"example.yaml:2: Schadenfreude is for 3 to 5 players, not {HUGE}."),
        (f"game: schadenfreude\noptions: {{target: {HUGE}}}", "example.yaml:2: Option target: expected a whole number"),
        (f"game: schadenfreude\nposition: {{round: -{HUGE}}}", "example.yaml:2: The position, round: expected a whole"),
        (f"game: schadenfreude\nposition: {{totals: {{A: {HUGE}}}}}", "example.yaml:2: The position, totals of A: expected"),
        ("game: !!binary aGk=", "example.yaml:1: 'aGk=' is neither"),
        ("game: !!set {a}", "example.yaml:1: this: expected names with values"),
        ("game: !!python/object/apply:os.getcwd []", "example.yaml:1: this: expected a list, got a list"),
        ("1: 2", "example.yaml:1: '1' cannot be a name here."),
        ("game: x\n? [a]\n: b", "example.yaml:2: a list cannot be a name here."),
        ("game: schadenfreude\n<<: {players: 4}", "example.yaml:2: '<<' cannot be a name here."),
        ("game: schadenfreude\n\tplayers: 4", "example.yaml:2: this is not YAML: "),
        ("game: [schadenfreude", "example.yaml:1: this is not YAML: "),
        ("game: *nobody", "example.yaml:1: this is not YAML: found undefined alias 'nobody'."),
        ("game: a\nabout: b\0", "example.yaml:2: this is not YAML: it has a character that is not allowed."),
        ('game: "\\UFFFFFFFF"', "example.yaml: this is not YAML: it has an escape"),
        (f"%YAML {'9' * 5000}.1\n---\ngame: x", "example.yaml: this is not YAML: it has an escape"),
        ("[" * 5000, "example.yaml: this is nested too deeply"),
        ("game: [[[[[[[[[[[]]]]]]]]]]]", "example.yaml:1: this is nested too deeply"),
        ("game: x\nposition: &a {hands: *a}", "example.yaml:2: this is nested too deeply"),
        ("game: x\nexpect: &a {hands: *a}", "example.yaml:2: this is nested too deeply"),
        (BOMB, "example.yaml:3: an example has at most 100000 values."),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence_with_its_line(text: str, sentence: str, folder: Path) -> None:
    result = check_written(text)
    assert result.stdout == ""
    assert result.stderr.startswith(sentence)
    assert result.stderr.endswith(".\n")
    assert result.stderr.count("\n") == 1
    assert result.exit_code == 2


def test_files_that_cannot_be_read(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "bytes.yaml").write_bytes(b"game: x\n\xff\xfe")
    (folder / "large.yaml").write_text("#" * 1_000_001)
    for name, sentence in (
        ("nowhere.yaml", "nowhere.yaml: cannot be read (No such file or directory).\n"),
        ("empty", "empty: there is no *.yaml file in this folder.\n"),
        ("bytes.yaml", "bytes.yaml:2: this is not text in UTF-8.\n"),
        ("large.yaml", "large.yaml: a file of examples may have at most 1000000 bytes.\n"),
    ):
        result = run(name)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", sentence)


def test_a_name_of_a_file_that_is_not_text_can_still_be_said(folder: Path) -> None:
    result = run(os.fsdecode(b"\xff.yaml"))
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_a_broken_file_does_not_keep_the_others_from_being_played(folder: Path) -> None:
    (folder / "a.yaml").write_text("game: bridge")
    (folder / "b.yaml").write_text(but("leader: C", "leader: B"))
    result = run("nowhere.yaml", ".")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 2
    assert result.stdout.splitlines()[0].startswith("b.yaml:15:")


def test_without_a_file_there_is_nothing_to_check() -> None:
    assert run().exit_code == 2


def test_its_help_shows_an_example_that_holds() -> None:
    text = run("--help").output
    assert "fuda check tests/rules" in text
    assert max(map(len, text.splitlines())) <= 80
    lines = text[text.index("game:") : text.index("The exit status")].splitlines()
    assert check_text("\n".join(line.removeprefix("    ") for line in lines), "help").failed == 0


# Whatever a file holds, only an Error comes of it ------------------------------------------------


def only_an_error(text: str) -> None:
    try:
        check_text(text, "x")
    except fuda.Error as error:
        assert str(error).startswith("x:")
        assert "\n" not in str(error)


@given(st.text())
def test_any_text(text: str) -> None:
    only_an_error(text)


@given(st.text(alphabet=":-?[]{},&*!|>'\"%@`#<=~ \t\n\\0123456789abxU._", max_size=40))
def test_any_text_that_looks_like_yaml(text: str) -> None:
    only_an_error(text)


@given(st.integers(0, len(GOOD)), st.integers(0, 8), st.text(max_size=8))
def test_the_good_example_damaged_anywhere(at: int, length: int, other: str) -> None:
    only_an_error(GOOD[:at] + other + GOOD[at + length :])


WORDS = st.sampled_from(
    ["A", "B", "red 5", "blue 2", "hands", "leader", "trick", "won", "totals", "round", "rest", "undealt", "P-2"]
)
SCALARS = (
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.dates()
    | st.binary(max_size=4)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.integers(), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(KEYS), VALUES),
    st.sampled_from(["schadenfreude", "cursed_tricks", "shinigami_preschool"]),
)
def test_an_example_with_any_values(values: dict[str, Any], game: str) -> None:
    only_an_error(yaml.dump({**values, "game": game}))
    only_an_error(yaml.dump(values))


@given(st.binary())
def test_a_file_of_any_bytes(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "x.yaml")
        file.write_bytes(content)
        result = run(str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{file}:")
