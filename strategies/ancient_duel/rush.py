"""`rush`: face damage and tempo. It deploys in attack, attacks early, and keeps nothing back."""

from __future__ import annotations

from strategies.ancient_duel.weighing import choose
from strategies.ancient_duel.weights import GREEDY

__all__ = ["PARAMETERS", "choose"]

PARAMETERS = GREEDY | {
    "attack": 1.5,
    "keep_energy": 0.0,
    "peace": 0.0,
    "their_lp": 1.8,
    "my_lp": 0.5,
    "open_way": 1.1,
    "hunger": 0.5,
    "set_unit": -2.5,
    "danger": 0.1,
    "danger_share": 0.1,
    "deploy_attack": 1.1,
    "defend": -1.0,
    "defend_danger": 0.1,
    "set_tactic": 0.6,
    "response": -1.6,
    "stay": 1.1,
    "equip": 0.9,
    "stand_up": 0.6,
    "stand_up_from": 0.2,
}
