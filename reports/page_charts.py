"""The charts of the page and of its files: each with its name, its finding and both shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from matplotlib.figure import Figure

from reports import (
    balance_charts,
    card_charts,
    card_findings,
    energy_charts,
    findings,
    tempo_charts,
)
from reports.canvas import COLOUR_A, COLOUR_B, FAINT, INK, SOFT
from reports.chart_frame import NARROW, PAPER, WIDE, Shape, svg_text
from reports.report_data import ReportData

#: Colours that follow the page's, light or dark; all others stay.
_FOLLOWING: Final = {
    INK: "ink",
    SOFT: "soft",
    FAINT: "line",
    PAPER: "paper",
    COLOUR_A: "blue",
    COLOUR_B: "orange",
}


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes
    ----------
    name
        Of its file.
    section
        The page's part that it stands in.
    title
        Its finding.
    draw
        What makes the figure in a shape.
    """

    name: str
    section: str
    title: str
    draw: Callable[[Shape], Figure]


def charts(data: ReportData) -> list[Chart]:
    """The charts for which the data are there, in the order of the page."""
    return [*_balance_charts(data), *_pace_charts(data), *_card_charts(data)]


def _balance_charts(data: ReportData) -> list[Chart]:
    found = []
    if data.patch is not None and len(data.patch):
        title = card_findings.patch_title(data.patch)
        draw = partial(balance_charts.patch_figure, changes=data.patch, title=title)
        found.append(Chart("patch", "patch", title, draw))
    if data.matrix is not None:
        title = findings.matchup_title(data.matrix)
        draw = partial(
            balance_charts.matchup_figure, matrix=data.matrix, decks=data.order, title=title
        )
        found.append(Chart("matchups", "matchups", title, draw))
    if data.factions is not None and len(data.factions) > 1:
        title = findings.faction_title(data.factions)
        draw = partial(balance_charts.faction_figure, factions=data.factions, title=title)
        found.append(Chart("factions", "factions", title, draw))
    if data.matrix is not None:
        title = findings.first_player_title(data.matrix)
        draw = partial(balance_charts.first_player_figure, matrix=data.matrix, title=title)
        found.append(Chart("first_player", "pace", title, draw))
    return found


def _pace_charts(data: ReportData) -> list[Chart]:
    found = []
    if data.lengths is not None:
        title = findings.length_title(data.lengths)
        draw = partial(tempo_charts.length_figure, lengths=data.lengths, title=title)
        found.append(Chart("lengths", "pace", title, draw))
    if not data.tempo:
        return found
    counts, decks = data.tempo, data.order
    for name, figure, title in (
        ("leads", tempo_charts.lead_figure, findings.lead_title(counts)),
        ("decided", tempo_charts.decided_figure, findings.decided_title(counts)),
    ):
        found.append(Chart(name, "pace", title, partial(figure, counts=counts, title=title)))
    energy = findings.energy_title(counts)
    for name, by_deck, title in (
        ("energy", energy_charts.energy_figure, energy),
        ("lp_by_turn", tempo_charts.lp_figure, "LP of each deck and of its opponents, by turn"),
    ):
        draw = partial(by_deck, counts=counts, decks=decks, title=title)
        found.append(Chart(name, "energy", title, draw))
    title = "What a turn's energy goes to, as the duel goes on"
    draw = partial(energy_charts.energy_turn_figure, counts=counts, title=title)
    found.insert(-1, Chart("energy_by_turn", "energy", title, draw))
    return found


def _card_charts(data: ReportData) -> list[Chart]:
    if data.cards is None or not data.has_swaps:
        return []
    title = card_findings.card_title(data.cards)
    draw = partial(card_charts.card_figure, cards=data.cards, title=title)
    return [Chart("cards", "cards", title, draw)]


def inline_pictures(chart: Chart) -> tuple[str, str]:
    """The chart as SVG elements for the page, wide and narrow, in the page's colours."""
    return _inline(chart, WIDE, "wide"), _inline(chart, NARROW, "narrow")


def _inline(chart: Chart, shape: Shape, name: str) -> str:
    text = svg_text(chart.draw(shape))
    text = text[text.index("<svg ") :].strip()
    for colour, variable in _FOLLOWING.items():
        text = re.sub(re.escape(colour), f"var(--{variable})", text, flags=re.IGNORECASE)
    # Several pictures stand in one page: what they refer to must be their own.
    prefix = f"{chart.name}-{name}-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{prefix}", text)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*\n\s*", "\n", text)
    label = chart.title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" class="{name}" ', 1)
