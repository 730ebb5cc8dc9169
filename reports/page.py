"""The page of a balance report: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports import page_tables, wording
from reports.finding import Finding
from reports.findings import findings
from reports.page_charts import Chart, charts, inline_pictures
from reports.page_tables import Table
from reports.report_data import ReportData

#: The parts of the page, by anchor.
TITLES: Final = {
    "patch": "What the patch changes",
    "matchups": "Who beats whom",
    "factions": "The decks against the field",
    "pace": "Who begins, how long it takes, who comes back",
    "energy": "Energy, units and LP",
    "cards": "What the cards do",
}
NOTES: Final = {
    "cards": (
        "Two numbers a card, because the first misleads. <b>Seen</b>: how often the deck wins when "
        "the card is drawn, against when it is not. Cards are drawn late in long duels, and long "
        "duels are won by other decks and in other ways than short ones; so a card can look strong "
        "or weak for the company that it keeps. <b>Caused</b>: the same duels, seed by seed, with "
        "the card replaced by a plain one of its level; the difference is what the card brings, to "
        "this deck, in these hands. Trust the second."
    ),
    "factions": (
        "The equilibrium is the mix of decks that no single deck beats: what players would come to "
        "who choose freely and want to win. A deck with 0% in it has no matchup that makes up for "
        "the rest."
    ),
    "energy": (
        "Energy that is not spent in a side's own turn pays for tactics in the enemy's; what is "
        "left then is lost at the refill. Units lost are those that left the field."
    ),
}


@dataclass(frozen=True)
class Picture:
    """A chart for the page: both shapes as SVG."""

    chart: Chart
    wide: Markup
    narrow: Markup


@dataclass
class Section:
    """A part of the page."""

    name: str
    title: str
    note: Markup
    pictures: list[Picture] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    folded: list[Table] = field(default_factory=list)


def page(data: ReportData, drawn: Callable[[int, int], None] | None = None) -> str:
    """The page as HTML.

    `drawn` is called after each chart with how many are drawn, and how many there are.
    """
    environment = Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["thousands"] = wording.number
    return environment.get_template("report.html").render(
        data=data,
        about=data.about,
        findings=_first(findings(data)),
        sections=_sections(data, drawn),
        missing=_missing(data),
    )


def _first(found: list[Finding]) -> list[Finding]:
    return found[:9]


def _missing(data: ReportData) -> list[str]:
    """The parts that a stopped run has not got to."""
    parts = {
        "the matchups": data.matrix is not None,
        "how duels run": bool(data.tempo),
        "what cards bring": data.has_swaps or not data.about.swap_duels,
    }
    return [name for name, there in parts.items() if not there]


def _sections(data: ReportData, drawn: Callable[[int, int], None] | None) -> list[Section]:
    sections = {
        name: Section(name, title, Markup(NOTES.get(name, ""))) for name, title in TITLES.items()
    }
    every = charts(data)
    for number, chart in enumerate(every, 1):
        wide, narrow = inline_pictures(chart)
        picture = Picture(chart, Markup(wide), Markup(narrow))
        sections[chart.section].pictures.append(picture)
        if drawn is not None:
            drawn(number, len(every))
    _add_tables(data, sections)
    return [each for each in sections.values() if each.pictures or each.tables]


def _add_tables(data: ReportData, sections: dict[str, Section]) -> None:
    if data.matrix is not None:
        sections["matchups"].tables.append(page_tables.matchup_table(data.matrix))
    if data.factions is not None:
        sections["factions"].tables.append(page_tables.faction_table(data.factions))
    if data.cycles is not None and len(data.cycles):
        sections["factions"].tables.append(page_tables.cycle_table(data.cycles))
    if data.tempo:
        comebacks, *rest = page_tables.pace_tables(data)
        sections["pace"].tables.append(comebacks)
        sections["pace"].folded += rest
        sections["energy"].tables += page_tables.energy_tables(data)
    if data.cards is not None:
        sections["cards"].tables.append(page_tables.card_table(data.cards, swaps=data.has_swaps))
    if data.doings is not None:
        sections["cards"].folded.append(page_tables.doing_table(data.doings))
    patch = page_tables.patch_tables(data)
    sections["patch"].tables += patch[:1]
    sections["patch"].folded += patch[1:]
