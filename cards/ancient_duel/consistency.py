"""What the words of one card must have to do with each other, and the cards of a set.

`model` checks each word; here it is checked that a card makes sense as a whole: a tactic has a
window, a step acts on a unit that something chose, a name in a filter is a card of the set. Without
this a card would load and then quietly do nothing in a duel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cards.ancient_duel import vocabulary
from cards.ancient_duel.model import Card, Condition, Effect, Faction, Filter, Static, Step
from cards.errors import InputError
from cards.names import quote, suggestion

TYPES_OF_KIND: Final = {
    "unit": tuple(word for word in vocabulary.UNIT_TYPES if word != "commander"),
    "commander": ("commander",),
    "doctrine": vocabulary.DOCTRINE_TYPES,
    "tactic": vocabulary.TACTIC_TYPES,
}
_UNIT_WHENS: Final = (
    "use",
    "deploy",
    "normal_deploy",
    "destroyed",
    "destroyed_in_battle",
    "destroys_in_battle",
    "wins_as_attacker",
    "deals_battle_damage",
    "after_attack",
    "turn_start",
)
WHENS_OF_KIND: Final = {
    "unit": _UNIT_WHENS,
    "commander": _UNIT_WHENS,
    "doctrine": ("activate", "use", "turn_start", "own_unit_destroyed"),
    "tactic": ("respond",),
}
#: Moments for which a card has one effect at most; a tactic has one for each window.
_ONE_OF: Final = ("activate", "respond", "use", "turn_start", "own_unit_destroyed")
BATTLE: Final = ("declared", "combat", "would_be_destroyed", "aftermath")
#: In which windows there is such a unit.
WINDOWS_OF_WHO: Final = {
    "attacker": BATTLE,
    "attacked": BATTLE,
    "fighter": BATTLE,
    "opponent": BATTLE,
    "answered": ("targeted",),
    "doomed": ("would_be_destroyed",),
    "arrived": ("deployed",),
}
#: In which windows a condition can hold; `own_unit_destroyed` counts as an aftermath here.
WINDOWS_OF_CONDITION: Final = {
    "attacked": ("declared", "combat"),
    "attacking": ("declared", "combat"),
    "battles": ("declared", "combat"),
    "lost": ("aftermath",),
    "lost_in_battle": ("aftermath",),
    "destroyed_enemy": ("aftermath",),
    "survived": ("aftermath",),
    "target_is": ("targeted",),
    "answers": ("targeted",),
    "doomed": ("would_be_destroyed",),
    "deployed": ("deployed",),
    "special_deployed": ("deployed",),
}
WINDOWS_OF_STEP: Final = {
    "cancel_attack": ("declared",),
    "cancel_effect": ("targeted",),
    "save": ("would_be_destroyed",),
}
#: Whom a grant may reach.
REACHES_OF_GRANT: Final = {
    "immunity": ("self", "units"),
    "silence": ("self",),
    "piercing": ("self",),
    "shield": ("self",),
    "one_attack": ("self",),
    "no_direct_after_loss": ("self",),
    "protects_terrain": ("self",),
}
DOOM: Final = "would_be_destroyed"
#: A battle that is being decided counts on both of its units, so that none may go in between, nor
#: come, which would open the windows in which others may go.
NOT_IN_DOOM: Final = ("destroy", "sacrifice", "special_deploy")
STATS: Final = ("level", "atk", "def_", "energy")


def check_card(card: Card) -> None:
    """Raise an `InputError` (its place inside the card) where the card makes no sense."""
    _check_head(card)
    for number, effect in enumerate(card.effect, 1):
        _check_effect(card, effect, f"effect {number}")
    for number, static in enumerate(card.static, 1):
        _check_static(card, static, f"static {number}")


def _check_head(card: Card) -> None:
    types = TYPES_OF_KIND[card.kind]
    if card.type not in types:
        raise InputError(
            f"{card.type!r} is no type of a {card.kind}",
            where="type",
            right=suggestion(card.type, types),
        )
    for key in STATS:
        shown = key.rstrip("_")
        given = getattr(card, key) is not None
        if card.is_unit and not given:
            raise InputError("is missing", where=shown, right="every unit has it")
        if not card.is_unit and given:
            raise InputError(f"a {card.kind} has no {shown}", where=shown, right="leave it out")
    if card.kind == "commander" and card.copies > 1:
        raise InputError(f"is {card.copies}", where="copies", right="a commander has at most 1")
    if (card.type == "equip") != (card.equips is not None):
        what = "is missing" if card.type == "equip" else f"a card of type {card.type!r} has none"
        raise InputError(what, where="equips", right="an equip doctrine, and no other card, has it")
    whens = {effect.when for effect in card.effect}
    if card.type == "equip" and "activate" in whens:
        raise InputError(
            "an equip is activated by being put on a unit and does nothing else then",
            where="effect",
            right="write a static with to = 'equipped'",
        )
    if card.type in ("continuous", "terrain") and "activate" in whens:
        raise InputError(
            f"a {card.type} doctrine stays on the field and does nothing else when it is activated",
            where="effect",
            right="possible: use, turn_start, own_unit_destroyed, or a static",
        )
    if card.type == "one-shot" and (whens != {"activate"} or card.static):
        raise InputError(
            "a one-shot doctrine has effects with when = 'activate' and nothing else",
            where="effect",
        )
    if card.kind == "tactic" and (not card.effect or card.static):
        raise InputError("a tactic has effects and no statics", where="effect")
    _check_single(card)


def _check_single(card: Card) -> None:
    """Of what a side chooses a card has one: a second one would never be asked for."""
    first: dict[tuple[str, str | None], int] = {}
    for number, effect in enumerate(card.effect, 1):
        key = (effect.when, effect.window)
        if effect.when in _ONE_OF and key in first:
            moment = effect.when if effect.window is None else f"respond in {effect.window}"
            raise InputError(
                f"effect {first[key]} is for {moment!r}, too",
                where=f"effect {number}",
                right="a card has one of these: put the steps together",
            )
        first[key] = number


def _check_effect(card: Card, effect: Effect, where: str) -> None:
    whens = WHENS_OF_KIND[card.kind]
    if effect.when not in whens:
        raise InputError(
            f"a {card.kind} has no moment {effect.when!r}",
            where=f"{where}, when",
            right=f"possible: {', '.join(whens)}",
        )
    if (effect.window is None) == (effect.when == "respond"):
        what = "is missing" if effect.window is None else "only a tactic has one"
        right = f"one of {', '.join(vocabulary.WINDOWS)}" if effect.window is None else ""
        raise InputError(what, where=f"{where}, window", right=right)
    if effect.once_per_turn and effect.when != "own_unit_destroyed":
        raise InputError(
            f"{effect.when!r} needs no limit",
            where=f"{where}, once_per_turn",
            right="it is for 'own_unit_destroyed'; a 'use' is once a turn by itself",
        )
    window = "aftermath" if effect.when == "own_unit_destroyed" else effect.window
    _check_conditions(effect.if_, window, f"{where}, if")
    chosen: list[str] = []
    if effect.target is not None and window == DOOM:
        raise InputError(
            "nothing is targeted here",
            where=f"{where}, target",
            right=f"in the window {DOOM!r} a step may choose, or act on 'doomed'",
        )
    if effect.target is not None:
        _check_selection(card, effect.target, chosen, f"{where}, target")
        chosen.append(effect.target.zone)
    for number, step in enumerate(effect.do, 1):
        place = f"{where}, do {number}"
        _check_step(card, step, window, chosen, effect.do[: number - 1], place)
        if step.choose is not None:
            chosen.append("units")


def _check_step(
    card: Card,
    step: Step,
    window: str | None,
    chosen: Sequence[str],
    before: Sequence[Step],
    where: str,
) -> None:
    """Check one step; `chosen` holds the zone of the target and of each unit chosen before."""
    verb = step.verb
    windows = WINDOWS_OF_STEP.get(verb)
    if windows is not None and window not in windows:
        raise InputError(
            "there is nothing to do this to",
            where=f"{where}, {verb}",
            right=f"it belongs in the window {windows[0]!r}",
        )
    if window == DOOM and verb in NOT_IN_DOOM:
        raise InputError(
            f"not in the window {DOOM!r}",
            where=f"{where}, {verb}",
            right="units come and go when the battle is decided; write it for another window",
        )
    _check_conditions(step.if_, window, f"{where}, if")
    if step.who is not None:
        _check_who(card, step.who, window, chosen, f"{where}, {verb}")
    for zone, word in (("support", "destroy_support"), ("graveyard", "recover")):
        if verb == word and list(chosen[:1]) != [zone]:
            raise InputError(
                f"nothing is targeted in the zone {zone!r}",
                where=f"{where}, {verb}",
                right=f"give the effect target = {{ zone = '{zone}' }}",
            )
    if step.choose is not None:
        if len(chosen) > 1:
            raise InputError("a third choice has no name", where=where, right="at most two")
        _check_selection(card, step.choose, chosen, f"{where}, choose")
    if verb == "recover" and before:
        raise InputError(
            "the graveyard may have changed by then",
            where=f"{where}, recover",
            right="write it as the first step",
        )
    earlier = {done.verb for done in before}
    if step.to == "chosen" and "choose_position" not in earlier:
        raise InputError("no position was chosen", where=f"{where}, to", right="choose_position")
    if step.if_moved and "move" not in earlier:
        raise InputError("nothing was moved before", where=f"{where}, if_moved")


def _check_who(card: Card, who: str, window: str | None, chosen: Sequence[str], where: str) -> None:
    needed = {"target": 1, "second": 2}.get(who, 0)
    if len(chosen) < needed or (needed and chosen[needed - 1] != "units"):
        raise InputError(
            f"no unit was targeted or chosen to be the {who!r}",
            where=where,
            right="give the effect a target, or choose before",
        )
    if who == "self" and not card.is_unit:
        raise InputError(f"a {card.kind} is no unit", where=where, right="'self' is for units")
    windows = WINDOWS_OF_WHO.get(who)
    if windows is not None and window not in windows:
        raise InputError(
            f"there is no unit {who!r} at this moment",
            where=where,
            right=f"only in the window {' or '.join(map(repr, windows))}",
        )


def _check_selection(card: Card, selection: Filter, chosen: Sequence[str], where: str) -> None:
    if selection.weaker_than_chosen and not chosen:
        raise InputError("nothing was chosen before", where=f"{where}, weaker_than_chosen")
    if selection.weaker_than_source and not card.is_unit:
        raise InputError(f"a {card.kind} has no ATK", where=f"{where}, weaker_than_source")


def _check_conditions(conditions: Iterable[Condition], window: str | None, where: str) -> None:
    for number, condition in enumerate(conditions, 1):
        windows = WINDOWS_OF_CONDITION.get(condition.word)
        if windows is not None and window not in windows:
            raise InputError(
                "it can never hold at this moment",
                where=f"{where} {number}, {condition.word}",
                right=f"it belongs in the window {' or '.join(map(repr, windows))}",
            )


def reach_of(static: Static) -> str:
    """The word of `vocabulary.REACHES` for a static."""
    return "units" if isinstance(static.to, Filter) else static.to


def _check_static(card: Card, static: Static, where: str) -> None:
    reach = reach_of(static)
    changes = bool(static.atk or static.def_)
    if changes == (static.grants is not None):
        what = "changes nothing and grants nothing" if not changes else "changes and grants"
        raise InputError(what, where=where, right="give it atk, def or both, or else grants")
    _check_conditions(static.if_, None, f"{where}, if")
    if static.grants is not None and reach not in REACHES_OF_GRANT[static.grants]:
        raise InputError(f"{static.grants!r} cannot reach {reach!r}", where=f"{where}, to")
    if (reach == "equipped") != (card.type == "equip"):
        raise InputError(
            f"a card of type {card.type!r} reaches {reach!r}",
            where=f"{where}, to",
            right="'equipped' is for equip doctrines, which reach nothing else",
        )
    if reach == "self" and changes and not card.is_unit:
        raise InputError(
            f"a {card.kind} has no ATK and DEF",
            where=where,
            right="write to = { … } for your units",
        )
    if reach == "opponent" and (static.during != "combat" or not card.is_unit):
        raise InputError(
            "only a unit has an opponent, and only in combat",
            where=f"{where}, to",
            right="write during = 'combat'",
        )
    if static.role != "any" and static.during == "always":
        raise InputError(
            "a role is played in a battle only", where=f"{where}, role", right="give it during"
        )
    if (static.at_most is None) != (static.per is None):
        raise InputError("'per' and 'at_most' belong together", where=where)


def check_names(card: Card, cards: Sequence[str], factions: Sequence[Faction]) -> None:
    """Raise an `InputError` where a filter names a card or faction that is not there."""
    known = ["own", "any", *(faction.id for faction in factions)]
    for selection in filters_of(card):
        if selection.card is not None and selection.card not in cards:
            raise InputError(
                f"no card has the id {quote(selection.card)}",
                where="a filter, card",
                right=suggestion(selection.card, cards, show_all=False),
            )
        if selection.faction is not None and selection.faction not in known:
            raise InputError(
                f"{quote(selection.faction)} is no faction",
                where="a filter, faction",
                right=suggestion(selection.faction, known),
            )


def filters_of(card: Card) -> Iterator[Filter]:
    """Every filter of a card, conditions' and steps' included."""
    found: list[Filter | None] = [card.equips]
    conditions: list[Condition] = []
    for effect in card.effect:
        found.append(effect.target)
        conditions.extend(effect.if_)
        for step in effect.do:
            found.extend((step.add, step.special_deploy, step.choose, step.change_all, step.per))
            conditions.extend(step.if_)
    for static in card.static:
        found.extend((static.to if isinstance(static.to, Filter) else None, static.per))
        conditions.extend(static.if_)
    found.extend(condition.filter for condition in conditions)
    return (selection for selection in found if selection is not None)
