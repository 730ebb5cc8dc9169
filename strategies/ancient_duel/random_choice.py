"""`random`: every legal option is as likely as every other one. The floor of the ladder."""

from __future__ import annotations

from sim.ancient_duel.strategy import strategy
from sim.random_numbers import STREAM_CHOICE_A, random_below


@strategy
def choose(duel, tables, options, parameters):  # type: ignore[no-untyped-def]
    """Uniform over the legal options."""
    return random_below(duel, STREAM_CHOICE_A + duel.asked_side, options.n)
