"""Runs the instructions of the Dockerfile without Docker, in a folder that stands for the root of the image.

`python -m tests.deploy.image FOLDER` builds there. Only three things differ from an image: the base is the Python of this
machine in a new virtual environment, the folders of the image (`OWN`) lie in the folder, and if we are not root, we are the
user of the image. An instruction, option or folder that is not known here is an error.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).parents[2]
OWN: Final = ("build", "opt", "data")
"""The folders at the root of the image that its instructions may name."""
ABSOLUTE: Final = re.compile(r"(?<![\w.$}/-])/([\w.-]+)")
FROM_THIS_MACHINE: Final = re.compile(r"HOME|(PIP|UV|NPM|SSL|REQUESTS|NODE)_.*|npm_.*|.*_proxy|.*_PROXY")
"""Variables by which pip and npm reach their indexes and caches here."""


class Unknown(Exception):
    """The Dockerfile has something that is not understood here."""


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions with their arguments, without comments and broken lines."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        name, _, rest = line.partition(" ")
        yield name, rest.strip()


class Image:
    """An image that is being built; afterwards `command` and `health_command` run in it."""

    def __init__(self, folder: Path, python: str, arguments: dict[str, str]) -> None:
        self.folder = folder
        self.python = python
        self.arguments = arguments
        """What `docker build --build-arg` would set."""
        self.stages = 0
        self.declared: dict[str, str] = {}
        self.env: dict[str, str] = {}
        self.place = Path()
        self.user = "0"
        self.json: dict[str, list[str]] = {}
        self.stage_names: dict[str, Path] = {}
        self.name = ""

    @property
    def root(self) -> Path:
        """Where the present stage is built: always the same place, as programs remember where they were installed."""
        return self.folder / "root"

    @property
    def uid(self) -> int:
        """The user of the image, if we may become it; otherwise ourselves."""
        return int(self.user.partition(":")[0]) if os.geteuid() == 0 else os.geteuid()

    def build(self, dockerfile: str) -> None:
        self.folder.mkdir(exist_ok=True)
        subprocess.run([self.python, "-m", "venv", self.folder / "base"], check=True)
        for name, rest in instructions(dockerfile):
            self.execute(name, rest)

    def execute(self, name: str, rest: str) -> None:
        known: dict[str, Callable[[str], object]] = {
            "ARG": self.declare,
            "FROM": self.begin_stage,
            "WORKDIR": self.change_folder,
            "COPY": self.copy,
            "ENV": self.set_variables,
            "RUN": self.run,
            "USER": self.become,
            "VOLUME": self.check_volume,
            "EXPOSE": int,
            "HEALTHCHECK": self.set_health,
            "ENTRYPOINT": lambda rest: self.json.update(entry=json.loads(rest)),
            "CMD": lambda rest: self.json.update(command=json.loads(rest)),
        }
        if name not in known:
            raise Unknown(f"{name} {rest}")
        known[name](rest)

    # Instructions -----------------------------------------------------------------------------------

    def declare(self, rest: str) -> None:
        name, _, default = rest.partition("=")
        self.declared[name] = self.arguments.get(name, default)

    def begin_stage(self, rest: str) -> None:
        """A stage begins with nothing of the one before it."""
        image, _, self.name = rest.partition(" AS ")
        if not re.fullmatch(r"python:\$\{PYTHON\}(-slim)?", image):
            raise Unknown(f"FROM {rest}")
        self.stages += 1
        self.place, self.user = self.root, "0"
        self.env = {"PATH": f"{self.folder}/base/bin:/usr/local/bin:/usr/bin:/bin"}
        if self.root.exists():
            self.root.rename(self.folder / f"stage{self.stages - 1}")
        self.root.mkdir()
        if self.name:
            self.stage_names[self.name] = self.folder / f"stage{self.stages}"

    def change_folder(self, rest: str) -> None:
        self.place = Path(self.inside(rest))
        self.place.mkdir(parents=True, exist_ok=True)

    def copy(self, rest: str) -> None:
        *sources, target = rest.split()
        if sources[0].startswith("--from="):
            stage = self.stage_names[sources.pop(0).removeprefix("--from=")]
            (source,) = sources
            shutil.copytree(stage / source.lstrip("/"), self.inside(target), symlinks=True)
            return
        for source in sources:
            if source.startswith("-"):
                raise Unknown(f"COPY {rest}")
            self.copy_from_sources(source, self.place / target / (source if target == "./" else ""))

    def copy_from_sources(self, source: str, target: Path) -> None:
        if is_ignored(source):
            raise Unknown(f"COPY {source}, which .dockerignore leaves out")
        if (ROOT / source).is_file():
            shutil.copy(ROOT / source, target)
            return
        for path in sorted((ROOT / source).rglob("*")):
            name = path.relative_to(ROOT)
            if path.is_file() and not is_ignored(name.as_posix()):
                copy = target / path.relative_to(ROOT / source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)

    def set_variables(self, rest: str) -> None:
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            self.env[name] = self.inside(value.replace("$PATH", "\0")).replace("\0", self.env["PATH"])

    def run(self, rest: str) -> None:
        """The shell that Docker would use, with what this machine needs to reach its package indexes."""
        if rest.startswith(("[", "-")):
            raise Unknown(f"RUN {rest}")
        here = {name: value for name, value in os.environ.items() if FROM_THIS_MACHINE.fullmatch(name)}
        command = self.inside(rest)
        if os.geteuid() != 0:
            command = command.replace("-o 10001 -g 10001", f"-o {os.geteuid()} -g {os.getegid()}")
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.place,
            env={**here, **self.declared, **self.env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"RUN {rest}\n{done.stdout[-4000:]}")

    def become(self, rest: str) -> None:
        self.user = rest

    def check_volume(self, rest: str) -> None:
        assert Path(self.inside(rest)).stat().st_uid == self.uid, "the volume does not belong to the user of the image"

    def set_health(self, rest: str) -> None:
        options, _, command = rest.partition(" CMD ")
        if not all(re.fullmatch(r"--(interval|timeout|start-period|start-interval)=\d+s", one) for one in options.split()):
            raise Unknown(f"HEALTHCHECK {options}")
        self.json["health"] = json.loads(command)

    def inside(self, text: str) -> str:
        """The text with the folders of the image in place of those of this machine."""
        if unknown := {top for top in ABSOLUTE.findall(text) if top not in OWN}:
            raise Unknown(f"a folder that is not one of the image's own: {unknown} in {text}")
        return ABSOLUTE.sub(lambda found: f"{self.root}/{found[1]}", text)

    # What the image runs ----------------------------------------------------------------------------

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        """A process as a container would run it: as its user, and with no variables but its own."""
        program = shutil.which(command[0], path=self.env["PATH"])
        assert program is not None, command[0]
        return subprocess.Popen(
            [program, *command[1:]],
            cwd=self.root,
            env={"HOME": "/", **self.env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            user=self.uid,
            group=self.uid if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
        )


def is_ignored(name: str) -> bool:
    """Whether .dockerignore leaves this file out: the last pattern that fits it, or a folder above it, decides."""
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    ignored = False
    for line in lines:
        if fits(line.removeprefix("!"), PurePosixPath(name)):
            ignored = not line.startswith("!")
    return ignored


def fits(pattern: str, name: PurePosixPath) -> bool:
    if pattern.startswith("**/"):
        return any(fnmatch.fnmatchcase(part, pattern.removeprefix("**/")) for part in name.parts)
    length = len(PurePosixPath(pattern).parts)
    return len(name.parts) >= length and fnmatch.fnmatchcase("/".join(name.parts[:length]), pattern)


def usable_python(uid: int) -> str | None:
    """A Python of this machine that this user may run, which is not so for one in the home of root."""
    user = uid if os.geteuid() == 0 else None
    program = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    for python in (getattr(sys, "_base_executable", sys.executable), "/usr/local/bin/python3", "/usr/bin/python3"):
        try:
            done = subprocess.run([python, "-c", program], capture_output=True, cwd="/", check=False, user=user, group=user)
        except OSError:
            continue
        if done.returncode == 0:
            return str(python)
    return None


if __name__ == "__main__":
    found = usable_python(10001)
    assert found is not None
    Image(Path(sys.argv[1]).absolute(), found, {}).build((ROOT / "Dockerfile").read_text())
