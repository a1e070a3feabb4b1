"""Mutation tests: small changes of the engine and the games, each of which should make a test fail.

`make mutants MODULE=engine/deals.py SAMPLE=200` tries at most 200 changes of one module. It runs interpreted sources, two
changes at a time, and stores the results, so that it can be stopped and started again. Changes that no test can notice are
listed with a reason in equivalent.yaml.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import time
from collections.abc import Iterable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any

import click
import pytest
import yaml

from tests.mutants.mutations import Mutant, mutants_of
from tests.mutants.selection import tests_for

ROOT = Path(__file__).parents[2]
WORK = ROOT / ".venv" / "mutants"
COPY = WORK / "src"
EQUIVALENT = Path(__file__).parent / "equivalent.yaml"
FOLDERS = ("engine", "games")
JOBS = 2
SLOWER = 3
"""A change that makes the tests take that many times as long has made them hang."""
ENDLESS = 100_000
KILLED, SURVIVED, HUNG = "killed", "survived", "hung"


class Finder(MetaPathFinder):
    """Imports one module from a changed source."""

    def __init__(self, module: str, path: Path, source: str) -> None:
        self.module = module
        self.path = path
        self.source = source

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        loader = Loader(fullname, str(self.path))
        loader.changed = self.source
        return spec_from_file_location(fullname, self.path, loader=loader)


class Loader(SourceFileLoader):
    changed = ""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.changed, self.path, "exec", dont_inherit=True)


def copy_sources() -> None:
    """The sources as they are now, without what is compiled."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "src", COPY, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"))


def modules_in(pattern: str) -> list[str]:
    """The modules whose path begins with the pattern, such as `engine/deals.py` or `games/frantic`."""
    found = [str(path.relative_to(COPY / "fuda")) for folder in FOLDERS for path in (COPY / "fuda" / folder).rglob("*.py")]
    return sorted(name for name in found if name.startswith(pattern) and not name.endswith("__init__.py"))


def start_tests(module: str, source: str | None, seconds: int) -> int:
    """Runs the tests of a module in a process of its own, which has all but Fuda loaded already; its id."""
    pid = os.fork()
    if pid:
        return pid
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.path.insert(0, str(COPY))
    if source is not None:
        dotted = "fuda." + module.removesuffix(".py").replace("/", ".")
        sys.meta_path.insert(0, Finder(dotted, COPY / "fuda" / module, source))
    try:
        status = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests_for(module)]))
    except BaseException:
        status = 1
    os._exit(status)


def finished(pids: Iterable[int]) -> tuple[int, str] | None:
    """One of the processes that has ended, and what that says of its change."""
    for pid in pids:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return pid, SURVIVED if code == 0 else HUNG if code == -signal.SIGXCPU else KILLED
    return None


def baseline(module: str) -> float:
    """The seconds of processor time that the tests of a module take without any change; they must pass."""
    _, status, usage = os.wait4(start_tests(module, None, ENDLESS), 0)
    if status:
        raise click.ClickException(f"The tests of {module} fail without any change: pytest {' '.join(tests_for(module))}")
    return usage.ru_utime + usage.ru_stime


class Results:
    """What is known of the changes of one module; of a survivor only as long as the tests stay the same."""

    def __init__(self, module: str, source: str) -> None:
        self.file = WORK / f"{module.replace('/', '.')}.json"
        self.versions = {"source": digest([source]), "tests": digest(sorted(map(str, files_of_tests())))}
        stored = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.status: dict[str, str] = {}
        if stored.get("source") == self.versions["source"]:
            same = stored["tests"] == self.versions["tests"]
            self.status = {name: status for name, status in stored["status"].items() if same or status != SURVIVED}

    def add(self, name: str, status: str) -> None:
        self.status[name] = status
        self.file.write_text(json.dumps({**self.versions, "status": self.status}, indent=1))


def files_of_tests() -> list[tuple[str, float]]:
    return [(str(path), path.stat().st_mtime) for path in (ROOT / "tests").rglob("*") if path.suffix in (".py", ".yaml")]


def digest(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def equivalent(module: str) -> dict[str, str]:
    """The changes of a module that no test can notice, with the reason."""
    listed = yaml.safe_load(EQUIVALENT.read_text()) or {}
    reasons: dict[str, str] = listed.get(module, {})
    return reasons


def try_module(module: str, sample: int) -> list[Mutant]:
    """The changes of a module that no test notices."""
    source = (COPY / "fuda" / module).read_text()
    explained = equivalent(module)
    found = mutants_of(source)
    unknown = sorted(explained.keys() - {mutant.name for mutant in found})
    if unknown:
        click.echo(f"{module}: equivalent.yaml explains changes that are not there: {unknown}")
    mutants = [mutant for mutant in found if mutant.name not in explained]
    if sample and len(mutants) > sample:
        mutants = random.Random(1).sample(mutants, sample)
    results = Results(module, source)
    waiting = [mutant for mutant in mutants if mutant.name not in results.status]
    if waiting:
        seconds = baseline(module)
        click.echo(f"{module}: {len(waiting)} changes to try; all tests take {seconds:.1f} s", err=True)
        run_all(module, waiting, results, int(seconds * SLOWER) + 2)
    survivors = [mutant for mutant in mutants if results.status[mutant.name] == SURVIVED]
    caught = len(mutants) - len(survivors)
    click.echo(f"{module}: {caught} of {len(mutants)} changes noticed, {len(explained)} explained")
    for mutant in survivors:
        click.echo(f"  {module}:{mutant.line}: {mutant.name}")
    return survivors


def run_all(module: str, waiting: list[Mutant], results: Results, seconds: int) -> None:
    running: dict[int, Mutant] = {}
    waiting = waiting[::-1]
    try:
        while waiting or running:
            while waiting and len(running) < JOBS:
                mutant = waiting.pop()
                running[start_tests(module, mutant.source, seconds)] = mutant
            ended = finished(running)
            if ended is None:
                time.sleep(0.02)
            else:
                pid, status = ended
                results.add(running.pop(pid).name, status)
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@click.command()
@click.argument("module", default="")
@click.option("--sample", type=click.IntRange(0), default=0, help="At most so many changes of each module; 0: all.")
def main(module: str, sample: int) -> None:
    """Try changes of MODULE, such as engine/deals.py or games/frantic; without it, of the whole engine and all games."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that it stops its processes, too
    WORK.mkdir(parents=True, exist_ok=True)
    copy_sources()
    modules = modules_in(module)
    if not modules:
        raise click.ClickException(f"There is no module {module}.")
    survivors = {name: try_module(name, sample) for name in modules}
    report = [f"{name}:{one.line}: {one.name}" for name, found in survivors.items() for one in found]
    (WORK / "survivors.txt").write_text("".join(f"{line}\n" for line in report))
    click.echo(f"{len(report)} changes were not noticed; they are in {(WORK / 'survivors.txt').relative_to(ROOT)}.")
    sys.exit(bool(report))


if __name__ == "__main__":
    main()
