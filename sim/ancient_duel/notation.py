"""Choices as text: what an option of the buffer is called, and which option a line means.

A choice is `verb card [-> target]` with card identifiers, as scenario files write it.
`option_texts` prints; `parse_line` and `matching` read. Whose words they are matters: a side calls
its own face-down cards by their names, the other side's are `face-down#1`, `face-down#2`, …
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card
from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    IN_ATTACK,
    IN_DEFENCE,
    ZONE_DECK,
    ZONE_GRAVEYARD,
    ZONE_HAND,
    ZONE_NONE,
    ZONE_SUPPORT,
    ZONE_UNITS,
)
from cards.errors import InputError
from cards.names import nearest, quote, suggestion
from sim.ancient_duel.record import (
    ACTIVATE,
    ATTACK,
    CHOOSE,
    RESPOND,
    SPECIAL,
    USE,
    VERBS,
    ZONE_POSITION,
)

SIDES: Final = ("a", "b")
#: What stands for the name of a face-down card of the other side.
HIDDEN: Final = "face-down"
#: The words for a battle position that is chosen.
POSITION_WORDS: Final = {"attack": IN_ATTACK, "defence": IN_DEFENCE}
#: More words than any card's name has.
MOST_WORDS: Final = 40
#: Zones that a line may name before a card.
ZONE_WORDS: Final = {"hand": ZONE_HAND, "graveyard": ZONE_GRAVEYARD, "deck": ZONE_DECK}
WORDS_ALONE: Final = ("battle", "main2", "end", "pass", "yes", "no")
#: Only what an effect targets is part of its line.
VERBS_WITH_TARGET: Final = (ACTIVATE, USE, ATTACK, RESPOND)

_REFERENCE: Final = re.compile(
    r"(?:(?P<side>[ab]):\s*)?(?:(?P<zone>hand|graveyard|deck):\s*)?"
    r"(?P<name>[^#:]+?)\s*(?:#(?P<number>[0-9]{1,4}))?"
)


def find_card(name: str, cards: CardSet) -> Card:
    """A card by its identifier, or any of its names.

    Raises
    ------
    InputError
        Nothing is called so; the nearest identifier is suggested, else the nearest name.
    """
    try:
        return cards.find_card(name)
    except InputError as error:
        close = nearest(name, cards.by_id)
        right = error.right if close is None else f"did you mean {close!r}?"
        raise InputError(error.what, right=right) from None


def words_of_card(text: str, cards: CardSet) -> int:
    """How many words at the beginning of a text are a card's name, as many as can be; 0: none."""
    words = text.split(maxsplit=MOST_WORDS)[:MOST_WORDS]
    counts = range(len(words), 0, -1)
    return next((n for n in counts if cards.is_card(" ".join(words[:n]))), 0)


# --- lines ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Reference:
    """A card as a line names it.

    Attributes
    ----------
    name
        A card identifier, `face-down`, or a battle position.
    number
        Which one of that name, from 1; None where the line does not say.
    side
        0 for `a:`, 1 for `b:`, None where the line does not say.
    zone
        ZONE_… for `hand:`, `graveyard:` or `deck:`; None where the line does not say.
    """

    name: str
    number: int | None = None
    side: int | None = None
    zone: int | None = None


@dataclass(frozen=True)
class Line:
    """A line of a script: a verb (an index of `VERBS`) with what it names."""

    text: str
    verb: int
    subject: Reference | None = None
    target: Reference | None = None


def parse_line(text: str, cards: CardSet) -> Line:
    """Read a line; whether it is legal is another question.

    Raises
    ------
    InputError
        The verb or a card is unknown, or the line is not of the form `verb card [-> target]`.
    """
    words = text.split()
    if not words:
        raise InputError("an empty line is no choice", right="write verb card [-> target]")
    shown = " ".join(words)
    if words[0] not in VERBS:
        raise InputError(
            f"there is no choice {quote(words[0])} in {quote(shown)}",
            right=suggestion(words[0], VERBS),
        )
    verb = VERBS.index(words[0])
    rest = shown[len(words[0]) :].strip()
    if words[0] in WORDS_ALONE:
        if rest:
            raise InputError(f"{quote(shown)}: {words[0]!r} stands alone")
        return Line(shown, verb)
    parts = [part.strip() for part in rest.split("->")] if rest else []
    if not parts or not all(parts) or len(parts) > 2:
        raise InputError(
            f"{quote(shown)} is not understood", right=f"write {words[0]} card{_shape(verb)}"
        )
    if len(parts) == 2 and verb not in VERBS_WITH_TARGET:
        raise InputError(
            f"{quote(shown)}: {words[0]!r} has no target",
            right="a target or choice that follows is a line of its own, such as 'choose falxmen'",
        )
    references = [_parse_reference(part, verb, shown, cards) for part in parts]
    return Line(shown, verb, references[0], references[1] if len(parts) == 2 else None)


def _shape(verb: int) -> str:
    return " -> target" if verb in VERBS_WITH_TARGET else ""


def _parse_reference(text: str, verb: int, line: str, cards: CardSet) -> Reference:
    found = _REFERENCE.fullmatch(text)
    if found is None or found["number"] == "0":
        raise InputError(
            f"{quote(text)} in {quote(line)} is not understood",
            right="write a card's id, such as hastati_line, hastati_line#2 or b:hastati_line",
        )
    name = found["name"]
    if name != HIDDEN and not (verb == CHOOSE and name in POSITION_WORDS):
        try:
            name = find_card(name, cards).id
        except InputError as error:
            raise InputError(f"{error.what} (in {quote(line)})", right=error.right) from None
    return Reference(
        name=name,
        number=int(found["number"]) if found["number"] else None,
        side=SIDES.index(found["side"]) if found["side"] else None,
        zone=ZONE_WORDS[found["zone"]] if found["zone"] else None,
    )


# --- what the cards are called --------------------------------------------------------------------
class Naming:
    """The names of all cards at one moment, as one side calls them.

    Parameters
    ----------
    duel
        A duel record.
    cards
        The card set that the duel's tables were packed from.
    viewer
        0 or 1: who speaks.
    """

    def __init__(self, duel: Any, cards: CardSet, viewer: int) -> None:
        self.viewer = viewer
        self.ids = [card.id for card in cards.cards]
        #: (zone, side, slot) to a name and its number, from 1, on that side.
        self.on_field: dict[tuple[int, int, int], tuple[str, int]] = {}
        #: The names in a hand, deck or graveyard, by (zone, side).
        self.piles: dict[tuple[int, int], list[str]] = {}
        #: Numbers of the viewer's face-down support cards, by name.
        self.set_numbers: dict[str, set[int]] = {}
        for side in range(2):
            self._name_units(duel, side)
            self._name_support(duel, side)
            for zone, column in _PILES.items():
                size = int(duel[f"{column}_size"][side])
                pile = duel[column][side, :size].tolist()
                self.piles[zone, side] = [self.ids[card] for card in pile]

    def _name_units(self, duel: Any, side: int) -> None:
        card, position = duel["unit_card"][side].tolist(), duel["unit_position"][side].tolist()
        counts: dict[str, int] = {}
        for u in duel["unit_at"][side, : int(duel["units"][side])].tolist():
            name = self.ids[card[u]]
            if side != self.viewer and position[u] == FACE_DOWN:
                name = HIDDEN
            counts[name] = counts.get(name, 0) + 1
            self.on_field[ZONE_UNITS, side, u] = (name, counts[name])

    def _name_support(self, duel: Any, side: int) -> None:
        card, up = duel["support_card"][side].tolist(), duel["support_up"][side].tolist()
        counts: dict[str, int] = {}
        for k in duel["support_at"][side, : int(duel["supports"][side])].tolist():
            name = self.ids[card[k]]
            if side != self.viewer and not up[k]:
                name = HIDDEN
            counts[name] = counts.get(name, 0) + 1
            self.on_field[ZONE_SUPPORT, side, k] = (name, counts[name])
            if side == self.viewer and not up[k]:
                self.set_numbers.setdefault(name, set()).add(counts[name])

    def text(self, zone: int, side: int, slot: int) -> str:
        """A name on the field as it is printed, without its side."""
        name, number = self.on_field[zone, side, slot]
        return name if number == 1 and name != HIDDEN else f"{name}#{number}"

    def count(self, zone: int, side: int, name: str) -> int:
        """How many cards of a name lie in a hand, deck or graveyard."""
        return self.piles[zone, side].count(name)


_PILES: Final = {ZONE_DECK: "deck", ZONE_HAND: "hand", ZONE_GRAVEYARD: "graveyard"}


# --- options as text ------------------------------------------------------------------------------
class Option(NamedTuple):
    """One option of the buffer, as plain numbers."""

    verb: int
    card: int
    zone: int
    slot: int
    target_zone: int
    target_side: int
    target: int

    @property
    def group(self) -> tuple[int, int, int, int]:
        """Options that differ in their target alone are one choice of a target."""
        return self[:4]

    @property
    def is_counted(self) -> bool:
        """Whether copies of the card are different choices: on the field, unless face-down."""
        return self.zone in (ZONE_UNITS, ZONE_SUPPORT) and self.verb not in (ACTIVATE, RESPOND)


def read_options(buffer: Any) -> list[Option]:
    """The options of a buffer, in its order."""
    n = int(buffer["n"])
    columns = [buffer[field][:n].tolist() for field in Option._fields]
    return [Option(*row) for row in zip(*columns, strict=True)]


def option_texts(duel: Any, buffer: Any, cards: CardSet) -> list[str]:
    """The text of every option, in the buffer's order.

    Parameters
    ----------
    duel
        A duel record that waits for a choice.
    buffer
        The options that `advance` left.
    cards
        The card set that the duel's tables were packed from.
    """
    naming = Naming(duel, cards, int(duel["asked_side"]))
    options = read_options(buffer)
    both_sides = _on_both_sides(options, naming)
    both_zones = _in_both_zones(options)
    texts = []
    for option in options:
        words = [VERBS[option.verb]]
        if option.card >= 0 and option.verb != CHOOSE:
            words.append(_subject_text(option, naming, both_zones))
        if option.target_zone != ZONE_NONE:
            if option.verb != CHOOSE:
                words.append("->")
            words.append(_target_text(option, naming, both_sides))
        texts.append(" ".join(words))
    return texts


def _on_both_sides(options: Sequence[Option], naming: Naming) -> set[tuple[Any, str]]:
    """Groups and names with a target on either side: these are printed with the side."""
    sides: dict[tuple[Any, str], set[int]] = {}
    for option in options:
        if option.target_zone in (ZONE_UNITS, ZONE_SUPPORT):
            name, _ = naming.on_field[option.target_zone, option.target_side, option.target]
            sides.setdefault((option.group, name), set()).add(option.target_side)
    return {key for key, found in sides.items() if len(found) == 2}


def _in_both_zones(options: Sequence[Option]) -> set[int]:
    """Cards to special-deploy that may come from more than one zone."""
    zones: dict[int, set[int]] = {}
    for option in options:
        if option.verb == SPECIAL:
            zones.setdefault(option.card, set()).add(option.zone)
    return {card for card, found in zones.items() if len(found) > 1}


def _subject_text(option: Option, naming: Naming, both_zones: set[int]) -> str:
    if option.is_counted:
        return naming.text(option.zone, naming.viewer, option.slot)
    card = naming.ids[option.card]
    if option.verb == SPECIAL and option.card in both_zones:
        return f"{_PILES[option.zone]}:{card}"
    return card


def _target_text(option: Option, naming: Naming, both_sides: set[tuple[Any, str]]) -> str:
    zone, side, target = option.target_zone, option.target_side, option.target
    if zone == ZONE_POSITION:
        return next(word for word, bit in POSITION_WORDS.items() if bit == target)
    if zone == ZONE_GRAVEYARD:
        return naming.piles[zone, side][target]
    text = naming.text(zone, side, target)
    name, _ = naming.on_field[zone, side, target]
    return f"{SIDES[side]}:{text}" if (option.group, name) in both_sides else text


# --- text to options ------------------------------------------------------------------------------
def matching(duel: Any, buffer: Any, cards: CardSet, line: Line) -> list[int]:
    """Places in the buffer of the options that a line can mean; more than one: it is ambiguous."""
    naming = Naming(duel, cards, int(duel["asked_side"]))
    return [
        place
        for place, option in enumerate(read_options(buffer))
        if option.verb == line.verb and _fits(option, naming, line)
    ]


def _fits(option: Option, naming: Naming, line: Line) -> bool:
    if option.verb == CHOOSE:
        return line.subject is not None and _fits_target(option, naming, line.subject)
    if (line.subject is None) != (option.card < 0):
        return False
    if line.subject is not None and not _fits_subject(option, naming, line.subject):
        return False
    if line.target is None or option.target_zone == ZONE_NONE:
        return line.target is None and option.target_zone == ZONE_NONE
    return _fits_target(option, naming, line.target)


def _fits_subject(option: Option, naming: Naming, reference: Reference) -> bool:
    if reference.side not in (None, naming.viewer):
        return False
    if option.is_counted:
        on_field = naming.on_field[option.zone, naming.viewer, option.slot]
        return reference.zone is None and on_field == (reference.name, reference.number or 1)
    if reference.name != naming.ids[option.card]:
        return False
    in_zone = option.zone if option.zone != ZONE_SUPPORT else None
    if reference.zone not in (None, in_zone):
        return False
    number = reference.number
    if number is None:
        return True
    if in_zone is not None and number <= naming.count(in_zone, naming.viewer, reference.name):
        return True
    # one choice stands for every copy: in the hand, or face-down on the field
    may_be_set = option.verb in (ACTIVATE, RESPOND) and reference.zone is None
    return may_be_set and number in naming.set_numbers.get(reference.name, ())


def _fits_target(option: Option, naming: Naming, reference: Reference) -> bool:
    zone, side, target = option.target_zone, option.target_side, option.target
    if zone == ZONE_POSITION:
        return POSITION_WORDS.get(reference.name) == target and reference.number is None
    if reference.side not in (None, side):
        return False
    if zone == ZONE_GRAVEYARD:
        name = naming.piles[zone, side][target]
        return (
            reference.name == name
            and reference.zone in (None, zone)
            and (reference.number or 1) <= naming.count(zone, side, name)
        )
    on_field = naming.on_field[zone, side, target]
    return reference.zone is None and on_field == (reference.name, reference.number or 1)
