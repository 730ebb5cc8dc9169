"""The small things that cards do. Where a player chooses, a function is a generator; what it gives back is its outcome:
a list of arrivals and destructions that the caller must answer with triggers and windows (see windows.py)."""

from __future__ import annotations

from .cards import CARDS
from .choices import CHOICE, Decision, choose_card, option, zone_names
from .duel import ATTACK, DEFENCE, FACE_DOWN, Support, Unit


class Arrival:
    """A unit came: deployed face-up from the hand, or specially."""

    def __init__(self, unit, special):
        self.unit, self.side, self.special = unit, unit.side, special


class Destruction:
    """Units were destroyed (in a battle: perhaps none)."""

    def __init__(self, dead, battle=None, kills=(), damage_by=None):
        self.dead = list(dead)
        self.battle = battle
        self.kills = list(kills)  # (killer, victim) in battle
        self.damage_by = damage_by  # the unit that dealt battle damage
        self.won_by_attacker = False

    def dead_of(self, side):
        return [unit for unit in self.dead if unit.side == side]


# -- cards -----------------------------------------------------------------------------------------
def draw(duel, side, number):
    me = duel.sides[side]
    for _ in range(number):
        if me.deck:
            me.hand.append(me.deck.pop(0))
        elif duel.rules["effect_draw_loses"]:
            duel.lose(side, "deck")
        else:
            return


def discard(duel, side, allowed=None):
    """Discard one card of one's own choice (of those allowed)."""
    me = duel.sides[side]
    card_id = yield from choose_card(
        duel, side, "discard", "hand", [c for c in me.hand if allowed is None or allowed(c)]
    )
    me.hand.remove(card_id)
    me.graveyard.append(card_id)
    return card_id


def draw_then_discard(duel, side, number):
    draw(duel, side, number)
    for _ in range(number):
        if duel.sides[side].hand:
            yield from discard(duel, side)
    return []


def find(duel, side, zone, wanted):
    """Ids of the cards of this zone that fit, without repetition."""
    return list(dict.fromkeys(c for c in getattr(duel.sides[side], zone) if wanted(CARDS[c])))


def add_to_hand(duel, side, zone, wanted):
    """Add 1 fitting card from the deck or the graveyard to the hand, if there is one."""
    found = find(duel, side, zone, wanted)
    if not found:
        return []
    card_id = yield from choose_card(duel, side, "take", zone, found)
    pile = getattr(duel.sides[side], zone)
    pile.remove(card_id)
    duel.sides[side].hand.append(card_id)
    if zone == "deck":
        duel.random.shuffle(pile)
    return []


def can_special(duel, side, zones, wanted) -> bool:
    return duel.unit_zone_free(side) and any(find(duel, side, zone, wanted) for zone in zones)


def special_deploy(duel, side, zones, wanted):
    """Put 1 fitting unit from one of these zones face-down in defence on the field, if that can be done."""
    if not can_special(duel, side, zones, wanted):
        return []
    found = [(zone, card_id) for zone in zones for card_id in find(duel, side, zone, wanted)]
    options = []
    for zone, card_id in found:
        in_both = sum(other == card_id for _, other in found) > 1
        options.append(
            option("special", (zone, card_id), zone_names(duel, side, zone, [card_id], in_both)[0])
        )
    zone, card_id = yield Decision(side, CHOICE, options)
    pile = getattr(duel.sides[side], zone)
    pile.remove(card_id)
    if zone == "deck":
        duel.random.shuffle(pile)
    unit = Unit(card_id, side, FACE_DOWN, new=True)
    duel.sides[side].units.append(unit)
    duel.note(f"{side} special-deploys {card_id}")
    return [Arrival(unit, special=True)]


# -- units -----------------------------------------------------------------------------------------
def change(unit, stat, amount, only_in_combat=False):
    """To the end of the turn."""
    unit.changes.append((stat, amount, only_in_combat))


def put(duel, unit, position):
    """By an effect: no reposition."""
    unit.position = position
    duel.note(f"{unit.side}:{unit.id} goes to {position}")


def put_into_defence(duel, unit):
    if unit.position == ATTACK:
        put(duel, unit, DEFENCE)


def change_position(duel, unit):
    put(duel, unit, DEFENCE if unit.position == ATTACK else ATTACK)


def to_graveyard(duel, dead):
    """Destroyed units leave the field; the turn player's first."""
    for side in duel.in_turn_order():
        for unit in dead:
            if unit.side == side:
                duel.remove_unit(unit)
                duel.sides[side].lost += 1
                duel.note(f"{side}:{unit.id} is destroyed")


def destroy(duel, unit):
    """By an effect."""
    to_graveyard(duel, [unit])
    return [Destruction([unit])]


def face_up_support(duel, side, card_id, on, place):
    """A doctrine comes to lie face-up; `place` is where it lay face-down, or None."""
    row = duel.sides[side].support
    row.insert(len(row) if place is None else place, Support(card_id, side, True, False, on))
