"""What all charts have in common: size, colours, text that fits, and how they are written.

Figures are drawn on matplotlib `Figure` objects, without pyplot and its global state. The same
figure gives the same file to the byte (with the same matplotlib): the font ships with matplotlib,
and no date and no random identifier is written.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from cards.files import write_whole

SUFFIXES = (".png", ".svg")

# Okabe M. and Ito K. (2008), Color Universal Design: told apart by all kinds of colour vision.
COLOUR_A, COLOUR_B = "#0072B2", "#D55E00"
INK, SOFT, FAINT = "#1A1F26", "#5B6570", "#D5DAE0"

SIZE = (12.8, 7.2)  # inches; 1920 by 1080 pixels at 150 dots an inch
DPI = 150
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 13,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "svg.hashsalt": "duel-sim",
    # A deck or card may have dollars in its name, which are no formula.
    "text.parse_math": False,
}


def new_figure() -> Figure:
    """An empty figure of the size of a slide; to be drawn on under `STYLE`."""
    figure = Figure(figsize=SIZE, dpi=DPI)
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, path: str | Path) -> Path:
    """Write a figure as PNG or SVG, by the suffix of `path`; returns the path.

    Raises ValueError for another suffix, OSError if the file cannot be written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: a chart is written as {' or '.join(SUFFIXES)}")
    picture = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        nothing = {"Date": None} if suffix == ".svg" else {"Software": None}
        figure.savefig(picture, format=suffix[1:], dpi=DPI, metadata=nothing, facecolor="white")
    write_whole(path, picture.getvalue())
    return path


def write(on: Axes | Figure, x: float, y: float, text: str, **style: Any) -> Text:
    """Text at a point of axes (data) or a figure (shares of its size), centred on y unless told."""
    # A deck may have a dollar in its name, which is no formula.
    return on.text(x, y, text, **{"va": "center", "parse_math": False, **style})


def width_of(text: Text) -> float:
    """The drawn width of a text as a share of its figure's width."""
    figure = text.get_figure(root=True)
    assert figure is not None
    return text.get_window_extent().width / figure.bbox.width


def fit(text: Text, width: float) -> None:
    """Make a text fit into a share of the figure's width: smaller to 70 %, then cut."""
    size = float(text.get_fontsize())
    smallest = 0.7 * size
    while width_of(text) > width and size > smallest:
        size = max(smallest, size - 0.5)
        text.set_fontsize(size)
    words = text.get_text()
    while width_of(text) > width and len(words) > 1:
        words = words[:-1]
        text.set_text(words.rstrip() + "…")
