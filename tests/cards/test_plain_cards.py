"""The plain cards that take a card's place in the swap test."""

from __future__ import annotations

import statistics

from cards.ancient_duel.blanks import with_blanks
from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet

CARDS = card_set()


def test_every_card_has_a_plain_one_of_its_kind_level_and_faction() -> None:
    known, stands_for = with_blanks(CARDS, CARDS.by_id)
    assert set(stands_for) == set(CARDS.by_id)
    for card in CARDS.cards:
        plain = known.by_id[stands_for[card.id]]
        assert plain.faction == card.faction
        assert plain.level == card.level
        assert plain.kind == ("unit" if card.is_unit else card.kind)
        assert plain.type == {"unit": "infantry", "doctrine": "one-shot"}.get(plain.kind, "tactic")
        assert not plain.static and not plain.traits


def test_a_plain_unit_has_the_median_stats_of_its_level_and_no_text() -> None:
    known, stands_for = with_blanks(CARDS, ["legionary_cohort"])
    plain = known.by_id[stands_for["legionary_cohort"]]
    level_4 = [card for card in CARDS.cards if card.kind == "unit" and card.level == 4]
    assert plain.atk == statistics.median_low(card.atk or 0 for card in level_4)
    assert plain.def_ == statistics.median_low(card.def_ or 0 for card in level_4)
    assert plain.energy == statistics.median_low(card.energy or 0 for card in level_4)
    assert plain.effect == ()
    assert plain.text == ""


def test_the_cards_themselves_keep_their_numbers() -> None:
    known, _ = with_blanks(CARDS, ["testudo", "pilum_volley"])
    assert known.cards[: len(CARDS.cards)] == CARDS.cards
    assert len(known.cards) == len(CARDS.cards) + 2
    table = pack(known, RuleSet())
    assert int(table["cards"][0]) == len(known.cards)
