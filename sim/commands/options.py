"""Options that several commands have, as types for typer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cards.names import quote


def whole_number(text: str) -> int:
    """An option's value as a whole number, in which thousands may be parted: 100_000."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is no whole number") from None


DeckA = Annotated[str, typer.Argument(metavar="A", help="A faction, a shipped deck, or a file.")]
DeckB = Annotated[str, typer.Argument(metavar="B", help="A faction, a shipped deck, or a file.")]
StrategyBoth = Annotated[
    str | None,
    typer.Option("--strategy", metavar="NAME", help="How both sides play [default: tactician]."),
]
StrategyA = Annotated[
    str | None, typer.Option("--strategy-a", metavar="NAME", help="How side A plays.")
]
StrategyB = Annotated[
    str | None, typer.Option("--strategy-b", metavar="NAME", help="How side B plays.")
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        parser=whole_number,
        metavar="S",
        help="The run's seed; drawn, and told, if not given.",
    ),
]
Rule = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="KEY=VALUE", help="A rule option, e.g. hand_limit=6. May be repeated."
    ),
]
RulesFile = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="A TOML file of rule options.")
]
CardFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--cards",
        metavar="FILE",
        help="A faction file that takes the place of the game's own. May be repeated.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        parser=whole_number,
        metavar="W",
        help="Processes that play [default: all cores].",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on a Dask cluster: tcp://HOST:PORT, or local for one started here.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Keep the run in a folder: one row a duel as Parquet, as soon as it is played.",
    ),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the run that --out has already, for more duels too; if none, begin it.",
    ),
]
ResumeReport = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the report that --out has already, of as many duels; if none, begin it.",
    ),
]
Chart = Annotated[Path | None, typer.Option("--chart", metavar="FILE", help="Draw a .png or .svg.")]
