"""From the tables of a scenario file to a duel record (see `scenario` for the rest of the file)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card
from cards.ancient_duel.rules import CARDS, RuleSet
from cards.ancient_duel.vocabulary import FACE_DOWN, IN_ATTACK, IN_DEFENCE
from cards.errors import InputError
from cards.names import quote, suggestion
from sim.ancient_duel import play
from sim.ancient_duel.notation import SIDES, find_card, words_of_card
from sim.ancient_duel.record import BATTLE, MAIN1, MAIN2, new_duels
from sim.compiled import ready

DUEL_KEYS: Final = ("active", "phase", "turn", "seed", "rules")
SIDE_KEYS: Final = ("lp", "energy", "hand", "deck", "graveyard", "units", "support")
PHASES: Final = {"main1": MAIN1, "battle": BATTLE, "main2": MAIN2}
POSITIONS: Final = {"attack": IN_ATTACK, "defence": IN_DEFENCE, "face-down": FACE_DOWN}
#: Doctrines that may lie face-up.
STAYING_TYPES: Final = ("continuous", "terrain", "equip")

DEFAULT_TURN: Final = 3
DEFAULT_ENERGY: Final = 6
#: Bounds that keep every number of a record within its type.
MOST_LP: Final = 1_000_000
MOST: Final = 9_999
LARGEST_SEED: Final = 2**63 - 1


# --- values of a table ----------------------------------------------------------------------------
def check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """An unknown key is an `InputError` that names the nearest one."""
    for key in table:
        if key not in known:
            raise InputError(
                f"there is no key {quote(key)}", where=where, right=suggestion(key, known)
            )


def as_table(value: Any, where: str) -> Mapping[str, Any]:
    """The value, if it is a table."""
    if not isinstance(value, Mapping):
        raise InputError(f"is {quote(value)}, not a table", where=where)
    return value


def as_text(value: Any, where: str) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise InputError(f"is {quote(value)}, not a text in quotes", where=where)
    return value


def as_texts(value: Any, where: str) -> list[str]:
    """The value, if it is a list of texts."""
    if not isinstance(value, list | tuple):
        raise InputError(f"is {quote(value)}, not a list", where=where, right='write ["…", "…"]')
    return [as_text(entry, f"{where} {number}") for number, entry in enumerate(value, 1)]


def _as_number(value: Any, least: int, most: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"is {quote(value)}, not a whole number", where=where)
    if value < least:
        raise InputError(f"is {value}", where=where, right=f"at least {least}")
    if value > most:
        raise InputError(f"is {quote(value)}", where=where, right=f"at most {most}")
    return value


def _as_word(value: Any, words: Sequence[str], where: str) -> str:
    text = as_text(value, where)
    if text not in words:
        raise InputError(
            f"is {quote(text)}",
            where=where,
            right=f"only {', '.join(words)} {'are' if len(words) > 1 else 'is'} possible",
        )
    return text


# --- the [duel] table -----------------------------------------------------------------------------
def rules_of(scenario: Mapping[str, Any], where: str) -> RuleSet:
    """The rule set of a scenario.

    Raises
    ------
    InputError
        An option is unknown or has no possible value.
    """
    head = as_table(scenario.get("duel", {}), f"{where}, [duel]")
    place = f"{where}, [duel] rules"
    return RuleSet.from_table(as_table(head.get("rules", {}), place), place)


def build(scenario: Mapping[str, Any], rules: RuleSet, cards: CardSet, where: str) -> Any:
    """The duel record of a scenario's `duel`, `a` and `b` tables, before its first decision.

    Parameters
    ----------
    scenario
        The file's tables.
    rules
        The scenario's own rule set (`rules_of`).
    cards
        The card set.
    where
        What errors call the file.

    Raises
    ------
    InputError
        A key, a card or a value that is not possible.
    """
    head = as_table(scenario.get("duel", {}), f"{where}, [duel]")
    place = f"{where}, [duel]"
    check_keys(head, DUEL_KEYS, place)
    seed = _as_number(head.get("seed", 0), 0, LARGEST_SEED, f"{place} seed")
    turn = _as_number(head.get("turn", DEFAULT_TURN), 1, MOST, f"{place} turn")
    active = SIDES.index(_as_word(head.get("active", "a"), SIDES, f"{place} active"))
    phase = _as_word(head.get("phase", "main1"), tuple(PHASES), f"{place} phase")
    duel = new_duels(1)[0]
    ready(play.clear)(duel, np.uint64(seed), np.uint64(0))
    duel["active"] = active
    duel["first"] = active if turn == 1 else 1 - active
    duel["phase"] = PHASES[phase]
    duel["turn"][active] = turn
    duel["turn"][1 - active] = turn - 1
    for side, name in enumerate(SIDES):
        table = as_table(scenario.get(name, {}), f"{where}, [{name}]")
        _fill_side(duel, side, table, rules, cards, f"{where}, [{name}]")
    return duel


# --- a side ---------------------------------------------------------------------------------------
def _fill_side(
    duel: Any, side: int, table: Mapping[str, Any], rules: RuleSet, cards: CardSet, where: str
) -> None:
    check_keys(table, SIDE_KEYS, where)
    duel["lp"][side] = _as_number(table.get("lp", rules.starting_lp), 1, MOST_LP, f"{where} lp")
    energy = table.get("energy", DEFAULT_ENERGY)
    duel["energy"][side] = _as_number(energy, 0, MOST, f"{where} energy")
    lists = {key: as_texts(table.get(key, []), f"{where} {key}") for key in SIDE_KEYS[2:]}
    count = sum(len(entries) for entries in lists.values())
    if count > CARDS:
        raise InputError(f"has {count} cards", where=where, right=f"a side has at most {CARDS}")
    for zone in ("hand", "deck", "graveyard"):
        numbers = []
        for place, entry in enumerate(lists[zone], 1):
            numbers.append(cards.number(_find_card(entry, cards, f"{where} {zone} {place}").id))
        if zone == "deck":
            numbers.reverse()  # the record's last card is drawn next
        duel[zone][side, : len(numbers)] = numbers
        duel[f"{zone}_size"][side] = len(numbers)
    for place, entry in enumerate(lists["units"], 1):
        _place_unit(duel, side, entry, cards, f"{where} units {place}")
    for place, entry in enumerate(lists["support"], 1):
        _place_support(duel, side, entry, cards, f"{where} support {place}")


def _find_card(name: str, cards: CardSet, where: str) -> Card:
    """A card by its identifier or name; an unknown one is an error that names the nearest."""
    if name.strip() == "?":
        raise InputError(
            "the card is not known here", where=where, right="only duel-sim odds draws such cards"
        )
    try:
        return find_card(name, cards)
    except InputError as error:
        raise error.inside(where) from None


def _card_of_entry(entry: str, name: str, cards: CardSet, where: str, right: str) -> Card:
    """The card of an entry whose known last words were taken off.

    Where the rest is no card but begins with one, the fault is in the words behind it.
    """
    try:
        return find_card(name, cards)
    except InputError as error:
        words = words_of_card(name, cards)
        if words == 0:
            raise error.inside(where) from None
        rest = entry.split(maxsplit=words)[words]
        raise InputError(
            f"{quote(rest)} in {quote(entry)} is not understood", where=where, right=right
        ) from None


def _place_unit(duel: Any, side: int, entry: str, cards: CardSet, where: str) -> None:
    """A unit that came before this turn: `card`, `card defence` or `card face-down`."""
    words = entry.split()
    position = words.pop() if len(words) > 1 and words[-1] in POSITIONS else "attack"
    right = "write the card alone (in attack), or with defence or face-down behind it"
    card = _card_of_entry(entry, " ".join(words), cards, where, right)
    if card.kind not in ("unit", "commander"):
        raise InputError(
            f"{card.id} is a {card.kind}, not a unit", where=where, right="put it under support"
        )
    u = int(duel["units"][side])
    duel["uids"] += 1
    duel["unit_card"][side, u] = cards.number(card.id)
    duel["unit_uid"][side, u] = duel["uids"]
    duel["unit_position"][side, u] = POSITIONS[position]
    duel["unit_at"][side, u] = u
    duel["units"][side] = u + 1


def _place_support(duel: Any, side: int, entry: str, cards: CardSet, where: str) -> None:
    """A support card: `card`, `card face-down`, or an equip as `card on 2`."""
    words = entry.split()
    up, number = True, None
    if len(words) > 1 and words[-1] in ("face-down", "face-up"):
        up = words.pop() == "face-up"
    elif len(words) > 2 and words[-2] == "on":
        number = words[-1]
        del words[-2:]
    right = "write the card alone, or with face-down behind it, or an equip with on 2"
    card = _card_of_entry(entry, " ".join(words), cards, where, right)
    if card.kind not in ("doctrine", "tactic"):
        raise InputError(f"{card.id} is a unit", where=where, right="put it under units")
    if up and card.type not in STAYING_TYPES:
        kind = "tactic" if card.kind == "tactic" else "one-shot doctrine"
        raise InputError(
            f"{card.id} is a {kind} and cannot lie face-up",
            where=where,
            right=f"write '{card.id} face-down'",
        )
    on = -1
    if up and (card.type == "equip" or number is not None):
        on = _equipped(card, number, int(duel["units"][side]), where)
    k = int(duel["supports"][side])
    duel["support_card"][side, k] = cards.number(card.id)
    duel["support_up"][side, k] = int(up)
    duel["support_on"][side, k] = on
    duel["support_at"][side, k] = k
    duel["supports"][side] = k + 1


def _equipped(card: Card, number: str | None, units: int, where: str) -> int:
    """The slot of the unit that an equip is on; `units`: how many its side has."""
    if card.type != "equip":
        raise InputError(f"{card.id} is no equip and lies on no unit", where=where)
    right = f"write '{card.id} on 1', the number of a unit of this side"
    if number is None:
        raise InputError(f"{card.id} is an equip on nothing", where=where, right=right)
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{quote(f'on {number}')} is not understood", where=where, right=right)
    if not 1 <= int(number[:9]) <= units:
        has = "has no units" if units == 0 else f"has the units 1 to {units}"
        raise InputError(
            f"{card.id} is on unit {int(number[:9])}", where=where, right=f"the side {has}"
        )
    return int(number) - 1
