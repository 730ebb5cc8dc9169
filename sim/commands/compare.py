"""`duel-sim compare`: which of two lists is better, and how certain that is."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cards.errors import InputError
from cards.names import quote
from sim.commands import options
from sim.commands.progress import kept_run, progress_bar

DUELS = 10_000
#: The chances of a test to be wrong, if nothing else is said.
ERROR = 0.05


def command(
    a: options.DeckA,
    b: options.DeckB,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="DECK[:WEIGHT],…",
            help="The opponents: decks, with weights if need be, or all standard decks: all.",
        ),
    ] = "all",
    n: Annotated[
        int | None,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help=f"Duels that each list plays, over all opponents [default: {DUELS}].",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="L,H",
            help="Play until a test decides if A is better by H points or by L at most: e.g. 0,2.",
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            "--alpha",
            metavar="P",
            help=f"The test's chance to say H where L is true [default: {ERROR}].",
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            "--beta",
            metavar="P",
            help=f"The test's chance to say L where H is true [default: {ERROR}].",
        ),
    ] = None,
    max_n: Annotated[
        int | None,
        typer.Option(
            "--max-n",
            parser=options.whole_number,
            metavar="N",
            help="Duels of each list after which the test gives up [default: 1000000].",
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
    out: options.Out = None,
    resume: options.Resume = False,
    chart: options.Chart = None,
) -> None:
    """Play two lists against the same opponents on the same seeds, and say which is better.

    All sides play by the same strategy. A deck is a faction, a shipped deck or a deck file.
    """
    test = None if sprt is None else _hypotheses(sprt)
    if test is not None and n is not None:
        raise InputError("-n and --sprt exclude each other", right="limit a test with --max-n")
    if test is None and max_n is not None:
        raise InputError("--max-n is for a test", right="add --sprt, or write -n")
    for name, chance in (("--alpha", alpha), ("--beta", beta)):
        if test is None and chance is not None:
            raise InputError(f"{name} is for a test", right="add --sprt, or leave it out")
    if chart is not None:
        from sim.output import PICTURES, check_file

        check_file(chart, PICTURES)
    from sim import comparison
    from strategies.registry import DEFAULT

    duels = DUELS if n is None else n
    most = comparison.MOST_TESTED if max_n is None else max_n
    with (
        progress_bar(None if test is not None else 2 * duels) as progress,
        kept_run(out),
    ):
        result = comparison.compare(
            a,
            b,
            against,
            duels,
            strategy=strategy or DEFAULT,
            seed=seed,
            workers=workers,
            cluster=cluster,
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
            out=out,
            resume=resume,
            sprt=test,
            alpha=ERROR if alpha is None else alpha,
            beta=ERROR if beta is None else beta,
            max_n=most,
            progress=progress,
        )
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    else:
        from reports.comparison_terminal import print_comparison

        print_comparison(result.summary)
    if chart is not None:
        result.chart(chart)


def _hypotheses(text: str) -> tuple[float, float]:
    """Two numbers of points, as in 0,2."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            f"--sprt is {quote(text)}", right="two rising numbers of points, such as 0,2"
        ) from None
    return low, high
