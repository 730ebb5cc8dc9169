"""Tournaments of strategies, as a library: `sim.tournament(["greedy", "my_rush.py"])`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cards.ancient_duel.load import amended_card_set, card_set
from cards.errors import InputError
from sim import api
from sim.output import PICTURES, check_file
from sim.run import Progress
from sim.run_folder import RunFolder, run_folder
from sim.run_identity import about_matchups
from sim.strategy_spread import after
from sim.table_files import write_json
from strategies.finder import Finder, StrategyLike
from strategies.registry import BUILT_IN

if TYPE_CHECKING:
    from reports.tournament import Result, TournamentSummary

#: Duels of each pairing on each deck.
DUELS: Final = 200
SUMMARY: Final = "tournament.json"


@dataclass(frozen=True, repr=False)
class Tournament:
    """The result of a tournament; `summary` has the numbers (`reports.tournament`)."""

    summary: TournamentSummary

    def to_json(self) -> dict[str, Any]:
        """The result as a dict that `json.dumps` takes; what `--json` prints."""
        return self.summary.to_json()

    def chart(self, path: str | Path) -> Path:
        """Write the chart as PNG or SVG, by the suffix; the path.

        Raises
        ------
        InputError
            Another suffix, or a place that cannot be written.
        """
        from reports.tournament_chart import tournament_chart

        return tournament_chart(self.summary, check_file(Path(path), PICTURES))

    def __repr__(self) -> str:
        order = ", ".join(
            f"{each.strategy} {each.rating.points:+.0f}" for each in self.summary.standings
        )
        return f"<Tournament, seed {self.summary.seed}: {order}>"


def tournament(
    strategies: Sequence[StrategyLike] = (),
    decks: Sequence[api.DeckLike] = (),
    n: int = DUELS,
    *,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    rules: api.Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
    out: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Tournament:
    """Let every strategy play every other one, in mirror matches.

    Parameters
    ----------
    strategies
        Two or more; none: all that are built in.
    decks
        Each is played against itself; none: the standard decks of all factions.
    n
        Duels of each pairing on each deck.
    seed, workers, cluster, rules, rules_file, cards, progress
        As of `sim.matchup`. Every pairing has shuffles of its own.
    out
        A folder for one row a duel as Parquet, in a folder for each pairing and deck, and for the
        result as `tournament.json`.
    resume
        Whether a tournament that is in the folder already is gone on with (see `sim.matchup`).

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    asked = tuple(strategies) or tuple(BUILT_IN)
    names = _names(asked, cards)
    mirrors = tuple(decks) or _standard_decks(cards)
    with run_folder(out, resume=resume) as kept:
        seed = api.seed_of(seed, kept)
        if kept is not None:
            total = duels_of(asked, mirrors, n, cards)
            kept.claim(about_matchups("tournament", mirrors, names, seed, total))
            kept.begin()
        results: list[Result] = []
        played = 0
        for first, second in itertools.combinations(range(len(asked)), 2):
            for place, deck in enumerate(mirrors):
                found = api.matchup(
                    deck,
                    deck,
                    n,
                    strategy_a=asked[first],
                    strategy_b=asked[second],
                    seed=_own_seed(seed, first, second, place),
                    workers=workers,
                    cluster=cluster,
                    rules=rules,
                    rules_file=rules_file,
                    cards=cards,
                    out=_own_folder(kept, names[first], names[second], place),
                    resume=kept is not None,
                    progress=None if progress is None else after(played, progress),
                )
                results.append(_result(first, second, found))
                played += n
        return _finished(names, seed, n, results, kept)


def duels_of(
    strategies: Sequence[StrategyLike],
    decks: Sequence[api.DeckLike],
    n: int,
    cards: Sequence[str | Path] = (),
) -> int:
    """How many duels a tournament with these arguments has (see `tournament`)."""
    players = len(strategies) or len(BUILT_IN)
    mirrors = len(decks) or len(_standard_decks(cards))
    return players * (players - 1) // 2 * mirrors * n


def _finished(
    names: Sequence[str], seed: int, n: int, results: Sequence[Result], kept: RunFolder | None
) -> Tournament:
    from reports.tournament import summarise_tournament

    decks = list(dict.fromkeys(result.deck for result in results))
    done = Tournament(summarise_tournament(names, decks, seed, n, results))
    if kept is not None:
        write_json(kept.path / SUMMARY, done.to_json())
    return done


def _names(asked: Sequence[StrategyLike], cards: Sequence[str | Path]) -> list[str]:
    """The strategies' names: two or more, all different."""
    finder = Finder(_cards(cards))
    names = [finder.add(each) for each in asked]
    if len(names) < 2:
        raise InputError("a tournament of one strategy", right="name two or more")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"strategy {name!r} is there twice", right="name each once")
    return names


def _cards(files: Sequence[str | Path]) -> Any:
    return amended_card_set([Path(file) for file in files]) if files else card_set()


def _standard_decks(cards: Sequence[str | Path]) -> tuple[api.DeckLike, ...]:
    return tuple(faction.id for faction in _cards(cards).factions)


def _own_seed(seed: int, first: int, second: int, deck: int) -> int:
    """A seed for a pairing on a deck: results of different pairings shall not hang together."""
    words = np.random.SeedSequence([seed, first, second, deck]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))


def _own_folder(kept: RunFolder | None, first: str, second: str, place: int) -> Path | None:
    if kept is None:
        return None
    plain = (re.sub(r"[^\w.=-]+", "_", name) for name in (first, second))
    return kept.path / f"{' against '.join(plain)}, deck {place + 1}"


def _result(first: int, second: int, found: api.Matchup) -> Result:
    from reports.intervals import PairCounts
    from reports.tournament import Result

    by_wins = dict(found.pairs.group_by("wins_a").sum().select("wins_a", "pairs").iter_rows())
    pairs = PairCounts(*(int(by_wins.get(wins, 0)) for wins in range(3)))
    return Result(first, second, found.summary.a, pairs, found.summary)
