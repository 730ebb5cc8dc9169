"""The folder that a run leaves with `--out`, and goes on from after an interruption, or for more.

`manifest.json` says which run it is. Each finished shard is a file `duels-FIRST-COUNT.parquet`, one
row a duel (`sim.tally.DUEL_SCHEMA`). Files appear whole, under their names, or not at all.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from cards.errors import InputError
from sim.output import make_folder
from sim.shards import Shard, missing, parts
from sim.tally import DUEL_SCHEMA, shard_of

MANIFEST: Final = "manifest.json"
_SHARD_NAME: Final = re.compile(r"duels-(\d{12})-(\d+)\.parquet")
#: Of more files than this a folder becomes slow to list; shards of a long run are larger.
MOST_FILES: Final = 10_000
#: What a difference means whose values say nothing to people.
_DIFFERENCES: Final = {"cards": "other cards", "code": "another version of the program"}


class RunFolder:
    """The folder of one run, which may be asked for more duels (or fewer) than it holds.

    Parameters
    ----------
    path
        The folder; made if need be.
    identity
        What makes the run the run it is, in JSON's types: where it says something else than the
        folder's manifest, the folder belongs to another run. Its key `duels` alone may differ: the
        first n duels of a run are the same whatever its length.
    schema
        The columns of its files.

    Raises
    ------
    InputError
        The folder cannot be written, belongs to another run, or holds a damaged manifest.
    """

    def __init__(
        self, path: Path, identity: Mapping[str, Any], schema: pl.Schema = DUEL_SCHEMA
    ) -> None:
        self.path = make_folder(path)
        self._schema = schema
        known = read_manifest(path)
        if known is None:
            if next(self._shard_files(), None) is not None:
                raise InputError(
                    f"has duels but no {MANIFEST}", where=str(path), right="name another folder"
                )
            self._write_manifest(identity)
            return
        for key, value in identity.items():
            if key != "duels" and known.get(key) != value:
                raise InputError(
                    f"holds another run ({_difference(key, known.get(key), value)})",
                    where=str(path),
                    right="name another folder, or repeat that run's command",
                )
        if _number(known.get("duels")) < identity["duels"]:
            self._write_manifest(identity)

    def finished(self, n: int, since: int = 0) -> Iterator[pl.DataFrame]:
        """The frames of the finished shards, by number, as far as they hold duels since ... n - 1.

        Raises
        ------
        InputError
            A file is damaged, or does not belong here.
        """
        files = dict(self._shard_files())
        try:
            taken = parts(n, files)
        except ValueError as fault:
            raise InputError(str(fault), where=str(self.path)) from None
        for shard, part in taken:
            first = max(part.first, since)
            if first < part.end:
                duels = self._read(shard, files[shard])
                yield duels.slice(first - shard.first, part.end - first)

    def missing(self, n: int) -> list[Shard]:
        """The spans of duels that are still to be played for a run of `n`.

        Raises
        ------
        InputError
            A file of duels does not belong to the run.
        """
        try:
            return missing(n, (shard for shard, _ in self._shard_files()))
        except ValueError as fault:
            raise InputError(str(fault), where=str(self.path)) from None

    def write(self, duels: pl.DataFrame) -> None:
        """Keep the duels of a shard."""
        shard = shard_of(duels)
        name = f"duels-{shard.first:012d}-{shard.count}.parquet"
        unfinished = self.path / f".{name}"
        duels.write_parquet(unfinished)
        os.replace(unfinished, self.path / name)

    def _shard_files(self) -> Iterator[tuple[Shard, Path]]:
        for file in self.path.iterdir():
            found = _SHARD_NAME.fullmatch(file.name)
            if found is not None:
                yield Shard(int(found[1]), int(found[2])), file

    def _read(self, shard: Shard, file: Path) -> pl.DataFrame:
        try:
            duels = pl.read_parquet(file)
        except (pl.exceptions.PolarsError, OSError) as fault:
            first_line = str(fault).partition("\n")[0]
            raise InputError(
                f"cannot be read ({first_line})",
                where=str(file),
                right="delete it, and its duels are played again",
            ) from None
        if duels.schema != self._schema or len(duels) != shard.count or shard_of(duels) != shard:
            raise InputError(
                "does not hold the duels that its name says",
                where=str(file),
                right="delete it, and they are played again",
            )
        return duels

    def _write_manifest(self, identity: Mapping[str, Any]) -> None:
        unfinished = self.path / f".{MANIFEST}"
        text = json.dumps(identity, ensure_ascii=False, indent=1)
        unfinished.write_text(text + "\n", encoding="utf-8")
        os.replace(unfinished, self.path / MANIFEST)


def read_manifest(path: Path) -> dict[str, Any] | None:
    """What the manifest of a folder says; None where there is none.

    Raises
    ------
    InputError
        It cannot be read.
    """
    file = path / MANIFEST
    try:
        if not file.is_file():  # nor is a pipe waited for
            return None
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(
            f"cannot be read ({fault})", where=str(file), right="name another folder"
        ) from None
    if not isinstance(found, dict):
        raise InputError("is no manifest of a run", where=str(file), right="name another folder")
    return found


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _difference(key: str, known: Any, asked: Any) -> str:
    """One difference of two runs, in a few words."""
    if key in _DIFFERENCES:
        return _DIFFERENCES[key]
    if isinstance(known, Mapping) and isinstance(asked, Mapping):
        for inner in asked:
            if known.get(inner) != asked[inner]:
                return _difference(f"{key}.{inner}", known.get(inner), asked[inner])
    if isinstance(known, str | int | bool) and isinstance(asked, str | int | bool):
        return f"{key} {known} there, {asked} here"
    return f"another {key}"
