"""Files of this user."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def data_folder() -> Path:
    """The folder for Fuda's files."""
    default = {"win32": "AppData/Local", "darwin": "Library/Application Support"}.get(sys.platform, ".local/share")
    folder = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or home() / default
    return Path(folder).absolute() / "fuda"


def home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # this user has none
        return Path()


def replace_file(path: Path, content: bytes) -> None:
    """Writes all or nothing, to a file that only this user can read."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
