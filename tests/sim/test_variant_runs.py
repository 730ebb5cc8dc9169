"""The same seeds with and without a change, against single runs compared duel by duel."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import reports
import sim
from cards.errors import InputError
from sim.field import field_of
from sim.matrix import matrix
from sim.rulings import alternatives_of, rulings
from sim.sensitivity import changes_of, plan, sensitivity
from sim.sensitivity import duels_of as sensitivity_duels
from sim.swaps import duels_of as swap_duels
from sim.swaps import swap_field, swap_test
from sim.variants import BEGAN, WON, begun_counts, joint_counts
from sim.what_if import patched_matchup, patched_matrix


def wins_by_pair(duels: pl.DataFrame) -> list[int]:
    """Duels that side a won of each pair."""
    found = duels.group_by(pl.col("duel") // 2).agg((pl.col("winner") == "a").sum().alias("wins"))
    return found.sort("duel")["wins"].to_list()


def test_joint_counts_are_those_of_the_pairs() -> None:
    rng = np.random.default_rng(1)
    results = rng.integers(0, 4, (40, 3)).astype(np.int8)
    found = joint_counts(results, 2)
    by_hand = np.zeros((2, 3, 3), dtype=int)
    for pair in range(20):
        wins = [sum(int(results[2 * pair + k, v]) & WON for k in range(2)) for v in range(3)]
        for variant in (1, 2):
            by_hand[variant - 1, wins[variant], wins[0]] += 1
    assert (found == by_hand).all()
    single = joint_counts(results, 1)
    assert single.sum() == 80
    assert single[:, 2].sum() == single[:, :, 2].sum() == 0


def test_who_begins_counts_its_duel_for_both() -> None:
    # a wins the duel that it began of the first pair, and the other one of the second pair
    results = np.array([WON | BEGAN, 0, BEGAN, WON, WON, WON | BEGAN], dtype=np.int8)
    a_begins, b_begins = begun_counts(results)
    assert a_begins[2, 1] == 1 and a_begins[0, 1] == 1 and a_begins[2, 2] == 1
    assert b_begins[0, 1] == 1 and b_begins[2, 1] == 1 and b_begins[2, 2] == 1


def test_a_patched_matchup_is_two_matchups_on_one_seed() -> None:
    changes = ["rule.starting_lp=12"]
    found = patched_matchup("rome", "sparta", 80, changes=changes, seed=4)
    before = sim.matchup("rome", "sparta", 80, seed=4, keep_duels=True)
    after = sim.matchup("rome", "sparta", 80, seed=4, rules=["starting_lp=12"], keep_duels=True)
    assert found.before.win_rate_a == before.summary.win_rate_a
    assert found.after.win_rate_a == after.summary.win_rate_a
    assert before.duels is not None and after.duels is not None
    gaps = np.subtract(wins_by_pair(after.duels), wins_by_pair(before.duels)) / 2
    change = found.changes.changes[0]
    assert change.difference.estimate == pytest.approx(gaps.mean())
    assert change.difference.error == pytest.approx((gaps.var() / 40) ** 0.5)


def test_a_card_that_the_decks_have_not_changes_nothing() -> None:
    found = patched_matchup("rome", "sparta", 60, changes=["egypt.temple_guard.atk=9"], seed=4)
    assert found.changes.changes[0].difference.estimate == 0.0
    assert found.before.win_rate_a == found.after.win_rate_a


def test_a_patched_matrix_gives_what_one_wins_to_the_other() -> None:
    found = patched_matrix("rome,sparta", 80, changes=["rome.legionary_cohort.atk=1"], seed=4)
    rome, sparta = found.changes
    assert rome.difference.estimate == pytest.approx(-sparta.difference.estimate)
    assert rome.difference.estimate < 0


def test_fixing_who_begins_by_a_patch_keeps_the_shuffles() -> None:
    found = patched_matchup("rome", "sparta", 60, changes=["rule.first_player=a"], seed=4)
    plain = sim.matchup("rome", "sparta", 60, seed=4)
    assert plain.summary.when_a_began is not None
    assert found.after.win_rate_a.estimate == plain.summary.when_a_began.estimate


def test_the_swap_test_replaces_cards_and_nothing_else() -> None:
    field = field_of("rome,sparta", seed=2)
    found = swap_field(field, 40, 1)
    own = sim.matchup("rome", "sparta", 40, seed=field.seed_of(0, 1))
    rome = [change for change in found.changes if change.deck == "Rome"]
    assert {change.change for change in rome} == {card for card, _ in field.decks[0].cards}
    # with the plain cards in the set, but not in the decks, duels are what they were
    assert {change.before.estimate for change in rome} == {own.summary.win_rate_a.estimate}
    assert any(change.difference.estimate != 0 for change in rome)
    assert swap_duels(field, 40) == 40 * (1 + len(rome)) + 40 * (1 + len(found.changes) - len(rome))


def test_the_number_of_workers_changes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.workers.WORTH_A_PROCESS", 0.0)
    one, two = (swap_test("rome,sparta", 20, seed=2, workers=workers) for workers in (1, 2))
    assert one.table().equals(two.table())


def test_sensitivity_changes_every_number_of_every_unit() -> None:
    field = plan("rome", "sparta", seed=1)
    labels = [str(change) for change in changes_of(field)]
    units = [card for card, _ in field.decks[0].cards if field.cards.by_id[card].is_unit]
    assert len(labels) == len(set(labels)) == 6 * len(units)
    assert "legionary_cohort.atk 5 → 6" in labels
    assert "legionary_cohort.energy 3 → 2" in labels
    found = sensitivity("rome", 20, against="sparta", seed=1)
    assert [change.change for change in found.changes] == labels
    assert sensitivity_duels(field, 20) == 20 * (1 + len(labels))


def test_a_deck_is_not_its_own_opponent() -> None:
    assert "Rome" not in plan("rome", "all", seed=1).names[1:]
    with pytest.raises(InputError, match="its own opponents"):
        plan("rome", "rome,sparta", seed=1)


def test_rulings_that_are_played_anyway_are_no_alternative() -> None:
    field = field_of("rome,sparta", seed=1, rules=["reposition=false"])
    labels = [label for label, _ in alternatives_of(field)]
    assert "reposition=false" not in labels and "set_cards_wait=true" in labels
    with pytest.raises(InputError, match="played anyway"):
        alternatives_of(field, ["reposition=false"])
    with pytest.raises(InputError, match="reposition"):
        alternatives_of(field, ["repositoin=true"])


def test_the_readme_of_the_reports_names_all_columns() -> None:
    text = (Path(reports.__file__).parent / "README.md").read_text(encoding="utf-8")
    run = matrix("rome,sparta", 20, seed=1, observed=True)
    factions = run.summary.factions
    ruled = rulings("rome,sparta", 20, alternatives=["unit_zones=1"], seed=1)
    changes = patched_matrix("rome,sparta", 20, changes=["rule.starting_lp=9"], seed=1)
    assert factions is not None
    tables = [
        *(run.summary.table(), factions.table(), factions.cycles_table()),
        *(run.cards().table(), run.cards().doings_table(), changes.table(), changes.cells_table()),
        *(ruled.table(), ruled.matchups_table(), ruled.order_table()),
    ]
    for column in {column for table in tables for column in table.columns}:
        # ends and numbers of a rate are said once for all
        rate = re.sub(r"_(low|high)$", "", column)
        names = (column, rate, re.sub(r"_(duels|win_rate)$", "", rate))
        assert any(f"`{name}`" in text for name in names), column


def test_a_ruling_is_the_matrix_under_that_rule() -> None:
    field = field_of("rome,sparta", seed=1)
    found = rulings("rome,sparta", 60, alternatives=["unit_zones=1"], seed=1)
    own = sim.matchup("rome", "sparta", 60, seed=field.seed_of(0, 1))
    ruled = sim.matchup("rome", "sparta", 60, seed=field.seed_of(0, 1), rules=["unit_zones=1"])
    first = found.rulings[0].matchups[0].change
    assert first.before.wins == own.summary.win_rate_a.wins
    assert first.after.wins == ruled.summary.win_rate_a.wins
    assert own.summary.when_a_began is not None and own.summary.when_b_began is not None
    for ruling, began in zip(
        found.rulings[1:], (own.summary.when_a_began, own.summary.when_b_began), strict=True
    ):
        assert ruling.matchups[0].change.after.estimate == began.estimate
        # each deck's average where it begins itself, or where it comes second
    order = dict(found.rulings[1].averages)
    assert order["Rome"].estimate == own.summary.when_a_began.estimate
    assert order["Sparta"].estimate == pytest.approx(1 - own.summary.when_b_began.estimate)
