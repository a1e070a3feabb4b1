"""Editing the line that is typed, where the terminal has readline."""

from __future__ import annotations

from collections.abc import Callable


def begin_with(typed: str, begin: Callable[[], None]) -> None:
    """Has the next line begin with this, where the terminal can edit lines at all."""
    try:
        import readline
    except ImportError:
        begin()
        return

    def insert() -> None:
        readline.insert_text(typed)
        begin()  # last of all: an exception would be lost in here

    readline.set_startup_hook(insert)


def complete(known: list[str]) -> None:
    """Has Tab complete these, where the terminal can edit lines at all."""
    try:
        import readline
    except ImportError:
        return

    def candidate(text: str, state: int) -> str | None:
        found = [word for word in known if word.startswith(text.lower())]
        return found[state] if state < len(found) else None

    readline.set_auto_history(False)  # a player who asked "why" about a card must not be found out by the next one
    readline.set_completer_delims("")
    readline.set_completer(candidate)
    readline.parse_and_bind("tab: complete")


def typed_so_far() -> str:
    """The line that is being typed, where the terminal can edit lines at all."""
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()
