"""Patches: single changes of cards and rules, to ask what they would do.

A change is a path and a value, `rome.legionary_cohort.atk=4` on the command line or in a file

    [rome.legionary_cohort]
    atk = 4
    static.def = 2

    [rule]
    hand_limit = 6

**Paths.** `FACTION.CARD.KEY` or `CARD.KEY`, or `rule.OPTION`. A key is a card's own number (`atk`,
`def`, `energy`, `level`, `copies`), or one inside of an effect or static, with the words that lead
to it in the card file, places counted from 1: `effect.1.do.2.atk`, `static.1.def`. Words and places
may be left out as long as one number alone fits: `effect.atk`, `damage`. `copies` is the number in
the faction's standard deck, which must still be legal.

All that is changed is checked as a card file is.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from cards.ancient_duel.consistency import check_card
from cards.ancient_duel.decks import DECK_SIZE, standard_deck, violations
from cards.ancient_duel.faults import as_input_error
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from cards.files import read_toml
from cards.names import as_place, quote, suggestion

RULE: Final = "rule"
#: Numbers of a step or static that the card file may leave out: they are 0 then.
_ZEROS: Final = ("atk", "def")
#: How many numbers an error lists that a path could have meant.
_MOST_SHOWN: Final = 6

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Edit:
    """One change that was made.

    Attributes
    ----------
    path
        The whole path: `legionary_cohort.atk`, `rule.hand_limit`.
    card
        The card's identifier; None for a rule.
    before, after
        The values.
    """

    path: str
    card: str | None
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.path} {self.before} → {self.after}"


@dataclass(frozen=True)
class Patched:
    """Cards and rules after a patch.

    Attributes
    ----------
    cards, rules
        What is played with now.
    edits
        What was changed, in the order in which it was written.
    """

    cards: CardSet
    rules: RuleSet
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.edits))


def patched(
    cards: CardSet, rules: RuleSet, changes: Sequence[str] = (), file: Path | None = None
) -> Patched:
    """Cards and rules with a file's changes, and single ones on top.

    Parameters
    ----------
    changes
        `path=value` each.
    file
        A TOML file of changes.

    Raises
    ------
    InputError
        A path leads nowhere or to several numbers, a value does not suit it, a standard deck is not
        legal any more, or there is no change at all.
    """
    asked: list[tuple[str, Any, str]] = []
    if file is not None:
        where = str(file)
        asked += [(path, value, where) for path, value in _flattened(read_toml(file), ())]
        if not asked:
            raise InputError("changes nothing", where=where, right="write [FACTION.CARD] atk = 4")
    for text in changes:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise InputError(
                f"{quote(text)} is no change",
                right="write path=value, e.g. rome.legionary_cohort.atk=4",
            )
        asked.append((path.strip(), _value(value.strip()), "change"))
    if not asked:
        raise InputError("there is no change", right="e.g. rome.legionary_cohort.atk=4")
    return _apply(cards, rules, asked)


def numbers_of(card: Card) -> dict[str, int]:
    """All numbers of a card that a patch can change, by their whole paths."""
    table = card.model_dump(by_alias=True, exclude_unset=True)
    return {_shown(place): int(_at(table, place)) for place in _places(table)}


def _apply(cards: CardSet, rules: RuleSet, asked: Sequence[tuple[str, Any, str]]) -> Patched:
    tables: dict[str, dict[str, Any]] = {}
    options = rules.model_dump()
    edits = []
    places: dict[str, str] = {}  # where a card's last change was written
    for path, value, origin in asked:
        where = f"{origin}, {as_place(path)}"
        words = [word.strip() for word in path.split(".")]
        if words[0].casefold() == RULE:
            edits.append(_set_rule(options, words[1:], value, f"{origin}, {RULE}"))
            continue
        card, rest = _card(cards, words, where, path)
        if card.id not in tables:
            tables[card.id] = card.model_dump(by_alias=True, exclude_unset=True)
        edits.append(_set_number(tables[card.id], card, rest, value, where, path))
        places[card.id] = where
    made = {card_id: _checked(table, places[card_id]) for card_id, table in tables.items()}
    known = CardSet(
        factions=cards.factions, cards=tuple(made.get(card.id, card) for card in cards.cards)
    )
    _check_decks(cards, known, edits, asked[0][2])
    return Patched(known, RuleSet.from_table(options, asked[0][2]), tuple(edits))


def _set_rule(options: dict[str, Any], words: Sequence[str], value: Any, where: str) -> Edit:
    if len(words) != 1:
        raise InputError("names no option", where=where, right=f"write {RULE}.OPTION")
    option = words[0]
    if option not in options:
        raise InputError(
            f"there is no rule option {quote(option)}",
            where=where,
            right=suggestion(option, options),
        )
    before = options[option]
    options[option] = value
    RuleSet.from_table({option: value}, where)
    return Edit(f"{RULE}.{option}", None, before, value)


def _card(
    cards: CardSet, words: Sequence[str], where: str, path: str
) -> tuple[Card, Sequence[str]]:
    """The card that a path begins with, and the rest of the path."""
    if len(words) == 1 and words[0] not in cards.by_id and cards.is_faction(words[0]):
        raise InputError("names no card", where=where, right=f"write {words[0]}.CARD.KEY")
    if len(words) > 1 and cards.is_faction(words[0]) and words[0] not in cards.by_id:
        faction = cards.find_faction(words[0])
        own = [card.id for card in cards.cards if card.faction == faction.id]
        if words[1] not in own:
            raise InputError(
                f"{faction.name_en} has no card with the id {quote(words[1])}",
                where=where,
                right=suggestion(words[1], own, show_all=False) or "'duel-sim cards' lists them",
            )
        return cards.by_id[words[1]], words[2:]
    if words[0] not in cards.by_id:
        firsts = [*cards.by_id, *(faction.id for faction in cards.factions), RULE]
        raise InputError(
            f"{quote(path)} begins with no faction, no card and not with rule",
            where=where,
            right=suggestion(words[0], firsts, show_all=False)
            or "write FACTION.CARD.KEY, e.g. rome.legionary_cohort.atk",
        )
    return cards.by_id[words[0]], words[1:]


def _set_number(
    table: dict[str, Any], card: Card, words: Sequence[str], value: Any, where: str, path: str
) -> Edit:
    """Change one number of a card's table."""
    place = _find(table, words, card.id, where, path)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(
            f"{quote(path)} is {quote(value)}", where=where, right="write a whole number"
        )
    before = int(_at(table, place))
    inside = table
    for step in place[:-1]:
        inside = inside[step]  # type: ignore[index]
    if isinstance(inside, dict):
        inside[str(place[-1])] = value
    return Edit(f"{card.id}.{_shown(place)}", card.id, before, value)


def _find(
    table: Mapping[str, Any], words: Sequence[str], card: str, where: str, path: str
) -> Place:
    """The one number that the words lead to."""
    places = list(_places(table))
    shown = {_shown(place): place for place in places}
    key = ".".join(words)
    if key in shown:
        return shown[key]
    fitting = [place for place in places if words and _fits(words, _shown(place).split("."))]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        listed = ", ".join(_shown(place) for place in fitting[:_MOST_SHOWN])
        raise InputError(
            f"{quote(path)} may mean several numbers of {card}", where=where, right=listed
        )
    close = suggestion(key, shown, show_all=False)
    raise InputError(
        f"{card} has no number {quote(key)}",
        where=where,
        right=close or f"it has {', '.join(list(shown)[: 2 * _MOST_SHOWN])}",
    )


def _fits(words: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether words are what is left of a whole path after some of its words were left out."""
    if words[-1] != whole[-1]:
        return False
    left = iter(whole)
    return all(word in left for word in words)


def _places(table: Any, at: Place = ()) -> Iterator[Place]:
    """Where in a card's table numbers stand that may be changed."""
    if isinstance(table, Mapping):
        keys = list(table)
        if (
            "change" in table
            or "change_all" in table
            or (at and at[0] == "static" and len(at) == 2)
        ):
            keys += [key for key in _ZEROS if key not in table and "grants" not in table]
        for key in keys:
            yield from _places(table.get(key, 0), (*at, key))
    elif isinstance(table, list | tuple):
        for number, entry in enumerate(table):
            yield from _places(entry, (*at, number))
    elif isinstance(table, int) and not isinstance(table, bool):
        yield at


def _at(table: Any, place: Place) -> Any:
    for step in place:
        table = table.get(step, 0) if isinstance(table, Mapping) else table[step]
    return table


def _shown(place: Place) -> str:
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in place)


def _checked(table: Mapping[str, Any], where: str) -> Card:
    try:
        card = Card.model_validate(copy.deepcopy(dict(table)))
    except ValidationError as error:
        raise as_input_error(error, where) from None
    try:
        check_card(card)
    except InputError as error:
        raise error.inside(where) from None
    return card


def _check_decks(before: CardSet, after: CardSet, edits: Sequence[Edit], where: str) -> None:
    """Standard decks whose copies were changed are still legal."""
    touched = [edit for edit in edits if edit.card is not None and edit.path.endswith(".copies")]
    factions = dict.fromkeys(after.by_id[edit.card].faction for edit in touched if edit.card)
    for faction in factions:
        deck = standard_deck(after, faction)
        broken = violations(deck, after)
        if not broken:
            continue
        changed = ", ".join(
            str(edit) for edit in touched if edit.card and after.by_id[edit.card].faction == faction
        )
        raise InputError(
            f"the standard deck of {deck.name} is not legal then: {'; '.join(broken)}",
            where=f"{where}, {changed}",
            right=_balance(deck.size, before, faction, [edit.card for edit in touched]),
        )


def _balance(size: int, cards: CardSet, faction: str, touched: Sequence[str | None]) -> str:
    """What other change would make a standard deck 40 cards again."""
    over = size - DECK_SIZE
    if over == 0:
        return ""
    for card in cards.cards:
        copies = card.copies - over
        free = card.faction == faction and card.id not in touched
        if free and card.kind not in ("commander",) and 0 <= copies <= 3 and card.type != "terrain":
            return f"change another card's copies, too, e.g. {faction}.{card.id}.copies={copies}"
    return "change other cards' copies, too"


def _flattened(table: Any, at: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """A file's tables as paths and values."""
    if not isinstance(table, Mapping):
        yield ".".join(at), table
        return
    for key, value in table.items():
        yield from _flattened(value, (*at, key))


def _value(text: str) -> bool | int | str:
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    try:
        return int(text)
    except ValueError:
        return text
