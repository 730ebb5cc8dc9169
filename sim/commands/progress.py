"""What a long run shows on stderr, and what it says when it is stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Stopped(Exception):
    """The user stopped a run that can go on."""


class Failed(Exception):
    """A run cannot go on, through no fault of what was asked for."""


@contextmanager
def kept_run(out: Path | None) -> Iterator[None]:
    """Say of a run that ends before its time what has become of it, if it is kept in a folder.

    Raises
    ------
    Stopped
        After Ctrl-C.
    Failed
        The disk is full, or worker processes died.
    """
    from sim.workers import PlayersLost

    try:
        yield
    except KeyboardInterrupt:
        if out is None:
            raise
        raise Stopped(f"stopped; {_how_to_go_on(out)}") from None
    except BrokenPipeError:
        raise
    except (OSError, MemoryError, PlayersLost) as fault:
        text = str(fault) or "out of memory"
        raise Failed(text if out is None else f"{text}; {_how_to_go_on(out)}") from None


def _how_to_go_on(out: Path) -> str:
    if not out.exists():
        return "nothing is finished yet"
    return f"{out} has what is finished, the same command with --resume goes on from there"


@contextmanager
def progress_bar(n: int | None) -> Iterator[Callable[[int], None] | None]:
    """A bar on a terminal, nothing in a pipe; `n` is the number of duels, None if nobody knows."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("duels"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn() if n is None else TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=n)

    def show(done: int) -> None:
        bar.start()  # not before: there may be a note about compiling first
        bar.update(task, completed=done)

    try:
        yield show
    finally:
        bar.stop()
