"""Tables of how duels run, against a slow look at every duel and against simulation."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from made_up import KINDS, Paths, tempo_counts

from reports import tempo


@pytest.fixture(scope="module")
def paths() -> Paths:
    return Paths(400, seed=1)


@pytest.fixture(scope="module")
def counts() -> tempo.TempoCounts:
    return tempo_counts("Rome", "Sparta", 400, seed=1)


def test_lp_curve(paths: Paths, counts: tempo.TempoCounts) -> None:
    table = tempo.lp_curve([(counts, 1)])
    for row in table.iter_rows(named=True):
        seen = [path[row["turn"] - 1][1] for path in paths.lp if len(path) >= row["turn"]]
        seen = [max(0, lp) for lp in seen]
        assert row["n"] == len(seen)
        assert row["mean"] == pytest.approx(np.mean(seen))
        assert row["p50"] == sorted(seen)[-(-len(seen) // 2) - 1]
        assert row["low"] <= row["mean"] <= row["high"]
    assert table["share"].min() >= 0.02  # type: ignore[operator]


def test_value_of_a_lead(paths: Paths, counts: tempo.TempoCounts) -> None:
    table = tempo.lead_values([counts])
    for turn, lead in ((4, 3), (6, 5), (9, 1)):
        wins = n = 0
        for path, row in zip(paths.lp, paths.rows, strict=True):
            if len(path) > turn and abs(path[turn - 1][0] - path[turn - 1][1]) == lead:
                n += 1
                wins += row["winner"] == (0 if path[turn - 1][0] > path[turn - 1][1] else 1)
        found = table.row(by_predicate=(pl.col("turn") == turn) & (pl.col("lead") == lead))
        assert found[2:4] == (n, wins)
    classed = tempo.leads_at(table, [6], [1, 4, 8])
    at_six = table.filter(pl.col("turn") == 6)
    assert classed["lead"].to_list() == [1, 4, 8]
    assert classed["n"].sum() == at_six["n"].sum()
    middle = at_six.filter(pl.col("lead").is_between(4, 7))
    assert classed.row(1)[2:4] == (middle["n"].sum(), middle["wins"].sum())


def test_comebacks(paths: Paths, counts: tempo.TempoCounts) -> None:
    table = tempo.comebacks([counts], [1, 5])
    for row in table.iter_rows(named=True):
        won = [r for r in paths.rows if r[f"behind_{'ab'[r['winner']]}"] >= row["behind"]]
        assert row["wins"] == len(won)
        assert row["share"] == pytest.approx(len(won) / 400)
        sides = [r for r in paths.rows for s in "ab" if r[f"behind_{s}"] >= row["behind"]]
        assert row["n"] == len(sides)
        assert row["share_low"] <= row["share"] <= row["share_high"]


def test_when_the_winner_is_ahead_for_good(paths: Paths, counts: tempo.TempoCounts) -> None:
    table = tempo.decided_by([counts])
    assert table["rate"].is_sorted()
    assert table["rate"][-1] == 1.0
    for turn in (5, 10):
        wins = 0
        for path, row in zip(paths.lp, paths.rows, strict=True):
            sign = 1 if row["winner"] == 0 else -1
            wins += all(sign * (a - b) > 0 for a, b in path[turn - 1 : -1])
        assert table["wins"][turn - 1] == wins


def test_energy_shares(paths: Paths, counts: tempo.TempoCounts) -> None:
    table = tempo.energy_shares([(counts, 0)])
    refill = sum(row["refill_a"] for row in paths.rows)
    for kind in KINDS[:5]:
        row = table.row(by_predicate=pl.col("kind") == kind, named=True)
        amount = sum(each[f"{kind}_a"] for each in paths.rows)
        assert row["share"] == pytest.approx(amount / refill)
        assert row["per_duel"] == pytest.approx(amount / 400)
    assert table["share"].sum() == pytest.approx(1.0)
    both = tempo.energy_shares([(counts, 0), (counts, 1)])
    assert both["n"].to_list() == [800] * len(tempo.SPENT)


def test_energy_by_turn(counts: tempo.TempoCounts) -> None:
    table = tempo.energy_by_turn([(counts, 0)])
    row = table.row(
        by_predicate=(pl.col("own_turn") == 3) & (pl.col("kind") == "attack"), named=True
    )
    raw = counts.energy.filter(side=0, own_turn=3, kind="attack")
    assert row["mean"] == pytest.approx(raw["amount"][0] / raw["turns"][0])
    assert row["low"] < row["mean"] < row["high"]


def test_intervals_hold_what_they_promise() -> None:
    """The intervals of a share of energy and of a mean hold the truth in 95 % of many runs."""
    big = tempo_counts("Rome", "Sparta", 8_000, seed=99)
    truth = tempo.energy_shares([(big, 0)])["share"][0]
    mean = tempo.mean_of([(big, 0)], "left")[0]
    held = {"share": 0, "mean": 0}
    runs = 120
    for seed in range(runs):
        counts = tempo_counts("Rome", "Sparta", 60, seed=seed)
        row = tempo.energy_shares([(counts, 0)]).row(0, named=True)
        held["share"] += row["low"] <= truth <= row["high"]
        _, interval, _ = tempo.mean_of([(counts, 0)], "left")
        held["mean"] += interval.low <= mean <= interval.high
    assert all(0.89 <= each / runs <= 0.995 for each in held.values()), held
