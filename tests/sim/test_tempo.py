"""How duels run: the observer against a slow look at each duel from outside."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

from cards.ancient_duel.load import card_set
from reports.tempo import TempoCounts
from sim import api
from sim.ancient_duel import play, tempo
from sim.ancient_duel.game import Game
from sim.ancient_duel.record import ACTIVATE, ATTACK, DEPLOY, RESPOND, SET, new_duels
from sim.tempo_tally import COLUMNS, TempoJob, TempoTally, count_tempo

#: Decks, rule options, strategy. Dacia and Carthage take units back and deploy specially.
RUNS = [
    ("rome", "sparta", [], "greedy"),
    ("carthage", "dacia", ["unit_zones=3"], "greedy"),
    ("egypt", "persia", ["activation_cost=2", "energy_cap=9", "free_level=3"], "random"),
    ("macedon", "egypt", ["first_player=a"], "greedy"),
]
DUELS = 30


def job_of(a: str, b: str, rules: list[str], strategy: str) -> Any:
    return api.prepare(a, b, strategy_a=strategy, strategy_b=strategy, seed=8, rules=rules).job


@pytest.mark.parametrize(("a", "b", "rules", "strategy"), RUNS)
def test_the_same_duels_with_and_without_the_observer(
    a: str, b: str, rules: list[str], strategy: str
) -> None:
    job = job_of(a, b, rules, strategy)
    rows, _ = job.play_timed(3, 200)
    np.testing.assert_array_equal(rows, job.play(3, 200))


class _Look:
    """One duel, seen from outside after every choice: differences of what the record holds."""

    KINDS: ClassVar = {ATTACK: "attack", DEPLOY: "deploy", SET: "deploy", ACTIVATE: "activate"}

    def __init__(self, job: Any, number: int, cards: Any) -> None:
        duel = new_duels(1)[0]
        tables = job.tables.view(np.recarray)[0]
        pair, second = divmod(number, 2) if job.paired else (number, 0)
        start = (job.deck_a, job.deck_b, np.uint64(job.seed), np.uint64(pair), second)
        play.start(duel, tables, *start)
        duel.ask_always = 1
        self.energy: dict[str, int] = dict.fromkeys(tempo.DUEL_COLUMNS, 0)
        self.leads: list[int] = []
        self.lp: list[tuple[int, int]] = []
        self.units: list[set[int]] = [set(), set()]
        game = Game(duel, job.tables, cards)
        self._see_units(duel)
        while game.waits:
            self._step(game, job, tables)
        self.winner = int(duel.winner)
        self.lp.append((int(duel.lp[0]), int(duel.lp[1])))
        self.left = [len(self.units[side]) - int(duel.units[side]) for side in range(2)]
        self.uids = int(duel.uids)

    def _step(self, game: Game, job: Any, tables: Any) -> None:
        duel = game.duel
        pick = 0
        if game.options["n"] > 1:
            strategy = job.find_strategy((job.strategy_a, job.strategy_b)[int(duel.asked_side)])
            arguments = (duel, tables, game.options, strategy.parameters)
            pick = int(strategy.choose(*arguments))
        verb, side, active = int(game.options.verb[pick]), int(duel.asked_side), int(duel.active)
        turn = (int(duel.turn[0]), int(duel.turn[1]))
        before, lp = duel.energy.copy(), (int(duel.lp[0]), int(duel.lp[1]))
        game.choose(pick)
        self._see_units(duel)
        if (int(duel.turn[0]), int(duel.turn[1])) != turn:
            self._note_turn(before, lp, active)
        elif verb in self.KINDS or verb == RESPOND:
            kind = "tactic_own" if side == active else "tactic_enemy"
            name = f"{self.KINDS.get(verb, kind)}_{'ab'[side]}"
            self.energy[name] += int(before[side] - duel.energy[side])

    def _note_turn(self, energy: Any, lp: tuple[int, int], active: int) -> None:
        self.energy[f"kept_{'ab'[active]}"] += int(energy[active])
        self.energy[f"lost_{'ab'[1 - active]}"] += int(energy[1 - active])
        self.leads.append(lp[0] - lp[1])
        self.lp.append(lp)

    def _see_units(self, duel: Any) -> None:
        for side in range(2):
            for slot in duel.unit_at[side, : duel.units[side]].tolist():
                self.units[side].add(int(duel.unit_uid[side, slot]))


@pytest.mark.parametrize(("a", "b", "rules", "strategy"), RUNS)
def test_rows_and_sums_are_what_a_look_from_outside_sees(
    a: str, b: str, rules: list[str], strategy: str
) -> None:
    job = job_of(a, b, rules, strategy)
    cards = card_set()
    _, book = job.play_timed(0, DUELS)
    rows = tempo.rows_of(book, DUELS)
    lp = np.zeros((2, tempo.TURNS, tempo.BINS), dtype=int)
    leads = np.zeros((2, tempo.TURNS, tempo.BINS), dtype=int)
    for number in range(DUELS):
        look = _Look(job, number, cards)
        row = dict(zip(tempo.DUEL_COLUMNS, rows[number].tolist(), strict=True))
        spent = ("attack", "deploy", "activate", "tactic_own", "tactic_enemy", "kept", "lost")
        names = [f"{kind}_{side}" for kind in spent for side in "ab"]
        assert {n: row[n] for n in names} == {n: look.energy[n] for n in names}
        assert [row["left_a"], row["left_b"]] == look.left
        assert row["arrived_a"] + row["arrived_b"] == look.uids  # no unit came and went unseen
        for letter, sign in (("a", 1), ("b", -1)):
            signed = [sign * lead for lead in look.leads]
            assert row[f"behind_{letter}"] == max(0, *[-lead for lead in signed])
            ends = [turn for turn, lead in enumerate(signed, 1) if lead <= 0]
            assert row[f"not_ahead_{letter}"] == (ends[-1] if ends else 0)
        for turn, lead in enumerate(look.leads):
            leads[look.winner, turn, min(max(lead - tempo.LEAST_LEAD, 0), tempo.BINS - 1)] += 1
        for turn, points in enumerate(look.lp):
            for side in range(2):
                lp[side, turn, min(max(points[side], 0), tempo.BINS - 1)] += 1
    seen_lp = book[tempo.LP : tempo.LP + 4].reshape(2, 2, tempo.TURNS, tempo.BINS).sum(axis=0)
    seen_leads = book[tempo.LEADS : tempo.LEADS + 4].reshape(2, 2, tempo.TURNS, tempo.BINS)
    np.testing.assert_array_equal(seen_lp, lp)
    np.testing.assert_array_equal(seen_leads.sum(axis=0), leads)


@pytest.mark.parametrize(("a", "b", "rules", "strategy"), RUNS)
def test_no_energy_is_lost_or_made(a: str, b: str, rules: list[str], strategy: str) -> None:
    """All that was refilled was spent, lost, or is left at the end; by turn it is the same."""
    job = job_of(a, b, rules, strategy)
    rows, book = job.play_timed(0, 400)
    frame = pl.DataFrame(tempo.rows_of(book, 400), schema=tempo.DUEL_COLUMNS, orient="row")
    for number, side in enumerate("ab"):
        one = {name: frame[f"{name}_{side}"].to_numpy() for name in tempo.SIDE_COLUMNS}
        own = one["attack"] + one["deploy"] + one["activate"] + one["tactic_own"]
        assert (one["refill"] - own - one["kept"] >= 0).all()
        unused = one["refill"] - own - one["tactic_enemy"] - one["lost"]
        assert (unused >= 0).all()
        cap = int(job.tables["energy_cap"][0])
        assert unused.max() <= cap  # what one turn left when the duel ended
        for kind, name in enumerate(tempo.ENERGY_KINDS):
            by_turn = book[tempo.ENERGY + number, :, kind]
            assert by_turn.sum() == one[name].sum()
        begun = book[tempo.ENERGY + number, :, tempo.BEGUN]
        assert begun.sum() == rows[:, 3 + number].sum()


def test_the_first_two_refills_are_those_of_the_rules() -> None:
    job = job_of("rome", "sparta", [], "greedy")
    _, book = job.play_timed(0, 100)
    refill = book[tempo.ENERGY, :9, tempo.ENERGY_KINDS.index("refill")]
    begun = book[tempo.ENERGY, :9, tempo.BEGUN]
    assert (refill[:3] / begun[:3]).tolist() == [6, 6, 7]


def test_shards_in_any_order_and_of_any_size_add_up() -> None:
    job = job_of("rome", "dacia", [], "greedy")
    timed = TempoJob(job)

    def counted(cuts: list[tuple[int, int]]) -> TempoCounts:
        tally = TempoTally(paired=True)
        for first, count in cuts:
            tally.add(first, timed.play(first, count))
        return tally.counts("Rome", "Dacia")

    one = counted([(0, 301)])
    other = counted([(200, 101), (0, 2), (2, 198)])
    whole = count_tempo(job, 301, a="Rome", b="Dacia", workers=1)
    for each in (other, whole):
        assert each.duels == one.duels == 301
        assert each.clusters == one.clusters == 151
        for name in ("lp", "leads", "energy", "behind", "decided", "kept"):
            assert getattr(each, name).equals(getattr(one, name)), name
        np.testing.assert_array_equal(each.products, one.products)


def test_kept_rows_are_the_first_and_the_extreme_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.tempo_tally.KEPT", 10)
    job = job_of("rome", "dacia", [], "greedy")
    kept = count_tempo(job, 600, a="Rome", b="Dacia", workers=1).kept
    rows = job.play(0, 600)
    turns = rows[:, 3] + rows[:, 4]
    assert set(range(10)) <= set(kept["duel"].to_list())
    assert {int(turns.argmax()), int(turns.argmin())} <= set(kept["duel"].to_list())
    assert len(kept) <= 13
    assert kept.columns == ["duel", *COLUMNS]
