"""The odds from a position: what is unknown, how it is drawn, and what each choice is worth."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from cards.ancient_duel.decks import Deck, standard_deck
from cards.ancient_duel.load import card_set
from cards.errors import InputError
from reports.odds import choice_odds
from sim.ancient_duel import position
from sim.ancient_duel.result import side_of
from sim.ancient_duel.unknown_cards import Unknown, separate
from sim.cli import main
from tests.oracle.duel import DEFAULT_RULES

CARDS = card_set()
IS_UNIT = np.array([card.is_unit for card in CARDS.cards])
#: Side a wins at once if it attacks directly, and loses its only unit for nothing if it does not.
LETHAL: dict[str, Any] = {
    "duel": {"phase": "battle", "turn": 5},
    "a": {"lp": 1, "energy": 9, "units": ["leonidas_king_of_sparta"]},
    "b": {"lp": 3, "hand": ["?", "?"]},
}


def dealt(
    tables: dict[str, Any], decks: tuple[Deck | None, Deck | None] = (None, None), seed: int = 1
) -> tuple[list[dict[str, Any]], tuple[Unknown, Unknown]]:
    """Both sides of one sample, and what was unknown."""
    filled, unknown = separate(tables, decks, CARDS, "here")
    rules = position.rules_of(filled, "here")
    duel = position.build(filled, rules, CARDS, "here")
    for side in unknown:
        side.deal(duel, IS_UNIT, np.random.default_rng(seed))
    limits = {key: np.array([DEFAULT_RULES[key]]) for key in ("stat_min", "stat_max")}
    return [side_of(duel, limits, CARDS, side) for side in range(2)], unknown


def all_cards(side: dict[str, Any]) -> Counter[str]:
    """All cards of a side, wherever they are."""
    found = Counter(side["hand"]) + Counter(side["deck"]) + Counter(side["graveyard"])
    return found + Counter(row["card"] for row in (*side["units"], *side["support"]))


ROME = standard_deck(CARDS, "rome")


def test_what_is_left_out_of_the_deck_is_the_rest_of_the_list() -> None:
    tables = {"a": {"hand": ["testudo"], "units": ["hastati_line"], "graveyard": ["roman_road"]}}
    (a, b), unknown = dealt({**tables, "b": {"units": ["falxmen"]}})
    assert all_cards(a) == Counter(dict(ROME.cards))
    assert (a["hand"], a["graveyard"], len(a["deck"])) == (["testudo"], ["roman_road"], 37)
    assert all_cards(b) == Counter(dict(standard_deck(CARDS, "dacia").cards))
    assert [side.deck_name for side in unknown] == ["Rome", "Dacia"]
    other, _ = dealt({**tables, "b": {"units": ["falxmen"]}}, seed=2)
    assert other[0]["deck"] != a["deck"] and Counter(other[0]["deck"]) == Counter(a["deck"])


def test_unknown_cards_are_drawn_by_what_they_can_be() -> None:
    tables = {
        "a": {
            "hand": ["?", "testudo", "?"],
            "units": ["hastati_line", "? face-down"],
            "support": ["? face-down", "pilum_volley face-down", "? face-down"],
            "deck": ["?", "legion_eagle", "?"],
        },
        "b": {"deck": [], "units": ["falxmen"]},
    }
    for seed in range(20):
        (a, b), _ = dealt(tables, seed=seed)
        assert [row["position"] for row in a["units"]] == ["attack", "face-down"]
        assert CARDS.by_id[a["units"][1]["card"]].is_unit
        support = [row["card"] for row in a["support"]]
        assert support[1] == "pilum_volley"
        assert not any(CARDS.by_id[card].is_unit for card in support)
        assert (a["hand"][1], a["deck"][1]) == ("testudo", "legion_eagle")
        assert all_cards(a) <= Counter(dict(ROME.cards))
        assert (len(a["hand"]), len(a["deck"])) == (3, 3)
        assert b["deck"] == []


def test_every_way_to_deal_is_equally_likely() -> None:
    """An unknown face-down unit is one of the units that are left, each copy as likely."""
    deck = Deck("small", "rome", (("hastati_line", 3), ("principes_line", 1), ("testudo", 2)))
    tables = {"a": {"units": ["? face-down"], "hand": 1}, "b": {"deck": []}}
    units: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    for seed in range(2000):
        (a, _), _ = dealt(tables, (deck, None), seed=seed)
        units[a["units"][0]["card"]] += 1
        hands[a["hand"][0]] += 1
    assert 0.71 < units["hastati_line"] / 2000 < 0.79
    # the hand is one of the five that are left
    assert 0.36 < hands["testudo"] / 2000 < 0.44


def test_a_number_is_so_many_unknown_cards() -> None:
    (a, _), _ = dealt({"a": {"hand": 4, "deck": 7, "units": ["hastati_line"]}, "b": {"deck": []}})
    assert (len(a["hand"]), len(a["deck"])) == (4, 7)


def test_cards_that_the_list_has_not_lie_beside_it() -> None:
    tables = {"a": {"units": ["falxmen", "hastati_line"]}, "b": {"deck": []}}
    (a, _), unknown = dealt(tables, (ROME, None))
    assert unknown[0].beside == ("falxmen",)
    assert sum(all_cards(a).values()) == 40
    assert all_cards(a)["falxmen"] == 1


@pytest.mark.parametrize(
    ("side", "told"),
    [
        ({"units": ["?"]}, "here, [a] units: '?' is not understood; only cards of hand and deck"),
        ({"graveyard": ["?"]}, "here, [a] graveyard: '?' is not understood"),
        ({"hand": ["? face-down"]}, "here, [a] hand: '? face-down' is not understood"),
        ({"hand": -1}, "here, [a] hand: is -1; a number from 0 to 40"),
        ({"hand": 41}, "here, [a] hand: is 41"),
        ({"hand": "testudo"}, "here, [a] hand: is 'testudo', not a list"),
        ({"hand": 3}, "names no card, so its deck is not known; name it: --deck-a"),
        ({"hand": ["testudo", "falxmen"]}, "has cards of several factions"),
        (
            {"units": ["hastati_line", *["? face-down"] * 30]},
            "30 unknown face-down units, but only",
        ),
        ({"support": ["testudo", *["? face-down"] * 25]}, "25 unknown face-down support cards"),
        ({"hand": 38, "units": ["hastati_line"] * 3}, "has 41 cards; a side has at most 40"),
        ({"hand": [""]}, "here, [a] hand 1"),
        ({"hand": ["testuda"]}, "did you mean 'testudo'?"),
        ({"hnad": []}, "there is no key 'hnad'"),
    ],
)
def test_what_cannot_be(side: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as fault:
        dealt({"a": side, "b": {"deck": []}})
    assert told in str(fault.value)


# --- what choices are worth -----------------------------------------------------------------------
def test_a_lethal_attack_wins_for_certain() -> None:
    found = sim.odds(LETHAL, 60, deck_b="sparta", seed=1).summary
    best, *rest = found.choices
    assert found.side == "a"
    assert best.text == "attack leonidas_king_of_sparta"
    assert (best.rate.estimate, best.interval, best.chosen) == (1.0, None, 60)
    assert [choice.text for choice in rest] == sorted(
        (choice.text for choice in rest), key=lambda text: -_rate(found, text)
    )
    assert {choice.text for choice in rest} == {"main2", "end"}
    for choice in rest:
        assert choice.interval is not None and choice.interval.high < 0
        assert choice.difference == pytest.approx(choice.rate.estimate - 1)
    assert found.finding.startswith("Best: attack leonidas_king_of_sparta.")


def _rate(found: Any, text: str) -> float:
    return next(float(c.rate.estimate) for c in found.choices if c.text == text)


def test_the_same_seed_gives_the_same_odds_however_many_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = sim.odds(LETHAL, 50, deck_b="sparta", seed=1, workers=1)
    monkeypatch.setattr("sim.workers.PILOTS", (2,))
    monkeypatch.setattr("sim.workers.WORTH_A_PROCESS", 0.0)
    spread = sim.odds(LETHAL, 50, deck_b="sparta", seed=1, workers=2)
    assert alone.to_json() == spread.to_json()
    assert sim.odds(LETHAL, 50, deck_b="sparta", seed=2).to_json() != alone.to_json()


def test_lines_are_played_first() -> None:
    tables = {**LETHAL, "duel": {"phase": "main1", "turn": 5}, "do": ["battle"]}
    found = sim.odds(tables, 10, deck_b="sparta", seed=1).summary
    assert found.choices[0].text == "attack leonidas_king_of_sparta"


def test_choices_that_depend_on_what_is_unknown() -> None:
    """With an unknown hand a choice is offered in some samples, and counted in these."""
    tables = {
        "duel": {"phase": "main1", "turn": 3},
        "a": {"hand": ["?"], "units": ["hastati_line"]},
        "b": {"units": ["falxmen"]},
    }
    found = sim.odds(tables, 40, seed=1).summary
    samples = {choice.text: choice.rate.duels for choice in found.choices}
    assert samples["end"] == samples["battle"] == 40
    assert len(samples) > 5
    assert all(1 <= n <= 40 for n in samples.values())


def test_plain_strategies_play_on() -> None:
    def mine(view: Any) -> Any:
        return view.first("attack", "end") or view.options[0]

    found = sim.odds(LETHAL, 4, deck_b="sparta", seed=1, strategy=mine).summary
    assert found.choices[0].rate.estimate == 1.0
    assert (found.strategy_a, found.choices[0].chosen) == ("mine", 4)

    def broken(view: Any) -> Any:
        raise RuntimeError("no idea")

    with pytest.raises(
        InputError, match=r"^sample 0, decision 1: strategy 'broken' raised Runtime"
    ):
        sim.odds(LETHAL, 4, deck_b="sparta", seed=1, strategy_a=broken)


def test_a_duel_that_is_over() -> None:
    tables = {**LETHAL, "do": ["attack leonidas_king_of_sparta"]}
    with pytest.raises(InputError, match="the duel is over in this position"):
        sim.odds(tables, 4, deck_b="sparta")


# --- the numbers ----------------------------------------------------------------------------------
def test_differences_are_paired_by_sample() -> None:
    rng = np.random.default_rng(1)
    best = (rng.random(400) < 0.6).astype(np.int8)
    close = best.copy()
    close[:8] = 0
    other = (rng.random(400) < 0.6).astype(np.int8)
    some = np.where(np.arange(400) < 100, best, -1).astype(np.int8)
    found = {
        choice.text: choice
        for choice in choice_odds({"best": best, "close": close, "other": other, "some": some}, {})
    }
    lost = int(best[:8].sum())
    assert found["close"].difference == pytest.approx(-lost / 400)
    narrow, wide = found["close"].interval, found["other"].interval
    assert narrow is not None and wide is not None
    assert narrow.high - narrow.low < (wide.high - wide.low) / 3
    assert narrow.low < found["close"].difference < narrow.high < 0
    assert found["some"].rate.duels == 100


# --- the command ----------------------------------------------------------------------------------
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lethal.toml"
    file.write_text(
        '[duel]\nphase = "battle"\nturn = 5\n[a]\nlp = 1\nenergy = 9\n'
        'units = ["leonidas_king_of_sparta"]\n[b]\nlp = 3\nhand = 2\n'
    )
    arguments = ["odds", str(file), "-n", "20", "--deck-b", "sparta", "--seed", "1"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["win_rate"] == 1.0
    assert [choice["win_rate"] for choice in found["choices"]] == sorted(
        (choice["win_rate"] for choice in found["choices"]), reverse=True
    )
    assert found["choices"][0]["difference_ci95"] is None
    assert (found["deck_a"], found["deck_b"], found["n"]) == ("Sparta", "Sparta", 20)
    assert main(arguments) == 0
    assert "a to move wins 100%" in capsys.readouterr().out
    assert main(["odds", str(file), "-n", "20"]) == 2
    assert "[b]: names no card, so its deck is not known" in capsys.readouterr().err
    assert main(["odds", str(tmp_path / "none.toml")]) == 2
    assert main([*arguments[:2], "-n", "0"]) == 2
