"""`tactician`: plans the attacks of the whole turn, and weighs the rest with tuned weights.

In Battle it follows every order of its attacks on paper (see `battle_plan`). Everything else it
weighs like `greedy`, with weights that covariance matrix adaptation found (Hansen, "The CMA
evolution strategy: a tutorial", arXiv:1604.00772): those that win most against `greedy` and against
their own earlier stages, in mirror and cross matches of the seven standard decks. They have no
meaning one by one: only together do they win. (That one's own LP count less than nothing, but for
the last few, says that LP are there to be spent.)
"""

from __future__ import annotations

from sim.ancient_duel.record import ASK_BATTLE
from sim.ancient_duel.strategy import strategy
from sim.compiled import compiled
from strategies.ancient_duel.battle_plan import best_attack
from strategies.ancient_duel.weighing import best_option
from strategies.ancient_duel.weights import GREEDY, as_weights

PARAMETERS = GREEDY | {
    "attack": 2.67,
    "keep_energy": 0.86,
    "attack_energy": -0.5,
    "overkill": -0.31,
    "exposure": -0.05,
    "fear_of_sets": -0.28,
    "fear_of_hidden": -0.21,
    "wound": 1.13,
    "open_way": 0.95,
    "peace": 0.09,
    "their_lp": 0.33,
    "my_lp": -2.55,
    "hunger": 1.24,
    "fear": 0.82,
    "deploy": 0.23,
    "deploy_energy": 1.0,
    "deploy_energy_late": -0.68,
    "deploy_attack": 1.49,
    "deploy_effect": 0.33,
    "danger_share": 0.25,
    "danger": -0.07,
    "set_unit": -1.07,
    "set_danger_share": 0.3,
    "activate_energy": 1.16,
    "activate_energy_late": 0.17,
    "stay": 0.79,
    "stay_unit": 1.07,
    "stay_later": 0.28,
    "equip": 1.36,
    "equip_unit": 0.59,
    "equip_attack": 0.29,
    "draw": 4.31,
    "discard": -0.9,
    "late_draw": -7.01,
    "gain": 1.08,
    "search": 10.01,
    "arrival": 0.82,
    "break_set": 0.63,
    "cost": -1.74,
    "change": 0.12,
    "change_attack": 0.09,
    "change_defence": 0.6,
    "defend": -0.01,
    "defend_danger": 1.46,
    "stand_up": 0.93,
    "stand_up_from": -0.53,
    "response": -0.01,
    "set_tactic": 1.65,
    "set_more": -0.13,
    "cancel": 5.0,
    "relief": 0.75,
    "go_on": 0.07,
    "unit": 1.13,
    "unit_atk": 0.46,
    "unit_def": 0.6,
    "commander": 1.55,
    "hidden": 2.83,
    "card": 0.52,
    "card_atk": 1.03,
    "card_def": 0.08,
    "card_tactic": 0.09,
    "card_doctrine": 4.14,
    "hidden_defence": 2.78,
    "first_unit": 0.13,
    "set_safe": -0.06,
    "defend_safe": -0.25,
    "keep_guard": 0.4,
    "tempo": 0.17,
}


@compiled
def tactical_option(duel, t, options, w):  # type: ignore[no-untyped-def]
    """The option that begins the best plan."""
    if duel.asked_kind == ASK_BATTLE:
        return best_attack(duel, t, options, w)
    return best_option(duel, t, options, w)


@strategy
def choose(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    """The option that begins the best plan."""
    return tactical_option(duel, tables, options, as_weights(parameters))
