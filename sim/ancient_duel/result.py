"""From a duel record to the result that a scenario prints and is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cards.ancient_duel.load import CardSet
from cards.ancient_duel.vocabulary import FACE_DOWN, IN_ATTACK, IN_DEFENCE
from sim.ancient_duel.notation import SIDES
from sim.ancient_duel.record import BY_DECK, BY_LP

PHASES: Final = ("draw", "standby", "main1", "battle", "main2", "end")
POSITIONS: Final = {IN_ATTACK: "attack", IN_DEFENCE: "defence", FACE_DOWN: "face-down"}
REASONS: Final = {BY_LP: "lp", BY_DECK: "deck"}


def result_of(
    duel: Any, tables: Any, cards: CardSet, texts: Sequence[str], log: Sequence[str]
) -> dict[str, Any]:
    """The result dict of a duel.

    Parameters
    ----------
    duel
        A duel record whose stats are fresh (`play.refresh`).
    tables
        The packed cards and rules, shape (1,).
    cards
        The card set that the tables were packed from.
    texts
        The options that are waited for, as text; empty where the duel is over.
    log
        What happened, for people.
    """
    over = bool(duel["over"])
    active = int(duel["active"])
    pending = None
    if not over:
        pending = {"side": SIDES[int(duel["asked_side"])], "options": sorted(texts)}
    return {
        "over": over,
        "winner": SIDES[int(duel["winner"])] if over else None,
        "reason": REASONS[int(duel["reason"])] if over else None,
        "active": SIDES[active],
        "phase": PHASES[int(duel["phase"])],
        "turn": int(duel["turn"][active]),
        "pending": pending,
        "a": side_of(duel, tables, cards, 0),
        "b": side_of(duel, tables, cards, 1),
        "log": list(log),
    }


def side_of(duel: Any, tables: Any, cards: CardSet, side: int) -> dict[str, Any]:
    """One side's zones; decks with the card that is drawn next first, graveyards oldest first."""
    ids = [card.id for card in cards.cards]

    def pile(zone: str) -> list[str]:
        size = int(duel[f"{zone}_size"][side])
        return [ids[card] for card in duel[zone][side, :size].tolist()]

    order = duel["unit_at"][side, : int(duel["units"][side])].tolist()
    return {
        "lp": int(duel["lp"][side]),
        "energy": int(duel["energy"][side]),
        "hand": pile("hand"),
        "deck": pile("deck")[::-1],
        "graveyard": pile("graveyard"),
        "units": [_unit(duel, tables, ids, side, u) for u in order],
        "support": _support(duel, ids, side, order),
    }


def _unit(duel: Any, tables: Any, ids: Sequence[str], side: int, u: int) -> dict[str, Any]:
    low, high = int(tables["stat_min"][0]), int(tables["stat_max"][0])
    return {
        "card": ids[int(duel["unit_card"][side, u])],
        "position": POSITIONS[int(duel["unit_position"][side, u])],
        "atk": min(max(int(duel["unit_atk"][side, u]), low), high),
        "def": min(max(int(duel["unit_def"][side, u]), low), high),
        "attacked": bool(duel["unit_attacked"][side, u]),
    }


def _support(
    duel: Any, ids: Sequence[str], side: int, units: Sequence[int]
) -> list[dict[str, Any]]:
    """The support cards; `on` is the equipped unit's present number, from 1."""
    found = []
    for k in duel["support_at"][side, : int(duel["supports"][side])].tolist():
        on = int(duel["support_on"][side, k])
        found.append(
            {
                "card": ids[int(duel["support_card"][side, k])],
                "face_up": bool(duel["support_up"][side, k]),
                "on": units.index(on) + 1 if on >= 0 else None,
            }
        )
    return found
