"""Saved games: a record and its seating in one file."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import fuda
from fuda.cli.table.seating import Seating
from fuda.folders import data_folder, replace_file


class SavedGame:
    """The contents of a file: a record, and the seating if it was saved."""

    def __init__(self, record: Any, table: Any) -> None:
        self.record = record
        self.table = table


def new_path(game: str) -> Path:
    """An unused path in the folder of saved games."""
    folder = data_folder() / "saves"
    name = f"{game}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    path = folder / f"{name}.json"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.json"
    return path


def write(path: Path, record: dict[str, Any], seating: Seating) -> None:
    text = json.dumps({"record": record, "table": seating.as_json()}, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{text}\n".encode())


def write_to_first(paths: list[Path], record: dict[str, Any], seating: Seating) -> Path:
    """Writes to the first of these paths that is writable; returns it."""
    problem = ""
    for path in paths:
        try:
            write(path, record, seating)
        except OSError as error:
            problem = error.strerror or str(error)
        else:
            return path
    raise fuda.Error(f"The game could not be saved in {paths[0]}: {problem}.")


def read(path: Path) -> SavedGame:
    """A saved game, or a bare record."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise fuda.Error(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise fuda.Error(f"{path} is not a saved game, or is damaged: it is not JSON.") from error
    if isinstance(data, dict) and "record" in data:
        if not set(data) <= {"record", "table"}:
            raise fuda.Error(f"{path} is damaged: it should have only a record and a table, not {sorted(data)}.")
        return SavedGame(data["record"], data.get("table"))
    return SavedGame(data, None)


def path_from(name: str) -> Path:
    """The path that a player wants to save to; only saved games are overwritten."""
    try:
        path = Path(name).expanduser().absolute()
        taken = path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise fuda.Error(f"{name!r} cannot be the name of a file.") from error
    if taken and not is_save(path):
        raise fuda.Error(f"{path} exists already and is not a saved game.")
    return path


def is_save(path: Path) -> bool:
    try:
        return isinstance(read(path).record, dict)
    except fuda.Error:
        return False
