"""`duel-sim report`: what a designer takes to a meeting, as one page with its charts and tables."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cards.errors import InputError
from cards.names import quote
from sim.commands import field_options, options
from sim.commands.progress import kept_run, progress_bar

if TYPE_CHECKING:
    from reports.report_data import ReportData

DUELS = 20_000
_PICTURES = ("svg", "png")


def command(
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="DIR", help="Where the page and its files go."),
    ],
    decks: field_options.Decks = "all",
    n: Annotated[
        int,
        typer.Option(
            "-n",
            parser=options.whole_number,
            metavar="N",
            help="Duels of each matchup; a tenth of them with each card replaced.",
        ),
    ] = DUELS,
    strategy: options.StrategyBoth = None,
    patch: field_options.PatchFile = None,
    changes: field_options.Set = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    rule: options.Rule = None,
    rules: options.RulesFile = None,
    cards: options.CardFiles = None,
    resume: options.ResumeReport = False,
    pictures: Annotated[
        str, typer.Option("--pictures", metavar="KIND", help="Chart files as svg or png.")
    ] = _PICTURES[0],
) -> None:
    """Write a balance report: a page to read offline, charts, tables, and JSON.

    A run that is stopped leaves a report of the parts that are finished, and goes on with --resume.
    """
    if pictures not in _PICTURES:
        raise InputError(f"--pictures is {quote(pictures)}", right=" or ".join(_PICTURES))
    import sim
    from reports.report_data import ReportData
    from sim import report_run
    from sim.api import seed_of
    from sim.report_files import make_folders
    from sim.run_folder import run_folder
    from strategies.registry import DEFAULT

    with kept_run(out), run_folder(out, resume=resume) as folder:
        plan = report_run.plan(
            decks,
            n,
            patch=patch,
            changes=changes or (),
            strategy=strategy or DEFAULT,
            seed=seed_of(seed, folder),
            workers=workers,
            cluster=cluster,
            rules=rule or (),
            rules_file=rules,
            cards=cards or (),
        )
        same = _same(strategy, rule, rules, cards)
        typed = _typed(out, decks, n, patch, changes, plan.field.seed, same)
        data = ReportData(about=report_run.about(plan, typed, sim.__version__))
        report_run.claim(plan, folder)
        make_folders(out)
        try:
            with progress_bar(plan.duels) as progress:
                report_run.play(plan, data, same, folder, progress)
        except KeyboardInterrupt:
            if data.matrix is None:
                raise
            _write(out, data, pictures)
            raise
        _write(out, data, pictures)


def _write(out: Path, data: ReportData, pictures: str) -> None:
    """Write the files, and print where they are and what stands out."""
    from reports.findings import findings
    from sim.report_files import write_report

    page = write_report(out, data, pictures)
    for finding in findings(data):
        print(f"{finding.title}  [{finding.certainty}]")
        print(f"    {finding.text}")
    print(f"\nThe report: {page}")


def _same(
    strategy: str | None, rule: list[str] | None, rules: Path | None, cards: list[Path] | None
) -> list[str]:
    """The options with which other commands play the same duels."""
    words: list[Any] = []
    if strategy is not None:
        words += ["--strategy", strategy]
    for each in rule or ():
        words += ["--rule", each]
    if rules is not None:
        words += ["--rules", rules]
    for file in cards or ():
        words += ["--cards", file]
    return [str(word) for word in words]


def _typed(
    out: Path,
    decks: str,
    n: int,
    patch: Path | None,
    changes: list[str] | None,
    seed: int,
    same: list[str],
) -> str:
    """The command that makes this report again."""
    words = ["duel-sim", "report", "-o", str(out), "-n", str(n), "--seed", str(seed)]
    if decks != "all":
        words += ["--decks", decks]
    if patch is not None:
        words += ["--patch", str(patch)]
    for change in changes or ():
        words += ["--set", change]
    return shlex.join([*words, *same])
