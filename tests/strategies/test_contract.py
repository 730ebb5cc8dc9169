"""Every built-in strategy keeps to the contract, and the check finds those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards.ancient_duel.load import card_set
from sim.compiled import ready
from strategies.ancient_duel.contract import Checker, Verdict
from strategies.finder import Finder
from strategies.registry import BUILT_IN

CARDS = card_set()
CHEATS = Path(__file__).with_name("cheats.py")


def verdicts(
    name: str, seconds: float = 0.4, *only: str, elsewhere: bool = False
) -> dict[str, Verdict]:
    """The verdicts on a strategy by part."""
    finder = Finder(CARDS)
    checker = Checker(finder, finder.add(name), CARDS, seconds, elsewhere=elsewhere)
    for _, entry in checker.entries():
        ready(entry)
    return {verdict.part: verdict for verdict in checker.verdicts(only)}


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_strategies_keep_to_the_contract(name: str) -> None:
    broken = [verdict for verdict in verdicts(name).values() if not verdict.passed]
    assert not broken


@pytest.mark.parametrize("name", ["last_option", "plain_fair"])
def test_fair_strategies_pass(name: str) -> None:
    found = verdicts(f"{CHEATS}:{name}", elsewhere=True)
    assert [verdict.part for verdict in found.values() if verdict.passed] == list(found)
    assert len(found) == 6
    assert "elsewhere" in found["same seed, same choices"].finding


@pytest.mark.parametrize(
    ("name", "part", "finding"),
    [
        ("enemy_hand", "no peeking", "it knows the enemy's hidden cards"),
        ("enemy_set_cards", "no peeking", "it knows the enemy's hidden cards"),
        ("own_next_card", "no peeking", "it knows the order of its own deck"),
        ("place_in_deck", "no peeking", "it knows the order of its own deck"),
        ("coming_shuffle", "no peeking", "it knows random numbers that are not its own"),
        ("last_choice", "no peeking", "it knows what earlier choices have left in the record"),
        ("rewriter", "no change of the duel", "it changed duel.lp"),
        ("raiser", "only legal choices", "decision 6: raised ValueError: lost the plot"),
        ("beyond", "only legal choices", "decision 1: chose option"),
        ("plain_moody", "same seed, same choices", "and asked again"),
        ("plain_raiser", "only legal choices", "decision 4: strategy"),
        ("plain_nonsense", "only legal choices", "returned '"),
        ("plain_keeper", "same seed, same choices", "returned"),
    ],
)
def test_cheats_are_found(name: str, part: str, finding: str) -> None:
    (found,) = verdicts(f"{CHEATS}:{name}", 2.0, part).values()
    assert (found.part, found.passed) == (part, False)
    assert finding in found.finding


def test_a_cheat_breaks_no_other_part() -> None:
    found = verdicts(f"{CHEATS}:enemy_hand")
    assert [verdict.part for verdict in found.values() if not verdict.passed] == ["no peeking"]
