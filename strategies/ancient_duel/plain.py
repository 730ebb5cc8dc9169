"""A strategy in plain Python, made to look like a compiled one to whoever plays a duel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cards.ancient_duel.load import card_set
from cards.errors import InputError
from cards.names import LONGEST_NAME
from sim.ancient_duel import play
from strategies.ancient_duel.forecast import attack_table
from strategies.ancient_duel.sight import Sight
from strategies.ancient_duel.view import Option
from strategies.parameters import as_arguments
from strategies.source import told


def shown(answer: object) -> str:
    """An answer as Python writes it, not too long."""
    words = " ".join(repr(answer).split())
    return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"


class PlainChooser:
    """Shows a plain function the view of a decision, and finds the option that it returns.

    Parameters
    ----------
    name
        What errors call the strategy.
    function
        The function of a `View`.
    values
        Keyword arguments for it: its parameters.
    cards
        The card set in use; None: the game's own.
    """

    def __init__(
        self, name: str, function: Callable[..., Any], values: Mapping[str, float], cards: Any
    ) -> None:
        self.function = function
        self._name = name
        self._values = as_arguments(function, values)
        self._cards = cards
        self._sight: Sight | None = None
        self._rules: bytes = b""

    def entries(self) -> list[tuple[str, Any]]:
        """What must be compiled before it can be asked."""
        return [
            ("what plain strategies see", attack_table),
            ("the rules", play.refresh),
        ]

    def __call__(self, duel: Any, tables: Any, options: Any, parameters: Any) -> int:
        """The number of the option that the function returns, as a compiled strategy has it.

        Raises
        ------
        InputError
            The function raised something, or returned no option that it was given.
        """
        view, places = self.sight(tables).view(duel, options)
        try:
            answer = self.function(view, **self._values)
        except (Exception, SystemExit) as fault:
            file = getattr(getattr(self.function, "__code__", None), "co_filename", None)
            raise self._error(duel, f"raised {told(fault, file)}") from None
        if isinstance(answer, Option) and any(answer is option for option in view.options):
            return places[answer.number]
        raise self._error(duel, f"returned {shown(answer)}", "return one of view.options")

    def sight(self, tables: Any) -> Sight:
        """What makes its views; anew only where cards or rules are not the same as before."""
        key = np.asarray(tables).tobytes()
        if self._sight is None or key != self._rules:
            self._rules = key
            self._sight = Sight(self._cards or card_set(), tables)
        return self._sight

    def _error(self, duel: Any, what: str, right: str = "") -> InputError:
        return InputError(
            f"strategy {self._name!r} {what}",
            where=f"decision {int(duel['decisions'])}",
            right=right,
        )
