"""`duel-sim odds`: the win rate from a position, and after each legal choice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sim.commands import options
from sim.commands.progress import progress_bar

SAMPLES = 1_000


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A scenario file; ? is an unknown card.")
    ],
    n: Annotated[
        int,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help="Samples of what is unknown; every choice is tried in each.",
        ),
    ] = SAMPLES,
    deck_a: Annotated[
        str | None,
        typer.Option(
            "--deck-a",
            metavar="DECK",
            help="The deck list that side A's unknown cards come from [default: the standard deck "
            "of its cards' faction].",
        ),
    ] = None,
    deck_b: Annotated[
        str | None, typer.Option("--deck-b", metavar="DECK", help="The same for side B.")
    ] = None,
    strategy: options.StrategyBoth = None,
    strategy_a: options.StrategyA = None,
    strategy_b: options.StrategyB = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Play on from a position: how often the side to move wins, and with which choice most often.

    Hidden cards that the file does not give are drawn anew in each sample.
    """
    from sim.position_odds import odds
    from strategies.registry import DEFAULT

    with progress_bar(n) as progress:
        found = odds(
            file,
            n,
            deck_a=deck_a,
            deck_b=deck_b,
            strategy=strategy or DEFAULT,
            strategy_a=strategy_a,
            strategy_b=strategy_b,
            seed=seed,
            workers=workers,
            cluster=cluster,
            progress=progress,
        )
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.odds import print_odds

    print_odds(found.summary)
