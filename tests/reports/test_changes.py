"""Paired differences against straightforward reckoning with the single pairs."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt
import pytest

from reports.changes import (
    cell_change,
    deck_change,
    difference_sample,
    flipped,
    summarise_changes,
)

Scores = npt.NDArray[np.int64]


def scores(rng: np.random.Generator, pairs: int, shift: float) -> tuple[Scores, Scores]:
    """Duels won of each pair after and before a change, with common luck."""
    luck = rng.normal(size=(pairs, 2)) + 0.7 * rng.normal(size=(pairs, 1))
    noise = 0.5 * rng.normal(size=(pairs, 2))
    return (luck + noise + shift > 0).sum(axis=1), (luck > 0).sum(axis=1)


def counted(after: Scores, before: Scores) -> Scores:
    """The counts of pairs by both scores."""
    joint = np.zeros((3, 3), dtype=np.int64)
    np.add.at(joint, (after, before), 1)
    return joint


def test_the_sample_of_differences_is_that_of_the_pairs() -> None:
    after, before = scores(np.random.default_rng(1), 500, 0.2)
    sample = difference_sample(counted(after, before), 2)
    gaps = (after - before) / 2
    assert sample.mean == pytest.approx(gaps.mean())
    assert sample.variance == pytest.approx(gaps.var())
    assert sample.size == 500


def test_a_matchup_before_and_after() -> None:
    after, before = scores(np.random.default_rng(2), 800, 0.15)
    change, _ = cell_change("Sparta", counted(after, before), paired=True)
    assert change.before.wins == before.sum()
    assert change.after.wins == after.sum()
    assert change.difference.estimate == pytest.approx((after - before).mean() / 2)
    assert change.correlation == pytest.approx(np.corrcoef(after, before)[0, 1])
    apart = ((after / 2).var() + (before / 2).var()) / 800
    assert change.difference.error_apart == pytest.approx(apart**0.5)
    assert change.difference.gain is not None and change.difference.gain > 1.2


def test_the_average_over_opponents_and_its_correlation_within_them() -> None:
    rng = np.random.default_rng(3)
    parts = [scores(rng, 600, shift) for shift in (0.1, 0.4)]
    joints = [counted(*part) for part in parts]
    change = deck_change("x 1 → 2", "Rome", ["Sparta", "Egypt"], joints, paired=True)
    gaps = [(after - before).mean() / 2 for after, before in parts]
    assert change.difference.estimate == pytest.approx(sum(gaps) / 2)
    assert change.after.estimate - change.before.estimate == pytest.approx(sum(gaps) / 2)
    covariance = sum(np.cov(*part, bias=True)[0, 1] for part in parts)
    spread = [sum(part[i].var() for part in parts) for i in range(2)]
    assert change.correlation == pytest.approx(covariance / (spread[0] * spread[1]) ** 0.5)
    low, high = change.difference.interval
    assert low < change.difference.estimate < high


@pytest.mark.parametrize("size", [1, 2])
def test_the_other_side_sees_the_difference_turned_round(size: int) -> None:
    rng = np.random.default_rng(4)
    joint = np.zeros((3, 3), dtype=np.int64)
    joint[: size + 1, : size + 1] = rng.integers(1, 50, (size + 1, size + 1))
    own, other = (
        cell_change("", each, paired=size == 2)[0] for each in (joint, flipped(joint, size))
    )
    assert other.difference.estimate == pytest.approx(-own.difference.estimate)
    assert other.before.estimate == pytest.approx(1 - own.before.estimate)
    assert other.after.estimate == pytest.approx(1 - own.after.estimate)
    assert other.p == pytest.approx(own.p)


def test_nothing_changed_is_a_difference_of_exactly_none() -> None:
    joint = np.diag([30, 50, 20])
    change, _ = cell_change("", joint, paired=True)
    assert change.difference.estimate == 0.0
    assert change.difference.gain is None
    assert change.correlation == pytest.approx(1.0)
    assert change.p == 1.0


def test_intervals_cover_what_they_should() -> None:
    rng = np.random.default_rng(5)
    after, before = scores(rng, 400_000, 0.1)
    truth = float((after - before).mean() / 2)
    inside = 0
    for _ in range(300):
        joints = [counted(*scores(rng, 120, 0.1)) for _ in range(2)]
        change = deck_change("", "", ["", ""], joints, paired=True)
        low, high = change.difference.interval
        inside += low <= truth <= high
    assert 0.91 <= inside / 300 <= 0.985


def test_the_summary_corrects_for_all_its_changes() -> None:
    rng = np.random.default_rng(6)
    changes = [
        deck_change(f"card {k}", "Rome", ["Sparta"], [counted(*scores(rng, 300, s))], paired=True)
        for k, s in enumerate((0.0, 0.6, 0.02))
    ]
    summary = summarise_changes(changes, strategy="greedy", seed=1, duels_per_second=None)
    assert [change.flagged for change in summary.changes] == [False, True, False]
    assert all(c.p_adjusted >= c.p for c in summary.changes)
    assert summary.ranked()[0].change == "card 1"
    assert summary.table().height == summary.cells_table().height == 3
    json.dumps(summary.to_json())
