"""The weights by which `weighing` compares options, in LP, and the styles made of them.

A style is the table below with some entries changed; each entry is a parameter that a name can
carry (``greedy:attack=0.7``).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sim.batch import MAX_PARAMETERS
from sim.compiled import compiled_or

#: Name → value of `greedy`, in the order in which the parameter array holds them.
GREEDY: Final[dict[str, float]] = {
    # attacks
    "attack": 1.0,  # an attack's worth is multiplied by this
    "keep_energy": 0.6,  # each energy point short of what the set tactics would need
    "attack_energy": 0.0,  # each energy point that an attack costs
    "overkill": 0.0,  # each point of ATK above the target's stat that does no damage
    "exposure": 0.0,  # each point by which the attacker stays below the enemy's best ATK
    "fear_of_sets": 0.0,  # share of the attacker's worth for each enemy set card
    "fear_of_hidden": 0.0,  # an attack on a face-down unit
    "wound": 0.9,  # share of the target's worth if a lost attack lets another unit beat it
    "open_way": 0.7,  # share of the next unit's ATK if the last enemy unit falls
    "peace": 0.3,  # an attack must be worth more than this
    "their_lp": 1.0,  # each LP that the enemy loses
    "my_lp": 1.0,  # each LP of one's own
    "hunger": 0.0,  # more for the enemy's LP, the fewer are left
    "fear": 0.0,  # more for one's own LP, the fewer are left
    # deploying and setting units
    "deploy": 2.0,
    "deploy_energy": 0.5,  # each energy point while attacks are still to come
    "deploy_energy_late": 0.15,  # each energy point afterwards
    "deploy_attack": 0.7,  # share of the best attack that the new unit could make at once
    "deploy_effect": 1.2,
    "danger_share": 0.35,  # share of the worth of a unit that the enemy's best one beats
    "danger": 0.4,  # each point by which it is beaten
    "set_unit": -0.8,  # setting a unit instead of deploying it
    "set_danger_share": 0.3,  # share of the worth of a set unit that the enemy's best one beats
    # doctrines
    "activate_energy": 0.5,
    "activate_energy_late": 0.2,
    "stay": 0.8,  # a continuous doctrine or terrain
    "stay_unit": 0.45,  # each point of ATK or DEF on each unit that it reaches
    "stay_later": 0.4,  # a doctrine that reaches units, for those to come
    "equip": 0.6,  # each point of ATK or DEF
    "equip_unit": 0.12,  # share of the worth of the equipped unit
    "equip_attack": 0.4,  # the equipped unit is in attack
    # effects
    "draw": 1.4,
    "discard": -0.9,
    "late_draw": -4.0,  # a draw from a deck that is nearly empty
    "gain": 0.8,  # each LP gained
    "search": 2.4,
    "arrival": 3.2,  # a special deployment
    "break_set": 2.4,  # destroying a set card
    "cost": -1.1,  # each card that an effect costs
    "change": 0.25,  # each point of ATK or DEF on an own unit, this turn
    "change_attack": 0.5,  # each point of ATK on an own unit that can attack
    "change_defence": 0.3,  # each point of DEF on an own unit in defence
    # positions
    "defend": 0.5,  # going into defence when the enemy's best unit is stronger
    "defend_danger": 0.4,  # each point by which it is stronger
    "stand_up": 0.4,  # share of the best attack of a unit in defence
    "stand_up_from": 0.8,  # which must be worth this much
    # tactics
    "response": -0.6,  # the card and the energy of a response
    "set_tactic": 1.8,
    "set_more": -0.15,  # each tactic that is set already
    "cancel": 2.5,  # cancelling an effect
    "relief": 0.7,  # another answer to an effect
    # going on
    "go_on": 0.2,
    # what things are worth
    "unit": 0.7,  # a unit on the field
    "unit_atk": 0.5,  # each point of its ATK
    "unit_def": 0.35,  # each point of its DEF
    "commander": 1.0,  # a commander, more
    "hidden": 3.5,  # an unknown face-down unit
    "card": 0.5,  # a unit's card
    "card_atk": 0.6,
    "card_def": 0.4,
    "card_tactic": 2.6,
    "card_doctrine": 2.2,
    "hidden_defence": 3.0,  # DEF that an unknown face-down unit is taken to have
    # more about positions
    "first_unit": 0.0,  # deploying or setting the only unit
    "set_safe": 0.0,  # a set unit that the enemy's best one does not beat
    "defend_safe": 0.0,  # going into defence where the enemy's best unit does not win
    "keep_guard": 0.0,  # a unit that stands in attack with the highest ATK on the field
    "tempo": 0.0,  # each level of a unit that is deployed or set
}

#: The weights as a record, over the parameter array that a strategy is given.
WEIGHTS_DTYPE: Final = np.dtype(
    [(name, np.float64) for name in GREEDY]
    + [("unused", np.float64, (MAX_PARAMETERS - len(GREEDY),))]
)


@compiled_or(lambda parameters: parameters.view(WEIGHTS_DTYPE).view(np.recarray)[0])
def as_weights(parameters):  # type: ignore[no-untyped-def]
    """The weights in a parameter array, shape (MAX_PARAMETERS,), as a record with their names."""
    return parameters.view(WEIGHTS_DTYPE)[0]
