"""What makes a function a compiled strategy of Ancient Duel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import strategies
from sim.ancient_duel.play import DUEL, OPTIONS, TABLES
from sim.batch import strategy_signature
from sim.compiled import entry

F = TypeVar("F", bound=Callable[..., Any])

#: Where the strategies live that come with the program; only their compiled code is kept on disk.
_BUILT_IN: Final = Path(strategies.__file__).resolve().parent


def strategy(function: F) -> F:
    """Compile `choose(duel, tables, options, parameters) -> option number` as a strategy.

    The side to choose is `duel.asked_side`, the kind of decision `duel.asked_kind`. A user's own
    function is compiled anew in every process: after an edit the old code must not answer.
    """
    return _strategy(function, owns_arrays=not _is_built_in(function))


def strategy_with_arrays(function: F) -> F:
    """The same for a strategy of the program's own that makes arrays; a user's may anyhow."""
    return _strategy(function, owns_arrays=True)


def _is_built_in(function: Callable[..., Any]) -> bool:
    return Path(function.__code__.co_filename).resolve().is_relative_to(_BUILT_IN)


def _strategy(function: F, owns_arrays: bool) -> F:
    signature = strategy_signature(DUEL, TABLES, OPTIONS)
    made = entry(signature, cache=_is_built_in(function), owns_arrays=owns_arrays)(function)
    made.is_duel_strategy = True  # type: ignore[attr-defined]
    return made


def is_compiled_strategy(function: Any) -> bool:
    """Whether a function was decorated with `strategy`; otherwise it is plain Python."""
    return getattr(function, "is_duel_strategy", False) is True
