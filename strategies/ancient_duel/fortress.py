"""`fortress`: defence, wounds, tactics held. It sets its units, waits, and answers."""

from __future__ import annotations

from strategies.ancient_duel.weighing import choose
from strategies.ancient_duel.weights import GREEDY

__all__ = ["PARAMETERS", "choose"]

PARAMETERS = GREEDY | {
    "attack": 0.9,
    "keep_energy": 1.4,
    "peace": 0.8,
    "exposure": 0.15,
    "fear_of_hidden": 0.5,
    "wound": 1.0,
    "their_lp": 0.8,
    "my_lp": 1.5,
    "fear": 0.5,
    "set_unit": 0.6,
    "set_safe": 1.2,
    "danger": 0.8,
    "danger_share": 0.5,
    "defend": 1.5,
    "defend_danger": 0.5,
    "defend_safe": 1.0,
    "stand_up_from": 1.6,
    "set_tactic": 3.0,
    "response": -0.2,
    "gain": 1.2,
    "arrival": 3.6,
}
