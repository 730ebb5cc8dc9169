"""`duel-sim watch`: one duel of a matchup, turn by turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cards.errors import InputError
from sim.commands import options

if TYPE_CHECKING:
    from sim.ancient_duel.watch import Choice, Story, Turn

_WIDTH = 100
_BOLD, _PLAIN = "\033[1m", "\033[0m"


def command(
    a: options.DeckA,
    b: options.DeckB,
    seed: options.Seed = None,
    duel: Annotated[
        int,
        typer.Option(
            "--duel",
            parser=options.whole_number,
            metavar="K",
            help="Which duel of the matchup with this seed, from 0.",
        ),
    ] = 0,
    strategy: options.StrategyBoth = None,
    strategy_a: options.StrategyA = None,
    strategy_b: options.StrategyB = None,
    rule: options.Rule = None,
    rules: options.RulesFile = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
) -> None:
    """Play one duel and tell it turn by turn.

    It is the same duel as number K of `duel-sim matchup` with the same seed and options.
    """
    from sim import api
    from sim.ancient_duel.watch import watch
    from sim.first_run import make_ready
    from strategies.registry import DEFAULT

    if not 0 <= duel < api.MOST_DUELS:
        raise InputError(f"--duel is {duel}", right="duels are numbered from 0")
    setup = api.prepare(
        a,
        b,
        strategy_a=strategy_a or strategy or DEFAULT,
        strategy_b=strategy_b or strategy or DEFAULT,
        seed=api.seed_of(seed),
        rules=rule or (),
        rules_file=rules,
        cards=cards or (),
    )
    make_ready(setup.job.entries())
    story = watch(setup.job, setup.cards, duel)
    names = dict(zip("ab", setup.names, strict=True))
    if as_json:
        head = {
            **names,
            "seed": setup.job.seed,
            "duel": duel,
            "strategy_a": setup.job.strategy_a,
            "strategy_b": setup.job.strategy_b,
        }
        print(json.dumps({**head, **story.to_json()}, ensure_ascii=False, indent=1))
        return
    bold = sys.stdout.isatty()
    print(
        f"{names['a']} (a, {setup.job.strategy_a}) against {names['b']} "
        f"(b, {setup.job.strategy_b}): seed {setup.job.seed}, duel {duel}"
    )
    print(f"{names[story.first]} ({story.first}) begins.")
    for line in _lines(story, names):
        is_head = line.startswith("──")
        print(f"{_BOLD}{line}{_PLAIN}" if bold and is_head else line)


def _lines(story: Story, names: Mapping[str, str]) -> Iterator[str]:
    for turn in story.turns:
        yield ""
        yield from _turn_lines(turn, names)
    yield ""
    yield _head("The end")
    for side in "ab":
        yield from _side_lines(side, names[side], story.end[side])
    reason = "the other side's LP are gone"
    if story.reason == "deck":
        reason = "the other side had to draw from an empty deck"
    yield ""
    yield (
        f"{names[story.winner]} ({story.winner}) wins in turn {len(story.turns)}: {reason}. "
        f"{story.decisions} decisions."
    )


def _head(title: str) -> str:
    return f"── {title} ".ljust(_WIDTH, "─")


def _turn_lines(turn: Turn, names: Mapping[str, str]) -> Iterator[str]:
    yield _head(f"Turn {turn.number}: {names[turn.side]} ({turn.side}), own turn {turn.own_number}")
    for side in "ab":
        yield from _side_lines(side, names[side], turn.field[side])
    yield ""
    for line in turn.changes:
        if not line.startswith("turn "):  # the head says it
            yield f"        {line}"
    phase = ""
    for choice in turn.choices:
        # The answer of the other side, or the end of a turn, opens no phase of its own.
        yield from _choice_lines(choice, with_phase=choice.phase != phase)
        phase = choice.phase


def _choice_lines(choice: Choice, *, with_phase: bool) -> Iterator[str]:
    phase = choice.phase if with_phase else ""
    yield f"{phase:8}{choice.side}  {choice.text}"
    for line in choice.changes:
        if not line.startswith("phase "):
            yield f"             {line}"


def _side_lines(side: str, name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """How a side stands; what is empty is left out."""
    yield (
        f"  {name} ({side}): LP {table['lp']}, energy {table['energy']}, "
        f"deck {len(table['deck'])}, graveyard {len(table['graveyard'])}"
    )
    rows = {
        "hand": [str(card) for card in table["hand"]],
        "units": [_unit(unit) for unit in table["units"]],
        "support": [_support(card) for card in table["support"]],
    }
    for label, entries in rows.items():
        if entries:
            yield from _wrapped(label, entries)


def _unit(unit: Mapping[str, Any]) -> str:
    return f"{unit['card']} {unit['atk']}/{unit['def']} {unit['position']}"


def _support(card: Mapping[str, Any]) -> str:
    place = "" if card["face_up"] else " face-down"
    if card["on"] is not None:
        place += f" on unit {card['on']}"
    return f"{card['card']}{place}"


def _wrapped(label: str, entries: list[str]) -> Iterator[str]:
    """A list over as many lines as it needs, broken between its entries."""
    line = f"      {label:8}"
    for number, entry in enumerate(entries):
        text = entry + ("," if number < len(entries) - 1 else "")
        if number and len(line) + 1 + len(text) > _WIDTH:
            yield line
            line = " " * 14
        line += f" {text}"
    yield line
