"""Saved games: a record and who sits where, in one file that can be played on and replayed."""

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import fuda
from fuda.cli.table.seating import Seating
from fuda.folders import data_folder


class Saved:
    """What was found in a file: a record, and a table if it was saved with one."""

    def __init__(self, record: Any, table: Any) -> None:
        self.record = record
        self.table = table


def fresh_path(game: str) -> Path:
    """A path among the saved games that no other game has."""
    folder = data_folder() / "saves"
    name = f"{game}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    path = folder / f"{name}.json"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.json"
    return path


def write(path: Path, record: dict[str, Any], seating: Seating) -> None:
    """Writes the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"record": record, "table": seating.as_json()}, ensure_ascii=False)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_somewhere(paths: list[Path], record: dict[str, Any], seating: Seating) -> Path:
    """Writes to the first of these paths that can be written."""
    problem = "there is no place for it"
    for path in paths:
        try:
            write(path, record, seating)
        except OSError as error:
            problem = error.strerror or str(error)
        else:
            return path
    raise fuda.Error(f"The game could not be saved in {paths[0]}: {problem}.")


def read(path: Path) -> Saved:
    """A saved game, or a bare record."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise fuda.Error(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise fuda.Error(f"{path} is damaged, or not a saved game: it is not JSON.") from error
    if isinstance(data, dict) and "record" in data:
        if not set(data) <= {"record", "table"}:
            raise fuda.Error(f"{path} is damaged: besides the record and the table it has {sorted(data)}.")
        return Saved(data["record"], data.get("table"))
    return Saved(data, None)


def path_named(name: str) -> Path:
    """The path that a player names to save to; what is no saved game is not written over."""
    try:
        path = Path(name).expanduser().absolute()
        taken = path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise fuda.Error(f"{name!r} cannot be the name of a file.") from error
    if taken and not is_save(path):
        raise fuda.Error(f"There is another file, or a folder, called {path}.")
    return path


def is_save(path: Path) -> bool:
    try:
        return isinstance(read(path).record, dict)
    except fuda.Error:
        return False
