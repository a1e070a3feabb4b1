"""Build hook: compiles the core with mypyc. Without a C compiler the plain Python is installed, and that is said."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = ("engine", "games", "bots")
SETUP = """
import os
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify({files!r}, opt_level="3", debug_level="0")
if os.name != "nt":
    for module in modules:
        # Functions that nobody outside can call may be inlined: a fifth fewer instructions per decision.
        module.extra_compile_args = [*module.extra_compile_args, "-fvisibility=hidden"]
setup(name="fuda", packages=[], ext_modules=modules)
"""


class CompileHook(BuildHookInterface[Any]):
    """Compiles a copy of the sources, so that nothing built ever lies in the tree."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        if os.environ.get("FUDA_PLAIN"):
            self.app.display_warning("FUDA_PLAIN is set: installing Fuda as plain Python.")
            return
        if not has_c_compiler():
            self.app.display_warning(
                "No C compiler was found: installing Fuda as plain Python. "
                "Everything works, but about forty times slower; fuda.compiled will be False."
            )
            return
        self.work = tempfile.mkdtemp(prefix="fuda-build-")
        for module in compile_copy(Path(self.root, "src"), Path(self.work)):
            build_data["force_include"][str(module)] = str(module.relative_to(Path(self.work, "src")))
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(getattr(self, "work", ""), ignore_errors=True)


def has_c_compiler() -> bool:
    """Whether the compiler that built this Python, or the one the environment names, can make an extension module."""
    program = "from setuptools import Extension, setup; setup(name='x', ext_modules=[Extension('x', ['x.c'])])"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "x.c").write_text("#include <Python.h>\nint PyInit_x(void) { return 0; }\n")
        return build_in(Path(folder), program).returncode == 0


def compile_copy(source: Path, work: Path) -> list[Path]:
    """Compiles the packages of the core in a copy of the sources; returns the extension modules."""
    copy = work / "src"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    files = [str(file.relative_to(copy)) for part in COMPILED for file in sorted((copy / "fuda" / part).rglob("*.py"))]
    done = build_in(copy, SETUP.format(files=files))
    if done.returncode:
        raise SystemExit(f"The core does not compile:\n{done.stdout}")
    suffix = ".pyd" if os.name == "nt" else ".so"
    return sorted(path for path in copy.rglob(f"*{suffix}") if "build" not in path.relative_to(copy).parts)


def build_in(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, "build_ext", "--inplace"]
    return subprocess.run(command, cwd=folder, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
