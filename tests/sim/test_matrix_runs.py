"""The matrix as a run: its cells are matchups, whoever plays them and whatever is beside them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import sim
from cards.ancient_duel.decks import Deck
from cards.errors import InputError
from sim.field import decks_of, field_of
from sim.matrix import BATCHES, DUELS, Matrix, batches_of, duels_of, matrix


@pytest.fixture(scope="module")
def played() -> Matrix:
    """Three decks, with the cards observed."""
    return matrix("rome,sparta,egypt", 60, seed=5, workers=1, observed=True)


def test_all_pairs_and_mirrors_are_there(played: Matrix) -> None:
    assert [(cell.a, cell.b) for cell in played.summary.cells] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 1),
        (1, 2),
        (2, 2),
    ]
    assert played.summary.duels == 360 == duels_of("rome,sparta,egypt", 60)
    mirrors = played.summary.table().filter("mirror")
    assert mirrors["p"].is_null().all()
    assert mirrors["flagged"].is_null().all()


def test_a_cell_is_the_matchup_with_its_seed(played: Matrix) -> None:
    for cell in played.summary.cells[1:3]:
        names = played.summary.decks[cell.a], played.summary.decks[cell.b]
        alone = sim.matchup(*names, 60, seed=cell.summary.seed)
        assert alone.summary.win_rate_a == cell.summary.win_rate_a
        assert alone.counts.equals(played.cells[played.summary.cells.index(cell)].counts)


def test_a_cell_does_not_depend_on_the_other_decks_and_on_being_observed(played: Matrix) -> None:
    less = matrix(["rome", "egypt"], 60, seed=5)
    assert less.summary.cell(0, 1).summary == played.summary.cell(0, 2).summary


def test_the_number_of_workers_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.workers.WORTH_A_PROCESS", 0.0)
    one, two = (
        matrix("rome,sparta", 200, seed=5, workers=workers, observed=True) for workers in (1, 2)
    )
    assert one.summary.table().equals(two.summary.table())
    assert one.cards().table().equals(two.cards().table())
    assert one.cards().doings_table().equals(two.cards().doings_table())


def test_rates_mirror_each_other(played: Matrix) -> None:
    summary = played.summary
    assert summary.rate(0, 1).estimate == pytest.approx(1 - summary.rate(1, 0).estimate)
    assert summary.rate(2, 0) == summary.cell(0, 2).summary.win_rate_a.mirrored()


def test_what_the_cards_did_adds_up(played: Matrix) -> None:
    table = played.cards().table()
    assert set(table["duels"]) == {120}  # two opponents, the mirror left out
    drawn, stayed = table["drawn_duels"], table["not_drawn_duels"]
    assert ((drawn + stayed) == 120).all()
    assert (table["played_duels"] <= 120).all()
    doings = played.cards().doings_table()
    activated = doings.filter(pl.col("doing") == "activated")
    assert set(activated["kind"]) == {"doctrine"}
    assert (doings["per_duel_low"] <= doings["per_duel"]).all()
    assert (doings["per_duel_high"] >= doings["per_duel"]).all()


def test_batches_hold_whole_pairs_and_all_duels() -> None:
    for n in (1, 2, 7, 60, 1001, DUELS):
        found = batches_of(n)
        assert len(found) == max(1, min(BATCHES, n // 2))
        assert sum(each.count for each in found) == n
        assert all(each.first % 2 == 0 and each.count > 0 for each in found)


def test_a_single_deck_meets_itself() -> None:
    alone = matrix("rome", 40, seed=1, observed=True)
    assert alone.summary.factions is None
    assert alone.tables().keys() == {"matchups"}
    assert set(alone.cards().table()["duels"]) == {80}  # both sides of the mirror


def test_a_run_goes_on_from_its_folder(tmp_path: Path) -> None:
    first = matrix("rome,sparta", 20, seed=3, out=tmp_path)
    again = matrix("rome,sparta", 30, out=tmp_path, resume=True)
    whole = matrix("rome,sparta", 30, seed=3)
    assert first.summary.seed == again.summary.seed == 3
    assert again.summary.table().equals(whole.summary.table())
    again.write(tmp_path)
    assert pl.read_parquet(tmp_path / "matchups.parquet").equals(whole.summary.table())
    with pytest.raises(InputError, match="another run"):
        matrix("rome,sparta", 30, seed=4, out=tmp_path)


def test_who_begins_may_be_fixed() -> None:
    found = matrix("rome,sparta", 40, seed=3, rules=["first_player=a"])
    assert found.summary.table()["pairs"].to_list() == [0, 0, 0]
    assert found.summary.factions is not None


def test_decks_are_named_or_all() -> None:
    field = field_of("all", seed=1)
    assert len(field.decks) == 7
    assert decks_of(["rome", "all"], field.cards)[0] == "rome"
    twin = field.decks[0]
    other = Deck("Rome", twin.faction, field_of("rome-testudo-wall", seed=1).decks[0].cards)
    assert field_of([twin, other], seed=1).names == ("Rome", "Rome")
    for decks, words in (("", "0 decks"), ("rome,rome", "twice"), ("rome,sprata", "Sparta")):
        with pytest.raises(InputError, match=words):
            field_of(decks, seed=1)
