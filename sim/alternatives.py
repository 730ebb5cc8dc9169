"""The matchups of a field as they are and under other cards or rules, on the same seeds."""

from __future__ import annotations

from collections.abc import Sequence

from sim.field import Field
from sim.kept_matchups import answers_of, claim_variants
from sim.replay import lost_workers_named
from sim.run import Progress
from sim.run_folder import RunFolder
from sim.variants import Played, VariantsJob, play_variants
from sim.workers import Workers


def play_alternatives(
    field: Field,
    others: Sequence[Field],
    places: Sequence[tuple[int, int]],
    n: int,
    workers: Workers,
    progress: Progress | None = None,
    *,
    folder: RunFolder | None = None,
    command: str = "",
    part: str = "",
) -> Played:
    """Play matchups of a field, and the same ones of each other field (`Field.under`).

    Parameters
    ----------
    places
        The decks of each matchup.
    n
        Duels of each matchup and alternative, made even where they are paired.
    folder
        Where the results are kept, and found by a run that goes on.
    command, part
        What the run in the folder is; or, of one that says so itself, which part this is.

    Raises
    ------
    InputError
        The folder belongs to another run, or is damaged.
    """
    jobs = [
        VariantsJob(field.job(a, b), tuple(other.job(a, b) for other in others)) for a, b in places
    ]
    if command:
        claim_variants(folder, command, field, jobs, n)
    with lost_workers_named(field, places, alone=False):
        return play_variants(
            jobs,
            n,
            paired=field.paired,
            workers=workers,
            entries=field.entries(),
            kept=answers_of(folder, field, places, part),
            progress=progress,
        )
