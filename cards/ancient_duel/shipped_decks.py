"""The decks that ship with the game (the files in `decks/`), and the deck that a user means.

A shipped deck is called by the name of its file, such as `rome-testudo-wall`, or by its own name.
The comment at the top of its file is its idea.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from cards.ancient_duel.deck_files import deck_from_table, parse_deck
from cards.ancient_duel.decks import Deck, check_deck, standard_deck
from cards.ancient_duel.load import CardSet
from cards.errors import InputError
from cards.files import decode, parse_toml
from cards.names import LONGEST_NAME, nearest, normalise, quote

_SUFFIX: Final = ".toml"
#: What has one of these is the path of a file, and no name.
_SEPARATORS: Final = frozenset("/\\")


@dataclass(frozen=True)
class ShippedDeck:
    """A deck of the game.

    Attributes
    ----------
    id
        What it is called on the command line.
    deck
        The deck itself, not checked.
    idea
        What it is meant to do, in a few sentences.
    """

    id: str
    deck: Deck
    idea: str


def shipped_decks(card_set: CardSet) -> tuple[ShippedDeck, ...]:
    """All shipped decks: by faction, the standard deck first, then by name.

    Raises
    ------
    InputError
        A deck has a card that the card set has not.
    """
    found = [_read(file, card_set) for file in _files()]
    return tuple(
        sorted(
            found,
            key=lambda each: (
                card_set.faction_number(each.deck.faction),
                not each.id.endswith("-standard"),
                each.id,
            ),
        )
    )


def find_deck(text: str, card_set: CardSet) -> Deck:
    """The deck that a user means, if it is legal (see `look_up`).

    Raises
    ------
    InputError
        As `look_up`, or the deck breaks a rule of deck building.
    """
    return check_deck(look_up(text, card_set), card_set, where=text)


def look_up(text: str, card_set: CardSet) -> Deck:
    """The deck that a user means, legal or not.

    A faction's standard deck, a shipped deck or a deck file, in this order: a file that is called
    like a faction can be named with its folder.

    Raises
    ------
    InputError
        It is none of them, or the file is no deck.
    """
    if not _SEPARATORS & set(text):
        if card_set.is_faction(text):
            return standard_deck(card_set, text)
        shipped = _find_shipped(text, card_set)
        if shipped is not None:
            return shipped.deck
    path = Path(text)
    if text.strip() and (path.suffix in (_SUFFIX, ".txt") or _exists(path)):
        return parse_deck(path, card_set)
    names = [n for faction in card_set.factions for n in (faction.name_en, faction.name_ru)]
    close = nearest(text, [*names, *map(_id, _files())])
    known = ", ".join(faction.id for faction in card_set.factions)
    right = f"factions: {known}; 'duel-sim deck list' shows the decks"
    raise InputError(
        f"{quote(text)} is no faction, no shipped deck and no deck file",
        right=right if close is None else f"did you mean {close!r}?",
    )


def _find_shipped(text: str, card_set: CardSet) -> ShippedDeck | None:
    if len(text) > LONGEST_NAME or Path(text).suffix:
        return None
    wanted = normalise(text)
    if not wanted:
        return None
    files = list(_files())
    for file in files:
        if normalise(_id(file)) == wanted:
            return _read(file, card_set)
    # Their own names stand inside of the files.
    for file in files:
        table = parse_toml(decode(file.read_bytes(), file.name), file.name)
        if normalise(str(table["name"])) == wanted:
            return _read(file, card_set)
    return None


def _files() -> Iterator[Traversable]:
    folder = importlib.resources.files("cards.ancient_duel") / "decks"
    yield from sorted(
        (file for file in folder.iterdir() if file.name.endswith(_SUFFIX)), key=lambda f: f.name
    )


def _id(file: Traversable) -> str:
    return file.name.removesuffix(_SUFFIX)


def _read(file: Traversable, card_set: CardSet) -> ShippedDeck:
    text = decode(file.read_bytes(), file.name)
    deck = deck_from_table(parse_toml(text, file.name), card_set, file.name, _id(file))
    comment = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        comment.append(line.removeprefix("#").strip())
    return ShippedDeck(_id(file), deck, " ".join(comment))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or with a null character
        return False
