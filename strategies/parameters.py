"""The parameters of a strategy: numbers with names and defaults."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from cards.errors import InputError
from cards.names import quote, shorten, suggestion
from sim.ancient_duel.strategy import is_compiled_strategy

#: No parameter is larger, or smaller than minus this: a whole number of it must be one.
LARGEST: Final = 1e9


def defaults_of(function: Callable[..., Any]) -> dict[str, float]:
    """The parameters of a strategy function with their defaults, in order.

    A compiled function has those of the dict PARAMETERS beside it. A plain one has its own keyword
    arguments whose default is a number: `def choose(view, aggression=1.0)`.
    """
    if is_compiled_strategy(function):
        python = getattr(function, "py_func", function)
        return {
            key: float(value) for key, value in python.__globals__.get("PARAMETERS", {}).items()
        }
    try:
        arguments = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return {}
    return {
        argument.name: float(argument.default)
        for argument in arguments[1:]
        if isinstance(argument.default, int | float)
    }


def as_arguments(
    function: Callable[..., Any], values: Mapping[str, float]
) -> dict[str, float | int | bool]:
    """Values as a plain function gets them: whole numbers where its defaults are such."""
    if not values:
        return {}
    arguments: dict[str, float | int | bool] = {}
    signature = inspect.signature(function)
    for key, value in values.items():
        default = signature.parameters[key].default
        whole = isinstance(default, int) and value.is_integer()
        arguments[key] = type(default)(value) if whole else value
    return arguments


def as_values(
    texts: Sequence[str],
    defaults: Mapping[str, float],
    strategy: str,
    limits: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> dict[str, float]:
    """The defaults, changed by texts such as `caution=1.5`.

    `limits` has the least and the largest value of parameters for which not every number will do.

    Raises
    ------
    InputError
        A parameter is unknown, or a value is no number, or none that it can have.
    """
    values = dict(defaults)
    for text in texts:
        key, _, value = (part.strip() for part in text.partition("="))
        if key not in defaults:
            right = suggestion(key, list(defaults)) if defaults else "it has none"
            raise InputError(
                f"strategy {shorten(strategy)!r} has no parameter {quote(key)}", right=right
            )
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        least, most = limits.get(key, (-LARGEST, LARGEST))
        if not math.isfinite(number):
            raise InputError(
                f"{key!r} of strategy {shorten(strategy)!r} is {quote(value)}",
                right="write a number",
            )
        if not least <= number <= most:
            raise InputError(
                f"{key!r} of strategy {shorten(strategy)!r} is {quote(value)}",
                right=f"from {least:,.10g} to {most:,.10g}",
            )
        values[key] = number
    return values
