"""`greedy`: the best immediate exchange, decision by decision, with even-handed weights."""

from __future__ import annotations

from strategies.ancient_duel.weighing import choose
from strategies.ancient_duel.weights import GREEDY

__all__ = ["PARAMETERS", "choose"]

PARAMETERS = dict(GREEDY)
