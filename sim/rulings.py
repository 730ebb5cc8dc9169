"""Which conclusions depend on how the rules text is read: the matrix under other rulings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards.ancient_duel.rules import RuleSet, rule_set
from cards.errors import InputError
from sim.alternatives import play_alternatives
from sim.api import DeckLike, Rules, seed_of
from sim.field import ALL, Field, check_run, field_of
from sim.run import Progress
from sim.run_folder import RunFolder, run_folder
from sim.variants import Counts, Played
from sim.workers import Workers
from strategies.finder import StrategyLike
from strategies.registry import DEFAULT

if TYPE_CHECKING:
    from reports.rulings import RulingsSummary

#: Duels of each matchup and ruling.
DUELS: Final = 1_000
#: Points that the rules text leaves open, each read in another way than the rule set does. Zones
#: have no limit in the text; 5 is usual in games of this kind, 3 is tight.
ALTERNATIVES: Final = (
    "reposition=false",
    "set_cards_wait=true",
    "effect_draw_loses=false",
    "unit_zones=5",
    "unit_zones=3",
    "support_zones=5",
    "support_zones=3",
)
#: Who begins is drawn; both ways of fixing it are in the duels of the run itself.
FIRST_PLAYERS: Final = ("first_player=a", "first_player=b")


def rulings(
    decks: str | Sequence[DeckLike] = ALL,
    n: int = DUELS,
    *,
    alternatives: Sequence[str] = (),
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
) -> RulingsSummary:
    """Play the matrix under each alternative ruling, on the same seeds.

    Parameters
    ----------
    n
        Duels of each matchup and ruling, made even.
    alternatives
        `key=value` each; none: `ALTERNATIVES`, but for what the rules in use say already. Who
        begins comes on top where it is drawn.
    decks, strategy, seed, workers, cluster, rules, rules_file, cards, progress
        As in `sim.matrix.matrix`; rules are what the alternatives are compared with.
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
        return rulings_field(
            field, n, players, alternatives=alternatives, folder=folder, progress=progress
        )


def rulings_field(
    field: Field,
    n: int,
    workers: Workers,
    *,
    alternatives: Sequence[str] = (),
    folder: RunFolder | None = None,
    progress: Progress | None = None,
) -> RulingsSummary:
    """Play the rulings of a field (see `rulings`)."""
    from reports.rulings import summarise_rulings

    asked = alternatives_of(field, alternatives)
    places = list(field.pairs(mirrors=False))
    if not places:
        raise InputError("one deck meets no other one", right="name two decks or more")
    others = [field.under(field.cards, rules) for _, rules in asked]
    played = play_alternatives(
        field, others, places, n, workers, progress, folder=folder, command="rulings"
    )
    labels = [label for label, _ in asked]
    return summarise_rulings(
        field.names,
        places,
        [*labels, *(FIRST_PLAYERS if played.paired else ())],
        _joined(played),
        paired=played.paired,
        strategy=field.strategy,
        seed=field.seed,
        duels_per_second=played.duels_per_second,
    )


def alternatives_of(field: Field, asked: Sequence[str] = ()) -> list[tuple[str, RuleSet]]:
    """The alternatives to a field's rules, each with what to call it.

    Raises
    ------
    InputError
        One is no rule option, or is what is played anyway.
    """
    found = []
    for text in asked or ALTERNATIVES:
        option, _, _ = text.partition("=")
        single = rule_set(None, [text]).model_dump()[option.strip()]
        rules = RuleSet.from_table({**field.rules.model_dump(), option.strip(): single}, text)
        if rules != field.rules:
            found.append((text, rules))
        elif asked:
            raise InputError(f"{text} is what is played anyway", right="name another ruling")
    return found


def duels_of(field: Field, n: int, alternatives: Sequence[str] = ()) -> int:
    """How many duels the rulings of a field play."""
    each = n - n % 2 if field.paired else n
    matchups = len(list(field.pairs(mirrors=False)))
    return each * matchups * (1 + len(alternatives_of(field, alternatives)))


def _joined(played: Played) -> list[list[Counts]]:
    """For each matchup the counts of every alternative, who begins last."""
    return [
        [*joint, *(begun if played.paired else ())]
        for joint, begun in zip(played.joint, played.begun, strict=True)
    ]
