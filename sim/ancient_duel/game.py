"""One duel at a time, as Python drives it: what is asked of whom, and the answer as text.

For scripts, tests and play by hand. Batches call `play` directly.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from cards.ancient_duel.load import CardSet
from cards.errors import InputError
from sim.ancient_duel import play
from sim.ancient_duel.notation import SIDES, Line, matching, option_texts, parse_line
from sim.ancient_duel.record import ASK_BATTLE, ASK_MAIN, ASK_MAY, ASK_WINDOW, new_options
from sim.ancient_duel.result import result_of
from sim.compiled import ready

#: Kinds of decision that may be declined, and the word that declines.
DECLINED_BY: Final = {ASK_WINDOW: "pass", ASK_MAY: "no"}
#: Kinds of decision that are put even where one option is left.
ALWAYS_ASKED: Final = (ASK_MAIN, ASK_BATTLE, ASK_WINDOW, ASK_MAY)


class Game:
    """A duel record with its tables and its options, between two choices.

    Parameters
    ----------
    duel
        A duel record; it is advanced to its first decision, and changed by every choice.
    tables
        The packed cards and rules, shape (1,).
    cards
        The card set that the tables were packed from.
    """

    def __init__(self, duel: Any, tables: Any, cards: CardSet) -> None:
        self.duel = duel
        self.cards = cards
        self.options = new_options()[0]
        self._packed = tables
        self._tables = tables.view(np.recarray)[0]
        self._texts: list[str] | None = None
        for entry in (play.advance, play.refresh, play.choose):
            ready(entry)
        self._advance()

    def copy(self) -> Game:
        """The same duel at the same decision, to be played on by itself."""
        twin = copy.copy(self)
        twin.duel = self.duel.copy()
        twin.options = self.options.copy()
        return twin

    def _advance(self) -> None:
        self._texts = None
        self.waits: bool = bool(play.advance(self.duel, self._tables, self.options))
        play.refresh(self.duel, self._tables)

    @property
    def side(self) -> str:
        """Who must choose."""
        return SIDES[int(self.duel["asked_side"])]

    @property
    def kind(self) -> int:
        """What kind of decision it is: ASK_…."""
        return int(self.duel["asked_kind"])

    @property
    def is_forced(self) -> bool:
        """Whether it is a mandatory choice with one option, outside the main phases and Battle."""
        return int(self.options["n"]) == 1 and self.kind not in ALWAYS_ASKED

    @property
    def texts(self) -> list[str]:
        """The options as text, in the buffer's order."""
        if self._texts is None:
            self._texts = option_texts(self.duel, self.options, self.cards)
        return self._texts

    def choose(self, place: int) -> None:
        """Make the choice at a place of the buffer, and go on to the next decision."""
        play.choose(self.duel, self.options, place)
        self._advance()

    def find(self, line: Line) -> int | None:
        """The place of the option that a line means; None where it is not offered.

        Raises
        ------
        InputError
            The line means several options.
        """
        places = matching(self.duel, self.options, self.cards, line)
        if len(places) > 1:
            raise InputError(
                f"{line.text!r} is ambiguous",
                right="write " + " or ".join(repr(self.texts[place]) for place in places),
            )
        return places[0] if places else None

    def offers(self, line: Line) -> bool:
        """Whether any option is what a line says."""
        return bool(matching(self.duel, self.options, self.cards, line))

    def take(self, text: str) -> None:
        """Make the choice that a line names.

        Raises
        ------
        InputError
            The line is no legal choice here, or means several.
        """
        line = parse_line(text, self.cards)
        place = self.find(line) if self.waits else None
        if place is None:
            raise self.not_possible(line.text)
        self.choose(place)

    def result(self, log: Sequence[str] = ()) -> dict[str, Any]:
        """The duel as it stands (`result.result_of`)."""
        texts = self.texts if self.waits else ()
        return result_of(self.duel, self._packed, self.cards, texts, log)

    def not_possible(self, text: str) -> InputError:
        """The error that a line is no legal choice now."""
        if not self.waits:
            return InputError(f"{text!r} is left over: the duel has ended")
        legal = ", ".join(sorted(self.texts))
        return InputError(f"{text!r} is not possible", right=f"possible for {self.side}: {legal}")
