"""The tables of a result as files: CSV to read, Parquet to reckon with, JSON with everything."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from cards.files import write_whole
from sim.output import make_folder


def write_tables(
    folder: str | Path, tables: Mapping[str, pl.DataFrame], name: str, result: Mapping[str, Any]
) -> Path:
    """Write each table as NAME.csv and NAME.parquet, and the result as `name`.json; the folder.

    Raises
    ------
    InputError
        The folder cannot be written.
    OutputError
        A file cannot be written.
    """
    path = make_folder(Path(folder))
    write_frames(path, tables)
    write_json(path / f"{name}.json", result)
    return path


def write_frames(folder: Path, tables: Mapping[str, pl.DataFrame]) -> None:
    """Write each table as NAME.csv and NAME.parquet (errors: `cards.files.write_whole`)."""
    for name, frame in tables.items():
        write_whole(folder / f"{name}.parquet", as_parquet(frame))
        write_whole(folder / f"{name}.csv", frame.write_csv())


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a value as JSON (errors: `cards.files.write_whole`)."""
    write_whole(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def as_parquet(frame: pl.DataFrame) -> bytes:
    """The bytes of a frame's Parquet file."""
    data = io.BytesIO()
    frame.write_parquet(data)
    return data.getvalue()
