"""What a long run shows on stderr, and what it says when it is stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Stopped(Exception):
    """The user stopped a run that can go on."""


@contextmanager
def told_how_to_go_on(out: Path | None) -> Iterator[None]:
    """Say after Ctrl-C what has become of a run that is kept in a folder."""
    try:
        yield
    except KeyboardInterrupt:
        if out is None:
            raise
        raise Stopped(
            f"stopped; {out} has the duels so far, the same command goes on from there"
        ) from None


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
