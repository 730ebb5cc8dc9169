"""From a card set and a rule set to the numpy record that the engine indexes.

Defaults of a filter, which a card file may leave out:

- side: own; a `face_up` condition: any.
- faction: any for the conditions `controls` and `face_up` and for a `per` count, and where the side
  is enemy or any; otherwise the source card's own.
- kind: what can be meant at that place (units, support cards, any card).
- position: any; for an equip's `equips`: face-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cards.ancient_duel import tables, vocabulary
from cards.ancient_duel.consistency import reach_of
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.model import Card, Condition, Effect, Filter, Static, Step
from cards.ancient_duel.rules import FIRST_PLAYERS, RuleSet
from cards.errors import InputError

Packed = npt.NDArray[np.void]
Row = dict[str, int]

ALL_KINDS: Final = vocabulary.IS_UNIT | vocabulary.IS_DOCTRINE | vocabulary.IS_TACTIC
SUPPORT_KINDS: Final = vocabulary.IS_DOCTRINE | vocabulary.IS_TACTIC
NONE: Final = -1

#: The condition rows hang on three sorts of owner; each finds its rows by a `…_if_from` column.
OWNERS: Final = ("effect", "step", "static")


def pack(card_set: CardSet, rules: RuleSet) -> Packed:
    """Pack cards and rules.

    Returns
    -------
    numpy.ndarray
        Shape (1,), dtype `TABLES_DTYPE`. Absent filters are -1, an absent `at_most` is
        `vocabulary.NO_LIMIT`, `…_from` columns are filled to their ends.

    Raises
    ------
    InputError
        The card set has more rows than the record has room for.
    """
    rows = _Rows(card_set)
    for card in card_set.cards:
        rows.add_card(card)
        rows.check_room(card)
    packed = np.zeros(1, dtype=tables.TABLES_DTYPE)
    _write_rules(packed, rules)
    packed["cards"] = len(rows.cards)
    for owned in (rows.cards, rows.effects, rows.steps, rows.statics, rows.filters):
        _write(packed, owned)
    _write_conditions(packed, rows)
    for column, starts in rows.starts.items():
        _write_starts(packed, column, starts)
    _write_fits(packed, len(rows.filters), len(rows.cards))
    _write_dependence(packed, len(rows.cards))
    return packed


class _Rows:
    """The rows of all tables, collected card by card."""

    def __init__(self, card_set: CardSet) -> None:
        self.card_set = card_set
        self.cards: list[Row] = []
        self.effects: list[Row] = []
        self.steps: list[Row] = []
        self.statics: list[Row] = []
        self.filters: list[Row] = []
        self.conditions: dict[str, list[Row]] = {owner: [] for owner in OWNERS}
        #: Where the rows of each owner end, by the column that the engine reads.
        self.starts: dict[str, list[int]] = {
            "effect_from": [0],
            "static_from": [0],
            "step_from": [0],
        } | {f"{owner}_if_from": [0] for owner in OWNERS}
        self._filter_numbers: dict[tuple[int, ...], int] = {}

    def add_card(self, card: Card) -> None:
        """Append a card with everything that belongs to it."""
        for effect in card.effect:
            self._add_effect(card, effect)
        equip_filter = self._filter(card, card.equips, kinds=vocabulary.IS_UNIT, position="face-up")
        whens = [vocabulary.WHENS[e.when] for e in card.effect]
        if card.equips is not None:
            self._add_equipping(equip_filter)
            whens.append(vocabulary.WHEN_ACTIVATE)
        for static in card.static:
            self._add_static(card, static)
        self.starts["effect_from"].append(len(self.effects))
        self.starts["static_from"].append(len(self.statics))
        self.cards.append(
            {
                "kind": vocabulary.KIND_BITS[card.kind],
                "tags": card.tags,
                "faction": self.card_set.faction_number(card.faction),
                "level": card.level or 0,
                "atk": card.atk or 0,
                "def_": card.def_ or 0,
                "energy": card.energy or 0,
                "grants": _mask(vocabulary.GRANTS[s.grants or "stats"] for s in card.static),
                "fights": int(any(s.during == "combat" for s in card.static)),
                "effect_whens": _mask(whens),
                "windows": _mask(vocabulary.WINDOWS[e.window] for e in card.effect if e.window),
                "equip_filter": equip_filter,
            }
        )

    def check_room(self, card: Card) -> None:
        """Raise an `InputError` where the record has no room for what the card adds."""
        for what, number, room in (
            ("cards", len(self.cards), tables.MAX_CARDS),
            ("effects", len(self.effects), tables.MAX_EFFECTS),
            ("steps", len(self.steps), tables.MAX_STEPS),
            ("statics", len(self.statics), tables.MAX_STATICS),
            ("conditions", sum(map(len, self.conditions.values())), tables.MAX_CONDITIONS),
            ("filters", len(self.filters), tables.MAX_FILTERS),
        ):
            if number > room:
                raise InputError(
                    f"with this card the set has {number} {what}",
                    where=self.card_set.place(card.id),
                    right=f"there is room for {room}",
                )

    def _add_equipping(self, equip_filter: int) -> None:
        """An equip's activation: an effect that targets the unit and does nothing else."""
        self.starts["effect_if_from"].append(len(self.conditions["effect"]))
        self.starts["step_from"].append(len(self.steps))
        self.effects.append(
            {
                "when": vocabulary.WHEN_ACTIVATE,
                "window": NONE,
                "may": 0,
                "once": 0,
                "cost": 0,
                "target_zone": vocabulary.ZONE_UNITS,
                "target_filter": equip_filter,
            }
        )

    def _add_effect(self, card: Card, effect: Effect) -> None:
        target = effect.target
        chosen = 0 if target is None else 1
        for step in effect.do:
            self._add_step(card, step, chosen)
            chosen += step.choose is not None
        self._add_conditions(card, effect.if_, "effect")
        self.starts["step_from"].append(len(self.steps))
        self.effects.append(
            {
                "when": vocabulary.WHENS[effect.when],
                "window": NONE if effect.window is None else vocabulary.WINDOWS[effect.window],
                "may": int(effect.may),
                "once": int(effect.once_per_turn),
                "cost": effect.discard or 0,
                "target_zone": (
                    vocabulary.ZONE_NONE if target is None else vocabulary.ZONES[target.zone]
                ),
                "target_filter": self._filter(
                    card, target, kinds=NONE if target is None else _KINDS_IN_ZONE[target.zone]
                ),
            }
        )

    def _add_step(self, card: Card, step: Step, chosen: int) -> None:
        """Append a step; `chosen` counts the target and the choices made before it."""
        verb = step.verb
        who = vocabulary.WHOS[step.who] if step.who else vocabulary.WHO_TARGET
        if verb == "choose":
            who = vocabulary.WHO_SECOND if chosen else vocabulary.WHO_TARGET
        selection, kinds = _selection(step)
        self._add_conditions(card, step.if_, "step")
        self.steps.append(
            {
                "do": vocabulary.STEPS[verb],
                "who": who,
                "step_filter": self._filter(card, selection, kinds=kinds),
                "amount": step.draw or step.discard or step.gain_lp or step.damage or 0,
                "step_atk": step.atk,
                "step_def": step.def_,
                "until": vocabulary.UNTILS[step.until] if step.until else 0,
                "per_filter": self._filter(
                    card, step.per, kinds=vocabulary.IS_UNIT, any_faction=True
                ),
                "at_most": _limit(step.at_most),
                "from_zones": _mask(vocabulary.ZONES[zone] for zone in _zones(step)),
                "to": vocabulary.MOVES[step.to] if step.to else 0,
                "if_moved": int(step.if_moved is not None),
            }
        )

    def _add_static(self, card: Card, static: Static) -> None:
        reached = static.to if isinstance(static.to, Filter) else None
        self._add_conditions(card, static.if_, "static")
        self.statics.append(
            {
                "grant": vocabulary.GRANTS[static.grants or "stats"],
                "reach": vocabulary.REACHES[reach_of(static)],
                "static_filter": self._filter(card, reached, kinds=vocabulary.IS_UNIT),
                "static_atk": static.atk,
                "static_def": static.def_,
                "during": vocabulary.DURINGS[static.during],
                "role": vocabulary.ROLES[static.role],
                "static_per_filter": self._filter(
                    card, static.per, kinds=vocabulary.IS_UNIT, any_faction=True
                ),
                "static_at_most": _limit(static.at_most),
            }
        )

    def _add_conditions(self, card: Card, conditions: Sequence[Condition], owner: str) -> None:
        for condition in conditions:
            counts = condition.word in ("controls", "face_up")
            support = condition.word == "face_up"
            self.conditions[owner].append(
                {
                    "condition": vocabulary.CONDITIONS[condition.word],
                    "condition_filter": self._filter(
                        card,
                        condition.filter,
                        kinds=SUPPORT_KINDS if support else vocabulary.IS_UNIT,
                        any_faction=counts,
                        side="any" if support else "own",
                    ),
                    "condition_kinds": sum(
                        vocabulary.ANSWERS[word] for word in set(condition.answers or ())
                    ),
                }
            )
        self.starts[f"{owner}_if_from"].append(len(self.conditions[owner]))

    def _filter(
        self,
        card: Card,
        selection: Filter | None,
        *,
        kinds: int,
        any_faction: bool = False,
        side: str = "own",
        position: str = "any",
    ) -> int:
        """The number of a filter's row, or -1 for no filter; equal filters share a row.

        The keywords are what a filter means at its place if it does not say it itself.
        """
        if selection is None:
            return NONE
        side = selection.side or side
        if selection.kind is not None:
            kinds = sum(vocabulary.KIND_BITS[word] for word in set(selection.kind))
        faction = selection.faction or ("any" if any_faction or side != "own" else "own")
        row = {
            "filter_side": vocabulary.SIDES[side],
            "filter_kinds": kinds,
            "filter_tags": sum(vocabulary.TAGS[word] for word in set(selection.type or ())),
            "filter_card": NONE if selection.card is None else self.card_set.number(selection.card),
            "filter_faction": self._faction(card, faction),
            "filter_level_below": _limit(selection.level_below),
            "filter_atk_below": _limit(selection.atk_below),
            "filter_positions": vocabulary.POSITIONS[selection.position or position],
            "filter_flags": selection.flags(),
        }
        key = tuple(row.values())
        if key not in self._filter_numbers:
            self._filter_numbers[key] = len(self.filters)
            self.filters.append(row)
        return self._filter_numbers[key]

    def _faction(self, card: Card, word: str) -> int:
        if word == "any":
            return NONE
        return self.card_set.faction_number(card.faction if word == "own" else word)


#: What a target in a zone can be, where the filter does not say it.
_KINDS_IN_ZONE: Final = {
    "units": vocabulary.IS_UNIT,
    "support": SUPPORT_KINDS,
    "graveyard": ALL_KINDS,
}


def _selection(step: Step) -> tuple[Filter | None, int]:
    """The filter of a step and what it can be about."""
    if step.add is not None:
        return step.add, ALL_KINDS
    units = (step.special_deploy, step.choose, step.change_all)
    found = next((selection for selection in units if selection is not None), None)
    return found, vocabulary.IS_UNIT


def _zones(step: Step) -> tuple[str, ...]:
    if step.add is not None:
        return (step.add.from_,)
    if step.special_deploy is not None:
        return step.special_deploy.from_
    return ()


def _limit(number: int | None) -> int:
    return vocabulary.NO_LIMIT if number is None else number


def _mask(bits: Iterable[int]) -> int:
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask


def _write_rules(packed: Packed, rules: RuleSet) -> None:
    for option, value in rules.model_dump().items():
        packed[option] = FIRST_PLAYERS[value] if option == "first_player" else int(value)


def _write(packed: Packed, rows: Sequence[Row]) -> None:
    """Write rows into the columns that their keys name."""
    if not rows:
        return
    for column in rows[0]:
        values: list[Any] = [row[column] for row in rows]
        packed[column][0, : len(values)] = values


def _write_conditions(packed: Packed, rows: _Rows) -> None:
    """Write the conditions of effects, then of steps, then of statics, as one table."""
    together: list[Row] = []
    for owner in OWNERS:
        column = f"{owner}_if_from"
        rows.starts[column] = [len(together) + start for start in rows.starts[column]]
        together.extend(rows.conditions[owner])
    _write(packed, together)


def _write_starts(packed: Packed, column: str, starts: Sequence[int]) -> None:
    """Write a `…_from` column; behind the last owner every range is empty."""
    packed[column][0, : len(starts)] = starts
    packed[column][0, len(starts) :] = starts[-1]


def _write_fits(packed: Packed, filters: int, cards: int) -> None:
    """Write which card passes which filter: kind, tags, card, faction and (units) level."""
    table = packed[0]
    of_filter = {
        name: table[f"filter_{name}"][:filters, np.newaxis]
        for name in ("kinds", "tags", "card", "faction", "level_below")
    }
    kind, tags, faction, level = (
        table[name][np.newaxis, :cards] for name in ("kind", "tags", "faction", "level")
    )
    number = np.arange(cards)[np.newaxis, :]
    fits = (
        ((of_filter["card"] < 0) | (of_filter["card"] == number))
        & ((of_filter["faction"] < 0) | (of_filter["faction"] == faction))
        & (kind & of_filter["kinds"] != 0)
        & ((of_filter["tags"] == 0) | (tags & of_filter["tags"] != 0))
        & ((kind != vocabulary.IS_UNIT) | (level < of_filter["level_below"]))
    )
    packed["fits"][0, :filters, :cards] = fits


def _write_dependence(packed: Packed, cards: int) -> None:
    """Write which cards change stats, and on what these changes depend."""
    table = packed[0]
    for card in range(cards):
        for x in range(table["static_from"][card], table["static_from"][card + 1]):
            if table["grant"][x] not in (vocabulary.GRANT_STATS, vocabulary.GRANT_IMMUNITY):
                continue
            table["changes_stats"][card] = 1
            if table["during"][x] != vocabulary.DURING_COMBAT:
                table["depends"][card] |= _dependence(table, x)


def _dependence(table: np.void, x: int) -> int:
    """On what the changes of static x depend, as a mask of `vocabulary.ON_…`."""
    depends = 0
    filters = []
    if table["during"][x] == vocabulary.DURING_ATTACK:
        depends |= vocabulary.ON_ATTACKS
    if table["reach"][x] == vocabulary.REACH_UNITS:
        filters.append(table["static_filter"][x])
    if table["static_per_filter"][x] != NONE:
        depends |= vocabulary.ON_UNITS
        filters.append(table["static_per_filter"][x])
    for c in range(table["static_if_from"][x], table["static_if_from"][x + 1]):
        if table["condition"][c] == vocabulary.IF_CONTROLS:
            depends |= vocabulary.ON_UNITS
            filters.append(table["condition_filter"][c])
        else:
            depends |= vocabulary.ON_SUPPORT
    for f in filters:
        positions = int(table["filter_positions"][f])
        attack, defence, down = (
            positions & bit != 0
            for bit in (vocabulary.IN_ATTACK, vocabulary.IN_DEFENCE, vocabulary.FACE_DOWN)
        )
        if attack != defence:
            depends |= vocabulary.ON_POSITIONS
        if attack != down or defence != down:
            depends |= vocabulary.ON_FACES
    return depends
