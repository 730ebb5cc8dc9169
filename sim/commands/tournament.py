"""`duel-sim tournament`: strategies against each other."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sim.commands import options
from sim.commands.progress import kept_run, progress_bar

DUELS = 200


def command(
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STRATEGIES]...", help="Names or files, two or more [default: all built-in]."
        ),
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option(
            "--decks",
            metavar="DECKS",
            help="Factions or deck files, parted by commas, each played against itself "
            "[default: the standard decks].",
        ),
    ] = None,
    n: Annotated[
        int,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help="Duels of each pairing on each deck.",
        ),
    ] = DUELS,
    seed: options.Seed = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    rule: options.Rule = None,
    rules: options.RulesFile = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
    out: options.Out = None,
    resume: options.Resume = False,
    chart: options.Chart = None,
) -> None:
    """Let strategies play each other and rate them.

    Every strategy plays every other one in the mirror match of each deck.
    """
    if chart is not None:
        from sim.output import PICTURES, check_file

        check_file(chart, PICTURES)
    from sim.tournaments import duels_of, tournament

    asked = [deck.strip() for deck in (decks or "").split(",") if deck.strip()]
    total = duels_of(strategies or (), asked, n, cards or ())
    with progress_bar(total) as progress, kept_run(out):
        result = tournament(
            strategies or (),
            asked,
            n,
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
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    else:
        from reports.tournament import print_tournament

        print_tournament(result.summary)
    if chart is not None:
        result.chart(chart)
