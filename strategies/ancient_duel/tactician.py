"""`tactician`: weighs like `greedy`, but with weights that were found by playing.

Covariance matrix adaptation (Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772)
looked for the weights that win most against `greedy` and against its own earlier stages, in mirror
and cross matches of the seven standard decks. What came out reads like advice: deploy rather than
set, spend energy on attacks rather than keep it, and count the enemy's LP above one's own.
"""

from __future__ import annotations

from strategies.ancient_duel.weighing import choose
from strategies.ancient_duel.weights import GREEDY

__all__ = ["PARAMETERS", "choose"]

PARAMETERS = GREEDY | {
    "attack": 2.82,
    "keep_energy": 0.89,
    "attack_energy": -0.44,
    "overkill": -0.3,
    "exposure": -0.08,
    "fear_of_sets": -0.23,
    "fear_of_hidden": -0.17,
    "wound": 1.48,
    "open_way": 0.93,
    "peace": 0.21,
    "their_lp": 0.32,
    "my_lp": -2.45,
    "hunger": 1.03,
    "fear": 0.8,
    "deploy": 0.34,
    "deploy_energy": 1.02,
    "deploy_energy_late": -0.73,
    "deploy_attack": 1.4,
    "deploy_effect": 0.38,
    "danger_share": 0.34,
    "danger": -0.04,
    "set_unit": -1.31,
    "set_danger_share": 0.4,
    "activate_energy": 1.11,
    "activate_energy_late": 0.23,
    "stay": 0.73,
    "stay_unit": 1.21,
    "stay_later": 0.19,
    "equip": 1.24,
    "equip_unit": 0.59,
    "equip_attack": 0.21,
    "draw": 3.93,
    "discard": -1.11,
    "late_draw": -7.47,
    "gain": 1.16,
    "search": 9.99,
    "arrival": 0.79,
    "break_set": 0.94,
    "cost": -1.36,
    "change": 0.11,
    "change_attack": 0.2,
    "change_defence": 0.58,
    "defend": 0.13,
    "defend_danger": 1.33,
    "stand_up": 0.89,
    "stand_up_from": -0.38,
    "response": -0.13,
    "set_tactic": 1.78,
    "set_more": -0.22,
    "cancel": 5.69,
    "relief": 0.71,
    "go_on": 0.06,
    "unit": 0.95,
    "unit_atk": 0.52,
    "unit_def": 0.55,
    "commander": 1.64,
    "hidden": 2.74,
    "card": 0.56,
    "card_atk": 0.97,
    "card_def": 0.07,
    "card_tactic": 0.52,
    "card_doctrine": 3.94,
    "hidden_defence": 2.84,
    "first_unit": 0.12,
    "set_safe": -0.03,
    "defend_safe": -0.01,
    "keep_guard": 0.25,
    "tempo": 0.06,
}
