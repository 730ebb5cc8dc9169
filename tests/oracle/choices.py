"""Decisions and their options: how a choice is written, and the other ways of writing it that are accepted."""

from __future__ import annotations

from dataclasses import dataclass, field

# kinds of decision
MAIN, BATTLE, CHOICE, WINDOW, YES_NO = "main", "battle", "choice", "window", "yes-no"


@dataclass
class Option:
    text: str
    value: object
    aliases: frozenset = frozenset()


@dataclass
class Decision:
    side: str
    kind: str
    options: list
    made_by_itself: bool = field(init=False)

    def __post_init__(self):
        self.made_by_itself = self.kind == CHOICE and len(self.options) == 1

    def texts(self):
        return sorted(option.text for option in self.options)

    def find(self, line):
        """The option that this line names, or None. A line that fits several is no choice."""
        line = " ".join(line.split())
        for option in self.options:
            if option.text == line:
                return option
        fitting = [option for option in self.options if line in option.aliases]
        return fitting[0] if len(fitting) == 1 else None


@dataclass(frozen=True)
class Name:
    text: str
    aliases: frozenset


def plain(text) -> Name:
    return Name(text, frozenset([text]))


def _numbered(base, number):
    return [f"{base}#1", base] if number == 1 else [f"{base}#{number}"]


def zone_names(duel, side, zone, card_ids, name_the_zone=False) -> list:
    """Names of cards in a hand, deck or graveyard; identical ones are one choice."""
    names = []
    held = getattr(duel.sides[side], zone)
    for card_id in card_ids:
        bases = [
            text
            for number in range(1, held.count(card_id) + 1)
            for text in _numbered(card_id, number)
        ] or [card_id]
        prefixes = [f"{zone}:", f"{side}:"] + ([] if name_the_zone else [""])
        text = f"{zone}:{card_id}" if name_the_zone else card_id
        names.append(Name(text, frozenset(prefix + base for prefix in prefixes for base in bases)))
    return names


def _place_name(viewer, thing, things, both_sides) -> Name:
    """The name of a unit or support card among all of its side, as `viewer` calls it."""
    if thing.side != viewer and not thing.face_up:
        row = [other for other in things if not other.face_up]
        number = next(n for n, other in enumerate(row, 1) if other is thing)
        text = f"face-down#{number}"
        return Name(text, frozenset([text, f"{thing.side}:{text}"]))
    row = [
        other
        for other in things
        if other.id == thing.id and (thing.side == viewer or other.face_up)
    ]
    number = next(n for n, other in enumerate(row, 1) if other is thing)
    forms = _numbered(thing.id, number)
    text = f"{thing.side}:{forms[-1]}" if both_sides else forms[-1]
    return Name(text, frozenset(forms + [f"{thing.side}:{form}" for form in forms]))


def field_names(duel, viewer, things) -> list:
    """Names of units (or of support cards) that are the options of one choice, in their order."""
    named = [thing for thing in things if thing.side == viewer or thing.face_up]
    names = []
    for thing in things:
        twin = any(other.id == thing.id and other.side != thing.side for other in named)
        side = duel.sides[thing.side]
        row = side.units if thing.card.is_unit else side.support
        names.append(_place_name(viewer, thing, row, twin and thing in named))
    return names


def option(verb, value, name=None, target=None) -> Option:
    if name is None:
        return Option(verb, value, frozenset([verb]))
    if target is None:
        return Option(
            f"{verb} {name.text}", value, frozenset(f"{verb} {alias}" for alias in name.aliases)
        )
    aliases = frozenset(
        f"{verb} {left} -> {right}" for left in name.aliases for right in target.aliases
    )
    return Option(f"{verb} {name.text} -> {target.text}", value, aliases)


# -- questions that the rules ask: generators that give back what was chosen -----------------------
def choose_card(duel, side, verb, zone, card_ids):
    """One of these cards of a zone of this side; gives back its id."""
    ids = list(dict.fromkeys(card_ids))
    names = zone_names(duel, side, zone, ids)
    options = [option(verb, card_id, name) for card_id, name in zip(ids, names)]
    return (yield Decision(side, CHOICE, options))


def choose_on_field(duel, side, things):
    names = field_names(duel, side, things)
    options = [option("choose", thing, name) for thing, name in zip(things, names)]
    return (yield Decision(side, CHOICE, options))


def choose_word(side, words):
    return (yield Decision(side, CHOICE, [option("choose", word, plain(word)) for word in words]))


def ask(side):
    """A yes or no."""
    return (yield Decision(side, YES_NO, [option("yes", True), option("no", False)]))
