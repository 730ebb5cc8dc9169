"""Deck lists for the terminal: what is in a deck, how it curves, what differs between two.

Readable at 80 columns and without colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cards.ancient_duel.decks import SHAPES, Deck, deck_kind, violations
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card

#: Kinds of card in the order of a list, each with its heading.
_KINDS: Final = {
    "commander": "Commanders",
    "unit": "Units",
    "doctrine": "Doctrines",
    "tactic": "Tactics",
}
_LEVELS: Final = range(1, 7)
_ENERGIES: Final = range(1, 6)
_WIDEST_BAR: Final = 20


def curve(deck: Deck, card_set: CardSet, stat: str) -> dict[int, int]:
    """How many units have each level, or each energy of an attack (`stat`), copies counted.

    All values that cards usually have are keys, those beyond only where the deck has them.
    """
    usual = _LEVELS if stat == "level" else _ENERGIES
    counts: Counter[int] = Counter(dict.fromkeys(usual, 0))
    for card, count in _cards(deck, card_set):
        value = getattr(card, stat)
        if card.is_unit and value is not None:
            counts[value] += count
    return dict(sorted(counts.items()))


def deck_json(deck: Deck, card_set: CardSet, matches_played: int | None = None) -> dict[str, Any]:
    """A deck as a dict that `json.dumps` takes: its list, its curves and what is wrong with it."""
    broken = violations(deck, card_set, matches_played)
    return {
        "name": deck.name,
        "faction": deck.faction,
        "factions": _by_faction(deck, card_set),
        "kind": deck_kind(deck, card_set),
        "size": deck.size,
        "legal": not broken,
        "violations": broken,
        "cards": [
            {
                "id": card.id,
                "count": count,
                "faction": card.faction,
                "kind": card.kind,
                "name_en": card.name_en,
                "name_ru": card.name_ru,
                "type": card.type,
                "level": card.level,
                "atk": card.atk,
                "def": card.def_,
                "energy": card.energy,
            }
            for card, count in _cards(deck, card_set)
        ],
        "curves": {stat: curve(deck, card_set, stat) for stat in ("level", "energy")},
    }


def deck_line(deck: Deck, card_set: CardSet) -> str:
    """What kind of deck it is, in words: "allied deck of Dacia with Rome, 30 + 10 cards"."""
    counts = _by_faction(deck, card_set)
    names = {faction.id: faction.name_en for faction in card_set.factions}
    others = [names[faction] for faction in counts if faction != deck.faction]
    # More factions than a deck may have make it no kind of deck at all.
    kind = deck_kind(deck, card_set) if len(counts) <= len(SHAPES) else "mixed"
    words = f"{kind} deck of {names.get(deck.faction, deck.faction)}"
    if others:
        words += f" with {' and '.join(others)}"
    return f"{words}, {' + '.join(map(str, counts.values()))} cards"


def deck_table(
    deck: Deck, card_set: CardSet, *, russian: bool = False, encoding: str = "utf-8"
) -> RenderableType:
    """The list by kind of card with its curves, as a rich renderable."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", justify="right")
    table.add_column("card", overflow="fold")
    table.add_column("faction")
    for heading in ("level", "ATK", "DEF", "energy"):
        table.add_column(heading, justify="right")
    for kind, heading in _KINDS.items():
        rows = [(card, count) for card, count in _cards(deck, card_set) if card.kind == kind]
        if not rows:
            continue
        total = sum(count for _, count in rows)
        table.add_row(Text(str(total), "bold"), Text(heading, "bold"))
        for card, count in rows:
            table.add_row(str(count), Text(_name(card, russian)), *_facts(card, card_set))
        table.add_section()
    broken = violations(deck, card_set)
    verdict = [Text(f"not legal: {line}", "red") for line in broken] or [Text("legal", "green")]
    return Group(
        Text(deck.name, "bold"),
        Text(deck_line(deck, card_set)),
        *verdict,
        "",
        table,
        "",
        _curves(deck, card_set, encoding),
    )


def differences(a: Deck, b: Deck, card_set: CardSet) -> list[tuple[Card, int, int]]:
    """The cards of which two lists have different numbers: card, copies in a, copies in b."""
    counts = dict(a.cards), dict(b.cards)
    ids = sorted({*counts[0], *counts[1]}, key=card_set.number)
    rows = [(card_set.by_id[card], counts[0].get(card, 0), counts[1].get(card, 0)) for card in ids]
    return [row for row in rows if row[1] != row[2]]


def difference_lines(a: Deck, b: Deck, card_set: CardSet, *, russian: bool = False) -> list[str]:
    """What makes list b of list a, one line a card, and how much that is in all."""
    changed = differences(a, b, card_set)
    if not changed:
        return [f"{a.name} and {b.name} have the same cards"]
    lines = [f"from {a.name} to {b.name}"]
    for card, before, after in changed:
        sign = "+" if after > before else "-"
        was = f" ({before} to {after})" if before and after else ""
        lines.append(f"  {sign}{abs(after - before)} {_name(card, russian)}{was}")
    out = sum(max(0, before - after) for _, before, after in changed)
    came = sum(max(0, after - before) for _, before, after in changed)
    lines.append(f"{out} out, {came} in, {a.size - out} kept")
    return lines


def _cards(deck: Deck, card_set: CardSet) -> list[tuple[Card, int]]:
    return [(card_set.by_id[card], count) for card, count in deck.cards]


def _by_faction(deck: Deck, card_set: CardSet) -> dict[str, int]:
    """Cards of each faction: the main one first, then those with the most."""
    counts: Counter[str] = Counter()
    for card, count in _cards(deck, card_set):
        counts[card.faction] += count
    order = sorted(counts, key=lambda faction: (faction != deck.faction, -counts[faction], faction))
    return {faction: counts[faction] for faction in order}


def _name(card: Card, russian: bool) -> str:
    return card.name_ru if russian else card.name_en


def _facts(card: Card, card_set: CardSet) -> Iterator[str]:
    yield card_set.factions[card_set.faction_number(card.faction)].name_en
    for value in (card.level, card.atk, card.def_, card.energy):
        yield "" if value is None else str(value)


def _curves(deck: Deck, card_set: CardSet, encoding: str) -> RenderableType:
    block = "█" if encoding.lower().startswith("utf") else "#"
    shown = [curve(deck, card_set, stat) for stat in ("level", "energy")]
    # One scale for both charts, or they could not be compared.
    most = max((count for each in shown for count in each.values()), default=0)
    grid = Table.grid(padding=(0, 6))
    grid.add_row("units by level", "units by energy of an attack")
    grid.add_row(*(_bars(each, most, block) for each in shown))
    return grid


def _bars(counts: dict[int, int], most: int, block: str) -> str:
    scale = min(1.0, _WIDEST_BAR / most) if most else 1.0
    lines = []
    for value, count in counts.items():
        bar = block * max(bool(count), round(count * scale))
        lines.append(f"{value} {bar}{' ' if bar else ''}{count or ''}".rstrip())
    return "\n".join(lines)
