"""The card files against an independent table of facts, and against their own text."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from cards.ancient_duel import vocabulary
from cards.ancient_duel.consistency import filters_of
from cards.ancient_duel.load import FACTION_ORDER, card_set
from cards.ancient_duel.model import Card, Condition, Step
from cards.errors import InputError

CARDS = card_set()
with Path(__file__).with_name("facts.tsv").open(encoding="utf-8") as file:
    FACTS = list(csv.DictReader(file, delimiter="\t"))


def test_the_set_is_complete_and_in_order() -> None:
    assert [card.id for card in CARDS.cards] == [fact["id"] for fact in FACTS]
    assert len(CARDS.cards) == 141
    assert tuple(faction.id for faction in CARDS.factions) == FACTION_ORDER
    for number, card in enumerate(CARDS.cards):
        assert CARDS.number(card.id) == number
        assert CARDS.by_id[card.id] is card


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["id"])
def test_facts(fact: dict[str, str]) -> None:
    card = CARDS.by_id[fact["id"]]
    for key in ("faction", "kind", "name_en", "name_ru", "type"):
        assert getattr(card, key) == fact[key], key
    assert list(card.traits) == fact["traits"].split()
    for key in ("level", "atk", "def_", "energy", "copies"):
        written = fact[key.rstrip("_")]
        assert getattr(card, key) == (int(written) if written else None), key


@pytest.mark.parametrize("faction", FACTION_ORDER)
def test_a_standard_deck_has_40_cards_and_both_commanders(faction: str) -> None:
    own = [card for card in CARDS.cards if card.faction == faction]
    assert sum(card.copies for card in own) == 40
    assert [card.copies for card in own if card.kind == "commander"] == [1, 1]
    assert sum(card.type == "terrain" for card in own) == 1


def test_when_the_factions_open() -> None:
    opened = {faction.id: faction.opens_after for faction in CARDS.factions}
    assert opened == {
        "rome": 0,
        "sparta": 0,
        "macedon": 3,
        "persia": 6,
        "carthage": 9,
        "egypt": 12,
        "dacia": 15,
    }


def numbers_of(card_id: str) -> Counter[int]:
    """The changes of ATK and DEF, the amounts and the limits that a card's data holds."""
    card = CARDS.by_id[card_id]
    found: list[int] = []
    for static in card.static:
        found += [abs(static.atk), abs(static.def_), static.at_most or 0]
    for effect in card.effect:
        found.append(effect.discard or 0)
        for step in effect.do:
            found += [abs(step.atk), abs(step.def_), step.at_most or 0]
            found += [step.draw or 0, step.discard or 0, step.gain_lp or 0, step.damage or 0]
    for selection in filters_of(card):
        found += [selection.level_below or 0, selection.atk_below or 0]
    return Counter(number for number in found if number > 1)


@pytest.mark.parametrize("card", CARDS.cards, ids=lambda card: card.id)
def test_the_numbers_of_the_text_are_those_of_the_data(card: Card) -> None:
    """Every number above 1 in a card's text is in its data, and the other way round.

    1 is left out: texts say "1 infantry" and "discard 1 card" where the data has no number. Two
    cards say in one number what their data adds up.
    """
    if card.id == "balearic_slingers":
        return  # -1, and another -1 under a condition
    written = Counter(number for number in map(int, re.findall(r"\d+", card.text)) if number > 1)
    found = numbers_of(card.id)
    assert set(written) == set(found)


@pytest.mark.parametrize("card", CARDS.cards, ids=lambda card: card.id)
def test_every_card_has_a_text_and_does_something(card: Card) -> None:
    assert card.text.endswith(".")
    assert card.effect or card.static


def test_the_models_have_the_words_of_the_vocabulary() -> None:
    assert set(Condition.model_fields) == set(vocabulary.CONDITIONS)
    assert set(vocabulary.STEPS) <= set(Step.model_fields)


def test_every_word_of_the_vocabulary_is_used_by_some_card() -> None:
    """A word that no card uses is a word that no scenario has tried."""
    whens = {effect.when for card in CARDS.cards for effect in card.effect}
    windows = {effect.window for card in CARDS.cards for effect in card.effect if effect.window}
    steps = {step.verb for card in CARDS.cards for effect in card.effect for step in effect.do}
    grants = {static.grants or "stats" for card in CARDS.cards for static in card.static}
    assert whens == set(vocabulary.WHENS)
    assert windows == set(vocabulary.WINDOWS)
    assert steps == set(vocabulary.STEPS)
    assert grants == set(vocabulary.GRANTS)


@pytest.mark.parametrize("card", CARDS.cards, ids=lambda card: card.id)
def test_a_card_is_found_by_each_of_its_names(card: Card) -> None:
    for name in (card.id, card.name_en, card.name_ru):
        for form in (name, name.upper(), name.lower().replace("ё", "е"), name.replace("-", " ")):
            assert CARDS.find_card(form) is card


def test_factions_are_found_by_each_of_their_names() -> None:
    for faction in CARDS.factions:
        for name in (faction.id, faction.name_en.upper(), faction.name_ru.lower()):
            assert CARDS.find_faction(name) is faction
            assert CARDS.is_faction(name)
    assert not CARDS.is_faction("Gaul")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("Hastat Line", "Hastati Line"),
        ("линия гостатов", "Линия гастатов"),
        ("triari_reserve", "triarii_reserve"),
    ],
)
def test_the_nearest_card_is_suggested(name: str, nearest: str) -> None:
    with pytest.raises(InputError, match="did you mean") as caught:
        CARDS.find_card(name)
    assert nearest in str(caught.value) or nearest.replace("_", " ") in str(caught.value).lower()


def test_unknown_ids_are_input_errors() -> None:
    with pytest.raises(InputError, match="'falxmen'"):
        CARDS.number("falxman")
    with pytest.raises(InputError, match="'rome'"):
        CARDS.faction_number("roma")
    with pytest.raises(InputError, match="'Carthage'"):
        CARDS.find_faction("Cartage")
