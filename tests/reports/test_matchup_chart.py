"""The chart of a matchup: valid files, the same each time, and nothing runs over the edge."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib.image
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

import reports
from reports.charts import length_axes, matchup_chart, matchup_figure, win_rate_axes
from reports.matchup import MatchupSummary

Matchup = Callable[..., tuple[MatchupSummary, pl.DataFrame]]

LONG = "The grand coalition of Carthage, Numidia and the Gallic mercenaries"
CASES: dict[str, dict[str, Any]] = {
    "even": {"n": 2000},
    "one-sided": {"n": 2000, "strength": -4.0, "b": "Germanic tribes"},
    "all won": {"n": 40, "strength": 9.0},
    "one duel": {"n": 1},
    "tiny": {"n": 7},
    "long names": {"n": 100, "a": f"{LONG} v1", "b": f"{LONG} v2 $x^2$", "strategy_b": "x" * 90},
    "wide names": {"n": 100, "a": "W" * 200, "b": "M" * 200},
    "Cyrillic": {"n": 100, "a": "Рим", "b": "Германские племена"},
    "mirror": {"n": 100, "b": "Rome"},
    "always first": {"n": 100, "only_a_first": True},
}


def shown_texts(figure: Figure) -> list[Text]:
    return [
        text
        for text in figure.findobj(Text)
        if isinstance(text, Text) and text.get_visible() and text.get_text()
    ]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_text_runs_over_the_edge_or_into_another(case: dict[str, Any], matchup: Matchup) -> None:
    figure = matchup_figure(*matchup(**case))
    figure.draw_without_rendering()
    # Names may be cut, the finding may not.
    assert any(
        "no side shown to be favoured" in text.get_text() or "of duels against" in text.get_text()
        for text in figure.texts
    )
    # The names of ticks beyond the axes are kept by matplotlib, but never drawn.
    ticks = {
        id(label)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for label in axis.get_ticklabels(which="both")
    }
    boxes = {}
    for text in shown_texts(figure):
        if id(text) in ticks:
            continue
        box = text.get_window_extent()
        inside = figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert inside and figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, text.get_text()
        boxes[text] = box
    for one, box in boxes.items():
        for two, other in boxes.items():
            # Boxes of neighbours may touch, their letters do not.
            if one is not two:
                overlap_x = min(box.x1, other.x1) - max(box.x0, other.x0)
                overlap_y = min(box.y1, other.y1) - max(box.y0, other.y0)
                assert overlap_x < 3 or overlap_y < 3, (one.get_text(), two.get_text())


def test_png_is_valid_and_large_enough_for_a_slide(matchup: Matchup, tmp_path: Path) -> None:
    path = matchup_chart(*matchup(n=500), tmp_path / "chart.png")
    image = matplotlib.image.imread(path)
    assert image.shape[:2] == (1080, 1920)
    # White ground, both sides' colours present.
    assert image[0, 0, :3].tolist() == [1, 1, 1]
    for red, green, blue in ((0, 114, 178), (213, 94, 0)):
        colour = [red / 255, green / 255, blue / 255]
        assert (abs(image[..., :3] - colour).max(axis=-1) < 0.01).mean() > 0.01


def test_svg_is_valid_and_whole(matchup: Matchup, tmp_path: Path) -> None:
    path = matchup_chart(*matchup(n=500), str(tmp_path / "chart.SVG"))
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = path.read_text("utf-8")
    # Letters are outlines, so it looks the same where the font is missing.
    assert "<text" not in text
    assert "<dc:date>" not in text


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_same_summary_same_bytes(suffix: str, matchup: Matchup, tmp_path: Path) -> None:
    summary, counts = matchup(n=300)
    one = matchup_chart(summary, counts, tmp_path / f"one{suffix}")
    two = matchup_chart(summary, counts.reverse(), tmp_path / f"two{suffix}")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("name", ["chart.pdf", "chart", "chart.png.txt", ".png"])
def test_other_suffixes_are_rejected(name: str, matchup: Matchup, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.png or \.svg"):
        matchup_chart(*matchup(n=4), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_an_os_error(matchup: Matchup, tmp_path: Path) -> None:
    with pytest.raises(OSError):
        matchup_chart(*matchup(n=4), tmp_path / "no such folder" / "chart.png")


def test_title_states_the_finding(matchup: Matchup) -> None:
    for strength, title in (
        (0.0, "Rome against Sparta: no side shown to be favoured"),
        (9.0, "Rome won 100% of duels against Sparta"),
        (-9.0, "Sparta won 100% of duels against Rome"),
    ):
        texts = [text.get_text() for text in shown_texts(matchup_figure(*matchup(300, strength)))]
        assert title in texts
        assert any("300 duels in 150 pairs" in text and "seed 7" in text for text in texts)


def test_chart_functions_take_axes_and_return_them(matchup: Matchup) -> None:
    summary, counts = matchup(n=300)
    upper, lower = Figure().subplots(2)
    assert win_rate_axes(upper, summary) is upper
    assert length_axes(lower, summary, counts) is lower
    # Bars of both sides add up to all duels that are shown.
    heights = [bar.get_height() for bar in lower.patches if isinstance(bar, Rectangle)]
    assert sum(abs(height) for height in heights) == pytest.approx(100, abs=0.5)
    assert min(heights) < 0 < max(heights)


def test_charts_leave_pyplot_alone() -> None:
    code = "import sys, reports.charts; sys.exit('matplotlib.pyplot' in sys.modules)"
    root = Path(reports.__path__[0]).parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
