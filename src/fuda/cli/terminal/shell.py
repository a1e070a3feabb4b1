"""Commands that can be pasted into a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any


def shell_command(*words: Any) -> str:
    """A command that runs this program again; `fuda` may not be on the path."""
    program = Path(sys.argv[0])
    if shutil.which("fuda"):
        start = "fuda"
    elif program.name == "__main__.py":
        start = f"{shlex.quote(sys.executable)} -m fuda"
    else:
        start = shlex.quote(os.fspath(program))
    return " ".join([start, *(shlex.quote(str(word)) for word in words)])
