"""The matchups of a field as they are and under other cards or rules, on the same seeds."""

from __future__ import annotations

from collections.abc import Sequence

from sim.field import Field
from sim.run import Progress
from sim.variants import Played, VariantsJob, play_variants
from sim.workers import Workers


def play_alternatives(
    field: Field,
    others: Sequence[Field],
    places: Sequence[tuple[int, int]],
    n: int,
    workers: Workers,
    progress: Progress | None = None,
) -> Played:
    """Play matchups of a field, and the same ones of each other field (`Field.under`).

    Parameters
    ----------
    places
        The decks of each matchup.
    n
        Duels of each matchup and alternative, made even where they are paired.
    """
    jobs = [
        VariantsJob(field.job(a, b), tuple(other.job(a, b) for other in others)) for a, b in places
    ]
    return play_variants(
        jobs,
        n,
        paired=field.paired,
        workers=workers,
        entries=field.entries(),
        progress=progress,
    )
