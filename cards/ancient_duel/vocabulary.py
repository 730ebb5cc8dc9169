"""The closed vocabulary in which cards are written, as the integers that the engine reads.

A card file may use only the words listed here; `load` rejects every other one and names its nearest
neighbour. The engine (`sim.ancient_duel`) reads the packed rows and never a word.
"""

from __future__ import annotations

from typing import Final

# --- what a card is -------------------------------------------------------------------------------
KINDS: Final = ("unit", "commander", "doctrine", "tactic")

UNIT_TYPES: Final = (
    "infantry",
    "ranged_infantry",
    "cavalry",
    "war_elephant",
    "commander",
    "guard",
    "officer",
    "scout",
    "chariot",
    "siege",
    "support",
    "satrap",
)
DOCTRINE_TYPES: Final = ("one-shot", "continuous", "terrain", "equip")
TACTIC_TYPES: Final = ("tactic",)
TRAITS: Final = ("mercenary",)

#: Types and traits share one bit mask, so that "mercenary or cavalry" is one test.
TAGS: Final = {
    word: 1 << bit for bit, word in enumerate(UNIT_TYPES + DOCTRINE_TYPES + TACTIC_TYPES + TRAITS)
}
TAG_COMMANDER: Final = TAGS["commander"]
TAG_ONE_SHOT: Final = TAGS["one-shot"]
TAG_CONTINUOUS: Final = TAGS["continuous"]
TAG_TERRAIN: Final = TAGS["terrain"]
TAG_EQUIP: Final = TAGS["equip"]

#: What a card is for the engine; a commander is a unit.
IS_UNIT: Final = 1
IS_DOCTRINE: Final = 2
IS_TACTIC: Final = 4
KIND_BITS: Final = {
    "unit": IS_UNIT,
    "commander": IS_UNIT,
    "doctrine": IS_DOCTRINE,
    "tactic": IS_TACTIC,
}

# --- filters (which cards or units) ---------------------------------------------------------------
SIDES: Final = {"own": 0, "enemy": 1, "any": 2}
OWN: Final = 0
ENEMY: Final = 1
ANY: Final = 2

#: Bits of a battle position, so that a filter is one mask.
IN_ATTACK: Final = 1
IN_DEFENCE: Final = 2
FACE_DOWN: Final = 4
POSITIONS: Final = {
    "any": IN_ATTACK | IN_DEFENCE | FACE_DOWN,
    "attack": IN_ATTACK,
    "defence": IN_DEFENCE | FACE_DOWN,
    "face-up": IN_ATTACK | IN_DEFENCE,
    "face-down": FACE_DOWN,
}

#: Comparisons that a filter can ask for besides fixed numbers.
SELECT_OTHER: Final = 1  # not the source itself
SELECT_WEAKER_THAN_SOURCE: Final = 2  # battle stat below the source's current ATK
SELECT_HAS_WEAKER_ENEMY: Final = 4  # some enemy face-up unit has lower current ATK
SELECT_WEAKER_THAN_CHOSEN: Final = 8  # current ATK below that of the first chosen unit
SELECT_ITSELF: Final = 16  # the source itself and nothing else (Kardakes: "while in defence")
SELECT_FLAGS: Final = {
    "other": SELECT_OTHER,
    "weaker_than_source": SELECT_WEAKER_THAN_SOURCE,
    "has_weaker_enemy": SELECT_HAS_WEAKER_ENEMY,
    "weaker_than_chosen": SELECT_WEAKER_THAN_CHOSEN,
    "itself": SELECT_ITSELF,
}
NO_LIMIT: Final = 99  # level or ATK limit that every card is below

# --- zones ----------------------------------------------------------------------------------------
ZONE_NONE: Final = 0
ZONE_DECK: Final = 1
ZONE_HAND: Final = 2
ZONE_GRAVEYARD: Final = 3
ZONE_UNITS: Final = 4
ZONE_SUPPORT: Final = 5
ZONES: Final = {
    "deck": ZONE_DECK,
    "hand": ZONE_HAND,
    "graveyard": ZONE_GRAVEYARD,
    "units": ZONE_UNITS,
    "support": ZONE_SUPPORT,
}

# --- when an effect happens -----------------------------------------------------------------------
WHENS: Final = {
    "activate": 0,  # a doctrine is activated
    "respond": 1,  # a tactic answers in its window
    "use": 2,  # once a turn, in an own main phase
    "deploy": 3,  # deployed face-up, normally or by an effect
    "normal_deploy": 4,  # deployed face-up as the turn's deployment
    "destroyed": 5,  # by battle or by an effect, and sent to the graveyard
    "destroyed_in_battle": 6,
    "destroys_in_battle": 7,
    "wins_as_attacker": 8,
    "deals_battle_damage": 9,
    "after_attack": 10,
    "turn_start": 11,
    "own_unit_destroyed": 12,  # a doctrine looks at the losses of its side
}
WHEN_ACTIVATE: Final = 0
WHEN_RESPOND: Final = 1
WHEN_USE: Final = 2
WHEN_DEPLOY: Final = 3
WHEN_NORMAL_DEPLOY: Final = 4
WHEN_DESTROYED: Final = 5
WHEN_DESTROYED_IN_BATTLE: Final = 6
WHEN_DESTROYS_IN_BATTLE: Final = 7
WHEN_WINS_AS_ATTACKER: Final = 8
WHEN_DEALS_BATTLE_DAMAGE: Final = 9
WHEN_AFTER_ATTACK: Final = 10
WHEN_TURN_START: Final = 11
WHEN_OWN_UNIT_DESTROYED: Final = 12

WINDOWS: Final = {
    "declared": 0,
    "combat": 1,
    "targeted": 2,
    "would_be_destroyed": 3,
    "aftermath": 4,
    "deployed": 5,
}
WINDOW_DECLARED: Final = 0
WINDOW_COMBAT: Final = 1
WINDOW_TARGETED: Final = 2
WINDOW_WOULD_BE_DESTROYED: Final = 3
WINDOW_AFTERMATH: Final = 4
WINDOW_DEPLOYED: Final = 5

# --- conditions -----------------------------------------------------------------------------------
CONDITIONS: Final = {
    "controls": 0,  # your side has a unit like this (any faction, face-down ones too)
    "face_up": 1,  # a support card like this lies face-up on the side(s) named
    "attacked": 2,  # your unit like this is the target of the attack
    "attacking": 3,  # your unit like this is the attacker
    "battles": 4,  # your unit like this fights an enemy unit, as attacker or as target
    "lost": 5,  # your unit like this was just destroyed
    "lost_in_battle": 6,  # the same, in battle
    "destroyed_enemy": 7,  # your unit like this destroyed the enemy unit that it fought
    "survived": 8,  # your unit like this was attacked and stands, the attacker too
    "target_is": 9,  # the effect being answered targets a unit like this
    "answers": 10,  # the effect being answered is one of these kinds (no filter)
    "doomed": 11,  # your unit like this would be destroyed in battle
    "deployed": 12,  # the unit that has just arrived is like this
    "special_deployed": 13,  # the same, and it came by a special deployment
}
IF_CONTROLS: Final = 0
IF_FACE_UP: Final = 1
IF_ATTACKED: Final = 2
IF_ATTACKING: Final = 3
IF_BATTLES: Final = 4
IF_LOST: Final = 5
IF_LOST_IN_BATTLE: Final = 6
IF_DESTROYED_ENEMY: Final = 7
IF_SURVIVED: Final = 8
IF_TARGET_IS: Final = 9
IF_ANSWERS: Final = 10
IF_DOOMED: Final = 11
IF_DEPLOYED: Final = 12
IF_SPECIAL_DEPLOYED: Final = 13

#: Kinds of effect that a `targeted` window can be opened by.
ANSWERS: Final = {"ability": 1, "doctrine": 2, "doctrine_ability": 4, "tactic": 8}
BY_ABILITY: Final = 1  # a unit's deploy effect, trigger or ability
BY_DOCTRINE: Final = 2  # a doctrine that is being activated
BY_DOCTRINE_ABILITY: Final = 4
BY_TACTIC: Final = 8

# --- steps of an effect ---------------------------------------------------------------------------
STEPS: Final = {
    "draw": 0,
    "discard": 1,
    "gain_lp": 2,
    "damage": 3,
    "add": 4,  # a card from deck or graveyard to hand
    "special_deploy": 5,
    "choose": 6,  # a unit, without targeting
    "choose_position": 7,
    "change": 8,  # ATK and DEF of somebody
    "change_all": 9,  # ATK and DEF of all units like this
    "destroy": 10,
    "destroy_support": 11,
    "move": 12,
    "cancel_attack": 13,
    "cancel_effect": 14,
    "save": 15,
    "sacrifice": 16,
    "may_defend_after_attack": 17,
    "recover": 18,  # the targeted card of the graveyard to hand
}
DO_DRAW: Final = 0
DO_DISCARD: Final = 1
DO_GAIN_LP: Final = 2
DO_DAMAGE: Final = 3
DO_ADD: Final = 4
DO_SPECIAL_DEPLOY: Final = 5
DO_CHOOSE: Final = 6
DO_CHOOSE_POSITION: Final = 7
DO_CHANGE: Final = 8
DO_CHANGE_ALL: Final = 9
DO_DESTROY: Final = 10
DO_DESTROY_SUPPORT: Final = 11
DO_MOVE: Final = 12
DO_CANCEL_ATTACK: Final = 13
DO_CANCEL_EFFECT: Final = 14
DO_SAVE: Final = 15
DO_SACRIFICE: Final = 16
DO_MAY_DEFEND_AFTER_ATTACK: Final = 17
DO_RECOVER: Final = 18

#: Whom a step acts on.
WHOS: Final = {
    "target": 0,  # what the effect targets, or the first unit chosen
    "second": 1,  # the second unit chosen
    "self": 2,
    "attacker": 3,
    "attacked": 4,  # the target of the attack
    "fighter": 5,  # the own unit in the battle
    "opponent": 6,  # the enemy unit in the battle
    "answered": 7,  # the target of the effect being answered
    "doomed": 8,
    "arrived": 9,
}
WHO_TARGET: Final = 0
WHO_SECOND: Final = 1
WHO_SELF: Final = 2
WHO_ATTACKER: Final = 3
WHO_ATTACKED: Final = 4
WHO_FIGHTER: Final = 5
WHO_OPPONENT: Final = 6
WHO_ANSWERED: Final = 7
WHO_DOOMED: Final = 8
WHO_ARRIVED: Final = 9

#: How long a change of ATK or DEF lasts.
UNTILS: Final = {"turn": 0, "combat": 1, "combats_this_turn": 2}
UNTIL_TURN: Final = 0
UNTIL_COMBAT: Final = 1
UNTIL_COMBATS_THIS_TURN: Final = 2

#: Where `move` puts a unit.
MOVES: Final = {"attack": 0, "defence": 1, "other": 2, "chosen": 3}
MOVE_ATTACK: Final = 0
MOVE_DEFENCE: Final = 1
MOVE_OTHER: Final = 2
MOVE_CHOSEN: Final = 3

# --- statics: what holds while the card lies face-up ----------------------------------------------
GRANTS: Final = {
    "stats": 0,  # atk and def
    "immunity": 1,  # to enemy tactics
    "silence": 2,  # no enemy tactics from its attack's declaration to the end of the damage step
    "piercing": 3,
    "shield": 4,  # in face-up defence: the only unit that may be attacked
    "one_attack": 5,  # the opponent declares at most one attack a turn
    "no_direct_after_loss": 6,
    "protects_terrain": 7,
}
GRANT_STATS: Final = 0
GRANT_IMMUNITY: Final = 1
GRANT_SILENCE: Final = 2
GRANT_PIERCING: Final = 3
GRANT_SHIELD: Final = 4
GRANT_ONE_ATTACK: Final = 5
GRANT_NO_DIRECT_AFTER_LOSS: Final = 6
GRANT_PROTECTS_TERRAIN: Final = 7

#: Whom a static reaches, where it is not a filter.
REACHES: Final = {"self": 0, "units": 1, "equipped": 2, "opponent": 3}
REACH_SELF: Final = 0
REACH_UNITS: Final = 1  # every unit that passes the filter
REACH_EQUIPPED: Final = 2
REACH_OPPONENT: Final = 3  # the enemy unit that the source fights

DURINGS: Final = {"always": 0, "attack": 1, "combat": 2}
DURING_ALWAYS: Final = 0
DURING_ATTACK: Final = 1  # while the reached unit attacks: declaration to the attack's end
DURING_COMBAT: Final = 2  # in the damage comparison only

# --- what the changes of a static depend on: only then does the engine add stats up anew ----------
ON_UNITS: Final = 1  # units that come or go: it counts them, or asks for one
ON_FACES: Final = 2  # units that are turned up or down
ON_POSITIONS: Final = 4  # units that move between attack and defence
ON_SUPPORT: Final = 8  # face-up support cards that come or go
ON_ATTACKS: Final = 16  # the begin and the end of an attack

#: The part that a unit must play in the battle (the reached unit, or the source when it reaches
#: its opponent).
ROLES: Final = {
    "any": 0,
    "attacker": 1,
    "attacker_against_defence": 2,
    "target_in_defence": 3,
}
ROLE_ANY: Final = 0
ROLE_ATTACKER: Final = 1
ROLE_ATTACKER_AGAINST_DEFENCE: Final = 2
ROLE_TARGET_IN_DEFENCE: Final = 3
