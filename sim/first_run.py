"""Compiling before a run, with word of it: the first run ever takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sim.compiled import is_ready, ready


def make_ready(entries: Sequence[tuple[str, Any]]) -> float:
    """Compile entries, or load them from the disk cache; the seconds that it took.

    Says on stderr what is being compiled, if anything is.

    Parameters
    ----------
    entries
        Pairs of what to call it and the entry (`sim.compiled.entry`).
    """
    begun = time.perf_counter()
    names = dict.fromkeys(name for name, function in entries if not is_ready(function))
    if names:
        long = ", which takes about a minute" if "the rules" in names else ""
        _say(f"first run of this version: compiling, once, {', '.join(names)}{long}")
    for name, function in entries:
        if is_ready(function):
            ready(function)
            continue
        with _ticking(f"compiling {name}"):
            ready(function)
    seconds = time.perf_counter() - begun
    reasons = {getattr(function, "duel_sim_not_kept", "") for _, function in entries} - {""}
    if reasons:
        why = ", ".join(sorted(reasons))
        _say(f"compiled code cannot be kept ({why}): every process compiles it anew")
    elif names:
        _say(f"compiled in {seconds:.0f} s; the next run starts at once")
    return seconds


def _say(line: str) -> None:
    print(f"duel-sim: {line}", file=sys.stderr, flush=True)


@contextmanager
def _ticking(what: str) -> Iterator[None]:
    """A line with the elapsed time on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(what, total=None)
        yield
