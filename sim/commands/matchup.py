"""`duel-sim matchup`: two decks against each other, many times."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from sim.commands import options

DUELS = 10_000


class Stopped(Exception):
    """The user stopped a run that can go on."""


def command(
    a: options.DeckA,
    b: options.DeckB,
    n: Annotated[
        int, typer.Option("-n", parser=options.whole_number, metavar="N", help="Duels to play.")
    ] = DUELS,
    strategy: options.StrategyBoth = None,
    strategy_a: options.StrategyA = None,
    strategy_b: options.StrategyB = None,
    seed: options.Seed = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            parser=options.whole_number,
            metavar="W",
            help="Processes that play [default: all cores].",
        ),
    ] = None,
    rule: options.Rule = None,
    rules: options.RulesFile = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write one row a duel as Parquet. A run that was stopped goes on from there.",
        ),
    ] = None,
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="FILE", help="Draw a .png or .svg.")
    ] = None,
) -> None:
    """Play deck A against deck B and print who wins how often, and how sure that is.

    Duels come in pairs: same seed and shuffles, the other side begins.
    """
    if chart is not None:
        from sim.output import PICTURES, check_file

        check_file(chart, PICTURES)
    from sim import api
    from strategies.registry import DEFAULT

    with _progress(n) as progress, _told_how_to_go_on(out):
        result = api.matchup(
            a,
            b,
            n,
            strategy=strategy or DEFAULT,
            strategy_a=strategy_a,
            strategy_b=strategy_b,
            seed=seed,
            workers=workers,
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
            out=out,
            progress=progress,
        )
    if chart is not None:
        result.chart(chart)
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.terminal import print_matchup

    print_matchup(result.summary, result.counts)


@contextmanager
def _told_how_to_go_on(out: Path | None) -> Iterator[None]:
    """Say after Ctrl-C what has become of a run that is kept in a folder."""
    try:
        yield
    except KeyboardInterrupt:
        if out is None:
            raise
        raise Stopped(
            f"stopped; {out} has the duels so far, the same command goes on from there"
        ) from None


@contextmanager
def _progress(n: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("duels"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=n)

    def show(done: int) -> None:
        bar.start()  # not before: there may be a note about compiling first
        bar.update(task, completed=done)

    try:
        yield show
    finally:
        bar.stop()
