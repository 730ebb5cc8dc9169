"""`duel-sim matchup`: two decks against each other, many times."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from cards.errors import InputError
from cards.names import quote
from sim.commands import field_options, options
from sim.commands.progress import kept_run, progress_bar

DUELS = 10_000


def command(
    a: options.DeckA,
    b: options.DeckB,
    n: Annotated[
        int | None,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help=f"Duels to play; with --until the most [default: {DUELS}; no limit].",
        ),
    ] = None,
    duels: Annotated[
        str | None,
        typer.Option(
            "--duels",
            metavar="FIRST-LAST",
            help="Play only these duels of the run with that seed, e.g. 12000-12063.",
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            "--until",
            metavar="P",
            help="Play until the 95% interval ends within P points of the win rate, e.g. 0.5.",
        ),
    ] = None,
    strategy: options.StrategyBoth = None,
    strategy_a: options.StrategyA = None,
    strategy_b: options.StrategyB = None,
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
    patch: field_options.PatchFile = None,
    changes: field_options.Set = None,
) -> None:
    """Play deck A against deck B and print who wins how often, and how sure that is.

    Duels come in pairs: same seed and shuffles, the other side begins.
    """
    from strategies.registry import ALL, DEFAULT

    first = 0
    if duels is not None:
        first, n = _some(duels, {"-n": n, "--until": until, "--out": out})
    if strategy == ALL:
        from sim.commands import every_strategy

        alone = {
            "--patch": patch,
            "--set": changes,
            "--until": until,
            "--strategy-a": strategy_a,
            "--strategy-b": strategy_b,
            "--chart": chart,
            "--duels": duels,
        }
        every_strategy.check_alone(alone)
        settings = {
            "seed": seed,
            "workers": workers,
            "cluster": cluster,
            "rules": rule or (),
            "rules_file": rules,
            "cards": cards or (),
            "out": out,
            "resume": resume,
        }
        return every_strategy.run(a, b, n or DUELS, settings, as_json)
    if patch is not None or changes:
        from sim.commands import patched

        patched.check_alone({"--until": until, "--chart": chart})
        asked = {
            "strategy": strategy or DEFAULT,
            "strategy_a": strategy_a,
            "strategy_b": strategy_b,
            "seed": seed,
            "workers": workers,
            "cluster": cluster,
            "rules": rule or (),
            "rules_file": rules,
            "cards": cards or (),
            "out": out,
            "resume": resume,
            "first": first,
        }
        return patched.run(a, b, DUELS if n is None else n, patch, changes or (), asked, as_json)
    if chart is not None:
        from sim.output import PICTURES, check_file

        check_file(chart, PICTURES)
    from sim import api

    known = n if until is not None else n or DUELS
    with progress_bar(known) as progress, kept_run(out):
        result = api.matchup(
            a,
            b,
            n,
            strategy=strategy or DEFAULT,
            strategy_a=strategy_a,
            strategy_b=strategy_b,
            seed=seed,
            workers=workers,
            cluster=cluster,
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
            out=out,
            resume=resume,
            first=first,
            until=until,
            progress=progress,
        )
    if as_json:
        print(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    else:
        from reports.terminal import print_matchup

        print_matchup(result.summary, result.counts)
        if result.stopping is not None:
            print(result.stopping.sentence)
    # The picture last: what is played is told, whatever becomes of it.
    if chart is not None:
        result.chart(chart)


def _some(text: str, others: Mapping[str, Any]) -> tuple[int, int]:
    """The number of the first duel of --duels, and how many they are."""
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name} does not go with --duels", right="leave one out")
    found = re.fullmatch(r"(\d{1,18})-(\d{1,18})", text.strip())
    if found is None:
        raise InputError(
            f"--duels is {quote(text)}", right="two numbers of duels, such as 12000-12063"
        )
    if int(found[2]) < int(found[1]):
        raise InputError(f"--duels is {quote(text)}", right="the smaller number first")
    return int(found[1]), int(found[2]) - int(found[1]) + 1
