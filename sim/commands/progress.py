"""The progress of a run: a bar on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(n: int) -> Iterator[Callable[[int], None] | None]:
    """What a run of `n` duels calls with the number of those that are done; None in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("duels"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
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
