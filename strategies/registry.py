"""Strategies by name. A strategy is registered in one place: here, by an entry point, or nowhere at
all: a file's name, or the function itself, is enough.

A name may carry parameters: ``greedy:caution=1.5``, ``my_rush.py:aggression=2``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cards.errors import InputError
from cards.names import quote, suggestion
from sim.ancient_duel.strategy import is_compiled_strategy
from sim.batch import MAX_PARAMETERS
from strategies.parameters import as_values, defaults_of
from strategies.source import load_function, source_digest, split_name

#: Name → module of the built-in strategies. A module has a `choose` function, compiled as a
#: strategy, and may have PARAMETERS, a dict of parameter name → default, in the order in which the
#: function reads them, and LIMITS, parameter name → its least and largest value.
BUILT_IN: Final = {
    "random": "strategies.ancient_duel.random_choice",
    "greedy": "strategies.ancient_duel.greedy",
    "rush": "strategies.ancient_duel.rush",
    "fortress": "strategies.ancient_duel.fortress",
    "tactician": "strategies.ancient_duel.tactician",
    "search": "strategies.ancient_duel.search",
}
DEFAULT: Final = "tactician"
#: What `--strategy` takes for "each of the built-in ones"; no strategy may be called so.
ALL: Final = "all"
ENTRY_POINTS: Final = "duel_sim.strategies"
#: The files that a user's own strategy rests on.
KNOWLEDGE: Final = tuple(
    Path(__file__).parent / "ancient_duel" / name
    for name in ("exchanges.py", "forecast.py", "knowledge.py", "plain.py")
)


@dataclass(frozen=True)
class Strategy:
    """A strategy ready to play.

    Attributes
    ----------
    name
        As asked for, parameters included.
    choose
        `choose(duel, tables, options, parameters)` returns the number of an option: the compiled
        function, or for plain Python what shows it a view of the duel.
    parameters
        Shape (MAX_PARAMETERS,), float64: its parameters in order, then zeros.
    is_plain
        Whether it is plain Python, which the compiled loop over duels cannot call.
    values
        Its parameters by name.
    about
        The first line of what its author says of it; may be empty.
    digest
        Hash of the source of what is not built in; empty for what is.
    """

    name: str
    choose: Any
    parameters: npt.NDArray[np.float64]
    is_plain: bool = False
    values: Mapping[str, float] = field(default_factory=dict)
    about: str = ""
    digest: str = ""

    def entries(self) -> list[tuple[str, Any]]:
        """What must be compiled before it can play, each with what to call it."""
        if self.is_plain:
            return list(self.choose.entries())
        return [(f"the strategy {self.name}", self.choose)]


def strategy_names() -> list[str]:
    """All registered names, built-in ones first."""
    found = [point.name for point in entry_points(group=ENTRY_POINTS)]
    return [*BUILT_IN, *sorted(set(found) - set(BUILT_IN))]


def find_strategy(text: str, cards: Any = None, source: str | None = None) -> Strategy:
    """The strategy of a name or of a file, with its parameters.

    Parameters
    ----------
    text
        A registered name, `FILE.py` (its function `choose`) or `FILE.py:function`; parameters
        follow after another colon, separated by commas.
    cards
        The card set in use, for the names that a plain strategy sees; None: the game's own.
    source
        What is in the file, where that is known already; None: it is read.

    Raises
    ------
    InputError
        The name, the file, the function or a parameter cannot be used, or a value is no number.
    """
    asked = split_name(text)
    about = ""
    limits: Mapping[str, tuple[float, float]] = {}
    if asked.file is not None:
        function, digest = load_function(asked.file, asked.name, source)
        defaults = defaults_of(function)
    else:
        function, defaults = _registered(asked.name.lower())
        limits = _limits(asked.name.lower())
        about = _about_module(asked.name.lower())
        digest = "" if asked.name.lower() in BUILT_IN else source_digest(function)
    values = as_values(asked.parameters, defaults, asked.label, limits)
    return make_strategy(text.strip(), function, values, digest, cards, about)


def _limits(name: str) -> Mapping[str, tuple[float, float]]:
    """Between what values the parameters of a built-in strategy must lie, where it says so."""
    if name not in BUILT_IN:
        return {}
    return getattr(importlib.import_module(BUILT_IN[name]), "LIMITS", {})


def _about_module(name: str) -> str:
    """What the module of a built-in strategy says of it: several share one function."""
    if name not in BUILT_IN:
        return ""
    text = importlib.import_module(BUILT_IN[name]).__doc__ or ""
    return text.partition("\n")[0].removeprefix(f"`{name}`: ")


def _registered(name: str) -> tuple[Any, dict[str, float]]:
    """The function of a registered name, and its parameters with their defaults."""
    if name == ALL:
        raise InputError(
            f"{ALL!r} is no strategy but all of them",
            right="it can be asked for with --strategy of the command matchup",
        )
    if name in BUILT_IN:
        found: Any = importlib.import_module(BUILT_IN[name])
    else:
        found = _installed(name)
    if isinstance(found, ModuleType):
        function = getattr(found, "choose", None)
        if not callable(function):
            raise InputError(f"strategy {name!r} has no function 'choose'")
        own = getattr(found, "PARAMETERS", None)
        return function, dict(own) if own is not None else defaults_of(function)
    if not callable(found):
        raise InputError(f"strategy {name!r} is {quote(found)}", right="register a function")
    return found, defaults_of(found)


def _installed(name: str) -> Any:
    """What an installed package registered under a name."""
    for point in entry_points(group=ENTRY_POINTS):
        if point.name.lower() == name:
            try:
                return point.load()
            except Exception as fault:
                raise InputError(
                    f"strategy {name!r} cannot be loaded from {point.value} "
                    f"({type(fault).__name__}: {fault})"
                ) from None
    raise InputError(
        f"no strategy is called {quote(name)}", right=suggestion(name, strategy_names())
    )


def make_strategy(
    name: str,
    function: Callable[..., Any],
    values: Mapping[str, float],
    digest: str = "",
    cards: Any = None,
    about: str = "",
) -> Strategy:
    """A strategy of a function, compiled or plain, with the values of its parameters.

    about: one line about it; where there is none, the function's own first line.
    """
    if len(values) > MAX_PARAMETERS:
        raise InputError(
            f"strategy {name!r} has {len(values)} parameters", right=f"at most {MAX_PARAMETERS}"
        )
    parameters = np.zeros(MAX_PARAMETERS)
    parameters[: len(values)] = list(values.values())
    about = about or (function.__doc__ or "").strip().partition("\n")[0]
    if is_compiled_strategy(function):
        return Strategy(name, function, parameters, False, dict(values), about, digest)
    from strategies.ancient_duel.plain import PlainChooser

    choose = PlainChooser(name, function, values, cards)
    return Strategy(name, choose, parameters, True, dict(values), about, digest)
