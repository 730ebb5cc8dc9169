"""`duel-sim matrix`: all decks against all others and themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sim.commands import field_options, options
from sim.commands.progress import kept_run, progress_bar

DUELS = 2_000


def command(
    decks: field_options.Decks = "all",
    n: Annotated[
        int,
        typer.Option("-n", parser=options.whole_number, metavar="N", help="Duels of each matchup."),
    ] = DUELS,
    strategy: options.StrategyBoth = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    rule: options.Rule = None,
    rules: options.RulesFile = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Keep the tables, and one row a duel as Parquet, as soon as it is played.",
        ),
    ] = None,
    resume: options.Resume = False,
    chart: options.Chart = None,
) -> None:
    """Play all decks against each other and themselves: win rates, ratings, equilibrium, cycles."""
    if chart is not None:
        from sim.output import PICTURES, check_file

        check_file(chart, PICTURES)
    from sim.matrix import duels_of, matrix
    from strategies.registry import DEFAULT

    with progress_bar(duels_of(decks, n, cards or ())) as progress, kept_run(out):
        result = matrix(
            decks,
            n,
            strategy=strategy or DEFAULT,
            seed=seed,
            workers=workers,
            cluster=cluster,
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
            out=out,
            resume=resume,
            progress=progress,
        )
        if out is not None:
            result.write(out)
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    else:
        from reports.matrix_terminal import print_matrix

        print_matrix(result.summary)
    if chart is not None:
        result.chart(chart)
