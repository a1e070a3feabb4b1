"""The install: compiled where there is a C compiler, plain Python where there is none, and it says so."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from hatch_build import has_c_compiler

import fuda

ROOT = Path(__file__).parent.parent


def test_the_installed_core_is_compiled_and_the_source_tree_is_not() -> None:
    from_source = Path(fuda.__file__).is_relative_to(ROOT / "src")
    assert fuda.compiled == (not from_source and has_c_compiler())


def test_without_a_c_compiler_the_install_falls_back_and_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT],
        env={**os.environ, "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No C compiler was found: installing Fuda as plain Python" in done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("py3-none-any.whl")
    files = zipfile.ZipFile(wheel).namelist()
    assert "fuda/engine/core.py" in files
    assert "fuda/pages/schadenfreude.md" in files
    assert "fuda/py.typed" in files
    assert not any(name.endswith(".so") for name in files)


def test_nothing_built_lies_in_the_source_tree() -> None:
    assert not [path for pattern in ("*.so", "*.c", "*.pyd") for path in (ROOT / "src").rglob(pattern)]


def test_importing_fuda_loads_no_front_end() -> None:
    """A bot author who imports Fuda waits for nothing else: no rich, no click, no yaml."""
    program = "import sys, fuda; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"rich", "click", "yaml", "json"} & set(loaded)
