"""Options of the commands that report on several decks, as types for typer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Decks = Annotated[
    str,
    typer.Option(
        "--decks",
        metavar="DECK,…",
        help="Factions, shipped decks or deck files, parted by commas, or all: the standard decks.",
    ),
]
PatchFile = Annotated[
    Path | None,
    typer.Option("--patch", metavar="FILE", help="A TOML file of changes: what would they do?"),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="One change, e.g. rome.legionary_cohort.atk=4 or rule.hand_limit=6. May be repeated.",
    ),
]
TablesOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Write the tables as CSV and Parquet, and JSON; keep what is played on the way.",
    ),
]
