"""The charts of a report: what they say can be read from them, and the same data draw the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import made_up
import numpy as np
import polars as pl
import pytest
from made_up_report import report
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.text import Text

from reports import balance_charts, card_charts, energy_charts, tempo, tempo_charts
from reports.chart_frame import CELL_INK, CELL_PAPER, NARROW, WIDE, Shape, ink_on, save_picture
from reports.page_charts import Chart, charts, inline_pictures

NAMES = (
    *("patch", "matchups", "factions", "first_player", "lengths", "leads", "decided"),
    *("energy", "energy_by_turn", "lp_by_turn", "cards"),
)


def chart(name: str) -> Chart:
    return next(each for each in charts(report()) if each.name == name)


def words_of(figure: Figure) -> str:
    """All that is written in a figure."""
    texts = figure.findobj(Text)
    return " ".join(each.get_text() for each in texts if isinstance(each, Text)).replace("\n", " ")


def drawn_texts(figure: Figure) -> list[Text]:
    """The texts that are drawn: of ticks only those within the limits."""
    found = [*figure.texts]
    for axes in figure.axes:
        found += [*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label]
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in axis.get_major_ticks():
                if min(limits) <= tick.get_loc() <= max(limits):
                    found += [tick.label1, tick.label2]
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def test_there_is_a_chart_for_everything() -> None:
    assert [each.name for each in charts(report())] == list(NAMES)


@pytest.mark.parametrize("shape", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", NAMES)
def test_a_chart_says_what_it_shows_and_stays_in_its_frame(name: str, shape: Shape) -> None:
    figure = chart(name).draw(shape)
    words = words_of(figure)
    assert re.sub(r"\s", "", chart(name).title) in re.sub(r"\s", "", words)
    assert re.search(r"\d duels|\d first turns|n = \d", words), "how many duels it rests on"
    assert "95% interval" in words or "95%  interval" in words
    figure.draw_without_rendering()
    width, height = figure.bbox.width, figure.bbox.height
    for text in drawn_texts(figure):
        box = text.get_window_extent()
        assert box.x0 >= -1, text
        assert box.x1 <= width + 1, text
        assert box.y0 >= -1, text
        assert box.y1 <= height + 1, text


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_same_data_draw_the_same_file(kind: str, tmp_path: Path) -> None:
    for name in ("matchups", "lp_by_turn"):
        files = [save_picture(chart(name).draw(WIDE), tmp_path / f"{i}.{kind}") for i in range(2)]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_pictures_in_the_page_follow_its_colours_and_share_no_names() -> None:
    wide, narrow = inline_pictures(chart("factions"))
    assert "var(--ink)" in wide
    assert "#1a1f26" not in wide
    ids = [set(re.findall(r'\bid="([^"]+)"', each)) for each in (wide, narrow)]
    assert not ids[0] & ids[1]
    for text, own in zip((wide, narrow), ids, strict=True):
        used = re.findall(r'xlink:href="#([^"]+)"|url\(#([^)]+)\)', text)
        assert {a or b for a, b in used} <= own


def new_axes() -> Axes:
    return Figure().add_subplot()


def test_matchups_are_centred_at_50_percent_with_a_fixed_range() -> None:
    matrix = made_up.matrix_table()
    axes = new_axes()
    kept = balance_charts.matchup_axes(axes, matrix, made_up.DECKS, shape=WIDE, size=0.6)
    assert kept is axes
    mesh = next(each for each in axes.collections if isinstance(each, QuadMesh))
    assert mesh.get_clim() == balance_charts.SPREAD
    assert sum(balance_charts.SPREAD) == pytest.approx(1)
    values = mesh.get_array()
    assert values is not None
    rates = np.asarray(values).reshape(7, 7)
    off = ~np.eye(7, dtype=bool)
    assert (rates + rates.T)[off] == pytest.approx(np.ones(42))
    row = matrix.row(1, named=True)
    words = [text.get_text() for text in axes.texts]
    assert f"{100 * row['win_rate_a']:.1f}" in words
    assert f"{100 * (1 - row['win_rate_a']):.1f}" in words
    assert sum(word.startswith("(") for word in words) >= 7  # mirrors are never shown as uneven


def test_every_drawing_takes_axes_and_returns_them() -> None:
    data = report()
    counts, decks = data.tempo, list(made_up.DECKS)
    assert data.lengths is not None
    own = tempo.lp_curve(tempo_charts.sides_of(counts, "Rome"))
    shares = {deck: tempo.energy_shares(tempo_charts.sides_of(counts, deck)) for deck in decks}
    by_turn = tempo.energy_by_turn(tempo_charts.sides_of(counts))
    leads = tempo.leads_at(tempo.lead_values(counts), [4, 6], tempo_charts.LEADS)
    drawings: list[Callable[[Axes], Axes]] = [
        lambda axes: balance_charts.colour_axes(axes, shape=WIDE),
        lambda axes: balance_charts.average_axes(axes, made_up.factions_table(), shape=WIDE),
        lambda axes: balance_charts.equilibrium_axes(axes, made_up.factions_table(), shape=WIDE),
        lambda axes: balance_charts.first_player_axes(axes, made_up.matrix_table(), shape=WIDE),
        lambda axes: balance_charts.patch_axes(axes, made_up.patch_table(), shape=WIDE),
        lambda axes: card_charts.card_axes(axes, made_up.card_tables().head(5), shape=WIDE),
        lambda axes: tempo_charts.length_axes(
            axes, made_up.length_frame("Rome", "Rome"), shape=WIDE
        ),
        lambda axes: tempo_charts.length_rows_axes(axes, report().lengths, shape=WIDE),  # type: ignore[arg-type]
        lambda axes: tempo_charts.lead_axes(axes, leads, [4, 6], shape=WIDE, size=0.4),
        lambda axes: tempo_charts.decided_axes(axes, counts, shape=WIDE),
        lambda axes: tempo_charts.lp_axes(axes, own, own, shape=WIDE),
        lambda axes: energy_charts.energy_axes(axes, shares, shape=WIDE),
        lambda axes: energy_charts.energy_turn_axes(axes, by_turn, shape=WIDE),
    ]
    for draw in drawings:
        axes = new_axes()
        assert draw(axes) is axes


def test_ink_can_be_read_on_its_ground() -> None:
    assert ink_on("#FFFFFF") == CELL_INK
    assert ink_on("#000000") == CELL_PAPER
    assert ink_on("#D55E00") == CELL_INK
    assert ink_on("#0072B2") == CELL_PAPER


def test_cards_of_the_chart_are_those_that_stand_out() -> None:
    cards = made_up.card_tables()
    shown = card_charts.shown_cards(cards, 12)
    brings = cards["brings"].sort()
    assert len(shown) == 12
    assert set(brings.head(4)) | set(brings.tail(4)) <= set(shown["brings"])
    assert shown["brings"].is_sorted(descending=True)
    assert len(card_charts.shown_cards(cards.head(3), 12)) == 3


@pytest.mark.parametrize("name", ["Deck of $5 and more", "Ein sehr langer Name " * 3])
def test_any_name_can_be_drawn(name: str) -> None:
    matrix = made_up.matrix_table().with_columns(pl.col("a", "b").replace("Rome", name))
    decks = [name, *made_up.DECKS[1:]]
    for shape in (WIDE, NARROW):
        figure = balance_charts.matchup_figure(shape, matrix, decks, "A title")
        assert "…" in words_of(figure) or name in words_of(figure)
        balance_charts.first_player_figure(shape, matrix, "A title")
