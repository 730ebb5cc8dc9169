"""`duel-sim cards`: what cards there are, and what each does."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands import options

if TYPE_CHECKING:
    from cards.ancient_duel.load import CardSet
    from cards.ancient_duel.model import Card

#: Width of the table in a pipe, where lines need not fit a window.
_PIPE_WIDTH = 140


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One card, by its name or identifier.")
    ] = None,
    faction: Annotated[
        str | None, typer.Option("--faction", metavar="F", help="Cards of one faction only.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--type", metavar="T", help="Cards of one type, trait or kind only."),
    ] = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
) -> None:
    """List the cards, or show one."""
    from cards.ancient_duel.load import amended_card_set, card_set

    known = amended_card_set(cards) if cards else card_set()
    found = [known.find_card(name)] if name is not None else list(known.cards)
    if faction is not None:
        wanted = known.find_faction(faction).id
        found = [card for card in found if card.faction == wanted]
    if kind is not None:
        word = _find_kind(kind)
        found = [card for card in found if word in (card.kind, card.type, *card.traits)]
    if as_json:
        print(json.dumps([card_json(card) for card in found], ensure_ascii=False, indent=1))
    elif name is not None and found:
        _show(found[0], known)
    else:
        _list(found, known)


def card_json(card: Card) -> dict[str, Any]:
    """A card as a dict that `json.dumps` takes; a card that is no unit has no stats."""
    return {
        "id": card.id,
        "faction": card.faction,
        "kind": card.kind,
        "name_en": card.name_en,
        "name_ru": card.name_ru,
        "type": card.type,
        "traits": list(card.traits),
        "copies": card.copies,
        "level": card.level,
        "atk": card.atk,
        "def": card.def_,
        "energy": card.energy,
        "text": card.text,
    }


def _find_kind(text: str) -> str:
    from cards.ancient_duel.vocabulary import KINDS, TAGS
    from cards.names import Names

    words = dict.fromkeys((*KINDS, *TAGS))
    return Names("type", [(word, ()) for word in words]).find(text)


def _list(cards: Sequence[Card], known: CardSet) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(
        highlight=False,
        markup=False,
        emoji=False,
        width=None if sys.stdout.isatty() else _PIPE_WIDTH,
    )
    for faction in known.factions:
        own = [card for card in cards if card.faction == faction.id]
        if not own:
            continue
        table = Table(
            title=f"{faction.name_en} · {faction.name_ru}",
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            show_edge=False,
        )
        for heading in ("card", "карта", "type"):
            table.add_column(heading, overflow="fold")
        for heading in ("level", "ATK", "DEF", "energy", "copies"):
            table.add_column(heading, justify="right")
        for card in own:
            stats = (card.level, card.atk, card.def_, card.energy, card.copies)
            shown = ("" if value is None else str(value) for value in stats)
            table.add_row(card.name_en, card.name_ru, _type(card), *shown)
        console.print(table)
        console.print()
    copies = sum(card.copies for card in cards)
    console.print(f"{len(cards)} cards, {copies} with all copies")


def _show(card: Card, known: CardSet) -> None:
    faction = known.factions[known.faction_number(card.faction)]
    print(f"{card.name_en} · {card.name_ru}")
    print(f"  {faction.name_en}, {_type(card)}, {card.copies} in the standard deck")
    if card.is_unit:
        print(
            f"  level {card.level}, ATK {card.atk}, DEF {card.def_}, energy {card.energy} an attack"
        )
    if card.text:
        print(f"  {card.text}")
    print(f"  id: {card.id}")


def _type(card: Card) -> str:
    """Kind, type and traits, without saying anything twice: "doctrine, terrain"."""
    words = dict.fromkeys((card.kind, card.type, *card.traits))
    if card.kind == "unit":
        del words["unit"]  # only units have these types
    return ", ".join(word.replace("_", " ") for word in words)
