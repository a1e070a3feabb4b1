"""Build hook: compiles the core, which stays plain Python where it cannot be compiled, and builds the browser client.

Where the client is wanted and cannot be built the install fails, and says what is missing and how to do without.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # hatchling runs this file alone: what stands beside it is not found

from building import core, web


class BuildHook(BuildHookInterface[Any]):
    """The client is part of both sdist and wheel, the compiled core of the wheel alone."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [web.NODE] if web.needs_build(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        web.build(Path(self.root))
        if self.target_name == "wheel":
            self.compile_core(build_data)

    def compile_core(self, build_data: dict[str, Any]) -> None:
        if os.environ.get("FUDA_PLAIN"):
            self.app.display_warning("FUDA_PLAIN is set: installing Fuda as plain Python.")
            return
        if not core.has_c_compiler():
            self.app.display_warning(
                "No C compiler was found: installing Fuda as plain Python. "
                "Everything works, but about forty times slower; fuda.compiled will be False."
            )
            return
        self.work = tempfile.mkdtemp(prefix="fuda-build-")
        for module in core.compile_copy(Path(self.root, "src"), Path(self.work)):
            build_data["force_include"][str(module)] = str(module.relative_to(Path(self.work, "src")))
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(getattr(self, "work", ""), ignore_errors=True)
