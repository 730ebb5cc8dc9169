"""The decks of a report: all of them found, checked, and ready to meet each other.

A field can be had again under other cards or rules (`Field.under`): the same decks, laid out so
that on the same seeds every card that is still there is drawn when it was drawn before.
"""

from __future__ import annotations

import dataclasses
import itertools
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from cards.ancient_duel.decks import Deck, deck_numbers
from cards.ancient_duel.load import CardSet, amended_card_set, card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from cards.names import quote
from sim.ancient_duel.comparison import Numbers, aligned
from sim.ancient_duel.matchup import MatchupJob
from sim.api import (
    MOST_DUELS,
    DeckLike,
    Rules,
    check_number,
    legal_deck,
    prepare,
    seed_of,
    who_plays,
)
from sim.replay import replay_command
from sim.shards import Shard
from sim.workers import Workers
from strategies.finder import Finder, StrategyLike
from strategies.registry import DEFAULT

#: What stands for the standard decks.
ALL: Final = "all"
#: So many decks are 5,050 matchups; more would be a mistake.
MOST_DECKS: Final = 100
#: A matchup's seed is short enough to be typed again.
_SEEDS: Final = 10**9


@dataclass(frozen=True, repr=False)
class Field:
    """Decks that meet each other.

    Attributes
    ----------
    cards, rules
        What is played with.
    decks, names
        The decks, and what reports call them.
    seed
        The run's seed; each matchup has its own, which follows from it and the two decks alone, so
        that it is the same among other decks.
    strategy
        The name of how all sides play.
    """

    cards: CardSet
    rules: RuleSet
    decks: tuple[Deck, ...]
    names: tuple[str, ...]
    seed: int
    strategy: str
    _asked: tuple[DeckLike, ...]
    _card_files: tuple[str | Path, ...]
    _how: StrategyLike
    _template: MatchupJob
    _numbers: tuple[Numbers, ...]
    _roots: tuple[int, ...]

    @property
    def paired(self) -> bool:
        """Whether duels come in pairs."""
        return self._template.paired

    def entries(self) -> list[tuple[str, Any]]:
        """Everything that must be compiled before a duel, each with what to call it."""
        return self._template.entries()

    def pairs(self, *, mirrors: bool = True) -> Iterator[tuple[int, int]]:
        """The places of the decks of every matchup, each once: a before b."""
        for a, b in itertools.combinations_with_replacement(range(len(self.decks)), 2):
            if mirrors or a != b:
                yield a, b

    def seed_of(self, a: int, b: int) -> int:
        """The seed of the matchup of decks number a and b."""
        words = np.random.SeedSequence([self.seed, self._roots[a], self._roots[b]])
        return int(words.generate_state(1, np.uint64)[0] % _SEEDS)

    def job(self, a: int, b: int) -> MatchupJob:
        """What plays deck number a against deck number b."""
        return dataclasses.replace(
            self._template,
            deck_a=self._numbers[a],
            deck_b=self._numbers[b],
            seed=self.seed_of(a, b),
        )

    def replay(self, a: int, b: int, shard: Shard) -> str:
        """The command that plays duels of deck number a against deck number b."""
        return replay_command(
            (self._asked[a], self._asked[b]),
            shard,
            seed=self.seed_of(a, b),
            strategies=(self._how, self._how),
            rules=self.rules,
            cards=self._card_files,
        )

    def deck_numbers(self, deck: int) -> Numbers:
        """The card numbers of a deck as it is laid out, shape (40,), int16."""
        return self._numbers[deck]

    def under(self, cards: CardSet, rules: RuleSet) -> Field:
        """The same decks and seeds with other cards or rules.

        Standard decks are those of the other cards. The cards must have the same numbers, but for
        new ones at the end.

        Raises
        ------
        InputError
            A deck is not legal any more.
        """
        decks = tuple(legal_deck(deck, cards) for deck in self._asked)
        finder, name = _finder(cards, self._how)
        return dataclasses.replace(
            self,
            cards=cards,
            rules=rules,
            decks=decks,
            _template=dataclasses.replace(
                self._template,
                # paired as before, whoever begins now: duels are compared by their numbers
                tables=pack(cards, rules),
                find_strategy=finder,
                strategy_a=name,
                strategy_b=name,
            ),
            _numbers=tuple(
                aligned(old, deck_numbers(deck, cards))
                for old, deck in zip(self._numbers, decks, strict=True)
            ),
        )


def field_of(
    decks: str | Sequence[DeckLike] = ALL,
    *,
    strategy: StrategyLike = DEFAULT,
    seed: int | None = None,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
) -> Field:
    """Find and check decks (parameters: `sim.matrix.matrix`).

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    known = amended_card_set([Path(path) for path in cards]) if cards else card_set()
    asked = decks_of(decks, known)
    seed = seed_of(seed)
    setup = prepare(
        asked[0],
        asked[0],
        strategy_a=strategy,
        strategy_b=strategy,
        seed=seed,
        rules=rules,
        rules_file=rules_file,
        cards=cards,
    )
    found = tuple(legal_deck(deck, setup.cards) for deck in asked)
    for place, deck in enumerate(found):
        if deck in found[:place]:
            raise InputError(f"the deck {quote(deck.name)} is there twice", right="name it once")
    numbers = tuple(deck_numbers(deck, setup.cards) for deck in found)
    return Field(
        cards=setup.cards,
        rules=setup.rules,
        decks=found,
        names=_names(found, asked),
        seed=seed,
        strategy=setup.job.strategy_a,
        _asked=asked,
        _card_files=tuple(cards),
        _how=strategy,
        _template=setup.job,
        _numbers=numbers,
        _roots=tuple(zlib.crc32(each.tobytes()) for each in numbers),
    )


def decks_of(decks: str | Sequence[DeckLike], cards: CardSet) -> tuple[DeckLike, ...]:
    """The decks of a text with commas, or of a sequence; "all" is every standard deck.

    Raises
    ------
    InputError
        There are none, or too many.
    """
    parts: Sequence[DeckLike] = decks if not isinstance(decks, str) else decks.split(",")
    found: list[DeckLike] = []
    for part in parts:
        text = part.strip() if isinstance(part, str) else part
        if isinstance(text, str) and text.casefold() == ALL:
            found += [faction.id for faction in cards.factions]
        elif text:
            found.append(text)
    if not 1 <= len(found) <= MOST_DECKS:
        raise InputError(
            f"there are {len(found)} decks", right=f"name 1 to {MOST_DECKS} decks, or {ALL}"
        )
    return tuple(found)


def check_run(
    n: int, workers: int | None, cluster: str | None = None, *, least: int = 1
) -> Workers:
    """Who plays (`sim.api.who_plays`); checks the number of duels, too.

    Raises
    ------
    InputError
        A number is out of range, or the cluster cannot be used.
    """
    check_number(n, "the number of duels (n)", least, MOST_DUELS)
    return who_plays(workers, cluster)


def _finder(cards: CardSet, how: StrategyLike) -> tuple[Finder, str]:
    finder = Finder(cards)
    return finder, finder.add(how)


def _names(decks: Sequence[Deck], asked: Sequence[DeckLike]) -> tuple[str, ...]:
    """Their names, or what was typed where names are alike."""
    names = [deck.name for deck in decks]
    return tuple(
        name if names.count(name) == 1 or isinstance(text, Deck) else str(text)
        for name, text in zip(names, asked, strict=True)
    )
