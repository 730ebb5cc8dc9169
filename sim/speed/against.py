"""Time for a duel in two versions, measured in turns on the same machine.

A machine is now faster, now slower. So a version is never compared with a figure of another day:
both play the same duels right after one another, new old, old new, …, in processes of their own,
and what is reported is the ratio. Processor time is counted, which other programs disturb less.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cards.errors import InputError
from reports.paired_ratio import Ratio, paired_ratio
from sim.speed.measured import Measured, Played, UnknownStrategy, Version

#: Duels of each matchup that are played before the clock starts: the first ones are slower.
WARM_UP: Final = 4


@dataclass(frozen=True)
class Pair:
    """The same stretch of duels, played by both versions."""

    strategy: str
    old: Played
    new: Played


@dataclass(frozen=True)
class Comparison:
    """What all pairs of a strategy say.

    Attributes
    ----------
    same_duels
        Whether both versions played the same duels: then the rules and the strategy decide alike.
    duels, decisions
        Of the old version and of the new one.
    ns
        Of a duel, in the old version and in the new one.
    """

    strategy: str
    same_duels: bool
    duels: int
    decisions: tuple[int, int]
    ns: tuple[float, float]
    per_duel: Ratio
    per_decision: Ratio

    @property
    def fair(self) -> Ratio:
        """The ratio that compares like with like: other duels may be longer or shorter ones."""
        return self.per_duel if self.same_duels else self.per_decision

    def slower_than(self, allowed: float) -> bool:
        """Whether the new version is shown to take more than `allowed` times as long."""
        return self.fair.low > allowed

    @property
    def finding(self) -> str:
        """In words."""
        if self.fair.low > 1:
            return "slower"
        return "faster" if self.fair.high < 1 else "no difference shown"

    def to_json(self) -> dict[str, Any]:
        """As a dict that `json.dumps` takes."""
        return {
            "strategy": self.strategy,
            "finding": self.finding,
            "same_duels": self.same_duels,
            "duels": self.duels,
            "decisions_per_duel_old": self.decisions[0] / self.duels,
            "decisions_per_duel_new": self.decisions[1] / self.duels,
            "ns_per_duel_old": self.ns[0],
            "ns_per_duel_new": self.ns[1],
            "ns_per_duel": self.per_duel.to_json(),
            "ns_per_decision": self.per_decision.to_json(),
        }


def measure_pairs(
    old: Version,
    new: Version,
    strategies: Sequence[str],
    pairs: int,
    seconds: float,
    say: Callable[[str], None],
) -> Iterator[Pair]:
    """Measure, strategy after strategy, `pairs` times over.

    Parameters
    ----------
    strategies
        Names; both sides play alike. One that the old version does not take is left out.
    seconds
        About how long each version plays a strategy in a pair.
    say
        Is told what is being done.

    Raises
    ------
    InputError
        The new version does not take a strategy, the old one takes none of them, or a version does
        not run.
    """
    counts: dict[str, int] = {}
    say("starting both versions; what is not compiled yet takes a minute")
    for number in range(pairs):
        with (
            Measured(new, environment=_luck()) as new_process,
            Measured(old, environment=_luck()) as old_process,
        ):
            if not counts:
                counts = _sizes(old_process, new_process, strategies, seconds, say)
            say(f"pair {number + 1} of {pairs}")
            for turn, (strategy, count) in enumerate(counts.items()):
                order = [new_process, old_process]
                if (number + turn) % 2:
                    order.reverse()
                if number:
                    for process in order:
                        process.play(strategy, 0, WARM_UP)
                played = {id(each): each.play(strategy, number * count, count) for each in order}
                yield Pair(strategy, played[id(old_process)], played[id(new_process)])


def _luck() -> dict[str, str]:
    """An environment of any size, for a process.

    Where the stack begins depends on it, and code can be faster or slower for that (Mytkowicz et
    al., "Producing wrong data without doing anything obviously wrong", 2009). So it shall be luck,
    which the interval allows for, and not in one version's favour.
    """
    return {"DUEL_SIM_PADDING": "." * random.randrange(4096)}


def _sizes(
    old: Measured,
    new: Measured,
    strategies: Sequence[str],
    seconds: float,
    say: Callable[[str], None],
) -> dict[str, int]:
    """How many duels of each matchup take about so long, for strategies that both versions take."""
    sizes = {}
    for strategy in strategies:
        new.play(strategy, 0, WARM_UP)
        try:
            old.play(strategy, 0, WARM_UP)
        except UnknownStrategy as error:
            say(f"{strategy} is left out: {error}")
            continue
        count = 2
        while (took := new.play(strategy, 0, count).seconds) < seconds / 10:
            count *= 2
        sizes[strategy] = max(2, round(count * seconds / took / 2) * 2)
    if not sizes:
        raise InputError("the revision takes none of the strategies", right="name others")
    return sizes


def compare(pairs: Sequence[Pair]) -> list[Comparison]:
    """A comparison for each strategy, in the order of their first pairs."""
    of_strategy: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        of_strategy[pair.strategy].append(pair)
    return [_comparison(strategy, mine) for strategy, mine in of_strategy.items()]


def _comparison(strategy: str, pairs: Sequence[Pair]) -> Comparison:
    old = [pair.old for pair in pairs]
    new = [pair.new for pair in pairs]
    duels = sum(each.duels for each in new)
    return Comparison(
        strategy=strategy,
        same_duels=all(pair.old.digest == pair.new.digest for pair in pairs),
        duels=duels,
        decisions=(sum(each.decisions for each in old), sum(each.decisions for each in new)),
        ns=(
            1e9 * sum(each.seconds for each in old) / duels,
            1e9 * sum(each.seconds for each in new) / duels,
        ),
        per_duel=paired_ratio(
            *([each.seconds / each.duels for each in side] for side in (new, old))
        ),
        per_decision=paired_ratio(
            *([each.seconds / each.decisions for each in side] for side in (new, old))
        ),
    )
