"""`duel-sim rulings`: which conclusions depend on how the rules are read."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sim.commands import field_options, options
from sim.commands.progress import kept_run, progress_bar

DUELS = 1_000


def command(
    decks: field_options.Decks = "all",
    n: Annotated[
        int,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help="Duels of each matchup and ruling.",
        ),
    ] = DUELS,
    alternative: Annotated[
        list[str] | None,
        typer.Option(
            "--alternative",
            metavar="KEY=VALUE",
            help="A rule option to try instead of the open ones. May be repeated.",
        ),
    ] = None,
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
    """Play all decks against each other under each reading of what the rules leave open."""
    from sim.api import seed_of
    from sim.field import check_run, field_of
    from sim.rulings import duels_of, rulings_field
    from sim.run_folder import run_folder
    from strategies.registry import DEFAULT

    players = check_run(n, workers, cluster, least=2)
    alternatives = alternative or ()
    with kept_run(out), run_folder(out, resume=resume) as folder:
        field = field_of(
            decks,
            strategy=strategy or DEFAULT,
            seed=seed_of(seed, folder),
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
        )
        with progress_bar(duels_of(field, n, alternatives)) as progress:
            result = rulings_field(
                field, n, players, alternatives=alternatives, folder=folder, progress=progress
            )
        if out is not None:
            from sim.table_files import write_tables

            tables = {
                "rulings": result.table(),
                "matchups": result.matchups_table(),
                "order": result.order_table(),
            }
            write_tables(out, tables, "rulings", result.to_json())
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.rulings_terminal import print_rulings

    print_rulings(result)
