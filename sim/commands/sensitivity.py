"""`duel-sim sensitivity`: which numbers of a deck move its win rate."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sim.commands import field_options, options
from sim.commands.progress import kept_run, progress_bar

DUELS = 400
TOP = 20


def command(
    deck: Annotated[
        str, typer.Argument(metavar="DECK", help="A faction, a shipped deck, or a file.")
    ],
    n: Annotated[
        int,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help="Duels of each change against each opponent.",
        ),
    ] = DUELS,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="DECK,…",
            help="The opponents, parted by commas, or all: the other standard decks.",
        ),
    ] = "all",
    top: Annotated[
        int,
        typer.Option(
            "--top", parser=options.whole_number, metavar="N", help="How many to print; all: 0."
        ),
    ] = TOP,
    strategy: options.StrategyBoth = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    rule: options.Rule = None,
    rules: options.RulesFile = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
    out: field_options.TablesOut = None,
    resume: options.Resume = False,
) -> None:
    """Change each unit's ATK, DEF and energy by 1 and rank what that does to the win rate."""
    from sim.api import MOST_DUELS, check_number, seed_of
    from sim.field import check_run
    from sim.run_folder import run_folder
    from sim.sensitivity import duels_of, plan, sensitivity_field
    from strategies.registry import DEFAULT

    check_number(top, "--top", 0, MOST_DUELS)
    players = check_run(n, workers, cluster, least=2)
    with kept_run(out), run_folder(out, resume=resume) as folder:
        field = plan(
            deck,
            against,
            strategy=strategy or DEFAULT,
            seed=seed_of(seed, folder),
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
        )
        with progress_bar(duels_of(field, n)) as progress:
            result = sensitivity_field(field, n, players, folder=folder, progress=progress)
        if out is not None:
            from sim.table_files import write_tables

            tables = {"sensitivity": result.table(), "by_opponent": result.cells_table()}
            write_tables(out, tables, "sensitivity", result.to_json())
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.changes_terminal import print_sensitivity

    print_sensitivity(result, top or len(result.changes))
