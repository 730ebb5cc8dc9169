"""What makes a run the run it is: two runs that agree in it have the same duels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sim
from cards.ancient_duel.decks import Deck
from cards.names import normalise
from sim.ancient_duel.matchup import MatchupJob
from sim.compiled import source_hash
from strategies.registry import KNOWLEDGE

if TYPE_CHECKING:
    from sim.api import Setup
    from sim.field import Field

GAME: Final = "ancient-duel"
_LONGEST_NAME: Final = 40


def identity(setup: Setup, n: int | None) -> dict[str, Any]:
    """What the manifest of a matchup's folder says; `n`: its duels, None if nobody knows."""
    job = setup.job
    return {
        "program": "duel-sim",
        "game": GAME,
        "a": setup.names[0],
        "b": setup.names[1],
        "duels": n,
        "seed": job.seed,
        "strategy_a": job.strategy_a,
        "strategy_b": job.strategy_b,
        "rules": setup.rules.model_dump(),
        "deck_a": dict(setup.decks[0].cards),
        "deck_b": dict(setup.decks[1].cards),
        "cards": _digest([job.tables.tobytes()]),
        "version": sim.__version__,
        "code": code_of([job]),
    }


def field_identity(
    command: str, field: Field, n: int | None, jobs: Sequence[MatchupJob] = ()
) -> dict[str, Any]:
    """What the manifest of a run of several matchups says.

    Parameters
    ----------
    n
        The duels of all matchups together.
    jobs
        Every matchup that is played, where it is not the field's own: other cards, other rules.
    """
    template = field.job(0, 0)
    return {
        "program": "duel-sim",
        "game": GAME,
        "command": command,
        "decks": list(field.names),
        "duels": n,
        "seed": field.seed,
        "strategy": field.strategy,
        "rules": field.rules.model_dump(),
        "cards": _digest([template.tables.tobytes()]),
        "version": sim.__version__,
        "code": code_of([template]),
        "jobs": jobs_digest(jobs or [field.job(a, b) for a, b in field.pairs()]),
    }


def about_matchups(
    command: str, decks: Sequence[Any], strategies: Sequence[str], seed: int, n: int
) -> dict[str, Any]:
    """What the manifest of runs of `sim.matchup` says that has more to say in those of each.

    `n`: their duels together.
    """
    return {
        "program": "duel-sim",
        "game": GAME,
        "command": command,
        "decks": [deck.name if isinstance(deck, Deck) else str(deck) for deck in decks],
        "strategies": list(strategies),
        "duels": n,
        "seed": seed,
        "version": sim.__version__,
    }


def jobs_digest(jobs: Iterable[MatchupJob]) -> str:
    """A digest of matchups: of their decks, cards, rules, seeds and strategies' names."""
    tables: dict[int, bytes] = {}  # many matchups, few tables
    found = []
    for job in jobs:
        if id(job.tables) not in tables:
            tables[id(job.tables)] = hashlib.sha256(job.tables.tobytes()).digest()
        how = repr((job.seed, job.paired, job.strategy_a, job.strategy_b))
        found += [job.deck_a.tobytes(), job.deck_b.tobytes(), tables[id(job.tables)], how.encode()]
    return _digest(found)


def code_of(jobs: Iterable[MatchupJob]) -> str:
    """A digest of the sources that decide what duels are: of the rules and the strategies."""
    hashes: set[str] = set()
    for job in jobs:
        strategies = job.strategies()
        own = {id(strategy.choose) for strategy in strategies if strategy.digest}
        functions = [function for _, function in job.entries() if id(function) not in own]
        files = {Path(getattr(each, "py_func", each).__code__.co_filename) for each in functions}
        if own:
            files.update(KNOWLEDGE)
        hashes.update(source_hash(file) for file in files)
        hashes.update(strategy.digest for strategy in strategies)
    return _digest([" ".join(sorted(hashes)).encode()])


def folder_name(number: int, *names: str) -> str:
    """What the folder of matchup number ... of a run is called, counted from 1."""
    return "-".join(
        [f"{number:02d}", *(normalise(name)[:_LONGEST_NAME] or "deck" for name in names)]
    )


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]
