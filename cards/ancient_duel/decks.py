"""Decks: what one is, whether it is legal, the standard deck of a faction, random legal decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card
from cards.errors import InputError
from cards.names import quote, suggestion

DECK_SIZE: Final = 40
MOST_COPIES: Final = 3
MOST_COMMANDERS: Final = 2
MOST_TERRAIN: Final = 2
#: Violations that one line of an error tells; `deck check` lists them all.
_MOST_TOLD: Final = 8
#: Cards of the main faction, then of each other one, by kind of deck.
SHAPES: Final[Mapping[str, tuple[int, ...]]] = {
    "pure": (40,),
    "allied": (30, 10),
    "coalition": (26, 8, 6),
}


@dataclass(frozen=True)
class Deck:
    """A list of cards; being legal is another matter (`violations`).

    Attributes
    ----------
    name
        What reports call it.
    faction
        Identifier of the main faction.
    cards
        Pairs of card identifier and count, in the order of the card numbers.
    """

    name: str
    faction: str
    cards: tuple[tuple[str, int], ...]

    @property
    def size(self) -> int:
        """The number of cards, copies counted."""
        return sum(count for _, count in self.cards)


def make_deck(name: str, faction: str, counts: Mapping[str, int], card_set: CardSet) -> Deck:
    """A deck from a table of card identifiers and counts, put in order."""
    ordered = sorted(counts, key=card_set.number)
    return Deck(name, faction, tuple((card, counts[card]) for card in ordered))


def standard_deck(card_set: CardSet, faction: str) -> Deck:
    """The deck that a bare faction name means: every card in its own number of copies.

    Parameters
    ----------
    faction
        Any name of the faction.

    Raises
    ------
    InputError
        No faction is called so.
    """
    head = card_set.find_faction(faction)
    own = [card for card in card_set.cards if card.faction == head.id and card.copies]
    return Deck(head.name_en, head.id, tuple((card.id, card.copies) for card in own))


def deck_kind(deck: Deck, card_set: CardSet) -> str:
    """`pure`, `allied` or `coalition`, by the number of factions in the deck."""
    factions = len(_by_faction(deck, card_set))
    return list(SHAPES)[min(max(factions, 1), len(SHAPES)) - 1]


def violations(deck: Deck, card_set: CardSet, matches_played: int | None = None) -> list[str]:
    """Every rule of deck building that the deck breaks, one line each; empty for a legal deck.

    Parameters
    ----------
    matches_played
        How many matches the player has behind them, which opens factions; None: all are open.
    """
    unknown = [card for card, _ in deck.cards if card not in card_set.by_id]
    if unknown:  # nothing else can be counted
        return [f"Known cards: no card has the id {quote(card)}" for card in unknown]
    deck = _merged(deck)
    return [
        *_size(deck),
        *_copies(deck, card_set),
        *_commanders(deck, card_set),
        *_terrain(deck, card_set),
        *_shape(deck, card_set),
        *_open_factions(deck, card_set, matches_played),
    ]


def check_deck(deck: Deck, card_set: CardSet, where: str = "") -> Deck:
    """The deck itself, or an `InputError` with (the first of) its violations in one line."""
    broken = violations(deck, card_set)
    if broken:
        told = broken[:_MOST_TOLD]
        if len(broken) > len(told):
            told.append(f"and {len(broken) - len(told)} more faults")
        raise InputError(f"the deck is not legal: {'; '.join(told)}", where=where)
    return deck


def deck_numbers(deck: Deck, card_set: CardSet) -> npt.NDArray[np.int16]:
    """The card numbers of a deck, unshuffled.

    Returns
    -------
    numpy.ndarray
        Shape (40,), int16, ascending.

    Raises
    ------
    InputError
        The deck has not 40 cards, or has a card that the set has not.
    """
    if deck.size != DECK_SIZE:
        raise InputError(f"the deck {quote(deck.name)} has {deck.size} cards", right="it needs 40")
    numbers = [card_set.number(card) for card, count in deck.cards for _ in range(count)]
    return np.array(sorted(numbers), dtype=np.int16)


def random_deck(
    card_set: CardSet,
    rng: np.random.Generator,
    kind: str = "pure",
    factions: Sequence[str] | None = None,
) -> Deck:
    """A legal deck drawn at random; the same generator state gives the same deck.

    Parameters
    ----------
    kind
        `pure`, `allied` or `coalition`.
    factions
        Names of its factions, the main one first; None: drawn too.

    Raises
    ------
    InputError
        The kind is unknown, the number of factions does not suit it, or the card set is too
        small for such a deck.
    """
    if kind not in SHAPES:
        raise InputError(f"{quote(kind)} is no kind of deck", right=suggestion(kind, SHAPES))
    shape = SHAPES[kind]
    chosen = _chosen_factions(card_set, rng, len(shape), factions)
    cards = [*_random_commanders(card_set, rng, chosen[0]), *_random_terrain(card_set, rng, chosen)]
    for faction, quota in zip(chosen, shape, strict=True):
        missing = quota - sum(card.faction == faction for card in cards)
        cards += _random_rest(card_set, rng, faction, missing)
    counts: dict[str, int] = {}
    for card in cards:
        counts[card.id] = counts.get(card.id, 0) + 1
    return make_deck(f"Random {kind} {'-'.join(chosen)}", chosen[0], counts, card_set)


# --- the rules, one by one ------------------------------------------------------------------------


def _merged(deck: Deck) -> Deck:
    """The deck with one entry a card, for one that was put together by hand."""
    counts: dict[str, int] = {}
    for card, count in deck.cards:
        counts[card] = counts.get(card, 0) + count
    return Deck(deck.name, deck.faction, tuple(counts.items()))


def _of_kind(deck: Deck, card_set: CardSet, kind: str) -> list[tuple[Card, int]]:
    """The deck's commanders, or its cards of a type such as terrain, with their counts."""
    found = [(card_set.by_id[card], count) for card, count in deck.cards]
    return [(card, count) for card, count in found if kind in (card.kind, card.type)]


def _by_faction(deck: Deck, card_set: CardSet) -> dict[str, int]:
    counts: dict[str, int] = {}
    for card, count in deck.cards:
        faction = card_set.by_id[card].faction
        counts[faction] = counts.get(faction, 0) + count
    return counts


def _size(deck: Deck) -> Iterator[str]:
    if deck.size != DECK_SIZE:
        yield f"Size: {deck.size} cards, exactly {DECK_SIZE} needed"


def _copies(deck: Deck, card_set: CardSet) -> Iterator[str]:
    for card, count in deck.cards:
        name = card_set.by_id[card].name_en
        if count < 1:
            yield f"Copies: {count} of {name}, at least 1 needed"
        elif count > MOST_COPIES:
            yield f"Copies: {count} of {name}, at most {MOST_COPIES} allowed"


def _commanders(deck: Deck, card_set: CardSet) -> Iterator[str]:
    commanders = _of_kind(deck, card_set, "commander")
    if not 1 <= len(commanders) <= MOST_COMMANDERS:
        yield f"Commanders: {len(commanders)}, from 1 to {MOST_COMMANDERS} needed"
    for card, count in commanders:
        if count > 1:
            yield f"Commanders: {count} copies of {card.name_en}, 1 allowed"
        if card.faction != deck.faction:
            yield (
                f"Commanders: {card.name_en} is of {_faction_name(card_set, card.faction)}, "
                f"the main faction {_faction_name(card_set, deck.faction)} is needed"
            )


def _terrain(deck: Deck, card_set: CardSet) -> Iterator[str]:
    terrain = _of_kind(deck, card_set, "terrain")
    total = sum(count for _, count in terrain)
    if total > MOST_TERRAIN:
        yield f"Terrain: {total} cards, at most {MOST_TERRAIN} allowed"
    if total and not any(card.faction == deck.faction for card, _ in terrain):
        yield (
            f"Terrain: 0 of {total} are of the main faction "
            f"{_faction_name(card_set, deck.faction)}, at least 1 needed"
        )


def _shape(deck: Deck, card_set: CardSet) -> Iterator[str]:
    """The numbers of cards of each faction. A pure deck's number is the size."""
    counts = _by_faction(deck, card_set)
    main = counts.pop(deck.faction, 0)
    if not main:
        yield f"Factions: 0 cards of the main faction {_faction_name(card_set, deck.faction)}"
        return
    found = (main, *sorted(counts.values(), reverse=True))
    if len(found) > len(SHAPES):
        yield f"Factions: {len(found)}, at most {len(SHAPES)} allowed"
        return
    kind = list(SHAPES)[len(found) - 1]
    if kind != "pure" and found != SHAPES[kind]:
        yield f"Factions: {_sum(found)} cards, {kind} means exactly {_sum(SHAPES[kind])}"


def _open_factions(deck: Deck, card_set: CardSet, matches_played: int | None) -> Iterator[str]:
    if matches_played is None:
        return
    used = _by_faction(deck, card_set)
    for faction in card_set.factions:
        if faction.id in used and faction.opens_after > matches_played:
            yield (
                f"Open factions: {faction.name_en} opens after {faction.opens_after} matches, "
                f"{matches_played} played"
            )
    are_open = sum(faction.opens_after <= matches_played for faction in card_set.factions)
    needed = len(SHAPES["coalition"])
    if len(used) >= needed and are_open < needed:
        yield f"Open factions: {are_open}, a coalition deck needs {needed}"


def _sum(numbers: Iterable[int]) -> str:
    return " + ".join(map(str, numbers))


def _faction_name(card_set: CardSet, faction: str) -> str:
    return next((f.name_en for f in card_set.factions if f.id == faction), quote(faction))


# --- random decks ---------------------------------------------------------------------------------


def _chosen_factions(
    card_set: CardSet, rng: np.random.Generator, number: int, names: Sequence[str] | None
) -> list[str]:
    if names is None:
        known = [faction.id for faction in card_set.factions]
        if len(known) < number:
            raise InputError(f"the card set has {len(known)} factions", right=f"{number} needed")
        return [known[place] for place in rng.permutation(len(known))[:number]]
    chosen = [card_set.find_faction(name).id for name in names]
    if len(set(chosen)) != number or len(chosen) != number:
        raise InputError(
            f"{', '.join(chosen) or 'no faction'} cannot be the factions of such a deck",
            right=f"name {number} different ones",
        )
    return chosen


def _random_commanders(card_set: CardSet, rng: np.random.Generator, faction: str) -> list[Card]:
    known = [c for c in card_set.cards if c.faction == faction and c.kind == "commander"]
    if not known:
        raise InputError(f"the faction {faction!r} has no commander", right="a deck needs one")
    number = int(rng.integers(1, min(MOST_COMMANDERS, len(known)) + 1))
    return [known[place] for place in rng.permutation(len(known))[:number]]


def _random_terrain(
    card_set: CardSet, rng: np.random.Generator, factions: Sequence[str]
) -> list[Card]:
    """0 to 2 terrain cards; the first is of the main faction, the second of any in the deck."""
    terrain = [c for c in card_set.cards if c.type == "terrain" and c.faction in factions]
    of_main = [card for card in terrain if card.faction == factions[0]]
    number = int(rng.integers(0, MOST_TERRAIN + 1)) if of_main else 0
    pools = [of_main, *[terrain] * (MOST_TERRAIN - 1)][:number]
    return [pool[int(rng.integers(len(pool)))] for pool in pools]


def _random_rest(
    card_set: CardSet, rng: np.random.Generator, faction: str, number: int
) -> list[Card]:
    own = [card for card in card_set.cards if card.faction == faction]
    pool = [card for card in own if card.kind != "commander" and card.type != "terrain"]
    copies = [card for card in pool for _ in range(MOST_COPIES)]
    if len(copies) < number:
        raise InputError(
            f"the faction {faction!r} has too few cards for such a deck",
            right=f"{number} more are needed, {len(copies)} can be had",
        )
    return [copies[place] for place in rng.permutation(len(copies))[:number]]
