"""Where a run of several matchups keeps what its jobs answer, to go on from after an interruption.

For runs whose results are tables. One that leaves the duels keeps those (`RunFolder.duels_in`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sim.ancient_duel.matchup import MatchupJob
from sim.field import Field
from sim.run_folder import RunFolder
from sim.run_identity import field_identity, folder_name
from sim.shard_files import AnswerFiles
from sim.variants import VariantsJob

Places = Iterable[tuple[int, int]]


def answers_of(
    folder: RunFolder | None, field: Field, places: Places, part: str = ""
) -> list[AnswerFiles] | None:
    """A folder for each matchup, in the folder of a part of the run; None if nothing is kept.

    Raises
    ------
    InputError
        As `RunFolder.answers_in`.
    """
    if folder is None:
        return None
    names = (
        folder_name(number, field.names[a], field.names[b])
        for number, (a, b) in enumerate(places, 1)
    )
    return folder.answers_in(f"{part}/{name}" if part else name for name in names)


def claim_variants(
    folder: RunFolder | None, command: str, field: Field, jobs: Sequence[VariantsJob], n: int
) -> None:
    """Say what a run of variants is, `n` duels of each matchup (errors: `RunFolder.claim`)."""
    if folder is not None:
        every = list(_matchups(jobs))
        folder.claim(field_identity(command, field, n * len(jobs), every))


def _matchups(jobs: Sequence[VariantsJob]) -> Iterator[MatchupJob]:
    for job in jobs:
        for each in (job.base, *job.variants):
            assert isinstance(each, MatchupJob)
            yield each
