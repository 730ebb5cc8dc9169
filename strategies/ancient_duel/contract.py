"""What every strategy must keep to, tried out: the parts of `duel-sim strategy check`.

A strategy is fair if it answers with legal choices, answers the same when it is asked the same,
decides by nothing that its side cannot see, leaves the duel alone, and can play from any position.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from cards.ancient_duel.decks import SHAPES, deck_numbers, random_deck, standard_deck
from cards.ancient_duel.load import CardSet
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError
from sim.ancient_duel import play
from sim.ancient_duel.matchup import MatchupJob
from sim.ancient_duel.notation import option_texts, read_options
from sim.ancient_duel.record import new_duels, new_options
from sim.batch import ROW_COLUMNS
from sim.random_numbers import STREAM_CHOICE_A
from sim.shards import Shard
from sim.workers import play_beside
from strategies.ancient_duel.forecast import attack_table
from strategies.ancient_duel.reshuffle import HIDDEN, reshuffled
from strategies.ancient_duel.sight import Sight, public_key
from strategies.ancient_duel.view import View
from strategies.finder import Finder
from strategies.registry import Strategy

#: Rule sets that random positions come from, besides the rulebook's.
_OTHER_RULES: Final = (
    {"unit_zones": 3, "support_zones": 3},
    {"hand_limit": 0, "deployments_per_turn": 3, "free_level": 6},
    {"activation_cost": 0, "set_cards_wait": True, "direct_attacks_per_turn": 2},
    {"reposition": False, "energy_start": 2, "starting_lp": 40, "effect_draw_loses": False},
)
#: How often the hidden cards are dealt anew at one decision, and how often that is tried.
_DEALS: Final = 3
_TRIES: Final = 12


@dataclass(frozen=True)
class Verdict:
    """One part of the contract: whether it is kept, and how that was seen."""

    part: str
    passed: bool
    finding: str

    def to_json(self) -> dict[str, Any]:
        """The verdict as a dict that `json.dumps` takes."""
        return {"part": self.part, "passed": self.passed, "finding": self.finding}


class Breach(Exception):
    """A part of the contract is broken; the text says how and where."""


@dataclass
class Decision:
    """One decision that is put to the strategy under test.

    Attributes
    ----------
    duel, options, tables
        The records, as `advance` left them, effective stats up to date.
    sight
        What makes views of the duel.
    where
        Which duel and which decision it is, for the finding.
    """

    duel: Any
    options: Any
    tables: Any
    sight: Sight
    where: str

    @property
    def view(self) -> View:
        """What the side that is asked may see."""
        return self.sight.view(self.duel, self.options)[0]

    def copy(self) -> Decision:
        """The same decision in a copy of the duel."""
        duels = new_duels(1)
        duels[0] = self.duel
        return replace(self, duel=duels[0], options=self.options.copy())

    def ask(self, strategy: Strategy) -> int:
        """The number of the option that the strategy chooses.

        Raises
        ------
        Breach
            There is no such option, or the strategy raises something.
        """
        try:
            answer = strategy.choose(self.duel, self.tables, self.options, strategy.parameters)
        except InputError as error:  # a plain strategy's own
            raise Breach(f"{self.where}: {error.what}") from None
        except Exception as fault:
            words = " ".join(f"{type(fault).__name__}: {fault}".split())
            raise Breach(f"{self.where}: raised {words}") from None
        if not 0 <= answer < int(self.options["n"]):
            raise Breach(f"{self.where}: chose option {answer} of {int(self.options['n'])}")
        return int(answer)


class Checker:
    """Tries a strategy out.

    Parameters
    ----------
    finder
        Finds the strategy, here and in another process.
    name
        The strategy's name.
    cards
        The card set.
    seconds
        About how long each part may take.
    seed
        Of the duels that it is tried in.
    elsewhere
        Whether duels are played in another process, too; that takes a few seconds more.
    """

    def __init__(
        self,
        finder: Finder,
        name: str,
        cards: CardSet,
        seconds: float,
        seed: int = 1,
        *,
        elsewhere: bool = True,
    ) -> None:
        self._finder = finder
        self._strategy = finder(name)
        self._cards = cards
        self._seconds = seconds
        self._seed = seed
        self._elsewhere = elsewhere
        self._packed = pack(cards, RuleSet())
        self._decks = [
            deck_numbers(standard_deck(cards, faction.id), cards) for faction in cards.factions
        ]

    def entries(self) -> list[tuple[str, Any]]:
        """Everything that must be compiled before, each with what to call it."""
        return [*self._job(0).entries(), ("the check", attack_table)]

    def verdicts(self, only: Sequence[str] = ()) -> Iterator[Verdict]:
        """All parts, or those named, one after another."""
        parts: tuple[tuple[str, Callable[[], str]], ...] = (
            ("only legal choices", self.legal),
            ("same seed, same choices", self.repeatable),
            ("no peeking", self.blind),
            ("no change of the duel", self.harmless),
            ("no crash in random positions", self.steady),
            ("speed", self.speed),
        )
        for part, look in parts:
            if only and part not in only:
                continue
            try:
                yield Verdict(part, True, look())
            except Breach as breach:
                yield Verdict(part, False, str(breach))
            except InputError as error:
                yield Verdict(part, False, str(error))

    # --- the duels that it is tried in ------------------------------------------------------------
    def _job(self, deck: int) -> MatchupJob:
        """A mirror match of the strategy with itself."""
        name = self._strategy.name
        numbers = self._decks[deck]
        return MatchupJob(
            numbers, numbers, self._packed, self._seed, True, name, name, self._finder
        )

    def _own_duels(self, seconds: float) -> Iterator[Decision]:
        """Decisions of mirror matches of the standard decks that the strategy plays itself."""
        end = time.monotonic() + seconds
        tables = self._packed.view(np.recarray)[0]
        sight = Sight(self._cards, tables)
        for number in itertools.count():
            deck = self._decks[number % len(self._decks)]
            faction = self._cards.factions[number % len(self._decks)]
            where = f"duel {number} ({faction.name_en} against itself)"
            for decision in self._duel(tables, sight, (deck, deck), number, where):
                yield decision
                play.choose(decision.duel, decision.options, decision.ask(self._strategy))
                if time.monotonic() > end:
                    return

    def _wild_duels(self, seconds: float) -> Iterator[Decision]:
        """Decisions of duels of random decks, rules and choices."""
        end = time.monotonic() + seconds
        rng = np.random.default_rng(self._seed)
        for number in itertools.count():
            rules = _OTHER_RULES[number // 2 % len(_OTHER_RULES)] if number % 2 else {}
            tables = pack(self._cards, RuleSet.from_table(rules)).view(np.recarray)[0]
            kinds = rng.choice(list(SHAPES), size=2)
            decks = [
                deck_numbers(random_deck(self._cards, rng, kind), self._cards) for kind in kinds
            ]
            where = f"random duel {number}"
            sight = Sight(self._cards, tables)
            for decision in self._duel(tables, sight, decks, number, where):
                yield decision
                place = int(rng.integers(int(decision.options["n"])))
                play.choose(decision.duel, decision.options, place)
                if time.monotonic() > end:
                    return

    def _duel(
        self, tables: Any, sight: Sight, decks: Sequence[Any], number: int, where: str
    ) -> Iterator[Decision]:
        """The decisions of one duel; the receiver makes the choices."""
        duel, options = new_duels(1)[0], new_options()[0]
        deck_a, deck_b = decks
        play.start(duel, tables, deck_a, deck_b, np.uint64(self._seed), np.uint64(number), 0)
        while play.advance(duel, tables, options):
            if int(options["n"]) == 1:
                play.choose(duel, options, 0)
                continue
            duel["decisions"] += 1
            play.refresh(duel, tables)
            place = f"{where}, decision {int(duel['decisions'])}"
            yield Decision(duel, options, tables, sight, place)

    # --- the parts --------------------------------------------------------------------------------
    def legal(self) -> str:
        """Every answer is the number of an option."""
        seen = sum(1 for _ in self._own_duels(self._seconds))
        return f"{seen:,} decisions in its own duels"

    def repeatable(self) -> str:
        """Asked again, in the same duel, in a second one, in another process: the same answer."""
        seen = 0
        for decision in self._own_duels(self._seconds / 2):
            first, second = (decision.copy().ask(self._strategy) for _ in range(2))
            if first != second:
                raise Breach(
                    f"{decision.where}: chose {self._text(decision, first)!r}, and asked again "
                    f"{self._text(decision, second)!r}"
                )
            seen += 1
        job, count = self._job(0), 4
        here = job.play(0, count)
        if (here != job.play(0, count)).any():
            raise Breach("the same duels, played again, went otherwise")
        where = "here"
        if self._elsewhere:
            where = "here and elsewhere"
            for _, there in play_beside(job, [Shard(0, count)], 1):
                if (here != there).any():
                    raise Breach("the same duels, played in another process, went otherwise")
        return f"{seen:,} decisions asked twice; {count} duels again, {where}"

    def blind(self) -> str:
        """With everything hidden dealt anew, the same answer."""
        rng = np.random.default_rng(self._seed)
        deals = seen = 0
        for duels in (self._own_duels, self._wild_duels):
            for decision in duels(self._seconds / 2):
                found = self._deal_anew(decision, rng)
                deals += found
                seen += found > 0
        return f"{seen:,} decisions, hidden cards dealt anew {deals:,} times"

    def _deal_anew(self, decision: Decision, rng: np.random.Generator) -> int:
        """How often the hidden cards of a decision could be dealt anew, and were looked through."""
        view = decision.view
        chosen, again = (decision.copy().ask(self._strategy) for _ in range(2))
        if chosen != again:
            raise Breach(f"{decision.where}: answers differ anyway, so this cannot be told")
        found = 0
        for _ in range(_TRIES):
            answer = self._answer_of_twin(decision, view, rng, HIDDEN)
            if answer is None:
                continue
            if answer[0] != self._key(decision, chosen):
                raise Breach(
                    f"{decision.where}: chose {self._text(decision, chosen)!r}, but "
                    f"{answer[1]!r} where only hidden things differ: it knows "
                    f"{self._what_is_seen(decision, view, chosen, rng)}"
                )
            found += 1
            if found == _DEALS:
                break
        return found

    def _answer_of_twin(
        self,
        decision: Decision,
        view: View,
        rng: np.random.Generator,
        what: Sequence[str],
    ) -> tuple[tuple[int, ...], str] | None:
        """What is chosen in a reshuffled duel, as key and text; None where that looks different."""
        pair = reshuffled(decision.duel, decision.options, decision.tables, rng, what)
        if pair is None:
            return None
        twin = replace(decision, duel=pair[0], options=pair[1])
        if twin.view != view:
            return None
        text = twin.copy()
        answer = twin.ask(self._strategy)
        return self._key(twin, answer), self._text(text, answer)

    def _what_is_seen(
        self, decision: Decision, view: View, chosen: int, rng: np.random.Generator
    ) -> str:
        """Which hidden things make a difference each by itself."""
        key = self._key(decision, chosen)
        seen = []
        for what in HIDDEN:
            answers = [self._answer_of_twin(decision, view, rng, (what,)) for _ in range(_TRIES)]
            if any(answer is not None and answer[0] != key for answer in answers):
                seen.append(what)
        return ", ".join(seen) or "several of them together"

    def harmless(self) -> str:
        """The records are the same after it was asked, but for its own random numbers' counter."""
        seen = 0
        for decision in self._own_duels(self._seconds):
            asked = decision.copy()
            asked.ask(self._strategy)
            play.refresh(asked.duel, asked.tables)
            own = STREAM_CHOICE_A + int(decision.duel["asked_side"])
            asked.duel["draws"][own] = decision.duel["draws"][own]
            for name, before, after in (
                ("duel", decision.duel, asked.duel),
                ("options", decision.options, asked.options),
            ):
                changed = [
                    field
                    for field in before.dtype.names
                    if field != "scratch" and not np.array_equal(before[field], after[field])
                ]
                if changed:
                    raise Breach(f"{decision.where}: it changed {name}.{changed[0]}")
            seen += 1
        return f"{seen:,} decisions compared"

    def steady(self) -> str:
        """It answers in positions that it would never bring about."""
        seen = 0
        for decision in self._wild_duels(self._seconds):
            decision.copy().ask(self._strategy)
            seen += 1
        return f"{seen:,} decisions with random decks, rules and choices"

    def speed(self) -> str:
        """Decisions a second, in mirror matches."""
        decisions = duels = 0
        begun = time.perf_counter()
        for number in itertools.count():
            count = 2 if number < len(self._decks) else 2 * number
            rows = self._job(number % len(self._decks)).play(0, count)
            decisions += int(rows[:, ROW_COLUMNS.index("decisions")].sum())
            duels += count
            seconds = time.perf_counter() - begun
            if seconds > self._seconds:
                break
        return f"{decisions / seconds:,.0f} decisions a second, {duels / seconds:,.0f} duels"

    # --- what is compared and told ----------------------------------------------------------------
    def _key(self, decision: Decision, place: int) -> tuple[int, ...]:
        return public_key(read_options(decision.options)[place])

    def _text(self, decision: Decision, place: int) -> str:
        return option_texts(decision.duel, decision.options, self._cards)[place]
