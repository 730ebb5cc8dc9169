"""The files of a balance report: page, charts, tables, and everything as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from reports.report_data import ReportData
from sim.output import make_folder

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
    for name, table in data.tables().items():
        table.write_parquet(folder / TABLES / f"{name}.parquet")
        table.write_csv(folder / TABLES / f"{name}.csv")
    text = json.dumps(data.to_json(), ensure_ascii=False, indent=1)
    (folder / RESULT).write_text(text + "\n", encoding="utf-8")
    every = charts(data)
    for number, chart in enumerate(every, 1):
        save_picture(chart.draw(WIDE), folder / CHARTS / f"{chart.name}.{pictures}")
        if drawn is not None:
            drawn(number, 2 * len(every))
    last = (lambda done, _: drawn(len(every) + done, 2 * len(every))) if drawn else None
    path = folder / PAGE
    path.write_text(page(data, last), encoding="utf-8")
    return path
