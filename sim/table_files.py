"""The tables of a result as files: CSV to read, Parquet to reckon with, JSON with everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from sim.output import make_folder


def write_tables(
    folder: str | Path, tables: Mapping[str, pl.DataFrame], name: str, result: Mapping[str, Any]
) -> Path:
    """Write each table as NAME.csv and NAME.parquet, and the result as `name`.json; the folder.

    Raises
    ------
    InputError
        The folder cannot be written.
    """
    path = make_folder(Path(folder))
    for each, frame in tables.items():
        frame.write_parquet(path / f"{each}.parquet")
        frame.write_csv(path / f"{each}.csv")
    text = json.dumps(result, ensure_ascii=False, indent=1)
    (path / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return path
