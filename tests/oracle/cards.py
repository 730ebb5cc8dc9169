"""Card facts: the table cards.tsv as Python objects, and small questions about a card."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

STANDARD_COPIES_TOTAL = 40
ONE_SHOT, CONTINUOUS, TERRAIN, EQUIP = "one-shot", "continuous", "terrain", "equip"


@dataclass(frozen=True)
class Card:
    id: str
    faction: str
    kind: str  # unit | commander | doctrine | tactic
    type: str  # infantry, cavalry, ... | one-shot, continuous, terrain, equip | tactic
    traits: frozenset
    level: int
    atk: int
    dfn: int
    energy: int
    copies: int

    @property
    def is_unit(self) -> bool:
        return self.kind in ("unit", "commander")

    @property
    def is_doctrine(self) -> bool:
        return self.kind == "doctrine"

    @property
    def is_tactic(self) -> bool:
        return self.kind == "tactic"

    @property
    def mercenary(self) -> bool:
        return "mercenary" in self.traits


def _number(text: str) -> int:
    return int(text) if text.strip() else 0


def _load() -> dict:
    lines = (Path(__file__).parent / "cards.tsv").read_text(encoding="utf-8").splitlines()
    head = lines[0].split("\t")
    table = {}
    for line in lines[1:]:
        row = dict(zip(head, line.split("\t")))
        traits = frozenset(row["traits"].replace(",", " ").split())
        card = Card(
            row["id"],
            row["faction"],
            row["kind"],
            row["type"],
            traits,
            _number(row["level"]),
            _number(row["atk"]),
            _number(row["def"]),
            _number(row["energy"]),
            _number(row["copies"]),
        )
        table[card.id] = card
    return table


CARDS = _load()
FACTIONS = sorted({card.faction for card in CARDS.values()})


def standard_deck(faction: str) -> list:
    return [
        card.id for card in CARDS.values() if card.faction == faction for _ in range(card.copies)
    ]
