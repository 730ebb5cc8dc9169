"""What a comparison plays: the lists, their opponents and how much each of them counts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cards.ancient_duel.decks import Deck, deck_numbers
from cards.ancient_duel.load import FACTION_ORDER, CardSet
from cards.errors import InputError
from cards.names import quote
from sim.ancient_duel.comparison import ComparisonJob, aligned, differing
from sim.api import DeckLike, Setup, legal_deck
from sim.comparison_tally import schema
from sim.run_folder import RunFolder
from sim.run_identity import folder_name, identity
from sim.shard_files import DuelFiles

#: What stands for the standard decks among the opponents.
ALL: Final = "all"
#: Every opponent is a folder and a part of every look: more would be a mistake.
MOST_OPPONENTS: Final = 200

Against = str | Iterable[DeckLike] | Mapping[DeckLike, float]
#: A deck as it was asked for, and its weight, which need not add up to 1 with the others.
Asked = tuple[DeckLike, Fraction]


@dataclass(frozen=True)
class Plan:
    """Lists, opponents and weights of a comparison, found and checked.

    Attributes
    ----------
    setups
        List a's matchups, one for each opponent.
    list_b
        The other list.
    opponents, names, weights
        The opponents, what reports call them, and their shares of the total, which add up to 1.
    job
        What plays the duels.
    """

    setups: tuple[Setup, ...]
    list_b: Deck
    opponents: tuple[Deck, ...]
    names: tuple[str, ...]
    weights: tuple[Fraction, ...]
    job: ComparisonJob

    @property
    def cards(self) -> CardSet:
        """The card set in use."""
        return self.setups[0].cards

    @property
    def list_a(self) -> Deck:
        """List a."""
        return self.setups[0].decks[0]

    @property
    def paired(self) -> bool:
        """Whether duels come in pairs."""
        return self.setups[0].job.paired

    @property
    def size(self) -> int:
        """Duels that are one unit: a pair, or one where the rules fix who begins."""
        return 2 if self.paired else 1

    @property
    def least(self) -> int:
        """The least number of duels: a pair against each opponent."""
        return self.size * len(self.opponents)

    @property
    def watched(self) -> tuple[str, ...]:
        """Identifiers of the cards that the lists do not share."""
        return tuple(self.cards.cards[number].id for number in self.job.watched)

    def pairs(self, duels: int) -> list[int]:
        """How many pairs of so many duels each opponent gets; never fewer of more duels."""
        spare = duels // self.size - len(self.opponents)
        return [1 + math.floor(weight * spare) for weight in self.weights]

    def folders(self, kept: RunFolder, duels: int) -> list[DuelFiles]:
        """A folder for each opponent, with a manifest of its own.

        Raises
        ------
        InputError
            One cannot be written, or belongs to another comparison.
        """
        about = []
        for number, setup in enumerate(self.setups):
            about.append(
                {
                    **identity(setup, self.size * self.pairs(duels)[number]),
                    "compared_with": self.list_b.name,
                    "compared_deck": dict(self.list_b.cards),
                    "weight": str(self.weights[number]),
                }
            )
        own = ("b", "deck_b", "weight", "duels")  # the opponent's
        every = {key: value for key, value in about[0].items() if key not in own}
        against = dict(zip(self.names, map(str, self.weights), strict=True))
        kept.claim({"command": "compare", **every, "against": against, "duels": duels})
        return [
            kept.duels_in(folder_name(number, name), each, schema(self.watched))
            for number, (name, each) in enumerate(zip(self.names, about, strict=True), 1)
        ]


def plan_of(setup: Setup, b: DeckLike, asked: Sequence[Asked]) -> Plan:
    """The plan for list a of a setup, list b and the opponents.

    Raises
    ------
    InputError
        A deck is not found, not legal, or named twice among the opponents.
    """
    known = setup.cards
    list_b = legal_deck(b, known)
    opponents = tuple(legal_deck(deck, known) for deck, _ in asked)
    for number, deck in enumerate(opponents):
        if deck in opponents[:number]:
            raise InputError(
                f"the opponent {quote(deck.name)} is named twice", right="give it a weight instead"
            )
    numbers_a = setup.job.deck_a
    numbers_b = aligned(numbers_a, deck_numbers(list_b, known))
    setups = []
    against = []
    for deck in opponents:
        job = dataclasses.replace(setup.job, deck_b=deck_numbers(deck, known))
        setups.append(dataclasses.replace(setup, decks=(setup.decks[0], deck), job=job))
        against.append((job, dataclasses.replace(job, deck_a=numbers_b)))
    total = sum(weight for _, weight in asked)
    return Plan(
        setups=tuple(setups),
        list_b=list_b,
        opponents=opponents,
        names=_labels(opponents, [deck for deck, _ in asked]),
        weights=tuple(weight / total for _, weight in asked),
        job=ComparisonJob(tuple(against), differing(numbers_a, numbers_b)),
    )


def opponents_of(against: Against) -> list[Asked]:
    """Opponents with their weights; "all" stands for every faction (see `sim.comparison.compare`).

    Raises
    ------
    InputError
        There are none or too many, or a weight is no number above 0.
    """
    pairs: list[Asked]
    if isinstance(against, str):
        pairs = [_weighted(part) for part in against.split(",") if part.strip()]
    elif isinstance(against, Mapping):
        pairs = [(deck, _weight(weight, str(deck))) for deck, weight in against.items()]
    else:
        pairs = [(deck, Fraction(1)) for deck in against]
    found: list[Asked] = []
    for deck, weight in pairs:
        is_all = isinstance(deck, str) and deck.strip().casefold() == ALL
        found += [(name, weight) for name in FACTION_ORDER] if is_all else [(deck, weight)]
    if not found or len(found) > MOST_OPPONENTS:
        raise InputError(
            f"there are {len(found)} opponents", right=f"name 1 to {MOST_OPPONENTS} decks, or all"
        )
    return found


def _weighted(part: str) -> tuple[str, Fraction]:
    """DECK or DECK:WEIGHT; a colon that is no weight's belongs to a file's name."""
    deck, colon, weight = part.rpartition(":")
    if not colon or "\\" in weight or "/" in weight:
        return part.strip(), Fraction(1)
    return deck.strip(), _weight(weight.strip(), deck.strip())


def _weight(weight: Any, deck: str) -> Fraction:
    try:
        found = Fraction(str(weight))
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 10**6:
        raise InputError(
            f"the weight of the opponent {quote(deck)} is {quote(weight)}",
            right="a number above 0, such as rome:2",
        )
    return found.limit_denominator(10**6) or Fraction(1, 10**6)


def _labels(decks: Sequence[Deck], asked: Sequence[DeckLike]) -> tuple[str, ...]:
    """What reports call the opponents: their names, or what was typed where names are alike."""
    names = [deck.name for deck in decks]
    return tuple(
        name if names.count(name) == 1 or isinstance(text, Deck) else str(text)
        for name, text in zip(names, asked, strict=True)
    )
