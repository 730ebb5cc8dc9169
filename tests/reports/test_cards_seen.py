"""What is seen of cards: rates with intervals, counts with intervals, dead cards."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reports.cards import (
    CardCounts,
    CardsSeen,
    Doing,
    Happened,
    card_table,
    effective_wilson,
    poisson_mean,
)
from reports.changes import deck_change, summarise_changes
from reports.intervals import wilson


def card(played: int = 500, together: float = 1.5) -> CardCounts:
    """A card that was in 1,000 duels."""
    return CardCounts(
        deck="Rome",
        card="testudo",
        name="Testudo",
        kind="doctrine",
        copies=2,
        in_deck=Happened(1_000, 450),
        drawn=Happened(700, 350),
        played=Happened(played, played // 2),
        was_set=Happened(0, 0),
        doings={"activated": Doing(900, 520, np.full((2, 5), 0.52))},
        together=together,
    )


@pytest.mark.parametrize(("wins", "duels"), [(0, 10), (3, 10), (10, 10), (123, 400)])
def test_with_a_whole_number_of_duels_it_is_wilsons_interval(wins: int, duels: int) -> None:
    assert effective_wilson(wins / duels, duels) == pytest.approx(wilson(wins, duels))


def test_duels_that_hang_together_say_less() -> None:
    alone, together = (card(together=each).rate(Happened(700, 350)) for each in (1.0, 2.0))
    assert alone.low is not None and alone.high is not None
    assert together.low is not None and together.high is not None
    assert together.high - together.low == pytest.approx(
        2**0.5 * (alone.high - alone.low), rel=0.01
    )


def test_what_never_happened_has_no_rate() -> None:
    row = card().row()
    assert row["was_set_duels"] == 0
    assert row["was_set_win_rate"] is None
    assert row["drawn_win_rate"] == 0.5
    assert row["not_drawn_duels"] == 300
    assert row["not_drawn_win_rate"] == pytest.approx(100 / 300)


def test_a_card_is_dead_where_hardly_any_draw_is_played() -> None:
    assert not card().dead
    assert card(played=30).dead
    assert not card(played=65).dead  # 9.3 %, but the interval goes beyond a tenth


def test_a_poisson_mean_is_covered() -> None:
    rng = np.random.default_rng(1)
    for truth in (0.02, 0.4):
        times = rng.poisson(200 * truth, size=1_000)
        intervals = [poisson_mean(int(each), 200) for each in times]
        inside = np.mean([low <= truth <= high for low, high in intervals])
        assert 0.94 <= inside <= 0.995
    assert poisson_mean(0, 100).low == 0.0
    with pytest.raises(ValueError, match="duels"):
        poisson_mean(1, 0)


def test_counts_that_come_in_bunches_are_covered_too() -> None:
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        # a negative binomial count a duel, mean 2 and variance 6, in 3 matchups of 10 batches
        drawn = rng.negative_binomial(1, 1 / 3, size=(3, 10, 40))
        doing = Doing(10_000, int(drawn.sum()), drawn.mean(axis=2))
        low, high = doing.per_duel(drawn.size, 1.0)
        inside += low <= 2.0 <= high
    assert 0.92 <= inside / 400 <= 0.98


def test_seen_and_caused_stand_side_by_side() -> None:
    seen = CardsSeen((card(),))
    joint = np.array([[40, 20, 0], [5, 60, 15], [0, 5, 55]])  # worse with the plain card
    change = deck_change("testudo", "Rome", ["Sparta"], [joint], paired=True)
    swaps = summarise_changes([change], strategy="greedy", seed=1, duels_per_second=None)
    (row,) = card_table(seen, swaps).to_dicts()
    assert row["brings"] == pytest.approx(-change.difference.estimate)
    assert row["brings_low"] < row["brings"] < row["brings_high"]
    assert row["drawn_win_rate"] == 0.5
    json.dumps(seen.to_json())
