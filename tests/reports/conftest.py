"""Frames of duels as a run aggregates them, from duels written out one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
import pytest

from reports.matchup import COUNTS_COLUMNS, MatchupSummary, summarise

Duel = tuple[str, str, str, int, int, int]
"""first, winner, reason, turns, lp_left, lp_loser"""

Frames = tuple[pl.DataFrame, pl.DataFrame]
FrameMaker = Callable[..., Frames]


def make_frames(duels: Sequence[Duel], *, paired: bool = True) -> Frames:
    """`counts` and `pairs` of a run: duels 2p and 2p + 1 are pair p unless `paired` is false."""
    counts = Counter(duels)
    pairs: Counter[tuple[int, int]] = Counter()
    if paired:
        for one, two in zip(duels[0::2], duels[1::2], strict=False):
            assert {one[0], two[0]} == {"a", "b"}
            wins_a = (one[1] == "a") + (two[1] == "a")
            first_wins = (one[1] == one[0]) + (two[1] == two[0])
            pairs[wins_a, first_wins] += 1
    return (
        pl.DataFrame([(*duel, n) for duel, n in counts.items()], COUNTS_COLUMNS, orient="row"),
        pl.DataFrame(
            [(*key, n) for key, n in pairs.items()],
            {"wins_a": pl.UInt8, "first_wins": pl.UInt8, "pairs": pl.UInt32},
            orient="row",
        ),
    )


def random_duels(n: int, seed: int, strength: float = 0.0, first: float = 0.3) -> list[Duel]:
    """Plausible duels in pairs: a pair shares its luck, the beginner has an advantage."""
    rng = np.random.default_rng(seed)
    duels: list[Duel] = []
    for number in range(n):
        if number % 2 == 0:
            luck = rng.normal()
        begins = "ab"[number % 2]
        edge = strength + (first if begins == "a" else -first)
        winner = "a" if luck + rng.normal() + edge > 0 else "b"
        turns = 3 + int(rng.gamma(6, 2))
        reason = "deck" if turns > 25 else "lp"
        lp = int(rng.integers(1, 21))
        duels.append((begins, winner, reason, turns, lp, -int(rng.integers(0, 4))))
    return duels


@pytest.fixture(scope="session")
def frames() -> FrameMaker:
    """The function that makes frames from duels."""
    return make_frames


@pytest.fixture(scope="session")
def matchup() -> Callable[..., tuple[MatchupSummary, pl.DataFrame]]:
    """The function that makes a summary, and its counts, of `n` random duels."""

    def make(
        n: int,
        strength: float = 0.0,
        *,
        a: str = "Rome",
        b: str = "Sparta",
        strategy_b: str = "greedy",
        only_a_first: bool = False,
        duels_per_second: float | None = 16000.0,
    ) -> tuple[MatchupSummary, pl.DataFrame]:
        duels = random_duels(2 * n if only_a_first else n, seed=1, strength=strength)
        if only_a_first:
            duels = duels[0::2]
        counts, pairs = make_frames(duels, paired=not only_a_first)
        summary = summarise(
            counts,
            pairs,
            a=a,
            b=b,
            seed=7,
            strategy_a="greedy",
            strategy_b=strategy_b,
            duels_per_second=duels_per_second,
        )
        return summary, counts

    return make
