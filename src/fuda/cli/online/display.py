"""Shows an online table: the lobby, the game, and what happens around it."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from fuda.cli.online.game import GONE, PLAYED_BY_BOT
from fuda.cli.online.game_end import GameEnd
from fuda.cli.online.lobby import lobby_lines
from fuda.cli.online.notices import Notices
from fuda.cli.online.online_table import OnlineTable
from fuda.cli.table.display import TableDisplay
from fuda.cli.table.frame import Frame
from fuda.cli.table.round_end import RoundEnd
from fuda.cli.terminal.layout import wrap_sentence
from fuda.engine.words import listed


class OnlineDisplay:
    """Draws the online table as it is now."""

    def __init__(self, display: TableDisplay, online: OnlineTable, notices: Notices, game_end: GameEnd) -> None:
        self.display = display
        self.online = online
        self.notices = notices
        self.game_end = game_end
        self.round_end = RoundEnd(display)

    def draw(self) -> None:
        screen = self.display.screen
        if not self.online.has_game:
            lines = self.lobby()
            for sentence in [*self.status(), *self.display.replies]:
                lines += [Text(), *wrap_sentence(sentence, screen.width)]
            screen.draw([*lines, Text()])
            return
        if self.online.table.game.over:
            self.show_end_once()
        else:
            self.round_end.show_new_score(self.online.known.you)
        self.display.draw(self.frame())

    def lobby(self) -> list[Text]:
        return lobby_lines(self.online.known, self.online.table.game.rules, self.online.link, self.display.screen.width)

    def frame(self) -> Frame:
        known = self.online.known
        is_asked = known.ask is not None and known.you is not None
        frame = self.display.question_frame(str(known.you)) if is_asked else self.display.frame(known.you)
        if self.display.replies:
            frame.set_reply(self.display.replies)
        frame.status = self.status()
        return frame

    def status(self) -> list[str]:
        """Connection, notices, time left, and who is gone."""
        known, table = self.online.known, self.online.table
        sentences = [self.notices.connection_problem] if self.notices.connection_problem else []
        sentences += self.notices.sentences
        if not self.online.has_game:
            return sentences
        if table.game.over:
            return [*sentences, "The game is over. Type rematch for another one, or quit."]
        if known.ask is not None and known.seconds is not None:
            sentences.append(f"{int(known.seconds)} s left.")
        gone = [table.names[seat] for seat, label in table.labels.items() if label == GONE]
        if gone:
            sentences.append(f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} gone.")
        replaced = [table.names[seat] for seat, label in table.labels.items() if label == PLAYED_BY_BOT]
        if replaced:
            sentences.append(f"A bot plays for {listed(replaced)}.")
        if len(known.asked) > 1 and known.answered:
            sentences.append(f"{known.answered} of {len(known.asked)} have answered.")
        return sentences

    def show_end_once(self) -> None:
        """Shows the end of the game on a page of its own."""
        if not self.game_end.fairness:
            news = self.round_end.final_news(self.online.known.you)
            result = self.game_end.result(self.display.screen.width)
            self.display.show_page(Group(*news, Text(), *result), "Enter to go back to the table > ")

    def prompt(self) -> str:
        known, table = self.online.known, self.online.table
        if known.ask is not None and known.you is not None and known.table.phase == "playing":
            return self.display.prompt(known.you)
        name = "Watching" if known.you is None else table.names[known.you]
        if self.online.is_before_game:
            return f"{name}: before the game > "
        if table.game.over:
            return f"{name}: after the game > "
        others = [table.names[seat] for seat in known.asked if seat in table.names and seat != known.you]
        return f"{name}: waiting for {listed(others) if others else 'the others'} > "
