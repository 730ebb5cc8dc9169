"""`duel-sim matrix`: all decks against all others and themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sim.commands import field_options, options
from sim.commands.progress import progress_bar, told_how_to_go_on

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
            help="Keep the tables, and one row a duel as Parquet; a run that was stopped goes on "
            "from there.",
        ),
    ] = None,
    chart: options.Chart = None,
) -> None:
    """Play all decks against each other and themselves: win rates, ratings, equilibrium, cycles."""
    if chart is not None:
        from sim.output import PICTURES, check_file

        check_file(chart, PICTURES)
    from sim.matrix import duels_of, matrix
    from strategies.registry import DEFAULT

    with progress_bar(duels_of(decks, n, cards or ())) as progress, told_how_to_go_on(out):
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
            progress=progress,
        )
    if out is not None:
        result.write(out)
    if chart is not None:
        result.chart(chart)
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.matrix_terminal import print_matrix

    print_matrix(result.summary)
