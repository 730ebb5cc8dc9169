"""`duel-sim bench`: how fast duels are played on this machine, and whether that has changed."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from typing import Annotated, Any, Final

import typer

from cards.errors import InputError
from sim.commands import options

#: Each version plays a strategy for so many seconds in a pair, if nothing else is asked for.
_PAIR_SECONDS: Final = 1.0
_SECONDS: Final = 3.0
_PAIRS: Final = 10


def command(
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            metavar="NAMES",
            help="Whom to measure, separated by spaces [default: all built-in ones; with --profile "
            "tactician].",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="S",
            help="How long each measurement of a strategy takes [default: 3; with --against 1].",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="REV",
            help="Compare with another revision of the project's git checkout, e.g. HEAD~1: both "
            "versions play the same duels in turn.",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            parser=options.whole_number,
            metavar="N",
            help=f"With --against: how many times in turn [default: {_PAIRS}].",
        ),
    ] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(
            "--fail-above",
            metavar="PERCENT",
            help="With --against: exit code 1 if a strategy is shown to have become slower by more "
            "than that.",
        ),
    ] = None,
    instructions: Annotated[
        bool,
        typer.Option(
            "--instructions",
            help="Count machine instructions in place of time; needs valgrind.",
        ),
    ] = False,
    profile: Annotated[
        bool,
        typer.Option(
            "--profile",
            help="Show which functions and lines of the engine the time goes to (needs perf), or "
            "the instructions (with --instructions).",
        ),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Measure the speed on the standard decks, each against the next one.

    Compiling from nothing is a part of it, so this takes a minute or two. Comparing and counting
    take longer the first time, as they compile the other code that they need.
    """
    if seconds is not None and not 0 < seconds <= 3600:
        raise InputError(f"--seconds is {seconds}", right="more than 0, at most 3600")
    _check_combination(against, pairs, fail_above, instructions, profile)
    names = _names(strategies, profile)
    if profile:
        _profile(names, seconds or _SECONDS, instructions, as_json)
    elif instructions:
        _count(names, against, fail_above, as_json)
    elif against is not None:
        _compare(names, against, pairs or _PAIRS, seconds or _PAIR_SECONDS, fail_above, as_json)
    else:
        _measure(names, seconds or _SECONDS, as_json)


def _check_combination(
    against: str | None,
    pairs: int | None,
    fail_above: float | None,
    instructions: bool,
    profile: bool,
) -> None:
    """Raise an `InputError` about options that say nothing together."""
    if profile and against is not None:
        raise InputError(
            "--profile and --against do not go together",
            right="leave one out; a profile of another revision is made in a checkout of it",
        )
    for option, value in (("--pairs", pairs), ("--fail-above", fail_above)):
        if value is not None and against is None:
            raise InputError(f"{option} is about a comparison", right="add --against REV")
    if pairs is not None and instructions:
        raise InputError("--pairs is about time", right="leave out --pairs or --instructions")
    if pairs is not None and not 2 <= pairs <= 1000:
        raise InputError(f"--pairs is {pairs}", right="from 2 to 1000")
    if fail_above is not None and not 0 <= fail_above <= 1000:
        raise InputError(f"--fail-above is {fail_above}", right="from 0 to 1000 percent")


def _names(strategies: str | None, profile: bool) -> list[str]:
    """The strategies that are meant."""
    from strategies.registry import BUILT_IN, DEFAULT, find_strategy

    if strategies is None:
        return [DEFAULT] if profile else list(BUILT_IN)
    names = list(dict.fromkeys(strategies.split()))
    if not names:
        raise InputError("--strategies names none", right=f"e.g. '{' '.join(BUILT_IN)}'")
    for name in names:
        find_strategy(name)
    return names


def _measure(names: list[str], seconds: float, as_json: bool) -> None:
    from sim.bench import bench
    from sim.workers import cores

    measured = bench(names, seconds, cores(), _say)
    if as_json:
        print(json.dumps(measured, indent=1))
    else:
        _show(measured)


def _compare(
    names: list[str],
    against: str,
    pairs: int,
    seconds: float,
    fail_above: float | None,
    as_json: bool,
) -> None:
    from sim.commands.bench_tables import show_comparisons
    from sim.speed.against import Pair, compare, measure_pairs
    from sim.speed.measured import working_tree
    from sim.speed.revision import commit_of, laid_out, title_of

    commit = commit_of(against)
    done: list[Pair] = []
    stopped = False
    try:
        with laid_out(commit, _tell) as old:
            done.extend(measure_pairs(old, working_tree(), names, pairs, seconds, _tell))
    except KeyboardInterrupt:
        if not done:
            raise
        stopped = True
    compared = compare(done)
    if as_json:
        rows = [each.to_json() for each in compared]
        print(json.dumps({"against": commit, "stopped": stopped, "strategies": rows}, indent=1))
    else:
        show_comparisons(f"{commit[:10]} ({title_of(commit)})", compared)
    if stopped:
        raise typer.Exit(130)
    if fail_above is not None:
        _end([each.strategy for each in compared if each.slower_than(1 + fail_above / 100)])


def _count(names: list[str], against: str | None, fail_above: float | None, as_json: bool) -> None:
    from sim.commands.bench_tables import show_counts
    from sim.speed.instructions import check_valgrind, count_instructions, fair_ratio, to_json
    from sim.speed.measured import working_tree
    from sim.speed.revision import commit_of, laid_out

    check_valgrind()
    commit = None if against is None else commit_of(against)
    with nullcontext() if commit is None else laid_out(commit, _tell) as old:
        sizes: dict[str, int] = {}
        new = list(count_instructions(working_tree(), names, _tell, sizes))
        if old is None:
            rows = [to_json(each, None) for each in new]
        else:
            known = [each.strategy for each in new]
            before = {each.strategy: each for each in count_instructions(old, known, _tell, sizes)}
            both = [each for each in new if each.strategy in before]
            rows = [to_json(each, before[each.strategy]) for each in both]
    if as_json:
        print(json.dumps({"against": commit, "strategies": rows}, indent=1))
    else:
        show_counts(commit, rows)
    if fail_above is not None:
        _end([row["strategy"] for row in rows if fair_ratio(row) > 1 + fail_above / 100])


def _profile(names: list[str], seconds: float, instructions: bool, as_json: bool) -> None:
    from sim.commands.bench_tables import show_profile
    from sim.speed.measured import working_tree
    from sim.speed.profile import profile_instructions, profile_time

    profiles = []
    for name in names:
        if instructions:
            found = profile_instructions(working_tree(), name, _tell)
        else:
            found = profile_time(working_tree(), name, seconds, _tell)
        profiles.append(found)
        if not as_json:
            show_profile(found)
    if as_json:
        print(json.dumps([found.to_json() for found in profiles], indent=1))


def _end(slower: list[str]) -> None:
    """Exit with code 1 if there is a strategy that has become slower than allowed."""
    if slower:
        print(f"duel-sim: slower than allowed: {', '.join(slower)}", file=sys.stderr)
        raise typer.Exit(1)


def _tell(what: str) -> None:
    print(f"duel-sim: {what}", file=sys.stderr, flush=True)


def _say(what: str) -> None:
    print(f"duel-sim: measuring {what}", file=sys.stderr, flush=True)


def _show(measured: dict[str, Any]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    rows = measured["strategies"]
    # a row a strategy, in two tables: names of strategies are longer than numbers
    rates = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    rates.add_column("per second on")
    for where in ("one core", f"{measured['workers']} cores"):
        for what in ("duels", "turns", "decisions"):
            rates.add_column(f"{what},\n{where}", justify="right")
    for row in rows:
        values = (
            f"{row[f'{what}_per_second_{where}']:,.0f}"
            for where in ("core", "all")
            for what in ("duels", "turns", "decisions")
        )
        rates.add_row(row["strategy"], *values)
    costs = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    costs.add_column("")
    columns = {
        "ns_per_turn": "ns per turn",
        "ns_per_decision": "ns per decision",
        "turns_per_duel": "turns per duel",
        "decisions_per_duel": "decisions per duel",
    }
    for label in columns.values():
        costs.add_column(label, justify="right")
    for row in rows:
        costs.add_row(row["strategy"], *(f"{row[key]:,.0f}" for key in columns))
    console.print(rates)
    console.print()
    console.print(costs)
    console.print()
    console.print(f"compiling from nothing         {measured['compile_seconds']:.1f} s")
    console.print(f"start from a warm cache        {measured['warm_start_seconds']:.2f} s")
    console.print(f"a warm run of 1,000 duels      {measured['warm_1000_seconds']:.2f} s")
    for key, label in (
        ("peak_memory_mb", "peak memory of that run"),
        ("peak_memory_compiling_mb", "peak memory of compiling"),
    ):
        if measured[key] is not None:
            console.print(f"{label:31}{measured[key]:.0f} MB")
