"""Windows for tactics, and what follows an arrival or a destruction."""

from __future__ import annotations

from .choices import WINDOW, Decision, Name, field_names, option
from .effects import Arrival
from .tactics import TACTICS
from .triggers import after_destruction


class Targeting:
    """An effect of `side` has chosen its target; `unit` is None if that is no unit on the field."""

    def __init__(self, side, source, unit, activation):
        self.side, self.source, self.unit, self.activation = side, source, unit, activation
        self.cancelled = False


def silenced(duel, side) -> bool:
    """Kushite Axemen attack: the opponent has no tactics from the declaration to the end of step 5."""
    battle = duel.battle
    return (
        battle is not None
        and battle.before_damage_ends
        and battle.attacker.side != side
        and battle.attacker.id == "kushite_axemen"
    )


def group_name(duel, side, cards) -> Name:
    """Identical face-down support cards are one choice, called by the plain identifier."""
    names = field_names(duel, side, cards)
    return Name(
        cards[0].id,
        frozenset([cards[0].id, f"{side}:{cards[0].id}"]).union(*(name.aliases for name in names)),
    )


def responses(duel, side, window_name, event):
    me, options = duel.sides[side], []
    if silenced(duel, side) or me.energy < duel.rules["activation_cost"]:
        return options
    ready = [
        card
        for card in me.support
        if card.card.is_tactic
        and not card.face_up
        and not (duel.rules["set_cards_wait"] and card.new)
    ]
    for card_id in dict.fromkeys(card.id for card in ready):
        tactic = TACTICS[card_id]
        if tactic.window != window_name or not tactic.can(duel, side, event):
            continue
        copies = [card for card in ready if card.id == card_id]
        name = group_name(duel, side, copies)
        if tactic.targets is None:
            options.append(option("respond", (copies[0], None), name))
            continue
        targets = tactic.targets(duel, side, event)
        for target, target_name in zip(targets, field_names(duel, side, targets)):
            options.append(option("respond", (copies[0], target), name, target_name))
    return options


def window(duel, side, window_name, event, closed=lambda: False):
    """One side answers an event with as many tactics as it likes; then come the rounds for what they destroyed."""
    destructions = []
    while not closed():
        options = responses(duel, side, window_name, event)
        if not options:
            break
        chosen = yield Decision(side, WINDOW, options + [option("pass", None)])
        if chosen is None:
            break
        destructions += yield from respond(duel, side, event, *chosen)
    for destruction in destructions:
        yield from aftermath(duel, destruction)


def respond(duel, side, event, card, target):
    """Activate a set tactic; gives back the destructions that still need a round of windows."""
    me, tactic = duel.sides[side], TACTICS[card.id]
    me.energy -= duel.rules["activation_cost"]
    me.support = [other for other in me.support if other is not card]
    duel.resolving.append((side, card.id))
    duel.note(f"{side} responds with {card.id}")
    outcome = []
    if target is None or (yield from targeted(duel, side, "tactic", target, activation=True)):
        outcome = yield from tactic.resolve(duel, side, event, target)
    duel.resolving.remove((side, card.id))
    me.graveyard.append(card.id)
    destructions = []
    for item in outcome:
        if isinstance(item, Arrival):
            yield from deployed(duel, item)
        else:
            yield from destroyed(duel, item)
            destructions.append(item)
    return destructions


def targeted(duel, side, source, unit, activation=False):
    """The other side's window after a target was chosen; gives back whether the effect goes on."""
    aim = Targeting(side, source, unit, activation)
    yield from window(duel, duel.other(side), "targeted", aim)
    return not aim.cancelled


def deployed(duel, arrival):
    for side in (arrival.side, duel.other(arrival.side)):
        yield from window(duel, side, "deployed", arrival)


def destroyed(duel, destruction):
    """Unit effects and doctrines that trigger, with the windows of what they bring to the field."""
    for step in after_destruction(duel, destruction):
        for item in (yield from step):
            yield from deployed(duel, item)


def aftermath(duel, destruction):
    first, second = duel.in_turn_order()
    if destruction.dead_of(second) and not destruction.dead_of(first):
        first, second = second, first
    for side in (first, second):
        yield from window(duel, side, "aftermath", destruction)


def settle(duel, outcome):
    """Everything that follows the effect of a unit or a doctrine."""
    for item in outcome:
        if isinstance(item, Arrival):
            yield from deployed(duel, item)
        else:
            yield from destroyed(duel, item)
            yield from aftermath(duel, item)
