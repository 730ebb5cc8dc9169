"""What makes a function a compiled strategy of Ancient Duel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sim.ancient_duel.play import DUEL, OPTIONS, TABLES
from sim.batch import strategy_signature
from sim.compiled import entry

F = TypeVar("F", bound=Callable[..., Any])


def strategy(function: F) -> F:
    """Compile `choose(duel, tables, options, parameters) -> option number` as a strategy.

    The side to choose is `duel.asked_side`, the kind of decision `duel.asked_kind`.
    """
    return entry(strategy_signature(DUEL, TABLES, OPTIONS))(function)
