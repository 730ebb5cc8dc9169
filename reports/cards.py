"""Cards as they are seen in duels, and beside that what they cause.

**Seen.** The win rate of the duels in which a card was drawn, played, set, or stayed in the deck.
Such rates mislead: a card is drawn in long duels, and what wins long duels is not this card; a card
that is played when one is ahead goes with winning and does not bring it about. **Caused** is what
changes on the same seeds when a plain card takes its place (`reports.changes`, the swap test).

**Intervals.** Wilson's, with the effective number of duels: the two duels of a pair share their
shuffles, and a card is mostly drawn in both or in none of them, so that n duels are as good as
n / (1 + rho), rho being the correlation of the deck's wins in a pair (the design effect of Kish L.
(1965), Survey Sampling, at its largest, where both duels of every pair count).

How often a card did something in a duel is a mean of counts that come in bunches (attacks) or
hardly ever. Its interval is the wider one, at each end, of two: Student's over batches of duels,
within matchups (batch means: Law A. M. (2015), Simulation Modeling and Analysis, 5th ed., section
9.5), and the exact one of a Poisson mean (Garwood F. (1936), Fiducial limits for the Poisson
distribution, Biometrika 28:437-442), which still says something where all batches are alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.stats import chi2, t

from reports.bounded_mean import normal_quantile
from reports.changes import ChangesSummary
from reports.intervals import Interval

METHOD: Final = "Wilson score interval with the effective number of duels"
#: A card that is played in fewer than so many of the duels in which it was drawn is dead.
DEAD: Final = 0.1
LEVEL: Final = 0.95


class Happened(NamedTuple):
    """In how many duels something happened, and how many of them the deck won."""

    duels: int
    won: int


@dataclass(frozen=True, eq=False)
class Doing:
    """One thing that a card did.

    Attributes
    ----------
    offered, times
        Decisions in which it was offered, and in which it was chosen.
    batches
        Shape (matchups, batches): how often in a duel it was chosen, in batches of as many duels.
    """

    offered: int
    times: int
    batches: npt.NDArray[np.float64]

    def per_duel(self, duels: int, together: float) -> Interval:
        """The interval of how often it is done in a duel (see the module)."""
        poisson = poisson_mean(self.times, duels, together)
        matchups, batches = self.batches.shape
        if batches < 2:
            return poisson
        spread = float(self.batches.var(axis=1, ddof=1).mean())
        error = (spread / (matchups * batches)) ** 0.5
        half = float(t.ppf((1 + LEVEL) / 2, matchups * (batches - 1))) * error
        mean = self.times / duels
        return Interval(max(0.0, min(poisson.low, mean - half)), max(poisson.high, mean + half))


@dataclass(frozen=True, slots=True)
class SeenRate:
    """A share of duels with its interval; all are None where there was no such duel."""

    duels: int
    estimate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class CardCounts:
    """What a card of a deck did, over all duels of that deck that count.

    Attributes
    ----------
    deck, card, name, kind, copies
        The deck's name, the card's identifier, its name and kind, and how many are in the deck.
    in_deck, drawn, played, was_set
        In how many duels: all of them, those in which a copy left the deck, was played, was set.
    doings
        What it did.
    together
        How many duels there are for each independent one, 1 to 2.
    """

    deck: str
    card: str
    name: str
    kind: str
    copies: int
    in_deck: Happened
    drawn: Happened
    played: Happened
    was_set: Happened
    doings: Mapping[str, Doing]
    together: float

    @property
    def not_drawn(self) -> Happened:
        """The duels in which no copy left the deck."""
        return Happened(self.in_deck.duels - self.drawn.duels, self.in_deck.won - self.drawn.won)

    def rate(self, happened: Happened) -> SeenRate:
        """The win rate of the duels in which something happened."""
        return _share(happened.won, happened.duels, self.together)

    @property
    def played_when_drawn(self) -> SeenRate:
        """In which share of the duels in which it was drawn it was also played."""
        return _share(self.played.duels, self.drawn.duels, self.together)

    @property
    def dead(self) -> bool:
        """Whether it is shown to be played in under a tenth of the duels in which it is drawn."""
        high = self.played_when_drawn.high
        return high is not None and high < DEAD

    def row(self) -> dict[str, Any]:
        """The card as a row of the table (`reports/README.md`)."""
        found: dict[str, Any] = {
            "deck": self.deck,
            "card": self.card,
            "name_en": self.name,
            "kind": self.kind,
            "copies": self.copies,
            "duels": self.in_deck.duels,
        }
        for name in ("drawn", "played", "was_set", "not_drawn"):
            rate = self.rate(getattr(self, name))
            found |= {
                f"{name}_duels": rate.duels,
                f"{name}_win_rate": rate.estimate,
                f"{name}_low": rate.low,
                f"{name}_high": rate.high,
            }
        played = self.played_when_drawn
        return found | {
            "played_when_drawn": played.estimate,
            "played_when_drawn_low": played.low,
            "played_when_drawn_high": played.high,
            "dead": self.dead,
        }

    def doing_rows(self) -> list[dict[str, Any]]:
        """What it did, as rows of the table (`reports/README.md`)."""
        rows = []
        duels = self.in_deck.duels
        for name, doing in self.doings.items():
            low, high = doing.per_duel(duels, self.together)
            rows.append(
                {
                    "deck": self.deck,
                    "card": self.card,
                    "name_en": self.name,
                    "kind": self.kind,
                    "doing": name,
                    "offered": doing.offered,
                    "times": doing.times,
                    "per_duel": doing.times / duels,
                    "per_duel_low": low,
                    "per_duel_high": high,
                    "taken": doing.times / doing.offered,
                    "duels": duels,
                }
            )
        return rows


@dataclass(frozen=True)
class CardsSeen:
    """All cards of all decks."""

    cards: tuple[CardCounts, ...]

    def table(self) -> pl.DataFrame:
        """One row for each card of each deck (`reports/README.md`)."""
        return pl.DataFrame([card.row() for card in self.cards], infer_schema_length=None)

    def doings_table(self) -> pl.DataFrame:
        """One row for each card and what it did (`reports/README.md`)."""
        return pl.DataFrame([row for card in self.cards for row in card.doing_rows()])

    def to_json(self) -> dict[str, Any]:
        """The tables as a dict that `json.dumps` takes."""
        return {
            "cards": self.table().to_dicts(),
            "doings": self.doings_table().to_dicts(),
            "interval_method": METHOD,
        }


def card_table(seen: CardsSeen, swaps: ChangesSummary) -> pl.DataFrame:
    """What is seen of each card beside what it brings.

    The columns of `CardsSeen.table`, then `brings` (the deck's win rate with the card less that
    with a plain one in its place), `brings_low`, `brings_high`, `p`, `p_adjusted`, `flagged`,
    `correlation`, `error_times_smaller` and `swap_duels`; null for cards without a swap test.
    """
    swapped = swaps.table().select(
        "deck",
        pl.col("change").alias("card"),
        (0 - pl.col("difference")).alias("brings"),
        (0 - pl.col("difference_high")).alias("brings_low"),
        (0 - pl.col("difference_low")).alias("brings_high"),
        "p",
        "p_adjusted",
        "flagged",
        "correlation",
        "error_times_smaller",
        pl.col("duels").alias("swap_duels"),
    )
    return seen.table().join(swapped, on=["deck", "card"], how="left", maintain_order="left")


def poisson_mean(times: int, duels: int, together: float = 1.0) -> Interval:
    """The interval of how often something happens in a duel (sources: the module).

    `together` duels are as good as one. Raises ValueError for no duels.
    """
    if duels < 1 or times < 0:
        raise ValueError(f"need times >= 0 and duels >= 1, got {times} in {duels}")
    tail = (1 - LEVEL) / 2
    counted, units = times / together, duels / together
    low = float(chi2.ppf(tail, 2 * counted)) / 2 / units if times else 0.0
    return Interval(low, float(chi2.ppf(1 - tail, 2 * counted + 2)) / 2 / units)


def _share(part: int, whole: int, together: float) -> SeenRate:
    if not whole:
        return SeenRate(0, None, None, None)
    low, high = effective_wilson(part / whole, whole / together)
    return SeenRate(whole, part / whole, low, high)


def effective_wilson(share: float, effective: float) -> Interval:
    """Wilson's interval (`reports.intervals.wilson`) for any effective number of duels.

    Raises ValueError for a share outside [0, 1] or no duels.
    """
    if not 0 <= share <= 1 or not effective > 0:
        raise ValueError(f"need a share of 0 to 1 and duels, got {share} of {effective}")
    z = normal_quantile(LEVEL)
    shrink = 1 + z * z / effective
    centre = (share + z * z / (2 * effective)) / shrink
    half = z / shrink * (share * (1 - share) / effective + (z / (2 * effective)) ** 2) ** 0.5
    return Interval(max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))
