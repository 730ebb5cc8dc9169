"""Plain cards to put in a card's place: what would the deck do without it?

- A **plain unit** has no text and the median ATK, DEF and energy of the units of its level, all
  factions together; it is infantry without traits. So a card is measured with all that it is: its
  numbers, its text, and its type. A commander's plain unit is an ordinary unit of level 6.
- A **plain doctrine** (for a doctrine of any type) is a one-shot that gains 1 LP; a **plain
  tactic** gains 1 LP when the enemy declares an attack. Both cost what such cards cost. A card that
  could never be played would be worse than plain: it would lie in the hand, and a strategy that
  thinks it worth something would keep it there and discard a better one.

A plain card is of the faction of the card that it replaces, so that what reaches only its own
faction reaches it.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cards.ancient_duel.consistency import check_card
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card

_GAIN: Final = [{"gain_lp": 1}]
_DOCTRINE: Final[Mapping[str, Any]] = {
    "kind": "doctrine",
    "type": "one-shot",
    "effect": [{"when": "activate", "do": _GAIN}],
    "text": "Gain 1 LP.",
}
_TACTIC: Final[Mapping[str, Any]] = {
    "kind": "tactic",
    "type": "tactic",
    "effect": [{"when": "respond", "window": "declared", "do": _GAIN}],
    "text": "When the enemy declares an attack: gain 1 LP.",
}


def with_blanks(card_set: CardSet, replaced: Iterable[str]) -> tuple[CardSet, dict[str, str]]:
    """The card set with plain cards at its end, and which of them stands for which card.

    Parameters
    ----------
    replaced
        Identifiers of the cards that are to be replaced. Cards that are alike in faction, kind and
        level share a plain card.
    """
    plain: dict[str, Card] = {}
    stands_for: dict[str, str] = {}
    for card_id in replaced:
        card = _plain(card_set, card_set.by_id[card_id])
        plain.setdefault(card.id, card)
        stands_for[card_id] = card.id
    known = CardSet(factions=card_set.factions, cards=(*card_set.cards, *plain.values()))
    return known, stands_for


def _plain(card_set: CardSet, card: Card) -> Card:
    """The plain card in the place of a card."""
    about: Mapping[str, Any]
    if card.is_unit:
        label = f"unit_{card.level}"
        about = {"kind": "unit", "type": "infantry", "text": "", **_stats(card_set, card)}
    else:
        label = card.kind
        about = _DOCTRINE if card.kind == "doctrine" else _TACTIC
    found = Card.model_validate(
        {
            "id": f"plain_{card.faction}_{label}",
            "faction": card.faction,
            "name_en": f"Plain {card.faction} {label}".replace("_", " "),
            "name_ru": f"Простая карта {card.faction} {label}".replace("_", " "),
            "copies": 0,
            **about,
        }
    )
    check_card(found)
    return found


def _stats(card_set: CardSet, card: Card) -> dict[str, int]:
    """The median stats of a level, over its ordinary units where there are any."""
    level = card.level
    of_level = [each for each in card_set.cards if each.is_unit and each.level == level]
    ordinary = [each for each in of_level if each.kind == "unit"] or of_level

    def median(key: str) -> int:
        # the lower of two middle ones, so that stats stay whole
        return statistics.median_low([int(getattr(each, key) or 0) for each in ordinary])

    return {
        "level": level or 0,
        "atk": median("atk"),
        "def": median("def_"),
        "energy": median("energy"),
    }
