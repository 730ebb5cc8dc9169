"""Cards on the move between the zones (rulebook, section 2), LP, and how a duel ends."""

from __future__ import annotations

from cards.ancient_duel.vocabulary import (
    FACE_DOWN,
    IN_ATTACK,
    ON_FACES,
    ON_POSITIONS,
    ON_SUPPORT,
    ON_UNITS,
)
from sim.ancient_duel.record import BY_DECK, BY_LP, CAPACITY, FIELD, LOSSES
from sim.ancient_duel.stats import refresh_unit
from sim.compiled import compiled
from sim.random_numbers import STREAM_SETUP_A, STREAM_SHUFFLE_A, random_below


@compiled
def lose(duel, side, reason):  # type: ignore[no-untyped-def]
    """`side` loses the duel, in the middle of whatever is going on."""
    if duel.over == 0:
        duel.over = 1
        duel.winner = 1 - side
        duel.reason = reason


@compiled
def lose_lp(duel, side, amount):  # type: ignore[no-untyped-def]
    """Take LP off; at 0 or less the duel is over."""
    duel.lp[side] -= amount
    if duel.lp[side] <= 0:
        lose(duel, side, BY_LP)


@compiled
def shuffle(duel, side, stream):  # type: ignore[no-untyped-def]
    """Fisher-Yates over what is left of the deck."""
    for i in range(duel.deck_size[side] - 1, 0, -1):
        j = random_below(duel, stream, i + 1)
        card = duel.deck[side, i]
        duel.deck[side, i] = duel.deck[side, j]
        duel.deck[side, j] = card


@compiled
def opening_shuffle(duel, side):  # type: ignore[no-untyped-def]
    """The shuffle before the duel."""
    shuffle(duel, side, STREAM_SETUP_A + side)


@compiled
def shuffle_again(duel, side):  # type: ignore[no-untyped-def]
    """The shuffle after a search."""
    shuffle(duel, side, STREAM_SHUFFLE_A + side)


@compiled
def add_to_hand(duel, side, card):  # type: ignore[no-untyped-def]
    """A card goes last in the hand."""
    n = duel.hand_size[side]
    if n < CAPACITY:
        duel.hand[side, n] = card
        duel.hand_size[side] = n + 1


@compiled
def add_to_graveyard(duel, side, card):  # type: ignore[no-untyped-def]
    """A card becomes the newest of the graveyard."""
    n = duel.graveyard_size[side]
    if n < CAPACITY:
        duel.graveyard[side, n] = card
        duel.graveyard_size[side] = n + 1


@compiled
def draw(duel, side):  # type: ignore[no-untyped-def]
    """Draw one card; False where the deck is empty."""
    n = duel.deck_size[side]
    if n == 0:
        return False
    duel.deck_size[side] = n - 1
    add_to_hand(duel, side, duel.deck[side, n - 1])
    return True


@compiled
def draw_or_lose(duel, side):  # type: ignore[no-untyped-def]
    """Draw one card; who must and cannot loses at once."""
    if not draw(duel, side):
        lose(duel, side, BY_DECK)


@compiled
def take_from_hand(duel, side, place):  # type: ignore[no-untyped-def]
    """Remove and return the card at a place in the hand."""
    card = duel.hand[side, place]
    n = duel.hand_size[side] - 1
    for i in range(place, n):
        duel.hand[side, i] = duel.hand[side, i + 1]
    duel.hand_size[side] = n
    return card


@compiled
def take_from_deck(duel, side, place):  # type: ignore[no-untyped-def]
    """Remove and return the card at a place in the deck."""
    card = duel.deck[side, place]
    n = duel.deck_size[side] - 1
    for i in range(place, n):
        duel.deck[side, i] = duel.deck[side, i + 1]
    duel.deck_size[side] = n
    return card


@compiled
def take_from_graveyard(duel, side, place):  # type: ignore[no-untyped-def]
    """Remove and return the card at a place in the graveyard."""
    card = duel.graveyard[side, place]
    n = duel.graveyard_size[side] - 1
    for i in range(place, n):
        duel.graveyard[side, i] = duel.graveyard[side, i + 1]
    duel.graveyard_size[side] = n
    return card


@compiled
def discard(duel, side, place):  # type: ignore[no-untyped-def]
    """The card at a place in the hand goes to the graveyard."""
    add_to_graveyard(duel, side, take_from_hand(duel, side, place))


@compiled
def unit_zone_free(duel, t, side):  # type: ignore[no-untyped-def]
    """Whether one more unit has room."""
    n = duel.units[side]
    return n < FIELD and (t.unit_zones == 0 or n < t.unit_zones)


@compiled
def support_zone_free(duel, t, side):  # type: ignore[no-untyped-def]
    """Whether one more support card has room."""
    n = duel.supports[side]
    return n < FIELD and (t.support_zones == 0 or n < t.support_zones)


@compiled
def place_unit(duel, t, side, card, position):  # type: ignore[no-untyped-def]
    """Put a unit last on the field; its slot."""
    u = 0
    while duel.unit_card[side, u] >= 0:
        u += 1
    duel.uids += 1
    duel.unit_card[side, u] = card
    duel.unit_uid[side, u] = duel.uids
    duel.unit_position[side, u] = position
    duel.unit_attacked[side, u] = 0
    duel.unit_came[side, u] = 1
    duel.unit_repositioned[side, u] = 0
    duel.unit_used[side, u] = 0
    duel.unit_turn_atk[side, u] = 0
    duel.unit_turn_def[side, u] = 0
    duel.unit_combat_atk[side, u] = 0
    duel.unit_combat_def[side, u] = 0
    duel.unit_combats_atk[side, u] = 0
    duel.unit_combats_def[side, u] = 0
    duel.unit_wound_atk[side, u] = 0
    duel.unit_wound_def[side, u] = 0
    duel.unit_old_wound_atk[side, u] = 0
    duel.unit_old_wound_def[side, u] = 0
    duel.unit_may_defend[side, u] = 0
    duel.unit_immune[side, u] = 0
    duel.unit_at[side, duel.units[side]] = u
    duel.units[side] += 1
    if t.changes_stats[card] != 0 or duel.depends & ON_UNITS != 0:
        duel.stale = 1
    else:
        refresh_unit(duel, t, side, u)
    return u


@compiled
def place_support(duel, t, side, card, up, on, came, place):  # type: ignore[no-untyped-def]
    """Put a doctrine or tactic on the field at a place of the support order (-1: last); its slot.

    `on`: the equipped unit's slot, or -1. `came`: 1 where it is set this turn.
    """
    k = 0
    while duel.support_card[side, k] >= 0:
        k += 1
    duel.support_card[side, k] = card
    duel.support_up[side, k] = up
    duel.support_on[side, k] = on
    duel.support_used[side, k] = 0
    duel.support_came[side, k] = came
    n = duel.supports[side]
    if place < 0 or place > n:
        place = n
    for i in range(n, place, -1):
        duel.support_at[side, i] = duel.support_at[side, i - 1]
    duel.support_at[side, place] = k
    duel.supports[side] = n + 1
    if up != 0:
        _note_face_up_support(duel, t, card)
    return k


@compiled
def _note_face_up_support(duel, t, card):  # type: ignore[no-untyped-def]
    """A support card came to lie face-up, or one that did leaves."""
    if t.changes_stats[card] != 0 or duel.depends & ON_SUPPORT != 0:
        duel.stale = 1


@compiled
def turn_up_support(duel, t, side, k):  # type: ignore[no-untyped-def]
    """A face-down support card is turned up where it lies."""
    duel.support_up[side, k] = 1
    _note_face_up_support(duel, t, duel.support_card[side, k])


@compiled
def support_place(duel, side, k):  # type: ignore[no-untyped-def]
    """Where slot k stands in support order, or -1."""
    for i in range(duel.supports[side]):
        if duel.support_at[side, i] == k:
            return i
    return -1


@compiled
def lift_support(duel, t, side, k):  # type: ignore[no-untyped-def]
    """Take the card in support slot k off the field, into no zone; return it."""
    card = duel.support_card[side, k]
    n = duel.supports[side] - 1
    for i in range(support_place(duel, side, k), n):
        duel.support_at[side, i] = duel.support_at[side, i + 1]
    duel.supports[side] = n
    duel.support_card[side, k] = -1
    if duel.support_up[side, k] != 0:
        _note_face_up_support(duel, t, card)
    return card


@compiled
def bury_support(duel, t, side, k):  # type: ignore[no-untyped-def]
    """The card in support slot k goes to the graveyard."""
    add_to_graveyard(duel, side, lift_support(duel, t, side, k))


@compiled
def bury_unit(duel, t, side, u):  # type: ignore[no-untyped-def]
    """A unit leaves the field for the graveyard, then its equips in support order."""
    card = duel.unit_card[side, u]
    add_to_graveyard(duel, side, card)
    if t.changes_stats[card] != 0 or duel.depends & ON_UNITS != 0:
        duel.stale = 1
    n = duel.units[side] - 1
    found = 0
    for i in range(n):
        if duel.unit_at[side, i] == u:
            found = 1
        if found == 1:
            duel.unit_at[side, i] = duel.unit_at[side, i + 1]
    duel.units[side] = n
    duel.unit_card[side, u] = -1
    duel.unit_uid[side, u] = 0
    if duel.attacking != 0 and side == duel.active and u == duel.attacker:
        duel.attacker = -1  # a unit that comes into this slot is not attacking
    i = 0
    while i < duel.supports[side]:
        k = duel.support_at[side, i]
        if duel.support_on[side, k] == u:
            bury_support(duel, t, side, k)
        else:
            i += 1


@compiled
def note_loss(duel, side, card):  # type: ignore[no-untyped-def]
    """Remember that a unit was destroyed, for the effects and windows that answer it."""
    duel.lost_unit[side] = 1
    n = duel.losses
    if n < LOSSES:
        duel.loss_side[n] = side
        duel.loss_card[n] = card
        duel.losses = n + 1


@compiled
def unit_is(duel, side, u, uid):  # type: ignore[no-untyped-def]
    """Whether the unit that had this slot and uid is still on the field."""
    return u >= 0 and duel.unit_card[side, u] >= 0 and duel.unit_uid[side, u] == uid


@compiled
def put_into(duel, t, side, u, position):  # type: ignore[no-untyped-def]
    """Move a unit to a battle position; whether that changed it.

    Defence leaves a face-down unit face-down, which is in defence already.
    """
    now = duel.unit_position[side, u]
    if now == position or (position != IN_ATTACK and now != IN_ATTACK):
        return False
    turn_unit(duel, t, side, u, position)
    return True


@compiled
def turn_unit(duel, t, side, u, position):  # type: ignore[no-untyped-def]
    """Set the position of a unit, face-down or not."""
    turned = (duel.unit_position[side, u] == FACE_DOWN) != (position == FACE_DOWN)
    duel.unit_position[side, u] = position
    depends = ON_POSITIONS | ON_FACES if turned else ON_POSITIONS
    if turned and t.changes_stats[duel.unit_card[side, u]] != 0:
        duel.stale = 1
    elif duel.depends & depends != 0:
        if duel.depends & ON_UNITS != 0:
            duel.stale = 1
        else:
            refresh_unit(duel, t, side, u)
