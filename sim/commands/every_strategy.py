"""`duel-sim matchup … --strategy all`: the matchup under each built-in strategy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cards.errors import InputError
from sim.commands.progress import kept_run, progress_bar


def check_alone(options: Mapping[str, Any]) -> None:
    """Options that say nothing beside `--strategy all` are an error.

    Raises
    ------
    InputError
        One of them was given.
    """
    for name, value in options.items():
        if value is not None:
            raise InputError(f"{name} does not go with --strategy all", right="leave one out")


def run(a: str, b: str, n: int, settings: Mapping[str, Any], as_json: bool) -> None:
    """Play the matchup under one strategy after another, and print how far the win rate moves."""
    from sim.strategy_spread import matchup_under
    from strategies.registry import BUILT_IN

    with progress_bar(n * len(BUILT_IN)) as progress, kept_run(settings["out"]):
        spread = matchup_under(a, b, n, progress=progress, **settings)
    if as_json:
        print(json.dumps(spread.to_json(), ensure_ascii=False, indent=1))
        return
    from reports.strategy_spread import print_spread

    print_spread(spread)
