"""Where things are kept on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Where this machine's user keeps what Fuda has to remember."""
    usual = {"win32": "AppData/Local", "darwin": "Library/Application Support"}.get(sys.platform, ".local/share")
    place = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA") or home() / usual
    return Path(place).absolute() / "fuda"


def home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # this user has none
        return Path()
