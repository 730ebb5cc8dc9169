"""The files of a balance report: page, charts, tables, and everything as JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from cards.files import write_whole
from reports.report_data import ReportData
from sim.output import make_folder
from sim.table_files import write_frames, write_json

PAGE: Final = "index.html"
CHARTS: Final = "charts"
TABLES: Final = "tables"
RESULT: Final = "report.json"


def make_folders(folder: Path) -> Path:
    """The folder of a report with those in it; errors as `sim.output.make_folder`."""
    for each in (folder, folder / CHARTS, folder / TABLES):
        make_folder(each)
    return folder


def write_report(
    folder: Path,
    data: ReportData,
    pictures: str = "svg",
    drawn: Callable[[int, int], None] | None = None,
) -> Path:
    """Write what there is of a report; the page's path.

    Parameters
    ----------
    pictures
        The kind of the chart files, "svg" or "png".
    drawn
        Called after each chart with how many are drawn, and how many there are.
    """
    from reports.chart_frame import WIDE, save_picture
    from reports.page import page
    from reports.page_charts import charts

    make_folders(folder)
    write_frames(folder / TABLES, data.tables())
    write_json(folder / RESULT, data.to_json())
    every = charts(data)
    for number, chart in enumerate(every, 1):
        save_picture(chart.draw(WIDE), folder / CHARTS / f"{chart.name}.{pictures}")
        if drawn is not None:
            drawn(number, 2 * len(every))
    last = (lambda done, _: drawn(len(every) + done, 2 * len(every))) if drawn else None
    write_whole(folder / PAGE, page(data, last))
    return folder / PAGE
