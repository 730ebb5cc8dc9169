"""A comparison in the terminal and as a chart: complete, within its edges, the same each time."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.image
import pytest
from made_comparisons import CASES, made
from matplotlib.figure import Figure
from matplotlib.text import Text
from rich.cells import cell_len
from rich.console import Console

from reports.comparison import ComparisonSummary
from reports.comparison_chart import comparison_chart, comparison_figure
from reports.comparison_terminal import print_comparison
from reports.sequential import Sprt


def printed(summary: ComparisonSummary, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\n")
    print_comparison(summary, Console(file=stream, width=80))
    stream.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1251"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_table_fits_and_is_plain_text(case: dict[str, object], encoding: str) -> None:
    text = printed(made(**case), encoding)  # type: ignore[arg-type]
    assert max(cell_len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text
    assert "nan" not in text


def test_the_table_shows_every_part() -> None:
    text = " ".join(printed(made(weights=(1.0, 2.0, 1.0), test=Sprt(0.0, 0.02))).split())
    for part in (
        "My Rome or Rome?",
        "1,200 duels with each list in 600 pairs on the same seeds, seed 7, greedy on all sides",
        "the lists share 34 cards",
        "All by weight",
        "50%",
        "Standard error of the difference:",
        "two separate runs of this length would have",
        "Log likelihood ratio of the test:",
        "decided at -2.94 and at +2.94",
        "The cards that the lists do not share",
        "Card of a name, number 3",
        "the test decides",
        "Against these opponents My Rome less Rome is",
    ):
        assert part in text


def _texts(figure: Figure) -> list[Text]:
    ticks = {
        id(label)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for label in axis.get_ticklabels(which="both")
    }
    return [
        text
        for text in figure.findobj(Text)
        if isinstance(text, Text)
        and text.get_visible()
        and text.get_text()
        and id(text) not in ticks
    ]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_text_runs_over_the_edge_or_into_another(case: dict[str, object]) -> None:
    figure = comparison_figure(made(**case))  # type: ignore[arg-type]
    figure.draw_without_rendering()
    boxes = [(text.get_text(), text.get_window_extent()) for text in _texts(figure)]
    for words, box in boxes:
        inside = figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert inside and figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, words
    for i, (words, box) in enumerate(boxes):
        for other, second in boxes[:i]:
            width = min(box.x1, second.x1) - max(box.x0, second.x0)
            height = min(box.y1, second.y1) - max(box.y0, second.y0)
            assert width <= 0 or height <= 0.25 * min(box.height, second.height), (words, other)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_file_is_valid_and_the_same_each_time(tmp_path: Path, suffix: str) -> None:
    one, two = (comparison_chart(made(), tmp_path / f"{name}{suffix}") for name in "ab")
    assert one.read_bytes() == two.read_bytes()
    if suffix == ".png":
        assert matplotlib.image.imread(one).shape[:2] == (1080, 1920)
    else:
        assert ElementTree.parse(one).getroot().tag.endswith("svg")


def test_a_chart_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="written as"):
        comparison_chart(made(), tmp_path / "x.pdf")
