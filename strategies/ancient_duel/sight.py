"""From a duel record to the view of the side that must choose (`view`)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from cards.ancient_duel.load import CardSet
from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    IN_ATTACK,
    IN_DEFENCE,
    WINDOWS,
    ZONE_GRAVEYARD,
    ZONE_SUPPORT,
    ZONE_UNITS,
    ZONES,
)
from sim.ancient_duel import play
from sim.ancient_duel.notation import Option as Numbers
from sim.ancient_duel.notation import option_texts, read_options
from sim.ancient_duel.record import (
    ACTIVATE,
    ASK_WINDOW,
    ATTACK,
    CHOOSE,
    DEPLOY,
    DUEL_DTYPE,
    E_CARD,
    OP,
    OP_EFFECT,
    RESPOND,
    SET,
    VERBS,
    W_WINDOW,
    ZONE_POSITION,
    new_duels,
)
from sim.ancient_duel.result import PHASES
from sim.compiled import JIT_DISABLED, ready
from strategies.ancient_duel.forecast import ATTACK_COLUMNS, UNKNOWN, attack_table
from strategies.ancient_duel.view import (
    KINDS,
    Attack,
    CardFacts,
    Exchange,
    Option,
    Position,
    Side,
    Support,
    Unit,
    View,
)

SIDES: Final = ("a", "b")
_POSITIONS: Final[dict[int, Position]] = {
    IN_ATTACK: "attack",
    IN_DEFENCE: "defence",
    FACE_DOWN: "face-down",
}
_WINDOW_NAMES: Final = {number: name for name, number in WINDOWS.items()}
_ZONE_NAMES: Final = {number: name for name, number in ZONES.items()}
#: Columns of units and of support cards that are read for a view.
_UNIT_COLUMNS: Final = (
    "card",
    "position",
    "atk",
    "def",
    "attacked",
    "came",
    "repositioned",
    "used",
)
_SUPPORT_COLUMNS: Final = ("card", "up", "on", "came", "used")


class Sight:
    """Makes views of duels under one card set and one rule set.

    Parameters
    ----------
    cards
        The card set that the tables were packed from.
    tables
        The packed cards and rules, one record.
    """

    def __init__(self, cards: CardSet, tables: Any) -> None:
        self._cards = cards
        self._tables = tables
        self._facts: list[CardFacts] = [_facts(card) for card in cards.cards]
        self._by_id = {facts.id: facts for facts in self._facts}
        self._rules = {
            name: int(tables[name])
            for name in tables.dtype.names
            if tables.dtype[name].shape == () and name != "cards"
        }
        # bare records are read five times as fast, but only compiled code can use them as duels
        self._scratch = new_duels(1) if JIT_DISABLED else np.zeros(1, dtype=DUEL_DTYPE)
        ready(attack_table)
        ready(play.refresh)

    def view(self, duel: Any, options: Any) -> tuple[View, list[int]]:
        """The view of the side that is asked, and the buffer's place of each of its options.

        duel
            A record that waits for a choice; it is not changed.
        options
            The options that `advance` left.
        """
        self._scratch[0] = duel
        duel = self._scratch[0]
        play.refresh(duel, self._tables)
        viewer = int(duel["asked_side"])
        table = np.full((int(options["n"]) + 1, ATTACK_COLUMNS), UNKNOWN, dtype=np.int32)
        units = self._units(duel, viewer)
        supports = self._supports(duel, viewer, units)
        sides = [self._side(duel, side, viewer, units, supports) for side in range(2)]
        going_on = self._asking(duel)
        declared = bool(duel["attacking"])
        attack_table(duel, self._tables, options, viewer, table)
        choices, places = self._options(duel, options, units, supports, table[:-1].tolist())
        kind = int(duel["asked_kind"])
        top = duel["frame"][int(duel["depth"]) - 1].tolist()
        view = View(
            me=sides[viewer],
            enemy=sides[1 - viewer],
            options=choices,
            kind=KINDS[kind],
            my_turn=int(duel["active"]) == viewer,
            phase=PHASES[int(duel["phase"])],
            window=_WINDOW_NAMES[top[W_WINDOW]] if kind == ASK_WINDOW else None,
            asking=going_on,
            attack=self._attack(duel, units, table[-1].tolist()) if declared else None,
            deployments=int(duel["deployments"]),
            attacks=int(duel["attacks"]),
            direct_attacks=int(duel["direct_attacks"]),
            rules=self._rules,
            cards=self._by_id,
            decision=int(duel["decisions"]),
            seed=_seed(duel, viewer),
        )
        return view, places

    # --- the field and the piles ------------------------------------------------------------------
    def _units(self, duel: Any, viewer: int) -> dict[tuple[int, int], Unit]:
        """All units by (side, slot)."""
        columns = [duel[f"unit_{name}"].tolist() for name in _UNIT_COLUMNS]
        low, high = self._rules["stat_min"], self._rules["stat_max"]
        seen = {}
        for side in range(2):
            order = duel["unit_at"][side, : int(duel["units"][side])].tolist()
            for number, u in enumerate(order, 1):
                card, position, atk, defence, *flags = (column[side][u] for column in columns)
                hidden = side != viewer and position == FACE_DOWN
                seen[side, u] = Unit(
                    SIDES[side],
                    number,
                    None if hidden else self._facts[card],
                    _POSITIONS[position],
                    None if hidden else min(max(atk, low), high),
                    None if hidden else min(max(defence, low), high),
                    *(bool(flag) for flag in flags),
                )
        return seen

    def _supports(
        self, duel: Any, viewer: int, units: dict[tuple[int, int], Unit]
    ) -> dict[tuple[int, int], Support]:
        """All doctrines and tactics on the field by (side, slot)."""
        columns = [duel[f"support_{name}"].tolist() for name in _SUPPORT_COLUMNS]
        seen = {}
        for side in range(2):
            order = duel["support_at"][side, : int(duel["supports"][side])].tolist()
            for number, k in enumerate(order, 1):
                card, up, on, came, used = (column[side][k] for column in columns)
                seen[side, k] = Support(
                    SIDES[side],
                    number,
                    self._facts[card] if up or side == viewer else None,
                    bool(up),
                    units[side, on].number if on >= 0 else None,
                    bool(came),
                    bool(used),
                )
        return seen

    def _side(
        self,
        duel: Any,
        side: int,
        viewer: int,
        units: dict[tuple[int, int], Unit],
        supports: dict[tuple[int, int], Support],
    ) -> Side:
        hand = _pile(duel, "hand", side)
        deck = _pile(duel, "deck", side)
        unseen = list(deck)
        if side != viewer:
            unseen += hand
            for (owner, u), unit in units.items():
                if owner == side and unit.card is None:
                    unseen.append(int(duel["unit_card"][side, u]))
            for (owner, k), support in supports.items():
                if owner == side and support.card is None:
                    unseen.append(int(duel["support_card"][side, k]))
        return Side(
            name=SIDES[side],
            lp=int(duel["lp"][side]),
            energy=int(duel["energy"][side]),
            turn=int(duel["turn"][side]),
            units=tuple(unit for (owner, _), unit in units.items() if owner == side),
            support=tuple(card for (owner, _), card in supports.items() if owner == side),
            graveyard=self._all(_pile(duel, "graveyard", side)),
            hand=self._all(hand) if side == viewer else None,
            hand_size=len(hand),
            deck_size=len(deck),
            unseen=self._all(sorted(unseen)),
        )

    def _all(self, numbers: Sequence[int]) -> tuple[CardFacts, ...]:
        return tuple(self._facts[number] for number in numbers)

    # --- what is going on -------------------------------------------------------------------------
    def _asking(self, duel: Any) -> CardFacts | None:
        """The card whose effect asks, or is answered in the window that is open."""
        top = duel["frame"][int(duel["depth"]) - 1].tolist()
        if top[OP] == OP_EFFECT:
            return self._facts[int(top[E_CARD])]
        depth = int(duel["depth"])
        if int(duel["asked_kind"]) == ASK_WINDOW and top[W_WINDOW] == WINDOWS["targeted"]:
            return self._facts[int(duel["frame"][depth - 2, E_CARD])]
        return None

    def _attack(self, duel: Any, units: dict[tuple[int, int], Unit], row: Sequence[int]) -> Attack:
        active = int(duel["active"])
        attacker = units.get((active, int(duel["attacker"])))
        target = units.get((1 - active, int(duel["attacked"])))
        exchange = None
        if attacker is not None and (target is not None or int(duel["attacked"]) < 0):
            exchange = _exchange(row, target)
        return Attack(attacker, target, exchange)

    # --- options ----------------------------------------------------------------------------------
    def _options(
        self,
        duel: Any,
        buffer: Any,
        units: dict[tuple[int, int], Unit],
        supports: dict[tuple[int, int], Support],
        rows: Sequence[Sequence[int]],
    ) -> tuple[tuple[Option, ...], list[int]]:
        texts = option_texts(duel, buffer, self._cards)
        numbers = read_options(buffer)
        viewer = int(duel["asked_side"])
        places = sorted(range(len(numbers)), key=lambda place: public_key(numbers[place]))
        found = []
        for number, place in enumerate(places):
            each = numbers[place]
            source = _on_field(each.zone, viewer, each.slot, units, supports)
            target = _on_field(each.target_zone, each.target_side, each.target, units, supports)
            chosen: Unit | Support | CardFacts | None = target
            if each.target_zone == ZONE_GRAVEYARD:
                pile = duel["graveyard"][each.target_side]
                chosen = self._facts[int(pile[each.target])]
            attack = None
            if each.verb == ATTACK:
                attack = _exchange(rows[place], target if isinstance(target, Unit) else None)
            found.append(
                Option(
                    number,
                    VERBS[each.verb],
                    texts[place],
                    self._facts[each.card] if each.card >= 0 else None,
                    _ZONE_NAMES.get(each.zone),
                    source,
                    chosen,
                    _POSITIONS[each.target] if each.target_zone == ZONE_POSITION else None,
                    self._energy(each),
                    attack,
                )
            )
        return tuple(found), places

    def _energy(self, option: Numbers) -> int:
        """What a choice takes from its side's energy at once."""
        if option.verb in (ACTIVATE, RESPOND):
            return self._rules["activation_cost"]
        if option.verb == ATTACK:
            return self._facts[option.card].energy
        if option.verb in (DEPLOY, SET):
            facts = self._facts[option.card]
            return facts.energy if facts.is_unit and facts.level > self._rules["free_level"] else 0
        return 0


def public_key(option: Numbers) -> tuple[int, ...]:
    """What an option is, whatever the order of piles: the same choice has the same key.

    No two options of one decision have the same key: identical cards of a pile are one choice.
    """
    slot = option.slot if option.zone in (ZONE_UNITS, ZONE_SUPPORT) else -1
    zone = option.zone if option.verb != CHOOSE else 0
    return (
        option.verb,
        option.card,
        zone,
        slot,
        option.target_zone,
        option.target_side,
        option.target,
    )


def _on_field(
    zone: int,
    side: int,
    slot: int,
    units: dict[tuple[int, int], Unit],
    supports: dict[tuple[int, int], Support],
) -> Unit | Support | None:
    if zone == ZONE_UNITS:
        return units.get((side, slot))
    if zone == ZONE_SUPPORT:
        return supports.get((side, slot))
    return None


def _exchange(row: Sequence[int], target: Unit | None) -> Exchange:
    """The comparison of a row of `forecast.attack_table`."""
    a, d, damage = row
    if target is None:
        return Exchange(a, None, False, False, a, 0)
    if d == UNKNOWN:
        return Exchange(a, None, None, None, None, None)
    return Exchange(
        atk=a,
        against=d,
        destroys=a >= d,
        falls=a <= d,
        damage=a - d if a > d and damage else 0,
        loss=max(d - a, 0),
    )


def _pile(duel: Any, zone: str, side: int) -> list[int]:
    size = int(duel[f"{zone}_size"][side])
    return [int(card) for card in duel[zone][side, :size].tolist()]


def _seed(duel: Any, viewer: int) -> int:
    """A number from which nobody can tell the duel's own random numbers."""
    words = (duel["seed"][0], duel["pair"][0], viewer, duel["first"], duel["decisions"])
    digest = hashlib.blake2b(repr([int(word) for word in words]).encode(), digest_size=8)
    return int.from_bytes(digest.digest())


def _facts(card: Any) -> CardFacts:
    return CardFacts(
        id=card.id,
        name=card.name_en,
        faction=card.faction,
        kind=card.kind,
        type=card.type,
        traits=tuple(card.traits),
        level=card.level or 0,
        atk=card.atk or 0,
        defence=card.def_ or 0,
        energy=card.energy or 0,
        text=card.text,
    )
