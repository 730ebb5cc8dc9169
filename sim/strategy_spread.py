"""One matchup under every built-in strategy: does the answer depend on the player?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim import api
from sim.run import Progress
from sim.run_folder import run_folder
from sim.run_identity import about_matchups
from strategies.finder import StrategyLike
from strategies.registry import BUILT_IN

if TYPE_CHECKING:
    from reports.strategy_spread import StrategySpread


def matchup_under(
    a: api.DeckLike,
    b: api.DeckLike,
    n: int = api.DUELS,
    *,
    strategies: Sequence[StrategyLike] = (),
    seed: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> StrategySpread:
    """Play a matchup under one strategy after another, with the same seed.

    Parameters
    ----------
    a, b, n, seed, settings
        As of `sim.matchup`; n is for each strategy.
    strategies
        Each plays both sides; none: all that are built in.
    out
        A folder that gets one for each strategy.
    resume
        Whether a run that is in the folder already is gone on with (see `sim.matchup`).

    Raises
    ------
    InputError
        As `sim.matchup`.
    """
    from reports.strategy_spread import spread_of

    asked = tuple(strategies) or tuple(BUILT_IN)
    names = [_folder_name(each) for each in asked]
    summaries = []
    with run_folder(out, resume=resume) as kept:
        seed = api.seed_of(seed, kept)
        if kept is not None:
            what = "matchup under strategies"
            kept.claim(about_matchups(what, (a, b), names, seed, n * len(asked)))
            kept.begin()
        for number, strategy in enumerate(asked):
            found = api.matchup(
                a,
                b,
                n,
                strategy=strategy,
                seed=seed,
                out=None if kept is None else kept.path / names[number],
                resume=kept is not None,
                progress=None if progress is None else after(number * n, progress),
                **settings,
            )
            summaries.append(found.summary)
    return spread_of(summaries)


def after(played: int, progress: Progress) -> Progress:
    """The progress of a run that begins where others have played so many duels."""
    return lambda done: progress(played + done)


def _folder_name(strategy: StrategyLike) -> str:
    name = strategy if isinstance(strategy, str) else getattr(strategy, "__name__", "strategy")
    return re.sub(r"[^\w.=-]+", "_", name)
