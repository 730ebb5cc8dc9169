"""The frame of a report's chart: title, what it rests on, and places for axes, all in inches.

Every chart is drawn in two shapes, a wide one for a desktop or a slide and a narrow one for a
phone, with letters of about the same size on both.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.typing import ColorType

from cards.files import write_whole
from reports import canvas, wording
from reports.canvas import FAINT, INK, SOFT, STYLE, write

#: Ink and paper inside a coloured cell, which stay as they are on a dark page.
CELL_INK: Final = "#10151B"
CELL_PAPER: Final = "#FFFFFE"
PAPER: Final = "#FFFFFF"
#: The two colours, a shade off, where ink stands on them: they stay as they are on a dark page.
FIXED_BLUE: Final = "#0072B3"
FIXED_ORANGE: Final = "#D55E01"

_EDGE: Final = 0.12  # inches around everything
_LINE: Final = 1.32  # height of a line, in sizes of its letters
_LETTER: Final = 0.56  # width of a letter, in its size
_BOLD_LETTER: Final = 0.62
_MOST_NAME: Final = 24


@dataclass(frozen=True)
class Shape:
    """A width in inches and the sizes of letters, in points."""

    width: float
    title: float
    text: float
    small: float

    @property
    def is_narrow(self) -> bool:
        """Whether this is the phone's."""
        return self.width < 6


WIDE: Final = Shape(9.6, 14.0, 11.0, 9.0)
NARROW: Final = Shape(3.8, 11.5, 9.0, 8.0)


@dataclass
class Frame:
    """A figure under way; places are inches from its left and its top edge."""

    figure: Figure
    shape: Shape
    height: float
    top: float = field(default=_EDGE)

    @property
    def width(self) -> float:
        """Inches."""
        return self.shape.width

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """Axes between distances from the left, top, right and bottom edges."""
        return self.figure.add_axes(
            (
                left / self.width,
                bottom / self.height,
                (self.width - left - right) / self.width,
                (self.height - top - bottom) / self.height,
            )
        )

    def text(self, x: float, y: float, words: str, **style: Any) -> None:
        """Words at inches from the left and the top."""
        style = {"ha": "left", "va": "top", "size": self.shape.text, **style}
        write(self.figure, x / self.width, 1 - y / self.height, words, **style)


@contextmanager
def frame(shape: Shape, body: float, title: str, subtitle: str) -> Iterator[Frame]:
    """A figure with its title and its subtitle, and `body` inches below them; under our style.

    `Frame.top` is where the body begins.
    """
    room = shape.width - 2 * _EDGE
    titles = _wrapped(title, room, shape.title, _BOLD_LETTER)
    lines = _wrapped(subtitle, room, shape.small, _LETTER)
    title_line, line = (size * _LINE / 72 for size in (shape.title, shape.small))
    top = _EDGE + len(titles) * title_line + 0.05 + len(lines) * line + 0.1
    height = top + body
    with matplotlib.rc_context({**STYLE, "font.size": shape.text}):
        figure = Figure(figsize=(shape.width, height), dpi=canvas.DPI)
        FigureCanvasAgg(figure)
        made = Frame(figure, shape, height, top)
        for number, words in enumerate(titles):
            place = _EDGE + number * title_line
            made.text(_EDGE, place, words, size=shape.title, weight="bold", color=INK)
        for number, words in enumerate(lines):
            place = _EDGE + len(titles) * title_line + 0.05 + number * line
            made.text(_EDGE, place, words, size=shape.small, color=SOFT)
        yield made


def _wrapped(words: str, room: float, size: float, letter: float) -> list[str]:
    """Lines that fit into `room` inches, by the usual width of letters."""
    return textwrap.wrap(words, max(12, int(room * 72 / (size * letter))))


def names_width(names: Sequence[str], size: float) -> float:
    """Inches that the longest of the names takes, with a gap."""
    longest = max((len(short(name)) for name in names), default=0)
    return longest * size * 0.6 / 72 + 0.14


def short(name: str) -> str:
    """A name as it is written beside a row."""
    return wording.shorten(name, _MOST_NAME)


def plain(axes: Axes, *, grid: str | None = "x") -> Axes:
    """Axes without a box and ticks, with a faint grid behind."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.tick_params(axis="x", labelsize="small")
    if grid is not None:
        axes.grid(axis=grid, color=FAINT, linewidth=0.7)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.patch.set_visible(False)
    return axes


def rows_of_names(axes: Axes, names: Sequence[str]) -> None:
    """A row for each name, the first one on top."""
    axes.set_yticks(range(len(names)), [short(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    for label in axes.get_yticklabels():
        label.set_color(INK)


def ink_on(colour: ColorType) -> str:
    """The ink that is read more easily on a colour: contrast as WCAG 2.2 defines it."""
    light = _luminance(colour)
    dark_contrast = (light + 0.05) / (_luminance(CELL_INK) + 0.05)
    return CELL_INK if dark_contrast >= 1.05 / (light + 0.05) else CELL_PAPER


def _luminance(colour: ColorType) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])


def interval_mark(axes: Axes, y: float, low: float, high: float, colour: str) -> None:
    """An interval as a thick line with short ends."""
    axes.plot([low, high], [y, y], color=colour, linewidth=2.2, solid_capstyle="butt", zorder=3)
    for end in (low, high):
        axes.plot([end, end], [y - 0.16, y + 0.16], color=colour, linewidth=1.4, zorder=3)


def svg_text(figure: Figure) -> str:
    """A figure as SVG, the same text for the same figure."""
    file = io.StringIO()
    with matplotlib.rc_context(STYLE):
        nothing: Any = {"Date": None, "Creator": None}
        figure.savefig(file, format="svg", metadata=nothing, facecolor=PAPER)
    return file.getvalue()


def save_picture(figure: Figure, path: Path) -> Path:
    """Write a figure as PNG or SVG, by the suffix; the path."""
    if path.suffix == ".svg":
        write_whole(path, svg_text(figure))
        return path
    return canvas.save(figure, path)
