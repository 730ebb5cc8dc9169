"""Made-up summaries of comparisons, for tests of what is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from reports.comparison import (
    CardDoings,
    ComparisonSummary,
    Tested,
    differences,
    summarise_against,
    total_difference,
    total_rate,
)
from reports.sequential import Sprt


def pair_frame(pairs: Sequence[int], better: float, seed: int) -> pl.DataFrame:
    """So many pairs against each opponent; their scores hang together, `better` favours list a."""
    rng = np.random.default_rng(seed)
    frames = []
    for number, size in enumerate(pairs):
        luck = rng.normal(size=(size, 2))
        own = rng.normal(size=(size, 2, 2)) * 0.5
        wins = (luck[:, None, :] + own > [[-better], [0.0]]).sum(axis=2)
        frame = pl.DataFrame(wins, schema=["wins_a", "wins_b"]).with_columns(
            pl.lit(number).alias("opponent")
        )
        frames.append(frame)
    keys = ["opponent", "wins_a", "wins_b"]
    return pl.concat(frames).group_by(keys).len("pairs").sort(keys)


def doings(number: int, in_list: str, duels: int) -> CardDoings:
    """What a card did."""
    drawn = duels * 2 // 3
    return CardDoings(
        id=f"card_{number}",
        name=f"Card of a name, number {number}",
        in_list=in_list,
        copies=2,
        others=0,
        duels=duels,
        won=duels // 2,
        drawn=drawn,
        drawn_won=drawn // 2 + number,
        played=drawn // 2,
        played_won=drawn // 4,
        was_set=drawn // 5,
        was_set_won=drawn // 9,
    )


def made(
    *,
    names: tuple[str, ...] = ("Rome", "Sparta", "Persia"),
    weights: tuple[float, ...] | None = None,
    pairs: int = 200,
    better: float = 0.3,
    a: str = "My Rome",
    b: str = "Rome",
    cards: int = 4,
    test: Sprt | None = None,
    same: bool = False,
    seed: int = 1,
) -> ComparisonSummary:
    """A summary of a made-up comparison."""
    shares = weights or (1.0,) * len(names)
    shares = tuple(share / sum(shares) for share in shares)
    frame = pair_frame([pairs] * len(names), better, seed)
    if same:
        frame = frame.with_columns(wins_b=pl.col("wins_a"))
    against = summarise_against(frame, names, shares, paired=True, test=test)
    _, pooled = differences(frame, shares, paired=True)
    tested = None
    if test is not None:
        answer = test.decide(pooled)
        tested = Tested(test, answer, test.ratio(pooled), pairs * len(names))
    duels = 2 * pairs * len(names)
    return ComparisonSummary(
        a=a,
        b=b,
        strategy="greedy",
        seed=7,
        duels=duels,
        paired=True,
        same=same,
        shared_cards=40 if same else 34,
        against=against,
        total_a=total_rate([each.rate_a for each in against], shares),
        total_b=total_rate([each.rate_b for each in against], shares),
        difference=total_difference(against, test, pooled),
        cards=tuple(doings(i, "ab"[i % 2], duels) for i in range(0 if same else cards)),
        tested=tested,
        duels_per_second=5000.0,
    )


LONG = "The grand coalition of Carthage, Numidia and the Gallic mercenaries"
CASES: dict[str, dict[str, object]] = {
    "better": {},
    "worse": {"better": -0.3},
    "even": {"better": 0.0},
    "one opponent": {"names": ("Sparta",), "cards": 30},
    "weighted": {"weights": (1.0, 2.5, 0.2)},
    "tested": {"test": Sprt(0.0, 0.02)},
    "undecided": {"test": Sprt(0.0, 0.02), "pairs": 3, "better": 0.0},
    "same list": {"same": True},
    "one pair": {"pairs": 1},
    "many opponents": {"names": tuple(f"Deck {i}" for i in range(40)), "pairs": 20},
    "long names": {"a": f"{LONG} v1", "b": f"{LONG} v2 $x^2$", "names": (LONG, f"{LONG} II")},
    "wide names": {"a": "W" * 90, "b": "M" * 90, "names": ("W" * 90,)},
    "Cyrillic": {"a": "Рим", "b": "Щиты", "names": ("Спарта", "Дакия")},
    "markup": {"a": "[red]Rome[/red]", "b": "[/]", "names": ("[b]", "x")},
    "alike names": {"a": "Rome", "b": "Rome"},
    "many pairs": {"pairs": 300_000, "better": 0.001},
}
