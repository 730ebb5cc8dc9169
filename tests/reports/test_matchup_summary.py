"""The summary of a matchup: a small example by hand, its JSON, and what it rejects."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import polars as pl
import pytest

from reports.intervals import PairCounts, paired_score, wilson
from reports.matchup import summarise

NAMES: dict[str, Any] = {
    "a": "Rome",
    "b": "Sparta",
    "seed": 3,
    "strategy_a": "greedy",
    "strategy_b": "random",
}

# Pairs of duels, and half a pair: first, winner, reason, turns, lp_left, lp_loser.
DUELS = [
    ("a", "a", "lp", 9, 12, 0),
    ("b", "a", "lp", 10, 3, -2),
    # one won by each deck, both by the side that began
    ("a", "a", "lp", 9, 12, 0),
    ("b", "b", "deck", 30, 7, 9),
    # one won by each deck, neither by the side that began
    ("a", "b", "lp", 14, 1, -5),
    ("b", "a", "lp", 12, 20, 0),
    # both lost
    ("a", "b", "lp", 8, 5, 0),
    ("b", "b", "lp", 11, 5, 0),
    # half a pair
    ("a", "a", "lp", 7, 18, -1),
]


def test_small_example_by_hand(frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]]) -> None:
    summary = summarise(*frames(DUELS), **NAMES, duels_per_second=1234.5)

    assert (summary.duels, summary.pairs) == (9, 4)
    rate = summary.win_rate_a
    assert (rate.wins, rate.duels, rate.pairs) == (5, 9, 4)
    assert rate.estimate == 5 / 9
    assert rate.interval == paired_score(PairCounts(1, 2, 1), 1, 1)

    # Won by the side that began: duels 1, 3, 4, 8 and 9; by pairs 1, 2, 0, 1.
    first = summary.first_player
    assert (first.wins, first.duels, first.pairs) == (5, 9, 4)
    assert first.interval == paired_score(PairCounts(1, 2, 1), 1, 1)

    assert summary.when_a_began is not None and summary.when_b_began is not None
    assert (summary.when_a_began.wins, summary.when_a_began.duels) == (3, 5)
    assert (summary.when_b_began.wins, summary.when_b_began.duels) == (2, 4)
    assert summary.when_b_began.interval == wilson(2, 4)
    assert summary.always_first is None

    # Sorted lengths: 7 8 9 9 10 11 12 14 30.
    assert summary.turns.mean.value == pytest.approx(110 / 9)
    assert (summary.turns.p5, summary.turns.p50, summary.turns.p95) == (7, 10, 30)
    assert (summary.turns.least, summary.turns.most) == (7, 30)
    # Sorted LP of the winners: 1 3 5 5 7 12 12 18 20.
    assert summary.lp_left.mean.value == pytest.approx(83 / 9)
    assert (summary.lp_left.p5, summary.lp_left.p50, summary.lp_left.p95) == (1, 7, 20)
    assert (summary.ended_lp, summary.ended_deck) == (8, 1)


def test_first_player_takes_its_own_pairs(
    frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]],
) -> None:
    # The beginner wins every duel: for the decks all pairs are split, for the beginner all are won.
    duels = [("a", "a", "lp", 9, 1, 0), ("b", "b", "lp", 9, 1, 0)] * 10
    summary = summarise(*frames(duels), **NAMES)
    assert summary.win_rate_a.interval == paired_score(PairCounts(0, 10, 0))
    assert summary.first_player.interval == paired_score(PairCounts(0, 0, 10))


def test_json_has_the_promised_keys(
    frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]],
) -> None:
    data = summarise(*frames(DUELS), **NAMES, duels_per_second=1234.5).to_json()
    promised = {
        "a": "Rome",
        "b": "Sparta",
        "duels": 9,
        "seed": 3,
        "strategy_a": "greedy",
        "strategy_b": "random",
        "wins_a": 5,
        "wins_b": 4,
        "win_rate_a": 5 / 9,
        "first_player_win_rate": 5 / 9,
        "ended": {"lp": 8, "deck": 1},
        "duels_per_second": 1234.5,
    }
    assert {key: data[key] for key in promised} == promised
    for key in ("ci95", "first_player_ci95"):
        low, high = data[key]
        assert 0 <= low < 5 / 9 < high <= 1
    assert {"mean", "p5", "p50", "p95"} <= data["turns"].keys()
    assert {"mean", "p5", "p50", "p95"} <= data["lp_left"].keys()
    assert data["pairs"] == 4
    assert data["by_first"]["a"] == {
        "duels": 5,
        "wins_a": 3,
        "win_rate_a": 0.6,
        "ci95": list(wilson(3, 5)),
    }
    assert set(data["interval_methods"]) == {"win_rate_a", "first_player", "by_first"}
    assert "neither side" in data["finding"]
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_summary_does_not_depend_on_the_order_or_grouping_of_rows(
    frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]],
) -> None:
    counts, pairs = frames(DUELS[:-1] * 2 + DUELS[-1:])
    once = json.dumps(summarise(counts, pairs, **NAMES).to_json())
    split = counts.with_columns(duels=pl.lit(1, pl.Int64))
    for other in (
        counts.sample(fraction=1, shuffle=True, seed=1),
        counts.reverse(),
        pl.concat([split, counts.with_columns(duels=pl.col("duels") - 1)]),
        counts.cast({"duels": pl.UInt32, "turns": pl.UInt16, "winner": pl.Enum(["b", "a"])}),
        counts.select(reversed(counts.columns)),
    ):
        assert json.dumps(summarise(other, pairs.reverse(), **NAMES).to_json()) == once


@pytest.mark.parametrize("first", ["a", "b"])
def test_no_pairs_where_one_side_always_begins(
    first: str, frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]]
) -> None:
    duels = [(first, "a", "lp", 9, 1, 0)] * 6 + [(first, "b", "lp", 9, 1, 0)] * 2
    counts, _ = frames(duels, paired=False)
    for empty in (
        pl.DataFrame({"wins_a": [], "first_wins": [], "pairs": []}),
        frames([])[1],
    ):
        summary = summarise(counts, empty, **NAMES)
        assert summary.pairs == 0
        assert summary.win_rate_a.interval == wilson(6, 8)
        assert summary.first_player.estimate == (0.75 if first == "a" else 0.25)
        assert summary.always_first == first
        # An advantage of the beginner must not pass for one of the deck.
        assert f"{'Rome' if first == 'a' else 'Sparta'} always first" in summary.finding
        data = summary.to_json()
        assert data["by_first"]["b" if first == "a" else "a"] is None
        assert data["duels_per_second"] is None


def test_one_duel(frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]]) -> None:
    summary = summarise(*frames(DUELS[:1]), **NAMES)
    assert summary.win_rate_a.interval == wilson(1, 1)
    assert summary.turns.mean.error is None
    json.dumps(summary.to_json(), allow_nan=False)


def test_mirror_match_names_its_sides(
    frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]],
) -> None:
    summary = summarise(*frames(DUELS), **{**NAMES, "b": "Rome"})
    assert "Rome (A) won" in summary.finding
    assert summary.to_json()["a"] == summary.to_json()["b"] == "Rome"


def test_summary_is_frozen(frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]]) -> None:
    with pytest.raises(FrozenInstanceError):
        summarise(*frames(DUELS), **NAMES).seed = 4  # type: ignore[misc]


def wrong(column: str, value: object) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Puts `value` into the first row of `column`."""
    return lambda frame: frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 0)
        .then(pl.lit(value, frame[column].dtype))
        .otherwise(pl.col(column))
        .alias(column)
    )


@pytest.mark.parametrize(
    ("change_counts", "change_pairs", "message"),
    [
        (lambda f: f.drop("reason"), None, "no column reason"),
        (lambda f: f.drop("turns", "lp_left"), None, "no column turns, lp_left"),
        (None, lambda f: f.drop("first_wins"), "no column first_wins"),
        (lambda f: f.clear(), lambda f: f.clear(), "at least one duel"),
        (wrong("winner", "draw"), None, "column winner holds 'draw'; it must be a or b"),
        (wrong("first", "c"), None, "column first"),
        (wrong("reason", "time"), None, "it must be lp or deck"),
        (wrong("turns", None), None, "empty cells"),
        (wrong("duels", -1), None, "column duels holds -1"),
        (None, wrong("wins_a", 3), "column wins_a holds 3"),
        (None, lambda f: f.with_columns(first_wins=pl.col("wins_a")), "column first_wins"),
        (None, wrong("pairs", 100), "pairs, but not so many duels"),
        (
            None,
            lambda f: pl.DataFrame({"wins_a": [2], "first_wins": [1], "pairs": [4]}),
            "the pairs' wins_a do not fit",
        ),
    ],
)
def test_frames_that_cannot_be_are_rejected(
    change_counts: Callable[[pl.DataFrame], pl.DataFrame] | None,
    change_pairs: Callable[[pl.DataFrame], pl.DataFrame] | None,
    message: str,
    frames: Callable[..., tuple[pl.DataFrame, pl.DataFrame]],
) -> None:
    counts, pairs = frames(DUELS)
    counts = change_counts(counts) if change_counts else counts
    pairs = change_pairs(pairs) if change_pairs else pairs
    with pytest.raises(ValueError, match=message):
        summarise(counts, pairs, **NAMES)
