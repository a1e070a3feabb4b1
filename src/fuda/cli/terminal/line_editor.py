"""The editor of the input line: readline, where there is one."""

from __future__ import annotations

from collections.abc import Callable


def prefill(text: str, on_ready: Callable[[], None]) -> None:
    """Starts the next line with this text; `on_ready` is called when it can be edited."""
    try:
        import readline
    except ImportError:
        on_ready()
        return

    def insert() -> None:
        readline.insert_text(text)
        on_ready()  # last of all: an exception would be lost in here

    readline.set_startup_hook(insert)


def set_completions(words: list[str]) -> None:
    """Makes Tab complete these words."""
    try:
        import readline
    except ImportError:
        return

    def completion(text: str, state: int) -> str | None:
        found = [word for word in words if word.startswith(text.lower())]
        return found[state] if state < len(found) else None

    readline.set_auto_history(False)  # the next player must not find out which card was asked about
    readline.set_completer_delims("")
    readline.set_completer(completion)
    readline.parse_and_bind("tab: complete")


def current_line() -> str:
    """What has been typed of the current line."""
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()
