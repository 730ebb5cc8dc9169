"""Comparisons of two lists: common random numbers, what they cost, stopping, folders."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sim
from cards.ancient_duel.decks import deck_numbers, make_deck, random_deck, standard_deck
from cards.ancient_duel.load import card_set
from cards.errors import InputError
from sim.ancient_duel import observe
from sim.ancient_duel.card_marks import DRAWN, PLAYED, WAS_SET
from sim.ancient_duel.comparison import STRIDE, aligned, differing, shared
from sim.ancient_duel.matchup import MatchupJob
from sim.api import prepare

CARDS = card_set()
ROME = standard_deck(CARDS, "rome")
RUN: dict[str, Any] = {"seed": 21, "strategy": "random", "workers": 1}


def changed(**counts: int) -> Any:
    """Rome's standard deck with other numbers of some cards."""
    return make_deck("My Rome", "rome", {**dict(ROME.cards), **counts}, CARDS)


#: One card of 40 is another one.
MINE = changed(orderly_relief=1, pilum_volley=3)


def _same(one: sim.Comparison, other: sim.Comparison) -> bool:
    same, twin = one.to_json(), other.to_json()
    del same["duels_per_second"], twin["duels_per_second"]
    return same == twin


@settings(max_examples=50, deadline=None)
@given(one=st.integers(0, 1000), other=st.integers(0, 1000))
def test_shared_cards_lie_in_the_same_places(one: int, other: int) -> None:
    a, b = (
        deck_numbers(random_deck(CARDS, np.random.default_rng(seed), "pure", ["rome"]), CARDS)
        for seed in (one, other)
    )
    laid = aligned(a, b)
    assert sorted(laid.tolist()) == sorted(b.tolist())
    assert int((laid == a).sum()) == shared(a, b)
    assert (not differing(a, b)) == (sorted(a.tolist()) == sorted(b.tolist()))


def test_the_duels_are_those_of_matchups() -> None:
    """Against the first opponent of the same numbers, against others of their own."""
    found = sim.compare(MINE, ROME, "sparta,egypt", 40, **RUN).summary
    for k, opponent in enumerate(("sparta", "egypt")):
        job = prepare(MINE, opponent, strategy_a="random", strategy_b="random", seed=21).job
        laid = aligned(job.deck_a, deck_numbers(ROME, CARDS))
        for rate, deck in (
            (found.against[k].rate_a, job.deck_a),
            (found.against[k].rate_b, laid),
        ):
            rows = dataclasses.replace(job, deck_a=deck).play(k * STRIDE, 20)
            assert rate.wins == int((rows[:, 1] == 0).sum())
    alone = sim.matchup(MINE, "sparta", 20, **RUN).summary
    assert found.against[0].rate_a == alone.win_rate_a


def test_common_random_numbers_make_the_error_smaller() -> None:
    """One card of 40 differs: most pairs of duels end alike, card by card in the same places."""
    run = {**RUN, "strategy": "greedy"}
    difference = sim.compare(MINE, ROME, "sparta", 2_000, **run).summary.difference
    assert difference.gain is not None and difference.gain > 2
    assert difference.error_apart == pytest.approx(np.sqrt(0.25 / 1000), rel=0.5)


def test_it_costs_no_more_duels_than_two_matchups(monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0
    real = MatchupJob.play_marked

    def count(self: MatchupJob, first: int, duels: int, watched: Any) -> Any:
        nonlocal played
        played += duels
        return real(self, first, duels, watched)

    monkeypatch.setattr(MatchupJob, "play_marked", count)
    for n in (14, 15, 100, 333):
        played = 0
        found = sim.compare(MINE, ROME, "all", n, **RUN)
        assert played == 2 * found.summary.duels <= 2 * n
        assert found.summary.duels >= n - 2 * 7


def test_opponents_get_duels_by_their_weights() -> None:
    found = sim.compare(MINE, ROME, {"sparta": 3, "egypt": 1, "dacia": 0.5}, 900, **RUN).summary
    weights = [each.weight for each in found.against]
    assert weights == pytest.approx([3 / 4.5, 1 / 4.5, 0.5 / 4.5])
    assert [each.pairs for each in found.against] == [299, 100, 50]
    total = sum(
        w * each.difference.estimate for w, each in zip(weights, found.against, strict=True)
    )
    assert found.difference.estimate == pytest.approx(total)


def test_workers_change_nothing() -> None:
    run = {**RUN, "strategy": "greedy", "seed": 4}
    one = sim.compare(MINE, ROME, "sparta,egypt", 30_000, **{**run, "workers": 1})
    two = sim.compare(MINE, ROME, "sparta,egypt", 30_000, **{**run, "workers": 2})
    assert _same(one, two)


def test_the_same_list_and_rules_without_pairs() -> None:
    same = sim.compare("rome", "rome-standard", "sparta", 60, **RUN).summary
    assert same.same and same.cards == ()
    assert same.difference.estimate == same.difference.error == 0
    fixed = sim.compare(MINE, ROME, "sparta", 61, rules=["first_player=a"], **RUN).summary
    assert not fixed.paired
    assert fixed.against[0].rate_a.duels == fixed.duels == 61


def test_marks_agree_with_the_book_of_the_cards() -> None:
    """Two observers, written apart: in how many duels each card was drawn, played and set."""
    setup = prepare("egypt", "dacia", strategy_a="greedy", strategy_b="greedy", seed=2)
    cards = sorted(set(setup.job.deck_a.tolist()))
    rows, marks = setup.job.play_marked(0, 200, cards)
    plain, book = setup.job.play_observed(0, 200)
    assert (rows == plain).all() and (rows == setup.job.play(0, 200)).all()
    won = rows[:, 1] == 0
    for mark, column in (
        (DRAWN, observe.DRAWN),
        (PLAYED, observe.PLAYED),
        (WAS_SET, observe.WAS_SET),
    ):
        has = (marks & mark) > 0
        assert (has.sum(axis=0) == book[0, column, cards]).all()
        assert (has[won].sum(axis=0) == book[0, column + 1, cards]).all()


def test_what_the_differing_cards_did() -> None:
    found = sim.compare(MINE, ROME, "sparta", 400, **RUN).summary
    assert [(card.id, card.in_list, card.copies, card.others) for card in found.cards] == [
        ("pilum_volley", "a", 3, 2),
        ("pilum_volley", "b", 2, 3),
        ("orderly_relief", "a", 1, 2),
        ("orderly_relief", "b", 2, 1),
    ]
    for card in found.cards:
        assert card.duels == 400
        assert card.drawn_won <= card.drawn < 400
        assert max(card.played, card.was_set) <= card.drawn
    more, fewer = found.cards[0], found.cards[1]
    assert more.drawn > fewer.drawn


# --- stopping early -------------------------------------------------------------------------------


def test_a_test_decides() -> None:
    better = sim.compare(
        "persia-throne-of-egypt", "rome", "sparta", sprt=(0, 2), seed=1, workers=1
    ).summary
    assert better.tested is not None and better.tested.answer == "better"
    assert better.pairs == better.tested.pairs < 200
    worse = sim.compare(
        "rome", "persia-throne-of-egypt", "sparta", sprt=(0, 2), seed=1, workers=1
    ).summary
    assert worse.tested is not None and worse.tested.answer == "no better"


@pytest.mark.parametrize("against", ["sparta", "all", "sparta:5,dacia"])
def test_a_list_against_itself_ends(against: str) -> None:
    found = sim.compare("rome", "rome-standard", against, sprt=(0, 2), **RUN).summary
    assert found.tested is not None and found.tested.answer == "no better"
    assert found.pairs <= 170
    assert found.difference.interval.low < 0 < found.difference.interval.high


def test_a_test_gives_up_at_its_limit() -> None:
    for most in (2, 3, 250):
        found = sim.compare(MINE, ROME, "sparta", sprt=(0, 0.01), max_n=most, **RUN).summary
        assert found.tested is not None and found.tested.answer == "undecided"
        assert found.duels == most - most % 2


def test_until_stops_when_the_interval_is_narrow(tmp_path: Path) -> None:
    found = sim.matchup("rome", "sparta", until=3, **RUN)
    low, high = found.summary.win_rate_a.interval
    rate = found.summary.win_rate_a.estimate
    assert max(rate - low, high - rate) <= 0.03
    assert 900 <= found.summary.duels <= 3_000
    assert found.stopping is not None and found.stopping.reached
    assert found.to_json()["stopping"] == {"until": 0.03, "reached": True}
    # The same with a folder, whatever it holds already, and for as long as it takes.
    sim.matchup("rome", "sparta", 333, out=tmp_path, **RUN)
    kept = sim.matchup("rome", "sparta", until=3, out=tmp_path, resume=True, **RUN)
    assert kept.to_json() | {"duels_per_second": 0} == found.to_json() | {"duels_per_second": 0}
    longer = sim.matchup("rome", "sparta", 5_000, out=tmp_path, resume=True, **RUN)
    assert longer.summary.duels == 5_000
    again = sim.matchup("rome", "sparta", until=3, out=tmp_path, resume=True, **RUN)
    assert again.summary.duels == found.summary.duels


def test_until_has_a_limit_and_takes_one_sided_matchups() -> None:
    short = sim.matchup("rome", "sparta", 101, until=0.5, **RUN)
    assert short.summary.duels == 101
    assert short.stopping is not None and not short.stopping.reached
    # Hardly ever lost: the run must not end on the first few duels without a defeat.
    easy = sim.matchup(
        "persia", "rome", until=1, seed=1, strategy_a="greedy", strategy_b="random", workers=1
    )
    assert easy.summary.duels >= 600
    fixed = sim.matchup("rome", "sparta", until=4, rules=["first_player=a"], **RUN)
    assert fixed.stopping is not None and fixed.stopping.reached


# --- folders --------------------------------------------------------------------------------------


def _files(out: Path) -> Iterator[Path]:
    yield from sorted(out.glob("*/*.parquet"))


def test_a_comparison_goes_on_and_grows(tmp_path: Path) -> None:
    whole = sim.compare(MINE, ROME, "sparta,egypt", 2_000, **RUN)

    def stop(done: int) -> None:
        if done > 700:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.compare(MINE, ROME, "sparta,egypt", 2_000, out=tmp_path, progress=stop, **RUN)
    assert list(_files(tmp_path))
    again = sim.compare(
        MINE, ROME, "sparta,egypt", 2_000, out=tmp_path, resume=True, strategy="random", workers=1
    )
    assert _same(whole, again)  # the seed is the folder's
    times = {file: file.stat().st_mtime_ns for file in _files(tmp_path)}
    finished = sim.compare(MINE, ROME, "sparta,egypt", 2_000, out=tmp_path, resume=True, **RUN)
    assert _same(whole, finished) and finished.summary.duels_per_second is None
    longer = sim.compare(MINE, ROME, "sparta,egypt", 3_001, out=tmp_path, resume=True, **RUN)
    assert _same(longer, sim.compare(MINE, ROME, "sparta,egypt", 3_001, **RUN))
    assert times == {file: file.stat().st_mtime_ns for file in times}


def test_a_test_with_a_folder_is_the_same_test(tmp_path: Path) -> None:
    run: dict[str, Any] = {**RUN, "sprt": (0, 4), "max_n": 4_000}
    plain = sim.compare(MINE, ROME, "sparta,egypt", **run)
    sim.compare(MINE, ROME, "sparta,egypt", 150, out=tmp_path, **RUN)
    assert _same(plain, sim.compare(MINE, ROME, "sparta,egypt", out=tmp_path, resume=True, **run))
    assert _same(plain, sim.compare(MINE, ROME, "sparta,egypt", out=tmp_path, resume=True, **run))


def test_the_rows_of_a_folder(tmp_path: Path) -> None:
    found = sim.compare(MINE, ROME, "sparta,egypt", 200, out=tmp_path, **RUN).summary
    folders = sorted(path.name for path in tmp_path.iterdir())
    assert folders == ["01-sparta", "02-egypt", "manifest.json"]
    rows = pl.read_parquet(tmp_path / "01-sparta" / "*.parquet").sort("duel")
    assert rows["duel"].to_list() == list(range(100))
    assert rows["a_won"].sum() == found.against[0].rate_a.wins
    assert rows["b_won"].sum() == found.against[0].rate_b.wins
    assert ((rows["a_pilum_volley"] & DRAWN) > 0).sum() <= 100
    manifest = json.loads((tmp_path / "02-egypt" / "manifest.json").read_text())
    assert manifest["compared_with"] == "Rome" and manifest["b"] == "Egypt"
    with pytest.raises(InputError, match="holds another run"):
        sim.compare(MINE, "rome-testudo-wall", "sparta", 200, out=tmp_path, resume=True, **RUN)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"against": "roma"}, "did you mean 'Rome'?"),
        ({"against": ""}, "there are 0 opponents"),
        ({"against": "sparta,sparta"}, "named twice"),
        ({"against": "sparta,sparta-standard"}, "named twice"),
        ({"against": "sparta:0"}, "the weight of the opponent 'sparta' is '0'"),
        ({"against": "sparta:-1"}, "a number above 0"),
        ({"against": "sparta:x"}, "a number above 0"),
        ({"against": "sparta:nan"}, "a number above 0"),
        ({"against": "sparta:1/0"}, "'sparta:1/0' is no faction"),
        ({"against": "all,all"}, "named twice"),
        ({"n": 0}, "the number of duels (n) is 0"),
        ({"n": 13}, "at least 14, a pair for each opponent"),
        ({"sprt": (2, 0)}, "two rising numbers of points"),
        ({"sprt": (0, float("nan"))}, "two rising numbers of points"),
        ({"sprt": (0, 100)}, "two rising numbers of points"),
        ({"sprt": (0, 2), "alpha": 0.5}, "alpha is 0.5"),
        ({"sprt": (0, 2), "beta": 0}, "beta is 0"),
        ({"sprt": (0, 2), "max_n": 0}, "max_n is 0"),
        ({"sprt": (0, 2), "max_n": 5}, "at least 14"),
        ({"workers": 0}, "the number of workers is 0"),
        ({"seed": -1}, "the seed is -1"),
        ({"b": "no.txt"}, "there is no such file"),
    ],
)
def test_what_cannot_be(change: dict[str, Any], words: str) -> None:
    run: dict[str, Any] = {"a": "rome", "b": MINE, "against": "all", "n": 14, **RUN}
    with pytest.raises(InputError) as raised:
        sim.compare(**{**run, **change})
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("until", [0, -1, 0.0001, 51, float("nan")])
def test_until_what_cannot_be(until: float) -> None:
    with pytest.raises(InputError, match=r"until is .* points; from 0\.001 to 50"):
        sim.matchup("rome", "sparta", until=until, **RUN)
