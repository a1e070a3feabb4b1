"""Fuda beside its peers, measured in one run: `make bench`, or `python -m bench.compare [--json]`.

The compiled package, the peers and the same sources as plain Python take turns, several times over, so that a busy
moment of the machine hits all alike; the best of each counts. The peers get an environment of their own.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
REQUIREMENTS = BENCH / "requirements.txt"
ENVIRONMENT = ROOT / ".venv-bench"

IMPORT_TIME = "import time; begun = time.perf_counter(); import fuda; print(time.perf_counter() - begun)"
IMPORTS = 11
INSTALL = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"]
Figures = dict[str, Any]
NO_TRICKS = {"frantic": 0.3, "kirifu": 0.5}
"""Games without tricks are measured against this share of our first game and against UNO, the others against hearts."""
ENOUGH = {"frantic": 1_000_000}
"""Decisions a second that are enough for a game, whatever share of our first one that is."""
CLONE = {"frantic": 2000}
"""How many nanoseconds a clone may take where it is not 1,000: a game of 147 cards has more to copy."""
LIVE_GAME = 10_000
"""Bytes that a live game may take: 100 MB for ten thousand."""


@dataclass
class Line:
    """One comparison; a ratio above 1 is better than what it is measured against."""

    what: str
    measured: float
    unit: str
    against: str
    yardstick: float | None = None
    required: float | None = None
    """The ratio that is demanded; None where the line is for information."""
    less_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        if not self.yardstick:
            return None
        return self.yardstick / self.measured if self.less_is_better else self.measured / self.yardstick

    @property
    def met(self) -> bool | None:
        return None if self.required is None or self.ratio is None else self.ratio >= self.required

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


# Running things -------------------------------------------------------------------------------


def output_of(program: Path, *arguments: str, source: Path | None = None, errors: int | None = None) -> str:
    """What a program prints in a process of its own, with the modules of its environment or, before them, of a folder."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if source is not None:
        variables["PYTHONPATH"] = str(source)
    command = [str(program), *arguments]
    done = subprocess.run(command, env=variables, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE, stderr=errors)
    return done.stdout


def ours(*arguments: str, source: Path | None = None) -> str:
    return output_of(Path(sys.executable), *arguments, source=source)


def our_figures(seconds: float, source: Path | None = None) -> Figures:
    figures: Figures = json.loads(ours("-m", "fuda", "bench", "--json", "--seconds", str(seconds), source=source))
    return figures


def peer_python() -> Path:
    """The Python of the peers' environment, which is made if need be."""
    python = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / "made-for.txt"
    made_for = f"Python {sys.version}\n{REQUIREMENTS.read_text()}"
    if not stamp.exists() or stamp.read_text() != made_for:
        click.echo(f"Installing OpenSpiel and RLCard into {ENVIRONMENT.name} …", err=True)
        ours("-m", "venv", "--clear", str(ENVIRONMENT))
        output_of(python, "-m", "pip", *INSTALL, str(REQUIREMENTS), errors=subprocess.PIPE)
        output_of(python, "-c", "import pyspiel, rlcard", errors=subprocess.PIPE)
        stamp.write_text(made_for)
    return python


def peers_or_none() -> Path | None:
    try:
        return peer_python()
    except (OSError, subprocess.CalledProcessError) as error:
        message = getattr(error, "stderr", None) or str(error)
        reason = message.strip().splitlines()[-1].removeprefix("ERROR: ")
        click.echo(f"OpenSpiel and RLCard cannot be installed here, so this is our side alone ({reason}).", err=True)
        return None


def better(one: Any, other: Any) -> Any:
    """The higher of two figures; of two tables of figures, figure by figure."""
    if isinstance(one, dict):
        return {name: better(one[name], other[name]) for name in one}
    return one if isinstance(one, str) else max(one, other)


# Measuring ------------------------------------------------------------------------------------


def measure(rounds: int, seconds: float, peers: Path | None) -> dict[str, Figures]:
    """The figures of all, each the best of several turns."""
    best: dict[str, Figures] = {}
    for number in range(1, rounds + 1):
        click.echo(f"Turn {number} of {rounds} …", err=True)
        turn = {"compiled": our_figures(seconds)}
        if peers is not None:
            turn |= json.loads(output_of(peers, "-m", "bench.peers", str(seconds)))
        turn["interpreted"] = our_figures(seconds, source=ROOT / "src")
        best = better(best, turn) if best else turn
    return best


def import_times() -> list[float]:
    """How long `import fuda` takes, in milliseconds, each time in a fresh process; the first one warms the disk."""
    return [float(ours("-c", IMPORT_TIME)) * 1000 for _ in range(IMPORTS + 1)][1:]


def memory(game: str, python: Path = Path(sys.executable)) -> int:
    """The bytes of one of many live games."""
    return int(output_of(python, "-m", "bench.memory", game))


# Comparing ------------------------------------------------------------------------------------

RATE = "decisions/s"
NOTES = """OpenSpiel: hearts, random rollouts inside its own C++ search.
pyspiel: hearts from Python, whole games; "after the deal": the peer deals nothing, ours does.
RLCard: UNO, its engine alone. A ratio above 1 is better than what it is measured against."""


def lines(best: dict[str, Figures], imports: list[float], sizes: dict[str, int]) -> Iterator[Line]:
    compiled = best["compiled"]
    hearts = best.get("open_spiel", {})
    uno = best.get("rlcard", {}).get("stepped")
    first = next(iter(compiled.values()))["playout"]
    for game, figure in compiled.items():
        required = None if game in NO_TRICKS else 1.0
        yield Line(f"playout {game}", figure["playout"], RATE, "OpenSpiel", hearts.get("playout"), required)
    for game, figure in compiled.items():
        if game in NO_TRICKS:
            required = min(NO_TRICKS[game], ENOUGH.get(game, first) / first)
            yield Line(f"playout {game}", figure["playout"], RATE, f"our {next(iter(compiled))}", first, required)
            yield Line(f"playout {game}", figure["playout"], RATE, "RLCard", uno, 20.0)
    for game, figure in compiled.items():
        required = None if game in NO_TRICKS else 2.0
        yield Line(f"stepped {game}", figure["stepped"], RATE, "pyspiel", hearts.get("stepped"), required)
    for game, figure in best["interpreted"].items():
        required = None if game in NO_TRICKS else 1.0
        yield Line(f"interpreted {game}", figure["playout"], RATE, "limit", 80_000, required)
    for game, figure in compiled.items():
        yield Line(f"clone {game}", 1e9 / figure["clone"], "ns", "limit", CLONE.get(game, 1000), 1.0, less_is_better=True)
    yield Line("import, median", statistics.median(imports), "ms", "limit", 150, 1.0, less_is_better=True)
    yield Line("import, best", min(imports), "ms", "limit", 150, less_is_better=True)
    for game, size in sizes.items():
        yield Line(f"memory {game}", size, "bytes", "limit", LIVE_GAME, 1.0, less_is_better=True)
        yield Line(f"memory {game}", size, "bytes", "pyspiel", hearts.get("bytes"), less_is_better=True)
    if hearts:
        yield from for_information(compiled, hearts, best["rlcard"])


def for_information(compiled: Figures, hearts: Figures, uno: Figures) -> Iterator[Line]:
    for game, figure in compiled.items():
        mine, theirs = 1e9 / figure["clone"], 1e9 / hearts["clone"]
        yield Line(f"clone {game}", mine, "ns", "pyspiel", theirs, less_is_better=True)
    for game, figure in compiled.items():
        yield Line(f"stepped {game}", figure["stepped"], RATE, "pyspiel after the deal", hearts["stepped_after_deal"])
    for game, figure in compiled.items():
        yield Line(f"stepped {game}", figure["stepped"], RATE, "RLCard", uno["stepped"])


# Showing --------------------------------------------------------------------------------------


def amount(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{value / 1e6:.2f} M/s" if unit == RATE else f"{value:,.0f} {unit}"


def show(compared: list[Line]) -> None:
    sheet = Table(title="Fuda beside its peers", caption=NOTES)
    sheet.add_column("what")
    sheet.add_column("measured", justify="right")
    sheet.add_column("against")
    sheet.add_column("that is", justify="right")
    sheet.add_column("ratio", justify="right")
    sheet.add_column("required", justify="right")
    sheet.add_column("")
    section = None
    for line in compared:
        if (line.what.split()[0], line.against) != section:
            sheet.add_section()
            section = (line.what.split()[0], line.against)
        sheet.add_row(
            line.what,
            amount(line.measured, line.unit),
            line.against,
            amount(line.yardstick, line.unit),
            "–" if line.ratio is None else f"{line.ratio:.2f}",
            "–" if line.required is None else f"{line.required:.1f}",
            verdict(line),
        )
    Console(width=None if sys.stdout.isatty() else 120).print(sheet)


def verdict(line: Line) -> str:
    if line.required is None:
        return ""
    if line.met is None:
        return "not compared"
    return "[green]met[/]" if line.met else "[bold red]NOT MET[/]"


def conclusion(compared: list[Line]) -> str:
    missed = [line.what for line in compared if line.met is False]
    open_ones = sum(line.required is not None and line.met is None for line in compared)
    result = f"Not met: {'; '.join(missed)}." if missed else "All that was compared is met."
    return f"{result} Not compared: {open_ones}." if open_ones else result


def machine(best: dict[str, Figures]) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "peers": {name: best[name]["version"] for name in ("open_spiel", "rlcard") if name in best},
    }


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="How many turns each side gets.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    default=0.5,
    show_default=True,
    help="How long each figure is measured in a turn.",
)
def main(as_json: bool, rounds: int, seconds: float) -> None:
    """Measure Fuda beside OpenSpiel and RLCard, which are installed into an environment of their own."""
    if ours("-c", "import fuda; print(fuda.compiled)").strip() != "True":
        click.echo("The installed package is not compiled, so its figures are those of plain Python.", err=True)
    peers = peers_or_none()
    best = measure(rounds, seconds, peers)
    if peers is not None:
        best["open_spiel"]["bytes"] = memory("hearts", peers)
    compared = list(lines(best, import_times(), {game: memory(game) for game in best["compiled"]}))
    if as_json:
        data = {**machine(best), "lines": [line.as_data() for line in compared], "figures": best}
        click.echo(json.dumps(data, indent=2))
    else:
        show(compared)
        click.echo(conclusion(compared))


if __name__ == "__main__":
    main()
