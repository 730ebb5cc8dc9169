"""Which numbers of a deck matter: each unit's ATK, DEF and energy, one up and one down."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards.ancient_duel.patch import Patched, patched
from cards.errors import InputError
from sim.alternatives import play_alternatives
from sim.api import DeckLike, Rules, legal_deck, seed_of
from sim.field import ALL, Field, check_run, decks_of, field_of
from sim.run import Progress
from sim.run_folder import RunFolder, run_folder
from sim.workers import Workers
from strategies.finder import StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.changes import ChangesSummary

#: Duels of each change against each opponent.
DUELS: Final = 400
STATS: Final = ("atk", "def", "energy")
#: What a card file allows.
LEAST, MOST = 0, 12


def sensitivity(
    deck: DeckLike,
    n: int = DUELS,
    *,
    against: str | Sequence[DeckLike] = ALL,
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
    """Change each unit's ATK, DEF and energy by 1, up and down, one at a time.

    Where an opponent has the card, too (an allied deck), it is changed there as well.

    Parameters
    ----------
    deck
        The deck whose cards are changed.
    n
        Duels of each change against each opponent, made even.
    against
        The opponents, as `decks` in `sim.matrix.matrix`; "all" leaves the deck itself out.
    strategy, seed, workers, cluster, rules, rules_file, cards, progress
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
        field = plan(
            deck,
            against,
            strategy=strategy,
            seed=seed_of(seed, folder),
            rules=rules,
            rules_file=rules_file,
            cards=cards,
        )
        return sensitivity_field(field, n, players, folder=folder, progress=progress)


def plan(
    deck: DeckLike,
    against: str | Sequence[DeckLike] = ALL,
    *,
    strategy: StrategyLike = DEFAULT,
    seed: int | None = None,
    rules: Rules = (),
    rules_file: str | Path | None = None,
    cards: Sequence[str | Path] = (),
) -> Field:
    """The field of a deck, which is first, and its opponents (see `sensitivity`)."""
    alone = field_of(
        [deck], strategy=strategy, seed=seed, rules=rules, rules_file=rules_file, cards=cards
    )
    own = alone.decks[0]
    is_all = isinstance(against, str) and against.strip().casefold() == ALL
    asked = decks_of(against, alone.cards)
    others = [each for each in asked if legal_deck(each, alone.cards).cards != own.cards]
    if len(others) < len(asked) and not is_all:
        raise InputError(
            f"{own.name} is among its own opponents",
            right="a change would be on both sides; name other decks",
        )
    return field_of(
        [deck, *others],
        strategy=strategy,
        seed=alone.seed,
        rules=rules,
        rules_file=rules_file,
        cards=cards,
    )


def sensitivity_field(
    field: Field,
    n: int,
    workers: Workers,
    *,
    folder: RunFolder | None = None,
    progress: Progress | None = None,
) -> ChangesSummary:
    """Play the sensitivity of a field's first deck against the others (see `sensitivity`)."""
    from reports.changes import deck_change, summarise_changes

    changes = list(changes_of(field))
    others = [field.under(change.cards, change.rules) for change in changes]
    places = [(0, other) for other in range(1, len(field.decks))]
    played = play_alternatives(
        field, others, places, n, workers, progress, folder=folder, command="sensitivity"
    )
    return summarise_changes(
        [
            deck_change(
                str(change),
                field.names[0],
                field.names[1:],
                [joint[number] for joint in played.joint],
                paired=played.paired,
            )
            for number, change in enumerate(changes)
        ],
        strategy=field.strategy,
        seed=field.seed,
        duels_per_second=played.duels_per_second,
    )


def changes_of(field: Field) -> list[Patched]:
    """All changes by 1 of the units of a field's first deck that a card file allows."""
    found = []
    for card_id, _ in field.decks[0].cards:
        card = field.cards.by_id[card_id]
        if not card.is_unit:
            continue
        for stat in STATS:
            now = int(getattr(card, "def_" if stat == "def" else stat) or 0)
            found += [
                patched(field.cards, field.rules, [f"{card_id}.{stat}={value}"])
                for value in (now - 1, now + 1)
                if LEAST <= value <= MOST
            ]
    return found


def duels_of(field: Field, n: int) -> int:
    """How many duels the sensitivity of a field plays."""
    each = n - n % 2 if field.paired else n
    return each * (1 + len(changes_of(field))) * (len(field.decks) - 1)
