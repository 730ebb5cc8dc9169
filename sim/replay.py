"""How a few duels of a run are played again, and lost workers with that told."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cards.ancient_duel.decks import Deck
from cards.ancient_duel.rules import RuleSet
from sim.shards import Shard
from sim.workers import WorkerLost
from strategies.registry import DEFAULT

#: Where duels are played in several ways, which no command plays alone.
SAME_COMMAND: Final = "the same command with --workers 1 plays them in its own process"


def replay_text(command: str) -> str:
    """What is said of the command that plays lost duels again."""
    return f"to play just these here: {command}"


def replay_command(
    decks: Sequence[Any],
    shard: Shard,
    *,
    seed: int,
    strategies: Sequence[Any],
    rules: RuleSet,
    cards: Sequence[str | Path] = (),
    patch: str | Path | None = None,
    changes: Sequence[str] = (),
) -> str:
    """The command that plays these duels of a matchup, in one process.

    Parameters
    ----------
    decks, strategies, cards, patch, changes
        As they were asked for.
    """
    words = ["duel-sim", "matchup", *(_typed(deck) for deck in decks)]
    words += ["--duels", f"{shard.first}-{shard.end - 1}", "--seed", str(seed), "--workers", "1"]
    names = [_typed(strategy) for strategy in strategies]
    if names[0] != names[1]:
        words += ["--strategy-a", names[0], "--strategy-b", names[1]]
    elif names[0] != DEFAULT:
        words += ["--strategy", names[0]]
    usual = RuleSet().model_dump()
    for key, value in rules.model_dump().items():
        if value != usual[key]:
            words += ["--rule", f"{key}={str(value).lower()}"]
    for file in cards:
        words += ["--cards", str(file)]
    if patch is not None:
        words += ["--patch", str(patch)]
    for change in changes:
        words += ["--set", change]
    return shlex.join(words)


@contextmanager
def lost_workers_named(
    field: Any, places: Sequence[tuple[int, int]], *, alone: bool = True
) -> Iterator[None]:
    """Say of lost workers which of a field's matchups (`sim.field.Field`) they were lost in.

    `alone`: it is the matchup itself that was played, and nothing beside it.
    """
    try:
        yield
    except WorkerLost as lost:
        a, b = places[lost.job]
        of = f"{field.names[a]} against {field.names[b]}"
        how = replay_text(field.replay(a, b, lost.shard)) if alone else SAME_COMMAND
        raise lost.named(of, how) from None


def _typed(asked: Any) -> str:
    """A deck or a strategy as one would type it."""
    if isinstance(asked, Deck):
        return asked.name
    return str(getattr(asked, "__name__", asked))
