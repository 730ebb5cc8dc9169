"""What a card brings: the same seeds played with a plain card in its place (the swap test)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from cards.ancient_duel.blanks import with_blanks
from cards.ancient_duel.load import CardSet
from sim.ancient_duel.matchup import MatchupJob
from sim.api import DeckLike, Rules, seed_of
from sim.field import ALL, Field, check_run, field_of
from sim.kept_matchups import answers_of, claim_variants
from sim.replay import lost_workers_named
from sim.run import Progress
from sim.run_folder import RunFolder, run_folder
from sim.variants import VariantsJob, play_variants
from sim.workers import Workers
from strategies.finder import StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.changes import ChangesSummary

#: Duels of each card's variant against each opponent.
DUELS: Final = 600


def swap_test(
    decks: str | Sequence[DeckLike] = ALL,
    n: int = DUELS,
    *,
    strategy: StrategyLike = DEFAULT,
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
    out: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> ChangesSummary:
    """Replace every card of every deck, one after another, by a plain one, in all copies.

    The opponents are the other decks as they are; a single deck meets itself. `change` in the
    result is the card's identifier, and the difference is that of the deck's win rate *with the
    plain card* less that with the card. Plain cards: `cards.ancient_duel.blanks`.

    The copies of the plain card lie in the deck where the copies of the card would lie, and all
    random numbers are the same; from the first different choice on the duels part.

    Parameters
    ----------
    n
        Duels of each variant against each opponent, made even.
    decks, strategy, seed, workers, cluster, rules, rules_file, cards, progress
        As in `sim.matrix.matrix`.
    out
        A folder that keeps the results of finished shards.
    resume
        Whether a run that is in the folder already is gone on with (see `sim.matchup`).

    Raises
    ------
    InputError
        Something that was asked for cannot be; the text says what and where in one line.
    """
    players = check_run(n, workers, cluster, least=2)
    with run_folder(out, resume=resume) as folder:
        field = field_of(
            decks,
            strategy=strategy,
            seed=seed_of(seed, folder),
            rules=rules,
            rules_file=rules_file,
            cards=cards,
        )
        return swap_field(field, n, players, folder=folder, command="swaps", progress=progress)


def swap_field(
    field: Field,
    n: int,
    workers: Workers,
    *,
    folder: RunFolder | None = None,
    command: str = "",
    part: str = "",
    progress: Progress | None = None,
) -> ChangesSummary:
    """The swap test of a field (see `swap_test`; folder: `sim.alternatives.play_alternatives`)."""
    from reports.changes import deck_change, summarise_changes

    listed = [[card for card, _ in deck.cards] for deck in field.decks]
    known, stands_for = with_blanks(field.cards, dict.fromkeys(c for each in listed for c in each))
    # Played as it is, too, with the plain cards in the set: nothing but the deck shall differ.
    field = field.under(known, field.rules)
    matchups = [(own, other) for own in range(len(listed)) for other in opponents(field, own)]
    jobs = [
        VariantsJob(
            field.job(own, other),
            tuple(_swapped(field, own, other, known, c, stands_for[c]) for c in listed[own]),
        )
        for own, other in matchups
    ]
    if command:
        claim_variants(folder, command, field, jobs, n)
    with lost_workers_named(field, matchups, alone=False):
        played = play_variants(
            jobs,
            n,
            paired=field.paired,
            workers=workers,
            entries=field.entries(),
            kept=answers_of(folder, field, matchups, part),
            progress=progress,
        )
    changes = []
    for own, cards in enumerate(listed):
        rows = [number for number, (deck, _) in enumerate(matchups) if deck == own]
        against = [field.names[matchups[number][1]] for number in rows]
        for place, card in enumerate(cards):
            joint = [played.joint[number][place] for number in rows]
            changes.append(
                deck_change(card, field.names[own], against, joint, paired=played.paired)
            )
    return summarise_changes(
        changes,
        strategy=field.strategy,
        seed=field.seed,
        duels_per_second=played.duels_per_second,
    )


def opponents(field: Field, own: int) -> list[int]:
    """The other decks of a field, or the deck itself where there is no other."""
    return [other for other in range(len(field.decks)) if other != own] or [own]


def duels_of(field: Field, n: int) -> int:
    """How many duels the swap test of a field plays."""
    each = n - n % 2 if field.paired else n
    return sum(
        each * (1 + len(deck.cards)) * len(opponents(field, own))
        for own, deck in enumerate(field.decks)
    )


def _swapped(
    field: Field, own: int, other: int, known: CardSet, card: str, plain: str
) -> MatchupJob:
    job = field.job(own, other)
    numbers = job.deck_a.copy()
    numbers[numbers == known.number(card)] = np.int16(known.number(plain))
    return dataclasses.replace(job, deck_a=numbers)
