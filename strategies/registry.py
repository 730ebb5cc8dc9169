"""Strategies by name. A strategy is registered in one place: here, or by an entry point.

A name may carry parameters: ``greedy:caution=1.5``.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cards.errors import InputError
from cards.names import quote, suggestion

#: Name → module of the built-in strategies. A module has a `choose` function, compiled as a
#: strategy, and may have PARAMETERS, a dict of parameter name → default, in the order in which the
#: function reads them.
BUILT_IN: Final = {
    "random": "strategies.ancient_duel.random_choice",
    "greedy": "strategies.ancient_duel.greedy",
}
DEFAULT: Final = "greedy"
ENTRY_POINTS: Final = "duel_sim.strategies"
MAX_PARAMETERS: Final = 16


@dataclass(frozen=True)
class Strategy:
    """A strategy ready to play.

    Attributes
    ----------
    name
        As asked for, parameters included.
    choose
        The compiled function.
    parameters
        Shape (MAX_PARAMETERS,), float64: its parameters in order, then zeros.
    """

    name: str
    choose: Any
    parameters: npt.NDArray[np.float64]


def strategy_names() -> list[str]:
    """All registered names, built-in ones first."""
    found = [point.name for point in entry_points(group=ENTRY_POINTS)]
    return [*BUILT_IN, *sorted(set(found) - set(BUILT_IN))]


def _module(name: str) -> Any:
    if name in BUILT_IN:
        return importlib.import_module(BUILT_IN[name])
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            return point.load()
    raise InputError(
        f"no strategy is called {quote(name)}", right=suggestion(name, strategy_names())
    )


def _parameter(text: str, defaults: dict[str, float], name: str) -> tuple[str, float]:
    key, _, value = text.partition("=")
    key = key.strip()
    if key not in defaults:
        right = suggestion(key, list(defaults)) if defaults else "it has none"
        raise InputError(f"strategy {name!r} has no parameter {quote(key)}", right=right)
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise InputError(
            f"{key!r} of strategy {name!r} is {quote(value.strip())}", right="write a number"
        )
    return key, number


def find_strategy(text: str) -> Strategy:
    """The strategy of a name, with parameters after a colon, separated by commas.

    Raises
    ------
    InputError
        The name or a parameter is unknown, or a value is no number.
    """
    name, _, rest = text.strip().partition(":")
    name = name.strip().lower()
    module = _module(name)
    values = dict(getattr(module, "PARAMETERS", {}))
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, number = _parameter(part, values, name)
        values[key] = number
    parameters = np.zeros(MAX_PARAMETERS)
    parameters[: len(values)] = list(values.values())
    return Strategy(text.strip(), module.choose, parameters)
