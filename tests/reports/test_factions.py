"""Averages, ratings, equilibria and cycles of decks that met each other."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reports.factions import Meeting, resampled, summarise_factions
from reports.intervals import PairCounts
from reports.ratings import Pairing, fit_ratings

DECKS = ("Rock", "Paper", "Scissors", "Well")
#: Paper beats Rock, Scissors beat Paper, Rock beats Scissors; the Well loses to all.
MEETINGS = (
    Meeting(0, 1, PairCounts(60, 60, 30)),
    Meeting(0, 2, PairCounts(20, 50, 80)),
    Meeting(0, 3, PairCounts(10, 50, 90)),
    Meeting(1, 2, PairCounts(70, 50, 30)),
    Meeting(1, 3, PairCounts(20, 40, 90)),
    Meeting(2, 3, PairCounts(30, 40, 80)),
)


def test_an_average_counts_every_opponent_the_same() -> None:
    found = {each.deck: each for each in summarise_factions(DECKS, MEETINGS, 1, 50).decks}
    rates = [MEETINGS[0].rate.mirrored(), MEETINGS[3].rate, MEETINGS[4].rate]
    paper = found["Paper"]
    assert paper.average.estimate == pytest.approx(sum(r.estimate for r in rates) / 3)
    assert paper.duels == 900
    assert paper.average.interval.low < paper.average.estimate < paper.average.interval.high
    assert paper.best == ("Well", rates[2])
    assert paper.worst == ("Scissors", rates[1])


def test_ratings_are_those_of_the_library() -> None:
    pairings = [Pairing(m.a, m.b, m.pairs) for m in MEETINGS]
    by_name = dict(zip(DECKS, fit_ratings(4, pairings), strict=True))
    for each in summarise_factions(DECKS, MEETINGS, 1, 50).decks:
        assert each.rating == by_name[each.deck]


def test_the_equilibrium_leaves_out_a_deck_that_loses_to_all() -> None:
    summary = summarise_factions(DECKS, MEETINGS, 1, 200)
    found = {each.deck: each for each in summary.decks}
    assert found["Well"].share.estimate == 0.0
    assert found["Well"].played < 0.05
    assert found["Well"].against_mix < 0.5
    for name in DECKS[:3]:
        each = found[name]
        assert each.against_mix == pytest.approx(0.5)
        assert each.share.interval.low < each.share.estimate < each.share.interval.high
    assert sum(each.share.estimate for each in summary.decks) == pytest.approx(1.0)


def test_the_one_cycle_is_found_and_sure() -> None:
    (cycle,) = summarise_factions(DECKS, MEETINGS, 1, 200).cycles
    assert set(cycle.decks) == {"Rock", "Paper", "Scissors"}
    assert all(rate.estimate > 0.5 for rate in cycle.rates)
    assert cycle.sure
    assert cycle.resampled > 0.95
    order = cycle.decks + cycle.decks
    assert order[order.index("Rock") + 1] == "Scissors"


def test_a_cycle_with_an_edge_that_may_be_even_is_not_sure() -> None:
    meetings = [Meeting(0, 1, PairCounts(49, 100, 51)), *MEETINGS[1:]]
    meetings[3] = Meeting(1, 2, PairCounts(30, 50, 70))
    meetings[1] = Meeting(0, 2, PairCounts(80, 50, 20))
    (cycle,) = (c for c in summarise_factions(DECKS, meetings, 1, 200).cycles)
    assert not cycle.sure
    assert 0.3 < cycle.resampled < 0.8


def test_resampled_matrices_spread_as_pairs_do() -> None:
    drawn = resampled(4, MEETINGS, 4_000, seed=3)
    one, both = 50, 80
    share = (one / 2 + both) / 150
    variance = (one / 4 + both) / 150 - share**2
    assert drawn[:, 0, 2].mean() == pytest.approx(share, abs=0.005)
    assert drawn[:, 0, 2].std() == pytest.approx((variance / 150) ** 0.5, rel=0.06)
    assert drawn + np.transpose(drawn, (0, 2, 1)) == pytest.approx(np.ones_like(drawn))


def test_lone_duels_serve_where_there_are_no_pairs() -> None:
    meetings = [Meeting(0, 1, PairCounts(0, 0, 0), 30, 40)]
    found = summarise_factions(DECKS[:2], meetings, 1, 100)
    assert found.decks[0].average.estimate == 0.75
    assert found.decks[0].share.estimate == 1.0
    assert found.cycles_table().is_empty()
    json.dumps(found.to_json())


def test_the_same_seed_gives_the_same_intervals() -> None:
    one, other = (summarise_factions(DECKS, MEETINGS, 7, 50) for _ in range(2))
    assert one == other
