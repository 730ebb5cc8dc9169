"""The duel as a value: one flat numpy record, and the buffer of its legal options.

Copying the record copies the duel, at any decision. Sides are 0 (a) and 1 (b). Units and support
cards live in slots that do not move while they are on the field; `unit_at` and `support_at` list
the slots in field order. A reference to a unit that may have left is a slot with its `uid`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sim.random_numbers import STREAMS

CAPACITY: Final = 48  # cards that a hand, deck or graveyard can hold
FIELD: Final = 40  # units, and support cards, that one side can have
FRAMES: Final = 28  # depth of the stack of steps
WIDTH: Final = 24  # numbers in a frame
LOSSES: Final = 48  # units destroyed and not yet answered
#: From this depth on nothing more is set off (no effects, no windows), so that no chain of cards
#: can outgrow the stack. The game's own cards stay far below it (a test measures that).
DEEPEST: Final = FRAMES - 10
#: Effects in one turn after which nothing more is set off, activated or used, and attacks after
#: which none is declared, so that cards which feed each other come to an end. The game's own cards
#: stay far below it.
MOST_EFFECTS: Final = 400
MAX_OPTIONS: Final = 4096  # 40 units with abilities and 80 targets are 3200
SCRATCH: Final = 512  # numbers that a strategy can put down while it chooses

# --- phases ---------------------------------------------------------------------------------------
DRAW: Final = 0
STANDBY: Final = 1
MAIN1: Final = 2
BATTLE: Final = 3
MAIN2: Final = 4
END: Final = 5

# --- why a duel ended -----------------------------------------------------------------------------
BY_LP: Final = 1
BY_DECK: Final = 2

# --- choices --------------------------------------------------------------------------------------
DEPLOY: Final = 0
SET: Final = 1
ACTIVATE: Final = 2
USE: Final = 3
REPOSITION: Final = 4
ATTACK: Final = 5
GO_BATTLE: Final = 6
GO_MAIN2: Final = 7
GO_END: Final = 8
RESPOND: Final = 9
PASS: Final = 10
DISCARD: Final = 11
TAKE: Final = 12
SPECIAL: Final = 13
CHOOSE: Final = 14
YES: Final = 15
NO: Final = 16
VERBS: Final = (
    "deploy",
    "set",
    "activate",
    "use",
    "reposition",
    "attack",
    "battle",
    "main2",
    "end",
    "respond",
    "pass",
    "discard",
    "take",
    "special",
    "choose",
    "yes",
    "no",
)
#: What `target_zone` says where a battle position is chosen; the slot then is IN_ATTACK or
#: IN_DEFENCE.
ZONE_POSITION: Final = 6

# --- kinds of decision ----------------------------------------------------------------------------
ASK_MAIN: Final = 0
ASK_BATTLE: Final = 1
ASK_WINDOW: Final = 2
ASK_MAY: Final = 3
ASK_DISCARD: Final = 4
ASK_TAKE: Final = 5
ASK_SPECIAL: Final = 6
ASK_CHOOSE: Final = 7

# --- frames: a stack of steps still to do ---------------------------------------------------------
OP: Final = 0
PC: Final = 1

OP_TURN: Final = 0
OP_ATTACK: Final = 1
OP_EFFECT: Final = 2
OP_WINDOW: Final = 3
OP_ROUND: Final = 4  # a window for one side, then for the other
OP_TRIGGER: Final = 5  # the effects of one card that an event sets off

# OP_EFFECT
E_EFFECT: Final = 2
E_SIDE: Final = 3
E_CARD: Final = 4
E_ZONE: Final = 5  # where the source is: ZONE_UNITS, ZONE_SUPPORT, or ZONE_NONE (in no zone)
E_SLOT: Final = 6
E_UID: Final = 7
E_TARGET_ZONE: Final = 8  # of the target or the first chosen unit
E_TARGET_SIDE: Final = 9
E_TARGET: Final = 10  # slot, or place in the graveyard
E_TARGET_UID: Final = 11
E_SECOND_SIDE: Final = 12
E_SECOND: Final = 13
E_SECOND_UID: Final = 14
E_CANCELLED: Final = 15
E_MOVED: Final = 16
E_STEP: Final = 17
E_LEFT: Final = 18  # discards still to make
E_LOSS_FROM: Final = 19
E_ARRIVED: Final = 20  # slot of the unit that this effect deployed, or -1
E_ARRIVED_UID: Final = 21
E_POSITION: Final = 22  # a chosen battle position
E_PLACE: Final = 23  # where in support order a face-down equip was; or -1

# OP_WINDOW and OP_ROUND share their first fields
W_WINDOW: Final = 2
W_SIDE: Final = 3
W_LOSS_FROM: Final = 4  # the losses that are answered
W_LOSS_TO: Final = 5
W_IN_BATTLE: Final = 6
W_UNIT_SIDE: Final = 7  # deployed: who came; would_be_destroyed: who is doomed
W_UNIT: Final = 8
W_UNIT_UID: Final = 9
W_SPECIAL: Final = 10
W_NEW_FROM: Final = 11  # losses that happen inside the window start here
W_NEW: Final = 12  # once it is finished: the next one of them to be answered
W_NEW_TO: Final = 13

# OP_TRIGGER (the losses stand where OP_WINDOW has them)
T_SIDE: Final = 2
T_CARD: Final = 3
T_SLOT: Final = 6  # unit slot of the card, or -1 where it has left the field
T_UID: Final = 7
T_WHENS: Final = 8  # bit mask of WHEN_…
T_NEXT: Final = 9  # next effect, or next card of the field, to look at
T_DOCTRINES: Final = 10  # 1: this side's doctrines look at the losses, too
T_NEXT_SUPPORT: Final = 11
T_WHOLE_SIDE: Final = 12  # 1: every face-up card of the side is asked (start of a turn)

_I = np.int16

DUEL_DTYPE: Final = np.dtype(
    [
        # random numbers
        ("seed", np.uint64, (1,)),
        ("pair", np.uint64, (1,)),
        ("draws", np.uint64, (STREAMS,)),
        # the duel
        ("lp", np.int32, (2,)),
        ("decisions", np.int32),
        ("energy", _I, (2,)),
        ("turn", _I, (2,)),  # own turns begun
        ("active", _I),
        ("first", _I),
        ("phase", _I),
        ("over", _I),
        ("winner", _I),
        ("reason", _I),
        # the choice that is waited for, and the one made
        ("ask_always", _I),  # 1: single mandatory options are asked for, too
        ("asked_side", _I),
        ("asked_kind", _I),
        ("answered", _I),
        ("verb", _I),
        ("card", _I),
        ("zone", _I),
        ("slot", _I),
        ("target_zone", _I),
        ("target_side", _I),
        ("target", _I),
        # this turn
        ("deployments", _I),
        ("attacks", _I),
        ("direct_attacks", _I),
        ("effects", _I),  # begun this turn
        ("lost_unit", _I, (2,)),
        # the attack in progress
        ("attacking", _I),
        ("attacker", _I),
        ("attacker_uid", _I),
        ("attacker_card", _I),
        ("attacked", _I),  # -1: the enemy directly
        ("attacked_uid", _I),
        ("attacked_card", _I),
        ("attack_cancelled", _I),
        ("silenced", _I),
        ("attacker_doomed", _I),
        ("attacked_doomed", _I),
        ("attacker_fell", _I),
        ("attacked_fell", _I),
        ("attacker_won", _I),
        ("damage_dealt", _I, (2,)),
        # units destroyed, not yet answered
        ("losses", _I),
        ("loss_side", _I, (LOSSES,)),
        ("loss_card", _I, (LOSSES,)),
        # zones
        ("deck_size", _I, (2,)),
        ("hand_size", _I, (2,)),
        ("graveyard_size", _I, (2,)),
        ("deck", _I, (2, CAPACITY)),  # the last is drawn next
        ("hand", _I, (2, CAPACITY)),
        ("graveyard", _I, (2, CAPACITY)),  # the last is the newest
        # units
        ("uids", _I),
        ("stale", _I),  # effective stats must be added up anew
        ("depends", _I),  # mask of ON_…: on what the changes by face-up cards depend
        ("changers", _I),  # face-up cards that change stats …
        ("changer", _I, (4 * FIELD,)),  # … as side * 2 * FIELD + slot (+ FIELD: support)
        ("fighters", _I),  # those of them with in-combat changes
        ("fighter", _I, (4 * FIELD,)),
        ("units", _I, (2,)),
        ("unit_at", _I, (2, FIELD)),
        ("unit_card", _I, (2, FIELD)),  # -1: the slot is free
        ("unit_uid", _I, (2, FIELD)),
        ("unit_position", _I, (2, FIELD)),
        ("unit_attacked", _I, (2, FIELD)),
        ("unit_came", _I, (2, FIELD)),  # deployed or set this turn
        ("unit_repositioned", _I, (2, FIELD)),
        ("unit_used", _I, (2, FIELD)),
        ("unit_turn_atk", _I, (2, FIELD)),  # changes to the end of the turn
        ("unit_turn_def", _I, (2, FIELD)),
        ("unit_combat_atk", _I, (2, FIELD)),  # changes for one battle
        ("unit_combat_def", _I, (2, FIELD)),
        ("unit_combats_atk", _I, (2, FIELD)),  # changes in every combat of this turn
        ("unit_combats_def", _I, (2, FIELD)),
        ("unit_wound_atk", _I, (2, FIELD)),  # dealt in the enemy's newest turn
        ("unit_wound_def", _I, (2, FIELD)),
        ("unit_old_wound_atk", _I, (2, FIELD)),  # dealt in the enemy's turn before
        ("unit_old_wound_def", _I, (2, FIELD)),
        ("unit_may_defend", _I, (2, FIELD)),  # after its attack this turn, so many times
        ("unit_immune", _I, (2, FIELD)),
        ("unit_atk", _I, (2, FIELD)),  # added up, not clamped
        ("unit_def", _I, (2, FIELD)),
        # support
        ("supports", _I, (2,)),
        ("support_at", _I, (2, FIELD)),
        ("support_card", _I, (2, FIELD)),  # -1: the slot is free
        ("support_up", _I, (2, FIELD)),
        ("support_on", _I, (2, FIELD)),  # slot of the equipped unit, or -1
        ("support_used", _I, (2, FIELD)),
        ("support_came", _I, (2, FIELD)),  # set this turn
        # the stack
        ("depth", _I),
        ("frame", _I, (FRAMES, WIDTH)),
    ]
)

OPTIONS_DTYPE: Final = np.dtype(
    [
        ("n", np.int64),
        ("verb", _I, (MAX_OPTIONS,)),
        ("card", _I, (MAX_OPTIONS,)),
        ("zone", _I, (MAX_OPTIONS,)),
        ("slot", _I, (MAX_OPTIONS,)),
        ("target_zone", _I, (MAX_OPTIONS,)),
        ("target_side", _I, (MAX_OPTIONS,)),
        ("target", _I, (MAX_OPTIONS,)),
        ("scratch", np.float64, (SCRATCH,)),  # for whoever chooses; holds anything
    ]
)


def new_duels(n: int) -> np.ndarray[Any, Any]:
    """n blank duel records, shape (n,), dtype DUEL_DTYPE, as a record array."""
    return np.zeros(n, dtype=DUEL_DTYPE).view(np.recarray)


def new_options() -> np.ndarray[Any, Any]:
    """One blank buffer of options, shape (1,), as a record array."""
    return np.zeros(1, dtype=OPTIONS_DTYPE).view(np.recarray)
