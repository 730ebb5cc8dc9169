"""`duel-sim strategy list`, `show` and `check`."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import Annotated, Any

import typer

from cards.errors import InputError
from sim.commands import options
from sim.commands.progress import progress_bar

app = typer.Typer(
    help="How the sides play: which strategies there are, and whether one is fair.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Name = Annotated[
    str, typer.Argument(metavar="FILE_OR_NAME", help="A name, FILE.py, or FILE.py:function.")
]
DUELS = 1_000
SECONDS = 2.0
BROKEN = 1


@app.command("list")
def list_all(as_json: options.Json = False) -> None:
    """List the strategies that have a name, with their parameters."""
    from strategies.registry import BUILT_IN, DEFAULT, find_strategy, strategy_names

    rows: list[dict[str, Any]] = []
    for name in strategy_names():
        try:
            found = find_strategy(name)
        except InputError as error:  # an installed package that is broken
            print(f"duel-sim: {error}", file=sys.stderr)
            continue
        rows.append(
            {
                "strategy": name,
                "about": found.about,
                "compiled": not found.is_plain,
                "built_in": name in BUILT_IN,
                "default": name == DEFAULT,
                "parameters": dict(found.values),
            }
        )
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("strategy", "kind", "parameters", "about"):
        table.add_column(heading)
    for row in rows:
        name = f"{row['strategy']} (default)" if row["default"] else row["strategy"]
        kind = "compiled" if row["compiled"] else "plain"
        count = len(row["parameters"])
        table.add_row(name, kind, Text(str(count) if count else ""), Text(row["about"]))
    Console(highlight=False, markup=False, emoji=False).print(table)


@app.command("show")
def show(
    name: Name,
    n: Annotated[
        int,
        typer.Option(
            "-n", parser=options.whole_number, metavar="N", help="Duels of each standard deck."
        ),
    ] = DUELS,
    seed: options.Seed = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Show a strategy's parameters, and how it uses its options and cards.

    It plays every standard deck against itself.
    """
    from sim.strategy_usage import usage
    from strategies.registry import find_strategy

    found = find_strategy(name)
    with progress_bar(7 * n) as progress:
        used = usage(name, n, seed=seed, workers=workers, cluster=cluster, progress=progress)
    if as_json:
        facts = {
            "about": found.about,
            "compiled": not found.is_plain,
            "parameters": dict(found.values),
        }
        print(json.dumps({**used.to_json(), **facts}, ensure_ascii=False, indent=1))
        return
    from reports.usage import print_usage

    kind = "plain Python" if found.is_plain else "compiled"
    title = f"{found.name} ({kind}){': ' if found.about else ''}{found.about}"
    print(textwrap.fill(title, 80, subsequent_indent="  "))
    if found.values:
        listed = ", ".join(f"{key}={value:g}" for key, value in found.values.items())
        print(textwrap.fill(listed, 78, initial_indent="  ", subsequent_indent="  "))
    print()
    print_usage(used)


@app.command("check")
def check(
    name: Name,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="About how long each part takes.")
    ] = SECONDS,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Try out whether a strategy keeps to the contract; exit code 1 if it does not."""
    if not 0 < seconds <= 3600:
        raise InputError(f"--seconds is {seconds:g}", right="more than 0, at most 3600")
    from cards.ancient_duel.load import card_set
    from sim.api import seed_of
    from sim.first_run import make_ready
    from strategies.ancient_duel.contract import Checker
    from strategies.finder import Finder

    cards = card_set()
    finder = Finder(cards)
    asked = finder.add(name)
    checker = Checker(finder, asked, cards, seconds, seed_of(1 if seed is None else seed))
    make_ready(checker.entries())
    verdicts = []
    for verdict in checker.verdicts():
        verdicts.append(verdict)
        if not as_json:
            word = "pass" if verdict.passed else "FAIL"
            print(f"{word}  {verdict.part}: {verdict.finding}", flush=True)
    failed = sum(not verdict.passed for verdict in verdicts)
    if as_json:
        parts = [verdict.to_json() for verdict in verdicts]
        print(json.dumps({"strategy": asked, "passed": not failed, "parts": parts}, indent=1))
    else:
        kept = "keeps to the contract" if not failed else f"breaks {failed} of its parts"
        print(f"{asked} {kept}")
    if failed:
        raise typer.Exit(BROKEN)
