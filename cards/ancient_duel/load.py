"""The card set: reads faction files, checks them, and finds cards and factions by name.

A faction file is a `[faction]` table and any number of `[[card]]` tables; their keys are the fields
of `model`. Whatever is wrong is an `InputError` that names the file, the card and the key.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from cards.ancient_duel.consistency import check_card, check_names
from cards.ancient_duel.faults import as_input_error
from cards.ancient_duel.model import Card, Faction, Table
from cards.ancient_duel.tables import MAX_CARDS
from cards.errors import InputError
from cards.files import decode, parse_toml, read_text
from cards.names import Names, normalise, quote, shorten, suggestion

#: The order of the card numbers; a faction that is not listed comes after these.
FACTION_ORDER: Final = ("rome", "sparta", "macedon", "persia", "carthage", "egypt", "dacia")

#: Words that mean something else where a faction may be named.
RESERVED: Final = ("all", "any", "own", "rule")

_Model = TypeVar("_Model", bound=Table)


@dataclass(frozen=True)
class CardSet:
    """All cards and factions that a duel may use; never changed once made.

    Attributes
    ----------
    factions
        In the order of `FACTION_ORDER`; a faction's number is its index.
    cards
        By faction, then as in the file; a card's number is its index.
    places
        Where cards were written, by their identifiers, for errors; empty for the game's own.
    by_id
        Cards by their identifier.
    """

    factions: tuple[Faction, ...]
    cards: tuple[Card, ...]
    places: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    by_id: Mapping[str, Card] = field(init=False, repr=False, compare=False)
    _numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _card_names: Names = field(init=False, repr=False, compare=False)
    _faction_names: Names = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the set; a name that two cards share is an `InputError`."""
        put = object.__setattr__  # the way for a frozen dataclass to fill its own fields
        put(self, "by_id", {card.id: card for card in self.cards})
        put(self, "_numbers", {card.id: number for number, card in enumerate(self.cards)})
        put(self, "_card_names", Names("card", _names(self.cards)))
        put(self, "_faction_names", Names("faction", _names(self.factions)))

    def number(self, card_id: str) -> int:
        """The number of a card, by its exact identifier."""
        try:
            return self._numbers[card_id]
        except KeyError:
            raise InputError(
                f"no card has the id {quote(card_id)}",
                right=suggestion(card_id, self._numbers, show_all=False),
            ) from None

    def place(self, card_id: str) -> str:
        """Where a card was written, for errors."""
        return self.places.get(card_id, f"card {card_id}")

    def faction_number(self, faction_id: str) -> int:
        """The number of a faction, by its exact identifier."""
        for number, faction in enumerate(self.factions):
            if faction.id == faction_id:
                return number
        known = [faction.id for faction in self.factions]
        raise InputError(
            f"no faction has the id {quote(faction_id)}", right=suggestion(faction_id, known)
        )

    def find_card(self, name: str) -> Card:
        """A card by its English or Russian name or identifier, in any case and punctuation."""
        return self.by_id[self._card_names.find(name)]

    def is_card(self, name: str) -> bool:
        """Whether a card is called so."""
        return self._card_names.get(name) is not None

    def find_faction(self, name: str) -> Faction:
        """A faction by its English or Russian name or identifier."""
        return self.factions[self.faction_number(self._faction_names.find(name))]

    def is_faction(self, name: str) -> bool:
        """Whether a faction is called so."""
        return self._faction_names.get(name) is not None


def card_set(paths: tuple[Path, ...] | None = None) -> CardSet:
    """The card set of some faction files, or the game's own.

    Raises
    ------
    InputError
        A file cannot be read, or says something that is not in the vocabulary.
    """
    if paths is None:
        return _packaged()
    # Not cached: a designer who edits a file in a long session wants the new one.
    return _assemble([_read(read_text(path), str(path)) for path in paths])


def amended_card_set(paths: Sequence[Path]) -> CardSet:
    """The game's own card set with these faction files in the place of its own ones.

    A file of a faction that the game has not is added.

    Raises
    ------
    InputError
        As `card_set`.
    """
    own = {file.faction.id: file for file in _packaged_files()}
    given = [_read(read_text(path), str(path)) for path in paths]
    replaced = {file.faction.id for file in given}
    return _assemble([*(file for key, file in own.items() if key not in replaced), *given])


@functools.cache
def _packaged() -> CardSet:
    return _assemble(_packaged_files())


@functools.cache
def _packaged_files() -> tuple[_File, ...]:
    folder = importlib.resources.files("cards.ancient_duel")
    files = [f"{faction}.toml" for faction in FACTION_ORDER]
    return tuple(_read(decode((folder / f).read_bytes(), f), f) for f in files)


@dataclass(frozen=True)
class _File:
    """One faction file, read."""

    where: str
    faction: Faction
    cards: tuple[Card, ...]


def _names(things: Sequence[Card] | Sequence[Faction]) -> list[tuple[str, list[str]]]:
    return [(thing.id, [thing.name_en, thing.name_ru]) for thing in things]


def _read(text: str, where: str) -> _File:
    table = parse_toml(text, where)
    for key in table:
        if key not in ("faction", "card"):
            raise InputError(
                f"there is no key {quote(key)} here",
                where=where,
                right=suggestion(key, ("faction", "card")),
            )
    if "faction" not in table:
        raise InputError("has no [faction] table", where=where, right="put it first")
    faction = _validate(Faction, table["faction"], f"{where}, faction")
    if faction.id in RESERVED:
        raise InputError(
            f"{faction.id!r} is no name for a faction",
            where=f"{where}, faction, id",
            right="it means something else where factions are named",
        )
    cards = table.get("card", [])
    if not isinstance(cards, list) or not cards:
        raise InputError("has no cards", where=where, right="write a [[card]] for each")
    if len(cards) > MAX_CARDS:
        raise InputError(
            f"has {len(cards)} cards", where=where, right=f"there is room for {MAX_CARDS} at most"
        )
    return _File(
        where=where,
        faction=faction,
        cards=tuple(
            _card(entry, faction.id, where, number) for number, entry in enumerate(cards, 1)
        ),
    )


def _card(entry: Any, faction: str, where: str, number: int) -> Card:
    """One card of a file; errors call it by its identifier, or by its number if it has none."""
    if not isinstance(entry, dict):
        raise InputError(f"card {number} is no table", where=where, right="write [[card]]")
    name = entry.get("id")
    place = f"{where}, card {number}"
    if isinstance(name, str) and name:
        place = f"{where}, card {shorten(name)}"
    if "faction" in entry:
        raise InputError("a card has no key 'faction'", where=place, right="its file says it")
    card = _validate(Card, {**entry, "faction": faction}, place)
    try:
        check_card(card)
    except InputError as error:
        raise InputError(error.what, where=f"{place}, {error.where}", right=error.right) from None
    return card


def _validate(model: type[_Model], table: Any, where: str) -> _Model:
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise as_input_error(error, where) from None


def _assemble(files: Sequence[_File]) -> CardSet:
    """One set from all files, in the fixed order; names are checked across the files."""
    if not files:
        raise InputError("no card files were given")
    known = {faction: place for place, faction in enumerate(FACTION_ORDER)}
    ordered = sorted(files, key=lambda file: known.get(file.faction.id, len(known)))
    factions = tuple(file.faction for file in ordered)
    _unique([(file.faction.id, file.where) for file in ordered], "faction")
    _unique([(card.id, file.where) for file in ordered for card in file.cards], "card")
    ids = [card.id for file in ordered for card in file.cards]
    for file in ordered:
        for card in file.cards:
            try:
                check_names(card, ids, factions)
            except InputError as error:
                raise error.inside(f"{file.where}, card {card.id}") from None
    _check_different(ordered)
    return CardSet(
        factions=factions,
        cards=tuple(card for file in ordered for card in file.cards),
        places={card.id: f"{f.where}, card {card.id}" for f in ordered for card in f.cards},
    )


def _check_different(files: Sequence[_File]) -> None:
    """Raise an `InputError` for a name that two cards share, or two factions."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for file in files:
        things: list[tuple[str, Faction | Card]] = [("faction", file.faction)]
        things += [("card", card) for card in file.cards]
        for what, thing in things:
            for name in (thing.id, thing.name_en, thing.name_ru):
                key = (what, normalise(name))
                other, where = found.setdefault(key, (thing.id, file.where))
                if other != thing.id:
                    there = "" if where == file.where else f" ({where})"
                    raise InputError(
                        f"{other!r}{there} and {thing.id!r} are both called {quote(name)}",
                        where=f"{file.where}, {what} {thing.id}",
                        right=f"each {what} needs names of its own",
                    )


def _unique(found: Sequence[tuple[str, str]], what: str) -> None:
    first: dict[str, str] = {}
    for key, where in found:
        if key in first:
            place = "this file" if first[key] == where else first[key]
            raise InputError(
                f"the {what} id {key!r} is in {place} already", where=f"{where}, {what} {key}, id"
            )
        first[key] = where
