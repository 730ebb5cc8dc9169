"""`duel-sim scenario run` and `duel-sim scenario check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands import options

app = typer.Typer(
    help="Positions with choices to make in them, and what must come out.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("run")
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A scenario file.")],
    as_json: options.Json = False,
) -> None:
    """Play one scenario and print its result."""
    from sim import scenario_command

    raise typer.Exit(scenario_command.run(file, as_json))


@app.command("check")
def check(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE_OR_FOLDER…", help="Scenario files, or folders.")
    ],
) -> None:
    """Play scenarios and compare with what they expect; exit code 1 if anything differs."""
    from sim import scenario_command

    raise typer.Exit(scenario_command.check(paths))
