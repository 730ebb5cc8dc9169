"""`duel-sim bench`: how fast duels are played on this machine."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from cards.errors import InputError
from sim.commands import options


def command(
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            metavar="NAMES",
            help="Whom to measure, separated by spaces [default: all built-in ones].",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="S", help="How long each measurement of a strategy takes."
        ),
    ] = 3.0,
    as_json: options.Json = False,
) -> None:
    """Measure the speed on the standard decks, each against the next one.

    Compiling from nothing is a part of it, so this takes a minute or two.
    """
    if not 0 < seconds <= 3600:
        raise InputError(f"--seconds is {seconds}", right="more than 0, at most 3600")
    from sim.bench import bench
    from sim.workers import cores
    from strategies.registry import BUILT_IN

    names = strategies.split() if strategies is not None else list(BUILT_IN)
    if not names:
        raise InputError("--strategies names none", right=f"e.g. '{' '.join(BUILT_IN)}'")
    measured = bench(names, seconds, cores(), _say)
    if as_json:
        print(json.dumps(measured, indent=1))
    else:
        _show(measured)


def _say(what: str) -> None:
    print(f"duel-sim: measuring {what}", file=sys.stderr, flush=True)


def _show(measured: dict[str, Any]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    rows = measured["strategies"]
    # a row a strategy, in two tables: names of strategies are longer than numbers
    rates = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    rates.add_column("per second on")
    for where in ("one core", f"{measured['workers']} cores"):
        for what in ("duels", "turns", "decisions"):
            rates.add_column(f"{what},\n{where}", justify="right")
    for row in rows:
        values = (
            f"{row[f'{what}_per_second_{where}']:,.0f}"
            for where in ("core", "all")
            for what in ("duels", "turns", "decisions")
        )
        rates.add_row(row["strategy"], *values)
    costs = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    costs.add_column("")
    columns = {
        "ns_per_turn": "ns per turn",
        "ns_per_decision": "ns per decision",
        "turns_per_duel": "turns per duel",
        "decisions_per_duel": "decisions per duel",
    }
    for label in columns.values():
        costs.add_column(label, justify="right")
    for row in rows:
        costs.add_row(row["strategy"], *(f"{row[key]:,.0f}" for key in columns))
    console.print(rates)
    console.print()
    console.print(costs)
    console.print()
    console.print(f"compiling from nothing         {measured['compile_seconds']:.1f} s")
    console.print(f"start from a warm cache        {measured['warm_start_seconds']:.2f} s")
    console.print(f"a warm run of 1,000 duels      {measured['warm_1000_seconds']:.2f} s")
    for key, label in (
        ("peak_memory_mb", "peak memory of that run"),
        ("peak_memory_compiling_mb", "peak memory of compiling"),
    ):
        if measured[key] is not None:
            console.print(f"{label:31}{measured[key]:.0f} MB")
