"""`duel-sim deck`: write, check, show and compare deck lists (without playing them)."""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cards.errors import InputError
from cards.names import quote
from sim.commands import options

if TYPE_CHECKING:
    from cards.ancient_duel.decks import Deck
    from cards.ancient_duel.load import CardSet

#: Width of a list in a pipe, where lines need not fit a window.
_PIPE_WIDTH = 100
_DRAWN_SEEDS = 10**9

app = typer.Typer(
    help="Deck lists: check, show, diff, list, random, convert.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DeckArgument = Annotated[
    str, typer.Argument(metavar="DECK", help="A faction, a shipped deck, or a deck file.")
]
Russian = Annotated[bool, typer.Option("--russian", help="Card names in Russian.")]
Form = Annotated[
    str | None,
    typer.Option("--form", metavar="FORM", help="toml, or text (one card a line)."),
]


@app.command("check")
def check(
    decks: Annotated[
        list[str],
        typer.Argument(metavar="DECK…", help="Deck files, shipped decks or factions."),
    ],
    matches_played: Annotated[
        int | None,
        typer.Option(
            "--matches-played",
            parser=options.whole_number,
            metavar="N",
            help="Factions open with matches played [default: all are open].",
        ),
    ] = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
) -> None:
    """Check decks against the rules of deck building; exit code 1 if one breaks any.

    Every violation is listed, with its rule and its number.
    """
    from cards.ancient_duel.shipped_decks import look_up
    from reports.deck_terminal import deck_json, deck_line

    if matches_played is not None and matches_played < 0:
        raise InputError(f"--matches-played is {matches_played}", right="0 or more")
    known = _card_set(cards)
    found = [(text, look_up(text, known)) for text in decks]
    results = [{"deck": text, **deck_json(deck, known, matches_played)} for text, deck in found]
    if as_json:
        keys = ("deck", "name", "faction", "kind", "size", "legal", "violations")
        _print_json([{key: result[key] for key in keys} for result in results])
    else:
        for (text, deck), result in zip(found, results, strict=True):
            verdict = "legal" if result["legal"] else "not legal"
            print(f"{text}: {verdict} ({deck_line(deck, known)})")
            for line in result["violations"]:
                print(f"  {line}")
    raise typer.Exit(0 if all(result["legal"] for result in results) else 1)


@app.command("show")
def show(
    deck: DeckArgument,
    russian: Russian = False,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
) -> None:
    """Show a list by kind of card, with the level and energy curves of its units."""
    from cards.ancient_duel.shipped_decks import look_up
    from reports.deck_terminal import deck_json, deck_table

    known = _card_set(cards)
    found = look_up(deck, known)
    if as_json:
        _print_json(deck_json(found, known))
        return
    from rich.console import Console

    console = Console(
        highlight=False,
        markup=False,
        emoji=False,
        width=None if sys.stdout.isatty() else _PIPE_WIDTH,
    )
    console.print(deck_table(found, known, russian=russian, encoding=console.encoding))


@app.command("diff")
def diff(
    a: options.DeckA,
    b: options.DeckB,
    russian: Russian = False,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
) -> None:
    """Show what changed from list A to list B."""
    from cards.ancient_duel.shipped_decks import look_up
    from reports.deck_terminal import difference_lines, differences

    known = _card_set(cards)
    lists = look_up(a, known), look_up(b, known)
    if not as_json:
        print("\n".join(difference_lines(*lists, known, russian=russian)))
        return
    changed = [
        {"id": card.id, "name_en": card.name_en, "name_ru": card.name_ru, "a": before, "b": after}
        for card, before, after in differences(*lists, known)
    ]
    _print_json({"a": lists[0].name, "b": lists[1].name, "changed": changed})


@app.command("list")
def list_decks(
    faction: Annotated[
        str | None, typer.Option("--faction", metavar="F", help="Decks of one main faction only.")
    ] = None,
    cards: options.CardFiles = None,
    as_json: options.Json = False,
) -> None:
    """List the decks that ship with the game; each can be named wherever a deck is asked for."""
    import textwrap

    from cards.ancient_duel.shipped_decks import shipped_decks
    from reports.deck_terminal import deck_json, deck_line

    known = _card_set(cards)
    found = list(shipped_decks(known))
    if faction is not None:
        wanted = known.find_faction(faction).id
        found = [each for each in found if each.deck.faction == wanted]
    if as_json:
        keys = ("name", "faction", "factions", "kind")
        rows = [(each, deck_json(each.deck, known)) for each in found]
        _print_json([{"id": e.id, **{k: row[k] for k in keys}, "idea": e.idea} for e, row in rows])
        return
    for each in found:
        print(f"{each.id}: {each.deck.name}")
        print(f"  {deck_line(each.deck, known)}")
        print(textwrap.fill(each.idea, 78, initial_indent="  ", subsequent_indent="  "))


@app.command("random")
def random(
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="pure, allied or coalition [default: by the number of factions, else pure].",
        ),
    ] = None,
    factions: Annotated[
        str | None,
        typer.Option(
            "--factions",
            metavar="F,…",
            help="Its factions, the main one first [default: drawn, too].",
        ),
    ] = None,
    seed: options.Seed = None,
    form: Form = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it to a file.")
    ] = None,
    russian: Russian = False,
    cards: options.CardFiles = None,
) -> None:
    """Draw a random legal deck; the same seed gives the same deck."""
    import numpy as np

    from cards.ancient_duel.decks import SHAPES, Deck, random_deck

    known = _card_set(cards)
    names = None if factions is None else [f.strip() for f in factions.split(",") if f.strip()]
    if kind is None:
        number = 1 if names is None else len(names)
        kind = list(SHAPES)[min(max(number, 1), len(SHAPES)) - 1]
    if seed is None:
        seed = secrets.randbelow(_DRAWN_SEEDS)
    elif seed < 0:
        raise InputError(f"the seed is {seed}", right="0 or more")
    drawn = random_deck(known, np.random.default_rng(seed), kind.strip().lower(), names)
    # The name says how to draw it again.
    _write(
        Deck(f"{drawn.name}, seed {seed}", drawn.faction, drawn.cards), known, out, form, russian
    )


@app.command("convert")
def convert(
    deck: DeckArgument,
    out: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Where to write it [default: print it]."),
    ] = None,
    form: Form = None,
    russian: Russian = False,
    cards: options.CardFiles = None,
) -> None:
    """Write a deck in the other form: TOML becomes plain text, plain text becomes TOML.

    A FILE that ends in .toml or .txt gets the form of its name.
    """
    from cards.ancient_duel.shipped_decks import look_up

    known = _card_set(cards)
    found = look_up(deck, known)
    if form is None and (out is None or out.suffix.lower() not in (".toml", ".txt")):
        from_text = Path(deck).suffix.lower() != ".toml" and _is_file(deck)
        form = "toml" if from_text else "text"
    _write(found, known, out, form, russian)


def _write(deck: Deck, known: CardSet, out: Path | None, form: str | None, russian: bool) -> None:
    """Write a deck to a file, or print it."""
    from cards.ancient_duel.deck_files import deck_as_text, write_deck
    from cards.names import suggestion

    if form is not None and form.strip().lower() not in ("toml", "text"):
        raise InputError(
            f"{quote(form)} is no form of a deck", right=suggestion(form, ("toml", "text"))
        )
    form = None if form is None else form.strip().lower()
    if out is not None:
        write_deck(deck, out, known, form, russian=russian)
        print(f"duel-sim: wrote {out}", file=sys.stderr)
    else:
        print(deck_as_text(deck, known, form or "text", russian=russian), end="")


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _card_set(paths: list[Path] | None) -> CardSet:
    from cards.ancient_duel.load import amended_card_set, card_set

    return amended_card_set(paths) if paths else card_set()


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))
