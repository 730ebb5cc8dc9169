"""Positions of which not every card is known: what is missing is drawn from a deck list.

In a scenario file `?` stands for a card that is not known: `hand = ["?", "?", "testudo"]`,
`units = ["? face-down"]`, `support = ["? face-down"]`. A number in place of a hand or a deck is so
many unknown cards. The rule:

1. The cards that the file names, in whatever zone, are taken off the side's deck list first. What
   it names and the list has not is in play all the same, beside the list.
2. Unknown face-down units are drawn from the units that are left, unknown face-down support cards
   from the doctrines and tactics that are left, then unknown cards of the hand and of the deck from
   the rest, every way to deal them equally likely.
3. A deck that the file leaves out is all that is left, in any order, so that the side has 40 cards
   at most. A hand that it leaves out is empty, as in every scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cards.ancient_duel.decks import Deck, standard_deck
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.rules import CARDS
from cards.errors import InputError
from cards.names import quote
from sim.ancient_duel.notation import SIDES, find_card, words_of_card
from sim.ancient_duel.position import SIDE_KEYS, as_table, as_texts, check_keys

UNKNOWN: Final = "?"
LISTS: Final = SIDE_KEYS[2:]
#: Zones whose cards a number alone can stand for.
_COUNTED: Final = ("hand", "deck")


@dataclass(frozen=True)
class Unknown:
    """The places of a side whose cards are drawn, and what they are drawn from.

    Attributes
    ----------
    side
        0 or 1.
    units, support, hand, deck
        Places of unknown cards, as the record counts them.
    rest
        The numbers of the cards of the deck list that the file does not name.
    beside
        Identifiers of cards that the file names and the deck list has not.
    deck_name
        What the deck list is called; empty where none was needed.
    """

    side: int
    units: tuple[int, ...]
    support: tuple[int, ...]
    hand: tuple[int, ...]
    deck: tuple[int, ...]
    rest: tuple[int, ...]
    beside: tuple[str, ...]
    deck_name: str

    def deal(self, duel: Any, is_unit: Any, rng: np.random.Generator) -> None:
        """Draw the unknown cards into a duel record; `is_unit`: by card number."""
        pool = rng.permutation(np.array(self.rest, dtype=np.int16))
        units = np.flatnonzero(is_unit[pool])[: len(self.units)]
        others = np.flatnonzero(~is_unit[pool])[: len(self.support)]
        duel["unit_card"][self.side, list(self.units)] = pool[units]
        duel["support_card"][self.side, list(self.support)] = pool[others]
        # anew: the first cards that fit were taken, so what is left is in no random order
        pool = rng.permutation(np.delete(pool, np.concatenate([units, others])))
        hand = len(self.hand)
        duel["hand"][self.side, list(self.hand)] = pool[:hand]
        duel["deck"][self.side, list(self.deck)] = pool[hand : hand + len(self.deck)]


def separate(
    scenario: Mapping[str, Any], decks: Sequence[Deck | None], cards: CardSet, where: str
) -> tuple[dict[str, Any], tuple[Unknown, Unknown]]:
    """The tables of a scenario with stand-ins for unknown cards, and where these stand.

    Parameters
    ----------
    scenario
        The file's tables.
    decks
        The deck lists of a and b; None: the standard deck of the faction that the side's cards are
        of.
    cards
        The card set.
    where
        What errors call the file.

    Raises
    ------
    InputError
        An entry is not understood, a deck list is needed and cannot be told, or it has too few
        cards.
    """
    tables = dict(scenario)
    unknown = []
    for side, name in enumerate(SIDES):
        place = f"{where}, [{name}]"
        table = dict(as_table(scenario.get(name, {}), place))
        check_keys(table, SIDE_KEYS, place)
        lists = {key: _entries(table, key, f"{place} {key}") for key in LISTS}
        found = _side(side, table, lists, decks[side], cards, place)
        unknown.append(found)
        tables[name] = {**table, **_with_stand_ins(table, lists, found, cards)}
    return tables, (unknown[0], unknown[1])


def _entries(table: Mapping[str, Any], key: str, where: str) -> list[str]:
    """The entries of a list; a number is so many unknown cards."""
    value = table.get(key, [])
    if key in _COUNTED and isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= CARDS:
            raise InputError(f"is {value}", where=where, right=f"a number from 0 to {CARDS}")
        return [UNKNOWN] * value
    return as_texts(value, where)


def _is_unknown(entry: str, key: str, where: str) -> bool:
    """Whether an entry is a card that is not known."""
    words = entry.split()
    if not words or words[0] != UNKNOWN:
        return False
    if key in _COUNTED and len(words) == 1:
        return True
    if key in ("units", "support") and words[1:] == ["face-down"]:
        return True
    right = "only cards of hand and deck, and face-down ones ('? face-down'), can be unknown"
    raise InputError(f"{quote(entry)} is not understood", where=where, right=right)


def _side(
    side: int,
    table: Mapping[str, Any],
    lists: Mapping[str, list[str]],
    deck: Deck | None,
    cards: CardSet,
    where: str,
) -> Unknown:
    places: dict[str, tuple[int, ...]] = {}
    named: list[str] = []
    for key, entries in lists.items():
        unknown = [_is_unknown(entry, key, f"{where} {key}") for entry in entries]
        places[key] = tuple(place for place, hidden in enumerate(unknown) if hidden)
        for number, (entry, hidden) in enumerate(zip(entries, unknown, strict=True), 1):
            if not hidden:
                named.append(_named(entry, cards, f"{where} {key} {number}"))
    if "deck" in table and not any(places.values()):
        return Unknown(side, (), (), (), (), (), (), "")
    deck = deck or _likely_deck(named, cards, side, where)
    left = Counter({card: count for card, count in deck.cards})
    beside = []
    for card in named:
        if left[card] > 0:
            left[card] -= 1
        else:
            beside.append(card)
    rest = tuple(cards.number(card) for card in left.elements())
    _check_enough(rest, places, cards, deck, where)
    if "deck" not in table:
        others = sum(len(entries) for entries in lists.values())
        drawn = sum(len(found) for found in places.values())
        size = max(0, min(len(rest) - drawn, CARDS - others))
        places["deck"] = tuple(range(size))
    else:  # the file's first card is drawn next, the record's last
        size = len(lists["deck"])
        places["deck"] = tuple(size - 1 - place for place in places["deck"])
    return Unknown(
        side,
        places["units"],
        places["support"],
        places["hand"],
        places["deck"],
        rest,
        tuple(beside),
        deck.name,
    )


def _named(entry: str, cards: CardSet, where: str) -> str:
    """The identifier of the card that an entry begins with; `position` reads what follows."""
    words = words_of_card(entry, cards)
    try:
        return find_card(" ".join(entry.split()[:words]) if words else entry, cards).id
    except InputError as error:
        raise error.inside(where) from None


def _likely_deck(named: Sequence[str], cards: CardSet, side: int, where: str) -> Deck:
    """The standard deck of the one faction that a side's cards are of."""
    factions = {cards.by_id[card].faction for card in named}
    if len(factions) != 1:
        what = "has cards of several factions" if factions else "names no card"
        raise InputError(
            f"{what}, so its deck is not known",
            where=where,
            right=f"name it: --deck-{SIDES[side]} with a faction or a deck file",
        )
    return standard_deck(cards, factions.pop())


def _check_enough(
    rest: Sequence[int],
    places: Mapping[str, Sequence[int]],
    cards: CardSet,
    deck: Deck,
    where: str,
) -> None:
    # a side has no more cards than its deck list, so that there are always enough in all
    units = sum(cards.cards[number].is_unit for number in rest)
    for what, needed, there in (
        ("unknown face-down units", len(places["units"]), units),
        ("unknown face-down support cards", len(places["support"]), len(rest) - units),
    ):
        if needed > there:
            raise InputError(
                f"{needed} {what}, but only {there} are left of the deck {deck.name!r}",
                where=where,
                right="name fewer, or another deck",
            )


def _with_stand_ins(
    table: Mapping[str, Any], lists: Mapping[str, list[str]], unknown: Unknown, cards: CardSet
) -> dict[str, list[str]]:
    """The lists with some card in each unknown place, for `position` to build from."""
    unit = next(card.id for card in cards.cards if card.is_unit)
    other = next(card.id for card in cards.cards if card.kind == "tactic")
    filled = {}
    for key, entries in lists.items():
        stand_in = unit if key in ("units", *_COUNTED) else other
        if key == "deck" and key not in table:
            filled[key] = [stand_in] * len(unknown.deck)
        elif entries:
            filled[key] = [
                entry.replace(UNKNOWN, stand_in, 1) if entry.split()[:1] == [UNKNOWN] else entry
                for entry in entries
            ]
        elif key in table:
            filled[key] = []
    return filled
